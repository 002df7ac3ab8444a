"""The life of an analysis: requested, claimed, computed, finished, or failed with a sentence.

A run's row is the truth. Whoever wants to compute it claims it by a conditional UPDATE, so that a run that is
delivered twice is computed once; `attempts` says whose claim it is, so that a worker that was given up cannot write
over the work of its successor.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

import analysis.methods
from analysis.codebook import names
from analysis.exports.reports import report_json
from analysis.frames import run_stamp, study_data
from analysis.methods import parameters, registry
from analysis.methods.report import BadInput, Cancelled
from analysis.models import AnalysisRun
from analysis.tables import checked_other, columns_of
from experiments.models import Study
from participants.models import Participant

logger = logging.getLogger(__name__)
Status = AnalysisRun.Status

MAX_ATTEMPTS = 3
# A run whose worker has not been heard of for this long has lost its worker.
STALE_AFTER = timedelta(seconds=60)
# How often a computation reports its progress; each report is a write to the database.
BEAT_SECONDS = 1.0


@cache
def code_version() -> str:
    """Return the version of everything that computes a number: the platform's, its methods' source, its libraries.

    The same data, parameters and code version give the same report, so a finished run can be used again.
    """
    digest = hashlib.sha256()
    folder = Path(str(analysis.methods.__file__)).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr(sorted(registry.versions().items())).encode())
    return f"{settings.CODE_VERSION[:27]}+{digest.hexdigest()[:12]}"


def request_run(
    study: Study,
    *,
    method: str,
    params: Mapping[str, Any],
    user: AbstractBaseUser | None,
    table: str = "trials",
    other: Study | None = None,
) -> AnalysisRun:
    """Return a run of `method` on a table of the study as it is now: a new one, or one that is the same.

    `other` is the study whose ratings are compared, for the table `pairs`. A finished run on the same data with the
    same parameters and code is used again, and so is one that is still waiting or running. Raises BadInput where the
    method or the table does not exist or the parameters do not fit the table.
    """
    given = checked_params(study, method=method, params=params, table=table)
    checked_other(study, table, other)
    stamp = run_stamp(study, other)
    with transaction.atomic():
        # Two clicks at once ask one after the other.
        Study.objects.select_for_update().get(pk=study.pk)
        alike = AnalysisRun.objects.filter(
            study=study, method=method, params=given, table=table, other_study=other, code_version=code_version()
        )
        for run in alike.defer("report"):
            if run.is_unfinished and not run.cancel_requested:
                return run
            if run.status == Status.DONE and run.data_stamp == stamp:
                return run
        run = AnalysisRun.objects.create(
            study=study,
            method=method,
            params=given,
            table=table,
            other_study=other,
            code_version=code_version(),
            data_stamp=stamp,
            created_by=user if isinstance(getattr(user, "pk", None), int) else None,
        )
        announce(run)
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
    parameters.read(declared.parameters, given, columns)
    order = {name: index for index, name in enumerate(known)}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(given.items(), key=lambda entry: order.get(entry[0], len(order)))
    }


def announce(run: AnalysisRun) -> None:
    """Wake a worker up once the row can be seen. The embedded worker looks at the table by itself."""
    if settings.EMBEDDED_WORKER:
        return
    from analysis.tasks import enqueue

    transaction.on_commit(lambda: enqueue(run.pk))


def claim(run_id: int) -> int | None:
    """Take a waiting run and return the number of the attempt, or None where somebody else was first."""
    now = timezone.now()
    taken = AnalysisRun.objects.filter(pk=run_id, status=Status.QUEUED, cancel_requested=False).update(
        status=Status.RUNNING,
        attempts=F("attempts") + 1,
        started_at=now,
        heartbeat_at=now,
        progress=0,
        progress_note="",
    )
    if not taken:
        return None
    return AnalysisRun.objects.values_list("attempts", flat=True).get(pk=run_id)


def beat(run_id: int, attempt: int, *, progress: float | None = None, note: str = "") -> bool:
    """Say that a run is alive and how far it is. Returns False where it was cancelled or is no longer ours."""
    values: dict[str, Any] = {"heartbeat_at": timezone.now()}
    if progress is not None:
        values |= {"progress": min(max(progress, 0.0), 1.0), "progress_note": note[:200]}
    return bool(_ours(run_id, attempt).filter(cancel_requested=False).update(**values))


def execute(run_id: int) -> bool:
    """Claim and compute a run in this process. Returns False where there was nothing to claim."""
    attempt = claim(run_id)
    if attempt is None:
        return False
    last_beat = time.monotonic()

    def report_progress(share: float, note: str) -> None:
        nonlocal last_beat
        if time.monotonic() - last_beat < BEAT_SECONDS:
            return
        last_beat = time.monotonic()
        if not beat(run_id, attempt, progress=share, note=note):
            raise Cancelled

    conclude(run_id, attempt, compute(run_id, report_progress))
    return True


def compute(run_id: int, progress: Callable[[float, str], None]) -> dict[str, Any]:
    """Compute a run and return what became of it; writes nothing.

    The outcome holds `kind` (done, refused, cancelled, memory, error) and what belongs to it: `report`, `data_hash`,
    `stamp` and `participants`, or `error` and `reference`.
    """
    try:
        run = AnalysisRun.objects.select_related("study", "other_study").get(pk=run_id)
        progress(0.0, "")
        data = study_data(run.study, run.table, other=run.other_study)
        method = registry.method_named(run.method)
        report = registry.run(method, data.frame, run.params, progress)
        return {
            "kind": "done",
            "report": report_json(report),
            "data_hash": data.data_hash,
            "stamp": data.stamp,
            "participants": sorted(set(data.frame["participant"])) if "participant" in data.frame else [],
        }
    except BadInput as fault:
        return {"kind": "refused", "error": str(fault)}
    except (Cancelled, AnalysisRun.DoesNotExist):
        return {"kind": "cancelled"}
    except MemoryError:
        return {"kind": "memory"}
    except Exception:
        reference = secrets.token_hex(4)
        logger.exception("Analysis run %s ended with an unexpected error, reference %s", run_id, reference)
        return {"kind": "error", "reference": reference}


def conclude(run_id: int, attempt: int, outcome: Mapping[str, Any]) -> None:
    """Write down what became of a run, unless it is no longer ours."""
    match outcome["kind"]:
        case "done":
            _finish(run_id, attempt, outcome)
        case "cancelled":
            _end(run_id, attempt, Status.CANCELLED)
        case "refused":
            _end(run_id, attempt, Status.FAILED, error=outcome["error"])
        case "memory":
            fail(
                run_id,
                attempt,
                _(
                    "The analysis needed more memory than it is allowed (%(limit)d MB). Use fewer rows or a simpler "
                    "model, or ask whoever runs the server to raise ANALYSIS_MEMORY_LIMIT."
                )
                % {"limit": settings.ANALYSIS_MEMORY_LIMIT},
            )
        case "time":
            fail(
                run_id,
                attempt,
                _(
                    "The analysis took longer than it is allowed (%(limit)d minutes) and was stopped. Use fewer rows "
                    "or a simpler model, or ask whoever runs the server to raise ANALYSIS_TIME_LIMIT."
                )
                % {"limit": round(settings.ANALYSIS_TIME_LIMIT / 60)},
            )
        case "died":
            fail(
                run_id,
                attempt,
                _(
                    "The analysis was ended by the operating system (code %(code)s), most often because it needed "
                    "more memory than there is. Use fewer rows or a simpler model."
                )
                % {"code": outcome["exitcode"]},
            )
        case _:
            fail(
                run_id,
                attempt,
                _(
                    "The analysis ended with an unexpected error. Your data are untouched. Please tell whoever runs "
                    "the server and give the reference %(reference)s."
                )
                % {"reference": outcome["reference"]},
                reference=outcome["reference"],
            )


def _finish(run_id: int, attempt: int, outcome: Mapping[str, Any]) -> None:
    with transaction.atomic():
        run = AnalysisRun.objects.select_related("study").defer("report").filter(pk=run_id).first()
        if run is None:
            return
        there = set(Participant.objects.filter(study=run.study_id).values_list("pseudonym", flat=True))
        if not there.issuperset(outcome["participants"]):
            # Somebody withdrew meanwhile: what was computed with their data is dropped and computed again without.
            requeue(run_id, attempt)
            return
        _ours(run_id, attempt).update(
            status=Status.DONE,
            report=outcome["report"],
            data_hash=outcome["data_hash"],
            data_stamp=outcome["stamp"],
            error="",
            error_reference="",
            progress=1,
            progress_note="",
            finished_at=timezone.now(),
        )


def fail(run_id: int, attempt: int, error: str, *, reference: str = "") -> None:
    """End a run with a sentence for the researcher."""
    _end(run_id, attempt, Status.FAILED, error=error, reference=reference)


def requeue(run_id: int, attempt: int) -> None:
    """Give a run back to be computed by somebody else, without counting this attempt."""
    _ours(run_id, attempt).update(
        status=Status.QUEUED, attempts=F("attempts") - 1, progress=0, progress_note="", heartbeat_at=None
    )


def cancel(run: AnalysisRun) -> None:
    """Cancel a waiting run at once; ask a running one to stop."""
    waiting = AnalysisRun.objects.filter(pk=run.pk, status=Status.QUEUED)
    if not waiting.update(status=Status.CANCELLED, finished_at=timezone.now(), cancel_requested=True):
        AnalysisRun.objects.filter(pk=run.pk, status=Status.RUNNING).update(cancel_requested=True)


def sweep() -> list[int]:
    """Take care of runs that lost their worker, and return the keys of those that wait for one.

    A run that lost its worker three times is failed: it may be what killed them.
    """
    lost = AnalysisRun.objects.filter(status=Status.RUNNING, heartbeat_at__lt=timezone.now() - STALE_AFTER)
    return_to_queue(lost)
    return list(AnalysisRun.objects.filter(status=Status.QUEUED).order_by("pk").values_list("pk", flat=True))


def return_to_queue(lost: Any) -> None:
    """Cancel, fail or queue again each of the runs that lost their worker."""
    for run in lost.defer("report"):
        if run.cancel_requested:
            _end(run.pk, run.attempts, Status.CANCELLED)
        elif run.attempts >= MAX_ATTEMPTS:
            fail(
                run.pk,
                run.attempts,
                _(
                    "The analysis stopped its worker %(times)d times and was given up. It may need more memory than "
                    "the server has; use fewer rows or a simpler model."
                )
                % {"times": run.attempts},
            )
        else:
            logger.warning("Analysis run %s lost its worker and is queued again", run.pk)
            _ours(run.pk, run.attempts).update(status=Status.QUEUED, progress=0, progress_note="", heartbeat_at=None)


def _ours(run_id: int, attempt: int) -> Any:
    return AnalysisRun.objects.filter(pk=run_id, status=Status.RUNNING, attempts=attempt)


def _end(run_id: int, attempt: int, status: str, *, error: str = "", reference: str = "") -> None:
    _ours(run_id, attempt).update(
        status=status, error=error, error_reference=reference, progress_note="", finished_at=timezone.now()
    )
