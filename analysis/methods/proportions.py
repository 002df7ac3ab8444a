"""Two proportions: pooled z-test, interval of the difference, McNemar's test where the same unit has both."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from analysis.methods import rows
from analysis.methods.columns import booleans, codes, levels, required
from analysis.methods.parameters import as_names
from analysis.methods.proportion_tests import INTERVALS, Share, difference_interval, fourfold, wilson, z_test
from analysis.methods.registry import Method, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.wording import counted, listed, no_such, number_text, p_text, share_text

_COUNT = re.compile(r"^\s*(?:(?P<name>[^:]+):)?\s*(?P<of>\d+)\s*/\s*(?P<n>\d+)\s*$")


def proportions(
    frame: pd.DataFrame,
    *,
    success: tuple[str, ...] = (),
    group: str | None = None,
    levels: str | None = None,
    counts: str | None = None,
    unit: str | None = None,
    ci: str = "newcombe",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare two proportions.

    Either `success` (a column of 0/1 or true/false) and `group` (a column; `levels` picks two of its levels,
    `a+b,c+d` merges some), or two success columns without a group (two things that may hold of the same row), or
    `counts` such as `12/40,25/41` or `because:12/40,cause:25/41`, for which the data are not read.

    Table `ztest`: a, b, p_a, n_a, p_b, n_b, z, p, ci_low, ci_high, diff, successes_a, successes_b, p_fisher; table
    `groups`: group, p, ci_low, ci_high (Wilson), successes, n. z = (p_a − p_b) / √(p(1 − p)(1/n_a +
    1/n_b)) with p pooled, two-sided; its square is Pearson's χ² without correction. Where nothing or everything
    succeeded in both groups, z = 0/0 is not defined: it is empty and a warning says so. The interval of p_a − p_b is
    Newcombe's (1998, *Statistics in Medicine* 17, 873–890, method 10) or Wald's; Fisher's exact p stands beside.
    Where `unit` names what was measured in both groups, or two columns of one row are compared, table `mcnemar`: a, b,
    n (pairs), both, only_a, only_b, neither, odds_ratio (only_a / only_b), p of the exact test of McNemar (1947,
    *Psychometrika* 12, 153–157) on the discordant pairs.

    Raises BadInput for other values than true and false, not exactly two groups, and counts that cannot be.

    >>> report = proportions(pd.DataFrame(), counts="56/70,48/80")
    >>> [round(value, 4) for value in report.table("ztest").rows[0][6:]][:4]
    [2.6502, 0.008, 0.0524, 0.3339]
    """
    if ci not in INTERVALS:
        raise BadInput(f"ci must be newcombe or wald, not '{ci}'.")
    notes: list[str] = []
    warnings: list[str] = []
    pairs: npt.NDArray[np.int64] | None = None
    if counts:
        if success or group:
            raise BadInput("Give either counts or columns (success, group), not both.")
        a, b = _counts(counts)
    else:
        if not success:
            raise BadInput("Give a success column (and a group), or counts such as 12/40,25/41.")
        chosen = rows.select(frame, used=(*success, group, unit), where=where, keep=keep)
        notes.extend(chosen.notes)
        warnings.extend(chosen.warnings)
        a, b, pairs = _from_columns(
            chosen.frame, success=success, group=group, picked=levels, unit=unit, notes=notes, warnings=warnings
        )
    return _report(a, b, pairs=pairs, ci=ci, unit=unit, notes=notes, warnings=warnings)


def _counts(text: str) -> tuple[Share, Share]:
    parts = as_names(text)
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


def _truths(frame: pd.DataFrame, column: str) -> npt.NDArray[np.float64]:
    """Return 1.0, 0.0 and NaN for an empty cell."""
    read = booleans(frame, column)
    if read is None:
        found = [code for code in levels(frame, column) if code.casefold() not in ("0", "1", "true", "false")]
        raise BadInput(
            f"Column '{column}' must hold 0 and 1 (or true and false), but holds {listed(found, shown=4)}; choose "
            f"another column, or make one that says what counts as a success."
        )
    return np.where(codes(frame, column).isna().to_numpy(), np.nan, read.to_numpy(dtype=np.float64))


def _from_columns(
    frame: pd.DataFrame,
    *,
    success: tuple[str, ...],
    group: str | None,
    picked: str | None,
    unit: str | None,
    notes: list[str],
    warnings: list[str],
) -> tuple[Share, Share, npt.NDArray[np.int64] | None]:
    if len(success) > 2 or (len(success) == 2 and group):
        raise BadInput("Give one success column and a group, or two success columns of the same rows and no group.")
    if len(success) == 2:
        first, second = _truths(frame, success[0]), _truths(frame, success[1])
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
    values, label = _truths(frame, success[0]), codes(frame, group)
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
            f"mixed logistic model (lmm family for binary outcomes), or a unit that occurs once in each group."
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
                    f"this z-test is too sure of itself; a logistic model with random effects of participants and "
                    f"items respects that."
                )
                return


def _report(
    a: Share,
    b: Share,
    *,
    pairs: npt.NDArray[np.int64] | None,
    ci: str,
    unit: str | None,
    notes: list[str],
    warnings: list[str],
) -> Report:
    z, p = z_test(a, b)
    low, high = difference_interval(a, b, ci)
    fisher = float(
        stats.fisher_exact(np.array([[a.successes, a.n - a.successes], [b.successes, b.n - b.successes]]))[1]
    )
    each = [(share.name, share.p, *wilson(share.successes, share.n), share.successes, share.n) for share in (a, b)]
    if np.isnan(z):
        extreme = "No observation" if a.successes == 0 else "Every observation"
        warnings.append(
            f"{extreme} was a success in either group ({a.successes}/{a.n} against {b.successes}/{b.n}), so z is 0/0 "
            f"and not defined; there is no difference to test, and the interval says how large one could still be."
        )
        tested = "z not defined"
    else:
        tested = f"z = {number_text(z)}, {p_text(p)}"
    expected = [share.n * rate for share in (a, b) for rate in _expected(a, b)]
    if not np.isnan(z) and min(expected) < 5:
        warnings.append("An expected count is below 5, so the normal approximation is poor; prefer Fisher's exact p.")
    notes.append(
        f"Two-sided z-test of two proportions with the pooled standard error, no continuity correction; the 95 % "
        f"interval of the difference is {INTERVALS[ci]}."
    )
    sentences = [
        f"The proportion was {share_text(a.p)} ({a.successes}/{a.n}) for {a.name} and {share_text(b.p)} "
        f"({b.successes}/{b.n}) for {b.name}, {tested}, difference {share_text(a.p - b.p)}, "
        f"95 % CI [{share_text(low)}, {share_text(high)}]."
    ]
    row = {
        "a": a.name, "b": b.name, "p_a": a.p, "n_a": a.n, "p_b": b.p, "n_b": b.n, "z": z, "p": p, "ci_low": low,
        "ci_high": high, "diff": a.p - b.p, "successes_a": a.successes, "successes_b": b.successes, "p_fisher": fisher,
    }  # fmt: skip
    tables = [
        Table.from_rows("ztest", "Two proportions", _COLUMNS, [row]),
        Table(
            "groups",
            "Proportions with Wilson's 95 % intervals",
            (
                Column("group", "Group", "text"),
                Column("p", "Proportion", "share"),
                Column("ci_low", "95 % CI from", "share"),
                Column("ci_high", "95 % CI to", "share"),
                Column("successes", "Successes", "integer"),
                Column("n", "n", "integer"),
            ),
            tuple(each),
        ),
    ]
    if pairs is not None:
        table, sentence = _mcnemar(pairs, a, b, warnings)
        tables.append(table)
        sentences.append(sentence)
    return Report(
        method="proportions",
        params={},
        tables=tuple(tables),
        figures=(
            Figure(
                name="proportions",
                title="Two proportions",
                kind="bars",
                table="groups",
                encoding={"x": "group", "y": "p", "low": "ci_low", "high": "ci_high"},
                caption="Wilson's 95 % intervals.",
                y_label="Proportion",
            ),
        ),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=tuple(sentences),
    )


def _expected(a: Share, b: Share) -> tuple[float, float]:
    pooled = (a.successes + b.successes) / (a.n + b.n)
    return pooled, 1 - pooled


def _mcnemar(pairs: npt.NDArray[np.int64], a: Share, b: Share, warnings: list[str]) -> tuple[Table, str]:
    both, only_a, only_b, neither = (int(count) for count in pairs)
    discordant = only_a + only_b
    p = float(stats.binomtest(only_a, discordant).pvalue) if discordant else float("nan")
    if not discordant:
        warnings.append(
            "Every unit had the same outcome in both groups, so McNemar's test has no discordant pair and no p."
        )
    ratio = only_a / only_b if only_b else float("nan")
    row = {
        "a": a.name, "b": b.name, "n": int(pairs.sum()), "both": both, "only_a": only_a, "only_b": only_b,
        "neither": neither, "odds_ratio": ratio, "p": p,
    }  # fmt: skip
    columns = (
        Column("a", "A", "text"),
        Column("b", "B", "text"),
        Column("n", "Pairs", "integer"),
        Column("both", "Both", "integer"),
        Column("only_a", "Only A", "integer"),
        Column("only_b", "Only B", "integer"),
        Column("neither", "Neither", "integer"),
        Column("odds_ratio", "Odds ratio (only A / only B)"),
        Column("p", "Exact p", "p"),
    )
    sentence = (
        f"Of {counted(int(pairs.sum()), 'pair')}, {only_a} succeeded only for {a.name} and {only_b} only for {b.name} "
        f"(exact McNemar test, {p_text(p)})."
    )
    return Table.from_rows("mcnemar", "McNemar's exact test of pairs", columns, [row]), sentence


_COLUMNS = (
    Column("a", "A", "text"),
    Column("b", "B", "text"),
    Column("p_a", "Proportion A", "share"),
    Column("n_a", "n A", "integer"),
    Column("p_b", "Proportion B", "share"),
    Column("n_b", "n B", "integer"),
    Column("z", "z", "statistic"),
    Column("p", "p", "p"),
    Column("ci_low", "95 % CI from", "share"),
    Column("ci_high", "95 % CI to", "share"),
    Column("diff", "Difference", "share"),
    Column("successes_a", "Successes A", "integer"),
    Column("successes_b", "Successes B", "integer"),
    Column("p_fisher", "Fisher's exact p", "p"),
)


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    made = [
        {"participant": f"P{person}", "item": f"I{item}", "marker": marker, "garbled": int((person * item) % 7 < limit)}
        for person in range(1, 9)
        for item, marker, limit in ((1, "because", 4), (2, "because", 3), (3, "cause", 1), (4, "cause", 2))
    ]
    return pd.DataFrame(made), {"success": "garbled", "group": "marker"}


METHOD = Method(
    slug="proportions",
    label="Two proportions",
    summary="Pooled z-test with an interval of the difference; McNemar's test where the same unit has both.",
    function=proportions,
    parameters=(
        Parameter("success", "Success", "columns", role="measure", help="0 and 1; two columns compare the same rows."),
        Parameter("group", "Groups", "column", role="factor", help="Two levels, or pick them with levels."),
        Parameter("levels", "Levels to compare", "text", help="a,b picks two levels; a+b,c+d merges levels."),
        Parameter("counts", "Counts instead of columns", "text", help="Such as 12/40,25/41."),
        Parameter("unit", "Unit in both groups", "column", role="unit", help="Adds McNemar's exact test of pairs."),
        Parameter("ci", "Interval of the difference", "choice", default="newcombe", choices=tuple(INTERVALS)),
        *rows.ROW_PARAMETERS,
    ),
    example=_example,
)
