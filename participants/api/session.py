"""API endpoints of a running session: trials, results, feedback, pauses, completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response

from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.paradigms.pieces.shared_pages import BREAK_FEEDBACK
from participants.api import serializers as shapes
from participants.api import trial_serializers as trial_shapes
from participants.api.base import StudyView, checked
from participants.api.examples import BATCH_EXAMPLES, RECEIPT_EXAMPLES
from participants.api.schema import database_trouble, problems
from participants.content import why_not_storable
from participants.intake.entries import MAX_ENTRIES
from participants.intake.results import CONFLICT, REFUSED, EntryResult, store_entries
from participants.limits.throttling import ReleaseThrottle, ResultsThrottle
from participants.models import Session, Trial
from participants.refusals import no_feedback, other_participant
from participants.session.advancing import advance
from participants.session.block_feedback import block_feedback
from participants.session.coming_back import resume_code_of
from participants.session.completing import OpenedSession, complete_session, open_session
from participants.session.endings import ending_of
from participants.session.facts import text_blocks
from participants.session.planning import awaits_more, expected_trials
from participants.session.resuming import policy_of
from participants.session.supervision import hold, is_held, release_by_code

TAGS = ["participants"]


def opened_body(opened: OpenedSession) -> dict[str, Any]:
    """Return an opened session as the browser gets it. A complete session needs no trials any more."""
    session = opened.session
    more = session.status == Session.Status.RUNNING and awaits_more(session)
    return {
        "participant": session.participant.pseudonym,
        "mode": "run",
        "language": session.language,
        "resume": policy_of(session),
        "trials": [] if session.status == Session.Status.COMPLETE else opened.trials,
        "answered": opened.answered,
        "interrupted": opened.interrupted,
        "carried": opened.carried,
        "status": session.status,
        "more": more,
        "expected": expected_trials(session.study) if more else len(opened.trials),
        "outcome": session.outcome,
        **ending_body(session),
    }


def ending_body(session: Session) -> dict[str, Any]:
    """Return the last page of a session that ended without being completed; empty for other sessions."""
    return {"ending": asdict(ending_of(session))} if session.status == Session.Status.ENDED else {}


class OpenView(StudyView):
    """Taking up a session in a tab."""

    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="open_session",
        summary="Take up a session in a tab",
        description=(
            "Gives the trials in their order and how far the session is, and gives this tab the lease on it: 60 "
            "seconds, renewed by every batch of results. Opening a session that has begun meets the study's policy: "
            "`continue` goes on, `restart-block` has set the cut block's responses aside, `end` has ended it (status "
            "`ended`), but not (`one-go`) where another tab was there within ten minutes. "
            "A complete session has no trials any more: ask for its completion."
        ),
        tags=TAGS,
        request=shapes.Open,
        responses={
            200: shapes.Opened,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session"),
            409: problems("closed", "one-go", "package-changed"),
            423: problems("other-device"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.Open, self.body(request))
        opened = open_session(
            self.session(request), tab=body["tab"], take_over=body["take_over"], client=body["client"]
        )
        # Opening reads the row again; who asks is known from the cookie.
        opened.session.is_joined_by_link = self.session(request).is_joined_by_link
        return Response({**opened_body(opened), "resume_code": resume_code_of(opened.session)})


def outcome_body(result: EntryResult) -> dict[str, Any]:
    """Return the outcome of an entry, without empty fields."""
    body: dict[str, Any] = {"kind": result.kind, "sequence": result.sequence, "status": result.status}
    body["hash"] = result.hash
    if result.batch is not None:
        body["batch"] = result.batch
    if result.message:
        body["message"] = result.message
    return body


class ResultsView(StudyView):
    """Storing results."""

    only_stores_results = True
    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="store_results",
        summary="Store results, events and begun trials",
        description=(
            "One transaction; the answer comes after its commit. Entries are judged one by one: what is new or the "
            "same as before is a success; a second, different result for a position is a conflict (both are kept); "
            "what breaks the rules of its plugin is refused (and kept for the researcher). Send again after no answer, "
            "429 or 503; never after 200, 409 or 422. The hash is the SHA-256 of the content as JSON with sorted keys, "
            "without spaces, in UTF-8, whole numbers without a decimal point."
        ),
        tags=TAGS,
        request=trial_shapes.Batch,
        examples=[*BATCH_EXAMPLES, *RECEIPT_EXAMPLES],
        responses={
            200: OpenApiResponse(trial_shapes.BatchReceipt, "Everything is stored."),
            409: OpenApiResponse(
                trial_shapes.BatchReceipt, "At least one conflict; all other entries were judged as well."
            ),
            422: OpenApiResponse(
                trial_shapes.BatchReceipt, "At least one refusal, no conflict; the others are stored."
            ),
            400: problems("malformed"),
            404: problems("no-study", "no-session", "other-participant"),
            413: problems("too-large"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        session = self.session(request)
        # Entries are judged one by one; those that cannot be stored are refused there and kept as visible text.
        body = self.body(request, as_sent=True)
        entries, tab = body.get("entries"), body.get("tab")
        if not isinstance(entries, list) or len(entries) > MAX_ENTRIES:
            raise exceptions.ParseError
        if not isinstance(tab, str) or not 0 < len(tab) <= 64 or why_not_storable(tab):
            raise exceptions.ParseError
        # Another participant may have started in this browser while the page was open.
        if body.get("participant") not in (None, session.participant.pseudonym):
            raise other_participant()
        receipt = store_entries(session, entries, tab=tab)
        statuses = {result.status for result in receipt.results}
        code: int = status.HTTP_200_OK
        if CONFLICT in statuses:
            code = status.HTTP_409_CONFLICT
        elif REFUSED in statuses:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        results = [outcome_body(result) for result in receipt.results]
        return Response({"results": results, "lease": receipt.lease}, status=code)


def feedback(paradigm: Paradigm, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the paradigm's feedback. Raises Refusal `no-feedback` where the trial gives none."""
    try:
        return paradigm.check(params, question)
    except LookupError as missing:
        raise no_feedback() from missing


class CheckView(StudyView):
    """Feedback within a trial."""

    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="check_answer",
        summary="Whether an answer within a trial is right",
        description=(
            "For trials that give feedback, those whose parameters say `feedback`. Stores nothing: the answer "
            "travels with the result. Without an answer to this request the trial goes on without feedback. "
            "Of a break: what it says of the trials since the last one, and which trials a good practice leaves out "
            "(`not-ready` until its answers are stored)."
        ),
        tags=TAGS,
        request=trial_shapes.Question,
        responses={
            200: trial_shapes.Feedback,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session", "no-feedback"),
            409: problems("not-ready"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        session = self.session(request)
        body = checked(trial_shapes.Question, self.body(request))
        at = Trial.objects.filter(session=session, position=body.pop("position"))
        found = at.values_list("params", "private", "part__paradigm", "plugin", "position").first()
        if found is None:
            raise no_feedback()
        params, private, paradigm, plugin, position = found
        if plugin == BREAK_FEEDBACK:
            return Response(block_feedback(session, position))
        return Response(feedback(paradigm_behind(paradigm), {**params, **private}, body))


class AdvanceView(StudyView):
    """Going on after the first questionnaires and pages, and after what later parts depend on."""

    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="advance_session",
        summary="Go on after the first questionnaires and pages",
        description=(
            "Of a session that was opened with `more`: asked once everything that was shown is stored. Decides what "
            "comes next and gives those trials; asking again gives the same. With `more` it is asked again once they "
            "are stored, too. Where answers are `missing` nothing is decided. Where a rule over the answers or a quota "
            "ends the session, `outcome` says how, and there are no trials."
        ),
        tags=TAGS,
        request=None,
        responses={
            200: shapes.Advance,
            404: problems("no-study", "no-session"),
            409: problems("closed", "not-ready"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        advanced = advance(self.session(request))
        session = advanced.session
        return Response(
            {
                "trials": advanced.trials,
                "missing": advanced.missing,
                "more": session.status == Session.Status.RUNNING and awaits_more(session),
                "status": session.status,
                "outcome": session.outcome,
                **ending_body(session),
            }
        )


class PauseView(StudyView):
    """A pause of a supervised session."""

    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="pause_state",
        summary="Whether the session is paused",
        description="A supervised session goes on only when its experimenter has ended the pause.",
        tags=TAGS,
        responses={
            200: shapes.PauseState,
            404: problems("no-study", "no-session"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response({"paused": is_held(self.session(request))})

    @extend_schema(
        operation_id="pause_session",
        summary="Pause a supervised session",
        description="Where full screen was left. Asking again while it is paused changes nothing.",
        tags=TAGS,
        request=shapes.PauseRequest,
        responses={
            200: shapes.PauseState,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session"),
            409: problems("not-supervised"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.PauseRequest, self.body(request))
        session = self.session(request)
        hold(session, reason=body["reason"])
        return Response({"paused": is_held(session)})


class ReleaseView(StudyView):
    """The end of a pause."""

    throttle_classes = [ReleaseThrottle]

    @extend_schema(
        operation_id="release_session",
        summary="End the pause of a supervised session",
        description="With the release code of the session, which only the experimenter has.",
        tags=TAGS,
        request=shapes.Release,
        responses={
            200: shapes.PauseState,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session"),
            409: problems("release-code"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.Release, self.body(request))
        release_by_code(self.session(request), body["release_code"])
        return Response({"paused": False})


class CompleteView(StudyView):
    """Completing a session."""

    throttle_classes = [ResultsThrottle]

    @extend_schema(
        operation_id="complete_session",
        summary="Complete a session",
        description=(
            "Complete only if every position has a response and all announced event batches are there; otherwise the "
            "answer names what is missing. Can be repeated, and gives the same codes again."
        ),
        tags=TAGS,
        request=None,
        responses={200: shapes.Completion, 404: problems("no-study", "no-session"), 503: database_trouble()},
        examples=[
            OpenApiExample(
                "missing",
                {"complete": False, "missing": [17], "missing_events": [{"sequence": 16, "batches": [2]}]},
                response_only=True,
            )
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        asking = self.session(request)
        session, missing = complete_session(asking)
        session.is_joined_by_link = asking.is_joined_by_link
        if missing or session.status != Session.Status.COMPLETE:
            return Response({"complete": False, "missing": missing.positions, "missing_events": missing.events})
        ending = ending_of(session)
        return Response(
            {
                "complete": True,
                "completion_code": ending.code,
                "redirect_url": ending.link,
                "ending": asdict(ending),
                "withdrawal_code": "" if session.is_joined_by_link else session.participant.withdrawal_code,
                "resume_code": resume_code_of(session),
                "debriefing": {"blocks": text_blocks(session.study, "debriefing")},
            }
        )
