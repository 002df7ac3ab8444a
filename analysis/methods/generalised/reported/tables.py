"""The tables, figures and sentences of generalised linear mixed models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.estimates import variance_explained
from analysis.methods.mixed.estimates.means import Mean, comparisons
from analysis.methods.mixed.estimates.scales import LOG_ODDS, RATIOS, Scale
from analysis.methods.mixed.reported.meanings import meanings
from analysis.methods.mixed.reported.sentences import comparison_sentence
from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import df_text, number_text, p_text, percent_text

_INTERVAL = (Column("ci_low", "CI low"), Column("ci_high", "CI high"))
FIT = (
    Column("log_lik", "Log likelihood"),
    Column("deviance", "Deviance"),
    Column("aic", "AIC"),
    Column("bic", "BIC"),
    Column("n", "n", "integer"),
    Column("converged", "Converged", "boolean"),
    Column("singular", "Singular", "boolean"),
    Column("criterion", "−2 log likelihood"),
    Column("parameters", "Parameters", "integer"),
)


def fixed_columns(scale: Scale) -> tuple[Column, ...]:
    """Return the columns of coefficients on a scale."""
    return (
        Column("term", "Term", "text"),
        Column("estimate", f"Estimate{scale.in_unit}"),
        Column("se", "SE"),
        Column("z", "z", "statistic"),
        Column("p", "p", "p"),
        *_INTERVAL,
        *(scale.ratio.columns if scale.ratio else ()),
        Column("meaning", "Meaning", "text"),
    )


def mean_columns(scale: Scale) -> tuple[Column, ...]:
    """Return the columns of means on a scale."""
    return (Column("mean", f"Mean{scale.in_unit}"), Column("se", "SE"), *_INTERVAL)


def pair_columns(scale: Scale) -> tuple[Column, ...]:
    """Return the columns of comparisons of means on a scale."""
    mean = scale.unit.capitalize() or "Mean"
    return (
        Column("by", "Within", "text"),
        Column("a", "a", "text"),
        Column("b", "b", "text"),
        Column("mean_a", f"{mean} of a"),
        Column("mean_b", f"{mean} of b"),
        Column("diff", f"Difference{scale.in_unit}"),
        Column("se", "SE of difference"),
        Column("z", "z", "statistic"),
        Column("p", "p (Tukey)", "p"),
        *_INTERVAL,
        *(scale.ratio.columns if scale.ratio else ()),
        Column("p_holm", "p (Holm)", "p"),
        Column("p_unadjusted", "p (unadjusted)", "p"),
        Column("k", "Means in the family", "integer"),
        Column("comparison", "Comparison", "text"),
    )


def fixed_table(fit: Fitted, *, confidence: float, intercept: bool = True) -> Table:
    """Return the coefficients; one without a finite estimate has none, one that was dropped no line."""
    lines = []
    said = meanings(fit)
    shown = fit.prepared.kept if not fit.is_limit else range(len(fit.design.fixed.names))
    for column in shown:
        name = fit.design.fixed.names[column]
        if name == INTERCEPT and not intercept:
            continue
        line: dict[str, Any] = {"term": name, "meaning": said[column]}
        weights = fit.coefficient(column)
        if weights is not None:
            found = fit.contrast(weights)
            low, high = found.interval(confidence)
            line |= {"estimate": found.estimate, "se": found.se, "z": found.t, "p": found.p}
            line |= {"ci_low": low, "ci_high": high, **fit.scale.ratios(found.estimate, low, high)}
        lines.append(line)
    title = f"Fixed effects on {fit.design.formula.response.text}{fit.scale.in_unit}"
    return Table.from_rows("fixed", title, fixed_columns(fit.scale), lines)


def fit_table(fit: Fitted) -> Table:
    """Return the measures of fit; those of variance explained only of models on the logit scale."""
    line = {
        "log_lik": -fit.criterion / 2,
        "deviance": fit.criterion,
        "aic": fit.aic,
        "bic": fit.bic,
        "n": fit.prepared.n,
        "converged": fit.optimum.converged,
        "singular": fit.optimum.singular,
        "criterion": fit.criterion,
        "parameters": fit.parameters,
    }
    columns: tuple[Column, ...] = FIT
    if fit.scale.is_binary:
        columns = (*FIT, *variance_explained.COLUMNS)
        if not fit.is_limit:
            line |= variance_explained.explained(fit, residual=variance_explained.LOGISTIC_VARIANCE)
    return Table.from_rows("fit", "Fit of the model", columns, [line])


def means_table(fit: Fitted, means: Sequence[Mean], *, over: Sequence[Variable], confidence: float) -> Table:
    """Return the estimated marginal means on the scale of the model and of the outcome, one column per factor."""
    numbers = (*mean_columns(fit.scale), *fit.scale.mean)
    names = level_names(over, numbers)
    columns = [Column(name, name, "text") for name in names]
    lines = []
    for mean in means:
        line: dict[str, Any] = dict(zip(names, mean.levels, strict=True))
        line["panel"] = ":".join(mean.levels[2:])
        if mean.weights is not None:
            found = fit.contrast(mean.weights)
            low, high = found.interval(confidence)
            line |= {"mean": found.estimate, "se": found.se, "ci_low": low, "ci_high": high}
            line |= fit.scale.back(found.estimate, found.se, low, high)
        lines.append(line)
    extra = (Column("panel", "Other factors", "text"),) if len(names) > 3 else ()
    title = f"Estimated marginal means of {fit.design.formula.response.text}"
    return Table.from_rows("means", title, [*columns, *numbers, *extra], lines)


def level_names(over: Sequence[Variable], taken: Sequence[Column]) -> list[str]:
    """Return the names of the columns of factors; one that a number already has is made another."""
    known = {column.name for column in taken} | {"panel"}
    return [f"{v.column}_level" if v.column in known else v.column for v in over]


def comparisons_table(fit: Fitted, means: Sequence[Mean], *, held: int, confidence: float) -> Table:
    """Return the pairwise comparisons, with ratios where the scale has them."""
    lines = comparisons(fit, means, held=held, confidence=confidence)
    for line in lines:
        if "t" in line:
            line["z"] = line.pop("t")
            line |= fit.scale.ratios(line["diff"], line["ci_low"], line["ci_high"])
    title = f"Comparisons of means of {fit.design.formula.response.text}"
    return Table.from_rows("comparisons", title, pair_columns(fit.scale), lines)


def figures(
    tables: Sequence[Table], *, response: str, confidence: float, ordered: Sequence[str] = (), scale: Scale = LOG_ODDS
) -> tuple[Figure, ...]:
    """Return a picture of the means where there are factors, else of the coefficients, and one of comparisons.

    `ordered` names the factors whose levels were given in an order.
    """
    by_name = {table.name: table for table in tables}
    made = []
    has_outcome = "outcome" in {column.name for column in by_name["fixed"].columns}
    panel = {"panel": "outcome"} if has_outcome else {}
    shown = scale.mean[0].name if scale.mean else "mean"
    ends = (f"{shown}_low", f"{shown}_high") if scale.mean else ("ci_low", "ci_high")
    if "means" in by_name and shown in {column.name for column in by_name["means"].columns}:
        names = [column.name for column in by_name["means"].columns if column.name != "outcome"]
        count = names.index("mean")
        channels = ["x", "colour", "panel"][: min(count, 2 if has_outcome else 3)]
        encoding = dict(zip(channels, names[:count], strict=False))
        if "panel" in names and not has_outcome:
            encoding["panel"] = "panel"
        made.append(
            Figure(
                name="means",
                title=f"Estimated {scale.mean_words} of {response} by condition",
                kind="interaction",
                table="means",
                encoding={
                    **encoding,
                    **panel,
                    "y": shown,
                    "low": ends[0],
                    "high": ends[1],
                },
                caption=f"Estimated marginal means{scale.as_what}, for people and items with average effects, with "
                f"{percent_text(confidence)} confidence intervals.",
                x_label=encoding["x"],
                y_label=scale.mean[0].label if scale.mean else response,
                points="observed" if "observed" in by_name else "",
                ordered=encoding["x"] in ordered,
            )
        )
    elif by_name["fixed"].rows:
        made.append(
            _intervals("coefficients", f"Coefficients on {response}", "fixed", "estimate", "term", panel, scale)
        )
    if "comparisons" in by_name:
        made.append(
            _intervals("differences", f"Differences of {response}", "comparisons", "diff", "comparison", panel, scale)
        )
    return tuple(made)


def _intervals(name: str, title: str, table: str, x: str, y: str, panel: dict[str, str], scale: Scale) -> Figure:
    return Figure(
        name=name,
        title=title,
        kind="intervals",
        table=table,
        encoding={"x": x, "y": y, "low": "ci_low", "high": "ci_high", **panel},
        caption=f"Estimates{f' in {scale.unit}' if scale.unit else ''} with confidence intervals.",
        x_label=f"Estimate{scale.in_unit}",
        reference=0.0,
    )


def sentences(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the results in APA style: tests of effects, the comparison of models, then coefficients."""
    made: dict[str, list[str]] = {"anova": [], "comparison": [], "nominal": [], "fixed": []}
    smaller = ""
    number = len({row[0] for table in tables if table.columns[0].name == "outcome" for row in table.rows})
    for table in tables:
        for row in table.rows if table.name in made else ():
            line = dict(zip((column.name for column in table.columns), row, strict=True))
            sentence = _sentence(table.name, line, smaller=smaller)
            if sentence and number > 1 and line.get("p_outcomes") is not None:
                sentence = f"{sentence[:-1]} (Holm over {number} outcomes, {p_text(line['p_outcomes'])})."
            smaller = line.get("model", smaller)
            if sentence:
                made[table.name].append(f"{line['outcome']}, {sentence}" if line.get("outcome") else sentence)
    return tuple(sentence for found in made.values() for sentence in found)


def _sentence(table: str, line: dict[str, Any], *, smaller: str) -> str:
    if table == "fixed":
        if line["term"] == INTERCEPT:
            return ""
        if line["p"] is None:
            return f"{line['term']} ({line['meaning']}) has no finite estimate."
        result = f"b = {number_text(line['estimate'], places=3)}, SE = {number_text(line['se'], places=3)}"
        test = f"z = {number_text(line['z'])}, {p_text(line['p'])}"
        return f"{line['term']} ({line['meaning']}): {result}, {test}{_ratio_said(line)}."
    if table == "comparison" and line["p"] is None:
        return ""
    if line["p"] is None:
        what = f"Proportional odds of {line['effect']}" if table == "nominal" else line["effect"]
        return f"{what} cannot be tested with these data."
    if line.get("f") is not None:
        result = f"F({df_text(line['df'])}, {df_text(line['df2'])}) = {number_text(line['f'])}, {p_text(line['p'])}"
        return f"{line['effect']}: {result}."
    result = f"χ²({df_text(line['df'])}) = {number_text(line['chi2'])}, {p_text(line['p'])}"
    if table == "comparison":
        return comparison_sentence(line["model"], smaller=smaller, result=result)
    if table == "nominal":
        return f"Proportional odds of {line['effect']}: {result}."
    return f"{line['effect']}: {result}."


def _ratio_said(line: dict[str, Any]) -> str:
    """Return the ratio of a coefficient in words; nothing on a scale without ratios."""
    found = next((ratio for ratio in RATIOS if ratio.name in line), None)
    if found is None:
        return ""
    value = line[found.name]
    return f", {found.words} {number_text(value)}" if value is not None else f", {found.words} huge"
