"""Page of the step *Export*: single files, and everything as an archive."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.archives.kept import archives_for, ask_for_archive, is_made_at_once, opened
from analysis.archives.life import archive_files
from analysis.exports import NoSuchFile, stream, zip_pieces
from analysis.exports.cells import Variant
from analysis.exports.english import in_english
from analysis.exports.forms.names import LABELS, PURPOSES, known_layout
from analysis.exports.sheets import table_sheets
from analysis.models import AnalysisRun, StudyArchive
from analysis.papers.collected import NothingToWrite
from analysis.papers.whole import paper_files
from analysis.studies.access import readable_runs, refusal_to_read
from experiments.models import Stimulus, Study
from experiments.started_by import command_on_the_data
from experiments.study.audit import record
from experiments.views.page import StudyView
from participants.models import EventBatch, Session, Trial

TYPES = {".csv": "text/csv; charset=utf-8", ".json": "application/json"}


def file_lines(study: Study, *, n_sessions: int) -> list[dict[str, str]]:
    """Return the files (`name`) with what they hold (`holds`) and how much of it there is (`size`)."""
    trials = Trial.objects.filter(session__study=study).count()
    batches = EventBatch.objects.filter(trial__session__study=study).count()
    stimuli = Stimulus.objects.filter(item__part__study=study).count()
    lines = [
        ("trials.csv", _("One row for every trial: design, text, measures, timing, exclusion."), _rows(trials)),
        *((f"{sheet.name}.csv", sheet.title, "") for sheet in table_sheets(study)[1:]),
        (
            "participants.csv",
            _("One row for every participant: background answers, data quality, completion."),
            _rows(n_sessions),
        ),
        ("answers.csv", _("One row for every answer to a question: when it was given, how often it was changed."), ""),
        ("sessions.csv", _("One row for every session: list, seed, consent, times, browser."), _rows(n_sessions)),
        (
            "events.csv",
            _("One row for every event that a browser recorded, such as a loss of focus."),
            ngettext("%(n)d batch of browser events", "%(n)d batches of browser events", batches) % {"n": batches}
            if batches
            else _rows(0),
        ),
        ("flow.csv", _("How many people and trials started, finished or were excluded, with reasons."), ""),
        ("materials.csv", _("The materials, ready to be imported again."), _rows(stimuli)),
        ("texts.csv", _("Every text on every list, as analyses of texts read them."), ""),
        ("codebook.csv", _("Every column of every file: type, unit, meaning, allowed values."), ""),
        ("dataset_description.json", _("The codebook for Psych-DS (schema.org)."), ""),
        ("datapackage.json", _("The codebook for Frictionless Data."), ""),
    ]
    return [{"name": name, "holds": str(holds), "size": size} for name, holds, size in lines]


def _rows(number: int) -> str:
    return ngettext("%(n)d row", "%(n)d rows", number) % {"n": number}


class ExportPage(StudyView):
    """Every file with what it holds, and one button for all."""

    is_about_data = True
    step = "export"
    template_name = "analysis/export.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        sessions = Session.objects.filter(study=self.study)
        n_sessions = sessions.count()
        slug = self.study.slug
        done = AnalysisRun.objects.filter(study=self.study, status=AnalysisRun.Status.DONE)
        return self.page(
            files=file_lines(self.study, n_sessions=n_sessions),
            reports=readable_runs(done, request.user).count(),
            unreadable=done.count() - readable_runs(done, request.user).count(),
            sessions=n_sessions,
            simulated=sessions.filter(is_simulated=True).count(),
            is_made_at_once=is_made_at_once(self.study),
            archives=archives_for(self.study, request.user),
            forms=[
                {"name": name, "label": label, "purpose": PURPOSES[name]}
                for name, label in LABELS.items()
                if name not in ("flat", "psych-ds")
            ],
            export_command=command_on_the_data("export_data", slug, "--out", slug, "--format", "psych-ds"),
        )


class ExportFile(StudyView):
    """One file, streamed."""

    is_about_data = True

    def get(self, request: HttpRequest, name: str) -> HttpResponseBase:
        variant = variant_of(request)
        try:
            pieces = stream(self.study, name, variant=variant)
        except NoSuchFile as fault:
            raise Http404(_("There is no such file.")) from fault
        suffix = "." + name.rpartition(".")[2]
        record(self.study, action="data exported", user=request.user, detail=f"{name} ({variant})")
        ending = "-excel" if variant == "excel" else ""
        return download(pieces, f"{self.study.slug}-{name.removesuffix(suffix)}{ending}{suffix}", TYPES[suffix])


class ExportAll(StudyView):
    """Everything as one archive: made while it is being downloaded, or asked for where that takes longer."""

    is_about_data = True
    changes_need = "viewer"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not is_made_at_once(self.study):
            messages.info(request, _("The archive of this study is made before you download it. Request it below."))
            return redirect("analysis:export", self.study.slug)
        variant, layout = variant_of(request), layout_of(request)
        record(self.study, action="data exported", user=request.user, detail=f"everything ({layout}, {variant})")
        pieces = zip_pieces(archive_files(self.study, request.user, layout=layout, variant=variant))
        return download(pieces, archive_name(self.study, layout, variant), "application/zip")

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if is_made_at_once(self.study):
            return redirect(request.get_full_path())
        ask_for_archive(self.study, user=request.user, layout=layout_of(request), variant=variant_of(request))
        return redirect("analysis:export", self.study.slug)


class ArchiveView(StudyView):
    """A page about an archive of the person who asked for it."""

    is_about_data = True

    def find(self, archive_id: int) -> StudyArchive:
        """Return the archive, or raise Http404."""
        for archive in archives_for(self.study, self.request.user):
            if archive.pk == archive_id:
                return archive
        raise Http404(_("There is no such archive. Archives are kept for a day; request it again."))


class ArchiveProgress(ArchiveView):
    """How far an archive is, for the page that waits for it."""

    def get(self, request: HttpRequest, archive_id: int) -> HttpResponseBase:
        archive = self.find(archive_id)
        told = {"status": archive.status, "progress": archive.progress, "note": archive.progress_note}
        return JsonResponse(told, headers={"Cache-Control": "no-store"})


class ExportArchive(ArchiveView):
    """An archive that is ready."""

    def get(self, request: HttpRequest, archive_id: int) -> HttpResponseBase:
        archive = self.find(archive_id)
        if archive.status != StudyArchive.Status.DONE:
            raise Http404(_("The archive is not ready yet."))
        detail = f"everything ({archive.layout}, {archive.variant})"
        record(self.study, action="data exported", user=request.user, detail=detail)
        answer = FileResponse(
            opened(archive),
            as_attachment=True,
            filename=archive_name(self.study, archive.layout, archive.variant),
            content_type="application/zip",
        )
        answer["Cache-Control"] = "no-store"
        return answer


class ExportPaper(StudyView):
    """The study as a manuscript, with the reports that the person may read."""

    is_about_data = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        try:
            files = paper_files(self.study, refusal=lambda run: refusal_to_read(run, request.user))
        except NothingToWrite as nothing:
            messages.warning(request, str(nothing))
            return redirect("analysis:export", self.study.slug)
        record(self.study, action="data exported", user=request.user, detail="as a paper")
        pieces = zip_pieces((path, [content]) for path, content in files)
        return download(pieces, f"{self.study.slug}-paper-{timezone.localdate():%Y-%m-%d}.zip", "application/zip")


def layout_of(request: HttpRequest) -> str:
    """Return which layout of the files was asked for."""
    return known_layout(request.GET.get("format"))


def archive_name(study: Study, layout: str, variant: str) -> str:
    """Return what an archive is called where it is saved: what it is of, what it holds, the day."""
    ending = f"-{layout}" if layout != "flat" else "-excel" if variant == "excel" else ""
    return f"{study.slug}-data{ending}-{timezone.localdate():%Y-%m-%d}.zip"


def variant_of(request: HttpRequest) -> Variant:
    """Return which variant of CSV was asked for."""
    return "excel" if request.GET.get("excel") else "plain"


def download(pieces: Iterable[bytes], filename: str, content_type: str) -> StreamingHttpResponse:
    """Return a streamed download, which is English in whatever language somebody reads the pages."""
    response = StreamingHttpResponse(in_english(pieces), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    response["Cache-Control"] = "no-store"
    return response
