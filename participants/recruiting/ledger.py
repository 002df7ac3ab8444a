"""The ledger of intended payments: states, what moves a row from one to the next, and what reading back proves. Pure.

    prepared → sent → confirmed
                  ↘ unknown → confirmed, or missing → prepared (by a person)
                  ↘ refused → prepared (by a person)

A row is `sent` before its request leaves, so that a process that is killed leaves a row that nobody sends again without
having read back what the provider did. What cannot be repeated without paying twice is sent again by a person alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class State(StrEnum):
    """Where a row is."""

    PREPARED = "prepared"
    SENT = "sent"
    CONFIRMED = "confirmed"
    UNKNOWN = "unknown"
    MISSING = "missing"
    REFUSED = "refused"


class Kind(StrEnum):
    """What is asked of the provider."""

    APPROVE = "approve"
    BONUS = "bonus"
    SCREEN_OUT = "screen-out"
    CREDIT = "credit"
    REJECT = "reject"
    RETURN = "return"


class Event(StrEnum):
    """What happened to a row."""

    SENDING = "sending"  # its request is about to leave
    DONE = "done"  # the provider says that it is done
    ACCEPTED = "accepted"  # the provider took it and does it later
    NOT_TAKEN = "not-taken"  # the provider did nothing, and may later
    REFUSED = "refused"  # the provider will not do it
    NO_ANSWER = "no-answer"  # nobody knows
    FOUND = "found"  # read back: it is done
    NOT_FOUND = "not-found"  # read back: it is not done
    RULED_OUT = "ruled-out"  # read back: it cannot be done any more
    AGAIN = "again"  # a person decided to send it again


# What a provider does at most once, however often it is asked.
REPEATABLE = frozenset({Kind.APPROVE, Kind.REJECT, Kind.CREDIT})
# What a submission can have one of: it is paid, screened out with a payment, or rejected.
REWARD = "reward"
OF_REWARD = frozenset({Kind.APPROVE, Kind.SCREEN_OUT, Kind.CREDIT, Kind.REJECT})
IN_FLIGHT = frozenset({State.SENT, State.UNKNOWN})
# Within this time a provider has done what it took; read before, its absence proves nothing.
SETTLING = timedelta(minutes=60)
# A request that has not left by then is not sent: its worker was asleep.
PATIENCE = timedelta(seconds=60)
_AFTER = {
    (State.PREPARED, Event.SENDING): State.SENT,
    (State.PREPARED, Event.REFUSED): State.REFUSED,
    (State.PREPARED, Event.FOUND): State.CONFIRMED,
    (State.PREPARED, Event.RULED_OUT): State.REFUSED,
    (State.SENT, Event.DONE): State.CONFIRMED,
    (State.SENT, Event.ACCEPTED): State.SENT,
    (State.SENT, Event.NOT_TAKEN): State.PREPARED,
    (State.SENT, Event.REFUSED): State.REFUSED,
    (State.SENT, Event.NO_ANSWER): State.UNKNOWN,
    (State.SENT, Event.FOUND): State.CONFIRMED,
    (State.SENT, Event.NOT_FOUND): State.MISSING,
    (State.SENT, Event.RULED_OUT): State.REFUSED,
    (State.UNKNOWN, Event.FOUND): State.CONFIRMED,
    (State.UNKNOWN, Event.NOT_FOUND): State.MISSING,
    (State.UNKNOWN, Event.RULED_OUT): State.REFUSED,
    # A payment that came later than the provider says.
    (State.MISSING, Event.FOUND): State.CONFIRMED,
    (State.MISSING, Event.AGAIN): State.PREPARED,
    (State.REFUSED, Event.AGAIN): State.PREPARED,
}


class NotPossible(Exception):
    """An event that cannot happen to a row in its state."""


@dataclass(frozen=True)
class Row:
    """An intended payment or decision. Amounts are in hundredths of the currency.

    `before`: what the provider had paid as bonuses for the submission when the row was sent. `is_accepted`: the
    provider said that it took it. `is_confirmed`: the owner confirmed its total, so that it may be sent.
    """

    key: int
    kind: Kind
    submission: str
    purpose: str
    amount: int = 0
    state: State = State.PREPARED
    message: str = ""
    category: str = ""
    sent_at: datetime | None = None
    before: int = 0
    reference: str = ""
    is_accepted: bool = False
    is_confirmed: bool = True

    @property
    def may_turn_up(self) -> bool:
        """Whether the provider may still do, or show, what was asked: as long as that is so, what it shows for the
        submission must not change for another reason.
        """
        return self.state in (State.SENT, State.UNKNOWN, State.MISSING) or (
            self.state is State.PREPARED and self.sent_at is not None
        )

    @property
    def is_repeatable(self) -> bool:
        """Whether asking twice does it once."""
        return self.kind in REPEATABLE


@dataclass(frozen=True)
class Seen:
    """A submission as a provider shows it; amounts in hundredths.

    `person` is the provider's id, which is not stored. `bonuses` is None where they cannot be read.
    """

    submission: str
    person: str
    status: str
    bonuses: int | None = 0
    is_return_asked: bool = False
    code: str = ""
    started_at: str = ""
    ended_at: str = ""


def after(row: Row, event: Event) -> State:
    """Return the state after an event. Raises NotPossible.

    >>> after(Row(1, Kind.BONUS, "s", "bonus", state=State.SENT), Event.NO_ANSWER).value
    'unknown'
    >>> after(Row(1, Kind.APPROVE, "s", "reward", state=State.UNKNOWN), Event.NOT_FOUND).value
    'prepared'
    """
    found = _AFTER.get((row.state, event))
    if found is None:
        raise NotPossible(f"A row that is {row.state.value} cannot be {event.value}.")
    # What can be repeated needs nobody's decision.
    return State.PREPARED if found is State.MISSING and row.is_repeatable else found


APPROVED, REJECTED, SCREENED_OUT, WAITING, ACTIVE = "APPROVED", "REJECTED", "SCREENED OUT", "AWAITING REVIEW", "ACTIVE"
GIVEN_UP = frozenset({"RETURNED", "TIMED-OUT"})
_WANTED = {Kind.APPROVE: APPROVED, Kind.REJECT: REJECTED, Kind.SCREEN_OUT: SCREENED_OUT, Kind.CREDIT: APPROVED}
_POSSIBLE_FROM = {
    Kind.APPROVE: {WAITING, "RETURNED", "TIMED-OUT", ACTIVE},
    Kind.CREDIT: {WAITING, ACTIVE},
    Kind.REJECT: {WAITING},
    Kind.SCREEN_OUT: {WAITING, ACTIVE},
}


def verdict(row: Row, seen: Seen | None, *, read_at: datetime) -> Event | None:
    """Return what a reading that began at `read_at` proves about a row; None where it proves nothing.

    A submission that is missing from a list proves nothing: lists are read page by page while they change.
    """
    if seen is None:
        return None
    is_settled = row.sent_at is None or row.is_repeatable or read_at >= row.sent_at + SETTLING
    if row.kind is Kind.BONUS:
        if seen.bonuses is None or row.sent_at is None:
            return None
        paid = seen.bonuses - row.before
        if paid >= row.amount:
            return Event.FOUND
        return Event.NOT_FOUND if paid == 0 and is_settled else None
    if row.kind is Kind.RETURN:
        if seen.is_return_asked or seen.status == "RETURNED":
            return Event.FOUND
        return (Event.NOT_FOUND if is_settled else None) if seen.status in (WAITING, ACTIVE) else Event.RULED_OUT
    if seen.status == _WANTED[row.kind]:
        return Event.FOUND
    if seen.status not in _POSSIBLE_FROM[row.kind]:
        return Event.RULED_OUT
    return Event.NOT_FOUND if is_settled else None


def violations(rows: Iterable[tuple[Row, bool]]) -> list[str]:
    """Return one sentence for everything that can never be in a ledger: rows with whether their total was confirmed."""
    faults, purposes, flying = [], Counter[tuple[str, str]](), Counter[str]()
    for row, is_confirmed in rows:
        purposes[row.submission, row.purpose] += 1
        if row.state in IN_FLIGHT and row.kind is Kind.BONUS:
            flying[row.submission] += 1
        if row.state not in (State.PREPARED, State.REFUSED, State.CONFIRMED) and not is_confirmed:
            faults.append(f"Row {row.key} was sent, but nobody confirmed its total.")
        if row.state in (State.SENT, State.UNKNOWN, State.MISSING) and row.sent_at is None:
            faults.append(f"Row {row.key} is {row.state.value} and has no time at which it was sent.")
        if row.amount < 0:
            faults.append(f"Row {row.key} has a negative amount.")
        if (row.kind in OF_REWARD) != (row.purpose == REWARD):
            faults.append(f"Row {row.key} ({row.kind.value}) has the purpose '{row.purpose}'.")
    faults += [f"{n} rows are for one submission and purpose ({of[1]})." for of, n in purposes.items() if n > 1]
    return faults + [f"{n} bonuses of one submission are on their way at once." for n in flying.values() if n > 1]


def totals(rows: Sequence[Row]) -> dict[State, int]:
    """Return the sum of the amounts in every state, in hundredths."""
    return {state: sum(row.amount for row in rows if row.state is state) for state in State}
