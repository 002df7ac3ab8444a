"""Repeat an analysis of variance on every scale, with and without exclusions (`robustness`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import declared_table, usual
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.reported.robustness_versions import (
    IMPOSSIBLE,
    Plan,
    Version,
    exclusions,
    over_items,
    over_participants,
    version,
)
from analysis.methods.reported.robustness_wording import CRITERIA, fragile, idle, lost, notes, sentence, untested
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required

ROBUSTNESS = declared_table(
    "robustness",
    "Tests of {dv} on every scale",
    "One row per effect, scale and exclusion. A version that cannot be computed has the decision `not possible`, and "
    "the warnings say why.",
    Column("scale", "Scale", "text", meaning="raw, z, log-z, and log-ratio or log."),
    Column("exclusion", "Left out", "text", meaning="The condition on the rows that were left out."),
    "effect",
    Column("f1", "F₁", "statistic", meaning="F over participants."),
    Column("p1", "p of F₁", "p", meaning="Not corrected for sphericity."),
    Column("f2", "F₂", "statistic", meaning="F over items."),
    Column("p2", "p of F₂", "p", meaning="Not corrected for sphericity."),
    Column("minf", "minF′", "statistic", meaning="F1·F2 / (F1 + F2)."),
    Column("p_minf", "p of minF′", "p", meaning="p of minF′."),
    usual("ges", meaning="Of F₁."),
    Column("decision", "Decision", "text", meaning="significant, not significant, or not possible."),
    usual("p", "Deciding p", "The p that decides, by `criterion`."),
    Column("highest", "Highest mean", "text", meaning="The level with it, in main effects of within factors."),
    usual("df1", meaning="Degrees of freedom of the effect, of F₁, F₂ and minF′."),
    Column("df1_error", "Error df of F₁", "df", meaning="Degrees of freedom of its error.", importance="detail"),
    Column("df2_error", "Error df of F₂", "df", meaning="Degrees of freedom of its error.", importance="detail"),
    Column("df_minf", "df2 of minF′", "df", meaning="Degrees of freedom of its error.", importance="detail"),
    Column("p1_gg", "p of F1 (Greenhouse–Geisser)", "p", meaning="p with both df multiplied by ε."),
    Column("p2_gg", "p of F2 (Greenhouse–Geisser)", "p", meaning="p with both df multiplied by ε."),
    Column("n", "Values", "integer", meaning="How many values the version rests on.", importance="detail"),
    Column("n_participants", "Participants", "integer", meaning="How many participants.", importance="detail"),
    Column("n_items", "Items", "integer", meaning="How many items.", importance="detail"),
    key="decision",
    detail="ges p highest df1 p1_gg p2_gg",
)


def robustness(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str] = (),
    between_participants: Sequence[str] = (),
    between_items: Sequence[str] = (),
    exclusion: str | None = None,
    modulus: str | None = "modulus",
    standard: float | None = None,
    criterion: str = "f1-and-f2",
    alpha: float = 0.05,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Analyse raw numbers, z scores, z scores of logarithms and log ratios side by side, with and without exclusions.

    Log ratios need a `modulus` column or a `standard` for everybody; without them plain logarithms take their place,
    which give within effects the same F. `exclusion` holds conditions on the rows to leave out, such as `rt_ms<300`;
    several, separated by semicolons, are tried one by one and together. Scores are computed after an exclusion.
    `criterion` says when a version counts as significant: `f1-and-f2` (both), `min-f`, or `f1`; without items it is
    F1. F1 and F2 count with the Greenhouse–Geisser correction where Mauchly's test asks for it, as in `rm-anova`.

    Raises BadInput where the analysis of the raw numbers without an exclusion is impossible.

    >>> frame, parameters = example()
    >>> report = robustness(frame, **parameters)
    >>> print(report.sentences[0])
    The conclusion about order does not hang on the choice of scale or exclusion: it is significant in all 8 versions,
    with the highest mean for ab throughout (p < .001).
    """
    if not (within or between_participants or between_items):
        raise BadInput("Name at least one factor with within=….")
    if not 0 < alpha < 1:
        raise BadInput(f"alpha must lie between 0 and 1, such as 0.05; {alpha:g} does not.")
    if standard is not None and standard <= 0:
        raise BadInput(f"standard must be above zero; {standard:g} is not.")
    people = required(frame, participant, role="participant")
    moduli = modulus if modulus is not None and modulus in frame.columns and standard is None else None
    things = item if item is not None and item in frame.columns else None
    factors = (*within, *between_participants, *between_items)
    used = [dv, people, things, moduli, *factors]
    chosen = rows.select(frame, used=used, measured=[dv, moduli], units=(people, things), where=where, keep=keep)
    plan = Plan(
        dv=dv,
        participant=people,
        item=things,
        within=tuple(within),
        between_participants=tuple(between_participants),
        between_items=tuple(between_items),
        modulus=moduli,
        standard=standard,
        criterion=criterion,
        alpha=alpha,
    )
    remaining = exclusions(chosen.frame, exclusion)
    over_participants(chosen.frame, plan)
    with_items, warnings = _items(chosen.frame, plan)
    warnings += idle(remaining)
    scales = ("raw", "z", "log-z", "log-ratio" if moduli is not None or standard is not None else "log")
    warnings += lost(chosen.frame, plan, scales=scales)
    versions: list[Version] = []
    for name, kept in remaining.items():
        for scale in scales:
            progress(len(versions) / (len(remaining) * len(scales)), f"{scale}, left out: {name}")
            versions.append(version(kept, plan, scale=scale, exclusion=name, with_items=with_items))
    effects = [line["effect"] for line in versions[0].lines]
    lines = [line for found in versions for line in (found.lines or _impossible(found, effects))]
    table = ROBUSTNESS.of(lines, dv=dv)
    warnings += [
        f"{found.scale}, left out: {found.exclusion}. Not possible: {found.fault}" for found in versions if found.fault
    ]
    warnings += untested(lines, plan)
    about = {effect: [line for line in lines if line["effect"] == effect] for effect in effects}
    warnings += [text for effect in effects for text in fragile(effect, about[effect])]
    return Report(
        tables=(table,),
        figures=_figures(table, alpha=alpha, exclusions=len(remaining)),
        notes=(*chosen.notes, *notes(plan, remaining, scales=scales, with_items=with_items)),
        warnings=tuple(dict.fromkeys([*chosen.warnings, *warnings])),
        sentences=tuple(sentence(effect, about[effect]) for effect in effects),
    )


def _items(frame: pd.DataFrame, plan: Plan) -> tuple[bool, list[str]]:
    """Return whether F2 is possible, and what to say where it is not."""
    if plan.item is None:
        return False, ["There is no item column, so all decisions rest on F1 alone; name it with item=…."]
    try:
        over_items(frame, plan)
    except BadInput as fault:
        return False, [f"F2 and minF′ are not possible, so all decisions rest on F1 alone: {fault}"]
    return True, []


def _impossible(found: Version, effects: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"scale": found.scale, "exclusion": found.exclusion, "effect": effect, "decision": IMPOSSIBLE}
        for effect in effects
    ]


def _figures(table: Table, *, alpha: float, exclusions: int) -> tuple[Figure, ...]:
    encoding = {"x": "scale", "y": "p", "colour": "effect"}
    if exclusions > 1:
        encoding["panel"] = "exclusion"
    return (
        Figure(
            name="versions",
            title="The p of every version",
            kind="points",
            table=table.name,
            encoding=encoding,
            caption="Points below the line are significant. A conclusion that holds has all its points on one side.",
            x_label="Scale",
            y_label="p",
            reference=alpha,
        ),
    )


def example() -> Example:
    """Return magnitude estimates of eight participants for eight items in two orders, one rating far too large."""
    random = np.random.default_rng(20100602)
    people = random.normal(0, 0.3, 8)
    lines = [
        {
            "participant": f"P{p + 1}",
            "item": f"I{i + 1}",
            "order": order,
            "rt_ms": 150 if (p, i) == (2, 3) else 900 + 10 * p + 25 * i,
            "rating": round(100 * 10 ** float(people[p] + 0.15 * (order == "ab") + random.normal(0, 0.1)), 1),
        }
        for p in range(8)
        for i in range(8)
        for order in ("ab", "ba")
    ]
    frame = pd.DataFrame(lines)
    return frame, {"dv": "rating", "within": ("order",), "standard": 100, "exclusion": "rt_ms<300"}


METHOD = declared(
    "robustness",
    "Robustness of a conclusion",
    "The same analysis on raw numbers, z scores and logarithms, with and without exclusions, in one table.",
    robustness,
    Parameter("between_participants", "Between-participants factors", "columns", help="Within items.", role="factor"),
    Parameter("between_items", "Between-items factors", "columns", help="Within participants.", role="factor"),
    Parameter(
        "exclusion",
        "Rows to exclude in some of the analyses",
        "text",
        help="Conditions such as rt_ms<300; several are separated by semicolons.",
    ),
    Parameter("modulus", "Modulus", "column", help="The number given to the reference."),
    Parameter("standard", "Modulus for everybody", "number", help="If everybody had the same."),
    Parameter(
        "criterion", "Significant if", "choice", help="Both F1 and F2, minF′, or F1 alone.", choices=tuple(CRITERIA)
    ),
    Parameter("alpha", "Significance level", "number", help="For decisions."),
    group="check",
    question=(
        "Is the conclusion about {measure} the same in other analyses?",
        "Is a conclusion the same in other analyses?",
    ),
    needs=("numbers", "conditions"),
    example=example,
    tables=(ROBUSTNESS,),
)
