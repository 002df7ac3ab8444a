"""The form that asks which column of a table is what, and which steps of reading it are taken."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED
from experiments.materials.from_files import Said
from experiments.materials.mapping import CHOICES, CORRECTED, LEFT_OUT, Correction, sound_corrections, undone
from experiments.materials.shapes import (
    ATTRIBUTE,
    FACTOR,
    ITEM,
    KIND,
    LIST,
    MAX_COLUMNS,
    MAX_NAME,
    PART,
    RIGHT,
    AskedColumn,
    AskedColumns,
    Use,
)

# What a column can be beside the names that it can have.
AS_CALLED, LEVEL = "=", "level"
# What is told apart here and is one role of a mapping, or none: one of the choices, and names of items, too.
CHOICE, NAMES_ITEMS = "choice", "names-items"
USES = (
    (LEVEL, gettext_lazy("texts of one condition")),
    (PART, gettext_lazy("a region of the text")),
    (NAMES_ITEMS, gettext_lazy("also names the items")),
    (CHOICE, gettext_lazy("one of the choices")),
    (RIGHT, gettext_lazy("the right choice")),
    (FACTOR, gettext_lazy("a factor")),
    (ATTRIBUTE, gettext_lazy("an attribute of each text")),
    (KIND, gettext_lazy("says whether it is a filler, practice or an item")),
    (LIST, gettext_lazy("the list: who sees which row")),
    (LEFT_OUT, gettext_lazy("left out")),
)
# Of one column: names, roles and levels together are no longer.
MAX_SAID = 4 * MAX_NAME
# Cells that one form corrects: each has two fields.
MOST_CELLS = 300


class ColumnsForm(forms.Form):
    """What a researcher says of every column, with the table that the form carries.

    Fields of column n: `column-n`, its name; `use-n`, what it is; `called-n`, the name that it has as such; `level-n`,
    the level or, of several factors, the levels of its texts. `choice` is a step to leave out, or to take. `cell-at`
    and `cell`, once for every field of a cell: where it is, as line:column, and what it says; `corrections` are those
    that were made before.
    """

    name = forms.CharField(required=False, max_length=200)
    unread = forms.CharField(required=False, strip=False)
    factor = forms.CharField(required=False, max_length=MAX_NAME)
    choices = forms.CharField(required=False, max_length=20_000)
    choice = forms.CharField(required=False, max_length=20_000)
    repair = forms.BooleanField(required=False)

    def said(self) -> Said:
        """Return the mapping and the choices; of columns that are what they are called the mapping says nothing."""
        data = self.data
        factor = _plain(data.get("factor", "")) or CONDITION
        columns: dict[str, str] = {}
        for number in range(MAX_COLUMNS):
            column, use = data.get(f"column-{number}", ""), data.get(f"use-{number}", AS_CALLED)
            if not column or use == AS_CALLED:
                continue
            called = data.get(f"called-{number}", "").strip()[:MAX_NAME]
            if use == LEVEL:
                columns[column] = _levels(called or "text", data.get(f"level-{number}", "").strip(), column, factor)
            elif use == PART:
                place = data.get(f"level-{number}", "").strip()
                columns[column] = str(Use(_plain(called) or "text", {}, PART, _place(place)))
            elif use in (CHOICE, RIGHT):
                columns[column] = f"{CHOICES}, {PART if use == CHOICE else RIGHT}"
            elif use in (FACTOR, ATTRIBUTE, KIND, NAMES_ITEMS):
                columns[column] = f"{_plain(called) or _plain(column)}, {ITEM if use == NAMES_ITEMS else use}"
            else:
                columns[column] = use[:MAX_NAME]
        chosen = [*_list_of(data.get("choices", "")), *filter(None, [data.get("choice", "")])]
        is_undone = f"-{CORRECTED}" in chosen
        chosen = [choice[:20_000] for choice in chosen if choice != f"-{CORRECTED}"]
        return Said(*undone(columns, chosen), () if is_undone else self._corrections())

    def _corrections(self) -> tuple[Correction, ...]:
        """Return the cells that were corrected before, and those that fields of the form correct."""
        kept = {(one.line, one.column): one for one in carried_corrections(self.data.get("corrections", ""))}
        lists = self.data if isinstance(self.data, QueryDict) else QueryDict()
        for place, text in list(zip(lists.getlist("cell-at"), lists.getlist("cell"), strict=False))[:MOST_CELLS]:
            line, _colon, column = place.partition(":")
            if line.isdecimal() and len(line) < 8:
                one = {"line": int(line), "column": column, "text": text.replace("\r\n", "\n")}
                for sound in sound_corrections([one]) or ():
                    kept[sound.line, sound.column] = sound
        return tuple(kept.values())


@dataclass(frozen=True)
class ColumnRow:
    """One column in the form: its choices, which of them is made, what it is called as such, and its level."""

    column: AskedColumn
    chosen: str
    names: Sequence[str]
    called: str
    level: str


def rows_of(asked: AskedColumns, further: Sequence[str]) -> list[ColumnRow]:
    """Return the rows of the form; `further` are the names of columns that the paradigm reads."""
    return [_row(column, further) for column in asked.columns]


def factor_of(asked: AskedColumns) -> str:
    """Return the factor whose levels columns with texts hold, as far as there is one only."""
    factors = dict.fromkeys(factor for column in asked.columns for factor in column.use.levels)
    return next(iter(factors)) if len(factors) == 1 else CONDITION


def _row(column: AskedColumn, further: Sequence[str]) -> ColumnRow:
    use = column.use
    chosen = _chosen(column, use)
    names = [*REQUIRED, CONDITION, *OPTIONAL, *further]
    names += [] if chosen == AS_CALLED or chosen in names or chosen in dict(USES) else [chosen]
    levels = [str(use.place)] if use.place else list(use.levels.values())
    level = levels[0] if len(levels) == 1 else ", ".join(f"{factor}={one}" for factor, one in use.levels.items())
    called = use.name if chosen in (LEVEL, PART, FACTOR, ATTRIBUTE, KIND, NAMES_ITEMS) else ""
    return ColumnRow(column, chosen, [name for name in names if name != column.name], called, level)


def _chosen(column: AskedColumn, use: Use) -> str:
    if use.is_left_out:
        return LEFT_OUT
    if use.levels:
        return LEVEL
    if use.role == ITEM:
        return NAMES_ITEMS
    if use.role == PART and use.name == CHOICES:
        return CHOICE
    return use.role or (AS_CALLED if column.is_unchanged else use.name)


def _levels(name: str, level: str, column: str, factor: str) -> str:
    if "=" in level:
        return f"{name}, {level[:MAX_SAID]}"
    return f"{name}, {factor}={_plain(level) or _plain(column)}"


def _place(said: str) -> int:
    """Return the place of a part that a form says, from 1 to 99; 0 where it says none."""
    return int(said) if said.isascii() and said.isdigit() and 0 < int(said[:3]) < 100 else 0


def _list_of(said: str) -> list[str]:
    try:
        found = json.loads(said or "[]")
    except ValueError:
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _plain(said: str) -> str:
    """Return a name without the signs that divide a mapping."""
    return " ".join(re.sub(r"[,=]", " ", said).split())[:MAX_NAME]


def carried_corrections(said: str) -> tuple[Correction, ...]:
    """Return the corrections that a form carries; none where they make no sense."""
    try:
        return sound_corrections(json.loads(said or "[]")) or ()
    except ValueError:
        return ()


def carried_said(data: Mapping[str, Any]) -> Said | None:
    """Return what a form carries of columns and choices, to store a table as it was looked at; None where nothing."""
    try:
        found = json.loads(data.get("said") or "null")
    except ValueError:
        return None
    if not isinstance(found, dict) or not isinstance(found.get("columns"), dict):
        return None
    columns = {str(name): str(said)[:MAX_SAID] for name, said in list(found["columns"].items())[:MAX_COLUMNS]}
    choices = [str(one) for one in found.get("choices") or ()]
    return Said(columns, choices, sound_corrections(found.get("corrections") or []) or ())
