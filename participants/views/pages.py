"""Pages for participants. Opening them creates nothing, because link previews and prefetching browsers may come
first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from experiments.languages import PARAMETER, own_name_of
from experiments.models import Study
from experiments.paradigms.packages import module_with
from experiments.rules.sources import DECLINED, OVER_QUOTA, SCREENED_OUT, WITHDRAWN
from experiments.study.look import shown_look
from experiments.study.packages import browser_modules_of, changed_package
from participants.authentication import cookie_name, may_preview, session_of
from participants.codes import normalised_withdrawal_code
from participants.erasure.withdrawal import loss_of, participant_by_code, withdraw
from participants.limits.guessing import FOUND_IDS, guesser
from participants.limits.throttling import WithdrawalThrottle
from participants.models import Session
from participants.refusals import Refusal, already_taken_part
from participants.session.coming_back import is_another, refuse_guessed_ids, session_of_identity
from participants.session.completing import lacks_answers
from participants.session.endings import Ending, ending_before_start, ending_of, ending_of_closed
from participants.session.facts import study_facts
from participants.session.recruitment import Arrival, arrival_from, link_incomplete, why_kept_out
from participants.session.rows import in_own_language
from participants.session.starting import why_closed
from participants.session.supervision import is_supervised
from participants.views.coming_back import ask_for_code, please_wait
from participants.views.of_study import (
    in_asked_language,
    in_language_of_session,
    in_language_of_study,
    landing_config,
    language_query,
    language_switch,
    wording_of,
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is."""
    return render(request, "participants/home.html", {"laboratory": settings.LABORATORY})


@require_safe
def plugin_module(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the browser module of a package's plugin whose content has this SHA-256. It can never change."""
    module = module_with(digest)
    if module is None:
        raise Http404
    answer = HttpResponse(module.source, content_type="text/javascript; charset=utf-8")
    patch_cache_control(answer, public=True, immutable=True, max_age=31_536_000)
    answer["Cross-Origin-Resource-Policy"] = "same-origin"
    return answer


@never_cache
@require_safe
@in_language_of_study
def landing(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Landing, check and consent on one page; or why nobody can start."""
    here = session_of(request, study.slug)
    facts = study_facts(study)
    # Of a parameter that is there twice the first counts, as in the browser.
    arrival = arrival_from(study, {name: values[0] for name, values in request.GET.lists()})
    # A session in this browser is ignored if the link names another person.
    session = None if here and arrival.identity and is_another(here, arrival.identity) else here
    config = landing_config(study, here, facts)
    known = None
    if session is None and arrival.identity:
        sender = guesser(request, study.slug, arrival.identity.source)
        try:
            refuse_guessed_ids(arrival.identity, sender=sender)
        except Refusal as guessed:
            return please_wait(request, study, guessed)
        known = session_of_identity(study, arrival.identity)
        if known is not None and not arrival.opens_session:
            FOUND_IDS.note(sender, arrival.identity.external_id)
            return ask_for_code(request, study, known, config)
        if known is not None and known.study.language != study.language:
            # A session stays in its language, whatever a link says.
            given = request.GET.copy()
            given[PARAMETER] = known.study.language
            return redirect(f"{request.path}?{given.urlencode()}")
    # The person whose link opens a session continues, or is led back, whatever the state of the study for others.
    is_closed = study.status == Study.Status.CLOSED
    # Sessions with all answers are completed although the study was closed.
    goes_on = known is not None and known.status == Session.Status.RUNNING and not (is_closed and lacks_answers(known))
    if session is None and not goes_on and (known is not None or facts["state"] != "open"):
        context = {"study": study, "config": config, **_cannot_start(study, arrival, known)}
        context["language_switch"] = [] if known else language_switch(study, request)
        if study.is_frozen:
            context["look"] = shown_look(study)
        return render(request, "participants/cannot_start.html", context)
    if session is None and arrival.lacking:
        refusal = link_incomplete(arrival.lacking)
        context = {"study": study, "config": config, "heading": _("Your link is not complete")}
        context["look"] = shown_look(study)
        return render(request, "participants/cannot_start.html", {**context, "message": refusal.message})
    kept_out = why_kept_out(study, arrival.identity) if session is None and known is None else None
    if kept_out:
        context = {"study": study, "config": config, "heading": _("Thank you for your interest")}
        context |= {"message": kept_out.message, "ending": ending_before_start(study, arrival, SCREENED_OUT)}
        context |= {"look": shown_look(study), "language_switch": language_switch(study, request)}
        return render(request, "participants/cannot_start.html", context)
    context = {
        "study": study,
        "facts": facts,
        "welcome": facts["welcome"]["blocks"],
        "consent_blocks": facts["consent"]["blocks"],
        "minutes": facts["measured_minutes"] or facts["estimated_minutes"],
        "needs": [_NEEDS[name] for name in facts["requirements"] if name in _NEEDS],
        "needs_computer": bool(set(facts["requirements"]) & set(_NEEDS)),
        "session": session,
        "resume_code": session.resume_code if session and not session.is_joined_by_link else "",
        "is_running": session is not None and session.status == Session.Status.RUNNING,
        "is_complete": session is not None and session.status == Session.Status.COMPLETE,
        "is_closed": is_closed,
        "ending": _ending_on_landing(session),
        "can_start": facts["state"] == "open",
        "declined": ending_before_start(study, arrival, DECLINED),
        "full": ending_before_start(study, arrival, OVER_QUOTA),
        "config": config,
        "look": shown_look(study),
        "language_switch": language_switch(study, request),
        "language_query": language_query(study),
    }
    return render(request, "participants/landing.html", context)


_NEEDS = {
    "keyboard": gettext_lazy("a keyboard"),
    "pointer": gettext_lazy("a mouse or another pointer"),
    # That keys will do as well, the check itself says to those who have no pointer.
    "pointer-or-keys": gettext_lazy("a mouse or another pointer"),
    "wide-window": gettext_lazy("a computer with a wide screen, not a telephone"),
}


def _ending_on_landing(session: Session | None) -> Ending | None:
    """Return the link back of a session that has definitely ended; its text is left to the last page.

    What the browser still holds may yet complete a session that was cut, so only the last page knows how that ended.
    """
    if session is None or session.status != Session.Status.ENDED or session.outcome == Session.Outcome.DROPPED_OUT:
        return None
    return replace(ending_of(session), text="")


def _cannot_start(study: Study, arrival: Arrival, known: Session | None) -> dict[str, Any]:
    if known is not None and known.status == Session.Status.RUNNING:
        ending = ending_of_closed(known)
        return {
            "heading": ending.heading,
            "message": ending.text,
            "is_draft": False,
            "ending": replace(ending, text=""),
        }
    if known is not None:
        said = already_taken_part().message
        return {"heading": _("Thank you"), "message": said, "is_draft": False, "ending": ending_of(known)}
    refusal = why_closed(study) or Refusal(
        "full", _("Enough people have taken part in this study. Thank you for your interest; nothing was stored.")
    )
    headings = {
        "not-open": _("This study is not open yet"),
        "closed": _("This study is closed"),
        "paused": _("This study is paused"),
        "full": _("This study is full"),
    }
    # People whom the study will never admit are led back; those who may try again stay.
    is_over = refusal.code in ("full", "closed")
    # A draft shows neither its title nor its texts.
    return {
        "heading": headings[refusal.code],
        "message": refusal.message,
        "is_draft": refusal.code == "not-open",
        "ending": ending_before_start(study, arrival, OVER_QUOTA) if is_over else Ending(),
    }


@never_cache
@require_safe
@in_language_of_session
def run(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Page of the experiment itself, for participants with a session."""
    session = session_of(request, study.slug)
    if session is None:
        return redirect("participants:landing", study.slug)
    # Its browser sends first what it still holds, which no other version of the paradigm than its own may judge.
    participant = session.participant.pseudonym if changed_package(study) is None else ""
    return _run_page(request, study, _run_config(study, mode="run", participant=participant))


@never_cache
@require_safe
@in_asked_language
def preview(request: HttpRequest, study: Study) -> HttpResponseBase:
    """The same page as a preview, with any list; nothing is stored."""
    if not may_preview(request, study):
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    config = _run_config(study, mode="preview")
    config["lists"] = [
        {"id": one.pk, "name": f"{task.name}: {one.name}" if study.has_several_tasks else one.name}
        for task in study.tasks
        for one in task.lists.all()
    ]
    if len(study.ordered_parts) > 1:
        config["parts"] = [{"id": part.name, "name": part.shown_name} for part in study.ordered_parts]
    if study.languages:
        config["languages"] = [{"id": tag, "name": own_name_of(tag)} for tag in study.all_languages]
        config["language_query"] = language_query(study)
    config["groups"] = [{"id": group["name"], "name": group["name"]} for group in study.groups]
    return _run_page(request, study, config)


def _run_page(request: HttpRequest, study: Study, config: dict[str, Any]) -> HttpResponse:
    modules = {
        plugin: (reverse("participants:plugin-module", args=[module.digest]), module.integrity)
        for plugin, module in browser_modules_of(study).items()
    }
    if modules:
        config["modules"] = {plugin: address for plugin, (address, _integrity) in modules.items()}
    return render(
        request,
        "participants/run.html",
        {"study": study, "config": config, "modules": list(modules.values()), "look": config["look"]},
    )


def _run_config(study: Study, *, mode: str, participant: str = "") -> dict[str, Any]:
    return {
        "slug": study.slug,
        "title": study.title,
        "language": study.participants_language,
        **wording_of(study),
        "mode": mode,
        "participant": participant,
        "contact": study.contact,
        "responsible": study.responsible,
        "api": f"/api/studies/{study.slug}/",
        "supervised": mode == "run" and is_supervised(study),
        # For the last page: nothing of it is shown during the trials.
        "look": shown_look(study),
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_language_of_study
def withdrawal(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Ask for the withdrawal code, name what will be lost, erase it."""
    context: dict[str, Any] = {"study": study, "look": shown_look(study) if study.is_frozen else {}}
    context["language_switch"] = language_switch(study, request) if study.is_frozen else []
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
    own = participant.sessions.select_related("study", "participant").first()
    context["ending"] = ending_of(in_own_language(own), WITHDRAWN) if own is not None else None
    withdraw(participant, by_participant=True)
    # Under this name their browser keeps what it has not sent yet; the page lets it forget that.
    context["pseudonym"] = participant.pseudonym
    answer = render(request, "participants/withdrawn.html", context)
    if is_own:
        answer.delete_cookie(cookie_name(study.slug), path="/", samesite="Lax")
    return answer
