"""The pages of recruitment by API: who may do what, what they show, and that only a typed total sends anything."""

from __future__ import annotations

import html
import json
import random
from typing import Any

import pytest
from django.test import Client

from experiments.models import Membership, Study
from participants.hooks import reaching
from participants.models import Payment, PaymentTotal, ProviderSubmission, RecruitmentAccount, Session
from participants.recruiting import managing, working
from tests.participants.recruiting.prolific_world import TOKEN, Network, World
from tests.participants.studies import Browser, open_study

SOURCES = [{"name": "prolific", "kind": "prolific", "outcomes": {"completed": {"code": "C1"}}}]
URL = "https://pool.example.org/services/SonaAPI.svc/WebstudyCredit?experiment_id=1&credit_token=9185d436&survey_code=XXXX"


@pytest.fixture
def study(db: None) -> Study:
    return open_study(sources=SOURCES)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(random.Random(1))
    monkeypatch.setattr(reaching, "asked", Network(world, random.Random(1)).asked)
    return world


@pytest.fixture
def owner(study: Study, django_user_model: Any) -> Client:
    user = django_user_model.objects.create_user("owner", is_staff=True)
    Study.objects.filter(pk=study.pk).update(owner=user)
    client = Client()
    client.force_login(user)
    return client


def member(study: Study, role: str, users: Any) -> Client:
    user = users.objects.create_user(role, is_staff=True)
    if role != "stranger":
        Membership.objects.create(study=study, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def work() -> None:
    RecruitmentAccount.objects.update(tried_at=None, read_at=None)
    working.work_some()


def page_of(study: Study) -> str:
    return f"/admin/studies/{study.slug}/watch/recruiting/"


def test_from_the_empty_page_to_a_confirmed_bonus(study: Study, world: World, owner: Client) -> None:
    page = page_of(study)
    assert "No account yet" in owner.get(page).content.decode()
    assert owner.post(page, {"action": "connect", "provider": "prolific", "token": "short"}).status_code == 422
    owner.post(page, {"action": "connect", "provider": "prolific", "token": TOKEN})
    work()
    shown = owner.get(page).content.decode()
    assert "Laboratory" in shown
    assert TOKEN not in shown
    account = RecruitmentAccount.objects.get()
    draft = f"{page}{account.pk}/draft/"
    given = {
        "name": "Sentences", "description": "Read sentences.", "places": "2", "reward": "3.00", "minutes": "12",
        "excluded_groups": "64395e9c2332b8a59a65d51e",
    }  # fmt: skip
    dry = owner.post(draft, {**given, "action": "show"}).content.decode()
    assert "come to 6.00" in dry
    body = json.loads(html.unescape(dry.partition('<pre class="detail">')[2].partition("</pre>")[0]))
    assert not world.studies, "a dry run sends nothing"
    # What was shown is what is sent: with other values it is shown again.
    owner.post(draft, {**given, "places": "3", "action": "create", "shown": json.dumps(body, indent=2)})
    assert not RecruitmentAccount.objects.get().wish
    owner.post(draft, {**given, "action": "create", "shown": json.dumps(body, ensure_ascii=False, indent=2)})
    work()
    [made] = world.studies.values()
    assert {key: made[key] for key in body} == body
    assert made["filters"][0]["filter_id"] == "participant_group_blocklist"
    owner.post(page, {"action": "publish", "account": account.pk})
    work()
    assert made["status"] == "ACTIVE"
    people = [world.join(number) for number in range(2)]
    for number, one in enumerate(people):
        Browser(study, seed=number, recruitment={"PROLIFIC_PID": one.person}).answer_all()
    work()
    shown = owner.get(page).content.decode()
    names = list(Session.objects.filter(study=study).values_list("participant__pseudonym", flat=True))
    assert all(name in shown for name in names)
    assert all(one.id not in shown and one.person not in shown for one in people)
    lines = f"{names[0]}, 1.50\n{names[1].lower()}; 2"
    proposal = {"action": "propose", "account": account.pk, "kind": "bonus", "lines": lines}
    wrong = owner.post(page, {**proposal, "lines": f"{names[0]}, x\nNOBODY, 1"})
    assert wrong.status_code == 422
    assert "NOBODY" in wrong.content.decode()
    to = owner.post(page, proposal).headers["Location"]
    assert "Type 3.50 to confirm it" in owner.get(to).content.decode()
    assert owner.post(to, {"action": "confirm", "typed": "3.00"}).status_code == 422
    work()
    assert not world.pays
    for _press in range(2):
        owner.post(to, {"action": "confirm", "typed": "3.50"})
    work()
    assert sorted(world.paid_bonus(one.id) for one in people) == [150, 200]
    approve = {"action": "propose", "account": account.pk, "kind": "approve", "whom": "completed"}
    to = owner.post(page, approve).headers["Location"]
    owner.post(to, {"action": "confirm", "typed": "6.00"})
    work()
    assert {one.status for one in people} == {"APPROVED"}
    assert owner.post(page, approve).status_code == 422
    assert owner.post(page, {"action": "places", "account": account.pk, "places": "1"}).status_code == 422
    assert owner.post(page, {"action": "spend", "account": account.pk}).status_code == 422
    assert owner.post(page, {"action": "disconnect", "account": account.pk}).status_code in (302, 422)


def test_an_editor_proposes_and_only_the_owner_spends(
    study: Study, world: World, owner: Client, django_user_model: Any
) -> None:
    editor = member(study, "editor", django_user_model)
    page = page_of(study)
    assert editor.post(page, {"action": "connect", "provider": "prolific", "token": TOKEN}).status_code == 403
    account = managing.connect(study, "prolific", TOKEN, None)
    RecruitmentAccount.objects.update(provider_study="0" * 24, provider_status="ACTIVE", currency="GBP")
    world.studies["0" * 24] = {"id": "0" * 24, "status": "ACTIVE", "reward": 300}
    world.join(1)
    work()
    assert ProviderSubmission.objects.count() == 1
    key = f"s{ProviderSubmission.objects.get().pk}"
    given = {"action": "propose", "account": account.pk, "kind": "bonus", "whom": "ticked", "person": key}
    to = editor.post(page, {**given, "amount": "1.00"}).headers["Location"]
    assert "Only the owner" in editor.get(to).content.decode()
    assert editor.post(to, {"action": "confirm", "typed": "1.00"}).status_code == 403
    for action in ("publish", "pause", "start", "places", "adopt", "again", "disconnect"):
        assert editor.post(page, {"action": action, "account": account.pk}).status_code == 403
    assert editor.post(f"{page}{account.pk}/draft/", {}).status_code == 403
    assert editor.post(page, {"action": "read", "account": account.pk}).status_code == 302
    assert PaymentTotal.objects.get().confirmed_at is None
    owner.post(to, {"action": "discard"})
    assert not Payment.objects.exists()


@pytest.mark.parametrize("role", ["viewer", "data", "coder", "stranger"])
def test_nobody_else_sees_anything(study: Study, django_user_model: Any, role: str) -> None:
    account = managing.connect(study, "prolific", TOKEN, None)
    client = member(study, role, django_user_model)
    for address in (page_of(study), f"{page_of(study)}{account.pk}/draft/", f"{page_of(study)}totals/1/"):
        assert client.get(address).status_code == 404
        assert client.post(address, {"action": "disconnect", "account": account.pk}).status_code in (403, 404)
    assert RecruitmentAccount.objects.count() == 1


def test_an_account_of_another_study_is_not_there(study: Study, owner: Client) -> None:
    other = managing.connect(open_study("another"), "prolific", TOKEN, None)
    assert owner.post(page_of(study), {"action": "disconnect", "account": other.pk}).status_code == 404
    assert owner.get(f"{page_of(study)}{other.pk}/draft/").status_code == 404


def test_credit_at_sona(study: Study, owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers are those of SONA's documents; credit that was granted already counts as granted."""
    granted: list[str] = []
    fails = [True]

    def asked(method: str, text: str, body: bytes, headers: Any, **_named: Any) -> Any:
        assert method == "GET"
        code = text.rpartition("survey_code=")[2]
        granted.append(code)
        if fails.pop() if fails else False:
            return reaching.Answer(503, "busy")
        if granted.count(code) > 1:
            return reaching.Answer(
                200, "<R><a:Errors><a:Error>You have already received credit.</a:Error></a:Errors></R>"
            )
        if code == "9":
            return reaching.Answer(200, "<R><a:Errors><a:Error>Invalid survey_code.</a:Error></a:Errors></R>")
        return reaching.Answer(
            200, '<R><a:Errors i:nil="true"/><a:Result><a:credit_status>G</a:credit_status></a:Result></R>'
        )

    monkeypatch.setattr(reaching, "asked", asked)
    assert (
        owner.post(
            page_of(study), {"action": "connect", "provider": "sona", "token": "https://pool.example.org/x"}
        ).status_code
        == 422
    )
    owner.post(page_of(study), {"action": "connect", "provider": "sona", "token": URL})
    for number in (7, 8, 9):
        Browser(study, seed=number, recruitment={"survey_code": str(number)}).answer_all()
    work()
    assert not granted, "a test of the address grants nothing"
    account = RecruitmentAccount.objects.get()
    given = {"action": "propose", "account": account.pk, "kind": "credit", "whom": "completed"}
    to = owner.post(page_of(study), given).headers["Location"]
    owner.post(to, {"action": "confirm", "typed": "0.00"})
    for _turn in range(3):
        work()
    assert sorted(Payment.objects.values_list("state", flat=True)) == ["confirmed", "confirmed", "refused"]
    assert "Invalid survey_code" in Payment.objects.get(state="refused").said
    assert sorted(granted) == ["7", "7", "8", "9"]
