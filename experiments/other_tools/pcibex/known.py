"""What is known of PCIbex beforehand: its functions, its settings, tables, arithmetic, patterns. Pure."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from experiments.other_tools.pcibex.values import PatternValue, Table
from experiments.other_tools.reports import english

ARITHMETIC: Mapping[str, Callable[[float, float], float | bool]] = {
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}

KNOWN_CALLS: Mapping[str, str] = {
    "SendResults": english("every answer is stored before the next trial begins."),
    "SetCounter": english("whoever starts gets the list that fewest people have; there is no counter to set."),
    "CheckPreloaded": english("pictures and sounds are loaded before they are needed."),
    "PreloadZip": english("pictures and sounds are loaded before they are needed."),
    "AddHost": english("pictures and sounds are uploaded with the study, not fetched from elsewhere."),
    "DebugOff": english("there is no debugger; the preview shows everything."),
    "DebugOn": english("there is no debugger; the preview shows everything."),
    "Debug": english("there is no debugger; the preview shows everything."),
    "ResetPrefix": english("nothing to do."),
    "SetResultsLabel": english("nothing to do."),
}
CONFIGURED: Mapping[str, str] = {
    "showProgressBar": english("the platform shows where in the study people are."),
    "progressBarText": english("the platform shows where in the study people are, in the language of the study."),
    "centerItems": english("the platform has a layout of its own."),
    "manualSendResults": english("every answer is stored before the next trial begins."),
    "practiceItemTypes": english("practice is told by its label."),
    "pageTitle": english("the study has its own title."),
    "completionMessage": english("see the debriefing under Texts."),
    "sendingResultsMessage": english("every answer is stored before the next trial begins."),
    "completionErrorMessage": english("every answer is stored before the next trial begins."),
    "counterOverride": english("whoever starts gets the list that fewest people have."),
    "equalGroupSizes": english("whoever starts gets the list that fewest people have."),
}


def table_of(name: str, content: str) -> Table:
    """Return a table of PCIbex from its text, separated by commas or tabs; cells lose the blanks around them.

    >>> table_of("t.csv", "item,s\\n1,A dog.\\n").rows
    [(2, {'item': '1', 's': 'A dog.'})]
    """
    from experiments.formats.csvtext import BYTE_ORDER_MARK, csv_rows, sniffed_delimiter

    text = content.removeprefix(BYTE_ORDER_MARK).strip("\n")
    records = csv_rows(text, delimiter=sniffed_delimiter(text[:100_000], expected=()))
    if not records:
        return Table(name, (), [])
    header = [cell.strip() for cell in records[0][1]]
    rows = []
    for line, cells in records[1:]:
        if not any(cell.strip() for cell in cells):
            continue
        padded = [*cells, *([""] * (len(header) - len(cells)))]
        rows.append((line, {column: cell.strip() for column, cell in zip(header, padded, strict=False) if column}))
    return Table(name, tuple(column for column in header if column), rows)


def pattern_of(given: PatternValue) -> re.Pattern[str] | None:
    """Return a regular expression that cannot take forever; None for any other."""
    if "(?" in given.source or len(given.source) >= 200 or re.search(r"[+*}].*[+*{]", given.source):
        return None
    try:
        return re.compile(given.source, re.IGNORECASE if "i" in given.flags else 0)
    except re.error:
        return None
