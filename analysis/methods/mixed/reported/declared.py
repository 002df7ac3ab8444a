"""Declare the tables that reports on mixed models share: coefficients, variances, fit, means, comparisons, codes."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.methods.columns import FACTORS, FromData, TableDeclaration, declared_table, usual
from analysis.methods.mixed.estimates.scales import (
    GEOMETRIC,
    LOG_ODDS,
    OF_LOGS,
    RATIOS,
    TRANSFORMED,
    Scale,
    compared,
    expected,
)
from analysis.methods.report import Column

PANEL = Column(
    "panel", "Other factors", "text", meaning="The levels of the third and further factors; with four or more factors."
)


@dataclass(frozen=True)
class OfScale:
    """The tables whose columns depend on the scale of a model: with t and df of a measure, with z of all others."""

    fixed: TableDeclaration
    means: TableDeclaration
    comparisons: TableDeclaration

    def tables(self, anova: TableDeclaration) -> tuple[TableDeclaration, ...]:
        """Return the tables that every model on this scale may have, with those of its tests of effects."""
        shared = (RANDOM, CORRELATIONS, FIT, COMPARISON, HYPOTHESES, CODES)
        return (anova, self.means, self.comparisons, self.fixed, *shared)


D = (
    Column(
        "d", "d", meaning="The difference over the standard deviation of a single observation: people, items, rest."
    ),
    Column("d_low", "d CI low", meaning="Lower end of its interval; it holds how uncertain that deviation is."),
    Column("d_high", "d CI high", meaning="Upper end of its interval."),
)


def _of_scale(
    test: str,
    *,
    df: str,
    outcome: tuple[tuple[Column, ...], ...],
    ratios: tuple[Column, ...] = (),
    ratios_of_means: tuple[Column, ...] = (),
    effect: tuple[Column, ...] = (),
) -> OfScale:
    by_ratio = " ".join(column.name for column in ratios)
    means = tuple(column for mean in outcome for column in mean)
    differences = tuple(column for mean in outcome for column in compared(mean))
    ratios_of_means = ratios_of_means or ratios
    return OfScale(
        declared_table(
            "fixed",
            "Fixed effects on {response}{unit}",
            "One row per coefficient, named as R names it, with Wald intervals; a coefficient without a finite "
            "estimate has an empty row, one that was dropped has none.",
            "term",
            usual("estimate", "Estimate{unit}", "The coefficient."),
            "se",
            test,
            "p ci_low ci_high",
            ratios,
            Column("meaning", "Meaning", "text", meaning="Which levels the coefficient compares."),
            optional=by_ratio,
        ),
        declared_table(
            "means",
            "Estimated marginal means of {response}",
            "One row per cell of the factors: averages over all other factors, numeric predictors at their means, for "
            "people and items with average effects.",
            FACTORS,
            usual("mean", "Mean{unit}", "The estimated marginal mean, on the scale of the coefficients."),
            "se",
            df,
            "ci_low ci_high",
            means,
            PANEL,
            optional=" ".join(column.name for column in (*means, PANEL)),
            when="where there are factors",
        ),
        declared_table(
            "comparisons",
            "Comparisons of means of {response}",
            "Pairs of means. Where `means` names factors, their means inside every level of `by`; else the levels of "
            "every factor, inside those of the factors with which it interacts. p and intervals by Tukey.",
            usual("factor", "Compared", "The factor whose levels are compared; several that are crossed."),
            Column("by", "Within", "text", meaning="The levels of other factors within which they are compared."),
            "a b",
            usual("mean_a", "{mean} of a"),
            usual("mean_b", "{mean} of b"),
            usual("diff", "Difference{unit}"),
            usual("se", "SE of difference"),
            test,
            usual("p", "p (Tukey)", "Adjusted for all pairs of a family of k means (studentised range)."),
            "ci_low ci_high",
            ratios_of_means,
            differences,
            effect,
            "p_holm",
            Column("p_unadjusted", "p (unadjusted)", "p", meaning="Not adjusted.", importance="detail"),
            Column("k", "Means in the family", "integer", meaning="Tukey's k.", importance="detail"),
            usual("comparison", meaning="The comparison in words, as the figure names it."),
            optional=" ".join(column.name for column in (*ratios_of_means, *differences, *effect)),
            when="where there are factors",
        ),
    )


POINTS = (
    Column(
        "points",
        "Mean {response}",
        meaning="The expected category in points; categories that are no numbers are counted from 1.",
    ),
    Column("points_se", "SE of mean {response}", meaning="Its standard error (delta method).", importance="detail"),
    Column("points_low", "Mean {response} CI low", meaning="Lower end of its interval."),
    Column("points_high", "Mean {response} CI high", meaning="Upper end of its interval."),
)
LINEAR = _of_scale("df t", df="df", outcome=(GEOMETRIC, TRANSFORMED), ratios_of_means=OF_LOGS.columns, effect=D)
ORDINAL = _of_scale("z", df="", ratios=RATIOS[0].columns, outcome=(POINTS,))
GENERALISED = _of_scale(
    "z",
    df="",
    ratios=tuple(column for ratio in RATIOS for column in ratio.columns),
    outcome=(LOG_ODDS.mean, expected("{what}")),
)


def of_scale(scale: Scale) -> OfScale:
    """Return the tables of models on a scale."""
    return LINEAR if scale.is_linear else GENERALISED


_PARAMETERS = Column("parameters", "Parameters", "integer", meaning="How many are estimated.", importance="detail")
_CRITERION = Column(
    "criterion", "−2 log likelihood", meaning="−2 times the log likelihood, restricted with REML.", importance="detail"
)
_GROUP = usual("group", meaning="The grouping factor.")

RANDOM = declared_table(
    "random",
    "Random effects",
    "One row per random effect, the residual of a measure last. A term with || has one row, whose standard deviation "
    "is that of a level around the mean of all.",
    _GROUP,
    "term sd",
    Column("var", "Variance", meaning="The variance."),
    Column("corr", "Correlation", "share", meaning="With the first effect of the same random term."),
    when="where the formula has random terms",
)
CORRELATIONS = declared_table(
    "correlations",
    "Correlations of random effects",
    "All correlations inside random terms.",
    _GROUP,
    Column("term_a", "Term a", "text", meaning="One random effect."),
    Column("term_b", "Term b", "text", meaning="The other one."),
    Column("corr", "Correlation", "share", meaning="The correlation of the two."),
    when="where there are any",
)
FIT = declared_table(
    "fit",
    "Fit of the model",
    "One row: measures of fit; BIC has n = number of rows.",
    "log_lik",
    Column("deviance", "Deviance", meaning="−2 times the log likelihood.", importance="detail"),
    "aic bic",
    usual("n", meaning="How many rows were analysed."),
    "converged singular",
    _CRITERION,
    _PARAMETERS,
    Column("sigma", "Residual SD", meaning="The standard deviation of the residual, in the units of the measure."),
    Column("reml", "REML", "boolean", meaning="Whether the likelihood is restricted.", importance="detail"),
    Column("r2_marginal", "R² (marginal)", "share", meaning="Explained by the fixed effects."),
    Column("r2_conditional", "R² (conditional)", "share", meaning="Explained by fixed and random effects."),
    optional="deviance sigma reml r2_marginal r2_conditional",
)
ANOVA = declared_table(
    "anova",
    "Tests of the fixed effects (type III, Satterthwaite)",
    "One row per effect; an effect of which nothing can be estimated has no test.",
    "effect df1",
    usual("df2", meaning="Satterthwaite's degrees of freedom."),
    "f p",
    usual("pes", "Partial η² (approximate)", "F · df1 / (F · df1 + df2)."),
    "pes_low pes_high",
    detail="pes",
    when="where the formula has fixed effects",
)
COMPARISON = declared_table(
    "comparison",
    "Comparison of models ({how})",
    "The smaller model first, the test in the row of the larger one.",
    usual("model", meaning="The formula."),
    _PARAMETERS,
    "log_lik aic bic",
    usual("chi2", meaning="2 (ln L of the larger model − ln L of the smaller one)."),
    usual("df", meaning="The difference in parameters."),
    "p converged singular",
    Column(
        "bf_bic", "Bayes factor for the larger model (BIC)", meaning="exp((BIC of the smaller model − its own) / 2)."
    ),
    when="where `compare` is given",
)
HYPOTHESES = declared_table(
    "hypotheses",
    "What each coefficient means, in means of {response}{scale}",
    "One row per coefficient.",
    "term",
    Column("hypothesis", "What the coefficient is", "text", meaning="In words."),
    Column("weights", "Weights of the means of levels", "text", meaning="Those of an interaction are products."),
    when="where there are factors",
)
CODES = declared_table(
    "codes",
    "Coding of the factors",
    "One row per contrast and level.",
    "factor contrast level",
    Column("position", "Position in the order of levels", "integer", meaning="From 1 on.", importance="detail"),
    Column("weight", "Weight of the mean (hypothesis)", meaning="What the mean of the level counts in the contrast."),
    Column("code", "Code in the model matrix", meaning="What stands in the column of the contrast for the level."),
    when="where there are factors",
)
STEPS = declared_table(
    "steps",
    "How the random effects were chosen",
    "Every model that was tried, with the test of the smaller against the larger one where there is one; the last row "
    "is the model that is reported.",
    Column("step", "Step", "integer", meaning="Models of one step compete."),
    Column("change", "Change", "text", meaning="What the step changes."),
    Column("random", "Random effects", "text", meaning="The random terms of the model."),
    _PARAMETERS,
    "log_lik",
    _CRITERION,
    "chi2 df p converged singular",
    Column("decision", "Decision", "text", meaning="Whether the change was taken, and why."),
    when="where `reduce` is not none",
)
OBSERVED = declared_table(
    "observed",
    "Observed means of {response} by {group}",
    "The mean of every level of the first group in every condition, which the figure shows behind the means.",
    FromData("unit", "The level of the first group."),
    FACTORS,
    PANEL,
    usual("value", "Mean", "The observed mean, or share."),
    optional="panel",
    when="where there are factors",
)
