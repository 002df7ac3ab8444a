"""Summarise single trials as the reported numbers. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorSummary:
    """Errors of one condition in milliseconds: recorded minus true."""

    trials: int
    mean: float
    sd: float
    median: float
    mean_absolute: float
    largest: float


def summarise_errors(errors: Sequence[float]) -> ErrorSummary:
    """Return the summary of at least two errors.

    >>> summarise_errors([1.0, -1.0, 3.0])
    ErrorSummary(trials=3, mean=1.0, sd=2.0, median=1.0, mean_absolute=1.6666666666666667, largest=3.0)
    """
    absolute = [abs(error) for error in errors]
    return ErrorSummary(
        trials=len(errors),
        mean=statistics.fmean(errors),
        sd=statistics.stdev(errors),
        median=statistics.median(errors),
        mean_absolute=statistics.fmean(absolute),
        largest=max(absolute),
    )


@dataclass(frozen=True)
class DisplaySummary:
    """Presented durations of one condition. `exact` are those within half a frame of what was intended."""

    displays: int
    exact: int
    mean: float
    sd: float
    largest: float
    flagged: int
    missed_unflagged: int


def summarise_displays(errors: Sequence[float], *, flagged: Sequence[bool], frame_ms: float) -> DisplaySummary:
    """Return the summary of presented minus intended durations.

    >>> summarise_displays([0.0, 16.7], flagged=[False, True], frame_ms=16.7).exact
    1
    """
    missed = [abs(error) > frame_ms / 2 for error in errors]
    return DisplaySummary(
        displays=len(errors),
        exact=len(errors) - sum(missed),
        mean=statistics.fmean(errors),
        sd=statistics.stdev(errors),
        largest=max(abs(error) for error in errors),
        flagged=sum(flagged),
        missed_unflagged=sum(miss and not flag for miss, flag in zip(missed, flagged, strict=True)),
    )
