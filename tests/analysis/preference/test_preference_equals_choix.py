"""Oracle: `choix` (Maystre & Grossglauser), maximum likelihood for pairs and rankings by another algorithm."""

from __future__ import annotations

import choix
import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.preference.method import METHOD


def worths(frame: pd.DataFrame) -> list[float]:
    table = registry.run(METHOD, frame, {}).table("worth").frame().sort_values("option")
    return [float(value) for value in table["worth"]]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    true = random.normal(0, 1, 6)
    won: list[tuple[int, int]] = []
    while len(won) < 250:
        a, b = random.choice(6, 2, replace=False)
        won.append((a, b) if random.random() < 1 / (1 + np.exp(true[b] - true[a])) else (b, a))
    frame = pd.DataFrame([{"a": f"O{a}", "b": f"O{b}", "choice": f"O{a}"} for a, b in won])
    assert worths(frame) == pytest.approx(choix.ilsr_pairwise(6, won, tol=1e-12).tolist(), abs=1e-6)


@pytest.mark.parametrize("seed", [4, 5])
def test_rankings_of_some_of_the_options(seed: int) -> None:
    random = np.random.default_rng(seed)
    true = random.normal(0, 0.8, 7)
    orders = []
    for _ in range(120):
        shown = random.choice(7, int(random.integers(2, 6)), replace=False)
        noise = true[shown] + random.gumbel(size=len(shown))
        orders.append(shown[np.argsort(-noise)].tolist())
    frame = pd.DataFrame(
        [
            {"comparison": number, "option": f"O{option}", "rank": rank}
            for number, order in enumerate(orders)
            for rank, option in enumerate(order, start=1)
        ]
    )
    assert worths(frame) == pytest.approx(choix.ilsr_rankings(7, orders, tol=1e-12).tolist(), abs=1e-6)
