"""The page on which somebody types a resume code to continue on another device. Opening it creates nothing."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from experiments.models import Study
from experiments.study.look import shown_look
from participants.authentication import session_of, set_session_cookie
from participants.limits.guessing import guesser
from participants.models import Session
from participants.refusals import Refusal, already_taken_part, resume_code_needed
from participants.session.coming_back import resumed_session
from participants.session.endings import CLOSED_MEANWHILE
from participants.session.facts import study_facts
from participants.views.of_study import in_language_of_study, landing_config, language_query, language_switch


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_language_of_study
def continuing(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Ask for the resume code, and put the browser into its session."""
    if not study.is_frozen:
        # Nobody can have begun, and a draft shows neither its title nor its texts.
        return redirect("participants:landing", study.slug)
    config = landing_config(study, session_of(request, study.slug), study_facts(study))
    if request.method != "POST":
        return _page(request, study, config)
    typed = request.POST.get("resume_code", "")
    try:
        session = resumed_session(study, typed, sender=guesser(request, study.slug))
    except Refusal as refusal:
        answer = _page(request, study, config, fault=refusal.message, typed=typed[:100], status=refusal.status)
        return _with_wait(answer, refusal)
    answer = redirect("participants:run", study.slug)
    set_session_cookie(answer, session)
    return answer


def ask_for_code(request: HttpRequest, study: Study, known: Session, config: dict[str, Any]) -> HttpResponseBase:
    """Return the page for somebody whose link finds a session and does not open it. It shows nothing of the session but
    that there is one.
    """
    if known.status != Session.Status.RUNNING:
        return _page(request, study, config, heading=_("Thank you"), message=already_taken_part().message, is_over=True)
    if study.status == Study.Status.CLOSED:
        heading = _("This study is closed")
        return _page(request, study, config, heading=heading, message=CLOSED_MEANWHILE, is_over=True)
    return _page(request, study, config, message=resume_code_needed().message)


def please_wait(request: HttpRequest, study: Study, refusal: Refusal) -> HttpResponseBase:
    """Return the page for a link whose id has to wait, which loads again by itself when it need not any more."""
    context = {"study": study, "heading": _("One moment"), "message": refusal.message, "is_draft": True}
    answer = render(request, "participants/cannot_start.html", context, status=refusal.status)
    answer["Refresh"] = str(refusal.details["seconds"])
    return _with_wait(answer, refusal)


def _page(
    request: HttpRequest, study: Study, config: dict[str, Any], *, status: int = 200, **context: Any
) -> HttpResponseBase:
    context |= {"study": study, "config": config, "look": shown_look(study)}
    context |= {"language_switch": language_switch(study, request), "language_query": language_query(study)}
    return render(request, "participants/continue.html", context, status=status)


def _with_wait(answer: HttpResponseBase, refusal: Refusal) -> HttpResponseBase:
    if "seconds" in refusal.details:
        answer["Retry-After"] = str(refusal.details["seconds"])
    return answer
