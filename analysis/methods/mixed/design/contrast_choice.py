"""Read the contrasts that a user names: one set for all factors, sets for single ones, custom hypotheses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.methods.contrast_texts import split, unquoted
from analysis.methods.mixed.design.codings import SETS, Coding, coding_of, own_coding
from analysis.methods.mixed.design.own_contrasts import hypotheses_of
from analysis.methods.mixed.design.terms import Formula, Variable
from analysis.methods.mixed.design.variables import Categorical, Variables
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, no_such

AUTOMATIC = "automatic"
CHOICES = (AUTOMATIC, *SETS)
_OWN = re.compile(r"own\s*:", re.IGNORECASE)
EXAMPLE = "order=repeated; own: condition = a-b, (a+b)/2-c"


@dataclass(frozen=True)
class Chosen:
    """The contrasts of factors: `named` those of single columns (a set), `own` hypotheses, `others` of all others."""

    others: str = AUTOMATIC
    named: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_contrasts(text: str) -> Chosen:
    """Read contrasts: a set for all factors, `factor=set` for single ones, `own: factor = hypothesis, …`.

    Parts are separated by semicolons or lines; sets of single factors also by commas. A name with other signs stands in
    double quotes.

    Raises BadInput for what cannot be read, a set that does not exist, and a factor that is named twice.

    >>> read_contrasts("sum; dose=polynomial; own: condition = a-b, (a+b)/2-c")
    Chosen(others='sum', named={'dose': 'polynomial'}, own={'condition': ('a-b', '(a+b)/2-c')})
    """
    others = ""
    named: dict[str, str] = {}
    own: dict[str, tuple[str, ...]] = {}
    for part in filter(None, split(text.replace("\n", ";"), ";")):
        if begun := _OWN.match(part):
            name, *after = split(part[begun.end() :], "=", once=True)
            asked = tuple(filter(None, split(after[0], ","))) if after else ()
            if not unquoted(name) or not asked:
                raise BadInput(
                    f"contrasts: '{part}' cannot be read; write own:, a factor, =, and what to compare, such as "
                    f"own: condition = a-b, (a+b)/2-c."
                )
            _once(unquoted(name), named, own)
            own[unquoted(name)] = asked
            continue
        for pair in filter(None, split(part, ",")):
            name, *after = split(pair, "=", once=True)
            if not after:
                if others:
                    raise BadInput(f"contrasts: '{others}' and '{name}' are both given for all factors; give one.")
                others = _set(name)
                continue
            _once(unquoted(name), named, own)
            named[unquoted(name)] = _set(after[0])
    return Chosen(others or AUTOMATIC, named, own)


def chosen_for(text: str, formulas: Sequence[Formula]) -> Chosen:
    """Read contrasts for models. Raises BadInput as `read_contrasts`, and for a name that is in none of the formulas.

    A factor that only one of the models has keeps its contrasts for that one.
    """
    chosen = read_contrasts(text)
    columns = dict.fromkeys(variable.column for formula in formulas for variable in formula.predictors)
    for name in (*chosen.named, *chosen.own):
        if name not in columns:
            raise BadInput(f"contrasts: {no_such('predictor in the formula', name, list(columns))}")
    return chosen


def codings_of(chosen: Chosen, formula: Formula, variables: Variables) -> dict[Variable, Coding]:
    """Return the coding of every factor among the predictors; `automatic` is sum beside an interaction, else treatment.

    Raises BadInput where contrasts are named for a numeric predictor, or are none of the levels of a factor.
    """
    others = chosen.others
    if others == AUTOMATIC:
        others = "sum" if factors_interact(formula, variables) else "treatment"
    found: dict[Variable, Coding] = {}
    for variable, read in variables.predictors.items():
        name = variable.column
        if not isinstance(read, Categorical):
            if (name in chosen.named or name in chosen.own) and not variable.function:
                raise BadInput(
                    f"contrasts: '{name}' holds numbers and is one slope, so it has no contrasts. If the numbers are "
                    f"names of conditions, name the column with categorical={name}."
                )
            continue
        if name in chosen.own:
            found[variable] = own_coding(hypotheses_of(name, read.levels, chosen.own[name]))
        else:
            kind = chosen.named.get(name, others)
            if kind == AUTOMATIC:
                kind = "sum" if factors_interact(formula, variables) else "treatment"
            found[variable] = coding_of(kind, len(read.levels))
    return found


def factors_interact(formula: Formula, variables: Variables) -> bool:
    """Return whether a factor is part of an interaction among the fixed effects."""
    return any(
        isinstance(variables.predictors[variable], Categorical)
        for term in formula.fixed.terms
        if len(term) > 1
        for variable in term
    )


def _set(text: str) -> str:
    name = text.strip().casefold()
    if name not in CHOICES:
        raise BadInput(
            f"contrasts: {no_such('set of contrasts', text.strip(), CHOICES)} One's own are written with own: in "
            f"front, such as own: condition = a-b, (a+b)/2-c."
        )
    return name


def _once(name: str, *known: Mapping[str, object]) -> None:
    if any(name in names for names in known):
        raise BadInput(f"contrasts: '{name}' is named twice; give every factor its contrasts once.")
    if not name:
        raise BadInput(f"contrasts: a factor has no name; write such as {listed([EXAMPLE])}.")
