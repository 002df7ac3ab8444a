"""Error spans in a rating study: their question, the words that are marked, what is refused, measured and exported."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.pieces.error_spans import MARKED_WORDS, SPANS, words_to_mark
from experiments.paradigms.pieces.rating_questions import complete_rating_question, rating_question_faults
from experiments.rules.procedure import checked
from participants.intake.payloads import payload_faults

RATING = paradigm_named("rating")
ASKED = {"name": "errors", "text": "Mark the errors.", "kind": "error-spans", "categories": ["grammar", "style"]}
QUESTION = complete_rating_question(ASKED)
WITHOUT_SCORE = complete_rating_question({**ASKED, "score": False})
WORDS = ["The ", "dog ", "barkd ", "loud – ", "very."]
SPAN = {"start_word": 3, "end_word": 4, "severity": "major", "category": "grammar", "at_ms": 1200.5}
EARLIER = {"start_word": 1, "end_word": 1, "severity": "minor", "category": None, "at_ms": 2000.0}
ANSWER = {"rating": 40, "rt_ms": 3000.0, "changes": 1, "typed": None, "spans": [EARLIER, SPAN]}


def settings(*questions):
    return RATING.complete_settings({"questions": list(questions), "break_every": 0})


def params(question=QUESTION):
    shown = ShownStimulus(1, "".join(WORDS), item="i1", condition="a")
    (trial,) = RATING.timeline([shown], settings(question), random.Random(1))
    return dict(trial.params)


def refusal(question=QUESTION, **changes):
    payload = {"ratings": {"errors": {**ANSWER, **changes}}}
    return " ".join(payload_faults(RATING, plugin="rating", params=params(question), private={}, payload=payload))


@given(st.text(alphabet="ab他ส ั.“”—, \n\u00a0'é-1（「»«ក\u17d2\u0e33\u0eb3\u1019\u1039", max_size=40))
def test_words_that_are_marked_are_together_the_text_and_each_has_a_letter(text):
    words = words_to_mark(text)
    assert "".join(words) == (text if text.strip() else "")
    if len(words) > 1:
        assert all(any(character.isalnum() for character in word) for word in words)


def test_words_keep_their_punctuation_and_scripts_without_spaces_are_marked_by_character():
    assert words_to_mark("“Stop,” she said.") == ["“Stop,” ", "she ", "said."]
    assert words_to_mark("他没来。OK?") == ["他", "没", "来。", "OK?"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("他说：“好。”", ["他", "说：", "“好。”"]),
        ("他（我）「是」", ["他", "（我）", "「是」"]),
        ("他说 (OK) 好", ["他", "说 ", "(OK) ", "好"]),
        # Khmer and Burmese consonants below others, Thai and Lao vowels after their consonants.
        ("ខ\u17d2មែរ", ["ខ\u17d2មែ", "រ"]),
        ("ဗုဒ\u1039ဓ", ["ဗု", "ဒ\u1039ဓ"]),
        ("น\u0e33ทำ", ["น\u0e33", "ทำ"]),
        ("ນ\u0eb3ໄ", ["ນ\u0eb3", "ໄ"]),
    ],
)
def test_what_is_written_as_one_is_one_word_and_opening_punctuation_goes_with_the_next(text, words):
    assert words_to_mark(text) == words
    assert "".join(words) == text


def test_a_page_has_the_words_of_its_text_only_where_errors_are_marked():
    assert params()["words"] == WORDS
    shown = ShownStimulus(1, "".join(WORDS), item="i1", condition="a")
    (other,) = RATING.timeline([shown], RATING.complete_settings({"break_every": 0}), random.Random(1))
    assert "words" not in other.params


def test_sound_marks_are_accepted():
    assert refusal() == ""
    assert refusal(spans=[]) == ""
    assert refusal(WITHOUT_SCORE, rating=None) == ""


def test_only_a_text_without_marks_and_without_a_score_has_no_time():
    nothing: dict[str, Any] = {"rating": None, "rt_ms": None, "changes": 0, "spans": []}
    optional = complete_rating_question({**ASKED, "required": False})
    for question in (WITHOUT_SCORE, optional):
        assert refusal(question, **nothing) == ""
        assert "has no time" in refusal(question, **{**nothing, "spans": [EARLIER]})
    assert "has no time" in refusal(optional, **{**nothing, "rating": 40})
    measured = RATING.measure(params(WITHOUT_SCORE), {"ratings": {"errors": {**ANSWER, **nothing}}}, [])
    assert (measured["errors_rt_ms"], measured["errors_weighted"]) == (None, 0)


NOTHING: dict[str, Any] = {"rating": None, "rt_ms": None, "changes": 0, "typed": None, "spans": []}
COUNTS = ("errors_minor", "errors_major", "errors_weighted")


def test_a_question_that_was_left_out_does_not_say_that_a_text_has_no_errors():
    optional = complete_rating_question({**ASKED, "required": False})
    payload = {"ratings": {"errors": NOTHING}}
    measured = RATING.measure(params(optional), payload, [])
    assert [measured[name] for name in COUNTS] == [None, None, None]
    assert RATING.long_rows("marked_words", params(optional), payload, []) == []
    declared = {measure.name: measure.description for measure in RATING.measures_of(settings(optional))}
    assert all("empty where the question was left out" in declared[name] for name in COUNTS)


def test_nothing_marked_without_a_score_or_with_one_is_a_text_without_errors():
    optional = complete_rating_question({**ASKED, "required": False})
    scored = {**NOTHING, "rating": 90, "rt_ms": 800.0}
    for question, answer in ((WITHOUT_SCORE, NOTHING), (optional, scored), (QUESTION, scored)):
        payload = {"ratings": {"errors": answer}}
        measured = RATING.measure(params(question), payload, [])
        assert [measured[name] for name in COUNTS] == [0, 0, 0]
        rows = RATING.long_rows("marked_words", params(question), payload, [])
        assert [row["mark"] for row in rows] == ["none"] * len(WORDS)


def test_marks_without_their_score_are_marks():
    optional = complete_rating_question({**ASKED, "required": False})
    payload = {"ratings": {"errors": {**ANSWER, "rating": None}}}
    assert RATING.measure(params(optional), payload, [])["errors_weighted"] == 6
    assert len(RATING.long_rows("marked_words", params(optional), payload, [])) == len(WORDS)


def test_the_measure_of_weighted_errors_says_which_weights_of_mqm_are_left_out():
    (weighted,) = [measure for measure in RATING.measures_of(settings(QUESTION)) if measure.name == "errors_weighted"]
    assert "special weights" in weighted.description


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"spans": [{**SPAN, "end_word": 6}]}, "outside the 5 words"),
        ({"spans": [{**SPAN, "start_word": 0}]}, "outside the 5 words"),
        ({"spans": [{**SPAN, "start_word": 4, "end_word": 3}]}, "outside the 5 words"),
        ({"spans": [{**SPAN, "start_word": 2.0}]}, "integer"),
        ({"spans": [SPAN, {**SPAN, "start_word": 4, "end_word": 5}]}, "overlap"),
        ({"spans": [SPAN, EARLIER]}, "order of the text"),
        ({"spans": [{**SPAN, "severity": "critical"}]}, "not a valid choice"),
        ({"spans": [{**SPAN, "category": "spelling"}]}, "not one of the question's"),
        ({"spans": [{**SPAN, "at_ms": -1}]}, "0"),
        ({"spans": [{**SPAN, "colour": "red"}]}, "no such field"),
        ({"rating": 101}, "from 0 to 100"),
        ({"rating": None}, "lacks its score"),
        ({"rt_ms": None}, "has no time"),
        ({"typed": "40"}, "cannot have been typed"),
    ],
)
def test_what_cannot_have_been_marked_is_refused(changes, said):
    assert said in refusal(**changes)


def test_a_score_that_was_not_asked_and_marks_of_another_question_are_refused():
    assert "was not asked" in refusal(WITHOUT_SCORE)
    scale = complete_rating_question({"name": "errors", "text": "Errors?", "kind": "slider"})
    assert "cannot have marked errors" in refusal(scale)
    missing = {key: value for key, value in ANSWER.items() if key != "spans"}
    payload = {"ratings": {"errors": missing}}
    faults = payload_faults(RATING, plugin="rating", params=params(), private={}, payload=payload)
    assert "no list of spans" in " ".join(faults)


def test_measures_are_the_score_and_the_errors_of_each_severity():
    measured = RATING.measure(params(), {"ratings": {"errors": ANSWER}}, [])
    kept = {name: measured[name] for name in measured if name.startswith("errors")}
    assert kept == {
        "errors": 40,
        "errors_rt_ms": 3000.0,
        "errors_changes": 1,
        "errors_minor": 1,
        "errors_major": 1,
        "errors_weighted": 6,
    }
    declared = [measure.name for measure in RATING.measures_of(settings(QUESTION))]
    assert declared[: len(kept)] == list(kept)
    assert "errors" not in [measure.name for measure in RATING.measures_of(settings(WITHOUT_SCORE))]


def test_every_error_is_a_row_and_so_is_every_word():
    payload = {"ratings": {"errors": ANSWER}}
    spans = RATING.long_rows("spans", params(), payload, [])
    assert [set(row) for row in spans] == [{column.name for column in SPANS.columns}] * 2
    assert [(row["span"], row["start_word"], row["end_word"], row["span_text"]) for row in spans] == [
        (1, 1, 1, "The"),
        (2, 3, 4, "barkd loud –"),
    ]
    words = RATING.long_rows("marked_words", params(), payload, [])
    assert [set(row) for row in words] == [{column.name for column in MARKED_WORDS.columns}] * 5
    assert [row["mark"] for row in words] == ["minor", "none", "major", "major", "none"]
    assert [row["category"] for row in words] == [None, None, "grammar", "grammar", None]


def test_only_studies_that_ask_for_errors_have_their_tables():
    assert RATING.long_tables_of(settings(QUESTION)) == (SPANS, MARKED_WORDS)
    assert RATING.long_tables_of({}) == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"categories": ["style", " "]}, "none of them empty"),
        ({"categories": ["style", "style "]}, "appears twice"),
        ({"categories": [str(number) for number in range(31)]}, "31 categories"),
        ({"categories": "style"}, "must be a list"),
        ({"score": "yes"}, "must be true or false"),
        ({"score": False, "labels": ["bad", "good"]}, "Delete the labels"),
        ({"labels": ["bad"]}, "two labels"),
        ({"severities": ["minor"]}, "no key 'severities'"),
        ({"kind": "slider"}, "only error spans have 'categories'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_what_to_do(changes, said):
    _values, faults = checked(RATING.settings_form, {"questions": [{**ASKED, **changes}]})
    assert said in " ".join(map(str, faults))


def test_errors_are_marked_under_one_question_and_in_a_rating_study_alone():
    _values, faults = checked(RATING.settings_form, {"questions": [ASKED, {**ASKED, "name": "more"}]})
    assert (
        "Only one question can ask people to mark errors in a text. Join these questions into one with categories."
    ) in " ".join(map(str, faults))
    assert "only a rating study can ask people to mark errors. Choose another kind." in " ".join(
        rating_question_faults([ASKED])
    )
    taken = {"name": "errors_minor", "text": "?", "kind": "slider"}
    _values, faults = checked(RATING.settings_form, {"questions": [ASKED, taken]})
    assert "already have a column with this name" in " ".join(map(str, faults))


def test_a_picture_without_a_text_has_nothing_to_mark():
    assert (
        "There is no text in which people could mark errors. Write one, or delete the question about error spans."
    ) in " ".join(RATING.text_faults(" ", {}, settings(QUESTION)))
    assert RATING.text_faults(" ", {}, settings()) == []


@given(st.integers(0, 5_000))
def test_simulated_marks_are_always_accepted(seed):
    mind = RATING.virtual_participant(random.Random(seed), {})
    for question in (QUESTION, WITHOUT_SCORE):
        trial = {**params(question), "words": WORDS * 8}
        payload = mind.respond("rating", trial, levels={}, item="x", carried={})
        assert payload_faults(RATING, plugin="rating", params=trial, private={}, payload=payload) == []
        assert mind.response_ms("rating", payload) > 0


def test_worse_texts_get_more_simulated_errors():
    def weighted(level):
        total = 0
        for seed in range(100):
            mind = RATING.virtual_participant(random.Random(seed), {})
            trial = {**params(), "words": WORDS * 8}
            payload = mind.respond("rating", trial, levels={"system": level}, item="x", carried={})
            total += RATING.measure(trial, payload, [])["errors_weighted"]
        return total

    from experiments.paradigms.rating.paradigm import simulated_goodness

    worst, best = sorted("abcdef", key=lambda level: simulated_goodness({"system": level}, item="x"))[::5]
    assert weighted(worst) > weighted(best)


def test_quality_counts_no_missing_ratings_where_no_score_is_asked():
    answer = {**ANSWER, "rating": None}
    answered = [("rating", params(WITHOUT_SCORE), {"ratings": {"errors": answer}})]
    assert RATING.quality(answered) == {
        "modal_share": None,
        "ratings_left_out": 0,
        "early_presses_total": None,
    }
    answered = [("rating", params(), {"ratings": {"errors": answer}})]
    assert RATING.quality(answered)["ratings_left_out"] == 1


def test_analyses_are_of_the_score_or_the_weighted_errors_and_of_the_agreement_on_words():
    names = {one.question for one in RATING.suggested_analyses_of(["system"], settings(QUESTION))}
    assert names == {"errors", ""}
    first, agreement, *others = RATING.suggested_analyses_of(["system"], settings(WITHOUT_SCORE))
    assert first.method == "lmm"
    assert first.params["formula"].startswith("errors_weighted ~ system")
    assert {one.params["dv"] for one in others} == {"errors_weighted"}
    assert (agreement.method, agreement.table) == ("agreement", "marked_words")
    assert RATING.judgements_of(settings(WITHOUT_SCORE)) == {}
