"""Simulated participants: have some take part, see how far they are, stop and remove them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers

from config.api.declarations import READ, WRITE, Answer, Call, Operation
from config.api.fields import Choice, Number, Shape, Table, Text, Whole
from config.api.operations.shapes import Nothing
from participants.models import Simulation
from participants.simulating import previewing
from participants.watching import simulations


class NewSimulation(Shape):
    """How many take part, from which seed, and how many stop half-way."""

    participants = Whole(min_value=1, max_value=simulations.MOST)
    seed = Whole(
        required=False, min_value=0, max_value=2**31 - 1, default=1, help_text="The same seed, the same answers."
    )
    dropout = Number(required=False, min_value=0, max_value=1, default=0.0, help_text="Share that stops half-way.")


class SimulationShape(Shape):
    """A simulation and how far it is."""

    status = Choice(choices=Simulation.Status.choices)
    participants = Whole()
    done = Whole(help_text="How many have taken part.")
    seed = Whole()
    dropout = Number()
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class NewPreview(Shape):
    """How many take part, and from which seed."""

    participants = Whole(required=False, min_value=1, max_value=previewing.MOST, default=4)
    seed = Whole(
        required=False, min_value=0, max_value=2**31 - 1, default=1, help_text="The same seed, the same answers."
    )


class PreviewShape(Shape):
    """What simulated participants would do in the study as it is now."""

    seed = Whole()
    flow = Table(help_text="How many finished, their results, the median of their minutes, how many in which group.")
    design = serializers.ListField(
        child=Table(), help_text="Every part: its trials; of a task lists, factors and their levels, items."
    )
    figures = serializers.ListField(
        child=Table(), help_text="Mean, standard deviation and number of every measure by task and condition."
    )
    refused = serializers.ListField(child=Text(), help_text="Answers that the rules of the study refuse; usually none.")
    notes = serializers.ListField(child=Text(), help_text="What is left out.")


class Removed(Shape):
    """How many simulated participants were removed."""

    participants = Whole()


def shown(made: Simulation) -> dict[str, Any]:
    """Return a simulation as `SimulationShape` has it."""
    names = ("status", "participants", "done", "seed", "dropout", "requested_at", "finished_at")
    return {name: getattr(made, name) for name in names}


def simulate(call: Call) -> Answer:
    """Have simulated participants take part through the real interface."""
    made = simulations.ask_for_simulation(call.study, user=call.user, **call.body)
    made.refresh_from_db()
    return Answer(shown(made))


def get_simulation(call: Call) -> Answer:
    """The simulation that goes on, or the last one."""
    found = simulations.latest(call.study)
    if found is None:
        raise Http404
    return Answer(shown(found))


def preview(call: Call) -> Answer:
    """Let simulated participants go through the study without storing anything."""
    study = call.study.seen_through("")
    return Answer(previewing.preview_simulation(study, **call.body))


def cancel(call: Call) -> Answer:
    """Stop a simulation; who has taken part stays."""
    simulations.cancel(call.study, user=call.user)
    return get_simulation(call)


def remove(call: Call) -> Answer:
    """Remove all simulated participants."""
    return Answer({"participants": simulations.remove_simulated(call.study, user=call.user)})


_AT = "studies/{slug}/simulation/"
OPERATIONS = (
    Operation(
        "simulate", "POST", "studies/{slug}/simulate/", "Simulate participants", simulate, scopes=(READ, WRITE),
        role="editor", body=NewSimulation, gives=SimulationShape, status=202, creates=True,
        description="Of an open study. They take part through the real interface and are marked as simulated.",
    ),
    Operation(
        "preview_simulation", "POST", "studies/{slug}/simulate/preview/", "Simulate participants, store nothing",
        preview, body=NewPreview, is_body_optional=True, gives=PreviewShape,
        description="Also of a draft: nobody takes part, nothing is stored or counted. It takes some seconds.",
    ),
    Operation(
        "get_simulation", "GET", _AT, "See how far a simulation is", get_simulation, gives=SimulationShape,
    ),
    Operation(
        "cancel_simulation", "POST", f"{_AT}cancel/", "Stop a simulation", cancel, scopes=(READ, WRITE), role="editor",
        body=Nothing, is_body_optional=True, gives=SimulationShape,
    ),
    Operation(
        "remove_simulated", "POST", f"{_AT}remove/", "Remove simulated participants", remove, scopes=(READ, WRITE),
        role="editor", body=Nothing, is_body_optional=True, gives=Removed,
    ),
)  # fmt: skip
