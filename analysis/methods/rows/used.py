"""Which rows an analysis uses: one rule for every method, and a sentence for every row that is left out.

The columns are those of Lectern's `trials.csv`. A rule applies only where its column exists, is not itself analysed,
and looks like what it is (`excluded`, `is_filler` and `simulated` hold true and false; `phase` holds `main`
somewhere), so that a factor of the same name in somebody else's data is left alone.

| column | left out | kept by |
|---|---|---|
| `excluded` | true | `keep=excluded` |
| `is_filler` | true | `keep=fillers` |
| `phase` | anything but `main` | `keep=practice` |
| `simulated` | true, as soon as people took part (`analysis.methods.rows.people`) | `keep=simulated` |

`keep=simulated` analyses simulated participants alone and leaves the rows of people out; `keep=all` keeps everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.roles import KEEP, WHERE
from analysis.methods.rows import design as designs
from analysis.methods.rows.anew import begun_anew
from analysis.methods.rows.columns import booleans, coded, codes
from analysis.methods.rows.factors import factor_of
from analysis.methods.rows.measure import sentinels
from analysis.methods.rows.people import ONLY_SIMULATED, SOME_SIMULATED, people_took_part
from analysis.methods.rows.read_as import levels_alike, levels_read_as_missing
from analysis.methods.rows.remarks import Importance, of
from analysis.methods.rows.repeats import repeated_rows
from analysis.methods.rows.selection import matching
from analysis.methods.wording import counted, listed, nearest

KEPT = ("excluded", "fillers", "practice", "simulated")

# For packages that list their parameters themselves; what is `declared` has them by the names in its signature.
ROW_PARAMETERS = (WHERE, KEEP)


@dataclass(frozen=True)
class Rows:
    """The rows to analyse (index as in the data), what to say about the others, and the design in words."""

    frame: pd.DataFrame
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    layout: designs.Design | None = None

    @property
    def design(self) -> str:
        """Return the design in words; empty where none was read."""
        return self.layout.line if self.layout is not None else ""


def select(
    frame: pd.DataFrame,
    *,
    used: Iterable[str | None] = (),
    measured: Iterable[str | None] = (),
    units: Iterable[str | None] = (),
    where: str | None = None,
    keep: Any = None,
) -> Rows:
    """Return the rows to analyse.

    `used` names the columns under analysis; no rule applies to those. `measured` are the measures among them and
    `units` the columns of participants and items: by them rows that were counted twice are told (`repeats`). `where`
    are conditions as in `analysis.methods.rows.selection`; `keep` switches rules off (see above). Raises BadInput where
    nothing is left.

    >>> frame = pd.DataFrame({"rating": [1, 2, 3], "excluded": ["false", "true", "false"]})
    >>> rows = select(frame, used=["rating"])
    >>> len(rows.frame), rows.notes
    (2, ('Of 3 rows, 2 were analysed; left out were 1 excluded row.',))
    """
    chosen = satisfying(frame, where)
    notes = [f"Of {counted(len(frame), 'row')}, {len(chosen):,} satisfied '{where}'."] if where else []
    columns, outcomes, things = (_present(names, frame) for names in (used, measured, units))
    rows = _apply(chosen, used=set(columns), keep=read_keep(keep), notes=notes, people=_people_in(frame))
    said = repeated_rows(rows.frame, used=columns, measured=outcomes, units=things)
    said += levels_read_as_missing(rows.frame, [*columns, *things])
    said += sentinels(rows.frame, [name for name in columns if name not in things])
    said += levels_alike(rows.frame, [name for name in (*columns, *things) if name not in outcomes])
    return replace(rows, warnings=(*of(Importance.ROWS, said), *rows.warnings))


def with_design(
    rows: Rows,
    *,
    units: Mapping[str, str | Sequence[str] | None],
    factors: Iterable[str | None],
    measure: str | None,
    within: Collection[tuple[str, str]] = (),
    in_formula: bool = False,
) -> Rows:
    """Return the rows with the design that they show, and remarks on ids that may begin anew.

    `units` are the columns of participants, items and others by what they are called; `within` and `in_formula` as
    `anew.begun_anew` has them.
    """
    named = {noun: columns for noun, columns in units.items() if columns}
    measure = measure if measure in rows.frame.columns else None
    found = designs.read(
        rows.frame,
        units=named,
        factors=[name for name in factors if name is not None],
        measured=_present([measure], rows.frame),
    )
    if not found.units:
        return rows
    anew = begun_anew(rows.frame, found, measure=measure, within=within, in_formula=in_formula)
    return replace(rows, layout=found, warnings=(*anew, *rows.warnings))


def _present(names: Iterable[str | None], frame: pd.DataFrame) -> list[str]:
    return [name for name in names if name is not None and name in frame.columns]


FILLER = "filler"
"""What fillers are called where conditions are asked for: they belong to none, and the exported cell is empty."""


def with_fillers_named(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the frame with `filler` in the empty cells of a column of conditions that belong to fillers.

    >>> trials = pd.DataFrame({"condition": ["gold", ""], "is_filler": ["false", "true"]})
    >>> with_fillers_named(trials, "condition")["condition"].tolist()
    ['gold', 'filler']
    """
    marks = booleans(frame, "is_filler") if "is_filler" in frame.columns else None
    if marks is None or column not in frame.columns:
        return frame
    unnamed = marks & codes(frame, column).isna()
    return frame.assign(**{column: frame[column].astype(object).where(~unnamed, FILLER)}) if unnamed.any() else frame


def satisfying(frame: pd.DataFrame, where: str | None) -> pd.DataFrame:
    """Return the rows that satisfy the conditions. Raises BadInput where there are none."""
    if len(frame) == 0:
        raise BadInput("The data have no rows; give a table with one row per trial.")
    chosen = frame if not where else frame.loc[matching(frame, where)]
    if len(chosen) == 0:
        raise BadInput(f"No row satisfies '{where}'; loosen the condition or check the values of its columns.")
    return chosen


def read_keep(entry: Any) -> frozenset[str]:
    """Read the `keep` parameter. Raises BadInput for a name that it does not have."""
    names = [name.casefold() for name in as_names(entry or ())]
    if "all" in names:
        return frozenset((*KEPT, "all"))
    for name in names:
        if name not in KEPT:
            guess = nearest(name, KEPT)
            hint = f"; did you mean '{guess}'?" if guess else "."
            raise BadInput(f"keep: there is nothing called '{name}' to keep{hint} Known are {listed([*KEPT, 'all'])}.")
    return frozenset(names)


def _apply(frame: pd.DataFrame, *, used: set[str], keep: frozenset[str], notes: list[str], people: bool) -> Rows:
    warnings: list[str] = []
    dropped = np.zeros(len(frame), dtype=bool)
    left_out: list[str] = []
    if "simulated" in keep and "all" not in keep and "simulated" not in used and _marked_simulated(frame).any():
        dropped = ~_marked_simulated(frame)
        if dropped.any():
            left_out.append(counted(int(dropped.sum()), "row of people", "rows of people"))
    for column, name, noun, nouns in (
        ("excluded", "excluded", "excluded row", "excluded rows"),
        ("is_filler", "fillers", "filler", "fillers"),
        ("phase", "practice", "row outside the main phase", "rows outside the main phase"),
        ("simulated", "simulated", "simulated row", "simulated rows"),
    ):
        if column not in frame.columns or column in used:
            continue
        marked = _marked(frame, column)
        if marked is None:
            if column != "phase":
                warnings.append(
                    f"Column '{column}' holds other values than true and false, so no rows were left out by it."
                )
            continue
        # Somebody who did not finish may stay by `keep`; simulated rows are not mixed in there either.
        if column == "simulated" and not people and bool(marked[~dropped].all()):
            continue
        new = marked & ~dropped
        if not new.any():
            continue
        if name in keep:
            notes.append(f"{counted(int(new.sum()), noun, nouns)} were kept because keep={name} was given.")
            continue
        if column == "excluded":
            notes += _trials_left_out_by_condition(frame, new)
        dropped |= marked
        left_out.append(counted(int(new.sum()), noun, nouns) + _reasons(frame, column, new))
    kept = frame.loc[~dropped] if dropped.any() else frame.copy(deep=False)
    if len(kept) == 0:
        if people and "simulated" in frame.columns and bool(_marked_simulated(frame).any()):
            raise BadInput(
                f"Nobody is left to analyse: {listed(left_out)} of {len(frame):,} were left out. Since people took "
                f"part, simulated participants do not stand in for them; wait for more people, or analyse the "
                f"simulated ones on purpose with keep=simulated."
            )
        raise BadInput(
            f"No row is left to analyse: {listed(left_out)} of {len(frame):,} were left out. "
            f"Keep them with keep=…, any of {listed([*KEPT, 'all'])}."
        )
    if "simulated" in frame.columns and "simulated" not in used:
        simulated = _marked_simulated(kept)
        if simulated.any():
            warnings.append(ONLY_SIMULATED if simulated.all() else SOME_SIMULATED)
    if left_out:
        notes.append(f"Of {counted(len(frame), 'row')}, {len(kept):,} were analysed; left out were {listed(left_out)}.")
    return Rows(frame=kept, notes=tuple(notes), warnings=tuple(warnings))


def _marked(frame: pd.DataFrame, column: str) -> npt.NDArray[np.bool_] | None:
    if column == "phase":
        factor = factor_of(frame[column])
        aside = [code not in (None, "main") for code in factor.codes]
        return factor.each(aside, missing=False) if "main" in factor.codes else None
    marks = booleans(frame, column)
    return None if marks is None else marks.to_numpy(dtype=bool)


def _people_in(frame: pd.DataFrame) -> bool:
    """Say whether people took part, whichever of their rows are looked at."""
    if "simulated" not in frame.columns:
        return True
    real = ~_marked_simulated(frame)
    if "exclusion_reason" not in frame.columns:
        return bool(real.any())
    factor = factor_of(frame["exclusion_reason"])
    reasons = (*(code or "" for code in factor.codes), "")
    return people_took_part((False, reasons[at]) for at in np.unique(factor.positions[real]))


def _marked_simulated(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    marked = _marked(frame, "simulated")
    return np.zeros(len(frame), dtype=bool) if marked is None else marked


def _trials_left_out_by_condition(frame: pd.DataFrame, left_out: npt.NDArray[np.bool_]) -> list[str]:
    """Return a sentence on single trials that were left out of the data of people who stay; none where there are none.

    Trimming that takes more from one condition than from another moves the comparison of both.
    """
    if not {"participant", "condition", "exclusion_reason"} <= set(frame.columns):
        return []
    people, conditions = coded(frame, "participant"), coded(frame, "condition")
    has_condition = conditions.positions >= 0
    stays = np.zeros(len(people.levels) + 1, dtype=bool)
    stays[people.positions[~left_out & has_condition]] = True
    stays[-1] = False
    known = stays[people.positions] & has_condition
    if not (known & left_out).any():
        return []
    shares = []
    for at, name in enumerate(conditions.levels):
        own = known & (conditions.positions == at)
        cut, total = int((own & left_out).sum()), int(own.sum())
        if total:
            shares.append(f"{name} {cut:,} of {total:,} ({100 * cut / total:.1f} %)")
    return [
        f"Single trials left out of the data of people who stay, by condition: {listed(shares, shown=len(shares))}."
    ]


def _reasons(frame: pd.DataFrame, column: str, rows: npt.NDArray[np.bool_]) -> str:
    if column != "excluded" or "exclusion_reason" not in frame.columns:
        return ""
    reasons = codes(frame.loc[rows], "exclusion_reason").dropna().value_counts()
    if reasons.empty:
        return ""
    ordered = sorted(reasons.items(), key=lambda entry: (-int(entry[1]), str(entry[0])))
    return f" ({listed(f'{reason}: {count}' for reason, count in ordered)})"
