"""Declare the method `power`: simulate a design many times and count how often its analysis finds the effects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.generalised.estimates.type_three import TESTS
from analysis.methods.mixed.settings import formula_parameter
from analysis.methods.power.parts import SPLIT
from analysis.methods.power.scenarios import METHODS
from analysis.methods.power.tables import MODEL, POWER
from analysis.methods.report import Report
from analysis.methods.roles import declared
from analysis.methods.splitting import whole
from analysis.methods.wording import listed


def power(
    frame: pd.DataFrame,
    *,
    dv: str | None = None,
    within: Sequence[str] = (),
    design: str | None = None,
    between_participants: str | None = None,
    between_items: str | None = None,
    effect: str | None = None,
    sds: str | None = None,
    method: str = "rm-anova",
    unit: str = "participant",
    probability: str | None = None,
    intercept: str | None = None,
    thresholds: str | None = None,
    tests: str = "f",
    formula: str | None = None,
    correction: str = "none",
    n_participants: str | None = None,
    n_items: str | None = None,
    assignment: str = "latin-square",
    cells_per_item: int | None = None,
    simulations: int = 1000,
    seed: int = 1,
    null: bool = False,
    alpha: float = 0.05,
    target: float = 0.8,
    interval: str = "wilson",
    confidence: float = 0.95,
    scale: str = "raw",
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Simulate a design and count how often the analysis of choice finds its effects.

    The design has factors, participants and items; everybody sees each item in one cell (`latin-square`) or in every
    cell (`full`); with `cells_per_item` an item exists in so many cells alone. Of factors `between_participants`
    everybody has one level, of those `between_items` every item; groups are as even as the numbers allow, and the
    square is over the other factors. With `dv` and `within` the factors, their effects and all variances are those of
    the data; `design`, `effect` and `sds` state them instead, each part by itself, in the units of the measure (of
    log10 of it with `scale` log):

        design=marker=because,cause; order=ab,ba    (or marker=2; order=2, or 2x2)
        effect=order=0.2                            the last minus the first level
        effect=marker=0.1,0,0,-0.1; order=pilot*0.5 values of the levels; half of what the data show
        sds=participant=0.3; item=0.2; participant:order=0.1; item:order=0.15; residual=0.6

    `participant:order` is the standard deviation between people of the difference between two levels of order. `method`
    is one or more of rm-anova (F1 or F2 by `unit`), f1, f2, f1-and-f2, min-f, lmm (`formula`, or all slopes) and
    lmm-intercepts (none). With glmm answers are yes and no, with ordinal they are ordered categories: effects and
    standard deviations are in log odds, without a residual, and `probability` says how likely each answer is for an
    average participant and item (or `intercept`, `thresholds` in log odds); `tests` are those of the method. Effects
    that `effect` does not name are not there and not listed. `null` adds the same design
    without any effect, which shows false positives.

    Tables: `METHOD`.

    Raises BadInput where the design, its effects or its variances are not given or do not fit each other.

    >>> report = power(
    ...     pd.DataFrame(),
    ...     design="order=2",
    ...     effect="0.3",
    ...     sds="residual=0.5",
    ...     n_participants="8,24",
    ...     n_items="8",
    ...     simulations=200,
    ... )
    >>> report.table("power").frame()[["effect", "n_participants", "power"]].values.tolist()
    [['order', 8, 0.585], ['order', 24, 0.985]]
    """
    params = {name: given for name, given in locals().items() if name not in ("frame", "progress")}
    return whole(SPLIT, frame, params, progress=progress)


def example() -> Example:
    """Return ratings of eight participants for eight items in a Latin square of two orders, as a small pilot study."""
    random = np.random.default_rng(20100602)
    people: Floats = random.normal(0, (0.4, 0.15), (8, 2))
    items: Floats = random.normal(0, (0.3, 0.1), (8, 2))
    lines = [
        {
            "participant": f"P{p + 1}",
            "item": f"I{i + 1}",
            "order": ("ab", "ba")[o],
            "z": round(
                float(people[p, 0] + items[i, 0] + o * (0.5 + people[p, 1] + items[i, 1]) + random.normal(0, 0.5)), 3
            ),
        }
        for p in range(8)
        for i in range(8)
        for o in ((p + i) % 2,)
    ]
    parameters = {"dv": "z", "within": ("order",), "n_participants": "8,16", "simulations": 40}
    return pd.DataFrame(lines), parameters


METHOD = declared(
    "power",
    "Power by simulation",
    "How many participants and items a design needs: it is simulated and analysed like real data.",
    power,
    Parameter(
        "dv",
        "Measure",
        "column",
        help="A measure of pilot data; if empty, you state everything yourself.",
        role="measure",
    ),
    Parameter("design", "Design", "text", help="Without pilot data: factors and levels, such as marker=4; order=2."),
    Parameter(
        "between_participants",
        "Between-participants factors",
        "text",
        help="Between-participants factors: each person has only one level. Separated by commas.",
        also=("between",),
    ),
    Parameter(
        "between_items",
        "Between-items factors",
        "text",
        help="Between-items factors: each item has only one level. Separated by commas.",
    ),
    Parameter(
        "effect",
        "Smallest effect that matters",
        "text",
        help="In the units of the measure, such as order=0.2 (last minus first level), marker=0.1,0,0,-0.1 (levels) "
        "or order=pilot*0.5 (half of what pilot data show).",
    ),
    Parameter(
        "sds",
        "Standard deviations",
        "text",
        help="Such as participant=0.3; item=0.2; participant:order=0.1; item:order=0.1; residual=0.6.",
    ),
    Parameter(
        "method", "Analysis", "text", help=f"One or more of rm-anova, {listed(METHODS, shown=20)}, separated by commas."
    ),
    Parameter(
        "probability",
        "Probability of answers",
        "text",
        help=(
            "For glmm, the probability of yes, such as 0.7; for ordinal, of every category, lowest first, such "
            "as 0.1,0.2,0.4,0.3."
        ),
    ),
    Parameter("intercept", "Intercept", "text", help="For glmm, instead of the probability: in log odds."),
    Parameter(
        "thresholds",
        "Thresholds",
        "text",
        help="For ordinal, instead of probabilities: in log odds, such as -2,-0.5,1.",
    ),
    Parameter(
        "tests",
        "Tests of glmm and ordinal",
        "choice",
        help="With a few dozen people and items, f keeps the significance level; the other tests reject too often.",
        choices=TESTS.choices,
    ),
    formula_parameter("For lmm, glmm or ordinal. If empty, all slopes that the design allows."),
    Parameter(
        "correction",
        "Correction of F",
        "choice",
        help="Simulated data are spherical, so they need no correction.",
        choices=("none", "greenhouse-geisser"),
    ),
    Parameter(
        "n_participants",
        "People",
        "text",
        help="Several numbers make a curve, such as 16,24,32,48.",
        also=("n", "participants"),
    ),
    Parameter("n_items", "Items", "text", help="One or more numbers, such as 16,32.", also=("items",)),
    Parameter(
        "assignment",
        "Who sees what",
        "choice",
        help="Each item in one cell per person, or in every cell.",
        choices=("latin-square", "full"),
    ),
    Parameter(
        "cells_per_item",
        "Cells of an item",
        "integer",
        help="For an incomplete design: the number of cells in which an item exists. If empty, all cells.",
    ),
    Parameter(
        "simulations", "Simulations", "integer", help="Per combination of numbers.", also=("n_simulations", "nsim")
    ),
    Parameter("seed", "Seed", "integer", help="The same seed gives the same numbers."),
    Parameter("null", "Also without effects", "boolean", help="Shows false positives."),
    Parameter("alpha", "Significance level", "number", help="For every test."),
    Parameter("target", "Power aimed at", "number", help="A line in the figure."),
    Parameter(
        "interval",
        "Monte-Carlo interval",
        "choice",
        help="Clopper–Pearson is never too narrow.",
        choices=("wilson", "clopper-pearson"),
    ),
    Parameter("confidence", "Confidence level", "number", help="For the Monte-Carlo interval."),
    Parameter("scale", "Scale", "choice", help="For pilot data: as they are, or log10.", choices=("raw", "log")),
    group="power",
    asks=("design", "effect", "sds", "n_participants", "n_items"),
    question=("How many people and items does the design need?",),
    example=example,
    split=SPLIT,
    tables=(POWER, MODEL),
)
