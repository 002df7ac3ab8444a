"""How a study is going, in numbers alone: the flow of participants, and the figures of the page Watch."""

from __future__ import annotations

from rest_framework import serializers

from config.api.declarations import Answer, Call, Operation
from config.api.fields import Choice, Number, Shape, Text, Truth, Whole
from config.api.operations.shapes import OfKind
from participants.watching.flow import flow_of
from participants.watching.monitoring import overview
from participants.watching.simulations import simulated_are_shown


class FlowRow(Shape):
    """Counts of a row."""

    label = Text()  # type: ignore[assignment]
    numbers = serializers.ListField(child=Whole(), help_text="Of all, then of each column.")
    is_outcome = Truth()


class QuotaRow(Shape):
    """How much of a quota is taken."""

    label = Text()  # type: ignore[assignment]
    taken = Whole()
    quota = Whole()


class FlowShape(Shape):
    """The flow of participants, without anything about single people."""

    of = Choice(choices=["real", "simulated"])
    columns = serializers.ListField(child=Text(), help_text="Groups and sources; the first number is of all.")
    rows = FlowRow(many=True)
    quotas = QuotaRow(many=True)


class Tally(Shape):
    """Sessions by where they are."""

    started = Whole()
    running = Whole()
    finished = Whole()
    dropped = Whole()
    excluded = Whole()
    ruled_out = Whole(help_text="Left out by a rule of the plan.")
    sent_away = Whole(help_text="Screened out, over a quota, or failed at a check.")


class ListTally(Shape):
    """The tally of one list."""

    name = Text()
    task = Text(allow_blank=True)
    tally = Tally()


class Day(Shape):
    """How many started and finished on a day."""

    day = serializers.DateField()
    started = Whole()
    finished = Whole()


class Flag(Shape):
    """What is worth a look, and in how many sessions."""

    label = Text()  # type: ignore[assignment]
    sessions = Whole()


class WatchShape(Shape):
    """How a study is going, without anything about single people."""

    of = Choice(choices=["real", "simulated"])
    tally = Tally()
    lists = ListTally(many=True)
    days = Day(many=True)
    median_minutes = Number(allow_null=True)
    fastest_minutes = Number(allow_null=True)
    slowest_minutes = Number(allow_null=True)
    flags = Flag(many=True)
    withdrawn = Whole()
    problems = Whole(help_text="Results that were set aside.")
    browser_errors = Whole()
    last_result_at = serializers.DateTimeField(allow_null=True)


def _kind(call: Call) -> tuple[bool, str]:
    simulated = simulated_are_shown(call.study, asked=call.query.get("of"))
    return simulated, "simulated" if simulated else "real"


def get_flow(call: Call) -> Answer:
    """The flow of participants through the parts of the study."""
    simulated, of = _kind(call)
    flow = flow_of(call.study, simulated=simulated)
    return Answer(
        {
            "of": of,
            "columns": [str(column) for column in flow.columns],
            "rows": [
                {"label": str(row.label), "numbers": row.numbers, "is_outcome": row.is_outcome} for row in flow.rows
            ],
            "quotas": [{"label": row.label, "taken": row.taken, "quota": row.quota} for row in flow.quotas],
        }
    )


def get_watch(call: Call) -> Answer:
    """The figures of the page Watch."""
    simulated, of = _kind(call)
    found = overview(call.study, simulated=simulated)
    return Answer(
        {
            "of": of,
            "tally": vars(found.tally),
            "lists": [{"name": one.name, "task": str(one.task), "tally": vars(one.tally)} for one in found.lists],
            "days": [{"day": one.day, "started": one.started, "finished": one.finished} for one in found.days],
            "median_minutes": found.median_minutes,
            "fastest_minutes": found.fastest_minutes,
            "slowest_minutes": found.slowest_minutes,
            "flags": [{"label": str(flag.label), "sessions": len(flag.sessions)} for flag in found.flags],
            "withdrawn": found.withdrawn,
            "problems": found.number_of_problems,
            "browser_errors": found.number_of_errors,
            "last_result_at": found.last_result_at,
        }
    )


OPERATIONS = (
    Operation(
        "get_flow", "GET", "studies/{slug}/flow/", "Read the flow of participants", get_flow, query=OfKind,
        gives=FlowShape,
    ),
    Operation(
        "get_watch", "GET", "studies/{slug}/watch/", "Read how the study is going", get_watch, query=OfKind,
        gives=WatchShape,
    ),
)  # fmt: skip
