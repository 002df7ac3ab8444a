"""A finished report of `perturb` becomes a draft of a rating study: over HTTP, with the rights of the study."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.exports.reports import report_json
from analysis.methods.overlap.method import METHOD as OVERLAP
from analysis.methods.overlap.method import example as overlap_example
from analysis.methods.perturb.method import METHOD as PERTURB
from analysis.methods.perturb.method import example
from analysis.methods.registry import run as run_method
from analysis.models import AnalysisRun
from experiments.materials import design_of
from experiments.models import AuditEntry, Membership, Study
from experiments.study.opening import design_faults
from tests.analysis.studies import make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def person(name: str) -> Any:
    return get_user_model().objects.create_user(name, is_staff=True)


@pytest.fixture
def study() -> Study:
    return make_study(owner=person("owner"))


def finished(study: Study, *, frame: Any = None, **parameters: Any) -> AnalysisRun:
    """Return a finished run of `perturb`; the method itself has its own tests."""
    texts, usual = example()
    report = run_method(PERTURB, texts if frame is None else frame, {**usual, **parameters})
    return AnalysisRun.objects.create(
        study=study,
        method="perturb",
        params={},
        table="trials",
        status=AnalysisRun.Status.DONE,
        report=report_json(report),
        created_by=study.owner,
    )


@pytest.fixture
def run(study: Study) -> AnalysisRun:
    return finished(study)


def address(run: AnalysisRun) -> str:
    return reverse("analysis:rating_study", args=[run.study.slug, run.pk])


def given(**changes: Any) -> dict[str, Any]:
    return {
        "slug": "arbitration",
        "title": "How good are these texts?",
        "language": "en",
        "systems": ["writer"],
        "edits": ["random-period", "replace-longest"],
        "items": 3,
        **changes,
    }


def test_the_page_of_the_run_leads_to_the_form_and_the_form_to_a_draft(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    assert address(run) in client.get(reverse("analysis:run", args=[run.study.slug, run.pk])).content.decode()
    page = client.get(address(run)).content.decode()
    assert "without knowing which is which" in page
    assert not Study.objects.filter(parts__paradigm="rating").exists(), "looking makes nothing"

    answer = client.post(address(run), given(), follow=True)
    assert answer.redirect_chain == [(reverse("study:home", args=["arbitration"]), 302)]
    assert "The rating study is a draft" in answer.content.decode()
    draft = Study.objects.get(slug="arbitration")
    assert (draft.paradigm, draft.status, draft.owner) == ("rating", Study.Status.DRAFT, run.study.owner)
    assert draft.factors == [{"name": "edit", "levels": ["none", "random-period", "replace-longest"]}]
    assert design_faults(draft) == []


def test_a_second_draft_is_offered_another_address(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    assert 'value="causes-rated"' in client.get(address(run)).content.decode()
    client.post(address(run), given(slug="causes-rated"))
    assert 'value="causes-rated-2"' in client.get(address(run)).content.decode()


def test_the_draft_holds_the_texts_of_the_report_with_their_sources(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    client.post(address(run), given(edits=["replace-longest"], items=4))
    design = design_of(Study.objects.get(slug="arbitration"))
    assert [item.code for item in design.items] == ["S1", "S2", "S3", "S4"]
    first = [stimulus.text for stimulus in design.items[0].stimuli]
    assert first == [
        "The committee will meet again to discuss the proposal.",
        "The the will meet again to discuss the proposal.",
    ]
    assert design.items[0].stimuli[0].extra["context"].startswith("The committee will subsequently reconvene")
    assert len(design.lists) == 2


def test_several_systems_make_a_second_factor(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    client.post(address(run), given(systems=["copy", "writer"], edits=["random-the"], items=4))
    draft = Study.objects.get(slug="arbitration")
    assert [factor["name"] for factor in draft.factors] == ["system", "edit"]
    assert draft.conditions.count() == 4


def test_the_questions_follow_the_language_and_the_source(client: Any, study: Study) -> None:
    texts, _ = example()
    bare = finished(study, frame=texts[["item", "system", "text"]], references="", repetitions=1)
    client.force_login(study.owner)
    client.post(address(bare), given(language="de"))
    questions = Study.objects.get(slug="arbitration").settings["questions"]
    assert [question["name"] for question in questions] == ["fluency", "simplicity"]
    assert "flüssig" in questions[0]["text"]


def test_only_who_may_change_the_study_may_make_one(client: Any, run: AnalysisRun) -> None:
    viewer, editor, stranger = person("viewer"), person("editor"), person("stranger")
    Membership.objects.create(study=run.study, user=viewer, role=Membership.Role.VIEWER)
    Membership.objects.create(study=run.study, user=editor, role=Membership.Role.EDITOR)
    assert client.get(address(run)).status_code == 302
    for user, expected in ((stranger, 404), (viewer, 403)):
        client.force_login(user)
        assert client.get(address(run)).status_code == expected
        assert client.post(address(run), given()).status_code == expected
    client.force_login(viewer)
    assert address(run) not in client.get(reverse("analysis:run", args=[run.study.slug, run.pk])).content.decode()
    assert not Study.objects.filter(slug="arbitration").exists()
    client.force_login(editor)
    assert client.post(address(run), given()).status_code == 302
    assert Study.objects.get(slug="arbitration").owner == editor


def test_both_studies_record_it(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    client.post(address(run), given())
    assert AuditEntry.objects.filter(
        study=run.study, action="rating study made", detail__contains="arbitration"
    ).exists()
    created = AuditEntry.objects.get(study__slug="arbitration", action="created")
    assert f"analysis {run.pk} of {run.study.slug}" in created.detail


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"slug": "causes"}, "A study with this address already exists"),
        ({"slug": "Not Fine"}, "lower-case letters"),
        ({"items": 5}, "4 items have all these versions"),
        ({"items": 0}, "greater than or equal to 1"),
        ({"systems": []}, "This field is required"),
        ({"systems": ["nobody"]}, "not one of the available choices"),
        ({"edits": []}, "This field is required"),
    ],
)
def test_what_does_not_fit_is_said_and_makes_nothing(
    client: Any, run: AnalysisRun, changes: dict[str, Any], words: str
) -> None:
    client.force_login(run.study.owner)
    answer = client.post(address(run), given(**changes))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Study.objects.filter(parts__paradigm="rating").exists()


def test_too_many_conditions_are_refused_with_the_reason(client: Any, study: Study) -> None:
    texts, _ = example()
    many = texts.assign(system=[f"system {number}" for number in range(len(texts))], item="S1")
    run = finished(study, frame=many, repetitions=1)
    client.force_login(study.owner)
    every = [f"system {number}" for number in range(12)]
    edits = ["random-period", "random-the", "replace-longest", "replace-rand-period", "replace-rand-the"]
    answer = client.post(address(run), given(systems=every, edits=edits, items=1))
    assert answer.status_code == 422
    assert "condition" in answer.content.decode()
    assert not Study.objects.filter(parts__paradigm="rating").exists()


def test_reports_without_texts_have_no_such_page(client: Any, study: Study) -> None:
    texts, _ = example()
    empty = finished(study, frame=texts.assign(text="Rain."), repetitions=1)
    client.force_login(study.owner)
    assert client.get(address(empty)).status_code == 404
    assert address(empty) not in client.get(reverse("analysis:run", args=[study.slug, empty.pk])).content.decode()


def test_a_run_of_another_method_or_study_has_no_such_page(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    other = make_study("other", owner=run.study.owner)
    assert client.get(reverse("analysis:rating_study", args=[other.slug, run.pk])).status_code == 404
    texts, usual = overlap_example()
    report = run_method(OVERLAP, texts, usual)
    AnalysisRun.objects.filter(pk=run.pk).update(method="overlap", report=report_json(report))
    assert client.get(address(run)).status_code == 404


def test_the_draft_can_be_a_study_of_magnitude_estimation(client: Any, run: AnalysisRun) -> None:
    client.force_login(run.study.owner)
    assert "by magnitude estimation" in client.get(address(run)).content.decode()
    answer = client.post(address(run), given(paradigm="magnitude-estimation", edits=["replace-longest"], items=4))
    assert answer.status_code == 302, re.findall("errorlist.*?</ul>", answer.content.decode())
    draft = Study.objects.get(slug="arbitration")
    assert draft.paradigm == "magnitude-estimation"
    assert draft.settings["modulus_text"], "a text as it was"
    assert [factor["name"] for factor in draft.factors] == ["edit"]
    design = design_of(draft)
    assert len(design.items) == 4
    assert "context" not in design.items[0].stimuli[0].extra
    assert not any(fault.step in ("materials", "design") for fault in design_faults(draft))
