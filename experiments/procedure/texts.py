"""Texts that participants read: how they are written, which ones a new study starts with, which one holds now.

Texts become blocks, never HTML: the browser puts each block into the page as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from experiments.models import Study, StudyText

Block = dict[str, Any]
Page = list[Block]

DEFAULTS = Path(__file__).resolve().parents[1] / "examples" / "defaults"
LANGUAGES = ("en", "de")
KINDS = tuple(StudyText.Kind.values)
PLACEHOLDERS = ("{title}", "{minutes}", "{responsible}", "{contact}")

# The boxes of the consent belong to a text that has no place of its own for them in the files of defaults.
_REQUIRED_BOXES = {
    "en": [
        "I am 18 years old or older.",
        "I have read the text above and agree to take part.",
        "I agree that my answers are stored under a pseudonym and used for research, as described above.",
    ],
    "de": [
        "Ich bin mindestens 18 Jahre alt.",
        "Ich habe den Text oben gelesen und bin mit der Teilnahme einverstanden.",
        "Ich bin damit einverstanden, dass meine Antworten wie oben beschrieben unter einem Pseudonym gespeichert "
        "und für die Forschung verwendet werden.",
    ],
}


def blocks(body: str) -> list[Page]:
    """Return the pages of a text, each a list of blocks.

    A blank line begins a new paragraph, `# ` a heading, `- ` an entry of a list, `> ` an example; a line `---` begins
    a new page. Lines of one paragraph are joined. Pages without blocks are left out.

    >>> blocks("# Hello\\nOne\\ntwo.\\n\\n- a\\n- b\\n---\\n> An example.")
    [[{'type': 'heading', 'text': 'Hello'}, {'type': 'paragraph', 'text': 'One two.'},
      {'type': 'list', 'items': ['a', 'b']}], [{'type': 'example', 'text': 'An example.'}]]
    """
    pages: list[Page] = [[]]
    paragraph: list[str] = []

    def end_paragraph() -> None:
        if paragraph:
            pages[-1].append({"type": "paragraph", "text": " ".join(paragraph)})
            paragraph.clear()

    previous = ""
    for line in body.splitlines():
        text = line.strip()
        kind = _kind_of(text)
        if kind != "paragraph":
            end_paragraph()
        match kind:
            case "page":
                pages.append([])
            case "heading":
                pages[-1].append({"type": "heading", "text": text[1:].strip()})
            case "list":
                if previous == "list":
                    pages[-1][-1]["items"].append(text[1:].strip())
                else:
                    pages[-1].append({"type": "list", "items": [text[1:].strip()]})
            case "example":
                if previous == "example":
                    pages[-1][-1]["text"] += " " + text[1:].strip()
                else:
                    pages[-1].append({"type": "example", "text": text[1:].strip()})
            case "paragraph":
                paragraph.append(text)
        previous = kind
    end_paragraph()
    return [page for page in pages if page]


def _kind_of(line: str) -> str:
    if not line:
        return "blank"
    if re.fullmatch(r"-{3,}", line):
        return "page"
    for mark, kind in (("# ", "heading"), ("- ", "list"), ("> ", "example")):
        if line.startswith(mark):
            return kind
    return "paragraph"


@cache
def default_body(kind: str, *, paradigm: str, language: str) -> str:
    """Return the text that a new study starts with, placeholders included.

    A text of the paradigm (`defaults/<language>/<paradigm>/<kind>.txt`) goes before the general one.

    Raises LookupError for a language or kind that has no text.
    """
    for path in (DEFAULTS / language / paradigm / f"{kind}.txt", DEFAULTS / language / f"{kind}.txt"):
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    raise LookupError(f"There is no default text '{kind}' in the language '{language}'.")


def default_required_boxes(language: str) -> list[str]:
    """Return the statements of a consent that must be ticked."""
    return list(_REQUIRED_BOXES[language])


def filled(body: str, facts: Mapping[str, Any]) -> str:
    """Return the text with `{title}`, `{minutes}`, `{responsible}` and `{contact}` replaced; other braces stay.

    >>> filled("{title} takes {minutes} minutes. {x}", {"title": "Lines", "minutes": 5})
    'Lines takes 5 minutes. {x}'
    """
    return re.sub(
        r"\{(title|minutes|responsible|contact)\}",
        lambda match: str(facts[match[1]]) if match[1] in facts else match[0],
        body,
    )


def facts_of(study: Study) -> dict[str, Any]:
    """Return what the placeholders stand for in a study."""
    return {
        "title": study.title,
        "minutes": study.estimated_minutes or "?",
        "responsible": study.responsible,
        "contact": study.contact,
    }


def current_text(study: Study, kind: str) -> StudyText | None:
    """Return the newest version of a text, or None where the study has none of this kind."""
    return study.texts.filter(kind=kind).order_by("-version").first()


def text_body(study: Study, kind: str) -> str:
    """Return the newest version as participants read it, placeholders replaced; empty where there is none."""
    text = current_text(study, kind)
    return filled(text.body, facts_of(study)) if text else ""


def text_pages(study: Study, kind: str) -> list[Page]:
    """Return the pages of the newest version as participants see them; empty where there is none."""
    return blocks(text_body(study, kind))
