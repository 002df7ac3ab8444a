"""Derived columns in codebooks: of which columns the analyses of a plan make them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.codebook.columns import ColumnType, ExportColumn
from analysis.methods.expressions import DERIVE, Derived, kind_of, parsed
from analysis.methods.report import BadInput

TYPES: Mapping[str, ColumnType] = {"boolean": "boolean", "text": "text"}


def derived_column(column: Derived) -> ExportColumn:
    """Return a derived column as one that a form can offer and a codebook explain.

    >>> from analysis.methods.expressions import parsed
    >>> column = derived_column(parsed("garbled = code_3 or code_4")[0])
    >>> column.type, column.description
    ('boolean', 'Not in the file; planned analyses derive it: code_3 or code_4.')
    """
    kind = TYPES.get(kind_of(column.expression), "number")
    return ExportColumn(column.name, kind, f"Not in the file; planned analyses derive it: {column.written}.")


def derived_of_plan(plan: Mapping[str, Any]) -> dict[str, tuple[ExportColumn, ...]]:
    """Return the columns that the analyses of a plan derive, each once, by the table of which they are made."""
    found: dict[str, dict[str, ExportColumn]] = {}
    for analysis in plan.get("analyses", []):
        try:
            columns = parsed(str(analysis.get("params", {}).get(DERIVE, "")))
        except BadInput:
            continue
        of_table = found.setdefault(analysis.get("table", "trials"), {})
        of_table |= {column.in_words: derived_column(column) for column in columns}
    return {table: tuple(columns.values()) for table, columns in found.items() if columns}
