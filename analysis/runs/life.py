"""The life of an analysis: requested, claimed, computed, finished, or failed with a sentence.

A run's row is the truth. Whoever wants to compute it claims it by a conditional UPDATE, so that a run that is
delivered twice is computed once; `attempts` says whose claim it is, so that a worker that was given up cannot write
over the work of its successor.

A run of a method that is computed in parts is claimed twice: to read the data and divide the work, and to put the
results together. In between it is in parts: nobody holds it; `analysis.runs.parts` tells of the claims of its parts.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from analysis.codebook.columns import names
from analysis.data.frames import run_stamp
from analysis.data.tables import checked_other, columns_of
from analysis.exports.of_task import through_task
from analysis.methods import parameters, registry
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs import outside
from analysis.runs.code_version import code_version
from analysis.runs.outcomes import Outcome, failure_sentence
from analysis.runs.waking import enqueue, enqueue_parts
from experiments.models import Study
from experiments.study.audit import record
from participants.models import Participant

logger = logging.getLogger(__name__)
Status = AnalysisRun.Status

MAX_ATTEMPTS = 3
# A run whose worker has not been heard of for this long has lost its worker.
STALE_AFTER = timedelta(seconds=60)
# How often a computation reports its progress; each report is a write to the database.
BEAT_SECONDS = 1.0


def request_run(
    study: Study,
    *,
    method: str,
    params: Mapping[str, Any],
    user: User | None,
    table: str = "trials",
    other: Study | None = None,
) -> AnalysisRun:
    """Return a run of `method` on a table of the study as it is now: a new one, or one that is the same.

    Of several tasks that one is analysed through which the study is seen, or the first one. `other` is the study whose
    ratings are compared, for the table `pairs`. A finished run on the same data with the same parameters and code is
    used again, and so is one that is still waiting or running. A look outside a sequential plan that has not stopped is
    written into the audit record. Raises BadInput where the method or the table does not
    exist or the parameters do not fit the table.
    """
    study = through_task(study, study.chosen_task)
    given = checked_params(study, method=method, params=params, table=table)
    checked_other(study, table, other)
    stamp = run_stamp(study, other)
    with transaction.atomic():
        # Two clicks at once ask one after the other.
        Study.objects.select_for_update().get(pk=study.pk)
        alike = AnalysisRun.objects.filter(
            study=study,
            part__in=study.names_of_task,
            method=method,
            params=given,
            table=table,
            other_study=other,
            code_version=code_version(method),
        )
        for run in alike.defer("report"):
            if run.is_unfinished and not run.cancel_requested:
                return run
            if run.status == Status.DONE and run.data_stamp == stamp:
                return run
        run = AnalysisRun.objects.create(
            study=study,
            part=study.task.name,
            method=method,
            params=given,
            table=table,
            other_study=other,
            code_version=code_version(method),
            data_stamp=stamp,
            created_by=user if isinstance(getattr(user, "pk", None), int) else None,
        )
        if outside.would_unblind(study, table):
            record(study, action=outside.ACTION, user=user, detail=f"{method} {run.pk}")
        announce(run.pk)
    return run


def checked_params(study: Study, *, method: str, params: Mapping[str, Any], table: str = "trials") -> dict[str, Any]:
    """Return the parameters as they are stored: those that were given, in the order of their declaration.

    Raises BadInput with all faults together.
    """
    declared = registry.method_named(method)
    columns = names(columns_of(study, table))
    given = {name: value for name, value in params.items() if value not in (None, "", [], ())}
    known = [parameter.name for parameter in declared.parameters]
    if "trial" in known and "trial" not in given and "position" in columns:
        given["trial"] = "position"
    if "categorical" in known and "categorical" not in given:
        given |= _factors_of_digits(study, given, columns)
    parameters.read(declared.parameters, given, columns)
    order = {name: index for index, name in enumerate(known)}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(given.items(), key=lambda entry: order.get(entry[0], len(order)))
    }


def _factors_of_digits(study: Study, given: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """Return, as a parameter, the factors of the design that the model names and whose levels are all digits.

    Every other method takes the levels of a factor for names; a model would take 1, 2 and 3 for amounts.
    """
    model = " ".join(str(given.get(name, "")) for name in ("formula", "compare", "blocks", "sets"))
    named = set(re.findall(r"[\w.]+", model))
    found = [
        str(factor["name"])
        for factor in study.factors
        if str(factor["name"]) in named.intersection(columns)
        and all(_is_number(str(level)) for level in factor.get("levels", ["x"]))
    ]
    return {"categorical": ",".join(found)} if found else {}


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def announce(run_id: int) -> None:
    """Wake a worker up once the row can be seen. The embedded worker looks at the table by itself."""
    if settings.EMBEDDED_WORKER:
        return
    transaction.on_commit(lambda: enqueue(run_id))


def claim(run_id: int) -> int | None:
    """Take a waiting run and return the number of the attempt, or None where somebody else was first."""
    now = timezone.now()
    free = AnalysisRun.objects.filter(pk=run_id, status=Status.QUEUED, cancel_requested=False)
    held = {"status": Status.RUNNING, "attempts": F("attempts") + 1, "heartbeat_at": now}
    taken = free.filter(preparation="").update(**held, started_at=now, progress=0, progress_note="")
    # Parts that are put together rest on data that were read before: the run did not start now.
    if not taken and not free.exclude(preparation="").update(**held):
        return None
    return AnalysisRun.objects.values_list("attempts", flat=True).get(pk=run_id)


def beat(run_id: int, attempt: int, *, progress: float | None = None, note: str = "") -> bool:
    """Say that a run is alive and how far it is. Returns False where it was cancelled or is no longer ours."""
    values: dict[str, Any] = {"heartbeat_at": timezone.now()}
    if progress is not None:
        values |= {"progress": min(max(progress, 0.0), 1.0), "progress_note": note[:200]}
    return bool(_held(run_id, attempt).filter(cancel_requested=False).update(**values))


def conclude(run_id: int, attempt: int, outcome: Outcome) -> None:
    """Write down what became of a run, unless it is no longer ours."""
    match outcome["kind"]:
        case "done":
            _finish(run_id, attempt, outcome)
        case "split":
            _split(run_id, attempt, outcome)
        case "cancelled":
            _end(run_id, attempt, Status.CANCELLED)
        case "outdated":
            restart(run_id, attempt)
        case _:
            fail(run_id, attempt, failure_sentence(outcome), reference=outcome.get("reference", ""))


def _finish(run_id: int, attempt: int, outcome: Outcome) -> None:
    with transaction.atomic():
        if not _everybody_is_there(run_id, outcome["participants"]):
            restart(run_id, attempt)
            return
        written = _held(run_id, attempt).update(
            status=Status.DONE,
            report=outcome["report"],
            data_hash=outcome["data_hash"],
            data_stamp=outcome["stamp"],
            preparation="",
            error="",
            error_reference="",
            progress=1,
            progress_note="",
            finished_at=timezone.now(),
        )
        if written:
            AnalysisPart.objects.filter(run_id=run_id).delete()


def _split(run_id: int, attempt: int, outcome: Outcome) -> None:
    """Put the parts of a run where workers find them, and wake workers up for them."""
    preparation, parts = outcome["preparation"], outcome["parts"]
    with transaction.atomic():
        if not _everybody_is_there(run_id, preparation["participants"]):
            restart(run_id, attempt)
            return
        ours = _held(run_id, attempt).filter(cancel_requested=False)
        if not ours.update(is_in_parts=True, preparation=json.dumps(preparation), heartbeat_at=None, progress=0):
            _end(run_id, attempt, Status.CANCELLED)
            return
        AnalysisPart.objects.bulk_create(
            AnalysisPart(run_id=run_id, index=index, description=json.dumps(part)) for index, part in enumerate(parts)
        )
        if not settings.EMBEDDED_WORKER:
            transaction.on_commit(lambda: enqueue_parts(run_id, len(parts)))


def _everybody_is_there(run_id: int, participants: Sequence[str]) -> bool:
    """Say whether nobody withdrew meanwhile; what was computed with their data is dropped and computed again."""
    there = Participant.objects.filter(study__analysis_runs=run_id).values_list("pseudonym", flat=True)
    return set(there).issuperset(participants)


def fail(run_id: int, attempt: int | None, error: str, *, reference: str = "") -> None:
    """End a run with a sentence for the researcher. `attempt` is None for one that is in parts."""
    _end(run_id, attempt, Status.FAILED, error=error, reference=reference)


def requeue(run_id: int, attempt: int) -> None:
    """Give a run back to be computed by somebody else, without counting this attempt."""
    _held(run_id, attempt).update(
        status=Status.QUEUED, attempts=F("attempts") - 1, progress=0, progress_note="", heartbeat_at=None
    )


def restart(run_id: int, attempt: int | None) -> None:
    """Have a run computed again from its data, without counting this attempt. None: one that is in parts."""
    with transaction.atomic():
        again = _held(run_id, attempt).update(
            status=Status.QUEUED,
            attempts=F("attempts") - 1,
            is_in_parts=False,
            preparation="",
            progress=0,
            progress_note="",
            heartbeat_at=None,
        )
        if again:
            AnalysisPart.objects.filter(run_id=run_id).delete()
            announce(run_id)


def begin_anew_without(study_id: int, pseudonym: str) -> None:
    """Have runs that are split, and read data of a participant who is gone, computed again from the data as they are.

    One that is just being put together finds out by itself when it finishes.
    """
    begun = AnalysisRun.objects.filter(study_id=study_id, preparation__contains=pseudonym)
    for run_id in list(begun.values_list("pk", flat=True)):
        restart(run_id, None)
        with transaction.atomic():
            if AnalysisRun.objects.filter(pk=run_id, status=Status.QUEUED).update(preparation="", progress=0):
                AnalysisPart.objects.filter(run_id=run_id).delete()


def cancel(run: AnalysisRun) -> None:
    """Cancel a run that waits or is in parts at once; ask the worker of a running one to stop."""
    with transaction.atomic():
        now = AnalysisRun.objects.select_for_update().defer("report", "preparation").get(pk=run.pk)
        if now.status == Status.RUNNING and not now.is_in_parts:
            AnalysisRun.objects.filter(pk=run.pk).update(cancel_requested=True)
        elif now.is_unfinished:
            AnalysisRun.objects.filter(pk=run.pk).update(cancel_requested=True)
            _end_rows(AnalysisRun.objects.filter(pk=run.pk), run.pk, Status.CANCELLED)


def sweep() -> list[int]:
    """Take care of runs that lost their worker, and return the keys of those that wait for one.

    A run that lost its worker three times is failed: it may be what killed them.
    """
    lost = AnalysisRun.objects.filter(status=Status.RUNNING, heartbeat_at__lt=timezone.now() - STALE_AFTER)
    return_to_queue(lost)
    return waiting()


def waiting() -> list[int]:
    """Return the keys of runs that wait for a worker, the oldest first."""
    return list(AnalysisRun.objects.filter(status=Status.QUEUED).order_by("pk").values_list("pk", flat=True))


def return_to_queue(lost: Any) -> None:
    """Cancel, fail or queue again each of the runs that lost their worker. Runs in parts have none to lose."""
    for run in lost.filter(is_in_parts=False).defer("report", "preparation"):
        if run.cancel_requested:
            _end(run.pk, run.attempts, Status.CANCELLED)
        elif run.attempts >= MAX_ATTEMPTS:
            fail(run.pk, run.attempts, failure_sentence({"kind": "lost", "times": run.attempts}))
        else:
            logger.warning("Analysis run %s lost its worker and is queued again", run.pk)
            _held(run.pk, run.attempts).update(status=Status.QUEUED, progress=0, progress_note="", heartbeat_at=None)


def _held(run_id: int, attempt: int | None) -> Any:
    """Return the run as long as this attempt holds it; with None, as long as it is in parts."""
    running = AnalysisRun.objects.filter(pk=run_id, status=Status.RUNNING)
    return running.filter(is_in_parts=True) if attempt is None else running.filter(is_in_parts=False, attempts=attempt)


def _end(run_id: int, attempt: int | None, status: str, *, error: str = "", reference: str = "") -> None:
    with transaction.atomic():
        _end_rows(_held(run_id, attempt), run_id, status, error=error, reference=reference)


def _end_rows(rows: Any, run_id: int, status: str, *, error: str = "", reference: str = "") -> None:
    ended = rows.update(
        status=status,
        is_in_parts=False,
        preparation="",
        error=error,
        error_reference=reference,
        progress_note="",
        finished_at=timezone.now(),
    )
    if ended:
        AnalysisPart.objects.filter(run_id=run_id).delete()
