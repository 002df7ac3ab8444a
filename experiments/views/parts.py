"""Page of a study's parts and groups: add, move, copy and remove parts; durations."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from experiments.formats.faults import spoken
from experiments.models import Markup, Part
from experiments.models.one_task import SlugOfTask
from experiments.paradigms import PARADIGMS
from experiments.presets import offered_presets
from experiments.procedure.durations import PartDuration, durations_of, totals_of
from experiments.procedure.sequence import order_sets
from experiments.procedure.stages import variables_of
from experiments.procedure.texts import body_faults
from experiments.questionnaire.written import condition_from, condition_text
from experiments.rules.branching import rule_in_words
from experiments.study.access import studies_for
from experiments.study.lifecycle import LifecycleRefusal
from experiments.study.parts import (
    add_part,
    change_part,
    copy_part,
    move_part,
    order_parts,
    planned_for,
    remove_part,
    save_groups,
)
from experiments.views.addresses import key_in
from experiments.views.flow import flow_of
from experiments.views.page import StudyView

if TYPE_CHECKING:
    from experiments.sentences import Words

MOST_GROUPS = 12
MOST_SOURCES = 200
MOST_OF_A_PAGE = 50_000
MOST_OF_A_RULE = 5_000


@dataclass(frozen=True)
class ListedPart:
    """A part as the list shows it, with how long it takes, what it changes places with and what it is analysed
    with, and the scores of earlier tasks that its rule may look at."""

    part: Part
    duration: PartDuration | None
    changes_with: list[str]
    pooled_with: list[str]
    scores_before: list[str]

    @property
    def rule(self) -> str:
        """Whom the part is for, in words; empty for everybody."""
        return rule_in_words(self.part.shown_if) if self.part.shown_if else ""

    @property
    def written_rule(self) -> str:
        """The conditions as they are written in the form, one per line."""
        return "\n".join(map(condition_text, self.part.shown_if))

    @property
    def paradigm(self) -> Any:
        """What the paradigm of a task is called."""
        return next((_(one.label) for one in PARADIGMS if one.slug == self.part.paradigm), self.part.paradigm)

    @property
    def task(self) -> SlugOfTask | str:
        """The address of the study as one of this task alone."""
        slug = str(self.part.study.slug)
        return SlugOfTask(slug, self.part.name) if self.part.study.has_several_tasks else slug


class Parts(StudyView):
    """Who sees what, in which order."""

    step = "parts"
    template_name = "studies/procedure/parts.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        study = self.study
        others = Part.objects.filter(study__in=studies_for(request.user)).exclude(study=study)
        durations = durations_of(study)
        sharing = order_sets(study.ordered_parts)
        return self.page(
            parts=[
                ListedPart(
                    part,
                    durations.get(part.name),
                    [other.name for other in sharing.get(part.order_set, ()) if other != part],
                    [other.name for other in study.pools.get(part.pool, ()) if other != part],
                    [one.name for task in study.ordered_parts[:place] if task.paradigm for one in variables_of(task)],
                )
                for place, part in enumerate(study.ordered_parts)
            ],
            totals=totals_of(study, durations),
            flow=flow_of(study, durations),
            # One group is none: the first two are named at once.
            groups=[*study.groups, *([{}] if study.groups else [{}, {}])] if self.can_change else study.groups,
            added=request.GET.get("added", ""),
            group_names=[group["name"] for group in study.groups],
            part_names=",".join(part.name for part in study.ordered_parts),
            paradigms=PARADIGMS,
            presets=offered_presets(),
            sources=[
                *study.ordered_parts,
                *others.select_related("study").order_by("-study__created_at", "position")[:MOST_SOURCES],
            ],
            can_change=self.can_change,
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        given = request.POST
        try:
            match given.get("action"):
                case "add":
                    self._add(given.get("name", ""), given.get("what", ""), given.get("place", ""))
                case "copy":
                    copy_part(self.study, self._source(given.get("source", "")), given.get("name", ""), request.user)
                case "up" | "down" as way:
                    move_part(self.study, given.get("part", ""), -1 if way == "up" else 1, request.user)
                case "order":
                    order_parts(self.study, _names_in(given.get("order", "")), request.user)
                case "change":
                    self._check_page(given)
                    change_part(
                        self.study,
                        given.get("part", ""),
                        {
                            "title": given.get("title", "").strip()[:200],
                            "order_set": given.get("order_set", "").strip(),
                            **({"pool": given["pool"].strip()} if "pool" in given else {}),
                            "groups": given.getlist("groups"),
                            **({"shown_if": _conditions(given["shown_if"])} if "shown_if" in given else {}),
                            **({"body": given["body"].strip()[:MOST_OF_A_PAGE]} if "body" in given else {}),
                            **({"settings": _of_page(given["minimum"])} if "minimum" in given else {}),
                        },
                        request.user,
                    )
                case "groups":
                    save_groups(self.study, _groups(given), request.user)
        except LifecycleRefusal as refusal:
            # At the top of the page, where it is read.
            messages.error(request, str(refusal))
            return redirect("study:parts", str(self.study.slug))
        messages.success(request, self._said(given.get("action", ""), given.get("part") or given.get("name", "")))
        # The keyboard goes on where it was: at the groups, the part that was moved, or the one that was added.
        name = given.get("part") or given.get("name", "").strip()
        place = "groups" if given.get("action") == "groups" else f"part_{name}" if name in self._names() else ""
        address = reverse("study:parts", args=[str(self.study.slug)])
        # What a page says is written next.
        added = f"?added={name}" if given.get("action") == "add" and place else ""
        return redirect(f"{address}{added}#{place}" if place else address)

    @transaction.atomic
    def _add(self, name: str, what: str, place: str) -> None:
        """Add a part: `what` is a kind, a task of a paradigm (task:maze), or a preset (preset:cloze); `place` is the
        number of the part before which it comes, empty for the end."""
        kind, _colon, slug = what.partition(":")
        added: dict[str, Any] = {"name": name, "user": self.request.user}
        if kind == "preset" and (preset := next((one for one in offered_presets() if one.slug == slug), None)):
            settings = preset.settings_for(self.study.language)
            add_part(self.study, kind=Part.Kind.TASK, paradigm=preset.paradigm, settings=settings, **added)
        else:
            add_part(self.study, kind=kind, paradigm=slug, **added)
        if place.isdecimal() and len(place) < 4:
            last = Part.objects.filter(study=self.study).count() - 1
            move_part(self.study, name.strip(), min(int(place), last) - last, self.request.user)

    def _said(self, action: str, name: str) -> str:
        """Return what was done."""
        match action:
            case "add" if self.request.POST.get("place"):
                return _("The part “%(name)s” was added.") % {"name": name.strip()}
            case "add" | "copy":
                return _("The part “%(name)s” was added at the end.") % {"name": name.strip()}
            case "up" | "down" | "order":
                names = list(Part.objects.filter(study=self.study).order_by("position").values_list("name", flat=True))
                return _("“%(name)s” is now part %(place)d.") % {"name": name, "place": names.index(name) + 1}
            case "groups":
                return _("The groups were saved.")
        return _("The part “%(name)s” was saved.") % {"name": name}

    def _names(self) -> set[str]:
        return set(Part.objects.filter(study=self.study).values_list("name", flat=True))

    @property
    def can_change(self) -> bool:
        return self.can_edit and not self.study.is_frozen

    def _check_page(self, given: QueryDict) -> None:
        """Raise LifecycleRefusal where a page names a placeholder that there is not, or links to nowhere."""
        markups = {part.name: part.markup for part in self.study.ordered_parts}
        faults = body_faults(given.get("body", ""), markups.get(given.get("part", ""), Markup.PLAIN))
        if faults:
            raise LifecycleRefusal(spoken(faults))

    def _source(self, key: str) -> Part:
        part = Part.objects.filter(pk=key_in(key)).select_related("study")
        found = part.filter(study__in=studies_for(self.request.user)).first()
        if found is None:
            raise LifecycleRefusal(_("Choose the part to copy."))
        return found


def _of_page(minimum: str) -> dict[str, Any]:
    """Return the settings of a page, given for how many seconds people stay at least."""
    minimum = minimum.strip()
    return {"minimum_seconds": int(minimum) if minimum.isdecimal() and len(minimum) < 6 else minimum} if minimum else {}


def _names_in(written: str) -> list[str]:
    """Return the names of a list in JSON; none where it is no such list."""
    try:
        names = json.loads(written[:MOST_OF_A_RULE])
    except ValueError:
        return []
    return [str(name) for name in names] if isinstance(names, list) else []


def _conditions(text: str) -> list[dict[str, Any]]:
    """Return the conditions that are written one per line. Raises LifecycleRefusal for a line that is none."""
    conditions = []
    for line in text[:MOST_OF_A_RULE].splitlines():
        if line.strip():
            try:
                conditions.append(condition_from(line))
            except ValueError as unreadable:
                raise LifecycleRefusal(f"“{line.strip()}”: {unreadable}") from unreadable
    return conditions


class RemovePart(StudyView):
    """Removes a part with its materials, after asking."""

    step = "parts"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, part: str) -> HttpResponseBase:
        found = next((one for one in self.study.ordered_parts if one.name == part), None)
        if found is None:
            raise Http404(_("There is no such part."))
        planned = planned_for(self.study, part)
        losses = [
            *counted(
                found.items.count(), ngettext_lazy("%(n)d item with its texts", "%(n)d items with their texts", "n")
            ),
            *([_("its design, settings and instructions")] if found.kind == Part.Kind.TASK else []),
            *counted(len(found.questions), ngettext_lazy("%(n)d question", "%(n)d questions", "n")),
            *counted(
                len(found.settings.get("screening", ())),
                ngettext_lazy("%(n)d screening rule", "%(n)d screening rules", "n"),
            ),
            *counted(len(planned["analyses"]), ngettext_lazy("%(n)d planned analysis", "%(n)d planned analyses", "n")),
            *counted(
                len(planned["exclusion_rules"]), ngettext_lazy("%(n)d exclusion rule", "%(n)d exclusion rules", "n")
            ),
            *([_("the text of the page")] if found.kind == Part.Kind.PAGE and found.body else []),
        ]
        return self.page(
            heading=_("Remove the part “%(name)s”?") % {"name": found.label},
            sentences=[_("The other parts stay as they are, in the same order.")],
            losses=losses,
            button=_("Remove the part"),
            is_destructive=True,
            cancel_url=f"{reverse('study:parts', args=[str(self.study.slug)])}#part_{found.name}",
        )

    def post(self, request: HttpRequest, part: str) -> HttpResponseBase:
        self.attempt(remove_part, part, request.user, done=_("The part was removed."))
        return redirect("study:parts", str(self.study.slug))


def counted(number: int, sentence: Words) -> list[str]:
    """Return what is said of a number of things, which is `n` in it; nothing for none."""
    return [sentence % {"n": number}] if number else []


def _groups(given: Any) -> list[dict[str, Any]]:
    """Return the groups as the form has them; rows without a name are left out."""
    rows = list(zip(given.getlist("name"), given.getlist("weight"), given.getlist("quota"), strict=False))
    return [
        {
            "name": name.strip(),
            "weight": int(weight) if weight.isdecimal() else 1,
            **({"quota": int(quota)} if quota.isdecimal() else {}),
        }
        for name, weight, quota in rows[:MOST_GROUPS]
        if name.strip()
    ]
