"""Packages of a study's paradigms: record their versions at opening, and detect later changes."""

from __future__ import annotations

from typing import Any

from experiments.models import Study
from experiments.paradigms.packages import BrowserModule, Origin, origin_of, why_changed


def _origins(study: Study) -> dict[str, Origin]:
    return {task.paradigm: origin for task in study.tasks if (origin := origin_of(task.paradigm)) is not None}


def packages_of(study: Study) -> dict[str, Any]:
    """Return what a study that opens now keeps: paradigm → package, version and hashes of its modules."""
    return {slug: origin.as_json() for slug, origin in _origins(study).items()}


def changed_package(study: Study) -> str | None:
    """Return why a study cannot go on with the packages that are installed, or None where it can."""
    sentences = (why_changed(slug, frozen) for slug, frozen in study.packages.items())
    return next((sentence for sentence in sentences if sentence is not None), None)


def browser_modules_of(study: Study) -> dict[str, BrowserModule]:
    """Return the browser modules that sessions of a study load in addition to the built-in ones, by plugin."""
    return {plugin: module for origin in _origins(study).values() for plugin, module in origin.modules.items()}
