"""What has no grade level, and how a way to count is called."""

from __future__ import annotations

import pytest

from analysis.text.readability import Counts, counting, grade_level


@pytest.mark.parametrize(("words", "sentences"), [(0, 0), (3, 0), (0, 1)])
def test_without_a_word_or_without_a_sentence_there_is_no_grade(words: int, sentences: int) -> None:
    counts = Counts(words=words, sentences=sentences, syllables=words)
    assert grade_level(counts) is None
    assert grade_level(counts, floor=True) is None


def test_a_grade_may_round_words_per_sentence_down() -> None:
    # 0.39 · 7/2 + 11.8 · 10/7 − 15.59, and the same with 3 in place of 7/2.
    counts = Counts(words=7, sentences=2, syllables=10)
    assert grade_level(counts) == pytest.approx(1.365 + 118 / 7 - 15.59)
    assert grade_level(counts, floor=True) == pytest.approx(1.17 + 118 / 7 - 15.59)


def test_rules_for_sentences_are_called_by_their_language() -> None:
    assert counting(language="de-AT").sentences.label.startswith("running:de ")
    assert counting(language="en-GB").sentences.label.startswith("running ")
