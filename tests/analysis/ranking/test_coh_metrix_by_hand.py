"""The class in the manner of Coh-Metrix, counted by hand from its formulas."""

from __future__ import annotations

import math

import pytest
from wordfreq import zipf_frequency

from analysis.text.quality.coh_metrix import coh_metrix
from analysis.text.quality.parses import read_conllu
from analysis.text.quality.segments import sentences

TEXT = sentences("The old cat sat here. Then the cats ran, because a dog came.")


def row(number: int, form: str, pos: str, head: int, relation: str) -> str:
    return f"{number}\t{form}\t{form}\t{pos}\t_\t_\t{head}\t{relation}\t_\t_"


PARSES = "\n\n".join(
    "\n".join(rows)
    for rows in (
        [
            row(1, "the", "DET", 3, "det"),
            row(2, "old", "ADJ", 3, "amod"),
            row(3, "cat", "NOUN", 4, "nsubj"),
            row(4, "sat", "VERB", 0, "root"),
        ],
        [row(1, "the", "DET", 2, "det"), row(2, "cat", "NOUN", 3, "nsubj"), row(3, "ran", "VERB", 0, "root")],
    )
)


def test_readability_is_flesch_and_kincaid_of_words_sentences_and_syllables() -> None:
    found = coh_metrix(TEXT, None)
    words, syllables = 13, 14  # because has two
    assert found["cohmetrix_words_per_sentence"] == words / 2
    assert found["cohmetrix_syllables_per_word"] == pytest.approx(syllables / words)
    assert found["cohmetrix_ease"] == pytest.approx(206.835 - 1.015 * words / 2 - 84.6 * syllables / words)
    assert found["cohmetrix_grade"] == pytest.approx(0.39 * words / 2 + 11.8 * syllables / words - 15.59)


def test_overlap_counts_stems_of_content_words() -> None:
    found = coh_metrix(TEXT, None)
    # {old, cat, sat} and {cat, ran, dog, came}: one of them in both.
    assert found["cohmetrix_stem_overlap"] == found["cohmetrix_stem_overlap_all"] == 1
    assert found["cohmetrix_content_overlap"] == pytest.approx(2 * 1 / 7)
    assert found["cohmetrix_type_token"] == pytest.approx(6 / 7)


def test_frequency_is_that_of_the_content_words() -> None:
    found = coh_metrix(TEXT, None)
    first, second = ["old", "cat", "sat"], ["cats", "ran", "dog", "came"]
    zipf = [zipf_frequency(word, "en") for word in first + second]
    assert found["cohmetrix_zipf"] == pytest.approx(sum(zipf) / 7)
    assert found["cohmetrix_zipf_rarest"] == pytest.approx((min(zipf[:3]) + min(zipf[3:])) / 2)


def test_likeness_of_syntax_is_dice_over_dependencies_and_over_runs_of_parts_of_speech() -> None:
    parsed = [(sentence, parse) for sentence, parse in zip(TEXT, read_conllu(PARSES), strict=True)]
    found = coh_metrix(TEXT, parsed)
    # noun→det, noun→adj, verb→noun, root→verb and noun→det, verb→noun, root→verb: three of them in both.
    assert found["cohmetrix_edges_mean"] == found["cohmetrix_edges_min"] == pytest.approx(2 * 3 / 7)
    # det–adj, adj–noun, noun–verb and det–noun, noun–verb.
    assert found["cohmetrix_tags_mean"] == pytest.approx(2 * 1 / 5)
    assert found["cohmetrix_noun_overlap"] == 1
    assert found["cohmetrix_left"] == (3 + 2) / 2
    assert found["cohmetrix_modifiers"] == (2 + 1) / 2


def test_a_text_of_one_sentence_has_no_neighbours() -> None:
    found = coh_metrix(TEXT[:1], None)
    assert math.isnan(found["cohmetrix_stem_overlap"])
    assert math.isnan(found["cohmetrix_content_overlap"])
