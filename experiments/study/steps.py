"""Steps of a study (left column of its pages): label, state and URL of each.

A step is a class with a slug, a label and two methods. `settings.STUDY_STEPS` lists them in order by dotted path, so
that later apps add theirs without being imported here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Literal

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from experiments.languages import in_language
from experiments.models import StimulusList, Study, StudyText
from experiments.models.one_task import BACKGROUND, ONLY_TASK
from experiments.paradigms import paradigm_named

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    from experiments.sentences import Words

    Reader = AbstractBaseUser | AnonymousUser

StateKind = Literal["done", "missing", "number", "waiting"]


@dataclass(frozen=True)
class StepState:
    """State of a step.

    `done` needs nothing more; `missing` says in `text` what is missing; `number` counts something that has no end
    (running participants, analyses); `waiting` cannot begin before an earlier step is finished.
    """

    kind: StateKind
    text: Words = ""


class StudyStep:
    """Base class of all steps. Subclasses are stateless."""

    slug: ClassVar[str]
    label: ClassVar[Words]
    # Where the documents tell of this step: page and paragraph below /docs/.
    document: ClassVar[str] = "first-study/"
    # Whether a study of several tasks has the step once for each of them, under its name.
    of_task: ClassVar[bool] = False

    def applies_to(self, study: Study) -> bool:
        """Return whether studies of this paradigm have this step."""
        return True

    def url_for_coders(self, study: Study) -> str:
        """Return the page of this step for people who may only code, or an empty text where they have none."""
        return ""

    def state(self, study: Study, user: Reader) -> StepState:
        """Return how far this step is, with as few queries as possible: every page of a study asks every step."""
        raise NotImplementedError

    def url(self, study: Study) -> str:
        """Return the address of the step's first page."""
        return reverse(f"study:{self.slug}", args=[study.slug])


@dataclass(frozen=True)
class StepLink:
    """A step as the left column shows it; `block` is the task under whose name it stands there with others."""

    slug: str
    label: Words
    url: str
    state: StepState
    document: str = ""
    task: str = ""
    short_label: Words = ""
    block: str = ""
    number: int = 0


@dataclass(frozen=True)
class StepBlock:
    """Steps that stand together in the left column: those of one of several tasks, or those of the whole study."""

    task: str
    steps: list[StepLink]

    @property
    def is_done(self) -> bool:
        """Whether nothing is missing in any of them."""
        return all(link.state.kind == "done" for link in self.steps)


def study_steps(study: Study, user: Reader) -> list[StepLink]:
    """Return all steps of `study` with their states, in the order of `settings.STUDY_STEPS`.

    Of several tasks, steps that follow each other come task by task.
    """
    links = []
    several = study.seen_through("").has_several_tasks
    for of_task, run in groupby(_all_steps(), key=lambda step: step.of_task and several):
        steps = list(run)
        found = [(step, seen) for step in steps for seen in _seen_by(step, study)]
        if of_task and len(steps) > 1:
            order = [task.name for task in study.ordered_parts]
            found.sort(key=lambda one: order.index(one[1].chosen_task))
        for step, seen in found:
            link = _link(step, seen, user, step.url(seen))
            links.append(replace(link, block=seen.task.label if of_task and len(steps) > 1 else ""))
    numbers = {slug: number for number, slug in enumerate(dict.fromkeys(link.slug for link in links), start=1)}
    return [replace(link, number=numbers[link.slug]) for link in links]


def blocks_of(steps: list[StepLink]) -> list[StepBlock]:
    """Return steps as the left column groups them."""
    by_block = groupby(steps, key=lambda link: (link.block, link.task if link.block else ""))
    return [StepBlock(block, list(links)) for (block, _task), links in by_block]


def coding_links(study: Study, user: Reader) -> list[StepLink]:
    """Return the steps of `study` that somebody who may only code has a page in."""
    return [
        _link(step, seen, user, url)
        for step in _all_steps()
        for seen in _seen_by(step, study)
        if (url := step.url_for_coders(seen))
    ]


def _seen_by(step: StudyStep, study: Study) -> list[Study]:
    """Return the study as a step sees it: as it is, or through each of several tasks that has the step."""
    whole = study.seen_through("")
    several = step.of_task and whole.has_several_tasks
    every = [whole.seen_through(task.name) for task in whole.tasks] if several else [whole]
    return [seen for seen in every if step.applies_to(seen)]


def _link(step: StudyStep, seen: Study, user: Reader, url: str) -> StepLink:
    label = f"{step.label} – {seen.task.label}" if seen.chosen_task else step.label
    return StepLink(step.slug, label, url, step.state(seen, user), step.document, seen.chosen_task, step.label)


def _all_steps() -> list[StudyStep]:
    return [import_string(path)() for path in settings.STUDY_STEPS]


def next_step(steps: list[StepLink]) -> StepLink | None:
    """Return the first step that lacks something, or None."""
    return next((step for step in steps if step.state.kind == "missing"), None)


class Parts(StudyStep):
    """The parts of a study that has more than background questions and one task."""

    slug = "parts"
    label = _("Parts")
    document = "parts/"

    def applies_to(self, study: Study) -> bool:
        return bool(study.groups) or any(part.name not in (ONLY_TASK, BACKGROUND) for part in study.ordered_parts)

    def state(self, study: Study, user: Reader) -> StepState:
        return StepState("done", _("%(count)d parts") % {"count": len(study.ordered_parts)})


class Materials(StudyStep):
    """The texts: present or not."""

    slug = "materials"
    of_task = True
    label = _("Materials")
    document = "writing-materials/"

    def state(self, study: Study, user: Reader) -> StepState:
        items = study.items.filter(is_filler=False, is_practice=False).count()
        if not items:
            return StepState("missing", _("No materials yet"))
        return StepState("done", _("%(count)d items") % {"count": items})


class Design(StudyStep):
    """Factors, conditions and lists, which follow from the materials."""

    slug = "design"
    of_task = True
    label = _("Design")
    document = "first-study/#4-design"

    def state(self, study: Study, user: Reader) -> StepState:
        lists = study.lists.count()
        if not lists:
            return StepState("waiting", _("Follows from the materials"))
        numbers = {"conditions": study.conditions.count(), "lists": lists}
        if lists == 1:
            return StepState("done", _("%(conditions)d conditions, one list") % numbers)
        return StepState("done", _("%(conditions)d conditions, %(lists)d lists") % numbers)


class Procedure(StudyStep):
    """Order of trials, settings of the paradigm, background questions."""

    slug = "procedure"
    of_task = True
    label = _("Procedure")
    document = "first-study/#5-procedure"

    def state(self, study: Study, user: Reader) -> StepState:
        faults = paradigm_named(study.paradigm).opening_faults(study.settings)
        # The first sentence says what is missing; the page itself says what to do.
        return StepState("missing", in_language(faults[0]).partition(". ")[0]) if faults else StepState("done")


class Texts(StudyStep):
    """Welcome, consent, instructions and debriefing."""

    slug = "texts"
    of_task = True
    label = _("Texts")
    document = "first-study/#6-texts-and-who-is-responsible"

    def state(self, study: Study, user: Reader) -> StepState:
        of_all = study.texts.exclude(body="").filter(Q(part=None) | Q(part=study.task if study.task.pk else None))
        written = set(of_all.values_list("kind", flat=True))
        lacking = [kind.label for kind in StudyText.Kind if kind.value not in written]
        if lacking:
            return StepState("missing", _("Missing: %(texts)s") % {"texts": ", ".join(str(label) for label in lacking)})
        return StepState("done")


class Preview(StudyStep):
    """Any list as a participant sees it; stores nothing, so it is never done."""

    slug = "preview"
    label = _("Preview")
    document = "first-study/#7-preview"

    def state(self, study: Study, user: Reader) -> StepState:
        if not StimulusList.objects.filter(part__study=study).exists():
            return StepState("waiting", _("Needs materials"))
        return StepState("number", "")


class Sources(StudyStep):
    """Where people come from and how they go back; without named sources there is one link for everybody."""

    slug = "sources"
    label = _("Sources")
    document = "sources/"

    def state(self, study: Study, user: Reader) -> StepState:
        number = len(study.sources)
        return StepState("done", ngettext("%(n)d source", "%(n)d sources", number) % {"n": number} if number else "")


class Open(StudyStep):
    """Check list, links, quota, opening and closing."""

    slug = "open"
    label = pgettext_lazy("verb", "Open")
    document = "first-study/#8-open"

    def state(self, study: Study, user: Reader) -> StepState:
        if study.status == Study.Status.OPEN:
            since = date_format(study.opened_at, "DATE_FORMAT") if study.opened_at else ""
            return StepState("done", _("Paused") if study.is_paused else _("Open since %(date)s") % {"date": since})
        if study.status == Study.Status.CLOSED:
            return StepState("done", _("Closed"))
        # The page lists everything; here only what no other step says, and what costs no query.
        needed = {
            _("responsible person"): study.responsible,
            _("contact"): study.contact,
            _("data-protection note"): study.data_protection_note,
        }
        lacking = [str(label) for label, value in needed.items() if not value.strip()]
        if lacking:
            return StepState("missing", _("Missing: %(facts)s") % {"facts": ", ".join(lacking)})
        return StepState("missing", _("Not open yet"))
