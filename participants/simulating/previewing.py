"""Let simulated participants go through a study in memory: planned, answered and checked as in a session, never stored.

A draft has no participants yet. Here its author, or a program, sees what people would meet and what the data would look
like, without opening it.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.models import Part, Stimulus, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import TrialPlan
from experiments.procedure.feedback import SKIPS
from experiments.procedure.parts import plan_part
from experiments.procedure.sequence import Group, groups_of, in_order, order_sets, parts_for, possible_orders
from experiments.study.refusals import LifecycleRefusal
from participants.intake.payloads import payload_faults
from participants.session.block_feedback import Told, feedback_of
from participants.session.rows import with_parts
from participants.simulation import Summary, VirtualVisitor

MOST = 20
SECONDS = 8.0
MOST_FAULTS = 20
MOST_CONDITIONS = 60


@dataclass
class Previewed:
    """What simulated participants did in a study: how many, how long, and the measures per task and condition."""

    participants: int = 0
    results: int = 0
    minutes: list[float] = field(default_factory=list)
    groups: Counter[str] = field(default_factory=Counter)
    # (task, condition) → measure → values.
    values: dict[tuple[str, str], dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    trials: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    # Answers that the rules of the study refuse: a fault of the paradigm or of its materials.
    refused: list[str] = field(default_factory=list)


def preview_simulation(study: Study, *, participants: int, seed: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Return design, flow and figures of `participants` simulated people (1 to 20) as plain values; nothing is stored.

    The same seed and study give the same answers. After `seconds` nobody else begins, and `flow` says how many did.
    Parts for some people are gone through by everybody of their group. Raises LifecycleRefusal where a task has no
    materials yet or its order is impossible.
    """
    study = with_parts(study)
    lists = {part.pk: list(part.lists.order_by("item_set", "index")) for part in study.tasks}
    if lacking := [part.title or part.name for part in study.tasks if not lists[part.pk]]:
        raise LifecycleRefusal(f"There are no materials yet: {', '.join(lacking)}. First add them.")
    groups = [group for group in groups_of(study) for _one in range(group.weight)] or [Group("")]
    shown = {
        stimulus.pk: stimulus
        for stimulus in Stimulus.objects.filter(item__part__study=study).select_related("item", "condition")
    }
    seen, until = Previewed(), time.monotonic() + seconds
    for number in range(participants):
        if seen.participants and time.monotonic() >= until:
            break
        group = groups[number % len(groups)].name
        order = "; ".join(
            orders[number % len(orders)]
            for orders in map(possible_orders, order_sets(parts_for(study, group)).values())
        )
        try:
            plans = [
                (part, plan)
                for part in in_order(study, group, order)
                for plan in plan_part(
                    part,
                    list_id=lists[part.pk][number % len(lists[part.pk])].pk if part.pk in lists else None,
                    seed=seed + number,
                )
            ]
        except ImpossibleOrder as impossible:
            raise LifecycleRefusal(str(impossible)) from impossible
        _Visitor(study, plans, shown, number=number + 1, seed=seed, seen=seen).go_through(group)
    return _told(study, lists, seen, asked=participants, seed=seed)


class _Visitor(VirtualVisitor):
    """One simulated participant who goes through trials that are planned here, without a request."""

    def __init__(
        self,
        study: Study,
        plans: Sequence[tuple[Part, TrialPlan]],
        shown: Mapping[int, Stimulus],
        *,
        number: int,
        seed: int,
        seen: Previewed,
    ) -> None:
        super().__init__(study, number=number, seed=seed, base_url="", summary=Summary())
        self.plans, self.shown, self.known = plans, shown, seen
        self.sent: dict[int, Mapping[str, Any]] = {}

    def go_through(self, group: str) -> None:
        """Answer everything, and add it to what is known."""
        # As they travel to a browser.
        trials = [
            {
                "position": position,
                "plugin": plan.plugin,
                "params": json.loads(json.dumps(plan.params)),
                "phase": plan.phase,
                "part": part.name,
            }
            for position, (part, plan) in enumerate(self.plans)
        ]
        looked_up = {position: self._behind(plan) for position, (_part, plan) in enumerate(self.plans)}
        self.send(self.answers(trials, looked_up)[self.arrived :])
        self.http.close()
        known = self.known
        known.participants += 1
        known.results += len(self.sent)
        known.minutes.append(self.clock_ms / 60_000)
        known.groups[group] += 1
        counted = Counter(trials[position]["part"] for position in self.sent)
        for part in dict.fromkeys(part.name for part, _plan in self.plans):
            known.trials[part].append(counted[part])
        for position, entry in self.sent.items():
            self._note(trials[position], looked_up[position][2], entry)

    def _behind(self, plan: TrialPlan) -> tuple[str, Mapping[str, str], Mapping[str, Any]]:
        stimulus = self.shown.get(plan.stimulus_id) if plan.stimulus_id else None
        condition = stimulus.condition if stimulus is not None else None
        return (
            stimulus.item.code if stimulus is not None else "",
            condition.levels if condition is not None else {},
            plan.private,
        )

    def _note(self, trial: Mapping[str, Any], private: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        part, plan = self.plans[trial["position"]]
        paradigm = paradigm_behind(part.paradigm) if part.paradigm else next(iter(self.minds.values()))[0]
        if faults := payload_faults(
            paradigm, plugin=plan.plugin, params=trial["params"], private=private, payload=entry["payload"]
        ):
            self.known.refused += [f"{part.name}, {plan.plugin}: {fault}" for fault in faults]
            return
        stimulus = self.shown.get(plan.stimulus_id) if plan.stimulus_id else None
        if plan.phase != "main" or stimulus is None or stimulus.item.is_filler:
            return
        levels = stimulus.condition.levels if stimulus.condition is not None else {}
        key = part.name, ", ".join(f"{name} {level}" for name, level in levels.items())
        self.known.answers[key] += 1
        measures = {**paradigm.measure({**trial["params"], **private}, entry["payload"], ()), "rt_ms": entry["rt_ms"]}
        for name, value in measures.items():
            if isinstance(value, int | float) and math.isfinite(value):
                self.known.values[key][name].append(float(value))

    def send(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Keep answers, as a server would."""
        self.sent.update((entry["sequence"], entry) for entry in entries)

    def post(self, path: str, body: Mapping[str, Any], expected: set[int]) -> dict[str, Any]:
        """Say whether practice comes again: all that is asked while trials are answered."""
        at = body["position"]
        part, plan = self.plans[at]
        before = [
            Told(
                position, earlier.phase, earlier.plugin, {**earlier.params, **earlier.private},
                self.sent[position]["payload"], self.sent[position]["rt_ms"],
            )
            for position, (of, earlier) in enumerate(self.plans[:at])
            if of.pk == part.pk and position in self.sent
        ]  # fmt: skip
        told = feedback_of(paradigm_behind(part.paradigm), plan.params, plan.private, before)
        skips = plan.private.get(SKIPS, 0) if told["again"] is False else 0
        return {"skips": [at + 1 + number for number in range(skips)]}


def _told(study: Study, lists: Mapping[int, Any], seen: Previewed, *, asked: int, seed: int) -> dict[str, Any]:
    notes = []
    if seen.participants < asked:
        notes.append(f"The time was up after {seen.participants} of {asked} participants.")
    if any(part.shown_if for part in study.ordered_parts):
        notes.append("Parts for some people were gone through by everybody.")
    if len(seen.answers) > MOST_CONDITIONS:
        notes.append(f"Only the first {MOST_CONDITIONS} conditions are listed.")
    return {
        "seed": seed,
        "flow": {
            "finished": seen.participants,
            "results": seen.results,
            "median_minutes": round(statistics.median(seen.minutes), 2) if seen.minutes else 0.0,
            "groups": {name: count for name, count in seen.groups.items() if name},
        },
        "design": [_design_of(part, lists.get(part.pk), seen) for part in study.ordered_parts],
        "figures": [
            {
                "part": part,
                "condition": condition,
                "answers": number,
                "measures": {name: _summary(values) for name, values in seen.values[part, condition].items()},
            }
            for (part, condition), number in sorted(seen.answers.items())[:MOST_CONDITIONS]
        ],
        "refused": seen.refused[:MOST_FAULTS],
        "notes": notes,
    }


def _design_of(part: Part, lists: Sequence[Any] | None, seen: Previewed) -> dict[str, Any]:
    trials = seen.trials.get(part.name, [])
    told: dict[str, Any] = {
        "part": part.name,
        "kind": part.kind,
        "paradigm": part.paradigm,
        "trials": {"fewest": min(trials), "most": max(trials)} if trials else None,
    }
    if lists is None:
        return told
    items = list(part.items.values_list("is_filler", "is_practice"))
    return {
        **told,
        "lists": len(lists),
        "factors": {name: list(levels) for name, levels in _levels_of(part).items()},
        "items": sum(not filler and not practice for filler, practice in items),
        "fillers": sum(filler for filler, _practice in items),
        "practice": sum(practice for _filler, practice in items),
    }


def _levels_of(part: Part) -> dict[str, dict[str, None]]:
    levels: dict[str, dict[str, None]] = {}
    for condition in part.conditions.order_by("pk"):
        for name, level in condition.levels.items():
            levels.setdefault(name, {})[level] = None
    return levels


def _summary(values: Sequence[float]) -> dict[str, float]:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return {"n": len(values), "mean": round(statistics.fmean(values), 4), "sd": round(spread, 4)}
