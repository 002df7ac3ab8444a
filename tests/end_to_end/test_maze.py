"""The example of the Maze task with virtual participants over HTTP, and every suggested analysis."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from analysis.data.frames import study_data
from analysis.methods import registry
from analysis.views.asking import suggestions
from experiments.paradigms.maze.simulation import simulated_slowing
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import IntakeProblem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "maze-agents" / "study.toml"


def test_eight_readers_are_slowed_at_the_critical_word_and_every_suggestion_runs(django_user_model) -> None:
    owner = django_user_model.objects.create_user("researcher")
    study = open_study(create_from_toml(EXAMPLE, user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=8, seed=3)
    call_command("check_data", study.slug)
    assert not IntakeProblem.objects.exists()

    trials, regions = study_data(study).frame, study_data(study, "regions").frame
    main = trials[(trials["phase"] == "main") & (trials["plugin"] == "maze")]
    assert len(main) == 8 * 30
    assert set(main["completed"]) == {"true"}
    critical = regions[
        (regions["from_critical"] == "0") & (regions["phase"] == "main") & (regions["correct"] == "true")
    ]
    logs = critical["rt_ms"].astype(float).map(math.log).groupby(critical["fit"]).mean()
    true = simulated_slowing({"fit": "atypical"}) - simulated_slowing({"fit": "typical"})
    assert logs["atypical"] - logs["typical"] == pytest.approx(true, abs=0.1)

    methods = registry.analyses()
    found = [
        registry.run(methods[one.method], study_data(study, one.table).frame, dict(one.params))
        for one in suggestions(study)
    ]
    methods_found = [report.method for report in found]
    assert methods_found == ["lmm", "lmm", "glmm", "regions", "rm-anova", "rm-anova", "rm-anova", "min-f"]
    assert all(report.tables for report in found)
