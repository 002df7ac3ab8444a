"""Page of one analysis: progress, report, files."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
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

from analysis.data.frames import analysed_data
from analysis.exports import zip_pieces
from analysis.exports.archive import apart, json_bytes, with_manifest
from analysis.exports.of_task import known_part, rows_of_parts, task_label, through_task
from analysis.exports.provenance import PROVENANCE, data_of, provenance_of
from analysis.exports.report_page import report_page, sections_of
from analysis.exports.reports import labels_of, report_files, report_from, shown_report, table_csv
from analysis.methods import registry
from analysis.methods.mixed.settings import CALIBRATE
from analysis.methods.parameters import as_written
from analysis.methods.report import Report
from analysis.methods.rows.people import ONLY_SIMULATED, is_about_simulated
from analysis.models import AnalysisRun
from analysis.papers.methods_paragraph import FORMATS as METHODS_FORMATS
from analysis.papers.methods_paragraph import methods_paragraph
from analysis.reports.essentials import SENTENCES_FIRST, WARNINGS_FIRST, parted
from analysis.reports.labelled import labelled
from analysis.reports.labels import Labels
from analysis.reports.symbols import sentence_html, with_minus
from analysis.runs.life import cancel
from analysis.studies.access import refusal_to_read
from analysis.studies.changes import Changes
from analysis.studies.planned import is_outside, standing_of
from analysis.studies.rating_study import can_be_rated
from analysis.studies.score_sources import can_be_stored
from analysis.views.asking import params_in_words, start
from experiments.study.audit import record
from experiments.views.page import StudyView

# What `analysis.reports.figure_widths` draws, in millimetres, and what journals call it.
# The button on a report simulates so many data sets: a rate of .05 is known to a percent then.
SIMULATED = 2000
PRINT_WIDTHS = ((85, "one column"), (114, "one and a half"), (174, "whole page"))


class RunView(StudyView):
    """A page about one run; a run of another study does not exist here."""

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
            "label": label_of(run),
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
                "changes": Changes(self.study).since(run),
                "is_simulated": is_simulated,
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
        cancel(run)
        record(self.study, action="analysis cancelled", user=request.user, detail=f"{run.method} {run.pk}")
        return redirect(reverse("analysis:run", args=[self.study.slug, run.pk]))


class DeleteRun(RunView):
    """Ask, then delete a run with its report."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        return self.page(
            heading=_("Delete this analysis?"),
            sentences=[_("The data of the study stay as they are, and the analysis can be run again at any time.")],
            losses=[
                _("the report of “%(method)s” of %(when)s with its tables and figures")
                % {"method": label_of(run), "when": f"{date_format(run.created_at, 'j M Y H:i')} UTC"}
            ],
            button=_("Delete the analysis"),
            cancel_url=reverse("analysis:run", args=[self.study.slug, run.pk]),
            is_destructive=True,
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        record(self.study, action="analysis deleted", user=request.user, detail=f"{run.method} {run.pk}")
        cancel(run)
        run.delete()
        messages.success(request, _("The analysis was deleted."))
        return redirect(reverse("analysis:analyse", args=[self.study.slug]))


def label_of(run: AnalysisRun) -> str:
    """Return what the method of a run is called, or its slug where the method is no longer there; of several tasks
    with the one that was analysed.
    """
    methods = registry.analyses()
    label = methods[run.method].label if run.method in methods else run.method
    task = task_label(run.study, run.part)
    return f"{task}: {label}" if task else label


class RunFile(RunView):
    """One file of a report: report.json, a table, a figure as SVG, PNG or PDF, or everything as a ZIP archive."""

    def get(self, request: HttpRequest, name: str) -> HttpResponseBase:
        run = self.find(with_report=True)
        if not run.report:
            raise Http404(_("This analysis has no report."))
        with override(settings.LANGUAGE_CODE):
            content, kind = self._content(run, name)
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

    def _content(self, run: AnalysisRun, name: str) -> tuple[bytes, str]:
        stem, _point, suffix = name.rpartition(".")
        if name == "all.zip":
            return b"".join(zip_pieces(archive_files(run))), "application/zip"
        if name == "report.html":
            return report_page(run, changes=Changes(self.study).since(run)), "text/html; charset=utf-8"
        if name in METHODS_FORMATS:
            write, kind = METHODS_FORMATS[name]
            return write(run, methods_paragraph(run, shown_report(run), standing=standing_of(run))), kind
        if name == "report.json":
            return run.report.encode("utf-8"), "application/json"
        return file_of(report_from(run.report), stem, suffix, labels=labels_of(run.study))


def file_of(report: Report, stem: str, suffix: str, *, labels: Labels) -> tuple[bytes, str]:
    """Return one file of a report with its media type; only pictures show labels.

    Raises Http404 where there is no such file.
    """
    # The drawing library takes half a second to load.
    from analysis.reports.figure_files import picture_of

    if f"{stem}.{suffix}" in report.scripts:
        return report.scripts[f"{stem}.{suffix}"].encode("utf-8"), "text/plain; charset=utf-8"
    if suffix == "csv":
        for table in report.tables:
            if table.name == stem:
                return table_csv(table), "text/csv; charset=utf-8"
    picture = picture_of(labelled(report, labels), stem, suffix)
    if picture is None:
        raise Http404(_("The report has no such file."))
    return picture


def archive_files(run: AnalysisRun) -> list[tuple[str, list[bytes]]]:
    """Return every file of a report, figures as SVG and PNG, its data, and the line that computes it again."""
    from analysis.reports import figures

    report = report_from(run.report)
    files = [(name, [content]) for name, content in report_files(run.report, labels=labels_of(run.study))]
    drawn = {name: pieces[0] for name, pieces in files if name.endswith(".svg")}
    pictures = {
        figure.name: figures.outlined_png(drawn[f"{figure.name}.svg"].decode("utf-8")) for figure in report.figures
    }
    files += [(f"{name}.png", [content]) for name, content in pictures.items()]
    files.append(("report.html", [report_page(run, changes=Changes(run.study).since(run), pictures=pictures)]))
    # A report may have a table of the same name as its data, such as texts.csv.
    own = apart(file_of_data(run), {*dict(files)})
    given = {}
    for parameter, value in run.params.items():
        if isinstance(value, dict):
            given[parameter] = {**value, "name": apart(value["name"], {own, "rerun.sh", *dict(files)})}
            files.append((given[parameter]["name"], [value["text"].encode("utf-8")]))
    files.append(("rerun.sh", [rerun_script(run, data=own, params={**run.params, **given}).encode("utf-8")]))
    known = provenance_of(run.study, [run], folders={run.pk: ""}, paths={data_of(run): own})
    files.append((PROVENANCE, [json_bytes(known)]))
    data = analysed_data(run)
    if data is None:
        text = (
            f"The table {own} that was analysed had the SHA-256 {run.data_hash}. The data of the "
            f"study have changed since, so it is not in this archive. Run the analysis again to have a report with its "
            f"data.\n"
        )
        files.append(("data-has-changed.txt", [text.encode()]))
    else:
        files.append((own, [data]))
    return [(name, [content]) for name, content in with_manifest(run.study, [(name, b"".join(c)) for name, c in files])]


def drawn_as(run: AnalysisRun) -> str:
    """Return a short text that changes with the names for print: browsers keep pictures under their address."""
    labels = run.study.labels
    return hashlib.sha256(json.dumps(labels, sort_keys=True).encode()).hexdigest()[:8] if labels else ""


def slug_of_other(run: AnalysisRun) -> str:
    """Return the slug of the study with which a run compares, for those who may read the run."""
    return "" if run.other_study is None else run.other_study.slug


def file_of_data(run: AnalysisRun) -> str:
    """Return what the table of a run is called in the export of its study."""
    return f"{data_of(run)}.csv"


def rerun_script(run: AnalysisRun, *, data: str, params: Mapping[str, Any]) -> str:
    """Return a script that computes the report again from the data beside it, wherever it is called from."""
    return "\n".join(
        (
            "#!/bin/sh",
            f"# Computes this report again from {data}, into the folder {run.method}-{run.pk} beside this file.",
            "# Where the command lectern is not installed: LECTERN='python /path/to/manage.py' sh rerun.sh",
            'cd -- "$(dirname -- "$0")" || exit 1',
            f"${{LECTERN:-lectern}} {shlex.join(_rerun_words(run, data, params))}",
            "",
        )
    )


def rerun_line(run: AnalysisRun) -> str:
    """Return the command that computes the report again from the exported table."""
    return shlex.join(["python", "manage.py", *_rerun_words(run, file_of_data(run), run.params)])


def _rerun_words(run: AnalysisRun, data: str, params: Mapping[str, Any]) -> list[str]:
    given = [f"{name}={as_written(value)}" for name, value in params.items()]
    words = ["analyse", run.method, "--data", data]
    part = rows_of_parts(run.study, run.table, run.part)
    words += ["--part", part] if part else []
    # The table is that of an export, whose numbers have points: a comma in a cell is no decimal one.
    words += ["--set", *given] if given else []
    return [*words, "--decimal", "point", "--out", f"{run.method}-{run.pk}"]


def runs_ahead(run: AnalysisRun) -> int:
    """Return how many runs have to be computed before this one."""
    unfinished = (AnalysisRun.Status.QUEUED, AnalysisRun.Status.RUNNING)
    return AnalysisRun.objects.filter(status__in=unfinished, pk__lt=run.pk).count()
