"""Refusals to start, continue or withdraw: a code for programs, a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Refusal(Exception):
    """A valid request was declined. Nothing was changed.

    `code` is stable and meant for programs; `message` is shown to the participant; `status` is the HTTP status;
    `details` are what programs need beside them.
    """

    def __init__(self, code: str, message: str | _StrPromise, *, status: int = 409, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.status = status
        self.details = details


def no_session() -> Refusal:
    """Return the refusal for a request without a session, or with one that was erased."""
    return Refusal("no-session", _("There is no session here. Please open the link of the study again."), status=404)


def already_taken_part() -> Refusal:
    """Return the refusal for a participant whose session in this study is over."""
    return Refusal(
        "already-taken-part",
        _("You have already taken part in this study. Your answers are stored; there is nothing more to do."),
    )


def resume_code_needed() -> Refusal:
    """Return the refusal for a link that names somebody who has begun and does not show that they are the one."""
    return Refusal(
        "resume-code-needed",
        _("You have begun this study on another device or in another browser. Go on there, or use your resume code."),
    )


def unknown_resume_code() -> Refusal:
    """Return the refusal for a resume code that nobody in the study has."""
    return Refusal(
        "unknown-code",
        _("There is no session with this resume code. Please check it; nothing was changed."),
        status=404,
    )


def too_many_guesses(seconds: int) -> Refusal:
    """Return the refusal for a sender who tried so many codes or ids that the next one has to wait."""
    return Refusal(
        "too-many-requests",
        _("Too many attempts have come from your network. Please try again in a minute; nothing was changed."),
        status=429,
        seconds=seconds,
    )


def package_changed() -> Refusal:
    """Return the refusal where the paradigm of a study is not installed as it was when the study was opened."""
    return Refusal(
        "package-changed",
        _("This study cannot go on at the moment. What you have answered is stored. Please come back later."),
        status=409,
    )


def other_participant() -> Refusal:
    """Return the refusal for results of a participant whose cookie has been replaced in this browser."""
    return Refusal(
        "other-participant",
        _("Somebody else has begun the study in this browser meanwhile. Your answers are kept in the browser."),
        status=404,
    )


def no_feedback() -> Refusal:
    """Return the refusal for a question about a trial that gives no feedback, or that does not exist."""
    return Refusal("no-feedback", _("There is no feedback here. Nothing was lost; please go on."), status=404)


def not_all_there() -> Refusal:
    """Return the refusal where feedback rests on answers that are still on their way; pages ask again and hide it."""
    return Refusal("not-ready", no_feedback().message)
