"""A study with a plan, people and finished reports, to be written as a manuscript."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model

from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import Study
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

ANOVA = {"dv": "rating_z", "within": "marker,order"}
PLAN: dict[str, Any] = {
    "hypotheses": "because < because-of in 50% of_cases & more",
    "exclusion_rules": [{"rule": "fast-trial", "ms": 200}],
    "analyses": [
        {"title": "By participants", "method": "rm-anova", "params": ANOVA},
        {"title": "Never run", "method": "tukey", "params": {"dv": "rating_z", "within": "marker"}},
    ],
}


def finished(study: Study, method: str, params: dict[str, Any]) -> AnalysisRun:
    run = request_run(study, method=method, params=params, user=study.owner)
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


def study_of_a_plan(**fields: Any) -> Study:
    """Make an opened study: 12 people who finished and one who did not; no report yet."""
    owner = get_user_model().objects.create_user("ada", is_staff=True)
    opened = datetime(2026, 2, 1, tzinfo=UTC)
    fields = {"responsible": "A Laboratory", "plan": PLAN, "opened_at": opened, **fields}
    study = make_study(owner=owner, **fields)
    add_participants(study, 12)
    add_participants(study, 1, first=12, stop_after=5)
    return study
