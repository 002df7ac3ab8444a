"""Tables and figures of paired comparisons, rankings and best–worst judgements (`preference`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.preference.choices import Choices
from analysis.methods.preference.estimates import EqualWorths, Estimates, clusters, standard_errors
from analysis.methods.preference.judgements import BEST_WORST, Judgements, Pairwise
from analysis.methods.preference.transitivity import Circles
from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import percent_text

ALPHA = 0.05
OPTION = Column("option", "Option", "text", meaning="What was judged.")
WORTH = declared_table(
    "worth",
    "Worths of the options, log scale, sum zero",
    "One row per option, the best first.",
    OPTION,
    Column("worth", "Worth (log)", meaning="A difference of 1 means odds of 2.7."),
    "se ci_low ci_high",
    Column("rank", "Rank", "integer", meaning="Options of equal worth share a rank."),
    Column(
        "cluster",
        "Cluster",
        "integer",
        meaning="A new one begins where every option above differs from every option below (Holm, p < .05).",
    ),
    usual("share", "Share if all were offered", "Probability of being chosen among all options."),
)
PARAMETERS = declared_table(
    "parameters",
    "Ties and side",
    "Davidson's ν of ties (1: a tie is as likely as each of two equal options), and the log odds of the first place.",
    Column("name", "Parameter", "text", meaning="`tie` (by size: `tie_3` and so on) or `side`."),
    "estimate se p ci_low ci_high",
)
DIFFERENCES = declared_table(
    "differences",
    "Differences between options",
    "One row per pair of options.",
    usual("a", "Better", "The option of the greater worth."),
    usual("b", "Worse", "The option of the smaller worth."),
    Column("difference", "Difference of worths", meaning="On the log scale."),
    "se",
    Column("statistic", "z or t", "statistic", meaning="Difference / se; t with a bootstrap."),
    "p p_holm ci_low ci_high",
    Column("odds", "Preferred to the other", "share", meaning="Probability that a is preferred to b, ties aside."),
)
COUNTS = declared_table(
    "counts",
    "Who was preferred to whom",
    "One row per pair of options, as judgements imply it.",
    "a b",
    Column("wins_a", "a preferred", "integer", meaning="How often a was preferred to b."),
    Column("ties", "Ties", "integer", meaning="How often neither was."),
    Column("wins_b", "b preferred", "integer", meaning="How often b was preferred to a."),
)
SCORES = declared_table(
    "scores",
    "Best and worst, counted",
    "One row per option.",
    OPTION,
    Column("n", "Comparisons", "integer", meaning="Comparisons that hold the option."),
    Column("best", "Best", "integer", meaning="How often it was the best, alone."),
    Column("worst", "Worst", "integer", meaning="How often it was the worst, alone."),
    Column("score", "(Best − worst) / n", meaning="From −1 to 1."),
)
AGREEMENT = declared_table(
    "agreement",
    "Transitivity and agreement",
    "Shares of circles among triples of options, of majorities and of people (`circular_majorities`, "
    "`circular_people`), and agreement between people (`raw_agreement`, Krippendorff's `alpha`).",
    "measure",
    usual("n", meaning="How many triples, or comparisons."),
    "value",
)
FIT = declared_table(
    "fit",
    "Fit",
    "Fit of the model, Wald's test of equal worths (with a bootstrap by Hotelling's F), and for pairs without side G² "
    "against a free probability for every pair.",
    Column("comparisons", "Comparisons", "integer", meaning="How many judgements."),
    Column("choices", "Choices", "integer", meaning="The choices that these are made of."),
    "log_lik",
    usual("chi2", "χ² of equal worths"),
    "df",
    usual("p", meaning="p of equal worths, by χ² or by F."),
    Column("misfit_chi2", "G² of misfit", "statistic", meaning="G² of the model against the pairs."),
    Column("misfit_df", "df of misfit", "df", meaning="Degrees of freedom of G²."),
    Column("misfit_p", "p of misfit", "p", meaning="p of G²."),
    usual("f", "F of equal worths", "With a bootstrap, on df and df2."),
    usual("df2", "df2 of F", "Clusters less differences."),
)
RANDOM = declared_table(
    "random",
    "Standard deviations of the worths",
    "How much participants, or items, differ in the worth of every option.",
    usual("group", "Random", "`participant` or `item`."),
    OPTION,
    usual("sd", meaning="On the log scale."),
    when="with a mixed model",
)
TABLES = (WORTH, PARAMETERS, DIFFERENCES, COUNTS, SCORES, AGREEMENT, FIT, RANDOM)


def worth_table(names: Sequence[str], found: Estimates, pairs: pd.DataFrame, *, confidence: float) -> Table:
    """Return the worths with their clusters; `pairs` are the `differences`."""
    apart = pairs.loc[pairs["p_holm"] < ALPHA, ["a", "b"]]
    se = standard_errors(np.diag(found.covariance))
    half = found.critical(confidence) * se
    cluster = clusters(found.order, set(apart.itertuples(index=False, name=None)))
    worths = pd.DataFrame(
        {
            "option": names,
            "worth": found.worths,
            "se": se,
            "ci_low": found.worths - half,
            "ci_high": found.worths + half,
            "rank": scipy.stats.rankdata(-np.round(found.worths, 9), method="min"),
            "cluster": [cluster[at] for at in range(len(names))],
            "share": scipy.special.softmax(found.worths),
        }
    )
    return WORTH.of(worths.iloc[found.order])


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
            name = "tie" if size == 2 else f"tie_{size}"
            rows.append({"name": name, "estimate": nu, "se": nu * se, "ci_low": nu_low, "ci_high": nu_high})
        else:
            p = float(found.p_value(value / se)) if np.isfinite(se) else np.nan
            rows.append({"name": "side", "estimate": value, "se": se, "p": p, "ci_low": low, "ci_high": high})
    return PARAMETERS.of(rows)


def differences_table(names: Sequence[str], pairs: pd.DataFrame) -> Table:
    """Return all differences between options."""
    return DIFFERENCES.of(_with_names(pairs, names).assign(odds=scipy.special.expit(pairs["difference"])))


def counts_table(names: Sequence[str], pairs: Pairwise) -> Table:
    """Return how often each option was preferred to each other one, as judgements imply."""
    made = pd.DataFrame({"a": pairs.a, "b": pairs.b})
    made = made.assign(wins_a=pairs.outcome == 1, ties=pairs.outcome == 0.5, wins_b=pairs.outcome == 0)
    return COUNTS.of(_with_names(made.groupby(["a", "b"], as_index=False).sum(), names))


def _with_names(pairs: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    return pairs.assign(a=[names[at] for at in pairs["a"]], b=[names[at] for at in pairs["b"]])


def scores_table(judgements: Judgements) -> Table:
    """Return how often every option was the best and the worst of its comparison, alone."""
    rows = []
    for at, name in enumerate(judgements.options):
        own = [judgement for judgement in judgements.made if at in judgement.options]
        best = sum(judgement.tiers[0] == (at,) for judgement in own)
        worst = sum(len(judgement.tiers) > 1 and judgement.tiers[-1] == (at,) for judgement in own)
        rows.append({"option": name, "n": len(own), "best": best, "worst": worst, "score": (best - worst) / len(own)})
    return SCORES.of(rows)


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
    return AGREEMENT.of(rows)


def fit_table(judgements: Judgements, choices: Choices, log_lik: float, equal: EqualWorths, misfit: Any) -> Table:
    """Return the fit, the test of equal worths, and the test against free probabilities of pairs."""
    row = {"comparisons": len(judgements.made), "choices": len(choices.starts), "log_lik": log_lik, **vars(equal)}
    row |= dict(zip(("misfit_chi2", "misfit_df", "misfit_p"), misfit, strict=True)) if misfit else {}
    return FIT.of([row])


def random_table(names: Sequence[str], groups: Sequence[str], sds: Sequence[Floats]) -> Table:
    """Return how much people and items differ in the worth of every option."""
    rows = [
        {"group": group, "option": names[at] if len(values) > 1 else f"{names[0]} against {names[1]}", "sd": value}
        for group, values in zip(groups, sds, strict=True)
        for at, value in enumerate(values)
    ]
    return RANDOM.of(rows)


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
