"""What a power analysis says: which numbers suffice, how it was simulated, and what to be careful about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from analysis.methods.mixed import formula as formulas
from analysis.methods.power.design import Design, Truth
from analysis.methods.power.models import Names, usual_formula
from analysis.methods.power.pilot import Pilot
from analysis.methods.power.scenarios import METHODS
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.wording import counted, listed, number_text, percent_text, share_text

WIDE = 0.1
ENOUGH = 1000


def sentences_of(lines: Sequence[dict[str, Any]], *, target: float, confidence: float, alpha: float) -> tuple[str, ...]:
    """Return, per analysis and effect, from which numbers on the target is reached and kept, and false positives."""
    made: list[str] = []
    keys = dict.fromkeys((line["method"], line["scenario"], line["effect"], line["n_items"]) for line in lines)
    for method, scenario, effect, items in keys:
        curve = [
            line
            for line in lines
            if (line["method"], line["scenario"], line["effect"], line["n_items"]) == (method, scenario, effect, items)
        ]
        what = f"{'the interaction of ' if ':' in effect else ''}{listed(effect.split(':'))}"
        how = METHODS[method]
        things = counted(items, "item")
        if curve[0]["size"] == 0:
            verb = "are" if method == "f1-and-f2" else "is"
            made += [
                f"False positives: with {counted(line['n_participants'], 'participant')} and {things}, {how} {verb} "
                f"significant for {what}, which is not there, in {_share(line, confidence)} of simulations "
                f"(α = {share_text(alpha)})."
                for line in curve
            ]
            continue
        size = number_text(curve[0]["size"])
        enough, lost = _reached(curve, target)
        best = enough or max(curve, key=lambda line: (line["power"], -line["n_participants"]))
        people = counted(best["n_participants"], "participant")
        found = f"the power of {how} to find {what} (a difference of {size}) is {_share(best, confidence)}"
        passed = ""
        if lost:
            before = listed(f"{line['n_participants']:,} ({share_text(line['power'])})" for line in lost)
            passed = f" It was reached with {before} participants, but not kept with more of them."
        if enough is None:
            how_far = "not reached for good" if lost else "not reached"
            made.append(f"A power of {share_text(target)} is {how_far}: with {people} and {things} {found}.{passed}")
        elif len(curve) == 1:
            made.append(f"With {people} and {things} {found}.")
        else:
            made.append(
                f"From {people} on, with {things}, a power of {share_text(target)} is reached: {found}.{passed}"
            )
    return tuple(made)


def _reached(curve: Sequence[dict[str, Any]], target: float) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Return the first line from which on the target is reached by all, and those that reach it before in vain.

    >>> curve = [{"n_participants": n, "power": share} for n, share in ((20, 0.81), (30, 0.77), (40, 0.9))]
    >>> enough, lost = _reached(curve, 0.8)
    >>> enough["n_participants"], [line["n_participants"] for line in lost]
    (40, [20])
    """
    ordered = sorted(curve, key=lambda line: int(line["n_participants"]))
    below = [place for place, line in enumerate(ordered) if line["power"] < target]
    first = below[-1] + 1 if below else 0
    lost = [line for line in ordered[:first] if line["power"] >= target]
    return (ordered[first] if first < len(ordered) else None), lost


def notes_of(
    design: Design,
    *,
    methods: Sequence[str],
    formula: str | None,
    names: Names,
    assignment: str,
    simulations: int,
    seed: int,
    alpha: float,
    correction: str,
    interval: str,
    confidence: float,
) -> list[str]:
    """Return what was simulated and how it was analysed."""
    factors = listed(f"{factor.name} ({', '.join(factor.levels)})" for factor in design.factors)
    seen = (
        "everybody saw each item in one cell, by a Latin square"
        if assignment == "latin-square"
        else "everybody saw each item in every cell"
    )
    made = [
        f"Simulated were {counted(simulations, 'study', 'studies')} for each combination of numbers, with the within "
        f"factors {factors}; {seen}. A measure is the sum of the effects, an intercept and slopes of the participant, "
        f"the same of the item, and a residual, all normal and independent; the table 'model' has their sizes.",
        f"Analysed by {listed(METHODS[method] for method in methods)}, each at α = {alpha:g}, all on the same data. "
        f"Power is the share of significant studies, with {percent_text(confidence)} "
        f"{'Wilson' if interval == 'wilson' else 'Clopper–Pearson'} intervals: the error of simulation alone.",
        f"Every simulation has a random stream of its own (seed {seed}), so a run can be repeated and extended.",
    ]
    for method in ("lmm", "lmm-intercepts"):
        if method in methods:
            text = formula if formula and method == "lmm" else usual_formula(design, names, slopes=method == "lmm")
            made.append(
                f"{METHODS[method].capitalize()}: {text.replace('`', '')}, REML, type III F tests (Satterthwaite)."
            )
    if correction != "none":
        made.append("F1 and F2 have Greenhouse–Geisser degrees of freedom throughout.")
    return made


def warnings_of(
    lines: Sequence[dict[str, Any]],
    design: Design,
    truth: Truth,
    *,
    known: Collection[str],
    assignment: str,
    effect: str | None,
    formula: str | None,
    names: Names,
    pilot: Pilot | None,
    alpha: float,
    interval: str,
    confidence: float,
) -> list[str]:
    """Return what a careful colleague would point out; `known` are the standard deviations stated or estimated."""
    made: list[str] = []
    if formula and all(line["method"] != "lmm" for line in lines):
        made.append("The formula was not used, for it is that of lmm, and lmm is none of the analyses; add it to them.")
    if pilot is not None and (effect is None or not effect.strip() or ("=" not in effect and not _number(effect))):
        made.append(
            "The effects are those observed in the pilot data. Such effects are uncertain and often too large; better "
            "state the smallest effect that would matter, with effect=…."
        )
    cells = len(design.cells)
    odd = [
        f"{number} {noun}"
        for noun in ("participants", "items")
        for number in sorted({line[f"n_{noun}"] for line in lines})
        if number % cells
    ]
    if odd and assignment == "latin-square":
        made.append(
            f"{listed(odd)} cannot be divided evenly among {cells} cells, so lists or cells differ in size; multiples "
            f"of {cells} make a balanced Latin square."
        )
    nothing = [line for line in lines if line["size"] == 0]
    tail = "." if nothing else "; compare its false positives (null=true) before relying on its power."
    if any(line["method"] == "lmm-intercepts" for line in lines):
        made.append(
            "A mixed model with intercepts only takes differences between people or items in an effect for the effect"
            + tail
        )
    made += [text + tail for text in _one_of_two(lines, truth)]
    made += _assumed_absent(lines, known)
    still = _without_slopes(formula, lines, design, names)
    if still:
        made.append(
            f"In the formula {listed(still)}. A mixed model takes such differences, where there are any, for the effect"
            + tail
        )
    made += _false_positives(nothing, alpha=alpha, confidence=confidence)
    wide = max(line["ci_high"] - line["ci_low"] for line in lines)
    if wide > WIDE:
        simulations = max(ENOUGH, 4 * int(lines[0]["simulations"]))
        low, high = monte_carlo_interval(simulations // 2, simulations, how=interval, confidence=confidence)
        made.append(
            f"The Monte-Carlo intervals are up to {share_text(wide)} wide; more simulations make them narrower "
            f"(simulations={simulations}: at most {share_text(high - low)})."
        )
    lost = [line for line in lines if line["undefined"]]
    if lost:
        worst = max(lost, key=lambda line: int(line["undefined"]))
        made.append(
            f"Up to {counted(worst['undefined'], 'simulation')} of {worst['simulations']:,} had no test (no "
            f"convergence or no error variance) and counted as not significant; see the column undefined."
        )
    return made


def _one_of_two(lines: Sequence[dict[str, Any]], truth: Truth) -> list[str]:
    """Say where F1 or F2 stands alone although items, or participants, differ in an effect that is tested."""
    made = []
    for method, role, slopes in (
        ("f1", "item", truth.item_slopes),
        ("f2", "participant", truth.participant_slopes),
    ):
        tested = dict.fromkeys(line["effect"] for line in lines if line["method"] == method)
        differing = [f"{role}:{effect}" for effect in tested if (slopes or {}).get(effect, 0.0) > 0]
        if differing:
            made.append(
                f"{METHODS[method]} alone takes differences between {role}s in an effect, which are simulated here "
                f"({listed(differing)}), for the effect, so its power is too high; lmm and min-f take account of them"
            )
    return made


def _assumed_absent(lines: Sequence[dict[str, Any]], known: Collection[str]) -> list[str]:
    """Name the slopes of the effects that are tested which nobody stated or estimated."""
    effects = dict.fromkeys(line["effect"] for line in lines)
    absent = [
        name for effect in effects for role in ("participant", "item") if (name := f"{role}:{effect}") not in known
    ]
    if not absent:
        return []
    return [
        f"{listed(absent, shown=8)} {'was' if len(absent) == 1 else 'were'} neither stated nor estimated from pilot "
        f"data and taken to be 0: that no participant or item differs in the effect, which is rarely so, and power is "
        f"lower where they do. State them in sds=…, with 0 where that is meant."
    ]


def _without_slopes(formula: str | None, lines: Sequence[dict[str, Any]], design: Design, names: Names) -> list[str]:
    """Return which effects vary neither as a slope nor as a group of their own between participants or items."""
    tested = list(dict.fromkeys(line["effect"] for line in lines if line["method"] == "lmm"))
    if not formula or not tested:
        return []
    random = formulas.parse(formula, names.columns(design)).random
    found = []
    for role, noun in ((names.participant, "participants"), (names.item, "items")):
        varying = [
            {*term.group, *(variable.column for variable in slope)}
            for term in random
            if role in term.group
            for slope in (*term.part.terms, ())
        ]
        still = [effect for effect in tested if not any(set(effect.split(":")) <= columns for columns in varying)]
        if still:
            found.append(f"{listed(still)} {'does' if len(still) == 1 else 'do'} not vary between {noun}")
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
                f"{_share(worst, confidence)} of simulations with {people} and {items}, more often than "
                f"α = {share_text(alpha)}; its power is no power."
            )
    return made


def _share(line: dict[str, Any], confidence: float) -> str:
    low, high = share_text(line["ci_low"]), share_text(line["ci_high"])
    return f"{share_text(line['power'])}, {percent_text(confidence)} CI [{low}, {high}]"


def _number(text: str) -> bool:
    return any(character.isdigit() for character in text) and "=" not in text and ";" not in text
