"""What each class sees in a text, on texts short enough to count by hand."""

from __future__ import annotations

import math

import pytest

from analysis.text.quality.cohesion import cohesive_devices, reference_form
from analysis.text.quality.continuity import continuity, inverse_frequencies, weighted
from analysis.text.quality.entity_grid import entity_grid
from analysis.text.quality.fluency import sentence_fluency
from analysis.text.quality.measuring import PREFIXES, Document, class_of, own_features
from analysis.text.quality.parses import NotConllu, read_conllu
from analysis.text.quality.redundancy import redundancy
from analysis.text.quality.segments import Sentence, sentences
from analysis.text.quality.source_overlap import source_overlap

CONLLU = """\
# text = Tom sold the old car.
1\tTom\tTom\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsold\tsell\tVERB\t_\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\t_\t_\t5\tdet\t_\t_
4\told\told\tADJ\t_\t_\t5\tamod\t_\t_
5\tcar\tcar\tNOUN\t_\t_\t2\tobj\t_\t_
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# text = The cars of Tom's brother rusted.
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcars\tcar\tNOUN\t_\t_\t7\tnsubj\t_\t_
3\tof\tof\tADP\t_\t_\t6\tcase\t_\t_
4-5\tTom's\t_\t_\t_\t_\t_\t_\t_\t_
4\tTom\tTom\tPROPN\t_\t_\t6\tnmod:poss\t_\t_
5\t's\t's\tPART\t_\t_\t4\tcase\t_\t_
6\tbrother\tbrother\tNOUN\t_\t_\t2\tnmod\t_\t_
7\trusted\trust\tVERB\t_\t_\t0\troot\t_\t_
7.1\t_\t_\tVERB\t_\t_\t_\t_\t_\t_
8\t.\t.\tPUNCT\t_\t_\t7\tpunct\t_\t_
"""
TEXT = sentences("Tom sold the old car. The cars of Tom's brother rusted.")
PARSED = tuple((Sentence(" ".join(t.form for t in parse.tokens)), parse) for parse in read_conllu(CONLLU))


def test_roles_depths_and_arcs_are_read_from_conllu() -> None:
    first, second = read_conllu(CONLLU)
    assert [(token.lemma, token.role) for token in first.tokens if token.role] == [("tom", "S"), ("car", "O")]
    assert [(t.lemma, t.role) for t in second.tokens if t.role] == [("car", "S"), ("tom", "X"), ("brother", "X")]
    assert (first.depth, second.depth) == (2, 4)
    assert first.arcs == (1, 2, 1, 3)


def test_the_grid_follows_subjects_and_objects_where_there_are_parses() -> None:
    # Tom: S → X; car: O → S; brother: none → X.
    found = entity_grid(TEXT, PARSED)
    names = [f"grid_{a}_{b}" for a in ("s", "o", "x", "none") for b in ("s", "o", "x", "none")]
    shares = {name: found[name] for name in names if found[name]}
    assert shares == pytest.approx({"grid_s_x": 1 / 3, "grid_o_s": 1 / 3, "grid_none_x": 1 / 3})
    assert found["grid_entities"] == 3
    assert found["grid_recurring"] == pytest.approx(2 / 3)


def test_without_parses_the_grid_follows_words() -> None:
    # tom, sold, old, car; then car, tom, brother, rusted.
    found = entity_grid(TEXT, None)
    assert "grid_s_o" not in found
    assert (found["grid_x_x"], found["grid_x_none"], found["grid_none_x"]) == pytest.approx((2 / 6, 2 / 6, 2 / 6))


def test_syntax_joins_fluency_and_reference_form_with_parses() -> None:
    fluency = sentence_fluency(TEXT, PARSED)
    assert fluency["fluency_depth"] == 3
    assert fluency["fluency_verbless"] == 0
    reference = reference_form(TEXT, PARSED)
    # First mentions: Tom (bare), car (the old), brother (of Tom's).
    assert reference["reference_modified_before"] == pytest.approx(2 / 3)
    assert reference["reference_modified_after"] == 0
    assert reference["reference_subjects_share"] == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("1\tTom\tTom\n", "line 1 has 3 fields"),
        ("1\tTom\tTom\tPROPN\t_\t_\t7\tnsubj\t_\t_\n", "line 1 names the head '7'"),
    ],
)
def test_what_is_no_conllu_is_refused_with_its_line(rows: str, words: str) -> None:
    with pytest.raises(NotConllu, match=words):
        read_conllu(rows)


def test_heads_that_go_in_a_circle_end() -> None:
    rows = "1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"
    (parse,) = read_conllu(rows)
    assert parse.depth is not None
    assert parse.depth < 5


def test_connectives_count_at_the_beginning_and_by_kind() -> None:
    found = cohesive_devices(sentences("But that ended. As a result they left because it rained. Then the rest went."))
    assert found["cohesive_initial_connectives"] == 3
    assert (found["cohesive_contrastive"], found["cohesive_causal"], found["cohesive_temporal"]) == (1, 2, 1)
    assert (found["cohesive_demonstratives"], found["cohesive_pronouns"], found["cohesive_definite"]) == (1, 2, 1)


def test_pronouns_are_told_apart_by_where_an_antecedent_could_be() -> None:
    found = continuity(sentences("It fell. Ann looked. She wept. Bob said he slept."), None)
    assert found["continuity_antecedent_neither"] == 1
    assert found["continuity_antecedent_previous"] == 1
    assert found["continuity_antecedent_same"] == 1


def test_one_sentence_has_no_similarity_to_the_next() -> None:
    found = continuity(sentences("Only one."), None)
    assert math.isnan(found["continuity_cosine_mean"])
    assert found["continuity_pairs"] == 0


def test_sentences_taken_over_keep_their_context_or_lose_it() -> None:
    source = sentences("Ann called. She was late. The train stood still. They waited.")
    kept = continuity(sentences("Ann called. She was late."), source)
    lost = continuity(sentences("Ann called. They waited."), source)
    assert (kept["continuity_context_kept"], kept["continuity_context_changed"]) == (1, 0)
    assert (lost["continuity_context_kept"], lost["continuity_context_changed"]) == (0, 1)


def test_rare_words_weigh_more_in_the_weighted_cosine() -> None:
    weights = inverse_frequencies([sentences("the man"), sentences("the dog"), sentences("the sea")])
    common = weighted(sentences("The cat sat. The bird flew."), weights)["continuity_weighted_mean"]
    rare = weighted(sentences("Dark cat sat. Dark bird flew."), weights)["continuity_weighted_mean"]
    assert rare > common


def test_what_is_said_twice_counts_by_length() -> None:
    found = redundancy(sentences("we met and we met"))
    assert found["redundancy_repeated_1"] == pytest.approx(2 / 5)
    assert found["redundancy_extra_2"] == 1
    assert found["redundancy_extra_3"] == 0
    assert redundancy(sentences("so so so"))["redundancy_stutter"] == 1


def test_copied_fragments_are_found_from_the_left() -> None:
    source = sentences("Tom and Ann met on Friday at the old bridge.")
    found = source_overlap(sentences("Ann met on Sunday at the old mill."), source)
    # ann met on | at the old: 6 of 8 words, (9 + 9) / 8.
    assert found["source_coverage"] == pytest.approx(6 / 8)
    assert found["source_density"] == pytest.approx(18 / 8)
    assert found["source_new_names"] == 1


@pytest.mark.parametrize(
    "text", ["", "...", "\n", "| |", "a", "! ?", "🙂", "x" * 5000, "Ann Ann Ann", "1 2 3", "\u2028"]
)
def test_any_text_has_the_same_features(text: str) -> None:
    usual = own_features(Document(sentences("A usual text. It is short."), sentences("A source.")))
    found = own_features(Document(sentences(text), sentences("")))
    assert found.keys() == usual.keys()
    assert not any(math.isinf(value) for value in found.values())


def test_every_feature_belongs_to_a_class() -> None:
    found = own_features(Document(TEXT, TEXT, PARSED))
    assert {class_of(name) for name in found} == set(PREFIXES) - {"language_model", "word_coherence", "named_entities"}


def test_without_a_source_overlap_is_undefined_and_not_zero() -> None:
    found = own_features(Document(TEXT, ()))
    of_source = [value for name, value in found.items() if name.startswith(("source_", "continuity_context"))]
    assert all(math.isnan(value) for value in of_source)
    assert len(of_source) == 14
