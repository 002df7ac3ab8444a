"""API endpoints before and after a session: facts, start, coming back, browser errors, withdrawal."""

from __future__ import annotations

import hashlib
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response

from participants.api import serializers as shapes
from participants.api.base import StudyView, checked
from participants.api.examples import START_EXAMPLES
from participants.api.schema import LANGUAGE_PARAMETER, SIMULATION_PARAMETER, database_trouble, problems
from participants.authentication import asking_session, cookie_name, set_session_cookie
from participants.codes import is_simulation_key
from participants.content import as_storable
from participants.erasure.withdrawal import loss_of, participant_by_code, withdraw
from participants.limits.guessing import FOUND_IDS, guesser
from participants.limits.throttling import (
    SIMULATION_HEADER,
    ErrorThrottle,
    StartThrottle,
    WithdrawalThrottle,
)
from participants.models import BrowserError, Session
from participants.refusals import Refusal
from participants.session.coming_back import recovered_session, refuse_guessed_ids, resumed_session
from participants.session.facts import study_facts
from participants.session.recruitment import arrival_from
from participants.session.starting import Consent, Simulation, start_session

TAGS = ["participants"]


class StudyFactsView(StudyView):
    """Facts about a study."""

    begins_sessions = True

    @extend_schema(
        operation_id="study_facts",
        summary="Facts about a study",
        description="What a participant can know before the start. Creates nothing.",
        tags=TAGS,
        auth=[],
        parameters=[LANGUAGE_PARAMETER],
        responses={200: shapes.StudyFacts, 404: problems("no-study")},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(study_facts(self.study))


class StartView(StudyView):
    """Starting a session."""

    begins_sessions = True
    throttle_classes = [StartThrottle]

    @extend_schema(
        operation_id="start_session",
        summary="Start a session",
        description=(
            "Records the consent, assigns a list and sets the session's cookie. Idempotent: the same "
            "start_key or the cookie of a running session give the same session and 200. A recruitment id finds a "
            "session and does not open it: whoever has begun elsewhere is refused (`resume-code-needed`) and goes on "
            "by `session/resume/`, unless the source is id-only or the link is signed."
        ),
        tags=TAGS,
        auth=[],
        parameters=[LANGUAGE_PARAMETER, SIMULATION_PARAMETER],
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
                "consent-missing", "session-code", "package-changed", "link-incomplete", "resume-code-needed",
                "kept-out",
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
        simulation = self.simulation(request, body) if body["simulated"] else None
        current = None if body["new_person"] or simulation else asking_session(request)
        identity = arrival_from(self.study, body["recruitment"]).identity if body["recruitment"] else None
        sender = guesser(request, slug, identity.source) if identity else ""
        if identity and not simulation:
            refuse_guessed_ids(identity, sender=sender)
        try:
            session, is_new = start_session(
                self.study,
                start_key=body["start_key"],
                consent=consent,
                recruitment=body["recruitment"],
                client=body["client"],
                current=current,
                simulation=simulation,
                session_code=body["session_code"],
            )
        except Refusal as refusal:
            if identity and refusal.code in ("resume-code-needed", "already-taken-part"):
                FOUND_IDS.note(sender, identity.external_id)
            raise
        return started(session, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)

    def simulation(self, request: Request, body: dict[str, Any]) -> Simulation:
        """Return which simulated participant this is. Without the right key nothing is started, not even a real
        session.
        """
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
    """Return the response that puts a browser into a session: the next URL, and the cookie."""
    address = reverse("participants:run", args=[session.study.slug])
    answer = Response({"session": session.participant.pseudonym, "run_url": address}, status=status_code)
    set_session_cookie(answer, session)
    return answer


class RecoverView(StudyView):
    """Recovering a session whose cookie the browser has lost."""

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


class ResumeView(StudyView):
    """Continuing a session on another device."""

    throttle_classes = [StartThrottle]

    @extend_schema(
        operation_id="resume_session",
        summary="Continue a session on another device",
        description=(
            "With the resume code that `session/open/` gives, or one that a researcher gave out, which works once. "
            "Sets the session's cookie, also of a session that is over, whose last page can then be asked for. After "
            "20 wrong codes within an hour each further one has to wait: `seconds`, and Retry-After."
        ),
        tags=TAGS,
        auth=[],
        request=shapes.ResumeCode,
        responses={
            200: shapes.Started,
            400: problems("invalid", "malformed"),
            404: problems("no-study", "unknown-code"),
            429: problems("too-many-requests"),
            503: database_trouble(),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(shapes.ResumeCode, self.body(request))
        session = resumed_session(self.study, body["resume_code"], sender=guesser(request, slug))
        return started(session, status.HTTP_200_OK)


class ErrorView(StudyView):
    """Reporting an error of the browser."""

    throttle_classes = [ErrorThrottle]

    @extend_schema(
        operation_id="report_browser_error",
        summary="Report an error of the browser",
        tags=TAGS,
        auth=[{}, {"participantCookie": []}],  # type: ignore[list-item]  # whole requirements of OpenAPI are taken too
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
        body = checked(shapes.BrowserErrorReport, as_storable(self.body(request, as_sent=True)))
        BrowserError.objects.create(
            study=self.study,
            session=asking_session(request),
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
        session = asking_session(request)
        own = session is not None and session.participant_id == participant.pk
        withdraw(participant, by_participant=True)
        answer = Response(status=status.HTTP_204_NO_CONTENT)
        if own:
            answer.delete_cookie(cookie_name(slug), path="/", samesite="Lax")
        return answer
