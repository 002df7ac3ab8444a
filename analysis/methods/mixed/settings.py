"""The parameters that all mixed models share: contrasts, what names conditions, means, and another model."""

from __future__ import annotations

from typing import Any

from analysis.methods.registry import Parameter

_FACTOR: dict[str, Any] = {"kind": "columns", "role": "factor"}

CODING = (
    Parameter(
        "contrasts",
        "Contrasts",
        "choice",
        help="treatment: against the first level; sum: against the mean of all levels.",
        default="treatment",
        choices=("treatment", "sum"),
    ),
    Parameter("categorical", "Numbers that name conditions", help="Columns of codes such as 1, 2, 3.", **_FACTOR),
    Parameter("levels", "Order of levels", "text", help="Such as marker=because,because-of; order=ab,ba."),
    Parameter("means", "Means to compare", help="Factors whose marginal means are compared.", **_FACTOR),
    Parameter("by", "Held apart", help="Factors within whose levels comparisons stay.", **_FACTOR),
)
COMPARE = Parameter(
    "compare", "Compare with", "text", help="Another formula, with fewer or more terms (likelihood ratio)."
)
