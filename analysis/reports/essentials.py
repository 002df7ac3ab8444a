"""Select the essentials of a report: one table, and of wide tables the columns that a paper prints.

Everything else of a report is folded below, and every column is in the file. A method that is not named here begins
with its first table. Of a table that is wider than a sheet of paper, columns that are declared as details are left out
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil

from analysis.methods import registry
from analysis.methods.report import Figure, Importance, Report, Table

# A table longer than this lists data rather than results.
ROWS_SHOWN = 60
# What a reader needs first fits two screens of 1,280 by 900 pixels: so many rows of the table to read first, so many
# sentences and warnings of together so many characters, and a figure that is drawn so high.
ROWS_FIRST = 12
SENTENCES_FIRST = 4
WARNINGS_FIRST = 3
CHARACTERS_FIRST = 450
TALLEST_FIRST = 480
# Heights in which `figure_marks` draws, in pixels: a label with its interval, all other kinds, the axis with its words.
HEIGHT_OF_LABEL, HEIGHT_OF_PICTURE, HEIGHT_OF_AXIS = 20, 320, 60
PANELS_BESIDE = 3

# The first of these tables that a report has and that has rows is the one to read first.
FIRST: Mapping[str, tuple[str, ...]] = {
    "normalise": ("rankings",),
    "lmm": ("anova", "fixed"),
    "glmm": ("anova", "fixed"),
    "ordinal": ("anova", "fixed"),
    "multinomial": ("anova", "fixed"),
    "reading": ("conditions",),
    "signal-detection": ("cells",),
    "production-norms": ("items",),
    "text-profile": ("systems", "differences", "matching", "profile"),
    "perturb": ("summary",),
}

# Table → columns, in the order in which they are printed; where its columns are not declared, or depend on the outcome.
# Of every other table the importance that its columns declare decides (`analysis.methods.columns`).
COLUMNS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("lmm", "anova"): ("effect", "df1", "df2", "f", "p"),
    ("lmm", "fixed"): ("term", "estimate", "se", "df", "t", "p", "ci_low", "ci_high"),
    ("glmm", "fixed"): (
        "term", "estimate", "se", "z", "p", "odds_ratio", "or_low", "or_high", "rate_ratio", "rr_low", "rr_high",
        "mean_ratio", "mr_low", "mr_high",
    ),
    ("multinomial", "fixed"): (
        "outcome", "term", "estimate", "se", "z", "p", "p_outcomes", "odds_ratio", "or_low", "or_high",
    ),
    ("multinomial", "comparisons"): (
        "outcome", "factor", "by", "a", "b", "probability_diff", "probability_diff_low", "probability_diff_high",
        "odds_ratio", "or_low", "or_high", "p",
    ),
    ("ordinal", "fixed"): ("term", "estimate", "se", "z", "p", "odds_ratio", "or_low", "or_high"),
    ("lmm", "comparisons"): (
        "factor", "by", "a", "b", "geometric_mean_diff", "geometric_mean_diff_low", "geometric_mean_diff_high",
        "ratio", "ratio_low", "ratio_high", "diff", "ci_low", "ci_high", "p", "d", "d_low", "d_high",
    ),
    ("glmm", "comparisons"): (
        "outcome", "factor", "by", "a", "b", "probability_diff", "probability_diff_low", "probability_diff_high",
        "expected_diff", "expected_diff_low", "expected_diff_high", "odds_ratio", "or_low", "or_high", "rate_ratio",
        "rr_low", "rr_high", "mean_ratio", "mr_low", "mr_high", "p",
    ),
    ("ordinal", "comparisons"): (
        "factor", "by", "a", "b", "points_diff", "points_diff_low", "points_diff_high", "odds_ratio", "or_low",
        "or_high", "p",
    ),
    **{(method, "units"): ("group", "unit", "term", "estimate", "se", "ci_low", "ci_high", "effect")
       for method in ("lmm", "glmm", "ordinal")},
    **{(method, "influence"): ("group", "unit", "term", "estimate", "without", "change", "change_se")
       for method in ("lmm", "glmm")},
    ("reading", "aoi"): ("participant", "text", "condition", "aoi", "first_pass", "go_past", "total_duration"),
    ("reading", "text"): ("participant", "text", "condition", "total_time", "visits", "transitions", "regressions"),
}  # fmt: skip


def is_listing(table: Table) -> bool:
    """Say whether a table lists data rather than results."""
    return len(table.rows) > ROWS_SHOWN


def first_table(report: Report) -> Table | None:
    """Return the table to read first, or None where the report has none: one with results where there is any."""
    by_name = {table.name: table for table in report.tables if table.rows and not is_listing(table)}
    named = (by_name[name] for name in FIRST.get(report.method, ()) if name in by_name)
    return next(named, None) or next(iter(by_name.values()), None) or next(iter(report.tables), None)


def first_figure(report: Report, table: Table | None) -> Figure | None:
    """Return the figure to see first, one of that table where there is any; None where all are taller than a screen."""
    low = [figure for figure in report.figures if height_of(report, figure) <= TALLEST_FIRST]
    of_table = [figure for figure in report.figures if table is not None and figure.table == table.name]
    return next((figure for figure in of_table if figure in low), None) or next(iter([] if of_table else low), None)


def height_of(report: Report, figure: Figure) -> int:
    """Return about how many pixels high a figure is drawn.

    >>> from analysis.methods.report import Column
    >>> rows = tuple((f"text {number}", number) for number in range(30))
    >>> table = Table("scores", "Scores", (Column("text", "Text", "text"), Column("score", "Score")), rows)
    >>> figure = Figure("scores", "Scores", "intervals", "scores", {"x": "score", "y": "text"})
    >>> height_of(Report("any", {}, (table,)), figure)
    660
    """
    levels = {
        channel: len({line[figure.encoding[channel]] for line in report.table(figure.table).lines()})
        if channel in figure.encoding
        else 1
        for channel in ("y", "colour", "panel")
    }
    one = HEIGHT_OF_LABEL * levels["y"] * levels["colour"] if figure.kind == "intervals" else HEIGHT_OF_PICTURE
    return ceil(levels["panel"] / PANELS_BESIDE) * (one + HEIGHT_OF_AXIS)


def parted(texts: Sequence[str], *, most: int) -> tuple[Sequence[str], Sequence[str]]:
    """Return the texts to read first, at least one and at most so many, and those that are folded.

    >>> parted(["a" * 300, "b" * 120, "c" * 90], most=4)[1] == ["c" * 90]
    True
    >>> parted(["a" * 900, "b"], most=4)[1]
    ['b']
    """
    count = 1
    while count < min(most, len(texts)) and sum(map(len, texts[: count + 1])) <= CHARACTERS_FIRST:
        count += 1
    return texts[:count], texts[count:]


def importances(method: str, table: Table) -> Mapping[str, Importance]:
    """Return the importance of the columns of a table by their names; of a method that is not there, none.

    A column that is not declared is a main one.

    >>> from analysis.methods.report import Column
    >>> table = Table("minf", "minF′", (Column("effect", "Effect", "text"), Column("minf", "minF′")), ())
    >>> importances("min-f", table)
    {'effect': 'main', 'minf': 'key'}
    """
    known = _declared(method).get(table.name, {})
    named = COLUMNS.get((method, table.name))
    found: dict[str, Importance] = {column.name: known.get(column.name, "main") for column in table.columns}
    if named is not None:
        found |= {name: "detail" for name in found if name not in named}
    return found


def declared_order(method: str, table: Table) -> Sequence[str]:
    """Return by which columns the rows of a table are shown, as its declaration says; empty where by none."""
    methods = registry.analyses()
    tables = methods[method].tables if method in methods else ()
    return next((declared.order for declared in tables if declared.name == table.name), ())


@cache
def _declared(method: str) -> Mapping[str, Mapping[str, Importance]]:
    methods = registry.analyses()
    return {table.name: table.importances() for table in methods[method].tables} if method in methods else {}


def essential_columns(method: str, table: Table) -> Sequence[str]:
    """Return the names of the columns that a paper prints of a table where not all fit a page, in their order."""
    of = importances(method, table)
    named = COLUMNS.get((method, table.name), ())
    order = sorted(of, key=lambda name: named.index(name) if name in named else -1) if named else list(of)
    return [name for name in order if of[name] != "detail"]


def key_columns(method: str, table: Table) -> Sequence[str]:
    """Return the names of the columns that a table is named after: no page and no paper leaves them out."""
    return [name for name, importance in importances(method, table).items() if importance == "key"]
