"""Turn columns or typed counts into two proportions, and paired data into a fourfold table."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.codes.proportion_tests import Share, fourfold
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, codes, level_meant, levels, required
from analysis.methods.wording import counted, listed, no_such

_COUNT = re.compile(r"^\s*(?:(?P<name>.+?)[:=])?\s*(?P<of>\d+)\s*/\s*(?P<n>\d+)\s*$")


def shares_of_counts(text: str) -> tuple[Share, Share]:
    """Read two counts separated by a comma or a semicolon, each with an optional name before a colon or an equals sign.

    Raises BadInput for anything but two counts of something.

    >>> shares_of_counts("because:12/40, cause:25/41")
    (Share(name='because', successes=12, n=40), Share(name='cause', successes=25, n=41))
    >>> shares_of_counts("12/40; 25/41")[1]
    Share(name='b', successes=25, n=41)
    """
    parts = as_names(text if "," in text else text.replace(";", ","))
    if len(parts) != 2:
        raise BadInput(f"counts holds {counted(len(parts), 'proportion')}; give two, such as 12/40,25/41.")
    shares = []
    for name, part in zip(("a", "b"), parts, strict=True):
        read = _COUNT.match(part)
        if read is None:
            raise BadInput(f"counts: '{part}' is not a count such as 12/40 (whole numbers: successes/all).")
        share = Share((read["name"] or name).strip(), int(read["of"]), int(read["n"]))
        if share.n == 0:
            raise BadInput(f"counts: '{part}' is a proportion of nothing; a group needs at least one observation.")
        if share.successes > share.n:
            raise BadInput(f"counts: '{part}' has more successes than observations; write successes/all.")
        shares.append(share)
    return shares[0], shares[1]


def _truths(frame: pd.DataFrame, column: str, positive: str | None = None) -> npt.NDArray[np.float64]:
    """Return 1.0, 0.0 and NaN for an empty cell; with `positive`, 1.0 where the cell is one of these values."""
    if positive:
        return _of_values(frame, column, as_names(positive))
    read = booleans(frame, column)
    if read is None:
        found = [code for code in levels(frame, column) if code.casefold() not in ("0", "1", "true", "false")]
        raise BadInput(
            f"Column '{column}' must hold 0 and 1 (or true and false), but holds {listed(found, shown=4)}; choose "
            f"another column, or name what counts as a success with positive=…"
        )
    return np.where(codes(frame, column).isna().to_numpy(), np.nan, read.to_numpy(dtype=np.float64))


def _of_values(frame: pd.DataFrame, column: str, positive: tuple[str, ...]) -> npt.NDArray[np.float64]:
    given, present = codes(frame, column), levels(frame, column)
    success = []
    for value in positive:
        meant = level_meant(value, present)
        if meant is None:
            raise BadInput(f"positive: {no_such('value', value, present)} They belong to '{column}'.")
        success.append(meant)
    return np.where(given.isna().to_numpy(), np.nan, given.isin(success).to_numpy(dtype=np.float64))


def shares_of_columns(
    frame: pd.DataFrame,
    *,
    success: tuple[str, ...],
    group: str | None,
    picked: str | None,
    unit: str | None,
    notes: list[str],
    warnings: list[str],
    positive: str | None = None,
) -> tuple[Share, Share, npt.NDArray[np.int64] | None]:
    """Count successes in two groups, or of two columns; the third value is the fourfold table of pairs, or None.

    Raises BadInput for other values than true and false, and where there are not exactly two groups.
    """
    if len(success) > 2 or (len(success) == 2 and group):
        raise BadInput("Give one success column and a group, or two success columns of the same rows and no group.")
    if len(success) == 2:
        first, second = _truths(frame, success[0], positive), _truths(frame, success[1], positive)
        both = ~(np.isnan(first) | np.isnan(second))
        _say_missing(int((~both).sum()), notes)
        if not both.any():
            raise BadInput(f"No row has a value in both {success[0]} and {success[1]}.")
        _say_clusters(frame.loc[both], None, warnings)
        n = int(both.sum())
        a = Share(success[0], int(first[both].sum()), n)
        b = Share(success[1], int(second[both].sum()), n)
        return a, b, fourfold(first[both], second[both])
    group = required(frame, group, role="group")
    values, label = _truths(frame, success[0], positive), codes(frame, group)
    named = _two(frame, group, picked)
    side = label.map({level: place for place, (_, members) in enumerate(named) for level in members})
    place = np.asarray(side, dtype=np.float64)
    known = ~np.isnan(values) & ~np.isnan(place)
    _say_missing(int((np.isnan(values) & ~np.isnan(place)).sum()), notes)
    shares = []
    for number, (name, _) in enumerate(named):
        mine = known & (place == number)
        if not mine.any():
            raise BadInput(f"No row of group '{name}' has a value in '{success[0]}'.")
        shares.append(Share(name, int(values[mine].sum()), int(mine.sum())))
    pairs = None
    if unit is not None:
        pairs = _pairs(frame.loc[known], unit, values[known], place[known], named, notes, warnings)
    _say_clusters(frame.loc[known], unit if pairs is not None else None, warnings)
    return shares[0], shares[1], pairs


def _two(frame: pd.DataFrame, group: str, picked: str | None) -> list[tuple[str, tuple[str, ...]]]:
    present = levels(frame, group)
    if not picked:
        if len(present) != 2:
            raise BadInput(
                f"Column '{group}' has {counted(len(present), 'level')} ({listed(present)}), but two groups are "
                f"compared; pick two with levels=a,b, or merge some with levels=a+b,c+d."
            )
        return [(level, (level,)) for level in present]
    named = []
    for name in as_names(picked):
        members = (name,) if name in present else tuple(part.strip() for part in name.split("+"))
        for member in members:
            if member not in present:
                raise BadInput(f"levels: {no_such('level', member, present)}")
        named.append((name, members))
    if len(named) != 2 or set(named[0][1]) & set(named[1][1]):
        raise BadInput("levels must name two groups that share no level, such as a,b or a+b,c+d.")
    return named


def _pairs(
    frame: pd.DataFrame,
    unit: str,
    values: npt.NDArray[np.float64],
    place: npt.NDArray[np.float64],
    named: list[tuple[str, tuple[str, ...]]],
    notes: list[str],
    warnings: list[str],
) -> npt.NDArray[np.int64] | None:
    wide = pd.DataFrame({"unit": codes(frame, unit).to_numpy(), "place": place, "value": values}).dropna()
    several = int(wide.duplicated(["unit", "place"]).sum())
    if several:
        warnings.append(
            f"Some '{unit}' have more than one row in a group, so there are no pairs for McNemar's test; use a "
            f"mixed logistic model (glmm), or a unit that occurs once in each group."
        )
        return None
    paired = wide.set_index(["unit", "place"])["value"].unstack().dropna()  # noqa: PD010 - every cell holds one value
    if len(paired) == 0 or paired.shape[1] < 2:
        warnings.append(f"No '{unit}' occurs in both {named[0][0]} and {named[1][0]}, so McNemar's test has no pairs.")
        return None
    notes.append(f"McNemar's test uses the {counted(len(paired), 'unit')} of '{unit}' that occur in both groups.")
    return fourfold(paired[0.0].to_numpy(dtype=np.float64), paired[1.0].to_numpy(dtype=np.float64))


def _say_missing(missing: int, notes: list[str]) -> None:
    if missing:
        notes.append(f"{counted(missing, 'row')} without a value left out.")


def _say_clusters(frame: pd.DataFrame, paired_by: str | None, warnings: list[str]) -> None:
    for column, noun in (("participant", "participants"), ("item", "items")):
        if column in frame.columns and column != paired_by:
            count = int(codes(frame, column).nunique())
            if 0 < count < len(frame):
                warnings.append(
                    f"The {len(frame):,} observations come from {count:,} {noun}, so they are not independent and "
                    f"this z-test is too sure of itself; a mixed logistic model (glmm) with random effects of "
                    f"participants and items respects that."
                )
                return
