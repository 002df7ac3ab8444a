"""Notes, warnings and sentences of a report on signal detection."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd

from analysis.methods.signal import sensitivity
from analysis.methods.signal.counting import Counts
from analysis.methods.signal.differences import MOST_CELLS
from analysis.methods.wording import counted, listed, number_text, percent_text

KINDS = (("hits", "n_signal"), ("false_alarms", "n_noise"))
FEW = 10
"""Trials of a kind below which the correction moves d′ by much."""


def note_of_tests(counts: Counts, *, tested: bool, common_noise: bool) -> list[str]:
    """Say how cells are tested against each other, or why they are not."""
    if len(counts.cells) > MOST_CELLS:
        return [f"With {len(counts.cells)} cells no pairs are tested; there are tests for at most {MOST_CELLS}."]
    if not tested:
        return []
    said = "Differences between cells: paired t tests over participants who have both, Welch's where nobody has; Holm."
    noise = counts.frame[["participant", "n_noise", "false_alarms"]].drop_duplicates()
    same = noise["participant"].is_unique
    if common_noise and not same:
        said += " Only part of the noise is common to the cells of a participant; the rest is that of its cell."
    elif common_noise:
        said += (
            " As the noise is the same in all cells of a participant, differences are those of hits alone, and that of "
            "the criterion is minus half that of d′: one test, not two."
        )
    return [said]


def warnings(counts: Counts) -> list[str]:
    """Say where d′ is missing, bounded by its correction, or estimated from few trials."""
    said = []
    frame = counts.frame
    undefined = frame["d_prime"].isna()
    if undefined.any():
        who = dict.fromkeys(counts.participants[at] for at in frame["participant"][undefined])
        said.append(
            f"{counted(int(undefined.sum()), 'cell')} of {listed(who)} had only signal or only noise and no d′; "
            f"they have no part in the means."
        )
    missing = len(counts.participants) * len(counts.cells) - len(frame)
    if missing:
        said.append(
            f"{counted(missing, 'combination')} of participant and cell did not occur; means of cells are over "
            f"different participants."
        )
    known = frame[~undefined]
    if missing or undefined.any():
        said += _few_pairs(counts, known)
    at_ends = [known[count].isin([0]) | (known[count] == known[of]) for count, of in KINDS]
    extreme = at_ends[0] | at_ends[1]
    if extreme.any():
        said.append(
            f"In {counted(int(extreme.sum()), 'cell')} of {len(known):,} a rate was 0 or 1: d′ is there as large "
            f"as the correction lets it be for so many trials, and cells with more trials could reach more."
        )
    fewest = known[["n_signal", "n_noise"]].min(axis=1)
    if fewest.min() < FEW:
        n = int(fewest.min())
        said.append(
            f"{counted(int((fewest < FEW).sum()), 'cell has', 'cells have')} fewer than {FEW} trials of a kind: with "
            f"{n} of each, a true d′ of 2 is estimated as "
            f"{number_text(sensitivity.expected_d_prime(2.0, n, n))} on average. Compare cells with equal numbers of "
            f"trials only."
        )
    elif any(known[of].max() > 2 * known[of].min() for _, of in KINDS):
        said.append(
            "Some cells have more than twice as many trials as others; the correction pulls d′ of small cells towards "
            "0 more than that of large ones."
        )
    alone = sum(int((known["cell"] == cell).sum()) < 2 for cell in range(len(counts.cells)))
    if alone:
        said.append(f"{counted(alone, 'cell')} with fewer than two participants: no spread and no interval there.")
    return said


def _few_pairs(counts: Counts, known: pd.DataFrame) -> list[str]:
    """Say on how few people a paired test between two cells rests, where not everybody has both."""
    people = [set(known["participant"][known["cell"] == cell]) for cell in range(len(counts.cells))]
    shared = [len(a & b) for a, b in combinations(people, 2)]
    fewest = min((number for number in shared if number >= 2), default=0)
    if len(counts.cells) > MOST_CELLS or not 2 <= fewest < len(counts.participants):
        return []
    return [
        f"Paired tests rest on as few as {counted(fewest, 'participant')} who have d′ in both cells; others have no "
        f"part in them, and the means beside them are of these people alone."
    ]


def sentence(line: dict[str, Any], labels: dict[str, str], *, confidence: float) -> str:
    """Say mean d′ with its interval, and the mean criterion, of one cell."""
    cell = ", ".join(f"{name} {line[column]}" for name, column in labels.items())
    if line["mean"] is None:
        return f"{cell}: no participant with signal and noise."
    between = (
        f", {percent_text(confidence)} CI [{number_text(line['ci_low'])}, {number_text(line['ci_high'])}]"
        if line["ci_low"] is not None
        else ""
    )
    text = f"ean d′ = {number_text(line['mean'])}{between}, c = {number_text(line['criterion'])} "
    return f"{f'{cell}: m' if cell else 'M'}{text}({counted(line['n'], 'participant')})."
