"""Rating questions: which are well formed, what they become in the data, and the sets to begin with."""

from __future__ import annotations

import pytest

from analysis.codebook.fixed import FIXED
from experiments.languages import LANGUAGES
from experiments.paradigms.pieces.rating_questions import (
    FLUENCY_AND_CLARITY,
    LINGUISTIC_QUALITY,
    TAKEN_NAMES,
    TEMPLATES,
    complete_rating_question,
    rating_question_faults,
    template_questions,
)

SCALE = {"name": "focus", "text": "Is there a focus?", "kind": "scale", "points": 5, "labels": ["no", "yes"]}


def faults_of(**changes):
    return rating_question_faults([{**SCALE, **changes}])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Focus"}, "lower-case letter"),
        ({"name": ""}, "lower-case letter"),
        ({"name": "item"}, "already have a column with this name"),
        ({"text": "  "}, "the text is empty"),
        ({"text": "x" * 1_001}, "longer than 1000"),
        ({"kind": "scal"}, "Did you mean 'scale'?"),
        ({"kind": None}, "magnitude, scale, slider"),
        ({"points": 1}, "2 to 11 points, not 1"),
        ({"points": 12}, "2 to 11 points, not 12"),
        ({"points": True}, "whole number"),
        ({"labels": ["low", "middle", "high"]}, "two labels, one for each end, or 5"),
        ({"labels": ["low", " "]}, "none of them empty"),
        ({"labels": ["low", "x" * 81]}, "longer than 80"),
        ({"kind": "slider", "labels": ["low"]}, "there are 1"),
        ({"kind": "magnitude"}, "Delete the labels"),
        ({"required": "yes"}, "true or false"),
        ({"colour": "red"}, "no key 'colour'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_with_the_place(changes, said):
    (fault,) = faults_of(**changes)
    assert said in fault
    assert fault.startswith("Question 1")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"labels": []},
        {"labels": ["a", "b", "c", "d", "e"]},
        {"points": 11},
        {"kind": "slider", "points": 0},
        {"kind": "magnitude", "labels": [], "points": 0},
        {"required": False},
    ],
)
def test_questions_of_every_kind_can_be_well_formed(changes):
    assert faults_of(**changes) == []


def test_two_questions_cannot_share_a_column():
    said = rating_question_faults([SCALE, {**SCALE, "name": "focus_rt_ms"}, SCALE])
    assert [fault.split(":")[0] for fault in said] == ["Question 2 ('focus_rt_ms')", "Question 3 ('focus')"]


def test_a_name_that_the_paradigm_uses_itself_is_taken():
    (fault,) = rating_question_faults([SCALE], taken=["focus"])
    assert "Choose another name" in fault


@pytest.mark.parametrize("given", [None, "focus", {"name": "focus"}, 3])
def test_what_is_no_list_is_refused(given):
    assert rating_question_faults(given) == ["The questions must be a list."]


def test_an_entry_that_is_no_question_is_refused():
    assert rating_question_faults(["focus"]) == ["Question 1 needs a name, a text and a kind."]


def test_at_most_twenty_questions_are_asked():
    many = [{**SCALE, "name": f"q{number}"} for number in range(21)]
    assert rating_question_faults(many[:20]) == []
    (fault,) = rating_question_faults(many)
    assert "at most 20" in fault


def test_no_question_can_take_a_column_that_every_trial_has():
    assert FIXED <= TAKEN_NAMES


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.slug)
def test_templates_are_complete_and_the_same_in_every_language(template):
    assert {"en", "de"} <= set(template.questions) <= set(LANGUAGES)
    english = template.questions["en"]
    for tag, questions in template.questions.items():
        assert rating_question_faults(list(questions)) == []
        assert [complete_rating_question(question) for question in questions] == list(questions)
        same = ("name", "kind", "points", "required")
        assert [[q[key] for key in same] for q in questions] == [[q[key] for key in same] for q in english]
        assert [len(q["labels"]) for q in questions] == [len(q["labels"]) for q in english]
        said = {text for question in questions for text in (question["text"], *question["labels"])}
        in_english = {text for question in english for text in (question["text"], *question["labels"])}
        assert tag == "en" or not said & in_english


def test_all_templates_can_be_chosen_together():
    questions = [question for template in TEMPLATES for question in template.questions_in("de")]
    assert rating_question_faults(questions) == []


def test_a_template_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(LookupError, match="acceptability"):
        template_questions("beauty", "en")


def test_the_five_questions_are_on_five_points_and_the_two_are_free_numbers():
    assert [(q["kind"], q["points"]) for q in LINGUISTIC_QUALITY["en"]] == [("scale", 5)] * 5
    assert [(q["name"], q["kind"]) for q in FLUENCY_AND_CLARITY["en"]] == [
        ("fluency", "magnitude"),
        ("clarity", "magnitude"),
    ]
