"""Every analysis that a recall study suggests exists and names parameters and columns that are there."""

import random
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from django.conf import settings

from analysis.computing.parameters import checked_params
from analysis.methods.registry import method_named, run
from experiments.paradigms import paradigm_named
from experiments.study_files import create_from_toml

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "sentence-recall" / "study.toml"
SUGGESTED = paradigm_named("sentence-recall").suggested_analyses(["formulation"])


@pytest.mark.django_db
def test_suggested_analyses_fit_the_tables_of_the_study():
    study = create_from_toml(EXAMPLE, user=None, owner=None)
    for suggestion in SUGGESTED:
        checked_params(study, method=suggestion.method, params=suggestion.params, table=suggestion.table)


def test_mixed_models_come_first_and_what_else_the_paper_has_in_its_order():
    assert [(each.method, each.table) for each in SUGGESTED] == [
        ("glmm", "codings"),
        ("lmm", "trials"),
        ("agreement", "codings"),
        ("incidence", "codings"),
        ("correlation", "pairs"),
        ("correlation", "pairs"),
        ("proportions", "codings"),
        ("proportions", "codings"),
        ("rm-anova", "trials"),
        ("rm-anova", "trials"),
        ("min-f", "trials"),
    ]
    assert len({each.title for each in SUGGESTED}) == len(SUGGESTED)


@pytest.mark.parametrize("suggestion", SUGGESTED, ids=lambda suggestion: suggestion.title)
def test_suggested_analyses_run_on_tables_of_that_shape(suggestion):
    report = run(method_named(suggestion.method), tables()[suggestion.table], suggestion.params)
    assert report.sentences
    assert report.tables


def tables():
    """Codings of two coders and final ones, scores, and pairs, as text cells like those of the exported files."""
    rng = random.Random(1)
    trials, codings = [], []
    for person, item in product(range(8), range(8)):
        level = ("because", "cause")[(person + item) % 2]
        codes = rng.choice(["0", "0", "1", "3", "3;4", "2;4"] if level == "because" else ["0", "0", "0", "1", "3", "4"])
        place = {"participant": f"P{person}", "position": str(item), "item": f"i{item}", "formulation": level}
        given = {f"code_{code}": str(int(code in codes.split(";"))) for code in "0123456"}
        trials.append({**place, "phase": "main", "is_filler": "false", **given, "score": str(rng.random())})
        for coder, role in (("coder-1", "coder"), ("coder-2", "coder"), ("final", "final")):
            other = codes if coder != "coder-2" or rng.random() < 0.8 else "2"
            codings.append({**place, "is_filler": "false", "coder": coder, "role": role, "codes": other, **given})
    pairs = [
        {"item": f"i{n}", "difference_z": str(rng.gauss(0, 1)), "difference_score": str(rng.random()), "words": str(n)}
        for n in range(8, 24)
    ]
    frames = {"trials": trials, "codings": codings, "pairs": pairs}
    return {name: pd.DataFrame(rows, dtype=str) for name, rows in frames.items()}


def test_without_factors_only_codings_are_analysed():
    suggested = paradigm_named("sentence-recall").suggested_analyses([])
    assert [each.method for each in suggested] == ["agreement", "incidence", "proportions"]
