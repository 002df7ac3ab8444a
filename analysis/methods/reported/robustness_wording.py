"""Notes, warnings and sentences on whether a conclusion holds in all versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.reported.robustness_versions import IMPOSSIBLE, NOTHING, SIGNIFICANT, Plan, conclusions
from analysis.methods.rows.columns import numbers
from analysis.methods.wording import counted, listed, p_text

Found = dict[tuple[str, str], tuple[str, str | None]]
CRITERIA = {
    "f1-and-f2": "F1 and F2 are both significant",
    "min-f": "minF′ is significant",
    "f1": "F1 is significant",
}


def sentence(effect: str, lines: Sequence[dict[str, Any]]) -> str:
    """Say whether the conclusion about one effect depends on a choice, and on which."""
    found = conclusions(lines)
    factors = listed(effect.split(":"))
    subject = f"the interaction of {factors}" if ":" in effect else factors
    if not found:
        return f"Nothing can be concluded about {subject}: no version has a test."
    values = [line["p"] for line in lines if line.get("p") is not None]
    low, high = p_text(min(values)), p_text(max(values))
    span = low if low == high else f"{low} to {high}"
    every = f"all {len(found)} versions" if len(found) > 1 else "the only possible version"
    if len(set(found.values())) == 1:
        decision, highest = next(iter(found.values()))
        direction = f", with the highest mean for {highest} throughout" if highest is not None else ""
        return (
            f"The conclusion about {subject} does not hang on the choice of scale or exclusion: it is {decision} in "
            f"{every}{direction} ({span})."
        )
    groups = [
        f"{_words(conclusion)} with {listed(names, shown=12)}"
        for conclusion in dict.fromkeys(found.values())
        if (names := dict.fromkeys(_name(key, found) for key in found if found[key] == conclusion))
    ]
    return f"The conclusion about {subject} hangs on {_source(found)}: {'; '.join(groups)} ({span})."


def _words(conclusion: tuple[str, str | None]) -> str:
    decision, highest = conclusion
    return decision if highest is None else f"{decision} with the highest mean for {highest}"


def _name(key: tuple[str, str], found: Found) -> str:
    """Name a version by the choices on which its conclusion depends."""
    scale, exclusion = key
    if not _varies(found, 1):
        return scale
    left_out = f"left out: {exclusion}"
    return f"{scale} ({left_out})" if _varies(found, 0) else left_out


def _source(found: Found) -> str:
    """Say which choice turns the conclusion over: the scale, the exclusion, or either."""
    by_scale, by_exclusion = _varies(found, 0), _varies(found, 1)
    if by_scale and by_exclusion:
        return "the choice of scale and of exclusion"
    return "the choice of scale" if by_scale else "the exclusion"


def _varies(found: Found, place: int) -> bool:
    """Return whether the conclusion changes with the scale (0) or the exclusion (1) while the other stays."""
    fixed: dict[str, set[tuple[str, str | None]]] = {}
    for key, conclusion in found.items():
        fixed.setdefault(key[1 - place], set()).add(conclusion)
    return any(len(values) > 1 for values in fixed.values())


def fragile(effect: str, lines: Sequence[dict[str, Any]]) -> list[str]:
    """Warn where the conclusion about one effect depends on a choice."""
    found = conclusions(lines)
    if len(set(found.values())) < 2:
        return []
    directions = {highest for decision, highest in found.values() if decision == SIGNIFICANT}
    reversal = " Significant versions even disagree about which level is highest." if len(directions) > 1 else ""
    return [
        f"The conclusion about {effect} hangs on {_source(found)}.{reversal} Choose the version before looking at the "
        f"results (preregister it), and report the others."
    ]


def untested(lines: Sequence[dict[str, Any]], plan: Plan) -> list[str]:
    """Warn of effects that have no F on a scale, and of those that z scores remove by their nature."""
    found = []
    if plan.between_participants:
        found.append(
            f"z scores take away all differences between participants, so nothing can be found about "
            f"{listed(plan.between_participants)} on them; judge it by the other scales."
        )
    without = [line for line in lines if line["decision"] == IMPOSSIBLE and line.get("df1") is not None]
    for effect in dict.fromkeys(line["effect"] for line in without):
        where = [f"{line['scale']} (left out: {line['exclusion']})" for line in without if line["effect"] == effect]
        found.append(f"F of {effect} is not defined, for want of error variance, on {listed(where)}.")
    return found


def lost(frame: pd.DataFrame, plan: Plan, *, scales: Sequence[str]) -> list[str]:
    """Warn of values that have no place on some scale, so that its versions rest on fewer of them."""
    value = np.asarray(numbers(frame, plan.dv), dtype=np.float64)
    logarithms = [scale for scale in scales if scale.startswith("log")]
    found = []
    without = int((value <= 0).sum())
    if without:
        count = counted(without, f"value of '{plan.dv}' is", f"values of '{plan.dv}' are")
        found.append(f"{count} not above zero, and the versions on {listed(logarithms)} do without such values.")
    if plan.modulus is not None and plan.standard is None:
        modulus = np.asarray(numbers(frame, plan.modulus), dtype=np.float64)
        bare = int((~np.isnan(value) & ~(modulus > 0)).sum())
        if bare:
            rows = counted(bare, "row has", "rows have")
            found.append(f"{rows} no '{plan.modulus}' above zero, and the versions on log-ratio do without them.")
    return found


def idle(remaining: dict[str, pd.DataFrame]) -> list[str]:
    """Warn of exclusions that meet no row."""
    full = len(remaining[NOTHING])
    return [
        f"No row satisfies '{name}', so leaving such rows out changes nothing."
        for name, kept in remaining.items()
        if name != NOTHING and len(kept) == full
    ]


def notes(plan: Plan, remaining: dict[str, pd.DataFrame], *, scales: Sequence[str], with_items: bool) -> list[str]:
    """Return what the versions are and when one counts as significant."""
    meaning = {
        "raw": "raw numbers",
        "z": "z scores within participants (sample SD)",
        "log-z": "z scores of logarithms within participants",
        "log": "logarithms to base 10",
        "log-ratio": "logarithms to base 10 of the ratio to the modulus",
    }
    rule = CRITERIA[plan.criterion if with_items else "f1"]
    made = [
        f"'{plan.dv}' was analysed as {listed(meaning[scale] for scale in scales)}; values without a place on a scale "
        f"(zero has no logarithm, a constant participant no z) had no part in that version.",
        f"A version counts as significant where {rule} at α = {plan.alpha:g}; F1 and F2 count with the "
        f"Greenhouse–Geisser correction where Mauchly's test is significant or not defined.",
    ]
    full = len(remaining[NOTHING])
    left = [f"{name} ({counted(full - len(kept), 'row')})" for name, kept in remaining.items() if name != NOTHING]
    if left:
        made.append(f"Left out in turn: {listed(left)}. Scores were computed after leaving rows out.")
    return made
