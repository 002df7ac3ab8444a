"""Page for creating a study: from a paradigm, an example, a study file, a project of another tool, or as a copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
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
from experiments.other_tools.carrying import Carried
from experiments.other_tools.projects import MAX_ZIP_BYTES, ProjectFaults
from experiments.other_tools.reports import NOT_CARRIED, Report
from experiments.other_tools.stored import record_import
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.rules.shape import RESERVED_SLUGS
from experiments.study.access import studies_for
from experiments.study.lifecycle import copy_study, create_study
from experiments.study.media import MEGABYTES, SECONDS
from experiments.study_files import StudyDescription, StudyFileFaults, read_toml, store_description
from experiments.study_files.archive import MAX_ARCHIVE_BYTES
from experiments.study_files.examples import example_studies
from experiments.study_files.uploaded import is_archive
from experiments.uploads.reading import Unreadable, fault_of, read_in_child
from experiments.views.forms import CopyOf, ExampleStudy, NewStudy, Project, StudyFile
from experiments.views.page import ResearcherView, refuse_guests

SMALL_ARCHIVE = 256 * 1024
WAYS = {
    "paradigm": gettext_lazy("From a paradigm"),
    "example": gettext_lazy("From an example"),
    "file": gettext_lazy("From a file"),
    "pcibex": gettext_lazy("From PCIbex"),
    "copy": gettext_lazy("As a copy"),
}
FORMS: dict[str, type[forms.Form]] = {
    "paradigm": NewStudy,
    "example": ExampleStudy,
    "file": StudyFile,
    "pcibex": Project,
    "copy": CopyOf,
}
BUTTONS = {
    "paradigm": gettext_lazy("Create the study"),
    "example": gettext_lazy("Create the study"),
    "file": gettext_lazy("Check and create"),
    "pcibex": gettext_lazy("Read and create"),
    "copy": gettext_lazy("Make the copy"),
}


class Start(ResearcherView):
    """One page with five ways to begin."""

    template_name = "studies/start.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if admin.site.has_permission(request):
            refuse_guests(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        way = _way(request.GET.get("way"))
        return self._page(way, self._form(way))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        way = _way(request.POST.get("way"))
        form = self._form(way, request.POST, request.FILES)
        if not form.is_valid():
            return self._page(way, form, status=422)
        try:
            study = self._create(way, form.cleaned_data)
        except NotCarried as found:
            return self._page(way, form, faults=found.faults, report=found.report, status=422)
        except (StudyFileFaults, ProjectFaults) as found:
            return self._page(way, form, faults=found.faults, status=422)
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
            return self._page(way, form, status=422)
        messages.success(request, _("The study is a draft. What is still missing is marked in its steps."))
        return redirect("study:import_report" if way == "pcibex" else "study:home", study.slug)

    def _create(self, way: str, given: dict[str, Any]) -> Study:
        user = self.request.user
        match way:
            case "paradigm":
                first = paradigm_named(given["paradigm"]).first_settings.get(given["language"], {})
                return create_study(user=user, settings=dict(first), **given)
            case "copy":
                return copy_study(given["source"], given["slug"], user)
            case "example":
                path = next(each.path for each in example_studies() if each.slug == given["example"])
                origin = f"example {given['example']}"
                return store_description(_at(read_toml(path), given["slug"]), user=user, origin=origin)
            case "pcibex":
                return self._imported(given)
            case _:
                described = described_in(given["file"], given["materials"], repaired=given["repair"])
                origin = f"file {given['file'].name}"
                given["file"].seek(0)
                # An archive may be of a draft that nobody could take part in yet.
                must_run = not is_archive(given["file"].read(8))
                # What an archive holds was looked at when it was stored.
                _refuse_doubts(described, accepted=given["accept"] or not must_run)
                return store_description(_at(described, given["slug"]), user=user, origin=origin, must_run=must_run)

    def _imported(self, given: dict[str, Any]) -> Study:
        """Return the study of a project; what became of its elements goes into the history. Raises NotCarried."""
        file = given["project"]
        name = PurePath(file.name).stem[:80] or "project"
        try:
            found: Carried = read_in_child(
                "experiments.other_tools.carrying:carried_upload",
                file.read(MAX_ZIP_BYTES + 1), name, given["slug"], given["title"], given["language"],
                seconds=SECONDS, megabytes=MEGABYTES,
            )  # fmt: skip
        except Unreadable as error:
            raise ProjectFaults([fault_of(error)]) from error
        if found.described is None:
            raise NotCarried(found.faults, found.report)
        try:
            with transaction.atomic():
                described = _at(found.described, given["slug"])
                study = store_description(described, user=self.request.user, origin=f"project {name}")
                record_import(study, found, user=self.request.user)
        except StudyFileFaults as faults:
            raise NotCarried(faults.faults, found.report) from faults
        return study

    def _form(self, way: str, data: Any = None, files: Any = None) -> forms.Form:
        if way == "copy":
            source = self.request.GET.get("source")
            return CopyOf(data, files, studies=studies_for(self.request.user), initial={"source": source})
        initial = {"paradigm": PARADIGMS[0].slug, "language": "en", "example": example_studies()[0].slug}
        return FORMS[way](data, files, initial=initial)

    def _page(
        self, way: str, form: forms.Form, *, faults: Any = (), report: Report | None = None, status: int = 200
    ) -> HttpResponseBase:
        context = self.frame(
            way=way,
            ways=WAYS.items(),
            form=form,
            paradigms=PARADIGMS,
            examples=example_studies(),
            faults=faults,
            entries=report.of(NOT_CARRIED) if report else (),
            button=BUTTONS[way],
        )
        return TemplateResponse(self.request, self.template_name, context, status=status)


class NotCarried(StudyFileFaults):
    """A project whose study could not be stored; `report` says what became of its elements."""

    def __init__(self, faults: Sequence[Fault], report: Report) -> None:
        super().__init__(faults)
        self.report = report


def _way(given: str | None) -> str:
    return given if given in WAYS else "paradigm"


def _at(described: StudyDescription, slug: str) -> StudyDescription:
    """Return the description with another address where one is given. Raises StudyFileFaults for a reserved one."""
    if slug:
        return replace(described, fields={**described.fields, "slug": slug})
    if described.fields["slug"] in RESERVED_SLUGS:
        message = _("The address “%(slug)s” is used by the platform itself.") % described.fields
        raise StudyFileFaults([Fault(message=message, suggestion=_("Give another one below."))])
    return described


def _refuse_doubts(described: StudyDescription, *, accepted: bool) -> None:
    """Raise StudyFileFaults with the warnings that have to be accepted first."""
    doubtful = [warning for warning in described.warnings if warning.is_doubtful]
    if doubtful and not accepted:
        message = _("The materials may not be read as they were meant.")
        suggestion = _("Correct them, or choose the files again and say below that they are right.")
        raise StudyFileFaults([*doubtful, Fault(message=message, suggestion=suggestion)])


def described_in(
    file: UploadedFile[Any], materials: UploadedFile[Any] | None, *, repaired: bool = False
) -> StudyDescription:
    """Return what an uploaded study file or archive says, read in a process of its own.

    Raises StudyFileFaults with all faults.
    """
    beside = None if materials is None else materials.read(MAX_BYTES + 1)
    try:
        described: StudyDescription = read_in_child(
            "experiments.study_files.uploaded:described",
            file.read(MAX_ARCHIVE_BYTES + 1),
            beside,
            repaired,
            # A small file holds no pictures, and has to be read as quickly as a table.
            **({"seconds": SECONDS, "megabytes": MEGABYTES} if (file.size or 0) > SMALL_ARCHIVE else {}),
        )
    except Unreadable as error:
        raise StudyFileFaults([fault_of(error)]) from error
    return described
