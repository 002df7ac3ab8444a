"""Before opening, researchers are told of texts and regions that a computer's window has no room for at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.models import Item, Stimulus, Study
from experiments.study.opening.windows import CHARACTERS_IN_LINE, LINES_IN_WINDOW, lines_of, most_lines, window_warnings
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db
LONG = "Everybody reads this story quietly. " * 70


def told(settings: dict[str, object], *texts: str, paradigm: str = "self-paced-reading") -> list[str]:
    study = open_study("windows", items=len(texts), fillers=0)
    Study.objects.filter(pk=study.pk)
    part = study.task
    part.paradigm, part.settings = paradigm, settings
    part.save()
    rows = Stimulus.objects.filter(item__in=Item.objects.filter(part=part)).order_by("pk")
    Stimulus.objects.filter(item__part=part).update(text="Short.")
    for row, text in zip(rows, texts, strict=False):
        Stimulus.objects.filter(pk=row.pk).update(text=text)
    return [str(fault.message) for fault in window_warnings(Study.objects.get(pk=study.pk))]


@pytest.mark.parametrize("window", ["moving", "cumulative"])
def test_texts_that_the_page_scrolls_are_told_with_their_number_and_length(window: str) -> None:
    (said,) = told({"window": window}, LONG, LONG, "Short.")
    assert said.startswith(f"2 texts of 6 have up to {lines_of(LONG)} lines of about {CHARACTERS_IN_LINE} characters")
    assert f"room for {LINES_IN_WINDOW}" in said


def test_regions_that_no_window_holds_are_told_by_themselves() -> None:
    region, text = told({"window": "moving"}, f"{LONG} | and more.")
    assert region.startswith("A region is too long for a window of 1280 × 720 pixels")
    assert text.startswith("A text of")


def test_what_fits_what_comes_in_the_middle_and_other_paradigms_say_nothing() -> None:
    fits = "word " * (10 * LINES_IN_WINDOW)
    assert told({"window": "moving"}, fits) == []


@pytest.mark.parametrize("window", ["centred", "rsvp"])
def test_windows_in_the_middle_hold_any_text(window: str) -> None:
    assert told({"window": window}, LONG) == []


def test_people_scroll_texts_of_other_paradigms_themselves() -> None:
    assert told({}, LONG, paradigm="magnitude-estimation") == []


@settings(max_examples=300)
@given(st.lists(st.text(st.sampled_from("ab ä狗Ｗ\n|"), max_size=200), min_size=1, max_size=3))
def test_no_text_has_more_lines_than_are_reckoned(cells):
    """The bound by which short texts are left aside: for the text, and for what is put together of its cells."""
    text, *others = cells
    extra = {str(number): cell for number, cell in enumerate(others)}
    assert lines_of(text) <= most_lines(text, extra)
    assert lines_of("".join(cells)) <= most_lines(text, extra)
