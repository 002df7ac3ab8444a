"""The method `regions` against lmer by region and p.adjust (tests/oracles/regions.R)."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods.adjusted import benjamini_hochberg, holm
from analysis.methods.mixed.regions.method import regions
from analysis.methods.report import BadInput

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "regions.json").read_text(encoding="utf-8"))
FRAME = pd.DataFrame(ORACLE["data"])


def test_coefficients_and_adjusted_p_are_those_of_r():
    report = regions(FRAME, formula=ORACLE["formula"])
    found = report.table("fixed").frame().set_index(["region", "term"])
    expected = pd.DataFrame(ORACLE["fixed"]).set_index(["region", "term"])
    assert set(found.index) == set(expected.index)
    for name, tolerance in (("estimate", 1e-5), ("se", 1e-4), ("df", 1e-3), ("t", 1e-4)):
        assert found[name].to_dict() == pytest.approx(expected[name].to_dict(), rel=tolerance, abs=1e-6)
    for name, theirs in (("p", "p"), ("p_holm", "p_holm"), ("p_bh", "p_bh")):
        assert found[name].to_dict() == pytest.approx(expected[theirs].to_dict(), rel=2e-3, abs=1e-9)
    # The effect was put into region 0; without a correction for four regions it would be more than it is.
    assert (found["p_holm"] >= found["p_bh"]).all()
    assert (found["p_bh"] >= found["p"]).all()


@pytest.mark.parametrize("number", range(5))
def test_adjusted_p_values_are_those_of_p_adjust(number):
    drawn = ORACLE["adjusted"][number]
    assert holm(drawn["p"]) == pytest.approx(drawn["holm"])
    assert benjamini_hochberg(drawn["p"]) == pytest.approx(drawn["bh"])


def test_what_has_no_p_does_not_count():
    assert holm([0.02, None, 0.03]) == pytest.approx([0.04, None, 0.04])
    assert benjamini_hochberg([None]) == [None]


def test_means_are_drawn_region_by_region_with_their_intervals():
    report = regions(FRAME, formula=ORACLE["formula"], where="from_critical >= 0")
    (figure,) = report.figures
    assert figure.encoding == {
        "x": "region", "y": "geometric_mean", "low": "geometric_mean_low", "high": "geometric_mean_high",
        "colour": "clause",
    }  # fmt: skip
    means = report.table("means").frame()
    assert means["region"].tolist() == ["0", "0", "1", "1", "2", "2"]


def test_a_region_that_cannot_be_fitted_is_named_and_the_others_stay():
    spoilt = FRAME.copy()
    spoilt.loc[(spoilt["from_critical"] == 2) & (spoilt["clause"] == "subject"), "clause"] = "object"
    report = regions(spoilt, formula=ORACLE["formula"])
    assert set(report.table("fixed").frame()["region"]) == {"-1", "0", "1"}
    assert any(warning.startswith("Region 2 was left out.") for warning in report.warnings)
    # Holm multiplies by 3 at most, the regions that have a p, and not by the 4 that were asked for.
    assert len(report.sentences) == 2 * 3
    assert all("adjusted for the 3 regions that could be analysed, of 4, p" in said for said in report.sentences)
    assert any(
        "could be fitted to 3 of 4 regions of 'from_critical': -1, 0 and 1. Within" in said for said in report.notes
    )


def test_one_region_that_is_left_is_not_said_to_be_adjusted():
    report = regions(FRAME, formula=ORACLE["formula"], where="from_critical = 0")
    assert not any("adjusted" in said for said in report.sentences)
    assert not any("p was adjusted" in said for said in report.notes)
    (whole, *_) = regions(FRAME, formula=ORACLE["formula"]).sentences
    assert ", adjusted for the number of regions p" in whole


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"region": "place"}, "place"),
        ({"formula": "log(rt_ms) ~ from_critical + (1|participant)"}, "take it out of formula"),
        ({"where": "from_critical > 5"}, "No row satisfies"),
    ],
)
def test_what_cannot_be_analysed_is_said(changes, said):
    with pytest.raises(BadInput, match=said):
        regions(FRAME, **{"formula": ORACLE["formula"], **changes})
