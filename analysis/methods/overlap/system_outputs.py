"""Read systems' outputs from a frame: one row per output, with its source and its references.

A row is one output of one system for one item. The same row of several participants (as in `trials.csv`) is one
output and counts once.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.methods.declarations import Parameter
from analysis.methods.report import BadInput
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, in_order, required, row_number
from analysis.methods.rows.repeats import MEASURED_ONCE, exact_copies
from analysis.methods.wording import counted, listed
from analysis.text.ngrams import TOKENIZERS
from analysis.text.sari import DELETES

ONE_SYSTEM = "all texts"
LINE_ENDS = {r"\n": "\n", r"\t": "\t"}
REFERENCE_NAME = re.compile(r"(ref|reference|references)[ ._-]?\d*", re.IGNORECASE)

TEXT = Parameter(
    "text",
    "Text",
    "column",
    help="The texts of the systems, one output per row.",
    required=True,
    also=("output", "candidate", "hypothesis"),
)
SOURCE = Parameter("source", "Source", "column", help="The text it was made from; SARI needs it.", role="factor")
REFERENCES = Parameter(
    "references",
    "References",
    "columns",
    help=(
        "Texts that people made from the same source; if empty, columns called reference, reference_1, ref.2 "
        "and the like."
    ),
    role="factor",
    also=("reference", "refs"),
)
SEPARATOR = Parameter(
    "separator",
    "Separator of references",
    "text",
    help="Separates several references in one cell; \\n is a line end.",
)
SYSTEM = Parameter("system", "System", "column", help="Who or what made the text.", role="factor")
OF_ITEM = Parameter("item", "Item", "column", help="The name of the source.", role="unit")
TOKENIZER = Parameter(
    "tokenizer",
    "Tokeniser",
    "choice",
    help="Its name in sacrebleu; none for texts that are tokenised already.",
    choices=TOKENIZERS,
)
LOWERCASE = Parameter("lowercase", "Ignore capitals", "boolean", help="For BLEU and SARI.")
DELETE = Parameter(
    "delete",
    "Deletion in SARI",
    "choice",
    help="F1 as EASSE does by default, or precision as in the article.",
    choices=DELETES,
)
PARAMETERS = (TEXT, SOURCE, REFERENCES, SEPARATOR, SYSTEM, OF_ITEM, TOKENIZER, LOWERCASE, DELETE)


@dataclass(frozen=True)
class Output:
    """One text of one system. `references` is empty where none were asked for."""

    system: str
    item: str
    text: str
    source: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Outputs:
    """The texts in the order of the data, the systems in theirs, and what to say about the rest."""

    outputs: tuple[Output, ...]
    systems: tuple[str, ...]
    has_source: bool
    has_references: bool
    notes: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def n_references(self) -> tuple[int, ...]:
        return tuple(len(output.references) for output in self.outputs)


def read_outputs(
    frame: pd.DataFrame,
    *,
    text: str | None,
    source: str | None,
    references: Sequence[str],
    separator: str,
    system: str | None,
    item: str | None,
    where: str | None,
    keep: Any,
) -> Outputs:
    """Return the texts that are to be measured.

    Rows without a system are left out, and, where sources or references are given, rows that have none; copies count
    once. An empty text is an output without words and stays. Raises BadInput where nothing is left.

    >>> data = pd.DataFrame({"text": ["a b", "a"], "source": ["a b c", "a b c"], "system": ["x", "y"]})
    >>> read = read_outputs(
    ...     data.assign(reference="a|||b"), text="text", source="source", references=(), separator="|||",
    ...     system="system", item=None, where=None, keep=None,
    ... )
    >>> read.systems, read.outputs[0].references, read.outputs[1].item
    (('x', 'y'), ('a', 'b'), 'row 2')
    """
    text = required(frame, text, role="text")
    columns = references or _usual_references(frame, taken={text, source, system, item})
    _refuse_twice([text, source, *columns, system, item])
    distinct = frame.drop_duplicates()
    chosen = rows.select(distinct, used=[text, source, *columns, system, item], where=where, keep=keep)
    cells = chosen.frame
    texts, sources = _texts(cells, text), _texts(cells, source)
    of_columns = [_texts(cells, name) for name in columns]
    of_references = [_split([entries[at] for entries in of_columns], separator) for at in range(len(cells))]
    systems = _codes(cells, system) if system else [ONE_SYSTEM] * len(cells)
    items = _codes(cells, item) if item else [""] * len(cells)
    read: dict[Output, None] = {}
    lacking: Counter[str] = Counter()
    for at in range(len(cells)):
        found = of_references[at]
        lacks = [
            name
            for name, is_there in (
                ("no system", systems[at]),
                ("no source", sources[at] or source is None),
                ("no reference", found or not columns),
            )
            if not is_there
        ]
        if lacks:
            lacking[lacks[0]] += 1
            continue
        name = items[at] or f"row {row_number(cells, at)}"
        read.setdefault(Output(systems[at], name, texts[at], sources[at], found))
    if not read:
        missing = listed(f"{count:,} with {reason}" for reason, count in lacking.items())
        raise BadInput(
            f"No text is left to measure: of {counted(len(cells), 'row')}, {missing}. Fill these cells, or name other "
            f"columns with system=…, source=… and references=…"
        )
    outputs = tuple(read)
    copies = len(frame) - len(distinct) + len(cells) - sum(lacking.values()) - len(outputs)
    notes = [*chosen.notes]
    if copies:
        notes.append(
            f"{counted(copies, 'row repeats', 'rows repeat')} a text of the same system and item; it counts once."
        )
    warnings = [
        *exact_copies(len(frame) - len(distinct), MEASURED_ONCE),
        *chosen.warnings,
        *_lacking_words(lacking, of=len(cells)),
        *_unusual(outputs),
    ]
    return Outputs(
        outputs=outputs,
        systems=tuple(sorted({output.system for output in outputs}, key=in_order)),
        has_source=source is not None,
        has_references=bool(columns),
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _usual_references(frame: pd.DataFrame, *, taken: set[str | None]) -> tuple[str, ...]:
    names = [str(name) for name in frame.columns if REFERENCE_NAME.fullmatch(str(name)) and name not in taken]
    return tuple(sorted(names, key=in_order))


def _refuse_twice(names: Sequence[str | None]) -> None:
    given = [name for name in names if name is not None]
    twice = sorted({name for name in given if given.count(name) > 1})
    if twice:
        raise BadInput(
            f"Column {listed(twice)} cannot be two things at once; text, source, references, system and item are "
            f"different columns."
        )


def _texts(cells: pd.DataFrame, column: str | None) -> list[str]:
    """Return the cells of a column without spaces around them, an empty one as empty text."""
    if column is None:
        return [""] * len(cells)
    return ["" if pd.isna(value) else str(value).strip() for value in cells[column]]


def _codes(cells: pd.DataFrame, column: str) -> list[str]:
    return [code or "" for code in codes(cells, column)]


def _split(entries: Sequence[str], separator: str) -> tuple[str, ...]:
    mark = LINE_ENDS.get(separator, separator)
    parts = [part.strip() for entry in entries for part in (entry.split(mark) if mark else [entry])]
    return tuple(part for part in parts if part)


def _lacking_words(lacking: Counter[str], *, of: int) -> list[str]:
    if not lacking:
        return []
    reasons = listed(f"{count:,} with {reason}" for reason, count in sorted(lacking.items()))
    return [f"Of {counted(of, 'row')}, {sum(lacking.values()):,} were left out: {reasons}."]


def _unusual(outputs: Sequence[Output]) -> list[str]:
    """Say what makes scores of systems hard to compare: empty texts, several per item, other items."""
    said = []
    empty = Counter(output.system for output in outputs if not output.text)
    if empty:
        of = listed(f"{name}: {count}" for name, count in sorted(empty.items()))
        said.append(
            f"{counted(sum(empty.values()), 'text is empty and counts', 'texts are empty and count')} as output "
            f"without a word ({of}); leave such rows out with where=… if outputs were lost."
        )
    decomposed = sum(
        any(unicodedata.normalize("NFC", text) != text for text in (output.text, output.source, *output.references))
        for output in outputs
    )
    if decomposed:
        said.append(
            f"{counted(decomposed, 'row has', 'rows have')} letters with an accent of its own (Unicode "
            f"not in form NFC). They count as other letters than é in one sign, which lowers scores; bring all texts "
            f"into form NFC."
        )
    pairs = Counter((output.system, output.item) for output in outputs)
    several = [f"{name} has {count} for {item}" for (name, item), count in pairs.items() if count > 1]
    if several:
        said.append(
            f"Some systems have several texts for one item ({listed(several, shown=3)}); all of them count. Name the "
            f"column that tells them apart with system=…, or choose one with where=…"
        )
    items = {name: {item for system, item in pairs if system == name} for name in {name for name, _ in pairs}}
    every = set().union(*items.values())
    partial = sorted((name for name, own in items.items() if own != every), key=in_order)
    if partial:
        of = listed(f"{name} has {len(items[name]):,}" for name in partial)
        said.append(
            f"The systems were not measured on the same {counted(len(every), 'item')} ({of}), so their scores differ "
            f"also because their items do."
        )
    return said
