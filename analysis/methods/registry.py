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

import numpy as np
import pandas as pd

from analysis.methods import catalogue, parameters
from analysis.methods.declarations import Method, Progress, no_progress
from analysis.methods.derived import with_derived
from analysis.methods.expressions import DERIVE
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.columns import joined
from analysis.methods.rows.factors import read_once
from analysis.methods.rows.read_as import explained
from analysis.methods.rows.remarks import by_importance
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
            made = with_derived(frame, values.get(DERIVE, ""))
            own = {name: value for name, value in values.items() if name != DERIVE}
            report = method.function(with_joined_ids(made.frame, values), progress=progress, **own)
        except BadInput as fault:
            raise explained(fault, frame, values) from fault
    stamped = {**versions(method.function.__module__), **report.versions}
    warnings = by_importance(report.warnings)
    notes = (*made.notes, *report.notes)
    return replace(report, method=method.slug, params=values, warnings=warnings, versions=stamped, notes=notes)


def with_joined_ids(frame: pd.DataFrame, values: Mapping[str, Any]) -> pd.DataFrame:
    """Return the frame with a column for every unit that is several columns joined, such as `group:participant`.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "participant": ["1", "1"]})
    >>> with_joined_ids(frame, {"participant": "group:participant"})["group:participant"].tolist()
    ['a:1', 'b:1']
    """
    names = {str(value) for value in values.values() if isinstance(value, str) and ":" in value} - {*frame.columns}
    for name in sorted(names):
        parts = name.split(":")
        if len(parts) > 1 and all(part in frame.columns for part in parts):
            ids = joined(frame, parts)
            frame = frame.assign(**{name: np.array([*ids.levels, None], dtype=object)[ids.positions]})
    return frame


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
