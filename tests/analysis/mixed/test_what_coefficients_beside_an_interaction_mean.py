"""A coefficient beside an interaction says at which level of other factors it holds; sum contrasts are the default."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.mixed.method import METHOD as LMM
from analysis.methods.registry import run

pytestmark = pytest.mark.slow


def answers():
    random = np.random.default_rng(5)
    grid = np.indices((12, 12)).reshape(2, -1)
    place = grid.sum(axis=0)
    y = random.normal(0, 0.5, 12)[grid[0]] + random.normal(size=144)
    return pd.DataFrame(
        {
            "participant": [f"P{p}" for p in grid[0]],
            "marker": np.array(["because", "cause"])[place % 2],
            "order": np.array(["ab", "ba"])[place // 2 % 2],
            "voice": np.array(["active", "passive"])[place // 4 % 2],
            "x": random.normal(size=144).round(2),
            "z": y.round(3),
            "correct": (y > 0).astype(int),
            "rating": np.digitize(y, [-1, 0.3, 1.2]),
        }
    )


def meanings(formula, method=LMM, **parameters):
    fixed = run(method, answers(), {"formula": formula, **parameters}).table("fixed").frame()
    return dict(zip(fixed["term"], fixed["meaning"], strict=True))


def test_a_treatment_coefficient_beside_an_interaction_says_at_which_level_it_holds():
    found = meanings("z ~ marker * order + (1 | participant)", contrasts="treatment")
    assert found["orderba"] == "ba − ab at because"
    assert found["markercause"] == "cause − because at ab"
    assert found["markercause:orderba"] == "(cause − because) × (ba − ab)"


def test_the_sentence_says_it_too():
    given = {"formula": "z ~ marker * order + (1 | participant)", "contrasts": "treatment"}
    sentences = run(LMM, answers(), given).sentences
    assert any(sentence.startswith("orderba (ba − ab at because): b = ") for sentence in sentences)


def test_an_interaction_inside_a_larger_one_says_where_it_holds():
    found = meanings("z ~ marker * order * voice + (1 | participant)", contrasts="treatment")
    assert found["orderba"] == "ba − ab at because, active"
    assert found["markercause:orderba"] == "(cause − because) × (ba − ab) at active"
    assert found["markercause:orderba:voicepassive"].endswith("(passive − active)")


def test_a_slope_and_an_effect_beside_their_interaction_say_where_they_hold():
    found = meanings("z ~ order * x + (1 | participant)", contrasts="treatment")
    assert found["x"] == "slope of x at ab"
    assert found["orderba"] == "ba − ab at x = 0"
    assert meanings("z ~ order * x + (1 | participant)")["x"] == "slope of x"


def test_without_an_interaction_nothing_is_held():
    assert meanings("z ~ marker + order + (1 | participant)")["orderba"] == "ba − ab"


def test_a_factor_within_another_is_held_nowhere():
    found = meanings("z ~ marker / order + (1 | participant)", contrasts="treatment")
    assert found["markercause"] == "cause − because at ab"
    assert all(" at " not in meaning for term, meaning in found.items() if "order" in term)


@pytest.mark.parametrize(("method", "measure"), [(LMM, "z"), (GLMM, "correct"), (ORDINAL, "rating")])
def test_sum_contrasts_are_the_default_as_soon_as_there_is_an_interaction(method, measure):
    crossed, plain = (f"{measure} ~ marker {sign} order + (1 | participant)" for sign in "*+")
    assert meanings(crossed, method) == meanings(crossed, method, contrasts="sum")
    assert "order1" in meanings(crossed, method)
    assert meanings(plain, method) == meanings(plain, method, contrasts="treatment")
    report = run(method, answers(), {"formula": crossed})
    assert any("Beside an interaction sum contrasts are the default" in note for note in report.notes)
