"""Background questions are checked as a whole, each fault with the question it belongs to."""

import pytest

from experiments.rules.questions import complete_question, question_faults

GOOD = {"name": "age_band", "label": "How old are you?", "kind": "choice", "choices": ["18 to 24", "25 or over"]}


def said(*questions):
    return [str(fault) for fault in question_faults(list(questions))]


def test_good_questions_have_no_faults():
    assert said(GOOD, {"name": "note", "label": "Anything else?", "kind": "text", "required": False, "help": ""}) == []


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"name": "Age"}, "a lower-case letter, then letters"),
        ({"name": ""}, "a lower-case letter"),
        ({"name": 5}, "a lower-case letter"),
        ({"label": " "}, "the label is empty"),
        ({"label": "a\x00"}, "the label is empty"),
        ({"kind": "choise"}, "Did you mean 'choice'?"),
        ({"kind": None}, "' is not a kind of question."),
        ({"choices": ["only one"]}, "at least two choices"),
        ({"choices": "a, b"}, "must be a list of texts"),
        ({"choices": ["a", ""]}, "must be a list of texts"),
        ({"choices": ["a", "a"]}, "appears twice"),
        ({"kind": "text"}, "has no choices"),
        ({"required": "yes"}, "'required' must be true or false"),
        ({"help": 3}, "'help' must be a text"),
        ({"requierd": True}, "there is no key 'requierd'. Did you mean 'required'?"),
    ],
)
def test_a_fault_names_its_question(changes, part):
    [fault] = said({**GOOD, **changes})
    assert fault.startswith("Question 1")
    assert part in fault


def test_a_name_that_is_used_twice_is_a_fault_of_the_second():
    assert said(GOOD, GOOD) == ["Question 2 ('age_band'): another question has the same name."]


def test_what_is_no_list_of_questions_is_refused():
    assert str(question_faults({"a": 1})[0]) == "Questions must be a list."
    assert said("age") == ["Question 1: it needs a name, a label and a kind."]
    assert "at most 50" in said(*[{**GOOD, "name": f"q{number}"} for number in range(51)])[0]


def test_a_stored_question_has_every_key():
    assert complete_question({"name": "a", "label": " B? ", "kind": "text"}) == {
        "name": "a",
        "label": "B?",
        "kind": "text",
        "choices": [],
        "required": False,
        "help": "",
    }
