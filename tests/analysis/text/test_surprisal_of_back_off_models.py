"""Surprisal from an ARPA file, against probabilities worked out by hand."""

from __future__ import annotations

import math

import pytest

from analysis.text.arpa import NotArpa, read_arpa

# A trigram model with an unknown word, a comma, and weights for some contexts only.
MODEL = """
\\data\\
ngram 1=7
ngram 2=4
ngram 3=1

\\1-grams:
-99 <s> -0.30
-1.2 </s>
-1.0 <unk> -0.10
-0.5 the -0.20
-0.8 dog -0.25
-1.1 barked
-1.3 , -0.05

\\2-grams:
-0.1 <s> the -0.15
-0.4 the dog -0.35
-0.6 dog barked
-0.7 dog ,

\\3-grams:
-0.05 <s> the dog

\\end\\
"""


def bits(*log10: float) -> float:
    return -sum(log10) * math.log2(10)


def test_the_longest_n_gram_counts_and_shorter_ones_pay_the_weights_of_the_longer_contexts():
    model = read_arpa(MODEL)
    assert model.log10_probability("dog", ["<s>", "the"]) == -0.05
    # the dog barked: no trigram, weight of "the dog", then the bigram.
    assert model.log10_probability("barked", ["the", "dog"]) == pytest.approx(-0.35 - 0.6)
    # dog the: no bigram; the weight of "dog", then the unigram. "barked the" has no weight of its own.
    assert model.log10_probability("the", ["barked", "dog"]) == pytest.approx(-0.25 - 0.5)
    assert model.log10_probability("the", ["dog", "barked"]) == pytest.approx(-0.5)


def test_the_surprisal_of_a_sentence_is_the_sum_over_its_words():
    found = read_arpa(MODEL).surprisal([["the", "dog", "barked"]])
    assert found.bits == pytest.approx(bits(-0.1, -0.05, -0.35 - 0.6))
    assert (found.words, found.unknown) == (3, 0)
    assert found.mean == pytest.approx(found.bits / 3)


def test_an_unknown_word_has_the_probability_of_the_unknown_word_and_is_its_context():
    found = read_arpa(MODEL).surprisal([["the", "aardvark", "barked"]])
    # the <unk>: weight of "<s> the", weight of "the", unigram; then <unk> barked: weight of "<unk>", unigram.
    assert found.bits == pytest.approx(bits(-0.1, -0.15 - 0.20 - 1.0, -0.10 - 1.1))
    assert (found.words, found.unknown) == (3, 1)


def test_without_an_unknown_word_it_is_counted_and_missing_from_the_sum():
    model = read_arpa(MODEL.replace("<unk>", "cat"))
    found = model.surprisal([["the", "aardvark", "barked"]])
    assert (found.words, found.unknown) == (2, 1)
    assert found.bits == pytest.approx(bits(-0.1, -1.1))
    assert model.surprisal([["aardvark"]]).mean is None


def test_marks_that_the_model_knows_are_context_and_never_counted():
    model = read_arpa(MODEL)
    found = model.surprisal([["the", "dog", ",", "barked", "!"]])
    assert found.words == 3
    assert found.bits == pytest.approx(bits(-0.1, -0.05, -0.05 - 1.1))


def test_sentences_begin_anew_and_capitals_are_lowered_where_only_that_is_known():
    model = read_arpa(MODEL)
    twice = model.surprisal([["The", "dog"], ["The", "dog"]])
    assert twice.bits == pytest.approx(2 * bits(-0.1, -0.05))
    assert twice.unknown == 0


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda text: text.replace("\\data\\", ""), "no line \\\\data"),
        (lambda text: text.replace("\\end\\", ""), "cut off"),
        (lambda text: text.replace("ngram 2=4", "ngram 2=9"), "announces 9 2-grams and the file has 4"),
        (lambda text: text.replace("-0.5 the -0.20", "-0.5 the old the -0.20"), "Line 11 is not a log10"),
        (lambda text: text.replace("-0.5 the", "0.5 the"), "above 0"),
        (lambda text: text.replace("-0.5 the", "nan the"), "above 0, or a number that is not finite"),
        (lambda text: text.replace("-0.5 the", "many the"), "no number"),
        (lambda text: text.replace("ngram 1=7\n", ""), "announces no 1-grams"),
        (lambda text: text.replace("ngram 3=1\n", ""), "begins 3-grams"),
    ],
)
def test_a_broken_model_is_refused_with_the_line(spoil, reason):
    with pytest.raises(NotArpa, match=reason):
        read_arpa(spoil(MODEL))


def test_a_word_that_is_certain_has_no_surprisal():
    """log10 1 = 0, as models of tiny corpora have it."""
    model = read_arpa(MODEL.replace("-0.05 <s> the dog", "0 <s> the dog"))
    assert model.surprisal([["the", "dog"]]).bits == pytest.approx(bits(-0.1))
