"""Hits and false alarms of every participant in every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import Coded, coded, joined, level_meant
from analysis.methods.signal import sensitivity
from analysis.methods.wording import counted, listed

FOUR = ["hits", "n_signal", "false_alarms", "n_noise"]


@dataclass(frozen=True)
class Counts:
    """Counts of every participant in every cell that occurs.

    `frame` has a row each: positions in `participants` and `cells` (participant, cell), hits, n_signal, false_alarms,
    n_noise, and d_prime and criterion of them.
    """

    participants: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    frame: pd.DataFrame
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def count(
    frame: pd.DataFrame,
    *,
    response: str,
    target: str,
    signal: Sequence[str],
    participant: str,
    within: Sequence[str],
    common_noise: bool = False,
) -> Counts:
    """Count. `signal` are the names that mean signal, in the answers and in the truth.

    With `common_noise`, noise without a level of any factor counts in every cell of its participant.

    Raises BadInput where no answer or no target is signal, or none is anything else, or no row is complete.
    """
    columns = (participant, response, target, *within)
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise BadInput(f"{listed(twice)} has two roles; participant, response, target and factors are of their own.")
    read = {name: coded(frame, name) for name in columns}
    known = np.ones(len(frame), dtype=bool)
    notes: list[str] = []
    common = np.zeros(len(frame), dtype=bool)
    if common_noise and within:
        common = _common_noise(read, within, target=target, signal=signal)
        common &= (read[participant].positions >= 0) & (read[response].positions >= 0)
        n_common = f"{counted(int(common.sum()), 'row')} of noise without a value of {listed(within)}"
        notes.append(f"{n_common} counted in every cell of their participant.")
    for name, column in read.items():
        empty = (column.positions < 0) & ~common
        if empty.any():
            notes.append(f"{counted(int(empty.sum()), 'row')} without a value of '{name}' left out.")
        known &= ~empty
    both = known
    known = known & ~common
    if not known.any():
        raise BadInput(f"No row has a value of all of {listed(columns)}; check these columns.")
    answered, answers = _is_signal(read[response], response, signal, what="answer", among=both)
    is_signal, truths = _is_signal(read[target], target, signal, what="level", among=both)
    people = read[participant]
    part = frame.loc[known]
    cells = joined(part, within) if within else Coded(np.zeros(len(part), dtype=np.intp), ("",))
    # The levels of a cell by a row that is in it: a name joined of levels could be that of two cells.
    first = {int(cell): at for at, cell in reversed(list(enumerate(cells.positions)))}
    places = np.flatnonzero(known)
    names = tuple(
        tuple(read[name].levels[read[name].positions[places[first[cell]]]] for name in within)
        for cell in range(len(cells.levels))
    )
    key = people.positions[known] * len(cells.levels) + cells.positions
    present, where = np.unique(key, return_inverse=True)

    def total(chosen: npt.NDArray[np.bool_]) -> Floats:
        return np.bincount(where, weights=chosen[known], minlength=len(present)).astype(np.float64)

    whose = (present // len(cells.levels)).astype(np.intp)

    def shared(chosen: npt.NDArray[np.bool_]) -> Floats:
        each = np.bincount(people.positions[common & chosen], minlength=len(people.levels))
        return np.asarray(each[whose], dtype=np.float64)

    four = (
        total(answered & is_signal),
        total(is_signal),
        total(answered & ~is_signal) + shared(answered),
        total(~is_signal) + shared(np.ones(len(frame), dtype=bool)),
    )
    return Counts(
        participants=people.levels,
        cells=names,
        frame=pd.DataFrame(
            {
                "participant": whose,
                "cell": present % len(cells.levels),
                **dict(zip(FOUR, four, strict=True)),
                "d_prime": sensitivity.d_prime(*four),
                "criterion": sensitivity.criterion(*four),
            }
        ),
        notes=tuple(notes),
        warnings=(*answers, *truths),
    )


def with_withheld(
    frame: pd.DataFrame, *, response: str, target: str, withheld: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the frame with `withheld` as the answer of rows that have a truth and no answer, and a note on them.

    A row that says in `timed_out` that its time did not run out keeps its empty answer: nobody got that far. Without
    `withheld` nothing changes. Raises BadInput where `target` never says it.

    >>> rows = pd.DataFrame({"choice": ["go", None], "right_answer": ["none", "none"]})
    >>> with_withheld(rows, response="choice", target="right_answer", withheld="none")[0]["choice"].tolist()
    ['go', 'none']
    """
    if not withheld or response not in frame or target not in frame:
        return frame, ()
    truth, answers = coded(frame, target), coded(frame, response)
    if level_meant(withheld, truth.levels) is None:
        raise BadInput(
            f"The column '{target}' holds {listed(truth.levels)} and not {withheld}: name what it says where no answer "
            f"is right with withheld=…, or leave that out."
        )
    empty = (answers.positions < 0) & (truth.positions >= 0)
    if "timed_out" in frame:
        ran_out = coded(frame, "timed_out")
        is_true = np.array([level.casefold() in ("true", "1", "1.0", "yes") for level in ran_out.levels], dtype=bool)
        empty &= np.array([at >= 0 and bool(is_true[at]) for at in ran_out.positions], dtype=bool)
    values = frame[response].astype(object).copy()
    values[empty] = withheld
    note = f"{counted(int(empty.sum()), 'row')} without an answer counted as withheld, which is not signal."
    return frame.assign(**{response: values}), (note,) if empty.any() else ()


def _common_noise(
    read: Mapping[str, Coded], within: Sequence[str], *, target: str, signal: Sequence[str]
) -> npt.NDArray[np.bool_]:
    """Return the rows of noise that have no level of any factor. Raises BadInput where there is none."""
    truth = read[target]
    meant = {found for each in signal if (found := level_meant(each, truth.levels)) is not None}
    is_noise = np.array([level not in meant for level in truth.levels], dtype=bool)
    common = (truth.positions >= 0) & is_noise[truth.positions]
    for name in within:
        common &= read[name].positions < 0
    if not common.any():
        raise BadInput(
            f"common_noise=yes needs noise without a value of {listed(within)}, and there is none: leave it out, or "
            "keep the rows that have none, such as fillers with keep=fillers."
        )
    return np.asarray(common, dtype=bool)


def _is_signal(
    column: Coded, name: str, signal: Sequence[str], *, what: str, among: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.bool_], list[str]]:
    there = [column.levels[at] for at in np.unique(column.positions[among])]
    chosen = {found for each in signal if (found := level_meant(each, there)) is not None}
    if not chosen:
        raise BadInput(
            f"The column '{name}' holds {listed(there)} and not {listed(signal)}: name the {what} that counts as "
            f"signal with signal=…; where answers and truth have different names, both, as signal=yes,old."
        )
    others = [level for level in there if level not in chosen]
    if not others:
        raise BadInput(
            f"Every {what} in '{name}' is {listed(sorted(chosen))}, so nothing can be told from it; noise is needed "
            f"as well as signal."
        )
    said = []
    if len(others) > 1:
        said.append(
            f"{listed(others)} of '{name}' all count as noise; leave rows out with where=… if one of them is neither."
        )
    is_signal = np.isin(column.positions, [column.levels.index(level) for level in chosen])
    return is_signal, said
