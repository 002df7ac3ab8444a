"""Questions of all kinds: faults with their place, answers that are taken and refused, who is shown what, scores."""

import json
import random
from pathlib import Path

import pytest

from experiments.paradigms.pieces.shared_pages import BACKGROUND_QUESTIONS, BackgroundAnswers, simulated_answer
from experiments.questionnaire.answers import answer_faults
from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.conditions import shown_names
from experiments.questionnaire.faults import question_faults
from experiments.questionnaire.kinds import KINDS
from experiments.questionnaire.planned import digest, questionnaire_params, questionnaire_rng
from experiments.questionnaire.ready import READY, ready_questions
from experiments.questionnaire.scores import all_values, failed_checks, scores_of
from experiments.questionnaire.table import TEMPLATE, read_questions, written_questions

CONTRACT = json.loads((Path(__file__).parents[2] / "contract" / "questions.json").read_text(encoding="utf-8"))
ALL = [complete_question(question) for question in TEMPLATE]


def of(kind, **further):
    return {"name": "q", "label": "?", "kind": kind, "required": True, **further}


def said(*questions):
    return [str(fault) for fault in question_faults(list(questions))]


def test_the_template_has_every_kind_and_no_fault():
    assert {question["kind"] for question in TEMPLATE} == set(KINDS)
    assert said(*TEMPLATE) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("slug", READY)
def test_ready_made_questionnaires_are_well_formed(slug, language):
    assert said(*ready_questions(slug, language)) == []


@pytest.mark.parametrize(
    ("question", "part"),
    [
        (of("number", minimum=5, maximum=3), "the minimum (5) must be below the maximum (3)"),
        (of("number", minimum=-1), "the minimum cannot be below 0, because participants type digits without a sign."),
        (of("scale", points=12), "2 to 11 points, not 12"),
        (of("scale", points=5, labels=["a", "b", "c"]), "two labels, one for each end, or 5"),
        (of("slider", labels=["a"]), "two labels, one for each end, or none; there are 1"),
        (of("matrix"), "a matrix needs items"),
        (
            of("matrix", items=[{"name": "a", "label": "x"}, {"name": "a", "label": "y"}]),
            "another item has the name 'a'",
        ),
        (of("matrix", items=[{"name": "a", "label": "x", "reverse": True}]), "'reverse' needs a score"),
        (of("matrix", points=5, items=[{"name": "a", "label": "x", "expected": 6}]), "a point from 1 to 5"),
        (of("several", choices=["a|b", "c"]), "a choice contains |, which separates the choices in the data."),
        (of("choice", choices=["yes", "no"], expected="ye"), "Did you mean 'yes'?"),
        (of("text", points=5), "a question of the kind 'text' has no 'points'"),
        (of("text", decline=True), "an answer cannot be required if people may prefer not to say."),
        (of("scale", score={"scale": "Mood"}), "the scale needs a name"),
        (of("scale", score={"scale": "mood", "how": "meen"}), "Did you mean 'mean'?"),
        (
            of("number", score={"scale": "mood", "reverse": True}),
            "score: to reverse a number, add a minimum and a maximum.",
        ),
        (of("text", shown_if={"question": "later", "operator": "is", "value": "x"}), "no earlier question 'later'"),
    ],
)
def test_a_fault_names_its_question_and_what_to_do(question, part):
    [fault] = said(question)
    assert fault.startswith("Question 1 ('q'): ")
    assert part in fault


def test_conditions_name_earlier_questions_and_possible_values():
    hand = {**of("choice", choices=["left", "right"]), "name": "hand"}
    later = of("text", shown_if={"question": "hand", "operator": "is", "value": "lefft"})
    assert "'hand' can never be 'lefft'. Did you mean 'left'?" in said(hand, later)[0]
    assert (
        "'at-least' is not possible for 'hand'"
        in said(hand, of("text", shown_if={"question": "hand", "operator": "at-least", "value": 3}))[0]
    )
    age = {**of("number", minimum=18, maximum=99), "name": "age"}
    assert "no answer fits" in said(age, of("text", shown_if={"question": "age", "operator": "below", "value": 18}))[0]


def test_columns_of_a_matrix_do_not_collide_with_other_questions():
    matrix = {**of("matrix", items=[{"name": "calm", "label": "x"}]), "name": "mood"}
    assert "the data already have a column 'mood_calm'" in said(matrix, {**of("text"), "name": "mood_calm"})[0]


def test_questions_of_one_scale_are_scored_in_one_way():
    first = {**of("scale", score={"scale": "mood", "how": "sum"}), "name": "a"}
    second = {**first, "name": "b", "score": {"scale": "mood", "how": "mean"}}
    assert "an earlier question makes the score a sum, and question" in said(first, second)[0]


LANGUAGE = {"language": "Welsh", "age": 0, "years": 20, "skills": {"speaking": 10}}


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        (of("choice", choices=["a", "b"]), ["a"], ["c", 1, ["a"]]),
        (of("several", choices=["a", "b"]), [["a"], ["b", "a"]], ["a", [], ["a", "a"], ["c"]]),
        (of("number", minimum=0, maximum=10), [0, 10, 2.5], [-1, 11, "3", True, float("nan")]),
        (of("text"), ["x"], ["", " ", 3, "a\x00", "x" * 2001]),
        (of("long-text"), ["x" * 9000], ["x" * 10001]),
        (of("scale", points=5), [1, 5], [0, 6, 2.5, True, "3"]),
        (of("matrix", points=3, items=[{"name": "a", "label": "x"}]), [{"a": 3}], [{}, {"a": 4}, {"a": 1, "b": 1}, 3]),
        (of("slider"), [0, 100], [-1, 101, "50"]),
        (of("birth-year"), [1990], [1899, 3000, 90, 1990.5]),
        (
            of("languages"),
            [[LANGUAGE]],
            [[], [{}], [{**LANGUAGE, "age": 200}], [{**LANGUAGE, "skills": {"x": 1}}]],
        ),
        (of("statement"), [True], [False, 1, "true"]),
    ],
)
def test_answers_of_every_kind_are_taken_or_refused_with_one_sentence(question, good, bad):
    for answer in good:
        assert answer_faults([question], {"q": answer}) == [], answer
    for answer in [*bad, None]:
        assert len(answer_faults([question], {"q": answer})) == 1, answer


def test_a_hidden_question_needs_no_answer_and_may_have_none():
    questions = CONTRACT["questions"][:2]
    assert answer_faults(questions, {"hand": "right"}) == []
    assert answer_faults(questions, {"hand": "left"}) == ["The question 'since' is missing."]
    assert answer_faults(questions, {"hand": "right", "since": "x"}) == [
        "The question 'since' was not shown, so it cannot have an answer."
    ]


@pytest.mark.parametrize("case", CONTRACT["shown"])
def test_who_is_shown_what_is_the_same_in_the_browser(case):
    assert shown_names(CONTRACT["questions"], case["answers"]) == case["names"]


@pytest.mark.parametrize("case", CONTRACT["digests"])
def test_digests_of_answers_are_the_same_in_the_browser(case):
    assert digest(case["salt"], case["value"]) == case["digest"]


def test_scores_turn_reversed_items_round_and_are_empty_where_one_is_missing():
    answers = {"tired": 1, "now": {"awake": 4, "drifting": 1, "check": 2}}
    # tired 1 → 5, awake 4, drifting 1 → 5; the check among the items does not count
    assert scores_of(ALL, answers) == {"alertness": pytest.approx(14 / 3)}
    assert scores_of(ALL, {**answers, "tired": None}) == {"alertness": None}


def test_checks_are_counted_where_they_were_shown():
    assert failed_checks(ALL, {"now": {"awake": 4, "drifting": 1, "check": 3}}) == ["now_check"]
    assert all_values(ALL, {"now": {"awake": 4, "drifting": 1, "check": 2}})["check_failed"] == 0


def test_the_browser_learns_no_expected_answer_and_gets_an_order_of_its_own():
    params, private = questionnaire_params(ALL, title="", rng=questionnaire_rng(1))
    assert private["expected"] == {"now_check": 2}
    assert "expected" not in json.dumps(params)
    assert "score" not in json.dumps(params)
    orders = {
        tuple(
            item["name"]
            for item in questionnaire_params(ALL, title="", rng=questionnaire_rng(seed))[0]["questions"][8]["items"]
        )
        for seed in range(40)
    }
    assert len(orders) == 6
    assert params == questionnaire_params(ALL, title="", rng=questionnaire_rng(1))[0]


def checked(params, private, payload):
    serializer = BackgroundAnswers(data=payload, context={"params": params, "private": private})
    return serializer.is_valid(), serializer.errors


def test_a_payload_carries_both_attempts_and_only_failed_ones_come_before():
    questions = ready_questions("comprehension-check", "en")
    params, private = questionnaire_params(questions, title="", rng=questionnaire_rng(1), attempts=2, pages=[[]])
    right = {question["name"]: question["expected"] for question in questions}
    wrong = {**right, "check_help": "Yes, anything"}
    assert checked(params, private, {"answers": right})[0]
    assert checked(params, private, {"answers": right, "earlier_attempts": [{"answers": wrong}]})[0]
    valid, errors = checked(params, private, {"answers": wrong, "earlier_attempts": [{"answers": right}]})
    assert not valid
    assert "there was no second attempt" in str(errors)
    once = {**params, "attempts": 1}
    assert not checked(once, private, {"answers": right, "earlier_attempts": [{"answers": wrong}]})[0]


def test_simulated_participants_answer_every_kind():
    params, private = questionnaire_params(ALL, title="", rng=questionnaire_rng(3))
    for seed in range(60):
        payload = simulated_answer(BACKGROUND_QUESTIONS, {**params, **private}, random.Random(seed))
        assert checked(params, private, payload) == (True, {})


def test_a_table_comes_back_as_it_was_written():
    assert read_questions(written_questions(ALL).encode()) == (ALL, [])


def test_every_fault_of_a_table_has_its_line():
    text = "name;label;kind;choices;minimum\nage;Age?;number;;old\nhand;Hand?;choice;left;\n"
    questions, faults = read_questions(text.encode())
    assert questions == []
    assert [str(fault).partition(":")[0] for fault in faults] == ["Line 2, column 'minimum'", "Line 3"]
