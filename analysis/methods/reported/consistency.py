"""Recompute p from reported statistics and compare it with the reported p (`consistency`)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import declared_table
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Report
from analysis.methods.reported import consistency_wording as words
from analysis.methods.reported.consistency_checks import Check, checked, described
from analysis.methods.reported.consistency_results import (
    Printed,
    Result,
    kind_of,
    reported_p,
    results_in,
    with_commas,
    with_plain_signs,
)
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, numbers, row_number
from analysis.methods.wording import no_such

_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINT = re.compile(r"-?(?:\d*|\d{1,3}(?:,\d{3})+)\.\d+")

CONSISTENCY = declared_table(
    "consistency",
    "Reported and recomputed p",
    "One row per result.",
    Column("source", "Source", "text", meaning="Where it was reported, or its row."),
    Column("test", "Test", "text", meaning="As reported: F, F1, F2, t, χ², z, r, q."),
    "df1 df2",
    Column("statistic", "Statistic", "statistic", meaning="As printed."),
    Column("reported_p", "Reported p", "p", meaning="As printed."),
    Column("computed_p", "Recomputed p", "p", meaning="p of the statistic as printed."),
    Column("consistent", "Consistent", "boolean", meaning="Whether some p in between would be printed as reported."),
    Column("decision_error", "Other decision", "boolean", meaning="Inconsistent, and on the other side of α."),
    Column("relation", "Relation", "text", meaning="= or <, as printed before p.", importance="detail"),
    Column("p_low", "Smallest p", "p", meaning="Over all that the printed digits may stand for.", importance="detail"),
    Column("p_high", "Largest p", "p", meaning="Over all that the printed digits may stand for.", importance="detail"),
    "verdict",
    Column("result", "Result", "text", meaning="As it would be written.", importance="detail"),
    Column("remark", "Remark", "text", meaning="What else is odd about it.", importance="detail"),
    key="reported_p computed_p verdict",
    detail="source consistent decision_error",
)


def consistency(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    test: str | None = "test",
    df1: str | None = "df1",
    df2: str | None = "df2",
    statistic: str | None = "statistic",
    p: str | None = "p",
    source: str | None = "source",
    n: str | None = "n",
    n_participants: int | None = None,
    alpha: float = 0.05,
    tails: str = "two",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Recompute p from reported statistics and compare it with the reported p.

    A row holds one result in the columns `test` (F, F1, F2, t, χ² or chi2, z, r, q), `df1`, `df2`, `statistic` and
    `p` (`.027`, `< .001`, `ns`), or a piece of writing with any number of results in the column `text`, such as
    `F1(3, 147) = 3.48, p = .027`. t, χ² and r have one number of degrees of freedom; q has the number of means and
    the error degrees of freedom. `n` (a column, or a number such as 48) or `n_participants` says how many people there
    were.

    Raises BadInput where no result is found, or a statistic or a p cannot be read.

    >>> frame = pd.DataFrame({"text": ["F1(1, 49) = 5.19, p = .017 and F1(3, 147) = 3.48, p = .027"]})
    >>> report = consistency(frame)
    >>> [(row[1], round(row[6], 3), row[7]) for row in report.table("consistency").rows]
    [('F1', 0.027, False), ('F1', 0.018, False)]
    >>> print(report.warnings[1])
    Row 1: F1(1, 49) = 5.19 and F1(3, 147) = 3.48 are both consistent with their p values exchanged (p = .017 and
    p = .027); were they printed the wrong way round?
    """
    if not 0 < alpha < 1:
        raise BadInput(f"alpha must lie between 0 and 1, such as 0.05; {alpha:g} does not.")
    if n_participants is not None and n_participants < 1:
        raise BadInput(f"n_participants must be at least 1; {n_participants} is not.")
    named = {"text": text, "test": test, "df1": df1, "df2": df2, "statistic": statistic, "p": p, "source": source}
    present = {role: name for role, name in named.items() if name is not None and name in frame.columns}
    people, n_participants = _people(n, n_participants, columns=[str(name) for name in frame.columns])
    if "text" not in present and not {"test", "statistic"} <= present.keys():
        raise BadInput(
            "There is nothing to check: name a column of text that holds results such as F(3, 147) = 3.48, p = .027 "
            "with text=…, or the columns of the test and its statistic with test=… and statistic=…."
        )
    chosen = rows.select(frame, used=[*present.values(), people], where=where, keep=keep)
    progress(0.2, "reading the results")
    results = _results(chosen.frame, present, people=people, n_participants=n_participants, alpha=alpha)
    if not results:
        raise BadInput(
            "No test result was found; a result has a statistic with its degrees of freedom, such as "
            "F(3, 147) = 3.48, p = .027 or t(23) = 2.10, p = .047."
        )
    progress(0.5, "recomputing p")
    checks = [checked(result, alpha=alpha, one_tailed=tails == "one") for result in results]
    return Report(
        tables=(CONSISTENCY.of(map(_line, checks)),),
        figures=words.figures(checks),
        notes=(*chosen.notes, *words.notes(alpha=alpha, tails=tails)),
        warnings=(*chosen.warnings, *words.warnings(checks)),
        sentences=words.sentences(checks),
    )


def _people(n: str | None, n_participants: int | None, *, columns: list[str]) -> tuple[str | None, int | None]:
    """Return the column of `n`, and the number of participants that holds where a row has none of its own.

    >>> _people("48", None, columns=["text"]), _people("people", None, columns=["people"])
    ((None, 48), ('people', None))
    """
    if n is None or n in columns or n == "n":
        return (n if n in columns else None), n_participants
    if not n.strip().isdecimal():
        raise BadInput(f"n: {no_such('column', n, columns)} Or give the number of participants, such as n=48.")
    if n_participants is not None and n_participants != int(n):
        raise BadInput(f"n={n} and n_participants={n_participants} contradict each other; give one of them.")
    if int(n) < 1:
        raise BadInput(f"n must be at least 1; {n} is not.")
    return None, int(n)


def _results(
    frame: pd.DataFrame, present: dict[str, str], *, people: str | None, n_participants: int | None, alpha: float
) -> list[Result]:
    size = len(frame)
    cells = {role: codes(frame, name).tolist() for role, name in present.items()}
    columnwise = {"test", "statistic"} <= present.keys()
    printed_numbers = [present[role] for role in ("statistic", "df1", "df2") if role in present]
    by_point = any(map(_has_point, (cell for name in printed_numbers for cell in frame[name])))
    plain = frame.assign(
        **{name: frame[name].map(lambda cell: _plain(cell, by_point=by_point)) for name in printed_numbers}
    )
    values = {
        role: np.asarray(numbers(plain, present[role]), dtype=np.float64)
        if columnwise and role in present
        else np.full(size, np.nan)
        for role in ("statistic", "df1", "df2")
    }
    counts = np.full(size, np.nan) if people is None else np.asarray(numbers(frame, people), dtype=np.float64)
    found: list[Result] = []
    for position in range(size):
        source = cells["source"][position] if "source" in present else None
        source = source or f"row {row_number(frame, position)}"
        n = n_participants if np.isnan(counts[position]) else round(min(counts[position], 1e9))
        if not np.isnan(values["statistic"][position]):
            test = cells["test"][position] or ""
            kind = kind_of(test)
            first, second = (_known(values[role][position]) for role in ("df1", "df2"))
            if kind in ("t", "r", "χ²") and first is None:
                first, second = second, None
            printed = Printed.of(_plain(cells["statistic"][position], by_point=by_point))
            reported = _reported(frame, cells.get("p"), position, column=present.get("p"), alpha=alpha)
            found.append(Result(source, test or "no test named", kind, first, second, printed, reported, n))
        elif "text" in present and cells["text"][position]:
            found += results_in(cells["text"][position], source=source, alpha=alpha, n=n)
    return found


def _plain(cell: Any, *, by_point: bool) -> Any:
    """Return a printed number without typographic signs, stars of its significance, and commas between thousands.

    `by_point`: decimals are known to have a point, so that the comma in 1,234 parts thousands.

    >>> _plain("1,234.5**", by_point=False), _plain("1,234", by_point=True), _plain("1,234", by_point=False)
    ('1234.5', '1234', '1,234')
    """
    if not isinstance(cell, str):
        return cell
    bare = with_plain_signs(with_commas(cell.strip())).rstrip("* ")
    return bare.replace(",", "") if _GROUPED.fullmatch(bare) and (by_point or _has_point(bare)) else bare


def _has_point(cell: Any) -> bool:
    """Say whether a cell is a number with a decimal point, and not a decimal comma."""
    if not isinstance(cell, str) or cell.rfind(",") > cell.rfind("."):
        return False
    return _POINT.fullmatch(with_plain_signs(with_commas(cell)).strip("* ")) is not None


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _reported(
    frame: pd.DataFrame, cells: list[Any] | None, position: int, *, column: str | None, alpha: float
) -> Printed | None:
    cell = None if cells is None else cells[position]
    if cell is None or cell.casefold() in ("na", "n/a", "nan", "null", "none", "<na>"):
        return None
    read = reported_p(cell, alpha=alpha)
    if read is None:
        raise BadInput(
            f"Column '{column}' must hold p values; data row {row_number(frame, position)} holds '{cell}'. Write .027, "
            f"< .001 or ns, with a decimal point, or leave the cell empty."
        )
    return read


def _line(check: Check) -> dict[str, Any]:
    result = check.result
    return {
        "source": result.source,
        "test": result.test,
        "df1": result.df1,
        "df2": result.df2,
        "statistic": None if result.statistic is None else result.statistic.value,
        "reported_p": None if result.p is None else result.p.value,
        "computed_p": check.p,
        "consistent": check.consistent,
        "decision_error": check.decision_error,
        "relation": None if result.p is None else result.p.relation,
        "p_low": check.low,
        "p_high": check.high,
        "verdict": words.verdict(check),
        "result": described(result),
        "remark": check.remark or None,
    }


def example() -> Example:
    """Return six results, of which two have their p values exchanged and one is wrong about significance."""
    lines = [
        ("a paper", "F1", "1", "49", "5.19", ".017"),
        ("a paper", "F1", "3", "147", "3.48", ".027"),
        ("a paper", "F1", "3", "147", "19.17", "< .001"),
        ("another", "t", "23", "", "2.21", ".037"),
        ("another", "chi2", "2", "", "4.90", ".04"),
        ("another", "z", "", "", "1.10", "ns"),
    ]
    frame = pd.DataFrame(lines, columns=["source", "test", "df1", "df2", "statistic", "p"]).astype(object)
    return frame, {}


def _column(name: str, label: str, text: str) -> Parameter:
    return Parameter(name, label, "column", help=text, default=name)


METHOD = declared(
    "consistency",
    "Consistency of reported results",
    "Recomputes p from reported F, t, χ², z, r and q with their degrees of freedom and finds contradictions.",
    consistency,
    _column("text", "Text", "Text that contains results, such as F(3, 147) = 3.48, p = .027."),
    _column("test", "Test", "F, F1, F2, t, chi2, z, r or q."),
    _column("df1", "First degrees of freedom", "For t, χ² and r, the only ones; for q, the number of means."),
    _column("df2", "Second degrees of freedom", "Those of the error term."),
    _column("statistic", "Statistic", "As printed."),
    _column("p", "Reported p", "Such as .027, < .001 or ns."),
    _column("source", "Source", "Paper, study or table that a result comes from."),
    Parameter(
        "n",
        "Participants per result",
        "text",
        help="A column that says how many people took part, or their number, such as 48.",
    ),
    Parameter(
        "n_participants",
        "Participants",
        "integer",
        help="The number of participants, if it is the same for all results.",
    ),
    Parameter("alpha", "Significance level", "number", help="For decisions."),
    Parameter("tails", "Tails of t, z and r", "choice", help="As reported.", choices=("two", "one")),
    group="check",
    question=("Do reported results agree with their p values?",),
    needs=("reported results",),
    example=example,
    tables=(CONSISTENCY,),
)
