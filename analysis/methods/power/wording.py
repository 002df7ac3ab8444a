"""Write the sentences and notes of a power analysis: which sample sizes suffice, and how it was simulated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.methods.power.design import Design
from analysis.methods.power.scenarios import GENERALISED, METHODS, MODELS, formula_of
from analysis.methods.power.wanted import Simulated
from analysis.methods.wording import counted, listed, number_text, percent_text, share_text

TESTED = {
    "f": "restricted likelihood (Laplace), type III F tests",
    "wald": "maximum likelihood (Laplace), type III Wald tests",
    "likelihood-ratio": "maximum likelihood (Laplace), likelihood ratio tests of type III",
}


def sentences_of(
    lines: Sequence[dict[str, Any]], *, target: float, confidence: float, alpha: float, unit: str = ""
) -> tuple[str, ...]:
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
                f"significant for {what}, which is not there, in {shown_share(line, confidence)} of simulations "
                f"(α = {share_text(alpha)})."
                for line in curve
            ]
            continue
        size = number_text(curve[0]["size"])
        enough, lost = _reached(curve, target)
        best = enough or max(curve, key=lambda line: (line["power"], -line["n_participants"]))
        people = counted(best["n_participants"], "participant")
        found = f"the power of {how} to find {what} (a difference of {size}{unit}) is {shown_share(best, confidence)}"
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
                f"From {people} on, with {things}, a power of {share_text(target)} is reached: {found}."
                f"{_not_yet_sure(enough, curve, target)}{passed}"
            )
    return tuple(made)


def _not_yet_sure(enough: dict[str, Any], curve: Sequence[dict[str, Any]], target: float) -> str:
    """Say where the interval of the power that is reached goes below the target, and with how many it no longer does.

    >>> curve = [{"n_participants": n, "ci_low": low} for n, low in ((30, 0.78), (40, 0.83))]
    >>> _not_yet_sure(curve[0], curve, 0.8)
    ' The interval goes below .80; with 40 participants it does not.'
    """
    if enough["ci_low"] >= target:
        return ""
    sure, _ = _reached(curve, target, by="ci_low")
    if sure is None:
        further = "more simulations make it shorter"
    else:
        further = f"with {counted(sure['n_participants'], 'participant')} it does not"
    return f" The interval goes below {share_text(target)}; {further}."


def _factors(design: Design) -> str:
    """Name the factors with their levels, by where they vary."""
    between = (*design.between_participants, *design.between_items)
    within = [factor.name for factor in design.factors if factor.name not in between]
    named = {factor.name: f"{factor.name} ({', '.join(factor.levels)})" for factor in design.factors}
    kinds = (
        (within, "within factor", ""),
        (design.between_participants, "factor", " between participants"),
        (design.between_items, "factor", " between items"),
    )
    return listed(
        f"the {kind}{'s' if len(names) > 1 or not between else ''}{place} {listed(named[name] for name in names)}"
        for names, kind, place in kinds
        if names
    )


def _seen(design: Design, assignment: str, cells_per_item: int | None = None) -> str:
    """Say who saw what."""
    of_people, of_items, within = design.places.shape
    if within == 1:
        return "everybody saw each item once"
    own = "" if of_people == of_items == 1 else " of the within factors"
    if cells_per_item is not None and cells_per_item < within:
        return f"every item had {cells_per_item} of {within} cells{own}, and everybody saw it in one of these"
    if assignment == "latin-square":
        return f"everybody saw each item in one cell{own}, by a Latin square"
    return f"everybody saw each item in every cell{own}"


def _reached(
    curve: Sequence[dict[str, Any]], target: float, *, by: str = "power"
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Return the first line from which on the target is reached by all, and those that reach it before in vain.

    >>> curve = [{"n_participants": n, "power": share} for n, share in ((20, 0.81), (30, 0.77), (40, 0.9))]
    >>> enough, lost = _reached(curve, 0.8)
    >>> enough["n_participants"], [line["n_participants"] for line in lost]
    (40, [20])
    """
    ordered = sorted(curve, key=lambda line: int(line["n_participants"]))
    below = [place for place, line in enumerate(ordered) if line[by] < target]
    first = below[-1] + 1 if below else 0
    lost = [line for line in ordered[:first] if line[by] >= target]
    return (ordered[first] if first < len(ordered) else None), lost


def notes_of(made: Simulated) -> list[str]:
    """Return what was simulated and how it was analysed."""
    wanted, design, methods, labels = made.wanted, made.design, made.methods, made.labels
    generalised = [method for method in methods if method in GENERALISED]
    what = (
        "A measure is the sum of the effects, an intercept and slopes of the participant, the same of the item, and a "
        "residual, all normal and independent; the table 'model' has their sizes."
    )
    if generalised:
        answers = f"one of {', '.join(labels)}, lowest first" if labels else "1 or 0"
        what = (
            f"An answer is {answers}. Its log odds are the sum of the effects, an intercept and slopes of the "
            f"participant and the same of the item, all normal and independent; the table 'model' has their sizes."
        )
    said = [
        f"Simulated were {counted(wanted.simulations, 'study', 'studies')} for each combination of numbers, with "
        f"{_factors(design)}; {_seen(design, wanted.assignment, wanted.cells_per_item)}. {what}",
        f"Analysed by {listed(METHODS[method] for method in methods)}, each at α = {wanted.alpha:g}, all on the same "
        f"data. Power is the share of significant studies, with {percent_text(wanted.confidence)} "
        f"{'Wilson' if wanted.interval == 'wilson' else 'Clopper–Pearson'} intervals: the error of simulation alone.",
        f"Every simulation has a random stream of its own (seed {wanted.seed}), so a run can be repeated and extended.",
    ]
    for method in MODELS:
        if method in methods:
            text = formula_of(method, wanted.formula, design, made.names).replace("`", "")
            how = TESTED[wanted.tests] if method in GENERALISED else "REML, type III F tests (Satterthwaite)"
            said.append(f"{METHODS[method].capitalize()}: {text}, {how}.")
    others = [METHODS[method] for method in methods if method not in GENERALISED]
    if generalised and others:
        steps = "numbers from 0 on, one for each category" if labels else "0 and 1"
        said.append(f"{listed(others)} took the same answers for {steps}.")
    if wanted.correction != "none":
        said.append("F1 and F2 have Greenhouse–Geisser degrees of freedom throughout.")
    return said


def shown_share(line: dict[str, Any], confidence: float) -> str:
    """Return the power of a line with its interval."""
    low, high = share_text(line["ci_low"]), share_text(line["ci_high"])
    return f"{share_text(line['power'])}, {percent_text(confidence)} CI [{low}, {high}]"
