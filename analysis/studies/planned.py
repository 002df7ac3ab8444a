"""Tell analyses that were planned before the study opened from exploratory ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from analysis.codebook.columns import names
from analysis.computing.parameters import checked_params
from analysis.data.tables import checked_other, columns_of
from analysis.exports.of_task import known_part, through_task
from analysis.exports.reports import report_from
from analysis.methods import parameters, registry
from analysis.methods.report import BadInput
from analysis.methods.rows.people import is_about_simulated
from analysis.models import AnalysisRun, SequentialLook
from analysis.sequential_plans.deciding import deciding_of
from analysis.sequential_plans.outside import is_of
from analysis.studies.access import readable_runs
from experiments.models import Study
from experiments.rules.plan import complete_plan
from experiments.sentences import Sentence
from experiments.study.access import studies_for
from participants.session.planned_exclusion import people_have_answered

Standing = Literal["planned", "exploratory", "simulated", "draft"]


def planned_analyses(study: Study) -> list[dict[str, Any]]:
    """Return the analyses of a study's plan, each with its `part` as `known_part` gives it."""
    return [
        {**analysis, "part": known_part(study, analysis.get("part", ""))}
        for analysis in complete_plan(study.plan)["analyses"]
    ]


def standing_of(run: AnalysisRun) -> Standing:
    """Return whether a run is one of the plan that was frozen at opening; `draft` before the study was opened.

    A report on simulated data is `simulated` whatever its parameters: a plan is about people. Of an analysis that
    decides when the study stops, the report of the look that stopped it is the planned one; others are exploratory.
    """
    if not run.study.is_frozen:
        return "draft"
    if run.report and is_about_simulated(report_from(run.report)):
        return "simulated"
    other_slug = run.other_study.slug if run.other_study is not None else ""
    analyses = [
        analysis
        for analysis in planned_analyses(run.study)
        if is_alike(analysis, run) and analysis.get("other_study", "") in ("", other_slug)
    ]
    read = params_as_read(run, run.params) if analyses else None
    alike = [one for one in analyses if read is not None and params_as_read(run, one["params"]) == read]
    is_planned = any(not one.get("sequential") or is_of_a_look(run) for one in alike)
    return "planned" if is_planned else "exploratory"


def is_of_a_look(run: AnalysisRun) -> bool:
    """Return whether a run is the report of the look at which the sequential plan of its study stopped."""
    return SequentialLook.objects.filter(run=run).exists()


def is_outside(run: AnalysisRun) -> bool:
    """Return whether a run is of the analysis that decides when the study stops, and none of the plan's own looks."""
    deciding = deciding_of(run.study)
    return deciding is not None and run.study.is_frozen and is_of(deciding, run) and not is_of_a_look(run)


def is_alike(analysis: Mapping[str, Any], run: AnalysisRun) -> bool:
    """Return whether a planned analysis runs the method of a run, on the same table of the same task."""
    same = (run.method, run.table, known_part(run.study, run.part))
    return (analysis["method"], analysis["table"], analysis["part"]) == same


def params_as_read(run: AnalysisRun, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return parameters as the method of a run reads them on the table of the run."""
    return as_read(run.study, method=run.method, table=run.table, params=params, part=run.part)


def as_read(
    study: Study, *, method: str, table: str, params: Mapping[str, Any], part: str = ""
) -> dict[str, Any] | None:
    """Return the parameters as the method reads them, defaults filled in; None where they do not fit the table.

    A default is the same whether it is written down or not, as is a value whether it is a text or a number. What is
    computed beside an analysis has no part in it.
    """
    try:
        study = through_task(study, part)
        given = checked_params(study, method=method, params=params, table=table)
        known = registry.method_named(method).parameters
        read = parameters.read(known, given, names(columns_of(study, table)))
        return {name: value for name, value in read.items() if name not in {one.name for one in known if one.is_beside}}
    except BadInput:
        return None


def planned_study(study: Study, analysis: Mapping[str, Any], user: Any) -> Study | None:
    """Return the study with which a planned analysis compares; None where the plan names none.

    Raises BadInput where this study is not there yet or the person may not see it (one sentence for both, so that
    nobody learns which studies there are), or where it has no ratings to compare.
    """
    slug = analysis.get("other_study", "")
    if not slug:
        return None
    other = studies_for(user).filter(slug=slug).first()
    if other is None:
        raise BadInput(
            Sentence(
                "This analysis compares with the study '{slug}', which does not exist yet or which you may not "
                "see. Create it with this short name, or ask its owner to add you.",
                slug=slug,
            )
        )
    checked_other(through_task(study, analysis.get("part", "")), analysis["table"], other)
    return other


def run_of(study: Study, analysis: Mapping[str, Any], user: Any) -> AnalysisRun | None:
    """Return the latest finished run of a planned analysis that the person may read, without its report.

    Once people took part, a run on simulated data is none of the plan's.

    Raises BadInput where the analysis cannot run.
    """
    method, table = analysis["method"], analysis["table"]
    part = known_part(study, analysis.get("part", ""))
    checked_params(through_task(study, part), method=method, params=analysis["params"], table=table)
    planned = as_read(study, method=method, table=table, params=analysis["params"], part=part)
    done = AnalysisRun.objects.filter(study=study, method=method, table=table, status=AnalysisRun.Status.DONE)
    if analysis.get("sequential") and study.is_frozen:
        done = done.filter(look__isnull=False)
    if slug := analysis.get("other_study", ""):
        done = done.filter(other_study__slug=slug)
    people = people_have_answered(study)
    return next(
        (
            run
            for run in readable_runs(done, user).defer("report")
            if known_part(study, run.part) == part
            and as_read(study, method=method, table=table, params=run.params, part=part) == planned
            and not (people and standing_of(run) == "simulated")
        ),
        None,
    )
