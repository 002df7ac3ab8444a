"""Page of one analysis: progress, report, files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.exports import NoSuchFile
from analysis.exports.of_task import known_part, through_task
from analysis.exports.report_page import sections_of
from analysis.exports.reports import labels_of, question_of, report_from
from analysis.methods import registry
from analysis.methods.mixed.settings import CALIBRATE
from analysis.methods.report import Report
from analysis.methods.rows.people import ONLY_SIMULATED, is_about_simulated, mixes_simulated
from analysis.models import AnalysisRun
from analysis.papers.methods_paragraph import methods_paragraph
from analysis.papers.run_files import rerun_line, run_file
from analysis.reports.essentials import SENTENCES_FIRST, WARNINGS_FIRST, parted
from analysis.reports.labelled import labelled
from analysis.reports.symbols import sentence_html, with_minus
from analysis.studies.access import refusal_to_read
from analysis.studies.asking import cancel_run, delete_run, params_in_words
from analysis.studies.changes import Changes
from analysis.studies.planned import is_outside, standing_of
from analysis.studies.rating_study import can_be_rated
from analysis.studies.score_sources import can_be_stored
from analysis.views.asking import start
from analysis.views.report_head import factors_of, head_of
from experiments.study.audit import record
from experiments.views.page import StudyView

# What `analysis.reports.figure_widths` draws, in millimetres, and what journals call it.
# The button on a report simulates so many data sets: a rate of .05 is known to a percent then.
SIMULATED = 2000
PRINT_WIDTHS = ((85, "one column"), (114, "one and a half"), (174, "whole page"))


class RunView(StudyView):
    """A page about one run; a run of another study does not exist here."""

    is_about_data = True
    step = "analyse"
    run: AnalysisRun
    deferred: ClassVar[tuple[str, ...]] = ("report",)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.run_id = kwargs.pop("run_id")
        return super().dispatch(request, *args, **kwargs)

    def find(self, *, with_report: bool = False, to_read: bool = True) -> AnalysisRun:
        """Return the run. Raises Http404 where the study has none of this number.

        Raises PermissionDenied where the person may not see the study that it compares with. With `to_read` off, for
        pages that show nothing of the report, the run is returned all the same.
        """
        runs = AnalysisRun.objects.filter(study=self.study, pk=self.run_id).select_related("created_by", "other_study")
        run = (runs if with_report else runs.defer("report")).first()
        if run is None:
            raise Http404(_("There is no such analysis; it may have been deleted."))
        if known_part(self.study, run.part) in ("", *(task.name for task in self.study.tasks), *self.study.pools):
            self.study = through_task(self.study, run.part)
        run.study = self.study
        if to_read and (refusal := refusal_to_read(run, self.request.user)):
            raise PermissionDenied(refusal)
        return run


class RunPage(RunView):
    """The report, or how far the run is, or why there is no report."""

    template_name = "analysis/reports/run.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        try:
            run = self.find(with_report=True)
        except PermissionDenied as refusal:
            return self.page(status=403, template_name="analysis/reports/run_of_others.html", refusal=str(refusal))
        methods = registry.analyses()
        context: dict[str, Any] = {
            "run": run,
            "method": methods.get(run.method),
            "question": question_of(run),
            "label": method_label(run),
            "params": params_in_words(run.params, table=run.table, other=slug_of_other(run)),
            "script": rerun_line(run),
            "standing": standing_of(run),
            "is_outside": is_outside(run),
            "has_others": AnalysisRun.objects.filter(
                study=self.study, method=run.method, status=AnalysisRun.Status.DONE
            )
            .exclude(pk=run.pk)
            .exists(),
        }
        if run.report:
            stored = report_from(run.report)
            report = labelled(stored, labels_of(run.study))
            is_simulated = is_about_simulated(stored)
            context |= {
                **words_of_report(report, without=(ONLY_SIMULATED,) if is_simulated else ()),
                "drawn": drawn_as(run),
                "files_at": reverse("analysis:run", args=[self.study.slug, run.pk]),
                "paragraph": methods_paragraph(run, report, standing=context["standing"]).text,
                "changes": (changes := Changes(self.study).since(run)),
                "is_simulated": is_simulated,
                "is_mixed": mixes_simulated(stored),
                "factors": factors_of(run.study, stored),
                "head": head_of(run, stored, is_current=not changes),
                "can_be_rated": can_be_rated(stored),
                "can_be_calibrated": can_be_calibrated(run) and any(t.name == "anova" for t in stored.tables),
                "can_be_stored": can_be_stored(method=run.method, table=run.table),
            }
        elif run.is_unfinished:
            context["ahead"] = runs_ahead(run)
        return self.page(**context)


def words_of_report(report: Report, *, without: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the template `findings.html` needs of a report; `without` are warnings that stand elsewhere."""
    warnings = [with_minus(told) for told in report.warnings if told not in without]
    first_warnings, further_warnings = parted(warnings, most=WARNINGS_FIRST)
    first_sentences, further_sentences = parted(report.sentences, most=SENTENCES_FIRST)
    return {
        "report": report,
        "warnings": first_warnings,
        "further_warnings": further_warnings,
        "sentences": [sentence_html(sentence) for sentence in first_sentences],
        "further_sentences": [sentence_html(sentence) for sentence in further_sentences],
        "sections": sections_of(report),
        "print_widths": PRINT_WIDTHS,
        "versions": ", ".join(f"{name} {version}" for name, version in report.versions.items()),
    }


class RunProgress(RunView):
    """How far a run is, for the page that waits for it."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find()
        answer = {
            "status": run.status,
            "progress": run.progress,
            "note": run.progress_note,
            "ahead": runs_ahead(run) if run.status == AnalysisRun.Status.QUEUED else 0,
        }
        response = JsonResponse(answer)
        response["Cache-Control"] = "no-store"
        return response


class RunAgain(RunView):
    """Run the same analysis on the data as they are now."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        study = self.study.seen_through(run.part)
        return start(request, study, method=run.method, params=run.params, table=run.table, other=run.other_study)


class Calibrate(RunView):
    """Run the same analysis with simulations that say how often its tests reject on this design."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        if not can_be_calibrated(run):
            raise Http404(_("This analysis has no such simulations."))
        study = self.study.seen_through(run.part)
        params = {**run.params, CALIBRATE.name: SIMULATED}
        return start(request, study, method=run.method, params=params, table=run.table, other=run.other_study)


def can_be_calibrated(run: AnalysisRun) -> bool:
    """Return whether a run has no simulations of its design yet and its method can make them."""
    method = registry.analyses().get(run.method)
    known = {parameter.name for parameter in method.parameters} if method is not None else set()
    return CALIBRATE.name in known and not int(run.params.get(CALIBRATE.name) or 0)


class CancelRun(RunView):
    """Stop a run."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        cancel_run(run, user=request.user)
        return redirect(reverse("analysis:run", args=[self.study.slug, run.pk]))


class DeleteRun(RunView):
    """Ask, then delete a run with its report."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        return self.page(
            heading=_("Delete this analysis?"),
            sentences=[_("The data of the study stay as they are, and you can run the analysis again at any time.")],
            losses=[
                _("the report of “%(method)s” of %(when)s with its tables and figures")
                % {"method": question_of(run), "when": f"{date_format(run.created_at, 'j M Y H:i')} UTC"}
            ],
            button=_("Delete the analysis"),
            cancel_url=reverse("analysis:run", args=[self.study.slug, run.pk]),
            is_destructive=True,
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        delete_run(run, user=request.user)
        messages.success(request, _("The analysis was deleted."))
        return redirect(reverse("analysis:analyse", args=[self.study.slug]))


def method_label(run: AnalysisRun) -> str:
    """Return what the method of a run is called, or its slug where the method is no longer there."""
    methods = registry.analyses()
    return methods[run.method].label if run.method in methods else run.method


class RunFile(RunView):
    """One file of a report: report.json, a table, a figure as SVG, PNG or PDF, or everything as a ZIP archive."""

    def get(self, request: HttpRequest, name: str) -> HttpResponseBase:
        run = self.find(with_report=True)
        if not run.report:
            raise Http404(_("This analysis has no report."))
        try:
            with override(settings.LANGUAGE_CODE):
                content, kind = run_file(run, name)
        except NoSuchFile as fault:
            raise Http404(_("The report has no such file.")) from fault
        response = HttpResponse(content, content_type=kind)
        shown_inline = name.endswith(".svg") and "download" not in request.GET
        if not shown_inline:
            filename = f"{self.study.slug}-{run.method}-{run.pk}-{name}"
            response["Content-Disposition"] = f'attachment; filename="{filename}"'
            record(self.study, action="report downloaded", user=request.user, detail=f"{run.method} {run.pk}: {name}")
        # A picture with scripts would run them on this site if it were opened by itself.
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        # Files hold data of people, who may withdraw; pictures of a page are drawn anew under another address.
        response["Cache-Control"] = "private, max-age=3600" if shown_inline else "no-store"
        return response


def drawn_as(run: AnalysisRun) -> str:
    """Return a short text that changes with the names for print: browsers keep pictures under their address."""
    labels = run.study.labels
    return hashlib.sha256(json.dumps(labels, sort_keys=True).encode()).hexdigest()[:8] if labels else ""


def slug_of_other(run: AnalysisRun) -> str:
    """Return the slug of the study with which a run compares, for those who may read the run."""
    return "" if run.other_study is None else run.other_study.slug


def runs_ahead(run: AnalysisRun) -> int:
    """Return how many runs have to be computed before this one."""
    unfinished = (AnalysisRun.Status.QUEUED, AnalysisRun.Status.RUNNING)
    return AnalysisRun.objects.filter(status__in=unfinished, pk__lt=run.pk).count()
