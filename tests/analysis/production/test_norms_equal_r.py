"""Oracle: `table`, `log2` and `prop.test(correct = FALSE)` of R (`tests/oracles/production_norms.R`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.production.method import METHOD
from analysis.methods.report import Report

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "production_norms.json").read_text(encoding="utf-8"))


@cache
def report() -> Report:
    frame = pd.DataFrame(ORACLE["data"]).assign(aim="cat")
    return registry.run(METHOD, frame, {"target": "aim"})


@pytest.mark.parametrize(
    "name",
    ["n", "different", "entropy", "share", "ci_low", "ci_high", "target_share", "target_low", "target_high"],
)
def test_every_item_is_as_in_r(name: str) -> None:
    found = {line["item"]: line[name] for line in report().table("items").lines()}
    assert found == {line["item"]: pytest.approx(line[name], abs=1e-12) for line in ORACLE["items"]}


def test_shares_of_an_item_sum_to_one_and_the_commonest_comes_first() -> None:
    norms = report().table("norms").frame()
    assert norms.groupby("item")["share"].sum().tolist() == pytest.approx([1.0] * 8)
    firsts = norms.groupby("item").first()
    items = report().table("items").frame().set_index("item")
    assert firsts["share"].tolist() == items["share"].tolist()
    assert (norms.groupby("item")["n"].diff().dropna() <= 0).all()
