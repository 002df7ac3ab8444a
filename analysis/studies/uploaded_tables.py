"""Tables that are analysed without a study: kept for their owner, with bounds, and runs on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from analysis.codebook.columns import ExportColumn, Role
from analysis.codebook.kinds import Kind
from analysis.computing.code_version import code_version
from analysis.methods import parameters, registry
from analysis.methods.expressions import DERIVE
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun, TableRun, UploadedTable
from analysis.runs.waking import wake
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults
from experiments.uploads.reading import Unreadable, fault_of, read_in_child
from experiments.uploads.tables import ITEMS, PEOPLE, AnyTable, named_first

MOST_TABLES = 50
UNITS = frozenset(["participant", "item", "system", "subject", "rater", "coder", "list", "text_id", "unit", "marker"])
# A column of numbers with at most so many values, or of words with at most so many, may be a factor.
FEW_NUMBERS, FEW_WORDS = 8, 24


def keep_table(owner: User, data: bytes, name: str) -> UploadedTable:
    """Read an uploaded file in a process of its own and keep its table.

    Raises BadInput, with sentences for the page, where it cannot be read or the person has too many tables.
    """
    if UploadedTable.objects.filter(owner=owner).count() >= MOST_TABLES:
        raise BadInput(
            _(
                "You have %(most)d tables, which is the limit. Delete one that you no longer need, and upload this "
                "one again."
            )
            % {"most": MOST_TABLES}
        )
    try:
        read: AnyTable = read_in_child("experiments.uploads.tables:any_table", data[: MAX_BYTES + 1])
    except MaterialsFaults as found:
        raise BadInput(" ".join(str(fault) for fault in found.faults)) from found
    except Unreadable as error:
        raise BadInput(str(fault_of(error))) from error
    columns = [
        {
            "name": column.name,
            "is_number": column.is_number,
            "distinct": column.distinct,
            "one_for_each": list(column.one_for_each),
        }
        for column in read.columns
    ]
    return UploadedTable.objects.create(
        owner=owner,
        name=PurePosixPath(name.replace("\\", "/")).name[:200] or "table.csv",
        content=read.content,
        columns=columns,
        rows=read.rows,
        first_rows=[list(cells) for cells in read.first_rows],
        said=[str(said) for said in read.said],
    )


def columns_of_table(table: UploadedTable) -> list[ExportColumn]:
    """Return the columns of a table with what each may be for: a measure, a factor, a unit."""
    return [
        ExportColumn(
            str(column["name"]),
            "number" if column["is_number"] else "text",
            "",
            role=_role(str(column["name"]), bool(column["is_number"]), int(column["distinct"])),
        )
        for column in table.columns
    ]


def units_of_table(table: UploadedTable) -> dict[str, Kind]:
    """Return the columns of people and of items, each with what a factor is that has one level for each of them."""
    header = [str(column["name"]) for column in table.columns]
    found: list[tuple[str, Kind]] = [
        (named_first(header, PEOPLE), "between participants"),
        (named_first(header, ITEMS), "between items"),
    ]
    return {name: kind for name, kind in found if name}


def kinds_of_table(table: UploadedTable) -> dict[str, Kind]:
    """Return the kind of every column of a table.

    What has one value for each participant, or each item, differs between them: a factor, or as a number a covariate.
    Tables of which this was not kept have neither.
    """
    units = units_of_table(table)
    ones = {str(column["name"]): [units[unit] for unit in column.get("one_for_each", ())] for column in table.columns}

    def kind_of(column: ExportColumn) -> Kind:
        if column.name in units or column.role == "unit":
            return "unit"
        if column.role == "measure":
            return "covariate" if ones[column.name] else "measure"
        if column.role == "factor":
            return ones[column.name][0] if ones[column.name] else "within"
        return "other"

    return {column.name: kind_of(column) for column in columns_of_table(table)}


def _role(name: str, is_number: bool, distinct: int) -> Role:
    if name.casefold() in UNITS:
        return "unit"
    if is_number:
        return "measure"
    return "factor" if 2 <= distinct <= FEW_WORDS else ""


def checked_table_params(table: UploadedTable, *, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as they are stored. Raises BadInput with all faults together."""
    declared = registry.method_named(method)
    given = {name: value for name, value in params.items() if value not in (None, "", [], ())}
    parameters.read(declared.parameters, given, [str(column["name"]) for column in table.columns])
    order = {name: place for place, name in enumerate([DERIVE, *(one.name for one in declared.parameters)])}
    return dict(sorted(given.items(), key=lambda entry: order.get(entry[0], len(order))))


def request_table_run(table: UploadedTable, *, method: str, params: Mapping[str, Any]) -> TableRun:
    """Return a run of a method on a table: a new one, or one that is the same. Raises BadInput."""
    given = checked_table_params(table, method=method, params=params)
    alike = TableRun.objects.filter(table=table, method=method, params=given, code_version=code_version(method))
    ended_badly = (AnalysisRun.Status.FAILED, AnalysisRun.Status.CANCELLED)
    run = alike.exclude(status__in=ended_badly).defer("report").first()
    if run is None:
        run = TableRun.objects.create(table=table, method=method, params=given, code_version=code_version(method))
        wake()
    return run
