"""The endpoints behind the page of adjudication: the codings side by side, and the decided codes are final."""

import pytest
from django.urls import reverse

from analysis.coding.final import counts
from analysis.coding.freezing import freeze
from analysis.models import Adjudication
from tests.analysis.recalls import user_named
from tests.analysis.views.coding.coder import Coder

pytestmark = pytest.mark.slow


@pytest.fixture
def coders(coder_named):
    """Return two coders who differ on the first three recalls of the first, and agree on the fourth."""
    anna, ben = coder_named("anna"), coder_named("ben")
    for number, item in enumerate(anna.items()[:4]):
        anna.save(item, ["0"], note="as shown" if number == 0 else "")
        ben.save({**item, "revision": 0}, ["0"] if number == 3 else ["3", "4"])
    return anna, ben


@pytest.fixture
def judge(coders, study):
    return Coder(study, "owner", at="adjudicate")


def test_disagreements_stand_side_by_side_with_codes_and_notes(judge):
    items = judge.items()
    assert [item["number"] for item in items] == [1, 2, 3]
    assert all(item["coding"] is None for item in items)
    assert {tuple(map(tuple, (coding["codes"] for coding in item["codings"]))) for item in items} == {
        (("0",), ("3", "4"))
    }
    assert sorted(item["codings"][0]["note"] for item in items) == ["", "", "as shown"]


def test_what_was_decided_is_final_and_stays_where_it_was(judge, study):
    first, second = judge.items()[:2]
    answer = judge.save(first, ["4"], note="B is there")
    assert (answer.status_code, answer.json()) == (200, {"revision": 1, "coded": 1, "total": 3})
    again = judge.items()
    assert [item["key"] for item in again][:2] == [first["key"], second["key"]]
    assert again[0]["coding"] == {"codes": ["4"], "note": "B is there"}
    assert judge.get("next/").json() == {"number": 2}
    found = counts(study)
    assert (found.adjudicated, found.unresolved, found.agreed) == (1, 2, 1)
    assert Adjudication.objects.get().by == user_named("owner")


def test_a_decision_can_be_taken_back(judge, study):
    first = judge.items()[0]
    judge.save(first, ["4"])
    judge.save({**first, "revision": 1}, ["2", "4"])
    assert judge.undo(first["key"]).json()["item"]["coding"] == {"codes": ["4"], "note": ""}
    # Without a name: what this person decided last.
    answer = judge.undo().json()
    assert (answer["item"]["key"], answer["item"]["coding"], answer["coded"]) == (first["key"], None, 0)
    refused = judge.undo()
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing")
    assert counts(study).unresolved == 3


def test_a_decision_is_outdated_when_a_coder_changes_afterwards_and_confirmed_by_saving_it_again(judge, coders):
    item = judge.items()[0]
    judge.save(item, ["4"])
    for left in judge.items()[1:]:
        judge.save(left, ["3"])
    assert judge.get("next/").json() == {"number": None}
    coders[0].save({"key": item["key"], "revision": 1}, ["2"])
    assert judge.items()[0]["outdated"] is True
    assert judge.get("next/").json() == {"number": 1}
    assert judge.save({**item, "revision": 1}, ["4"]).status_code == 200
    assert judge.items()[0]["outdated"] is False


def test_what_somebody_else_decided_meanwhile_is_not_overwritten(judge):
    item = judge.items()[0]
    judge.save(item, ["4"])
    refused = judge.save(item, ["3"])
    assert (refused.status_code, refused.json()["code"], refused.json()["codes"]) == (409, "changed", ["4"])


def test_frozen_decisions_stay(judge, study):
    item = judge.items()[0]
    judge.save(item, ["4"])
    freeze(study, user=study.owner)
    for refused in (judge.save({**item, "revision": 1}, ["3"]), judge.undo(item["key"])):
        assert (refused.status_code, refused.json()["code"]) == (409, "frozen")


def test_nobody_who_may_only_look_settles_anything(judge, study, client_named):
    viewer = client_named("viewer")
    base = reverse("coding:adjudicate", args=[study.slug])
    for path in ("items/", "next/"):
        answer = viewer.get(base + path)
        assert (answer.status_code, answer.json()["code"]) == (403, "denied")
    answer = viewer.post(f"{base}save/", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "denied")


def test_without_a_disagreement_the_page_leads_to_the_overview(study, owner):
    answer = owner.get(reverse("coding:adjudicate", args=[study.slug]))
    assert (answer.status_code, answer.url) == (302, reverse("coding:overview", args=[study.slug]))
