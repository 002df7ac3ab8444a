"""Guess which column of a table is what: by the field's names, in many languages, and by what cells hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from experiments.formats.media_names import is_media_name
from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED
from experiments.materials.mapping.long import holds_conditions
from experiments.materials.mapping.synonyms import REGIONS, TARGETS, known_as
from experiments.materials.mapping.uses import LEFT_OUT, use_of
from experiments.materials.meant import are_sentences, meant_column
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import folded
from experiments.materials.roles import are_numbers
from experiments.materials.shapes import KIND, LIST, MAX_NAME, PART, AskedColumn, Table, Use
from experiments.paradigms.base import Paradigm

EXAMPLES = 3
# Fewer columns with numbers are no regions.
_FEWEST_REGIONS = 3
# A column of texts may have one of these words in its name, which then tells no condition.
_SEPARATORS = " _.:-"
_WORDS_OF_TEXTS = ("text", "sentence", "sent", "stimulus", "stim", "satz", "phrase", "frase", "oracion")
# What a table of single words is called by; only where no column holds sentences.
_WORDS = (
    "word",
    "words",
    "target",
    "string",
    "wort",
    "mot",
    "palabra",
    "parola",
    "woord",
    "词",
    "単語",
    "단어",
    "слово",
)
_NUMBERED = re.compile(r"(?P<word>.*?)[\s_.-]*(?P<number>[0-9]{1,3})")


def guessed(table: Table, paradigm: Paradigm) -> dict[str, str]:
    """Return a mapping that is likely for a table, by the names of its columns and by what their cells hold.

    Empty where the table has the platform's columns already.

    >>> from experiments.materials.shapes import Row
    >>> from experiments.paradigms import paradigm_named
    >>> table = Table(("nr", "subj", "obj"), (Row(2, ("1", "It was he that saw.", "It was him that we saw.")),))
    >>> guessed(table, paradigm_named("rating"))
    {'nr': 'item', 'subj': 'text, condition=subj', 'obj': 'text, condition=obj'}
    """
    return _Guess(table, paradigm).mapping()


class _Guess:
    """A guess in the making: which columns are still free, and what was guessed of the others."""

    def __init__(self, table: Table, paradigm: Paradigm) -> None:
        self.table, self.paradigm = table, paradigm
        self.names = {folded(name): name for name in reversed(table.header)}
        self.read = {column.name for column in paradigm.all_stimulus_columns}
        known = {*REQUIRED, *OPTIONAL, *self.read}
        self.free = {name: number for number, name in enumerate(table.header) if folded(name) not in known}
        self.cells = {name: [row.cells[number] for row in table.rows] for name, number in self.free.items()}
        self.found: dict[str, str] = {}

    def mapping(self) -> dict[str, str]:
        item = self._item()
        self._texts(item)
        self._kinds()
        self._condition(item)
        self._list(item)
        for name in ("question", "answer"):
            if name in self.read and name not in self.names and (called := known_as(self.free, name)):
                self._take(called, name)
        self._empty()
        return {name: self.found[name] for name in self.table.header if name in self.found}

    def _take(self, column: str, said: str) -> None:
        self.found[column] = said
        del self.free[column]

    def _item(self) -> list[str] | None:
        """Guess the column of items; return its cells."""
        if "item" in self.names:
            number = self.table.header.index(self.names["item"])
            return [row.cells[number] for row in self.table.rows]
        called = known_as(self.free, "item")
        meant = meant_column(self.table, "item", self.free)
        # A number of the row beside a column of groups is not the item.
        if called and meant and len(set(self.cells[called])) == len(self.table.rows):
            called = meant.column
        column = called or (meant.column if meant else None)
        if column is None:
            return None
        self._take(column, "item")
        return self.cells[column]

    def _texts(self, item: Sequence[str] | None) -> None:
        if "text" in self.names:
            return
        named = known_as((name for name in self.free if not are_numbers({*self.cells[name]} - {""})), "text")
        regions = self._regions()
        if named and any(self.cells[named]):
            self._take(named, "text")
        elif regions:
            for name in regions:
                self._take(name, str(Use("text", {}, PART)))
        else:
            self._texts_by_content(item)

    def _texts_by_content(self, item: Sequence[str] | None) -> None:
        texts = self._columns_of_texts()
        is_long = item is not None and len(set(item)) < len(item)
        if is_long and len(texts) > 1:
            texts = [max(texts, key=lambda name: sum(map(len, self.cells[name])))]
        if len(texts) == 1:
            self._take(texts[0], "text")
        elif not texts and not self.paradigm.own_media_columns:
            word = next((name for name in self.free if folded(name) in _WORDS), None)
            if word:
                self._take(word, "text")
        for name, level in _levels_of(texts).items() if len(texts) > 1 else ():
            self._take(name, str(Use("text", {CONDITION: level})))

    def _regions(self) -> list[str]:
        """Return the columns that are numbered regions of one text, in the order of the table."""
        by_word: dict[str, dict[int, str]] = {}
        for name in self.free:
            found = _NUMBERED.fullmatch(name.strip().casefold())
            cells = {*self.cells[name]} - {""}
            if found and (found["word"] in REGIONS or not found["word"]) and cells and not are_numbers(cells):
                by_word.setdefault(found["word"], {})[int(found["number"])] = name
        longest = max(by_word.values(), key=len, default={})
        first = min(longest, default=0)
        whole = first in (0, 1) and sorted(longest) == list(range(first, first + len(longest)))
        return [longest[number] for number in sorted(longest)] if whole and len(longest) >= _FEWEST_REGIONS else []

    def _columns_of_texts(self) -> list[str]:
        """Return the columns that hold what is shown: sentences, or, where none does, what several hold alike."""
        holding = [
            name
            for name in self.free
            if are_sentences(own := self.cells[name])
            and not any(map(is_media_name, filter(None, own)))
            and not _asks(own)
        ]
        letters = {name: sum(map(len, self.cells[name])) for name in holding}
        most = max(letters.values(), default=0)
        # Columns that stand for conditions hold texts of about the same length.
        return [name for name in holding if 2 * letters[name] > most]

    def _kinds(self) -> None:
        """Guess the column that says filler, practice or item; it may name the conditions of the items, too."""
        if "is_filler" in self.names or "is_practice" in self.names:
            return
        for role in (KIND, CONDITION, LIST):
            column = known_as(self.free, role)
            words = {*self.cells[column]} - {""} if column else set()
            if (
                not column
                or not 1 < len(words) <= 12
                or not any(is_filler(word) or is_practice(word) for word in words)
            ):
                continue
            other = {word for word in words if not is_filler(word) and not is_practice(word)}
            if role != KIND and other <= TARGETS:
                continue
            conditions = holds_conditions(words)
            self._take(column, str(Use(CONDITION if conditions and CONDITION not in self.names else column, {}, KIND)))
            return

    def _condition(self, item: Sequence[str] | None) -> None:
        """Guess the column of conditions where it is called otherwise and tells texts of an item apart."""
        said = {use_of(one).name for one in self.found.values()} | set(self.names)
        column = known_as(self.free, CONDITION)
        if column and item is not None and CONDITION not in said and _varies(item, self.cells[column]):
            if not any("=" in one for one in self.found.values()):
                self._take(column, CONDITION)

    def _list(self, item: Sequence[str] | None) -> None:
        """Guess the column that says who sees which row: it varies within items, or is called list."""
        column = known_as(self.free, LIST)
        if column is None:
            return
        if folded(column) == LIST or (item is not None and _varies(item, self.cells[column])):
            self._take(column, LIST)
        elif self.found and any("=" in one for one in self.found.values()):
            self._take(column, LEFT_OUT)

    def _empty(self) -> None:
        for name in [name for name in self.free if not any(self.cells[name])]:
            self._take(name, LEFT_OUT)


def _varies(item: Sequence[str], cells: Sequence[str]) -> bool:
    return len(set(zip(item, cells, strict=True))) > len(set(item))


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
        columns.append(AskedColumn(name, tuple(cells)[:EXAMPLES], _use(name, said)))
    return tuple(columns)


def _use(name: str, said: Mapping[str, str]) -> Use:
    """Return what is said of a column; what makes no sense is a fault of the mapping, and the column is asked anew."""
    try:
        return use_of(said[name]) if name in said else Use(name, {})
    except ValueError:
        return Use(name, {})
