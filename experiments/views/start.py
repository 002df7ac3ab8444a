"""Page for creating a study: from a preset, a paradigm, an example, a file, another tool’s project, or as a copy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_BYTES
from experiments.models import Study
from experiments.other_tools.carrying import Carried, stem_of
from experiments.other_tools.projects import MAX_ZIP_BYTES, ProjectFaults
from experiments.other_tools.reports import NOT_CARRIED, Report
from experiments.other_tools.stored import record_import
from experiments.other_tools.tools import TOOLS
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.presets import PRESETS, SEVERAL, offered_presets, study_from_presets
from experiments.presets.scenes import several_tasks
from experiments.study.access import studies_for
from experiments.study.lifecycle import copy_study, create_study, facts_of_newest
from experiments.study.media import MEGABYTES, SECONDS
from experiments.study_files import StudyFileFaults, read_toml, store_description
from experiments.study_files.archive import MAX_ARCHIVE_BYTES
from experiments.study_files.creating import at_address, described_in, is_archive, store_uploaded
from experiments.study_files.examples import example_studies
from experiments.uploads.reading import Unreadable, fault_of, read_in_child
from experiments.views.forms import CopyOf, ExampleStudy, NewStudy, Project, StudyFile, StudyFromPreset
from experiments.views.page import ResearcherView, refuse_guests

PROJECT = "project"
# What addresses say that were written down before.
FORMER = {"pcibex": PROJECT}
WAYS = {
    "task": gettext_lazy("By task"),
    "example": gettext_lazy("From an example"),
    "file": gettext_lazy("From a file"),
    "project": gettext_lazy("From another tool"),
    "copy": gettext_lazy("As a copy"),
    "paradigm": gettext_lazy("From a paradigm"),
}
FORMS: dict[str, type[forms.Form]] = {
    "task": StudyFromPreset,
    "paradigm": NewStudy,
    "example": ExampleStudy,
    "file": StudyFile,
    "project": Project,
    "copy": CopyOf,
}
BUTTONS = {
    "task": gettext_lazy("Create the study"),
    "paradigm": gettext_lazy("Create the study"),
    "example": gettext_lazy("Create the study"),
    "file": gettext_lazy("Check and create"),
    "project": gettext_lazy("Read and create"),
    "copy": gettext_lazy("Create the copy"),
}


class Start(ResearcherView):
    """One page with six ways to begin."""

    template_name = "studies/start.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if admin.site.has_permission(request):
            refuse_guests(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        way = _way(request.GET.get("way"), "task")
        return self._page(way, self._form(way))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        way = _way(request.POST.get("way"), "paradigm")
        form = self._form(way, request.POST, request.FILES)
        if not form.is_valid():
            return self._page(way, form, status=422)
        try:
            study = self._create(way, form)
        except NotCarried as found:
            return self._page(way, form, faults=found.faults, report=found.report, status=422)
        except (StudyFileFaults, ProjectFaults) as found:
            return self._page(way, form, faults=found.faults, status=422)
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
            return self._page(way, form, status=422)
        messages.success(request, _("The study is a draft. Its steps show what is still missing."))
        # A study of one task goes on with its materials; people who chose several tasks see them in their order first.
        first = "parts" if study.has_several_tasks else "materials"
        page = {PROJECT: "import_report", "task": first, "paradigm": first}.get(way, "home")
        return redirect(f"study:{page}", study.slug)

    def _create(self, way: str, form: forms.Form) -> Study:
        user, given = self.request.user, form.cleaned_data
        match way:
            case "task" if isinstance(form, StudyFromPreset):
                named = {name: given[name] for name in ("slug", "title", "language")}
                return self._told(study_from_presets(form.presets, user=user, **named, **self._known(given)))
            case "paradigm":
                first = paradigm_named(given["paradigm"]).settings_of_new_task(given["language"])
                return self._told(create_study(user=user, settings=first, **given, **self._known(given)))
            case "copy":
                return copy_study(given["source"], given["slug"], user)
            case "example":
                path = next(each.path for each in example_studies() if each.slug == given["example"])
                origin = f"example {given['example']}"
                return store_description(at_address(read_toml(path), given["slug"]), user=user, origin=origin)
            case "project":
                return self._imported(given)
            case _:
                file, beside = given["file"], given["materials"]
                data = file.read(MAX_ARCHIVE_BYTES + 1)
                described = described_in(
                    data, None if beside is None else beside.read(MAX_BYTES + 1), repaired=given["repair"]
                )
                return store_uploaded(
                    described,
                    user=user,
                    origin=f"file {file.name}",
                    slug=given["slug"],
                    is_of_archive=is_archive(data),
                    accepted=given["accept"],
                )

    def _known(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return who is responsible, and the like, as in the newest study of the person in this language."""
        return facts_of_newest(self.request.user, given["language"])

    def _told(self, study: Study) -> Study:
        """Return a new study, having said which of its facts came from another one."""
        if study.responsible:
            messages.info(
                self.request,
                _(
                    "Responsible person, contact and data protection note are those of your newest study. You see them "
                    "under Texts and can change them under Settings."
                ),
            )
        return study

    def _imported(self, given: dict[str, Any]) -> Study:
        """Return the study of a project; what became of its elements goes into the history. Raises NotCarried."""
        file = given["project"]
        name = PurePath(file.name).name
        try:
            found: Carried = read_in_child(
                "experiments.other_tools.carrying:carried_upload",
                file.read(MAX_ZIP_BYTES + 1), name, given["slug"], given["title"], given["language"], given["tool"],
                seconds=SECONDS, megabytes=MEGABYTES,
            )  # fmt: skip
        except Unreadable as error:
            raise ProjectFaults([fault_of(error)]) from error
        if found.described is None:
            raise NotCarried(found.faults, found.report)
        try:
            with transaction.atomic():
                described = at_address(found.described, given["slug"])
                study = store_description(described, user=self.request.user, origin=f"project {stem_of(name)}")
                record_import(study, found, user=self.request.user)
        except StudyFileFaults as faults:
            raise NotCarried(faults.faults, found.report) from faults
        return study

    def _form(self, way: str, data: Any = None, files: Any = None) -> forms.Form:
        if way == "copy":
            source = self.request.GET.get("source")
            return CopyOf(data, files, studies=studies_for(self.request.user), initial={"source": source})
        initial = {
            "paradigm": PARADIGMS[0].slug,
            "language": "en",
            "example": example_studies()[0].slug,
            "preset": PRESETS[0].slug,
        }
        return FORMS[way](data, files, initial=initial)

    def _page(
        self, way: str, form: forms.Form, *, faults: Any = (), report: Report | None = None, status: int = 200
    ) -> HttpResponseBase:
        context = self.frame(
            way=way,
            ways=WAYS.items(),
            form=form,
            paradigms=PARADIGMS,
            presets=offered_presets() if way == "task" else (),
            several=SEVERAL,
            several_picture=several_tasks(),
            examples=example_studies(),
            faults=faults,
            entries=report.of(NOT_CARRIED) if report else (),
            button=BUTTONS[way],
            tools=TOOLS,
        )
        return TemplateResponse(self.request, self.template_name, context, status=status)


class NotCarried(StudyFileFaults):
    """A project whose study could not be stored; `report` says what became of its elements."""

    def __init__(self, faults: Sequence[Fault], report: Report) -> None:
        super().__init__(faults)
        self.report = report


def _way(given: str | None, otherwise: str) -> str:
    way = FORMER.get(given or "", given)
    return way if way in WAYS else otherwise
