"""Every analysis that a recall study suggests exists and names parameters and columns that are there."""

from pathlib import Path

import pytest
from django.conf import settings

from analysis.runs import checked_params
from experiments.paradigms import paradigm_named
from experiments.study_files import create_from_toml

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "sentence-recall" / "study.toml"
SUGGESTED = paradigm_named("sentence-recall").suggested_analyses(["formulation"])


@pytest.mark.django_db
def test_suggested_analyses_fit_the_tables_of_the_study():
    study = create_from_toml(EXAMPLE, user=None, owner=None)
    for suggestion in SUGGESTED:
        checked_params(study, method=suggestion.method, params=suggestion.params, table=suggestion.table)


def test_the_analyses_of_the_paper_come_in_its_order():
    assert [(each.method, each.table) for each in SUGGESTED] == [
        ("agreement", "codings"),
        ("incidence", "codings"),
        ("proportions", "codings"),
        ("proportions", "codings"),
        ("rm-anova", "trials"),
        ("rm-anova", "trials"),
        ("min-f", "trials"),
        ("correlation", "pairs"),
        ("correlation", "pairs"),
    ]
    assert len({each.title for each in SUGGESTED}) == len(SUGGESTED)


def test_without_factors_only_codings_are_analysed():
    suggested = paradigm_named("sentence-recall").suggested_analyses([])
    assert [each.method for each in suggested] == ["agreement", "incidence", "proportions"]
