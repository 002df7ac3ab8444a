"""Schemathesis makes requests from the schema, right and wrong ones; every answer is one that the schema describes.

`Program` holds every answer against the schema, so a 5xx but 503 fails, and so does a body of another shape.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from analysis.models import AnalysisRun
from config.api import limits
from config.api.schema.document import document
from experiments.models import Study
from participants.hooks.managing import add_hook
from participants.models import Participant
from tests.api.conftest import Program
from tests.selection import EXHAUSTIVE

schema = schemathesis.openapi.from_dict(document())
# A database may refuse what another takes: nothing that is asked may end in an error on either.
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.both]


@schemathesis.serializer("application/zip")
def as_it_is(context: Any, value: Any) -> bytes:
    """Send a text as the bytes of an archive, which it is not: the schema cannot say what an archive holds."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@pytest.fixture
def there(study: Study, monkeypatch: Any) -> dict[str, str]:
    """Values of addresses with which something is there."""
    for throttle in (limits.ReadThrottle, limits.WriteThrottle, limits.FileThrottle):
        monkeypatch.setattr(throttle, "limit", 10**9)
    run = AnalysisRun.objects.create(study=study, method="rm-anova", params={}, status="failed", error="No.")
    pseudonym = Participant.objects.filter(study=study).first().pseudonym
    hook = add_hook(study, address="https://lab.example.org/lectern", kinds=["run.finished"], user=None)
    told = {"slug": "small-study", "pseudonym": pseudonym, "run": str(run.pk), "hook": str(hook.pk)}
    return {**told, "kind": "consent", "name": "trials.csv"}


@schema.parametrize()
@settings(
    max_examples=25 if EXHAUSTIVE else 3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.generate],
)
def test_every_answer_is_one_that_the_schema_describes(case: Any, there: dict[str, str], program: Program) -> None:
    for name in case.path_parameters or {}:
        case.path_parameters[name] = there.get(name, case.path_parameters[name])
    asked = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    body = asked.body if asked.body is not None else b""
    kind = str(asked.headers.get("Content-Type", ""))
    headers = {
        name: value
        for name in ("If-Match", "If-None-Match", "Idempotency-Key")
        if isinstance(value := asked.headers.get(name), str) and value.isprintable() and value.isascii()
    }
    path = str(asked.path_url).removeprefix("/api/v1/")
    program.ask(str(asked.method), path, body if isinstance(body, bytes) else body.encode(), kind, **headers)


def test_the_document_is_valid_openapi() -> None:
    """Schemathesis has read it; here are the rules that it does not hold."""
    names = [told["operationId"] for methods in document()["paths"].values() for told in methods.values()]
    assert len(names) == len(set(names)) > 60
    for path, methods in document()["paths"].items():
        for told in methods.values():
            assert told["summary"], path
            assert told["tags"], path
            assert {"401", "403", "429"} <= set(told["responses"]), path
            declared = {one["name"] for one in told["parameters"] if one["in"] == "path"}
            assert declared == set(re.findall(r"\{(\w+)\}", path)), path
            assert all(one.get("description") for one in told["parameters"]), path
