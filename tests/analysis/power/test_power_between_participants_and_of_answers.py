"""Power with factors between participants or items, and of logistic and cumulative models, against closed forms."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.conditions.designs import Factor
from analysis.methods.generalised.binary import glmm
from analysis.methods.generalised.ordinal import ordinal
from analysis.methods.power.design import Truth, design_of
from analysis.methods.power.layout import Layout
from analysis.methods.power.method import METHOD
from analysis.methods.power.models import Names, usual_formula
from analysis.methods.power.scenarios import Scenario, models_of, p_of
from analysis.methods.power.stated import stated_effects
from analysis.methods.registry import run
from analysis.methods.report import BadInput

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "power_of_answers.json").read_text(encoding="utf-8"))
NAMES = Names("z", "participant", "item")
SPREAD = "participant=1; item=0.8"
SLOPES = f"{SPREAD}; participant:order=0.5; item:order=0.4"
CLMM = "z ~ order + (1 | participant) + (1 | item)"
FACTORS = [Factor("order", ("ab", "ba")), Factor("group", ("x", "y", "z")), Factor("genre", ("n", "t"))]
MIXED = design_of(FACTORS, between_participants=["group"], between_items=["genre"])


def scenario(design: Any, *, effect: str, participants: int, items: int, **truth: Any) -> Scenario:
    layout = Layout.of(
        "latin-square", participants=participants, items=items, cells=len(design.cells), places=design.places
    )
    made = Truth(stated_effects(effect, design, None), **{"residual": 1.0, **truth})
    return Scenario(design, made, layout, (participants, items, 0))


def frame_of(made: Scenario, y: np.ndarray) -> pd.DataFrame:
    return made.layout.frame(y, made.design, dv="z", participant="participant", item="item")


def row_of(**parameters: Any) -> dict[Hashable, Any]:
    report = run(METHOD, pd.DataFrame(), parameters)
    (row,) = report.table("power").frame().astype(object).to_dict("records")
    return row


def test_groups_of_people_and_items_are_even_and_the_square_is_over_the_other_factors() -> None:
    layout = scenario(MIXED, effect="order=1", participants=12, items=8).layout
    levels = MIXED.levels[layout.cell]
    for unit, count, place in ((layout.participant, 12, 1), (layout.item, 8, 2)):
        of_unit = [np.unique(levels[unit == number, place]) for number in range(count)]
        assert all(len(found) == 1 for found in of_unit)
        assert len(set(np.bincount([found[0] for found in of_unit]))) == 1
    assert len(set(np.bincount(layout.cell))) == 1
    for number in range(12):
        own = levels[layout.participant == number][:, [0, 2]]
        assert len(set(np.unique(own, axis=0, return_counts=True)[1])) == 1


@pytest.mark.parametrize("participants", [12, 14])
def test_the_fast_f_of_mixed_designs_are_those_of_the_analysis_of_variance(participants: int) -> None:
    made = scenario(MIXED, effect="group=0.5,0,0.2; order=0.3", participants=participants, items=9, participant=0.5)
    y = made.measures(seed=2, first=0, last=2)
    found = p_of(made, {}, methods=("f1", "f2"), correction="none", seed=2, first=0, last=2)
    for method, unit, within, between in (
        ("f1", "participant", ["order", "genre"], ["group"]),
        ("f2", "item", ["order", "group"], ["genre"]),
    ):
        for row, values in enumerate(y):
            report = rm_anova(frame_of(made, values), dv="z", within=within, between=between, unit=unit)
            for effect, p in report.table("anova").frame()[["effect", "p"]].itertuples(index=False):
                term = MIXED.term(effect)
                assert term is not None
                assert found[method, term.name][row] == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize("effect", [0.0, 0.5])
def test_power_between_two_groups_is_that_of_the_two_sample_t_test(effect: float) -> None:
    """A participant's mean of m trials has variance s² + σ²/m; λ = n δ² / (4 · that), n people in both groups."""
    people, items, sd, residual = 32, 10, 0.5, 0.6
    row = row_of(
        design="group=2",
        between="group",
        effect=f"group={effect}",
        sds=f"participant={sd}; residual={residual}",
        n=people,
        n_items=items,
        simulations=4000,
        confidence=0.999,
    )
    noncentrality = people * effect**2 / (4 * (sd**2 + residual**2 / items))
    critical = stats.f.isf(0.05, 1, people - 2)
    exact = stats.ncf.sf(critical, 1, people - 2, noncentrality) if effect else 0.05
    assert row["ci_low"] <= exact <= row["ci_high"]


@pytest.mark.parametrize("tests", ["wald", "likelihood-ratio"])
def test_power_of_a_logistic_comparison_of_two_groups_is_that_of_two_proportions(tests: str) -> None:
    """R's power.prop.test (normal approximation) with n independent answers in each group."""
    n, beta = 150, 0.75
    row = row_of(
        design="group=2", between="group", effect=f"group={beta}", sds="participant=0; item=0", method="glmm",
        probability="0.5", formula="z ~ group", n=n, n_items=2, simulations=300, tests=tests, confidence=0.999,
    )  # fmt: skip
    p1, p2 = special.expit([-beta / 2, beta / 2])
    null, real = np.sqrt(2 * 0.25), np.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    exact = stats.norm.cdf((np.sqrt(n) * (p2 - p1) - stats.norm.isf(0.025) * null) / real)
    assert row["ci_low"] <= exact <= row["ci_high"]


@pytest.mark.full("power of models of answers that is not that of the report or of a formula")
def test_power_of_a_cumulative_comparison_of_two_groups_is_that_of_whitehead() -> None:
    """Whitehead (1993): n = 6 (z_α/2 + z_β)² / (θ² (1 − Σ p̄³)) in each group, p̄ the shares over both."""
    n, theta, shares = 100, 0.6, np.array([0.1, 0.3, 0.4, 0.2])
    row = row_of(
        design="group=2", between="group", effect=f"group={theta}", sds="participant=0; item=0", method="ordinal",
        probability="0.1,0.3,0.4,0.2", formula="z ~ group", n=n, n_items=2, simulations=300, tests="wald",
        confidence=0.999,
    )  # fmt: skip
    thresholds = special.logit(np.cumsum(shares)[:-1])
    below = [special.expit(thresholds + sign * theta / 2) for sign in (-1, 1)]
    mean = np.diff(np.concatenate([[0.0], np.mean(below, axis=0), [1.0]]))
    exact = stats.norm.cdf(np.sqrt(n * theta**2 * (1 - (mean**3).sum()) / 6) - stats.norm.isf(0.025))
    assert row["ci_low"] <= exact <= row["ci_high"]


@pytest.mark.full("power of models of answers that is not that of the report or of a formula")
@pytest.mark.parametrize(("method", "thresholds"), [("glmm", (0.3,)), ("ordinal", (-1.0, 0.5))])
@pytest.mark.parametrize("tests", ["f", "wald"])
def test_a_simulated_model_of_answers_is_that_of_the_report(method: str, thresholds: Any, tests: str) -> None:
    design = design_of([FACTORS[0], Factor("group", ("x", "y"))], between_participants=["group"])
    made = scenario(
        design, effect="order=0.8", participants=16, items=12, participant=0.7, item=0.5, thresholds=thresholds,
        participant_slopes={"order": 0.6},
    )  # fmt: skip
    models = models_of(made, (method,), effects=("order",), formula=None, names=NAMES, tests=tests)
    found = p_of(made, models, methods=(method,), correction="none", seed=3, first=0, last=2)
    formula = usual_formula(design, NAMES, slopes=True)
    for row, values in enumerate(made.measures(seed=3, first=0, last=2)):
        report = (glmm if method == "glmm" else ordinal)(
            frame_of(made, values), formula=formula, contrasts="sum", tests=tests
        )
        for effect, p in report.table("anova").frame()[["effect", "p"]].itertuples(index=False):
            term = design.term(effect)
            assert term is not None
            assert found[method, term.name][row] == pytest.approx(p, rel=2e-2)


@pytest.mark.full("power of mixed models of answers that differs from that simulated in R")
@pytest.mark.parametrize(
    ("method", "package", "stated"),
    [
        ("glmm", "glmer", {"effect": "order=0.9", "sds": SLOPES, "intercept": "0.4"}),
        ("ordinal", "clmm", {"effect": "order=0.5", "sds": SPREAD, "thresholds": "-1.5,0,1.5", "formula": CLMM}),
    ],
)  # fmt: skip
def test_power_of_mixed_models_of_answers_is_that_simulated_with_lme4_and_ordinal(
    method: str, package: str, stated: dict[str, str]
) -> None:
    """Wald tests of glmer (uncorrelated slopes) and clmm (intercepts) on data made in R (power_of_answers.R)."""
    row = row_of(design="order=2", method=method, tests="wald", n=24, n_items=16, simulations=100, **stated)
    there = ORACLE[package]
    variance = there * (1 - there) * (1 / ORACLE["simulations"] + 1 / 100)
    assert abs(row["power"] - there) < 3.29 * variance**0.5


@pytest.mark.parametrize(("method", "thresholds"), [("glmm", (0.3,)), ("ordinal", (-1.0, 0.5))])
def test_simulations_of_answers_are_the_same_however_they_are_divided(method: str, thresholds: Any) -> None:
    made = scenario(
        design_of([FACTORS[0]]),
        effect="order=0.8",
        participants=12,
        items=8,
        participant=0.7,
        item=0.5,
        thresholds=thresholds,
    )

    def computed(first: int, last: int) -> np.ndarray:
        models = models_of(made, (method,), effects=("order",), formula=None, names=NAMES, tests="f")
        return p_of(made, models, methods=(method,), correction="none", seed=3, first=first, last=last)[method, "order"]

    whole = computed(0, 5)
    assert whole.tolist() == [*computed(0, 2), *computed(2, 5)]


BETWEEN = {"design": "group=2; order=2", "between": "group", "effect": "group=1", "sds": "residual=1", "n": 8}
GOOD = {**BETWEEN, "n_items": 8, "simulations": 3}
ANSWERS = {**GOOD, "sds": "participant=0.5", "method": "glmm", "probability": "0.6"}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({**GOOD, "n": 2}, "fewer than two in each"),
        ({**GOOD, "between": "", "between_items": "group", "n_items": 3}, "fewer than two in each"),
        ({**GOOD, "between": "grop"}, "no factor 'grop'; did you mean 'group'"),
        ({**GOOD, "between_items": "group"}, "cannot differ between participants and between items"),
        ({**GOOD, "sds": "participant:group=1; residual=1"}, "how participants differ in group is 'participant'"),
        ({**GOOD, "probability": "0.5"}, "belongs to method=glmm or ordinal"),
        ({**ANSWERS, "sds": "residual=1"}, "leave residual out"),
        ({**ANSWERS, "probability": "1"}, "above 0 and below 1"),
        ({**ANSWERS, "probability": ""}, "probability is missing"),
        ({**ANSWERS, "method": "ordinal"}, "a share for each of 2"),
        ({**ANSWERS, "method": "ordinal", "probability": "0.5,0.1"}, "add up to 1"),
        ({**ANSWERS, "method": "ordinal,glmm"}, "run power once for each"),
        ({**ANSWERS, "effect": "group=60"}, "always give the same answer"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(METHOD, pd.DataFrame(), parameters)


def test_a_factor_is_not_within_and_between_at_once() -> None:
    frame = pd.DataFrame({"participant": ["a"], "item": ["i"], "group": ["x"], "z": [1]})
    with pytest.raises(BadInput, match="is named in within and in between_participants"):
        run(METHOD, frame, {"dv": "z", "within": "group", "between": "group"})
