"""Join the reports on several outcomes, with p adjusted by Holm over outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis.methods.adjusted import holm
from analysis.methods.columns import TableDeclaration
from analysis.methods.mixed.reported import several
from analysis.methods.report import Column, Report

OUTCOME = Column("outcome", "Outcome", "text", meaning="The outcome.")
CORRECTED = Column(
    "p_outcomes", "p (Holm over outcomes)", "p", meaning="p adjusted over the outcomes of the same term or effect."
)


def with_outcomes(table: TableDeclaration) -> TableDeclaration:
    """Return a table as a report on several outcomes has it."""
    made = several.of_several(table, OUTCOME, [CORRECTED])
    return replace(made, optional=made.optional | {OUTCOME.name, CORRECTED.name} & set(made.names()))


def joined(reports: Mapping[str, Report], refused: Mapping[str, str]) -> Report:
    """Return one report: rows of every outcome under each other with Holm's p over the outcomes of the same term or
    effect, remarks that differ with the outcome's name.
    """
    tables = (
        several.joined(name, reports, OUTCOME, lambda title, first: title.replace(first, "each outcome"))
        for name in several.names_of(reports)
    )
    return replace(
        next(iter(reports.values())),
        tables=tuple(several.adjusted(table, {CORRECTED: holm}) for table in tables),
        scripts={
            f"{number}-{file}": script
            for number, report in enumerate(reports.values(), start=1)
            for file, script in report.scripts.items()
        },
        notes=tuple(several.said_once({name: report.notes for name, report in reports.items()})),
        warnings=(
            *(f"{name} was left out. {why}" for name, why in refused.items()),
            *several.said_once({name: report.warnings for name, report in reports.items()}),
        ),
    )
