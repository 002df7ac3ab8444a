"""Notes, warnings and sentences of a report on preferences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.preference.choices import MAXDIFF, Choices
from analysis.methods.preference.estimates import EqualWorths, Estimates
from analysis.methods.preference.judgements import BEST_WORST, PAIRS, Judgements
from analysis.methods.preference.tables import ALPHA
from analysis.methods.preference.transitivity import Circles
from analysis.methods.report import Table
from analysis.methods.wording import counted, listed, number_text, p_text, percent_text, share_text

FEW_CLUSTERS = 15
FEW_WINS = 5
GROWN = 1.15
"""From this factor on standard errors that take people as one sample are said to be too small."""
CIRCLES = 0.25


def model_note(judgements: Judgements, choices: Choices, *, model: str) -> str:
    """Say which model ran."""
    if judgements.kind == BEST_WORST:
        how = (
            "the pair of best and worst was modelled as chosen among all ordered pairs (maxdiff)"
            if model == MAXDIFF
            else "the best as chosen among all, then the worst among the rest (sequential best–worst choice)"
        )
        return f"Of every comparison {how}; worths are conditional logits on the log scale and sum to zero."
    if judgements.kind == PAIRS:
        ties = " with Davidson's (1970) ties, P(tie) ∝ ν√(π_i π_j)" if choices.sizes else ""
        side = f"; the option in the first place ({judgements.place}) has log odds δ more" if choices.sided else ""
        return f"Bradley–Terry model{ties}{side}. Worths are logarithms of π and sum to zero."
    ties = (
        "; equal ranks are ties: a set of options is chosen together, P ∝ ν times the geometric mean of their π "
        "(Davidson–Luce, Turner et al. 2020)"
        if choices.sizes
        else ""
    )
    return f"Plackett–Luce model: the best of all, then the best of the rest{ties}. Worths are log π and sum to zero."


def random_note(groups: Sequence[str], *, mixed: bool, draws: int, used: int, df: float, confidence: float) -> str:
    """Say where standard errors and intervals are from."""
    level = percent_text(confidence)
    if not groups:
        return f"Standard errors from the information matrix take comparisons as independent; {level} intervals: z."
    who = listed(f"{group}s" for group in groups)
    if mixed:
        return (
            f"Mixed logistic model (Laplace): {who} differ in the worth of every option, with a standard deviation for "
            f"each; worths are those of an average one. {level} intervals: z."
        )
    together = "; variances of both are added, and that of what they share is taken off" if len(groups) > 1 else ""
    return (
        f"Standard errors from {draws:,} draws of {who} with replacement ({used:,} could be fitted{together}); {level} "
        f"intervals: t with {number_text(df, places=0)} df."
    )


def warnings(
    judgements: Judgements,
    found: Estimates,
    counts: Table,
    everybody: Circles,
    people: Circles | None,
    *,
    groups: Sequence[str],
    sizes: Sequence[int],
    grown: dict[str, float],
    tiers: Sequence[Sequence[int]],
    misfit: Any,
) -> list[str]:
    """Return what a careful colleague would point out."""
    said: list[str] = []
    names = judgements.options
    if len(tiers) > 1:
        groups_of = "; ".join(listed(names[at] for at in tier) for tier in tiers)
        said.append(
            f"Some options were always preferred to others, or never ({groups_of}, the best first): their worths have "
            f"no finite estimate. Every option was given half a win and half a loss against an option of worth 0, "
            f"which keeps all of them finite; where the difference lies, only its direction can be trusted."
        )
    few = [name for name, number in zip(groups, sizes, strict=True) if number < FEW_CLUSTERS]
    if few:
        said.append(
            f"There are fewer than {FEW_CLUSTERS} {listed(f'{name}s' for name in few)}: intervals from so few are "
            f"rough, and rather too narrow than too wide."
        )
    for name, factor in grown.items():
        if factor > GROWN:
            said.append(
                f"Judgements of the same {name} go together: standard errors that take that into account are "
                f"{number_text(factor, places=1)} times as large, so that intervals and p here are too sure. "
                f"Choose random={name}."
            )
    seen = np.zeros(len(names))
    for line in counts.lines():
        seen[[names.index(line["a"]), names.index(line["b"])]] += line["wins_a"] + line["ties"] + line["wins_b"]
    rare = [names[at] for at in np.flatnonzero(seen < 2 * FEW_WINS)]
    if rare:
        said.append(f"{listed(rare)} had fewer than {2 * FEW_WINS} comparisons; normal intervals are rough there.")
    for circles, whose in ((everybody, "Majorities"), (people, "People's own choices")):
        if circles is not None and circles.triples and circles.share >= CIRCLES:
            said.append(
                f"{whose} go round in circles in {circles.circular:,} of {counted(circles.triples, 'triple')} of "
                f"options, as often as by chance (a quarter) or more: one scale does not hold these preferences."
            )
    if misfit and misfit[2] < 0.01:
        said.append(
            f"Pairs differ from what one scale foretells (G²({misfit[1]}) = {number_text(misfit[0])}, "
            f"{p_text(misfit[2])}): look at the table counts before ranking by worths."
        )
    if not np.isfinite(found.covariance).all():
        said.append("Too few draws could be fitted, so there are no standard errors; compare more, or random=none.")
    return said


def sentences(worth: Table, equal: EqualWorths, *, groups: Sequence[str], sizes: Sequence[int]) -> tuple[str, ...]:
    """Return the order of the options with their clusters, and the test of equal worths.

    `groups` are what was drawn (nothing where p is that of χ²), `sizes` how many there are of each.
    """
    by_cluster: dict[int, list[str]] = {}
    for line in worth.lines():
        by_cluster.setdefault(line["cluster"], []).append(f"{line['option']} ({number_text(line['worth'])})")
    order = " > ".join(", ".join(names) for names in by_cluster.values())
    text = f"{order}; between signs of > every option differs from every other (Holm, p < {share_text(ALPHA)})."
    if len(by_cluster) == 1:
        text = f"{order}: no place where all options above differ from all below (Holm, p < {share_text(ALPHA)})."
    said = [text]
    if not np.isnan(equal.p):
        test = f"χ²({equal.df}) = {number_text(equal.chi2)}"
        if np.isfinite(equal.f):
            test = f"F({equal.df}, {number_text(equal.df2, places=0)}) = {number_text(equal.f)}"
        said.append(f"All worths equal: {test}, {p_text(equal.p)}.")
    elif few := [(size, group) for size, group in zip(sizes, groups, strict=True) if size <= equal.df]:
        size, group = min(few)
        said.append(
            f"All worths equal: {counted(size, group)} are too few for this test of {equal.df + 1} options at once, "
            f"which needs at least {equal.df + 1}; the tests of pairs of options stand."
        )
    return tuple(said)
