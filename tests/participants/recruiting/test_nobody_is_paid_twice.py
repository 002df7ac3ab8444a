"""Random schedules of faults, kills, sleeping workers and double clicks: nobody is paid twice, nobody is forgotten.

The ledger, the client of Prolific and the order in which they act are those of the platform; the rows are in memory,
and the network is that of `prolific_world`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from participants.hooks import reaching
from participants.recruiting.carrying_out import carry_out
from participants.recruiting.ledger import REWARD, Event, Kind, NotPossible, Row, Seen, State, after, violations
from participants.recruiting.providers.prolific import Prolific
from tests.participants.recruiting.prolific_world import BASE, STUDY, TOKEN, Killed, Network, World

REJECTION = (
    "The questions about the instructions were answered wrongly three times, and the free answers are empty. " * 2
)
LEASE = timedelta(minutes=2)


class Rows:
    """A table of rows: what is written stays, whoever is killed afterwards."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.owner: tuple[object, datetime] | None = None

    def prepare(self, row: Row) -> None:
        """Prepared twice, a purpose is prepared once."""
        if all((one.submission, one.purpose) != (row.submission, row.purpose) for one in self.rows.values()):
            self.rows[row.key] = row


class Worker:
    """The store of one worker, which may be killed before and after everything it writes."""

    def __init__(self, table: Rows, world: World, rng: random.Random, *, kills: int) -> None:
        self.table, self.world, self.rng, self.kills = table, world, rng, kills
        self.asleep: Callable[[], None] = lambda: None

    def perhaps_killed(self) -> None:
        if self.rng.randrange(100) < self.kills:
            raise Killed

    def now(self) -> datetime:
        return self.world.now

    def is_mine(self) -> bool:
        owner = self.table.owner
        if owner is not None and owner[0] is not self and owner[1] > self.world.now:
            return False
        self.table.owner = (self, self.world.now + LEASE)
        return True

    def rows(self) -> list[Row]:
        shown = (State.PREPARED, State.SENT, State.UNKNOWN, State.MISSING)
        stored = [row for _key, row in sorted(self.table.rows.items()) if row.state in shown]
        return [row for row in stored if row.is_confirmed or row.sent_at is not None]

    def send(self, rows: Sequence[Row], *, reference: str = "", before: Mapping[str, int] | None = None) -> list[Row]:
        self.perhaps_killed()
        mine = []
        for row in rows:
            stored = self.table.rows[row.key]
            if stored.state is State.PREPARED and stored.is_confirmed:
                paid = (before or {}).get(row.submission, 0)
                state = after(stored, Event.SENDING)
                sent = replace(
                    stored, state=state, sent_at=self.now(), before=paid, reference=reference, is_accepted=False
                )
                self.table.rows[row.key] = sent
                mine.append(sent)
        self.perhaps_killed()
        # A computer that was shut down here goes on here.
        self.asleep()
        return mine

    def note(self, row: Row, event: Event, said: str = "") -> bool:
        self.perhaps_killed()
        stored = self.table.rows[row.key]
        if (stored.state, stored.sent_at) != (row.state, row.sent_at):
            return False
        changes: dict[str, Any] = {"state": after(stored, event)}
        if event is Event.ACCEPTED:
            changes["is_accepted"] = True
        if event is Event.NOT_TAKEN:
            changes["sent_at"] = None
        self.table.rows[row.key] = replace(stored, **changes)
        self.perhaps_killed()
        return True

    def keep(self, seen: Sequence[Seen]) -> None:
        self.perhaps_killed()


def again(table: Rows) -> None:
    """The owner looks at what is missing or refused and proposes it again; next time, the proposal is confirmed."""
    for key, row in table.rows.items():
        if not row.is_confirmed:
            table.rows[key] = replace(row, is_confirmed=True)
        if row.state in (State.MISSING, State.REFUSED):
            kept = row.sent_at if row.state is State.MISSING else None
            table.rows[key] = replace(row, state=after(row, Event.AGAIN), sent_at=kept, is_confirmed=False)


def intend(table: Rows, world: World, rng: random.Random) -> dict[int, Row]:
    """Prepare what a researcher may intend for everybody; return it by key."""
    wanted: dict[int, Row] = {}
    for one in world.submissions.values():
        kind = rng.choices([Kind.APPROVE, Kind.SCREEN_OUT, Kind.REJECT], [6, 2, 1])[0]
        amount = rng.randrange(1, 500) if kind is Kind.SCREEN_OUT else 0
        given: dict[str, Any] = {"message": REJECTION, "category": "FAILED_CHECK"} if kind is Kind.REJECT else {}
        asked = [(kind, REWARD, amount, given)]
        asked += [
            (Kind.BONUS, f"bonus-{n}", rng.choice([50, 50, rng.randrange(1, 900)]), {}) for n in range(rng.randrange(3))
        ]
        for kind, purpose, amount, details in asked:
            row = Row(len(wanted), kind, one.id, purpose, amount, **details)
            wanted[row.key] = row
    for row in wanted.values():
        # A double click.
        for key in (row.key, row.key + 10_000):
            table.prepare(replace(row, key=key))
    return wanted


def run(seed: int, patch: Any) -> None:
    rng = random.Random(seed)
    world = World(random.Random(rng.random()), people=rng.randrange(1, 6))
    world.page = rng.randrange(1, 4)
    table = Rows()
    network = Network(world, rng, faults=rng.choice([0, 10, 30, 60]))
    patch.setattr(reaching, "asked", network.asked)
    provider = Prolific(TOKEN, BASE)
    kills, sleeps = rng.choice([0, 0, 3, 10]), rng.choice([0, 0, 0.2])
    wanted = intend(table, world, rng)
    depth = 0

    def work() -> None:
        try:
            worker = Worker(table, world, rng, kills=kills)
            worker.asleep = lambda: asleep(longest=70, decides=True) if rng.random() < sleeps else None
            carry_out(worker, provider, STUDY)
        except Killed:
            pass

    def asleep(longest: int = 20, *, decides: bool = False) -> None:
        """A worker that sleeps is overtaken by others, by time, and perhaps by the owner."""
        nonlocal depth
        if depth:
            return
        depth += 1
        for _turn in range(rng.randrange(1, 4)):
            world.now += timedelta(minutes=rng.choice([0.5, 3, longest]))
            work()
            if decides and rng.random() < 0.5:
                again(table)
        depth -= 1

    network.asleep = asleep
    for _turn in range(rng.randrange(4, 14)):
        world.now += timedelta(minutes=rng.choice([0.1, 3, 3, 70]))
        work()
        assert violations((row, True) for row in table.rows.values()) == []
        if rng.random() < 0.3:
            again(table)
    # At last everything works, and the owner looks at what is left.
    network.faults = kills = 0
    sleeps = 0
    for _turn in range(24):
        world.now += timedelta(minutes=70)
        work()
        if all(row.state is State.CONFIRMED for row in table.rows.values()):
            break
        again(table)
    unsettled = {key: row for key, row in table.rows.items() if row.state is not State.CONFIRMED}
    assert unsettled == {}, seed
    assert sorted(table.rows) == sorted(wanted)
    check_the_world(world, wanted, seed)


def check_the_world(world: World, wanted: Mapping[int, Row], seed: int) -> None:
    """What was paid is what was intended, to the penny and once."""
    for one in world.submissions.values():
        mine = [row for row in wanted.values() if row.submission == one.id]
        assert one.reward_paid == sum(row.kind is Kind.APPROVE for row in mine), seed
        assert one.rejected == sum(row.kind is Kind.REJECT for row in mine), seed
        assert one.screen_outs == [row.amount for row in mine if row.kind is Kind.SCREEN_OUT], seed
        assert sorted(amount for _at, amount in one.bonuses) == sorted(
            r.amount for r in mine if r.kind is Kind.BONUS
        ), seed
    assert max(world.pays.values(), default=0) <= 1, seed


@pytest.mark.slow
def test_a_thousand_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1_000):
        run(seed, monkeypatch)


@pytest.mark.full("a fault of one schedule in ten thousand: the same rule, ten times as often")
def test_ten_thousand_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1_000, 11_000):
        run(seed, monkeypatch)


def test_a_row_moves_as_the_ledger_says_and_no_other_way() -> None:
    for kind in Kind:
        for state in State:
            for event in Event:
                row = Row(1, kind, "s", "bonus", state=state)
                try:
                    then = after(row, event)
                except NotPossible:
                    continue
                # Confirmed is the end, and nothing is sent but what was prepared.
                assert state is not State.CONFIRMED
                assert then is not State.SENT or state in (State.PREPARED, State.SENT)
                # What cannot be repeated becomes prepared again by a person, or where nothing can have been done.
                if then is State.PREPARED and not row.is_repeatable:
                    assert event in (Event.AGAIN, Event.NOT_TAKEN)


def test_without_the_ledger_people_are_paid_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The world punishes whoever repeats: otherwise the schedules would show nothing."""
    world = World(people=1)
    monkeypatch.setattr(reaching, "asked", Network(world, random.Random(0)).asked)
    provider = Prolific(TOKEN, BASE)
    [one] = world.submissions
    reference = provider.set_up_bonuses(STUDY, [Row(1, Kind.BONUS, one, "bonus", 150)])
    for _press in range(2):
        provider.pay_bonuses(reference)
    assert world.paid_bonus(one) == 300
