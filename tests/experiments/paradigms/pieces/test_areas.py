"""Texts are cut into areas of interest at marks, sentences, clauses or words, and nothing of a text gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.words import count_words
from experiments.paradigms.pieces.areas import UNITS, Area, area_faults, areas_of, without_marks

LATIN = st.text(alphabet="abcÄß.,;:!?…–-'\"() \nEx19", max_size=80)
WITH_MARKS = st.text(alphabet="abcÄß.,!? \n|E1", max_size=80)


def shown(areas: list[Area]) -> str:
    return "".join(area.before + area.text for area in areas)


def texts(text: str, unit: str, **columns: str) -> list[str]:
    return [area.text for area in areas_of(text, unit=unit, **columns)]


@given(LATIN, st.sampled_from(UNITS))
def test_the_areas_together_are_the_text(text, unit):
    assert "".join(shown(areas_of(text, unit=unit)).split()) == "".join(text.split())


@given(WITH_MARKS, st.sampled_from(UNITS))
def test_marks_are_never_shown_and_nothing_else_is_lost(text, unit):
    assert "".join(shown(areas_of(text, unit=unit)).split()) == "".join(text.replace("|", "").split())


@given(LATIN, st.sampled_from(("sentence", "clause", "word")))
def test_the_words_of_the_areas_add_up_to_those_of_the_text(text, unit):
    areas = areas_of(text, unit=unit)
    assert sum(area.words for area in areas) == sum(count_words(line) for line in text.splitlines())


@given(LATIN, st.sampled_from(UNITS))
def test_areas_have_no_surrounding_spaces_and_only_the_first_has_nothing_before_it_but_for_marks(text, unit):
    areas = areas_of(text, unit=unit)
    assert all(area.text and area.text == area.text.strip() for area in areas)
    assert [area.before for area in areas[:1]] in ([], [""])
    assert {area.before for area in areas} <= {"", " ", "\n"}


@given(WITH_MARKS)
def test_marks_hold_for_every_unit(text):
    if "|" in text:
        assert len({tuple(texts(text, unit)) for unit in UNITS}) == 1


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mr. A. Hill left at 5 p.m. on Monday. Nobody saw him.", 2),
        ("„Wirklich?“ fragte sie. Er kam am 3. Mai zurück.", 2),
        ("She was 25. He was 30.", 2),
        ("It cost 3.50 pounds, i.e. too much! Why?", 2),
        ("One line\nanother line", 2),
        ("Wait… no, he said.", 1),
        ("他没来。下雨了。", 2),
    ],
)
def test_sentences_end_where_a_reader_sees_their_end(text, sentences):
    regions = "他没来。|下雨了。" if "他" in text else ""
    assert len(texts(text, "sentence", regions=regions)) == sentences


def test_clauses_end_at_punctuation_and_have_two_words_at_least():
    assert texts("When it rained, they left; however, we stayed – for a while.", "clause") == [
        "When it rained,",
        "they left; however,",
        "we stayed",
        "– for a while.",
    ]


def test_a_text_without_punctuation_is_cut_at_its_marks():
    assert texts("the men fled on foot | the police found the car", "sentence") == [
        "the men fled on foot",
        "the police found the car",
    ]


def test_a_text_without_marks_and_punctuation_is_refused_and_the_mark_is_named():
    (fault,) = area_faults("the men fled on foot the police found the car", unit="sentence")
    assert "was found in it. Put | into the text where an area ends." in fault
    assert "Put | into the text" in fault


def test_marks_may_stand_in_a_column_of_their_own():
    assert texts("the men fled", "sentence", marked="the men | fled") == ["the men", "fled"]
    assert area_faults("the men fled", unit="sentence", marked="the men | fled") == []


def test_a_column_of_marks_that_holds_another_text_is_refused():
    (fault,) = area_faults("the men fled", unit="sentence", marked="the man | fled")
    assert "column 'areas'" in fault
    assert "differs at ‘anfled’" in fault


def test_a_mark_that_leaves_an_area_without_words_is_refused():
    (fault,) = area_faults("the men fled | – | on foot", unit="marked")
    assert "has no word" in fault


def test_words_in_a_script_without_spaces_are_those_that_are_marked():
    areas = areas_of("因为下雨。他没来。", unit="sentence", regions="因为|下雨。|他|没来。")
    assert [(area.text, area.words) for area in areas] == [("因为下雨。", 2), ("他没来。", 2)]
    (fault,) = area_faults("因为下雨。他没来。", unit="word")
    assert "regions" in fault


def test_a_mark_inside_a_word_puts_no_space_there():
    assert shown(areas_of("un|cover the text", unit="marked")) == "uncover the text"
    assert without_marks("un|cover the | text") == "uncover the text"


def test_too_many_areas_are_refused():
    (fault,) = area_faults("word " * 1001, unit="word")
    assert "at most 1000" in fault


@pytest.mark.parametrize("unit", ["marked", "sentence"])
def test_a_text_of_marks_alone_is_refused(unit):
    assert area_faults("| |", unit=unit, called="region") != []
