"""Writes the tables that methods declare into their pages: `python -m tests.architecture.tables_of_methods`."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.methods import registry
from analysis.methods.columns import FromData, TableDeclaration
from analysis.methods.declarations import Method

PAGES = Path(__file__).resolve().parents[2] / "docs" / "methods"
BEGIN = "<!-- tables: made by python -m tests.architecture.tables_of_methods -->"
END = "<!-- end of tables -->"
PART = re.compile(f"{re.escape(BEGIN)}\\n.*?{re.escape(END)}\\n", re.DOTALL)


def with_tables(text: str, method: Method) -> str:
    """Return a page with the tables as the method declares them, at its end where it has none yet."""
    part = f"{BEGIN}\n{described(method)}\n{END}\n"
    return PART.sub(lambda _: part, text) if PART.search(text) else f"{text.rstrip()}\n\n## Tables\n\n{part}"


def described(method: Method) -> str:
    """Return the tables of a method in Markdown."""
    return "\n\n".join(map(_described, method.tables))


def _described(table: TableDeclaration) -> str:
    when = f" ({table.when})" if table.when else ""
    lines = [f"`{table.name}`{when}: {table.meaning}", "", "| column | heading | content |", "|---|---|---|"]
    for column in table.columns:
        if isinstance(column, FromData):
            lines.append(f"| *{column.name}* | | {column.meaning} |")
        else:
            unit = f", in {column.unit}" if column.unit else ""
            there = " Only where asked for." if column.name in table.optional else ""
            label = re.sub(r"\{\w+\}", "…", column.label)
            lines.append(f"| `{column.name}` | {label}{unit} | {column.meaning}{there} |")
    return "\n".join(lines)


def pages() -> dict[Path, str]:
    """Return every page of a method that declares its tables, as it should be."""
    return {
        path: with_tables(path.read_text(encoding="utf-8"), method)
        for slug, method in registry.analyses().items()
        if method.tables and (path := PAGES / f"{slug}.md").is_file()
    }


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
