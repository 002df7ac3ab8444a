"""Adjudicate disagreements between coders; the adjudicated codes are analysed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from analysis.coding.final import UNRESOLVED, final_of
from analysis.coding.queues import in_order, unknown_recall
from analysis.coding.recalls import ids_of, locked_state, of_coders, of_task, refuse_frozen, state_of
from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import check_revision, checked_codes, checked_note, remember, restore
from analysis.coding.seen import Seen, Viewer
from analysis.models import Adjudication, Coding, CodingQueue
from experiments.models import Study
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.schemes import scheme_of


@dataclass(frozen=True)
class Opinion:
    """What one coder gave. `coder` is a pseudonym."""

    coder: str
    codes: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Disagreement(Seen):
    """One recall that two coders coded differently, or that was decided; blind to participant and condition.

    `is_outdated` where codings have changed since the decision.
    """

    opinions: tuple[Opinion, ...]
    decided: tuple[str, ...] | None
    note: str
    revision: int
    is_outdated: bool

    @property
    def is_decided(self) -> bool:
        return self.decided is not None


def disagreements(study: Study, *, which: str = "all", start: int = 0, count: int | None = None) -> list[Disagreement]:
    """Return the recalls to settle, in random but fixed order; `which` is all, open or decided.

    `start` and `count` ask for a window of them.
    """
    keys = keys_to_settle(study, which=which)
    return _views(study, keys[start:] if count is None else keys[start : start + count])


def keys_to_settle(study: Study, *, which: str = "all") -> list[int]:
    """Return the responses that coders coded differently or that were decided, in random but fixed order."""
    if which not in ("all", "open", "decided"):
        raise ValueError(f"which must be all, open or decided, not {which!r}")
    state = state_of(study)
    of_study = of_task(study, "response__trial")
    to_code = set(ids_of(study, state).values())
    given: dict[int, list[list[str]]] = defaultdict(list)
    codings = Coding.objects.filter(**of_study, **of_coders(study))
    for response, codes in codings.values_list("response_id", "codes"):
        given[response].append(codes)
    decided = set(Adjudication.objects.filter(**of_study).values_list("response_id", flat=True))
    differing = {key for key, codes in given.items() if (f := final_of(codes)) is not None and f.source == UNRESOLVED}
    chosen = {"all": differing | decided, "open": differing - decided, "decided": decided}[which]
    return in_order(chosen & to_code, seed=int(state.salt or "0", 16))


def disagreement(study: Study, recall_id: str) -> Disagreement:
    """Return one recall with its opinions, whether they differ or not. Raises CodingRefusal `unknown`."""
    return _views(study, [_response(study, recall_id)])[0]


@transaction.atomic
def decide(
    study: Study, recall_id: str, codes: Sequence[str], *, user: Any, note: str = "", revision: int | None = None
) -> Adjudication:
    """Settle the codes of a recall that somebody has coded. Raises CodingRefusal: unknown, rule, frozen, changed."""
    refuse_frozen(locked_state(study))
    response = _response(study, recall_id)
    codes = checked_codes(codes, scheme_of(study))
    note = checked_note(note)
    basis = _basis(study, response)
    if not basis:
        raise CodingRefusal("unknown", Sentence("Nobody has coded this recall yet, so there is nothing to settle."))
    found = Adjudication.objects.filter(response=response).first()
    check_revision(found, revision)
    if found is None:
        return Adjudication.objects.create(
            response_id=response, codes=codes, note=note, by=user, basis=basis, changed_at=timezone.now()
        )
    if (found.codes, found.note, found.basis) != (codes, note, basis):
        remember(found)
        found.codes, found.note, found.basis, found.by = codes, note, basis, user
        found.save()
    return found


@transaction.atomic
def undo_decision(study: Study, recall_id: str, *, user: Any, revision: int | None = None) -> Adjudication | None:
    """Restore the state before the last decision; None where it is open again. Audited. Raises CodingRefusal."""
    refuse_frozen(locked_state(study))
    found = Adjudication.objects.filter(response=_response(study, recall_id)).first()
    check_revision(found, revision)
    if found is None:
        raise CodingRefusal("nothing", Sentence("Nothing was decided about this recall, so there is nothing to undo."))
    before = ";".join(found.codes)
    restored = restore(found)
    after = "open" if restored is None else ";".join(restored.codes)
    record(study, action="decision undone", user=user, detail=f"{recall_id}: {before} → {after}")
    return restored


def _response(study: Study, name: str) -> int:
    found = ids_of(study, state_of(study)).get(name)
    if found is None:
        raise unknown_recall(name)
    return found


def _opinions(study: Study, keys: Sequence[int]) -> dict[int, list[Opinion]]:
    pseudonyms = {queue.coder_id: queue for queue in CodingQueue.objects.filter(study=study)}
    opinions: dict[int, list[tuple[int, Opinion]]] = defaultdict(list)
    rows = Coding.objects.filter(response__in=keys).values_list("response_id", "coder_id", "codes", "note")
    for response, coder, codes, note in rows:
        queue = pseudonyms.get(coder)
        if queue is None:  # a coding that its coder's queue left behind counts no more
            continue
        opinions[response].append((queue.number, Opinion(queue.pseudonym, tuple(codes), note)))
    return {
        key: [opinion for _, opinion in sorted(found, key=lambda entry: entry[0])] for key, found in opinions.items()
    }


def _basis(study: Study, response: int) -> list[list[str]]:
    return [[opinion.coder, ";".join(opinion.codes)] for opinion in _opinions(study, [response]).get(response, ())]


def _views(study: Study, keys: Sequence[int]) -> list[Disagreement]:
    texts = Viewer(study, state_of(study)).texts(keys)
    opinions = _opinions(study, keys)
    decisions = {decision.response_id: decision for decision in Adjudication.objects.filter(response__in=keys)}
    views = []
    for key in keys:
        decision, given = decisions.get(key), opinions.get(key, [])
        now = [[opinion.coder, ";".join(opinion.codes)] for opinion in given]
        views.append(
            Disagreement(
                **vars(texts[key]),
                opinions=tuple(given),
                decided=tuple(decision.codes) if decision else None,
                note=decision.note if decision else "",
                revision=decision.revision if decision else 0,
                is_outdated=decision is not None and decision.basis != now,
            )
        )
    return views
