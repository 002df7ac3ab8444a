"""Divide a power analysis into parts: pilot data are read once, then every part counts some simulations.

A part holds simulations of one or several scenarios. How many is decided by what they are expected to cost, which
follows from their sizes alone: the parts are the same on every machine and with any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.declarations import Progress, Split
from analysis.methods.power.baseline import outcome_of
from analysis.methods.power.cautions import warnings_of
from analysis.methods.power.f_tests import check_complete
from analysis.methods.power.pilot import Pilot, pilot_of
from analysis.methods.power.scenarios import Scenario, added, batch_size, chosen_methods, models_of, p_of
from analysis.methods.power.simulation import significant
from analysis.methods.power.tables import MODEL, POWER, figures_of, lines_of, model_lines
from analysis.methods.power.wanted import Simulated, Wanted
from analysis.methods.power.wording import notes_of, sentences_of
from analysis.methods.report import BadInput, Report
from analysis.methods.rows import used as rows
from analysis.methods.rows.remarks import by_importance
from analysis.methods.wording import listed, no_such

# As costs in `wanted`: a part takes seconds.
PART_COST = 5000.0


def prepare(frame: pd.DataFrame, params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Return what the pilot data say, or that there are none."""
    wanted = Wanted(**params)
    wanted.check()
    if wanted.dv is None and not wanted.within:
        return {"pilot": None}
    factors = _factors(wanted, frame)
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
    chosen = rows.with_design(
        chosen, units={"participant": wanted.participant, "item": things}, factors=factors, measure=wanted.dv
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
        **wanted.between,
    )
    said = replace(
        pilot, notes=(*chosen.notes, *pilot.notes), warnings=by_importance((*chosen.warnings, *pilot.warnings))
    )
    return {"pilot": replace(said, layout=chosen.design).as_dict()}


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

        found.append(_counted(made, scenario, first, last, watch))
        done += last - first
    return found


def _counted(
    made: Simulated, scenario: Scenario, first: int, last: int, watch: Callable[[int], None]
) -> list[list[int]]:
    """Simulate first … last − 1; return [significant, undefined] per method and effect, effects changing fastest.

    All methods analyse the same simulated data. `watch` is called with the number of a simulation between batches and
    fits, and may raise to stop.
    """
    wanted, methods = made.wanted, made.methods
    models = models_of(
        scenario, methods, effects=made.effects, formula=wanted.formula, names=made.names, tests=wanted.tests
    )
    counts = {(method, effect): [0, 0] for method in methods for effect in made.effects}
    step = batch_size(scenario.layout, last - first, fits=bool(models))
    for start in range(first, last, step):
        watch(start)
        end, correction = min(start + step, last), wanted.correction
        p_values = p_of(
            scenario,
            models,
            methods=methods,
            correction=correction,
            seed=wanted.seed,
            first=start,
            last=end,
            watch=watch,
        )
        for pair, found in counts.items():
            found[0] += int(significant(p_values[pair], wanted.alpha).sum())
            found[1] += int(np.isnan(p_values[pair]).sum())
    return list(counts.values())


def combine(
    prepared: Mapping[str, Any], params: Mapping[str, Any], results: Sequence[Sequence[Sequence[Sequence[int]]]]
) -> Report:
    """Add up what was counted and make the report."""
    made = _simulated(prepared, params)
    wanted, pilot = made.wanted, made.pilot
    counts = added(parts(prepared, params), results, made.keys, methods=made.methods, effects=made.effects)
    lines = lines_of(counts, made)
    return Report(
        tables=(POWER.of(lines), MODEL.of(model_lines(made))),
        figures=figures_of(lines, target=wanted.target, confidence=wanted.confidence),
        notes=(*(pilot.notes if pilot else ()), *notes_of(made)),
        warnings=(*(pilot.warnings if pilot else ()), *warnings_of(lines, made)),
        design=pilot.layout if pilot else "",
        sentences=sentences_of(
            lines,
            target=wanted.target,
            confidence=wanted.confidence,
            alpha=wanted.alpha,
            unit="" if made.truth.thresholds is None else " in log odds",
        ),
    )


def _factors(wanted: Wanted, frame: pd.DataFrame) -> list[str]:
    """Return the factors of pilot data in the order in which they were named.

    Raises BadInput where one is named within and between, or is no column.
    """
    between = wanted.between
    for parameter, names in between.items():
        twice = [name for name in names if name in wanted.within]
        if twice:
            raise BadInput(f"{listed(twice)} is named in within and in {parameter}; name it in one of them.")
        for name in names:
            if name not in frame.columns:
                raise BadInput(f"{parameter}: {no_such('column', name, [str(column) for column in frame.columns])}")
    return list(dict.fromkeys([*wanted.within, *(name for names in between.values() for name in names)]))


def _simulated(prepared: Mapping[str, Any], params: Mapping[str, Any]) -> Simulated:
    known = prepared["pilot"]
    return Simulated(Wanted(**params), None if known is None else Pilot.from_dict(known))


SPLIT = Split(prepare=prepare, parts=parts, compute_part=compute_part, combine=combine)
