"""The documents of this installation as Markdown, their search with the field's words, the schema, the examples."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

from config.documentation.words import entries
from experiments.study_files.examples import example_studies
from experiments.study_files.schema import study_file_schema

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = ("decisions/", "project/", "api/", "data/", "architecture", "wording", "adding-a-")
EXAMPLE_ENDINGS = (".toml", ".csv")
MOST_FOUND = 20
HEADING_COUNTS, WORDS_COUNT = 4.0, 8.0
_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"^(#{1,4}) +(.+?)\s*(?:\{#[\w-]+\})?$", re.MULTILINE)


@dataclass(frozen=True)
class Paragraph:
    """What is below one heading of a page."""

    page: str
    heading: str
    anchor: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}#{self.anchor}" if self.anchor else self.page


def folder() -> Path:
    """Return where the Markdown of the documents is: in the built site, or in the sources."""
    built: Path = settings.DOCS_DIR
    return built if (built / "llms.txt").is_file() else ROOT / "docs"


@cache
def pages() -> dict[str, Path]:
    """Return the pages for people who make studies, by their names such as `timed-choice.md`."""
    at = folder()
    found = {path.relative_to(at).as_posix(): path for path in sorted(at.rglob("*.md"))}
    return {name: path for name, path in found.items() if not name.startswith(LEFT_OUT)}


def page(name: str) -> str | None:
    """Return the Markdown of a page; None where there is none. Its anchor is left aside."""
    path = pages().get(name.partition("#")[0].removeprefix("/docs/"))
    return path.read_text(encoding="utf-8") if path is not None else None


def title_of(text: str) -> str:
    """Return the title of a page in Markdown.

    >>> title_of("# The Maze task\\n\\nText.")
    'The Maze task'
    """
    found = _HEADING.search(text)
    return found[2] if found else ""


@cache
def paragraphs() -> tuple[Paragraph, ...]:
    """Return the paragraphs of all pages."""
    return tuple(one for name in pages() for one in _of_page(name, page(name) or ""))


def _of_page(name: str, text: str) -> Iterator[Paragraph]:
    found = list(_HEADING.finditer(text))
    for number, heading in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        anchor = "" if number == 0 else _slug(heading[2])
        yield Paragraph(name, heading[2], anchor, text[heading.end() : end].strip())


def _slug(heading: str) -> str:
    """Return a heading as the address of its paragraph."""
    plain = re.sub(r"[^\w\s-]", "", re.sub(r"[`*]", "", heading)).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


@cache
def _counted() -> tuple[tuple[Counter[str], frozenset[str], frozenset[str]], ...]:
    """Return the words of every paragraph: how often each is in its text, those of its heading, those of the field."""
    tags: dict[str, list[str]] = {}
    for entry in entries():
        tags.setdefault(entry.place, []).extend(entry.called)
    return tuple(
        (
            Counter(_words(one.text)),
            frozenset(_words(f"{one.heading} {one.page.removesuffix('.md')}")),
            frozenset(word for called in tags.get(one.place, ()) for word in _words(called)),
        )
        for one in paragraphs()
    )


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") if len(word) > 3 else word for word in _WORD.findall(text.lower())]


def search(query: str, limit: int = 8) -> list[tuple[Paragraph, str]]:
    """Return the paragraphs nearest to some words, best first, each with its beginning.

    Words of other tools and of methods sections find what they are called here, as in the search of the site.
    """
    wanted = list(dict.fromkeys(_words(query)))[:30]
    counted = _counted()
    number_with = {
        word: sum(word in text or word in heading or word in tags for text, heading, tags in counted) for word in wanted
    }
    scored = []
    for place, (text, heading, tags) in enumerate(counted):
        length = 1 + sum(text.values()) / 200
        score = 0.0
        for word in wanted:
            if number_with[word]:
                rare = math.log(1 + len(counted) / number_with[word])
                frequency = text[word] / (text[word] + length)
                score += rare * (frequency + HEADING_COUNTS * (word in heading) + WORDS_COUNT * (word in tags))
        if score > 0:
            scored.append((-score, place))
    best = [paragraphs()[place] for _score, place in sorted(scored)[: min(limit, MOST_FOUND)]]
    return [(one, _beginning(one.text)) for one in best]


def _beginning(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= 300 else f"{short[:300].rpartition(' ')[0]} …"


def definition(name: str) -> object | None:
    """Return one definition of the schema of study files, or all its names with an empty `name`."""
    schema = study_file_schema()
    if name == "whole":
        return schema
    if not name:
        told = {key: part.get("description", "") for key, part in schema["$defs"].items()}
        return {**{key: value for key, value in schema.items() if key != "$defs"}, "definitions": told}
    found: object | None = schema["$defs"].get(name)
    return found


@cache
def examples() -> dict[str, Path]:
    """Return the text files of the bundled studies, such as `stroop/study.toml` and `stroop/materials.csv`."""
    return {
        f"{example.slug}/{path.name}": path
        for example in example_studies()
        for path in sorted(example.path.parent.iterdir())
        if path.suffix in EXAMPLE_ENDINGS
    }
