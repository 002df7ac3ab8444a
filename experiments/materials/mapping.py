"""Which column of a table is what: guess it, and turn the table into the platform's own shape. Pure.

A mapping says of columns what they are read as, by name:

- another name, such as `text` or `marker`: the column has that name;
- a name and levels, such as `text, clause=subject`: the cells are the texts of one condition, and every row of the
  table becomes one row for each such condition;
- `-`: the column is left out.

Columns that it does not name stay as they are. Nothing is lost in silence: the table that comes out says every step.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.formats.media_names import is_media_name
from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED
from experiments.materials.meant import are_sentences, meant_column
from experiments.materials.other_tools.tables import GROUP, ITEM, folded
from experiments.materials.shapes import MAX_COLUMNS, MAX_NAME, MAX_ROWS, AskedColumn, MaterialsFaults, Row, Table, Use
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence, counting

LEFT_OUT = "-"
EXAMPLES = 3
# A column of texts may have one of these words in its name, which then tells no condition.
_SEPARATORS = " _.:-"
_WORDS_OF_TEXTS = ("text", "sentence", "sent", "stimulus", "stim", "satz", "phrase", "frase", "oracion")


def use_of(said: str) -> Use:
    """Return what a mapping says of a column. Raises ValueError with a sentence.

    >>> use_of("text, clause=subject, length=long").levels
    {'clause': 'subject', 'length': 'long'}
    >>> str(use_of("text,clause = subject")), use_of("-").is_left_out
    ('text, clause=subject', True)
    """
    name, *levels = (part.strip() for part in said.split(","))
    pairs = [(factor.strip(), level.strip()) for factor, _is, level in (said.partition("=") for said in levels)]
    if not name or not all(factor and level for factor, level in pairs) or (name == LEFT_OUT and pairs):
        message = Sentence(
            "'{said}' does not say what a column is: write a name, a name and levels (text, clause=subject), or -.",
            said=said,
        )
        raise ValueError(message)
    if len({factor for factor, _level in pairs}) < len(pairs):
        raise ValueError(Sentence("'{said}' names a factor twice.", said=said))
    return Use("" if name == LEFT_OUT else name, dict(pairs))


def mapped(table: Table, mapping: Mapping[str, str]) -> Table:
    """Return the table with its columns as the mapping says; unchanged without a mapping.

    A table in which no column is `item` gets one with the number of the row. Raises MaterialsFaults with all faults.

    >>> wide = Table(("item", "s", "o"), (Row(2, ("1", "He saw us.", "We saw him.")),))
    >>> long = mapped(wide, {"s": "text, clause=subject", "o": "text, clause=object"})
    >>> long.header, [row.cells for row in long.rows]
    (('item', 'text', 'clause'), [('1', 'He saw us.', 'subject'), ('1', 'We saw him.', 'object')])
    >>> [str(step.message) for step in long.warnings]
    ["'s', 'o' hold text at levels of clause: 1 row gave 2."]
    """
    if not mapping:
        return table
    uses, faults = _uses(table, mapping)
    if faults:
        raise MaterialsFaults(faults, table.warnings)
    plain = {number: use.name for number, use in uses.items() if not use.is_left_out and not use.levels}
    # Levels of a condition → name → the column that holds it there.
    conditions: dict[tuple[tuple[str, str], ...], dict[str, int]] = {}
    twice: list[Fault] = []
    for number, use in uses.items():
        if not use.levels:
            continue
        there = conditions.setdefault(tuple(use.levels.items()), {})
        if use.name in there:
            twice.append(_twice(table, str(use)))
        there[use.name] = number
    factors = list(dict.fromkeys(factor for levels in conditions for factor, _level in levels))
    told = list(dict.fromkeys(name for there in conditions.values() for name in there))
    has_items = "item" in [folded(name) for name in plain.values()]
    header = [*([] if has_items else ["item"]), *plain.values(), *told, *factors]
    faults = twice + _header_faults(header, list(conditions), factors, table)
    if faults:
        raise MaterialsFaults(faults, table.warnings)
    rows: list[Row] = []
    for place, row in enumerate(table.rows, start=1):
        own = [*([] if has_items else [str(place)]), *(row.cells[number] for number in plain)]
        if not conditions:
            rows.append(Row(row.line, tuple(own)))
        for levels, there in conditions.items():
            cells = {name: row.cells[number] for name, number in there.items()}
            if any(cells.values()):
                named = dict(levels)
                rows.append(
                    Row(
                        row.line,
                        (*own, *(cells.get(name, "") for name in told), *(named.get(name, "") for name in factors)),
                    )
                )
    if len(rows) > MAX_ROWS:
        message = Sentence("The columns give {n} rows; at most {limit} can be read.", n=len(rows), limit=MAX_ROWS)
        raise MaterialsFaults([_fault(table, message)], table.warnings)
    steps = _steps(table, uses, rows, has_items=has_items)
    return replace(table, header=tuple(header), rows=tuple(rows), warnings=(*table.warnings, *steps))


def _uses(table: Table, mapping: Mapping[str, str]) -> tuple[dict[int, Use], list[Fault]]:
    """Return what every column is read as, by its number, and what is wrong with the mapping."""
    numbers = {name: number for number, name in enumerate(table.header)}
    uses = {number: Use(name, {}) for name, number in numbers.items()}
    faults = []
    for name, said in mapping.items():
        if name not in numbers:
            advice = did_you_mean(name, table.header)
            message = Sentence("The mapping names the column '{name}', which the table lacks.", name=name)
            faults.append(_fault(table, message, advice))
            continue
        try:
            uses[numbers[name]] = use_of(said)
        except ValueError as error:
            faults.append(_fault(table, error.args[0], column=name))
    return uses, faults


def _header_faults(
    header: Sequence[str], conditions: Sequence[tuple[tuple[str, str], ...]], factors: Sequence[str], table: Table
) -> list[Fault]:
    faults = [_twice(table, name) for name, n in Counter(map(folded, header)).items() if n > 1]
    if len(header) > MAX_COLUMNS:
        message = Sentence(
            "The file has {columns} columns; at most {limit} can be read.", columns=len(header), limit=MAX_COLUMNS
        )
        faults.append(_fault(table, message))
    faults += [
        _fault(table, Sentence("The levels of '{levels}' name no level of {factor}.", levels=said, factor=factor))
        for levels in conditions
        for factor in factors
        if factor not in dict(levels) and (said := ", ".join(f"{name}={level}" for name, level in levels))
    ]
    return faults


def _steps(table: Table, uses: Mapping[int, Use], rows: Sequence[Row], *, has_items: bool) -> list[Fault]:
    """Return what was done to the table, one sentence for each step."""
    steps: list[str] = []
    if not has_items:
        steps.append(Sentence("No column names the items, so every row is an item of its own."))
    for number, use in uses.items():
        if not use.is_left_out and not use.levels and use.name != table.header[number]:
            steps.append(Sentence("'{column}' is read as {name}.", column=table.header[number], name=use.name))
    by_name: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for number, use in uses.items():
        if use.levels:
            by_name.setdefault((use.name, tuple(use.levels)), []).append(table.header[number])
    for (name, factors), columns in by_name.items():
        steps.append(
            counting(
                "{columns} hold {name} at levels of {factors}: {n} row gave {given}.",
                "{columns} hold {name} at levels of {factors}: {n} rows gave {given}.",
                len(table.rows),
                columns=listed(columns, shown=12),
                name=name,
                factors=", ".join(factors),
                given=len(rows),
            )
        )
    left_out = [table.header[number] for number, use in uses.items() if use.is_left_out]
    if left_out:
        steps.append(Sentence("Left out: {columns}.", columns=listed(left_out, shown=12)))
    given = {row.line for row in rows}
    without = [row.line for row in table.rows if row.line not in given]
    if without:
        steps.append(
            Sentence(
                "Rows without any text gave none: lines {lines}.",
                lines=listed([str(line) for line in without], shown=12),
            )
        )
    return [Fault(message=step, step="materials") for step in steps]


def _twice(table: Table, name: str) -> Fault:
    message = Sentence("Two columns would be called '{name}'.", name=name)
    return _fault(table, message, Sentence("Give one of them another name, or levels, or leave it out."))


def _fault(table: Table, message: str, suggestion: str = "", *, column: str = "") -> Fault:
    return Fault(table.header_line, column, message, suggestion, "materials")


def guessed(table: Table, paradigm: Paradigm) -> dict[str, str]:
    """Return a mapping that is likely for a table, by the names of its columns and by what their cells hold.

    Empty where the table has the platform's columns already.

    >>> from experiments.paradigms import paradigm_named
    >>> table = Table(("nr", "subj", "obj"), (Row(2, ("1", "It was he that saw.", "It was him that we saw.")),))
    >>> guessed(table, paradigm_named("rating"))
    {'nr': 'item', 'subj': 'text, condition=subj', 'obj': 'text, condition=obj'}
    """
    names = {folded(name): name for name in reversed(table.header)}
    known = {*REQUIRED, *OPTIONAL, *(column.name for column in paradigm.all_stimulus_columns)}
    free = {name: number for number, name in enumerate(table.header) if folded(name) not in known}
    guess: dict[str, str] = {}
    if "item" not in names:
        called = next((names[word] for word in ITEM if word in names and names[word] in free), None)
        meant = None if called else meant_column(table, "item", free)
        if item := called or (meant.column if meant else None):
            guess[item] = "item"
            del free[item]
    if "text" not in names:
        texts = _columns_of_texts(table, free)
        if len(texts) == 1:
            guess[texts[0]] = "text"
        elif not paradigm.own_media_columns or texts:
            guess |= {name: str(Use("text", {CONDITION: level})) for name, level in _levels_of(texts).items()}
    group = next((names[word] for word in GROUP if word in names and names[word] in free), None)
    if group is not None and group not in guess and guess:
        guess[group] = LEFT_OUT
    return {name: guess[name] for name in table.header if name in guess}


def _columns_of_texts(table: Table, free: Mapping[str, int]) -> list[str]:
    """Return the columns that hold what is shown: sentences, or, where none does, what several columns hold alike."""
    cells = {name: [row.cells[number] for row in table.rows] for name, number in free.items()}
    holding = [
        name
        for name, own in cells.items()
        if are_sentences(own) and not any(map(is_media_name, filter(None, own))) and not _asks(own)
    ]
    letters = {name: sum(map(len, cells[name])) for name in holding}
    most = max(letters.values(), default=0)
    # Columns that stand for conditions hold texts of about the same length.
    return [name for name in holding if 2 * letters[name] > most]


def _asks(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return 4 * sum(cell.rstrip("\"'»” ").endswith(("?", "？", "؟")) for cell in filled) >= 3 * len(filled)


def _levels_of(columns: Sequence[str]) -> dict[str, str]:
    """Return the level that each column of texts stands for: its name, without a word for texts."""
    short = {name: _without_word(name) for name in columns}
    distinct = len({level.casefold() for level in short.values()}) == len(columns) and all(short.values())
    chosen = short if distinct else {name: name for name in columns}
    return {name: re.sub(r"[,=]+", " ", level)[:MAX_NAME] for name, level in chosen.items()}


def _without_word(name: str) -> str:
    """Return the name of a column without a word for texts at its beginning or end.

    >>> _without_word("Sentence_long"), _without_word("short text"), _without_word("textual")
    ('long', 'short', 'textual')
    """
    for word in (form for one in _WORDS_OF_TEXTS for form in (one, f"{one}s")):
        if name.casefold().startswith(word) and name[len(word) : len(word) + 1] in [*_SEPARATORS]:
            return name[len(word) :].strip(_SEPARATORS)
        if name.casefold().endswith(word) and name[: -len(word)][-1:] in [*_SEPARATORS]:
            return name[: -len(word)].strip(_SEPARATORS)
    return name


def asked(table: Table, paradigm: Paradigm, mapping: Mapping[str, str] | None = None) -> tuple[AskedColumn, ...]:
    """Return every column of a table with some cells and what it is taken for: by the mapping, else by a guess."""
    said = guessed(table, paradigm) if mapping is None else mapping
    columns = []
    for number, name in enumerate(table.header):
        cells = dict.fromkeys(row.cells[number] for row in table.rows[:200] if row.cells[number])
        columns.append(
            AskedColumn(name, tuple(cells)[:EXAMPLES], use_of(said[name]) if name in said else Use(name, {}))
        )
    return tuple(columns)
