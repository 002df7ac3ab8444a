"""Page for experimenters in the laboratory: session codes, progress, pauses."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from participants.models import Session, SessionCode, SessionPause
from participants.refusals import Refusal
from participants.session.supervision import VALID_FOR, discard_code, hold, is_supervised, new_code, release
from participants.views.watching import WatchView

SHOWN = 50


@dataclass(frozen=True)
class SupervisedSession:
    """A code with the session that began with it, as the page shows it."""

    code: SessionCode
    is_expired: bool
    answered: int
    total: int
    pause: SessionPause | None

    @property
    def is_running(self) -> bool:
        """Whether somebody sits there now."""
        return self.code.session is not None and self.code.session.status == Session.Status.RUNNING


class SupervisionPage(WatchView):
    """Codes and sessions, the newest first."""

    template_name = "watch/supervision.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        codes = (
            SessionCode.objects.filter(study=self.study)
            .select_related("session__participant", "created_by")
            .annotate(
                answered=Count("session__trials__response"),
                total=Count("session__trials"),
            )[:SHOWN]
        )
        pauses = {
            pause.session_id: pause
            for pause in SessionPause.objects.filter(session__study=self.study, ended_at__isnull=True)
        }
        now = timezone.now()
        return self.page(
            is_supervised=is_supervised(self.study),
            sessions=[
                SupervisedSession(
                    code=code,
                    is_expired=code.session_id is None and code.created_at < now - VALID_FOR,
                    answered=code.answered,
                    total=code.total,
                    pause=pauses.get(code.session_id) if code.session_id else None,
                )
                for code in codes
            ],
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Make a code for the next session."""
        if not is_supervised(self.study) or not self.study.is_frozen:
            messages.error(request, _("You can make codes once the study is open and supervised."))
        else:
            made = new_code(self.study, user=request.user)
            messages.success(request, _("The code of the next session is %(code)s.") % {"code": made.code})
        return redirect(self.url("supervision"))


class _OfCode(WatchView):
    http_method_names = ["post"]

    def find(self, code_id: int) -> SessionCode:
        """Return a code of this study, or raise Http404."""
        found = SessionCode.objects.select_related("session__study").filter(study=self.study, pk=code_id).first()
        if found is None:
            raise Http404(_("There is no such code."))
        return found

    def running(self, code_id: int) -> Session:
        """Return the running session of a code, or raise Http404."""
        session = self.find(code_id).session
        if session is None or session.status != Session.Status.RUNNING:
            raise Http404(_("No session runs with this code."))
        return session


class DiscardCode(_OfCode):
    """Take a code back that nobody has used."""

    def post(self, request: HttpRequest, code_id: int) -> HttpResponseBase:
        discard_code(self.find(code_id))
        return redirect(self.url("supervision"))


class HoldSession(_OfCode):
    """Ask for a pause after the trial that runs."""

    def post(self, request: HttpRequest, code_id: int) -> HttpResponseBase:
        session = self.running(code_id)
        try:
            hold(session, reason=SessionPause.Reason.EXPERIMENTER)
        except Refusal as refusal:
            messages.error(request, str(refusal.message))
        else:
            messages.success(request, _("The session pauses within two trials."))
        return redirect(self.url("supervision"))


class ReleaseSession(_OfCode):
    """End a pause."""

    def post(self, request: HttpRequest, code_id: int) -> HttpResponseBase:
        release(self.running(code_id), user=request.user)
        messages.success(request, _("The pause was ended; the browser continues within seconds."))
        return redirect(self.url("supervision"))
