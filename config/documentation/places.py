"""Which paragraph of the documents tells of a page, a section or a field: what the question marks beside them open."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

register = template.Library()


@cache
def declared_places() -> dict[str, Any]:
    """Return the places of every page: `heading`, `sections` by id, `fields` by name."""
    return tomllib.loads((Path(__file__).parent / "places.toml").read_text(encoding="utf-8"))


def are_built() -> bool:
    """Return whether the documents are there; without them nothing leads to them."""
    return (Path(settings.DOCS_DIR) / "index.html").is_file()


def places_of(view: str, document: str = "") -> dict[str, Any]:
    """Return the places of a page by the name of its address; `document` is that of its step.

    >>> places_of("study:labels")
    {'heading': 'writing-materials/#names-for-print', 'sections': {}, 'fields': {}}
    """
    found = declared_places().get(view, {})
    return {
        "heading": found.get("heading") or document,
        "sections": found.get("sections", {}),
        "fields": found.get("fields", {}),
    }


@register.simple_tag(takes_context=True)
def help_places(context: Any) -> dict[str, Any] | None:
    """Return what the script of the question marks needs for this page; None where the documents are not built."""
    request: HttpRequest | None = context.get("request")
    if request is None or request.resolver_match is None or not are_built():
        return None
    step = context.get("current_step")
    view = request.resolver_match.view_name
    # Not every page of a step is told of by the document of the step: one that asks before something is lost is not.
    is_first = step is not None and step.url.partition("#")[0] == request.path
    return {**places_of(view, step.document if is_first else ""), "documents": reverse("documents")}
