"""A report of every method in one study, and an analysis in the other states, for looking at their pages.

Run inside the platform's own process by `manage.py shell`: `from tests.browser.reports import add_reports`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from analysis.computing.code_version import code_version
from analysis.exports.reports import report_json
from analysis.methods import declarations, registry
from analysis.methods.parameters import as_written
from analysis.models import AnalysisRun
from experiments.models import Study

Status = AnalysisRun.Status
FINISHED = datetime(2026, 3, 2, 10, 15, tzinfo=UTC)
STATES: dict[str, dict[str, Any]] = {
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


def eight_conditions() -> pd.DataFrame:
    """Return ratings of twelve people under four markers in two orders."""
    random = np.random.default_rng(8)
    markers, orders = ("because", "because-of", "cause-noun", "cause-verb"), ("cause-effect", "effect-cause")
    return pd.DataFrame(
        [
            {
                "participant": f"P{person}",
                "item": f"I{item}",
                "marker": marker,
                "order": order,
                "z": random.normal(place),
            }
            for person in range(12)
            for item in range(2)
            for place, marker in enumerate(markers)
            for order in orders
        ]
    )


def ladder_of_three_models() -> pd.DataFrame:
    """Return readings of four conditions with predictors some of which tell the conditions apart completely."""
    random = np.random.default_rng(9)
    shifts = {"gold": 0.0, "lin": 0.4, "sem": 1.0, "filler": 6.0}
    return pd.DataFrame(
        [
            {
                "participant": f"P{person}",
                "item": f"I{item}",
                "condition": condition,
                **{name: random.normal(shift) for name in ("fluency", "clarity", "pace", "speed", "total_time")},
            }
            for person in range(8)
            for item in range(4)
            for condition, shift in shifts.items()
        ]
    )


def six_regions() -> pd.DataFrame:
    """Return reading times of six regions, where items do not differ and numbers could be names of conditions."""
    random = np.random.default_rng(10)
    return pd.DataFrame(
        [
            {
                "participant": f"P{person}",
                "item": f"I{item}",
                "clause": ("object", "subject")[(person + item) % 2],
                "from_critical": region,
                "characters": 3 + (item + region) % 5,
                "rt_ms": float(np.exp(random.normal(5.8 + 0.1 * (person % 3), 0.3))),
            }
            for person in range(8)
            for item in range(8)
            for region in range(-2, 4)
        ]
    )


# Reports that are long by what a study has, under a name of their own: method, data, parameters.
LARGE: dict[str, tuple[str, Callable[[], pd.DataFrame], dict[str, str]]] = {
    "tukey of eight conditions": ("tukey", eight_conditions, {"dv": "z", "within": "marker,order"}),
    "four sets of predictors": (
        "logistic",
        ladder_of_three_models,
        {
            "outcome": "condition",
            "ladder": "filler,sem,lin,gold",
            "sets": "Ratings = fluency, clarity; Text times = pace, speed; All times = pace, speed, total_time; "
            "Combined = fluency, clarity, pace, speed, total_time",
        },
    ),
    "six regions": (
        "regions",
        six_regions,
        {"formula": "log(rt_ms) ~ clause + characters + (1 + clause || participant) + (1 + clause || item)"},
    ),
}


def add_large_reports(study: Study) -> dict[str, int]:
    """Give a study reports that are long by what it has; return the numbers of the runs by their names in `LARGE`."""

    def with_example(slug: str, made: Callable[[], pd.DataFrame], given: dict[str, Any]) -> declarations.Method:
        return replace(registry.method_named(slug), example=lambda: (made(), given))

    return {name: report_of(study, with_example(*large)).pk for name, large in LARGE.items()}


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
