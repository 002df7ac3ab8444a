"""Page that replays how a text was read: which areas were visible when."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from experiments.paradigms import paradigm_behind
from participants.models import Trial
from participants.views.watching import WatchView


class Replay(WatchView):
    """One trial of one participant, played again."""

    is_about_data = True
    template_name = "watch/replay.html"

    def get(self, request: HttpRequest, pseudonym: str, position: int) -> HttpResponseBase:
        session = self.session(pseudonym)
        trials = Trial.objects.filter(session=session).select_related(
            "part", "response", "stimulus__item", "stimulus__condition__part"
        )
        trial = trials.filter(position=position).first()
        replay = _replay(trial)
        if trial is None or replay is None:
            raise Http404(_("There is nothing to replay: the trial was not answered, or is of another kind."))
        same_kind = trials.filter(plugin=trial.plugin, response__isnull=False)
        return self.page(
            session=session,
            trial=trial,
            number=position + 1,
            item=trial.stimulus.item.code if trial.stimulus else "",
            condition=trial.stimulus.condition.name if trial.stimulus and trial.stimulus.condition else "",
            replay=replay,
            visits=[{**visit, "duration_ms": visit["leave_ms"] - visit["enter_ms"]} for visit in replay["visits"]],
            earlier=same_kind.filter(position__lt=position).order_by("-position").first(),
            later=same_kind.filter(position__gt=position).order_by("position").first(),
        )


def _replay(trial: Trial | None) -> dict[str, Any] | None:
    response = getattr(trial, "response", None)
    if trial is None or response is None:
        return None
    return paradigm_behind(trial.part.paradigm).replay({**trial.params, **trial.private}, response.payload)
