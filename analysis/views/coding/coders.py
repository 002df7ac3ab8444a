"""Page of coders: add and remove coders, change their shares, include or exclude fillers."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.coding import queues
from analysis.coding.refusals import CodingRefusal
from analysis.models import CodingQueue
from analysis.views.coding.overview import CodeView, NewCoder, Overview
from experiments.study.access import CODER
from experiments.study.lifecycle import save_member


class AddCoder(Overview):
    """Gives somebody a queue."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = NewCoder(request.POST, study=self.study, is_owner=self.is_owner)
        if not form.is_valid():
            return self.show(form, status=422)
        try:
            with transaction.atomic():
                if form.is_new:
                    save_member(self.study, form.person, CODER, request.user)
                queue = queues.create_queue(
                    self.study,
                    coder=form.person,
                    user=request.user,
                    share=form.cleaned_data["share"] / 100,
                    is_second=CodingQueue.objects.filter(study=self.study).exists(),
                )
        except CodingRefusal as refusal:
            form.add_error("username", str(refusal))
            return self.show(form, status=422)
        messages.success(
            request,
            _("%(name)s codes as %(pseudonym)s and finds the recalls on the start page after logging in.")
            % {"name": form.person, "pseudonym": queue.pseudonym},
        )
        return redirect(self.url("overview"))


class Share(forms.Form):
    """How much of the recalls a coder gets."""

    share = forms.IntegerField(
        label=gettext_lazy("Share of the recalls (%)"),
        min_value=1,
        max_value=100,
        help_text=gettext_lazy("Recalls that are coded already stay assigned, even if the share becomes smaller."),
    )


class ChangeShare(CodeView):
    """Changes how much somebody codes."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.queue(number)
        return self._page(queue, Share(initial={"share": round(queue.share * 100)}))

    def post(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.queue(number)
        form = Share(request.POST)
        if not form.is_valid():
            return self._page(queue, form, status=422)
        share = form.cleaned_data["share"]
        with self.refusals_told():
            queues.change_share(queue, share=share / 100, user=request.user)
            said = _("%(name)s now codes %(share)d %% of the recalls.") % {"name": queue.coder, "share": share}
            messages.success(request, said)
        return redirect(self.url("overview"))

    def _page(self, queue: CodingQueue, form: Share, *, status: int = 200) -> HttpResponseBase:
        return self.page(
            heading=_("How much %(name)s codes") % {"name": queue.coder},
            sentences=[],
            form=form,
            button=_("Save"),
            cancel_url=self.url("overview"),
            status=status,
        )


class RemoveCoder(CodeView):
    """Takes a queue away with its codings in all tasks, after naming how many."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.queue(number)
        coded = queues.codings_of(queue).count()
        losses = [
            ngettext("%(n)d coding of %(name)s", "%(n)d codings of %(name)s", coded) % {"n": coded, "name": queue.coder}
        ]
        return self.page(
            heading=_("Remove %(name)s as a coder?") % {"name": queue.coder},
            sentences=[
                _("%(name)s stays on the page People of the study, and you can assign recalls again.")
                % {"name": queue.coder}
            ],
            losses=losses if coded else [],
            button=_("Remove the coder"),
            is_destructive=True,
            cancel_url=self.url("overview"),
        )

    def post(self, request: HttpRequest, number: int) -> HttpResponseBase:
        queue = self.queue(number)
        name = str(queue.coder)
        with self.refusals_told():
            removed = queues.remove_queue(queue, user=request.user)
            said = ngettext(
                "%(name)s no longer codes; %(n)d coding was deleted.",
                "%(name)s no longer codes; %(n)d codings were deleted.",
                removed,
            )
            messages.success(request, said % {"name": name, "n": removed})
        return redirect(self.url("overview"))


class Fillers(CodeView):
    """Says whether fillers are coded too."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        wanted = request.POST.get("with_fillers") == "yes"
        with self.refusals_told():
            queues.set_fillers(self.study, with_fillers=wanted, user=request.user)
            messages.success(request, _("Fillers are coded too.") if wanted else _("Fillers are not coded."))
        return redirect(self.url("overview"))
