"""People of earlier studies are kept out, or admitted only, by the hash of their id: cases against a plain rule."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from django.test import Client

from experiments.models import Membership, Study
from experiments.rules.procedure import ProcedureForm, checked
from participants.erasure.identities import erase_identities
from participants.models import Participant
from tests.participants.studies import Browser, open_study

SOURCES = [
    {"name": "prolific", "kind": "prolific", "outcomes": {"screened-out": {"code": "C-OUT"}}},
    {"name": "pool", "kind": "other", "parameters": ["number"]},
]


@pytest.fixture
def owners(db: None, django_user_model: Any) -> list[Any]:
    return [django_user_model.objects.create_user(name, is_staff=True) for name in ("ada", "bea")]


def study_of(slug: str, owner: Any, rule: str = "ignored", names: list[str] | None = None) -> Study:
    procedure = {"earlier_participation": rule, "earlier_studies": names or []}
    return open_study(slug, procedure=procedure, owner=owner, sources=SOURCES)


def begins(study: Study, person: dict[str, str], seed: int) -> bool:
    """Return whether somebody can begin; the page and the start agree."""
    page = Client().get(f"/s/{study.slug}/", person).content.decode()
    browser = Browser(study, seed=seed, recruitment=person)
    answer = browser.start()
    assert answer.status_code in (201, 409), answer.content
    if answer.status_code == 409:
        assert answer.json()["code"] == "kept-out"
    assert ("Thank you for your interest" in page) == (answer.status_code == 409)
    if answer.status_code == 201:
        Participant.objects.filter(study=study).delete()
    return bool(answer.status_code == 201)


def test_every_rule_for_everybody(owners: list[Any]) -> None:
    ada, bea = owners
    earlier = {name: study_of(name, owner) for name, owner in (("one", ada), ("two", ada), ("theirs", bea))}
    rng = random.Random(4)
    people = [{key: f"{n}f3c2a9be1d04c0011223344"} for n in range(2) for key in ("PROLIFIC_PID", "number")]
    took_part: dict[tuple[int, str], bool] = {}
    for number, person in enumerate(people):
        for name, study in earlier.items():
            if rng.random() < 0.5:
                ends = rng.random() < 0.5
                browser = Browser(study, seed=number, recruitment=person)
                if ends:
                    browser.answer_all()
                else:
                    browser.start()
                took_part[number, name] = ends
    owner_of = {"one": ada, "two": ada, "theirs": bea}
    rules = itertools.product(
        ("kept-out", "only-completed"), (["one"], ["two", "theirs"], ["mine"], ["platform"], ["theirs"], ["nowhere"])
    )
    for at, (rule, names) in enumerate(rng.sample(list(rules), 6)):
        study = study_of(f"new-{at}", ada, rule, names)
        for number, person in enumerate(people):
            counts = {
                name
                for name in earlier
                if ("platform" in names and "PROLIFIC_PID" in person)
                or (owner_of[name] == ada and ("mine" in names or name in names))
            }
            mine = {name: ends for (of, name), ends in took_part.items() if of == number and name in counts}
            expected = not mine if rule == "kept-out" else any(mine.values())
            assert begins(study, person, number) == expected, (rule, names, number)
        # Whom nobody knows.
        assert begins(study, {"PROLIFIC_PID": "9f3c2a9be1d04c0011223344"}, 99) == (rule == "kept-out")


def test_a_study_of_somebody_else_counts_where_the_owner_may_see_its_data(owners: list[Any]) -> None:
    ada, bea = owners
    theirs, person = study_of("theirs", bea), {"PROLIFIC_PID": "5f3c2a9be1d04c0011223344"}
    Browser(theirs, seed=1, recruitment=person).answer_all()
    study = study_of("new", ada, "kept-out", ["theirs"])
    assert begins(study, person, 1)
    Membership.objects.create(study=theirs, user=ada, role="viewer")
    assert not begins(study, person, 1)
    erase_identities(theirs, user=bea)
    assert begins(study, person, 1), "erased ids are forgotten"


def test_the_kind_page_leads_back_and_stores_nothing(owners: list[Any]) -> None:
    ada, _bea = owners
    person = {"PROLIFIC_PID": "5f3c2a9be1d04c0011223344"}
    Browser(study_of("one", ada), seed=1, recruitment=person).answer_all()
    study = study_of("new", ada, "kept-out", ["one"])
    page = Client().get(f"/s/{study.slug}/", person).content.decode()
    assert "C-OUT" in page
    assert "asked similar questions" in page
    assert "5f3c" not in page.replace("PROLIFIC_PID=5f3c", "")
    assert not Participant.objects.filter(study=study).exists()
    # Who has begun goes on, whatever the rule says later.
    other = {"PROLIFIC_PID": "6f3c2a9be1d04c0011223344"}
    browser = Browser(study, seed=2, recruitment=other)
    browser.start()
    Browser("one", seed=2, recruitment=other).answer_all()
    assert browser.start().status_code == 200
    assert Browser(study, seed=3).start().status_code == 201, "without an id nobody can be recognised"


@pytest.mark.parametrize(
    ("given", "is_sound"),
    [
        ({}, True),
        ({"earlier_participation": "kept-out", "earlier_studies": ["one", "mine"]}, True),
        ({"earlier_participation": "kept-out"}, False),
        ({"earlier_studies": ["one"]}, False),
        ({"earlier_participation": "kept-out", "earlier_studies": ["No Study"]}, False),
        ({"earlier_participation": "never", "earlier_studies": ["one"]}, False),
        ({"earlier_participation": "kept-out", "earlier_studies": [f"s{n}" for n in range(51)]}, False),
    ],
)
def test_what_a_study_file_may_say(given: dict[str, Any], is_sound: bool) -> None:
    values, faults = checked(ProcedureForm, given)
    assert (faults == []) == is_sound
    if is_sound:
        assert values["earlier_studies"] == given.get("earlier_studies", [])
