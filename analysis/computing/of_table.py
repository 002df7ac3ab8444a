"""Compute a run on an uploaded table, as `analyse_file` computes one on a file."""

from __future__ import annotations

from dataclasses import replace

from analysis.computing.outcomes import Outcome
from analysis.data.analyse_file import table_from
from analysis.data.decimal_commas import with_points
from analysis.exports.reports import report_json
from analysis.methods import registry
from analysis.methods.declarations import Progress
from analysis.models import TableRun


def table_run_computed(run_id: int, progress: Progress) -> Outcome:
    """Compute a run; the outcome is `done`, with `report`."""
    run = TableRun.objects.select_related("table").get(pk=run_id)
    frame, told = with_points(table_from(run.table.content, source=run.table.name), "auto")
    report = registry.run(registry.method_named(run.method), frame, run.params, progress)
    report = replace(report, warnings=(*run.table.said, *told, *report.warnings))
    return {"kind": "done", "report": report_json(report)}
