"""The readers of other tools' results, in one list: recognition, help, refusals and the document follow from it."""

from __future__ import annotations

from analysis.conversion.reader import Reader
from analysis.conversion.readers import (
    dmdx,
    eprime,
    ibex,
    linger,
    motr,
    opensesame,
    otree,
    presentation,
    prolific,
    psychopy,
    qualtrics,
    tables,
    wide,
)
from analysis.conversion.source import Source
from analysis.conversion.unread import UNREAD

READERS: tuple[Reader, ...] = (
    ibex.PCIBEX,
    ibex.IBEX,
    tables.JSPSYCH,
    tables.LAB_JS,
    opensesame.OPENSESAME,
    psychopy.PSYCHOPY,
    tables.GORILLA,
    qualtrics.QUALTRICS,
    eprime.EPRIME,
    presentation.PRESENTATION,
    dmdx.DMDX,
    linger.LINGER,
    tables.MAGPIE,
    motr.MOTR,
    tables.LABVANCED,
    tables.FINDING_FIVE,
    tables.FORMR,
    otree.OTREE,
    prolific.PROLIFIC,
    wide.WIDE,
)
# What holds results of other tools.
HOLDERS = (
    (
        "JATOS",
        "the result archive, or text with a result per line",
        "what the components sent, by their own form, several on one line among them; every study result is one "
        "participant where the data name none",
    ),
)
KNOWN = (
    f"{', '.join(reader.tool for reader in READERS[:-1])}, JATOS (archive or text), and wide tables of jamovi and JASP"
)


def reader_of(source: Source) -> Reader | None:
    """Return the reader that knows a file by its content, or None."""
    return next((reader for reader in READERS if reader.recognised(source)), None)


def documented() -> str:
    """Return the table of all readers as it stands in docs/converting-results.md."""
    rows = [f"| [{reader.tool}]({reader.documentation}) | {reader.files} | {reader.becomes} |" for reader in READERS]
    rows += [f"| {' | '.join(held)} |" for held in HOLDERS]
    return "\n".join(["| tool | what is read | what becomes what |", "|---|---|---|", *rows])


def documented_unread() -> str:
    """Return the table of the tools that are refused by their name, as it stands in docs/converting-results.md."""
    rows = [
        f"| {tool.tool} | {', '.join(f'`{column}`' for column in tool.needs)} | "
        f"{', '.join(f'`{column}` → `{ours}`' for column, ours in tool.rename.items())} |"
        for tool in UNREAD
    ]
    return "\n".join(["| tool | known by | rename |", "|---|---|---|", *rows])
