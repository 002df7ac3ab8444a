"""Save, change and undo one coder's codes of one recall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from analysis.coding.queues import refuse_removed, response_of
from analysis.coding.recalls import locked_state, of_task, recall_id, refuse_frozen, state_of
from analysis.coding.refusals import CodingRefusal
from analysis.models import Adjudication, Coding, CodingQueue
from experiments.formats.faults import spoken
from experiments.rules.error_codes import SchemeCode, faults_of, normalised
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.schemes import scheme_of

# A page that was left open does not make a coder slow.
MOST_SECONDS = 1800.0
MOST_NOTE = 2000
# So many states before the present one are kept for undo.
MOST_EARLIER = 50

Row = TypeVar("Row", Coding, Adjudication)


@transaction.atomic
def save(
    queue: CodingQueue,
    recall_id: str,
    codes: Sequence[str],
    *,
    note: str = "",
    seconds: float = 0.0,
    revision: int | None = None,
) -> Coding:
    """Store the codes of a recall and return the coding; `seconds` are added to those it has.

    `revision` is what the coder saw (0: not coded); None takes over whatever is there. The earlier state is kept for
    `undo`. The same codes and note again only add the seconds.

    Raises CodingRefusal: `unknown`, `rule`, `frozen`, `changed`.
    """
    refuse_frozen(locked_state(queue.study))
    refuse_removed(queue)
    response = response_of(queue, recall_id)
    codes = checked_codes(codes, scheme_of(queue.study))
    return store(
        Coding.objects.filter(response=response, coder=queue.coder_id).first(),
        queue=queue,
        response=response,
        codes=codes,
        note=checked_note(note),
        seconds=checked_seconds(seconds),
        revision=revision,
    )


def store(
    coding: Coding | None,
    *,
    queue: CodingQueue,
    response: int,
    codes: list[str],
    note: str,
    seconds: float = 0.0,
    revision: int | None = None,
) -> Coding:
    """Write a coding whose parts are checked, within a transaction that holds the state of the study."""
    check_revision(coding, revision)
    if coding is None:
        return Coding.objects.create(
            response_id=response,
            coder_id=queue.coder_id,
            codes=codes,
            note=note,
            seconds=seconds,
            changed_at=timezone.now(),
        )
    coding.seconds += seconds
    if (coding.codes, coding.note) != (codes, note):
        remember(coding)
        coding.codes, coding.note = codes, note
    coding.save()
    return coding


@transaction.atomic
def undo(queue: CodingQueue, recall_id: str, *, revision: int | None = None) -> Coding | None:
    """Restore the state before the last change, and return it: None where the recall is not coded any more. Audited.

    Raises CodingRefusal: `unknown`, `nothing`, `frozen`, `changed`.
    """
    refuse_frozen(locked_state(queue.study))
    refuse_removed(queue)
    response = response_of(queue, recall_id)
    coding = Coding.objects.filter(response=response, coder=queue.coder_id).first()
    check_revision(coding, revision)
    if coding is None:
        raise CodingRefusal("nothing", Sentence("This recall is not coded, so there is nothing to undo."))
    before = ";".join(coding.codes)
    restored = restore(coding)
    after = "not coded" if restored is None else ";".join(coding.codes)
    detail = f"{queue.pseudonym}, {recall_id}: {before} → {after}"
    record(queue.study, action="coding undone", user=queue.coder, detail=detail)
    return restored


def last_saved(queue: CodingQueue) -> str | None:
    """Return the name of the recall that was saved last, or None."""
    codings = Coding.objects.filter(**of_task(queue.study, "response__trial"), coder=queue.coder_id)
    last = codings.order_by("-changed_at", "-pk").values_list("response_id", flat=True).first()
    return None if last is None else recall_id(state_of(queue.study), last)


def checked_codes(codes: Any, scheme: Sequence[SchemeCode]) -> list[str]:
    """Return codes in the order of the scheme. Raises CodingRefusal `rule` where they cannot stand together."""
    if not isinstance(codes, list | tuple) or not all(isinstance(code, str) for code in codes):
        raise CodingRefusal("rule", Sentence("Codes must be a list of texts. Nothing was changed."))
    given = [code.strip() for code in codes]
    faults = faults_of(given, scheme)
    if faults:
        raise CodingRefusal("rule", spoken([*faults, Sentence("Nothing was changed.")]))
    return normalised(given, scheme)


def checked_note(note: Any) -> str:
    """Return a note as it is stored. Raises CodingRefusal `rule` for one that cannot be."""
    if not isinstance(note, str):
        raise CodingRefusal("rule", Sentence("A note must be a text. Nothing was changed."))
    text = note.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > MOST_NOTE:
        raise CodingRefusal(
            "rule",
            Sentence("A note can have {most} characters; this one has {length}.", most=MOST_NOTE, length=len(text)),
        )
    if any((ord(sign) < 32 and sign not in "\n\t") or "\ud800" <= sign <= "\udfff" or sign == "\x7f" for sign in text):
        raise CodingRefusal(
            "rule", Sentence("The note contains a control character, which cannot be stored. Nothing was changed.")
        )
    return text


def checked_seconds(seconds: Any) -> float:
    """Return the seconds that count: none for what is no time, and no more than half an hour at once."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not math.isfinite(seconds):
        return 0.0
    return round(min(max(float(seconds), 0.0), MOST_SECONDS), 3)


def check_revision(row: Coding | Adjudication | None, seen: int | None) -> None:
    """Raise CodingRefusal `changed` where the row is not as it was seen; 0 is one that was not there."""
    now = 0 if row is None else row.revision
    if seen is not None and seen != now:
        raise CodingRefusal(
            "changed",
            Sentence("The codes were changed in another window, so nothing was saved here. Look at them again."),
        )


def remember(row: Coding | Adjudication) -> None:
    """Keep the present state of a row for undo, and count the change."""
    state = {"codes": row.codes, "note": row.note, "at": row.changed_at.isoformat()}
    if isinstance(row, Adjudication):
        state |= {"basis": row.basis, "by": row.by_id}
    row.earlier = [*row.earlier, state][-MOST_EARLIER:]
    row.revision += 1
    row.changed_at = timezone.now()


def restore(row: Row) -> Row | None:
    """Bring the state before the last change back and return the row; None where there was none and it is deleted."""
    if not row.earlier:
        row.delete()
        return None
    *row.earlier, state = row.earlier
    row.codes, row.note = state["codes"], state["note"]
    if isinstance(row, Adjudication):
        # Decisions that were replaced before their basis was kept say nothing of it, so they count as outdated.
        row.basis = state.get("basis", [])
        row.by = get_user_model().objects.filter(pk=state.get("by")).first()
    row.revision += 1
    row.changed_at = timezone.now()
    row.save()
    return row
