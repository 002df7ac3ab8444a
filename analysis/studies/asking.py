"""Request an analysis of a study: create a run, or reuse an identical one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from analysis.computing.code_version import code_version
from analysis.computing.parameters import checked_params
from analysis.data.frames import run_stamp
from analysis.data.tables import checked_other
from analysis.exports.of_task import through_task
from analysis.models import AnalysisRun
from analysis.runs.waking import wake
from analysis.sequential_plans import outside
from experiments.models import Study
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
