"""Find the planned analysis that decides when a study stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.exports.of_task import known_part
from experiments.models import Study
from experiments.rules.plan import complete_plan
from experiments.rules.sequential import SequentialPlan


@dataclass(frozen=True)
class Deciding:
    """The planned analysis that decides when a study stops, and its sequential plan."""

    title: str
    method: str
    table: str
    params: dict[str, Any]
    part: str
    plan: SequentialPlan


def deciding_of(study: Study) -> Deciding | None:
    """Return what decides when a study stops; None where it has no sequential plan."""
    for analysis in complete_plan(study.plan)["analyses"]:
        if analysis.get("sequential"):
            return Deciding(
                title=analysis["title"],
                method=analysis["method"],
                table=analysis["table"],
                params=analysis["params"],
                part=known_part(study, analysis.get("part", "")),
                plan=SequentialPlan.of(analysis["sequential"]),
            )
    return None
