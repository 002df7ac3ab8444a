"""What may stand before participants as a distractor."""

import pytest

from analysis.distractors.candidates import LANGUAGES, LEAST_ZIPF, candidates
from analysis.text.frequency import zipf_of


@pytest.mark.parametrize("language", LANGUAGES)
def test_candidates_are_letters_alone_and_frequent_enough(language):
    pool = candidates(language)
    assert len(pool) > 5000
    assert all(one.word.isalpha() and one.word == one.word.lower() and one.zipf >= LEAST_ZIPF for one in pool)
    assert len({one.word for one in pool}) == len(pool)


@pytest.mark.parametrize("language", LANGUAGES)
def test_frequencies_of_candidates_are_those_of_every_other_measure(language):
    for one in candidates(language)[::500]:
        assert one.zipf == zipf_of([one.word], language=language).zipf


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["fuck", "rape", "murdered", "nazi", "cocaine", "died", "slut"]),
        ("de", ["scheiße", "hure", "mörder", "selbstmord", "nazis", "drogen", "tot"]),
    ],
)
def test_words_that_hurt_are_no_candidates(language, words):
    assert not {one.word for one in candidates(language)} & set(words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["paris", "russia", "roderick", "richardson", "peter", "google", "tuesday", "salzburg", "nasa", "lgbt"]),
        ("de", ["berlin", "russland", "karl", "karlsruhe", "montag", "tolstoy", "gmbh", "inkl", "müller", "angela"]),
    ],
)
def test_names_and_abbreviations_are_no_candidates(language, words):
    assert not {one.word for one in candidates(language)} & set(words)


def test_slips_are_no_candidates():
    assert not {one.word for one in candidates("en")} & {"dont", "doesnt", "tellin", "childrens"}
    assert not {one.word for one in candidates("de")} & {"zuruck", "schoen", "weiss", "strasse", "fuer"}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["window", "because", "quickly", "the", "kitchen"]),
        ("de", ["küche", "weil", "schnell", "der", "fenster"]),
    ],
)
def test_ordinary_words_are_candidates(language, words):
    assert set(words) <= {one.word for one in candidates(language)}
