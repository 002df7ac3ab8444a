"""Turn a table into the platform's own shape, as a mapping says of its columns, and say every step. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.formats.words import is_without_spaces
from experiments.materials.columns import CONDITION
from experiments.materials.mapping.answers import ANSWER, CHOICES, columns_by_letters, letters_of
from experiments.materials.mapping.synonyms import TARGETS
from experiments.materials.mapping.uses import use_of
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import folded
from experiments.materials.shapes import (
    ATTRIBUTE,
    FACTOR,
    ITEM,
    KIND,
    LIST,
    MAX_COLUMNS,
    MAX_ROWS,
    PART,
    RIGHT,
    LeftOut,
    MaterialsFaults,
    Row,
    Table,
    Use,
)
from experiments.sentences import Sentence, counting

Levels = frozenset[tuple[str, str]]
# Steps that are taken or left out as a whole; see `Fault.choice`.
LISTS, ROTATED, REPEATED, FOOTNOTES = "lists", "rotated", "repeated", "footnotes"
# The choice to number the items of a table that needs no mapping otherwise.
OWN_ITEMS = "own_items"
# More conditions than lists can be counted out by the letters of the alphabet.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_OTHERS = ("is_filler", "is_practice")
_SHOWN = ("text", "image", "audio", "video")


@dataclass
class _Plan:
    """What every column is read as, by its number in the table."""

    plain: dict[int, str] = field(default_factory=dict)
    # Levels of a condition → name → the columns that hold it there: one, or several that are its regions.
    conditions: dict[Levels, dict[str, list[int]]] = field(default_factory=dict)
    # Levels of a condition in the order in which they were first written.
    named: dict[Levels, Mapping[str, str]] = field(default_factory=dict)
    parts: dict[str, list[int]] = field(default_factory=dict)
    kinds: list[int] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)
    # Columns that name the items besides being something else, and those that hold the right one of the choices.
    items: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def mapped(table: Table, mapping: Mapping[str, str], choices: Sequence[str] = (), *, separator: str = " | ") -> Table:
    """Return the table with its columns as the mapping says; unchanged without a mapping or a choice.

    `choices` are steps that are decided otherwise than usually, as `Fault.choice` names them; `separator` divides the
    regions of a text that stand in columns of their own. A table in which no column is `item` gets one with the number
    of the row. Raises MaterialsFaults with all faults.

    >>> wide = Table(("item", "s", "o"), (Row(2, ("1", "He saw us.", "We saw him.")),))
    >>> long = mapped(wide, {"s": "text, clause=subject", "o": "text, clause=object"})
    >>> long.header, [row.cells for row in long.rows]
    (('item', 'text', 'clause'), [('1', 'He saw us.', 'subject'), ('1', 'We saw him.', 'object')])
    >>> [str(step.message) for step in long.warnings]
    ["'s', 'o' contain text at levels of clause: 1 row gave 2."]
    >>> regions = Table(("item", "r1", "r2"), (Row(2, ("1", "The baker", "left.")),))
    >>> mapped(regions, {"r1": "text, part", "r2": "text, part"}).rows[0].cells
    ('1', 'The baker | left.')
    """
    if not mapping and OWN_ITEMS not in choices:
        return _once(table) if REPEATED in choices else table
    uses, faults = _uses(table, mapping)
    if faults:
        raise MaterialsFaults(faults, table.warnings)
    plan = _plan(table, uses)
    factors = list(dict.fromkeys(factor for named in plan.named.values() for factor in named))
    told = list(dict.fromkeys(name for there in plan.conditions.values() for name in there))
    answered = [ANSWER] if plan.right and ANSWER not in map(folded, plan.plain.values()) else []
    names = [*plan.plain.values(), *plan.parts, *answered]
    coded = next((number for number, name in plan.plain.items() if folded(name) == "item"), None)
    has_items = coded is not None
    kinds = [name for name in _OTHERS if plan.kinds and name not in map(folded, names)]
    header = [*([] if has_items else ["item"]), *names, *told, *factors, *kinds]
    faults = plan.faults + _header_faults(header, list(plan.named.values()), factors, table)
    if faults:
        raise MaterialsFaults(faults, table.warnings)
    table, footnotes = _without_footnotes(table, plan, coded, choices)
    by_letters = _lettered(table, plan)
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    in_list: dict[int, tuple[str, ...]] = {}
    for place, row in enumerate(table.rows, start=1):
        kind = _kind_of(row, plan.kinds)
        code = _code(row, place, plan.items, coded)
        own = [] if has_items else [code]
        for number in plan.plain:
            cell = row.cells[by_letters.get(number, {}).get(row.cells[number].casefold(), number)]
            # The word filler is no level of a condition.
            own.append(code if number == coded else "" if any(kind) and number in plan.kinds else cell)
        own += [_joined(row, numbers, _divider(name, separator)) for name, numbers in plan.parts.items()]
        own += [_joined(row, plan.right, _divider(CHOICES, separator)) for _name in answered]
        end = [str(one).lower() for name, one in zip(_OTHERS, kind, strict=True) if name in kinds]
        before = len(rows)
        if not plan.conditions:
            rows.append(Row(row.line, (*own, *end)))
        for levels, there in plan.conditions.items():
            cells = {name: _joined(row, numbers, _divider(name, separator)) for name, numbers in there.items()}
            if any(cells.values()):
                named = dict(levels)
                of_texts = (*(cells.get(name, "") for name in told), *(named.get(name, "") for name in factors))
                rows.append(Row(row.line, (*own, *of_texts, *end)))
        in_list.update(dict.fromkeys(range(before, len(rows)), tuple(row.cells[number] for number in plan.lists)))
        if len(rows) == before:
            left_out.append(LeftOut(row.line, Sentence("It contains no text.")))
    if len(rows) > MAX_ROWS:
        message = Sentence("The columns give {n} rows; at most {limit} can be read.", n=len(rows), limit=MAX_ROWS)
        raise MaterialsFaults([_fault(table, message)], table.warnings)
    is_numbered = not has_items and not plan.items
    steps = _steps(table, uses, plan, n_given=len(rows), left_out=left_out, is_numbered=is_numbered)
    made = replace(
        table,
        header=tuple(header),
        rows=tuple(rows),
        warnings=(*table.warnings, *steps),
        # Texts of one level alone are a slip, which is named as one of a factor.
        roles={**table.roles, **plan.roles, **(dict.fromkeys(factors, FACTOR) if len(plan.conditions) == 1 else {})},
        left_out=(*table.left_out, *footnotes, *left_out),
    )
    if plan.lists:
        made = _put_together(made, in_list, [table.header[number] for number in plan.lists], choices, is_numbered)
    made = _apart_by_set(made)
    made = _with_own_codes(made) if plan.kinds else made
    return _once(made) if REPEATED in choices else made


def _uses(table: Table, mapping: Mapping[str, str]) -> tuple[dict[int, Use], list[Fault]]:
    """Return what every column is read as, by its number, and what is wrong with the mapping."""
    numbers = {name: number for number, name in enumerate(table.header)}
    uses = {number: Use(name, {}) for name, number in numbers.items()}
    faults = []
    for name, said in mapping.items():
        if name not in numbers:
            advice = did_you_mean(name, table.header)
            message = Sentence("The mapping names the column '{name}', which is not in the table.", name=name)
            faults.append(_fault(table, message, advice))
            continue
        try:
            uses[numbers[name]] = use_of(said)
        except ValueError as error:
            faults.append(_fault(table, error.args[0], column=name))
    return uses, faults


def _plan(table: Table, uses: Mapping[int, Use]) -> _Plan:
    plan = _Plan()
    for number, use in uses.items():
        if use.is_left_out:
            continue
        if use.levels:
            levels = frozenset(use.levels.items())
            plan.named.setdefault(levels, use.levels)
            there = plan.conditions.setdefault(levels, {})
            if use.name in there and use.role != PART:
                plan.faults.append(_twice(table, str(use)))
            there.setdefault(use.name, []).append(number)
        elif use.role in (PART, RIGHT):
            plan.parts.setdefault(CHOICES if use.role == RIGHT else use.name, []).append(number)
            plan.right += [number] if use.role == RIGHT else []
        elif use.role == KIND:
            plan.kinds.append(number)
            if holds_conditions({row.cells[number] for row in table.rows}):
                plan.plain[number] = use.name
        elif use.role == LIST:
            plan.lists.append(number)
        else:
            plan.plain[number] = use.name
            if use.role == ITEM:
                plan.items.append(number)
            elif use.role:
                plan.roles[use.name] = use.role
    for numbers in plan.parts.values():
        numbers.sort(key=lambda number: uses[number].place)
    return plan


def _without_footnotes(
    table: Table, plan: _Plan, coded: int | None, choices: Sequence[str]
) -> tuple[Table, list[LeftOut]]:
    """Leave out rows in which neither an item nor anything that is shown is named, as sums below a table are."""
    shown = [number for number, name in plan.plain.items() if folded(name) in _SHOWN]
    shown += [number for name, numbers in plan.parts.items() if name == "text" for number in numbers]
    shown += [number for there in plan.conditions.values() for numbers in there.values() for number in numbers]
    if coded is None or not shown or f"-{FOOTNOTES}" in choices:
        return table, []
    rows = [row for row in table.rows if any(row.cells[number] for number in (coded, *shown))]
    why = Sentence("It names no item and shows nothing.")
    kept = {id(row) for row in rows}
    left_out = [LeftOut(row.line, why) for row in table.rows if id(row) not in kept]
    if not left_out or not rows:
        return table, []
    message = counting(
        "{n} row that names no item and shows nothing was left out: line {lines}.",
        "{n} rows that name no item and show nothing were left out: lines {lines}.",
        len(left_out),
        lines=listed([str(one.line) for one in left_out]),
    )
    step = replace(_step(message, f"-{FOOTNOTES}"), is_doubtful=True)
    return replace(table, rows=tuple(rows), warnings=(*table.warnings, step)), left_out


def _lettered(table: Table, plan: _Plan) -> dict[int, dict[str, int]]:
    """Return the columns of right answers that name choices by their letter, each with the column of every letter."""
    columns = plan.parts.get(CHOICES, [])
    by_letter = dict(zip(letters_of([table.header[number] for number in columns]), columns, strict=True))
    answers = [number for number, name in plan.plain.items() if folded(name) == ANSWER and len(columns) > 1]
    found = {number: columns_by_letters(table.rows, number, by_letter) for number in answers}
    return {number: own for number, own in found.items() if own}


def _code(row: Row, place: int, named_by: Sequence[int], coded: int | None) -> str:
    """Return the code of an item: the cells of the columns that name it, before that of the column `item`."""
    said = [row.cells[number] for number in (*named_by, *([] if coded is None else [coded]))]
    if not said:
        return str(place)
    return "-".join(filter(None, said)) if coded is None or row.cells[coded] else ""


def _divider(name: str, separator: str) -> str:
    """Return what stands between the parts of a text; choices are always divided by marks."""
    return " | " if name == CHOICES else separator


def _joined(row: Row, numbers: Sequence[int], separator: str) -> str:
    """Return the cells of several columns as one text; where a script needs no spaces, none come between them."""
    text = ""
    for cell in filter(None, (row.cells[number] for number in numbers)):
        is_spaced = not text or not (is_without_spaces(text[-1]) and is_without_spaces(cell[0]))
        text += f"{separator if is_spaced else separator.strip()}{cell}" if text else cell
    return text


def _kind_of(row: Row, numbers: Sequence[int]) -> tuple[bool, bool]:
    """Return whether the words of a row say filler, and whether they say practice."""
    words = [row.cells[number] for number in numbers]
    practice = any(map(is_practice, words))
    return not practice and any(map(is_filler, words)), practice


def holds_conditions(words: Collection[str]) -> bool:
    """Return whether a column that says filler or practice names the conditions of the items, too.

    >>> holds_conditions({"filler", "target"}), holds_conditions({"filler", "subject", "object"})
    (False, True)
    """
    others = {word.casefold() for word in words if word and not is_filler(word) and not is_practice(word)}
    return len(others - TARGETS) > 1


def _put_together(
    table: Table,
    in_list: Mapping[int, tuple[str, ...]],
    names: Sequence[str],
    choices: Sequence[str],
    is_numbered: bool,
) -> Table:
    """Leave out rows that only differ in who sees them; where nothing tells the texts of an item apart, count out the
    conditions of the Latin square by which such lists are made. `is_numbered`: items are the numbers of the rows.
    """
    said = listed(names)
    first: dict[tuple[str, ...], Row] = {}
    rows: list[Row] = []
    lists: list[tuple[str, ...]] = []
    left_out: list[LeftOut] = []
    for place, row in enumerate(table.rows):
        before = first.setdefault(row.cells[is_numbered:], row)
        if before is row or f"-{LISTS}" in choices:
            rows.append(row)
            lists.append(in_list[place])
        else:
            why = Sentence("It is line {line} in another list.", line=before.line)
            left_out.append(LeftOut(row.line, why))
    steps = [Sentence("{columns}: who sees which row. The platform makes new lists.", columns=said)]
    warnings = [_step(steps[0], f"-{_columns(names)}")]
    if left_out:
        message = counting(
            "{n} row that is also in another list was left out.",
            "{n} rows that are also in other lists were left out.",
            len(left_out),
        )
        warnings.append(_step(message, f"-{LISTS}"))
    warnings += _lacking(table, in_list, is_numbered=is_numbered)
    made = replace(table, rows=tuple(rows), left_out=(*table.left_out, *left_out))
    if f"-{ROTATED}" not in choices and (conditions := _rotated(made, lists)) is not None:
        message = Sentence(
            "No column tells the texts of an item apart, so the platform worked out their conditions from the "
            "way a Latin square makes lists: item i of list g is in condition i + g."
        )
        advice = Sentence("Check that the texts of each condition belong together; the letters mean nothing else.")
        warnings.append(replace(_step(message, f"-{ROTATED}"), suggestion=advice, is_doubtful=True))
        cells = zip(rows, conditions, strict=True)
        made = replace(
            made,
            header=(*made.header, CONDITION),
            rows=tuple(Row(row.line, (*row.cells, condition)) for row, condition in cells),
        )
    return replace(made, warnings=(*table.warnings, *warnings))


def _lacking(table: Table, in_list: Mapping[int, tuple[str, ...]], *, is_numbered: bool) -> list[Fault]:
    """Say that lists of the file lack items that the lists made anew have."""
    item = next(number for number, name in enumerate(table.header) if folded(name) == "item")
    of_lists: dict[str, set[tuple[str, ...]]] = {}
    for place, row in enumerate(table.rows):
        if name := ", ".join(filter(None, in_list[place])):
            of_lists.setdefault(name, set()).add(row.cells[1:] if is_numbered else (row.cells[item],))
    every = {code for own in of_lists.values() for code in own}
    lacking = {name: len(own) for name, own in of_lists.items() if len(own) < len(every)}
    if not lacking or 10 * min(lacking.values()) > 9 * len(every):
        return []
    name = min(lacking, key=lacking.__getitem__)
    message = Sentence(
        "In the file, the list '{name}' has {n} of {all} items. Each of the new lists has all of them, once.",
        name=name,
        n=lacking[name],
        all=len(every),
    )
    return [replace(_step(message), is_doubtful=True)]


def _rotated(table: Table, lists: Sequence[tuple[str, ...]]) -> list[str] | None:
    """Return the condition of every row, by the number of its item and of its list; None where that is no question.

    The texts of every item with several rows are as many as there are lists, one in each, and only they differ.
    """
    names = {folded(name): number for number, name in enumerate(table.header)}
    item, text = names.get("item"), names.get("text")
    if item is None or text is None or CONDITION in names:
        return None
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(table.rows):
        groups.setdefault(row.cells[item], []).append(place)
    several = [places for places in groups.values() if len(places) > 1]
    order = {name: number for number, name in enumerate(sorted({lists[place] for own in several for place in own}))}
    others = [number for number in range(len(table.header)) if number not in (item, text)]

    def differ(places: Sequence[int]) -> bool:
        return any(len({table.rows[place].cells[number] for place in places}) > 1 for number in others)

    whole = all(sorted(order[lists[place]] for place in own) == list(range(len(order))) for own in several)
    if not several or not whole or len(order) > len(_LETTERS) or any(map(differ, several)):
        return None
    conditions = [""] * len(table.rows)
    for number, own in enumerate(several):
        for place in own:
            conditions[place] = _LETTERS[(number + order[lists[place]]) % len(order)]
    return conditions


def _apart_by_set(table: Table) -> Table:
    """Give the items of several sets codes of their own where most codes recur in another set."""
    names = {folded(name): number for number, name in enumerate(table.header)}
    item, item_set = names.get("item"), names.get("item_set")
    if item is None or item_set is None:
        return table
    sets: dict[str, set[str]] = {}
    for row in table.rows:
        if row.cells[item] and row.cells[item_set]:
            sets.setdefault(row.cells[item], set()).add(row.cells[item_set])
    several = [code for code, own in sets.items() if len(own) > 1]
    if 2 * len(several) < len(sets) or not several:
        return table

    def cells(row: Row) -> tuple[str, ...]:
        code = "-".join(filter(None, (row.cells[item_set], row.cells[item])))
        return (*row.cells[:item], code, *row.cells[item + 1 :])

    message = Sentence("Items of different sets have the same codes, so each code now begins with the name of its set.")
    rows = tuple(Row(row.line, cells(row)) if row.cells[item] else row for row in table.rows)
    return replace(table, rows=rows, warnings=(*table.warnings, _step(message)))


def _with_own_codes(table: Table) -> Table:
    """Give fillers and practice texts codes of their own where items, or others of them, have the same."""
    names = {folded(name): number for number, name in enumerate(table.header)}
    item, others = names["item"], [names[name] for name in _OTHERS]
    kinds = [tuple(row.cells[number] == "true" for number in others) for row in table.rows]
    targets = {row.cells[item] for row, kind in zip(table.rows, kinds, strict=True) if not any(kind)}
    used: Counter[str] = Counter(row.cells[item] for row, kind in zip(table.rows, kinds, strict=True) if any(kind))
    rows, changed = [], 0
    met: Counter[str] = Counter()
    for row, (filler, practice) in zip(table.rows, kinds, strict=True):
        code = row.cells[item]
        if (filler or practice) and (code in targets or used[code] > 1 or not code):
            changed += 1
            prefix = f"{'practice' if practice else 'filler'}-{code}".strip("-")
            met[prefix] += 1
            code = prefix if met[prefix] == 1 and row.cells[item] else f"{prefix}-{met[prefix]}"
            row = Row(row.line, (*row.cells[:item], code, *row.cells[item + 1 :]))
        rows.append(row)
    if not changed:
        return table
    message = counting(
        "{n} filler or practice text got a new code, because another text has the same one.",
        "{n} fillers and practice texts got new codes, because other texts have the same ones.",
        changed,
    )
    return replace(table, rows=tuple(rows), warnings=(*table.warnings, _step(message)))


def _once(table: Table) -> Table:
    """Leave out rows that an earlier row repeats cell by cell."""
    first: dict[tuple[str, ...], Row] = {}
    rows = [row for row in table.rows if first.setdefault(row.cells, row) is row]
    left_out = [
        LeftOut(row.line, Sentence("It repeats line {line}.", line=first[row.cells].line))
        for row in table.rows
        if first[row.cells] is not row
    ]
    if not left_out:
        return table
    message = counting(
        "{n} row that repeats an earlier row was left out.",
        "{n} rows that repeat earlier rows were left out.",
        len(left_out),
    )
    return replace(
        table,
        rows=tuple(rows),
        left_out=(*table.left_out, *left_out),
        warnings=(*table.warnings, _step(message, f"-{REPEATED}")),
    )


def repeated_fault(table: Table) -> Fault | None:
    """Return the question what repeated rows are; None where no row repeats another one cell by cell."""
    first: dict[tuple[str, ...], int] = {}
    lines = [row.line for row in table.rows if first.setdefault(row.cells, row.line) != row.line]
    if not lines:
        return None
    message = counting(
        "{n} row repeats an earlier row in every cell: line {lines}.",
        "{n} rows repeat earlier rows in every cell: lines {lines}.",
        len(lines),
        lines=listed([str(line) for line in lines], shown=12),
    )
    advice = Sentence(
        "Each text needs only one row, even if it is shown several times. Leave the repetitions out, or correct them."
    )
    return Fault(message=message, suggestion=advice, step="materials", choice=REPEATED)


def _header_faults(
    header: Sequence[str], conditions: Sequence[Mapping[str, str]], factors: Sequence[str], table: Table
) -> list[Fault]:
    faults = [_twice(table, name) for name, n in Counter(map(folded, header)).items() if n > 1]
    if len(header) > MAX_COLUMNS:
        message = Sentence(
            "The file has {columns} columns; at most {limit} can be read.", columns=len(header), limit=MAX_COLUMNS
        )
        faults.append(_fault(table, message))
    faults += [
        _fault(table, Sentence("The levels of '{levels}' are not levels of {factor}.", levels=said, factor=factor))
        for levels in conditions
        for factor in factors
        if factor not in levels and (said := ", ".join(f"{name}={level}" for name, level in levels.items()))
    ]
    return faults


def _steps(
    table: Table, uses: Mapping[int, Use], plan: _Plan, *, n_given: int, left_out: Sequence[LeftOut], is_numbered: bool
) -> list[Fault]:
    """Return what was done to the table, one sentence for each step."""
    steps: list[Fault] = []
    if is_numbered:
        steps.append(_step(Sentence("No column names the items, so every row is an item of its own.")))
    by_name: dict[tuple[str, frozenset[str]], list[str]] = {}
    for number, use in uses.items():
        column = table.header[number]
        undo = f"-{_columns([column])}"
        if use.levels:
            by_name.setdefault((use.name, frozenset(use.levels)), []).append(column)
        elif use.role == KIND:
            message = Sentence("'{column}' says which texts are fillers and which are practice.", column=column)
            steps.append(_step(message, undo))
        elif use.role == ITEM and use.name == column:
            steps.append(_step(Sentence("'{column}' also names the items.", column=column), undo))
        elif use.role == ITEM:
            message = Sentence("'{column}' is read as {name} and names the items.", column=column, name=use.name)
            steps.append(_step(message, undo))
        elif use.role == RIGHT:
            message = Sentence("'{column}' contains the right choice.", column=column)
            steps.append(_step(message, undo))
        elif use.role == FACTOR:
            steps.append(_step(Sentence("'{column}' is a factor: {name}.", column=column, name=use.name), undo))
        elif use.role == ATTRIBUTE:
            message = Sentence("'{column}' describes each text: {name}.", column=column, name=use.name)
            steps.append(_step(message, undo))
        elif number in plan.plain and use.name != column:
            steps.append(_step(Sentence("'{column}' is read as {name}.", column=column, name=use.name), undo))
    for name, numbers in plan.parts.items():
        columns = [table.header[number] for number in numbers]
        message = (
            Sentence("{columns} are the choices of a question.", columns=listed(columns, shown=12))
            if name == CHOICES
            else Sentence("{columns} are the regions of {name}.", columns=listed(columns, shown=12), name=name)
        )
        steps.append(_step(message, f"-{_columns(columns)}"))
    for (name, _factors), columns in by_name.items():
        factors = dict.fromkeys(factor for named in plan.named.values() for factor in named)
        message = counting(
            "{columns} contain {name} at levels of {factors}: {n} row gave {given}.",
            "{columns} contain {name} at levels of {factors}: {n} rows gave {given}.",
            len(table.rows),
            columns=listed(columns, shown=12),
            name=name,
            factors=", ".join(factors),
            given=n_given,
        )
        steps.append(_step(message, f"-{_columns(columns)}"))
    without = [table.header[number] for number, use in uses.items() if use.is_left_out]
    if without:
        steps.append(
            _step(Sentence("Left out: {columns}.", columns=listed(without, shown=12)), f"-{_columns(without)}")
        )
    if left_out:
        lines = [str(one.line) for one in left_out]
        steps.append(_step(Sentence("Rows without text gave none: lines {lines}.", lines=listed(lines, shown=12))))
    return steps


def _columns(names: Sequence[str]) -> str:
    return f"columns {json.dumps(list(names), ensure_ascii=False)}"


def _step(message: str, choice: str = "") -> Fault:
    return Fault(message=message, step="materials", choice=choice)


def _twice(table: Table, name: str) -> Fault:
    message = Sentence("Two columns would have the name '{name}'.", name=name)
    return _fault(table, message, Sentence("Give one of them another name or levels, or leave it out."))


def _fault(table: Table, message: str, suggestion: str = "", *, column: str = "") -> Fault:
    return Fault(table.header_line, column, message, suggestion, "materials")
