"""What a study keeps of how its table was read, and what of it holds for the next table. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.materials.mapping.corrections import Correction, sound_corrections
from experiments.materials.mapping.uses import use_of
from experiments.materials.shapes import ATTRIBUTE, MAX_COLUMNS, MAX_ROWS, Design, Table, Use

# The choice to take columns, named behind it, for attributes of each text.
DESCRIBE = "describe"
# The choice to read columns as a mapping says that is written behind it.
TAKE = "take"
# Rows that gave no text are counted all, and named up to this number.
MOST_NAMED = 500
# Of all files together, before any is left out.
MOST_ROWS = 20 * MAX_ROWS
COLUMNS, CHOICES, LEFT_OUT, CORRECTIONS = "columns", "choices", "left_out", "corrections"


def reading_of(
    table: Table,
    design: Design,
    mapping: Mapping[str, str],
    choices: Sequence[str],
    corrections: Sequence[Correction] = (),
) -> dict[str, Any]:
    """Return what is kept of how `table` became `design`.

    Keys: `columns` (the mapping), `choices` (steps decided otherwise than usually), `rows` (below the header, of all
    files), `texts` (of the design), `rows_left_out` (rows that gave no text of their own) and `left_out`, the lines of
    the first of them with the reason of each. `corrections`, where there are any, has the cells that were corrected on
    the page, each with what the file says, so that the file can be read as it was.
    """
    without = {one.line: one.why for one in table.left_out}
    given = {row.line for row in table.rows}
    without = {line: why for line, why in without.items() if line not in given}
    return {
        COLUMNS: dict(mapping),
        CHOICES: sorted(set(choices)),
        "rows": len(given | set(without)),
        "texts": sum(len(item.stimuli) for item in design.items),
        "rows_left_out": len(without),
        LEFT_OUT: [{"line": line, "why": str.__str__(why)} for line, why in sorted(without.items())[:MOST_NAMED]],
        **({CORRECTIONS: [one.plain for one in corrections]} if corrections else {}),
    }


def sound_reading(given: Any) -> dict[str, Any] | None:
    """Return what an archive says of how a table was read, with what is known of it alone; None where it is unsound."""
    if not isinstance(given, Mapping):
        return None
    columns, choices, left_out = given.get(COLUMNS, {}), given.get(CHOICES, []), given.get(LEFT_OUT, [])
    corrections = sound_corrections(given.get(CORRECTIONS, []))
    counts = {name: given[name] for name in ("rows", "texts", "rows_left_out") if name in given}
    is_sound = (
        isinstance(columns, Mapping)
        and len(columns) <= MAX_COLUMNS
        and all(isinstance(name, str) and isinstance(said, str) and _is_use(said) for name, said in columns.items())
        and isinstance(choices, list)
        and all(isinstance(choice, str) for choice in choices)
        and isinstance(left_out, list)
        and len(left_out) <= MOST_NAMED
        and all(isinstance(one, Mapping) and isinstance(one.get("why"), str) for one in left_out)
        and all(isinstance(one.get("line"), int) for one in left_out)
        and all(type(n) is int and 0 <= n <= MOST_ROWS for n in counts.values())
    )
    if not is_sound or corrections is None:
        return None
    named = [{"line": one["line"], "why": one["why"]} for one in left_out]
    known = {COLUMNS: dict(columns), CHOICES: list(choices), **counts, LEFT_OUT: named}
    if corrections:
        known[CORRECTIONS] = [one.plain for one in corrections]
    return known if given else {}


def _is_use(said: str) -> bool:
    try:
        use_of(said)
    except ValueError:
        return False
    return True


def applicable(reading: Mapping[str, Any], table: Table) -> dict[str, str] | None:
    """Return the kept mapping if it holds for a table: it has every column that the mapping names; else None.

    >>> kept = {"columns": {"Nr": "item", "Satz": "text"}}
    >>> applicable(kept, Table(("Nr", "Satz", "Genre"), ())), applicable(kept, Table(("item", "text"), ()))
    ({'Nr': 'item', 'Satz': 'text'}, None)
    """
    columns = reading.get(COLUMNS) or {}
    return dict(columns) if columns and set(columns) <= set(table.header) else None


def undone(mapping: Mapping[str, str], choices: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return mapping and choices with the steps left out that choices of columns name, and columns that describe texts.

    >>> undone({"Nr": "item", "Satz": "text"}, ['-columns ["Nr"]', "repeated"])
    ({'Satz': 'text'}, ['repeated'])
    >>> undone({}, ["repeated", "-repeated"])
    ({}, [])
    >>> undone({"Nr": "item"}, ['take {"group": "list"}'])
    ({'Nr': 'item', 'group': 'list'}, [])
    """
    kept, others = dict(mapping), list[str]()
    for choice in choices:
        if choice.startswith("-columns "):
            for name in _names(choice.removeprefix("-columns ")):
                kept.pop(name, None)
        elif choice.startswith(f"{DESCRIBE} "):
            for name in _names(choice.removeprefix(f"{DESCRIBE} ")):
                kept.update(_described(name, kept))
        elif choice.startswith(f"{TAKE} "):
            kept.update(_taken(choice.removeprefix(f"{TAKE} ")))
        else:
            opposite = choice[1:] if choice.startswith("-") else f"-{choice}"
            if opposite in others:
                others.remove(opposite)
            elif choice not in others:
                others.append(choice)
    return kept, others


def _described(name: str, mapping: Mapping[str, str]) -> dict[str, str]:
    """Return the mapping of the column that is called so, as an attribute of each text."""
    columns = [column for column, said in mapping.items() if use_of(said) == Use(name)] or [name]
    return {column: str(Use(name, {}, ATTRIBUTE)) for column in columns}


def _taken(said: str) -> dict[str, str]:
    """Return the mapping that a choice holds, as far as it makes sense."""
    try:
        found = json.loads(said)
    except ValueError:
        return {}
    columns = found.items() if isinstance(found, dict) else ()
    return {name: use for name, use in columns if isinstance(use, str) and _is_use(use)}


def _names(said: str) -> list[str]:
    try:
        names = json.loads(said)
    except ValueError:
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
