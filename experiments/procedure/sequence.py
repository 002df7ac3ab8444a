"""Determine a participant's parts and their order: groups, order sets, and the parts before assignment.

An order is written as the names of the parts that change places, such as `lexical recall`; the sets of a study with
several of them are separated by `; `.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from experiments.design.part_orders import williams_orders
from experiments.models import Part, Study
from experiments.procedure.piping import part_pipes
from experiments.rules.criteria import Questionnaire

BALANCED, RANDOM = "balanced", "random"


@dataclass(frozen=True)
class Group:
    """A between-participants arm of a study, with its share of participants by `weight`, and at most `quota` people."""

    name: str
    weight: int = 1
    quota: int | None = None


def groups_of(study: Study) -> list[Group]:
    """Return the groups of a study in order; none if everybody gets the same parts."""
    return [Group(str(one["name"]), int(one.get("weight") or 1), one.get("quota")) for one in study.groups]


def parts_for(study: Study, group: str, skipped: Collection[str] = ()) -> list[Part]:
    """Return the parts that a group goes through, in the order of the study, without those named in `skipped`."""
    return [
        part for part in study.ordered_parts if (not part.groups or group in part.groups) and part.name not in skipped
    ]


def order_sets(parts: Sequence[Part]) -> dict[str, list[Part]]:
    """Return the parts that change places, by the name of their set; sets of one part are none."""
    sets: dict[str, list[Part]] = {}
    for part in parts:
        if part.order_set:
            sets.setdefault(part.order_set, []).append(part)
    return {name: members for name, members in sets.items() if len(members) > 1}


def possible_orders(members: Sequence[Part]) -> list[str]:
    """Return the orders of one set over which participants are balanced."""
    return [" ".join(members[index].name for index in row) for row in williams_orders(len(members))]


def random_order(members: Sequence[Part], rng: random.Random) -> str:
    """Draw one of all orders of a set."""
    return " ".join(part.name for part in rng.sample(list(members), len(members)))


def in_order(study: Study, group: str, order: str, skipped: Collection[str] = ()) -> list[Part]:
    """Return the parts of a group, without the skipped ones, with those that change places in the given order.

    A part that the order does not name stays where it is.
    """
    parts = parts_for(study, group, skipped)
    named = {part.name: part for part in parts}
    placed: dict[str, list[Part]] = {}
    for names in order.split(";"):
        members = [named[name] for name in names.split() if name in named]
        if members:
            placed[members[0].order_set] = members
    sets = order_sets(parts)
    for name, members in placed.items():
        # An order with other parts than the set has was assigned in another version of the study.
        if name in sets and {part.pk for part in members} == {part.pk for part in sets[name]}:
            turn = iter(members)
            parts = [next(turn) if part.order_set == name else part for part in parts]
    return parts


def before_assignment(study: Study) -> list[Part]:
    """Return the parts at the start that everybody goes through alike: before the first task, group, order set, part
    for some people, or part that names an earlier answer.
    """
    return alike_for_all(study.ordered_parts)


def alike_for_all(parts: Sequence[Part]) -> list[Part]:
    """Return the first of these parts, up to the first that may differ between people or names an answer."""
    same: list[Part] = []
    for part in parts:
        if part.kind == Part.Kind.TASK or part.groups or part.order_set or part.shown_if or part_pipes(part):
            return same
        same.append(part)
    return same


def first_questionnaires(parts: Sequence[Part]) -> list[Questionnaire]:
    """Return the questionnaires among the parts that everybody goes through alike at the start."""
    return [
        Questionnaire(part.name, part.questions, part.settings.get("screening", []))
        for part in alike_for_all(parts)
        if part.kind == Part.Kind.QUESTIONNAIRE
    ]


def branched_parts(study: Study) -> list[Part]:
    """Return the parts that are for those alone whose answers match a rule."""
    return [part for part in study.ordered_parts if part.shown_if]
