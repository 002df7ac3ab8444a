"""Page of the coding workspace, one recall per screen, for coders with a queue; they see nothing else."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.coding import queues, saving
from analysis.coding.recalls import is_coded, state_of, through_coded_task
from analysis.coding.refusals import CodingRefusal
from analysis.models import CodingQueue
from analysis.views.coding.answers import (
    Endpoint,
    answer,
    body_of,
    item_json,
    key_of,
    refused,
    revision_of,
    sent,
    window_of,
)  # fmt: skip
from analysis.views.coding.words import workspace_texts
from experiments.models import ErrorCode, Study
from experiments.study.access import CODER, can_code, role_in
from experiments.study.schemes import scheme_of
from experiments.views.page import ResearcherView, StudyView


class CodersView(ResearcherView):
    """A page or endpoint for one coder of a study. `self.study` and `self.queue` (None: nothing to code) are set.

    For people who have no part in the study it does not exist.
    """

    study: Study
    queue: CodingQueue | None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        slug = kwargs.pop("slug")
        if admin.site.has_permission(request):
            task = getattr(slug, "task", "")
            study = Study.objects.filter(slug=slug).first()
            if study is not None:
                known = task in ("", *(part.name for part in study.tasks))
                study = through_coded_task(study.seen_through(task)) if known else None
            if study is None or not is_coded(study) or not can_code(request.user, study):
                raise Http404(_("There is no such study, or nobody has added you to it."))
            self.study = study
            self.queue = queues.queue_for(study, request.user)
        return super().dispatch(request, *args, **kwargs)

    def way_out(self) -> str:
        """Return where the page leads back to: the overview, or the start page for people who may only code."""
        if role_in(self.request.user, self.study) == CODER:
            return reverse("study:index")
        return reverse("coding:overview", args=[self.study.slug])


def name_in_browser(study: Study) -> str:
    """Return the name under which a browser keeps what was not sent yet: of several tasks one for each."""
    return f"{study.slug}/{study.chosen_task}" if study.chosen_task else str(study.slug)


class CodersEndpoint(Endpoint, CodersView):
    """An endpoint behind the page."""

    queue: CodingQueue

    def need_queue(self) -> CodingQueue:
        """Return the coder's queue. Raises Http404 where nothing was given to this person."""
        if self.queue is None:
            raise Http404(_("You have no recalls to code in this study."))
        return self.queue


def workspace_page(
    view: CodersView | StudyView,
    mode: str,
    *,
    scheme: list[ErrorCode],
    counted: dict[str, int],
    start: int,
    pace_seconds: float | None,
    storage: str,
    **context: Any,
) -> TemplateResponse:
    """Return the page on which recalls are coded (`code`) or settled (`adjudicate`), one per screen.

    `start` is the number of the first that waits, `storage` the name under which a browser keeps what is not sent yet.
    """
    frozen = state_of(view.study).is_frozen
    config = {
        "mode": mode,
        "api": reverse("coding:workspace" if mode == "code" else "coding:adjudicate", args=[view.study.slug]),
        **counted,
        "start": start,
        "frozen": frozen,
        "pace_seconds": pace_seconds,
        "scheme": scheme_json(scheme),
        "storage": storage,
        "texts": workspace_texts(),
    }
    shown = {"study": view.study, "mode": mode, "frozen": frozen, **counted, **groups_of(scheme), "config": config}
    return TemplateResponse(view.request, "analysis/coding/workspace.html", view.frame(**shown, **context))


class Workspace(CodersView):
    """The page."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        scheme = scheme_of(self.study)
        if self.queue is None:
            return self._nothing(
                _("You have no recalls to code yet"), _("Ask a researcher of the study to assign recalls to you.")
            )
        progress = queues.progress(self.queue)
        if not progress.total:
            return self._nothing(_("Nothing to code yet"), _("Nobody has finished the study yet. Come back later."))
        if not scheme:
            return self._nothing(
                _("No codes yet"), _("A researcher of the study has to write the codes first. Come back later.")
            )
        upcoming = queues.next_item(self.queue)
        frozen = state_of(self.study).is_frozen
        return workspace_page(
            self,
            "code",
            scheme=scheme,
            counted={"total": progress.total, "coded": progress.coded},
            start=upcoming.position if upcoming else 1,
            pace_seconds=None if frozen else progress.pace_seconds,
            storage=f"lectern-coding-{name_in_browser(self.study)}-{self.queue.number}",
            way_out=self.way_out(),
            sheet=reverse("coding:sheet", args=[self.study.slug, self.queue.number]),
        )

    def _nothing(self, heading: str, sentence: str) -> HttpResponseBase:
        return TemplateResponse(
            self.request,
            "analysis/coding/nothing.html",
            self.frame(study=self.study, heading=heading, sentence=sentence, way_out=self.way_out()),
        )


class Items(CodersEndpoint):
    """A window of the queue, for fetching ahead."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest) -> HttpResponseBase:
        first, count = window_of(request)
        views = queues.items(self.need_queue(), start=first - 1, count=count)
        return answer(items=[item_json(view) for view in views])


class Next(CodersEndpoint):
    """Where the first recall is that waits to be coded."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest) -> HttpResponseBase:
        upcoming = queues.next_item(self.need_queue())
        return answer(number=upcoming.position if upcoming else None)


class Save(CodersEndpoint):
    """Stores the codes of one recall."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        queue = self.need_queue()
        given = sent(body_of(request))
        try:
            coding = saving.save(
                queue, given.key, given.codes, note=given.note, seconds=given.seconds, revision=given.revision
            )
        except CodingRefusal as refusal:
            if refusal.code != "changed":
                raise
            now = queues.item(queue, given.key)
            return refused(refusal, codes=list(now.codes), note=now.note, revision=now.revision)
        progress = queues.progress(queue)
        return answer(revision=coding.revision, coded=progress.coded, total=progress.total)


class Undo(CodersEndpoint):
    """Takes the last change of a coding back and shows the recall as it is then."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        queue = self.need_queue()
        body = body_of(request)
        key = saving.last_saved(queue) if body.get("key") is None else key_of(body)
        if key is None:
            raise CodingRefusal("nothing", _("There is nothing to undo."))
        saving.undo(queue, key, revision=revision_of(body))
        progress = queues.progress(queue)
        return answer(item=item_json(queues.item(queue, key)), coded=progress.coded, total=progress.total)


def scheme_json(scheme: list[ErrorCode]) -> list[dict[str, Any]]:
    """Return the codes as pages of coding get them; weights are for the researchers."""
    return [{"code": entry.code, "description": entry.meaning, "is_exclusive": entry.is_exclusive} for entry in scheme]


def groups_of(scheme: list[ErrorCode]) -> dict[str, list[ErrorCode]]:
    """Return the codes in the two groups in which the page lists them."""
    return {
        "alone": [entry for entry in scheme if entry.is_exclusive],
        "together": [entry for entry in scheme if not entry.is_exclusive],
    }
