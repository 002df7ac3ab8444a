"""Programs that may only change drafts say so, and have a draft gone through without a trace."""

from __future__ import annotations

import pytest
from django.apps import apps

from experiments.models import Study
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "method", "body"),
    [
        ("", "PATCH", {"tags": "changed"}),
        ("settings/", "PATCH", {"procedure": {"completion_code": "X"}}),
        ("texts/debriefing/", "PUT", {"body": "Thank you."}),
        ("quota/", "PUT", {"quota": 5}),
    ],
)
def test_a_change_that_is_for_drafts_alone_changes_no_open_study(
    program: Program, study: Study, path: str, method: str, body: dict[str, object]
) -> None:
    address = f"studies/{study.slug}/{path}"
    before = program.get(address)
    refused = program.ask(method, address, body, If_Match=before["ETag"], Lectern_If_Status="draft")
    assert (refused.status_code, refused.json()["code"]) == (412, "precondition-failed")
    assert program.get(address)["ETag"] == before["ETag"]
    done = program.ask(method, address, body, If_Match=before["ETag"], Lectern_If_Status="open")
    assert done.status_code == 200
    assert program.get(address)["ETag"] != before["ETag"]


def test_a_preview_of_an_open_study_counts_nobody(program: Program, study: Study) -> None:
    before = {model: model._default_manager.count() for model in apps.get_models()}
    answer = program.post(f"studies/{study.slug}/simulate/preview/", {"participants": 2, "seed": 5})
    assert answer.status_code == 200
    assert answer.json()["flow"]["finished"] == 2
    assert answer.json()["refused"] == []
    assert before == {model: model._default_manager.count() for model in apps.get_models()}


def test_a_preview_without_materials_says_what_is_missing(program: Program) -> None:
    program.post("studies/", {"slug": "bare", "title": "Bare", "paradigm": "rating"})
    answer = program.post("studies/bare/simulate/preview/")
    assert answer.status_code == 409
    assert "no materials yet" in answer.json()["detail"]


@pytest.mark.parametrize("participants", [0, 21, "4", True])
def test_a_preview_is_bounded(program: Program, study: Study, participants: object) -> None:
    answer = program.post(f"studies/{study.slug}/simulate/preview/", {"participants": participants})
    assert answer.status_code == 422
