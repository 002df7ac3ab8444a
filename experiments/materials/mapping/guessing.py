"""Guess which column of a table is what: by the field's names, in many languages, and by what cells hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from experiments.formats.media_names import is_media_name
from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED, RESERVED, nearly
from experiments.materials.mapping.long import holds_conditions
from experiments.materials.mapping.synonyms import PARTS, REGIONS, SAID, TARGETS, known_as
from experiments.materials.mapping.uses import LEFT_OUT, use_of
from experiments.materials.meant import are_sentences, meant_column
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import folded
from experiments.materials.roles import are_numbers
from experiments.materials.shapes import ATTRIBUTE, KIND, LIST, MAX_NAME, PART, AskedColumn, Table, Use
from experiments.paradigms.base import Paradigm

EXAMPLES = 3
# Fewer columns with numbers are no regions.
_FEWEST_REGIONS = 3
# A column of more numbers is no condition.
_MOST_LEVELS = 8
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
        for name in ("question", "answer", "image", "audio"):
            if name in self.read and name not in self.names and (called := known_as(self.free, name)):
                cells = {*self.cells[called]} - {""}
                if name in ("question", "answer") or (cells and all(map(is_media_name, cells))):
                    self._take(called, name)
        self._empty()
        self._taken()
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
            for name in self._regions():
                self._take(name, LEFT_OUT)
            return
        named = known_as((name for name in self.free if not are_numbers({*self.cells[name]} - {""})), "text")
        regions = self._regions()
        if named and any(self.cells[named]):
            self._take(named, "text")
            for name in regions if named not in regions else ():
                self._take(name, LEFT_OUT)
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
        # Of a preamble and a sentence the latter is the text; conditions are called alike.
        called = [name for name in texts if _without_word(name) != name]
        texts = called if len(called) == 1 else texts
        if len(texts) == 1:
            self._take(texts[0], "text")
        elif not texts:
            word = next((name for word in _WORDS for name in self.free if folded(name) == word), None)
            if word:
                self._take(word, "text")
        for name, level in _levels_of(texts).items() if len(texts) > 1 else ():
            self._take(name, str(Use("text", {CONDITION: level})))

    def _regions(self) -> list[str]:
        """Return the columns that are numbered regions of one text, in the order of the table."""
        by_word: dict[str, dict[int, str]] = {}
        for name in self.free:
            called = name.strip().casefold()
            word = called.rstrip("0123456789")
            number = called[len(word) :]
            word = word.rstrip(_SEPARATORS)
            cells = {*self.cells[name]} - {""}
            if 0 < len(number) < 4 and word in ("", *REGIONS, *PARTS) and cells and not are_numbers(cells):
                by_word.setdefault(word, {})[int(number)] = name
        word = max(by_word, key=lambda one: len(by_word[one]), default="")
        longest = by_word.get(word, {})
        first = min(longest, default=0)
        whole = first in (0, 1) and sorted(longest) == list(range(first, first + len(longest)))
        return (
            [longest[number] for number in sorted(longest)]
            if whole and len(longest) >= (2 if word in PARTS else _FEWEST_REGIONS)
            else []
        )

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
        called = [known_as(self.free, role) for role in (KIND, CONDITION, LIST)]
        for column in dict.fromkeys([*filter(None, called), *self.free]):
            words = {*self.cells[column]} - {""}
            others = {word for word in words if is_filler(word) or is_practice(word)}
            # Other columns than those that are called so hold a word alone that says it.
            if not 1 < len(words) <= 12 or not others or (column not in called and not others & SAID):
                continue
            if column != called[0] and {word.casefold() for word in words - others} <= TARGETS:
                continue
            is_condition = holds_conditions(words) and CONDITION not in self.names and column == called[1]
            self._take(column, str(Use(CONDITION if is_condition else _plain(column), {}, KIND)))
            return

    def _condition(self, item: Sequence[str] | None) -> None:
        """Guess the column of conditions where it is called otherwise and tells texts of an item apart."""
        said = {use_of(one).name for one in self.found.values()} | set(self.names)
        column = known_as(self.free, CONDITION)
        is_wide = any("=" in one for one in self.found.values())
        if column and item is not None and CONDITION not in said and not is_wide and _varies(item, self.cells[column]):
            self._take(column, CONDITION)

    def _list(self, item: Sequence[str] | None) -> None:
        """Guess the column that says who sees which row: it varies within items, or is called list."""
        column = known_as(self.free, LIST)
        if column is None:
            return
        if folded(column) == LIST or (item is not None and _varies(item, self.cells[column])):
            self._take(column, LIST)
            place = known_as(self.free, "order")
            # Where rows stand in each list differs from list to list, and is drawn anew.
            if place and len(cells := {*self.cells[place]} - {""}) > _MOST_LEVELS and are_numbers(cells):
                self._take(place, LEFT_OUT)
        elif self.found and any("=" in one for one in self.found.values()):
            self._take(column, LEFT_OUT)

    def _taken(self) -> None:
        """Give columns whose names are taken other names; those whose names are nearly another get a role."""
        taken = RESERVED | {measure.name for measure in self.paradigm.measures}
        absent = [
            name for name in (*OPTIONAL, *self.read) if name not in self.names and name not in self.found.values()
        ]
        for name in list(self.free):
            if name.casefold() in taken:
                self._take(name, f"{name}_of_item")
            elif nearly(name, absent):
                self._take(name, str(Use(_plain(name), {}, ATTRIBUTE)))

    def _empty(self) -> None:
        for name in [name for name in self.free if not any(self.cells[name])]:
            self._take(name, LEFT_OUT)


def _plain(name: str) -> str:
    return re.sub(r"[,=]+", " ", name)[:MAX_NAME]


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
