"""Whether an analysis was planned before the study opened, or is exploratory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from analysis.codebook import names
from analysis.methods import parameters, registry
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.runs import checked_params
from analysis.tables import columns_of
from experiments.models import Study
from experiments.plan import complete_plan

Standing = Literal["planned", "exploratory", "draft"]


def standing_of(run: AnalysisRun) -> Standing:
    """Return whether a run is one of the plan that was frozen at opening; `draft` before the study was opened."""
    if not run.study.is_frozen:
        return "draft"
    analyses = [
        analysis
        for analysis in complete_plan(run.study.plan)["analyses"]
        if (analysis["method"], analysis["table"]) == (run.method, run.table)
    ]
    read = as_read(run.study, method=run.method, table=run.table, params=run.params) if analyses else None
    is_planned = read is not None and any(
        as_read(run.study, method=run.method, table=run.table, params=analysis["params"]) == read
        for analysis in analyses
    )
    return "planned" if is_planned else "exploratory"


def as_read(study: Study, *, method: str, table: str, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the parameters as the method reads them, defaults filled in; None where they do not fit the table.

    A default is the same whether it is written down or not, as is a value whether it is a text or a number.
    """
    try:
        given = checked_params(study, method=method, params=params, table=table)
        return parameters.read(registry.method_named(method).parameters, given, names(columns_of(study, table)))
    except BadInput:
        return None


def run_of(study: Study, analysis: Mapping[str, Any]) -> AnalysisRun | None:
    """Return the latest finished run of a planned analysis, without its report. Raises BadInput where it cannot run."""
    method, table = analysis["method"], analysis["table"]
    checked_params(study, method=method, params=analysis["params"], table=table)
    planned = as_read(study, method=method, table=table, params=analysis["params"])
    done = AnalysisRun.objects.filter(study=study, method=method, table=table, status=AnalysisRun.Status.DONE)
    return next(
        (
            run
            for run in done.defer("report")
            if as_read(study, method=method, table=table, params=run.params) == planned
        ),
        None,
    )
