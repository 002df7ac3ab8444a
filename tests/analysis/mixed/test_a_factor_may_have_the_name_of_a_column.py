"""A factor that is called as a column of the tables of a mixed model has its levels in a column of another name."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(1)
    rows = [
        (f"p{p}", f"i{i}", "ab"[(p + i) % 2], 500 + 20 * ((p + i) % 2) + 5 * (p % 5))
        for p in range(20)
        for i in range(12)
    ]
    made = pd.DataFrame(rows, columns=["participant", "item", "panel", "rt"])
    return made.assign(rt=made["rt"] + random.normal(0, 10, len(made)), right=random.integers(0, 2, len(made)))


@pytest.mark.parametrize(("method", "outcome"), [("lmm", "rt"), ("glmm", "right")])
def test_means_of_a_factor_called_panel_are_reported(method: str, outcome: str, frame: pd.DataFrame) -> None:
    asked = {"formula": f"{outcome} ~ panel + (1 | participant)", "means": "panel"}
    report = registry.run(registry.method_named(method), frame, asked)
    assert report.table("means").frame()["panel_level"].tolist() == ["a", "b"]
