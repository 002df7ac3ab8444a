"""The tables and figures of `preference`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.preference.choices import Choices
from analysis.methods.preference.estimates import EqualWorths, Estimates, clusters, standard_errors
from analysis.methods.preference.judgements import BEST_WORST, Judgements, Pairwise
from analysis.methods.preference.transitivity import Circles
from analysis.methods.report import ESTIMATE, INTERVAL, P_AND_HOLM, PAIR, Column, Figure, Table
from analysis.methods.wording import percent_text

ALPHA = 0.05
WORTH = (
    Column("option", "Option", "text"),
    Column("worth", "Worth (log)"),
    Column("se", "SE"),
    *INTERVAL,
    Column("rank", "Rank", "integer"),
    Column("cluster", "Cluster", "integer"),
    Column("share", "Share if all were offered", "share"),
)
PARAMETERS = (
    Column("name", "Parameter", "text"),
    *ESTIMATE,
    Column("p", "p", "p"),
    *INTERVAL,
)
DIFFERENCES = (
    Column("a", "Better", "text"),
    Column("b", "Worse", "text"),
    Column("difference", "Difference of worths"),
    Column("se", "SE"),
    Column("statistic", "z or t", "statistic"),
    *P_AND_HOLM,
    *INTERVAL,
    Column("odds", "Preferred to the other", "share"),
)
COUNTS = (
    *PAIR,
    Column("wins_a", "a preferred", "integer"),
    Column("ties", "Ties", "integer"),
    Column("wins_b", "b preferred", "integer"),
)
SCORES = (
    Column("option", "Option", "text"),
    Column("n", "Comparisons", "integer"),
    Column("best", "Best", "integer"),
    Column("worst", "Worst", "integer"),
    Column("score", "(Best − worst) / n"),
)
AGREEMENT = (Column("measure", "Measure", "text"), Column("n", "n", "integer"), Column("value", "Value"))
FIT = (
    Column("comparisons", "Comparisons", "integer"),
    Column("choices", "Choices", "integer"),
    Column("log_lik", "Log likelihood"),
    Column("chi2", "χ² of equal worths", "statistic"),
    Column("df", "df", "df"),
    Column("p", "p", "p"),
    Column("misfit_chi2", "G² of misfit", "statistic"),
    Column("misfit_df", "df of misfit", "df"),
    Column("misfit_p", "p of misfit", "p"),
    Column("f", "F of equal worths", "statistic"),
    Column("df2", "df2 of F", "df"),
)
RANDOM = (Column("group", "Random", "text"), Column("option", "Option", "text"), Column("sd", "SD"))


def worth_table(names: Sequence[str], found: Estimates, lines: Sequence[dict[str, Any]], *, confidence: float) -> Table:
    """Return the worths, the best first, with their clusters."""
    apart = {(line["a"], line["b"]) for line in lines if line["p_holm"] < ALPHA}
    cluster = clusters(found.order, apart)
    se = standard_errors(np.diag(found.covariance))
    critical = found.critical(confidence)
    share = scipy.special.softmax(found.worths)
    # Options of equal worth have the same rank.
    rank = scipy.stats.rankdata(-np.round(found.worths, 9), method="min")
    rows = [
        {
            "option": names[at],
            "worth": found.worths[at],
            "se": se[at],
            "ci_low": found.worths[at] - critical * se[at],
            "ci_high": found.worths[at] + critical * se[at],
            "rank": int(rank[at]),
            "cluster": cluster[at],
            "share": share[at],
        }
        for at in found.order
    ]
    return Table.from_rows("worth", "Worths of the options, log scale, sum zero", WORTH, rows)


def parameters_table(choices: Choices, found: Estimates, *, confidence: float) -> Table:
    """Return ν of ties (1: a tie is as likely as each of two equal options) and the log odds δ of the first place."""
    rows = []
    critical = found.critical(confidence)
    for at, (value, variance) in enumerate(zip(found.extra, found.extra_variance, strict=True)):
        se = float(standard_errors(np.array([variance]))[0])
        low, high = value - critical * se, value + critical * se
        if at < len(choices.sizes):
            size = choices.sizes[at]
            # An interval may reach further than numbers do; what is infinite is an empty cell.
            with np.errstate(over="ignore"):
                nu, nu_low, nu_high = (float(np.exp(each)) for each in (value, low, high))
            rows.append(
                {
                    "name": "tie" if size == 2 else f"tie_{size}",
                    "estimate": nu,
                    "se": nu * se,
                    "ci_low": nu_low,
                    "ci_high": nu_high,
                }
            )
        else:
            p = found.p_value(value / se) if np.isfinite(se) else np.nan
            rows.append({"name": "side", "estimate": value, "se": se, "p": p, "ci_low": low, "ci_high": high})
    return Table.from_rows("parameters", "Ties and side", PARAMETERS, rows)


def differences_table(names: Sequence[str], lines: Sequence[dict[str, Any]]) -> Table:
    """Return all differences between options."""
    rows = [
        {**line, "a": names[line["a"]], "b": names[line["b"]], "odds": scipy.special.expit(line["difference"])}
        for line in lines
    ]
    return Table.from_rows("differences", "Differences between options", DIFFERENCES, rows)


def counts_table(names: Sequence[str], pairs: Pairwise) -> Table:
    """Return how often each option was preferred to each other one, as judgements imply."""
    keys = sorted({(int(a), int(b)) for a, b in zip(pairs.a, pairs.b, strict=True)})
    rows = []
    for a, b in keys:
        own = pairs.outcome[(pairs.a == a) & (pairs.b == b)]
        rows.append(
            {
                "a": names[a],
                "b": names[b],
                "wins_a": int((own == 1).sum()),
                "ties": int((own == 0.5).sum()),
                "wins_b": int((own == 0).sum()),
            }
        )
    return Table.from_rows("counts", "Who was preferred to whom", COUNTS, rows)


def scores_table(judgements: Judgements) -> Table:
    """Return how often every option was the best and the worst of its comparison, alone."""
    rows = []
    for at, name in enumerate(judgements.options):
        own = [judgement for judgement in judgements.made if at in judgement.options]
        best = sum(judgement.tiers[0] == (at,) for judgement in own)
        worst = sum(len(judgement.tiers) > 1 and judgement.tiers[-1] == (at,) for judgement in own)
        rows.append({"option": name, "n": len(own), "best": best, "worst": worst, "score": (best - worst) / len(own)})
    return Table.from_rows("scores", "Best and worst, counted", SCORES, rows)


def agreement_table(everybody: Circles, people: Circles | None, agreed: tuple[int, float, float] | None) -> Table:
    """Return circles of three and agreement between people."""
    rows: list[dict[str, Any]] = [
        {"measure": "circular_majorities", "n": everybody.triples, "value": everybody.share},
    ]
    if people is not None:
        rows.append({"measure": "circular_people", "n": people.triples, "value": people.share})
    if agreed is not None:
        rows += [
            {"measure": "raw_agreement", "n": agreed[0], "value": agreed[1]},
            {"measure": "alpha", "n": agreed[0], "value": agreed[2]},
        ]
    return Table.from_rows("agreement", "Transitivity and agreement", AGREEMENT, rows)


def fit_table(judgements: Judgements, choices: Choices, log_lik: float, equal: EqualWorths, misfit: Any) -> Table:
    """Return the fit, the test of equal worths, and the test against free probabilities of pairs."""
    row = {"comparisons": len(judgements.made), "choices": len(choices.starts), "log_lik": log_lik}
    row |= {name: getattr(equal, name) for name in ("chi2", "df", "p", "f", "df2")}
    row |= dict(zip(("misfit_chi2", "misfit_df", "misfit_p"), misfit, strict=True)) if misfit else {}
    return Table.from_rows("fit", "Fit", FIT, [row])


def random_table(names: Sequence[str], groups: Sequence[str], sds: Sequence[Floats]) -> Table:
    """Return how much people and items differ in the worth of every option."""
    rows = [
        {"group": group, "option": names[at] if len(values) > 1 else f"{names[0]} against {names[1]}", "sd": value}
        for group, values in zip(groups, sds, strict=True)
        for at, value in enumerate(values)
    ]
    return Table.from_rows("random", "Standard deviations of the worths", RANDOM, rows)


def figures(judgements: Judgements, *, confidence: float) -> tuple[Figure, ...]:
    """Return the worths with their intervals, and for best–worst the counts."""
    found = [
        Figure(
            name="worth",
            title="Worths",
            kind="intervals",
            table="worth",
            encoding={"x": "worth", "y": "option", "low": "ci_low", "high": "ci_high"},
            caption=f"Log scale, sum zero; {percent_text(confidence)} intervals. A difference of 1 means odds of 2.7.",
            x_label="Worth (log)",
            reference=0.0,
        )
    ]
    if judgements.kind == BEST_WORST:
        found.append(
            Figure(
                name="scores",
                title="Best minus worst",
                kind="bars",
                table="scores",
                encoding={"x": "option", "y": "score"},
                y_label="(Best − worst) / n",
            )
        )
    return tuple(found)
