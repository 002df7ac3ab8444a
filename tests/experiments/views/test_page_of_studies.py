"""The list of studies, which is the first page after logging in, and the steps of a study."""

import re

import pytest
from django.urls import reverse

from experiments.study.lifecycle import create_study, mark_looked_at, open_study, save_questions
from experiments.study.steps import next_step, study_steps

pytestmark = [pytest.mark.both, pytest.mark.slow]


def titles(answer):
    return [row.study.title for row in answer.context["rows"]]


@pytest.fixture
def several(researcher, db):
    for number in range(25):
        create_study(
            slug=f"study-{number}", title=f"Study {number:02}", paradigm="magnitude-estimation", user=researcher
        )


def test_the_first_page_of_the_admin_lists_the_studies_of_the_researcher(ready, client_of):
    assert titles(client_of("owner").get("/admin/")) == ["Causal sentences"]
    assert titles(client_of("stranger").get("/admin/")) == []
    assert titles(client_of("superuser").get(reverse("study:index"))) == ["Causal sentences"]


def test_without_studies_the_page_says_how_to_begin(client_of):
    page = client_of("stranger").get("/admin/").content.decode()
    assert "No studies yet" in page
    assert reverse("study:start") in page


def test_the_list_is_searched_sorted_and_paged_in_its_address(several, owner):
    index = reverse("study:index")
    assert titles(owner.get(index, {"sort": "title"}))[:2] == ["Study 00", "Study 01"]
    assert titles(owner.get(index, {"sort": "-title"}))[0] == "Study 24"
    assert len(titles(owner.get(index, {"sort": "title", "page": "2"}))) == 5
    assert titles(owner.get(index, {"q": "study 07"})) == ["Study 07"]
    assert titles(owner.get(index, {"status": "open"})) == []
    second = owner.get(index, {"sort": "title", "page": "2"})
    assert "sort=title" in second.context["table"].previous_url


@pytest.mark.parametrize("query", ["sort=owner__password", "sort=", "page=many", "page=-4", "status=lost", "sort=-"])
def test_an_address_that_makes_no_sense_shows_the_list_as_it_is(query, several, owner):
    answer = owner.get(f"{reverse('study:index')}?{query}")
    assert answer.status_code == 200
    assert len(titles(answer)) in (5, 20)


def test_each_study_says_what_is_missing_next(draft, owner):
    (row,) = owner.get("/admin/").context["rows"]
    assert row.next_step.slug == "materials"
    assert str(row.next_step.state.text) == "No materials yet"


def test_the_steps_of_a_study_that_lacks_nothing_lead_to_what_nobody_has_looked_at_and_then_to_opening(
    ready, researcher
):
    steps = study_steps(ready, researcher)
    states = {step.slug: step.state for step in steps}
    assert [states[slug].kind for slug in ("parts", "materials", "design", "texts", "open", "watch")] == [
        "done", "done", "standard", "standard", "missing", "waiting",
    ]  # fmt: skip
    assert next_step(steps).slug == "design"
    for key in [key for state in states.values() for key in state.standard]:
        mark_looked_at(ready, key, researcher)
    ready.refresh_from_db()
    steps = study_steps(ready, researcher)
    assert not [step for step in steps if step.state.kind == "standard"]
    assert next_step(steps).slug == "open"
    opened = open_study(ready, researcher)
    assert next_step(study_steps(opened, researcher)) is None


def test_the_overview_shows_the_latest_changes(ready, owner):
    page = owner.get(reverse("study:home", args=[ready.slug])).content.decode()
    assert "Materials stored" in page
    assert "Go to Design" in page


def test_every_page_marks_its_step(ready, owner):
    for slug in ("materials", "design", "procedure", "texts", "preview", "open"):
        answer = owner.get(reverse(f"study:{slug}", args=[ready.slug]))
        assert answer.context["current_step"].slug == slug
        assert 'aria-current="page"' in answer.content.decode()


def test_pages_of_parts_belong_to_the_first_step_of_every_study(ready, researcher, owner):
    save_questions(ready, [{"name": "age", "label": "How old are you?", "kind": "number"}], researcher)
    for page, further in (("parts", ()), ("part_questions", ("background",)), ("screening", ("background",))):
        answer = owner.get(reverse(f"study:{page}", args=[ready.slug, *further]))
        assert answer.context["current_step"] == answer.context["step_blocks"][0].steps[0]
        assert answer.context["current_step"].slug == "parts"
    assert "1 task · + add a task, questionnaire or page" in answer.content.decode()


def test_the_pages_work_under_the_content_security_policy(ready, owner):
    """No script and no handler stands in a page: the policy would refuse it. Data that a script reads are none."""
    for page in ("study:home", "study:materials", "study:procedure", "study:questions", "study:open", "watch:watch"):
        answer = owner.get(reverse(page, args=[ready.slug]))
        content = answer.content.decode()
        assert re.findall(r'<script(?![^>]*(?:\bsrc=|\btype="application/json"))[^>]*>', content) == []
        assert re.findall(r"\son(?:click|change|submit|load)=", content) == []
        policy = answer["Content-Security-Policy"]
        assert "script-src 'self' 'unsafe-eval'" in policy
        assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
