"""Declare the parameters that mixed models share: contrasts, conditions, means, comparisons, random effects, REML."""

from __future__ import annotations

from typing import Any

from analysis.methods.declarations import Parameter
from analysis.methods.mixed.design.contrast_choice import CHOICES, read_contrasts
from analysis.methods.mixed.design.formula import check_size
from analysis.methods.mixed.design.matrices import BY_COLUMN, BY_TERM
from analysis.methods.mixed.random_effects.reduction import KEEP_MAXIMAL, NONE, PARSIMONIOUS

_FACTOR: dict[str, Any] = {"kind": "columns", "role": "factor"}

CODING = (
    Parameter(
        "contrasts",
        "Contrasts",
        "text",
        help="For all factors, or for single ones in text: order=repeated; your own: condition = a-b, (a+b)/2-c. "
        "Repeated and polynomial contrasts follow the order of levels below. Automatic: sum if a factor is "
        "part of an interaction, otherwise treatment.",
        choices=CHOICES,
        check=read_contrasts,
        words=(
            "automatic: as suits the formula",
            "treatment: every level against the first",
            "sum: every level against the mean of all",
            "Helmert: every level against the mean of those before it",
            "repeated: every level against the one before it",
            "polynomial: linear, quadratic … trend over the levels",
        ),
    ),
    Parameter("categorical", "Numbers that name conditions", help="Columns of codes such as 1, 2, 3.", **_FACTOR),
    Parameter(
        "levels",
        "Order of levels",
        "text",
        help="Such as marker=because,because-of; order=ab,ba. Otherwise alphabetical.",
    ),
    Parameter("means", "Means to compare", help="Factors whose marginal means are compared.", **_FACTOR),
    Parameter(
        "by", "Compare within levels of", help="Comparisons are made within the levels of these factors.", **_FACTOR
    ),
    Parameter(
        "uncorrelated",
        "Variances of factors in terms with ||",
        "choice",
        help="by-term: one for all contrasts of a term, whatever their coding; by-column: one for each contrast "
        "column, as in R with afex.",
        choices=(BY_TERM, BY_COLUMN),
    ),
)
COMPARE = Parameter(
    "compare",
    "Compare with",
    "text",
    help="Another formula, with fewer or more terms (likelihood ratio).",
    check=check_size,
)


def formula_parameter(explained: str) -> Parameter:
    """Declare the formula of a model, which is refused before anything runs where it is larger than any model."""
    return Parameter("formula", "Formula", "text", help=explained, check=check_size)


REML = Parameter("reml", "REML", "boolean", help="False: maximum likelihood.")
CALIBRATE = Parameter(
    "calibrate",
    "Simulated data sets",
    "integer",
    help="How sure is this? The number of data sets, such as 2000, to simulate from the fitted model on this "
    "design. They show how often its tests reject if there is no effect. 0: none.",
    is_beside=True,
)
REDUCE = Parameter(
    "reduce",
    "Choose random effects",
    "choice",
    help="Starts with those of the formula. keep-maximal removes only what prevents a fit that converges and is "
    "not singular; parsimonious also removes what a likelihood-ratio test does not support (p above .20).",
    choices=(NONE, KEEP_MAXIMAL, PARSIMONIOUS),
    words=(
        "none: those of the formula",
        "keep-maximal: the largest model that is not degenerate",
        "parsimonious: what the data support",
    ),
)
