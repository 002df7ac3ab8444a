"""The way of participants through a study as boxes that lead to their steps: consent, parts, groups, debriefing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.languages import in_language
from experiments.models import Part, Study
from experiments.models.one_task import SlugOfTask
from experiments.paradigms import PARADIGMS
from experiments.procedure.durations import PartDuration
from experiments.procedure.sequence import before_assignment, groups_of, order_sets
from experiments.rules.branching import rule_in_words


@dataclass(frozen=True)
class Mark:
    """What a box says besides its name; with an address, a way out of the study such as screening."""

    text: str
    url: str = ""


@dataclass(frozen=True)
class Box:
    """A station on the way. It lies in the columns `first` to `last` of the groups, and in a row, counted from 1."""

    label: str
    said: str
    url: str
    kind: str
    first: int
    last: int
    marks: list[Mark] = field(default_factory=list)
    exits: list[Mark] = field(default_factory=list)
    groups: str = ""
    is_for_some: bool = False
    row: int = 1

    @property
    def end(self) -> int:
        """The line of the grid at which the box ends."""
        return self.last + 1


@dataclass(frozen=True)
class Stretch:
    """Boxes in their order, in as many columns as there are groups; one before people are assigned to groups."""

    boxes: list[Box]
    columns: int


def flow_of(study: Study, durations: Mapping[str, PartDuration] | None = None) -> list[Stretch]:
    """Return the stretches of the way: what everybody goes through alike, and then, with groups, what they differ in.

    A part for groups that do not lie side by side has a box in each of their columns.
    """
    slug = str(study.slug)
    groups = groups_of(study)
    columns = max(1, len(groups))
    consent = reverse("study:text", args=[slug, "consent"])
    alike = [Box(_("Landing page and consent"), _("everybody"), consent, "text", 1, 1)]
    first = [part.pk for part in before_assignment(study)]
    parts = study.ordered_parts
    sharing = order_sets(parts)
    weights = sum(group.weight for group in groups)
    heads = [
        Box(
            group.name,
            _("Group: %(weight)d of every %(all)d people") % {"weight": group.weight, "all": weights},
            reverse("study:parts", args=[slug]) + "#groups",
            "group",
            place,
            place,
            [Mark(_("at most %(n)d people") % {"n": group.quota})] if group.quota else [],
        )
        for place, group in enumerate(groups, start=1)
    ]
    boxes = heads
    for part in parts:
        if part.pk in first:
            alike.append(_box_of(part, study, 1, 1, sharing, durations or {}))
            continue
        among = [place for place, group in enumerate(groups, start=1) if not part.groups or group.name in part.groups]
        for start, stop in _runs(among or [*range(1, columns + 1)]):
            boxes.append(_box_of(part, study, start, stop, sharing, durations or {}))
    debriefing = reverse("study:text", args=[slug, "debriefing"])
    leaving = [Mark(_("Where people go from here"), reverse("study:sources", args=[slug]))] if study.sources else []
    boxes.append(Box(_("Debriefing and end"), _("everybody"), debriefing, "text", 1, columns, leaving))
    if columns == 1:
        return [_in_rows([*alike, *boxes], 1)]
    return [_in_rows(alike, 1), _in_rows(boxes, columns)]


def _in_rows(boxes: Iterable[Box], columns: int) -> Stretch:
    """Put each box below the lowest one in its columns, so that what groups do at the same time lies side by side."""
    below = dict.fromkeys(range(1, columns + 1), 1)
    placed = []
    for box in boxes:
        row = max(below[column] for column in range(box.first, box.end))
        below |= dict.fromkeys(range(box.first, box.end), row + 1)
        placed.append(replace(box, row=row))
    return Stretch(placed, columns)


def _runs(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the places that follow each other, as their first and last.

    >>> _runs([1, 2, 4])
    [(1, 2), (4, 4)]
    """
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def _box_of(
    part: Part,
    study: Study,
    first: int,
    last: int,
    sharing: Mapping[str, list[Part]],
    durations: Mapping[str, PartDuration],
) -> Box:
    said = [_kind_of(part)]
    duration = durations.get(part.name)
    if duration and not duration.is_short:
        said.append(_("about %(minutes)s min") % {"minutes": number_format(duration.minutes, 1)})
    marks = []
    if part.shown_if:
        marks.append(
            Mark(_("Only if %(rule)s; other people skip it") % {"rule": in_language(rule_in_words(part.shown_if))})
        )
    if others := [other.shown_name for other in sharing.get(part.order_set, ()) if other != part]:
        marks.append(Mark(_("Order counterbalanced with %(parts)s") % {"parts": ", ".join(others)}))
    if pooled := [other.shown_name for other in study.pools.get(part.pool, ()) if other != part]:
        marks.append(Mark(_("Analysed as one with %(parts)s") % {"parts": ", ".join(pooled)}))
    return Box(
        label=part.shown_name,
        said=", ".join(said),
        url=_address_of(part, study),
        kind=part.kind,
        first=first,
        last=last,
        marks=marks,
        exits=_exits_of(part, study),
        groups=", ".join(part.groups),
        is_for_some=bool(part.shown_if),
    )


def _kind_of(part: Part) -> str:
    if part.kind == Part.Kind.TASK:
        label: Any = next((paradigm.label for paradigm in PARADIGMS if paradigm.slug == part.paradigm), part.paradigm)
        return _(label) if label else _("Task")
    if part.kind == Part.Kind.QUESTIONNAIRE:
        number = len(part.questions)
        return ngettext("%(n)d question", "%(n)d questions", number) % {"n": number}
    return _("Page")


def _address_of(part: Part, study: Study) -> str:
    """Return the step of a part: a task's materials, the questions of a questionnaire, the text of a page."""
    slug = str(study.slug)
    if part.kind == Part.Kind.TASK:
        return reverse("study:materials", args=[SlugOfTask(slug, part.name) if study.has_several_tasks else slug])
    if part.kind == Part.Kind.QUESTIONNAIRE:
        return reverse("study:part_questions", args=[slug, part.name])
    return reverse("study:parts", args=[slug]) + f"#part_{part.name}"


def _exits_of(part: Part, study: Study) -> list[Mark]:
    """Return where the study ends for some people after a questionnaire: screening, and quotas that look at it."""
    if part.kind != Part.Kind.QUESTIONNAIRE:
        return []
    slug = str(study.slug)
    exits = []
    if rules := len(part.settings.get("screening", ())):
        said = ngettext("Screened out by %(n)d rule", "Screened out by %(n)d rules", rules) % {"n": rules}
        exits.append(Mark(said, reverse("study:screening", args=[slug, part.name])))
    asked = {question.get("name") for question in part.questions}
    counted = sum(
        any(condition.get("question") in asked for condition in criterion.get("when", ()))
        for criterion in study.criteria
    )
    if counted:
        said = ngettext("Over quota by %(n)d criterion", "Over quota by %(n)d criteria", counted) % {"n": counted}
        exits.append(Mark(said, reverse("study:sources", args=[slug]) + "#criteria"))
    return exits
