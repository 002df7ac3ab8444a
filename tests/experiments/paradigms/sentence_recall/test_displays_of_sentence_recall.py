"""Displays are judged by when the screen showed what came after them; older ones by the rule of their time."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from rest_framework.serializers import ValidationError

from experiments.paradigms.pieces.displays import Display, is_off
from experiments.paradigms.sentence_recall.payload import display_measures

FRAME = 1000 / 60
OLD = {
    "intended_ms": 500.0, "onset_ms": 1000.0, "offset_ms": 1500.0, "measured_ms": 500.0, "dropped_frames": 0,
    "late_frames": 0, "frame_interval_ms": FRAME, "flagged": False,
}  # fmt: skip
NEW = {**OLD, "shown_ms": 1010.0, "gone_ms": 1510.0, "doubtful": False}


def is_accepted(display: Mapping[str, object]) -> bool:
    return Display(data=display).is_valid()


def test_both_kinds_are_accepted_and_nothing_in_between():
    assert is_accepted(OLD)
    assert is_accepted(NEW)
    assert not is_accepted({**OLD, "shown_ms": 1010.0})
    assert not is_accepted({**NEW, "gone_ms": 1000.0})
    with pytest.raises(ValidationError, match="come together"):
        Display(data={**OLD, "doubtful": True}).is_valid(raise_exception=True)


@pytest.mark.parametrize("off", [FRAME / 2 + 0.01, FRAME, -FRAME / 2 - 0.01, -FRAME])
def test_a_display_off_by_more_than_half_a_frame_never_stays_unflagged(off: float):
    assert is_off({**NEW, "gone_ms": 1510.0 + off}, intended_ms=500)


def test_a_word_that_stayed_because_its_successor_came_late_is_not_500_ms_any_more():
    late = {**NEW, "gone_ms": 1526.0}
    measures = display_measures({"presentation": "whole", "display_ms": 500}, [late])
    assert (measures["display_measured_ms"], measures["display_flagged"]) == (516.0, True)


def test_what_the_browser_is_not_sure_of_is_flagged():
    assert not is_off(NEW, intended_ms=500)
    assert is_off({**NEW, "doubtful": True}, intended_ms=500)


def test_a_display_whose_end_is_not_known_to_follow_its_begin_is_accepted_and_flagged():
    # What edges.ts sends of a display that seems to have gone before it was shown.
    unknown = {**NEW, "gone_ms": 1010.0, "measured_ms": 0.0, "doubtful": True, "flagged": True}
    assert is_accepted(unknown)
    assert is_off(unknown, intended_ms=17)
    assert not is_accepted({**unknown, "gone_ms": 993.3})
    assert not is_accepted({**unknown, "measured_ms": -16.7})


def test_what_a_screen_cannot_do_better_is_not_flagged():
    at_75_hz = {**NEW, "frame_interval_ms": 1000 / 75}
    assert not is_off({**at_75_hz, "gone_ms": 1010.0 + 37 * 1000 / 75}, intended_ms=500)
    assert not is_off({**at_75_hz, "gone_ms": 1010.0 + 38 * 1000 / 75}, intended_ms=500)
    assert is_off({**at_75_hz, "gone_ms": 1010.0 + 39 * 1000 / 75}, intended_ms=500)


def test_displays_of_earlier_versions_are_off_by_more_than_one_frame_as_they_were():
    assert not is_off({**OLD, "offset_ms": 1500.0 + FRAME}, intended_ms=500)
    assert is_off({**OLD, "offset_ms": 1500.0 + 2 * FRAME}, intended_ms=500)
