"""Page for running simulated participants, following their progress, and removing them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.models import Study
from experiments.study.refusals import LifecycleRefusal
from participants.models import Response
from participants.session.starting import why_closed
from participants.views.watching import WatchView
from participants.watching import simulations


class SimulationForm(forms.Form):
    """How many take part, from which seed, and how many stop half-way."""

    participants = forms.IntegerField(
        label=gettext_lazy("How many take part"), min_value=1, max_value=simulations.MOST, initial=12
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text=gettext_lazy("The same seed gives the same answers."),
    )
    dropout = forms.IntegerField(
        label=gettext_lazy("How many out of a hundred drop out"), min_value=0, max_value=100, initial=0
    )


class Simulate(WatchView):
    """Asks how many take part, and shows how far they are."""

    template_name = "watch/simulate.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(SimulationForm())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = SimulationForm(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        given = form.cleaned_data
        try:
            simulations.ask_for_simulation(
                self.study,
                participants=given["participants"],
                seed=given["seed"],
                dropout=given["dropout"] / 100,
                user=request.user,
            )
        except LifecycleRefusal as refusal:
            form.add_error(None, str(refusal))
            return self._page(form, status=422)
        return redirect(self.url("simulate"))

    def _page(self, form: SimulationForm, *, status: int = 200) -> HttpResponseBase:
        latest = simulations.latest(self.study)
        return self.page(
            form=form,
            simulation=latest,
            share=latest.done / latest.participants if latest is not None else 0,
            simulated=simulations.simulated(self.study).count(),
            can_take_part=why_closed(self.study) is None,
            is_draft=self.study.status == Study.Status.DRAFT,
            status=status,
        )


class Progress(WatchView):
    """How far the simulation is, for the page that waits."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        found = simulations.latest(self.study)
        if found is None:
            return JsonResponse({"status": "none"})
        return JsonResponse(
            {
                "status": found.status,
                "progress": found.done / found.participants,
                "note": _("%(done)d of %(total)d") % {"done": found.done, "total": found.participants},
            }
        )


class Cancel(WatchView):
    """Ends a simulation; who has taken part stays."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect(self.url("simulate"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if simulations.cancel(self.study, user=request.user):
            messages.success(
                request, _("The simulation was cancelled. Simulated participants who have already taken part stay.")
            )
        return redirect(self.url("simulate"))


class Remove(WatchView):
    """Removes all simulated participants, after saying how many."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        people = simulations.simulated(self.study).count()
        answers = Response.objects.filter(trial__session__study=self.study, trial__session__is_simulated=True).count()
        if not people:
            return redirect(self.url("simulate"))
        return self.page(
            heading=_("Remove all simulated participants?"),
            sentences=[
                _("Real participants stay as they are. Reports that were computed from simulated data stay as well.")
            ],
            losses=_losses(people, answers),
            button=_("Remove them"),
            is_destructive=True,
            cancel_url=self.url("simulate"),
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        number = simulations.remove_simulated(self.study, user=request.user)
        messages.success(
            request,
            ngettext("%(n)d simulated participant was removed.", "%(n)d simulated participants were removed.", number)
            % {"n": number},
        )
        return redirect(self.url("watch"))


def _losses(people: int, answers: int) -> list[Any]:
    return [
        ngettext("%(n)d simulated participant", "%(n)d simulated participants", people) % {"n": people},
        ngettext("their %(n)d answer", "their %(n)d answers", answers) % {"n": answers},
    ]
