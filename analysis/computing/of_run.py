"""Compute a run from the tables of its study to report.json, at once or in parts that are combined."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd

from analysis.computing.code_version import code_version
from analysis.computing.outcomes import Outcome
from analysis.data.frames import study_data
from analysis.exports.of_task import known_part, through_task
from analysis.exports.reports import report_json
from analysis.methods import declarations, registry, splitting
from analysis.methods.declarations import Progress
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.remarks import Importance, by_importance, of
from analysis.methods.rows.used import read_keep
from analysis.models import AnalysisPart, AnalysisRun
from analysis.sequential_plans import outside
from experiments.rules.plan import complete_plan, is_planned, primary_of
from participants.session.planned_exclusion import people_have_answered


def run_computed(run_id: int, progress: Progress) -> Outcome:
    """Compute a run; what is put together is what its parts found.

    Besides what `analysis.computing.outcomes` lists, the outcome is `done`, with `report`, `data_hash`, `stamp` and
    `participants`, or `split`, with `preparation` (the same but for the report, and what every part needs) and `parts`.
    """
    run = AnalysisRun.objects.select_related("study", "other_study").get(pk=run_id)
    method = registry.method_named(run.method)
    if run.preparation:
        return _combined(run, method)
    progress(0.0, "")
    data = study_data(through_task(run.study, run.part), run.table, other=run.other_study)
    _refuse_stand_ins(run, data.frame)
    read = {
        "data_hash": data.data_hash,
        "stamp": data.stamp,
        "participants": sorted(set(data.frame["participant"])) if "participant" in data.frame else [],
    }
    if not splitting.is_in_parts(method, run.params, data.frame):
        report = registry.run(method, data.frame, run.params, progress)
        return {"kind": "done", "report": _as_json(run, report), **read}
    begun, parts = splitting.begin(method, data.frame, run.params, progress)
    if len(parts) > 1:
        preparation = {**begun, **read, "code_version": code_version(run.method)}
        return {"kind": "split", "preparation": preparation, "parts": parts}
    results = [splitting.compute(method, begun, part, progress) for part in parts]
    return {"kind": "done", "report": _as_json(run, splitting.finish(method, begun, results)), **read}


def part_computed(part_id: int, progress: Progress) -> Outcome:
    """Compute a part of a run from what its run prepared; the outcome is `computed`, with `result` as JSON."""
    part = AnalysisPart.objects.select_related("run").get(pk=part_id)
    preparation = json.loads(part.run.preparation)
    if preparation["code_version"] != code_version(part.run.method):
        return {"kind": "outdated"}
    method = registry.method_named(part.run.method)
    result = splitting.compute(method, preparation, json.loads(part.description), progress)
    return {"kind": "computed", "result": json.dumps(result)}


def _as_json(run: AnalysisRun, report: Report) -> str:
    """Return report.json, which says of which of several tasks it is, and where it looked outside a sequential plan."""
    warnings = (*outside.warnings_of(run), *by_importance((*report.warnings, *_beside_primary(run))))
    return report_json(replace(report, part=known_part(run.study, run.part), warnings=warnings))


def _beside_primary(run: AnalysisRun) -> list[str]:
    """Say where the plan has another analysis of the same measure before this one."""
    analyses = complete_plan(run.study.plan)["analyses"] if run.study.is_frozen else []
    analyses = [{**one, "part": known_part(run.study, one.get("part", ""))} for one in analyses]
    asked = {"method": run.method, "table": run.table, "part": known_part(run.study, run.part), "params": run.params}
    for index, one in enumerate(analyses):
        if not is_planned([one], **asked):
            continue
        primary, ways = primary_of(analyses, index)
        if primary == index:
            return []
        text = (
            f"The plan analyses the same measure in {ways} ways, and “{analyses[primary]['title']}” is the primary "
            f"one: it answers the hypothesis. Report this one beside it, whichever way it comes out."
        )
        return of(Importance.MODEL, [text])
    return []


def _refuse_stand_ins(run: AnalysisRun, frame: pd.DataFrame) -> None:
    """Raise BadInput where people took part, but a table has rows of simulated participants alone.

    Somebody whose recalls are not coded yet has no row in `codings`; the simulated ones do not answer for them.
    """
    if len(frame) == 0 or "simulated" not in frame or set(frame["simulated"]) != {"true"} or run.other_study:
        return
    if "simulated" not in read_keep(run.params.get("keep")) and people_have_answered(run.study):
        raise BadInput(
            f"People took part in this study, but {run.table}.csv holds rows of simulated participants alone. Wait "
            f"until there are rows of people, or analyse the simulated ones on purpose with keep=simulated."
        )


def _combined(run: AnalysisRun, method: declarations.Method) -> Outcome:
    preparation = json.loads(run.preparation)
    if preparation["code_version"] != code_version(run.method):
        return {"kind": "outdated"}
    results = [json.loads(result) for result in run.parts.order_by("index").values_list("result", flat=True)]
    report = splitting.finish(method, preparation, results)
    read = {name: preparation[name] for name in ("data_hash", "stamp", "participants")}
    return {"kind": "done", "report": _as_json(run, report), **read}
