"""The field's words: a page that says what they are called here, and the search of the documents, which knows them.

`words.toml` declares them once. `python -m config.documentation.words` writes the page; as a hook of MkDocs this module
gives every paragraph its words as tags of the search index.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("words.toml")
PAGE = ROOT / "docs" / "if-you-call-it.md"
# By default tags count so much that any word of the table outdoes the title of every page that shares its letters. With
# these two numbers the words find their pages, and titles find theirs nearly as often as without the words;
# `tests/documents` measures both.
TAGS_COUNT = 430.0
PARAGRAPHS_COUNT = 2.5
HEAD = """# If you call it … here it is …

<!-- made by python -m config.documentation.words of config/documentation/words.toml -->

This page lists words of other tools and of methods sections, with the paragraphs that explain them here. The search of
the documents knows the same words. The [glossary](glossary.md) lists the words of the platform.
"""


@dataclass(frozen=True)
class Entry:
    """Words for one thing, where it is explained, what it is called here, and one sentence about it."""

    called: tuple[str, ...]
    here: str
    place: str
    sentence: str

    @property
    def location(self) -> str:
        """Return the address of the paragraph on the site, such as `questionnaires/#checks`.

        >>> Entry(("attention check",), "Checks", "questionnaires.md#checks", "A question.").location
        'questionnaires/#checks'
        """
        page, hash_, anchor = self.place.partition("#")
        return f"{re.sub(r'(?:(?<=/)README)?[.]md$', '/', page).replace('//', '/')}{hash_}{anchor}"


def groups() -> dict[str, tuple[Entry, ...]]:
    """Return the entries of the table by the titles of their groups, in the order of the file."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        group["title"]: tuple(Entry(**{**word, "called": tuple(word["called"])}) for word in group["words"])
        for group in table["groups"]
    }


def entries() -> tuple[Entry, ...]:
    """Return all entries of the table."""
    return tuple(entry for found in groups().values() for entry in found)


def page() -> str:
    """Return the page in Markdown."""
    parts = [HEAD]
    for title, found in groups().items():
        rows = [f"| {', '.join(entry.called)} | [{entry.here}]({entry.place}) | {entry.sentence} |" for entry in found]
        parts.append("\n".join([f"## {title}\n", "| you call it | here it is | |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def with_words(index: dict[str, Any]) -> dict[str, Any]:
    """Return a search index whose paragraphs have the words of the table as tags.

    Raises:
        LookupError: the table names a paragraph that is not in the index.
    """
    by_location = {document["location"]: {**document} for document in index["docs"]}
    words: dict[str, list[str]] = {}
    for entry in entries():
        words.setdefault(entry.location, []).extend(entry.called)
    if lost := sorted(set(words) - set(by_location)):
        raise LookupError(f"{TABLE.name} names paragraphs that the documents do not have: {', '.join(lost)}")
    for location, called in words.items():
        # The search itself counts whole pages that much more than their paragraphs.
        boost = {"boost": PARAGRAPHS_COUNT} if "#" in location else {}
        by_location[location] |= {"tags": called, **boost}
    fields = {**index["config"]["fields"], "tags": {"boost": TAGS_COUNT}}
    return {**index, "config": {**index["config"], "fields": fields}, "docs": list(by_location.values())}


def on_post_build(config: Any) -> None:
    """Add the words to the search index that MkDocs has written."""
    path = Path(config["site_dir"]) / "search" / "search_index.json"
    index = with_words(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
