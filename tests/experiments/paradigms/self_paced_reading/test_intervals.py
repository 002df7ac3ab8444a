"""SOA, ISI and ITI follow from settings and materials, for the page of the procedure."""

from __future__ import annotations

from typing import Any

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus


def intervals(slug: str, settings: dict[str, Any], *rows: dict[str, str]) -> list[tuple[str, int, int]]:
    paradigm = paradigm_named(slug)
    shown = [ShownStimulus(number, "word", extra=row) for number, row in enumerate(rows)]
    found = paradigm.intervals_of(shown, paradigm.complete_settings(settings))
    return [(each.name, each.least, each.most) for each in found]


def test_durations_of_rows_go_before_those_of_the_settings() -> None:
    settings = {"prime_ms": 50, "backward_mask_ms": 0, "iti_ms": 400, "iti_jitter_ms": 0}
    rows: tuple[dict[str, str], ...] = (
        {},
        {"prime_ms": "33", "backward_mask_ms": "100"},
        {"prime_ms": "0", "backward_mask_ms": "500"},
    )
    assert intervals("timed-choice", settings, *rows) == [("SOA", 50, 133), ("ISI", 0, 100), ("ITI", 400, 400)]


def test_without_a_prime_there_is_the_interval_between_trials_alone() -> None:
    assert intervals("timed-choice", {"prime_ms": 0, "iti_ms": 500, "iti_jitter_ms": 100}) == [("ITI", 500, 600)]


def test_regions_that_follow_by_themselves_have_intervals() -> None:
    settings = {"region_ms": 250, "blank_ms": 50}
    assert intervals("self-paced-reading", {**settings, "window": "rsvp"}) == [("SOA", 300, 300), ("ISI", 50, 50)]
    assert intervals("self-paced-reading", {**settings, "window": "moving"}, {"window": "rsvp"})[0] == ("SOA", 300, 300)
    assert intervals("self-paced-reading", {**settings, "window": "moving"}) == []
