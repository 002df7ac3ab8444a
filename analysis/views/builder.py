"""The formula of a mixed model put together from columns: what is chosen becomes text, and text becomes what is chosen.

Text stays what counts: it can be changed by hand, and whatever it says is read by the parser of the method. A formula
that says more than can be chosen is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from analysis.methods.mixed.design.formula import parse
from analysis.methods.mixed.design.terms import Formula, RandomTerm, written_name
from analysis.methods.report import BadInput
from analysis.views.offering import Offer

Interactions = Literal["all", "pairs", "none"]
INTERACTIONS: tuple[Interactions, ...] = ("all", "pairs", "none")
BUILD = "build"
"""The button that writes the formula of what was chosen, and runs nothing."""
FACTORS = ("within", "between participants", "between items")


@dataclass(frozen=True)
class Built:
    """What a formula consists of: `random` has the slopes of every unit that has an intercept of its own."""

    measure: str = ""
    is_log: bool = False
    factors: tuple[str, ...] = ()
    covariates: tuple[str, ...] = ()
    interactions: Interactions = "all"
    random: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    correlated: bool = False

    @property
    def formula(self) -> str:
        """The formula as text; empty without a measure.

        >>> Built("rt_ms", True, ("a", "b"), ("words",), "all", {"participant": ("a",), "item": ()}).formula
        'log(rt_ms) ~ a*b + words + (1 + a || participant) + (1 | item)'
        >>> Built("z", factors=("a", "b", "c"), interactions="pairs").formula
        'z ~ (a + b + c)^2'
        """
        if not self.measure:
            return ""
        measure = written_name(self.measure)
        covariates = map(written_name, self.covariates)
        fixed = " + ".join(filter(None, (self._effects(self.factors), *covariates))) or "1"
        random = (self._random(unit, slopes) for unit, slopes in self.random.items())
        return " + ".join((f"{f'log({measure})' if self.is_log else measure} ~ {fixed}", *random))

    def _random(self, unit: str, slopes: Sequence[str]) -> str:
        group = written_name(unit)
        return (
            f"(1 + {self._effects(slopes)} {'|' if self.correlated else '||'} {group})" if slopes else f"(1 | {group})"
        )

    def _effects(self, names: Sequence[str]) -> str:
        written = list(map(written_name, names))
        if self.interactions == "none" or len(written) < 2:
            return " + ".join(written)
        if self.interactions == "pairs" and len(written) > 2:
            return f"({' + '.join(written)})^2"
        return "*".join(written)


@dataclass(frozen=True)
class Choice:
    """A column that can be chosen."""

    name: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class UnitChoice:
    """A unit that can have an intercept of its own, with the factors that can have slopes by it."""

    name: str
    label: str
    is_chosen: bool
    slopes: list[Choice]


@dataclass(frozen=True)
class Builder:
    """What a page offers to put a formula together. `is_read`: what is chosen is what the text of the formula says."""

    offer: Offer
    built: Built
    is_read: bool = True

    def measures(self) -> list[Choice]:
        measures = [name for name, kind in self.offer.kinds.items() if kind == "measure"]
        return self._choices(measures, (self.built.measure,))

    def factors(self) -> list[Choice]:
        return self._choices(factors_of(self.offer), self.built.factors)

    def covariates(self) -> list[Choice]:
        return self._choices(covariates_of(self.offer), self.built.covariates)

    def units(self) -> list[UnitChoice]:
        return [
            UnitChoice(
                name,
                self.offer.choice(name)[1],
                name in self.built.random,
                self._choices(slopes_of(self.offer, name), self.built.random.get(name, ())),
            )
            for name in units_of(self.offer)
        ]

    def _choices(self, names: Sequence[str], chosen: Sequence[str]) -> list[Choice]:
        return [Choice(name, self.offer.choice(name)[1], name in chosen) for name in names]


def factors_of(offer: Offer) -> list[str]:
    """Return the columns that are factors, without those that others make up."""
    return [name for name, kind in offer.kinds.items() if kind in FACTORS and name not in offer.combined]


def covariates_of(offer: Offer) -> list[str]:
    """Return the numbers that describe texts or people, and the place of a trial in its session."""
    return [name for name, kind in offer.kinds.items() if kind == "covariate" or name == "position"]


def units_of(offer: Offer) -> list[str]:
    """Return the units by which answers vary, people and items first."""
    units = [name for name, kind in offer.kinds.items() if kind == "unit"]
    return sorted(units, key=lambda name: (*offer.between, name).index(name))


def slopes_of(offer: Offer, unit: str) -> list[str]:
    """Return the factors that vary within a unit."""
    return [name for name in factors_of(offer) if offer.kinds.get(name) != offer.between.get(unit)]


def builder_for(offer: Offer, text: str, usual: Sequence[str]) -> Builder:
    """Return the builder of a form: with what the text says, or before there is a text with the `usual` factors."""
    if not text.strip():
        known = [name for name in usual if name in factors_of(offer)]
        random = {
            unit: tuple(name for name in known if name in slopes_of(offer, unit))
            for unit in units_of(offer)
            if unit in offer.between
        }
        return Builder(offer, Built(factors=tuple(known), random=random))
    built = built_from(text, offer)
    return Builder(offer, built or Built(), is_read=built is not None)


def built_from(text: str, offer: Offer) -> Built | None:
    """Return what a formula consists of; None where it says something that cannot be chosen, or cannot be read."""
    try:
        formula = parse(text, list(offer.kinds))
    except BadInput:
        return None
    factors, units = factors_of(offer), units_of(offer)
    fixed = [one.column for one in formula.fixed.variables if not one.function]
    built = Built(
        measure=formula.response.column,
        is_log=formula.response.function == "log",
        factors=tuple(name for name in fixed if name in factors),
        covariates=tuple(name for name in fixed if name in covariates_of(offer)),
        random={
            term.group[0]: tuple(one.column for one in term.part.variables)
            for term in formula.random
            if term.group[0] in units and all(one.column in factors for one in term.part.variables)
        },
        correlated=any(term.correlated and term.part.terms for term in formula.random),
    )
    if offer.kinds.get(built.measure) != "measure":
        return None
    for interactions in INTERACTIONS:
        found = replace(built, interactions=interactions)
        if _meaning(parse(found.formula, list(offer.kinds))) == _meaning(formula):
            return found
    return None


def _meaning(formula: Formula) -> Any:
    """Return what two formulas share that fit the same model."""
    fixed = (formula.fixed.intercept, {frozenset(term) for term in formula.fixed.terms})

    def of(term: RandomTerm) -> Any:
        is_correlated = term.correlated and bool(term.part.terms)
        return term.group, is_correlated, term.part.intercept, frozenset(map(frozenset, term.part.terms))

    return formula.response, fixed, sorted(map(repr, map(of, formula.random)))


def built_by(given: Any, offer: Offer) -> Built:
    """Return what was chosen on a page, given the fields of its form, as far as it is offered."""
    factors = _among(given.getlist("build_factors"), factors_of(offer))
    covariates = _among(given.getlist("build_covariates"), covariates_of(offer))
    measure = given.get("build_measure", "")
    interactions = given.get("build_interactions", "all")
    return Built(
        measure=measure if offer.kinds.get(measure) == "measure" else "",
        is_log=bool(given.get("build_log")),
        factors=factors,
        covariates=covariates,
        interactions=interactions if interactions in INTERACTIONS else "all",
        random={
            # A slope of what is no fixed effect would be a model that nobody means.
            unit: _among(given.getlist(f"build_slopes_{unit}"), [n for n in slopes_of(offer, unit) if n in factors])
            for unit in _among(given.getlist("build_units"), units_of(offer))
        },
        correlated=bool(given.get("build_correlated")),
    )


def _among(names: Sequence[str], offered: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in offered if name in names)
