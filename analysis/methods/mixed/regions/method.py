"""Declare the method `regions`: one linear mixed model per region of a text, with p adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.mixed.asked import asked, with_design
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.design.matrices import BY_TERM
from analysis.methods.mixed.modelled import modelled
from analysis.methods.mixed.regions.example import example
from analysis.methods.mixed.regions.reported import CORRECTED, REGION, figures
from analysis.methods.mixed.regions.wording import left_out, note, sentences
from analysis.methods.mixed.reported.declared import ANOVA, FIT, LINEAR, OBSERVED
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.reported.several import adjusted, joined, names_of, of_several, said_once
from analysis.methods.mixed.settings import CODING, REML, formula_parameter
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, in_order, required
from analysis.methods.rows.measure import other_model
from analysis.methods.rows.repeats import COUNTED_AGAIN

MOST_REGIONS = 60
KEPT = ("anova", "means", "comparisons", "fixed", "fit", "observed")


def regions(
    frame: pd.DataFrame,
    *,
    formula: str,
    region: str | None = "from_critical",
    reml: bool = True,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    uncorrelated: str = BY_TERM,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Fit the linear mixed model of `formula` (lme4's syntax, see `lmm`) to every region by itself.

    Where an effect is looked for in k regions, some true null hypothesis is rejected more often than α. Within every
    term, and every effect, p is adjusted over the regions: by Holm (1979), which keeps the chance of any false
    rejection at α, and by Benjamini and Hochberg (1995), which keeps the expected share of false ones among the
    rejections at α. With p₍₁₎ ≤ … ≤ p₍ₖ₎, Holm: max over j ≤ i of (k − j + 1) p₍ⱼ₎; Benjamini and Hochberg: min over
    j ≥ i of k p₍ⱼ₎ / j; both at most 1.

    Tables: `METHOD`.

    A region whose model cannot be fitted is left out and named. Raises BadInput where none can be fitted, the column is
    missing, or has more than 60 values.

    >>> frame, parameters = example()
    >>> report = regions(frame, **parameters)
    >>> report.table("anova").frame()["region"].tolist()
    ['-1', '0', '1']
    """
    check_confidence(confidence)
    name = required(frame, region, role="region")
    parsed = formulas.parse(formula, [str(column) for column in frame.columns])
    if name in parsed.columns:
        raise BadInput(
            f"'{name}' tells the regions apart, each of which has a model of its own; take it out of formula."
        )
    chosen = rows.select(
        frame,
        used=[*parsed.columns, name],
        measured=[parsed.response.column],
        units=[*parsed.groupings, name],
        where=where,
        keep=keep,
    )
    chosen = with_design(chosen, parsed)
    place = codes(chosen.frame, name)
    known = sorted({str(value) for value in place.dropna()}, key=in_order)
    if not known:
        raise BadInput(f"'{name}' is empty in all rows; name the column of regions with region=….")
    if len(known) > MOST_REGIONS:
        raise BadInput(f"'{name}' has {len(known)} values, more than {MOST_REGIONS}; choose regions with where=….")
    reports: dict[str, Report] = {}
    refused: dict[str, str] = {}
    for number, one in enumerate(known):
        progress(0.05 + 0.9 * number / len(known), f"region {one}")
        try:
            question = asked(
                chosen.frame[(place == one).to_numpy(dtype=bool)], formula=formula, contrasts=contrasts,
                categorical=categorical, levels=levels, uncorrelated=uncorrelated, confidence=confidence, keep="all",
                is_part=True,
            )  # fmt: skip
            made = modelled(question, reml=reml)
            model = made.model
            behind = observed_means(made.report.tables, model.design, made.over, trials=np.ones(model.prepared.n))
            reports[one] = replace(made.report, tables=(*made.report.tables, *behind))
        except BadInput as fault:
            refused[one] = str(fault)
    if not reports:
        raise BadInput(f"No region could be analysed. {next(iter(refused.values()))}")
    tables = [
        adjusted(joined(table, reports, REGION, lambda title, first: f"{title}, by region"), CORRECTED)
        for table in KEPT
        if table in names_of(reports)
    ]
    # What holds of all rows is said of them once.
    own = {
        one: [text for text in report.warnings if text not in chosen.warnings and COUNTED_AGAIN not in text]
        for one, report in reports.items()
    }
    return Report(
        tables=tuple(tables),
        figures=figures(tables, response=parsed.response.text, confidence=confidence),
        notes=(
            *chosen.notes,
            *left_out(int(place.isna().sum())),
            note(name, analysed=list(reports), wanted=len(known)),
            *said_once({one: report.notes for one, report in reports.items()}, what="Region "),
        ),
        warnings=(
            *chosen.warnings,
            *other_model(chosen.frame, parsed.response.column, formula, is_transformed=bool(parsed.response.function)),
            *(f"Region {one} was left out. {why}" for one, why in refused.items()),
            *said_once(own, what="Region "),
        ),
        sentences=sentences(tables, analysed=len(reports), wanted=len(known)),
        design=chosen.design,
    )


METHOD = declared(
    "regions",
    "Region by region",
    "The same mixed model for every region of a text, with p adjusted for the number of regions.",
    regions,
    formula_parameter(
        "As in lme4, without the regions: log(rt_ms) ~ clause + (1+clause||participant) + (1+clause||item).",
    ),
    Parameter("region", "Region", "column", help="The column that distinguishes the regions."),
    REML,
    *CODING,
    group="compare",
    question=(
        "In which regions does {measure} depend on {factors}?",
        "In which regions of a text does a measure depend on the condition?",
    ),
    needs=("regions", "conditions"),
    example=example,
    tables=tuple(
        of_several(table, REGION, CORRECTED, ", by region")
        for table in (ANOVA, LINEAR.means, LINEAR.comparisons, LINEAR.fixed, FIT, OBSERVED)
    ),
)
