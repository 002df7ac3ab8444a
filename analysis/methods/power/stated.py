"""Parse what users state for a power analysis: factors, effects, standard deviations, sample sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.conditions.designs import Factor
from analysis.methods.power.design import MOST_CELLS, ROLES, Design, Role, Term
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, nearest

LARGEST_N = 5000
CLOSE = 1e-9


def stated_factors(text: str) -> list[Factor]:
    """Read factors with their levels, or with how many levels they have.

    >>> stated_factors("marker=4; order=ab,ba")
    [Factor(name='marker', levels=('1', '2', '3', '4')), Factor(name='order', levels=('ab', 'ba'))]
    >>> [len(factor.levels) for factor in stated_factors("4x2")]
    [4, 2]
    """
    if re.fullmatch(r"\s*\d+\s*([x×*]\s*\d+\s*)*", text):
        sizes = [int(size) for size in re.findall(r"\d+", text)]
        return [_factor(chr(ord("A") + place), [], size) for place, size in enumerate(sizes[:26])]
    found = []
    for name, values in entries(text, parameter="design"):
        levels = [level.strip() for level in values.split(",") if level.strip()]
        size = int(levels[0]) if len(levels) == 1 and re.fullmatch(r"\d+", levels[0]) else 0
        found.append(_factor(name, levels, size))
    names = [factor.name for factor in found]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated or not found:
        what = f"{listed(repeated)} is named twice" if repeated else "there is no factor"
        raise BadInput(f"design: {what}; write every factor once, such as marker=4; order=ab,ba.")
    return found


def stated_effects(text: str, design: Design, pilot: Mapping[str, Floats] | None) -> dict[str, Floats]:
    """Read effects; a term that is not named gets none.

    `order=0.2` is the difference between the last and the first level, the levels between them evenly spaced (for an
    interaction the difference of differences between these corners); `marker=0.2,0,0,-0.1` are values of the levels
    (of the combinations, last factor fastest), of which only what belongs to the term counts; `order=pilot` and
    `order=pilot*0.5` are what the data show, or a share of it; a number alone belongs to the first factor.

    >>> from analysis.methods.power.design import design_of
    >>> design = design_of([Factor("order", ("ab", "ba"))])
    >>> stated_effects("order=0.2", design, None)["order"].tolist()
    [-0.1, 0.1]
    """
    bare = text.strip()
    if re.fullmatch(r"[-+−]?[\d.]+(e[-+]?\d+)?", bare, re.IGNORECASE):
        bare = f"{design.terms[0].name}={bare}"
    if "=" not in bare:
        bare = ";".join(f"{name}=pilot" for name in bare.split(","))
    found = {}
    for name, values in entries(bare, parameter="effect"):
        term = design.term(name)
        if term is None:
            names = [known.name for known in design.terms]
            guess = nearest(name, names)
            hint = f"; did you mean '{guess}'?" if guess else "."
            raise BadInput(f"effect: the design has no effect '{name}'{hint} It has {listed(names, shown=20)}.")
        found[term.name] = _effect(term, values, design, pilot)
    return {term.name: found.get(term.name, np.zeros(len(design.cells))) for term in design.terms}


def named_effects(text: str | None, design: Design) -> tuple[str, ...]:
    """Return the terms that `effect` names, or all."""
    if not text or not text.strip():
        return tuple(term.name for term in design.terms)
    parts = re.split(r"[;\n]", text) if "=" in text or ";" in text else text.split(",")
    names = [part.partition("=")[0].strip() for part in parts if part.strip()]
    found = [term.name for term in design.terms if any(design.term(name) is term for name in names)]
    return tuple(found) or (design.terms[0].name,)


def stated_sds(text: str | None, design: Design) -> dict[str, float]:
    """Read standard deviations: participant, item, participant:effect, item:effect, residual.

    >>> from analysis.methods.power.design import design_of
    >>> design = design_of([Factor("order", ("ab", "ba"))])
    >>> stated_sds("participant=0.3; item:order=0.1; residual=0.6", design)
    {'participant': 0.3, 'item:order': 0.1, 'residual': 0.6}
    """
    found: dict[str, float] = {}
    for name, value in entries(text or "", parameter="sds"):
        given, colon, what = (part.strip() for part in name.partition(":"))
        who: Role = "item" if given == "item" else "participant"
        term = design.term(what) if colon else None
        if (colon and (given not in ROLES or term is None)) or (not colon and given not in (*ROLES, "residual")):
            effects = listed((f"participant:{known.name}" for known in design.slopes("participant")), shown=4)
            raise BadInput(
                f"sds: '{name}' is nothing that varies; known are participant, item, residual"
                f"{f', {effects}' if effects else ''}, and the same with item."
            )
        if term is not None and term not in design.slopes(who):
            own = design.spread_of(term, who)
            raise BadInput(
                f"sds: '{name}' cannot be, for every {who} has one level only of "
                f"{listed(factor for factor in term.factors if factor in design.between(who))}; how {who}s differ in "
                f"{term.name} is '{own}'."
            )
        number = read_number(value, parameter=f"sds: {name}")
        if number < 0:
            raise BadInput(f"sds: the standard deviation of {name} must be 0 or more; {value} is not.")
        found[f"{who}:{term.name}" if term is not None else given] = number
    return found


def numbers_of(entry: Any, *, parameter: str, fallback: int | None) -> tuple[int, ...]:
    """Read a list of sample sizes such as 16,24,32; without one, the fallback.

    >>> numbers_of("24, 16,24", parameter="n_items", fallback=None)
    (16, 24)
    """
    parts = entry if isinstance(entry, (list, tuple)) else str("" if entry is None else entry).split(",")
    found = [read_number(str(part), parameter=parameter) for part in parts if str(part).strip()]
    if not found:
        if fallback is None:
            raise BadInput(f"{parameter} is missing: give how many there are to be, such as {parameter}=16,24,32.")
        return (fallback,)
    wrong = [value for value in found if value != int(value) or not 2 <= value <= LARGEST_N]
    if wrong:
        raise BadInput(f"{parameter}: {wrong[0]:g} is not a whole number from 2 to {LARGEST_N:,}.")
    return tuple(sorted({int(value) for value in found}))


def read_number(text: str, *, parameter: str) -> float:
    """Read a number. Raises BadInput where it is none."""
    try:
        number = float(text.strip().replace("−", "-"))
    except ValueError:
        raise BadInput(f"{parameter}: '{text.strip()}' is not a number; write it with a decimal point.") from None
    if not math.isfinite(number) or abs(number) > 1e100:
        raise BadInput(f"{parameter}: '{text.strip()}' is not a finite number.")
    return number


def entries(text: str, *, parameter: str) -> list[tuple[str, str]]:
    """Split `name=value; name=value`."""
    found = []
    for part in re.split(r"[;\n]", text):
        name, sign, value = part.partition("=")
        if not part.strip():
            continue
        if not sign or not name.strip() or not value.strip():
            raise BadInput(f"{parameter}: '{part.strip()}' cannot be read; write name=value, separated by semicolons.")
        found.append((name.strip(), value.strip()))
    return found


def _factor(name: str, levels: Sequence[str], size: int) -> Factor:
    names = tuple(levels) if not size else tuple(str(level) for level in range(1, min(size, MOST_CELLS + 1) + 1))
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput(f"design: factor '{name}' needs at least two different levels, such as {name}=a,b or {name}=4.")
    if ":" in name or name in ("participant", "item", "residual"):
        raise BadInput(f"design: a factor cannot be called '{name}'; choose another name.")
    return Factor(name, names)


def _effect(term: Term, text: str, design: Design, pilot: Mapping[str, Floats] | None) -> Floats:
    share = re.fullmatch(r"(?:pilot\s*(?:[*×]\s*(?P<after>.+))?|(?P<before>.+?)\s*[*×]\s*pilot)", text, re.IGNORECASE)
    if share:
        if pilot is None:
            raise BadInput(
                f"effect: there are no pilot data to take {term.name} from; state its size, such as {term.name}=0.2."
            )
        factor = share["after"] or share["before"]
        return pilot[term.name] * (read_number(factor, parameter="effect") if factor else 1.0)
    values = [read_number(part, parameter=f"effect: {term.name}") for part in text.split(",") if part.strip()]
    sizes = {factor.name: len(factor.levels) for factor in design.factors}
    places = [[factor.name for factor in design.factors].index(name) for name in term.factors]
    index = np.array(
        [[factor.levels.index(cell[p]) for p, factor in enumerate(design.factors)] for cell in design.cells]
    )
    if len(values) == 1:
        codes = [index[:, place] / (sizes[name] - 1) - 0.5 for place, name in zip(places, term.factors, strict=True)]
        return np.asarray(values[0] * np.prod(codes, axis=0), dtype=np.float64)
    if len(values) != term.combinations:
        raise BadInput(
            f"effect: {term.name} has {term.combinations} combinations of levels and {len(values)} values were given; "
            f"give one for each, or one number, the difference between the last and the first."
        )
    flat = np.ravel_multi_index(tuple(index[:, place] for place in places), [sizes[name] for name in term.factors])
    given = np.asarray(values, dtype=np.float64)[flat]
    kept = term.contrasts @ (term.contrasts.T @ given)
    if float(np.ptp(given)) > 0 and float(np.abs(kept).max()) < CLOSE * float(np.abs(given).max()):
        raise BadInput(
            f"effect: the values of {term.name} make no effect of {term.name}, only of the single factors; state those "
            f"by themselves."
        )
    return np.asarray(kept, dtype=np.float64)
