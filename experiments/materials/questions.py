"""What a table is asked about before or after it is a design: each a fault whose choice answers it with yes. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.materials.cells import truth
from experiments.materials.columns import CONDITION, Columns, columns_of
from experiments.materials.mapping import CHOICES, DESCRIBE, OWN_ITEMS, TAKE, use_of
from experiments.materials.roles import Roles, Sets, by_set, roles_of, telling, varying, wholes
from experiments.materials.shapes import ATTRIBUTE, FACTOR, LIST, Row, Table, Use
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

QUESTION = "question"
# More sets than this are no experiments.
_MOST_SETS = 12
_OF_QUESTIONS = (QUESTION, CHOICES, "answer")
_LIST_NAMES = re.compile(
    r"(?:lists?|liste|lista|lijst|列表|リスト|목록|список|seznam|groups?|grp|gruppe|groupe|grupo|gruppo|groep|组|グループ|그룹|"
    r"группа|skupina|csoport|version|counterbalanc\w{0,6}|latin\s*square|ls|cb)[\s_.-]{0,3}[0-9a-z]{1,2}"
)


def rows_by_item(table: Table, columns: Columns) -> dict[str, list[Row]]:
    """Return code → rows of the items that are neither fillers nor for practice."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        if not any(truth(columns.cell(row, name)) for name in ("is_filler", "is_practice")):
            groups.setdefault(columns.cell(row, "item"), []).append(row)
    return groups


def list_questions(table: Table, mapping: Mapping[str, str]) -> list[Fault]:
    """Return the question whether a condition whose levels are called like lists says who sees which row.

    >>> table = Table(("item", "condition"), (Row(2, ("1", "list1")), Row(3, ("1", "list2"))))
    >>> [fault.choice for fault in list_questions(table, {})]
    ['take {"condition": "list"}', 'take {"condition": "condition, factor"}']
    """
    name = next((one for one in table.header if one.casefold() == CONDITION), None)
    if name is None or name in table.roles:
        return []
    number = table.header.index(name)
    levels = list(dict.fromkeys(row.cells[number] for row in table.rows if row.cells[number]))
    if len(levels) < 2 or not all(_LIST_NAMES.fullmatch(level.casefold()) for level in levels):
        return []
    column = _column_of(name, mapping)
    message = Sentence(
        "The levels of '{column}' look like names of lists: {levels}. Does the column say who sees which row?",
        column=column,
        levels=listed(levels),
    )
    advice = Sentence("Then it is not a condition, and the platform makes new lists.")
    other = Sentence("Or '{column}' is a condition, and its levels only look like lists.", column=column)
    return [
        _asked(message, advice, {column: LIST}, is_doubtful=True),
        _asked(other, "", {column: f"{name}, {FACTOR}"}),
    ]


def questions_about(
    table: Table, paradigm: Paradigm, mapping: Mapping[str, str], faults: Sequence[Fault], **how: Any
) -> Iterator[Fault]:
    """Yield what may be meant by a table with these faults."""
    columns = columns_of(table, paradigm)
    if "item" not in columns.fixed and not mapping:
        message = Sentence("No column names the items. Perhaps every row is an item of its own.")
        yield Fault(message=message, step="materials", choice=OWN_ITEMS)
    if "item" in columns.fixed and how.get("factors") is None:
        read = _Read.of(table, columns)
        contradicting = [name for name in read.varying if name in read.roles.of_items and name.casefold() != CONDITION]
        if contradicting:
            said = listed(contradicting)
            message = Sentence("Perhaps the values in {columns} belong to each text, not to the item.", columns=said)
            yield Fault(message=message, step="materials", choice=_describe(contradicting))
        yield from _set_questions(read, mapping)
        yield from _describing(read, has_faults=True)
    if any(fault.column in _OF_QUESTIONS for fault in faults) and QUESTION in columns.extra:
        own = [name for name in table.header if name.casefold() in _OF_QUESTIONS]
        said_of = {
            column: str(Use(f"{column.casefold()}_of_text" if column in own else column, {}, ATTRIBUTE))
            for name in own
            for column in _columns_of(name, mapping)
        }
        yield _asked(
            Sentence("Or the study does not ask these questions and keeps them only as attributes of each text."),
            "",
            said_of,
        )


def describing_questions(table: Table, paradigm: Paradigm, **how: Any) -> list[Fault]:
    """Return the questions whether columns only describe the texts, where without them as factors the design is whole.

    There are several where different columns alone would make a whole design; nobody but the researcher knows which.
    """
    columns = columns_of(table, paradigm)
    if how.get("factors") is not None or "item" not in columns.fixed:
        return []
    return list(_describing(_Read.of(table, columns), has_faults=False))


@dataclass(frozen=True)
class _Read:
    """A table with the roles of its free columns, and those that vary within any item."""

    table: Table
    columns: Columns
    items: Mapping[str, Sequence[Row]]
    sets: Sets
    roles: Roles
    varying: Sequence[str]

    @classmethod
    def of(cls, table: Table, columns: Columns) -> _Read:
        items = rows_by_item(table, columns)
        sets = by_set(items, columns)
        roles = roles_of(sets, columns, named=None, said=table.roles)
        return cls(table, columns, items, sets, roles, varying(sets, columns))


def _set_questions(read: _Read, mapping: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the question whether a column names item sets, where the items of each of its values have the same texts.

    All together they have not: the table holds several experiments, or words that are primed and others that are not.
    """
    factors = [read.columns.free[name] for name in read.roles.factors]
    own = {code: frozenset(tuple(row.cells[n] for n in factors) for row in rows) for code, rows in read.items.items()}
    if "item_set" in read.columns.fixed or not factors or len(set(own.values())) < 2:
        return
    for name in read.roles.of_items:
        sets: dict[str, set[frozenset[tuple[str, ...]]]] = {}
        for code, rows in read.items.items() if name not in read.varying else ():
            sets.setdefault(rows[0].cells[read.columns.free[name]], set()).add(own[code])
        if 1 < len(sets) <= _MOST_SETS and "" not in sets and all(len(there) == 1 for there in sets.values()):
            column = _column_of(name, mapping)
            message = Sentence(
                "Items with the same '{column}' have the same conditions. Perhaps it names item sets.",
                column=column,
            )
            yield _asked(message, "", {column: "item_set"})
            return


def _describing(read: _Read, *, has_faults: bool) -> Iterator[Fault]:
    """Yield whether columns describe texts: where others alone make a whole design, or, of a table with other faults,
    where others alone tell the texts of every item apart.
    """
    said_of = read.table.roles
    found = wholes(read.sets, read.columns, read.roles.factors)
    alone = (
        [[name] for name in telling(read.sets, read.columns) if said_of.get(name) != ATTRIBUTE] if has_faults else []
    )
    for kept in found or alone:
        others = [name for name in read.varying if name not in kept and said_of.get(name) != ATTRIBUTE]
        if not others or all(said_of.get(name) == FACTOR for name in others):
            continue
        said = {"kept": listed(kept), "others": listed(others)}
        message = (
            Sentence(
                ("{kept} alone would make a complete design. Perhaps {others} are not factors but describe each text."),
                **said,
            )
            if found
            else Sentence(
                (
                    "{kept} alone tells the texts of items apart. Perhaps {others} are not factors but describe each "
                    "text."
                ),
                **said,
            )
        )
        advice = Sentence("Then say that they are attributes of each text.")
        yield Fault(message=message, suggestion=advice, step="materials", choice=_describe(others))


def _column_of(name: str, mapping: Mapping[str, str]) -> str:
    return _columns_of(name, mapping)[0]


def _columns_of(name: str, mapping: Mapping[str, str]) -> list[str]:
    """Return the columns of the uploaded table that are read under a name."""
    return [column for column, said in mapping.items() if use_of(said).name == name] or [name]


def _describe(names: Sequence[str]) -> str:
    return f"{DESCRIBE} {json.dumps(list(names), ensure_ascii=False)}"


def _asked(message: str, suggestion: str, said: Mapping[str, str], *, is_doubtful: bool = False) -> Fault:
    choice = f"{TAKE} {json.dumps(dict(said), ensure_ascii=False)}"
    return Fault(message=message, suggestion=suggestion, step="materials", choice=choice, is_doubtful=is_doubtful)
