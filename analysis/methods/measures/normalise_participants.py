"""The table of participants of a normalisation, with flags and warnings about their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, Integers
from analysis.methods.columns import declared_table, usual
from analysis.methods.measures.scales import Scores
from analysis.methods.report import Column
from analysis.methods.wording import counted, listed, number_text

PARTICIPANTS = declared_table(
    "participants",
    "Values of {dv} per participant",
    "One row per participant. Mean and SD are those of what is standardised (logarithms for `log`, `log-z` and "
    "`log-ratio`, ratios for `ratio`); what follows the flag is about the numbers as typed.",
    "participant",
    Column("n", "Values", "integer", meaning="How many values are standardised."),
    "mean",
    usual("sd", meaning="With n − 1, for `z-population` with n."),
    Column("flag", "Flag", "text", meaning="Why there is no score; empty where all is well."),
    Column("min", "Smallest", meaning="The smallest number.", importance="detail"),
    "median",
    Column("max", "Largest", meaning="The largest number.", importance="detail"),
    Column("distinct", "Distinct values", "integer", meaning="How many different numbers.", importance="detail"),
    Column("zeros", "Zeros", "integer", meaning="How many are zero.", importance="detail"),
    Column("negative", "Negative values", "integer", meaning="How many are below zero.", importance="detail"),
    Column("without_score", "Values without a score", "integer", meaning="How many have no score."),
)
# Above this many times the participant's median a number may be a slip of typing.
FAR = 100.0


def of_participants(
    value: Floats, scores: Scores, positions: Integers, names: Sequence[str], *, how: str, references: Floats | None
) -> pd.DataFrame:
    """Return the rows of the table `participants`."""

    def count(rows: npt.NDArray[np.bool_]) -> Integers:
        return np.bincount(positions[(positions >= 0) & rows], minlength=len(names))

    bare = references is not None and how in ("ratio", "log-ratio")
    without_modulus = count(np.isnan(references)) > 0 if bare and references is not None else np.zeros(len(names), bool)
    return pd.DataFrame(
        {
            "participant": names,
            "n": scores.n,
            "mean": scores.mean,
            "sd": scores.sd,
            "flag": [_flag(scores, at, how=how, without_modulus=bool(bare)) for at, bare in enumerate(without_modulus)],
            **_typed(value, positions, len(names)),
            "zeros": count(value == 0),
            "negative": count(value < 0),
            "without_score": count(~np.isnan(value) & np.isnan(scores.scores)),
        }
    )


def _typed(value: Floats, positions: Integers, count: int) -> dict[str, npt.NDArray[Any]]:
    """Return min, median, max (NaN where there are none) and number of distinct values of every participant."""
    known = (positions >= 0) & ~np.isnan(value)
    value, positions = value[known], positions[known]
    order = np.argsort(value, kind="stable")
    # Positions that fit into 16 bits are sorted by their digits, in a tenth of the time.
    small = positions.astype(np.int16 if count < 2**15 else np.intp)
    order = order[np.argsort(small[order], kind="stable")]
    value, positions = value[order], positions[order]
    is_new = np.ones(len(value), dtype=bool)
    is_new[1:] = (np.diff(value) != 0) | (np.diff(positions) != 0)
    runs = np.flatnonzero(is_new)
    sizes, distinct = (np.bincount(group, minlength=count) for group in (positions, positions[runs]))
    summary = {name: np.full(count, np.nan) for name in ("min", "median", "max")}
    there = sizes > 0
    first, middle = np.cumsum(sizes)[there] - sizes[there], sizes[there] // 2
    summary["min"][there] = value[first]
    summary["median"][there] = np.where(
        sizes[there] % 2, value[first + middle], (value[first + middle - 1] + value[first + middle]) / 2
    )
    summary["max"][there] = value[runs[np.cumsum(distinct)[there] - 1]]
    return {**summary, "distinct": distinct}


def _flag(scores: Scores, index: int, *, how: str, without_modulus: bool) -> str | None:
    suffix = ", so there is no z" if how in ("z", "z-population", "log-z") else ""
    if without_modulus:
        return "the modulus is missing or not above zero"
    if scores.n[index] == 0:
        return "no values"
    if scores.n[index] == 1:
        return f"one value only{suffix}"
    if scores.constant[index]:
        return f"all values are equal{suffix}"
    return None


def flag_warnings(
    participants: pd.DataFrame,
    value: Floats,
    positions: Integers,
    *,
    how: str,
    offset: float | None,
    dv: str,
    group: str = "participant",
) -> list[str]:
    """Name who is flagged, which values have no logarithm, and which may be slips of typing."""
    warnings = []
    for flag, flagged in participants.groupby("flag", sort=False)["participant"]:
        warnings.append(f"{counted(len(flagged), group)} flagged ({flag}): {listed(flagged, shown=20)}.")
    if how in ("log", "log-z", "log-ratio"):
        lost = (positions >= 0) & (value + (offset or 0.0) <= 0)
        losers = participants["participant"].iloc[np.unique(positions[lost])]
        who = f"{group}s {listed(losers, shown=20)}"
        if lost.any() and offset is not None:
            count = counted(int(lost.sum()), "value is", "values are")
            warnings.append(
                f"{count} not above zero even with the offset of {offset:g} ({who}), so there is no "
                f"logarithm and no score of {dv}."
            )
        elif lost.any():
            zeros, negative = int((value[lost] == 0).sum()), int((value[lost] < 0).sum())
            kinds = [counted(zeros, "zero")] if zeros else []
            kinds += [counted(negative, "negative value")] if negative else []
            warnings.append(
                f"{listed(kinds)} of {dv} ({who}) have no logarithm and got no score; leave them out "
                f"knowingly, or give an offset, which then belongs in the report."
            )
    far = participants[(participants["median"] > 0) & (participants["max"] > FAR * participants["median"])]
    if len(far):
        largest = zip(far["participant"], far["max"], strict=True)
        shown = listed((f"{name} ({number_text(value, places=0)})" for name, value in largest), shown=5)
        warnings.append(
            f"Values above {FAR:g} times the participant's median may be slips of typing: {shown}. "
            f"They dominate means and z scores; compare with how=log-z."
        )
    return warnings


def modulus_warnings(references: Floats | None, positions: Integers, names: Sequence[str]) -> list[str]:
    """Name who has more than one modulus, where a score relates to what one person gave the reference."""
    if references is None:
        return []
    known = (positions >= 0) & ~np.isnan(references)
    moduli = pd.Series(references[known]).groupby(positions[known]).nunique()
    several = [names[place] for place in moduli.index[moduli > 1]]
    if not several:
        return []
    return [
        f"{counted(len(several), 'participant has', 'participants have')} more than one modulus "
        f"({listed(several, shown=20)}); every value was set against the modulus of its own row."
    ]
