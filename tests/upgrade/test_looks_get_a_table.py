"""Analyses of the version before stay as they are when looks of sequential plans get their table, and can go back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.upgrade.test_studies_become_parts import SETTLED, run  # noqa: F401 - the fixture

pytestmark = [
    pytest.mark.full("data that a migration loses; .ci/run runs it when a migration, a model or a backup changed"),
    pytest.mark.slow,
]

STUDIES = '("experiments", "0016_labels_for_print")'
BEFORE = f'[("analysis", "0006_runs_of_tasks"), {STUDIES}]'
NOW = f'[("analysis", "0007_sequential_looks"), {STUDIES}]'
WRITE = f"""{SETTLED}
apps = at({BEFORE})
study = apps.get_model("experiments", "Study").objects.create(slug="one", title="One")
apps.get_model("analysis", "AnalysisRun").objects.create(study=study, method="lmm", report="kept")
"""
RUNS = """
rows = apps.get_model("analysis", "AnalysisRun").objects.values_list("method", "report")
print(json.dumps([list(row) for row in rows]))
"""
LOOK = """
look = dict(number=1, people=8, share=0.5, spent=0.01, boundary=2.5, level=0.01)
run = apps.get_model("analysis", "AnalysisRun").objects.get()
apps.get_model("analysis", "SequentialLook").objects.create(study=run.study, run=run, **look)
"""


def test_runs_are_kept_looks_can_be_stored_and_going_back_leaves_the_runs(run: Any) -> None:  # noqa: F811
    run(WRITE)
    assert run(f"{SETTLED}\napps = at({NOW}){LOOK}{RUNS}") == [["lmm", "kept"]]
    assert run(f"{SETTLED}\napps = at({BEFORE}){RUNS}") == [["lmm", "kept"]]
