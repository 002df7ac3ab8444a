"""What is no count or no time is refused in a sentence, and what a family cannot hold is said."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

pytestmark = pytest.mark.slow

CROSSED = "~ order + (1 | participant) + (1 | item)"
ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/counts_and_times.json").read_text())


def frame(values=None, seed=1, people=12, items=10):
    random = np.random.default_rng(seed)
    made = pd.DataFrame(
        [(f"P{p}", f"I{i}", ("ab", "ba")[(p + i) % 2]) for p in range(people) for i in range(items)],
        columns=["participant", "item", "order"],
    )
    return made.assign(
        n=random.poisson(3, len(made)) if values is None else values, words=random.integers(3, 9, len(made))
    )


def glmm(data, family, formula=f"n {CROSSED}", **more):
    return run(METHOD, data, {"formula": formula, "family": family, **more})


@pytest.mark.parametrize(
    ("family", "value", "said"),
    [
        ("poisson", -1, "'n' is negative in data row 3 (-1)"),
        ("poisson", 1.5, "'n' is no whole number in data row 3 (1.5)"),
        ("negative-binomial", 2e7, "'n' is very large in data row 3"),
        ("gamma", 0, "'n' is not positive in data row 3 (0)"),
        ("inverse-gaussian", -2.5, "'n' is not positive in data row 3 (-2.5)"),
    ],
)
def test_a_value_that_the_family_cannot_hold_is_named_with_its_row(family, value, said):
    data = frame().assign(n=lambda made: made["n"].astype(float) + 1)
    data.loc[2, "n"] = value
    with pytest.raises(BadInput, match=r".*") as refusal:
        glmm(data, family)
    assert str(refusal.value).startswith(said)
    assert str(refusal.value).endswith(".")


def test_counts_that_never_vary_and_exposures_of_zero_are_refused():
    with pytest.raises(BadInput, match="is 0 in all 120 rows"):
        glmm(frame(np.zeros(120)), "poisson")
    with pytest.raises(BadInput, match="'words' is not positive in data row 1"):
        glmm(frame().assign(words=0), "poisson", exposure="words")


@pytest.mark.parametrize(
    ("family", "more", "said"),
    [
        ("gamma", {"exposure": "words"}, "exposure: it belongs to counts"),
        ("poisson", {"trials": "words"}, "trials: it belongs to counts of successes"),
        ("poisson", {"link": "identity"}, "link: family=poisson has the link log"),
        ("gamma", {"link": "logit"}, "link: family=gamma has the link log or identity"),
    ],
)
def test_what_belongs_to_another_family_is_not_passed_over(family, more, said):
    with pytest.raises(BadInput) as refusal:
        glmm(frame().assign(n=2.5), family, **more)
    assert str(refusal.value).startswith(said)


def test_a_condition_without_any_count_has_no_finite_estimate_and_a_likelihood_ratio():
    data = frame()
    data.loc[data["order"] == "ba", "n"] = 0
    found = glmm(data, "poisson")
    fixed = found.table("fixed").frame().set_index("term")
    assert pd.isna(fixed.loc["orderba", "estimate"])
    assert any("separation" in said and "order ba" in said for said in found.warnings)
    rest = glmm(data[data["order"] == "ab"], "poisson", formula="n ~ 1 + (1 | participant) + (1 | item)")
    assert found.table("fit").frame()["log_lik"][0] == pytest.approx(rest.table("fit").frame()["log_lik"][0], abs=1e-6)
    assert found.table("anova").frame()["test"][0] == "likelihood ratio"


def test_counts_that_vary_as_poisson_counts_have_no_theta_and_it_is_said():
    data = frame(np.random.default_rng(5).binomial(6, 0.5, 120))  # they vary less
    negative, poisson = (glmm(data, family) for family in ("negative-binomial", "poisson"))
    assert any("θ has no finite estimate" in said for said in negative.warnings)
    assert negative.table("fit").frame()["log_lik"][0] == pytest.approx(poisson.table("fit").frame()["log_lik"][0])
    assert negative.table("fit").frame()["parameters"][0] == poisson.table("fit").frame()["parameters"][0] + 1
    assert any("underdispersion" in said for said in poisson.warnings)


def test_poisson_counts_that_vary_more_are_said_to_with_what_to_do():
    case = ORACLES["negative binomial, slopes"]
    found = glmm(pd.DataFrame(case["data"]), "poisson", formula="fixations ~ order + (1 | participant) + (1 | item)")
    assert any("overdispersion" in said and "family=negative-binomial" in said for said in found.warnings)
    assert not any("dispersion" in said for said in glmm(frame(), "poisson").warnings)


def test_observed_and_expected_frequencies_add_up_to_the_rows():
    table = glmm(frame(), "poisson").table("frequencies").frame()
    assert table["observed"].sum() == 120
    assert table["expected"].sum() == pytest.approx(120, abs=1e-6)
    assert ((table["low"] <= table["observed"]) & (table["observed"] <= table["high"])).mean() > 0.8
