"""The method `regions`: the same linear mixed model for every region of a text, corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.methods.adjusted import benjamini_hochberg, holm
from analysis.methods.declarations import Example, Method, Parameter, Progress, no_progress
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.design.matrices import BY_TERM
from analysis.methods.mixed.method import modelled
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.reported.tables import MEANS
from analysis.methods.mixed.settings import CODING
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import CONFIDENCE
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, in_order, required
from analysis.methods.rows.repeats import COUNTED_AGAIN
from analysis.methods.wording import counted, df_text, listed, number_text, p_text, percent_text

MOST_REGIONS = 60
REGION = Column("region", "Region", "text")
CORRECTED = (Column("p_holm", "p (Holm)", "p"), Column("p_bh", "p (Benjamini–Hochberg)", "p"))
KEPT = ("fixed", "anova", "means", "fit")
_KEYS = {"fixed": "term", "anova": "effect"}


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

    Tables:
        `fixed`: region, term, estimate, se, df, t, p, ci_low, ci_high, meaning, p_holm, p_bh.
        `anova`: region, effect, df1, df2, f, p, pes, pes_low, pes_high, p_holm, p_bh. Tests of type III.
        `means`: region, the factors, mean, se, df, ci_low, ci_high. Estimated marginal means, drawn region by region.
        `fit`: region, log_lik, aic, bic, n, converged, singular, criterion, parameters, sigma, reml,
        r2_marginal, r2_conditional.
        `observed`: region, unit, the factors, value. Observed means of every participant, behind the means.

    A region whose model cannot be fitted is left out and named. Raises BadInput where none can be fitted, the column is
    missing, or has more than 60 values.

    >>> frame, parameters = example()
    >>> report = regions(frame, **parameters)
    >>> report.table("anova").frame()["region"].tolist()
    ['-1', '0', '1']
    """
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
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
            made = modelled(
                chosen.frame[(place == one).to_numpy(dtype=bool)],
                formula=formula,
                reml=reml,
                contrasts=contrasts,
                categorical=categorical,
                levels=levels,
                uncorrelated=uncorrelated,
                confidence=confidence,
                keep="all",
            )
            model = made.model
            behind = observed_means(made.report.tables, model.design, made.over, trials=np.ones(model.prepared.n))
            reports[one] = replace(made.report, tables=(*made.report.tables, *behind))
        except BadInput as fault:
            refused[one] = str(fault)
    if not reports:
        raise BadInput(f"No region could be analysed. {next(iter(refused.values()))}")
    tables = [
        _corrected(_joined(table, reports)) for table in KEPT if any(_has(report, table) for report in reports.values())
    ]
    if any(_has(report, "observed") for report in reports.values()):
        tables.append(_joined("observed", reports))
    missing = int(place.isna().sum())
    return Report(
        method="regions",
        params={},
        tables=tuple(tables),
        figures=_figures(tables, response=parsed.response.text, confidence=confidence),
        notes=(
            *chosen.notes,
            *([f"{counted(missing, 'row')} without a region {_was(missing)} left out."] if missing else []),
            _note(name, analysed=list(reports), wanted=len(known)),
            *_shared({one: report.notes for one, report in reports.items()}),
        ),
        warnings=(
            *chosen.warnings,
            *(f"Region {one} was left out. {why}" for one, why in refused.items()),
            *_shared({one: _own(report.warnings, chosen.warnings) for one, report in reports.items()}),
        ),
        sentences=_sentences(tables, analysed=len(reports), wanted=len(known)),
    )


def _note(name: str, *, analysed: Sequence[str], wanted: int) -> str:
    """Say to which regions the model was fitted, and for how many of them p was adjusted."""
    fitted = f"was fitted to each of {counted(wanted, 'region')}"
    if len(analysed) < wanted:
        fitted = f"could be fitted to {len(analysed)} of {counted(wanted, 'region')}"
    adjusted = "Within every term p was adjusted for their number, by Holm and by Benjamini and Hochberg."
    alone = "With one region there is nothing to adjust p for."
    return f"The model {fitted} of '{name}': {listed(analysed)}. {adjusted if len(analysed) > 1 else alone}"


def _has(report: Report, name: str) -> bool:
    return any(table.name == name for table in report.tables)


def _joined(name: str, reports: Mapping[str, Report]) -> Table:
    """Return the tables of one name under each other; a column that a region lacks is empty there."""
    found = {one: report.table(name) for one, report in reports.items() if _has(report, name)}
    columns = tuple(dict.fromkeys(column for table in found.values() for column in table.columns))
    lines = [{"region": one, **line} for one, table in found.items() for line in table.lines()]
    return Table.from_rows(name, f"{next(iter(found.values())).title}, by region", (REGION, *columns), lines)


def _corrected(table: Table) -> Table:
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


def _figures(tables: Sequence[Table], *, response: str, confidence: float) -> tuple[Figure, ...]:
    means = next((table for table in tables if table.name == "means"), None)
    if means is None:
        return ()
    names = [column.name for column in means.columns if column.name != "panel"]
    factors = names[1 : len(names) - len(MEANS)]
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


def _sentences(tables: Sequence[Table], *, analysed: int, wanted: int) -> tuple[str, ...]:
    """Return the tests of every region, each with p adjusted for all regions that could be analysed."""
    over = "the number of regions"
    if analysed < wanted:
        over = f"the {analysed} regions that could be analysed, of {wanted},"
    anova = next((table for table in tables if table.name == "anova"), None)
    if anova is None:
        return ()
    return tuple(
        f"{line['effect']} at region {line['region']}: F({df_text(line['df1'])}, {df_text(line['df2'])}) = "
        f"{number_text(line['f'])}, {p_text(line['p'])}"
        + (
            f", adjusted for {over} {p_text(line['p_holm'])} (Holm), {p_text(line['p_bh'])} (Benjamini–Hochberg)."
            if analysed > 1
            else "."
        )
        for line in anova.lines()
        if line["p"] is not None
    )


def _own(said: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return what is said of a region alone: what holds of all rows is said once."""
    return [text for text in said if text not in before and COUNTED_AGAIN not in text]


def _shared(texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what holds for every region once, and the rest with its regions."""
    whose: dict[str, list[str]] = {}
    for one, found in texts.items():
        for text in found:
            whose.setdefault(text, []).append(one)
    everywhere = [text for text, names in whose.items() if len(names) == len(texts)]
    return [
        *everywhere,
        *(f"Region {listed(names)}: {text}" for text, names in whose.items() if len(names) < len(texts)),
    ]


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def example() -> Example:
    """Return eight people who read eight items in two conditions, region by region."""
    random = np.random.default_rng(19820101)
    people, items = random.normal(0, 0.2, 8), random.normal(0, 0.1, 8)
    lines = [
        {
            "participant": f"P{p + 1}",
            "item": f"I{i + 1}",
            "clause": clause,
            "from_critical": place,
            "rt_ms": round(
                float(np.exp(5.8 + people[p] + items[i] + 0.2 * (place == 0) * c + random.normal(0, 0.25))), 1
            ),
        }
        for p in range(8)
        for i in range(8)
        for c, clause in enumerate(("object", "subject"))
        for place in (-1, 0, 1)
    ]
    return pd.DataFrame(lines), {"formula": "log(rt_ms) ~ clause + (1 | participant) + (1 | item)"}


METHOD = Method(
    slug="regions",
    label="Region by region",
    summary="The same mixed model for every region of a text, with p adjusted for the number of regions.",
    function=regions,
    parameters=(
        Parameter(
            "formula",
            "Formula",
            "text",
            help="As in lme4, without the regions: log(rt_ms) ~ clause + (1+clause||participant) + (1+clause||item).",
            required=True,
        ),
        Parameter("region", "Region", "column", help="What tells the regions apart.", default="from_critical"),
        Parameter("reml", "REML", "boolean", help="False: maximum likelihood.", default=True),
        *(parameter for parameter in CODING if parameter.name not in ("means", "by")),
        CONFIDENCE,
        *rows.ROW_PARAMETERS,
    ),
    example=example,
)
