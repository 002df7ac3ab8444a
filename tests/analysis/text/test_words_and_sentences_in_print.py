"""Words, sentences and syllables of texts in print, in English and German."""

from __future__ import annotations

import pytest

from analysis.text.boundaries import running_sentences
from analysis.text.frequency import zipf_of
from analysis.text.implementations import implementations
from analysis.text.readability import Counts, counting
from analysis.text.syllables import (
    dictionary_of,
    english_rules,
    english_rules_easse,
    english_rules_without_the,
    hyphenation,
    vowel_groups,
)
from analysis.text.tokens import looks_tokenised, running_words, sentences_13a, spaced_sentences
from tests import needs


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It rained. It stopped!", 2),
        ("Did it rain? Yes.", 2),
        ("Mr. Smith and Dr. Jones met at 5 p.m. in St. Louis.", 1),
        ("He lives in the U.S. He likes it.", 2),
        ("The answer is no. He left.", 2),
        ("See p. 84 and Fig. 3 for this.", 1),
        ("He ate a fig. Then he left.", 2),
        ("“Why?” she asked. “Because.”", 2),
        ("It costs 2.50 euros.", 1),
        ("He waited ... and waited.", 1),
        ("He waited... Then he left.", 2),
        ("A heading\n\nThe first sentence.", 2),
        ("One line\nbroken in two.", 1),
        ("all is lower case. and so is this.", 2),
        ("", 0),
        (" ... !", 0),
        ("No mark at the end", 1),
        ("これは文です。これも文です。", 2),
        ("J. R. R. Tolkien wrote it.", 1),
        ("Was it I? It was I. He knew.", 3),
        ("Is she a Prof! He asked twice.", 2),
        ("He called it “no.” 5 people left.", 2),
        ("“Why?” “because of rain,” he said.", 1),
        ("It was – they said – over. (and so it was)", 1),
        ("He lived in St. Louis. 1990 was dry.", 2),
        ("rain fell at 5 p.m. then it stopped.", 1),
        ("Rain fell at 5 p.m. Then it stopped.", 2),
        ("a" * 60 + ". But it ended.", 2),
    ],
)
def test_sentences_in_english(text, number):
    assert len(running_sentences(text)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Am 3. Mai regnete es. Am 4. nicht.", 2),
        ("Er kam 1990. Sie ging.", 2),
        ("Es waren 12. Sie gingen.", 1),
        ("Es waren 123. Sie gingen.", 2),
        ("Das ist z.B. so, d.h. anders, usw. und so fort.", 1),
        ("Herr Dr. Meier wohnt in der Hauptstr. 5 in Bonn. Er lebt allein.", 2),
        ("„Warum?“, fragte sie. „Darum.“", 2),
    ],
)
def test_sentences_in_german(text, number):
    assert len(running_sentences(text, language="de")) == number


def test_sentences_are_whole_whatever_ends_them():
    assert running_sentences("これは文です。これも文です。") == ["これは文です。", "これも文です。"]
    assert running_sentences("A heading\n \nIt rained.  It stopped!") == ["A heading", "It rained.", "It stopped!"]


def test_a_mark_without_a_word_ends_a_sentence_among_the_tokens_13a_only():
    assert sentences_13a(". rain . . snow") == [".", "rain .", ".", "snow"]
    assert spaced_sentences(". rain . . snow") == [". rain .", ". snow"]


def test_counts_of_several_texts_add_up_and_words_per_sentence_are_not_rounded():
    """The grade by hand: .39 · 7/2 + 11.8 · 9/7 − 15.59."""
    way = counting()
    assert Counts(3, 1, 4) + Counts(4, 1, 5) == Counts(7, 2, 9)
    assert way.grade(Counts(7, 2, 9)) == Counts(7, 2, 9).grade == pytest.approx(0.9464285714, abs=1e-9)


@pytest.mark.parametrize("code", ["DE", "De", "de-DE", "DE_de", " de "])
def test_a_code_of_a_language_may_be_in_capitals(code):
    text = "Am 3. Mai kam die Wissenschaft. Sie blieb."
    assert counting(language=code).label.replace("de_DE", "de") == counting(language="de").label.replace("de_DE", "de")
    assert counting(language=code).count(text) == counting(language="de").count(text)
    assert counting(language="EN-us").label == counting(language="en").label


def test_words_are_what_stands_between_blanks_without_the_marks_around_it():
    assert running_words("“Don’t!” – he said (twice), 3.5 times; and/or never…ever.") == [
        "Don’t",
        "he",
        "said",
        "twice",
        "3.5",
        "times",
        "and/or",
        "never",
        "ever",
    ]
    assert running_words("naïve cafe\u0301") == ["naïve", "café"]
    assert running_words("— … !") == []


def test_texts_that_were_tokenised_already_are_recognised():
    assert looks_tokenised(["it rained , again .", "it stopped ."])
    assert not looks_tokenised(["It rained, again.", "It stopped ."])
    assert not looks_tokenised([])


@pytest.mark.parametrize(
    ("word", "number"),
    [("reading", 2), ("simplification", 5), ("because", 2), ("idea", 2), ("rhythm", 1), ("people", 1), ("3rd", 0)],
)
def test_english_rules_know_spellings_and_not_sounds(word, number):
    assert english_rules(word) == number


@pytest.mark.parametrize(
    ("word", "number"),
    [("lb", 1), ("Dr", 2), ("sepulchre", 3), ("etc", 4), ("particularized", 5), ("propitiatory", 6)],
)
def test_english_rules_have_a_list_of_words_that_they_would_get_wrong(word, number):
    """The list is that of the syllable counter of NLTK's readability tools."""
    assert english_rules(word) == english_rules_easse(word) == number


def test_the_article_has_a_syllable_where_its_e_is_not_taken_for_a_silent_one():
    assert (english_rules("The"), english_rules_easse("The"), english_rules_without_the("The")) == (1, 1, 0)


@pytest.mark.parametrize(
    ("word", "parts", "groups"),
    [("Donaudampfschifffahrt", 5, 5), ("Haus", 1, 1), ("Straße", 2, 2), ("Übermut", 2, 3), ("Abend", 1, 2)],
)
def test_german_is_counted_by_hyphenation_or_groups_of_vowels(word, parts, groups):
    assert hyphenation("de").count(word) == parts
    assert vowel_groups(word) == groups


@needs.python_package("pyphen")
def test_hyphenation_is_that_of_pyphen():
    import pyphen

    dictionary = pyphen.Pyphen(lang="de_DE")
    for word in ("Wissenschaft", "Sprache", "verstehen", "Leserinnen"):
        assert hyphenation("de").count(word) == len(dictionary.inserted(word).split("-"))
    assert dictionary_of("tlh") is None


@needs.python_package("wordfreq")
def test_frequencies_are_those_of_wordfreq():
    import wordfreq

    words = ["der", "Hund", "bellte"]
    found = zipf_of(words, language="de")
    assert found.zipf == pytest.approx(sum(wordfreq.zipf_frequency(word, "de") for word in words) / 3)
    assert found.unlisted == 0
    assert zipf_of(["qqqxyz"], language="de").zipf is None


def test_the_ways_of_counting_name_themselves():
    label = counting(language="de").label
    assert label.startswith("words running 1, sentences running:de 2, syllables hyphenation:de_DE pyphen ")
    with pytest.raises(KeyError):
        counting(counter="by-ear")


def test_a_text_of_marks_alone_takes_no_time():
    """Looking at all open tokens again at every mark took minutes for such a text."""
    assert counting(words="spaced", sentences="spaced").count(". " * 50_000 + "a .").sentences == 1
    assert counting().count("A" + "." * 200_000).sentences == 1
    assert counting().count("?!" * 100_000) == Counts(0, 0, 0)


def test_other_implementations_count_tokenised_texts_by_blanks_and_others_as_print():
    for code in ("en", "EN", "en-GB", "de"):
        for tokenised, rule in ((True, "spaced"), (False, "running")):
            ways = implementations(language=code, tokenised=tokenised)
            name = "hyphenation, words only"
            assert next(way for way in ways if way.name == name).counting.words.name == rule
            assert len(ways) == (2 if code == "de" else 8)
    assert implementations() == implementations(tokenised=False)


def test_the_program_readability_counts_line_ends_as_words_and_once_rounded_down():
    """By hand: `It`, `came`, the line end, `It`, `went`; by the usual rules four words. The grade of 7 words in 2
    sentences with 9 syllables is .39 · 3 + 11.8 · 9/7 − 15.59 where 7/2 is rounded down."""
    ways = {way.name: way.counting for way in implementations()}
    texts = ["It came.", "It went."]
    assert ways["readability (Mautner)"].words_in(texts).total() == 5
    assert ways["readability (Mautner), Python 2"].words_in(texts).total() == 5
    assert ways["rules, words only"].words_in(texts).total() == 4
    counts = Counts(7, 2, 9)
    assert ways["readability (Mautner)"].grade(counts) == pytest.approx(0.9464285714, abs=1e-9)
    assert ways["readability (Mautner), Python 2"].grade(counts) == pytest.approx(0.7514285714, abs=1e-9)


def test_a_language_of_three_letters_is_not_taken_for_one_whose_code_begins_alike():
    """Filipino (fil) is not Finnish, Middle English (enm) not English."""
    assert len(running_sentences("Noong 12. Umuwi siya.", language="fil")) == 2
    assert counting(language="enm").label.endswith("syllables vowel-groups 1")
    assert len(implementations(language="enm")) == 1
