"""A report of every method in one study, and an analysis in the other states, for looking at their pages.

Run inside the platform's own process by `manage.py shell`: `from tests.browser.reports import add_reports`.
"""

from __future__ import annotations

from datetime import UTC, datetime

from analysis.computing.code_version import code_version
from analysis.exports.reports import report_json
from analysis.methods import declarations, registry
from analysis.methods.parameters import as_written
from analysis.models import AnalysisRun
from experiments.models import Study

Status = AnalysisRun.Status
FINISHED = datetime(2026, 3, 2, 10, 15, tzinfo=UTC)
STATES = {
    "running": {"status": Status.RUNNING, "progress": 0.37, "progress_note": "simulation 740 of 2000, 24 participants"},
    "cancelling": {"status": Status.RUNNING, "progress": 0.37, "cancel_requested": True},
    "failed": {
        "status": Status.FAILED,
        "error": "The column 'rating_z' has no variance within participant; nothing was computed and nothing is lost.",
    },
    "cancelled": {"status": Status.CANCELLED},
}


def add_reports(study: Study) -> dict[str, int]:
    """Give a study a report of each method on the method's own example; return the numbers of the runs by method."""
    return {slug: report_of(study, method).pk for slug, method in registry.analyses().items()}


def report_of(study: Study, method: declarations.Method) -> AnalysisRun:
    """Return a finished run with the report of a method on its example."""
    assert method.example is not None, f"{method.slug} has no example"
    frame, given = method.example()
    report = registry.run(method, frame, given)
    return AnalysisRun.objects.create(
        study=study,
        method=method.slug,
        params={name: as_written(value) for name, value in given.items()},
        status=Status.DONE,
        progress=1,
        report=report_json(report),
        data_hash="0" * 64,
        code_version=code_version(method.slug),
        created_by=study.owner,
        started_at=FINISHED,
        finished_at=FINISHED,
    )


def add_states(study: Study) -> dict[str, int]:
    """Give a study an analysis in each state without a report; return the numbers of the runs by state.

    Nobody computes them: no worker ever held the ones that run, so that none of them counts as lost.
    """
    method = registry.method_named("power")
    given = {"dv": "rating_z", "within": "marker,order", "n_participants": "24,48", "simulations": 2000}
    return {
        name: AnalysisRun.objects.create(
            study=study, method=method.slug, params=given, created_by=study.owner, **values
        ).pk
        for name, values in STATES.items()
    }
