"""The parameters that all mixed models share: contrasts, what names conditions, means, variances of
factors, and another model."""

from __future__ import annotations

from typing import Any

from analysis.methods.declarations import Parameter
from analysis.methods.mixed.design import AUTOMATIC, BY_COLUMN, BY_TERM

_FACTOR: dict[str, Any] = {"kind": "columns", "role": "factor"}

CODING = (
    Parameter(
        "contrasts",
        "Contrasts",
        "choice",
        help="treatment: against the first level; sum: against the mean of all levels; automatic: sum where a factor "
        "is part of an interaction, else treatment.",
        default=AUTOMATIC,
        choices=(AUTOMATIC, "treatment", "sum"),
    ),
    Parameter("categorical", "Numbers that name conditions", help="Columns of codes such as 1, 2, 3.", **_FACTOR),
    Parameter("levels", "Order of levels", "text", help="Such as marker=because,because-of; order=ab,ba."),
    Parameter("means", "Means to compare", help="Factors whose marginal means are compared.", **_FACTOR),
    Parameter("by", "Held apart", help="Factors within whose levels comparisons stay.", **_FACTOR),
    Parameter(
        "uncorrelated",
        "Variances of factors with ||",
        "choice",
        help="by-term: one for all contrasts of a term, whatever their coding; by-column: one for each contrast "
        "column, as in R with afex.",
        default=BY_TERM,
        choices=(BY_TERM, BY_COLUMN),
    ),
)
COMPARE = Parameter(
    "compare", "Compare with", "text", help="Another formula, with fewer or more terms (likelihood ratio)."
)
