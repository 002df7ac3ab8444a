"""Runs and scores of the version before mean the first task of their study, and can go back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.upgrade.test_studies_become_parts import SETTLED, run  # noqa: F401 - the fixture

pytestmark = [
    pytest.mark.full("data that a migration loses; .ci/run runs it when a migration, a model or a backup changed"),
    pytest.mark.slow,
]

BEFORE = '[("analysis", "0005_scores_of_texts"), ("experiments", "0010_pictures_and_sound")]'
NOW = '[("analysis", "0006_runs_of_tasks"), ("experiments", "0010_pictures_and_sound")]'
WRITE = f"""{SETTLED}
apps = at({BEFORE})
study = apps.get_model("experiments", "Study").objects.create(slug="one", title="One")
apps.get_model("analysis", "AnalysisRun").objects.create(study=study, method="lmm", report="kept")
apps.get_model("analysis", "TextScore").objects.create(study=study, name="metric_words", stored_at=timezone.now())
"""
ROWS = """
rows = lambda name, *fields: [list(row) for row in apps.get_model("analysis", name).objects.values_list(*fields, *part)]
print(json.dumps(rows("AnalysisRun", "method", "report") + rows("TextScore", "name")))
"""


def test_a_run_and_a_score_are_kept_and_belong_to_the_first_task(run: Any) -> None:  # noqa: F811
    run(WRITE)
    assert run(f"{SETTLED}\napps, part = at({NOW}), ['part']{ROWS}") == [["lmm", "kept", ""], ["metric_words", ""]]
    assert run(f"{SETTLED}\napps, part = at({BEFORE}), []{ROWS}") == [["lmm", "kept"], ["metric_words"]]
