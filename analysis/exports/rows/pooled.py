"""Rows of a pool of tasks: those of each task in the columns of all, with the name of the task at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis.codebook.columns import ExportColumn, names
from analysis.exports.cells import Cells
from experiments.models import Study

ColumnsOf = Callable[[Study], tuple[ExportColumn, ...]]
RowsOf = Callable[[Study], Iterator[Cells]]


def joined_rows(study: Study, columns_of: ColumnsOf, rows_of: RowsOf) -> Iterator[Cells]:
    """Yield the rows of every task of a pool, task by task, in the order of `codebook.tables.pooled_columns`.

    A cell is empty where its task has no such column.
    """
    *every, _part = names(columns_of(study))
    for task in study.seen_tasks:
        seen = study.seen_through(task.name)
        place = {name: index for index, name in enumerate(names(columns_of(seen)))}
        places = [place.get(name) for name in every]
        for cells in rows_of(seen):
            yield (*(None if at is None else cells[at] for at in places), task.name)
