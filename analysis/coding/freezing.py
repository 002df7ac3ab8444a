"""Freeze codings: record by whom and when; frozen codings cannot be changed in any way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from analysis.coding.final import counts
from analysis.coding.queues import progress, queues_of
from analysis.coding.recalls import coded_tasks, locked_state, refuse_frozen
from analysis.coding.refusals import CodingRefusal
from analysis.models import Coding, CodingState
from experiments.models import Study
from experiments.sentences import Sentence
from experiments.study.audit import record


def freeze_warnings(study: Study) -> list[str]:
    """Return a sentence for what is not finished: recalls uncoded and unresolved recalls, unfinished queues.

    Freezing holds for all tasks, so of several each says its own.
    """
    seen = coded_tasks(study)
    return [f"{_before(one, seen)}{warning}" for one in seen for warning in _warnings(one)]


def _before(seen: Study, among: Sequence[Study]) -> str:
    """Return what a sentence about a coded task begins with: nothing where it is the only one."""
    return f"{seen.task.label}: " if len(among) > 1 else ""


def _warnings(study: Study) -> list[str]:
    now = counts(study)
    warnings = []
    if now.uncoded:
        n = now.uncoded
        warnings.append(ngettext("%(n)d recall is not coded.", "%(n)d recalls are not coded.", n) % {"n": n})
    if now.unresolved:
        n = now.unresolved
        warnings.append(
            ngettext(
                "%(n)d recall was coded differently and not settled; it has no final codes.",
                "%(n)d recalls were coded differently and not settled; they have no final codes.",
                n,
            )
            % {"n": n}
        )
    for queue in queues_of(study):
        if n := progress(queue).left:
            warnings.append(
                ngettext("%(coder)s has %(n)d recall left.", "%(coder)s has %(n)d recalls left.", n)
                % {"coder": queue.pseudonym, "n": n}
            )
    return warnings


@transaction.atomic
def freeze(study: Study, *, user: Any) -> CodingState:
    """Freeze the codings of all tasks; audited.

    Raises CodingRefusal `queue` where nothing is coded, `frozen` where they are.
    """
    state = locked_state(study)
    refuse_frozen(state)
    if not Coding.objects.filter(response__trial__session__study=study).exists():
        raise CodingRefusal("queue", Sentence("Nothing is coded yet, so there is nothing to freeze."))
    state.frozen_at = timezone.now()
    state.frozen_by = user
    state.save(update_fields=["frozen_at", "frozen_by"])
    whole = study.seen_through("")
    seen = coded_tasks(whole) or [whole]
    detail = "; ".join(f"{_before(one, seen)}{_numbers(one)}" for one in seen)
    record(study, action="codings frozen", user=user, detail=detail)
    return state


def _numbers(study: Study) -> str:
    now = counts(study)
    return (
        f"{now.adjudicated} adjudicated, {now.agreed} agreed, {now.single} single, {now.unresolved} unresolved, "
        f"{now.uncoded} not coded"
    )


@transaction.atomic
def unfreeze(study: Study, *, user: Any, reason: str) -> CodingState:
    """Let codings be changed again; audited with the reason, which is required. Raises CodingRefusal."""
    state = locked_state(study)
    if not state.is_frozen:
        raise CodingRefusal("nothing", Sentence("The codings are not frozen."))
    if not reason.strip():
        raise CodingRefusal(
            "nothing", Sentence("Say why you unfreeze the codings; the history of the study keeps the reason.")
        )
    state.frozen_at = state.frozen_by = None
    state.save(update_fields=["frozen_at", "frozen_by"])
    record(study, action="codings unfrozen", user=user, detail=reason.strip()[:2000])
    return state
