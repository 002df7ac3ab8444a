"""Two options have closed forms; rankings with ties a plain second version by a general optimiser."""

from __future__ import annotations

from itertools import combinations
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

from analysis.methods import registry
from analysis.methods.preference.method import METHOD
from analysis.methods.report import Report


def run(frame: pd.DataFrame, **given: object) -> Report:
    return registry.run(METHOD, frame, given)


def two(wins: int, losses: int, ties: int) -> pd.DataFrame:
    choices = ["a"] * wins + ["b"] * losses + ["tie"] * ties
    return pd.DataFrame({"a": "x", "b": "y", "choice": choices})


def test_two_options_without_ties_are_the_log_odds() -> None:
    report = run(two(14, 6, 0))
    (line,) = report.table("differences").lines()
    assert (line["a"], line["b"]) == ("x", "y")
    assert line["difference"] == pytest.approx(log(14 / 6))
    assert line["se"] == pytest.approx(sqrt(1 / 14 + 1 / 6))
    assert line["odds"] == pytest.approx(14 / 20)
    assert report.table("worth").lines()[0]["worth"] == pytest.approx(log(14 / 6) / 2)


def test_two_options_with_ties_are_davidsons_closed_form() -> None:
    """π_x/π_y = wins/losses, and ν = ties/√(wins · losses)."""
    report = run(two(12, 5, 9))
    (line,) = report.table("differences").lines()
    assert line["difference"] == pytest.approx(log(12 / 5))
    (tie,) = report.table("parameters").lines()
    assert tie["estimate"] == pytest.approx(9 / sqrt(12 * 5))
    # ln ν = ln n_t − ½ ln n_x − ½ ln n_y of multinomial counts.
    assert tie["se"] == pytest.approx(tie["estimate"] * sqrt(1 / 9 + 1 / (4 * 12) + 1 / (4 * 5)))


def test_two_options_on_two_sides_are_the_log_odds_of_a_square() -> None:
    """x wins 9 of 12 on the left and 6 of 12 on the right: δ is half the difference of log odds, λ half their sum."""
    lines = [{"a": "x", "b": "y", "choice": c, "side": "left"} for c in "a" * 9 + "b" * 3]
    lines += [{"a": "x", "b": "y", "choice": c, "side": "right"} for c in "a" * 6 + "b" * 6]
    report = run(pd.DataFrame(lines))
    (line,) = report.table("differences").lines()
    (side,) = report.table("parameters").lines()
    assert line["difference"] == pytest.approx((log(9 / 3) + log(6 / 6)) / 2)
    assert side["estimate"] == pytest.approx((log(9 / 3) - log(6 / 6)) / 2)
    assert "left" in " ".join(report.notes)


def test_the_side_may_be_named_by_the_option_that_stood_first() -> None:
    random = np.random.default_rng(3)
    lines = [
        {"a": "x", "b": "y", "choice": "ab"[random.integers(2)], "side": "ab"[random.integers(2)]} for _ in range(40)
    ]
    frame = pd.DataFrame(lines)
    named = frame.assign(side=frame["side"].map({"a": "x", "b": "y"}))
    placed = frame.assign(side=frame["side"].map({"a": "left", "b": "right"}))
    tables = [run(each).table("parameters").rows for each in (frame, named, placed)]
    assert tables[0] == tables[1] == tables[2]


def test_a_ranking_of_two_is_a_pair() -> None:
    pairs = two(12, 5, 9)
    long = pd.DataFrame(
        [
            {"comparison": number, "option": option, "rank": rank}
            for number, choice in enumerate(pairs["choice"])
            for option, rank in zip("xy", {"a": (1, 2), "b": (2, 1), "tie": (1, 1)}[choice], strict=True)
        ]
    )
    assert [row[:5] for row in run(long).table("worth").rows] == [
        pytest.approx(row[:5]) for row in run(pairs).table("worth").rows
    ]


def test_rankings_with_ties_are_a_plain_davidson_luce() -> None:
    random = np.random.default_rng(8)
    names = "ABCD"
    orders = []
    for _ in range(60):
        values = np.array([0.8, 0.3, 0.0, -0.7]) + random.gumbel(size=4)
        orders.append(np.unique(np.round(-values * 0.9), return_inverse=True)[1])
    frame = pd.DataFrame(
        [
            {"comparison": number, "option": names[at], "rank": int(rank)}
            for number, order in enumerate(orders)
            for at, rank in enumerate(order)
        ]
    )
    sizes = sorted({int((order == rank).sum()) for order in orders for rank in order} - {1})

    def minus_log_likelihood(theta: np.ndarray) -> float:
        worth = np.concatenate([theta[:3], [-theta[:3].sum()]])
        nu = {1: 0.0, **dict(zip(sizes, theta[3:], strict=True))}
        total = 0.0
        for order in orders:
            left = list(range(4))
            for rank in range(order.max() + 1):
                group = tuple(np.flatnonzero(order == rank).tolist())
                if len(left) > 1:
                    sets = [s for size in nu for s in combinations(left, size)]
                    logs = np.array([worth[list(s)].mean() + nu[len(s)] for s in sets])
                    total += logs[sets.index(group)] - np.logaddexp.reduce(logs)
                left = [at for at in left if at not in group]
        return -total

    best = optimize.minimize(minus_log_likelihood, np.zeros(3 + len(sizes)), options={"gtol": 1e-8})
    report = run(frame)
    table = report.table("worth").frame().sort_values("option")
    expected = [*best.x[:3], -best.x[:3].sum()]
    assert table["worth"].tolist() == pytest.approx(expected, abs=1e-4)
    assert report.table("fit").lines()[0]["log_lik"] == pytest.approx(-best.fun, abs=1e-6)
    ties = {line["name"]: line["estimate"] for line in report.table("parameters").lines()}
    assert ties == {
        "tie" if size == 2 else f"tie_{size}": pytest.approx(np.exp(value), rel=1e-3)
        for size, value in zip(sizes, best.x[3:], strict=True)
    }
