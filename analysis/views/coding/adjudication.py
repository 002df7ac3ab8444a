"""Page for adjudicating disagreements: codings side by side, blind to condition and participant, with the same keys."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.coding import adjudicating
from analysis.coding.adjudicating import Disagreement
from analysis.coding.recalls import is_coded, of_task, recall_id, state_of, through_coded_task
from analysis.coding.refusals import CodingRefusal
from analysis.models import Adjudication
from analysis.views.coding.answers import (
    Endpoint,
    answer,
    body_of,
    disagreement_json,
    key_of,
    refused,
    revision_of,
    sent,
)  # fmt: skip
from analysis.views.coding.workspace import name_in_browser, workspace_page
from experiments.models import Study
from experiments.study.access import researcher_of
from experiments.study.schemes import scheme_of
from experiments.views.page import StudyView


class AdjudicationView(StudyView):
    """A page or endpoint of settling disagreements; only for studies in which something is coded."""

    step = "code"

    def study_of(self, request: HttpRequest, slug: str) -> Study:
        return through_coded_task(super().study_of(request, slug))

    def check(self) -> None:
        """Raise Http404 where the study has nothing to code."""
        if not is_coded(self.study):
            raise Http404(_("Studies of this paradigm have nothing to code."))

    def counted(self) -> dict[str, int]:
        """Return how many there are and how many of them are settled."""
        decided = adjudicating.keys_to_settle(self.study, which="decided")
        return {"coded": len(decided), "total": len(adjudicating.keys_to_settle(self.study))}


class Adjudicate(AdjudicationView):
    """The page."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        self.check()
        overview = reverse("coding:overview", args=[self.study.slug])
        if not self.can_edit:
            raise PermissionDenied(_("Only people who may change the study can settle disagreements."))
        views = adjudicating.disagreements(self.study)
        if not views:
            return redirect(overview)
        return workspace_page(
            self,
            "adjudicate",
            scheme=scheme_of(self.study),
            counted=self.counted(),
            start=next(iter(waiting(views)), 1),
            pace_seconds=None,
            storage=f"lectern-adjudication-{name_in_browser(self.study)}-{request.user.pk}",
            way_out=overview,
        )


class AdjudicationEndpoint(Endpoint, AdjudicationView):
    """An endpoint behind the page. Looking needs the right to settle, too."""

    def check(self) -> None:
        super().check()
        if not self.can_edit:
            raise PermissionDenied(_("Only people who may change the study can settle disagreements."))


class Items(AdjudicationEndpoint):
    """All disagreements in their order: those that are settled stay where they were."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest) -> HttpResponseBase:
        self.check()
        views = adjudicating.disagreements(self.study)
        return answer(items=[disagreement_json(view, number=number) for number, view in enumerate(views, start=1)])


class Next(AdjudicationEndpoint):
    """Where the first disagreement is that waits to be settled."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest) -> HttpResponseBase:
        self.check()
        return answer(number=next(iter(waiting(adjudicating.disagreements(self.study))), None))


class Decide(AdjudicationEndpoint):
    """Stores what was decided for one recall."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        self.check()
        given = sent(body_of(request))
        try:
            decision = adjudicating.decide(
                self.study, given.key, given.codes, user=request.user, note=given.note, revision=given.revision
            )
        except CodingRefusal as refusal:
            if refusal.code != "changed":
                raise
            now = adjudicating.disagreement(self.study, given.key)
            return refused(refusal, codes=list(now.decided or ()), note=now.note, revision=now.revision)
        return answer(revision=decision.revision, **self.counted())


class Undo(AdjudicationEndpoint):
    """Takes the last decision about a recall back and shows it as it is then."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        self.check()
        body = body_of(request)
        key = self._last() if body.get("key") is None else key_of(body)
        adjudicating.undo_decision(self.study, key, user=request.user, revision=revision_of(body))
        views = adjudicating.disagreements(self.study)
        for number, view in enumerate(views, start=1):
            if view.recall_id == key:
                return answer(item=disagreement_json(view, number=number), **self.counted())
        raise CodingRefusal("unknown", _("Undone. The coders agree on this recall, so it is no longer in the list."))

    def _last(self) -> str:
        decisions = Adjudication.objects.filter(
            **of_task(self.study, "response__trial"), by=researcher_of(self.request)
        )
        last = decisions.order_by("-changed_at", "-pk").first()
        if last is None:
            raise CodingRefusal("nothing", _("There is nothing to undo."))
        return recall_id(state_of(self.study), last.response_id)


def waiting(views: list[Disagreement]) -> list[int]:
    """Return the numbers of the disagreements to settle: those that are open, or whose codings changed afterwards."""
    return [number for number, view in enumerate(views, start=1) if not view.is_decided or view.is_outdated]
