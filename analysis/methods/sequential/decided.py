"""Test the deciding effect of a sequential plan, and report the look at which the plan stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design.terms import term_name
from analysis.methods.report import INTERVAL, BadInput, Column, Report, Table
from analysis.methods.sequential.boundaries import Look
from analysis.methods.sequential.inference import Adjusted, Found
from analysis.methods.wording import listed, number_text, p_text, percent_text
from experiments.rules.sequential import SequentialPlan

# Methods whose reports have a table of effects with one p each, and whose formula says which effects there are.
METHODS = ("lmm", "glmm", "ordinal")
# By how much the p of a coefficient may differ from that of its effect where both are one test.
SAME_TEST = 1e-6
LOOKS = (
    Column("look", "Look", "integer"),
    Column("people", "People", "integer"),
    Column("share", "Share of the information", "share"),
    Column("spent", "α spent", "p"),
    Column("level", "Nominal level", "p"),
    Column("p", "p", "p"),
    Column("decision", "Decision", "text"),
)
CORRECTED = (
    Column("effect", "Effect", "text"),
    Column("term", "Term", "text"),
    Column("estimate", "Estimate (median-unbiased)"),
    *INTERVAL,
    Column("p", "p (stage-wise)", "p"),
    Column("estimate_uncorrected", "Estimate"),
    Column("p_uncorrected", "p", "p"),
)


@dataclass(frozen=True)
class Tested:
    """The test of an effect: its p, and where it is one coefficient that coefficient."""

    effect: str
    p: float
    term: str = ""
    estimate: float = 0.0
    se: float = 0.0
    df: float = np.inf

    @property
    def is_coefficient(self) -> bool:
        """Whether there is a coefficient whose interval can be corrected."""
        return self.se > 0


@dataclass(frozen=True)
class MadeLook:
    """One look that was made: its boundary, the people in it, the p it found (None: no test) and what followed."""

    look: Look
    people: int
    p: float | None
    decision: str


def effects_of(formula: str) -> list[str]:
    """Return the effects that a formula tests, such as marker, order and marker:order. Raises BadInput."""
    return [term_name(term) for term in formulas.parse(formula).fixed.terms]


def tested(report: Report, effect: str) -> Tested:
    """Return the test of an effect in the report of a mixed model; a:b and b:a are the same.

    Raises BadInput where the report has no test of it.
    """
    rows = report.table("anova").lines()
    row = next((row for row in rows if _same(str(row["effect"]), effect)), None)
    if row is None:
        known = listed([str(row["effect"]) for row in rows])
        raise BadInput(f"The model has no effect '{effect}', on which the sequential plan decides; it has {known}.")
    if row["p"] is None:
        raise BadInput(f"Nothing can be estimated of the effect '{effect}', on which the sequential plan decides.")
    p = float(row["p"])
    if row.get("df1", row.get("df")) == 1:
        for line in report.table("fixed").lines():
            found = line["p"]
            if _is_of(str(line["term"]), effect) and found is not None and abs(found - p) <= SAME_TEST * max(p, found):
                df = float(line["df"]) if line.get("df") is not None else np.inf
                return Tested(effect, p, str(line["term"]), float(line["estimate"]), float(line["se"]), df)
    return Tested(effect, p)


def corrected(test: Tested, before: Sequence[Look], share: float, *, alpha: float) -> Adjusted:
    """Return the estimate, interval and p of an effect that know of the looks before; without a coefficient p alone."""
    if test.is_coefficient:
        found = Found(test.estimate, test.se, test.df, before, share)
        return found.adjusted(confidence=1 - alpha)
    z = float(-scipy.special.ndtri(max(test.p, 1e-300) / 2))
    upwards = Found(z, 1.0, np.inf, before, share).at_least_as_large(0.0)
    nothing = float("nan")
    return Adjusted(nothing, nothing, nothing, float(min(1.0, 2 * min(upwards, 1 - upwards))))


def stopped_report(
    report: Report, *, plan: SequentialPlan, made: Sequence[MadeLook], found: bool, ended_early: bool = False
) -> Report:
    """Return the report of the look at which a plan stopped: with the looks, the decision and corrected values.

    `made` are all looks in order, the last one that of the report. `ended_early` says that recruitment ended before the
    planned number, so that the last look had all that was left of α.
    """
    last = made[-1]
    test = tested(report, plan.effect)
    before = [one.look for one in made[:-1] if one.p is not None]
    values = corrected(test, before, last.look.share, alpha=plan.alpha)
    sentences = [_decision(plan, made, test, found=found)]
    warnings = []
    if test.is_coefficient:
        sentences.append(
            f"Corrected for the looks, {test.term}: b = {number_text(values.estimate)}, "
            f"{percent_text(1 - plan.alpha)} CI [{number_text(values.low)}, {number_text(values.high)}], "
            f"{p_text(values.p)}."
        )
    else:
        sentences.append(f"Corrected for the looks, {plan.effect} has {p_text(values.p)}.")
        warnings.append(
            f"The intervals of {plan.effect} in this report are not corrected for the looks: the effect is not one "
            f"coefficient with the same test. A study that stops because an effect is large overestimates it."
        )
    others = [one for one in effects_of(str(report.params["formula"])) if not _same(one, plan.effect)]
    if others:
        warnings.append(
            f"The sequential plan decided on {plan.effect} alone. All other effects, and every value outside the table "
            f"of corrected values, are as if there had been no looks."
        )
    return replace(
        report,
        tables=(*report.tables, _looks_table(made), _corrected_table(test, values)),
        sentences=(*sentences, *report.sentences),
        notes=(*report.notes, _note(plan, ended_early=ended_early)),
        warnings=(*warnings, *report.warnings),
    )


def _decision(plan: SequentialPlan, made: Sequence[MadeLook], test: Tested, *, found: bool) -> str:
    last, number = made[-1], len(made)
    level = f"the nominal level of {level_text(last.look.level)}"
    if found:
        return (
            f"The sequential plan stopped at look {number} of {len(plan.looks)}, with {last.people} people: for "
            f"{plan.effect} {p_text(test.p)} is not above {level}."
        )
    return (
        f"The sequential plan ended at its last look, with {last.people} people: for {plan.effect} {p_text(test.p)} is "
        f"above {level}."
    )


def _note(plan: SequentialPlan, *, ended_early: bool) -> str:
    early = (
        " Recruitment ended before the planned number; the last look was made on those who were there and had all that "
        "was left of α."
        if ended_early
        else ""
    )
    return (
        f"A sequential plan was fixed before the data: looks at {listed([str(n) for n in plan.looks])} people, a "
        f"two-sided α of {level_text(plan.alpha)} spent by {plan.spends} (Lan & DeMets, 1983), decided by "
        f"{plan.effect}. Looks were made by the platform without showing a result, on the people who had finished "
        f"first and were not left out; the share of the information was taken to be the share of the people.{early} "
        f"Corrected values are by the stage-wise ordering (Tsiatis, Rosner & Mehta, 1984): a median-unbiased estimate, "
        f"its interval and its p."
    )


def _looks_table(made: Sequence[MadeLook]) -> Table:
    rows = [
        {
            "look": number,
            "people": one.people,
            "share": one.look.share,
            "spent": one.look.spent,
            "level": one.look.level,
            "p": one.p,
            "decision": one.decision,
        }
        for number, one in enumerate(made, start=1)
    ]
    return Table.from_rows("sequential_looks", "Looks of the sequential analysis", LOOKS, rows)


def _corrected_table(test: Tested, values: Adjusted) -> Table:
    row = {
        "effect": test.effect,
        "term": test.term or None,
        "estimate": values.estimate,
        "ci_low": values.low,
        "ci_high": values.high,
        "p": values.p,
        "estimate_uncorrected": test.estimate if test.is_coefficient else None,
        "p_uncorrected": test.p,
    }
    return Table.from_rows("sequential", "The deciding effect, corrected for the looks", CORRECTED, [row])


def level_text(level: float) -> str:
    """Return a nominal level with two digits that say something, such as .0031.

    >>> level_text(0.05), level_text(0.003045), level_text(0.0000147)
    ('.05', '.0030', '.000015')
    """
    digits = 2 if level >= 0.05 else int(-np.floor(np.log10(level))) + 1
    return f"{level:.{digits}f}".removeprefix("0")


def _same(name: str, other: str) -> bool:
    return sorted(name.split(":")) == sorted(other.split(":"))


def _is_of(term: str, effect: str) -> bool:
    """Return whether a coefficient, such as marker1:order1, is one of an effect, such as marker:order."""
    parts, names = term.split(":"), effect.split(":")
    return len(parts) == len(names) and all(part.startswith(name) for part, name in zip(parts, names, strict=True))


__all__ = ["METHODS", "MadeLook", "Tested", "corrected", "effects_of", "level_text", "stopped_report", "tested"]
