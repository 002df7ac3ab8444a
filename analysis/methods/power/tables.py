"""Declare and fill the tables of a power analysis, and draw power curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.columns import declared_table, shares
from analysis.methods.power.baseline import shares_of
from analysis.methods.power.scenarios import METHODS, Counted
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.power.wanted import Simulated
from analysis.methods.report import Column, Figure
from analysis.methods.wording import percent_text

POWER = declared_table(
    "power",
    "Power by simulation",
    "One row per effect, numbers of participants and items, analysis and scenario, with a Monte-Carlo interval.",
    "effect",
    Column("n_participants", "Participants", "integer", meaning="How many were simulated."),
    Column("n_items", "Items", "integer", meaning="How many were simulated."),
    Column("power", "Power", "share", meaning="The share of simulations with p below α."),
    shares("ci_low ci_high"),
    Column("method", "Method", "text", meaning="The analysis."),
    Column("scenario", "Simulated", "text", meaning="`effect`, or `no effect` with `null`."),
    Column("size", "Size of the effect", meaning="Its largest difference of levels, or difference of differences."),
    Column("simulations", "Simulations", "integer", meaning="How many there were.", importance="detail"),
    Column("significant", "Significant", "integer", meaning="In how many p was below α.", importance="detail"),
    Column("undefined", "Without a test", "integer", meaning="No convergence: counted as misses.", importance="detail"),
    Column("curve", "Curve", "text", meaning="The curve of the figure.", importance="detail"),
    key="power",
)
MODEL = declared_table(
    "model",
    "What was simulated",
    "One row per parameter, in the units of the measure, or in log odds.",
    Column("parameter", "Parameter", "text", meaning="The parameter."),
    "value",
    Column("meaning", "Meaning", "text", meaning="What it is."),
    Column("source", "Source", "text", meaning="stated, pilot, assumed, or what it follows from."),
)
STATED, NULL = "effect", "no effect"


def lines_of(found: Sequence[Counted], made: Simulated) -> list[dict[str, Any]]:
    """Return the rows of the table `power`."""
    wanted, simulations = made.wanted, made.wanted.simulations
    several = {
        "method": len({count.method for count in found}) > 1,
        "scenario": any(count.key[2] for count in found),
    }
    lines = []
    for count in found:
        term = made.design.term(count.effect)
        low, high = monte_carlo_interval(
            count.significant, simulations, how=wanted.interval, confidence=wanted.confidence
        )
        people, items, number = count.key
        parts = {"method": METHODS[count.method], "scenario": NULL if number else STATED}
        lines.append(
            {
                "effect": count.effect,
                "n_participants": people,
                "n_items": items,
                "power": count.significant / simulations,
                "ci_low": low,
                "ci_high": high,
                "method": count.method,
                "scenario": parts["scenario"],
                "size": 0.0 if number or term is None else made.truth.size(term, made.design),
                "simulations": simulations,
                "significant": count.significant,
                "undefined": count.undefined,
                "curve": ", ".join([count.effect, *(parts[name] for name, there in several.items() if there)]),
            }
        )
    return lines


def model_lines(made: Simulated) -> list[dict[str, Any]]:
    """Return the rows of the table `model`: everything that was simulated, and where it comes from."""
    design, truth, pilot = made.design, made.truth, made.pilot
    lines = _answer_lines(made)
    for term in design.terms:
        lines += [
            {
                "parameter": f"effect {term.name}",
                "value": float(value),
                "meaning": f"what {term.name} adds in {':'.join(cell)}",
                "source": "pilot" if pilot is not None and values is pilot.effects[term.name] else "stated",
            }
            for values in (truth.effects[term.name],)
            for cell, value in zip(design.cells, values, strict=True)
        ]
    known: dict[str, tuple[float, str]] = {
        "participant": (truth.participant, "SD between participants"),
        "item": (truth.item, "SD between items"),
        "residual": (truth.residual, "SD of single ratings"),
    }
    for role, slopes in (("participant", truth.participant_slopes), ("item", truth.item_slopes)):
        for name, value in (slopes or {}).items():
            what = "difference" if ":" not in name else "difference of differences"
            known[f"{role}:{name}"] = (value, f"SD between {role}s of the {what} that {name} makes")
    if truth.thresholds is not None:
        known["residual"] = (truth.residual, "SD of the logistic distribution")
    for name, (value, meaning) in known.items():
        source = "stated" if name in made.stated else "pilot" if pilot is not None and name in pilot.sds else "assumed"
        source = "logistic" if truth.thresholds is not None and name == "residual" else source
        lines.append({"parameter": f"sd {name}", "value": value, "meaning": meaning, "source": source})
    return lines


def _answer_lines(made: Simulated) -> list[dict[str, Any]]:
    """Return where answers begin in log odds, and how likely they are in every cell for who has no deviation."""
    design, truth, pilot, labels = made.design, made.truth, made.pilot, made.labels
    if truth.thresholds is None:
        return []
    source = "pilot" if pilot is not None and truth.thresholds == pilot.thresholds else "stated"
    means = np.sum([truth.effects[term.name] for term in design.terms], axis=0)
    if not labels:
        start = [("intercept", -truth.thresholds[0], "log odds at the mean of all cells")]
    else:
        start = [
            (f"threshold {low}|{high}", value, f"log odds of {low} or less at the mean of all cells")
            for low, high, value in zip(labels, labels[1:], truth.thresholds, strict=False)
        ]
    lines = [{"parameter": name, "value": value, "meaning": what, "source": source} for name, value, what in start]
    for cell, mean in zip(design.cells, means, strict=True):
        shares = shares_of(truth.thresholds, float(mean))
        for label, share in zip(labels, shares, strict=True) if labels else (("1", shares[1]),):
            lines.append(
                {
                    "parameter": f"probability {label}",
                    "value": share,
                    "meaning": f"of the answer {label} in {':'.join(cell)}, average participant and item",
                    "source": "follows",
                }
            )
    return lines


def figures_of(lines: Sequence[dict[str, Any]], *, target: float, confidence: float) -> tuple[Figure, ...]:
    """Return the power curves."""
    people = len({line["n_participants"] for line in lines})
    items = len({line["n_items"] for line in lines})
    across = "n_items" if people == 1 and items > 1 else "n_participants"
    encoding = {"x": across, "y": "power", "low": "ci_low", "high": "ci_high", "colour": "curve"}
    if people > 1 and items > 1:
        encoding["panel"] = "n_items"
    return (
        Figure(
            name="power",
            title="Power by sample size",
            kind="lines",
            table="power",
            encoding=encoding,
            caption=f"Share of significant simulations with {percent_text(confidence)} Monte-Carlo intervals"
            + ("; one panel for each number of items." if "panel" in encoding else "."),
            x_label="Items" if across == "n_items" else "Participants",
            y_label="Power",
            reference=target,
        ),
    )
