"""Methods that are computed in parts, by as many workers as there are.

A method with a `Split` is four pure functions. `prepare` reads the data, once; what it returns is all that the others
know of them, so parts that are computed at different times rest on the same data. `parts` divides the work, and never
by the number of workers; `compute_part` computes one; `combine` makes the report. Between them everything is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.methods import registry, versions
from analysis.methods.declarations import Method, Progress, Split, no_progress
from analysis.methods.derived import with_derived
from analysis.methods.expressions import DERIVE
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.read_as import explained
from analysis.methods.rows.remarks import by_importance


def as_stored(value: Any) -> Any:
    """Return a value as it comes back from JSON. Raises ValueError for numbers that are not finite.

    >>> as_stored({"levels": ("ab", "ba")})
    {'levels': ['ab', 'ba']}
    """
    return json.loads(json.dumps(value, allow_nan=False))


def whole(split: Split, frame: pd.DataFrame, params: Mapping[str, Any], *, progress: Progress = no_progress) -> Report:
    """Compute all parts here, one after the other: the same report as from many workers."""
    prepared = as_stored(split.prepare(frame, params, progress))
    parts = as_stored(split.parts(prepared, params))
    results = []
    for index, part in enumerate(parts):

        def watch(share: float, note: str, index: int = index) -> None:
            progress(min((index + share) / len(parts), 1.0), note)

        results.append(as_stored(split.compute_part(prepared, params, part, watch)))
    return split.combine(prepared, params, results)


def split_of(method: Method) -> Split:
    """Return how a method is split. Raises ValueError where it is not."""
    if method.split is None:
        raise ValueError(f"{method.slug} is not computed in parts.")
    return method.split


def is_in_parts(method: Method, given: Mapping[str, Any], frame: pd.DataFrame) -> bool:
    """Return whether a method is computed in parts with the parameters that were given.

    Raises BadInput as `registry.read_parameters` does.
    """
    return method.split is not None and method.split.asked(registry.read_parameters(method, given, frame))


def begin(
    method: Method, frame: pd.DataFrame, given: Mapping[str, Any], progress: Progress = no_progress
) -> tuple[dict[str, Any], list[Any]]:
    """Read parameters and data; return what every part needs, and the parts, all as stored.

    Raises BadInput as the method itself does.
    """
    params = registry.read_parameters(method, given, frame)
    progress(0.0, "reading the data")
    split = split_of(method)
    derive = params.pop(DERIVE, "")
    try:
        made = with_derived(frame, derive)
        prepared = as_stored(split.prepare(registry.with_joined_ids(made.frame, params), params, progress))
    except BadInput as fault:
        raise explained(fault, frame, params) from fault
    begun = {"params": as_stored(params), "prepared": prepared}
    if derive:
        begun["derived"] = {"text": derive, "notes": list(made.notes)}
    return begun, as_stored(split.parts(prepared, params))


def compute(method: Method, begun: Mapping[str, Any], part: Any, progress: Progress = no_progress) -> Any:
    """Compute one part of what `begin` returned."""
    return as_stored(split_of(method).compute_part(begun["prepared"], begun["params"], part, progress))


def finish(method: Method, begun: Mapping[str, Any], results: Sequence[Any]) -> Report:
    """Make the report from the results of all parts, in their order; stamp slug, parameters and versions into it."""
    report = split_of(method).combine(begun["prepared"], begun["params"], results)
    stamped = versions.versions(method.function.__module__)
    warnings = by_importance(report.warnings)
    derived = begun.get("derived")
    given = {**({DERIVE: derived["text"]} if derived else {}), **begun["params"]}
    notes = (*(derived["notes"] if derived else ()), *report.notes)
    return replace(report, method=method.slug, params=given, warnings=warnings, versions=stamped, notes=notes)
