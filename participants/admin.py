"""Read-only Django admin for participants, sessions, trials and responses. Exclusion and withdrawal are on the study's
pages.

Recruitment ids, session tokens and withdrawal codes are deliberately left out.
"""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from experiments.views.records import RecordAdmin, facts
from participants.models import Participant, Response, Session, Trial


@admin.register(Participant)
class ParticipantAdmin(RecordAdmin):
    """Pseudonyms by study."""

    list_display = ["pseudonym", "study", "simulated", "created_at"]
    list_filter = ["is_simulated"]
    list_select_related = ["study"]
    search_fields = ["pseudonym", "study__slug", "study__title"]
    fields = ["pseudonym", "study", "simulated", "created_at"]
    readonly_fields = ["simulated"]

    @admin.display(description=_("Kind"), ordering="is_simulated")
    def simulated(self, participant: Participant) -> str:
        return str(_("simulated")) if participant.is_simulated else ""


@admin.register(Session)
class SessionAdmin(RecordAdmin):
    """Sessions with their list, their state and what the browser said about itself."""

    list_display = ["participant", "study", "list_name", "status", "excluded", "started_at", "finished_at"]
    list_filter = ["status", "is_excluded", "is_simulated"]
    list_select_related = ["participant", "study", "list"]
    search_fields = ["participant__pseudonym", "study__slug", "study__title"]
    fields = [
        "participant", "study", "list_name", "status", "study_version", "language", "is_simulated", "started_at",
        "last_seen_at", "finished_at", "consent_version", "consent_given_at", "consent_statements", "browser",
        "is_excluded", "exclusion_reason", "excluded_by", "excluded_at",
    ]  # fmt: skip
    readonly_fields = ["list_name", "consent_statements", "browser"]

    @admin.display(description=_("List"))
    def list_name(self, session: Session) -> str:
        return session.list.name if session.list else "–"

    @admin.display(description=_("Excluded"), ordering="is_excluded")
    def excluded(self, session: Session) -> str:
        return str(_("excluded")) if session.is_excluded else ""

    @admin.display(description=_("Optional statements"))
    def consent_statements(self, session: Session) -> SafeString | str:
        return facts(session.consent_choices)

    @admin.display(description=_("Browser"))
    def browser(self, session: Session) -> SafeString | str:
        return facts({name: value for name, value in session.client.items() if name != "opened"})


@admin.register(Trial)
class TrialAdmin(RecordAdmin):
    """Trials with exactly what was shown."""

    study_lookup = "session__study"
    list_display = ["participant", "study", "number", "phase", "plugin", "text"]
    list_filter = ["phase"]
    search_fields = ["session__participant__pseudonym", "session__study__slug"]
    fields = ["participant", "study", "number", "phase", "plugin", "text", "shown"]
    readonly_fields = ["participant", "study", "number", "text", "shown"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Trial]:
        return super().get_queryset(request).select_related("session__participant", "session__study", "stimulus")

    @admin.display(description=_("Participant"), ordering="session__participant__pseudonym")
    def participant(self, trial: Trial) -> str:
        return trial.session.participant.pseudonym

    @admin.display(description=_("Study"), ordering="session__study__slug")
    def study(self, trial: Trial) -> str:
        return trial.session.study.title

    @admin.display(description=_("Trial"), ordering="position")
    def number(self, trial: Trial) -> int:
        return trial.position + 1

    @admin.display(description=_("Text"))
    def text(self, trial: Trial) -> str:
        return trial.stimulus.text if trial.stimulus else "–"

    @admin.display(description=_("Shown"))
    def shown(self, trial: Trial) -> SafeString | str:
        return facts(trial.params)


@admin.register(Response)
class ResponseAdmin(RecordAdmin):
    """Answers exactly as they were acknowledged."""

    study_lookup = "trial__session__study"
    list_display = ["participant", "study", "number", "phase", "rt", "was_interrupted", "received_at"]
    list_filter = ["trial__phase", "interrupted"]
    search_fields = ["trial__session__participant__pseudonym", "trial__session__study__slug"]
    fields = [
        "participant", "study", "number", "phase", "text", "answer", "rt_ms", "onset_ms", "clock", "onset_error_ms",
        "interrupted", "attempts", "focus_losses", "translated", "out_of_view", "draft_restored", "page_slept_ms",
        "event_batches", "content_hash", "received_at",
    ]  # fmt: skip
    readonly_fields = ["participant", "study", "number", "phase", "text", "answer"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Response]:
        return (
            super()
            .get_queryset(request)
            .select_related("trial__session__participant", "trial__session__study", "trial__stimulus")
        )

    @admin.display(description=_("Participant"), ordering="trial__session__participant__pseudonym")
    def participant(self, response: Response) -> str:
        return response.trial.session.participant.pseudonym

    @admin.display(description=_("Study"), ordering="trial__session__study__slug")
    def study(self, response: Response) -> str:
        return response.trial.session.study.title

    @admin.display(description=_("Trial"), ordering="trial__position")
    def number(self, response: Response) -> int:
        return response.trial.position + 1

    @admin.display(description=_("Phase"), ordering="trial__phase")
    def phase(self, response: Response) -> str:
        return response.trial.phase

    @admin.display(description=_("Text"))
    def text(self, response: Response) -> str:
        return response.trial.stimulus.text if response.trial.stimulus else "–"

    @admin.display(description=_("Answer"))
    def answer(self, response: Response) -> SafeString | str:
        return facts(response.payload)

    @admin.display(description=_("Notes"), ordering="interrupted")
    def was_interrupted(self, response: Response) -> str:
        return str(_("interrupted")) if response.interrupted else ""

    @admin.display(description=_("Response time (ms)"), ordering="rt_ms")
    def rt(self, response: Response) -> str:
        return "–" if response.rt_ms is None else f"{response.rt_ms:.0f}"
