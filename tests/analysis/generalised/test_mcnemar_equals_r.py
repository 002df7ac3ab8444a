"""McNemar's test of two columns of the same rows against binom.test and mcnemar.test of R."""

import json
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods.registry import method_named, run

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/generalised_mixed.json").read_text())


@pytest.mark.parametrize("case", ORACLES["mcnemar"], ids=lambda case: f"{case['only_a']} against {case['only_b']}")
def test_paired_clauses_have_the_p_values_of_r(case):
    counts = {(1, 1): case["both"], (1, 0): case["only_a"], (0, 1): case["only_b"], (0, 0): case["neither"]}
    rows = [{"clause_a": a, "clause_b": b} for (a, b), count in counts.items() for _ in range(count)]
    found = run(method_named("proportions"), pd.DataFrame(rows), {"success": "clause_a,clause_b"})
    line = found.table("mcnemar").frame().iloc[0]
    assert line["p"] == pytest.approx(case["exact"], rel=1e-10)
    assert line["chi2"] == pytest.approx(case["chi2"], rel=1e-12)
    assert line["p_chi2"] == pytest.approx(case["p"], rel=1e-10)
    assert line["chi2_corrected"] == pytest.approx(case["chi2_corrected"], rel=1e-12)
    assert line["p_corrected"] == pytest.approx(case["p_corrected"], rel=1e-10)
