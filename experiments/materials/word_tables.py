"""Read tables of numbers for every word of the texts of a task, and hold their words against the texts."""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.formats.faults import enumerated, spoken
from experiments.formats.words import NeedsRegions, split_words
from experiments.materials.shapes import Table
from experiments.models import Part, Stimulus
from experiments.paradigms.pieces.areas import without_marks
from experiments.sentences import Sentence, counting

WORD, ITEM, CONDITION = "word", "item", "condition"
# Columns of such tables that say where a word is; its place is the order of the lines.
PASSED_OVER = frozenset({"word_number", "word_index", "position", "sentence", "text", "list", "study"})
MISSING = ("", "NA", "NAN", "NONE")
MOST_SCORES = 20
MOST_FAULTS = 8
SHOWN = 12
# The values of one score by the key of the text: a number or None for each of its words.
Values = Mapping[int, Sequence[float | None]]


class WordTableRefused(ValueError):
    """The table does not fit the texts; the message says where, as far as can be said at once."""


@dataclass(frozen=True)
class WordTable:
    """The scores of a table by the names of their columns, and what to mind. `preview` has its first words.

    A row of `preview` is item, condition, word and the values, in the order of the names.
    """

    scores: Mapping[str, Values]
    warnings: tuple[str, ...]
    texts: int
    words: int
    preview: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Text:
    item: str
    condition: str
    words: tuple[str, ...]

    @property
    def told(self) -> str:
        if not self.condition:
            return Sentence("item '{item}'", item=self.item)
        return Sentence("item '{item}', condition '{condition}'", item=self.item, condition=self.condition)


def text_hash(text: str) -> str:
    """Return what a text is recognised by."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def words_of(text: str, extra: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the words of a text in their order, without punctuation and marks.

    >>> words_of("The dog | barked, loudly.", {})
    ('The', 'dog', 'barked', 'loudly')
    """
    try:
        return tuple(split_words(without_marks(text)))
    except NeedsRegions:
        return tuple(split_words(without_marks(text), regions=str(extra.get("regions", "") or "") or None))


def score_name(column: str) -> str:
    """Return the name of the column that a score gets in exports.

    >>> score_name("Surprisal (GPT-2)"), score_name("5-gram")
    ('surprisal_gpt_2', 'score_5_gram')
    """
    plain = re.sub(r"\W+", "_", column.strip().lower()).strip("_")[:50]
    return plain if plain[:1].isalpha() else f"score_{plain}"


def read_word_table(part: Part, table: Table) -> WordTable:
    """Return the scores that a table has for the words of a task's texts.

    Each line is a word, in the order of the text; item and condition (or the columns of the factors) say which. Raises
    WordTableRefused with what is wrong, named by item, condition and word.
    """
    header = [column.strip() for column in table.header]
    factors = [str(factor["name"]) for factor in part.factors]
    by = _key_columns(header, factors)
    columns = [name for name in header if name and name not in {WORD, ITEM, CONDITION, *factors, *PASSED_OVER}]
    names = [score_name(name) for name in columns]
    if not columns or len(columns) > MOST_SCORES or len(set(names)) < len(names):
        raise WordTableRefused(
            Sentence(
                (
                    "In addition to {known}, the table needs columns of numbers: from 1 to {most} columns, with "
                    "different names."
                ),
                known=enumerated([*by, WORD]),
                most=MOST_SCORES,
            )
        )
    texts = _texts_of(part, by)
    faults: list[str] = []
    lines: dict[int, list[tuple[int, str, dict[str, str]]]] = defaultdict(list)
    for row in table.rows:
        cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
        key = tuple(cells.get(name, "") for name in by)
        if not any(cells.values()):
            continue
        if key not in texts:
            told = enumerated([f"{name} '{value[:60]}'" for name, value in zip(by, key, strict=True)])
            faults.append(Sentence("Line {line}: the study has no text with {told}.", line=row.line, told=told))
            continue
        lines[texts[key][0]].append((row.line, cells.get(WORD, ""), cells))
    of_keys = dict(texts.values())
    scores: dict[str, dict[int, list[float | None]]] = {name: {} for name in names}
    preview: list[tuple[str, ...]] = []
    for pk, given in lines.items():
        text = of_keys[pk]
        given = [one for one in given if _plain(one[1]) or one[1] in text.words]
        if fault := _mismatch(text, [word for _, word, _ in given]):
            faults.append(fault)
            continue
        for column, name in zip(columns, names, strict=True):
            values = [_number(cells.get(column, "")) for _, _, cells in given]
            for number, value in enumerate(values):
                if isinstance(value, str):
                    line, word, _ = given[number]
                    said = {"line": line, "text": text.told, "word": word, "column": column, "cell": value[:40]}
                    faults.append(
                        Sentence("Line {line} ({text}, word '{word}'), {column}: '{cell}' is not a number.", **said)
                    )
            scores[name][pk] = [None if isinstance(value, str) else value for value in values]
        shown = [
            (text.item, text.condition, word, *(cells.get(column, "") for column in columns))
            for _, word, cells in given
        ]
        # Words of targets say more than those of the practice, which comes first.
        preview = (shown + preview if text.condition and not any(one[1] for one in preview) else preview + shown)[
            :SHOWN
        ]
    if faults:
        further = len(faults) - MOST_FAULTS
        more = (
            [counting("{n:,} more place has the same fault.", "{n:,} more places have the same fault.", further)]
            if further > 0
            else []
        )
        raise WordTableRefused(spoken([*faults[:MOST_FAULTS], *more, Sentence("Nothing was stored.")]))
    if not lines:
        raise WordTableRefused(Sentence("The table has no line with a word, so nothing was stored."))
    missing = len(of_keys) - len(lines)
    warnings = [str(fault) for fault in table.warnings]
    if missing:
        warnings.append(counting("{n:,} text is not in the table.", "{n:,} texts are not in the table.", missing))
    words = sum(len(of_keys[pk].words) for pk in lines)
    return WordTable(scores, tuple(warnings), len(lines), words, tuple(preview))


def _texts_of(part: Part, by: Sequence[str]) -> dict[tuple[str, ...], tuple[int, _Text]]:
    rows = Stimulus.objects.filter(item__part=part).order_by("item__position", "condition__position", "pk")
    names = [str(factor["name"]) for factor in part.factors]
    found = {}
    for pk, item, levels, text, extra in rows.values_list("pk", "item__code", "condition__levels", "text", "extra"):
        condition = ":".join(str(levels[name]) for name in names) if levels else ""
        cells = {ITEM: item, CONDITION: condition, **{name: str((levels or {}).get(name, "")) for name in names}}
        found[tuple(cells[name] for name in by)] = (pk, _Text(item, condition, words_of(text, extra)))
    return found


def _key_columns(header: Sequence[str], factors: Sequence[str]) -> tuple[str, ...]:
    if WORD in header and ITEM in header:
        if CONDITION in header or not factors:
            return (ITEM, CONDITION) if CONDITION in header else (ITEM,)
        if all(factor in header for factor in factors):
            return (ITEM, *factors)
    raise WordTableRefused(
        Sentence(
            "The table needs the columns item, condition (or one for each factor) and word, with a line for every word "
            "in the order of the text; it has {columns}.",
            columns=enumerated(header),
        )
    )


def _mismatch(text: _Text, given: Sequence[str]) -> str:
    """Return where the words of a table differ from those of a text; empty where they do not."""
    for number, (word, said) in enumerate(zip(text.words, given, strict=False), start=1):
        if _plain(word) != _plain(said):
            return Sentence(
                "{text}, word {number}: the text has '{word}', the table '{said}'.",
                text=text.told, number=number, word=word, said=said[:40],
            )  # fmt: skip
    if len(text.words) > len(given):
        return Sentence(
            "{text}, word {number}: the text has '{word}', but the table has no more words.",
            text=text.told, number=len(given) + 1, word=text.words[len(given)],
        )  # fmt: skip
    if len(given) > len(text.words):
        return Sentence(
            "{text}, word {number}: the table has '{said}', but the text has no more words.",
            text=text.told, number=len(text.words) + 1, said=given[len(text.words)][:40],
        )  # fmt: skip
    return ""


def _plain(word: str) -> str:
    """Return a word as it is compared: its letters and digits alone, in small letters.

    >>> _plain("barked,") == _plain("Barked"), _plain("…")
    (True, '')
    """
    return "".join(sign for sign in word.casefold() if sign.isalnum())


def _number(cell: str) -> float | str | None:
    if cell.upper() in MISSING:
        return None
    try:
        number = float(cell)
    except ValueError:
        return cell
    return number if math.isfinite(number) else cell
