"""The level of a method's confidence intervals."""

from __future__ import annotations

from analysis.methods.report import BadInput


def check_confidence(confidence: float) -> None:
    """Raise BadInput for a level of confidence that is no share from .5 to below 1.

    >>> check_confidence(95)
    Traceback (most recent call last):
    analysis.methods.report.BadInput: confidence must lie between 0.5 and 1, such as 0.95; 95 does not.
    """
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
