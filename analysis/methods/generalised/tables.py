"""The tables, figures and sentences of generalised linear mixed models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from analysis.methods.generalised.fitted import Fitted
from analysis.methods.mixed import variance_explained
from analysis.methods.mixed.design import INTERCEPT
from analysis.methods.mixed.meanings import meanings
from analysis.methods.mixed.means import Mean, comparisons
from analysis.methods.mixed.terms import Variable
from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import df_text, number_text, p_text, percent_text

_INTERVAL = (Column("ci_low", "CI low"), Column("ci_high", "CI high"))
_ODDS = (Column("odds_ratio", "Odds ratio"), Column("or_low", "OR CI low"), Column("or_high", "OR CI high"))
FIXED = (
    Column("term", "Term", "text"),
    Column("estimate", "Estimate (log odds)"),
    Column("se", "SE"),
    Column("z", "z", "statistic"),
    Column("p", "p", "p"),
    *_INTERVAL,
    *_ODDS,
    Column("meaning", "Meaning", "text"),
)
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
    *variance_explained.COLUMNS,
)
ANOVA = (
    Column("effect", "Effect", "text"),
    Column("df", "df", "df"),
    Column("chi2", "χ²", "statistic"),
    Column("p", "p", "p"),
    Column("test", "Test", "text"),
)
OF_F = (Column("df2", "df2", "df"), Column("f", "F", "statistic"))
MEANS = (
    Column("mean", "Mean (log odds)"),
    Column("se", "SE"),
    *_INTERVAL,
)
PROBABILITIES = (
    Column("probability", "Probability", "share"),
    Column("probability_se", "SE of probability"),
    Column("probability_low", "Probability CI low", "share"),
    Column("probability_high", "Probability CI high", "share"),
)
PAIRS = (
    Column("by", "Within", "text"),
    Column("a", "a", "text"),
    Column("b", "b", "text"),
    Column("mean_a", "Log odds of a"),
    Column("mean_b", "Log odds of b"),
    Column("diff", "Difference (log odds)"),
    Column("se", "SE of difference"),
    Column("z", "z", "statistic"),
    Column("p", "p (Tukey)", "p"),
    *_INTERVAL,
    *_ODDS,
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
            line |= {"ci_low": low, "ci_high": high, **odds(found.estimate, low, high)}
        lines.append(line)
    return Table.from_rows("fixed", f"Fixed effects on {fit.design.formula.response.text} (log odds)", FIXED, lines)


def odds(estimate: float, low: float, high: float) -> dict[str, float]:
    """Return an odds ratio with its interval from log odds."""
    with np.errstate(over="ignore"):
        ratio, lowest, highest = np.exp([estimate, low, high])
    return {"odds_ratio": float(ratio), "or_low": float(lowest), "or_high": float(highest)}


def fit_table(fit: Fitted) -> Table:
    """Return the measures of fit."""
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
        **({} if fit.is_limit else variance_explained.explained(fit, residual=variance_explained.LOGISTIC_VARIANCE)),
    }
    return Table.from_rows("fit", "Fit of the model", FIT, [line])


def means_table(fit: Fitted, means: Sequence[Mean], *, over: Sequence[Variable], confidence: float) -> Table:
    """Return the estimated marginal means as log odds and as probabilities, one column per factor."""
    names = level_names(over, (*MEANS, *PROBABILITIES))
    columns = [Column(name, name, "text") for name in names]
    lines = []
    for mean in means:
        line: dict[str, Any] = dict(zip(names, mean.levels, strict=True))
        line["panel"] = ":".join(mean.levels[2:])
        if mean.weights is not None:
            found = fit.contrast(mean.weights)
            low, high = found.interval(confidence)
            share = float(scipy.special.expit(found.estimate))
            line |= {"mean": found.estimate, "se": found.se, "ci_low": low, "ci_high": high}
            line |= {"probability": share, "probability_se": share * (1 - share) * found.se}
            line |= {
                "probability_low": float(scipy.special.expit(low)),
                "probability_high": float(scipy.special.expit(high)),
            }
        lines.append(line)
    extra = (Column("panel", "Other factors", "text"),) if len(names) > 3 else ()
    title = f"Estimated marginal means of {fit.design.formula.response.text}"
    return Table.from_rows("means", title, [*columns, *MEANS, *PROBABILITIES, *extra], lines)


def level_names(over: Sequence[Variable], taken: Sequence[Column]) -> list[str]:
    """Return the names of the columns of factors; one that a number already has is made another."""
    known = {column.name for column in taken} | {"panel"}
    return [f"{v.column}_level" if v.column in known else v.column for v in over]


def comparisons_table(fit: Fitted, means: Sequence[Mean], *, held: int, confidence: float) -> Table:
    """Return the pairwise comparisons with odds ratios."""
    lines = comparisons(fit, means, held=held, confidence=confidence)
    for line in lines:
        if "t" in line:
            line["z"] = line.pop("t")
            line |= odds(line["diff"], line["ci_low"], line["ci_high"])
    return Table.from_rows("comparisons", f"Comparisons of means of {fit.design.formula.response.text}", PAIRS, lines)


def figures(
    tables: Sequence[Table], *, response: str, confidence: float, ordered: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """Return a picture of the means where there are factors, else of the coefficients, and one of comparisons.

    `ordered` names the factors whose levels were given in an order.
    """
    by_name = {table.name: table for table in tables}
    made = []
    has_outcome = "outcome" in {column.name for column in by_name["fixed"].columns}
    panel = {"panel": "outcome"} if has_outcome else {}
    if "means" in by_name and "probability" in {column.name for column in by_name["means"].columns}:
        names = [column.name for column in by_name["means"].columns if column.name != "outcome"]
        count = names.index("mean")
        channels = ["x", "colour", "panel"][: min(count, 2 if has_outcome else 3)]
        encoding = dict(zip(channels, names[:count], strict=False))
        if "panel" in names and not has_outcome:
            encoding["panel"] = "panel"
        made.append(
            Figure(
                name="means",
                title=f"Estimated probability of {response} by condition",
                kind="interaction",
                table="means",
                encoding={
                    **encoding,
                    **panel,
                    "y": "probability",
                    "low": "probability_low",
                    "high": "probability_high",
                },
                caption=f"Estimated marginal means as probabilities, for people and items with average effects, with "
                f"{percent_text(confidence)} confidence intervals.",
                x_label=encoding["x"],
                y_label="Probability",
                points="observed" if "observed" in by_name else "",
                ordered=encoding["x"] in ordered,
            )
        )
    elif by_name["fixed"].rows:
        made.append(_intervals("coefficients", f"Coefficients on {response}", "fixed", "estimate", "term", panel))
    if "comparisons" in by_name:
        made.append(_intervals("differences", f"Differences of {response}", "comparisons", "diff", "comparison", panel))
    return tuple(made)


def _intervals(name: str, title: str, table: str, x: str, y: str, panel: dict[str, str]) -> Figure:
    return Figure(
        name=name,
        title=title,
        kind="intervals",
        table=table,
        encoding={"x": x, "y": y, "low": "ci_low", "high": "ci_high", **panel},
        caption="Estimates in log odds with confidence intervals.",
        x_label="Estimate (log odds)",
        reference=0.0,
    )


def sentences(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the results in APA style: tests of effects, the comparison of models, then coefficients."""
    made: dict[str, list[str]] = {"anova": [], "comparison": [], "nominal": [], "fixed": []}
    for table in tables:
        for row in table.rows if table.name in made else ():
            line = dict(zip((column.name for column in table.columns), row, strict=True))
            sentence = _sentence(table.name, line)
            if sentence:
                made[table.name].append(f"{line['outcome']}, {sentence}" if line.get("outcome") else sentence)
    return tuple(sentence for found in made.values() for sentence in found)


def _sentence(table: str, line: dict[str, Any]) -> str:
    if table == "fixed":
        if line["term"] == INTERCEPT:
            return ""
        if line["p"] is None:
            return f"{line['term']} ({line['meaning']}) has no finite estimate."
        result = f"b = {number_text(line['estimate'], places=3)}, SE = {number_text(line['se'], places=3)}"
        test = f"z = {number_text(line['z'])}, {p_text(line['p'])}"
        ratio = f"odds ratio {number_text(line['odds_ratio'])}" if line["odds_ratio"] is not None else "odds ratio huge"
        return f"{line['term']} ({line['meaning']}): {result}, {test}, {ratio}."
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
        return f"Against the smaller model, {line['model']}: {result}."
    if table == "nominal":
        return f"Proportional odds of {line['effect']}: {result}."
    return f"{line['effect']}: {result}."
