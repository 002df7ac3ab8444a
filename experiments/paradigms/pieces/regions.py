"""Split texts into regions for region-by-region reading, with critical regions marked in the materials.

A region is a word, a clause or a sentence; marks `|` in the text or in the column `regions` take precedence. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from experiments.formats.graphemes import graphemes_in
from experiments.formats.hidden import without_hidden
from experiments.formats.words import NeedsRegions, holds_script_without_spaces, needs_regions
from experiments.paradigms.base import Measure, StimulusColumn
from experiments.paradigms.pieces.areas import area_faults, areas_of, without_marks
from experiments.sentences import Sentence

REGION_COLUMNS = (
    StimulusColumn("regions", "The text with | between its regions, if the text itself has no marks."),
    StimulusColumn("critical_region", "Number of the critical region for analyses, counted from 1."),
)

# After these a text may be split without a space.
DASHES = "-‐‑‒–—―…"

# A region shown more than this many screen updates after the preceding press or choice was delayed.
LATE_FRAMES = 3.5


def region_measures(*, place: str, text: str) -> tuple[Measure, ...]:
    """Return the first columns of every table of regions; `place` and `text` describe `region` and `region_text`."""
    return (
        Measure("region", "integer", place),
        Measure("from_critical", "integer", "Regions after the critical one: 0 is itself, 1 the next; empty without."),
        Measure("region_text", "text", text),
        Measure("words", "integer", "Words of the region.", "words"),
        Measure("characters", "integer", "Characters of the region, spaces and punctuation included.", "characters"),
    )


def measured_region(region: Mapping[str, Any], number: int, *, critical: int | None) -> dict[str, Any]:
    """Return the columns of `region_measures` for one region; `number` and `critical` are counted from 1.

    >>> measured_region({"text": "barked.", "words": 1, "before": " "}, 3, critical=2)
    {'region': 3, 'from_critical': 1, 'region_text': 'barked.', 'words': 1, 'characters': 7}
    """
    return {
        "region": number,
        "from_critical": None if critical is None else number - critical,
        "region_text": region["text"],
        "words": region["words"],
        "characters": graphemes_in(without_hidden(region["text"])),
    }


def regions_of(text: str, extra: Mapping[str, Any], *, unit: str) -> list[dict[str, Any]]:
    """Return the regions of a text: `text`, `words`, and the separator `before` each in the unmarked text.

    >>> [region["text"] for region in regions_of("The dog | barked.", {}, unit="word")]
    ['The dog', 'barked.']
    >>> [region["before"] for region in regions_of("The dog barked.", {"regions": "The dog|barked."}, unit="word")]
    ['', ' ']
    """
    marked = bool(extra.get("regions"))
    shown, place = without_marks(text) if marked else "", 0
    regions = []
    for area in areas_of(text, unit=unit, **_marks(text, extra)):
        before = area.before
        if marked:
            gap = len(shown[place:]) - len(shown[place:].lstrip())
            before = shown[place : place + gap][:1]
            place += gap + len(area.text)
        regions.append({"text": area.text, "words": area.words, "before": before})
    return regions


def critical_region(extra: Mapping[str, Any]) -> int | None:
    """Return the number of the critical region, counted from 1; None if there is none.

    >>> critical_region({"critical_region": "3"}), critical_region({"critical_region": ""})
    (3, None)
    """
    critical = str(extra.get("critical_region", "") or "").strip()
    return int(critical) if critical.isdecimal() else None


def critical_faults(text: str, extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) if the critical region of a row is not the number of a region of its text.

    Without marks there are at most as many regions as words, whatever the unit.

    >>> critical_faults("The dog ran.", {"critical_region": "verb"})
    [('critical_region', 'The critical region must be a number, such as 1 for the first region.')]
    >>> critical_faults("The dog | that barked | ran.", {"critical_region": "7"})
    [('critical_region', 'The critical region is 7, but the text has only 3 regions.')]
    """
    critical = str(extra.get("critical_region", "")).strip()
    if critical and not (critical.isdecimal() and int(critical) > 0):
        return [("critical_region", Sentence("The critical region must be a number, such as 1 for the first region."))]
    marks = _marks(text, extra)
    if not critical or area_faults(text, unit="word", **marks):
        return []
    return [("critical_region", fault) for fault in _beyond(int(critical), text, "word", marks)]


def cut_warnings(text: str, extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) if an unmarked text is split between two words without a space or a dash.

    >>> cut_warnings("Wer und/oder was?", {})
    [('text', '‘und/oder’ is split into ‘und/’ and ‘oder’. If it is one region, mark the regions with |.')]
    >>> cut_warnings("Wer | und/oder was?", {}), cut_warnings("He came—late.", {})
    ([], [])
    """
    if str(extra.get("regions", "") or "").strip() or without_marks(text) != text:
        return []
    try:
        regions = regions_of(text, extra, unit="word")
    except NeedsRegions:
        return []
    for one, following in pairwise(regions):
        if not following["before"] and one["text"][-1:] not in DASHES:
            said = Sentence(
                "‘{whole}’ is split into ‘{first}’ and ‘{second}’. If it is one region, mark the regions with |.",
                whole=one["text"] + following["text"],
                first=one["text"],
                second=following["text"],
            )
            return [("text", said)]
    return []


def region_faults(text: str, extra: Mapping[str, Any], *, unit: str) -> list[str]:
    """Return one sentence for each reason why a text cannot be read region by region.

    >>> region_faults("The dog ran.", {"critical_region": "4"}, unit="word")
    ['The critical region is 4, but the text has only 3 regions.']
    """
    marks = _marks(text, extra)
    faults = area_faults(text, unit=unit, **marks, called="region")
    critical = critical_region(extra)
    if not faults and critical is not None:
        faults += _beyond(critical, text, unit, marks)
    return faults


def _beyond(critical: int, text: str, unit: str, marks: Mapping[str, str]) -> list[str]:
    n_regions = len(areas_of(text, unit=unit, **marks))
    if critical <= n_regions:
        return []
    return [
        Sentence(
            "The critical region is {critical}, but the text has only {regions} regions.",
            critical=critical,
            regions=n_regions,
        )
    ]


def _marks(text: str, extra: Mapping[str, Any]) -> dict[str, str]:
    """Return the marked text for `areas_of`; in a script without spaces its regions are its words too."""
    marked = str(extra.get("regions", "") or "")
    if holds_script_without_spaces(text) and needs_regions(without_marks(text)):
        return {"marked": marked, "regions": marked or (text if "|" in text else "")}
    return {"marked": marked, "regions": ""}
