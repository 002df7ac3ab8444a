"""Oracles: `psych::ICC(lmer = FALSE)` of R (tests/oracles/human_judgements.R), Shrout & Fleiss (1979, table 4), and
`../shared/oracles/oracle_human.json` on the published judgements of `../shared/data`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.codes.intraclass import intraclass, one_way
from analysis.methods.measures.normalise import normalise
from analysis.methods.measures.scales import score_values
from tests import needs

HERE = Path(__file__).resolve()
R: Any = json.loads((HERE.parents[2] / "oracles" / "human_judgements.json").read_text(encoding="utf-8"))


def ratings_of(case: str) -> np.ndarray:
    return np.array(R["icc"][case]["ratings"], dtype=np.float64)


def long(ratings: np.ndarray) -> pd.DataFrame:
    units, raters = np.nonzero(~np.isnan(ratings))
    return pd.DataFrame({"text": units, "rater": raters, "rating": ratings[units, raters]})


@pytest.mark.parametrize("case", sorted(set(R["icc"]) - {"holes"}))
def test_all_six_forms_are_those_of_psych(case: str) -> None:
    found = {row["type"]: row for row in intraclass(ratings_of(case)).rows}
    for expected in R["icc"][case]["results"]:
        if abs(expected["icc"]) > 1 and expected["type"] == "ICC(2,k)":
            assert found["ICC(2,k)"]["icc"] is None  # psych prints 6.6: its estimate of the whole variance is negative
            continue
        for name in ("icc", "f", "df1", "df2", "p", "ci_low", "ci_high"):
            assert found[expected["type"]][name] == pytest.approx(expected[name], rel=1e-8), (expected["type"], name)


@pytest.mark.parametrize("case", sorted(R["icc"]))
def test_forms_that_have_no_value_are_named_and_no_others(case: str) -> None:
    found = intraclass(ratings_of(case))
    without = [row["type"] for row in found.rows if row["icc"] is None]
    said = [warning for warning in found.warnings if "the estimate of the whole variance is not above zero" in warning]
    assert len(said) == bool(without)
    assert all(name in warning for warning in said for name in without)


def test_of_residuals_alone_neither_form_of_agreement_has_a_value() -> None:
    warnings = intraclass(np.array([[1.0, 0.0], [0.0, 1.0]])).warnings
    assert any(warning.startswith("ICC(2) and ICC(2,k) are not defined") for warning in warnings)


def test_with_ratings_missing_two_way_forms_rest_on_complete_units_and_the_first_on_all() -> None:
    found = intraclass(ratings_of("holes"))
    rows = {row["type"]: row for row in found.rows}
    for expected in R["icc"]["holes"]["results"]:
        if expected["type"][:6] in ("ICC(2)", "ICC(3)"):
            assert rows[expected["type"]]["icc"] == pytest.approx(expected["icc"], rel=1e-9)
            assert rows[expected["type"]]["n"] == 27
    # F of aov() over unequal groups; k as in the one-way components of variance.
    unequal = R["unequal"]
    k = (117 - (27 * 16 + 3 * 9) / 117) / 29
    assert rows["ICC(1)"]["f"] == pytest.approx(unequal["f"], rel=1e-9)
    assert rows["ICC(1)"]["p"] == pytest.approx(unequal["p"], rel=1e-7)
    assert (rows["ICC(1)"]["n"], rows["ICC(1)"]["df1"], rows["ICC(1)"]["df2"]) == (30, 29, 87)
    between, within = unequal["between"], unequal["within"]
    assert rows["ICC(1)"]["icc"] == pytest.approx((between - within) / (between + (k - 1) * within), rel=1e-9)
    assert any("27 units that every rater rated; 3 others" in note for note in found.notes)


def test_agreement_on_numbers_brings_the_intraclass_correlations_beside_alpha() -> None:
    frame = long(ratings_of("shrout_fleiss"))
    given = {"unit": "text", "coder": "rater", "code": "rating", "metric": "interval"}
    report = registry.run(registry.method_named("agreement"), frame, given)
    table = report.table("icc").frame().set_index("type")
    # Shrout & Fleiss (1979), table 4
    assert table["icc"].round(2).to_dict() == {
        "ICC(1)": 0.17, "ICC(1,k)": 0.44, "ICC(2)": 0.29, "ICC(2,k)": 0.62, "ICC(3)": 0.71, "ICC(3,k)": 0.91,
    }  # fmt: skip
    assert report.sentences[1] == "Of numbers: ICC(1) = .17, ICC(2) = .29, ICC(2,k) = .62 and ICC(3) = .71."
    nominal = registry.run(registry.method_named("agreement"), frame, {**given, "metric": "nominal"})
    assert [table.name for table in nominal.tables] == ["agreement", "pairs"]


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        ([[3, 3], [3, 3], [3, 3]], "all ratings are equal"),
        ([[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]], "all ratings are equal"),
        ([[0, 1], [0, 1], [0, 1]], "ICC(3) is not defined: every rater rated all units alike"),
        ([[1, 1], [2, 2], [3, 3]], "F is infinite"),
        ([[1, 2], [2, 1], [0, 3]], "the means of all units are equal"),
        ([[1, np.nan], [2, np.nan]], "a unit with two ratings"),
        ([[1, 2, 3]], "at least two units"),
    ],
)
def test_what_has_no_intraclass_correlation_says_why(ratings: Any, said: str) -> None:
    found = intraclass(np.array(ratings, dtype=np.float64))
    assert any(said in warning for warning in found.warnings), found
    assert not any(np.isnan(v) for row in found.rows for v in row.values() if isinstance(v, float))


@needs.shared("data/simplicity_da")
def test_reliability_of_the_published_simplicity_ratings() -> None:
    reference = human_reference()
    ratings = pd.read_csv(needs.SHARED / "data" / "simplicity_da" / "simplicity_DA_ratings.csv")
    scores = normalise(ratings, dv="simplicity", how="z-population", participant="rater_id").table("scores").frame()
    texts = scores.groupby(["sent_id", "sys_name"], sort=False).ngroup()
    values = scores["simplicity_z-population"].to_numpy()
    one, mean = one_way(values, texts.to_numpy().astype(np.intp)).rows
    assert one["icc"] == pytest.approx(reference["ICC1"], rel=1e-9)
    assert mean["icc"] == pytest.approx(reference["ICC1k"], rel=1e-9)
    assert one["f"] == pytest.approx(reference["ICC_F"], rel=1e-9)


@cache
def human_reference() -> Any:
    return json.loads((needs.SHARED / "oracles" / "oracle_human.json").read_text(encoding="utf-8"))


@cache
def rankme() -> pd.DataFrame:
    frame = pd.read_csv(needs.SHARED / "data" / "rankme" / "rankme_long.csv")
    return frame.assign(study=[f"{row.setup}|{row.method}|{row.dimension}" for row in frame.itertuples()])


RANKME = [
    f"{setup}|{method}|{dimension}"
    for setup in (1, 2)
    for method in ("likert", "plainME", "rankME")
    for dimension in ("informativeness", "naturalness", "quality")
]
BINARY_NOISE = "2|rankME|naturalness"


@needs.shared("data/rankme")
@pytest.mark.parametrize("study", RANKME)
def test_reliability_of_the_rankme_judgements(study: str) -> None:
    """The reference takes texts with three ratings, logarithms of magnitudes (not of Likert), z of those, and gives
    people without variance a z of 0."""
    reference = human_reference()["rankme_icc1"][study]
    part = rankme().query("study == @study")
    texts = part.groupby(["item", "system"]).ngroup().to_numpy()
    three = np.bincount(texts)[texts] == 3
    assert len(np.unique(texts[three])) == reference["n_texts"]
    people = part["participant"].astype("category").cat.codes.to_numpy().astype(np.intp)
    raw = part["rating"].to_numpy(dtype=np.float64)
    how = ("log", "log-z") if "likert" not in study else (None, "z")
    log, z = (
        raw
        if name is None
        else score_values(raw, positions=people, count=people.max() + 1, how=name, references=None, offset=None).scores
        for name in how
    )
    found = {"raw": raw, "log": log, "z": np.nan_to_num(z)}
    results = {name: one_way(values[three], texts[three]).rows for name, values in found.items()}
    assert results["raw"][0]["icc"] == pytest.approx(reference["raw"], abs=1e-10)
    assert results["log"][0]["icc"] == pytest.approx(reference["log"], abs=1e-10)
    if study == BINARY_NOISE:
        # Two people gave one number throughout. Computed as ln x in pandas their SD is 1e-16 instead of 0, and their z
        # is noise: any other base or order of the sum gives another ICC (−.11, −.03, −.009). Ours has no noise.
        assert results["z"][0]["icc"] == pytest.approx(-0.00898, abs=1e-5)
        return
    assert results["z"][0]["icc"] == pytest.approx(reference["z"], abs=1e-10)
    assert results["z"][1]["icc"] == pytest.approx(reference["zk"], abs=1e-9)
