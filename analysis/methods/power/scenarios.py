"""Simulate scenarios and run the chosen analyses on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.methods.arrays import Floats
from analysis.methods.parameters import as_names
from analysis.methods.power.design import Design, Role, Truth
from analysis.methods.power.f_tests import Units, p_of_f, roles_of
from analysis.methods.power.generalised_models import GeneralisedModel
from analysis.methods.power.layout import Layout
from analysis.methods.power.models import Model, Names, usual_formula
from analysis.methods.power.simulation import measures, normals
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, nearest

METHODS = {
    "f1": "F1",
    "f2": "F2",
    "f1-and-f2": "F1 and F2",
    "min-f": "minF′",
    "lmm": "mixed model",
    "lmm-intercepts": "mixed model with intercepts only",
    "glmm": "mixed logistic model",
    "ordinal": "cumulative mixed model",
}
MODELS = ("lmm", "lmm-intercepts", "glmm", "ordinal")
WITH_FORMULA = ("lmm", "glmm", "ordinal")
GENERALISED = ("glmm", "ordinal")
# Simulations with these numbers are those near whose optimum a search begins; no power is of them.
REFERENCES = range(1_000_000, 1_000_005)
NUMBERS_AT_ONCE = 1_000_000
FITS_AT_ONCE = 20


@dataclass(frozen=True)
class Scenario:
    """A design with what is true of it and how it is laid out; `key` (participants, items, scenario) seeds it."""

    design: Design
    truth: Truth
    layout: Layout
    key: tuple[int, int, int]

    def units(self, methods: Sequence[str]) -> dict[Role, Units]:
        """Return participants, items or both, as the analyses of means need them; made once."""
        return {role: self._people if role == "participant" else self._things for role in roles_of(methods)}

    @cached_property
    def _people(self) -> Units:
        return Units(self.layout, self.design, "participant")

    @cached_property
    def _things(self) -> Units:
        return Units(self.layout, self.design, "item")

    def measures(self, *, seed: int, first: int, last: int) -> Floats:
        """Return the measures of simulations first … last − 1 (simulations × trials)."""
        draws = normals(self.layout, seed=seed, key=self.key, first=first, last=last)
        return measures(self.layout, self.design, self.truth, draws)


@dataclass(frozen=True)
class Counted:
    """How often one analysis found one effect in the scenario of a key; `undefined` counts those without a test."""

    key: tuple[int, int, int]
    method: str
    effect: str
    significant: int
    undefined: int


def chosen_methods(text: str, *, unit: str) -> tuple[str, ...]:
    """Read which analyses are wanted; rm-anova is F1 or F2 by `unit`.

    >>> chosen_methods("rm-anova, min-f", unit="item")
    ('f2', 'min-f')
    """
    found: list[str] = []
    for name in as_names(text):
        folded = name.casefold().replace("_", "-")
        folded = {"rm-anova": "f2" if unit == "item" else "f1", "minf": "min-f"}.get(folded, folded)
        if folded not in METHODS:
            known = ["rm-anova", *METHODS]
            guess = nearest(name, known)
            hint = f"; did you mean '{guess}'?" if guess else "."
            raise BadInput(f"method: there is no analysis '{name}'{hint} Known are {listed(known, shown=20)}.")
        found.append(folded)
    if not found:
        raise BadInput(f"method is missing: name one or more of rm-anova, {listed(METHODS, shown=20)}.")
    return tuple(dict.fromkeys(found))


def p_of(
    scenario: Scenario,
    models: dict[str, Model | GeneralisedModel],
    *,
    methods: Sequence[str],
    correction: str,
    seed: int,
    first: int,
    last: int,
    watch: Callable[[int], None] = lambda done: None,
) -> dict[tuple[str, str], Floats]:
    """Return p per (method, effect) of simulations first … last − 1. They do not depend on how a run is split."""
    y = scenario.measures(seed=seed, first=first, last=last)
    found = p_of_f(scenario.units(methods), scenario.design, y, methods=methods, correction=correction)

    def watch_row(done: int) -> None:
        watch(first + done)

    for method, model in models.items():
        if isinstance(model, GeneralisedModel):
            others = scenario.measures(seed=seed, first=REFERENCES.start, last=REFERENCES.stop)
            model.refer_to(others, watch=lambda count: watch(first))
            by_effect = model.p(y, watch=watch_row)
        else:
            near = model.theta_of(scenario.truth, scenario.layout, scenario.design)
            by_effect = model.p(y, near=near, watch=watch_row)
        found |= {(method, effect): p for effect, p in by_effect.items()}
    return found


def models_of(
    scenario: Scenario,
    methods: Sequence[str],
    *,
    effects: tuple[str, ...],
    formula: str | None,
    names: Names,
    tests: str = "f",
) -> dict[str, Model | GeneralisedModel]:
    """Return the mixed models that are asked for, prepared for the layout of a scenario."""
    made: dict[str, Model | GeneralisedModel] = {}
    for method in methods:
        if method not in MODELS:
            continue
        text = formula_of(method, formula, scenario.design, names)
        if method in GENERALISED:
            made[method] = GeneralisedModel(
                text, scenario.layout, scenario.design, names, ordered=method == "ordinal", tests=tests
            )
        else:
            made[method] = Model(text, scenario.layout, scenario.design, names)
        made[method].check(effects)
    return made


def formula_of(method: str, formula: str | None, design: Design, names: Names) -> str:
    """Return the formula of a mixed model: the stated one, or that which the design suggests."""
    if formula and method in WITH_FORMULA:
        return formula
    return usual_formula(design, names, slopes=method != "lmm-intercepts")


def batch_size(layout: Layout, simulations: int, *, fits: bool) -> int:
    """Return how many simulations are computed at once: few enough for memory and for news of progress."""
    most = FITS_AT_ONCE if fits else max(1, NUMBERS_AT_ONCE // layout.draws)
    return max(1, min(most, simulations))


def added(
    described: Sequence[Sequence[Sequence[int]]],
    results: Sequence[Sequence[Sequence[Sequence[int]]]],
    keys: Sequence[tuple[int, int, int]],
    *,
    methods: Sequence[str],
    effects: Sequence[str],
) -> list[Counted]:
    """Add up what the parts of an analysis counted, per analysis, effect and scenario.

    >>> parts, results = [[[0, 0, 50]], [[0, 50, 80]]], [[[[40, 0]]], [[[25, 1]]]]
    >>> added(parts, results, [(24, 32, 0)], methods=["f1"], effects=["order"])
    [Counted(key=(24, 32, 0), method='f1', effect='order', significant=65, undefined=1)]
    """
    pairs = [(method, effect) for method in methods for effect in effects]
    sums = [[[0, 0] for _ in keys] for _ in pairs]
    for part, result in zip(described, results, strict=True):
        for (index, _, _), counts in zip(part, result, strict=True):
            for of_pair, (significant_ones, undefined) in zip(sums, counts, strict=True):
                of_pair[index][0] += significant_ones
                of_pair[index][1] += undefined
    return [
        Counted(key, method, effect, *counts)
        for (method, effect), of_pair in zip(pairs, sums, strict=True)
        for key, counts in zip(keys, of_pair, strict=True)
    ]
