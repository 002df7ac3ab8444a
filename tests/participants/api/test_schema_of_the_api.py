"""The schema is complete: a client can be written from it alone, and every real answer keeps to it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml
from django.test import Client

from experiments.models import Study
from experiments.paradigms import paradigm_named
from participants import urls
from participants.api.examples import BATCH_EXAMPLES, START_EXAMPLES
from tests.participants.studies import Browser, open_study


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(Client().get("/api/schema/").content)
    return made


class Checker:
    """Checks answers against the schema, by address and method."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.seen: set[tuple[str, str, str]] = set()

    def check(self, path: str, method: str, answer: Any) -> None:
        operation = self.schema["paths"][f"/api/studies/{{slug}}/{path}"][method]
        status = str(answer.status_code)
        assert status in operation["responses"], f"{method} {path} answers {status}, which the schema does not know"
        self.seen.add((path, method, status))
        described = operation["responses"][status].get("content")
        if described is None:
            assert answer.content == b""
            return
        self.validate(described["application/json"]["schema"], answer.json())

    def validate(self, part: dict[str, Any], value: Any) -> None:
        resolved = closed({**part, "components": self.schema["components"]})
        jsonschema.Draft202012Validator(resolved).validate(value)


def closed(node: Any) -> Any:
    """Return the schema with objects closed, so that an undocumented field is found, and OpenAPI 3.0 nulls as types."""
    if isinstance(node, list):
        return [closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    made = {name: closed(part) for name, part in node.items()}
    if made.get("type") == "object" and "properties" in made:
        made.setdefault("additionalProperties", False)
    if made.pop("nullable", False):
        return {"anyOf": [made, {"type": "null"}]}
    return made


@pytest.fixture
def checker(schema: dict[str, Any]) -> Checker:
    return Checker(schema)


def test_every_address_of_the_api_is_described(schema: dict[str, Any]) -> None:
    routes = {
        "/" + str(pattern.pattern).replace("<slug:slug>", "{slug}")
        for pattern in urls.urlpatterns
        if str(pattern.name).startswith("api-")
    }
    assert routes == {path for path in schema["paths"] if path.startswith("/api/studies/")}
    for path in routes:
        for operation in schema["paths"][path].values():
            assert operation["summary"]
            assert "404" in operation["responses"]


def test_real_answers_keep_to_the_schema(study: Study, checker: Checker) -> None:
    browser = Browser(study, recruitment={"PROLIFIC_PID": "p1"})
    checker.check("", "get", browser.client.get("/api/studies/small-study/"))
    checker.check("session/open/", "post", browser.open())
    checker.check("session/results/", "post", browser.send())
    checker.check("session/complete/", "post", browser.complete())
    checker.check("sessions/", "post", browser.start(consent={}))
    checker.check("sessions/", "post", browser.start(consent={"version": 9, "required": []}))
    checker.check("sessions/", "post", browser.start(simulated=True))
    checker.check("sessions/", "post", browser.start())
    checker.check("sessions/", "post", browser.start())
    checker.check("session/recover/", "post", browser.post("session/recover/", {"start_key": browser.start_key}))
    checker.check("session/recover/", "post", browser.post("session/recover/", {"start_key": "nobody-started-so"}))
    checker.check("session/open/", "post", browser.open(tab=""))
    checker.check("session/open/", "post", browser.open())
    checker.check("session/open/", "post", browser.open(tab="other"))
    checker.check("session/results/", "post", browser.send(browser.result(0), {"kind": "opened", "sequence": 1}))
    checker.check("session/results/", "post", browser.send({"kind": "events", "sequence": 0, "batch": 0, "events": []}))
    checker.check("session/results/", "post", browser.send(browser.result(0, rt_ms=1)))
    checker.check("session/results/", "post", browser.send({"kind": "x"}))
    checker.check("session/results/", "post", browser.post("session/results/", []))
    checker.check("session/check/", "post", browser.post("session/check/", {"position": 0, "problem": 0, "answer": 1}))
    checker.check("session/check/", "post", browser.post("session/check/", {}))
    checker.check("session/complete/", "post", browser.complete())
    browser.send(*[browser.result(trial["position"]) for trial in browser.trials[1:]])
    checker.check("session/complete/", "post", browser.complete())
    checker.check("session/errors/", "post", browser.post("session/errors/", {"message": "x"}))
    checker.check("session/errors/", "post", browser.post("session/errors/", {}))
    code = browser.complete().json()["withdrawal_code"]
    checker.check("withdraw/", "post", browser.post("withdraw/", {"withdrawal_code": "nobody"}))
    checker.check("withdraw/", "post", browser.post("withdraw/", {}))
    checker.check("withdraw/", "post", browser.post("withdraw/", {"withdrawal_code": code}))
    checker.check("withdraw/", "post", browser.post("withdraw/", {"withdrawal_code": code, "confirm": True}))
    assert len(checker.seen) >= 19


def test_refusals_in_the_life_of_a_study_keep_to_the_schema(study: Study, checker: Checker) -> None:
    browser = Browser(study)
    browser.start()
    Study.objects.update(status="closed")
    checker.check("session/open/", "post", browser.open())
    checker.check("sessions/", "post", Browser(study, seed=5).start())
    browser.slug = "nowhere"
    checker.check("sessions/", "post", browser.start())


def test_answers_for_researchers_keep_to_the_schema(study: Study, checker: Checker, admin_user: Any) -> None:
    client = Client()
    checker.check("preview/", "get", client.get("/api/studies/small-study/preview/"))
    client.force_login(admin_user)
    answer = client.get("/api/studies/small-study/preview/")
    checker.check("preview/", "get", answer)
    trial = answer.json()["trials"][1]
    body = {"plugin": trial["plugin"], "params": trial["params"], "payload": {}}
    address = "/api/studies/small-study/preview/validate/"
    checker.check("preview/validate/", "post", client.post(address, body, content_type="application/json"))
    checker.check("preview/validate/", "post", client.post(address, {}, content_type="application/json"))
    address = "/api/studies/small-study/preview/check/"
    question = {"params": trial["params"], "problem": 0, "answer": 1}
    checker.check("preview/check/", "post", client.post(address, question, content_type="application/json"))
    checker.check("preview/check/", "post", client.post(address, {}, content_type="application/json"))


def test_requests_of_a_real_client_keep_to_the_schema(study: Study, checker: Checker, schema: dict[str, Any]) -> None:
    browser = Browser(study)
    browser.start()
    browser.open()
    components = schema["components"]["schemas"]
    checker.validate(components["Batch"], {"tab": browser.tab, "entries": [browser.result(1)]})
    with pytest.raises(jsonschema.ValidationError):
        checker.validate(components["Batch"], {"tab": browser.tab, "entries": [{"kind": "result", "sequence": 1}]})


def test_the_examples_in_the_schema_are_requests_that_work(db: None, checker: Checker, schema: dict[str, Any]) -> None:
    browser = Browser(open_study(items=12))
    browser.client.cookies.clear()
    start = json.loads(json.dumps(START_EXAMPLES[0].value))
    checker.validate(schema["components"]["schemas"]["Start"], start)
    start["consent"]["required"] = [True, True]
    assert browser.post("sessions/", start).status_code == 201
    browser.open()
    batch = json.loads(json.dumps(BATCH_EXAMPLES[0].value))
    checker.validate(schema["components"]["schemas"]["Batch"], batch)
    while browser.trials[batch["entries"][1]["sequence"]]["phase"] != "main":
        for entry in batch["entries"]:
            entry["sequence"] += 1
    answer = browser.post("session/results/", batch)
    assert answer.status_code == 200, answer.content


def test_a_text_that_was_read_is_described_so_that_its_example_is_understood(
    checker: Checker, schema: dict[str, Any]
) -> None:
    batch = json.loads(json.dumps(BATCH_EXAMPLES[1].value))
    (entry,) = batch["entries"]
    checker.validate(schema["components"]["schemas"]["Batch"], batch)
    checker.validate(schema["components"]["schemas"]["TextRead"], entry["payload"])
    params = {
        "areas": [{"text": word, "words": 1} for word in ("Two", "men")],
        "modes": ["pointer"], "ask_device": False, "ratings": [], "question": None,
    }  # fmt: skip
    reading = paradigm_named("mouse-contingent-reading")
    serializer = reading.responses[reading.slug](data=entry["payload"], context={"params": params})
    assert serializer.is_valid(), serializer.errors
    rows = reading.long_rows("visits", params, entry["payload"], [])
    assert [(row["aoi"], row["enter_ms"], row["leave_ms"]) for row in rows] == [
        (1, 77, 107.2),
        (2, 107.2, 160.1),
        (1, 170.1, 1000.2),
    ]
    entry["payload"]["visits"] = [[1, 77, 107.2, "moved"]]
    checker.validate(schema["components"]["schemas"]["TextRead"], entry["payload"])
    for wrong in ({"steps": [1], "waits": "M", "stays": "Eu", "left_by": [["done", 1]]}, [[1, 77, "done"]], {}):
        with pytest.raises(jsonschema.ValidationError):
            checker.validate(schema["components"]["schemas"]["TextRead"], {**entry["payload"], "visits": wrong})


def test_the_page_of_the_schema_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/docs/").content.decode()
    assert "https://" not in page.replace("https://spec.openapis.org", "")
