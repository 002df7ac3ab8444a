"""Unknown fields, wrong types, stale cursors, megabytes: each a sentence with its place, and nothing stored."""

from __future__ import annotations

from typing import Any

import pytest

from config.api import limits
from config.api.declarations import MOST_JSON
from config.api.paging import MOST
from experiments.models import AuditEntry, Study
from experiments.study.lifecycle import create_study
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db
NEW = {"slug": "new-one", "title": "New", "paradigm": "rating"}


@pytest.mark.parametrize(
    ("body", "status", "places"),
    [
        ({**NEW, "titel": "New"}, 422, {"/titel"}),
        ({**NEW, "title": 5, "slug": True}, 422, {"/title", "/slug"}),
        ({**NEW, "paradigm": "none", "language": "xx"}, 422, {"/paradigm", "/language"}),
        ({"title": "New"}, 422, {"/slug", "/paradigm"}),
        ({**NEW, "study": {}}, 422, {"/title", "/paradigm"}),
        ({**NEW, "title": "a\u0000b"}, 422, {""}),
        ({"study": {"slug": "x", "tilte": "X"}, "tables": {"../x.csv": "a"}}, 422, {"tables/../x.csv"}),
        ({"study": {"slug": "x", "tilte": "X", "questions": 5}}, 422, {"/tilte", "/questions"}),
        ([], 422, {""}),
        (b"{", 400, set()),
        (b'{"slug": "a", "slug": NaN}', 400, set()),
        (b"[" * 100_000, 400, set()),
        (b'"\xff"', 400, set()),
        (b" " * (MOST_JSON + 1), 413, set()),
    ],
)
def test_a_body_that_is_not_right(program: Program, body: Any, status: int, places: set[str]) -> None:
    answer = program.post("studies/", body)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert places <= {fault["place"] for fault in answer.json().get("faults", [])}, answer.json()
    assert not Study.objects.exists()


def test_another_type_of_body_is_refused(program: Program) -> None:
    answer = program.ask("POST", "studies/", b"slug: a", "application/yaml")
    assert answer.status_code == 415
    assert "application/json" in answer.json()["detail"]


@pytest.mark.parametrize(
    "query", ["limit=0", f"limit={MOST + 1}", "limit=x", "cursor=x", "status=dead", "page=2", "search=%00"]
)
def test_a_query_that_is_not_right(program: Program, query: str) -> None:
    answer = program.get(f"studies/?{query}")
    assert answer.status_code in (400, 422), answer.content
    assert answer.json()["status"] == answer.status_code


def test_everything_that_is_wrong_is_said_at_once(program: Program) -> None:
    study = {
        "slug": "x",
        "title": "X",
        "paradigm": "rating",
        "procedure": {"conditions": "no"},
        "sources": [{"name": "A"}],
    }
    verdict = program.post("studies/validate/", {"study": study, "tables": {}}).json()
    assert (verdict["is_sound"], verdict["can_open"]) == (False, False)
    assert len({fault["place"] for fault in verdict["faults"]}) > 1
    assert not Study.objects.exists()
    assert not AuditEntry.objects.filter(action="created").exists()


def test_a_sound_study_is_said_to_be_sound_and_is_not_stored(program: Program) -> None:
    study = {
        "slug": "word-order", "title": "Word order", "paradigm": "magnitude-estimation",
        "responsible": "R. Researcher", "contact": "r@example.org", "estimated_minutes": 5,
        "data_protection_note": "Kept here.", "retention_until": "2099-12-31",
        "settings": {"modulus_text": "The door was by the porter opened."}, "materials": {"file": "materials.csv"},
    }  # fmt: skip
    tables = {"materials.csv": "item,text,order\n1,One two.,a\n1,Two one.,b\n2,Three four.,a\n2,Four three.,b\n"}
    before = AuditEntry.objects.count()
    verdict = program.post("studies/validate/", {"study": study, "tables": tables}).json()
    assert (verdict["is_sound"], verdict["faults"], verdict["opening"]) == (True, [], []), verdict
    assert (Study.objects.count(), AuditEntry.objects.count()) == (0, before)
    made = program.post("studies/", {"study": study, "tables": tables})
    assert made.status_code == 201, made.content
    assert made.json()["retention_until"] == "2099-12-31"
    assert program.post("studies/word-order/open/").json()["status"] == "open"
    taken = program.post("studies/validate/", {"study": study, "tables": tables}).json()
    assert taken["is_sound"] is False


def test_lists_are_pages_in_which_nothing_is_missed(program: Program, owner: Any) -> None:
    for number in range(5):
        create_study(slug=f"study-{number}", title="S", paradigm="rating", user=owner)
    seen: list[str] = []
    address = "studies/?limit=2"
    while address:
        page = program.get(address).json()
        seen += [one["slug"] for one in page["items"]]
        # What is added meanwhile moves nothing.
        create_study(slug=f"later-{len(seen)}", title="S", paradigm="rating", user=owner)
        address = page["next"].partition("/api/v1/")[2] if page["next"] else ""
    assert seen == [f"study-{number}" for number in reversed(range(5))]


def test_too_many_requests_are_told_when_to_come_back(program: Program, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits.ReadThrottle, "limit", 2)
    answers = [program.get("tokens/self/") for _ in range(3)]
    if {answer.status_code for answer in answers} == {200}:  # a minute began in between
        answers = [program.get("tokens/self/") for _ in range(3)]
    assert answers[-1].status_code == 429
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert program.post("studies/", NEW).status_code == 201


def test_refusals_of_the_platform_are_problems(program: Program, study: Study) -> None:
    address = "studies/small-study/"
    frozen = program.ask("PUT", f"{address}materials/", b"item,text\n1,a\n", "text/csv", If_Match="*")
    assert (frozen.status_code, frozen.json()["code"]) == (409, "frozen")
    erased = program.post(f"{address}erase-participants/", {"confirm": "small-study"})
    assert (erased.status_code, erased.json()["code"]) == (409, "refused")
    assert program.post(f"{address}erase-participants/", {"confirm": "other"}).status_code == 422
    assert program.post(f"{address}runs/", {"method": "no-such-method"}).status_code == 422
    assert program.get("studies/small-study/?part=none").status_code == 422
    assert program.get(f"{address}settings/?part=none").json()["faults"][0]["place"] == "/part"


def test_what_is_said_is_english_in_every_browser(program: Program) -> None:
    answer = program.get("studies/none/", Accept_Language="de")
    assert answer.json()["title"] == "There is nothing at this address"
