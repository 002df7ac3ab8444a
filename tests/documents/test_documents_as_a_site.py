"""The documents as a site: links lead where they lead in the repository, nothing in a page needs more than the policy.

MkDocs itself is not needed by the platform; where `make docs` was never called, this file has nothing to ask.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import needs

if not needs.is_importable("mkdocs_autorefs"):
    needs.skip("MkDocs with its plugins", "make docs")

from config.documentation import building, docstrings


def page(place: str) -> SimpleNamespace:
    return SimpleNamespace(file=SimpleNamespace(src_uri=place), url=place, meta={})


@pytest.mark.parametrize(
    ("place", "link", "expected"),
    [
        ("README.md", "../CONTRIBUTING.md", "project/CONTRIBUTING.md"),
        ("README.md", "first-study.md", "first-study.md"),
        ("README.md", "https://example.org/a.md", "https://example.org/a.md"),
        ("methods/lmm.md", "../../benchmarks/results/mixed.md", "../project/benchmarks/results/mixed.md"),
        ("methods/lmm.md", "../planning.md", "../planning.md"),
        ("project/CONTRIBUTING.md", "docs/architecture.md", "../architecture.md"),
        ("project/frontend/README.md", "../docs/timing.md", "../../timing.md"),
    ],
)
def test_a_link_of_the_repository_becomes_one_of_the_site(place: str, link: str, expected: str) -> None:
    assert building.on_page_markdown(f"[a]({link})", page(place)) == f"[a]({expected})"


def test_a_recording_stands_still_for_people_who_prefer_that() -> None:
    picture = '<img alt="A recording." src="../pictures/demo.webp" />'
    still = '<source media="(prefers-reduced-motion: reduce)" srcset="../pictures/demo-still.webp">'
    assert building.on_page_content(picture, page("first-study.md")) == f"<picture>{still}{picture}</picture>"
    other = '<img alt="A drawing." src="../architecture.svg" />'
    assert building.on_page_content(other, page("architecture.md")) == other


def test_an_example_in_a_docstring_is_code() -> None:
    text = "Return it.\n\n>>> parse('[1]')\n[1]\n\nMore words."
    assert docstrings.fenced(text) == "Return it.\n\n```pycon\n>>> parse('[1]')\n[1]\n```\n\nMore words."


def test_pages_of_a_folder_stand_in_the_navigation_once() -> None:
    files: Any = SimpleNamespace(
        documentation_pages=lambda: [SimpleNamespace(src_uri=f"methods/{name}.md") for name in ("b", "a", "named")]
    )
    nav = [{"Methods": ["methods/named.md", {"Further": ["methods/*.md"]}, {"Empty": ["none/*.md"]}]}]
    assert building.expanded(nav, files) == [
        {"Methods": ["methods/named.md", {"Further": ["methods/a.md", "methods/b.md"]}]}
    ]


@pytest.mark.full("a page of the built site that asks other servers; make check builds the site")
@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_asks_nobody_for_anything(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 80
    for path in pages:
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)=\"([^\"]+)\"", text)
        assert [address for address in loaded if "//" in address] == [], path
        scripts = re.findall(r"<script\b(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", text)
        assert scripts == [], path
        assert not re.search(r"<[^>]+\son\w+=", text), path
        for address in re.findall(r"<script src=\"([^\"?]+)", text):
            assert (path.parent / address).resolve().is_file(), (path, address)
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style


@pytest.mark.slow
def test_the_markdown_of_every_page_is_beside_it_and_listed_for_programs(site: Path) -> None:
    listed = (site / "llms.txt").read_text(encoding="utf-8")
    places = re.findall(r"^- \[[^\]]+\]\(/docs/([^)]+)\): ", listed, flags=re.MULTILINE)
    assert {"first-study.md", "commands.md", "methods/lmm.md", "maze.md"} <= set(places)
    assert len(places) == len(set(places)) > 80
    for place in places:
        text = (site / place).read_text(encoding="utf-8")
        assert text.lstrip().startswith("#"), place
        for link in re.findall(r"\]\(([^):#\s]+\.md)(?:#[^)]*)?\)", text):
            assert ((site / place).parent / link).resolve().is_file() or "project/" in link, (place, link)
