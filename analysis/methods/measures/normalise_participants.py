"""The table of participants of a normalisation: what they gave, what is odd about it, and what to say of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, Integers
from analysis.methods.measures.scales import Scores
from analysis.methods.report import Column
from analysis.methods.wording import counted, listed, number_text

PARTICIPANT_COLUMNS = (
    Column("participant", "Participant", "text"),
    Column("n", "Values", "integer"),
    Column("mean", "Mean"),
    Column("sd", "SD"),
    Column("flag", "Flag", "text"),
    Column("min", "Smallest"),
    Column("median", "Median"),
    Column("max", "Largest"),
    Column("distinct", "Distinct values", "integer"),
    Column("zeros", "Zeros", "integer"),
    Column("negative", "Negative values", "integer"),
    Column("without_score", "Values without a score", "integer"),
)
# Above this many times the participant's median a number may be a slip of typing.
FAR = 100.0


def participant_rows(
    value: Floats, scores: Scores, positions: Integers, names: Sequence[str], *, how: str, references: Floats | None
) -> list[dict[str, Any]]:
    """Return one line per participant of the table `participants`."""
    typed = _typed(value, positions, len(names))
    zeros = np.bincount(positions[(positions >= 0) & (value == 0)], minlength=len(names))
    negative = np.bincount(positions[(positions >= 0) & (value < 0)], minlength=len(names))
    unscored = np.bincount(
        positions[(positions >= 0) & ~np.isnan(value) & np.isnan(scores.scores)], minlength=len(names)
    )
    without_modulus = np.zeros(len(names), dtype=bool)
    if references is not None and how in ("ratio", "log-ratio"):
        without_modulus[positions[(positions >= 0) & np.isnan(references)]] = True
    return [
        {
            "participant": name,
            "n": int(scores.n[index]),
            "mean": scores.mean[index],
            "sd": scores.sd[index],
            "flag": _flag(scores, index, how=how, without_modulus=bool(without_modulus[index])),
            "min": typed["min"][index],
            "median": typed["median"][index],
            "max": typed["max"][index],
            "distinct": int(typed["distinct"][index]),
            "zeros": int(zeros[index]),
            "negative": int(negative[index]),
            "without_score": int(unscored[index]),
        }
        for index, name in enumerate(names)
    ]


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
    participants: Sequence[dict[str, Any]],
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
    flags = dict.fromkeys(line["flag"] for line in participants if line["flag"])
    for flag in flags:
        flagged = [line["participant"] for line in participants if line["flag"] == flag]
        warnings.append(f"{counted(len(flagged), group)} flagged ({flag}): {listed(flagged, shown=20)}.")
    if how in ("log", "log-z", "log-ratio"):
        lost = (positions >= 0) & (value + (offset or 0.0) <= 0)
        losers = [participants[place]["participant"] for place in np.unique(positions[lost])]
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
    far = [line for line in participants if line["median"] > 0 and line["max"] > FAR * line["median"]]
    if far:
        shown = listed((f"{line['participant']} ({number_text(line['max'], places=0)})" for line in far), shown=5)
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
