"""The form of a method on an uploaded table, its report, and the files of that."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.computing.outcomes import limits_in_words
from analysis.exports import NoSuchFile, zip_pieces
from analysis.exports.reports import report_files, report_from
from analysis.methods import declarations, registry
from analysis.methods.expressions import DERIVE, checked
from analysis.methods.parameters import as_written
from analysis.methods.report import BadInput
from analysis.models import TableRun
from analysis.papers.methods_words import methods_words
from analysis.papers.run_files import file_of, script_of
from analysis.reports.labels import Labels
from analysis.studies.asking import params_in_words
from analysis.studies.uploaded_tables import request_table_run
from analysis.views.builder import BUILD
from analysis.views.choosing import OFFER, as_shown, chosen_of
from analysis.views.forms import TableForm
from analysis.views.reports import words_of_report
from analysis.views.tables.pages import TablesView, address_of, question_of
from experiments.started_by import command
from experiments.views.addresses import is_number

KINDS = {"report.json": "application/json", "all.zip": "application/zip"}


class NewTableRun(TablesView):
    """The form of one method on an uploaded table; `?run=` starts from an earlier run."""

    template_name = "analysis/tables/new.html"

    def get(self, request: HttpRequest, table_id: int, method: str) -> HttpResponseBase:
        table, declared = self.table_of(table_id), _method(method)
        given, params = request.GET.get("run", ""), {}
        if is_number(given) and (run := table.runs.filter(pk=given, method=method).defer("report").first()):
            params = run.params
        return self._page(TableForm(initial=as_shown(declared, params), method=declared, table=table))

    def post(self, request: HttpRequest, table_id: int, method: str) -> HttpResponseBase:
        table, declared = self.table_of(table_id), _method(method)
        chosen = chosen_of(request, declared)
        if OFFER in request.POST or BUILD in request.POST:
            try:
                checked(request.POST.get(DERIVE, ""), [str(column["name"]) for column in table.columns])
            except BadInput as fault:
                messages.error(request, str(fault))
            form = TableForm(initial={**request.POST.dict(), **chosen}, method=declared, table=table)
            form.write_formula(request.POST)
            return self._page(form)
        form = TableForm(request.POST, request.FILES, initial=chosen, method=declared, table=table)
        if not form.is_valid():
            return self._page(form, status=422)
        try:
            run = request_table_run(table, method=method, params=form.params)
        except BadInput as fault:
            form.add_error(None, str(fault))
            return self._page(form, status=422)
        return redirect(address_of(run))

    def _page(self, form: TableForm, *, status: int = 200) -> HttpResponseBase:
        return self.shown(table=form.table, method=form.method, form=form, limits=limits_in_words(), status=status)


class TableRunPage(TablesView):
    """The report, or how far the run is, or why there is no report."""

    template_name = "analysis/tables/run.html"

    def get(self, request: HttpRequest, table_id: int, run_id: int) -> HttpResponseBase:
        run = self.run_of(table_id, run_id)
        methods = registry.analyses()
        context: dict[str, Any] = {
            "run": run,
            "table": run.table,
            "method": methods.get(run.method),
            "question": question_of(run),
            "label": methods[run.method].label if run.method in methods else run.method,
            "params": params_in_words(run.params),
            "script": rerun_line(run),
        }
        if run.report:
            report = report_from(run.report)
            context |= {
                **words_of_report(report),
                "files_at": address_of(run),
                "paragraph": methods_words(report),
            }
        return self.shown(**context)


class TableRunProgress(TablesView):
    """How far a run is, for the page that waits for it."""

    def get(self, request: HttpRequest, table_id: int, run_id: int) -> HttpResponseBase:
        run = self.run_of(table_id, run_id)
        answer = {"status": run.status, "progress": run.progress, "note": run.progress_note, "ahead": 0}
        response = JsonResponse(answer)
        response["Cache-Control"] = "no-store"
        return response


class TableRunFile(TablesView):
    """One file of a report: report.json, a table, a figure, or everything as a ZIP archive."""

    def get(self, request: HttpRequest, table_id: int, run_id: int, name: str) -> HttpResponseBase:
        run = self.run_of(table_id, run_id)
        if not run.report:
            raise Http404(_("This analysis has no report."))
        try:
            with override(settings.LANGUAGE_CODE):
                content, kind = _content(run, name)
        except NoSuchFile as fault:
            raise Http404(_("The report has no such file.")) from fault
        response = HttpResponse(content, content_type=kind)
        if not (name.endswith(".svg") and "download" not in request.GET):
            response["Content-Disposition"] = f'attachment; filename="{run.method}-{name}"'
        # A picture with scripts would run them on this site if it were opened by itself.
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response["Cache-Control"] = "private, no-store"
        return response


class DeleteTableRun(TablesView):
    """Delete a run with its report; one that is not finished ends."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, table_id: int, run_id: int) -> HttpResponseBase:
        run = self.run_of(table_id, run_id)
        run.delete()
        messages.success(request, _("The analysis was deleted."))
        return redirect("tables:table", table_id)


def _content(run: TableRun, name: str) -> tuple[bytes, str]:
    if name == "all.zip":
        files = [(member, [content]) for member, content in report_files(run.report)]
        files += [("rerun.sh", [script_of(_rerun_words(run)).encode()])]
        files += [(data_of(run), [run.table.content.encode("utf-8")])]
        return b"".join(zip_pieces(files)), KINDS[name]
    if name == "report.json":
        return run.report.encode("utf-8"), KINDS[name]
    stem, _point, suffix = name.rpartition(".")
    return file_of(report_from(run.report), stem, suffix, labels=Labels.of({}, {}))


def data_of(run: TableRun) -> str:
    """Return what the table is called in the archive of a report, where no table of the report is called so."""
    return f"data/table-{run.table_id}.csv"


def rerun_line(run: TableRun) -> str:
    """Return the command that computes the report again from the table in the archive."""
    return command(*_rerun_words(run))


def _rerun_words(run: TableRun) -> list[str]:
    given = [f"{name}={as_written(value)}" for name, value in run.params.items()]
    words = ["analyse", run.method, "--data", data_of(run), *(["--set", *given] if given else [])]
    return [*words, "--out", f"{run.method}-{run.pk}"]


def _method(slug: str) -> declarations.Method:
    try:
        return registry.method_named(slug)
    except BadInput as fault:
        raise Http404(str(fault)) from fault
