"""Guess which column of a table is what: by the field's names, in many languages, and by what cells hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from experiments.formats.media_names import is_media_name, is_picture_name, is_sound_name
from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED, RESERVED, nearly
from experiments.materials.mapping.answers import ANSWER, CHOICES, QUESTION, guessed_choices
from experiments.materials.mapping.long import holds_conditions
from experiments.materials.mapping.structure import (
    are_versions,
    describing,
    groups_of,
    items_by_structure,
    once,
    tells_texts_apart,
)
from experiments.materials.mapping.synonyms import (
    AROUND,
    PARTS,
    REGIONS,
    RIGHT_NAMES,
    SAID,
    SYNONYMS,
    known_all,
    known_as,
)
from experiments.materials.mapping.uses import LEFT_OUT, use_of
from experiments.materials.meant import are_sentences, meant_column
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import AFTER, BEFORE, PCIBEX, folded
from experiments.materials.roles import are_numbers
from experiments.materials.shapes import ATTRIBUTE, FILE, ITEM, KIND, LIST, MAX_NAME, PART, AskedColumn, Table, Use
from experiments.paradigms.base import Paradigm

EXAMPLES = 3
# Fewer columns with numbers are no regions.
_FEWEST_REGIONS = 3
# A column of more numbers is no condition.
_MOST_LEVELS = 8
_MOST_EXPERIMENTS = 12
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
        self._of_files()
        by_structure = self._items_by_structure()
        item = self._item(by_structure)
        self._texts(item)
        self._files()
        self._kinds()
        self._experiments(item)
        if by_structure and item is None:
            item = self._named_too(by_structure)
        self._condition(item)
        self._list(item)
        self._questions()
        self._empty()
        self._describing(item)
        self._taken()
        return {name: self.found[name] for name in self.table.header if name in self.found}

    def _take(self, column: str, said: str) -> None:
        self.found[column] = said
        del self.free[column]

    def _of_files(self) -> None:
        """Guess that files of their own, or sheets, are experiments, fillers and practice, as their names say."""
        if FILE in self.free and "item_set" not in self.names:
            self._take(FILE, str(Use("item_set", {}, KIND)))

    def _items_by_structure(self) -> str | None:
        """Return the column that names items by the structure of the table, whatever it is called."""
        lists = [name for name in self.free if folded(name) in {*map(folded, SYNONYMS[LIST]), "order"}]
        cells = once({**self.cells, **self._named_cells("item", CONDITION, "text", "audio", "image")}, lists)
        numbered = [name for name in cells if re.search(r"(?:item|id|nr|num|number|no|code)_?[0-9]?$", folded(name))]
        texts = [
            name for name in cells if folded(name) == "text" or known_all([name], "text") or folded(name) in _WORDS
        ]
        sounds = [name for name in cells if any(cells[name]) and all(map(is_sound_name, filter(None, cells[name])))]
        return items_by_structure(cells, [*numbered, *texts, *(sounds if len(sounds) == 1 else ())])

    def _named_cells(self, *wanted: str) -> dict[str, list[str]]:
        """Return the cells of columns that have these names already."""
        names = [self.names[name] for name in wanted if name in self.names]
        return {name: [row.cells[self.table.header.index(name)] for row in self.table.rows] for name in names}

    def _item(self, by_structure: str | None) -> list[str] | None:
        """Guess the column of items; return its cells."""
        if "item" in self.names:
            (cells,) = self._named_cells("item").values()
            if by_structure not in known_all(self.free, "item") or len(set(cells)) < len(cells):
                return cells
            # A code of every text beside that of the items.
            self.found[self.names["item"]] = str(Use("item_name", {}, ATTRIBUTE))
            self._take(by_structure, "item")
            return self.cells[by_structure]
        called = known_as(self.free, "item")
        meant = meant_column(self.table, "item", self.free)
        # A number of the row beside a column of groups is not the item.
        if called and len(set(self.cells[called])) == len(self.table.rows):
            others = known_all(self.free, "item")
            is_group = meant is not None and self._are_items(meant.column, besides=called)
            called = by_structure if by_structure in others else meant.column if meant and is_group else called
        column = called or (meant.column if meant and not self._is_other(meant.column) else None)
        if column is None:
            return None
        self._take(column, "item")
        return self.cells[column]

    def _is_other(self, column: str) -> bool:
        """Return whether a column is known for something else than items, such as what is shown."""
        is_word = folded(column) in _WORDS or bool(known_all([column], "text"))
        return is_word or any(known_all([column], role) for role in (KIND, CONDITION, LIST))

    def _are_items(self, column: str, *, besides: str) -> bool:
        """Return whether another column than a number of the row tells the texts of such items apart."""
        if self._is_other(column):
            return False
        items = groups_of(self.cells[column])
        others = (own for name, own in self.cells.items() if name not in (column, besides))
        few = [own for own in others if len({*own}) <= _MOST_LEVELS and 3 * len({*own}) <= 2 * len(own)]
        return any(tells_texts_apart(items, own) for own in few)

    def _named_too(self, column: str) -> list[str]:
        """Take a column for what names the items, besides what it is."""
        cells = self._all_cells(column)
        use = use_of(self.found[column]) if column in self.found else Use(_plain(column))
        is_read = column not in self.free and column not in self.found
        if use.role or use.levels or use.is_left_out:
            return cells
        if column in self.free and column in known_all(self.free, "item"):
            self._take(column, "item")
        else:
            self.free.pop(column, None)
            self.found[column] = str(Use(folded(column) if is_read else use.name, {}, ITEM))
        return cells

    def _all_cells(self, column: str) -> list[str]:
        number = self.table.header.index(column)
        return [row.cells[number] for row in self.table.rows]

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
        elif around := self._around():
            for place, name in enumerate(around, start=1):
                self._take(name, str(Use("text", {}, PART, place)))
        else:
            self._texts_by_content(item)

    def _texts_by_content(self, item: Sequence[str] | None) -> None:
        texts = self._columns_of_texts()
        is_long = item is not None and len(set(item)) < len(item)
        versions = [name for name in texts if not _is_around(name)]
        if is_long and len(versions) > 1 and are_versions({name: self.cells[name] for name in versions}, share=0.6):
            texts = versions
        elif is_long and len(texts) > 1:
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
        if len(texts) > 1 and self._are_versions(texts):
            has_conditions = CONDITION in self.names or known_as(self.free, CONDITION) is not None
            for name, level in _levels_of(texts).items():
                self._take(name, str(Use("text", {"version" if has_conditions and is_long else CONDITION: level})))
        elif len(texts) > 1 and len(others := [name for name in texts if not _is_around(name)]) == 1:
            self._take(others[0], "text")

    def _are_versions(self, texts: Sequence[str]) -> bool:
        """Return whether columns of texts are levels of a condition: they are called alike, or hold similar texts."""
        are_called_alike = all(_without_word(name) != name for name in texts)
        return are_called_alike or are_versions({name: self.cells[name] for name in texts})

    def _files(self) -> None:
        """Guess the columns of pictures and sounds: by their names, or where nothing else is shown, by their cells."""
        shows = {"text"} & {use_of(said).name for said in self.found.values()} or "text" in self.names
        for name, is_such in (("image", is_picture_name), ("audio", is_sound_name)):
            if name not in self.read or name in self.names:
                continue
            holding = [one for one in self.free if (own := {*self.cells[one]} - {""}) and all(map(is_such, own))]
            called = known_as(holding, name)
            if called or (not shows and len(holding) == 1):
                self._take(called or holding[0], name)

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

    def _around(self) -> list[str]:
        """Return the columns of what stands before a word, of the word, and of what stands after it."""
        called = [
            next((name for name in self.free if folded(name) in known), None) for known in (BEFORE, _WORDS, AFTER)
        ]
        before, word, after = called
        return [before, *([word] if word else []), after] if before and after else []

    def _columns_of_texts(self) -> list[str]:
        """Return the columns that hold what is shown: sentences, or, where none does, what several hold alike."""
        holding = [
            name
            for name in self.free
            if are_sentences(own := self.cells[name])
            and not any(map(is_media_name, filter(None, own)))
            and not _asks(own)
            and (len(self.table.rows) < 3 or len(set(own)) > 1)
        ]
        letters = {name: sum(map(len, self.cells[name])) for name in holding}
        most = max(letters.values(), default=0)
        # Columns that stand for conditions hold texts of about the same length.
        return [name for name in holding if 2 * letters[name] > most]

    def _kinds(self) -> None:
        """Guess the column that says filler, practice or item; it may name the conditions of the items, too."""
        if "is_filler" in self.names or "is_practice" in self.names or FILE in self.found:
            return
        called = [known_as(self.free, role) for role in (KIND, CONDITION, LIST)]
        for column in dict.fromkeys([*filter(None, called), *self.free]):
            words = {*self.cells[column]} - {""}
            others = {word for word in words if is_filler(word) or is_practice(word)}
            # Other columns than those that are called so hold a word alone that says it.
            if not others or others == words or len(words) > 12 or (column not in called and not others & SAID):
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
        """Guess the column that says who sees which row: it varies within items, or rows only differ in it."""
        column = known_as(self.free, LIST)
        if column is None:
            return
        if self.table.origin == PCIBEX:
            # Who sees which row has been read already; another column of that kind says something else.
            self._take(column, str(Use(_plain(column), {}, ATTRIBUTE)))
            return
        every = {name: self._all_cells(name) for name in self.table.header}
        repeats = len(next(iter(once(every, [column]).values()), [])) < len(self.table.rows)
        if repeats or (item is not None and _varies(item, self.cells[column])):
            self._take(column, LIST)
            place = known_as(self.free, "order")
            # Where rows stand in each list differs from list to list, and is drawn anew.
            if place and len(cells := {*self.cells[place]} - {""}) > _MOST_LEVELS and are_numbers(cells):
                self._take(place, LEFT_OUT)
        elif any("=" in one for one in self.found.values()) and folded(column) == LIST:
            self._take(column, LEFT_OUT)

    def _experiments(self, item: Sequence[str] | None) -> None:
        """Guess the column that names several experiments of one file, each with items and conditions of its own."""
        column = known_as([*self.free, *self.found], "experiment")
        if item is None or column is None or "item_set" in self.names or FILE in self.found:
            return
        is_kind = self.found.get(column) == str(Use(_plain(column), {}, KIND))
        if column in self.found and not is_kind:
            return
        names = {
            cell
            for cell in self._all_cells(column)
            if cell and not (is_kind and (is_filler(cell) or is_practice(cell)))
        }
        if 1 < len(names) <= _MOST_EXPERIMENTS and all(self._all_cells(column)):
            self.free.pop(column, None)
            self.found[column] = str(Use("item_set", {}, KIND)) if is_kind else "item_set"

    def _questions(self) -> None:
        """Guess the question, its choices and its right answer, where the paradigm asks questions."""
        for name in ("question", "answer"):
            if name in self.read and name not in self.names and (called := known_as(self.free, name)):
                self._take(called, name)
        asks = next((one for one in self.table.header if self._is_read_as(one, QUESTION)), None)
        if not {QUESTION, CHOICES} <= self.read or CHOICES in self.names or asks is None:
            return
        if are_numbers({*self._all_cells(asks)} - {""}):
            # Whether a question is asked, and not the question.
            self.free.pop(asks, None)
            self.found[asks] = str(Use(f"{QUESTION}_of_text", {}, ATTRIBUTE))
            return
        answer = next((one for one in self.table.header if self._is_read_as(one, ANSWER)), "")
        asked = [bool(cell) for cell in self._all_cells(asks)]
        cells = {
            name: [cell if is_asked else "" for cell, is_asked in zip(self._all_cells(name), asked, strict=True)]
            for name in [*self.free, *([answer] if answer else [])]
        }
        free = [name for name in self.free if not answer or name != answer]
        if answer and self.found.get(answer) == ANSWER and folded(answer) in RIGHT_NAMES:
            free.append(answer)
        for name, said in guessed_choices(free, answer, cells).items():
            self.free.pop(name, None)
            self.found[name] = said

    def _is_read_as(self, column: str, name: str) -> bool:
        return self.found.get(column, "" if column in self.free else folded(column)) == name

    def _describing(self, item: Sequence[str] | None) -> None:
        """Guess the columns that describe each text, where a condition tells the texts of every item apart."""
        condition = next((one for one in self.table.header if self._is_condition(one)), None)
        if condition is None and CONDITION in self.names:
            condition = self.names[CONDITION]
        if condition is None or item is None:
            return
        kinds = [name for name, said in self.found.items() if use_of(said).role == KIND]
        lists = [name for name, said in self.found.items() if use_of(said).role == LIST or said == LEFT_OUT]
        every = {name: self._all_cells(name) for name in self.table.header if name not in lists}
        others = [
            any(is_filler(every[name][place]) or is_practice(every[name][place]) for name in kinds)
            for place in range(len(self.table.rows))
        ]
        if sum(others) == len(others):
            return
        targets = {
            name: [cell for cell, is_other in zip(own, others, strict=True) if not is_other]
            for name, own in {**every, "": item}.items()
        }
        targets = once(targets, [])
        free = {name: targets[name] for name in self.free if name != condition and name in targets}
        for name in describing(free, targets[""], targets[condition]):
            called = f"{_plain(name)}_of_text" if name.casefold() in self._taken_names() else _plain(name)
            self._take(name, str(Use(called, {}, ATTRIBUTE)))

    def _taken_names(self) -> frozenset[str]:
        return RESERVED | {measure.name for measure in self.paradigm.measures}

    def _is_condition(self, column: str) -> bool:
        return column in self.found and use_of(self.found[column]).name == CONDITION

    def _taken(self) -> None:
        """Give columns whose names are taken other names; those whose names are nearly another get a role."""
        taken = self._taken_names()
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


def _is_around(name: str) -> bool:
    """Return whether a column of texts is called like what stands around the text that is judged or read."""
    return any(word in folded(name) for word in AROUND)


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
