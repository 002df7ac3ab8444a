"""Every address of the URL conf, asked by everybody: who is let in, and who is not. A new address needs a row here.

`test_access_matrix` says exactly what participants' addresses answer; here are all, with one question each: is somebody
let in or turned away (to the log-in, 403, 404, 405)?
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from analysis.models import AnalysisRun
from experiments.models import AuditEntry, Item, Membership, StimulusList, Study
from participants.models import Response, Session, SessionCode, Trial
from tests.participants.studies import Browser, open_study

# Whoever stands further right may do what those on the left may.
ROLES = ("anonymous", "other participant", "participant", "other researcher", "viewer", "owner", "superuser")
EVERYBODY, NOBODY = "anonymous", "nobody"


def addresses(resolver: Any = None, route: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Return (name, route) of every address that the platform has."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            within = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern, route + str(pattern.pattern), within)
        elif isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name or route + str(pattern.pattern)}", route + str(pattern.pattern)


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


@pytest.fixture
def clients(study: Study, django_user_model: Any) -> dict[str, Client]:
    participant = Browser(study, seed=1)
    participant.start()
    participant.open()
    participant.send(participant.result(0))
    stranger = Browser(open_study("another-study"), seed=2)
    stranger.start()
    made = {"anonymous": Client(), "participant": participant.client, "other participant": stranger.client}
    for role in ("other researcher", "viewer", "owner", "superuser"):
        user = django_user_model.objects.create_user(role, is_staff=True, is_superuser=role == "superuser")
        made[role] = Client()
        made[role].force_login(user)
        if role == "viewer":
            Membership.objects.create(study=study, user=user, role="viewer")
        if role == "owner":
            Study.objects.filter(pk=study.pk).update(owner=user)
    SessionCode.objects.create(
        study=study, code="S2S2S2", release_code="R2L2S2", session=Session.objects.get(study=study)
    )
    AuditEntry.objects.create(study=study, study_slug=study.slug, action="changed")
    AnalysisRun.objects.create(study=study, method="rm-anova", params={}, data_hash="0", code_version="1")
    return made


def filled(route: str, study: Study) -> str:
    """Return the address of a route, about things of this study that are there."""
    session = Session.objects.get(study=study)
    of_model = {
        "study": study, "auditentry": AuditEntry.objects.get(study=study, action="changed"), "user": study.owner,
        "participant": session.participant, "session": session, "trial": Trial.objects.filter(session=session).first(),
        "response": Response.objects.get(trial__session=session), "analysisrun": AnalysisRun.objects.get(study=study),
    }  # fmt: skip
    values = {
        "slug": study.slug, "item_id": Item.objects.filter(study=study).first(),
        "list_id": StimulusList.objects.filter(study=study).first(), "kind": "consent", "action": "close",
        "user_id": study.memberships.get().user, "code_id": SessionCode.objects.get(),
        "pseudonym": session.participant.pseudonym, "position": 0, "number": 1, "index": 0, "method": "rm-anova",
        "run_id": of_model["analysisrun"], "name": "trials.csv", "content_type_id": 1,
    }  # fmt: skip
    named = re.search(r"^admin/\w+/(\w+)/", route)
    about = of_model.get(named[1] if named else "")
    values |= {"object_id": about, "id": about}

    def value(found: re.Match[str]) -> str:
        given = values.get(found[1])
        return str(getattr(given, "pk", given) or 0)

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


def is_let_in(answer: Any) -> bool:
    """Return whether somebody got further than the door."""
    if answer.status_code in {301, 302}:
        return not answer.headers["Location"].startswith("/admin/login/")
    return answer.status_code not in {401, 403, 404, 405}
