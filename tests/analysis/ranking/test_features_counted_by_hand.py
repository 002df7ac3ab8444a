"""Every feature of a text alone, counted by hand on one text and its source."""

from __future__ import annotations

import math
import zlib
from typing import Any

import pytest

from analysis.text.quality.cohesion import cohesive_devices, reference_form
from analysis.text.quality.continuity import continuity, cosine, inverse_frequencies, weighted
from analysis.text.quality.entity_grid import entity_grid
from analysis.text.quality.fluency import sentence_fluency
from analysis.text.quality.parses import read_conllu
from analysis.text.quality.redundancy import redundancy
from analysis.text.quality.segments import Sentence, sentences
from analysis.text.quality.source_overlap import source_overlap

# 9 + 11 + 4 words, 24 in all; 20 different ones.
TEXT = sentences(
    "However, Ann met Bob, the old mayor of Leeds. "
    "The mayor did not like Ann , but all 7 questions: nothing? "
    "| so they met again."
)
# 14 words, 12 different ones.
SOURCE = sentences("Ann met Bob, the old mayor. The city of Leeds is old and rich.")


def near(**expected: float) -> dict[str, Any]:
    return {name: pytest.approx(value, abs=1e-12) for name, value in expected.items()}


def test_the_text_is_cut_as_counted() -> None:
    assert [sentence.words for sentence in TEXT] == [
        ("however", "ann", "met", "bob", "the", "old", "mayor", "of", "leeds"),
        ("the", "mayor", "did", "not", "like", "ann", "but", "all", "7", "questions", "nothing"),
        ("so", "they", "met", "again"),
    ]
    assert len({word for sentence in TEXT for word in sentence.words}) == 20


def test_sentence_fluency() -> None:
    """Letters: 34, 44 and 14; `however` and `questions` have more than six and `nothing` has seven. Content words:
    ann, met, bob, old, mayor, leeds; mayor, like, ann, questions; met, again. Marks: two commas and a full stop; a
    comma, a colon and a question mark; a full stop."""
    letters = sum(len(word) for sentence in TEXT for word in sentence.words)
    assert letters == 34 + 44 + 14
    mean = 24 / 3
    assert sentence_fluency(TEXT, None) == near(
        fluency_sentences=3,
        fluency_words=24,
        fluency_log_words=math.log(25),
        fluency_length_mean=mean,
        fluency_length_min=4,
        fluency_length_max=11,
        fluency_length_sd=math.sqrt((1 + 9 + 16) / 3),
        fluency_word_length=letters / 24,
        fluency_long_words=3 / 24,
        fluency_type_token=20 / 24,
        fluency_content_share=12 / 24,
        fluency_punctuation=7 / 24,
        fluency_commas=3 / 24,
        fluency_colons=1 / 24,
        fluency_questions=1 / 3,
        fluency_digits=1 / 24,
        fluency_stray_marks=1,
        fluency_capital_start=2 / 3,
        fluency_end_mark=1,
        fluency_no_auxiliary=2 / 3,
        fluency_prepositions=1 / 24,
        fluency_relatives=0,
        fluency_negations=2 / 24,
    )
    assert sentence_fluency(sentences("He left, ; and (who knows"), None)["fluency_end_mark"] == 0


def test_cohesive_devices_and_reference_form() -> None:
    """Connectives: however, but, so; names within sentences: Ann, Bob, Leeds; Ann."""
    assert cohesive_devices(TEXT) == near(
        cohesive_demonstratives=0,
        cohesive_pronouns=1,
        cohesive_pronouns_share=1 / 24,
        cohesive_first_second_person=0,
        cohesive_definite=2,
        cohesive_initial_connectives=2,
        cohesive_connectives_share=3 / 24,
        cohesive_additive=0,
        cohesive_contrastive=2,
        cohesive_causal=1,
        cohesive_temporal=0,
    )
    assert reference_form(TEXT, None) == near(
        reference_names=4,
        reference_new_names=3,
        reference_repeated_names=1 / 4,
        reference_names_share=4 / 24,
        reference_indefinite_share=0,
        reference_definite_share=2 / 24,
        reference_quantifiers_share=1 / 24,
        reference_pronoun_start=0,
    )
    second = sentences("She saw a man and an owl. I moreover like this; then you left.")
    found = cohesive_devices(second) | reference_form(second, None)
    assert found["cohesive_first_second_person"] == 2
    assert (found["cohesive_additive"], found["cohesive_temporal"], found["cohesive_demonstratives"]) == (2, 1, 1)
    assert found["reference_indefinite_share"] == pytest.approx(2 / 14)
    assert found["reference_pronoun_start"] == 1


def test_continuity_with_a_source() -> None:
    """The first two sentences share `the`, `mayor`, `ann`; content words: ann and mayor of eight, none of six. `they`
    has content words in its sentence only behind it and in the sentence before."""
    first, second = 3 / math.sqrt(9 * 11), 0.0
    assert continuity(TEXT, SOURCE) == near(
        continuity_cosine_min=second,
        continuity_cosine_max=first,
        continuity_cosine_mean=first / 2,
        continuity_shared_content=(2 / 8 + 0) / 2,
        continuity_pairs=2,
        continuity_antecedent_same=0,
        continuity_antecedent_previous=1,
        continuity_antecedent_neither=0,
        continuity_context_kept=0,
        continuity_context_changed=0,
        continuity_taken_share=0,
    )
    half = continuity(sentences("The city of Leeds is old and rich. It rained."), SOURCE)
    assert half["continuity_taken_share"] == 0.5
    assert half["continuity_context_changed"] == 0


def test_weighted_cosines() -> None:
    """Of two texts both have `the`: weight ln(3/3) + 1 = 1; `cat` one: ln(3/2) + 1; any other word ln 3 + 1."""
    weights = inverse_frequencies([sentences("The cat."), sentences("The dog.")])
    cat, other = math.log(1.5) + 1, math.log(3) + 1
    assert weights == near(**{"the": 1, "cat": cat, "dog": cat, "": other})
    found = cosine(("the", "the", "cat"), ("the", "owl"), weights)
    assert found == pytest.approx(2 / math.sqrt((4 + cat**2) * (1 + other**2)), abs=1e-12)
    two = weighted(sentences("The cat. The owl. The cat."), weights)
    value = 1 / math.sqrt((1 + cat**2) * (1 + other**2))
    assert two == near(continuity_weighted_min=value, continuity_weighted_max=value, continuity_weighted_mean=value)


def test_redundancy() -> None:
    """24 words of 20 kinds, 21 runs of two of 21 kinds (`the old` and `the mayor` differ). Content: 12 of 9 kinds."""
    joined = " ".join(word for sentence in TEXT for word in sentence.words).encode()
    first = 3 / math.sqrt(9 * 11)
    third = 1 / math.sqrt(9 * 4)
    assert redundancy(TEXT) == near(
        redundancy_repeated_1=1 - 20 / 24,
        redundancy_extra_1=4,
        redundancy_repeated_2=0,
        redundancy_extra_2=0,
        redundancy_repeated_3=0,
        redundancy_extra_3=0,
        redundancy_repeated_4=0,
        redundancy_extra_4=0,
        redundancy_content=1 - 9 / 12,
        redundancy_commonest=2 / 12,
        redundancy_sentences=0,
        redundancy_stutter=0,
        redundancy_similar_max=first,
        redundancy_similar_mean=(first + third + 0) / 3,
        redundancy_compressed=len(zlib.compress(joined, 9)) / len(joined),
    )


def test_the_grid_of_words() -> None:
    """Nine words; ann and mayor go on from the first to the second sentence, met comes back in the third."""
    assert entity_grid(TEXT, None) == near(
        grid_x_x=2 / 18,
        grid_x_none=(4 + 4) / 18,
        grid_none_x=(2 + 2) / 18,
        grid_none_none=(1 + 3) / 18,
        grid_entities=9,
        grid_entities_per_sentence=12 / 3,
        grid_recurring=3 / 9,
        grid_longest_chain=2,
        grid_sentences=3,
    )


def test_overlap_with_the_source() -> None:
    """Found in the source: ann, met, bob, the, old, mayor, of, leeds; the, mayor, ann; met: 12 of 24 words. Fragments:
    ann met bob the old mayor (6), of leeds (2), the (1), mayor (1), ann (1), met (1); of words in the order of the
    text `leeds the` does not stand in the source and `the mayor` neither."""
    assert source_overlap(TEXT, SOURCE) == near(
        source_precision_1=12 / 24,
        source_precision_2=6 / 23,
        source_precision_3=4 / 22,
        source_recall=8 / 12,
        source_content_recall=6 / 8,
        source_content_precision=9 / 12,
        source_new_names=0,
        source_cosine=15 / math.sqrt((4 * 4 + 16) * (2 * 4 + 10)),
        source_coverage=12 / 24,
        source_density=(36 + 4 + 1 + 1 + 1 + 1) / 24,
        source_longest=6,
        source_compression=24 / 14,
    )
    assert source_overlap(sentences("He saw Eve and Ann."), SOURCE)["source_new_names"] == 1
    # The source ends where the text goes on.
    end = source_overlap(sentences("We know Tom left early."), sentences("Tom left."))
    assert (end["source_longest"], end["source_coverage"]) == (2, 2 / 5)


@pytest.mark.parametrize(
    ("first", "second", "transition"),
    [
        (("obj", "nsubj"), ("nmod", "obj"), "grid_s_o"),
        (("nsubj", "obj"), ("obj", "nmod"), "grid_s_o"),
        (("nmod", "nsubj"), ("nmod", "nmod"), "grid_s_x"),
        (("obj", "obj"), ("nsubj", "nmod"), "grid_o_s"),
    ],
)
def test_an_entity_that_a_sentence_mentions_twice_has_its_highest_role(
    first: tuple[str, str], second: tuple[str, str], transition: str
) -> None:
    """Subjects rank before objects and objects before all others, in whatever order they come."""
    rows = "\n\n".join(
        f"1\tcar\tcar\tNOUN\t_\t_\t2\t{one}\t_\t_\n"
        f"2\thit\thit\tVERB\t_\t_\t0\troot\t_\t_\n"
        f"3\tcars\tcar\tNOUN\t_\t_\t2\t{other}\t_\t_"
        for one, other in (first, second)
    )
    parsed = tuple((Sentence("car hit cars"), parse) for parse in read_conllu(rows + "\n"))
    found = entity_grid((), parsed)
    assert found[transition] == 1


def test_context_is_that_before_the_sentence_in_the_source() -> None:
    """The first sentence of the source has none before it; sentences without a device or connective do not ask."""
    source = sentences("She called. The train stood still. But Tom left. Ann met Bob. They waited.")

    def kept_and_changed(text: str) -> tuple[float, float]:
        found = continuity(sentences(text), source)
        return found["continuity_context_kept"], found["continuity_context_changed"]

    assert kept_and_changed("They waited. She called.") == (0, 1)
    assert kept_and_changed("But Tom left. Ann met Bob.") == (0, 0)
    assert kept_and_changed("The train stood still. But Tom left.") == (1, 0)
    assert kept_and_changed("She called. But Tom left. They waited.") == (0, 2)


def test_reference_form_with_a_parse() -> None:
    """Of four words two are nouns, one of them a subject; `owls` has a word behind it and `prey` one before it."""
    (parse,) = read_conllu(
        "1\tOwls\towl\tNOUN\t_\t_\t4\tnsubj\t_\t_\n2\tof\tof\tADP\t_\t_\t3\tcase\t_\t_\n"
        "3\tprey\tprey\tNOUN\t_\t_\t1\tnmod\t_\t_\n4\thunt\thunt\tVERB\t_\t_\t0\troot\t_\t_\n"
    )
    text = sentences("Owls of prey hunt. Why?")
    found = reference_form(text, ((text[0], parse), (text[1], None)))
    names = ("nouns_share", "subjects_share", "modified_before", "modified_after")
    assert [found[f"reference_{name}"] for name in names] == [0.5, 0.5, 0.5, 0.5]


def test_relatives_and_verbs_are_shares() -> None:
    found = sentence_fluency(sentences("The owl which he saw was old. Ann, whom we met, left."), None)
    assert found["fluency_relatives"] == 2 / 12
    assert found["fluency_no_auxiliary"] == 1 / 2


def test_marks_of_both_kinds_and_sentences_without_a_parse() -> None:
    """Links span 3, 1 and 2 words in the first sentence; the second has no parse and the third no verb."""
    text = sentences("Stop! Why: he left; it rained: who knows?")
    found = sentence_fluency(text, None)
    assert (found["fluency_colons"], found["fluency_questions"]) == pytest.approx((3 / 8, 2 / 2))
    (parse,) = read_conllu(
        "1\tOwls\towl\tNOUN\t_\t_\t4\tnsubj\t_\t_\n2\tof\tof\tADP\t_\t_\t3\tcase\t_\t_\n"
        "3\tprey\tprey\tNOUN\t_\t_\t1\tnmod\t_\t_\n4\thunt\thunt\tVERB\t_\t_\t0\troot\t_\t_\n"
    )
    verbless = read_conllu("1\tOwls\towl\tNOUN\t_\t_\t0\troot\t_\t_\n")[0]
    parsed = ((text[0], parse), (text[1], None), (text[1], verbless))
    built = sentence_fluency(text, parsed)
    assert built["fluency_arc"] == pytest.approx((3 + 1 + 2) / 3)
    assert built["fluency_verbless"] == 0.5
    assert built["fluency_unlinked"] == 0
    assert built["fluency_unparsed"] == pytest.approx(1 / 3)
