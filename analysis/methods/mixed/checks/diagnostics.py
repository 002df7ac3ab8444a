"""Show the diagnostics of a fitted mixed model: residuals, their quantiles, random effects, influence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.mixed.checks.influence import equations_of, influence_figure, influence_table
from analysis.methods.mixed.checks.predictions import Modes, Rows, random_effects, residuals, rows_of, simulated
from analysis.methods.mixed.design.matrices import INTERCEPT, Group
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.report import Column, Figure, Report, Table
from analysis.methods.wording import percent_text

SEED = 20100602
# A figure of more points than these is no clearer, and a report of more rows no lighter.
MOST_POINTS = 600
EXTREMES = 50
QUANTILES = 150
# With 39 simulations the least and the greatest hold 95 % of them, with 79 the second from either end.
MANY, FEW, LARGE, HUGE = 79, 39, 2500, 100_000
EXACT = 1e-9

RESIDUALS = declared_table(
    "residuals",
    "Residuals against fitted values{part}",
    f"At most {MOST_POINTS} rows, the largest residuals among them, in the units of the measure.",
    Column("fitted", "Fitted", meaning="The fitted value."),
    Column("residual", "Residual", meaning="The measure less the fitted value."),
    when="where residuals vary",
)
QUANTILE = declared_table(
    "quantiles",
    "Normal quantiles of the residuals",
    "With a pointwise 95 % envelope of residuals that were simulated from the model.",
    Column("theoretical", "Normal quantile", meaning="The quantile of the normal distribution."),
    Column("observed", "Standardised residual", meaning="The quantile of the residuals."),
    Column("low", "Envelope low", meaning="Lower end of the envelope."),
    Column("high", "Envelope high", meaning="Upper end of the envelope."),
    when="where residuals vary",
)
UNITS = declared_table(
    "units",
    "Random effects of every level (conditional modes)",
    "Random effects of every participant and item; of a slope also the fixed effect plus that deviation.",
    usual("group", meaning="The grouping factor."),
    Column("unit", "Level", "text", meaning="Which participant or item."),
    usual("term", meaning="The random effect."),
    usual("estimate", "Deviation", "The deviation from the fixed effects."),
    usual("se", "Conditional SE", "Its standard error given variances and fixed effects."),
    usual("ci_low", "Interval low"),
    usual("ci_high", "Interval high"),
    Column("panel", "Panel", "text", meaning="The part of the figure.", importance="detail"),
    Column("effect_of", "Effect of", "text", meaning="The fixed effect that the slope lets vary."),
    Column("fixed", "Fixed effect", meaning="Its estimate."),
    Column("effect", "Effect in this level", meaning="The fixed effect plus the deviation."),
    Column("effect_low", "Effect low", meaning="Lower end of its interval."),
    Column("effect_high", "Effect high", meaning="Upper end of its interval."),
    Column("effect_panel", "Panel of effects", "text", meaning="The part of the figure.", importance="detail"),
    key="estimate",
    detail="effect_of fixed effect_low effect_high",
    when="where a random effect has variance",
)


def shown(fit: Fitted, *, confidence: float) -> Report:
    """Return the tables and figures that check a linear mixed model; none where its residuals have no variance."""
    rows = rows_of(fit)
    left = residuals(rows, fit.design.y[:, None] / fit.prepared.unit)[:, 0]
    if float(left.std()) < 1e-9:
        return Report()
    response = fit.design.formula.response.text
    before = Report(
        tables=(residual_table(fit, left), quantile_table(rows, left)),
        figures=(
            Figure(
                name="residuals",
                title=f"Residuals of {response} against fitted values",
                kind="points",
                table="residuals",
                encoding={"x": "fitted", "y": "residual"},
                caption="No bend and the same spread everywhere is what the model supposes.",
                x_label=f"Fitted {response}",
                y_label="Residual",
                reference=0.0,
            ),
            Figure(
                name="quantiles",
                title="Normal quantiles of the residuals",
                kind="band",
                table="quantiles",
                encoding={"x": "theoretical", "y": "observed", "low": "low", "high": "high"},
                caption="The band holds 95 % of the residuals of data that were simulated from the model, quantile by "
                "quantile; points outside it are not what the model would make.",
                x_label="Normal quantile",
                y_label="Standardised residual",
            ),
        ),
    )
    influence = influence_table(fit, equations_of(rows))
    return with_levels(before, fit, random_effects(fit), influence, confidence=confidence)


def with_levels(
    before: Report,
    fit: Estimates,
    found: Sequence[Modes],
    influence: tuple[Table | None, Sequence[str]],
    *,
    confidence: float,
) -> Report:
    """Add what shows single levels of groups: their random effects, and the fixed effects without each."""
    units, (without, notes) = units_table(fit, found, confidence=confidence), influence
    drawn = units_figures(units, confidence=confidence)
    drawn += (influence_figure(without),) if without is not None else ()
    tables = (table for table in (units, without) if table is not None)
    return replace(
        before, tables=(*before.tables, *tables), figures=(*before.figures, *drawn), notes=(*before.notes, *notes)
    )


def residual_table(fit: Fitted, left: Floats) -> Table:
    """Return residuals with fitted values: of many rows the largest residuals and some at even steps of the fit."""
    made = left * fit.prepared.unit
    fitted = fit.design.y - made
    chosen = np.argsort(fitted, kind="stable")
    part = ""
    if len(made) > MOST_POINTS:
        steps = np.unique(np.linspace(0, len(made) - 1, MOST_POINTS - EXTREMES).round().astype(int))
        largest = np.argsort(-np.abs(made), kind="stable")[:EXTREMES]
        keep = np.union1d(chosen[steps], largest)
        chosen = keep[np.argsort(fitted[keep], kind="stable")]
        part = f" ({len(chosen)} of {len(made):,} rows, the largest residuals among them)"
    return RESIDUALS.of(pd.DataFrame({"fitted": fitted[chosen], "residual": made[chosen]}), part=part)


def quantile_table(rows: Rows, left: Floats) -> Table:
    """Return normal quantiles of the standardised residuals with an envelope of simulated ones (the same each time).

    Of more than HUGE rows the envelope is that of independent normal values, from which theirs no longer differs.
    """
    n = len(left)
    places = np.arange(n)
    if n > QUANTILES:
        ends = np.arange(25)
        places = np.unique(np.r_[ends, np.linspace(25, n - 26, QUANTILES - 50).round().astype(int), n - 1 - ends])
    normal = scipy.special.ndtri((places + 0.5) / n)
    observed = np.sort(_standardised(left[:, None])[:, 0])[places]
    if n > HUGE:
        low, high = (scipy.special.ndtri(scipy.stats.beta.ppf(p, places + 1, n - places)) for p in (0.025, 0.975))
    else:
        count = MANY if n <= LARGE else FEW
        measures = simulated(rows, count=count, random=np.random.default_rng(SEED))
        made = np.sort(np.sort(_standardised(residuals(rows, measures)), axis=0)[places], axis=1)
        outer = (count + 1) // 40 - 1
        low, high = made[:, outer], made[:, -1 - outer]
    return QUANTILE.of(pd.DataFrame({"theoretical": normal, "observed": observed, "low": low, "high": high}))


def units_table(fit: Estimates, found: Sequence[Modes], *, confidence: float) -> Table | None:
    """Return the random effects of every level; None where none has variance.

    `effect` is the fixed effect of a slope plus the deviation of a level.
    """
    half = float(scipy.special.ndtri((1 + confidence) / 2))
    parts: list[pd.DataFrame] = []
    by_name = {modes.group.name: modes for modes in found}
    for group in fit.design.groups:
        modes = by_name[group.name]
        for column, label in enumerate(_labels(group)):
            estimate = modes.modes[:, column]
            error = np.sqrt(np.maximum(modes.covariances[:, column, column], 0.0))
            if not error.any():
                continue
            part = pd.DataFrame({"group": group.name, "unit": group.levels, "term": label, "estimate": estimate})
            low, high = estimate - half * error, estimate + half * error
            part = part.assign(se=error, ci_low=low, ci_high=high, panel=f"{label} by {group.name}")
            if (slope := _slope(fit, group, column)) is not None:
                name, fixed, factor = slope
                effect, ends = fixed + factor * estimate, np.sort([fixed + factor * low, fixed + factor * high], axis=0)
                part = part.assign(effect_of=name, fixed=fixed, effect=effect, effect_low=ends[0], effect_high=ends[1])
                part["effect_panel"] = f"{name} by {group.name}"
            parts.append(part)
    return UNITS.of(pd.concat(parts)) if parts else None


def units_figures(table: Table | None, *, confidence: float) -> tuple[Figure, ...]:
    """Return the pictures of random effects and of slopes by level."""
    if table is None:
        return ()
    interval = f"{percent_text(confidence)} intervals of every level given the estimated variances and fixed effects"
    made = [
        Figure(
            name="random-effects",
            title="Random effects of every level",
            kind="caterpillar",
            table=table.name,
            encoding={"x": "estimate", "y": "unit", "low": "ci_low", "high": "ci_high", "panel": "panel"},
            caption=f"Deviations from the fixed effects with {interval}.",
            x_label="Deviation",
            reference=0.0,
        )
    ]
    if any(line["effect"] is not None for line in table.lines()):
        channels = {"x": "effect", "y": "unit", "low": "effect_low", "high": "effect_high"}
        made.append(
            Figure(
                name="slopes",
                title="Effects in every level",
                kind="caterpillar",
                table=table.name,
                encoding={**channels, "panel": "effect_panel", "centre": "fixed"},
                caption=f"The fixed effect (line) plus the deviation of every level, with {interval}.",
                x_label="Effect",
            )
        )
    return tuple(made)


def _labels(group: Group) -> list[str]:
    """Return names for the columns of a group; contrasts of a factor that share a name are numbered."""
    names = list(group.names)
    return [
        f"{name} (contrast {names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _slope(fit: Estimates, group: Group, column: int) -> tuple[str, float, float] | None:
    """Return the fixed effect that a random slope lets vary: its name, its estimate, and what a deviation adds to it.

    The two may be coded in other ways. A deviation belongs to a fixed effect where it moves that one alone and no
    other random column of the group moves it; elsewhere there is no effect of single levels to be shown.
    """
    if group.names[column] == INTERCEPT:
        return None
    fixed, own = fit.design.fixed.values[:, list(fit.prepared.kept)], group.columns[:, column]
    if not fixed.shape[1]:
        return None
    size = np.abs(fixed).max(axis=0)
    # How much of every fixed column a deviation in each random column is.
    moves = np.linalg.lstsq(fixed / size, group.columns, rcond=None)[0] / size[:, None]
    if float(np.abs(fixed @ moves[:, column] - own).max()) > EXACT * float(np.abs(own).max()):
        return None
    moves = np.where(np.abs(moves) * size[:, None] < EXACT * np.abs(group.columns).max(axis=0), 0.0, moves)
    mine = [place for place, name in enumerate(fit.names) if name != INTERCEPT and moves[place, column]]
    if len(mine) != 1 or np.count_nonzero(moves[mine[0]]) != 1:
        return None
    return fit.names[mine[0]], float(fit.beta[mine[0]]), float(moves[mine[0], column])


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0))
