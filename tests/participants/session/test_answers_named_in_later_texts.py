"""Answers of the first questionnaires in later pages, questions and instructions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.models import Markup, Part, Study, StudyText
from experiments.paradigms.base import TrialPlan
from experiments.procedure.piping import filled_text, with_answers
from experiments.procedure.texts import blocks
from experiments.study.opening import opening_faults
from tests.participants.studies import Browser, open_study, result_for

PET = {"name": "pet", "label": "A pet?", "kind": "text", "required": False}
HAND = {"name": "hand", "label": "Hand?", "kind": "choice", "choices": ["left", "right"], "required": True}


def isolated(text: str) -> str:
    return f"\u2068{text}\u2069"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40), st.booleans())
def test_an_answer_is_text_whatever_it_holds_and_no_placeholder_is_ever_shown(answer: str, is_markdown: bool) -> None:
    markup = Markup.MARKDOWN if is_markdown else Markup.PLAIN
    pages = blocks("# {answer:pet|nothing}\n\nSo, {answer:pet|nothing}.\n\n- {answer:other|x}\n", markup)
    (plan,) = with_answers([TrialPlan("page", "pages", {"pages": pages})], lambda: {"pet": answer})
    (page,) = plan.params["pages"]
    assert [block["type"] for block in page] == ["heading", "paragraph", "list"]
    assert page[0]["text"] == isolated(answer)
    assert page[1]["text"] == f"So, {isolated(answer)}."
    assert page[2]["items"] == ["x"]
    if "spans" in page[1]:
        assert "".join(span["text"] for span in page[1]["spans"]) == page[1]["text"]


def test_choices_and_names_of_questions_are_not_touched() -> None:
    asked = {"name": "pet", "label": "Is it {answer:pet|it}?", "kind": "choice", "choices": ["{answer:pet|it}", "no"]}
    plan = TrialPlan("questions", "background-questions", {"title": "{answer:pet}", "questions": [asked]})
    ((filled),) = with_answers([plan], lambda: {"pet": "Rex"})
    assert filled.params["title"] == isolated("Rex")
    assert filled.params["questions"] == [{**asked, "label": f"Is it {isolated('Rex')}?"}]
    assert with_answers([plan], None)[0].params["title"] == "‹pet›"


def study_that_names(**fields: Any) -> Study:
    study = open_study("naming", questions=[PET, HAND])
    Part.objects.filter(study=study, kind="task").update(position=3)
    texts: dict[str, Any] = {"body": "You said {answer:hand}, and {answer:pet|no pet}.", **fields}
    Part.objects.create(study=study, name="said", kind="page", position=1, **texts)
    questions = [{"name": "sure", "label": "Is {answer:pet|it} well?", "kind": "statement"}]
    Part.objects.create(study=study, name="more", kind="questionnaire", position=2, questions=questions)
    StudyText.objects.filter(study=study, kind="instructions").update(body="Use your {answer:hand} hand.")
    return Study.objects.get(pk=study.pk)


@pytest.mark.django_db
def test_what_was_answered_stands_in_the_page_the_question_and_the_instructions_after_it() -> None:
    study = study_that_names()
    for seed, (pet, said, well) in enumerate(
        [(" Rex <b> ", isolated("Rex <b>"), isolated("Rex <b>")), (None, "no pet", "it")]
    ):
        browser = Browser(study, seed=seed)
        assert browser.start().status_code == 201
        browser.open()
        [asked] = browser.trials
        assert asked["part"] == "background"
        browser.send({**result_for(asked), "payload": {"answers": {"pet": pet, "hand": "left"}}})
        trials = browser.post("session/advance/", {}).json()["trials"]
        of_part = {trial["part"]: trial for trial in reversed(trials)}
        assert of_part["said"]["params"]["pages"][0][0]["text"] == f"You said {isolated('left')}, and {said}."
        assert of_part["more"]["params"]["questions"][0]["label"] == f"Is {well} well?"
        assert of_part["task"]["params"]["pages"][0][0]["text"] == f"Use your {isolated('left')} hand."
        assert "{answer" not in str(trials)
        # Whoever comes back sees the same.
        assert browser.open().json()["trials"][1:] == trials


@pytest.mark.django_db
def test_instructions_alone_make_the_session_wait_for_the_answers() -> None:
    study = open_study("instructed", questions=[HAND])
    StudyText.objects.filter(study=study, kind="instructions").update(body="Use your {answer:hand} hand.")
    browser = Browser(Study.objects.get(pk=study.pk))
    browser.start()
    browser.open()
    assert [trial["part"] for trial in browser.trials] == ["background"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("{answer:pets|x}", "{answer:pets} does not name a question"),
        ("{answer:pet}", "'pet' may have no answer"),
        ("{answer:sure|x}", "{answer:sure} names an answer that does not exist yet"),
        ("{answer:pet|*a*", "is not complete"),
    ],
)
def test_what_cannot_be_named_is_said_before_opening(body: str, said: str) -> None:
    faults = [str(fault) for fault in opening_faults(study_that_names(body=body))]
    assert any(fault.startswith("Part 'said': ") and said in fault for fault in faults), faults
    assert not any("Part 'more'" in str(fault) or "Instructions" in fault for fault in faults)


@pytest.mark.django_db
def test_a_text_before_or_after_the_session_names_no_answer() -> None:
    study = study_that_names()
    StudyText.objects.filter(study=study, kind="debriefing").update(body="Bye, {answer:pet|you}.")
    faults = [str(fault) for fault in opening_faults(Study.objects.get(pk=study.pk))]
    assert any("A text outside the session names an answer." in fault for fault in faults)
    assert filled_text("{answer:pet}", {}) == ""
