"""Whether an analysis was planned before the study opened, or is exploratory."""

from __future__ import annotations

from typing import Literal

from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.runs import checked_params
from experiments.models import Study
from experiments.plan import is_planned

Standing = Literal["planned", "exploratory", "draft"]


def standing_of(run: AnalysisRun) -> Standing:
    """Return whether a run is one of the plan that was frozen at opening; `draft` before the study was opened."""
    if not run.study.is_frozen:
        return "draft"
    planned = is_planned(planned_as_run(run.study), method=run.method, table=run.table, params=run.params)
    return "planned" if planned else "exploratory"


def planned_as_run(study: Study) -> dict[str, list[dict[str, object]]]:
    """Return the planned analyses with their parameters as runs hold them; those that do not fit are left out."""
    analyses = []
    for analysis in study.plan.get("analyses", []):
        try:
            params = checked_params(
                study, method=analysis["method"], params=analysis["params"], table=analysis.get("table", "trials")
            )
        except BadInput:
            continue
        analyses.append({**analysis, "params": params})
    return {"analyses": analyses}
