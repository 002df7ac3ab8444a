"""Adjust p for the number of regions, and draw means region by region."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.methods.adjusted import benjamini_hochberg, holm
from analysis.methods.columns import usual
from analysis.methods.mixed.estimates.scales import GEOMETRIC, TRANSFORMED
from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import percent_text

REGION = Column("region", "Region", "text", meaning="The region.")
OF_MEASURE = (GEOMETRIC[0].name, TRANSFORMED[0].name)
CORRECTED = {
    usual("p_holm", meaning="p adjusted by Holm (1979) over the regions of the same term or effect."): holm,
    Column("p_bh", "p (Benjamini–Hochberg)", "p", meaning="The same by Benjamini and Hochberg."): benjamini_hochberg,
}


def figures(tables: Sequence[Table], *, response: str, confidence: float) -> tuple[Figure, ...]:
    """Return a picture of the means, region by region, where there are any."""
    means = next((table for table in tables if table.name == "means"), None)
    if means is None:
        return ()
    names = [column.name for column in means.columns if column.name != "panel"]
    factors = names[1 : names.index("mean")]
    y, low, high = next(
        ((name, f"{name}_low", f"{name}_high") for name in OF_MEASURE if name in names), ("mean", "ci_low", "ci_high")
    )
    encoding = {"x": "region", "y": y, "low": low, "high": high}
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
