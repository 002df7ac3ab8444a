"""Choices and right answers of questions: in columns of their own, by letters, or as answers that recur. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault, listed
from experiments.materials.mapping.synonyms import RIGHT_NAMES, WRONG_NAMES
from experiments.materials.other_tools.tables import folded
from experiments.materials.shapes import PART, RIGHT, Row, Table, Use
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence, counting

QUESTION, CHOICES, ANSWER = "question", "choices", "answer"
# Steps that a choice leaves out: the choices are the answers that occur, and rows without a question have none.
RECURRING, UNASKED = "recurring_answers", "unasked"
_MOST_RECURRING = 4
_LONGEST_LETTER = 2
_STEMS = "response option opt choice answer ans alternative alt resp antwort réponse respuesta opción resposta antwoord"
_LETTERED = re.compile(rf"(?:({'|'.join(_STEMS.split())})s?_?([a-z]|[0-9])|([a-z])_({'|'.join(_STEMS.split())})s?)")


def letters_of(names: Sequence[str]) -> list[str]:
    """Return what tells the names of columns of choices apart: a letter or a number, or else the whole name.

    >>> letters_of(["response_A", "response_B"]), letters_of(["F_answer", "J_answer"]), letters_of(["left", "right"])
    (['a', 'b'], ['f', 'j'], ['left', 'right'])
    """
    plain = [folded(name) for name in names]
    before = _in_common(plain)
    after = _in_common([name[before:][::-1] for name in plain])
    letters = [name[before : len(name) - after].strip("_") for name in plain]
    return letters if all(0 < len(letter) <= _LONGEST_LETTER for letter in letters) else plain


def _in_common(names: Sequence[str]) -> int:
    """Return how many letters all names begin with."""
    n = 0
    while all(len(name) > n for name in names) and len({name[n] for name in names}) == 1:
        n += 1
    return n


def columns_by_letters(rows: Iterable[Row], answer: int, by_letter: Mapping[str, int]) -> dict[str, int]:
    """Return the column of choices that each letter names in the column of answers; empty where answers are words."""
    is_lettered = False
    for row in rows:
        cell = row.cells[answer]
        if not cell or cell in [row.cells[number] for number in by_letter.values()]:
            continue
        if cell.casefold() not in by_letter:
            return {}
        is_lettered = True
    return dict(by_letter) if is_lettered else {}


def guessed_choices(names: Collection[str], answer: str, cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return what columns of choices are read as, by their names, and that of right answers where `answer` is given.

    `cells` holds those of every column that is free, and `answer` the column that is known as the right answer.

    >>> guessed_choices(["Correct", "Wrong"], "", {"Correct": ["yes"], "Wrong": ["no"]})
    {'Correct': 'choices, right', 'Wrong': 'choices, part'}
    """
    right = [name for name in names if folded(name) in RIGHT_NAMES]
    wrong = [name for name in names if folded(name) in WRONG_NAMES]
    if right and wrong:
        return {right[0]: str(Use(CHOICES, {}, RIGHT)), **{name: str(Use(CHOICES, {}, PART)) for name in wrong}}
    lettered: dict[str, list[str]] = {}
    for name in names:
        if found := _LETTERED.fullmatch(folded(name)):
            lettered.setdefault(found[1] or found[4], []).append(name)
    sides = [name for name in names if folded(name) in ("left", "right", "links", "rechts")]
    for own in (*lettered.values(), sides):
        by_letter = dict(zip(letters_of(own), own, strict=True)) if len(own) > 1 else {}
        for told in [answer] if answer else [name for name in names if name not in own]:
            if by_letter and told in cells and _answers(cells[told], by_letter, cells):
                choices = {name: str(Use(CHOICES, {}, PART)) for name in own}
                return choices | ({told: ANSWER} if folded(told) != ANSWER else {})
    return {}


def _answers(answers: Sequence[str], by_letter: Mapping[str, str], cells: Mapping[str, Sequence[str]]) -> bool:
    """Return whether every answer is one of the choices of its row, or the letter of one."""
    rows = [
        (answer, [cells[name][place] for name in by_letter.values()]) for place, answer in enumerate(answers) if answer
    ]
    return len(rows) > 0 and all(answer in choices or answer.casefold() in by_letter for answer, choices in rows)


def recurring(answers: Iterable[str]) -> list[str]:
    """Return the answers that recur, such as yes and no, each as it is first written; empty where they are too many.

    A letter or a digit stands for an answer, and is none.

    >>> recurring(["Yes", "No", "yes", "", "No"]), recurring(["Yes"]), recurring(["Ann", "Bea", "Cleo", "Dora", "Eve"])
    (['Yes', 'No'], [], [])
    """
    filled = [answer for answer in answers if answer]
    first: dict[str, str] = {}
    for answer in filled:
        first.setdefault(answer.casefold(), answer)
    are_words = all(len(answer) > 1 or not answer.isascii() for answer in first)
    return list(first.values()) if are_words and 2 <= len(first) <= min(_MOST_RECURRING, len(filled) - 1) else []


def with_choices(table: Table, paradigm: Paradigm, choices: Collection[str] = ()) -> Table:
    """Return a table whose questions have choices, as far as the paradigm asks questions and the table tells them.

    Where answers recur and there is no column of choices, the choices are the answers that occur. A row without a
    question has neither choices nor an answer.
    """
    read = {column.name for column in paradigm.stimulus_columns}
    places = {folded(name): number for number, name in reversed(list(enumerate(table.header)))}
    if not {QUESTION, CHOICES} <= read or QUESTION not in places:
        return table
    asked, answer = places[QUESTION], places.get(ANSWER)
    if CHOICES not in places and answer is not None and f"-{RECURRING}" not in choices:
        table = _with_recurring(table, asked, answer)
        places = {folded(name): number for number, name in reversed(list(enumerate(table.header)))}
    numbers = [places[name] for name in (CHOICES, ANSWER) if name in places]
    lines = [row.line for row in table.rows if not row.cells[asked] and any(row.cells[number] for number in numbers)]
    if not lines or f"-{UNASKED}" in choices or not any(row.cells[asked] for row in table.rows):
        return table
    rows = tuple(
        row
        if row.cells[asked]
        else Row(row.line, tuple("" if number in numbers else cell for number, cell in enumerate(row.cells)))
        for row in table.rows
    )
    message = counting(
        "{n} row has no question; its choices and its answer were left out: line {lines}.",
        "{n} rows have no question; their choices and answers were left out: lines {lines}.",
        len(lines),
        lines=listed([str(line) for line in lines]),
    )
    step = Fault(message=message, step="materials", choice=f"-{UNASKED}")
    return replace(table, rows=rows, warnings=(*table.warnings, step))


def _with_recurring(table: Table, asked: int, answer: int) -> Table:
    found = recurring(row.cells[answer] for row in table.rows if row.cells[asked])
    if not found:
        return table
    spelt = {one.casefold(): one for one in found}
    offered = " | ".join(found)

    def cells(row: Row) -> tuple[str, ...]:
        own = [spelt.get(cell.casefold(), cell) if place == answer else cell for place, cell in enumerate(row.cells)]
        return (*own, offered if row.cells[asked] else "")

    message = Sentence(
        "No column contains the choices, so they are the answers that occur: {choices}.", choices=offered
    )
    step = Fault(message=message, step="materials", choice=f"-{RECURRING}")
    return replace(
        table,
        header=(*table.header, CHOICES),
        rows=tuple(Row(row.line, cells(row)) for row in table.rows),
        warnings=(*table.warnings, step),
    )
