"""The participants' API: facts, start, trials, results, completion, withdrawal."""

from __future__ import annotations

import hashlib
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from participants import serializers as shapes
from participants.api_base import StudyView
from participants.api_examples import BATCH_EXAMPLES, RECEIPT_EXAMPLES, START_EXAMPLES
from participants.api_schema import SIMULATION_PARAMETER, database_trouble, problems
from participants.authentication import ResultsAuthentication, cookie_name, set_session_cookie
from participants.codes import is_simulation_key
from participants.content import as_storable
from participants.entries import MAX_ENTRIES
from participants.facts import study_facts, text_blocks
from participants.intake import CONFLICT, REFUSED, EntryResult, store_entries
from participants.models import BrowserError, Session
from participants.recruitment import return_address
from participants.refusals import Refusal
from participants.resuming import policy_of
from participants.sessions import (
    Consent,
    OpenedSession,
    Simulation,
    complete_session,
    open_session,
    other_participant,
    recovered_session,
    start_session,
)
from participants.throttling import (
    SIMULATION_HEADER,
    ErrorThrottle,
    ResultsThrottle,
    StartThrottle,
    WithdrawalThrottle,
)
from participants.withdrawal import loss_of, participant_by_code, withdraw

TAGS = ["participants"]


def checked(serializer_class: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated body. Raises ValidationError."""
    serializer = serializer_class(data=data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class StudyFactsView(StudyView):
    """Facts about a study."""

    @extend_schema(
        operation_id="study_facts",
        summary="Facts about a study",
        description="What a participant can know before the start. Creates nothing.",
        tags=TAGS,
        auth=[],
        responses={200: shapes.StudyFacts, 404: problems("no-study")},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(study_facts(self.study))


class StartView(StudyView):
    """Starting a session."""

    throttle_classes = [StartThrottle]

    @extend_schema(
        operation_id="start_session",
        summary="Start a session",
        description=(
            "Records the consent, assigns a list, plans the trials and sets the session's cookie. Idempotent: the same "
            "start_key, the same recruitment id, or the cookie of a running session give the same session and 200."
        ),
        tags=TAGS,
        auth=[],
        parameters=[SIMULATION_PARAMETER],
        request=shapes.Start,
        examples=START_EXAMPLES,
        responses={
            201: OpenApiResponse(shapes.Started, "A new session."),
            200: OpenApiResponse(shapes.Started, "The session that was started before."),
            400: problems("invalid", "malformed"),
            403: problems("not-a-simulation"),
            404: problems("no-study"),
            409: problems(
                "not-open", "closed", "paused", "full", "not-ready", "already-taken-part", "consent-changed",
                "consent-missing",
            ),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )  # fmt: skip
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.Start, self.body(request))
        consent = Consent(
            version=body["consent"]["version"],
            required=tuple(body["consent"]["required"]),
            optional=body["consent"]["optional"],
        )
        session, is_new = start_session(
            self.study,
            start_key=body["start_key"],
            consent=consent,
            recruitment=body["recruitment"],
            client=body["client"],
            current=None if body["new_person"] or body["simulated"] else request.auth,
            simulation=self.simulation(request, body) if body["simulated"] else None,
        )
        return started(session, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)

    def simulation(self, request: Request, body: dict[str, Any]) -> Simulation:
        """Return which virtual participant this is. Without the key nothing is started, rather than a real session."""
        if not is_simulation_key(self.study.slug, request.headers.get(SIMULATION_HEADER, "")):
            raise Refusal(
                "not-a-simulation", "A simulated session needs the simulation key of this platform.", status=403
            )
        given = body["client"].get("simulation")
        numbers = given if isinstance(given, dict) else {}
        otherwise = int.from_bytes(hashlib.sha256(body["start_key"].encode()).digest()[:6], "big")
        seed, participant = numbers.get("seed", 0), numbers.get("participant", otherwise)
        if not isinstance(seed, int) or not isinstance(participant, int):
            raise exceptions.ValidationError({"client": ["simulation needs whole numbers: seed and participant."]})
        return Simulation(seed=seed, participant=participant)


def started(session: Session, status_code: int) -> Response:
    """Return the answer that puts a browser into a session: where to go on, and the cookie."""
    address = reverse("participants:run", args=[session.study.slug])
    answer = Response({"session": session.participant.pseudonym, "run_url": address}, status=status_code)
    set_session_cookie(answer, session)
    return answer


class RecoverView(StudyView):
    """Finding a session again whose cookie the browser lost."""

    throttle_classes = [StartThrottle]

    @extend_schema(
        operation_id="recover_session",
        summary="Find a session again without its cookie",
        description=(
            "A browser that is killed within seconds of the start may forget the cookie. Whoever kept the start_key "
            "gets the cookie again. Starts nothing and changes nothing."
        ),
        tags=TAGS,
        auth=[],
        request=shapes.StartKey,
        responses={
            200: shapes.Started,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.StartKey, self.body(request))
        return started(recovered_session(self.study, body["start_key"]), status.HTTP_200_OK)


def opened_body(opened: OpenedSession) -> dict[str, Any]:
    """Return an opened session as the browser gets it. A complete session needs no trials any more."""
    session = opened.session
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
    }


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
            "`ended`). A complete session has no trials any more: ask for its completion."
        ),
        tags=TAGS,
        request=shapes.Open,
        responses={
            200: shapes.Opened,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "no-session"),
            409: problems("closed"),
            423: problems("other-device"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.Open, self.body(request))
        opened = open_session(
            self.session(request), tab=body["tab"], take_over=body["take_over"], client=body["client"]
        )
        return Response(opened_body(opened))


def outcome_body(result: EntryResult) -> dict[str, Any]:
    """Return what became of an entry, without the fields that say nothing."""
    body: dict[str, Any] = {"kind": result.kind, "sequence": result.sequence, "status": result.status}
    body["hash"] = result.hash
    if result.batch is not None:
        body["batch"] = result.batch
    if result.message:
        body["message"] = result.message
    return body


class ResultsView(StudyView):
    """Storing results."""

    authentication_classes = [ResultsAuthentication]
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
        request=shapes.Batch,
        examples=[*BATCH_EXAMPLES, *RECEIPT_EXAMPLES],
        responses={
            200: OpenApiResponse(shapes.BatchReceipt, "Everything is stored."),
            409: OpenApiResponse(shapes.BatchReceipt, "At least one conflict; all other entries were judged as well."),
            422: OpenApiResponse(shapes.BatchReceipt, "At least one refusal, no conflict; the others are stored."),
            400: problems("malformed"),
            404: problems("no-study", "no-session", "other-participant"),
            413: problems("too-large"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        session = self.session(request)
        body = self.body(request)
        entries, tab = body.get("entries"), body.get("tab")
        if not isinstance(entries, list) or len(entries) > MAX_ENTRIES:
            raise exceptions.ParseError
        if not isinstance(tab, str) or not 0 < len(tab) <= 64 or "\x00" in tab:
            raise exceptions.ParseError
        # Somebody else may have started in this browser while the page was open.
        if body.get("participant") not in (None, session.participant.pseudonym):
            raise other_participant()
        receipt = store_entries(session, entries, tab=tab)
        statuses = {result.status for result in receipt.results}
        code = status.HTTP_200_OK
        if CONFLICT in statuses:
            code = status.HTTP_409_CONFLICT
        elif REFUSED in statuses:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        results = [outcome_body(result) for result in receipt.results]
        return Response({"results": results, "lease": receipt.lease}, status=code)


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
        session, missing = complete_session(self.session(request))
        if missing:
            return Response({"complete": False, "missing": missing.positions, "missing_events": missing.events})
        return Response(
            {
                "complete": True,
                "completion_code": str(session.study.procedure.get("completion_code") or ""),
                "redirect_url": return_address(session),
                "withdrawal_code": session.participant.withdrawal_code,
                "debriefing": {"blocks": text_blocks(session.study, "debriefing")},
            }
        )


class ErrorView(StudyView):
    """Reporting an error of the browser."""

    throttle_classes = [ErrorThrottle]

    @extend_schema(
        operation_id="report_browser_error",
        summary="Report an error of the browser",
        tags=TAGS,
        auth=[{}, {"participantCookie": []}],
        request=shapes.BrowserErrorReport,
        responses={
            204: None,
            400: problems("invalid", "malformed"),
            404: problems("no-study"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.BrowserErrorReport, as_storable(self.body(request)))
        BrowserError.objects.create(
            study=self.study,
            session=request.auth,
            message=body["message"][:500],
            detail=body["detail"][:5_000],
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class WithdrawView(StudyView):
    """Withdrawing."""

    throttle_classes = [WithdrawalThrottle]

    @extend_schema(
        operation_id="withdraw",
        summary="Withdraw from a study",
        description="Without `confirm`: what would be erased. With it: everything is erased, for good.",
        tags=TAGS,
        auth=[],
        request=shapes.Withdrawal,
        responses={
            200: OpenApiResponse(shapes.WithdrawalLoss, "What would be erased; nothing was."),
            204: OpenApiResponse(description="Everything was erased."),
            400: problems("invalid", "malformed"),
            404: problems("no-study", "unknown-code"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.Withdrawal, self.body(request))
        participant = participant_by_code(self.study, body["withdrawal_code"])
        if not body["confirm"]:
            return Response(vars(loss_of(participant)))
        own = request.auth is not None and request.auth.participant_id == participant.pk
        withdraw(participant, by_participant=True)
        answer = Response(status=status.HTTP_204_NO_CONTENT)
        if own:
            answer.delete_cookie(cookie_name(slug), path="/", samesite="Lax")
        return answer
