"""Store every result exactly once, and acknowledge it only after the commit.

A batch is one transaction. Its entries are judged one by one: new ones are stored, duplicates are acknowledged as well,
and entries that contradict a stored result or break the rules are kept as intake problems and reported as such. This
depends on neither a broker nor a cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from experiments.paradigms import paradigm_behind
from participants.content import as_storable, content_hash, result_content
from participants.intake.entries import entry_faults
from participants.intake.payloads import payload_faults
from participants.models import EventBatch, IntakeProblem, Response, Session, Trial
from participants.prepared import Prepared, insert_under_lock
from participants.refusals import no_session
from participants.session.assignment import is_stale
from participants.session.completing import LEASE, last_holder

# Minimum time between two renewals of a lease.
RENEWED = timedelta(seconds=5)
STORED, DUPLICATE, CONFLICT, REFUSED = "stored", "duplicate", "conflict", "refused"
MAX_REASON_CHARACTERS = 2_000


_locked_session = Prepared(
    lambda session: (
        Session.objects.select_for_update(no_key=True).filter(pk=session).order_by().values_list("lease_holder")
    )
)
_trials_at = Prepared(
    lambda session, positions: (
        Trial.objects.filter(session_id=session)
        .filter(position__in=positions)
        .order_by()
        .values_list("pk", "position", "plugin", "params", "private", "response__content_hash", "part__paradigm")
    )
)
_hashes_of = Prepared(
    lambda trials: Response.objects.filter(trial_id__in=trials).order_by().values_list("trial_id", "content_hash")
)


@dataclass(frozen=True)
class EntryResult:
    """The outcome of one entry. `hash` is that of the content as sent."""

    kind: str
    sequence: int
    status: str
    hash: str
    batch: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Receipt:
    """The outcomes of a batch, in the order of its entries, and whether the sender holds the session's lease."""

    results: list[EntryResult]
    lease: bool


class _KnownTrial(NamedTuple):
    """The data of a trial needed to judge an answer; `paradigm` is empty for questionnaires and pages."""

    pk: int
    plugin: str
    params: dict[str, Any]
    private: dict[str, Any]
    paradigm: str


@dataclass
class _Batch:
    """State of judging a batch: what is known, and what has to be written."""

    session: Session
    trials: dict[int, _KnownTrial]
    response_hashes: dict[int, str]
    event_hashes: dict[tuple[int, int], str]
    responses: list[Response] = field(default_factory=list)
    events: list[EventBatch] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    problems: list[IntakeProblem] = field(default_factory=list)


def store_entries(session: Session, entries: Sequence[Any], *, tab: str = "", now: datetime | None = None) -> Receipt:
    """Store a batch of entries and return, after the commit, what became of each.

    `session` must come with its study. Raises Refusal `no-session` if it was erased meanwhile, NotStored if written
    rows cannot be read back; database errors propagate. In all of these cases nothing is stored.
    """
    now = now or timezone.now()
    if connection.vendor == "postgresql" and (receipt := _stored_at_once(session, entries, tab=tab, now=now)):
        return receipt
    with transaction.atomic():
        lease = _touch(session, tab=tab, now=now)
        batch = _known(session, entries)
        results = [_judge(batch, entry) for entry in entries]
        _write(batch, now=now)
        _verify(batch)
    return Receipt(results=results, lease=lease)


def _stored_at_once(session: Session, entries: Sequence[Any], *, tab: str, now: datetime) -> Receipt | None:
    """Store a single new result by one statement, which is its own transaction; None where more has to be done.

    It is judged before the lock, by what cannot change any more: its trial. Whether its place is free and the session
    there is decided under the lock, where a result that came first is left as it is; the batch is then judged again.
    Every statement is a round trip to a database server: this way there are two and not six. SQLite has none to spare.
    """
    is_single = len(entries) == 1 and isinstance(entries[0], dict) and entries[0].get("kind") == "result"
    if not is_single or not _holds_lease(session, tab=tab, now=now):
        return None
    batch = _known(session, entries)
    results = [_judge(batch, entry) for entry in entries]
    if not batch.responses:  # refused, or known already
        return None
    (response,) = batch.responses
    found = insert_under_lock(response, Session, session.pk, column="lease_holder", back=("trial_id", "content_hash"))
    if not found:
        raise no_session()
    ((holder, *stored),) = found
    if stored != [response.trial_id, response.content_hash]:
        return None
    return Receipt(results=results, lease=bool(holder == tab))


def _holds_lease(session: Session, *, tab: str, now: datetime) -> bool:
    """Return whether the sender held the lease when the session was read, and need not renew it yet."""
    is_running = session.status == Session.Status.RUNNING
    until = session.lease_until
    return is_running and session.lease_holder == tab and until is not None and until > now + LEASE - RENEWED


def _touch(session: Session, *, tab: str, now: datetime) -> bool:
    """Lock the session's row, update its last activity, renew the sender's lease; return whether the sender holds it.

    A finished session needs no lease: the tab that held it last counts as its holder, any tab if none did. Results are
    stored either way.

    The lock serialises batches of a session, and withdrawals. The row is updated every few seconds at most, because in
    a burst of results the updates would be half of the work.
    """
    running = session.status == Session.Status.RUNNING
    if _holds_lease(session, tab=tab, now=now):
        locked = _locked_session(session.pk)
        if not locked:
            raise no_session()
        return bool(locked[0][0] == tab)
    row = Session.objects.filter(pk=session.pk)
    seen: dict[str, Any] = {"last_seen_at": now}
    if is_stale(session, now=now):
        seen["returned_late"] = True
    if tab and running:
        may_hold = Q(lease_holder=tab) | Q(lease_until=None) | Q(lease_until__lt=now)
        renewed = row.filter(may_hold).update(lease_holder=tab, lease_until=now + LEASE, **seen)
        if renewed:
            return True
    if not row.update(**seen):
        raise no_session()
    return not running and session.lease_holder in ("", tab, last_holder(session, tab))


def _known(session: Session, entries: Sequence[Any]) -> _Batch:
    """Return the stored trials that the batch refers to."""
    positions = {
        entry["sequence"]
        for entry in entries
        if isinstance(entry, dict) and 0 <= _number_or(entry.get("sequence"), -1) <= 1_000_000
    }
    trials: dict[int, _KnownTrial] = {}
    hashes: dict[int, str] = {}
    rows = _trials_at(session.pk, many=sorted(positions))
    for pk, position, plugin, params, private, stored_hash, paradigm in rows:
        trials[position] = _KnownTrial(pk, plugin, params, private, paradigm)
        if stored_hash is not None:
            hashes[pk] = stored_hash
    event_hashes: dict[tuple[int, int], str] = {}
    if any(isinstance(entry, dict) and entry.get("kind") == "events" for entry in entries):
        event_hashes = {
            (trial, sequence): stored_hash
            for trial, sequence, stored_hash in EventBatch.objects.filter(
                trial__in=[trial.pk for trial in trials.values()]
            ).values_list("trial_id", "sequence", "content_hash")
        }
    return _Batch(
        session=session,
        trials=trials,
        response_hashes=hashes,
        event_hashes=event_hashes,
    )


def _judge(batch: _Batch, entry: Any) -> EntryResult:
    """Judge one entry: return its outcome, and note what has to be written."""
    faults = entry_faults(entry)
    if faults:
        return _refuse(batch, entry, " ".join(faults))
    trial = batch.trials.get(entry["sequence"])
    if trial is None:
        return _refuse(batch, entry, f"The session has no trial at position {entry['sequence']}.")
    if entry["kind"] == "opened":
        batch.opened.add(trial.pk)
        return EntryResult(kind="opened", sequence=entry["sequence"], status=STORED, hash="")
    if entry["kind"] == "events":
        return _judge_events(batch, entry, trial.pk)
    return _judge_result(batch, entry, trial)


def _judge_result(batch: _Batch, entry: dict[str, Any], trial: _KnownTrial) -> EntryResult:
    content = result_content(entry)
    digest = content_hash(content)
    known = batch.response_hashes.get(trial.pk)
    if known is not None:
        return _answer_known(batch, entry, digest, is_same=known == digest)
    faults = payload_faults(
        paradigm_behind(trial.paradigm),
        plugin=trial.plugin,
        params=trial.params,
        private=trial.private,
        payload=entry["payload"],
    )
    if faults:
        return _refuse(batch, entry, " ".join(faults), digest=digest)
    batch.response_hashes[trial.pk] = digest
    batch.responses.append(Response(trial_id=trial.pk, content_hash=digest, **content))
    return EntryResult(kind="result", sequence=entry["sequence"], status=STORED, hash=digest)


def _judge_events(batch: _Batch, entry: dict[str, Any], pk: int) -> EntryResult:
    digest = content_hash(entry["events"])
    known = batch.event_hashes.get((pk, entry["batch"]))
    if known is not None:
        return _answer_known(batch, entry, digest, is_same=known == digest)
    batch.event_hashes[pk, entry["batch"]] = digest
    batch.events.append(EventBatch(trial_id=pk, sequence=entry["batch"], events=entry["events"], content_hash=digest))
    return EntryResult(kind="events", sequence=entry["sequence"], batch=entry["batch"], status=STORED, hash=digest)


def _answer_known(batch: _Batch, entry: dict[str, Any], digest: str, *, is_same: bool) -> EntryResult:
    kind, sequence, number = entry["kind"], entry["sequence"], entry.get("batch")
    if is_same:
        return EntryResult(kind=kind, sequence=sequence, batch=number, status=DUPLICATE, hash=digest)
    what = "another result" if kind == "result" else "another batch of events"
    message = f"Position {sequence} already has {what}. The first one stays; this one is kept beside it."
    _note_problem(batch, entry, IntakeProblem.Kind.CONFLICT, message, sequence=sequence)
    return EntryResult(kind=kind, sequence=sequence, batch=number, status=CONFLICT, hash=digest, message=message)


def _refuse(batch: _Batch, entry: Any, reason: str, *, digest: str = "") -> EntryResult:
    shape = entry if isinstance(entry, dict) else {}
    kind = next((known for known in ("result", "events", "opened") if shape.get("kind") == known), "unknown")
    sequence = _number_or(shape.get("sequence"), -1)
    _note_problem(batch, entry, IntakeProblem.Kind.REFUSED, reason, sequence=sequence)
    return EntryResult(
        kind=kind,
        sequence=sequence,
        batch=_number_or(shape.get("batch"), None),
        status=REFUSED,
        hash=digest,
        message=as_storable(reason)[:MAX_REASON_CHARACTERS],
    )


def _number_or(value: Any, otherwise: Any) -> Any:
    good = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31
    return value if good else otherwise


def _note_problem(batch: _Batch, entry: Any, kind: str, reason: str, *, sequence: int) -> None:
    # Anything but an object, such as null, is wrapped in one: a JSON column treats null as no value.
    kept = as_storable(entry) if isinstance(entry, dict) else {"entry": as_storable(entry)}
    batch.problems.append(
        IntakeProblem(
            session=batch.session,
            kind=kind,
            sequence=sequence,
            entry=kept,
            reason=as_storable(reason)[:MAX_REASON_CHARACTERS],
            content_hash=content_hash(kept),
        )
    )


def _write(batch: _Batch, *, now: datetime) -> None:
    if batch.responses:
        Response.objects.bulk_create(batch.responses, ignore_conflicts=True)
    if batch.events:
        EventBatch.objects.bulk_create(batch.events, ignore_conflicts=True)
    if batch.opened:
        Trial.objects.filter(pk__in=batch.opened, opened_at=None).update(opened_at=now)
    if batch.problems:
        IntakeProblem.objects.bulk_create(batch.problems, ignore_conflicts=True)


class NotStored(RuntimeError):
    """A stored result cannot be read back. The transaction is rolled back; the browser sends the result again."""


def _verify(batch: _Batch) -> None:
    """Read back the rows before acknowledging them: `ON CONFLICT DO NOTHING` does not report skipped rows."""
    if batch.responses:
        expected = {response.trial_id: response.content_hash for response in batch.responses}
        if dict(_hashes_of(many=sorted(expected))) != expected:
            raise NotStored("Responses are missing after they were written.")
    if batch.events:
        keys = {(events.trial_id, events.sequence): events.content_hash for events in batch.events}
        rows = EventBatch.objects.filter(trial__in={trial for trial, _ in keys}).values_list(
            "trial_id", "sequence", "content_hash"
        )
        stored = {(trial, sequence): digest for trial, sequence, digest in rows}
        if any(stored.get(key) != digest for key, digest in keys.items()):
            raise NotStored("Event batches are missing after they were written.")
    if batch.problems:
        hashes = {problem.content_hash for problem in batch.problems}
        kept = IntakeProblem.objects.filter(session_id=batch.session.pk, content_hash__in=hashes)
        if set(kept.values_list("content_hash", flat=True)) != hashes:
            raise NotStored("Refused entries are missing after they were written.")
