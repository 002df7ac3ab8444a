"""Notes, main sentence and refusal of a normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.wording import counted, listed, number_text


def nothing_scored(dv: str, *, how: str, value: Floats) -> str:
    """Say why not one value has a score."""
    if np.isnan(value).all():
        return f"Column '{dv}' has no values; choose another measure."
    if how in ("z", "z-population", "log-z"):
        return (
            f"No participant has a z score of '{dv}': each has one value only, or equal values"
            f"{' or none above zero' if how == 'log-z' else ''}. Check that the participant column is the right one."
        )
    return f"No value of '{dv}' can be scored with how={how}: all are zero or negative, or the modulus is missing."


def notes(
    dv: str, *, how: str, people: Sequence[str], value: Floats, offset: float | None, standard: float | None
) -> list[str]:
    """Return what a score is, and what was missing, zero or added."""
    within = listed(people)
    what = {
        "z": f"z scores within {within}: (x − mean)/SD with the sample SD (n − 1).",
        "z-population": f"z scores within {within}: (x − mean)/SD with the population SD (n).",
        "log": "Logarithms to base 10.",
        "log-z": f"z scores of logarithms within {within}, with the sample SD (n − 1).",
        "ratio": "Ratios to the modulus.",
        "log-ratio": "Logarithms to base 10 of the ratio to the modulus.",
    }[how]
    made = [what]
    missing, zeros = int(np.isnan(value).sum()), int((value == 0).sum())
    if missing:
        made.append(f"{counted(missing, 'row')} without a value of '{dv}' got no score.")
    if zeros:
        made.append(f"{counted(zeros, 'value is', 'values are')} zero.")
    if offset is not None and how in ("log", "log-z", "log-ratio"):
        made.append(f"{offset:g} was added to every value before the logarithm, as asked for.")
    if standard is not None:
        made.append(f"The modulus was {standard:g} for everybody.")
    if how in ("z", "z-population", "log-z"):
        made.append(
            "z scores have the same mean for everybody, so a mixed model of them has no participant variance (it is "
            "singular by construction); use log ratios for mixed models."
        )
    return made


def sentence(name: str, scores: Floats, *, groups: str) -> str:
    """Say how many values were scored, and where the scores lie."""
    known = scores[np.isfinite(scores)]
    spread = f", SD = {number_text(float(known.std(ddof=1)))}" if len(known) > 1 else ""
    return (
        f"{counted(len(known), 'value')} of {groups} were scored as {name}: "
        f"M = {number_text(float(known.mean()))}{spread}, from {number_text(float(known.min()))} to "
        f"{number_text(float(known.max()))}."
    )
