"""Count how often each code was given per group, and average weighted scores (`incidence`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.codes.columns import Coded, coded, number_of, read_as_several
from analysis.methods.codes.weights import WEIGHTS, look_for_exclusive, say_why_no_score, weights_of
from analysis.methods.columns import FromData, declared_table, usual
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.proportion_intervals import with_wilson
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import coded as coded_column
from analysis.methods.rows.columns import in_order, levels, numbers
from analysis.methods.rows.combined import combined, numbered
from analysis.methods.wording import counted, listed, number_text, share_text

_PLACES = 9
"""Sums of weights are rounded to this many places, so that .4 + .1 equals .5 when scores are ranked later."""
INCIDENCE = declared_table(
    "incidence",
    "Incidence of codes",
    "One row per group. A row of the data may have several codes, so shares may sum to more than 1.",
    FromData("by", "One column per column of `by`: its level."),
    FromData("codes", "One column per code: the share of rows that have it.", "share"),
    usual("n", meaning="How many rows."),
    Column("score", "Mean score", meaning="The mean of the sums of weights."),
    Column("score_sd", "SD of scores", meaning="The standard deviation of these sums over rows."),
    optional="score score_sd",
)
BY_CODE = declared_table(
    "by_code",
    "Incidence of codes with 95 % intervals",
    "One row per group and code.",
    "group",
    Column("code", "Code", "text", meaning="The code."),
    Column("count", "Count", "integer", meaning="Rows that have the code."),
    usual("n", meaning="Rows of the group."),
    Column("incidence", "Incidence", "share", meaning="count / n."),
    Column("low", "95 % CI from", "share", meaning="Lower end of Wilson's interval."),
    Column("high", "95 % CI to", "share", meaning="Upper end of Wilson's interval."),
)
SCORES = declared_table(
    "scores",
    "Score of every row",
    "The data, with the score of each row.",
    FromData("columns", "The columns of the data."),
    Column("score", "Score", meaning="The sum of the weights of the codes of the row, or the one that the data bring."),
    when="where there are scores",
)


def incidence(
    frame: pd.DataFrame,
    *,
    codes: tuple[str, ...] = (),
    by: tuple[str, ...] = (),
    weights: str | None = None,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Count codes: the share of rows that have each code, per group.

    `codes` names either several columns of 0/1, or one column that holds codes such as `0` or `2+3`
    (separated by +, comma, semicolon or space; `none` for a row that was looked at and has no code; an empty cell was
    not coded and is left out). `by` names the columns that make groups.

    Weights are given as `0:0.5,1:0.4`. Without them scores are those of a column `score`, which exports have; without
    that, the weights are those of Siddharthan and Katsos (2012), table 1, where all of the codes 0 to 6 are there.
    Where some are missing, the sums would be those of a part, so there is no score and a warning says what to do.

    Raises BadInput for columns that are neither, and for weights that cannot be read.

    >>> recall = pd.DataFrame({"marker": ["cause", "cause", "because"], "codes": ["0", "2+3", "3+4"]})
    >>> report = incidence(recall, codes=("codes",), by=("marker",))
    >>> report.table("incidence").frame()[["marker", "0", "3", "n", "score"]].values.tolist()
    [['because', 0.0, 1.0, 1, -1.0], ['cause', 0.5, 0.5, 2, -0.125]]
    """
    named = codes or (("codes",) if "codes" in frame.columns else ())
    if not named:
        raise BadInput(
            "Name the codes with codes=…: several columns of 0 and 1, or one column that holds codes such as 2+3. "
            f"The columns are: {listed(frame.columns, shown=20)}."
        )
    chosen = rows.select(frame, used=(*named, *by), measured=named, where=where, keep=keep)
    notes, warnings = list(chosen.notes), list(chosen.warnings)
    read = coded(chosen.frame, named, known=tuple(WEIGHTS))
    warnings += read_as_several(chosen.frame, named)
    given = weights_of(weights, read, warnings)
    kept = np.asarray(~np.isnan(read.has).any(axis=1), dtype=np.bool_)
    for column in by:
        kept &= coded_column(chosen.frame, column).positions >= 0
    if not kept.all():
        notes.append(f"{counted(int((~kept).sum()), 'row')} without codes or group left out.")
    if not kept.any():
        raise BadInput("No row has both codes and a group; nothing can be counted.")
    part = chosen.frame if kept.all() else chosen.frame.iloc[np.flatnonzero(kept)]
    has = read.has[kept]
    _look_for_repetition(part, warnings)
    scores = _stored_scores(part) if weights is None and "score" not in named else None
    if scores is not None:
        notes.append("The score of a row is that of the column score.")
    elif given is not None:
        scores = np.round(has @ np.array([given[name] for name in read.names]), _PLACES)
        words = listed((f"{name}: {given[name]:g}" for name in read.names), shown=12)
        notes.append(f"The score of a row is the sum of the weights of its codes ({words}).")
        if weights is None:
            notes.append("These are the weights of Siddharthan and Katsos (2012), table 1.")
            look_for_exclusive(has, read, warnings)
    else:
        say_why_no_score(read, notes, warnings)
    groups = _grouped(part, by)
    return _report(part, groups, has=has, scores=scores, by=by, read=read, notes=notes, warnings=warnings)


def _stored_scores(frame: pd.DataFrame) -> npt.NDArray[np.float64] | None:
    """Return the scores that the data bring along, as exports do; None where a row has none."""
    if "score" not in frame.columns:
        return None
    try:
        scores = np.asarray(numbers(frame, "score"), dtype=np.float64)
    except BadInput:
        return None
    return None if np.isnan(scores).any() else np.round(scores, _PLACES)


def _grouped(frame: pd.DataFrame, by: Sequence[str]) -> list[tuple[tuple[str, ...], npt.NDArray[np.int64]]]:
    """Return every group that occurs, in order, with the positions of its rows."""
    if not by:
        return [((), np.arange(len(frame)))]
    parts = [coded_column(frame, column) for column in by]
    sizes = [len(part.levels) for part in parts]
    total, _ = combined((part.positions, len(part.levels)) for part in parts)
    present, group = numbered(total, math.prod(sizes))
    rows_of = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    places = zip(*np.unravel_index(present, sizes), strict=True)
    keys = [tuple(part.levels[at] for part, at in zip(parts, place, strict=True)) for place in places]
    return sorted(zip(keys, rows_of, strict=True), key=lambda entry: [in_order(level) for level in entry[0]])


def _look_for_repetition(frame: pd.DataFrame, warnings: list[str]) -> None:
    if "coder" in frame.columns and len(levels(frame, "coder")) > 1:
        same = [column for column in ("participant", "item", "trial") if column in frame.columns]
        if same and bool(frame.duplicated(same).any()):
            warnings.append(
                "Several coders coded the same recall, and each coding counts here; use the adjudicated codes, or one "
                "coder (where=coder=…)."
            )


def _report(
    frame: pd.DataFrame,
    groups: list[tuple[tuple[str, ...], npt.NDArray[np.int64]]],
    *,
    has: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64] | None,
    by: Sequence[str],
    read: Coded,
    notes: list[str],
    warnings: list[str],
) -> Report:
    own = {"n", "score", "score_sd"}
    grouped = [name for name in by if name in own]
    if grouped:
        raise BadInput(f"The column {listed(grouped)} cannot make groups under the name of a result; rename it.")
    taken = {*by, *own}
    clash = [name for name in read.names if name in taken]
    if clash:
        raise BadInput(f"A code is called {clash[0]}, like another column of the table; rename it.")
    wide: list[dict[str, Any]] = []
    long: list[dict[str, Any]] = []
    for key, positions in groups:
        mine, n = has[positions], len(positions)
        row: dict[str, Any] = {**dict(zip(by, key, strict=True)), "n": n}
        for place, name in enumerate(read.names):
            count = int(mine[:, place].sum())
            found = with_wilson(count, n, "incidence low high")
            row[name] = found["incidence"]
            long.append({"group": " ".join(key) or "all", "code": name, "count": count, "n": n, **found})
        if scores is not None:
            row["score"] = float(scores[positions].mean())
            row["score_sd"] = float(scores[positions].std(ddof=1)) if n > 1 else None
        wide.append(row)
    shown = [Column(name, f"Code {name}" if number_of(name) == name else name, "share") for name in read.names]
    tables = [INCIDENCE.of(wide, by={column: column for column in by}, codes=shown), BY_CODE.of(long)]
    if scores is not None:
        kept = [str(name) for name in frame.columns if str(name) != "score"]
        columns = (*(Column(name, name, "text") for name in kept), Column("score", "Score"))
        cells = tuple(zip(*(_cells(frame[name]) for name in kept), scores.tolist(), strict=True))
        tables.append(Table(SCORES.name, SCORES.title, columns, cells))
    notes.append("Shares of rows with a code; a row may have several codes, so shares may sum to more than 1.")
    return Report(
        tables=tuple(tables),
        figures=(
            Figure(
                name="incidence",
                title="Incidence of codes",
                kind="bars",
                table="by_code",
                encoding={"x": "code", "y": "incidence", "low": "low", "high": "high", "panel": "group"},
                caption="Shares of rows with Wilson's 95 % intervals.",
                x_label="Code",
                y_label="Incidence",
            ),
        ),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=(_sentence(long, wide, by),),
    )


def _cells(column: pd.Series[Any]) -> list[Any]:
    """Return a column as plain values, a missing one as None."""
    missing = column.isna()
    return (column.astype(object).where(~missing, None) if missing.any() else column).tolist()


def _sentence(long: list[dict[str, Any]], wide: list[dict[str, Any]], by: Sequence[str]) -> str:
    top = max(long, key=lambda row: float(row["incidence"]))
    where = f" in {top['group']}" if by else ""
    text = (
        f"The most frequent code was {top['code']}{where} "
        f"({share_text(float(top['incidence']))}, {top['count']}/{top['n']})"
        if top["count"]
        else "No code was given at all"
    )
    if "score" not in wide[0]:
        return text + "."
    means = listed(
        (f"{number_text(float(row['score']))} for {' '.join(row[name] for name in by) or 'all'}" for row in wide),
        shown=12,
    )
    return f"{text}; mean scores were {means}."


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    random = np.random.default_rng(11)
    pool = ["0", "0", "0", "1", "2+3", "3", "3+4", "4", "5", "6"]
    made = [
        {"participant": f"P{person}", "item": f"I{item}", "marker": marker, "codes": str(random.choice(pool))}
        for person in range(1, 9)
        for item, marker in ((1, "because"), (2, "because of"), (3, "cause"))
    ]
    return pd.DataFrame(made), {"codes": "codes", "by": "marker"}


METHOD = declared(
    "incidence",
    "Incidence of codes",
    "How often each code was given per group, with weighted recall scores.",
    incidence,
    Parameter(
        "codes",
        "Codes",
        "columns",
        role="measure",
        help="0/1 columns, or one column such as 2+3.",
        also=("code", "columns", "code_columns"),
    ),
    Parameter("by", "Groups", "columns", role="factor", also=("group",)),
    Parameter("weights", "Weights", "text", help="Such as 0:0.5,1:0.4,2:-0.25; codes 0 to 6 have defaults."),
    group="describe",
    question=("How often was each code given, by {factors}?", "How often was each code given?"),
    needs=("codes",),
    example=_example,
    tables=(INCIDENCE, BY_CODE, SCORES),
)
