"""Write the p of planned analyses that are one family, adjusted over them, as the page of the plan shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.methods.columns import usual
from analysis.methods.report import Table
from analysis.papers.blocks import Block, Paragraph, Tabular, without_repeats
from analysis.papers.collected import ANALYSIS, Collected, Told, titled
from analysis.reports.shown_tables import shown_table
from analysis.studies.families import adjusted

COLUMNS = (usual("effect"), ANALYSIS, usual("p"), usual("p_holm"))


def family_blocks(found: Collected) -> Iterator[Block]:
    """Yield, for every family of the plan, p of each effect in its analyses, adjusted by Holm over them.

    Where an analysis has no report, nothing is adjusted, and that is said.
    """
    for number, (name, size) in enumerate(found.families.items(), start=1):
        told = [one for one in (*found.planned, *found.simulated) if one.family == name]
        if missing := size - len(told):
            yield Paragraph(
                f"{missing} of the {size} analyses of the family “{name}” {'has' if missing == 1 else 'have'} no "
                "finished report on these data, so p is not adjusted over the family."
            )
        elif size > 1:
            yield from _adjusted(number, name, told)


def _adjusted(number: int, name: str, told: Sequence[Told]) -> Iterator[Block]:
    lines = adjusted({titled(one.title, one.task): one.shown for one in told})
    if not lines:
        return
    yield Paragraph(
        f"The {len(told)} analyses of the family “{name}” ask the same question of several measures; p of each effect "
        "was adjusted over them by Holm’s method.",
        cites=("holm1979",),
    )
    title = f"p of each effect, adjusted over the family “{name}”"
    full = Table.from_rows(f"family-{number}", title, COLUMNS, [{**line, "analysis": line["title"]} for line in lines])
    shown = shown_table(full, limit=len(full.rows))
    rows = [tuple(cell.whole + cell.fraction for cell in row) for row in shown.rows]
    yield Tabular(
        path=f"tables/family-{number}",
        title=title,
        heads=tuple(column.label for column in shown.columns),
        rows=without_repeats(rows),
        is_number=tuple(column.is_number for column in shown.columns),
        note="",
        source="; ".join(one.source for one in told),
        full=full,
    )
