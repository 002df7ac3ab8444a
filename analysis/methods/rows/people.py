"""Who answered: people, or simulated participants, who must not stand in for them.

One question decides for the rows of an analysis, the flow of people and trials, what the page before an analysis
promises and how its report is labelled: has anybody taken part who is not simulated? From then on simulated
participants enter an analysis by explicit choice alone: `keep=simulated` analyses them without people, `keep=all`
analyses everything together.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis.methods.report import Report

UNFINISHED = "session not finished"
"""Why a session is left out that nobody excluded and that was not finished."""

ONLY_SIMULATED = "All of these data are simulated; nothing here is a finding about people."
SOME_SIMULATED = "Some of these data are simulated (keep=all); nothing here is a finding about people."


def people_took_part(facts: Iterable[tuple[bool, str]]) -> bool:
    """Say whether somebody who is not simulated has finished, or was left out by a decision.

    `facts` are, of every session or row, whether it is simulated and why it is left out (empty: it is not). Whoever
    did not finish is nobody yet; whoever was left out by a rule or a researcher was there, and no simulated
    participant takes the empty place.

    >>> people_took_part([(True, ""), (False, UNFINISHED)]), people_took_part([(True, ""), (False, "too fast")])
    (False, True)
    """
    return any(not is_simulated and reason != UNFINISHED for is_simulated, reason in facts)


def is_about_simulated(report: Report) -> bool:
    """Say whether a report rests on simulated data, in whole or in part."""
    return ONLY_SIMULATED in report.warnings or mixes_simulated(report)


def mixes_simulated(report: Report) -> bool:
    """Say whether a report rests on simulated data and on what people did, together."""
    # Stored reports name another way to come by such data.
    return any(warning.startswith(SOME_SIMULATED.partition(" (")[0]) for warning in report.warnings)


__all__ = [
    "ONLY_SIMULATED",
    "SOME_SIMULATED",
    "UNFINISHED",
    "is_about_simulated",
    "mixes_simulated",
    "people_took_part",
]
