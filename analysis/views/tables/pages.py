"""*Analyse a table*: what a researcher has uploaded, one table, and what can be done with it."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.codebook.questions import Words, question
from analysis.computing.outcomes import limits_in_words
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.models import TableRun, UploadedTable
from analysis.studies.asking import params_in_words
from analysis.studies.possible import all_groups
from analysis.studies.uploaded_tables import MOST_TABLES, keep_table
from experiments.materials.shapes import MAX_BYTES
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.started_by import command
from experiments.study.access import may_make_studies, researcher_of
from experiments.study.lifecycle import create_study
from experiments.uploads.tables import MAX_COLUMNS, MAX_ROWS
from experiments.views.forms import NewStudy
from experiments.views.page import ResearcherView, attachment, refuse_guests

COLUMNS_SHOWN = 12
# A form of a browser carries no more; a larger table is chosen as a file on the page of the materials.
MOST_CARRIED = 2 * 1024**2


class ChooseTable(forms.Form):
    """One file with a table."""

    file = forms.FileField(label="", widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("File")
        self.fields["file"].help_text = _(
            "CSV or XLSX with column names in the first line: at most %(size)d MB, %(rows)s rows and %(columns)d "
            "columns. Do not upload names of people."
        ) % {"size": MAX_BYTES // 1024**2, "rows": f"{MAX_ROWS:,}", "columns": MAX_COLUMNS}

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(
                _("The file has %(size).1f MB; the limit is %(most)d MB. Use %(command)s for a larger one."),
                params={"size": file.size / 1024**2, "most": MAX_BYTES // 1024**2, "command": command("analyse")},
            )
        return file


class TablesView(ResearcherView):
    """A page about uploaded tables; one of somebody else does not exist here."""

    template_name: ClassVar[str] = ""

    def table_of(self, table_id: int) -> UploadedTable:
        """Return a table of the person. Raises Http404 where there is none of this number."""
        table = UploadedTable.objects.filter(owner=researcher_of(self.request), pk=table_id).first()
        if table is None:
            raise Http404(_("There is no such table; it may have been deleted."))
        return table

    def run_of(self, table_id: int, run_id: int) -> TableRun:
        """Return a run on a table of the person. Raises Http404 where there is none of this number."""
        runs = TableRun.objects.filter(table__owner=researcher_of(self.request), table=table_id, pk=run_id)
        run = runs.select_related("table").first()
        if run is None:
            raise Http404(_("There is no such analysis; it may have been deleted."))
        return run

    def shown(self, *, status: int = 200, template_name: str = "", **context: Any) -> TemplateResponse:
        """Return the page in the frame of the platform."""
        template = template_name or self.template_name
        return TemplateResponse(self.request, template, self.frame(**context), status=status)


class Tables(TablesView):
    """The tables of a person, and the form for another one."""

    template_name = "analysis/tables/index.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(ChooseTable())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        refuse_guests(request)
        form = ChooseTable(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                table = keep_table(researcher_of(request), file.read(), file.name)
            except BadInput as fault:
                form.add_error("file", str(fault))
            else:
                return redirect("tables:table", table.pk)
        return self._page(form, status=422)

    def _page(self, form: ChooseTable, *, status: int = 200) -> HttpResponseBase:
        tables = UploadedTable.objects.filter(owner=researcher_of(self.request)).defer("content")
        return self.shown(
            form=form,
            tables=tables.prefetch_related("runs"),
            makes_studies=may_make_studies(self.request.user),
            most=MOST_TABLES,
            status=status,
        )


class TablePage(TablesView):
    """One table: its first rows, all methods, what was computed, and what else can be done with it."""

    template_name = "analysis/tables/table.html"

    def get(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        table = self.table_of(table_id)
        methods = registry.analyses()
        return self.shown(
            table=table,
            header=[column["name"] for column in table.columns[:COLUMNS_SHOWN]],
            first_rows=[cells[:COLUMNS_SHOWN] for cells in table.first_rows],
            further_columns=[column["name"] for column in table.columns[COLUMNS_SHOWN:]],
            groups=all_groups(methods),
            runs=[
                {
                    "run": run,
                    "question": question_of(run),
                    "params": params_in_words(run.params),
                }
                for run in table.runs.defer("report")
            ],
            makes_studies=may_make_studies(request.user),
            limits=limits_in_words(),
        )


def question_of(run: TableRun) -> str:
    """Return the question that a run on an uploaded table answers; its columns keep their names."""
    methods = registry.analyses()
    return question(methods[run.method], run.params, Words(is_own=True)) if run.method in methods else run.method


class Download(TablesView):
    """The table as it is kept."""

    def get(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        table = self.table_of(table_id)
        return attachment(table.content.encode("utf-8"), f"table-{table.pk}.csv")


class DeleteTable(TablesView):
    """Ask, then delete a table with all that was computed of it."""

    template_name = "analysis/tables/delete.html"

    def get(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        table = self.table_of(table_id)
        return self.shown(table=table, reports=table.runs.count())

    def post(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        table = self.table_of(table_id)
        table.delete()
        messages.success(request, _("“%(name)s” was deleted with its reports.") % {"name": table.name})
        return redirect("tables:tables")


class MakeStudy(TablesView):
    """Make a draft of which the table becomes the materials: the study first, then the check of its materials."""

    template_name = "analysis/tables/study.html"

    def get(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        refuse_guests(request)
        table = self.table_of(table_id)
        title = table.name.rpartition(".")[0] or table.name
        return self._page(table, NewStudy(initial={"title": title, "paradigm": "rating", "language": "en"}))

    def post(self, request: HttpRequest, table_id: int) -> HttpResponseBase:
        refuse_guests(request)
        table = self.table_of(table_id)
        form = NewStudy(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            first = paradigm_named(given["paradigm"]).settings_of_new_task(given["language"])
            try:
                study = create_study(user=request.user, settings=first, **given)
            except ValidationError as error:
                form.add_error(None, ValidationError(error.messages))
            else:
                fits = len(table.content.encode("utf-8")) <= MOST_CARRIED
                return self.shown(
                    template_name="analysis/tables/materials.html", table=table, study=study, fits_a_form=fits
                )
        return self._page(table, form, status=422)

    def _page(self, table: UploadedTable, form: NewStudy, *, status: int = 200) -> HttpResponseBase:
        return self.shown(table=table, form=form, paradigms=PARADIGMS, status=status)


def address_of(run: TableRun) -> str:
    """Return where the report of a run is."""
    return reverse("tables:run", args=[run.table_id, run.pk])
