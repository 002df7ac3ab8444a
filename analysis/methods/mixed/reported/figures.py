"""Draw a fitted mixed model: its means or coefficients, and comparisons of means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from analysis.methods.mixed.estimates.scales import Scale
from analysis.methods.report import Figure, Table
from analysis.methods.wording import percent_text

CONTAINED = " They contain the differences between people and items; differences between conditions are more precise."


def figures(
    tables: Sequence[Table], *, response: str, scale: Scale, confidence: float, ordered: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """Return a picture of the means where there are factors, else of the coefficients, and one of comparisons.

    `ordered` names the factors whose levels were given in an order.
    """
    by_name = {table.name: table for table in tables}
    columns = {table.name: [column.name for column in table.columns] for table in tables}
    made = []
    panel = {"panel": "outcome"} if "outcome" in columns["fixed"] else {}
    intervals = partial(_intervals, panel=panel, scale=scale, confidence=confidence)
    if (scale.mean[0].name if scale.mean else "mean") in columns.get("means", []):
        made.append(_means(by_name, panel, response=response, scale=scale, confidence=confidence, ordered=ordered))
    elif by_name["fixed"].rows:
        made.append(intervals("coefficients", f"Coefficients on {response}", "estimate", "term"))
    if "comparisons" in by_name and by_name["comparisons"].rows:
        made.append(intervals("differences", f"Differences of {response}", "diff", "comparison"))
    return tuple(made)


def _means(
    by_name: dict[str, Table],
    panel: dict[str, str],
    *,
    response: str,
    scale: Scale,
    confidence: float,
    ordered: Sequence[str],
) -> Figure:
    names = [column.name for column in by_name["means"].columns if column.name != "outcome"]
    channels = ("x", "colour") if panel else ("x", "colour", "panel")
    encoding = dict(zip(channels, names[: names.index("mean")], strict=False))
    if "panel" in names and not panel:
        encoding["panel"] = "panel"
    y, low, high = ("mean", "ci_low", "ci_high")
    if scale.mean:
        y, _, low, high = (column.name for column in scale.mean)
    intervals = f"with {percent_text(confidence)} confidence intervals."
    title, label = f"Estimated {response} by condition", f"Estimated {response}"
    caption = f"Estimated marginal means {intervals}{CONTAINED}"
    if not scale.is_linear:
        title = f"Estimated {scale.mean_words} of {response} by condition"
        label = scale.mean[0].label.format(response=response) if scale.mean else response
        caption = f"Estimated marginal means{scale.as_what}, for people and items with average effects, {intervals}"
    elif scale.mean:
        title, label = f"{scale.mean[0].label} of {response} by condition", scale.mean[0].label
        caption = (
            f"Estimated marginal means, each a {scale.mean_words} in the unit of the measure, {intervals}{CONTAINED}"
        )
    if scale.is_linear and "observed" in by_name:
        caption += f" Every small point is the observed mean of one {by_name['observed'].columns[0].label}."
    return Figure(
        name="means",
        title=title,
        kind="interaction",
        table="means",
        encoding={**encoding, **panel, "y": y, "low": low, "high": high},
        caption=caption,
        x_label=encoding["x"],
        y_label=label,
        points="observed" if "observed" in by_name else "",
        ordered=encoding["x"] in ordered,
    )


def _intervals(
    name: str, title: str, x: str, y: str, *, panel: dict[str, str], scale: Scale, confidence: float
) -> Figure:
    intervals = f"{percent_text(confidence)} confidence intervals" if scale.is_linear else "confidence intervals"
    low, high, of, label = "ci_low", "ci_high", f" in {scale.unit}" if scale.unit else "", f"Estimate{scale.in_unit}"
    if name == "differences" and scale.mean:
        x = f"{scale.mean[0].name}_diff"
        low, high, label = f"{x}_low", f"{x}_high", f"Difference of {scale.mean_words}"
        of = f" of the {scale.mean_words}, in the unit of the measure,"
    return Figure(
        name=name,
        title=title,
        kind="intervals",
        table="fixed" if name == "coefficients" else "comparisons",
        encoding={"x": x, "y": y, "low": low, "high": high, **panel},
        caption=f"{'Differences' if name == 'differences' else 'Estimates'}{of} with {intervals}.",
        x_label=label,
        reference=0.0,
    )
