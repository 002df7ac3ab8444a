"""Select the task of an analysis in a study with several tasks: the study seen through it, its name, its label.

A pool of tasks is one task here, under the name of the pool.
"""

from __future__ import annotations

from analysis.methods.report import BadInput
from experiments.formats.faults import enumerated
from experiments.models import Study
from experiments.sentences import Sentence


def through_task(study: Study, part: str) -> Study:
    """Return a study as one of the task or pool of this name, or of its first task where `part` is empty.

    Where the first task is pooled it is its pool. A study of one task is returned as it is. Raises BadInput where it
    has no such task.
    """
    whole = study.seen_through("")
    if part and part not in (known := [*(task.name for task in whole.tasks), *whole.pools]):
        raise BadInput(
            Sentence("The study has no task '{part}'. Its tasks are: {known}.", part=part, known=enumerated(known))
        )
    return whole.seen_through(known_part(whole, part))


def known_part(study: Study, part: str) -> str:
    """Return the name of the task or pool that a run or a plan means; empty for the only task of a study."""
    whole = study.seen_through("")
    first = whole.pool_of(whole.task) or whole.task.name
    return "" if part in ("", first) and not study.has_several_tasks else part or first


def rows_of_parts(study: Study, table: str, part: str) -> str:
    """Return the parts whose rows an analysis reads of an exported table, separated by commas.

    Empty where the table holds no others. `trials` and `codings` hold the rows of all tasks, other tables of a pool
    those of its tasks.
    """
    whole, name = study.seen_through(""), known_part(study, part)
    is_of_pool = any(task.name == name and whole.pool_of(task) for task in whole.tasks)
    if table not in ("trials", "codings") and not is_of_pool:
        return ""
    return ",".join(task.name for task in whole.pools.get(name, ())) or name


def task_label(study: Study, part: str) -> str:
    """Return what researchers read of the task of a run or a plan; empty in a study of one task."""
    name = known_part(study, part)
    return next((task.label for task in study.tasks if task.name == name), name) if name else ""
