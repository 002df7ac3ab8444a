"""Printable page of everything that participants read, and the entry page of preview links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from experiments.models import Part, StimulusList, Study
from experiments.paradigms.base import ShownStimulus
from experiments.procedure.sessions import session_stimuli
from experiments.procedure.texts import Page, current_text, pages_of, text_pages
from experiments.study.look import shown_look
from experiments.study.preview_links import holding_link
from participants.authentication import may_preview, preview_cookie_name
from participants.session.facts import study_facts
from participants.views.of_study import in_language_of_texts, language_switch


@dataclass(frozen=True)
class ReadPart:
    """What one part of a study says: pages of text, questions, and of a task the texts of one list."""

    part: Part
    pages: list[Page] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    stimuli: list[ShownStimulus] = field(default_factory=list)
    list_name: str = ""


@never_cache
@require_safe
def preview_link(request: HttpRequest, slug: str, token: str) -> HttpResponseBase:
    """Admit holders of a valid link, and remove its token from the URL; 404 for any other link."""
    study = Study.objects.filter(slug=slug).first()
    link = holding_link(study, token) if study else None
    if study is None or link is None:
        raise Http404
    answer = redirect("participants:reading", slug)
    answer.set_cookie(
        preview_cookie_name(slug),
        token,
        max_age=int((link.expires_at - timezone.now()).total_seconds()),
        path="/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return answer


@never_cache
@require_safe
@in_language_of_texts
def reading(request: HttpRequest, study: Study) -> HttpResponseBase:
    """Show all texts in the order in which participants meet them, of a task those of its first list."""
    if not may_preview(request, study):
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    facts = study_facts(study)
    context = {
        "study": study,
        "facts": facts,
        "minutes": facts["measured_minutes"] or facts["estimated_minutes"],
        "parts": list(_parts_of(study)),
        "debriefing": text_pages(study, "debriefing", facts["estimated_minutes"]),
        "lists": [(task, each) for task in study.tasks for each in task.lists.all()],
        "read_at": timezone.now(),
        "look": shown_look(study),
        "language_switch": language_switch(study, request),
    }
    return render(request, "participants/reading.html", context)


def _as_shown(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question with its choices as they are shown."""
    said = question.get("said", {})
    return {**question, "choices": [said.get(choice, choice) for choice in question.get("choices", [])]}


def _parts_of(study: Study) -> Iterator[ReadPart]:
    for part in study.ordered_parts:
        match part.kind:
            case Part.Kind.TASK:
                shown = StimulusList.objects.filter(part=part).first()
                pages = pages_of(current_text(study, "instructions", part), study)
                stimuli = session_stimuli(part, shown)
                yield ReadPart(part, pages, stimuli=stimuli, list_name=shown.name if shown else "")
            case Part.Kind.QUESTIONNAIRE:
                yield ReadPart(part, questions=[_as_shown(question) for question in part.questions])
            case _:
                yield ReadPart(part, pages_of(part, study))
