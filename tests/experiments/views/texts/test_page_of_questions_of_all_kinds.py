"""The page of background questions: all kinds by fields, ready-made ones by a click, tables with all faults."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.table import TEMPLATE, written_questions
from experiments.study.lifecycle import save_questions
from experiments.views.texts.forms import initial_questions


def address(study):
    return reverse("study:questions", args=[study.slug])


def posted(questions):
    """Return what a browser sends for the page as it shows these questions."""
    data = {"questions-TOTAL_FORMS": str(len(questions)), "questions-INITIAL_FORMS": "0"}
    for number, cells in enumerate(initial_questions(questions)):
        for name, value in {**cells, "ORDER": number + 1}.items():
            if value is not False:
                data[f"questions-{number}-{name}"] = "on" if value is True else str(value)
    return data


def all_kinds():
    return [complete_question(question) for question in TEMPLATE]


def send_table(client, study, text, **data):
    file = SimpleUploadedFile("questions.csv", text.encode("utf-8"))
    return client.post(address(study), {"action": "table", "table": file, **data})


def test_questions_of_all_kinds_come_back_from_their_fields_as_they_were(draft, owner):
    answer = owner.post(address(draft), posted(all_kinds()))
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert draft.questions == all_kinds()


def test_the_page_shows_questions_of_all_kinds_without_json(draft, owner, researcher):
    save_questions(draft, all_kinds(), researcher)
    page = owner.get(address(draft)).content.decode()
    assert "hand is left" in page
    assert "- drifting: My thoughts are drifting." in page
    assert "{&#x27;" not in page


def test_a_condition_on_a_later_question_is_refused_where_it_stands(draft, owner):
    data = posted(all_kinds())
    data["questions-1-shown_if"] = "mood is at least 50"
    answer = owner.post(address(draft), data)
    assert answer.status_code == 422
    assert "no earlier question &#x27;mood&#x27;" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.questions == []


def test_what_a_kind_has_no_use_for_is_dropped_when_the_kind_changes(draft, owner):
    scale = complete_question(
        {"name": "tired", "label": "Tired?", "kind": "scale", "points": 7, "labels": ["no", "yes"]}
    )
    data = {**posted([scale]), "questions-0-kind": "text"}
    owner.post(address(draft), data)
    draft.refresh_from_db()
    assert draft.questions == [complete_question({"name": "tired", "label": "Tired?", "kind": "text"})]


@pytest.mark.parametrize(
    ("slug", "first"), [("language-background", "languages"), ("comprehension-check", "check_judgement")]
)
def test_a_ready_made_questionnaire_is_inserted_after_what_is_there(slug, first, draft, owner):
    mine = [complete_question({"name": "age", "label": "Age?", "kind": "number"})]
    owner.post(address(draft), {**posted(mine), "insert": slug})
    draft.refresh_from_db()
    assert [question["name"] for question in draft.questions][:2] == ["age", first]


def test_inserting_one_twice_says_that_its_names_are_taken(draft, owner):
    owner.post(address(draft), {**posted([]), "insert": "comprehension-check"})
    draft.refresh_from_db()
    answer = owner.post(address(draft), {**posted(draft.questions), "insert": "comprehension-check"}, follow=True)
    assert "another question has the same name" in answer.content.decode()
    draft.refresh_from_db()
    assert len(draft.questions) == 5


def test_the_template_is_a_table_that_can_be_read(draft, owner):
    text = owner.get(address(draft), {"table": "template"}).content.decode()
    assert send_table(owner, draft, text).status_code == 302
    draft.refresh_from_db()
    assert draft.questions == all_kinds()


def test_the_questions_of_a_study_can_be_downloaded_and_replace_others(draft, owner, researcher):
    save_questions(draft, all_kinds(), researcher)
    text = owner.get(address(draft), {"table": "questions"}).content.decode()
    assert text == written_questions(all_kinds())
    send_table(owner, draft, text, replace="on")
    draft.refresh_from_db()
    assert draft.questions == all_kinds()


def test_a_table_with_faults_names_them_all_and_stores_nothing(draft, owner):
    answer = send_table(owner, draft, "name,label,kind,requird\nAge,,number,\nb,?,chois,\n")
    assert answer.status_code == 422
    page = answer.content.decode()
    for part in (
        "Line 1, column &#x27;requird&#x27;",
        "Did you mean &#x27;required&#x27;?",
        "Line 2",
        "the label is empty",
        "Did you mean &#x27;choice&#x27;?",
    ):
        assert part in page, part
    draft.refresh_from_db()
    assert draft.questions == []


def test_nothing_is_read_where_no_file_was_chosen(draft, owner):
    answer = owner.post(address(draft), {"action": "table"})
    assert answer.status_code == 422
    assert "Choose a file first." in answer.content.decode()


def test_a_request_without_any_field_is_refused_in_words(draft, owner):
    answer = owner.post(reverse("study:questions", args=[draft.slug]), {})
    assert answer.status_code == 422
    assert "Nothing was saved" in answer.content.decode() or "ManagementForm" in answer.content.decode()
