"""Pages and documents are in plain English: words that `docs/wording.md` refuses are in none of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.translations import texts_of_pages

ROOT = Path(__file__).resolve().parents[2]
REFUSED = {
    "whoever": re.compile(r"\bwho(?:m)?ever\b", re.IGNORECASE),
    "of whom": re.compile(r"\bof whom\b", re.IGNORECASE),
    "anew": re.compile(r"\banew\b", re.IGNORECASE),
    "for good": re.compile(r"\bfor good\b", re.IGNORECASE),
    "so many": re.compile(r"\bso (?:many|long)\b", re.IGNORECASE),
    "taken over": re.compile(r"\b(?:taken|takes) over\b", re.IGNORECASE),
    "beside": re.compile(r"(?<!\{)\bbeside\b", re.IGNORECASE),
    "rightly": re.compile(r"\brightly\b", re.IGNORECASE),
    "put right": re.compile(r"\bput right\b", re.IGNORECASE),
}
# In texts about studies, too, which are those of the app `experiments`.
REFUSED_ABOUT_STUDIES = {
    "holds": re.compile(r"\b(?:hold|holds)\b", re.IGNORECASE),
    "stands": re.compile(r"\b(?:stand|stands)\b", re.IGNORECASE),
    "is no": re.compile(r"(?<!there )\bis no (?!longer\b)[a-z]+", re.IGNORECASE),
    "Known are": re.compile(r"\b(?:Known|Taken|Such) are\b"),
    "is there twice": re.compile(r"\bis there twice\b"),
    "fixed since": re.compile(r"\bfixed since\b"),
    "change places": re.compile(r"\bchanges? places\b", re.IGNORECASE),
}
# Refused in documents only: pages need some of these words, as in a key that people hold.
REFUSED_IN_DOCUMENTS = {
    **REFUSED,
    "beside": re.compile(r"\bbeside\b", re.IGNORECASE),
    "holds": re.compile(r"\bholds?\b", re.IGNORECASE),
    "let in": re.compile(r"\blets? (?:(?:him|her|them|people) )?in\b", re.IGNORECASE),
    "stands": re.compile(r"\bstands?\b", re.IGNORECASE),
}
# `wording.md` quotes the words. What else is quoted is code, a name in bold or italics, or the target of a link.
QUOTING = {"docs/wording.md"}
QUOTED = re.compile(r"`[^`\n]*`|\*\*[^*]{1,200}\*\*|(?<!\*)\*[^*\n]{1,200}\*(?!\*)|“[^”]{0,300}”|\]\([^)\s]*\)")
# Examples in materials, and these words in their usual meaning.
EXAMPLES = ("beside the canal", "key that is held", "held key")


def documents() -> list[str]:
    found = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    names = [path.relative_to(ROOT).as_posix() for path in found]
    return sorted(name for name in names if not name.startswith("docs/decisions/") and name not in QUOTING)


def said_in(text: str) -> str:
    """Return what a document says itself, with its lines where they were.

    Fenced and indented code and quotations are left out, and so are the tables that code writes of its declarations:
    their first cell is code.
    """
    kept, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        is_code = fenced or line.startswith(("    ", "\t", "> ")) or re.match(r"\| `[^`]*` \|", line)
        kept.append("" if is_code else line)
    said = QUOTED.sub(lambda found: "\n" * found[0].count("\n"), "\n".join(kept))
    for example in EXAMPLES:
        said = said.replace(example, "")
    return said


def found_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document, counted from 1, with the refused words in them."""
    said = said_in(text)
    for word, pattern in REFUSED_IN_DOCUMENTS.items():
        for found in pattern.finditer(said):
            yield said.count("\n", 0, found.start()) + 1, word


def test_refused_words_are_in_no_text_of_the_pages() -> None:
    said = [
        (word, text)
        for message in texts_of_pages()
        for text in ([message.id] if isinstance(message.id, str) else message.id)
        for word, found in REFUSED.items()
        if found.search(text)
    ]
    assert said == []


def test_refused_words_are_in_no_document() -> None:
    names = documents()
    assert len(names) > 80
    found = {name: list(found_in((ROOT / name).read_text(encoding="utf-8"))) for name in names}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Whoever comes,\nholds anew.", [(1, "whoever"), (2, "anew"), (2, "holds")]),
        ("A value stands\nbeside it.", [(2, "beside"), (1, "stands")]),
        ("It lets them in.", [(1, "let in")]),
        ("`holds` and **Let somebody in** and *What stands here* and “beside”", []),
        ("[tests](methods/a.md#tests-beside-it)", []),
        ("```\nIt holds.\n```\n    It stands.", []),
        ("| `n` | Trials | Trials that hold it. |", []),
        ("| file | holds |", [(1, "holds")]),
    ],
)
def test_words_are_found_outside_code_and_quotations(text: str, expected: list[tuple[int, str]]) -> None:
    assert list(found_in(text)) == expected


def test_texts_about_studies_avoid_further_words() -> None:
    said = [
        (word, text)
        for message in texts_of_pages()
        if all(place.startswith("experiments/") for place, _line in message.locations)
        for text in ([message.id] if isinstance(message.id, str) else message.id)
        for word, found in REFUSED_ABOUT_STUDIES.items()
        if found.search(text)
    ]
    assert said == []


def test_the_documents_name_every_refused_word() -> None:
    table = (ROOT / "docs" / "wording.md").read_text(encoding="utf-8")
    words = [*REFUSED_IN_DOCUMENTS, *REFUSED_ABOUT_STUDIES]
    assert [word for word in words if word.replace("taken", "take") not in table] == []
