"""Read results of MoTR: pointer samples with the word below become visits for the method `reading`."""

from __future__ import annotations

from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Cell, Converted, Fault, Row, cell, first_of

_NEEDS = ("Index", "Word", "mousePositionX", "responseTime")
_PARTICIPANT = ("submission_id", "prolific_pid", "participant", "subject", "workerid")


def _recognised(source: Source) -> bool:
    return set(source.columns).issuperset(_NEEDS)


def _read(source: Source) -> Converted:
    """Return visits: participant, item, condition, aoi, word, enter_ms, leave_ms.

    Samples that follow each other on one word are one visit; it ends when the next sample finds the pointer elsewhere.
    A visit that the text's last sample still holds ends with that sample. `aoi` counts words from 1.
    """
    rows = source.rows
    who = first_of(source.columns, _PARTICIPANT)
    visits: list[Row] = []
    faults = source.faults
    text: tuple[Cell, ...] | None = None
    for number, sample in enumerate(rows, start=2):
        at, index = cell(sample.get("responseTime")), cell(sample.get("Index"))
        here = (
            cell(sample.get(who)) if who else source.who or 1,
            cell(sample.get("ItemId")),
            cell(sample.get("Condition")),
        )
        if not isinstance(at, int | float) or not isinstance(index, int):
            if sample.get("Index") not in (None, "", "NA"):
                faults.append(Fault(number, "Without a number in responseTime and Index a sample has no place."))
            continue
        last = visits[-1] if visits and text == here else None
        text = here
        if last is not None and last["leave_ms"] is None:
            if last["aoi"] == index + 1:
                last["until"] = at
                continue
            last["leave_ms"] = at
        elif visits and visits[-1]["leave_ms"] is None:
            visits[-1]["leave_ms"] = visits[-1]["until"]
        if index >= 0:
            participant, item, condition = here
            visits.append(
                {
                    "participant": participant,
                    "item": item,
                    "condition": condition,
                    "aoi": index + 1,
                    "word": cell(sample.get("Word")),
                    "enter_ms": at,
                    "leave_ms": None,
                    "until": at,
                }
            )
    if visits and visits[-1]["leave_ms"] is None:
        visits[-1]["leave_ms"] = visits[-1]["until"]
    for visit in visits:
        del visit["until"]
    sources = {"participant": who or "", "item": "ItemId", "condition": "Condition", "aoi": "Index", "word": "Word"}
    sources |= {"enter_ms": "responseTime", "leave_ms": "responseTime"}
    notes = ["Samples became visits; aoi counts from 1."]
    return Converted("MoTR", visits, sources=sources, faults=faults, notes=notes, named=who is not None)


MOTR = Reader(
    "MoTR",
    files="CSV",
    becomes="samples of the pointer become visits (`aoi`, `enter_ms`, `leave_ms`), as [reading "
    "measures](methods/reading.md) take them: `--set trial=item`",
    documentation="https://github.com/wilcoxeg/motr",
    recognised=_recognised,
    read=_read,
)
