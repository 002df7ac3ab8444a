"""Authentication: participants by a session cookie, researchers by Django's login."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from experiments.models import Study
from experiments.study.access import can_view
from experiments.study.preview_links import holding_link
from participants.codes import new_token
from participants.models import Session
from participants.sealing import opened, seal
from participants.session.rows import session_by_token, session_for_results

# Long enough to resume a session after closing the browser.
COOKIE_SECONDS = 30 * 24 * 60 * 60
MOST_OF_A_TOKEN, MOST_OF_A_COOKIE = 64, 400
# Begins the cookie of somebody who opened a session by a link alone. What follows is the session's token, sealed, so
# that they cannot make the cookie of its participant from it.
_BY_LINK = "by-link."


def cookie_name(slug: str) -> str:
    """Return the name of the cookie that holds the token of a participant's session.

    >>> cookie_name("causal-sentences")
    'lectern_causal_sentences'
    """
    return f"lectern_{slug.replace('-', '_')}"


def preview_cookie_name(slug: str) -> str:
    """Return the name of the cookie that holds the token of a preview link.

    >>> preview_cookie_name("causal-sentences")
    'lectern_preview_causal_sentences'
    """
    return f"lectern_preview_{slug.replace('-', '_')}"


def may_preview(request: HttpRequest | Request, study: Study) -> bool:
    """Return whether a request may use the preview: researchers of the study, and holders of a preview link."""
    if request.user is not None and can_view(request.user, study):
        return True
    return holding_link(study, request.COOKIES.get(preview_cookie_name(study.slug), "")) is not None


def session_of(request: HttpRequest | Request, slug: str, *, for_results: bool = False) -> Session | None:
    """Return the session that the request's cookie names, with its study and participant, or None."""
    cookie = request.COOKIES.get(cookie_name(slug), "")
    is_by_link = cookie.startswith(_BY_LINK)
    token = cookie
    if is_by_link:
        token = opened(cookie.removeprefix(_BY_LINK)) if cookie.isascii() and len(cookie) <= MOST_OF_A_COOKIE else ""
    if not token or len(token) > MOST_OF_A_TOKEN:
        return None
    session = session_for_results(token, slug) if for_results else session_by_token(token, slug)
    if session is not None:
        session.is_joined_by_link = is_by_link
    return session


def set_session_cookie(response: HttpResponseBase, session: Session) -> None:
    """Set the cookie with the session's token: not readable by scripts, never sent from other sites."""
    token = session.token or _new_token(session)
    response.set_cookie(
        cookie_name(session.study.slug),
        f"{_BY_LINK}{seal(token)}" if session.is_joined_by_link else token,
        max_age=COOKIE_SECONDS,
        path="/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def _new_token(session: Session) -> str:
    """Give the session a new token: the old one was sealed with a key that this platform no longer has."""
    token = new_token()
    session.token = token
    session.save(update_fields=["token_hash", "token_sealed"])
    return token


def asking_session(request: Request) -> Session | None:
    """Return the session that `ParticipantAuthentication` found, or None."""
    return cast("Session | None", request.auth)


class ParticipantAuthentication(BaseAuthentication):
    """Set `request.auth` to the session named by the cookie of the study in the URL."""

    def authenticate(self, request: Request) -> tuple[None, Session] | None:
        asked = request.parser_context
        for_results = getattr(asked["view"], "only_stores_results", False)
        session = session_of(request, asked["kwargs"]["slug"], for_results=for_results)
        return (None, session) if session is not None else None


class ResearcherAuthentication(BaseAuthentication):
    """Use Django's login, without a CSRF check; so only for requests that change nothing."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        user = getattr(request._request, "user", None)
        return (user, None) if user is not None and user.is_authenticated else None


class ParticipantScheme(OpenApiAuthenticationExtension):
    """How the schema describes the participant's cookie."""

    target_class = ParticipantAuthentication
    name = "participantCookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "lectern_{slug}",
            "description": (
                "Set by POST sessions/. The name is `lectern_` and the study's slug with underscores for hyphens."
            ),
        }


class ResearcherScheme(OpenApiAuthenticationExtension):
    """How the schema describes a researcher's log-in."""

    target_class = ResearcherAuthentication
    name = "researcherCookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "Django's session cookie of a logged-in researcher who may view the study.",
        }
