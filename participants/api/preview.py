"""The researcher's preview: the trials of any list, and what an answer would yield. Nothing is stored or counted."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from experiments.design.ordering import ImpossibleOrder
from experiments.models import StimulusList, Study
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.access import can_view
from participants.api import serializers as shapes
from participants.api import trial_serializers as trial_shapes
from participants.api.base import StudyView, checked
from participants.api.schema import problems
from participants.api.session import feedback
from participants.authentication import ResearcherAuthentication
from participants.codes import new_seed
from participants.intake.payloads import payload_faults
from participants.refusals import Refusal
from participants.session.planning import paradigm_of

TAGS = ["preview"]


class PreviewBase(StudyView):
    """For researchers who may look at the study. Others do not learn that it exists."""

    authentication_classes = [ResearcherAuthentication]

    def study_of(self, request: Request) -> Study:
        study = Study.objects.filter(slug=self.kwargs["slug"]).first()
        if request.user is None or study is None or not can_view(request.user, study):
            raise exceptions.NotFound
        return study


class PreviewView(PreviewBase):
    """The trials of one list."""

    @extend_schema(
        operation_id="preview_session",
        summary="The trials of a list, for the preview",
        description="A new random order each time; stored nowhere.",
        tags=TAGS,
        parameters=[
            OpenApiParameter(
                "list", OpenApiTypes.INT, description="Primary key of the list; the first one where it is left out."
            ),
            OpenApiParameter("seed", OpenApiTypes.INT, description="For an order that can be made again."),
        ],
        responses={200: shapes.Opened, 404: problems("no-study"), 409: problems("not-ready")},
    )
    def get(self, request: Request, slug: str) -> Response:
        trials = self.planned(request)
        return Response(
            {
                "participant": "preview",
                "mode": "preview",
                "language": self.study.language,
                "resume": "continue",
                "trials": trials,
                "answered": [],
                "interrupted": [],
                "carried": {},
                "status": "running",
            }
        )

    def planned(self, request: Request) -> list[dict[str, Any]]:
        given, seed = request.query_params.get("list", ""), request.query_params.get("seed", "")
        lists = StimulusList.objects.filter(study=self.study)
        chosen = lists.filter(pk=int(given)).first() if given.isdecimal() and len(given) < 16 else lists.first()
        if chosen is None:
            raise Refusal(
                "not-ready", _("There is no such list. The study needs materials before it can be previewed.")
            )
        number = int(seed) if seed.isdecimal() and len(seed) < 16 else new_seed()
        try:
            plans = plan_session(study_snapshot(self.study, chosen), seed=number)
        except ImpossibleOrder as impossible:
            raise Refusal("not-ready", str(impossible)) from impossible
        return [
            {"position": position, "phase": plan.phase, "plugin": plan.plugin, "params": plan.params}
            for position, plan in enumerate(plans)
        ]


class PreviewValidateView(PreviewBase):
    """What one answer would yield."""

    @extend_schema(
        operation_id="judge_preview_answer",
        summary="What would be recorded for an answer",
        tags=TAGS,
        request=trial_shapes.Candidate,
        responses={200: trial_shapes.Judged, 400: problems("invalid", "malformed"), 404: problems("no-study")},
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(trial_shapes.Candidate, self.body(request))
        paradigm = paradigm_of(self.study)
        try:
            faults = payload_faults(
                paradigm, plugin=body["plugin"], params=body["params"], private={}, payload=body["payload"]
            )
            measures = {} if faults else paradigm.measure(body["params"], body["payload"], [])
        except KeyError as missing:
            # The parameters come from the request here, not from a stored trial.
            raise exceptions.ValidationError({"params": [f"{missing} is missing."]}) from missing
        except (AttributeError, IndexError, TypeError, ValueError) as wrong:
            raise exceptions.ValidationError({"params": ["These are not the parameters of a trial."]}) from wrong
        rt_ms = body["rt_ms"]
        if not faults and rt_ms is not None and math.isfinite(rt_ms):
            measures = {**measures, "rt_ms": rt_ms}
        return Response({"valid": not faults, "errors": faults, "measures": measures})


class PreviewCheckView(PreviewBase):
    """Feedback within a trial of the preview."""

    @extend_schema(
        operation_id="check_preview_answer",
        summary="Whether an answer within a trial is right, in the preview",
        tags=TAGS,
        request=trial_shapes.PreviewQuestion,
        responses={
            200: trial_shapes.Feedback,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-feedback"),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(trial_shapes.PreviewQuestion, self.body(request))
        params = body.pop("params")
        try:
            return Response(feedback(paradigm_of(self.study), params, body))
        except (AttributeError, TypeError, ValueError) as wrong:
            # The parameters come from the request here, not from a stored trial.
            raise exceptions.ValidationError({"params": ["These are not the parameters of a trial."]}) from wrong
