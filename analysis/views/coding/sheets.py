"""Download and upload one coder's codings as a spreadsheet, for the coder and for editors of the study."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.coding.queues import progress, queues_of
from analysis.coding.recalls import state_of
from analysis.coding.refusals import CodingRefusal, SheetFaults
from analysis.coding.sheets import SheetOutcome, export_sheet, import_sheet
from analysis.models import CodingQueue
from analysis.views.coding.workspace import CodersView
from experiments.study.access import can_edit
from experiments.study.audit import record
from experiments.study.schemes import scheme_of

LARGEST_FILE = 5 * 1024 * 1024


class SheetFile(forms.Form):
    """A filled-in table."""

    file = forms.FileField(label=gettext_lazy("CSV or XLSX file"))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(
                _("The file has %(size).1f MB; the limit is %(most)d MB. Nothing was changed."),
                params={"size": file.size / 1024**2, "most": LARGEST_FILE // 1024**2},
            )
        return file


class SheetView(CodersView):
    """A page about the table of one coder. For others than the coder and editors it does not exist."""

    def sheet_of(self, number: int) -> CodingQueue:
        """Return the queue of that number. Raises Http404."""
        queue = next((queue for queue in queues_of(self.study) if queue.number == number), None)
        user = self.request.user
        if queue is None or not (queue.coder_id == user.pk or can_edit(user, self.study)):
            raise Http404(_("There is no such coder in this study; somebody may have removed them."))
        return queue


class Sheet(SheetView):
    """What the table holds, its download, and the way back in."""

    template_name = "analysis/coding/sheet.html"

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        return self._page(self.sheet_of(number), SheetFile())

    def post(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.sheet_of(number)
        form = SheetFile(request.POST, request.FILES)
        if not form.is_valid():
            return self._page(queue, form, status=422)
        file = form.cleaned_data["file"]
        try:
            outcome = import_sheet(queue, file.read(), name=file.name, user=request.user)
        except SheetFaults as found:
            return self._page(queue, SheetFile(), faults=found.faults, name=file.name, status=422)
        except CodingRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, outcome_in_words(outcome))
        return redirect(reverse("coding:sheet", args=[self.study.slug, queue.number]))

    def _page(self, queue: CodingQueue, form: SheetFile, *, status: int = 200, **context: Any) -> HttpResponseBase:
        return TemplateResponse(
            self.request,
            self.template_name,
            self.frame(
                study=self.study,
                queue=queue,
                progress=progress(queue),
                is_mine=queue.coder_id == self.request.user.pk,
                scheme=scheme_of(self.study),
                frozen=state_of(self.study).is_frozen,
                way_out=self.way_out(),
                form=form,
                **context,
            ),
            status=status,
        )


class SheetDownload(SheetView):
    """The table as CSV; `?excel=1` for Excel."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.sheet_of(number)
        excel = bool(request.GET.get("excel"))
        record(self.study, action="codings exported", user=request.user, detail=queue.pseudonym)
        task = f"{self.study.chosen_task}-" if self.study.chosen_task else ""
        name = f"{self.study.slug}-{task}{queue.pseudonym}{'-excel' if excel else ''}.csv"
        return HttpResponse(
            export_sheet(queue, excel=excel),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )


def outcome_in_words(outcome: SheetOutcome) -> str:
    """Return what an import did as a sentence."""
    return _(
        "The table was stored: %(added)d new, %(changed)d changed, %(unchanged)d as before, %(blank)d left blank."
    ) % {
        "added": outcome.added,
        "changed": outcome.changed,
        "unchanged": outcome.unchanged,
        "blank": outcome.blank,
    }
