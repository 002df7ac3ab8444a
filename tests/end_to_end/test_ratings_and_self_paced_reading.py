"""The examples of rating and self-paced reading with virtual participants over HTTP, and every suggested analysis."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from analysis.data.frames import study_data
from analysis.methods import registry
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.paradigms.rating.paradigm import simulated_goodness
from experiments.paradigms.self_paced_reading.simulation import simulated_slowing
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import IntakeProblem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLES = Path(settings.BASE_DIR) / "experiments" / "examples"


def simulated(example: str, participants: int, users: Any) -> Study:
    owner = users.objects.create_user("researcher")
    study = open_study(create_from_toml(EXAMPLES / example / "study.toml", user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=participants, seed=3)
    call_command("check_data", study.slug)
    assert not IntakeProblem.objects.exists()
    return study


def reports(study: Study) -> dict[str, Any]:
    """Run every suggested analysis and return the reports by their titles."""
    methods = registry.analyses()
    return {
        suggestion.title: registry.run(
            methods[suggestion.method], study_data(study, suggestion.table).frame, dict(suggestion.params)
        )
        for suggestion in suggestions(study)
    }


def test_eight_raters_rate_every_system_of_every_input_and_the_better_systems_are_found(
    django_user_model: Any,
) -> None:
    study = simulated("system-ratings", 8, django_user_model)
    frame = study_data(study).frame
    targets = frame[(frame["phase"] == "main") & frame["system"].notna() & (frame["system"] != "")]
    assert len(targets) == 8 * 24
    assert set(Counter(zip(targets["participant"], targets["item"], targets["system"], strict=True)).values()) == {1}
    # In the first four pages of every session each system stood once at each place; over all, nearly so.
    places = Counter(zip(targets["system"], targets["text_place"], strict=True))
    assert max(places.values()) - min(places.values()) <= 8
    means = targets.groupby("system")["focus"].apply(lambda ratings: ratings.astype(float).mean())
    truth = sorted(means.index, key=lambda system: simulated_goodness({"system": system}, item=""))
    assert list(means.sort_values().index) == truth
    found = reports(study)
    assert len(found) == 5 * 7  # of each question a model for ordered answers, one for numbers, and five companions
    assert all(report.tables for report in found.values())


def test_sixteen_readers_are_slowed_at_the_critical_region_as_the_simulation_says(django_user_model: Any) -> None:
    study = simulated("relative-clauses", 16, django_user_model)
    frame = study_data(study, "regions").frame
    assert len(frame[frame["phase"] == "main"]) == 16 * (24 * 5 + 12 * 5)
    critical = frame[(frame["from_critical"].astype(str) == "0") & (frame["phase"] == "main")]
    assert len(critical) == 16 * 24
    logs = critical["rt_ms"].astype(float).map(math.log).groupby(critical["clause"]).mean()
    true = simulated_slowing({"clause": "object"}) - simulated_slowing({"clause": "subject"})
    assert logs["object"] - logs["subject"] == pytest.approx(true, abs=0.08)
    found = reports(study)
    assert len(found) == 8
    assert all(report.tables for report in found.values())
