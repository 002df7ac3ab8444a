"""The example of sentence recall with the 32 participants of the paper, over HTTP, from start to the exported rows."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from experiments.models import Study
from experiments.paradigms.sentence_recall.arithmetic import PLUS
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import IntakeProblem, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "sentence-recall" / "study.toml"


@pytest.fixture
def study(django_user_model: Any) -> Study:
    owner = django_user_model.objects.create_user("researcher")
    return open_study(create_from_toml(EXAMPLE, user=owner, owner=owner), user=owner)


def exported(study: Study, folder: Path) -> list[dict[str, str]]:
    call_command("export_data", study.slug, out=folder)
    with (folder / "trials.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_thirty_two_virtual_participants_fill_groups_a_to_d_with_eight_each(study: Study, tmp_path: Path) -> None:
    call_command("simulate", study.slug, participants=32, seed=1)
    groups = Counter(session.list.name for session in Session.objects.filter(status="complete"))
    assert groups == {"AB-1": 8, "AB-2": 8, "CD-1": 8, "CD-2": 8}
    assert not IntakeProblem.objects.exists()

    rows = exported(study, tmp_path / "export")
    recalls = [row for row in rows if row["plugin"] == "sentence-recall" and row["phase"] == "main"]
    targets = [row for row in recalls if row["is_filler"] == "false"]
    assert (len(recalls), len(targets)) == (32 * 25, 512)
    assert set(Counter((row["item"], row["condition"]) for row in targets).values()) == {8}
    assert all(row["answered"] == "true" and row["arithmetic_total"] == "2" for row in recalls)
    accuracy = sum(int(row["arithmetic_correct"]) for row in recalls) / (2 * len(recalls))
    assert 0.85 < accuracy < 0.95
    assert sum(row["recall"] == row["text"] for row in targets) > 100
    assert sum(row["display_flagged"] == "true" for row in recalls) < 30
    first = recalls[0]["arithmetic_problems"].split("; ")
    assert sorted(problem.split()[1] for problem in first) == [PLUS, "−"]
