"""Hold the parameters of a power analysis, and derive its design, true values, sample sizes and scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.methods.confidence import check_confidence
from analysis.methods.parameters import as_names
from analysis.methods.power.baseline import outcome_of, thresholds_of
from analysis.methods.power.design import Design, Truth, design_of
from analysis.methods.power.layout import Layout
from analysis.methods.power.models import Names
from analysis.methods.power.pilot import Pilot
from analysis.methods.power.scenarios import GENERALISED, MODELS, Scenario, chosen_methods
from analysis.methods.power.stated import named_effects, stated_factors, stated_sds
from analysis.methods.power.truth import scaled, sizes_of, truth_of, unit_of
from analysis.methods.report import BadInput
from analysis.methods.seeds import check_seed
from analysis.methods.wording import listed

MOST_SIMULATIONS = 100_000
# In milliseconds of a machine of 2024, roughly; what counts is how scenarios compare.
COST_OF_A_DRAW = 1e-4
COST_OF_A_FIT = 100.0
COST_OF_A_DRAW_IN_A_FIT = 0.0006
COST_OF_A_GENERALISED_FIT = 200.0
COST_OF_A_DRAW_IN_A_GENERALISED_FIT = 0.01


@dataclass(frozen=True)
class Wanted:
    """The parameters of `power`."""

    dv: str | None
    within: Sequence[str]
    design: str | None
    effect: str | None
    sds: str | None
    method: str
    unit: str
    formula: str | None
    correction: str
    n_participants: Any
    n_items: Any
    assignment: str
    simulations: int
    seed: int
    null: bool
    alpha: float
    target: float
    interval: str
    confidence: float
    scale: str
    between_participants: str | None
    between_items: str | None
    probability: str | None
    intercept: str | None
    thresholds: str | None
    tests: str
    participant: str | None
    item: str | None
    where: str | None
    keep: str | None
    cells_per_item: int | None = None

    @property
    def between(self) -> dict[str, tuple[str, ...]]:
        """The factors that are named between participants and between items, by parameter."""
        return {
            "between_participants": as_names(self.between_participants or ()),
            "between_items": as_names(self.between_items or ()),
        }

    def check(self) -> None:
        """Raise BadInput for numbers that no simulation can use."""
        if not 1 <= self.simulations <= MOST_SIMULATIONS:
            raise BadInput(f"simulations must be a number from 1 to {MOST_SIMULATIONS:,}; {self.simulations:,} is not.")
        check_seed(self.seed)
        for name, value in (("alpha", self.alpha), ("target", self.target)):
            if not 0 < value < 1:
                raise BadInput(f"{name} must lie between 0 and 1; {value:g} does not.")
        check_confidence(self.confidence)


class Simulated:
    """What is simulated, from the parameters and what is known of the pilot data.

    `stated` are the standard deviations that were given; `labels` are the ordered categories, lowest first; without
    any, answers are yes and no.
    Raises BadInput where they do not fit each other.
    """

    def __init__(self, wanted: Wanted, pilot: Pilot | None) -> None:
        self.wanted, self.pilot = wanted, pilot
        self.design = plan = self._design()
        self.methods = chosen_methods(wanted.method, unit=wanted.unit)
        self.outcome = outcome_of(self.methods)
        thresholds = thresholds_of(
            self.outcome,
            probability=wanted.probability,
            intercept=wanted.intercept,
            thresholds=wanted.thresholds,
            pilot=None if pilot is None else pilot.thresholds,
        )
        self.truth = truth_of(plan, effect=wanted.effect, sds=wanted.sds, pilot=pilot, thresholds=thresholds)
        self.stated = stated_sds(wanted.sds, plan)
        self.labels = _labels(thresholds, pilot) if self.outcome == "ordered" and thresholds is not None else ()
        self.effects = named_effects(wanted.effect, plan)
        self.people, self.items = sizes_of(
            plan, n_participants=wanted.n_participants, n_items=wanted.n_items, pilot=pilot
        )
        # Where nothing is read from a file, the measure is called what the formula calls it.
        left = (wanted.formula or "").partition("~")[0].strip().strip("`")
        measure = wanted.dv or (left if left and "(" not in left else "rating")
        self._check_cells()
        self.names = Names(measure, wanted.participant or "participant", wanted.item or "item")
        self.unit = unit_of(self.truth)

    def _design(self) -> Design:
        if self.pilot is not None:
            return self.pilot.design
        if self.wanted.design:
            return design_of(stated_factors(self.wanted.design), **self.wanted.between)
        raise BadInput(
            "There is no design: name the measure and its factors in pilot data with dv=… and within=…, or state it, "
            "such as design=marker=4; order=2 with effect=… and sds=…."
        )

    @property
    def is_incomplete(self) -> bool:
        """Whether items are in some of the cells alone."""
        return self.wanted.cells_per_item is not None and self.wanted.cells_per_item < self.design.places.shape[2]

    def _check_cells(self) -> None:
        number, within = self.wanted.cells_per_item, self.design.places.shape[2]
        if number is None:
            return
        if not 1 <= number <= within:
            raise BadInput(
                f"cells_per_item must be a number from 1 to {within}, the cells of an item; {number} is not."
            )
        if self.is_incomplete and self.wanted.assignment == "full":
            raise BadInput("With assignment=full everybody sees every item in every cell; leave cells_per_item out.")
        means = [name for name in self.methods if name in ("f2", "f1-and-f2", "min-f")]
        if self.is_incomplete and means:
            raise BadInput(
                f"Items are in {number} of {within} cells, so their means in all cells do not exist, and "
                f"{listed(means)} cannot be computed; give method=lmm."
            )

    @cached_property
    def keys(self) -> list[tuple[int, int, int]]:
        """Return participants, items and 0, or 1 for the design without effects, of every scenario."""
        truths = range(2 if self.wanted.null else 1)
        return [(people, items, k) for items in self.items for people in self.people for k in truths]

    def scenario(self, index: int) -> Scenario:
        """Return one scenario, laid out."""
        people, items, k = self.keys[index]
        truth: Truth = self.truth.without_effects if k else self.truth
        layout = Layout.of(
            self.wanted.assignment,
            participants=people,
            items=items,
            cells=len(self.design.cells),
            places=self.design.places,
            cells_per_item=self.wanted.cells_per_item,
        )
        return Scenario(self.design, scaled(truth, self.unit), layout, (people, items, k))

    def cost(self, layout: Layout) -> float:
        """Return about how much one simulation of a layout costs, as PART_COST."""
        cost = COST_OF_A_DRAW * layout.draws
        for method in self.methods:
            if method in GENERALISED:
                slopes = len(self.design.cells) ** 2
                cost += COST_OF_A_GENERALISED_FIT + COST_OF_A_DRAW_IN_A_GENERALISED_FIT * layout.draws * slopes
            elif method in MODELS:
                slopes = (len(self.design.cells) if method == "lmm" else 1) ** 2
                cost += COST_OF_A_FIT + COST_OF_A_DRAW_IN_A_FIT * layout.draws * slopes
        return cost


def _labels(thresholds: Sequence[float], pilot: Pilot | None) -> tuple[str, ...]:
    """Return what the ordered categories are called: as in the pilot data where there are as many, else numbers."""
    if pilot is not None and len(pilot.labels) == len(thresholds) + 1:
        return pilot.labels
    return tuple(str(number) for number in range(1, len(thresholds) + 2))
