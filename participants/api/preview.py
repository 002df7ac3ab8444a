"""API of the preview: the trials of any list, and the measures of an answer. Nothing is stored or counted."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.languages import language_of_texts
from experiments.models import Part, StimulusList, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm, TrialPlan
from experiments.paradigms.pieces.shared_pages import BREAK_FEEDBACK
from experiments.procedure.feedback import SKIPS
from experiments.procedure.parts import plan_part
from experiments.procedure.sequence import groups_of, parts_for
from experiments.study.server_words import in_words_of
from participants.api import serializers as shapes
from participants.api import trial_serializers as trial_shapes
from participants.api.base import StudyView, checked
from participants.api.preview_words import pages_in_words, stored_in_words
from participants.api.schema import LANGUAGE_PARAMETER, problems
from participants.api.session import feedback
from participants.authentication import ResearcherAuthentication, may_preview
from participants.codes import new_seed
from participants.intake.entries import entry_faults
from participants.intake.payloads import payload_faults
from participants.refusals import Refusal, no_feedback
from participants.session.block_feedback import Told, feedback_of
from participants.session.completing import shown_trial
from participants.session.planning import paradigm_of

TAGS = ["preview"]


class PreviewBase(StudyView):
    """Base class for endpoints open to researchers of the study and holders of a preview link; others get 404."""

    authentication_classes = [ResearcherAuthentication]

    def study_of(self, request: Request) -> Study:
        study = Study.objects.filter(slug=self.kwargs["slug"]).first()
        if study is None or not may_preview(request, study):
            raise exceptions.NotFound
        return study

    def in_words(self, told: Callable[..., list[dict[str, Any]]], *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
        """Return facts for the panel in its language: that of the study, where researchers' pages have it."""
        with in_words_of(self.study, language_of_texts(self.study.language)):
            return told(*args, **kwargs)

    def list_of(self, pk: int | None) -> StimulusList:
        """Return the list with this key, or the first of the first task with any. Raises Refusal `not-ready`."""
        lists = StimulusList.objects.filter(part__study=self.study).order_by("part__position", "item_set", "index")
        chosen = lists.first() if pk is None else lists.filter(pk=pk).first()
        if chosen is None:
            raise Refusal(
                "not-ready", _("There is no such list. The study needs materials before it can be previewed.")
            )
        return chosen

    def plans(self, chosen: StimulusList, seed: int, group: str = "") -> list[tuple[Part, TrialPlan]]:
        """Return the trials of a session with their parts, in the order of a seed: a task on this list, others on any.

        Raises Refusal `not-ready` where no order is possible.
        """
        groups = [one.name for one in groups_of(self.study)]
        parts = parts_for(self.study, group if group in groups else groups[0] if groups else "")
        lists = {chosen.part_id: chosen.pk}
        for part in parts:
            if part.kind == Part.Kind.TASK and part.pk not in lists:
                first = part.lists.first()
                if first is not None:
                    lists[part.pk] = first.pk
        try:
            return [(part, plan) for part in parts for plan in plan_part(part, list_id=lists.get(part.pk), seed=seed)]
        except ImpossibleOrder as impossible:
            raise Refusal("not-ready", str(impossible)) from impossible

    def private_of(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the private part of the trial; empty if the request does not identify the trial."""
        position: int | None = body["position"]
        if body["seed"] is None or position is None:
            return {}
        plans = self.plans(self.list_of(body["list"]), body["seed"], body["group"])
        plan = plans[position][1] if position < len(plans) else None
        # As JSON, for that is how they travelled.
        if plan is None or plan.plugin != body["plugin"] or json.loads(json.dumps(plan.params)) != body["params"]:
            raise Refusal("not-ready", _("The study has changed since this preview began. Please load the page again."))
        return plan.private

    def paradigm_for(self, plugin: str) -> Paradigm:
        """Return the paradigm that judges the answers of a plugin: that of the first part which has it."""
        paradigms = [paradigm_behind(part.paradigm) for part in self.study.tasks]
        return next((one for one in paradigms if plugin in one.responses), paradigm_of(self.study))


class PreviewView(PreviewBase):
    """The trials of one list."""

    @extend_schema(
        operation_id="preview_session",
        summary="The trials of a list, for the preview",
        description="A new random order each time; stored nowhere.",
        tags=TAGS,
        parameters=[
            LANGUAGE_PARAMETER,
            OpenApiParameter(
                "list", OpenApiTypes.INT, description="Primary key of the list; the first one where it is left out."
            ),
            OpenApiParameter("seed", OpenApiTypes.INT, description="For an order that can be made again."),
            OpenApiParameter("part", OpenApiTypes.STR, description="The part to begin with; the first if left out."),
            OpenApiParameter("group", OpenApiTypes.STR, description="As whom; the first group if left out."),
        ],
        responses={200: shapes.Opened, 404: problems("no-study"), 409: problems("not-ready")},
    )
    def get(self, request: Request, slug: str) -> Response:
        given = request.query_params.get("list", "")
        chosen = self.list_of(int(given) if given.isdecimal() and len(given) < 16 else None)
        seed, group = _seed(request.query_params.get("seed", "")), request.query_params.get("group", "")
        wanted = request.query_params.get("part", "")
        part = next((one for one in self.study.ordered_parts if one.name == wanted), None)
        if part is not None and part.groups and group not in part.groups:
            # A requested part is shown as to a participant of a group that has it.
            group = part.groups[0]
        plans = self.plans(chosen, seed, group)
        begin = next((position for position, (part, _plan) in enumerate(plans) if part.name == wanted), 0)
        return Response(
            {
                "participant": "preview",
                "mode": "preview",
                "language": self.study.participants_language,
                "resume": "continue",
                "trials": [
                    shown_trial(position, plan.phase, plan.plugin, plan.params, part.name)
                    for position, (part, plan) in enumerate(plans)
                    if position >= begin
                ],
                "answered": [],
                "interrupted": [],
                "carried": {},
                "status": "running",
                "more": False,
                "expected": len(plans),
                "outcome": "",
                "list": chosen.pk,
                "seed": seed,
                "group": group,
                "pages": self.in_words(pages_in_words, self.study, plans, chosen=chosen)[begin:],
            }
        )


class PreviewValidateView(PreviewBase):
    """What one answer would yield."""

    @extend_schema(
        operation_id="judge_preview_answer",
        summary="What would be recorded for an answer",
        description=(
            "With `list`, `seed` and `position` as the preview gave them, the answer is judged and measured as in a "
            "session: with what the browser must not learn, such as which answer is right."
        ),
        tags=TAGS,
        parameters=[LANGUAGE_PARAMETER],
        request=trial_shapes.Candidate,
        responses={
            200: trial_shapes.Judged,
            400: problems("invalid", "malformed"),
            404: problems("no-study"),
            409: problems("not-ready"),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(trial_shapes.Candidate, self.body(request))
        plugin, params, payload = body["plugin"], body["params"], body["payload"]
        paradigm = self.paradigm_for(plugin)
        private = self.private_of(body)
        try:
            faults = _entry_faults(body) or payload_faults(
                paradigm, plugin=plugin, params=params, private=private, payload=payload
            )
            events = [event for batch in body["events"] for event in batch]
            measures = {} if faults else paradigm.measure({**params, **private}, payload, events)
        except KeyError as missing:
            # The parameters come from the request here, not from a stored trial.
            raise exceptions.ValidationError({"params": [f"{missing} is missing."]}) from missing
        except (AttributeError, IndexError, TypeError, ValueError) as wrong:
            raise exceptions.ValidationError({"params": ["These are not the parameters of a trial."]}) from wrong
        rt_ms = body["rt_ms"]
        if not faults and rt_ms is not None and math.isfinite(rt_ms):
            measures = {**measures, "rt_ms": rt_ms}
        stored = [] if faults else self.in_words(stored_in_words, params, payload, measures, rt_ms=rt_ms)
        return Response({"valid": not faults, "errors": faults, "measures": measures, "stored": stored})


def _seed(given: str) -> int:
    """Return the requested seed, otherwise a new one that JavaScript can represent exactly."""
    return int(given) if given.isdecimal() and len(given) < 16 else new_seed() % 10**15


def _entry_faults(body: Mapping[str, Any]) -> list[str]:
    """Return the faults of the answer's entries as in a session, if the request contains all of them."""
    if body["clock"] is None:
        return []
    position = body["position"] or 0
    entries: list[dict[str, Any]] = [
        {"kind": "events", "sequence": position, "batch": number, "events": events}
        for number, events in enumerate(body["events"])
    ]
    entries.append(
        {
            "kind": "result",
            "sequence": position,
            "payload": body["payload"],
            "rt_ms": body["rt_ms"],
            "onset_ms": body["onset_ms"],
            "clock": body["clock"],
            "onset_error_ms": body["onset_error_ms"],
            "interrupted": False,
            "attempts": 1,
            "focus_losses": 0,
            "event_batches": len(body["events"]),
        }
    )
    return [fault for entry in entries for fault in entry_faults(entry)]


class PreviewCheckView(PreviewBase):
    """Feedback within a trial of the preview."""

    @extend_schema(
        operation_id="check_preview_answer",
        summary="Whether an answer within a trial is right, in the preview",
        tags=TAGS,
        parameters=[LANGUAGE_PARAMETER],
        request=trial_shapes.PreviewQuestion,
        responses={
            200: trial_shapes.Feedback,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-feedback"),
            409: problems("not-ready"),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(trial_shapes.PreviewQuestion, self.body(request))
        params = body["params"]
        private = self.private_of(body)
        question = {name: body[name] for name in ("problem", "answer")}
        try:
            if body["plugin"] == BREAK_FEEDBACK:
                return Response(self._said_at_break(body, private))
            return Response(feedback(self.paradigm_for(body["plugin"]), {**params, **private}, question))
        except (AttributeError, TypeError, ValueError) as wrong:
            # The parameters come from the request here, not from a stored trial.
            raise exceptions.ValidationError({"params": ["These are not the parameters of a trial."]}) from wrong

    def _said_at_break(self, body: Mapping[str, Any], private: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a break says of the answers that the request brings, as `block_feedback` of stored ones."""
        if body["seed"] is None or body["position"] is None:
            raise no_feedback()
        plans = self.plans(self.list_of(body["list"]), body["seed"], body["group"])[: body["position"] + 1]
        part = plans[-1][0]
        paradigm = paradigm_behind(part.paradigm)
        given = {one["position"]: (one["payload"], one["rt_ms"]) for one in body["answers"]}
        before = []
        for at, (of, plan) in enumerate(plans[:-1]):
            if of.pk != part.pk:
                continue
            payload, rt_ms = given.get(at, (None, None))
            hidden = {"params": plan.params, "private": plan.private}
            if payload is not None and payload_faults(paradigm, plugin=plan.plugin, payload=payload, **hidden):
                raise exceptions.ValidationError({"answers": ["These are not answers to the trials."]})
            before.append(Told(at, plan.phase, plan.plugin, {**plan.params, **plan.private}, payload, rt_ms))
        told = feedback_of(paradigm, body["params"], private, before)
        skips = private.get(SKIPS, 0) if told["again"] is False else 0
        return {**told, "skips": [body["position"] + 1 + number for number in range(skips)]}
