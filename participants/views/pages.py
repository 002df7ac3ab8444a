"""Participants' pages. Opening any of them creates nothing: link previews and prefetching browsers may come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from experiments.models import Study
from experiments.study.access import can_view
from participants.authentication import cookie_name, session_of
from participants.codes import normalised_withdrawal_code
from participants.erasure.withdrawal import loss_of, participant_by_code, withdraw
from participants.limits.throttling import WithdrawalThrottle
from participants.models import Session
from participants.refusals import Refusal
from participants.session.facts import study_facts
from participants.session.recruitment import parameter_names
from participants.session.starting import why_closed
from participants.session.supervision import is_supervised

StudyPage = Callable[[HttpRequest, Study], HttpResponseBase]


def in_language_of_study(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """Find the study of the address and render the page in its language."""

    def view(request: HttpRequest, slug: str) -> HttpResponseBase:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise Http404
        with translation.override(study.language):
            return page(request, study)

    view.__name__, view.__doc__ = page.__name__, page.__doc__
    return view


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is."""
    return render(request, "participants/home.html")


@never_cache
@require_safe
@in_language_of_study
def landing(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Landing, check and consent on one page; or why nobody can start."""
    session = session_of(request, study.slug)
    facts = study_facts(study)
    config = {
        "slug": study.slug,
        "api": f"/api/studies/{study.slug}/",
        "language": study.language,
        "requirements": facts["requirements"],
        "consent_version": facts["consent"]["version"],
        "has_session": session is not None,
        "supervised": facts["supervised"],
        "recruitment_parameters": parameter_names(study),
    }
    if session is None and facts["state"] != "open":
        context = {"study": study, "config": config, **_cannot_start(study)}
        return render(request, "participants/cannot_start.html", context)
    context = {
        "study": study,
        "facts": facts,
        "welcome": facts["welcome"]["blocks"],
        "consent_blocks": facts["consent"]["blocks"],
        "minutes": facts["measured_minutes"] or study.estimated_minutes,
        "needs": [_NEEDS[name] for name in facts["requirements"] if name in _NEEDS],
        "session": session,
        "is_running": session is not None and session.status == Session.Status.RUNNING,
        "can_start": facts["state"] == "open",
        "config": config,
    }
    return render(request, "participants/landing.html", context)


_NEEDS = {
    "keyboard": gettext_lazy("a keyboard"),
    "pointer": gettext_lazy("a mouse or another pointer"),
    # That keys will do as well, the check itself says to those who have no pointer.
    "pointer-or-keys": gettext_lazy("a mouse or another pointer"),
    "wide-window": gettext_lazy("a computer with a wide screen, not a telephone"),
}


def _cannot_start(study: Study) -> dict[str, Any]:
    refusal = why_closed(study) or Refusal(
        "full", _("Enough people have taken part in this study. Thank you for your interest; nothing was stored.")
    )
    headings = {
        "not-open": _("This study is not open yet"),
        "closed": _("This study is closed"),
        "paused": _("This study is paused"),
        "full": _("This study is full"),
    }
    # A draft shows neither its title nor its texts.
    return {"heading": headings[refusal.code], "message": refusal.message, "is_draft": refusal.code == "not-open"}


@never_cache
@require_safe
@in_language_of_study
def run(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The experiment itself, for whoever has a session."""
    if session_of(request, study.slug) is None:
        return redirect("participants:landing", study.slug)
    return render(request, "participants/run.html", {"study": study, "config": _run_config(study, mode="run")})


@never_cache
@require_safe
@in_language_of_study
def preview(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The same page for researchers of the study, with any list and nothing stored."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    if not can_view(request.user, study):
        raise Http404
    config = _run_config(study, mode="preview")
    config["lists"] = [{"id": one.pk, "name": one.name} for one in study.lists.all()]
    return render(request, "participants/run.html", {"study": study, "config": config})


def _run_config(study: Study, *, mode: str) -> dict[str, Any]:
    return {
        "slug": study.slug,
        "title": study.title,
        "language": study.language,
        "mode": mode,
        "contact": study.contact,
        "responsible": study.responsible,
        "api": f"/api/studies/{study.slug}/",
        "supervised": mode == "run" and is_supervised(study),
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_language_of_study
def withdrawal(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Ask for the withdrawal code, name what will be lost, erase it."""
    context: dict[str, Any] = {"study": study}
    if request.method != "POST":
        return render(request, "participants/withdraw.html", context)
    code = request.POST.get("withdrawal_code", "")
    throttle = WithdrawalThrottle()
    if not throttle.allow(request, study.slug):
        context["message"] = _("Too many codes were tried within a minute. Nothing was changed; please wait a little.")
        return render(request, "participants/withdraw.html", context, status=429)
    try:
        participant = participant_by_code(study, code)
    except Refusal as refusal:
        context |= {"message": refusal.message, "typed": code[:100]}
        return render(request, "participants/withdraw.html", context, status=refusal.status)
    if request.POST.get("confirm") != "yes":
        context |= {"code": normalised_withdrawal_code(code), "loss": loss_of(participant)}
        return render(request, "participants/withdraw_confirm.html", context)
    session = session_of(request, study.slug)
    is_own = session is not None and session.participant_id == participant.pk
    withdraw(participant, by_participant=True)
    answer = render(request, "participants/withdrawn.html", context)
    if is_own:
        answer.delete_cookie(cookie_name(study.slug), path="/", samesite="Lax")
    return answer
