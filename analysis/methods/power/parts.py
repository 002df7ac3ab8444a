"""How a power analysis is divided: pilot data are read once, then every part counts some simulations.

A part holds simulations of one or several scenarios. How many is decided by what they are expected to cost, which
follows from their sizes alone: the parts are the same on every machine and with any number of workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.methods.declarations import Progress, Split
from analysis.methods.parameters import as_names
from analysis.methods.power.baseline import outcome_of, thresholds_of
from analysis.methods.power.cautions import warnings_of
from analysis.methods.power.design import Design, Truth, design_of
from analysis.methods.power.f_tests import check_complete
from analysis.methods.power.layout import Layout
from analysis.methods.power.models import Names
from analysis.methods.power.pilot import Pilot, pilot_of
from analysis.methods.power.scenarios import GENERALISED, MODELS, Scenario, added, chosen_methods, count
from analysis.methods.power.stated import named_effects, stated_factors, stated_sds
from analysis.methods.power.tables import COLUMNS, MODEL_COLUMNS, figures_of, lines_of, model_lines
from analysis.methods.power.truth import check_numbers, scaled, sizes_of, truth_of, unit_of
from analysis.methods.power.wording import notes_of, sentences_of
from analysis.methods.report import BadInput, Report, Table
from analysis.methods.rows import used as rows
from analysis.methods.wording import listed, no_such

# In milliseconds of a machine of 2024, roughly; what counts is how scenarios compare, and that parts take seconds.
PART_COST = 5000.0
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


class Simulated:
    """What is simulated, from the parameters and what is known of the pilot data.

    Raises BadInput where they do not fit each other.
    """

    def __init__(self, wanted: Wanted, pilot: Pilot | None) -> None:
        self.wanted, self.pilot = wanted, pilot
        plan = self._design()
        self.design: Design = plan
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
        self.labels = _labels(thresholds, pilot) if self.outcome == "ordered" and thresholds is not None else ()
        self.effects = named_effects(wanted.effect, plan)
        self.people, self.items = sizes_of(
            plan, n_participants=wanted.n_participants, n_items=wanted.n_items, pilot=pilot
        )
        # Where nothing is read from a file, the measure is called what the formula calls it.
        left = (wanted.formula or "").partition("~")[0].strip().strip("`")
        measure = wanted.dv or (left if left and "(" not in left else "rating")
        self.names = Names(measure, wanted.participant or "participant", wanted.item or "item")
        self.unit = unit_of(self.truth)

    def _design(self) -> Design:
        if self.pilot is not None:
            return self.pilot.design
        if self.wanted.design:
            return design_of(
                stated_factors(self.wanted.design),
                between_participants=as_names(self.wanted.between_participants or ()),
                between_items=as_names(self.wanted.between_items or ()),
            )
        raise BadInput(
            "There is no design: name the measure and its factors in pilot data with dv=… and within=…, or state it, "
            "such as design=marker=4; order=2 with effect=… and sds=…."
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


def prepare(frame: pd.DataFrame, params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Return what the pilot data say, or that there are none."""
    wanted = Wanted(**params)
    check_numbers(
        simulations=wanted.simulations,
        seed=wanted.seed,
        alpha=wanted.alpha,
        target=wanted.target,
        confidence=wanted.confidence,
    )
    if wanted.dv is None and not wanted.within:
        return {"pilot": None}
    between = {
        "between_participants": as_names(wanted.between_participants or ()),
        "between_items": as_names(wanted.between_items or ()),
    }
    factors = _factors(wanted, between, frame)
    if wanted.dv is None or not factors:
        lacking = "the measure with dv=…" if wanted.dv is None else "the factors with within=…"
        raise BadInput(f"Pilot data need both a measure and within factors: name {lacking}.")
    if wanted.design:
        raise BadInput(
            "The design comes from the pilot data (within=…) or from design=…, not from both; leave one out."
        )
    if wanted.participant is None:
        raise BadInput(
            "There is no column 'participant' in the data; name the column that holds it with participant=…."
        )
    things = wanted.item if wanted.item is not None and wanted.item in frame.columns else None
    chosen = rows.select(
        frame,
        used=[wanted.dv, wanted.participant, things, *factors],
        measured=[wanted.dv],
        units=(wanted.participant, things),
        where=wanted.where,
        keep=wanted.keep,
    )
    progress(0.0, "estimating variances")
    pilot = pilot_of(
        chosen.frame,
        dv=wanted.dv,
        factors=factors,
        participant=wanted.participant,
        item=things,
        scale=wanted.scale,
        outcome=outcome_of(chosen_methods(wanted.method, unit=wanted.unit)),
        **between,
    )
    said = replace(pilot, notes=(*chosen.notes, *pilot.notes), warnings=(*chosen.warnings, *pilot.warnings))
    return {"pilot": said.as_dict()}


def parts(prepared: Mapping[str, Any], params: Mapping[str, Any]) -> list[list[list[int]]]:
    """Return the parts: lists of [scenario, first simulation, last simulation + 1]."""
    made = _simulated(prepared, params)
    costs = []
    for index in range(len(made.keys)):
        scenario = made.scenario(index)
        check_complete(scenario.units(made.methods), scenario.layout, made.design)
        costs.append(made.cost(scenario.layout))
    return divided(costs, simulations=made.wanted.simulations, most=PART_COST)


def divided(costs: Sequence[float], *, simulations: int, most: float) -> list[list[list[int]]]:
    """Divide the simulations of scenarios, in order, into parts that cost at most `most` (or are a single simulation).

    `costs` is that of one simulation of each scenario.

    >>> divided([1.0, 3.0], simulations=5, most=9.0)
    [[[0, 0, 5], [1, 0, 1]], [[1, 1, 4]], [[1, 4, 5]]]
    """
    made: list[list[list[int]]] = [[]]
    left = most
    for index, cost in enumerate(costs):
        first = 0
        while first < simulations:
            fitting = int(left / cost)
            if fitting < 1 and made[-1]:
                made.append([])
                left = most
                continue
            last = min(first + max(fitting, 1), simulations)
            made[-1].append([index, first, last])
            left -= cost * (last - first)
            first = last
    return made


def compute_part(
    prepared: Mapping[str, Any], params: Mapping[str, Any], part: Sequence[Sequence[int]], progress: Progress
) -> list[list[list[int]]]:
    """Return, for each piece of a part, [significant, undefined] of every analysis and effect."""
    made = _simulated(prepared, params)
    total = sum(last - first for _, first, last in part)
    done = 0
    found = []
    for index, first, last in part:
        scenario = made.scenario(index)
        before = done

        def watch(number: int, scenario: Scenario = scenario, first: int = first, before: int = before) -> None:
            people, items, _ = scenario.key
            text = f"{people} participants, {items} items: simulation {number:,} of {made.wanted.simulations:,}"
            progress(min((before + number - first) / total, 1.0), text)

        found.append(
            count(
                scenario,
                methods=made.methods,
                effects=made.effects,
                formula=made.wanted.formula,
                names=made.names,
                correction=made.wanted.correction,
                tests=made.wanted.tests,
                seed=made.wanted.seed,
                alpha=made.wanted.alpha,
                first=first,
                last=last,
                watch=watch,
            )
        )
        done += last - first
    return found


def combine(
    prepared: Mapping[str, Any], params: Mapping[str, Any], results: Sequence[Sequence[Sequence[Sequence[int]]]]
) -> Report:
    """Add up what was counted and make the report."""
    made = _simulated(prepared, params)
    wanted, pilot = made.wanted, made.pilot
    lines = lines_of(
        added(parts(prepared, params), results, made.keys, methods=made.methods, effects=made.effects),
        made.design,
        made.truth,
        simulations=wanted.simulations,
        interval=wanted.interval,
        confidence=wanted.confidence,
    )
    notes = notes_of(
        made.design,
        methods=made.methods,
        formula=wanted.formula,
        names=made.names,
        assignment=wanted.assignment,
        simulations=wanted.simulations,
        seed=wanted.seed,
        alpha=wanted.alpha,
        correction=wanted.correction,
        interval=wanted.interval,
        confidence=wanted.confidence,
        tests=wanted.tests,
        labels=made.labels,
    )
    warnings = warnings_of(
        lines,
        made.design,
        made.truth,
        known={*(pilot.sds if pilot is not None else ()), *stated_sds(wanted.sds, made.design)},
        assignment=wanted.assignment,
        effect=wanted.effect,
        formula=wanted.formula,
        names=made.names,
        pilot=pilot,
        alpha=wanted.alpha,
        interval=wanted.interval,
        confidence=wanted.confidence,
        tests=wanted.tests,
    )
    model = model_lines(made.design, made.truth, sds=wanted.sds, pilot=pilot, labels=made.labels)
    return Report(
        method="power",
        params={},
        tables=(
            Table.from_rows("power", "Power by simulation", COLUMNS, lines),
            Table.from_rows("model", "What was simulated", MODEL_COLUMNS, model),
        ),
        figures=figures_of(lines, target=wanted.target, confidence=wanted.confidence),
        notes=(*(pilot.notes if pilot else ()), *notes),
        warnings=(*(pilot.warnings if pilot else ()), *warnings),
        sentences=sentences_of(
            lines,
            target=wanted.target,
            confidence=wanted.confidence,
            alpha=wanted.alpha,
            unit="" if made.truth.thresholds is None else " in log odds",
        ),
    )


def _factors(wanted: Wanted, between: Mapping[str, Sequence[str]], frame: pd.DataFrame) -> list[str]:
    """Return the factors of pilot data in the order in which they were named.

    Raises BadInput where one is named within and between, or is no column.
    """
    for parameter, names in between.items():
        twice = [name for name in names if name in wanted.within]
        if twice:
            raise BadInput(f"{listed(twice)} is named in within and in {parameter}; name it in one of them.")
        for name in names:
            if name not in frame.columns:
                raise BadInput(f"{parameter}: {no_such('column', name, [str(column) for column in frame.columns])}")
    return list(dict.fromkeys([*wanted.within, *(name for names in between.values() for name in names)]))


def _labels(thresholds: Sequence[float], pilot: Pilot | None) -> tuple[str, ...]:
    """Return what the ordered categories are called: as in the pilot data where there are as many, else numbers."""
    if pilot is not None and len(pilot.labels) == len(thresholds) + 1:
        return pilot.labels
    return tuple(str(number) for number in range(1, len(thresholds) + 2))


def _simulated(prepared: Mapping[str, Any], params: Mapping[str, Any]) -> Simulated:
    known = prepared["pilot"]
    return Simulated(Wanted(**params), None if known is None else Pilot.from_dict(known))


SPLIT = Split(prepare=prepare, parts=parts, compute_part=compute_part, combine=combine)
