"""The figures of a fitted mixed model: its means or its coefficients, and comparisons of means."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.reported.tables import MEANS
from analysis.methods.report import Figure, Table
from analysis.methods.wording import percent_text

OBSERVED = " Every small point is the observed mean of one {group}."


def figures(
    fit: Fitted, tables: Sequence[Table], *, confidence: float, ordered: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """Return a picture of the means where there are factors, else of the coefficients, and one of comparisons.

    `ordered` names the factors whose levels were given in an order.
    """
    by_name = {table.name: table for table in tables}
    response = fit.design.formula.response.text
    made = []
    if "means" in by_name:
        names = [column.name for column in by_name["means"].columns]
        count = len(names) - len(MEANS) - ("panel" in names)
        channels = ["x", "colour", "panel"][: min(count, 3)]
        encoding = dict(zip(channels, names[:count], strict=False))
        if "panel" in names:
            encoding["panel"] = "panel"
        made.append(
            Figure(
                name="means",
                title=f"Estimated {response} by condition",
                kind="interaction",
                table="means",
                encoding={**encoding, "y": "mean", "low": "ci_low", "high": "ci_high"},
                caption=f"Estimated marginal means with {percent_text(confidence)} confidence intervals. They "
                "contain the differences between people and items; differences between conditions are more precise."
                + (OBSERVED.format(group=fit.design.groups[0].name) if "observed" in by_name else ""),
                x_label=encoding["x"],
                y_label=f"Estimated {response}",
                points="observed" if "observed" in by_name else "",
                ordered=encoding["x"] in ordered,
            )
        )
    elif by_name["fixed"].rows:
        made.append(_intervals("coefficients", f"Coefficients on {response}", "fixed", "estimate", "term", confidence))
    if "comparisons" in by_name:
        made.append(
            _intervals("differences", f"Differences of {response}", "comparisons", "diff", "comparison", confidence)
        )
    return tuple(made)


def _intervals(name: str, title: str, table: str, x: str, y: str, confidence: float) -> Figure:
    return Figure(
        name=name,
        title=title,
        kind="intervals",
        table=table,
        encoding={"x": x, "y": y, "low": "ci_low", "high": "ci_high"},
        caption=f"Estimates with {percent_text(confidence)} confidence intervals.",
        x_label="Estimate",
        reference=0.0,
    )
