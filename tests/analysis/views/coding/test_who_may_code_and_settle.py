"""Every address of coding, asked by everybody."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from analysis import urls_coding
from analysis.models import Coding, CodingQueue, CodingState
from tests.analysis.recalls import user_named
from tests.analysis.studies import make_study
from tests.analysis.views.coding.coder import Coder

pytestmark = pytest.mark.slow

WHO = ("anonymous", "stranger", "coder", "coder with a queue", "viewer", "editor", "owner")
LOG_IN = {"anonymous": 302}
# What each gets for looking.
OF_RESEARCHERS = {
    **LOG_IN,
    "stranger": 404,
    "coder": 404,
    "coder with a queue": 404,
    "viewer": 200,
    "editor": 200,
    "owner": 200,
}
OF_EDITORS = {**OF_RESEARCHERS, "viewer": 403}
OF_CODERS = {
    **LOG_IN,
    "stranger": 404,
    "coder": 404,
    "coder with a queue": 200,
    "viewer": 404,
    "editor": 404,
    "owner": 404,
}
WORKSPACE = {**OF_CODERS, "coder": 200, "viewer": 200, "editor": 200, "owner": 200}
SHEET = {**OF_CODERS, "editor": 200, "owner": 200}
LOOKING = {
    "overview": OF_RESEARCHERS,
    "share": OF_RESEARCHERS,
    "remove_coder": OF_RESEARCHERS,
    "sheet": SHEET,
    "sheet_file": SHEET,
    "scheme": OF_RESEARCHERS,
    "freeze": OF_RESEARCHERS,
    "unfreeze": OF_RESEARCHERS,
    "workspace": WORKSPACE,
    "items": OF_CODERS,
    "next": OF_CODERS,
    "adjudicate": OF_EDITORS,
    "adjudicate_items": OF_EDITORS,
    "adjudicate_next": OF_EDITORS,
}
# What each gets for changing something, with what would change it.
CHANGE = {
    **LOG_IN,
    "stranger": 404,
    "coder": 404,
    "coder with a queue": 404,
    "viewer": 403,
    "editor": "ok",
    "owner": "ok",
}
CHANGING = {
    "add_coder": (CHANGE, {"username": "nobody", "share": "100"}),
    "share": (CHANGE, {"share": "50"}),
    "sheet": ({**SHEET, "coder with a queue": "ok", "editor": "ok", "owner": "ok"}, {}),
    "fillers": (CHANGE, {"with_fillers": "yes"}),
    "scheme": (CHANGE, {"codes-TOTAL_FORMS": "0", "codes-INITIAL_FORMS": "0"}),
    "freeze": (CHANGE, {}),
    "unfreeze": (CHANGE, {"reason": "a mistake"}),
    "save": ({**OF_CODERS, "coder with a queue": "ok"}, "coding"),
    "undo": ({**OF_CODERS, "coder with a queue": "ok"}, "coding"),
    "decide": (CHANGE, "coding"),
    "adjudicate_undo": (CHANGE, "coding"),
    "remove_coder": (CHANGE, {}),
}


@pytest.fixture
def coded(study, coder_named):
    """Return the study with one recall on which two coders differ."""
    coders = [coder_named("anna"), coder_named("ben")]
    for coder, codes in zip(coders, (["0"], ["3"]), strict=True):
        coder.save({**coders[0].items()[0], "revision": 0}, codes)
    return study


@pytest.fixture
def client_of(client_named):
    return lambda who: client_named("anna" if who == "coder with a queue" else who)


def address_of(name, study):
    numbered = ("share", "remove_coder", "sheet", "sheet_file")
    return reverse(f"coding:{name}", args=[study.slug, *([1] if name in numbered else [])])


def test_every_address_is_asked():
    assert {pattern.name for pattern in urls_coding.urlpatterns} == set(LOOKING) | set(CHANGING)


@pytest.mark.parametrize("who", WHO)
def test_everybody_sees_what_they_may_and_no_more(coded, client_of, who):
    client = client_of(who)
    assert {name: client.get(address_of(name, coded)).status_code for name in LOOKING} == {
        name: allowed[who] for name, allowed in LOOKING.items()
    }


@pytest.mark.parametrize("who", WHO)
def test_everybody_changes_what_they_may_and_no_more(coded, client_of, who):
    client = client_of(who)
    key = Coder(coded, "anna").items()[0]["key"]
    for name, (allowed, data) in CHANGING.items():
        before = state_of_everything()
        if data == "coding":
            body = json.dumps({"key": key, "codes": ["4"], "note": "", "seconds": 1, "revision": None})
            answer = client.post(address_of(name, coded), body, content_type="application/json")
        else:
            answer = client.post(address_of(name, coded), data)
        if allowed[who] == "ok":
            assert answer.status_code in (200, 302, 409, 422), name
        else:
            assert answer.status_code == allowed[who], name
            assert state_of_everything() == before, name


def state_of_everything():
    return (
        list(Coding.objects.values_list("pk", "codes", "revision")),
        list(CodingQueue.objects.values_list("pk", "share")),
        list(CodingState.objects.values_list("frozen_at", "with_fillers")),
    )


@pytest.mark.parametrize("name", sorted(set(LOOKING) | {"add_coder", "fillers", "save", "undo", "decide"}))
def test_nothing_of_it_exists_where_a_paradigm_has_nothing_to_code(client_named, name, db):
    ratings = make_study(owner=user_named("owner"))
    client = client_named("owner")
    ask = client.post if name in ("add_coder", "fillers", "save", "undo", "decide") else client.get
    assert ask(address_of(name, ratings)).status_code == 404
    assert (
        reverse("coding:overview", args=[ratings.slug])
        not in client.get(reverse("study:home", args=[ratings.slug])).content.decode()
    )


def test_only_the_owner_brings_new_people_in(coded, client_named):
    user_named("newcomer")
    editor, owner = client_named("editor"), client_named("owner")
    data = {"username": "newcomer", "share": "20"}
    refused = editor.post(address_of("add_coder", coded), data)
    assert refused.status_code == 422
    assert "only its owner can add people" in refused.content.decode()
    assert owner.post(address_of("add_coder", coded), data).status_code == 302
    queue = CodingQueue.objects.get(coder__username="newcomer")
    assert (queue.share, queue.pseudonym, queue.is_second) == (0.2, "coder-3", True)
    assert coded.memberships.get(user__username="newcomer").role == "coder"


def test_the_start_page_of_a_coder_leads_to_the_recalls(coded, client_of):
    page = client_of("coder with a queue").get(reverse("admin:index")).content.decode()
    assert reverse("coding:workspace", args=[coded.slug]) in page
    assert "1 of 16 coded" in page
    for address in ("coding:overview", "study:home"):
        assert f'"{reverse(address, args=[coded.slug])}"' not in page
