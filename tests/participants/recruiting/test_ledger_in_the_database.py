"""The ledger on a real database: what the constraints refuse, kills at every step, clicks twice, and erased ids."""

from __future__ import annotations

import random
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from experiments.models import AuditEntry, Study
from experiments.study.refusals import LifecycleRefusal
from participants.erasure.identities import erase_identities
from participants.erasure.withdrawal import withdraw
from participants.hooks import reaching
from participants.models import (
    Participant,
    Payment,
    PaymentTotal,
    ProviderSubmission,
    RecruitmentAccount,
    Session,
)
from participants.recruiting import managing, storing, working
from participants.recruiting.ledger import Kind, State
from participants.recruiting.proposing import chosen, confirm, discard, people_of, propose, propose_again
from participants.recruiting.storing import StoredRows, hold_after_restore
from participants.session.assignment import list_counts
from participants.watching.invariants import violations
from tests.participants.recruiting.prolific_world import TOKEN, Killed, Network, World, serving
from tests.participants.studies import Browser, open_study

PROLIFIC = {
    "name": "prolific", "kind": "prolific", "outcomes": {"completed": {"code": "C1"}, "screened-out": {"code": "C2"}},
}  # fmt: skip
REJECTION = "The questions about the instructions were answered wrongly three times, and every free answer is empty."


class Clock:
    """The time of the world and of the platform."""

    def __init__(self, world: World, patch: Any) -> None:
        self.world = world
        world.now = timezone.now()
        patch.setattr(timezone, "now", lambda: self.world.now)

    def forward(self, minutes: float) -> None:
        self.world.now += timedelta(minutes=minutes)


@pytest.fixture
def study(db: None) -> Study:
    return open_study(sources=[PROLIFIC])


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(random.Random(1))
    monkeypatch.setattr(reaching, "asked", Network(world, random.Random(1)).asked)
    return world


@pytest.fixture
def clock(world: World, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(world, monkeypatch)


def take_part(
    study: Study, world: World, number: int, *, status: str = "AWAITING REVIEW", ends: bool = True
) -> Browser:
    one = world.join(number, status)
    browser = Browser(study, seed=number, recruitment={"PROLIFIC_PID": one.person, "SESSION_ID": one.id})
    if ends:
        browser.answer_all()
    else:
        browser.start()
        browser.open()
    return browser


def connected(study: Study, world: World) -> RecruitmentAccount:
    world.studies["0" * 24] = {
        "id": "0" * 24, "status": "ACTIVE", "total_available_places": 9, "reward": 300, "currency_code": "GBP",
    }  # fmt: skip
    account = managing.connect(study, "prolific", TOKEN, None)
    managing.adopt(account, "0" * 24, None)
    working.work_some()
    account.refresh_from_db()
    assert not account.has_failed, account.said
    return account


def pay(account: RecruitmentAccount, kind: Kind, rule: str, **details: Any) -> PaymentTotal:
    total = propose(account, kind, chosen(people_of(account), rule), user=None, **details)
    confirm(total, f"{total.total / 100:.2f}", None)
    return total


def work(clock: Clock, turns: int = 3) -> None:
    for _turn in range(turns):
        clock.forward(70)
        working.work_some()


def states(account: RecruitmentAccount) -> list[str]:
    return list(account.payments.order_by("pk").values_list("state", flat=True))


def test_from_the_token_to_the_last_bonus_over_http(
    study: Study, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(random.Random(1))
    world.page = 2
    clock = Clock(world, monkeypatch)
    settings.HOOKS_MAY_REACH_PRIVATE_ADDRESSES = True
    with serving(world) as address:
        settings.PROLIFIC_ADDRESS = address
        account = managing.connect(study, "prolific", TOKEN, None)
        assert TOKEN not in account.token_sealed
        working.work_some()
        account.refresh_from_db()
        assert account.said == "The account was opened. Laboratory"
        details = {"name": "Sentences", "description": "Read.", "places": 3, "reward": 300, "minutes": 12}
        draft = managing.draft_of(study, details, link="https://lab.example.org/s/small-study/")
        for _press in range(2):
            managing.ask_to_create(account, draft, None)
            clock.forward(2)
            working.work_some()
        account.refresh_from_db()
        [made] = world.studies.values()
        assert account.provider_study == made["id"]
        assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in made["external_study_url"]
        assert {code["code"] for code in made["completion_codes"]} == {"C1", "C2"}
        managing.ask_to_move(account, "publish", None)
        clock.forward(2)
        working.work_some()
        account.refresh_from_db()
        assert account.provider_status == "ACTIVE"
        managing.ask_for_places(account, 5, None)
        clock.forward(2)
        working.work_some()
        assert made["total_available_places"] == 5
        for number in range(5):
            take_part(study, world, number)
        managing.ask_to_read(account)
        clock.forward(2)
        working.work_some()
        account.refresh_from_db()
        assert account.reward == 300
        assert {one.session_status for one in people_of(account)} == {"complete"}
        [first, second, *_rest] = people_of(account)
        reject = propose(account, Kind.REJECT, [first], message=REJECTION, category="LOW_EFFORT", user=None)
        confirm(reject, "0", None)
        assert pay(account, Kind.APPROVE, "completed").total == 4 * 300
        bonus = propose(account, Kind.BONUS, [second], amounts=205, purpose="Prize", user=None)
        confirm(bonus, "2.05", None)
        work(clock)
    assert set(states(account)) == {"confirmed"}
    by_status = sorted(one.status for one in world.submissions.values())
    assert by_status == ["APPROVED"] * 4 + ["REJECTED"]
    assert sum(world.paid_bonus(one) for one in world.submissions) == 205
    assert violations(study)["I12 nobody is paid twice"] == []
    actions = set(AuditEntry.objects.filter(study=study).values_list("action", flat=True))
    assert {"recruitment account connected", "payments proposed", "payments confirmed"} <= actions
    details_of = " ".join(AuditEntry.objects.filter(study=study).values_list("detail", flat=True))
    assert TOKEN not in details_of
    assert all(one not in details_of for one in world.submissions)


def test_a_second_payment_for_a_purpose_cannot_exist(study: Study, world: World, clock: Clock) -> None:
    take_part(study, world, 1)
    account = connected(study, world)
    total = pay(account, Kind.APPROVE, "completed")
    row = total.payments.get()
    again = {
        "study": study, "account": account, "total": total, "submission_hash": row.submission_hash,
        "changed_at": timezone.now(),
    }  # fmt: skip
    refused = [
        {"kind": "approve", "purpose": "reward"},
        {"kind": "screen-out", "purpose": "reward"},
        {"kind": "reject", "purpose": "reward"},
        {"kind": "approve", "purpose": "another"},
        {"kind": "bonus", "purpose": "reward"},
        {"kind": "bonus", "purpose": "b", "state": "sent"},
    ]
    for details in refused:
        with pytest.raises(IntegrityError), transaction.atomic():
            Payment.objects.create(**again, **details)
    Payment.objects.create(**again, kind="bonus", purpose="b", state="sent", sent_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Payment.objects.create(**again, kind="bonus", purpose="c", state="unknown", sent_at=timezone.now())


def test_clicks_twice_and_wrong_totals(study: Study, world: World, clock: Clock) -> None:
    for number in range(3):
        take_part(study, world, number)
    account = connected(study, world)
    total = propose(account, Kind.BONUS, people_of(account), amounts=150, user=None)
    assert total.total == 450
    with pytest.raises(LifecycleRefusal, match="Nobody is left"):
        propose(account, Kind.BONUS, people_of(account), amounts=150, user=None)
    for typed in ("4.49", "450", "", "4,5,0", "nan", "-4.50"):
        with pytest.raises(LifecycleRefusal):
            confirm(total, typed, None)
    work(clock)
    assert states(account) == ["prepared"] * 3
    assert not world.pays
    for _press in range(2):
        confirm(total, "4.50", None)
    with pytest.raises(LifecycleRefusal, match="was confirmed"):
        discard(total, None)
    work(clock)
    assert states(account) == ["confirmed"] * 3
    assert list(world.pays.values()) == [1]
    other = propose(account, Kind.BONUS, people_of(account), amounts=20, purpose="prize", user=None)
    discard(other, None)
    assert account.payments.count() == 3


STEPS = ("send", "note", "keep", "is_mine", "rows")


class Kills:
    """Kills the worker at its nth step, before or after it, at the database or on the network."""

    def __init__(self, patch: Any, at: int) -> None:
        self.left = at
        for name in STEPS:
            patch.setattr(StoredRows, name, self.around(getattr(StoredRows, name)))
        patch.setattr(reaching, "asked", self.around(reaching.asked))

    def around(self, function: Any) -> Any:
        def stepping(*given: Any, **named: Any) -> Any:
            self.step()
            said = function(*given, **named)
            self.step()
            return said

        return stepping

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Killed


@pytest.fixture
def ready(study: Study, world: World, clock: Clock) -> RecruitmentAccount:
    for number in range(2):
        take_part(study, world, number)
    account = connected(study, world)
    pay(account, Kind.APPROVE, "completed")
    pay(account, Kind.BONUS, "finished", amounts=100)
    return account


# Every step of a whole round of four rows.
STEPS_OF_A_ROUND = 48


@pytest.mark.slow
def test_a_kill_at_every_fourth_step(ready: RecruitmentAccount, world: World, clock: Clock) -> None:
    killed_at(range(2, STEPS_OF_A_ROUND, 4), ready, world, clock)


@pytest.mark.full("a kill between two steps that the small suite leaves out")
def test_a_kill_at_every_step(ready: RecruitmentAccount, world: World, clock: Clock) -> None:
    killed_at(range(1, STEPS_OF_A_ROUND), ready, world, clock)


def killed_at(points: range, ready: RecruitmentAccount, world: World, clock: Clock) -> None:
    killed = 0
    snapshot = [(one.id, one.status) for one in world.submissions.values()]
    for at in points:
        point = transaction.savepoint()
        world.bulks.clear()
        world.pays.clear()
        with pytest.MonkeyPatch.context() as patch:
            Kills(patch, at)
            clock.forward(2)
            try:
                working.work_some()
            except Killed:
                killed += 1
        for _turn in range(5):
            work(clock, 1)
            try:
                again = propose_again(ready, None)
            except LifecycleRefusal:
                continue
            confirm(again, f"{again.total / 100:.2f}", None)
        assert states(ready) == ["confirmed"] * 4, at
        assert max(world.pays.values()) == 1, at
        for one in world.submissions.values():
            assert one.reward_paid == 1, at
            assert [amount for _at, amount in one.bonuses] == [100], at
        transaction.savepoint_rollback(point)
        for key, status in snapshot:
            one = world.submissions[key]
            one.status, one.reward_paid, one.bonuses = status, 0, []
    assert killed > 0.8 * len(points)


def test_a_pay_request_that_is_lost_waits_for_the_owner(
    ready: RecruitmentAccount, world: World, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    through = reaching.asked

    def lost(method: str, text: str, *given: Any, **named: Any) -> Any:
        if text.endswith("/pay/"):
            raise reaching.Unreachable("There was no answer within 10 seconds.")
        return through(method, text, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reaching, "asked", lost)
        work(clock, 1)
        bonuses = Payment.objects.filter(kind="bonus")
        assert set(bonuses.values_list("state", flat=True)) == {"unknown"}
    clock.forward(5)
    working.work_some()
    assert set(bonuses.values_list("state", flat=True)) == {"unknown"}, "read too early, it proves nothing"
    work(clock, 1)
    assert set(bonuses.values_list("state", flat=True)) == {"missing"}
    work(clock, 3)
    assert not world.pays, "nobody but the owner sends it again"
    again = propose_again(ready, None)
    confirm(again, "2.00", None)
    work(clock)
    assert states(ready) == ["confirmed"] * 4
    assert list(world.pays.values()) == [1]


def test_one_worker_at_a_time(ready: RecruitmentAccount) -> None:
    first, second = StoredRows(ready), StoredRows(ready)
    assert first.is_mine()
    assert not second.is_mine()
    first.let_go()
    assert second.is_mine()


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT"])
def test_who_gave_up_frees_the_list_at_once(study: Study, world: World, clock: Clock, status: str) -> None:
    browser = take_part(study, world, 1, status="ACTIVE", ends=False)
    account = connected(study, world)
    [session] = Session.objects.filter(study=study)
    assert sum(list_counts(study, simulated=False, now=clock.world.now).values()) == 1
    world.submissions[f"sub{1:021d}"].status = status
    managing.ask_to_read(account)
    clock.forward(6)
    working.work_some()
    assert sum(list_counts(study, simulated=False, now=clock.world.now).values()) == 0
    assert violations(study)["I4 lists are balanced"] == []
    # The next person gets the list that became free; who comes back keeps theirs, late.
    take_part(study, world, 2, ends=False)
    assert Session.objects.exclude(pk=session.pk).get().list == session.list
    clock.forward(1)
    browser.send(browser.result(0))
    session.refresh_from_db()
    assert session.returned_late
    assert sum(list_counts(study, simulated=False, now=clock.world.now).values()) == 2


def test_no_id_is_readable_and_erased_ids_stay_erased(study: Study, world: World, clock: Clock) -> None:
    for number in range(2):
        take_part(study, world, number)
    account = connected(study, world)
    pay(account, Kind.APPROVE, "completed")
    work(clock)
    with connection.cursor() as cursor:
        for model in (RecruitmentAccount, ProviderSubmission, Payment, PaymentTotal):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")
            text = str(cursor.fetchall())
            assert TOKEN not in text
            for one in world.submissions.values():
                assert one.id not in text
                assert one.person not in text
    gone = Participant.objects.filter(study=study).earliest("pk")
    withdraw(gone, by_participant=True)
    assert ProviderSubmission.objects.filter(person_hash="").count() == 1
    managing.ask_to_read(account)
    work(clock, 1)
    assert ProviderSubmission.objects.filter(person_hash="").count() == 1
    erase_identities(study, user=None)
    assert not ProviderSubmission.objects.exists()
    assert not Payment.objects.exclude(submission_sealed="").exists()
    work(clock)
    assert not ProviderSubmission.objects.exists()
    assert Payment.objects.filter(state=State.CONFIRMED.value).count() == 2


def test_a_rejection_needs_its_reason(study: Study, world: World, clock: Clock) -> None:
    take_part(study, world, 1)
    account = connected(study, world)
    for message, category in (("Too fast.", "TOO_QUICKLY"), (REJECTION, ""), (REJECTION, "UNKIND"), ("", "OTHER")):
        with pytest.raises(LifecycleRefusal, match="100 characters"):
            propose(account, Kind.REJECT, people_of(account), message=message, category=category, user=None)
    assert not PaymentTotal.objects.exists()
    assert not Payment.objects.exists()


def test_a_token_that_opens_nothing_is_told_and_nothing_moves(
    ready: RecruitmentAccount, world: World, clock: Clock
) -> None:
    RecruitmentAccount.objects.update(provider_status="ACTIVE")
    managing.connect(ready.study, "prolific", "another-token-0123456789", None)
    work(clock)
    ready.refresh_from_db()
    assert ready.has_failed
    assert ready.said.startswith("401")
    assert states(ready) == ["prepared"] * 4
    assert "another-token" not in ready.said


def test_the_command_prints_rows_without_ids_and_finds_what_cannot_be(ready: RecruitmentAccount, clock: Clock) -> None:
    work(clock)
    out = StringIO()
    call_command("recruitment_ledger", ready.study.slug, stdout=out)
    text = out.getvalue()
    assert text.count("confirmed total") == 4
    assert "confirmed 8.00" in text
    assert "ok   nobody is paid twice" in text
    assert "sub0" not in text
    PaymentTotal.objects.update(confirmed_at=None, total=1)
    Payment.objects.filter(kind="bonus").update(state="missing")
    with pytest.raises(SystemExit):
        call_command("recruitment_ledger", ready.study.slug, stdout=out)
    assert "nobody confirmed its total" in out.getvalue()
    faults = violations(ready.study)["I12 nobody is paid twice"]
    assert len(faults) == 4


def test_a_restored_backup_pays_nothing_again(ready: RecruitmentAccount, world: World, clock: Clock) -> None:
    before = list(Payment.objects.values())
    work(clock)
    assert states(ready) == ["confirmed"] * 4
    # The backup is from before; the world goes on.
    Payment.objects.all().delete()
    Payment.objects.bulk_create(Payment(**row) for row in before)
    assert hold_after_restore() == 2
    work(clock)
    assert states(ready) == ["confirmed"] * 2 + ["refused"] * 2
    assert list(world.pays.values()) == [1]
    assert {one.reward_paid for one in world.submissions.values()} == {1}


def test_a_worker_leaves_an_account_after_some_seconds(
    ready: RecruitmentAccount, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "SECONDS", -1.0)
    work(clock)
    assert states(ready) == ["prepared"] * 4
