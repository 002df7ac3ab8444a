"""The tables of all regions under each other, with p adjusted for their number, and their figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.methods.adjusted import benjamini_hochberg, holm
from analysis.methods.report import Column, Figure, Report, Table
from analysis.methods.wording import percent_text

REGION = Column("region", "Region", "text")
CORRECTED = (Column("p_holm", "p (Holm)", "p"), Column("p_bh", "p (Benjamini–Hochberg)", "p"))
_KEYS = {"fixed": "term", "anova": "effect"}


def some_have(name: str, reports: Mapping[str, Report]) -> bool:
    """Return whether any region has a table of that name."""
    return any(_has(report, name) for report in reports.values())


def _has(report: Report, name: str) -> bool:
    return any(table.name == name for table in report.tables)


def joined(name: str, reports: Mapping[str, Report]) -> Table:
    """Return the tables of one name under each other; a column that a region lacks is empty there."""
    found = {one: report.table(name) for one, report in reports.items() if _has(report, name)}
    columns = tuple(dict.fromkeys(column for table in found.values() for column in table.columns))
    lines = [{"region": one, **line} for one, table in found.items() for line in table.lines()]
    return Table.from_rows(name, f"{next(iter(found.values())).title}, by region", (REGION, *columns), lines)


def corrected(table: Table) -> Table:
    """Return a table with p of every term adjusted over the regions, where it has tests."""
    key = _KEYS.get(table.name)
    if key is None:
        return table
    lines = table.lines()
    for term in dict.fromkeys(line[key] for line in lines):
        family = [line for line in lines if line[key] == term]
        p = [line["p"] for line in family]
        for line, by_holm, by_bh in zip(family, holm(p), benjamini_hochberg(p), strict=True):
            line |= {"p_holm": by_holm, "p_bh": by_bh}
    return Table.from_rows(table.name, table.title, (*table.columns, *CORRECTED), lines)


def figures(tables: Sequence[Table], *, response: str, confidence: float) -> tuple[Figure, ...]:
    """Return a picture of the means, region by region, where there are any."""
    means = next((table for table in tables if table.name == "means"), None)
    if means is None:
        return ()
    names = [column.name for column in means.columns if column.name != "panel"]
    factors = names[1 : names.index("mean")]
    encoding = {"x": "region", "y": "mean", "low": "ci_low", "high": "ci_high"}
    encoding |= dict(zip(("colour", "panel"), factors, strict=False))
    if any(column.name == "panel" for column in means.columns):
        encoding["panel"] = "panel"
    observed = next((table for table in tables if table.name == "observed"), None)
    behind = {column.name: column.label for column in observed.columns} if observed is not None else {}
    points = (
        "observed"
        if {encoding[channel] for channel in ("x", "colour", "panel") if channel in encoding} <= set(behind)
        else ""
    )
    return (
        Figure(
            name="regions",
            title=f"Estimated {response}, region by region",
            kind="interaction",
            table="means",
            encoding=encoding,
            caption=f"Estimated marginal means with {percent_text(confidence)} confidence intervals, each region by "
            "itself. They contain the differences between people and items; differences between conditions are more "
            "precise."
            + (f" Every small point is the observed mean of one {behind['unit']} in one region." if points else ""),
            x_label="Region",
            y_label=f"Estimated {response}",
            ordered=True,
            points=points,
        ),
    )
