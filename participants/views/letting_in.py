"""Give out one-time resume codes to participants who cannot come back by themselves."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from participants.models import RecruitmentIdentity, Session
from participants.refusals import Refusal
from participants.sealing import keyed_digest
from participants.session.coming_back import give_one_time_code
from participants.views.watching import WatchView


class _GivesCode(WatchView):
    http_method_names = ["post"]

    def give(self, session: Session) -> None:
        """Show a new one-time code, or say that the session is over."""
        try:
            code = give_one_time_code(session, user=self.request.user)
        except Refusal:
            messages.error(self.request, _("This session is over; there is nothing to continue. No code was made."))
            return
        messages.success(
            self.request,
            _(
                "The one-time resume code is %(code)s. It is shown only now, works once and for a week. Tell it to the "
                "participant, who opens %(address)s and types it there."
            )
            % {
                "code": code,
                "address": self.request.build_absolute_uri(f"{self.study.get_absolute_url()}continue/"),
            },
        )


class LetIn(_GivesCode):
    """A code for the participant with a pseudonym."""

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        self.give(self.session(pseudonym))
        if request.POST.get("from") == "supervision":
            return redirect(self.url("supervision"))
        return redirect(self.url("participant", pseudonym))


class LetInById(_GivesCode):
    """A code for the participant with a recruitment id. Which pseudonym goes with the id is not shown."""

    def post(self, request: HttpRequest) -> HttpResponseBase:
        typed = request.POST.get("recruitment_id", "").strip()[:200]
        found = (
            RecruitmentIdentity.objects.filter(study=self.study, external_id_hash=keyed_digest(typed)) if typed else []
        )
        sessions = list(
            Session.objects.filter(participant__recruitment__in=found).select_related("study", "participant")
        )
        if len(sessions) == 1:
            self.give(sessions[0])
        elif sessions:
            messages.error(
                request,
                _(
                    "Several sources have a person with this id. Open the page of the participant and make the "
                    "code there."
                ),
            )
        else:
            messages.error(request, _("Nobody with this recruitment id has begun this study. No code was made."))
        return redirect(self.url("participants"))
