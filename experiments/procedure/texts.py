"""Participants' texts: parse them into blocks, fill placeholders, get defaults and current versions.

Texts become blocks, never HTML: the browser puts each block into the page as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.formats.faults import Fault, did_you_mean
from experiments.models import Markup, Part, Study, StudyText
from experiments.procedure.default_texts import default_body, default_required_boxes
from experiments.procedure.facts_for_texts import StudyFacts, facts_of_study, facts_of_task, with_seconds
from experiments.procedure.markdown import Span, escaped, markdown_pages, wrong_links

Block = dict[str, Any]
Page = list[Block]

KINDS = tuple(StudyText.Kind.values)
# Placeholders in texts, and the fact of the study that each stands for.
PLACEHOLDERS = {
    "{title}": gettext_lazy("the title"),
    "{minutes}": gettext_lazy("how many minutes it takes"),
    "{responsible}": gettext_lazy("who is responsible"),
    "{contact}": gettext_lazy("the address for questions"),
}

_PLACEHOLDER = re.compile(r"\{[^\W\d][\w -]*\}")


def blocks(body: str, markup: str = Markup.PLAIN) -> list[Page]:
    """Return the pages of a text, each a list of blocks; `markdown_pages` says what those of Markdown are.

    In plain texts a blank line begins a new paragraph, `# ` a heading, `- ` an entry of a list, `> ` an example; a line
    `---` begins a new page. Lines of one paragraph are joined. Pages without blocks are left out.

    >>> blocks("# Hello\\nOne\\ntwo.\\n\\n- a\\n- b\\n---\\n> An example.")
    [[{'type': 'heading', 'text': 'Hello'}, {'type': 'paragraph', 'text': 'One two.'},
      {'type': 'list', 'items': ['a', 'b']}], [{'type': 'example', 'text': 'An example.'}]]
    """
    if markup == Markup.MARKDOWN:
        return markdown_pages(body)
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


def filled(body: str, facts: Mapping[str, Any], markup: str = Markup.PLAIN) -> str:
    """Return the text with `{title}`, `{minutes}`, `{responsible}` and `{contact}` replaced; other braces stay.

    Facts are escaped in Markdown: a star in a title is shown as a star.

    >>> filled("{title} takes {minutes} minutes. {x}", {"title": "Lines", "minutes": 5})
    'Lines takes 5 minutes. {x}'
    """
    words = escaped if markup == Markup.MARKDOWN else str
    return re.sub(
        r"\{(title|minutes|responsible|contact)\}",
        lambda match: words(str(facts[match[1]])) if match[1] in facts else match[0],
        body,
    )


def facts_of(study: Study, minutes: int | None = None) -> dict[str, Any]:
    """Return the values of the placeholders for a study; `minutes` is its estimated duration where none is stated."""
    return {
        "title": study.title,
        "minutes": study.estimated_minutes or minutes or "?",
        "responsible": study.responsible,
        "contact": study.contact,
    }


def texts_of(study: Study) -> Iterator[tuple[str, Part | None, StudyText | None]]:
    """Yield the kind of every text, its task where it is instructions, and its newest version as `current_text`.

    What default texts say of the whole study is read once, and only if one of them is asked for.
    """
    facts = cache(partial(facts_of_study, study))
    for kind in KINDS:
        for task in study.tasks if kind == StudyText.Kind.INSTRUCTIONS else [None]:
            yield kind, task, current_text(study, kind, task, facts=facts)


def current_text(
    study: Study, kind: str, part: Part | None = None, *, facts: Callable[[], StudyFacts] | None = None
) -> StudyText | None:
    """Return the newest version of a text in the language of the study, or None where it has none of this kind.

    Instructions are those of `part`, or of the first task. A text of a draft that nobody has edited says what the
    settings and the materials are now.
    """
    texts = study.texts.filter(kind=kind, language=study.read_in)
    if kind == StudyText.Kind.INSTRUCTIONS:
        part = part or study.task
        texts = texts.filter(part=part if part.pk else None)
    text = texts.order_by("-version").first()
    if text is None and study.read_in and not study.is_frozen:
        # A further language begins with standard texts, which are stored when somebody edits them or it is opened.
        of_part = part if kind == StudyText.Kind.INSTRUCTIONS and part is not None and part.pk else None
        text = StudyText(
            study=study,
            part=of_part,
            kind=kind,
            language=study.read_in,
            version=0,
            markup=Markup.MARKDOWN,
            is_default=True,
        )
    if text and text.is_default and not study.is_frozen:
        text.body = default_text(study, kind, part, facts=facts)
        if kind == StudyText.Kind.CONSENT:
            text.required_boxes = default_required_boxes(study.language)
    return text


def default_text(
    study: Study, kind: str, part: Part | None = None, *, facts: Callable[[], StudyFacts] | None = None
) -> str:
    """Return the text of this kind that the platform makes of a study as it is now."""
    if kind == StudyText.Kind.INSTRUCTIONS:
        task = facts_of_task(part or study.task)
        return default_body(kind, paradigm=task.slug, language=study.language, task=task)
    whole = facts() if facts else facts_of_study(study)
    if kind in (StudyText.Kind.WELCOME, StudyText.Kind.CONSENT):
        whole = with_seconds(whole, study)
    return default_body(kind, paradigm=study.paradigm, language=study.language, facts=whole)


def pages_of(text: StudyText | Part | None, study: Study, minutes: int | None = None) -> list[Page]:
    """Return the pages of a text or of a page of the study as participants see them; empty where there is none."""
    return blocks(filled(text.body, facts_of(study, minutes), text.markup), text.markup) if text else []


def text_pages(study: Study, kind: str, minutes: int | None = None) -> list[Page]:
    """Return the pages of the newest version as participants see them; empty where there is none.

    `minutes` is the estimated duration, for a draft that states none.
    """
    return pages_of(current_text(study, kind), study, minutes)


def without_links(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with links as plain words, for pages that must not lead participants away."""
    return [[_unlinked(block) for block in page] for page in pages]


def _unlinked(block: Block) -> Block:
    plain = dict(block)
    if "spans" in block:
        plain["spans"] = _led_nowhere(block["spans"])
    if "item_spans" in block:
        plain["item_spans"] = list(map(_led_nowhere, block["item_spans"]))
    return plain


def _led_nowhere(spans: Sequence[Span]) -> list[Span]:
    return [{key: value for key, value in span.items() if key != "href"} for span in spans]


def body_faults(body: str, markup: str) -> list[Fault]:
    """Validate a text: unknown placeholders and invalid links.

    >>> [fault.message for fault in body_faults("{titel} takes {minutes} minutes.", "plain")]
    ['There is no placeholder {titel}.']
    """
    unknown = [found for found in _PLACEHOLDER.findall(body) if found not in PLACEHOLDERS]
    faults = [
        Fault(
            message=_("There is no placeholder %(found)s.") % {"found": found},
            suggestion=did_you_mean(found, list(PLACEHOLDERS))
            or _("Possible placeholders: %(known)s.") % {"known": ", ".join(PLACEHOLDERS)},
        )
        for found in dict.fromkeys(unknown)
    ]
    return faults + [
        Fault(
            message=_("The link to “%(target)s” leads nowhere.") % {"target": target},
            suggestion=_("Begin it with https://, http:// or mailto:."),
        )
        for target in (wrong_links(body) if markup == Markup.MARKDOWN else [])
    ]
