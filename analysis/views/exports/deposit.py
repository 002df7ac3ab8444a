"""Page *Deposit*: a draft in an archive of research data with the files and metadata of a study, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.archives.kept import is_made_at_once
from analysis.archives.life import archive_files
from analysis.deposits.archive import Refused
from analysis.deposits.managing import (
    CannotDeposit,
    begin_deposit,
    delete_deposit,
    forget_deposit,
    planned_packets,
    standard_metadata,
    try_again,
)
from analysis.exports.archive import data_columns
from analysis.exports.deposited import LICENCES
from analysis.exports.english import in_english
from analysis.exports.forms.names import LABELS
from analysis.models import AnalysisRun, Deposit
from analysis.studies.access import readable_runs
from experiments.models import Study
from experiments.views.page import StudyView
from participants.models import Session

# How long a text of several lines is shown.
ROWS = 4


class DepositForm(forms.Form):
    """What a deposit is begun with. What is wrong with it says `begin_deposit`, everything at once."""

    archive = forms.ChoiceField(label=gettext_lazy("Archive"), choices=Deposit.Archive.choices)
    host = forms.CharField(
        label=gettext_lazy("Address of the Dataverse"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"inputmode": "url", "placeholder": "https://demo.dataverse.org"}),
        help_text=gettext_lazy("For Dataverse alone."),
    )
    collection = forms.CharField(
        label=gettext_lazy("Collection of the Dataverse"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("For Dataverse alone: its short name, which is the end of its address."),
    )
    layout = forms.ChoiceField(label=gettext_lazy("Form of the files"), choices=list(LABELS.items()))
    title = forms.CharField(label=gettext_lazy("Title"), max_length=500)
    creators = forms.CharField(
        label=gettext_lazy("Creators"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": ROWS}),
        help_text=gettext_lazy(
            "One on each line: family name, given name; ORCID; affiliation. Example: Lovelace, Ada; "
            "0000-0002-1825-0097; University of London"
        ),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": ROWS}),
    )
    licence = forms.ChoiceField(
        label=gettext_lazy("Licence"),
        choices=[(key, name) for key, (name, _address) in LICENCES.items()],
    )
    keywords = forms.CharField(
        label=gettext_lazy("Keywords"),
        required=False,
        max_length=5000,
        help_text=gettext_lazy("Separated by commas."),
    )
    related = forms.CharField(
        label=gettext_lazy("Supplement to"),
        required=False,
        max_length=5000,
        help_text=gettext_lazy("DOIs or addresses of the paper, separated by commas."),
    )
    contact = forms.CharField(
        label=gettext_lazy("Contact"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("An e-mail address; a Dataverse shows it."),
    )
    token = forms.CharField(
        label=gettext_lazy("Token of the archive"),
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "Make one in your account at the archive, with the right to write. It is stored encrypted, nobody can read "
            "it here, and it is forgotten when the draft is ready."
        ),
    )


class DepositPage(StudyView):
    """The deposits of a study, and a form for another one."""

    is_about_data = True
    step = "export"
    template_name = "analysis/deposit/page.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.shown(DepositForm(initial=self._initial()))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        given = {name: request.POST.get(name, "") for name in DepositForm.base_fields}
        # What was given is shown again as it was; what is wrong with it, `begin_deposit` says, all at once.
        form = DepositForm(initial=given)
        if "look" in request.POST:
            return self.shown(form, plan=self._plan(given))
        try:
            begin_deposit(self.study, user=request.user, given=given)
        except CannotDeposit as problem:
            return self.shown(form, faults=problem.faults, status=422)
        messages.success(request, _("The draft is being made. Nothing is published until you publish it there."))
        return redirect("analysis:deposit", self.study.slug)

    def shown(
        self,
        form: DepositForm,
        *,
        faults: Sequence[str] = (),
        plan: dict[str, Any] | None = None,
        status: int = 200,
    ) -> HttpResponseBase:
        """Return the page with a form, with what is wrong with it, or what would be deposited."""
        deposits = list(Deposit.objects.filter(study=self.study).prefetch_related("files"))
        answer = self.page(
            form=form,
            faults=faults,
            plan=plan,
            deposits=deposits,
            is_under_way=any(one.is_unfinished for one in deposits),
            sessions=Session.objects.filter(study=self.study).count(),
            status=status,
        )
        answer["Cache-Control"] = "no-store"
        return answer

    def _initial(self) -> dict[str, Any]:
        known = standard_metadata(self.study)
        lines = []
        for creator in known["creators"]:
            parts = (creator.get(name, "") for name in ("name", "orcid", "affiliation"))
            lines.append("; ".join(part for part in parts if part))
        lists = {name: ", ".join(known[name]) for name in ("keywords", "related")}
        return {**known, **lists, "creators": "\n".join(lines), "archive": Deposit.Archive.SANDBOX}

    def _plan(self, given: dict[str, str]) -> dict[str, Any]:
        """Return what would be deposited: files as the archive takes them, and what is not among them."""
        done = AnalysisRun.objects.filter(study=self.study, status=AnalysisRun.Status.DONE)
        plan: dict[str, Any] = {
            "own_words": own_words(self.study),
            "unreadable": done.count() - readable_runs(done, self.request.user).count(),
            "simulated": Session.objects.filter(study=self.study, is_simulated=True).count(),
        }
        if not is_made_at_once(self.study):
            return {**plan, "is_large": True}
        made = archive_files(self.study, self.request.user, layout=given["layout"], variant="plain")
        files = [(path, sum(map(len, in_english(pieces)))) for path, pieces in made]
        try:
            packets = planned_packets(files, given["archive"])
        except (Refused, KeyError) as problem:
            return {**plan, "refusal": str(problem)}
        sizes = dict(files)
        shown = [{"packet": one, "size": sum(sizes[path] for path in one.paths)} for one in packets]
        return {**plan, "packets": shown, "size": sum(sizes.values()), "number": len(files)}


def own_words(study: Study) -> list[str]:
    """Return the columns that hold what participants typed, or what coders noted of it."""
    return [column.name for column in data_columns(study) if column.has_own_words]


class DepositView(StudyView):
    """A page about one deposit of the study."""

    is_about_data = True

    def find(self, deposit_id: int) -> Deposit:
        """Return the deposit, or raise Http404."""
        found = Deposit.objects.filter(study=self.study, pk=deposit_id).first()
        if found is None:
            raise Http404(_("There is no such deposit of this study. Perhaps somebody deleted it."))
        return found


class DepositProgress(DepositView):
    """How far a deposit is, for the page that waits for it."""

    def get(self, request: HttpRequest, deposit_id: int) -> HttpResponseBase:
        deposit = Deposit.objects.filter(study=self.study, pk=deposit_id).first()
        told: dict[str, Any] = {"status": "gone", "progress": 1, "note": ""}
        if deposit is not None:
            told = {"status": deposit.status, "progress": deposit.progress, "note": deposit.progress_note}
        return JsonResponse(told, headers={"Cache-Control": "no-store"})


class ChangeDeposit(DepositView):
    """Try a deposit again, delete its draft in the archive, or forget it."""

    def post(self, request: HttpRequest, deposit_id: int) -> HttpResponseBase:
        deposit, token = self.find(deposit_id), request.POST.get("token", "")
        done: dict[str, tuple[Callable[[], None], str]] = {
            "again": (
                lambda: try_again(deposit, user=request.user, token=token),
                _("The upload goes on."),
            ),
            "delete": (
                lambda: delete_deposit(deposit, user=request.user, token=token),
                _("The draft is being deleted in the archive."),
            ),
            "forget": (
                lambda: forget_deposit(deposit, user=request.user),
                _("The deposit is forgotten. Its draft stays in the archive."),
            ),
        }
        change, said = done.get(request.POST.get("change", ""), (None, ""))
        if change is None:
            raise Http404(_("There is no such change."))
        try:
            change()
        except CannotDeposit as problem:
            for fault in problem.faults:
                messages.error(request, fault)
        else:
            messages.success(request, said)
        return redirect("analysis:deposit", self.study.slug)
