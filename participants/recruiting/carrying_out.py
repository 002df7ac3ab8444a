"""Send what was confirmed and read back what is not certain, for one account of a provider. Knows no database.

One worker at a time does so for an account (a lease). It first settles what an earlier one left: a row that was sent
and has no answer is unknown, and is read back before anything else. A request leaves only after its row is stored as
sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from participants.recruiting.ledger import PATIENCE, Event, Kind, Row, Seen, State, verdict
from participants.recruiting.providers.base import NoAnswer, NotTaken, Provider, Refused

BONUSES_AT_ONCE = 200


PAID_APART = (Kind.BONUS, Kind.SCREEN_OUT)


class Store(Protocol):
    """Where rows are kept. `send` and `note` change a row only if nobody else has meanwhile."""

    def now(self) -> datetime:
        """Return the time."""

    def is_mine(self) -> bool:
        """Renew the lease; return whether this worker still has it."""

    def rows(self) -> list[Row]:
        """Return the prepared, sent, unknown and missing rows in their order: those of confirmed totals, and all that
        were sent before.
        """

    def send(self, rows: Sequence[Row], *, reference: str = "", before: Mapping[str, int] | None = None) -> list[Row]:
        """Store prepared rows as sent by this worker, and return those that it really is to send."""

    def note(self, row: Row, event: Event, said: str = "") -> bool:
        """Store what happened to a row; False if the row is not in the state any more in which it was read."""

    def keep(self, seen: Sequence[Seen]) -> None:
        """Store what was read of the submissions."""


def carry_out(store: Store, provider: Provider, study: str) -> str:
    """Settle what is on its way, then send what is prepared. Return why it ended early; empty where it did not.

    Where it ends early, the rest is for the next time.
    """
    if not store.is_mine():
        return ""
    rows = store.rows()
    for row in rows:
        # This worker has the lease, so that nobody waits for the answer any more.
        if row.state is State.SENT and not row.is_accepted:
            store.note(row, Event.NO_ANSWER, "The answer was lost.")
    try:
        seen: dict[str, Seen] = {}
        if not provider.reads_back:
            _ask_again(store)
        elif rows:
            seen = read_back(store, provider, study)
        _send_decisions(store, provider, study)
        _send_bonuses(store, provider, study, seen)
    except (NotTaken, NoAnswer, Refused) as problem:
        return str(problem)
    return ""


def _ask_again(store: Store) -> None:
    """Where nothing can be read back, what can be repeated is."""
    for row in store.rows():
        if row.state is State.UNKNOWN and row.is_repeatable:
            store.note(row, Event.NOT_FOUND, "Asked again.")


def read_back(store: Store, provider: Provider, study: str) -> dict[str, Seen]:
    """Read all submissions, store them, and conclude what they prove about rows. Raises as providers do."""
    read_at = store.now()
    found = {one.submission: one for one in provider.submissions(study)}
    store.keep(list(found.values()))
    for row in store.rows():
        event = verdict(row, found.get(row.submission), read_at=read_at)
        if event is None or (row.state in (State.PREPARED, State.MISSING) and event is Event.NOT_FOUND):
            continue
        if row.state is State.MISSING and event is Event.RULED_OUT:
            continue
        said = {Event.FOUND: "Read back: done.", Event.NOT_FOUND: "Read back: not done."}
        status = found[row.submission].status.lower()
        store.note(row, event, said.get(event, f"Read back: the submission is {status}."))
    return found


def _send_decisions(store: Store, provider: Provider, study: str) -> None:
    flying = {row.submission for row in store.rows() if row.kind is Kind.BONUS and row.may_turn_up}
    for row in store.rows():
        if row.state is not State.PREPARED or row.kind is Kind.BONUS or not row.is_confirmed:
            continue
        # A paid screen-out may be shown among the bonuses.
        if row.kind is Kind.SCREEN_OUT and row.submission in flying:
            continue
        if not store.is_mine():
            return
        for sent in store.send([row]):
            if _is_late(store, sent):
                return
            try:
                is_done = provider.decide(study, sent)
            except NotTaken as problem:
                store.note(sent, Event.NOT_TAKEN if sent.is_repeatable else Event.NO_ANSWER, str(problem))
                raise
            except NoAnswer as problem:
                store.note(sent, Event.NO_ANSWER, str(problem))
            except Refused as problem:
                store.note(sent, Event.REFUSED, str(problem))
            else:
                store.note(sent, Event.DONE if is_done else Event.ACCEPTED)


def _send_bonuses(store: Store, provider: Provider, study: str, seen: Mapping[str, Seen]) -> None:
    for rows in _bunches(store.rows()):
        if not store.is_mine():
            return
        known = {row.submission: one for row in rows if (one := seen.get(row.submission)) and one.bonuses is not None}
        ready = [row for row in rows if row.submission in known]
        if not ready:
            continue
        try:
            reference = provider.set_up_bonuses(study, ready)
        except Refused as problem:
            for row in ready:
                store.note(row, Event.REFUSED, str(problem))
            continue
        mine = store.send(ready, reference=reference, before={key: one.bonuses or 0 for key, one in known.items()})
        if len(mine) < len(ready):
            # Somebody else has some of them, so that this reference would pay too much: it is never paid.
            for row in mine:
                store.note(row, Event.NOT_TAKEN)
            return
        if _is_late(store, mine[0]):
            return
        try:
            provider.pay_bonuses(reference)
        except (NotTaken, NoAnswer) as problem:
            # Whether money went out is only certain once it was read back.
            for row in mine:
                store.note(row, Event.NO_ANSWER, str(problem))
            raise
        except Refused as problem:
            for row in mine:
                store.note(row, Event.REFUSED, str(problem))
        else:
            for row in mine:
                store.note(row, Event.ACCEPTED)


def _bunches(rows: Iterable[Row]) -> list[list[Row]]:
    """Return prepared bonuses in bunches for one payment: one of a submission at a time, and none beside one on its
    way, so that what was paid can be told from what was not.
    """
    rows = list(rows)
    taken: dict[str, int] = {}
    for row in rows:
        if row.kind in PAID_APART and row.may_turn_up:
            taken.setdefault(row.submission, row.key)
    ready: list[Row] = []
    for row in rows:
        if row.kind is not Kind.BONUS or row.state is not State.PREPARED or not row.is_confirmed:
            continue
        # What was tried before goes first: until it is settled, nothing else may change what was paid.
        if taken.setdefault(row.submission, row.key) == row.key:
            ready.append(row)
    return [ready[start : start + BONUSES_AT_ONCE] for start in range(0, len(ready), BONUSES_AT_ONCE)]


def _is_late(store: Store, row: Row) -> bool:
    return row.sent_at is not None and store.now() > row.sent_at + PATIENCE
