"""The seed of a method's random numbers."""

from __future__ import annotations

from analysis.methods.report import BadInput


def check_seed(seed: int) -> None:
    """Raise BadInput for a seed that the random numbers cannot start from.

    >>> check_seed(-1)
    Traceback (most recent call last):
    analysis.methods.report.BadInput: seed must be 0 or more, not -1.
    """
    if seed < 0:
        raise BadInput(f"seed must be 0 or more, not {seed}.")
