"""Rows in which several objects of an experiment may have taken an answer: which one it was, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.conversion.table import Cell, Row, cell, identifier, is_number, truth


@dataclass(frozen=True)
class Component:
    """An object that takes answers, such as a keyboard: its columns of time, answer and whether it was right."""

    name: str
    time: str
    response: str = ""
    correct: str = ""


def components(columns: Sequence[str], *, time: str, responses: Sequence[str], correct: str) -> list[Component]:
    """Return the objects that have a column NAME + `time`, with their other columns by the ends of their names."""
    there = set(columns)
    found = []
    for column in columns:
        if column.endswith(time) and len(column) > len(time):
            name = column.removesuffix(time)
            response = next((name + end for end in responses if name + end in there), "")
            found.append(Component(name, column, response, name + correct if name + correct in there else ""))
    return found


def by_use(found: Sequence[Component], rows: Sequence[Mapping[str, Any]]) -> list[Component]:
    """Return the components that have times: first those that know right from wrong, then those of most rows."""
    used = {one: sum(is_number(cell(row.get(one.time))) for row in rows) for one in found}
    return sorted((one for one in found if used[one]), key=lambda one: (not one.correct, -used[one]))


def answer_of(
    row: Mapping[str, Any], found: Sequence[Component], *, time: Callable[[Any], Cell], needs_response: bool = False
) -> Row:
    """Return component, response, correct and rt_ms of the first component that was answered in a row.

    `needs_response`: a time counts only beside a response, as for tools that write 0 where nobody answered.
    """
    for one in found:
        at = time(row.get(one.time))
        response = cell(row.get(one.response)) if one.response else None
        if is_number(at) and (response is not None or not (needs_response and one.response)):
            return {
                "component": one.name,
                "response": response,
                "correct": truth(row.get(one.correct)) if one.correct else None,
                "rt_ms": at,
            }
    # Nobody pressed anything: what the tool says of that (such as wrong) is kept.
    judged = next((one for one in found if one.correct and cell(row.get(one.correct)) is not None), None)
    return {"component": judged.name, "correct": truth(row.get(judged.correct))} if judged else {}


def sources_of(found: Sequence[Component]) -> dict[str, str]:
    """Return from which columns of the tool rt_ms, response and correct come, for the codebook."""
    return {
        ours: ", ".join(given)
        for ours, given in (
            ("rt_ms", [one.time for one in found]),
            ("response", [one.response for one in found if one.response]),
            ("correct", [one.correct for one in found if one.correct]),
        )
        if given
    }


def without_only(rows: Sequence[Row], found: Sequence[Component]) -> None:
    """Leave out the columns of the only component: they say again what rt_ms, response and correct say."""
    if len(found) == 1:
        for column in (found[0].time, found[0].response, found[0].correct):
            for row in rows:
                row.pop(identifier(column), None) if column else None
