"""The example of typed production over HTTP, from simulated participants to the suggested analyses."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from analysis.studies.asking import request_run
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import IntakeProblem
from tests.analysis.computed import execute

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "cloze-sentences" / "study.toml"


@pytest.fixture
def study(django_user_model: Any) -> Study:
    owner = django_user_model.objects.create_user("researcher")
    return open_study(create_from_toml(EXAMPLE, user=owner, owner=owner), user=owner)


def test_answers_are_exported_and_every_suggestion_can_be_computed(study: Study, tmp_path: Path) -> None:
    call_command("simulate", study.slug, participants=4, seed=1)
    assert not IntakeProblem.objects.exists()
    call_command("export_data", study.slug, out=tmp_path)
    with (tmp_path / "trials.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["plugin"] == "typed-production" and row["phase"] == "main"]
    assert len(rows) == 4 * 28
    targets = [row for row in rows if row["is_filler"] == "false"]
    assert Counter(row["constraint"] for row in targets) == {"strong": 48, "weak": 48}
    share = {
        level: sum(row["matches_target"] == "true" for row in targets if row["constraint"] == level) / 48
        for level in ("strong", "weak")
    }
    assert share["strong"] > 0.8
    assert share["weak"] < 0.5
    assert not (tmp_path / "codings.csv").exists(), "nobody codes where the settings do not say so"
    found = {}
    for suggestion in suggestions(study):
        run = request_run(
            study, method=suggestion.method, params=dict(suggestion.params), user=study.owner, table=suggestion.table
        )
        execute(run.pk)
        run.refresh_from_db()
        assert run.report, f"{suggestion.method}: {run.error}"
        found[suggestion.method] = {table["name"]: table for table in json.loads(run.report)["tables"]}
    assert {"production-norms", "glmm", "lmm"} <= set(found)
    items = found["production-norms"]["items"]
    assert len(items["rows"]) == 48
