"""Replace names by labels in a report: tables, figures and sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.methods.report import Column, Figure, Report, Table
from analysis.reports.fixed_words import NEVER
from analysis.reports.labels import NUMBER, Labels
from analysis.reports.row_order import in_order_of_reading

# Columns whose cells are names of factors, levels, conditions, coefficients and differences, or sentences about them.
NAMES = frozenset(
    (
        "a", "b", "by", "cell", "comparison", "condition", "contrast", "effect", "effect_of", "factor", "family",
        "group", "hypothesis", "level", "meaning", "model", "of", "panel", "reading_of", "term", "term_a", "term_b",
        "weights",
    )
)  # fmt: skip
# Columns that methods have of their own, often with numbers in them: none holds levels of a factor of its name.
OWN = frozenset(
    (
        "a", "b", "block", "chi2", "d", "df", "df1", "df2", "f", "k", "m", "mean", "n", "p", "q", "r", "rank", "sd",
        "se", "size", "step", "t", "x", "y", "z",
    )
)  # fmt: skip
# Columns with a difference of levels, such as `b − mean of a, c`.
FORMULAS = frozenset(("comparison", "contrast", "hypothesis", "meaning"))
# A name of several words, and not a part of a file, a formula or a quotation.
_NAME = re.compile(r"(?<![\w`./=:*-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w`=:*(-]|\.\w)")
# Texts with these hold a formula or a condition as somebody wrote it.
_FORMULAS = ("~", "Derived column", "satisfied '")
# Tables whose column `group` has the units of random effects.
_OF_UNITS = frozenset(("influence", "random", "units"))


def labelled(report: Report, labels: Labels) -> Report:
    """Return a report as it is shown, with every name and row in place; the report itself where nothing changes.

    Identifiers of tables, columns and figures stay, so that they still lead to the files.
    """
    report = with_columns_named(report, labels.columns) if labels.columns else report
    report = in_order_of_reading(report, {factor: list(levels) for factor, levels in labels.levels.items()})
    labels = labels.within(report)
    if not labels:
        return report
    return replace(
        report,
        tables=tuple(_table(table, labels) for table in report.tables),
        figures=tuple(_figure(figure, report, labels) for figure in report.figures),
        notes=tuple(map(labels.text, report.notes)),
        warnings=tuple(map(labels.text, report.warnings)),
        sentences=tuple(map(labels.text, report.sentences)),
        design=labels.text(report.design),
    )


def with_columns_named(report: Report, columns: Mapping[str, str]) -> Report:
    """Return a report whose words have what columns are called; names of columns, files and formulas stay.

    >>> table = Table("t", "Analysis of variance of rating_z", (), ())
    >>> with_columns_named(Report(tables=(table,)), {"rating_z": "rating (z-score)"}).tables[0].title
    'Analysis of variance of rating (z-score)'
    """

    def said(text: str) -> str:
        is_formula = any(mark in text for mark in _FORMULAS)
        return text if is_formula else _NAME.sub(lambda found: columns.get(found[0], found[0]), text)

    def cells(row: Sequence[Any], are_texts: Sequence[bool]) -> tuple[Any, ...]:
        return tuple(
            columns.get(value, value) if is_text and isinstance(value, str) else value
            for value, is_text in zip(row, are_texts, strict=True)
        )

    tables = []
    for table in report.tables:
        are_texts = [column.format == "text" for column in table.columns]
        headings = tuple(replace(column, label=said(column.label)) for column in table.columns)
        rows = tuple(cells(row, are_texts) for row in table.rows)
        tables.append(replace(table, title=said(table.title), columns=headings, rows=rows))
    figures = (
        replace(
            figure,
            title=said(figure.title),
            caption=said(figure.caption),
            x_label=said(figure.x_label),
            y_label=said(figure.y_label),
        )
        for figure in report.figures
    )
    return replace(
        report,
        tables=tuple(tables),
        figures=tuple(figures),
        notes=tuple(map(said, report.notes)),
        warnings=tuple(map(said, report.warnings)),
        sentences=tuple(map(said, report.sentences)),
        design=said(report.design),
    )


def _table(table: Table, labels: Labels) -> Table:
    names = [column.name for column in table.columns]
    of_factor = names.index("factor") if "factor" in names else None
    values = [[row[place] for row in table.rows] for place in range(len(names))]
    levels = [_levels_of(labels, column, below) for column, below in zip(table.columns, values, strict=True)]
    rows = []
    for row in table.rows:
        about = None if of_factor is None or row[of_factor] not in labels.levels else [row[of_factor]]
        rows.append(
            tuple(
                _shown(value, of, table.name, name, about, labels)
                for name, value, of in zip(names, row, levels, strict=True)
            )
        )
    columns = tuple(_column(column, of, labels) for column, of in zip(table.columns, levels, strict=True))
    return replace(table, title=labels.text(table.title), columns=columns, rows=tuple(rows))


def _shown(
    value: Any, levels: Mapping[str, str] | None, table: str, column: str, about: Sequence[str] | None, labels: Labels
) -> Any:
    if levels is not None:
        return value if value is None else levels[str(value)]
    if column == "group" and table in _OF_UNITS:
        return value
    return cell(labels, column, value, about)


def _column(column: Column, levels: Mapping[str, str] | None, labels: Labels) -> Column:
    """Return a heading as it is shown: that of a factor, where levels of it stand below."""
    if levels is None:
        # Such as `ab: mean`.
        level, colon, what = column.label.partition(": ")
        return replace(column, label=f"{labels.name(level) or level}{colon}{what}") if colon else column
    is_named = labels.names.get(column.name, column.name) != column.name
    # Numbers that have become words are not set on the decimal point.
    is_called = any(level != shown for level, shown in levels.items())
    return replace(
        column,
        label=labels.names[column.name] if is_named else column.label,
        format="text" if is_called else column.format,
    )


def _figure(figure: Figure, report: Report, labels: Labels) -> Figure:
    of_factors = {
        column.name
        for place, column in enumerate(report.table(figure.table).columns)
        if _levels_of(labels, column, [row[place] for row in report.table(figure.table).rows]) is not None
    }
    x = figure.encoding.get("x", "")
    # Numbers have an order whoever names them: what was joined by a line stays so.
    in_order = x in of_factors and all(
        NUMBER.fullmatch(str(value)) for value in report.table(figure.table).frame()[x].dropna()
    )
    return replace(
        figure,
        title=labels.text(figure.title),
        caption=labels.text(figure.caption),
        x_label=_axis(labels, figure.x_label),
        y_label=_axis(labels, figure.y_label),
        ordered=figure.ordered or in_order,
        titles={
            channel: labels.names[figure.encoding[channel]]
            for channel in ("colour", "panel")
            if figure.encoding.get(channel) in of_factors
        },
    )


def cell(labels: Labels, column: str, value: Any, factors: Sequence[str] | None = None) -> Any:
    """Return the value of a cell as it is shown; `factors` are those that its row is about.

    A column with the levels of the factor of its name is another thing: see `_levels_of`.
    """
    if not isinstance(value, str) or column not in NAMES:
        return value
    if factors and column != "factor" and (level := labels.level(value, factors)) is not None:
        return level
    if column == "family" and ": " in value:
        family, what = value.split(": ", 1)
        return f"{labels.name(family) or family}: {what}"
    if column == "model":
        return " + ".join(labels.name(part) or part for part in value.split(" + "))
    shown = labels.name(value)
    if shown is None:
        return labels.formula(value) if column in FORMULAS else labels.text(value)
    return shown


def _levels_of(labels: Labels, column: Column, values: Sequence[Any]) -> Mapping[str, str] | None:
    """Return the levels of the factor whose column this is; None where it is a column that a method calls so."""
    levels = labels.levels.get(column.name)
    if not levels or column.label != column.name or column.name in OWN:
        return None
    return levels if all(value is None or str(value) in levels for value in values) else None


def _axis(labels: Labels, label: str) -> str:
    """Return the title of an axis as it is shown."""
    if label in OWN or label.casefold() in NEVER:
        return label
    return labels.name(label) or labels.text(label)
