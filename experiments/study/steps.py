"""Steps of a study (left column of its pages): label, state and URL of each.

A step is a class with a slug, a label and two methods. `settings.STUDY_STEPS` lists them in order by dotted path, so
that later apps add theirs without being imported here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Literal

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from experiments.languages import in_language
from experiments.models import StimulusList, Study, StudyText
from experiments.models.parts import BACKGROUND, ONLY_TASK
from experiments.paradigms import paradigm_named

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    from experiments.sentences import Words

    Reader = AbstractBaseUser | AnonymousUser

StateKind = Literal["done", "standard", "missing", "number", "waiting"]


@dataclass(frozen=True)
class StepState:
    """State of a step.

    `done` needs nothing more; `standard` is as Lectern made it, and nobody has looked at it: `standard` names what, by
    the keys of `Study.looked_at`; `missing` says in `text` what is missing; `number` counts something that has no end
    (running participants, analyses); `waiting` cannot begin before an earlier step is finished.
    """

    kind: StateKind
    text: Words = ""
    standard: tuple[str, ...] = ()


class StudyStep:
    """Base class of all steps. Subclasses are stateless."""

    slug: ClassVar[str]
    label: ClassVar[Words]
    # Where the documents tell of this step: page and paragraph below /docs/.
    document: ClassVar[str] = "first-study/"
    # Whether a study of several tasks has the step once for each of them, under its name.
    of_task: ClassVar[bool] = False
    # Whether the step is about what was collected, which people with the role `data` see.
    is_about_data: ClassVar[bool] = False

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

    def url_of_next(self, study: Study) -> str:
        """Return the address at which somebody goes on who comes from another step."""
        return self.url(study)


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
    is_about_data: bool = False
    # How many comments at the step are not resolved.
    comments: int = 0
    next_url: str = ""


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
    state = step.state(seen, user)
    onward = step.url_of_next(seen) if state.kind == "standard" else url
    link = StepLink(step.slug, label, url, state, step.document, seen.chosen_task, step.label, next_url=onward)
    return replace(link, is_about_data=step.is_about_data)


def _all_steps() -> list[StudyStep]:
    return [import_string(path)() for path in settings.STUDY_STEPS]


def next_step(steps: list[StepLink]) -> StepLink | None:
    """Return the first step that lacks something, or else that nobody has looked at, or None; opening comes last."""
    missing = [step for step in steps if step.state.kind == "missing"]
    standard = [step for step in steps if step.state.kind == "standard"]
    last = [step for step in missing if step.slug == Open.slug]
    return next(iter([step for step in missing if step not in last] + standard + last), None)


def _standard_or_done(study: Study, key: str, *, is_standard: bool, text: Words = "") -> StepState:
    """Return the state of a step whose contents are there; in a study that was opened they are decided."""
    if not is_standard or study.is_frozen or key in study.looked_at:
        return StepState("done", text)
    unseen = _("Standard, not reviewed")
    return StepState("standard", f"{text} · {unseen}" if text else unseen, (key,))


def key_of(step: str, study: Study) -> str:
    """Return the key in `Study.looked_at` of a step of the current task."""
    return f"{step}:{study.task.name}"


def key_of_text(kind: str, study: Study) -> str:
    """Return the key in `Study.looked_at` of a text; instructions are those of the current task."""
    return key_of(f"texts/{kind}", study) if kind == StudyText.Kind.INSTRUCTIONS else f"texts/{kind}"


class Parts(StudyStep):
    """Tasks, questionnaires and pages in their order, and groups: the first step of every study."""

    slug = "parts"
    label = _("Parts")
    document = "parts/"

    def state(self, study: Study, user: Reader) -> StepState:
        parts, tasks = study.ordered_parts, study.tasks
        if not tasks:
            return StepState("missing", _("No task yet"))
        if study.groups or any(part.name not in (ONLY_TASK, BACKGROUND) for part in parts):
            return StepState("done", ngettext("%(n)d part", "%(n)d parts", len(parts)) % {"n": len(parts)})
        return StepState(
            "done", _("1 task · + add a task, questionnaire or page") if not study.is_frozen else _("1 task")
        )


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
            return StepState("waiting", _("Set by the materials"))
        numbers = {"conditions": study.conditions.count(), "lists": lists}
        text = (
            _("%(conditions)d conditions, one list") if lists == 1 else _("%(conditions)d conditions, %(lists)d lists")
        )
        return _standard_or_done(study, key_of(self.slug, study), is_standard=True, text=text % numbers)


class Procedure(StudyStep):
    """Order of trials, settings of the paradigm, background questions."""

    slug = "procedure"
    of_task = True
    label = _("Procedure")
    document = "first-study/#5-procedure"

    def state(self, study: Study, user: Reader) -> StepState:
        faults = paradigm_named(study.paradigm).opening_faults(study.settings)
        if faults:
            # The first sentence says what is missing; the page itself says what to do.
            return StepState("missing", in_language(faults[0]).partition(". ")[0])
        # Saving the page stores all of its values.
        return _standard_or_done(study, key_of(self.slug, study), is_standard=not study.task.procedure)


class Texts(StudyStep):
    """Welcome, consent and debriefing of the study, and the instructions of every task."""

    slug = "texts"
    label = _("Texts")
    document = "first-study/#6-texts-and-who-is-responsible"

    def url_of_next(self, study: Study) -> str:
        return reverse("study:read_texts", args=[str(study.slug)])

    def state(self, study: Study, user: Reader) -> StepState:
        stored = study.texts.filter(language="").exclude(body="").order_by("version")
        rows = stored.values_list("kind", "part", "is_default")
        # Of every text the newest version.
        newest = {(kind, part): is_default for kind, part, is_default in rows}
        written = {kind for kind, _part in newest}
        instructions = StudyText.Kind.INSTRUCTIONS.value
        instructed = {part for kind, part in newest if kind == instructions}
        # A text without a task is that of the first one.
        if any(task.pk not in instructed for task in study.tasks[(None in instructed) :]):
            written.discard(instructions)
        lacking = [kind.label for kind in StudyText.Kind if kind.value not in written]
        if lacking:
            return StepState("missing", _("Missing: %(texts)s") % {"texts": ", ".join(str(label) for label in lacking)})
        by_key = {part.pk: study.seen_through(part.name) if study.has_several_tasks else study for part in study.tasks}
        first = study.tasks[0].pk if study.tasks else None
        unseen: dict[str, str] = {}
        kinds = list(StudyText.Kind.values)
        for (kind, part), is_default in sorted(newest.items(), key=lambda one: kinds.index(one[0][0])):
            of_task = by_key.get(part if part is not None else first, study) if kind == instructions else study
            key = key_of_text(kind, of_task)
            if is_default and key not in study.looked_at:
                unseen[key] = str(StudyText.Kind(kind).label)
        if not unseen or study.is_frozen:
            return StepState("done")
        text = _("Standard, not reviewed: %(texts)s") % {"texts": ", ".join(dict.fromkeys(unseen.values()))}
        return StepState("standard", text, tuple(unseen))


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
    label = _("Recruitment")
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
