"""Oracle: afex 1.2.1, car 3.1.1 and emmeans 1.8.4.1 on R 4.2.2, by tests/oracles/anova/designs.R.

Random designs with one to four within and up to two between factors, groups of different sizes, people who lack cells,
very unequal variances, large offsets, two or three people, several missing codes, delimiters and byte order marks, and
names and levels with colons, commas, spaces, umlauts and numbers.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.data.analyse_file import read_table
from analysis.methods import registry
from tests.analysis.methods.references import OWN, rows_of

DESIGNS = json.loads((OWN / "designs" / "parameters.json").read_text(encoding="utf-8"))
EXPECTED = json.loads((OWN / "designs" / "expected.json").read_text(encoding="utf-8"))
RELATIVE = 1e-7


def found(method: str, name: str, **more: Any) -> list[dict[str, Any]]:
    given = DESIGNS[name]
    parameters = {
        "dv": given["dv"],
        "within": given["within"],
        "between": given["between"],
        "unit": given["unit"],
        given["unit"]: given["column"],
        **more,
    }
    frame = read_table(OWN / "designs" / f"{name}.csv")
    report = registry.run(registry.method_named(method), frame, parameters)
    return rows_of(report, "anova" if method == "rm-anova" else "comparisons")


@pytest.mark.parametrize("name", DESIGNS)
def test_every_effect_is_tested_as_in_afex(name: str) -> None:
    rows = {frozenset(row["effect"].split(":")): row for row in found("rm-anova", name)}
    assert len(rows) == len(EXPECTED[name]["anova"])
    for expected in EXPECTED[name]["anova"]:
        row = rows[frozenset(":".join(expected["factors"]).split(":"))]
        for column in expected.keys() - {"factors"}:
            assert row[column] == pytest.approx(expected[column], rel=RELATIVE), (expected["factors"], column)


@pytest.mark.parametrize("name", [name for name in DESIGNS if "pairs" in EXPECTED[name]])
def test_every_pair_is_compared_as_in_emmeans(name: str) -> None:
    rows = found("tukey", name, by=DESIGNS[name]["by"], error="multivariate")
    expected = EXPECTED[name]
    assert sorted(row["q"] for row in rows) == pytest.approx([t * 2**0.5 for t in expected["pairs"]], rel=1e-6)
    assert {row["df"] for row in rows} == {expected["pairs_df"]}
    # With few degrees of freedom ptukey has no value, or one that is off by 2e-6; SciPy agrees with ours to 1e-12.
    if expected["pairs_p"]:
        assert sorted(row["p"] for row in rows) == pytest.approx(expected["pairs_p"], rel=1e-5, abs=2e-6)
