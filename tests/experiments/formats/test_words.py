from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats import words
from experiments.formats.words import NeedsRegions, count_words, regions_fault, split_segments, split_words

CONTRACT = json.loads((Path(__file__).resolve().parents[2] / "contract" / "words.json").read_text("utf-8"))

SPACED = st.text(st.characters(max_codepoint=0x0DFF, exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize("case", CONTRACT["cases"], ids=lambda case: case["input"][:30])
def test_words_are_split_as_the_contract_with_the_browser_says(case: dict[str, Any]) -> None:
    if case["words"] is None:
        with pytest.raises(NeedsRegions):
            split_words(case["input"], regions=case["regions"])
        return
    assert split_words(case["input"], regions=case["regions"]) == case["words"]
    assert count_words(case["input"], regions=case["regions"]) == len(case["words"])


def test_the_contract_names_the_characters_of_the_rule() -> None:
    assert CONTRACT["joiners"] == words.JOINERS
    assert CONTRACT["digit_joiners"] == words.DIGIT_JOINERS
    assert CONTRACT["region_marks"] == words.REGION_MARKS
    ranges = [(int(first, 16), int(last, 16)) for first, last in CONTRACT["scripts_without_spaces"]]
    assert tuple(ranges) == words.SCRIPTS_WITHOUT_SPACES


@given(SPACED)
def test_there_is_one_segment_per_word_and_nothing_is_lost(text: str) -> None:
    segments = split_segments(text)
    assert len(segments) == max(1, count_words(text))
    kept = "".join("".join(segments).split()).replace("\u200b", "")
    assert kept == "".join(text.split()).replace("\u200b", "")


@given(SPACED)
def test_words_of_a_text_are_words_on_their_own(text: str) -> None:
    for word in split_words(text):
        assert split_words(word) == [word]


@given(st.lists(st.text("abcé因雨เพ1-’", min_size=1, max_size=5), min_size=1, max_size=6))
def test_marked_regions_are_the_text_with_marks(regions: list[str]) -> None:
    text, marked = "".join(regions), "|".join(regions)
    assert regions_fault(text, regions=marked) is None
    assert regions_fault(f"{text}x", regions=marked) is not None
    assert len(split_segments(text, regions=marked)) == max(1, count_words(text, regions=marked))


def test_a_script_without_spaces_is_refused_with_the_way_out() -> None:
    with pytest.raises(NeedsRegions, match=r"‘他没来’ is in a script without spaces.*'regions'"):
        split_words("他没来。")


def test_a_space_that_does_not_break_keeps_a_segment_together() -> None:
    assert split_segments("Il dit\u00a0: «\u00a0non\u00a0» enfin") == ["Il", "dit\u00a0:", "«\u00a0non\u00a0»", "enfin"]
