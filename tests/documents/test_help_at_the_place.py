"""Question marks beside headings and fields lead to headings that the documents have; every step has a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils.module_loading import import_string

from config.documentation.places import declared_places, help_places, places_of
from tests.architecture.test_anchors_of_documents import ROOT, anchors

STEPS = [import_string(path) for path in settings.STUDY_STEPS]


def places() -> list[str]:
    """Return every place that a page or a step declares."""
    found = {step.document for step in STEPS}
    for page in declared_places().values():
        found |= {page.get("heading", "")} | {*page.get("sections", {}).values(), *page.get("fields", {}).values()}
    return sorted(found - {""})


def addresses(patterns: list[URLPattern | URLResolver], space: str = "") -> set[str]:
    found = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= addresses(pattern.url_patterns, pattern.namespace or space)
        elif pattern.name:
            found.add(f"{space}:{pattern.name}" if space else pattern.name)
    return found


@pytest.mark.parametrize("place", places())
def test_every_place_is_a_heading_of_a_document(place: str) -> None:
    page, _hash, anchor = place.partition("#")
    document = ROOT / "docs" / (f"{page.rstrip('/')}.md")
    document = document if document.is_file() else ROOT / "docs" / page / "README.md"
    assert document.is_file(), place
    assert not anchor or anchor in anchors(document), place


def test_every_page_that_is_named_exists() -> None:
    assert set(declared_places()) <= addresses(get_resolver().url_patterns)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.slug)
def test_the_page_of_every_step_has_a_place(step: Any) -> None:
    assert places_of(f"study:{step.slug}", step.document)["heading"], step.slug


def test_nothing_leads_to_documents_that_are_not_built(tmp_path: Path, settings: Any) -> None:
    settings.DOCS_DIR = tmp_path
    request = RequestFactory().get("/admin/studies/new/")
    request.resolver_match = resolve("/admin/studies/new/")
    assert help_places({"request": request}) is None
    (tmp_path / "index.html").write_text("", encoding="utf-8")
    assert help_places({"request": request}) == {**places_of("study:start"), "documents": "/docs/"}
    assert help_places({}) is None
