"""Rating questions on the page of the procedure: real fields for each question, kept when something is wrong."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.models import UploadedTable
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces.rating_questions import LINGUISTIC_QUALITY
from experiments.rules.procedure import ProcedureForm, initial_values
from experiments.study.lifecycle import create_study
from experiments.study.opening import opening_faults
from experiments.study.parts import add_part

pytestmark = pytest.mark.slow


@pytest.fixture
def study(researcher):
    return create_study(slug="ratings", title="Ratings", paradigm="rating", user=researcher, owner=researcher)


def block(number, *, place=None, **changes):
    """Return what a browser sends for one question."""
    fields = {
        "name": f"q{number}",
        "text": f"Question {number}?",
        "kind": "scale",
        "points": "5",
        "labels": "bad\r\n\r\n good ",
        "required": "on",
        "ORDER": str(place if place is not None else number + 1),
        **changes,
    }
    return {f"questions-{number}-{name}": value for name, value in fields.items() if value is not None}


def post(client, study, *blocks, **changes):
    settings = initial_values(paradigm_named("rating").settings_form, {})
    del settings["questions"]
    data = {**initial_values(ProcedureForm, study.procedure), **settings, "action": "save"}
    for one in blocks:
        data |= one
    data = {
        key: "on" if value is True else value for key, value in data.items() if value is not False and value is not None
    }
    data["recruitment_parameters"] = ""
    return client.post(
        reverse("study:procedure", args=[study.slug]), {**data, "questions-TOTAL_FORMS": len(blocks), **changes}
    )


def stored(study):
    study.refresh_from_db()
    return study.settings["questions"]


def page_of(client, study):
    return client.get(reverse("study:procedure", args=[study.slug])).content.decode()


def test_a_draft_without_settings_shows_the_five_questions_that_it_always_had(study, owner):
    page = page_of(owner, study)
    for number, question in enumerate(LINGUISTIC_QUALITY["en"]):
        assert f'name="questions-{number}-name" value="{question["name"]}"' in page
    assert 'name="questions-TOTAL_FORMS" value="5"' in page


@pytest.mark.parametrize("way", ["paradigm", "part", "table"])
def test_a_new_rating_study_asks_nothing_until_questions_are_chosen(way, study, owner, researcher):
    if way == "part":
        add_part(study, name="new", kind="task", paradigm="rating", user=researcher)
        made = study.seen_through("new")
    else:
        given = {"title": "New", "slug": "chosen", "paradigm": "rating", "language": "de"}
        address = reverse("study:start")
        if way == "table":
            table = UploadedTable.objects.create(
                owner=researcher, name="t.csv", content="item,text\na,b\n", columns=[], rows=1
            )
            address = reverse("tables:study", args=[table.pk])
        owner.post(address, {"way": "paradigm", **given})
        made = Study.objects.get(slug="chosen")
    assert made.settings == {"questions": []}
    page = page_of(owner, made)
    assert 'name="questions-TOTAL_FORMS" value="0"' in page
    assert "Choose a template" in page
    said = [str(fault.message) for fault in opening_faults(made) if fault.step == "procedure"]
    assert "There are no questions about the texts yet." in " ".join(said)
    assert post(owner, made).status_code == 302  # the other settings can be saved before
    assert post(owner, made, block(0)).status_code == 302
    made = Study.objects.get(pk=made.pk).seen_through(made.chosen_task)
    assert [question["name"] for question in made.settings["questions"]] == ["q0"]
    assert not [fault for fault in opening_faults(made) if "no questions" in str(fault.message)]


def test_templates_come_in_the_language_of_the_study_and_the_others_in_a_fold(researcher, owner):
    study = create_study(slug="neu", title="Neu", paradigm="rating", user=researcher, language="de")
    first, _fold, others = page_of(owner, study).partition("Templates in other languages")
    assert "Wie akzeptabel ist dieser Satz?" in first
    assert "How acceptable is this sentence?" not in first
    assert "How acceptable is this sentence?" in others
    assert "Is the text free of grammatical errors" in others
    study = create_study(slug="nova", title="Nova", paradigm="rating", user=researcher, language="pl")
    first, _fold, _others = page_of(owner, study).partition("Templates in other languages")
    assert "Na ile to zdanie jest akceptowalne?" in first
    assert "Familiarity (in English)" in first


def test_questions_are_stored_complete_and_in_the_order_of_their_places(study, owner):
    answer = post(
        owner,
        study,
        block(0, place=2),
        block(1, place=1, kind="slider"),
        block(2, place=3, kind="magnitude", required=None),
    )
    assert answer.status_code == 302
    assert stored(study) == [
        {
            "name": "q1",
            "text": "Question 1?",
            "kind": "slider",
            "points": 0,
            "labels": ["bad", "good"],
            "required": True,
        },
        {
            "name": "q0",
            "text": "Question 0?",
            "kind": "scale",
            "points": 5,
            "labels": ["bad", "good"],
            "required": True,
        },
        # What this kind has no use for was filled in and is dropped.
        {"name": "q2", "text": "Question 2?", "kind": "magnitude", "points": 0, "labels": [], "required": False},
    ]


def test_a_question_that_is_ticked_for_removal_goes(study, owner):
    post(owner, study, block(0), block(1, DELETE="on"))
    assert [question["name"] for question in stored(study)] == ["q0"]


def test_what_is_wrong_is_said_at_its_question_and_nothing_that_was_typed_is_lost(study, owner):
    answer = post(owner, study, block(0), block(1, name="Bad Name", text="Still here?"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "the name becomes a column of the data" in page
    assert "The name becomes a column of the data" in page  # beside the question itself, which is open
    assert 'value="Still here?"' in page
    assert 'value="Bad Name"' in page
    assert page.count('<details class="card question" open>') >= 1
    study.refresh_from_db()
    assert "questions" not in study.settings


def test_a_study_without_its_last_question_is_a_draft_that_does_not_open(study, owner):
    assert post(owner, study, block(0, DELETE="on")).status_code == 302
    assert stored(study) == []
    assert any("There are no questions about the texts yet." in str(fault.message) for fault in opening_faults(study))


def test_numbers_that_are_none_are_said_or_take_the_usual(study, owner):
    assert post(owner, study, block(0, points="99")).status_code == 422
    assert post(owner, study, block(0, points="", labels="")).status_code == 302
    assert stored(study)[0]["points"] == 5


def test_more_blocks_than_a_page_can_hold_are_cut_and_refused(study, owner):
    answer = post(owner, study, *[block(number) for number in range(25)])
    assert answer.status_code == 422
    assert "at most 20" in answer.content.decode()


def test_a_viewer_sees_the_questions_and_cannot_change_them(study, client_of):
    page = client_of("viewer", study).get(reverse("study:procedure", args=[study.slug])).content.decode()
    assert '<fieldset class="form bare" disabled>' in page
    assert "Add a question" not in page


def test_error_spans_keep_their_categories_and_their_score_on_the_page(study, owner):
    own = {"kind": "error-spans", "labels": "", "categories": "grammar\r\n\r\n style ", "points": ""}
    assert post(owner, study, block(0, **own, score="on")).status_code == 302
    (question,) = stored(study)
    assert (question["kind"], question["categories"], question["score"]) == ("error-spans", ["grammar", "style"], True)
    page = owner.get(reverse("study:procedure", args=[study.slug])).content.decode()
    assert "grammar\nstyle</textarea>" in page
    post(owner, study, block(0, **{**own, "labels": "bad\r\ngood"}))
    (question,) = stored(study)
    assert (question["score"], question["labels"]) == (False, [])
