"""The six edits of Tanprasert & Kauchak (2021), section 3, on single texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text.perturbations import EDITS, parts_of, perturbed

SENTENCE = "The committee met again in May."
TOKENISED = "the committee met again , in may ."


def versions(text: str, edit: str, *, spaced: bool = False) -> list[str | None]:
    """Return what the edit makes of a text, for every place that can be drawn."""
    parts = parts_of(text, spaced=spaced)
    return list(dict.fromkeys(perturbed(parts, edit, draw=step / 60) for step in range(60)))


def test_a_full_stop_stands_between_any_two_words() -> None:
    assert versions(SENTENCE, "random-period") == [
        "The. committee met again in May.",
        "The committee. met again in May.",
        "The committee met. again in May.",
        "The committee met again. in May.",
        "The committee met again in. May.",
    ]


def test_in_tokenised_texts_a_full_stop_is_a_token() -> None:
    assert "the committee met . again , in may ." in versions(TOKENISED, "random-period", spaced=True)
    assert versions(TOKENISED, "replace-rand-period", spaced=True)[0] == "the . met again , in may ."


def test_the_stands_before_any_word_and_never_at_the_end() -> None:
    found = versions(SENTENCE, "random-the")
    assert found[0] == "the The committee met again in May."
    assert found[-1] == "The committee met again in the May."
    assert len(found) == 6


def test_the_longest_word_is_the_first_of_several_without_its_punctuation() -> None:
    assert versions('He said: "Rainwater, thundered"!', "replace-longest") == ['He said: "the, thundered"!']
    assert versions("a twenty-first-century tool", "replace-longest") == ["a the tool"]
    assert versions("The cat sat.", "replace-longest") == ["The the sat."]


def test_a_word_that_becomes_a_full_stop_leaves_words_on_both_sides() -> None:
    assert versions(SENTENCE, "replace-rand-period") == [
        "The. met again in May.",
        "The committee. again in May.",
        "The committee met. in May.",
        "The committee met again. May.",
    ]


def test_a_word_becomes_the_but_never_the_itself() -> None:
    assert len(versions(SENTENCE, "replace-rand-the")) == 5
    assert SENTENCE not in versions(SENTENCE, "replace-rand-the")


def test_the_combined_edit_replaces_first() -> None:
    found = versions(SENTENCE, "rand-period+repl-longest")
    assert found[0] == "The. the met again in May."
    assert all("committee" not in str(text) for text in found)


def test_no_full_stop_is_added_where_a_sentence_ends_anyway() -> None:
    assert versions('It rained. "Why?" he asked.', "random-period") == [
        'It. rained. "Why?" he asked.',
        'It rained. "Why?" he. asked.',
    ]


@pytest.mark.parametrize("text", ["", "   ", "...", "💡", "!? ."])
def test_texts_without_words_are_left_alone(text: str) -> None:
    assert [versions(text, edit) for edit in EDITS] == [[None]] * 6


@pytest.mark.parametrize(("text", "possible"), [("Rain.", {"random-the", "replace-longest", "replace-rand-the"})])
def test_one_word_cannot_be_parted(text: str, possible: set[str]) -> None:
    assert {edit for edit in EDITS if versions(text, edit) != [None]} == possible


def test_line_ends_become_blanks() -> None:
    assert versions("Rain\r\nfell", "random-period") == ["Rain. fell"]


texts = st.lists(
    st.sampled_from(["the", "Rain", "fell,", "on", "Islam's", "(2010)", "–", "💡", "end.", "Why?", "e.g.", "naïve"]),
    max_size=12,
).map(" ".join)


@given(text=texts, edit=st.sampled_from(EDITS), draw=st.floats(0, 1, exclude_max=True), spaced=st.booleans())
def test_an_edit_changes_the_text_by_what_it_says(text: str, edit: str, draw: float, spaced: bool) -> None:
    found = perturbed(parts_of(text, spaced=spaced), edit, draw=draw)
    if found is None:
        return
    assert found != text

    def words(of: str) -> int:
        return sum(any(character.isalnum() for character in token) for token in of.split())

    more = {"random-the": 1, "replace-rand-period": -1}.get(edit, 0)
    assert words(found) == words(text) + more
    stops = "period" in edit
    if not spaced:
        assert len(re.findall(r"\.", found)) - len(re.findall(r"\.", text)) <= stops
