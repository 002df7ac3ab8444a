"""Write tables for SPSS and jamovi: legal names, 1 and 0 for true and false, and syntax that reads and labels them.

Source: the IBM SPSS Statistics command syntax reference: variable names, GET DATA /TYPE=TXT, VARIABLE LABELS, VALUE
LABELS, VARIABLE LEVEL. jamovi opens the same CSV files; `variables.csv` says the measure type of each column there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analysis.codebook.columns import ExportColumn
from analysis.exports.cells import Cell, Cells, csv_pieces
from analysis.exports.forms.rows import text_of
from analysis.exports.forms.words import readme
from analysis.exports.sheets import sheets_of
from experiments.models import Study

LONGEST_NAME, LONGEST_LABEL, LONGEST_TEXT = 64, 256, 32767
RESERVED = frozenset({"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"})
LEGAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@#$")
TRUTH = {"true": 1, "false": 0}
VARIABLES = (
    ExportColumn("file", "text", "The file that has the variable."),
    ExportColumn("variable", "text", "Its name there."),
    ExportColumn("column", "text", "Its name in the other forms of the export."),
    ExportColumn("measure", "text", "Measure type for SPSS and jamovi.", values=("nominal", "ordinal", "scale")),
    ExportColumn("label", "text", "What it contains."),
    ExportColumn("unit", "text", "Unit of the values, where they have one."),
    ExportColumn("values", "text", "What its values mean, separated by vertical bars."),
)
Files = Iterator[tuple[str, Iterable[bytes]]]


@dataclass(frozen=True)
class Variable:
    """A column under the name that SPSS accepts."""

    name: str
    column: ExportColumn

    @property
    def is_text(self) -> bool:
        return self.column.type in ("text", "datetime")

    @property
    def measure(self) -> str:
        """Return the measure type: nominal, ordinal or scale."""
        if self.column.type == "boolean" or self.is_text:
            return "nominal"
        return "ordinal" if self.column.values and len(self.column.values) > 2 else "scale"

    @property
    def value_labels(self) -> dict[str, str]:
        """Return what numbers mean; texts say it themselves."""
        return {"0": "no", "1": "yes"} if self.column.type == "boolean" else {}


def spss_files(study: Study) -> Files:
    """Yield path and content of every file; the syntax of a table follows it, as it names the longest texts."""
    known: list[tuple[str, Variable]] = []
    yield "README.md", [readme(study, _WHAT).encode("utf-8")]
    for sheet in sheets_of(study):
        variables = variables_of(sheet.columns(study))
        path = f"{sheet.name}.csv"
        known += [(path, variable) for variable in variables]
        widths = [1] * len(variables)
        columns = [ExportColumn(one.name, one.column.type, "") for one in variables]
        yield path, csv_pieces(columns, _measured(variables, sheet.rows(study), widths))
        yield f"{sheet.name}.sps", [syntax(path, variables, widths).encode("utf-8")]
    yield "variables.csv", csv_pieces(VARIABLES, [_described(path, variable) for path, variable in known])


_WHAT = (
    "These are the tables of the study for SPSS and jamovi. In SPSS, set the folder with `CD` and run the syntax of a "
    "table, such as `trials.sps`: it reads `trials.csv` and adds labels and measure levels. In jamovi, open the CSV "
    "file; `variables.csv` says the measure type of every variable. True and false are 1 and 0, and a missing value "
    "is an empty cell. Line breaks within texts are spaces, as SPSS ends a row at them."
)


def variables_of(columns: Sequence[ExportColumn]) -> list[Variable]:
    """Return the columns under names that SPSS accepts, each its own, whatever the case of its letters."""
    taken: set[str] = set()
    return [Variable(legal_name(column.name, taken), column) for column in columns]


def legal_name(name: str, taken: set[str]) -> str:
    """Return a name of at most 64 bytes that begins with a letter, and add it to those that are taken.

    >>> taken = set()
    >>> [legal_name(name, taken) for name in ("rt_ms", "RT_ms", "2 words", "by", "größe_", "_")]
    ['rt_ms', 'RT_ms_2', 'v_2_words', 'by_v', 'gr__e', 'v']
    """
    legal = "".join(mark if mark in LEGAL else "_" for mark in name)[:LONGEST_NAME].rstrip("._") or "v"
    if not legal[0].isalpha():
        legal = f"v_{legal}"[:LONGEST_NAME].rstrip("._")
    if legal.upper() in RESERVED:
        legal += "_v"
    made, number = legal, 2
    while made.casefold() in taken:
        ending = f"_{number}"
        made, number = legal[: LONGEST_NAME - len(ending)] + ending, number + 1
    taken.add(made.casefold())
    return made


def _measured(variables: Sequence[Variable], rows: Iterable[Cells], widths: list[int]) -> Iterator[Cells]:
    """Yield rows as SPSS reads them, and note how many bytes the longest text of each variable has."""
    texts = [place for place, variable in enumerate(variables) if variable.is_text]
    truths = [place for place, variable in enumerate(variables) if variable.column.type == "boolean"]
    for row in rows:
        cells = list(row)
        for place in truths:
            cells[place] = _as_number(cells[place])
        for place in texts:
            value = cells[place]
            if isinstance(value, str) and not value.isprintable():
                value = cells[place] = " ".join(value.splitlines())
            widths[place] = max(widths[place], len(text_of(value).encode("utf-8")))
        yield tuple(cells)


def _as_number(value: Cell) -> Cell:
    return TRUTH.get(value, value) if isinstance(value, str) else value


def syntax(path: str, variables: Sequence[Variable], widths: Sequence[int]) -> str:
    """Return the syntax that reads a table into SPSS and labels its variables."""
    numeric = {"boolean": "F1.0", "integer": "F16.0", "number": "F16.6"}
    formats = [
        f"  {one.name} {numeric.get(one.column.type, f'A{min(width, LONGEST_TEXT)}')}"
        for one, width in zip(variables, widths, strict=True)
    ]
    read = [
        "* Encoding: UTF-8.",
        "SET UNICODE=ON DECIMAL=DOT.",
        "GET DATA",
        "  /TYPE=TXT",
        f"  /FILE={quoted(path)}",
        "  /ENCODING='UTF8'",
        "  /DELIMITERS=','",
        "  /QUALIFIER='\"'",
        "  /ARRANGEMENT=DELIMITED",
        "  /FIRSTCASE=2",
        "  /VARIABLES=",
        *formats,
        "  .",
    ]
    labels = [f"  /{one.name} {quoted(cut(one.column.description, LONGEST_LABEL))}" for one in variables]
    read += ["VARIABLE LABELS", *_first_without_slash(labels), "  ."]
    valued = [
        f"  /{one.name} " + " ".join(f"{value} {quoted(text)}" for value, text in one.value_labels.items())
        for one in variables
        if one.value_labels
    ]
    if valued:
        read += ["VALUE LABELS", *_first_without_slash(valued), "  ."]
    levels = [f"  /{one.name} ({one.measure.upper()})" for one in variables]
    read += ["VARIABLE LEVEL", *_first_without_slash(levels), "  ."]
    return "\n".join([*read, "EXECUTE.", ""])


def _first_without_slash(lines: Sequence[str]) -> list[str]:
    return [line.replace("  /", "  ", 1) if place == 0 else line for place, line in enumerate(lines)]


def quoted(text: str) -> str:
    """Return a text in quotes of the syntax, on one line.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def cut(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many bytes in UTF-8.

    >>> cut("größer", 4)
    'grö'
    """
    return text.encode("utf-8")[:most].decode("utf-8", "ignore")


def _described(path: str, variable: Variable) -> Cells:
    said = "|".join(f"{value} = {text}" for value, text in variable.value_labels.items())
    column = variable.column
    values = said or "|".join(column.values)
    return (path, variable.name, column.name, variable.measure, column.description, column.unit, values)
