"""Read rankings and best–worst judgements from rows of one option each."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.preference.judgements import BEST_WORST, RANKINGS, Ints, Judgement, Judgements
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, coded, codes, joined, numbers
from analysis.methods.wording import counted, listed


def read(
    frame: pd.DataFrame,
    *,
    comparison: str,
    option: str,
    rank: str | None,
    best: str | None,
    worst: str | None,
    participant: str | None,
    item: str | None,
) -> Judgements:
    """Read comparisons of several options: 1 is the best rank, equal ranks are ties.

    A comparison is that of one participant. Raises BadInput where an option comes twice in a comparison, or several
    are the best, and where nothing is compared.
    """
    if rank is None and best is None:
        raise BadInput(
            "Name the column with the ranks (rank=…), or those with the best and the worst (best=…, worst=…)."
        )
    if rank is not None and best is not None and codes(frame, rank).isna().all():
        # A table of both kinds, such as an export: ranks that are empty throughout say nothing.
        rank = None
    keys = (comparison, *((participant,) if participant is not None else ()))
    of = joined(frame, keys)
    names = coded(frame, option)
    known = (of.positions >= 0) & (names.positions >= 0)
    marks = {name: _marks(frame, name) for name in (best, worst) if name is not None and rank is None}
    ranks = np.zeros(len(frame)) if rank is None else np.asarray(numbers(frame, rank), dtype=np.float64)
    unranked = known & np.isnan(ranks)
    known &= ~unranked
    notes: list[str] = []
    warnings: list[str] = []
    beside = np.intersect1d(of.positions[unranked], of.positions[known])
    if len(beside):
        warnings.append(
            f"In {counted(len(beside), 'comparison')} some options have no rank; they count as if they had not been "
            f"shown, and come out too well where only the best places were ranked. If they were shown, give all of "
            f"them the rank after the last."
        )
    if not known.all():
        notes.append(f"{counted(int((~known).sum()), 'row')} without comparison, option or rank left out.")
    made: list[Judgement] = []
    firsts: list[int] = []
    alone = unmarked = 0
    for number in np.unique(of.positions[known]):
        rows = np.flatnonzero(known & (of.positions == number))
        shown = names.positions[rows]
        if len(np.unique(shown)) < len(shown):
            twice = names.levels[int(np.flatnonzero(np.bincount(shown) > 1)[0])]
            raise BadInput(
                f"Comparison {of.levels[number]} has the option {twice} twice; comparison=… must tell all comparisons "
                f"apart (with participant=… where they are numbered anew for everybody)."
            )
        if len(rows) < 2:
            alone += 1
            continue
        if rank is not None:
            values = ranks[rows]
            tiers = tuple(tuple(sorted(shown[values == value].tolist())) for value in np.unique(values))
        else:
            found = _best_worst(shown, rows, marks, best, worst, of.levels[number])
            if found is None:
                unmarked += 1
                continue
            tiers = found
        made.append(Judgement(tiers))
        firsts.append(int(rows[0]))
    if alone:
        notes.append(f"{counted(alone, 'comparison')} of a single option left out.")
    if unmarked:
        notes.append(f"{counted(unmarked, 'comparison')} without a best option left out.")
    if not made:
        raise BadInput(f"No comparison in '{comparison}' has two options in '{option}' and a judgement.")
    used = sorted({option for judgement in made for option in judgement.options})
    place = {old: new for new, old in enumerate(used)}
    rows = np.array(firsts, dtype=np.intp)
    return Judgements(
        RANKINGS if rank is not None else BEST_WORST,
        tuple(names.levels[old] for old in used),
        tuple(Judgement(tuple(tuple(place[one] for one in tier) for tier in judgement.tiers)) for judgement in made),
        None if participant is None else coded(frame, participant).positions[rows],
        None if item is None else coded(frame, item).positions[rows],
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _marks(frame: pd.DataFrame, column: str) -> Ints:
    marks = booleans(frame, column)
    if marks is None:
        wrong = sorted({str(code) for code in codes(frame, column).dropna()})
        raise BadInput(f"The column '{column}' must hold true and false, and holds {listed(wrong, shown=4)}.")
    return np.asarray(marks.to_numpy(), dtype=np.intp)


def _best_worst(
    shown: Ints, rows: Ints, marks: dict[str, Ints], best: str | None, worst: str | None, name: str
) -> tuple[tuple[int, ...], ...] | None:
    chosen: list[tuple[int, ...]] = []
    for column in (best, worst):
        own = () if column is None else tuple(shown[marks[column][rows] == 1].tolist())
        if len(own) > 1:
            raise BadInput(
                f"Comparison {name} has {len(own)} options marked in '{column}'; one is the best and one the worst. "
                f"Where several may be equal, give ranks with rank=…"
            )
        chosen.append(own)
    if not chosen[0]:
        return None
    if chosen[0] == chosen[1]:
        raise BadInput(
            f"Comparison {name} has the same option as best and as worst; correct or leave out that comparison."
        )
    rest = tuple(sorted(option for option in shown.tolist() if (option,) not in chosen))
    return chosen[0], rest, chosen[1]
