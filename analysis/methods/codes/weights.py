"""Weights of recall codes, and checks that the codes at hand make a score."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from analysis.methods.codes.columns import Coded, number_of
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.wording import counted, listed

WEIGHTS: Mapping[str, float] = {"0": 0.5, "1": 0.4, "2": -0.25, "3": -0.5, "4": -0.5, "5": 0.25, "6": 0.25}
"""Weights of the recall codes 0–6 of Siddharthan and Katsos (2012), table 1."""
EXCLUSIVE = frozenset({"0", "1", "5", "6"})


def weights_of(text: str | None, read: Coded, warnings: list[str]) -> dict[str, float] | None:
    """Return the weight of every code: those that were given, or the default ones where all their codes are there."""
    if text is None:
        numbered = {name: number_of(name) for name in read.names}
        if sorted(str(number) for number in numbered.values()) == sorted(WEIGHTS):
            return {name: WEIGHTS[str(number)] for name, number in numbered.items()}
        return None
    found: dict[str, float] = {}
    for part in as_names(text):
        name, separator, value = (piece.strip() for piece in part.rpartition(":"))
        try:
            found[name] = float(value)
        except ValueError:
            separator = ""
        if not separator or not np.isfinite(found[name]):
            raise BadInput(f"weights: '{part}' is not a code and its weight; write for example 0:0.5,1:0.4,2:-0.25.")
    without = [name for name in read.names if name not in found]
    if without:
        has = "has" if len(without) == 1 else "have"
        raise BadInput(f"weights: {listed(without)} {has} no weight; give one for every code ({listed(read.names)}).")
    beyond = [name for name in found if name not in read.names]
    if beyond:
        warnings.append(
            f"weights: {listed(beyond)} {'is' if len(beyond) == 1 else 'are'} not among the codes "
            f"({listed(read.names, shown=12)}), so the scores hold the others alone."
        )
    return found


def say_why_no_score(read: Coded, notes: list[str], warnings: list[str]) -> None:
    """Say what to do about a missing score: a warning where it is missing because some of the codes 0 to 6 are."""
    numbers_there = [number_of(name) for name in read.names]
    missing = [number for number in WEIGHTS if number not in numbers_there]
    if missing and all(number in WEIGHTS for number in numbers_there):
        example = ",".join(f"{name}:{WEIGHTS[str(number_of(name))]:g}" for name in read.names)
        warnings.append(
            f"No score: {'code' if len(missing) == 1 else 'codes'} {listed(missing)} of the codes 0 to 6 "
            f"{'has' if len(missing) == 1 else 'have'} no column here, and a sum of some weights is no recall score. "
            f"Name the columns of all seven codes, or, where these codes are all that there are, give their weights: "
            f"weights={example}."
        )
    else:
        notes.append("No score: give weights for all codes, such as weights=0:0.5,1:0.4,2:-0.25.")


def look_for_exclusive(has: npt.NDArray[np.float64], read: Coded, warnings: list[str]) -> None:
    """Point out rows whose codes exclude one another, and rows without any code."""
    alone = np.array([number_of(name) in EXCLUSIVE for name in read.names])
    wrong = (has[:, alone].sum(axis=1) > 0) & (has.sum(axis=1) > 1)
    if wrong.any():
        warnings.append(
            f"{counted(int(wrong.sum()), 'row')} combine a code that excludes all others (0, 1, 5 or 6) with another; "
            f"check these codings."
        )
    none = int((has.sum(axis=1) == 0).sum())
    if none:
        warnings.append(f"{counted(none, 'row')} have no code at all and score 0; every recall should have one.")
