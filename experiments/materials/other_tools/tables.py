"""Import tables of PCIbex, whose column Group assigns rows to lists, and loop tables of OpenSesame. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.shapes import MAX_COLUMNS, MAX_ROWS, LeftOut, MaterialsFaults, Row, Table
from experiments.sentences import Sentence, counting

PCIBEX, OPENSESAME = "PCIbex", "OpenSesame"
# The step of reading a table as that of another tool, which a choice leaves out.
TOOL = "tool"
GROUP = ("group", "list", "latin_square_group", "latinsquaregroup", "latin_square", "latinsquare")
ITEM = (
    "item",
    "item_id",
    "itemid",
    "item_number",
    "item_no",
    "item_nr",
    "itemnum",
    "sentence_id",
    "stim_id",
    "id",
    "nr",
)
_TEXT = (
    "text",
    "sentence",
    "stimulus",
    "stim",
    "target_sentence",
    "sentence_text",
    "phrase",
    "string",
    "word",
    "target",
)
# These are single words, unless no other column holds more than that.
_SINGLE = ("string", "word", "target")
_PLACES = ("order", "trial_order", "presentation_order", "position", "trial", "trial_number", "trial_no", "reihenfolge")
# What the pieces of a text before and after a word are called.
BEFORE = ("prefix", "before", "pre", "beginning", "pretarget", "pre_target", "sentence_start", "anfang", "vorher")
AFTER = ("suffix", "after", "post", "ending", "posttarget", "post_target", "sentence_end", "ende", "nachher")
_KIND = (
    "type",
    "item_type",
    "itemtype",
    "trial_type",
    "stimulus_type",
    "exp",
    "experiment",
    "block",
    "label",
    "condition",
)
_LOOP_MARKS = ("correct_response",)
# A table with these columns holds answers: results of some tool (magpie among them), never a loop that asks for them.
_RESULTS = ("rt", "rt_ms", "response", "response_time", "reaction_time", "submission_id", "trial_index", "subject_nr")
# A table with these columns was written for this platform.
_OURS = ("is_filler", "is_practice", "item_set")
_CYCLE = re.compile(r"setcycle\s+([0-9]{1,9})\s+(\S+)\s+(?:\"((?:[^\"\\]|\\.)*)\"|(\S+))")
_FIRST_CYCLE = re.compile(r"^[ \t]*setcycle[ \t]+0[ \t]+[^ \t\n]+[ \t]+[^ \t\n]", re.MULTILINE)


def adapted(table: Table) -> Table:
    """Return a table of PCIbex or OpenSesame with the platform's columns; any other table unchanged.

    PCIbex is recognised by a column such as Group that differs between all rows of an item, in addition to another
    column that varies within items; OpenSesame by `correct_response`, unless the table holds answers and thus results.
    Rows of a filler that is in every group are merged.
    """
    names = {folded(name): number for number, name in reversed(list(enumerate(table.header)))}
    item, text = _first(names, ITEM), _text_column(table, names)
    group = _first(names, GROUP)
    if any(name in names for name in _OURS):
        return table
    if group is not None and item is not None and text is not None and _assigns(table, group, item=item, text=text):
        origin = PCIBEX
    elif (
        any(mark in names for mark in _LOOP_MARKS)
        and not any(name in names for name in _RESULTS)
        and text is not None
        and "text" not in names
    ):
        origin, group = OPENSESAME, None
    else:
        return table
    return _renamed(table, names, origin=origin, item=item, text=text, group=group)


def loop_recognised(text: str) -> bool:
    """Return whether a text is the script of an OpenSesame loop (from its tab *Script*).

    >>> loop_recognised('set repeat 1\\nsetcycle 0 sentence "He left."\\n'), loop_recognised("item,text")
    (True, False)
    """
    return bool(_FIRST_CYCLE.search(text))


def loop_table(text: str) -> Table:
    """Return the table in the script of an OpenSesame loop: one row per cycle, with the line of its first value."""
    cycles: dict[int, dict[str, str]] = {}
    lines: dict[int, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        found = _CYCLE.fullmatch(line.strip())
        if found:
            value = found[4] if found[4] is not None else re.sub(r"\\(.)", r"\1", found[3])
            cycles.setdefault(int(found[1]), {})[found[2]] = value.strip()
            lines.setdefault(int(found[1]), number)
    header = list(dict.fromkeys(name for cells in cycles.values() for name in cells))
    if len(header) > MAX_COLUMNS:
        message = Sentence(
            "The file has {columns} columns; at most {limit} can be read.", columns=len(header), limit=MAX_COLUMNS
        )
        raise MaterialsFaults([Fault(message=message, step="materials")])
    if len(cycles) > MAX_ROWS:
        message = Sentence("The file has {n} rows; at most {limit} can be read.", n=len(cycles), limit=MAX_ROWS)
        raise MaterialsFaults([Fault(message=message, step="materials")])
    rows = tuple(
        Row(lines[cycle], tuple(cells.get(name, "") for name in header)) for cycle, cells in sorted(cycles.items())
    )
    table = Table(tuple(header), rows, lines[min(lines)])
    names = {folded(name): number for number, name in enumerate(header)}
    text_column = _text_column(table, names)
    if text_column is None:
        return replace(table, origin=OPENSESAME)
    return _renamed(table, names, origin=OPENSESAME, item=_first(names, ITEM), text=text_column, group=None)


def folded(name: str) -> str:
    """Return the name of a column without what makes no difference: case, and spaces, dots and hyphens.

    >>> folded("Item No.")
    'item_no_'
    """
    return re.sub(r"[\s.-]+", "_", name.strip().casefold())


def _first(names: Mapping[str, int], wanted: Sequence[str]) -> int | None:
    return next((names[name] for name in wanted if name in names), None)


def _text_column(table: Table, names: Mapping[str, int]) -> int | None:
    """Return the column of the texts: by its name, otherwise the one with the longest cells of several words."""
    called = _first(names, _TEXT)
    if called is not None and folded(table.header[called]) in _SINGLE and _has_longer(table, called):
        called = None
    if called is not None or not table.rows:
        return called
    if _has_pieces(names):
        return None
    lengths = [sum(len(row.cells[number].split()) for row in table.rows) for number in range(len(table.header))]
    longest = max(range(len(lengths)), key=lengths.__getitem__, default=None)
    return longest if longest is not None and lengths[longest] >= 2 * len(table.rows) else None


def _has_longer(table: Table, column: int) -> bool:
    """Return whether a column of single words has another one beside it that holds texts, or numbered regions."""
    letters = [sum(len(row.cells[number]) for row in table.rows) for number in range(len(table.header))]
    return _has_pieces([folded(name) for name in table.header]) or max(letters, default=0) > 2 * letters[column]


def _has_pieces(names: Collection[str]) -> bool:
    """Return whether a text is in several columns: numbered regions, or what stands before and after a word."""
    numbered = [name for name in names if re.fullmatch(r"[^\W\d]{1,8}_?[0-9]{1,2}", name)]
    return len(numbered) > 2 or bool({*names} & {*BEFORE} and {*names} & {*AFTER})


def _assigns(table: Table, group: int, *, item: int, text: int) -> bool:
    """Return whether a column assigns rows to lists and is no factor: within items each group occurs once and another
    column varies as well, or texts are repeated for every group.
    """
    rows: dict[str, list[Row]] = {}
    for row in table.rows:
        rows.setdefault(row.cells[item], []).append(row)
    several = [own for own in rows.values() if len(own) > 1]
    if not several or not all(row.cells[group] for row in table.rows):
        return False
    others = [number for number in range(len(table.header)) if number not in (group, item, text)]

    def once(own: Sequence[Row]) -> bool:
        return len({row.cells[group] for row in own}) == len(own)

    def varies(own: Sequence[Row]) -> bool:
        return any(len({row.cells[number] for row in own}) == len(own) for number in others)

    assigned = [own for own in several if once(own)]
    varying = [own for own in assigned if varies(own)]
    repeated = [own for own in assigned if not varies(own) and len({row.cells[text] for row in own}) == 1]
    return bool(varying) and 2 * (len(varying) + len(repeated)) > len(several)


def _renamed(
    table: Table, names: Mapping[str, int], *, origin: str, item: int | None, text: int | None, group: int | None
) -> Table:
    warnings = []
    kept = [number for number in range(len(table.header)) if number != group]
    if group is not None:
        warnings.append(
            Fault(
                column=table.header[group],
                message=Sentence(
                    "A table of {tool}: this column says who sees which row. The platform makes new lists from "
                    "items and conditions, so it ignores the column.",
                    tool=PCIBEX,
                ),
                step="materials",
                choice=f"-{TOOL}",
            )
        )
    if group is not None and (place := _place_in_list(table, group)) is not None:
        kept.remove(place)
        message = Sentence(
            "The position of a row differs between lists. The platform draws positions at random, so it ignores "
            "the column."
        )
        warnings.append(Fault(column=table.header[place], message=message, step="materials", choice=f"-{TOOL}"))
    called = {number: table.header[number] for number in kept}
    for number, name in ((item, "item"), (text, "text")):
        if number is not None and folded(called[number]) != name:
            message = Sentence("This column was read as {name}.", name=name)
            warnings.append(Fault(column=called[number], message=message, step="materials", choice=f"-{TOOL}"))
        if number is not None:
            called[number] = name
    rows, left_out = _merged(table.rows, kept)
    if left_out:
        message = counting(
            "{n} row that is also in another group was left out.",
            "{n} rows that are also in other groups were left out.",
            len(left_out),
        )
        warnings.append(Fault(message=message, step="materials", choice=f"-{TOOL}"))
    if item is None:
        message = Sentence("No column names the items, so every row is an item of its own.")
        suggestion = Sentence(
            "To compare conditions, add a column item with the same code for all conditions of an item."
        )
        warnings.append(Fault(message=message, suggestion=suggestion, step="materials"))
    kinds = _kinds(rows, names, item=item)
    header = [*(["item"] if item is None else []), *(called[number] for number in kept)]
    given = {folded(name) for name in header}
    has_others = any(filler or practice for filler, practice in kinds) and "is_filler" not in given
    header += ["is_filler", "is_practice"] if has_others else []
    out = []
    for place, (row, (filler, practice)) in enumerate(zip(rows, kinds, strict=True), start=1):
        cells = [row.cells[number] for number in kept]
        code = row.cells[item] if item is not None else str(place)
        if has_others and (filler or practice):
            code = f"{'practice' if practice else 'filler'}-{code}"
        if item is None:
            cells = [code, *cells]
        else:
            cells[kept.index(item)] = code
        cells += [str(filler).lower(), str(practice).lower()] if has_others else []
        out.append(Row(row.line, tuple(cells)))
    return replace(
        table,
        header=tuple(header),
        rows=tuple(out),
        warnings=(*table.warnings, *warnings),
        origin=origin,
        left_out=(*table.left_out, *left_out),
    )


def _place_in_list(table: Table, group: int) -> int | None:
    """Return the column that numbers the rows of every list; None where none does."""
    for number, name in enumerate(table.header):
        if folded(name) in _PLACES:
            by_list: dict[str, list[str]] = {}
            for row in table.rows:
                by_list.setdefault(row.cells[group], []).append(row.cells[number])
            if all(len(set(own)) == len(own) > 2 and all(map(str.isdigit, own)) for own in by_list.values()):
                return number
    return None


def _merged(rows: Sequence[Row], kept: Sequence[int]) -> tuple[list[Row], list[LeftOut]]:
    """Return the rows, merging those that differ only in their group, and those that are left out by that."""
    found: dict[tuple[str, ...], Row] = {}
    left_out = []
    for row in rows:
        first = found.setdefault(tuple(row.cells[number] for number in kept), row)
        if first is not row:
            left_out.append(LeftOut(row.line, Sentence("It is line {line} in another list.", line=first.line)))
    return list(found.values()), left_out


def _kinds(rows: Sequence[Row], names: Mapping[str, int], *, item: int | None) -> list[tuple[bool, bool]]:
    """Return for each row whether it is a filler and whether it is practice, by a column for it or the item's code."""
    columns = [names[name] for name in _KIND if name in names]
    columns += [item] if item is not None else []
    found = []
    for row in rows:
        cells = [row.cells[number] for number in columns]
        practice = any(is_practice(cell) for cell in cells if len(cell.split()) == 1)
        filler = not practice and any(is_filler(cell) for cell in cells if len(cell.split()) == 1)
        found.append((filler, practice))
    return found
