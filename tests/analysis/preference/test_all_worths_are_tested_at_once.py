"""All worths are tested at once by Hotelling's T² where clusters were drawn; the oracle is statsmodels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multivariate import test_mvmean as mean_of_several

from analysis.methods import registry
from analysis.methods.arrays import Floats
from analysis.methods.preference.estimates import EqualWorths, equal_worths, estimates
from analysis.methods.preference.method import METHOD

pytestmark = pytest.mark.slow


def outcome_of(values: Floats) -> EqualWorths:
    """Test means of clusters: their mean, with the covariance of a mean, is what the bootstrap comes to."""
    clusters, parameters = values.shape
    spread = np.cov(values, rowvar=False).reshape(parameters, parameters) / clusters
    return equal_worths(estimates(values.mean(axis=0), spread, parameters + 1, df=clusters - 1.0))


@pytest.mark.parametrize(("clusters", "parameters"), [(8, 3), (6, 5), (30, 4), (9, 2)])
def test_the_test_is_that_of_statsmodels(clusters: int, parameters: int) -> None:
    values = np.random.default_rng(7).normal(0.3, 1, (clusters, parameters))
    found, oracle = outcome_of(values), mean_of_several(values)
    assert found.f == pytest.approx(oracle.statistic)
    assert (found.df, found.df2) == oracle.df
    assert found.p == pytest.approx(oracle.pvalue)


@pytest.mark.parametrize(("clusters", "parameters"), [(6, 4), (8, 3), (12, 5)])
def test_equal_worths_are_rejected_as_often_as_alpha_says(clusters: int, parameters: int) -> None:
    """χ²/p against F(p, G − 1) rejected 18 % to 79 % of true null hypotheses in designs such as these."""
    random = np.random.default_rng(20261123)
    p = [outcome_of(random.normal(0, 1, (clusters, parameters))).p for _ in range(1500)]
    assert 0.03 < np.mean(np.array(p) < 0.05) < 0.07


def judged(people: int) -> pd.DataFrame:
    random = np.random.default_rng(3)
    lines = [
        {"participant": f"P{person}", "a": a, "b": b, "choice": random.choice(["a", "b", "tie"])}
        for person in range(people)
        for a, b in ("wx", "wy", "wz", "xy", "xz", "yz") * 3
    ]
    return pd.DataFrame(lines)


def test_the_sentence_and_the_table_have_hotellings_f_and_its_degrees_of_freedom() -> None:
    report = registry.run(METHOD, judged(8), {"random": "participant", "bootstrap": 100})
    fit = report.table("fit").lines()[0]
    assert fit["f"] == pytest.approx(fit["chi2"] * 5 / (7 * 3))
    assert (fit["df"], fit["df2"]) == (3, 5)
    assert report.sentences[1].startswith(f"All worths equal: F(3, 5) = {fit['f']:.2f}, p = ")


def test_as_many_clusters_as_parameters_have_no_test_of_all_and_keep_those_of_pairs() -> None:
    report = registry.run(METHOD, judged(3), {"random": "participant", "bootstrap": 100})
    fit = report.table("fit").lines()[0]
    assert fit["p"] is None or np.isnan(fit["p"])
    assert report.sentences[1] == (
        "All worths equal: 3 participants are too few for this test of 4 options at once, which needs at least 4; "
        "the tests of pairs of options stand."
    )
    assert report.table("differences").frame()["p"].notna().all()


def test_without_draws_the_test_is_walds_chi_squared() -> None:
    report = registry.run(METHOD, judged(8), {})
    assert report.sentences[1].startswith("All worths equal: χ²(3) = ")
    assert report.table("fit").frame()["f"].isna().all()
