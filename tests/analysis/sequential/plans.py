"""Studies with a sequential plan for the tests."""

from __future__ import annotations

from typing import Any

from analysis.models import SequentialLook
from analysis.runs.looks import ClaimedLook
from analysis.sequential_plans import looks
from experiments.design.mixed_formulas import mixed_formula
from experiments.models import Study
from tests.analysis.computed import execute

FORMULA = mixed_formula("rating_log", ("marker", "order"))
SEQUENTIAL = {"effect": "marker", "looks": [8, 12, 16], "spending": "pocock", "alpha": 0.05}
PLANNED = {"title": "Log ratings", "method": "lmm", "table": "trials", "params": {"formula": FORMULA}}


def planned(**sequential: Any) -> dict[str, Any]:
    """Return a plan whose only analysis decides when the study stops."""
    return {"analyses": [{**PLANNED, "sequential": {**SEQUENTIAL, **sequential}}]}


def made(study: Study) -> list[SequentialLook]:
    """Let the worker do what is due, once; return what is known of the looks."""
    looks.begin_due()
    for look_id in ClaimedLook.waiting():
        assert execute(look_id, ClaimedLook)
    return list(SequentialLook.objects.filter(study=study))
