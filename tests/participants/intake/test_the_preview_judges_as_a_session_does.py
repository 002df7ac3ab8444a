"""What the preview says of an answer is what a session would store of it, or the sentence of its refusal."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.paradigms.base import Paradigm, TrialPlan
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study_files import create_from_toml
from experiments.study_files.examples import example_studies
from participants.intake.entries import entry_faults

SEED = 5
WITH_EXAMPLE = [
    paradigm for paradigm in PARADIGMS if any(example.paradigm == paradigm.slug for example in example_studies())
]


def example_of(paradigm: Paradigm, owner: User) -> Study:
    path = next(example.path for example in example_studies() if example.paradigm == paradigm.slug)
    return create_from_toml(path, user=owner, owner=owner)


def address(study: Study, rest: str = "") -> str:
    return f"/api/studies/{study.slug}/preview/{rest}"


def answered(study: Study, client: Client, number: int = 0) -> tuple[TrialPlan, dict[str, Any]]:
    """Return a trial of the paradigm's own plugin as planned, and what the preview sends about its answer."""
    paradigm = paradigm_named(study.paradigm)
    shown = client.get(address(study, f"?seed={SEED}")).json()
    plans = plan_session(study_snapshot(study, study.lists.get(pk=shown["list"])), seed=shown["seed"])
    own = [position for position, plan in enumerate(plans) if plan.plugin == paradigm.slug and plan.phase == "main"]
    # Where some texts have a question about them, one of those: which answer is right is private.
    position = next((position for position in own if plans[position].private), own[number])
    plan = plans[position]
    mind = paradigm.virtual_participant(random.Random(1), study_snapshot(study, None).settings)
    sent: list[tuple[str, Any]] = []
    for before in plans[: position + 1]:
        params = {**before.params, **before.private}
        payload = mind.respond(before.plugin, params, levels={}, item="", carried=paradigm.carried(sent))
        sent.append((before.plugin, payload))
    body = {
        "plugin": plan.plugin,
        "params": shown["trials"][position]["params"],
        "payload": payload,
        "rt_ms": 900.0,
        "onset_ms": 10.0,
        "clock": "none",
        "list": shown["list"],
        "seed": shown["seed"],
        "position": position,
    }
    return plan, body


def judged(study: Study, client: Client, body: dict[str, Any]) -> Any:
    return client.post(address(study, "validate/"), body, content_type="application/json")


@pytest.mark.parametrize("paradigm", WITH_EXAMPLE, ids=lambda paradigm: paradigm.slug)
def test_the_preview_shows_the_measures_that_a_session_would_have(
    paradigm: Paradigm, client: Client, admin_user: User
) -> None:
    study = example_of(paradigm, admin_user)
    client.force_login(admin_user)
    plan, body = answered(study, client)
    expected = paradigm.measure({**plan.params, **plan.private}, body["payload"], [])
    answer = judged(study, client, body).json()
    assert answer["errors"] == []
    assert answer["measures"] == {**expected, "rt_ms": 900.0}


def test_an_answer_to_a_question_about_a_text_is_called_right_or_wrong(client: Client, admin_user: User) -> None:
    study = example_of(paradigm_named("self-paced-reading"), admin_user)
    client.force_login(admin_user)
    plan, body = answered(study, client)
    assert plan.private
    assert judged(study, client, body).json()["measures"]["question_correct"] in (True, False)
    # A browser that does not say which trial it is about cannot be told.
    unnamed = {**body, "position": None}
    assert judged(study, client, unnamed).json()["measures"]["question_correct"] is None


def test_events_that_came_with_the_answer_are_measured(client: Client, admin_user: User) -> None:
    study = example_of(paradigm_named("mouse-contingent-reading"), admin_user)
    client.force_login(admin_user)
    _plan, body = answered(study, client)
    path = {"type": "path", "at": 100, "x": 5, "y": 5, "steps": [50, 0, 20]}
    without = judged(study, client, body).json()["measures"]
    with_path = judged(study, client, {**body, "events": [[path]]}).json()["measures"]
    assert without["path_agrees"] is None
    # A path of two points is not the one of these visits.
    assert with_path["path_agrees"] is False


def test_what_a_session_would_refuse_is_refused_in_the_same_words(client: Client, admin_user: User) -> None:
    study = example_of(paradigm_named("self-paced-reading"), admin_user)
    client.force_login(admin_user)
    _plan, body = answered(study, client)
    body["clock"] = "sundial"
    entry = {
        "kind": "result", "sequence": body["position"], "payload": body["payload"], "rt_ms": 900.0, "onset_ms": 10.0,
        "clock": "sundial", "onset_error_ms": None, "interrupted": False, "attempts": 1, "focus_losses": 0,
        "event_batches": 0,
    }  # fmt: skip
    answer = judged(study, client, body).json()
    assert (answer["valid"], answer["measures"]) == (False, {})
    assert answer["errors"] == entry_faults(entry) != []


def test_a_study_that_changed_meanwhile_asks_for_the_page_again(client: Client, admin_user: User) -> None:
    study = example_of(paradigm_named("self-paced-reading"), admin_user)
    client.force_login(admin_user)
    _plan, body = answered(study, client)
    answer = judged(study, client, {**body, "position": body["position"] + 1})
    assert answer.status_code == 409
    assert "load the page again" in answer.json()["message"]
