"""Draw answers that no model of `error_rate_models` has: choices between conditions, two codes of one recall,
categories.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from analysis.methods import registry
from analysis.methods.report import BadInput

# On the logit scale, where single answers have a standard deviation of π / √3: half of it, as differences between two
# levels have in all other cases.
SLOPE = float(0.5 * np.pi / np.sqrt(3))
# People differ in how much they take what stands on the left.
SIDE = 0.4
# Tables and columns of p, by method, the first that a report has, and what is tested.
TESTED = {
    "preference": (("fit", "p", "all worths equal"),),
    "proportions": (("mcnemar", "p", "the two codes"), ("ztest", "p", "the two conditions")),
    "glmm": (("anova", "p", "effect"),),
    "multinomial": (("anova", "p_outcomes", "effect"),),
    "contingency": (("tests", "p", "the conditions"),),
}


def choices(data: Any, number: int) -> pd.DataFrame:
    """Return pairs of conditions, each person and item once, with a choice that hangs on nothing on average."""
    case, random = data.case, np.random.default_rng([data.seed, 5, number])
    names = list(next(iter(case.factors.values())))
    pairs = np.array(list(combinations(range(len(names)), 2)))
    person, item = np.indices((case.participants, case.items)).reshape(2, -1)
    pair = pairs[(person + item) % len(pairs)]
    turned = random.random(len(pair)) < 0.5
    pair[turned] = pair[turned][:, ::-1]
    # A difference of two options has the standard deviation of a slope.
    spread = SLOPE / np.sqrt(2)
    worth = random.normal(0, spread, (case.participants, len(names)))[person]
    worth += random.normal(0, spread, (case.items, len(names)))[item]
    rows = np.arange(len(pair))
    left = random.random(len(pair)) < 0.5
    by_side = random.normal(0, SIDE, case.participants)[person] * np.where(left, 1, -1)
    share = special.expit(worth[rows, pair[:, 0]] - worth[rows, pair[:, 1]] + by_side)
    first = random.random(len(pair)) < share
    if len(names) == 2:
        # One column is one condition, as the mixed model of a choice needs it.
        first, left, pair = first ^ turned, left ^ turned, np.sort(pair, axis=1)
    columns = np.array(names)[pair]
    return pd.DataFrame(
        {
            "participant": [f"P{one}" for one in person],
            "item": [f"I{one}" for one in item],
            "a": columns[:, 0],
            "b": columns[:, 1],
            "choice": np.where(first, "a", "b"),
            "side": np.where(left, "left", "right"),
        }
    )


def pairs_of_codes(data: Any, number: int) -> pd.DataFrame:
    """Return recalls with two codes that are as frequent as each other, while people and items differ in which."""
    case, random = data.case, np.random.default_rng([data.seed, 6, number])
    person, item = np.indices((case.participants, case.items)).reshape(2, -1)
    common = random.normal(0, SLOPE, case.participants)[person] + random.normal(0, SLOPE, case.items)[item]
    apart = random.normal(0, SLOPE, case.participants)[person] + random.normal(0, SLOPE, case.items)[item]
    made = {
        name: (random.random(len(person)) < special.expit(common - 0.8 + sign * apart / 2)).astype(int)
        for name, sign in (("code_3", 1), ("code_4", -1))
    }
    names = {"participant": [f"P{one}" for one in person], "item": [f"I{one}" for one in item]}
    return pd.DataFrame({**names, **made, "role": "final"})


def categories(data: Any, number: int) -> pd.DataFrame:
    """Return answers of three categories, while people and items differ in which one they take, and in which condition.

    In the middle person and item the first category is answered in 45 %, the others in 33 and 22 %, in every condition.
    """
    case, layout, random = data.case, data.layout, np.random.default_rng([data.seed, 7, number])
    cells = len(data.design.cells)
    utility = np.log([0.45, 0.33, 0.22]) + np.zeros((layout.trials, 3))
    for index, size in ((layout.participant, layout.participants), (layout.item, layout.items)):
        utility += random.normal(0, SLOPE, (size, 3))[index]
        # A difference of two conditions has the standard deviation of a slope.
        utility += random.normal(0, SLOPE / np.sqrt(2), (size, cells, 3))[index, layout.cell]
    answer = (utility + random.gumbel(size=utility.shape)).argmax(axis=1)
    names = {"dv": case.response, "participant": "participant", "item": "item"}
    frame: pd.DataFrame = layout.frame(answer.astype(np.float64), data.design, **names)
    return frame.assign(**{case.response: np.array(["none", "left", "right"])[answer]})


DRAWN: dict[str, Callable[[Any, int], pd.DataFrame]] = {
    "choices": choices,
    "pairs of codes": pairs_of_codes,
    "categories": categories,
}


def p_values_of_reports(data: Any) -> Callable[[int], dict[str, float] | None]:
    """Return what gives p by the report of one data set, None where that has no test."""
    method = registry.method_named(data.case.method)

    def p(number: int) -> dict[str, float] | None:
        try:
            report = registry.run(method, data.data(number), data.case.params)
        except BadInput:
            return None
        there = {table.name for table in report.tables}
        table, column, what = next(one for one in TESTED[method.slug] if one[0] in there)
        found = report.table(table).frame()
        names = found[what].astype(str).tolist() if what in found else [what] * len(found)
        # Of several contrasts of an effect the smallest adjusted p tests it.
        values: dict[str, float] = {}
        for name, value in zip(names, found[column].astype(float), strict=True):
            values[name] = float(np.minimum(value, values.get(name, value)))
        if method.slug == "glmm":
            values["the preference"] = float(report.table("fixed").frame()["p"].iloc[0])
        return values if not any(np.isnan(value) for value in values.values()) else None

    return p
