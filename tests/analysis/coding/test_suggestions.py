"""What the words of a recall suggest: each finding with its reason, never against the rule, nothing where unsure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.coding.differences import aligned, marks, words_of
from analysis.coding.suggestions import suggest
from experiments.paradigms.sentence_recall.paradigm import ERROR_CODES
from experiments.rules.error_codes import faults_of

STIMULUS = "The old bridge by the harbour was closed for a week, a major result, because heavy rain had damaged it."
MARKED = {
    "clause_a": "heavy rain had damaged it",
    "clause_b": "The old bridge by the harbour was closed for a week",
    "connective": "because",
    "quantifier": "major",
}
CONNECTIVES = ["because", "because of", "as a result of"]


def found(recall, *, stimulus=STIMULUS, marked=MARKED, scheme=ERROR_CODES):
    return suggest(stimulus, recall, scheme=scheme, defaults=ERROR_CODES, marked=marked, connectives=CONNECTIVES)


@pytest.mark.parametrize(
    ("recall", "codes", "reason"),
    [
        (STIMULUS, ("0",), "Word for word"),
        (STIMULUS.upper().replace(",", ""), ("0",), "only capitals, spaces or punctuation"),
        (STIMULUS.replace("harbour", "harbor").replace("damaged", "damged"), ("0",), "the same connective"),
        (STIMULUS.replace("because", "as a result of"), ("1",), "check that the relation is the same"),
        (STIMULUS.replace("because", "although"), ("2",), "“because” is gone"),
        (STIMULUS.replace("because heavy", "because of heavy"), ("1",), "“because of” replaces"),
        ("Something was shut because heavy rain had damaged it", ("3",), "Clause B (effect)"),
        ("The old bridge by the harbour was closed for a week, a major result, because of snow", ("4",), "Clause A"),
        ("Something happened", ("3", "4"), "Clause B"),
        ("Something happened although heavy rain had damaged it", ("2", "3"), "is gone"),
        (STIMULUS.replace("major", "small"), ("6",), "“major” is lost"),
        ("", ("3", "4"), "Nothing was written"),
        (" \n?! ", ("3", "4"), "Nothing was written"),
    ],
)
def test_a_finding_has_its_code_and_its_reason(recall, codes, reason):
    suggestion = found(recall)
    assert suggestion.codes == codes
    assert reason in " ".join(suggestion.reasons)


def test_an_outside_clause_that_is_lost_is_told_from_the_clauses():
    stimulus = f"{STIMULUS[:-1]}, as the mayor told reporters on Monday evening."
    recall = "The old bridge by the harbour was closed for a week, a major result, because heavy rain had damaged it."
    assert found(recall, stimulus=stimulus).codes == ("5",)


def test_without_marks_the_sentence_is_judged_as_one():
    assert found("It was closed.", marked={}).codes == ("3", "4")
    assert found(STIMULUS.replace("because", "as a result of"), marked={}).codes == ("1",)
    assert found(STIMULUS.replace("a week", "a day"), marked={}).codes == ("0",)


def test_between_clearly_right_and_clearly_wrong_nothing_is_suggested():
    assert found("The old bridge was closed, a major result, because heavy rain damaged it") is None


def test_a_code_that_the_study_gave_up_or_changed_is_not_suggested():
    without = [entry for entry in ERROR_CODES if entry.code != "0"]
    assert found(STIMULUS, scheme=without) is None
    other = [type(e)(e.code, e.description, e.weight, not e.is_exclusive) for e in ERROR_CODES]
    assert found(STIMULUS, scheme=other) is None


texts = st.lists(st.sampled_from([*STIMULUS.split(), "snow", "although", "", "—"]), max_size=25).map(" ".join)


@given(texts, st.booleans())
def test_no_suggestion_breaks_the_rule_or_lacks_a_reason(recall, has_marks):
    suggestion = found(recall, marked=MARKED if has_marks else {})
    if suggestion is not None:
        assert faults_of(suggestion.codes, ERROR_CODES) == []
        assert suggestion.reasons


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_marks_joined_are_the_texts_whatever_they_hold(stimulus, recall):
    left, right = marks(stimulus, recall)
    assert "".join(mark.text for mark in left) == stimulus
    assert "".join(mark.text for mark in right) == recall


@given(texts, texts)
def test_what_is_aligned_is_in_order_and_used_once(a, b):
    pairs = aligned(words_of(a), words_of(b))
    assert pairs == sorted(pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


@given(texts)
def test_a_text_beside_itself_is_all_the_same(text):
    assert {mark.kind for side in marks(text, text) for mark in side} <= {"same"}


def test_words_that_changed_places_are_moved_and_not_lost():
    _left, right = marks("rain fell because clouds came", "clouds came because rain fell")
    kinds = {mark.text.strip(): mark.kind for mark in right}
    assert "only" not in kinds.values()
    assert "moved" in kinds.values()


def test_a_long_recall_is_compared_in_good_time():
    _left, right = marks("word " * 400, "other word " * 2000)
    assert {mark.kind for mark in right} <= {"same", "only", "moved"}
