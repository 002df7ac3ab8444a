"""Make the table of materials of a list of trials: items, conditions where everybody sees all, attributes. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from experiments.formats.media_names import is_media_name
from experiments.formats.names import numbered
from experiments.materials.columns import nearly
from experiments.materials.other_tools.items import is_filler
from experiments.materials.other_tools.tables import ITEM, folded
from experiments.materials.shapes import MAX_COLUMNS
from experiments.other_tools.pages import plain
from experiments.other_tools.reports import CARRIED, CHANGED, Report, english
from experiments.other_tools.screens.flow import Place

CONDITIONS = ("condition", "cond", "type", "itemtype", "version", "kind", "trialtype", "category")
KINDS = ("type", "item_type", "itemtype", "kind", "trial_type")
MOST_LEVELS, LONGEST_ATTRIBUTE = 12, 1_000
OWN = frozenset(
    ("item", "text", "condition", "item_set", "is_filler", "is_practice", "image", "alt", "audio", "video", "context",
     "question", "choices", "answer", "correct", "prime", "fixation", "forward_mask", "backward_mask", "regions",
     "critical_region", "window", "distractors", "target", "simulated", "mapping", "answer_labels", "prime_ms",
     "fixation_ms", "forward_mask_ms", "backward_mask_ms", "target_ms", "audio_delay_ms", "text_colour", "text_size",
     "areas", "sides")
)  # fmt: skip


@dataclass
class Entry:
    """One text: its cells, the row of the project that it is of, and whether it is practice."""

    cells: Mapping[str, str]
    row: Mapping[str, str]
    practice: bool = False
    filler: bool = False
    item: str = ""
    level: str = ""


@dataclass
class Materials:
    """A table of materials, its factors, and whether everybody sees every condition of an item."""

    header: list[str]
    rows: list[list[str]]
    factors: list[str]


def column_of(name: str, taken: Collection[str] = ()) -> str:
    """Return the name of a column of the project as one of the materials, apart from those with a meaning of their own.

    >>> column_of("Verb Type"), column_of("text"), column_of("phase", {"phase"})
    ('verb_type', 'list_text', 'list_phase')
    """
    own = re.sub(r"\W+", "_", name.strip()).strip("_").casefold()[:50] or "column"
    meant = own in OWN or own in taken or own.startswith("metric_")
    return f"list_{own}" if meant or nearly(own, [one for one in OWN if len(one) > 3]) else own


def materials_of(entries: Sequence[Entry], place: Place, report: Report, *, taken: Collection[str] = ()) -> Materials:
    """Return the table of a list of trials; every row is an item unless a column says which rows are one item.

    `taken` are columns that the data have already.
    """
    return _Table(entries, place, report, taken).materials()


class _Table:
    def __init__(self, entries: Sequence[Entry], place: Place, report: Report, taken: Collection[str]) -> None:
        self.entries, self.place, self.report, self.taken = entries, place, report, taken
        self.factor = _factor([entry for entry in entries if not entry.practice])

    def materials(self) -> Materials:
        self.fillers()
        self.codes()
        entries, factor = self.entries, self.factor
        cells = list(
            dict.fromkeys(["text", *(name for entry in entries for name, cell in entry.cells.items() if cell)])
        )
        own = [] if factor is None else ["condition" if folded(factor) == "condition" else self.column(factor)]
        kinds = ["is_filler", "is_practice"] if any(entry.practice or entry.filler for entry in entries) else []
        header = ["item", *cells, *own, *kinds]
        attributes = self.attributes(header)
        header += list(attributes)
        rows = []
        for entry in entries:
            said = {name: _attribute(entry.row.get(column, "")) for name, column in attributes.items()}
            said |= {**entry.cells, "item": entry.item, "is_filler": str(entry.filler).lower()}
            said |= {"is_practice": str(entry.practice).lower(), **dict.fromkeys(own, entry.level)}
            rows.append([said.get(name, "") for name in header])
        if factor is not None:
            self.report.add(
                CARRIED, self.place.file, self.place.line, english("{name}: conditions", name=self.place.name),
                english("{name}; everybody sees every condition of an item, as there.", name=factor),
            )  # fmt: skip
        return Materials(header, rows, own)

    def column(self, name: str) -> str:
        return column_of(name, self.taken)

    def fillers(self) -> None:
        for entry in self.entries:
            said = [cell for name, cell in entry.row.items() if folded(name) in KINDS and len(cell.split()) < 3]
            entry.filler = not self.factor and any(is_filler(cell) for cell in said)
        if all(entry.filler for entry in self.entries):
            for entry in self.entries:
                entry.filler = False

    def codes(self) -> None:
        """Give every item a code of its own; rows of one item in several conditions share theirs."""
        taken: set[str] = set()
        for number, entry in enumerate(self.entries, start=1):
            bare = _item(entry.row)
            if self.factor and not entry.practice:
                entry.item, entry.level = bare, entry.row[self.factor]
                taken.add(bare)
                continue
            kind = "practice-" if entry.practice else "filler-" if entry.filler else ""
            entry.item = numbered(f"{kind}{bare or number}"[:80], taken)

    def attributes(self, header: Sequence[str]) -> dict[str, str]:
        """Return the further columns of the rows by their names here; those that are shown are cells already."""
        found: dict[str, str] = {}
        left = []
        for name in dict.fromkeys(name for entry in self.entries for name in entry.row):
            values = [entry.row.get(name, "") for entry in self.entries]
            own = self.column(name)
            if name == self.factor or not any(values) or own in header or folded(name) in ITEM:
                continue
            shown = self.is_shown(values)
            if (shown and all(len(value) > 20 for value in values)) or self.is_file(values):
                continue
            late = bool(self.factor) and _varies_within(self.entries, values)
            if late and shown:
                continue
            if own in found or late or any(len(value) > LONGEST_ATTRIBUTE or is_media_name(value) for value in values):
                left.append(name)
                continue
            found[own] = name
        while len(header) + len(found) > MAX_COLUMNS:
            left.append(found.popitem()[1])
        if left:
            self.report.add(
                CHANGED, self.place.file, self.place.line,
                english("{name}: columns {names}", name=self.place.name, names=", ".join(left[:20])),
                english("the materials leave them out: they name files that are not shown, are long, differ within "
                        "items, or are too many."),
            )  # fmt: skip
        return found

    def is_shown(self, values: Sequence[str]) -> bool:
        return all(
            not value or any(_attribute(value) and _attribute(value) in cell for cell in entry.cells.values())
            for value, entry in zip(values, self.entries, strict=True)
        )

    def is_file(self, values: Sequence[str]) -> bool:
        """Return whether a column holds the names of files that are shown."""
        return any(is_media_name(value) for value in values) and all(
            not value or value.split("?")[0].rpartition("/")[2] in entry.cells.values()
            for value, entry in zip(values, self.entries, strict=True)
        )


def _item(row: Mapping[str, str]) -> str:
    column = next((name for name in row if folded(name) in ITEM), None)
    return row[column].strip()[:80] if column is not None else ""


def _factor(entries: Sequence[Entry]) -> str | None:
    """Return the one column that tells the rows of every item apart, with the same levels in all; None without one."""
    by_item: dict[str, list[Entry]] = {}
    for entry in entries:
        by_item.setdefault(_item(entry.row), []).append(entry)
    if "" in by_item or len(by_item) < 2 or any(len(own) < 2 for own in by_item.values()):
        return None
    names = [name for name in entries[0].row if folded(name) not in ITEM and name not in entries[0].cells.values()]
    names.sort(key=lambda name: folded(name) not in CONDITIONS)
    for name in names:
        levels = {tuple(sorted(entry.row.get(name, "") for entry in own)) for own in by_item.values()}
        if len(levels) != 1:
            continue
        own = next(iter(levels))
        if len(set(own)) == len(own) <= MOST_LEVELS and "" not in own and all(len(level) <= 40 for level in own):
            return name
    return None


def _attribute(cell: str) -> str:
    return plain(cell) if "<" in cell or "&" in cell else " ".join(cell.split())


def _varies_within(entries: Sequence[Entry], values: Sequence[str]) -> bool:
    own: dict[str, set[str]] = {}
    for entry, value in zip(entries, values, strict=True):
        own.setdefault(entry.item, set()).add(value)
    return any(len(each) > 1 for each in own.values())
