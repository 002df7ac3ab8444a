"""Write the warnings of a power analysis: uneven lists, missing slopes, liberal tests, wide intervals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from analysis.methods.generalised.wording.answers import FEW_FOR_WALD
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.power.design import ROLES, Design, Role, Truth
from analysis.methods.power.models import Names
from analysis.methods.power.scenarios import GENERALISED, METHODS, WITH_FORMULA
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.power.wanted import Simulated
from analysis.methods.power.wording import shown_share
from analysis.methods.wording import counted, listed, share_text

WIDE = 0.1
ENOUGH = 1000


def warnings_of(lines: Sequence[dict[str, Any]], made: Simulated) -> list[str]:
    """Return what a careful colleague would point out."""
    wanted, design, truth, pilot = made.wanted, made.design, made.truth, made.pilot
    known = {*(pilot.sds if pilot is not None else ()), *made.stated}
    effect, formula, confidence = wanted.effect, wanted.formula, wanted.confidence
    said: list[str] = []
    if formula and all(line["method"] not in WITH_FORMULA for line in lines):
        said.append("The formula was not used, for it is that of lmm, and lmm is none of the analyses; add it to them.")
    if pilot is not None and (effect is None or not effect.strip() or ("=" not in effect and not _number(effect))):
        said.append(
            "The effects are those observed in the pilot data. Such effects are uncertain and often too large; better "
            "state the smallest effect that would matter, with effect=…."
        )
    said += _uneven(lines, design, is_square=wanted.assignment == "latin-square" and wanted.cells_per_item is None)
    nothing = [line for line in lines if line["size"] == 0]
    tail = "." if nothing else "; compare its false positives (null=true) before relying on its power."
    if any(line["method"] == "lmm-intercepts" for line in lines):
        said.append(
            "A mixed model with intercepts only takes differences between people or items in an effect for the effect"
            + tail
        )
    said += [text + tail for text in _one_of_two(lines, design, truth)]
    said += _assumed_absent(lines, design, known)
    said += _liberal(lines, truth, tests=wanted.tests)
    still = _without_slopes(formula, lines, design, made.names)
    if still:
        said.append(
            f"In the formula {listed(still)}. A mixed model takes such differences, where there are any, for the effect"
            + tail
        )
    said += _false_positives(nothing, alpha=wanted.alpha, confidence=confidence)
    wide = max(line["ci_high"] - line["ci_low"] for line in lines)
    if wide > WIDE:
        simulations = max(ENOUGH, 4 * int(lines[0]["simulations"]))
        low, high = monte_carlo_interval(simulations // 2, simulations, how=wanted.interval, confidence=confidence)
        said.append(
            f"The Monte-Carlo intervals are up to {share_text(wide)} wide; more simulations make them narrower "
            f"(simulations={simulations}: at most {share_text(high - low)})."
        )
    lost = [line for line in lines if line["undefined"]]
    if lost:
        worst = max(lost, key=lambda line: int(line["undefined"]))
        said.append(
            f"Up to {counted(worst['undefined'], 'simulation')} of {worst['simulations']:,} had no test (no "
            f"convergence or no error variance) and counted as not significant; see the column undefined."
        )
    return said


def _uneven(lines: Sequence[dict[str, Any]], design: Design, *, is_square: bool) -> list[str]:
    """Say which numbers do not divide evenly among lists and groups."""
    of_people, of_items, within = design.places.shape
    if of_people == of_items == 1 and not is_square:
        return []
    own = within if is_square else 1
    odd: dict[int, list[str]] = {}
    for noun, step in (("participants", of_people * own), ("items", of_items * own)):
        for number in sorted({int(line[f"n_{noun}"]) for line in lines}):
            if number % step:
                odd.setdefault(step, []).append(f"{number} {noun}")
    if of_people == of_items == 1:
        return [
            f"{listed(names)} cannot be divided evenly among {cells} cells, so lists or cells differ in size; "
            f"multiples of {cells} make a balanced Latin square."
            for cells, names in odd.items()
        ]
    return [
        f"{listed(names)} cannot be divided evenly among groups and lists, so these differ in size; take multiples of "
        f"{step}."
        for step, names in odd.items()
    ]


def _liberal(lines: Sequence[dict[str, Any]], truth: Truth, *, tests: str) -> list[str]:
    """Say where tests that take variances for known find too often what is not there: with few people or items."""
    units = {"participants": truth.participant_slopes, "items": truth.item_slopes}
    spread = {"participants": truth.participant, "items": truth.item}
    few = [
        f"{least} {noun}"
        for noun, slopes in units.items()
        if (least := min(int(line[f"n_{noun}"]) for line in lines)) < FEW_FOR_WALD
        and max((spread[noun], *(slopes or {}).values())) > 0
    ]
    if tests == "f" or not few or all(line["method"] not in GENERALISED for line in lines):
        return []
    return [
        f"Tests with tests={tests} take variances for known, and with {listed(few)} they reject true null hypotheses "
        f"more often than α, so that this power is too high; tests=f does not, and null=true shows it."
    ]


def _one_of_two(lines: Sequence[dict[str, Any]], design: Design, truth: Truth) -> list[str]:
    """Say where F1 or F2 stands alone although items, or participants, differ in an effect that is tested."""
    sds = {"participant": truth.participant, "item": truth.item}
    for role, slopes in zip(ROLES, (truth.participant_slopes, truth.item_slopes), strict=True):
        sds |= {f"{role}:{name}": sd for name, sd in (slopes or {}).items()}
    instead = (
        "lmm and min-f take" if not truth.thresholds else f"{'glmm' if len(truth.thresholds) == 1 else 'ordinal'} takes"
    )
    made = []
    alone: tuple[tuple[str, Role], ...] = (("f1", "item"), ("f2", "participant"))
    for method, role in alone:
        tested = dict.fromkeys(line["effect"] for line in lines if line["method"] == method)
        spreads = [design.spread_of(term, role) for term in design.terms if term.name in tested]
        differing = [name for name in dict.fromkeys(spreads) if sds[name] > 0]
        if differing:
            made.append(
                f"{METHODS[method]} alone takes differences between {role}s in an effect, which are simulated here "
                f"({listed(differing)}), for the effect, so its power is too high; {instead} account of them"
            )
    return made


def _assumed_absent(lines: Sequence[dict[str, Any]], design: Design, known: Collection[str]) -> list[str]:
    """Name the slopes of the effects that are tested which nobody stated or estimated."""
    terms = [term for effect in dict.fromkeys(line["effect"] for line in lines) if (term := design.term(effect))]
    spreads = dict.fromkeys(design.spread_of(term, role) for term in terms for role in ROLES)
    absent = [name for name in spreads if name not in known]
    if not absent:
        return []
    return [
        f"{listed(absent, shown=8)} {'was' if len(absent) == 1 else 'were'} neither stated nor estimated from pilot "
        f"data and taken to be 0: that no participant or item differs in the effect, which is rarely so, and power is "
        f"lower where they do. State them in sds=…, with 0 where that is meant."
    ]


def _without_slopes(formula: str | None, lines: Sequence[dict[str, Any]], design: Design, names: Names) -> list[str]:
    """Return which effects vary neither as a slope nor as a group of their own between participants or items."""
    asked = {line["effect"] for line in lines if line["method"] in WITH_FORMULA}
    tested = [term for term in design.terms if term.name in asked]
    if not formula or not tested:
        return []
    random = formulas.parse(formula, names.columns(design)).random
    found = []
    for role, column in zip(ROLES, (names.participant, names.item), strict=True):
        varying = [
            {*term.group, *(variable.column for variable in slope)}
            for term in random
            if column in term.group
            for slope in (*term.part.terms, ())
        ]
        still = [
            term.name
            for term in tested
            if not any(set(design.within_part(term, role)) <= columns for columns in varying)
        ]
        if still:
            found.append(f"{listed(still)} {'does' if len(still) == 1 else 'do'} not vary between {role}s")
    return found


def _false_positives(nothing: Sequence[dict[str, Any]], *, alpha: float, confidence: float) -> list[str]:
    """Say which analyses find what is not there more often than α, with the numbers of this run."""
    made = []
    for method in dict.fromkeys(line["method"] for line in nothing):
        above = [line for line in nothing if line["method"] == method and line["ci_low"] > alpha]
        if above:
            worst = max(above, key=lambda line: float(line["power"]))
            people, items = counted(worst["n_participants"], "participant"), counted(worst["n_items"], "item")
            name = METHODS[method]
            made.append(
                f"{name[0].upper()}{name[1:]}: without any effect of {worst['effect']} significant in "
                f"{shown_share(worst, confidence)} of simulations with {people} and {items}, more often than "
                f"α = {share_text(alpha)}; its power is no power."
            )
    return made


def _number(text: str) -> bool:
    return any(character.isdigit() for character in text) and "=" not in text and ";" not in text
