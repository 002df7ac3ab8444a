"""Several outcomes in one report: tables with a column `outcome`, and Holm's correction over outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis.methods.adjusted import holm
from analysis.methods.report import Column, Report, Table
from analysis.methods.wording import listed

OUTCOME = Column("outcome", "Outcome", "text")
CORRECTED = Column("p_outcomes", "p (Holm over outcomes)", "p")


def joined(reports: Mapping[str, Report], refused: Mapping[str, str]) -> Report:
    """Return one report: rows of every outcome under each other, remarks that differ with the outcome's name."""
    tables: dict[str, Table] = {}
    for name, report in reports.items():
        for table in report.tables:
            lines = tuple((name, *row) for row in table.rows)
            known = tables.get(table.name)
            made = Table(table.name, table.title.replace(name, "each outcome"), (OUTCOME, *table.columns), lines)
            tables[table.name] = made if known is None else replace(known, rows=(*known.rows, *lines))
    first = next(iter(reports.values()))
    return replace(
        first,
        tables=tuple(tables.values()),
        scripts={
            f"{number}-{file}": script
            for number, report in enumerate(reports.values(), start=1)
            for file, script in report.scripts.items()
        },
        notes=_shared({name: report.notes for name, report in reports.items()}),
        warnings=(
            *(f"{name} was left out. {why}" for name, why in refused.items()),
            *_shared({name: report.warnings for name, report in reports.items()}),
        ),
    )


def with_holm(tables: tuple[Table, ...]) -> tuple[Table, ...]:
    """Add Holm's p over the outcomes of the same term or effect."""
    made = []
    for table in tables:
        names = [column.name for column in table.columns]
        key = next((name for name in ("term", "effect") if name in names), None)
        if table.name not in ("fixed", "anova") or key is None:
            made.append(table)
            continue
        corrected: list[float | None] = [None] * len(table.rows)
        for label in dict.fromkeys(row[names.index(key)] for row in table.rows):
            family = [place for place, row in enumerate(table.rows) if row[names.index(key)] == label]
            for place, p in zip(family, holm([table.rows[place][names.index("p")] for place in family]), strict=True):
                corrected[place] = p
        rows = tuple((*row, p) for row, p in zip(table.rows, corrected, strict=True))
        made.append(replace(table, columns=(*table.columns, CORRECTED), rows=rows))
    return tuple(made)


def _shared(texts: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return what holds for every outcome once, and the rest with the names of its outcomes."""
    names: dict[str, list[str]] = {}
    for name, found in texts.items():
        for text in found:
            names.setdefault(text, []).append(name)
    everywhere = [text for text, whose in names.items() if len(whose) == len(texts)]
    own = [f"{listed(whose)}: {text}" for text, whose in names.items() if len(whose) < len(texts)]
    return (*everywhere, *own)
