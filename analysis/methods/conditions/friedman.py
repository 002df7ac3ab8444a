"""Friedman's test, the rank alternative to a repeated-measures ANOVA, with Kendall's W and tests of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.adjusted import add_holm
from analysis.methods.arrays import Floats, without_noise
from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.cell_names import cell_names
from analysis.methods.conditions.designs import Advice, averaged, of_others
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.wording import df_text, listed, number_text, p_text, share_text

EXACT_BELOW = 50
# Means of many trials lie close together: those of 17 and of 18 ratings with four decimals may be 1e-9 apart.
GRAIN = 1e-12
ADVICE = Advice(
    constant="; ranks are compared inside each of them, so ask rm-anova with it as a between factor.",
)

FRIEDMAN = declared_table(
    "friedman",
    "Friedman's test of {dv}",
    "Of all conditions: combinations of the levels of the factors, as ranks have no interactions.",
    usual("effect", meaning="The factors, joined by a colon."),
    usual("n", meaning="How many units."),
    Column("k", "Conditions", "integer", meaning="How many conditions."),
    usual("chi2", meaning="Friedman's χ², corrected for ties."),
    "df p",
    Column("w", "Kendall's W", "share", meaning="χ² / (n (k − 1)); 1 where all units agree."),
    Column(
        "f",
        "F (Iman–Davenport)",
        "statistic",
        meaning="(n − 1) χ² / (n (k − 1) − χ²) (Iman & Davenport 1980), which keeps its level better in small samples.",
    ),
    "df1 df2",
    Column("p_f", "p (F)", "p", meaning="p of that F."),
    key="chi2 p",
    detail="f df1 df2 p_f",
)
RANKS = declared_table(
    "ranks",
    "Mean ranks, 1 is the lowest",
    "One row per condition, over units.",
    "condition",
    usual("n", meaning="How many units."),
    Column("mean_rank", "Mean rank", meaning="Of the ranks within units; 1 is the lowest value."),
    "median mean",
)
PAIRS = declared_table(
    "pairs",
    "Pairs of conditions",
    "Wilcoxon's signed ranks of the differences a − b.",
    "a b",
    usual("n", meaning="How many units whose difference is not zero."),
    Column("v", "V", "statistic", meaning="The sum of the positive ranks."),
    "p p_holm",
    Column("rank_biserial", "Rank-biserial r", "share", meaning="(V − V of b − a) / (n (n + 1)/2)."),
    Column("how", "How", "text", meaning="Exact below 50 pairs without ties and zeros, or normal."),
)


def friedman(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str],
    unit: str = "participant",
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Rank the conditions within every unit and ask whether the ranks differ.

    Several factors are taken together: their combinations are the conditions, as ranks have no interactions.

    Raises BadInput where the design cannot be analysed (see `designs.cell_means`).

    >>> frame, parameters = example()
    >>> print(friedman(frame, **parameters).sentences[0])
    The ranks of the conditions of marker differed significantly, χ²(2) = 9.00, p = .011, Kendall's W = .75.
    """
    if not within:
        raise BadInput("Name the factor whose levels are ranked, with within=….")
    cells = averaged(frame, dv, within, unit=unit, units=(participant, item), advice=ADVICE, where=where, keep=keep)
    progress(0.5, "ranking")
    # Means of many trials that are equal on paper may differ in their last binary digit; ranks must not.
    means = without_noise(cells.means, grain=GRAIN)
    names = cell_names(cells.cells, within)
    effect = ":".join(within)
    main, warnings = line_of_ranks(means, effect=effect)
    pairs = [
        _pair(cells.means[:, i], cells.means[:, j], names[i], names[j]) for i, j in combinations(range(len(names)), 2)
    ]
    add_holm(pairs)
    undefined = [f"{line['a']} − {line['b']}" for line in pairs if line["p"] is None]
    if undefined:
        warnings.append(f"No test is possible for {listed(undefined)}: no {cells.unit} differs between them.")
    ranks = pd.DataFrame(
        {
            "condition": names,
            "n": len(means),
            "mean_rank": scipy.stats.rankdata(means, axis=1).mean(axis=0),
            "median": np.median(means, axis=0),
            "mean": [column.mean() for column in means.T],
        }
    )
    return Report(
        tables=(FRIEDMAN.of([main], dv=dv), RANKS.of(ranks), PAIRS.of(pairs)),
        figures=(
            Figure(
                name="ranks",
                title=f"Mean rank of {dv}",
                kind="bars",
                table="ranks",
                encoding={"x": "condition", "y": "mean_rank"},
                caption=f"Mean ranks within {cells.unit}s; 1 is the lowest value.",
                x_label=effect,
                y_label="Mean rank",
            ),
        ),
        notes=(
            *cells.notes,
            f"The {len(names)} conditions of {listed(within)} were ranked within each {cells.unit}, ties sharing their "
            f"mean rank; χ² is corrected for ties. Pairs: Wilcoxon's signed-rank test of the differences with Holm's "
            f"adjustment; differences of zero are left out, as Wilcoxon proposed.",
        ),
        warnings=(*cells.warnings, *warnings, *of_others(frame, "friedman", unit=unit, units=(participant, item))),
        sentences=(_sentence(main, within),),
        design=cells.layout,
    )


def line_of_ranks(means: Floats, *, effect: str) -> tuple[dict[str, Any], list[str]]:
    """Return the line of the test; χ² = (k − 1) Σ (R_j − n(k + 1)/2)² / (Σ r² − n k (k + 1)²/4)."""
    n, k = means.shape
    ranked = scipy.stats.rankdata(means, axis=1)
    spread = float((ranked**2).sum()) - n * k * (k + 1) ** 2 / 4
    line: dict[str, Any] = {"effect": effect, "n": n, "k": k, "df": k - 1}
    if spread <= 1e-9:
        return line, ["Friedman's test is not defined: all conditions are tied in every unit."]
    chi2 = (k - 1) * float(((ranked.sum(axis=0) - n * (k + 1) / 2) ** 2).sum()) / spread
    line |= {"chi2": chi2, "p": float(scipy.stats.chi2.sf(chi2, k - 1)), "w": chi2 / (n * (k - 1))}
    room = n * (k - 1) - chi2
    if room <= 1e-9 * n * k:
        return line, [
            "Every unit ranks the conditions in the same order, so the F of Iman and Davenport has no finite value."
        ]
    df1, df2 = k - 1, (k - 1) * (n - 1)
    f = (n - 1) * chi2 / room
    return line | {"f": f, "df1": df1, "df2": df2, "p_f": float(scipy.stats.f.sf(f, df1, df2))}, []


def _pair(a: Floats, b: Floats, name_a: str, name_b: str) -> dict[str, Any]:
    # The noise of a difference has the size of its terms; rounding those first would part differences that are equal.
    differences = without_noise(np.concatenate([a - b, a, b]), grain=GRAIN)[: len(a)]
    moved = differences[differences != 0]
    n = len(moved)
    line: dict[str, Any] = {"a": name_a, "b": name_b, "n": n, "v": None, "p": None, "how": "not defined"}
    if n == 0:
        return line
    ranks = scipy.stats.rankdata(np.abs(moved))
    v = float(ranks[moved > 0].sum())
    if n < EXACT_BELOW and n == len(differences) and len(np.unique(ranks)) == n:
        p, how = float(scipy.stats.wilcoxon(moved, method="exact").pvalue), "exact"
    else:
        p = float(scipy.stats.wilcoxon(moved, correction=True, method="asymptotic").pvalue)
        how = "normal, with continuity correction"
    total = n * (n + 1) / 2
    return line | {"v": v, "p": p, "how": how, "rank_biserial": (2 * v - total) / total}


def _sentence(main: dict[str, Any], within: Sequence[str]) -> str:
    subject = f"The ranks of the conditions of {listed(within)}"
    if main.get("chi2") is None:
        return f"{subject} could not be tested: all are tied."
    differed = "differed significantly" if main["p"] < 0.05 else "did not differ significantly"
    return (
        f"{subject} {differed}, χ²({df_text(main['df'])}) = {number_text(main['chi2'])}, {p_text(main['p'])}, "
        f"Kendall's W = {share_text(main['w'])}."
    )


def example() -> Example:
    """Return six participants' judgements of three markers, two items each."""
    random = np.random.default_rng(19370600)
    lines = [
        {
            "participant": f"P{p}",
            "item": f"I{i}",
            "marker": marker,
            "rating": round(0.5 * index + 0.3 * p + float(random.normal()), 2),
        }
        for p in range(1, 7)
        for index, marker in enumerate(("because", "because-of", "cause"))
        for i in (1, 2)
    ]
    return pd.DataFrame(lines), {"dv": "rating", "within": ("marker",)}


METHOD = declared(
    "friedman",
    "Friedman's test",
    "The rank alternative to the ANOVA, with Kendall's W and signed-rank tests of the pairs.",
    friedman,
    Parameter(
        "within",
        "Within factors",
        "columns",
        help="Several factors are combined: ranks are given to the combinations of their levels.",
        role="factor",
    ),
    group="compare",
    question=(
        "Does {measure} differ by {factors}? Friedman’s test of ranks",
        "Do the ranks of a measure differ by condition? Friedman’s test",
    ),
    needs=("numbers", "conditions"),
    example=example,
    tables=(FRIEDMAN, RANKS, PAIRS),
)
