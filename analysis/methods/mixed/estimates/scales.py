"""Describe the scale of a model: its name, the unit of its coefficients, and means on the scale of the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.report import Column

GAUSSIAN, BINOMIAL, POISSON, NEGATIVE_BINOMIAL = "gaussian", "binomial", "poisson", "negative-binomial"
GAMMA, INVERSE_GAUSSIAN = "gamma", "inverse-gaussian"
COUNTS, TIMES = (POISSON, NEGATIVE_BINOMIAL), (GAMMA, INVERSE_GAUSSIAN)
LOGIT, LOG, IDENTITY = "logit", "log", "identity"


def _logistic(eta: float) -> tuple[float, float]:
    share = float(scipy.special.expit(eta))
    return share, share * (1 - share)


def _power(base: float) -> Callable[[float], tuple[float, float]]:
    def inverse(eta: float) -> tuple[float, float]:
        with np.errstate(over="ignore"):
            value = float(np.exp(eta * np.log(base)))
        return value, value * float(np.log(base))

    return inverse


def _less_one(eta: float) -> tuple[float, float]:
    with np.errstate(over="ignore"):
        return float(np.expm1(eta)), float(np.exp(eta))


def _square(eta: float) -> tuple[float, float]:
    return max(eta, 0.0) ** 2, 2 * max(eta, 0.0)


BASES = {LOG: float(np.e), "log2": 2.0, "log10": 10.0}
INVERSES: dict[str, Callable[[float], tuple[float, float]]] = {
    LOGIT: _logistic,
    **{name: _power(base) for name, base in BASES.items()},
    "log1p": _less_one,
    "sqrt": _square,
}
"""What the mean on the scale of a link is on that of the outcome, with its derivative."""


@dataclass(frozen=True)
class Ratio:
    """What exp of a coefficient is: its columns (itself, low, high) and its words."""

    columns: tuple[Column, Column, Column]
    words: str

    @property
    def name(self) -> str:
        """Return the name of the column that holds the ratio."""
        return self.columns[0].name


@dataclass(frozen=True)
class Scale:
    """The scale of a model.

    `model` is what it is called, `unit` in what its coefficients and random effects are (empty: that of the outcome),
    `mean` the columns of a mean on the scale of the outcome (empty where that is the scale of the coefficients).
    `dispersions` is how many parameters the family has beside the mean.
    """

    family: str
    link: str
    model: str
    unit: str
    ratio: Ratio | None
    mean: tuple[Column, ...]
    mean_words: str
    dispersions: int = 0

    @property
    def is_linear(self) -> bool:
        """Return whether it is the scale of a measure with a residual."""
        return self.family == GAUSSIAN

    @property
    def blank(self) -> dict[str, None]:
        """Return the columns that only some scales have, without values: ratios, and means of the outcome."""
        ratios = self.ratio.columns if self.ratio else ()
        return dict.fromkeys(column.name for column in (*ratios, *self.mean))

    @property
    def is_binary(self) -> bool:
        """Return whether the outcome either happens or does not, or is an ordered category."""
        return self.family == BINOMIAL

    @property
    def as_what(self) -> str:
        """Return as what means are shown, for a caption."""
        plural = {
            "probability": "probabilities",
            "count": "expected counts",
            "value": "expected values",
            "mean": "points",
        }
        return f" as {plural[self.mean_words]}" if self.mean else ""

    @property
    def in_unit(self) -> str:
        """Return the unit in brackets, for the label of a column.

        >>> LOG_ODDS.in_unit
        ' (log odds)'
        """
        return f" ({self.unit})" if self.unit else ""

    def back(self, estimate: float, se: float, low: float, high: float) -> dict[str, float]:
        """Return a mean with its standard error (delta method) and interval on the scale of the outcome, by column.

        >>> found = LOG_COUNTS[POISSON].back(np.log(2.0), 0.1, 0.0, np.log(4.0))
        >>> {name: round(value, 6) for name, value in found.items()}
        {'expected': 2.0, 'expected_se': 0.2, 'expected_low': 1.0, 'expected_high': 4.0}
        """
        if not self.mean:
            return {}
        value, slope = self.outcome(estimate)
        values = (value, slope * se, self.outcome(low)[0], self.outcome(high)[0])
        return dict(zip((column.name for column in self.mean), values, strict=True))

    def outcome(self, estimate: float) -> tuple[float, float]:
        """Return what a mean is on the scale of the outcome, and the derivative of that.

        >>> [round(value, 4) for value in LOG_ODDS.outcome(0.0)]
        [0.5, 0.25]
        """
        return INVERSES[self.link](estimate)

    def ratios(self, estimate: float, low: float, high: float) -> dict[str, float]:
        """Return the ratio of a coefficient with its interval, by column; nothing where there is none."""
        if self.ratio is None:
            return {}
        inverse = INVERSES[self.link if self.link in BASES else LOG]
        values = [inverse(value)[0] for value in (estimate, low, high)]
        return {column.name: value for column, value in zip(self.ratio.columns, values, strict=True)}


def _ratio(words: str, letters: str) -> Ratio:
    name, short = words.replace(" ", "_"), letters.lower()
    return Ratio(
        (
            Column(name, words.capitalize(), meaning=f"The {words}: exp of the estimate."),
            Column(f"{short}_low", f"{letters} CI low", meaning="Lower end of its interval."),
            Column(f"{short}_high", f"{letters} CI high", meaning="Upper end of its interval."),
        ),
        words,
    )


def expected(what: str) -> tuple[Column, ...]:
    """Return the columns of an expected count or value."""
    return (
        Column("expected", f"Expected {what}", meaning="The mean on the scale of the outcome."),
        Column("expected_se", f"SE of expected {what}", meaning="Its standard error (delta method)."),
        Column("expected_low", f"Expected {what} CI low", meaning="Lower end of its interval."),
        Column("expected_high", f"Expected {what} CI high", meaning="Upper end of its interval."),
    )


def back_transformed(name: str, label: str, meaning: str) -> tuple[Column, ...]:
    """Return the columns of a mean on the scale of the outcome: itself, its standard error and its interval."""
    return (
        Column(name, label, meaning=meaning),
        Column(
            f"{name}_se", f"SE of {_small(label)}", meaning="Its standard error (delta method).", importance="detail"
        ),
        Column(f"{name}_low", f"{label} CI low", meaning="Lower end of its interval."),
        Column(f"{name}_high", f"{label} CI high", meaning="Upper end of its interval."),
    )


def compared(mean: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns of two means on the scale of the outcome that are compared, and of their difference.

    >>> [column.name for column in compared(LOG_ODDS.mean)][:3]
    ['probability_a', 'probability_b', 'probability_diff']
    """
    name, label, shown = mean[0].name, mean[0].label, mean[0].format
    of = f"of {_small(label)}"
    return (
        Column(f"{name}_a", f"{label} of a", shown, meaning="That of `a`."),
        Column(f"{name}_b", f"{label} of b", shown, meaning="That of `b`."),
        Column(f"{name}_diff", f"Difference {of}", shown, meaning="The first less the second, in the measure's unit."),
        Column(f"{name}_diff_se", f"SE of difference {of}", meaning="Delta method.", importance="detail"),
        Column(
            f"{name}_diff_low", f"Difference {of} CI low", shown,
            meaning="Lower end of its interval (delta method; Tukey, as that of the difference).",
        ),
        Column(f"{name}_diff_high", f"Difference {of} CI high", shown, meaning="Upper end of its interval."),
    )  # fmt: skip


def _small(label: str) -> str:
    return label[:1].lower() + label[1:]


LINEAR = Scale(GAUSSIAN, IDENTITY, "Linear mixed model", "", None, (), "value", 1)
GEOMETRIC = back_transformed(
    "geometric_mean",
    "Geometric mean",
    "The mean of a model of logarithms in the unit of the measure; the median where logarithms are normal.",
)
TRANSFORMED = back_transformed(
    "back_transformed", "Back-transformed mean", "The mean of a model of a function, in the unit of the measure."
)
OF_LOGS = _ratio("ratio", "Ratio")
_LINEAR_OF = {
    **{
        name: Scale(GAUSSIAN, name, "Linear mixed model", "", OF_LOGS, GEOMETRIC, "geometric mean", 1) for name in BASES
    },
    **{
        name: Scale(GAUSSIAN, name, "Linear mixed model", "", None, TRANSFORMED, "back-transformed mean", 1)
        for name in ("log1p", "sqrt")
    },
}


def linear_scale(function: str) -> Scale:
    """Return the scale of a linear model of a function of the measure, such as `log`; empty: of the measure itself."""
    return _LINEAR_OF.get(function, LINEAR)


LOG_ODDS = Scale(
    family=BINOMIAL,
    link=LOGIT,
    model="Mixed logistic model (binomial, logit link)",
    unit="log odds",
    ratio=_ratio("odds ratio", "OR"),
    mean=(
        Column("probability", "Probability", "share", meaning="The mean on the scale of the outcome."),
        Column("probability_se", "SE of probability", meaning="Its standard error (delta method)."),
        Column("probability_low", "Probability CI low", "share", meaning="Lower end of its interval."),
        Column("probability_high", "Probability CI high", "share", meaning="Upper end of its interval."),
    ),
    mean_words="probability",
)
LOG_COUNTS = {
    family: Scale(family, LOG, name, "log counts", _ratio("rate ratio", "RR"), expected("count"), "count", many)
    for family, name, many in (
        (POISSON, "Mixed Poisson model (log link)", 0),
        (NEGATIVE_BINOMIAL, "Mixed negative binomial model (NB2: variance μ + μ²/θ; log link)", 1),
    )
}
_TIMES = {
    GAMMA: "gamma model (variance φμ²; {} link)",
    INVERSE_GAUSSIAN: "inverse Gaussian model (variance φμ³; {} link)",
}
LOG_TIMES = {
    family: Scale(
        family,
        LOG,
        f"Mixed {text.format(LOG)}",
        "log units",
        _ratio("mean ratio", "MR"),
        expected("value"),
        "value",
        1,
    )
    for family, text in _TIMES.items()
}
PLAIN_TIMES = {
    family: Scale(family, IDENTITY, f"Mixed {text.format(IDENTITY)}", "", None, (), "value", 1)
    for family, text in _TIMES.items()
}


def scale_of(family: str, link: str) -> Scale:
    """Return the scale of a family with a link."""
    if family == BINOMIAL:
        return LOG_ODDS
    if family in COUNTS:
        return LOG_COUNTS[family]
    return (LOG_TIMES if link == LOG else PLAIN_TIMES)[family]


RATIOS = tuple(scale.ratio for scale in (LOG_ODDS, LOG_COUNTS[POISSON], LOG_TIMES[GAMMA]) if scale.ratio is not None)
