"""Turn the trials of a task into a table of materials: items, conditions, fillers, attributes. Pure.

The column Group of a PCIbex table says who sees which row. The lists are made anew from items and conditions; a column
that says the condition is looked for among those that differ within items.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from experiments.formats.media_names import is_media_name
from experiments.formats.names import numbered
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import ITEM, folded
from experiments.materials.shapes import MAX_COLUMNS
from experiments.other_tools.pcibex.tasks import TaskTrial
from experiments.other_tools.pcibex.values import GROUPS
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english

_CONDITIONS = ("condition", "cond", "conditions", "type", "itemtype", "item_type", "version", "kind")
MOST_LEVELS = 12
_OWN = frozenset(
    ("item", "text", "condition", "item_set", "is_filler", "is_practice", "image", "alt", "audio", "context",
     "question",
     "choices", "answer", "correct", "answer_labels", "prime", "prime_ms",
     "fixation", "forward_mask", "backward_mask", "regions", "critical_region",
     "window", "distractors", "target", "simulated")
)  # fmt: skip


@dataclass
class Entry:
    """One text: the trial it comes from, its item and its content as cells."""

    task: TaskTrial
    item: str
    groups: tuple[str, ...]
    cells: dict[str, str]
    levels: dict[str, str] = field(default_factory=dict)
    item_set: str = ""
    filler: bool = False
    practice: bool = False

    @property
    def content(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self.cells.items()))

    @property
    def columns(self) -> Mapping[str, str]:
        return self.task.trial.row or {}


@dataclass
class Materials:
    """A table of materials with the rules of the task that follow from it."""

    header: list[str]
    rows: list[list[str]]
    factors: list[str]
    procedure: dict[str, object]
    lists: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class OwnLists:
    """Lists that are kept as they are: the trials of each, and a code for each text, which is the same in all lists."""

    trials: dict[str, list[TaskTrial]]
    codes: dict[int, str]


def lists_kept(tasks: Sequence[TaskTrial]) -> OwnLists | None:
    """Return the lists of the original, by their groups, where a Latin square would not make them anew; else None.

    It makes them anew where every item has a text for every group, a column tells its conditions, and every group
    has every condition about equally often.
    """
    tables = {row.all_groups for task in tasks if (row := task.trial.row) is not None and row.groups}
    names = max(tables, key=len, default=())
    entries = [_entry(task, place) for place, task in enumerate(tasks, start=1)]
    main = [entry for entry in entries if not entry.practice]
    if len(names) < 2 or any(entry.task.trial.item for entry in main):
        return None
    kept = _merged(main)
    by_item: dict[tuple[str, str], list[Entry]] = {}
    for entry in kept:
        by_item.setdefault((_table(entry), entry.item), []).append(entry)
    if len(tables) == 1 and _is_latin(by_item, set(names)):
        return None
    codes: dict[int, str] = {}
    shown: dict[tuple[object, ...], str] = {}
    for entry in entries:
        key = (_table(entry), entry.item, entry.content)
        if key not in shown:
            shown[key] = str(len(shown) + 1)
        codes[id(entry.task)] = f"{entry.item.lstrip(chr(0)) or 'row'}-{shown[key]}"
    trials: dict[str, list[TaskTrial]] = {name: [] for name in names}
    for task in tasks:
        row = task.trial.row
        for place, name in enumerate(names):
            # Who has the first list has the first group of every table, and so on, from the beginning again.
            if row is None or not row.groups or row.all_groups[place % len(row.all_groups)] in row.groups:
                trials[name].append(task)
    return OwnLists(trials, codes)


def _is_latin(by_item: Mapping[tuple[str, str], list[Entry]], names: set[str]) -> bool:
    several = {f"{table}\x00{item}": own for (table, item), own in by_item.items() if len(own) > 1}
    for own in by_item.values():
        seen = [group for entry in own for group in entry.groups]
        if seen and (len(seen) > len(set(seen)) or set(seen) != names):
            return False
        if len(own) > 1 and not all(entry.groups for entry in own):
            return False
    if not several:
        return True
    factors = _factors(several)
    if not factors:
        return all(_is_label(own) for own in several.values())
    sets = Counter(frozenset(tuple(entry.columns.get(name, "") for name in factors) for entry in own)
                   for own in several.values())  # fmt: skip
    if any(n < len(of) for of, n in sets.items()) and len(sets) > 1:
        return False
    counts: dict[str, Counter[tuple[str, ...]]] = {name: Counter() for name in names}
    levels: dict[tuple[str, ...], int] = {}
    for own in several.values():
        for entry in own:
            level = tuple(entry.columns.get(name, "") for name in factors)
            levels[level] = len(own)
            for group in entry.groups:
                counts[group][level] += 1
    items = Counter(tuple(entry.columns.get(name, "") for name in factors) for own in several.values() for entry in own)
    # A list that lacks a condition, or has it far more or less often than its share, was made on purpose.
    for of in counts.values():
        for level, size in levels.items():
            share = items[level] // size
            if 2 * of[level] < share or of[level] > 2 * share + 1 or (share and not of[level]):
                return False
    return True


def materials_of(
    tasks: Sequence[TaskTrial], *, file: str, report: Report, codes: Mapping[int, str] | None = None
) -> Materials:
    """Return the table of a task; with `codes` every text is an item of its own, called so."""
    entries = [_entry(task, place) for place, task in enumerate(tasks, start=1)]
    if codes is not None:
        for entry in entries:
            entry.item, entry.groups = codes[id(entry.task)], ()
    line = tasks[0].trial.line
    practice = [entry for entry in entries if entry.practice]
    if len(practice) == len(entries):
        practice = []
        for entry in entries:
            entry.practice = False
    main = [entry for entry in entries if not entry.practice]
    lists = _lists(main)
    kept = _merged(main)
    factors, everybody = (
        ([], False) if codes is not None else _designed(kept, lists, file=file, line=line, report=report)
    )
    kept += _merged(practice)
    _codes(kept)
    attributes = _attributes(kept, factors, file=file, line=line, report=report)
    columns = list(
        dict.fromkeys(name for entry in kept for name, cell in entry.cells.items() if cell or name == "text")
    )
    has_sets = len({entry.item_set for entry in kept if entry.item_set}) > 1
    has_kinds = any(entry.filler or entry.practice for entry in kept)
    header = ["item", *(["item_set"] if has_sets else []), *columns, *factors]
    header += ["is_filler", "is_practice"] if has_kinds else []
    header += attributes[: MAX_COLUMNS - len(header)]
    rows = []
    for entry in kept:
        said = {
            **{name: entry.columns.get(column, "") for name, column in _names(attributes, entry).items()},
            **entry.cells,
            **entry.levels,
            "item": entry.item,
            "item_set": entry.item_set,
            "is_filler": str(entry.filler).lower(),
            "is_practice": str(entry.practice).lower(),
        }
        rows.append([said.get(name, "") for name in header])
    procedure: dict[str, object] = {"practice_first": True}
    if factors and everybody:
        procedure["conditions"] = "all"
    return Materials(header, rows, factors, procedure, lists)


def _entry(task: TaskTrial, place: int) -> Entry:
    trial = task.trial
    row: Mapping[str, str] = trial.row or {}
    names = {folded(name): name for name in row}
    column = next((names[name] for name in ITEM if name in names), None)
    if trial.item:
        item = trial.item
    elif column is not None and row[column]:
        item = row[column]
    else:
        item = ""
    groups = tuple(trial.row.groups) if trial.row is not None else ()
    said = [trial.label, *(row[names[name]] for name in ("type", "item_type", "itemtype", "block") if name in names)]
    entry = Entry(task, item or f"\x00{place}", groups, dict(task.cells))
    table = trial.row.table.name if trial.row is not None else ""
    entry.practice = any(is_practice(one) for one in (*said, table.rpartition("/")[2]) if len(one.split()) < 3)
    entry.filler = not entry.practice and any(is_filler(one) for one in said if len(one.split()) < 3)
    return entry


def _lists(entries: Sequence[Entry]) -> dict[str, list[str]]:
    """Return the texts that each group of the original sees; empty without groups."""
    groups: dict[str, list[str]] = {}
    for entry in entries:
        for group in entry.groups:
            groups.setdefault(group, []).append(entry.cells.get("text", ""))
    return groups if len(groups) > 1 else {}


def _merged(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, those once that stand there for each group."""
    found: dict[tuple[object, ...], Entry] = {}
    for place, entry in enumerate(entries):
        row = tuple((k, v) for k, v in entry.columns.items() if folded(k) in _CONDITIONS)
        key = (_table(entry), entry.item, entry.task.trial.condition, entry.content, row) if entry.groups else (place,)
        if key not in found:
            found[key] = entry
        elif set(entry.groups) & set(found[key].groups):
            found[(*key, place)] = entry
        else:
            found[key].groups = tuple(dict.fromkeys((*found[key].groups, *entry.groups)))
    return list(found.values())


def _designed(
    entries: list[Entry], lists: Mapping[str, list[str]], *, file: str, line: int, report: Report
) -> tuple[list[str], bool]:
    """Give the entries levels and sets; return the factors, and whether everybody sees every condition."""
    # A number may be that of a target and of a filler, or of rows of two tables.
    owners: dict[str, set[tuple[str, bool]]] = {}
    for entry in entries:
        owners.setdefault(entry.item, set()).add((_table(entry), entry.filler))
    for entry in entries:
        if len(owners[entry.item]) > 1:
            entry.item = f"{'filler-' if entry.filler else ''}{entry.item}" + (
                f"-{_table(entry)}" if len({table for table, _filler in owners[entry.item]}) > 1 else ""
            )
    by_item: dict[str, list[Entry]] = {}
    for entry in entries:
        by_item.setdefault(entry.item, []).append(entry)
    several = {item: own for item, own in by_item.items() if len(own) > 1}
    ibex = any(entry.task.trial.item for entry in entries)
    if not several:
        if all(entry.filler for entry in entries):
            for entry in entries:
                entry.filler = False
        return [], False
    if not ibex and not lists:
        factors = _factors(several)
        if factors and _crossed(several, factors) and len(several) == len(by_item):
            for own in several.values():
                for entry in own:
                    entry.levels = {name: entry.columns.get(name, "") for name in factors}
            _rename(entries, factors)
            report.add(
                CARRIED, file, line, english("conditions"),
                english("{names}; everybody sees every condition of an item, as there.", names=", ".join(factors)),
            )  # fmt: skip
            return ["condition"] if factors == ["condition"] else _named(factors), True
        for item, own in several.items():
            for number, entry in enumerate(own, start=1):
                entry.item = f"{item.lstrip(chr(0)) or 'row'}-{number}"
        report.add(
            CHANGED, file, line, english("conditions"),
            english("everybody sees every row, so every row is an item of its own; its columns are attributes."),
        )  # fmt: skip
        return [], False
    return _rotated(by_item, several, ibex, file=file, line=line, report=report)


def _rotated(
    by_item: Mapping[str, list[Entry]],
    several: Mapping[str, list[Entry]],
    ibex: bool,
    *,
    file: str,
    line: int,
    report: Report,
) -> tuple[list[str], bool]:
    factors: list[str] = []
    by_item, several = _unmixed(by_item, file=file, line=line, report=report)
    if ibex:
        for own, bare in zip(several.values(), _bare_labels(list(several.values())), strict=True):
            for entry, label in zip(own, bare, strict=True):
                entry.levels = {"condition": label}
        factors = ["condition"]
    else:
        found = _factors(several)
        for own in several.values():
            for number, entry in enumerate(own, start=1):
                if found:
                    entry.levels = {name: entry.columns.get(name, "") for name in found}
                elif len({each.task.trial.label for each in own}) == len(own):
                    entry.levels = {"condition": entry.task.trial.label}
                else:
                    entry.levels = {"condition": entry.groups[0] if entry.groups else str(number)}
        _rename([entry for own in several.values() for entry in own], found)
        factors = _named(found) if found else ["condition"]
    sets: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for item, own in several.items():
        sets.setdefault(tuple(sorted(tuple(entry.levels.values()) for entry in own)), []).append(item)
    for number, (levels, items) in enumerate(sets.items(), start=1):
        name = _prefix([level[0] for level in levels]) or f"set-{number}"
        for item in items:
            for entry in several[item]:
                entry.item_set = name if len(sets) > 1 else ""
                entry.filler = False
    for item, own in by_item.items():
        if item not in several:
            own[0].filler = True
    report.add(
        CARRIED,
        file,
        line,
        english("lists"),
        english(
            "made again by a Latin square from {items} items in {n} conditions.",
            items=len(several),
            n=max(len(own) for own in several.values()),
        ),
    )
    return factors, False


def _unmixed(
    by_item: Mapping[str, list[Entry]], *, file: str, line: int, report: Report
) -> tuple[Mapping[str, list[Entry]], dict[str, list[Entry]]]:
    """Tell rows apart that have one number and are seen by one group: the first of every group are one item."""
    found: dict[str, list[Entry]] = {}
    mixed = 0
    for item, own in by_item.items():
        seen: Counter[str] = Counter()
        number: dict[int, int] = {}
        for entry in own:
            keys = entry.groups or (entry.task.trial.condition,)
            number[id(entry)] = max(seen[key] for key in keys)
            for key in keys:
                seen[key] += 1
        mixed += bool(seen) and max(seen.values()) > 1
        for entry in own:
            entry.item = f"{item}-{number[id(entry)] + 1}" if max(seen.values()) > 1 else item
            found.setdefault(entry.item, []).append(entry)
    if mixed:
        report.add(
            NOT_CARRIED,
            file,
            line,
            english("items"),
            english("one group sees several rows of the same item, for {n} items.", n=mixed),
            english("Give every item a number of its own; here the first rows of all groups are taken as one item."),
        )
    return found, {item: own for item, own in found.items() if len(own) > 1}


def _bare_labels(several: Sequence[Sequence[Entry]]) -> list[list[str]]:
    """Return the conditions of items by their labels, without the name of the item where each item's begin with it.

    The labels `it1-a`, `it1-b`, `it2-a`, `it2-b` of two items have the conditions `a` and `b`.
    """
    labels = [[entry.task.trial.condition for entry in own] for own in several]
    bare = []
    for own in labels:
        first, last = min(own), max(own)
        shared = next((n for n, sign in enumerate(first) if n >= len(last) or sign != last[n]), len(first))
        shared = max((own[0].rfind(sign, 0, shared) + 1 for sign in "-_. "), default=0)
        bare.append([label[shared:] for label in own])
    whole = {label for own in labels for label in own}
    found = {label for own in bare for label in own}
    named = all("" not in own and len(set(own)) == len(own) for own in bare)
    return bare if named and len(found) <= 2 * max(map(len, bare)) and 2 * len(found) <= len(whole) else labels


def _table(entry: Entry) -> str:
    row = entry.task.trial.row
    return row.table.name.rpartition("/")[2].partition(".")[0] if row is not None else ""


def _is_label(own: Sequence[Entry]) -> bool:
    return len({entry.task.trial.label for entry in own}) == len(own)


def _factors(several: Mapping[str, list[Entry]]) -> list[str]:
    """Return the columns that tell the texts of every item apart: one, or two that are crossed; else none."""
    first = next(iter(several.values()))
    columns = [
        name
        for name in first[0].columns
        if folded(name) not in GROUPS and folded(name) not in ITEM and _few(several, name)
    ]
    columns.sort(key=lambda name: (folded(name) not in _CONDITIONS, name != "condition"))
    whole = [name for name in columns if _tells_apart(several, [name])]
    pairs = [list(pair) for pair in itertools.combinations(columns[:8], 2) if _tells_apart(several, pair)]
    named = [name for name in whole if folded(name) in _CONDITIONS]
    if named:
        return named[:1]
    if pairs and all(len(_values(several, name)) > 1 for name in pairs[0]):
        return pairs[0]
    return whole[:1]


def _values(several: Mapping[str, list[Entry]], name: str) -> set[str]:
    return {entry.columns.get(name, "") for own in several.values() for entry in own}


def _few(several: Mapping[str, list[Entry]], name: str) -> bool:
    values = _values(several, name)
    if not 1 < len(values) <= MOST_LEVELS or "" in values or any(len(value) > 40 for value in values):
        return False
    shown = {cell for own in several.values() for entry in own for cell in entry.cells.values()}
    # What is shown tells texts apart and is no condition.
    return not any(value in shown and (" " in value or is_media_name(value)) for value in values)


def _tells_apart(several: Mapping[str, list[Entry]], names: Sequence[str]) -> bool:
    return all(
        len({tuple(entry.columns.get(name, "") for name in names) for entry in own}) == len(own)
        for own in several.values()
    )


def _crossed(several: Mapping[str, list[Entry]], factors: Sequence[str]) -> bool:
    kinds = {
        frozenset(tuple(entry.columns.get(name, "") for name in factors) for entry in own) for own in several.values()
    }
    return len(kinds) == 1


def _named(factors: Sequence[str]) -> list[str]:
    return [_column(name) for name in factors]


def _rename(entries: Sequence[Entry], factors: Sequence[str]) -> None:
    for entry in entries:
        entry.levels = {_column(name) if name in factors else name: level for name, level in entry.levels.items()}


def _column(name: str) -> str:
    """Return the name of a column of the script as one of the materials, apart from those with a meaning of their own.

    >>> _column("Verb Type"), _column("text")
    ('verb_type', 'table_text')
    """
    own = re.sub(r"\W+", "_", name.strip()).strip("_").casefold()[:50] or "column"
    return own if own == "condition" or own not in _OWN else f"table_{own}"


def _attribute(name: str, factors: Sequence[str]) -> str:
    """Return the name of a column that only describes items; `condition` would be read as a factor."""
    column = _column(name)
    return f"table_{column}" if column == "condition" and column not in factors else column


def _prefix(labels: Sequence[str]) -> str:
    """Return what labels begin with, up to the end of a word where they have several.

    >>> _prefix(["agr_match", "agr_mismatch"]), _prefix(["rel1", "rel2"])
    ('agr', 'rel')
    """
    shared = labels[0]
    for label in labels[1:]:
        while not label.startswith(shared):
            shared = shared[:-1]
    whole = re.match(r"(.*)[^A-Za-z0-9]", shared)
    return re.sub(r"[^A-Za-z0-9]+$", "", whole[1] if whole and whole[1] else shared)


def _codes(entries: Sequence[Entry]) -> None:
    """Give every item a code that no other item has: practice, fillers and targets are told apart."""
    codes: dict[tuple[object, ...], str] = {}
    taken: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        kind = "practice" if entry.practice else "filler" if entry.filler else ""
        bare = entry.item if not entry.item.startswith("\x00") else str(number)
        key = (kind, entry.item, 0 if entry.levels else number)
        if key not in codes:
            codes[key] = numbered((f"{kind}-{bare}" if kind else bare)[:90], taken)
        entry.item = codes[key]


def _attributes(entries: Sequence[Entry], factors: Sequence[str], *, file: str, line: int, report: Report) -> list[str]:
    """Return the further columns of the rows that are the same in all texts of an item."""
    names = list(dict.fromkeys(name for entry in entries for name in entry.columns))
    kept, left = [], []
    for name in names:
        column = _attribute(name, factors)
        if column in factors or folded(name) in ITEM or folded(name) in GROUPS or column in kept:
            continue
        values = [entry.columns.get(name, "") for entry in entries]
        if all(value in ("", entry.cells.get("text")) for value, entry in zip(values, entries, strict=True)):
            continue
        own: dict[str, set[str]] = {}
        for entry, value in zip(entries, values, strict=True):
            own.setdefault(entry.item, set()).add(value)
        if any(len(each) > 1 for each in own.values()):
            if not _is_shown(name, entries):
                left.append(name)
            continue
        if any(len(value) > 1000 for value in values) or any(is_media_name(value) for value in values):
            if not _is_shown(name, entries):
                left.append(name)
            continue
        kept.append(column)
    if left:
        report.add(
            CHANGED,
            file,
            line,
            english("columns {names}", names=", ".join(left[:20])),
            english(
                "the materials leave them out: they differ between the texts of an item and are no condition, or name "
                "files that are not shown."
            ),
        )
    return kept


def _is_shown(name: str, entries: Sequence[Entry]) -> bool:
    """Return whether a column is among what is shown, so that nothing of it is lost."""
    return all(
        not (value := entry.columns.get(name, "")) or any(value in cell for cell in entry.cells.values())
        for entry in entries
    )


def _names(attributes: Sequence[str], entry: Entry) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in entry.columns:
        for column in (_column(name), f"table_{_column(name)}"):
            if column in attributes:
                found.setdefault(column, name)
    return found
