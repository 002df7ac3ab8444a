"""Finding methods by their slugs, reading their parameters and running them.

The admin builds its forms, `manage.py analyse` its `--set` options and the documentation its tables from what a
method declares (`analysis.methods.declarations`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import pandas as pd

from analysis.methods import catalogue, parameters
from analysis.methods.declarations import Method, Progress, no_progress
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.factors import read_once
from analysis.methods.rows.read_as import explained
from analysis.methods.versions import versions
from analysis.methods.wording import no_such


def read_parameters(method: Method, given: Mapping[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """Check and convert parameters against their declaration.

    Raises BadInput with all faults together: unknown names, missing ones, columns that the data lack (with the
    nearest name that exists), numbers that are none.
    """
    return parameters.read(method.parameters, given, [str(name) for name in frame.columns])


def run(method: Method, frame: pd.DataFrame, given: Mapping[str, Any], progress: Progress = no_progress) -> Report:
    """Run a method on a frame: read its parameters, call it, stamp slug, parameters and versions into its report."""
    try:
        values = read_parameters(method, given, frame)
    except BadInput as fault:
        raise explained(fault, frame, given) from fault
    progress(0.0, "reading the data")
    with read_once():
        try:
            report = method.function(frame, progress=progress, **values)
        except BadInput as fault:
            raise explained(fault, frame, values) from fault
    stamped = {**versions(method.function.__module__), **report.versions}
    return replace(report, method=method.slug, params=values, versions=stamped)


def slugs() -> list[str]:
    """Return the slugs of all methods, in the order in which they are offered."""
    return [*catalogue.MODULES, *_added()]


def analyses() -> dict[str, Method]:
    """Return every method by slug, in the order in which they are offered. Imports all of them."""
    return {slug: method_named(slug) for slug in slugs()}


def method_named(slug: str) -> Method:
    """Return the method of that slug. Raises BadInput where there is none, naming those that exist."""
    if slug in catalogue.MODULES:
        return _declared(f"analysis.methods.{catalogue.MODULES[slug]}")
    if slug not in _added():
        raise BadInput(no_such("method", slug, slugs()))
    return _added()[slug]


@cache
def _declared(module: str) -> Method:
    method = import_module(module).METHOD
    assert isinstance(method, Method), f"{module} declares no method"  # noqa: S101 - a fault of the programmer
    return method


def _added() -> dict[str, Method]:
    _read_entry_points()
    return catalogue.ADDED


@cache
def _read_entry_points() -> None:
    """Import the methods that installed packages offer.

    Raises RuntimeError for a package whose method has the slug of another one, or declares another slug than its name.
    """
    for point in catalogue.offered():
        method = point.load()
        if not isinstance(method, Method) or method.slug != point.name:
            raise RuntimeError(f"The entry point {point.name!r} ({point.value}) is not a method of that slug.")
        catalogue.ADDED[point.name] = method
