"""The invariants of distractors, over texts that nobody chose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.distractors.candidates import candidates
from analysis.distractors.choosing import LENGTH_WITHIN, ZIPF_WITHIN, Item, choose, slots_by_place
from analysis.distractors.sentences import FIRST, cut
from experiments.formats.words import count_words, split_regions
from tests.selection import EXHAUSTIVE

pytestmark = pytest.mark.slow

WORDS = [
    "the",
    "gardener",
    "that",
    "a",
    "postman",
    "greeted",
    "Anna",
    "dropped",
    "well-known",
    "gate",
    "towpath",
    "NASA",
]
MARKS = ["", "", "", ",", ".", "!", "”", ";"]

words = st.builds(lambda word, mark: word + mark, st.sampled_from(WORDS), st.sampled_from(MARKS))
plain = st.lists(words, min_size=2, max_size=14).map(" ".join)
marked = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=2, max_size=5).map(" | ".join)
items = st.one_of(st.lists(plain, min_size=1, max_size=4), st.lists(marked, min_size=1, max_size=4))


def item_of(texts, code="i1"):
    return Item(code, tuple(cut(text) for text in texts))


def chosen(texts, *, language="en", seed=1):
    item = item_of(texts)
    return item, choose([item], pool=candidates(language), language=language, seed=seed)[0]


@settings(deadline=None, max_examples=25 if EXHAUSTIVE else 8)
@given(items)
def test_every_place_of_an_item_has_one_distractor_and_no_word_comes_twice(texts):
    item, choices = chosen(texts)
    assert [choice.place for choice in choices] == list(slots_by_place(item))
    distractors = [choice.distractor for choice in choices]
    assert len(set(distractors)) == len(distractors)
    assert not set(distractors) & {slot.word.casefold() for one in item.sentences for slot in one.slots()}


@settings(deadline=None, max_examples=25 if EXHAUSTIVE else 8)
@given(items)
def test_all_conditions_show_the_same_distractor_at_a_place(texts):
    item, choices = chosen(texts)
    distractors = {choice.place: choice.distractor for choice in choices}
    for sentence in item.sentences:
        shown = cut(sentence.beside(distractors))
        for slot in shown.slots():
            if slot.place[0] > 1:
                assert slot.word.lower() == distractors[slot.place]


@settings(deadline=None, max_examples=25 if EXHAUSTIVE else 8)
@given(items)
def test_distractors_have_as_many_words_and_regions_as_the_text_with_its_marks(texts):
    item, choices = chosen(texts)
    distractors = {choice.place: choice.distractor for choice in choices}
    for text, sentence in zip(texts, item.sentences, strict=True):
        beside = sentence.beside(distractors)
        assert beside.startswith(FIRST)
        if sentence.is_marked:
            regions, own = split_regions(beside), split_regions(text)
            assert len(regions) == len(own)
            assert [count_words(one) for one in regions[1:]] == [count_words(one) for one in own[1:]]
        else:
            assert len(beside.split()) == len(text.split())
            for distractor, word in list(zip(beside.split(), text.split(), strict=True))[1:]:
                assert distractor.strip(".,!”;").isalpha()
                assert (
                    distractor.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
                    == word[len(word.rstrip(".,!”;")) :]
                )
                assert distractor[0].isupper() == word[0].isupper()


@settings(deadline=None, max_examples=25 if EXHAUSTIVE else 8)
@given(items)
def test_length_differs_by_more_than_one_only_where_no_length_fits_all_words(texts):
    _item, choices = chosen(texts)
    for choice in choices:
        lengths = [len(word) for word in choice.words]
        if max(lengths) - min(lengths) <= 2 * LENGTH_WITHIN:
            assert choice.length_difference <= LENGTH_WITHIN
            assert "length" not in choice.flags
        assert ("length" in choice.flags) == (choice.length_difference > LENGTH_WITHIN)
        assert choice.zipf_difference is None or ("frequency" in choice.flags) == (choice.zipf_difference > ZIPF_WITHIN)


@settings(deadline=None, max_examples=10)
@given(items, st.integers(0, 99))
def test_the_same_seed_gives_the_same_distractors(texts, seed):
    assert chosen(texts, seed=seed) == chosen(texts, seed=seed)


def test_another_seed_gives_other_distractors():
    text = ["The gardener greeted the postman near the gate."]
    assert chosen(text, seed=1)[1] != chosen(text, seed=2)[1]


def test_an_item_that_is_added_changes_no_other():
    first, second = item_of(["The dog slept near the gate."], "a"), item_of(["The cat sat beside the door."], "b")
    pool = candidates("en")
    assert choose([second, first], pool=pool, language="en")[1] == choose([first], pool=pool, language="en")[0]


def test_german_nouns_get_capitals_and_german_distractors():
    item, choices = chosen(["Der alte Gärtner grüßte den „Briefträger“ vor dem Haus."], language="de")
    shown = item.sentences[0].beside({choice.place: choice.distractor for choice in choices}).split()
    assert [word.strip("„“.")[0].isupper() for word in shown[1:]] == [
        False,
        True,
        False,
        False,
        True,
        False,
        False,
        True,
    ]
    assert shown[5].startswith("„")
    assert shown[5].endswith("“")
    german = {one.word for one in candidates("de")}
    assert all(choice.distractor in german for choice in choices)


def test_most_words_of_a_sentence_find_an_equal_of_their_length_and_frequency():
    _item, choices = chosen(["A farmer carried three heavy baskets across the narrow bridge before the storm began."])
    assert all(choice.length_difference <= LENGTH_WITHIN for choice in choices)
    near = [choice for choice in choices if choice.zipf_difference <= ZIPF_WITHIN]
    assert len(near) >= len(choices) - 2
