"""Oracle: `../shared/oracles/oracle_human.json` on the published ratings of `../shared/data/simplicity_da`: z scores
per rater with the population SD, and the correlation of automatic metrics with the mean z of a text.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pandas as pd
import pytest

from analysis.methods.measures.correlation import correlation
from analysis.methods.measures.normalise import normalise
from tests import needs

DATA = needs.SHARED / "data" / "simplicity_da"
METRICS = ("bertscore_P", "bertscore_F1", "ibleu", "bleu", "sari", "fkgl", "samsa")

pytestmark = needs.shared("data/simplicity_da")


@cache
def expected() -> Any:
    return json.loads((needs.SHARED / "oracles" / "oracle_human.json").read_text(encoding="utf-8"))


@cache
def texts() -> pd.DataFrame:
    """One row per text: the published mean z, ours from the single ratings, and the metrics."""
    ratings = pd.read_csv(DATA / "simplicity_DA_ratings.csv")
    report = normalise(ratings, dv="simplicity", how="z-population", participant="rater_id")
    scores = report.table("scores").frame()
    ours = scores.groupby(["sent_id", "sys_name"])["simplicity_z-population"].mean().rename("ours").reset_index()
    published = pd.read_csv(DATA / "simplicity_DA.csv")[["sent_id", "sys_name", "simplicity_zscore"]]
    metrics = pd.read_csv(DATA / "metrics_simplicity_DA.csv").query("test_set == 'asset'")
    return published.merge(ours, on=["sent_id", "sys_name"]).merge(metrics, on=["sent_id", "sys_name"])


def test_mean_z_scores_with_the_population_sd_are_the_published_ones() -> None:
    found = texts()
    assert len(found) == 600
    assert (found["ours"] - found["simplicity_zscore"]).abs().max() < 1e-8


@pytest.mark.parametrize("metric", METRICS)
def test_metrics_correlate_with_people_as_published(metric: str) -> None:
    reference = expected()["metric_vs_human"][metric]
    pearson = correlation(texts(), x=[metric], y=["simplicity_zscore"], how="pearson").table("correlation").frame()
    assert abs(pearson["r"][0]) == pytest.approx(abs(reference["r"]), rel=1e-9)
    assert pearson["p"][0] == pytest.approx(reference["p"], rel=1e-6)
    assert abs(pearson["r"][0]) == pytest.approx(reference["published_abs"], abs=5e-7)
    spearman = correlation(texts(), x=[metric], y=["simplicity_zscore"], how="spearman").table("correlation").frame()
    # Scores that are equal on paper differ in their last digits (484 values of BLEU, 480 to nine places); the reference
    # ranks those digits, here they are ties.
    assert abs(spearman["r"][0]) == pytest.approx(abs(reference["spearman"]), abs=2e-5)
