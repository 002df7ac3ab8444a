"""Procedure and background questions: real fields, an estimate that follows them, no JSON."""

import pytest
from django.urls import reverse

from experiments.paradigms import paradigm_named
from experiments.rules.procedure import ProcedureForm, initial_values
from experiments.study.lifecycle import open_study

pytestmark = pytest.mark.slow


def values(study, **changes):
    """Return what a browser sends for the page as it is shown, with changes."""
    settings_form = paradigm_named(study.paradigm).settings_form
    shown = {
        **initial_values(ProcedureForm, study.procedure),
        **initial_values(settings_form, study.settings),
        **changes,
    }
    return {
        name: ", ".join(value) if isinstance(value, list) else "on" if value is True else value
        for name, value in shown.items()
        if value is not False and value is not None
    }


def post(client, study, **changes):
    return client.post(reverse("study:procedure", args=[study.slug]), values(study, **changes))


def test_both_forms_are_stored_together(ready, owner):
    answer = post(owner, ready, leading_fillers=2, break_every=10, completion_code="DONE", action="save")
    assert answer.status_code == 302
    ready.refresh_from_db()
    assert (ready.procedure["leading_fillers"], ready.procedure["completion_code"]) == (2, "DONE")
    assert ready.settings["break_every"] == 10
    assert ready.settings["modulus_text"] == "The reference sentence."


def test_a_fault_in_one_form_keeps_the_other_from_being_stored(ready, owner):
    before = dict(ready.procedure)
    answer = post(owner, ready, leading_fillers=2, break_every=-1)
    assert answer.status_code == 422
    assert "Nothing was saved yet." in answer.content.decode()
    ready.refresh_from_db()
    assert ready.procedure == before


def test_the_effect_on_the_duration_is_shown_and_nothing_is_stored(ready, owner):
    shown = owner.get(reverse("study:procedure", args=[ready.slug])).context["estimate"].duration
    answer = post(owner, ready, line_length_training=True, line_length_trials=20, action="estimate")
    changed = answer.context["estimate"].duration
    assert changed.judgements == shown.judgements + 14
    assert "with unsaved settings" in answer.content.decode()
    ready.refresh_from_db()
    assert "line_length_trials" not in ready.settings


def test_rules_that_cannot_be_kept_are_named_instead_of_a_duration(ready, owner):
    answer = post(owner, ready, leading_fillers=50, action="estimate")
    assert answer.context["estimate"].duration is None
    assert "filler" in answer.context["estimate"].reason


def test_without_materials_the_duration_is_not_guessed(draft, owner):
    page = owner.get(reverse("study:procedure", args=[draft.slug])).content.decode()
    assert "The platform can estimate it once there are materials." in page


def test_in_an_opened_study_only_what_does_not_touch_the_data_can_change(ready, owner, researcher):
    open_study(ready, researcher)
    post(owner, ready, leading_fillers=2, break_every=3, completion_code="LATER")
    ready.refresh_from_db()
    assert ready.procedure["completion_code"] == "LATER"
    assert ready.procedure.get("leading_fillers", 0) == 0
    assert ready.settings.get("break_every") != 3


def question(number, **changes):
    fields = {
        "label": f"Question {number}?",
        "name": f"question_{number}",
        "kind": "text",
        "choices": "",
        "help": "",
        "ORDER": str(number),
        **changes,
    }
    return {f"questions-{number}-{name}": value for name, value in fields.items()}


def send(client, study, *rows, initial=0):
    data = {"questions-TOTAL_FORMS": str(len(rows)), "questions-INITIAL_FORMS": str(initial)}
    for row in rows:
        data.update(row)
    return client.post(reverse("study:questions", args=[study.slug]), data)


def test_questions_are_stored_in_the_order_of_their_positions(draft, owner):
    answer = send(
        owner, draft, question(0, ORDER="2"), question(1, ORDER="1", kind="choice", choices="a\r\nb", required="on")
    )
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert [stored["name"] for stored in draft.questions] == ["question_1", "question_0"]
    assert draft.questions[0] == {
        "name": "question_1",
        "label": "Question 1?",
        "kind": "choice",
        "choices": ["a", "b"],
        "required": True,
        "help": "",
    }


def test_a_question_is_removed(draft, owner):
    send(owner, draft, question(0), question(1))
    send(owner, draft, question(0, DELETE="on"), question(1), initial=2)
    draft.refresh_from_db()
    assert [stored["name"] for stored in draft.questions] == ["question_1"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "choice", "choices": "only one"}, "at least two answers"),
        ({"kind": "choice", "choices": "a\na"}, "Two answers are the same."),
        ({"name": "Age Band"}, "Begin with a lower-case letter"),
        ({"label": ""}, "This field is required."),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_where_it_stands(changes, sentence, draft, owner):
    answer = send(owner, draft, question(0, **changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    draft.refresh_from_db()
    assert draft.questions == []


def test_two_questions_cannot_write_to_one_column(draft, owner):
    answer = send(owner, draft, question(0, name="age"), question(1, name="age"))
    assert answer.status_code == 422
    assert "same column" in answer.content.decode()


def test_the_page_shows_no_json(ready, owner):
    send(owner, ready, question(0, kind="choice", choices="yes\nno"))
    for page in ("study:questions", "study:procedure", "study:texts", "study:design", "study:materials"):
        shown = owner.get(reverse(page, args=[ready.slug])).content.decode()
        assert "{&quot;" not in shown
        assert "[&#x27;" not in shown
        assert "{&#x27;" not in shown
