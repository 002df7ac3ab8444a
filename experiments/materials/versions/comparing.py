"""What differs between two versions of materials: by item, condition and column. Pure.

A text is known by the code of its item and the levels of its condition. Columns are those of the table that
`materials_csv` writes, apart from the item and the factors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.materials.mapping.kept import CHOICES, COLUMNS, CORRECTIONS
from experiments.materials.shapes import Design, DesignItem, DesignStimulus

Change = Literal["added", "removed", "changed"]
ADDED: Change = "added"
REMOVED: Change = "removed"
CHANGED: Change = "changed"
_Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class CellChange:
    """What a cell said and says; empty where there is none."""

    column: str
    before: str
    after: str


@dataclass(frozen=True)
class TextChange:
    """A text that was added, removed or changed; `cells` are its cells that differ, the text first."""

    change: Change
    item: str
    condition: str
    cells: tuple[CellChange, ...]


@dataclass(frozen=True)
class MaterialsChange:
    """What differs between two versions.

    `texts` come in the order of the later materials, then those that were removed. `mapping` is how columns of the
    table were read otherwise: column, before, after. `factors` says whether factors or the order of their levels
    differ, `order` whether items that both have come in another order, `choices` whether the table was read in other
    steps or with other corrections.
    """

    texts: tuple[TextChange, ...] = ()
    mapping: tuple[CellChange, ...] = ()
    factors: bool = False
    order: bool = False
    choices: bool = False
    numbers: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.texts or self.mapping or self.factors or self.order or self.choices)

    @property
    def plain(self) -> dict[str, Any]:
        """The numbers of texts by kind of change and of changed cells by column, and what else differs, as JSON."""
        others = {"mapping": len(self.mapping), "factors": self.factors, "order": self.order, "choices": self.choices}
        return {**self.numbers, "columns": dict(self.columns), **others}


def compared(before: Design, after: Design) -> MaterialsChange:
    """Return what differs between two designs.

    >>> def design(text, *more):
    ...     items = [DesignItem(code, (DesignStimulus(one),)) for code, one in [("1", text), *more]]
    ...     return Design((), (), tuple(items), ())
    >>> found = compared(design("It rained.", ("2", "Away.")), design("It snowed.", ("3", "New.")))
    >>> [(one.change, one.item, one.cells[0].before, one.cells[0].after) for one in found.texts]
    [('changed', '1', 'It rained.', 'It snowed.'), ('added', '3', '', 'New.'), ('removed', '2', 'Away.', '')]
    >>> found.numbers, found.columns
    ({'added': 1, 'removed': 1, 'changed': 1}, {'text': 1})
    """
    old = dict(_cells(before))
    texts: list[TextChange] = []
    columns: Counter[str] = Counter()
    for key, (item, condition, cells) in _cells(after):
        known = old.pop(key, None)
        if known is None:
            texts.append(TextChange(ADDED, item, condition, _changes({}, cells)))
        elif known[2] != cells and (changes := _changes(known[2], cells)):
            columns.update(one.column for one in changes)
            texts.append(TextChange(CHANGED, item, condition, changes))
    texts += [TextChange(REMOVED, item, condition, _changes(cells, {})) for item, condition, cells in old.values()]
    numbers = Counter(one.change for one in texts)
    here, there = before.reading, after.reading
    return MaterialsChange(
        tuple(texts),
        _changes(here.get(COLUMNS) or {}, there.get(COLUMNS) or {}),
        before.factors != after.factors,
        _order(before, after) != _order(after, before),
        any((here.get(name) or []) != (there.get(name) or []) for name in (CHOICES, CORRECTIONS)),
        {name: numbers[name] for name in (ADDED, REMOVED, CHANGED)},
        dict(columns.most_common()),
    )


def _cells(design: Design) -> Iterator[tuple[_Key, tuple[str, str, dict[str, Any]]]]:
    """Yield every text: its key, the names of its item and condition, and its filled cells by column."""
    conditions = [(tuple(sorted(one.levels.items())), one.name) for one in design.conditions]
    for item in design.items:
        of_item = _of_item(item)
        for stimulus in item.stimuli:
            levels, name = ((), "") if stimulus.condition is None else conditions[stimulus.condition]
            yield (item.code, levels), (item.code, name, _of_text(stimulus) | of_item)


def _of_item(item: DesignItem) -> dict[str, Any]:
    own = {"item_set": item.item_set, "is_filler": item.is_filler, "is_practice": item.is_practice}
    return {name: value for name, value in {**own, **item.attributes}.items() if value not in ("", False, None)}


def _of_text(stimulus: DesignStimulus) -> dict[str, Any]:
    further = {**stimulus.extra, **stimulus.attributes}
    return {"text": stimulus.text, **{name: value for name, value in further.items() if value not in ("", None)}}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[CellChange, ...]:
    return tuple(
        CellChange(name, said, says)
        for name in {**before, **after}
        if (said := _said(before.get(name))) != (says := _said(after.get(name)))
    )


def _said(value: Any) -> str:
    """Return a cell as the table has it."""
    if value is None or value is False:
        return ""
    return "true" if value is True else str(value)


def _order(design: Design, other: Design) -> list[str]:
    """Return the codes of the items that another design has, too, in the order of this one."""
    codes = {item.code for item in other.items}
    return [item.code for item in design.items if item.code in codes]
