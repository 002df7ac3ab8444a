"""Names of columns in words: what a manuscript says instead of `rating_z` or `z(total_time)`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from analysis.methods.report import Figure, Report, Table
from analysis.reports.labels import OF_CONDITIONS

# Names that are shorter than what they mean.
_KNOWN: Mapping[str, str] = {"rt_ms": "response time (ms)", "aoi": "area of interest"}
# What the end of a name says of the numbers.
_ENDINGS: tuple[tuple[str, str], ...] = (
    ("_ms", "ms"), ("_z2", "z scores within areas"), ("_z", "z scores"), ("_log", "log"), ("_sd", "SD"),
)  # fmt: skip
_CALLED = re.compile(r"\b(z2?|log)\(([\w.]+)\)")
_OF_CALLS = {"z": "z scores", "z2": "z scores within areas", "log": "log"}


def words_of(name: str) -> str:
    """Return the name of a column in words.

    >>> words_of("rating_z"), words_of("total_time"), words_of("rt_ms"), words_of("first_pass_time_z")
    ('rating (z scores)', 'total time', 'response time (ms)', 'first pass time (z scores)')
    """
    if name in _KNOWN:
        return _KNOWN[name]
    for ending, said in _ENDINGS:
        if name.endswith(ending) and len(name) > len(ending):
            return f"{words_of(name.removesuffix(ending))} ({said})"
    return name.replace("_", " ")


def in_words(text: str, names: Collection[str]) -> str:
    """Return a text with the names of columns in words; a formula stays as it is, and so does what could be a word.

    >>> in_words("The mean of rating_z differed; z(speed) did not.", {"rating_z", "speed"})
    'The mean of rating (z scores) differed; speed (z scores) did not.'
    >>> in_words("Fitted: rating_z ~ order + (1 | item).", {"rating_z"})
    'Fitted: rating_z ~ order + (1 | item).'
    """
    if "~" in text:
        return text
    text = _CALLED.sub(lambda found: f"{words_of(found[2])} ({_OF_CALLS[found[1]]})", text)
    if names:
        text = re.sub(rf"['‘]({_any(names)})['’](?!\w)", lambda found: words_of(found[1]), text)
    told = [name for name in names if "_" in name]
    if not told:
        return text
    return re.sub(rf"(?<![\w`])(?:{_any(told)})(?![\w`])", lambda found: words_of(found[0]), text)


def _any(names: Collection[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _conditions(levels: Collection[str]) -> re.Pattern[str] | None:
    one = rf"(?:{_any(levels)})" if levels else ""
    return re.compile(rf"(?<![\w-]){one}(?::{one})+(?![\w-])") if one else None


def worded(report: Report, names: Collection[str], levels: Collection[str] = ()) -> Report:
    """Return a report whose tables, figures and sentences say names of columns in words, and conditions such as `a:b`
    as their levels.
    """
    conditions = _conditions(levels)

    def told(text: str) -> str:
        if conditions is not None:
            text = conditions.sub(lambda found: found[0].replace(":", OF_CONDITIONS), text)
        return in_words(text, names)

    def cell(value: Any) -> Any:
        return told(value) if isinstance(value, str) else value

    def table(one: Table) -> Table:
        columns = tuple(replace(column, label=told(column.label)) for column in one.columns)
        rows = tuple(tuple(map(cell, row)) for row in one.rows)
        return replace(one, title=told(one.title), columns=columns, rows=rows)

    def figure(one: Figure) -> Figure:
        return replace(
            one,
            title=told(one.title),
            caption=told(one.caption),
            x_label=told(one.x_label),
            y_label=told(one.y_label),
            titles={channel: told(one.title_of(channel)) for channel in ("colour", "panel") if channel in one.encoding},
        )

    return replace(
        report,
        tables=tuple(map(table, report.tables)),
        figures=tuple(map(figure, report.figures)),
        sentences=tuple(map(told, report.sentences)),
        notes=tuple(map(told, report.notes)),
        warnings=tuple(map(told, report.warnings)),
    )
