"""Who may do what: every endpoint, asked by everybody."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from experiments.models import Membership, Part, Study
from participants import urls
from participants.models import Participant, Response, Session, SessionCode, Trial
from tests.media_files import store_picture
from tests.participants.studies import Browser, open_study, result_for

pytestmark = pytest.mark.both

WHO = ("anonymous", "other participant", "participant", "other researcher", "viewer", "owner")

# What each may get: allowed is any of 200, 201, 204; otherwise the status.
OPEN_TO_ALL = dict.fromkeys(WHO, "ok")
WITH_A_SESSION = {**dict.fromkeys(WHO, 404), "participant": "ok"}
# Whoever has no session is led to the landing page.
RUN_PAGE = {**dict.fromkeys(WHO, 302), "participant": "ok"}
FOR_RESEARCHERS = {**dict.fromkeys(WHO, 404), "viewer": "ok", "owner": "ok"}
PREVIEW_PAGE = {
    **FOR_RESEARCHERS, "anonymous": 302, "other participant": 302, "participant": 302,
}  # fmt: skip

MATRIX: dict[str, tuple[str, dict[str, Any]]] = {
    "home": ("get", OPEN_TO_ALL),
    "healthz": ("get", OPEN_TO_ALL),
    "readyz": ("get", OPEN_TO_ALL),
    "landing": ("get", OPEN_TO_ALL),
    "run": ("get", RUN_PAGE),
    "preview": ("get", PREVIEW_PAGE),
    "reading": ("get", PREVIEW_PAGE),
    # For whoever has a link that holds, `test_previews_without_an_account` says more.
    "preview-link": ("get", dict.fromkeys(WHO, 404)),
    # Of an open study; of others `test_who_may_load_pictures_and_sounds` says more.
    "media": ("get", OPEN_TO_ALL),
    # Of an installed module everybody gets the content that its address names; of anything else nobody.
    "plugin-module": ("get", dict.fromkeys(WHO, 404)),
    "withdraw": ("get", OPEN_TO_ALL),
    "continue": ("get", OPEN_TO_ALL),
    "api-study": ("get", OPEN_TO_ALL),
    "api-start": ("post", OPEN_TO_ALL),
    "api-recover": ("post", OPEN_TO_ALL),
    # With the resume code, as here, for everybody; what one may know less, `test_an_id_opens_nothing` says.
    "api-resume": ("post", OPEN_TO_ALL),
    "api-open": ("post", WITH_A_SESSION),
    "api-results": ("post", WITH_A_SESSION),
    "api-check": ("post", WITH_A_SESSION),
    "api-advance": ("post", WITH_A_SESSION),
    "api-pause": ("get", WITH_A_SESSION),
    "api-release": ("post", WITH_A_SESSION),
    "api-complete": ("post", WITH_A_SESSION),
    "api-errors": ("post", OPEN_TO_ALL),
    "api-withdraw": ("post", OPEN_TO_ALL),
    "api-preview": ("get", FOR_RESEARCHERS),
    "api-validate": ("post", FOR_RESEARCHERS),
    "api-preview-check": ("post", FOR_RESEARCHERS),
}


@pytest.fixture
def clients(study: Study, django_user_model: Any) -> dict[str, Client]:
    """One client for everybody; the participant has answered one trial."""
    participant = Browser(study, seed=1)
    participant.start()
    participant.open()
    participant.send(participant.result(0))
    stranger = Browser(open_study("another-study"), seed=2)
    stranger.start()
    made = {"anonymous": Client(), "participant": participant.client, "other participant": stranger.client}
    for name in ("other researcher", "viewer", "owner"):
        user = django_user_model.objects.create_user(name, is_staff=True)
        made[name] = Client()
        made[name].force_login(user)
        if name == "viewer":
            Membership.objects.create(study=study, user=user, role="viewer")
        if name == "owner":
            Study.objects.filter(pk=study.pk).update(owner=user)
    return made


WITH_FEEDBACK = {"feedback": True, "problems": [{"a": 71, "operator": "−", "b": 18}]}


def body_for(endpoint: str, study: Study) -> dict[str, Any]:
    trial = {"position": 1, "plugin": "magnitude-estimation", "params": {"kind": "modulus", "allow_zero": False}}
    result = result_for(trial)
    bodies: dict[str, dict[str, Any]] = {
        "api-start": {"start_key": "a-start-key-of-a-new-person", "consent": {"version": 1, "required": [True, True]}},
        "api-recover": {"start_key": Browser(study, seed=1).start_key},
        "api-resume": {"resume_code": Session.objects.get(study=study).resume_code},
        "api-open": {"tab": "tab-1"},
        "api-results": {"tab": "tab-1", "entries": [result]},
        "api-errors": {"message": "TypeError"},
        "api-withdraw": {"withdrawal_code": Participant.objects.get(study=study).withdrawal_code},
        "api-release": {"release_code": "R2L2S2"},
        "api-check": {"position": 1, "problem": 0, "answer": 53},
        "api-preview-check": {"params": WITH_FEEDBACK, "problem": 0, "answer": 53},
        "api-validate": {"plugin": trial["plugin"], "params": trial["params"], "payload": result["payload"]},
    }
    return bodies.get(endpoint, {})


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("endpoint", MATRIX)
def test_everybody_gets_what_they_may_and_no_more(
    clients: dict[str, Client], study: Study, endpoint: str, who: str
) -> None:
    method, allowed = MATRIX[endpoint]
    if endpoint.endswith("-check"):
        Part.objects.filter(study=study, kind="task").update(paradigm="sentence-recall")
        Trial.objects.filter(position=1).update(params=WITH_FEEDBACK)
    if endpoint == "api-release":
        own = Session.objects.get(study=study)
        SessionCode.objects.create(  # type: ignore[misc]  # the codes are properties, which seal them
            study=study, code="S2S2S2", release_code="R2L2S2", session=own
        )
    route = next(str(pattern.pattern) for pattern in urls.urlpatterns if pattern.name == endpoint)
    address = "/" + route.replace("<slug:slug>", study.slug).replace("<str:digest>", "0" * 64).replace(
        "<str:token>", "0" * 32
    )
    if endpoint == "media":
        address = store_picture(study)
    ask: Callable[..., Any] = getattr(clients[who], method)
    answers_before = Response.objects.count()
    if method == "post":
        answer = ask(address, json.dumps(body_for(endpoint, study)), content_type="application/json")
    else:
        answer = ask(address)
    if allowed[who] == "ok":
        assert answer.status_code in {200, 201, 204}, answer.content
    else:
        assert answer.status_code == allowed[who], answer.content
        assert Response.objects.count() == answers_before


def test_the_matrix_names_every_address() -> None:
    assert {pattern.name for pattern in urls.urlpatterns} == set(MATRIX)
    assert get_resolver().namespace_dict["participants"]


def test_a_researcher_is_no_participant(clients: dict[str, Client], study: Study) -> None:
    answer = clients["owner"].post(
        f"/api/studies/{study.slug}/session/results/", '{"tab": "a", "entries": []}', content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "no-session")


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
@pytest.mark.parametrize("endpoint", [name for name in MATRIX if name.startswith("api-")])
def test_no_endpoint_knows_other_methods(study: Study, client: Client, endpoint: str, method: str) -> None:
    route = next(str(pattern.pattern) for pattern in urls.urlpatterns if pattern.name == endpoint)
    answer = getattr(client, method)("/" + route.replace("<slug:slug>", study.slug))
    assert answer.status_code in {404, 405}
    assert set(answer.json()) == {"code", "message"}


def test_too_many_codes_in_a_minute_are_stopped(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    from participants.limits.throttling import WithdrawalThrottle

    monkeypatch.setattr(WithdrawalThrottle, "limit", 3)
    now = time.time()
    # Tries are counted by the minute; all of these fall into one.
    monkeypatch.setattr("participants.limits.throttling.time.time", lambda: now)
    browser = Browser(study)
    statuses = [browser.post("withdraw/", {"withdrawal_code": f"GUESS-{n}"}).status_code for n in range(5)]
    assert statuses == [404, 404, 404, 429, 429]
    page = browser.client.post(f"/s/{study.slug}/withdraw/", {"withdrawal_code": "GUESS"})
    assert page.status_code == 429


def test_no_address_of_a_visitor_is_stored(study: Study) -> None:
    from django.apps import apps

    browser = Browser(study)
    browser.client.defaults["REMOTE_ADDR"] = "203.0.113.77"
    browser.client.defaults["HTTP_X_FORWARDED_FOR"] = "203.0.113.78"
    browser.answer_all()
    browser.post("session/errors/", {"message": "x"})
    stored = str([list(model._default_manager.values_list()) for model in apps.get_models()])
    assert "203.0.113" not in stored
