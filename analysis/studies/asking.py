"""Request an analysis of a study: create a run, or reuse an identical one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.codebook.questions import question
from analysis.computing.code_version import code_version
from analysis.computing.parameters import checked_params
from analysis.data.frames import run_stamp
from analysis.data.tables import checked_other
from analysis.exports.of_task import known_part, through_task
from analysis.exports.reports import words_of
from analysis.methods import registry
from analysis.methods.expressions import DERIVE, in_words
from analysis.methods.parameters import as_written
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.runs.life import cancel
from analysis.runs.waking import wake
from analysis.sequential_plans import outside
from experiments.models import Study
from experiments.study.access import can_view
from experiments.study.audit import record


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
            if run.status == AnalysisRun.Status.DONE and run.data_stamp == stamp:
                return run
        run = AnalysisRun.objects.create(
            study=study,
            part=study.chosen_task or study.task.name,
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
        wake()
    return run


def run_asked_for(
    study: Study,
    *,
    method: str,
    params: Mapping[str, Any],
    user: User,
    table: str = "trials",
    other: Study | None = None,
) -> AnalysisRun:
    """Return a run that a person asked for, as `request_run` does; the history says so where it is not finished.

    Raises BadInput also where the person may not see the study that is compared.
    """
    if other is not None and not can_view(user, other):
        raise BadInput(_("You are not in the study that is compared; ask its owner to add you."))
    run = request_run(study, method=method, params=params, user=user, table=table, other=other)
    if run.status != AnalysisRun.Status.DONE:
        record(study, action="analysis requested", user=user, detail=_as_recorded(study, run))
    return run


def _as_recorded(study: Study, run: AnalysisRun) -> str:
    """Return the question of a run as the history keeps it, in English for everybody; no other study is named."""
    with override(settings.LANGUAGE_CODE):
        asked = question(registry.method_named(run.method), run.params, words_of(study))
    return asked + (f" (part {part})" if (part := known_part(study, run.part)) else "")


def cancel_run(run: AnalysisRun, *, user: Any) -> None:
    """Stop a run for a person, and leave an entry in the history."""
    cancel(run)
    record(run.study, action="analysis cancelled", user=user, detail=f"{run.method} {run.pk}")


def delete_run(run: AnalysisRun, *, user: Any) -> None:
    """Delete a run with its report for a person, and leave an entry in the history."""
    record(run.study, action="analysis deleted", user=user, detail=f"{run.method} {run.pk}")
    cancel(run)
    run.delete()


def params_in_words(params: Mapping[str, Any], *, table: str = "trials", other: str = "") -> str:
    """Return parameters as one line, such as `dv = rating_z · within = marker, order`; the table, if it is another.

    `other` is the slug of the study that is compared, for those who may know it.
    """
    tables = [] if table == "trials" else [f"{table}.csv, {other}" if other else f"{table}.csv"]
    return " · ".join(
        tables
        + [
            f"derived: {in_words(as_written(value))}"
            if name == DERIVE
            else f"{name} = {as_written(value).replace(',', ', ')}"
            for name, value in params.items()
            if not (name == "trial" and value == "position")
        ]
    )
