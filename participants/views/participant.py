"""Page of one participant for researchers: every trial, exclusion with a reason, withdrawal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.formats.media_names import text_or_files
from experiments.labels import in_list
from experiments.paradigms import paradigm_behind
from experiments.views.records import facts, plain
from participants.erasure.identities import masked
from participants.erasure.withdrawal import Loss, loss_of, withdraw
from participants.models import IntakeProblem, RecruitmentIdentity, Session
from participants.session.answered import events_by_trial
from participants.session.assigned import shown_lists
from participants.session.planned_exclusion import rule_in_words
from participants.views.erasing import beside_answers
from participants.views.watching import PLACES, WatchView
from participants.watching.course import sparkline
from participants.watching.exclusion import exclude, readmit
from participants.watching.monitoring import place_in
from participants.watching.session_quality import QualityFact, flags_of, quality_of


class ExclusionReason(forms.Form):
    """Form for the reason of an exclusion."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy(
            "The export shows the reason next to the data, so write it for people who read the data later: “not "
            "a native speaker”, “same number throughout”."
        ),
    )


@dataclass(frozen=True)
class TrialRow:
    """A trial as the page of a participant shows it."""

    number: int
    phase: str
    item: str
    condition: str
    text: str
    answer: list[tuple[str, str]]
    rt_ms: float | None
    notes: list[str]
    is_answered: bool
    can_be_replayed: bool
    position: int


class ParticipantPage(WatchView):
    """One session: its facts, its quality, and every trial."""

    is_about_data = True
    template_name = "watch/participant.html"

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return self.show(pseudonym, ExclusionReason())

    def show(self, pseudonym: str, form: ExclusionReason, *, status: int = 200) -> HttpResponseBase:
        """Return the page with this form for an exclusion."""
        session = self.session(pseudonym)
        place = place_in(session)
        identity = RecruitmentIdentity.objects.filter(participant=session.participant).first()
        trials = trial_rows(session)
        return self.page(
            session=session,
            place=place,
            place_label=PLACES[place],
            rule=rule_in_words(self.study, session.planned_exclusion or ""),
            form=form,
            quality_flags=flags_of(session),
            quality=[(fact, called(fact), plain(fact.value)) for fact in quality_of(session)],
            trials=trials,
            sparkline=sparkline([row.rt_ms for row in trials if row.phase == "main"]),
            lists=shown_lists(session, self.study),
            browser=facts({name: value for name, value in session.client.items() if name != "opened"}),
            minutes=(session.finished_at - session.started_at).total_seconds() / 60 if session.finished_at else None,
            problems=IntakeProblem.objects.filter(session=session),
            errors=session.browser_errors.all(),
            recruitment=f"{identity.source}: {masked(identity.external_id)}" if identity and self.is_owner else "",
            status=status,
        )


def called(fact: QualityFact) -> str:
    """Return what a quality measure is called: its label, of several tasks after that of the task."""
    return f"{fact.task}: {in_list(fact.measure)}" if fact.task else in_list(fact.measure)


def trial_rows(session: Session) -> list[TrialRow]:
    """Return all trials of a session in their order, answered or not, each as its part has it."""
    trials = session.trials.select_related("part", "response", "stimulus__item", "stimulus__condition")
    events = events_by_trial(session)
    rows = []
    for trial in trials.order_by("position"):
        paradigm = paradigm_behind(trial.part.paradigm)
        response = getattr(trial, "response", None)
        stimulus = trial.stimulus
        levels = stimulus.condition.levels if stimulus and stimulus.condition else {}
        notes = []
        if response is not None and response.interrupted:
            notes.append(_("interrupted, answered later"))
        if response is not None and response.focus_losses:
            notes.append(
                ngettext("left the window once", "left the window %(n)d times", response.focus_losses)
                % {"n": response.focus_losses}
            )
        if response is not None and response.translated:
            notes.append(_("the page was translated"))
        if response is not None and response.out_of_view:
            notes.append(_("not completely in the window: %(n)d") % {"n": response.out_of_view})
        if response is not None and response.draft_restored:
            notes.append(_("continued a text that was typed before the page was reloaded"))
        if response is not None and response.page_slept_ms:
            notes.append(_("the page stood still for %(n)d s") % {"n": round(response.page_slept_ms / 1000)})
        if response is None and trial.opened_at:
            notes.append(_("begun, not answered"))
        params = {**trial.params, **trial.private}
        measured = paradigm.measure(params, response.payload, events.get(trial.pk, [])) if response is not None else {}
        rows.append(
            TrialRow(
                number=trial.position + 1,
                phase=trial.phase,
                item=stimulus.item.code if stimulus else "",
                condition=""
                if paradigm.shows_several
                else ":".join(str(levels[one["name"]]) for one in trial.part.factors if one["name"] in levels),
                text=(
                    paradigm.shown_text(params)
                    if paradigm.shows_several or not stimulus
                    else text_or_files(stimulus.text, stimulus.extra)
                ),
                answer=_pairs(measured or (response.payload if response is not None else {})),
                rt_ms=response.rt_ms if response is not None else None,
                notes=notes,
                is_answered=response is not None,
                can_be_replayed=response is not None and paradigm.replay(params, response.payload) is not None,
                position=trial.position,
            )
        )
    return rows


def _pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values to read in one line; what an answer holds in parts is taken apart.

    >>> _pairs({"typed_text": "a cat", "taps": [{"key": "f", "ms": 312.5}, {"key": "j", "ms": 400}], "edits": []})
    [('typed text', 'a cat'), ('taps', 'key f, ms 312.5; key j, ms 400'), ('number of corrections', '–')]
    """
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            pairs += _pairs(value)
        else:
            pairs.append((in_list(name), _in_one_line(value)))
    return pairs


def _in_one_line(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{in_list(str(name))} {_in_one_line(each)}" for name, each in value.items()) or "–"
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(each, Mapping | list | tuple) for each in value) else ", "
        return between.join(_in_one_line(each) for each in value) or "–"
    return plain(value)


class Exclude(ParticipantPage):
    """Exclude a session from the analyses, with a reason."""

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return redirect(self.url("participant", pseudonym))

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        form = ExclusionReason(request.POST)
        if not form.is_valid():
            return self.show(pseudonym, form, status=422)
        exclude(self.session(pseudonym), reason=form.cleaned_data["reason"], user=request.user)
        messages.success(request, _("%(name)s is excluded from the analyses. The data are kept.") % {"name": pseudonym})
        return redirect(self.url("participant", pseudonym))


class Readmit(WatchView):
    """Undo an exclusion."""

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return redirect(self.url("participant", pseudonym))

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        readmit(self.session(pseudonym), user=request.user)
        messages.success(request, _("%(name)s is part of the analyses again.") % {"name": pseudonym})
        return redirect(self.url("participant", pseudonym))


class Withdraw(WatchView):
    """Erases a participant, after naming what will be lost."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        session = self.session(pseudonym)
        return self.page(
            heading=_("Withdraw %(name)s?") % {"name": pseudonym},
            sentences=[
                _(
                    "Do this if the participant asks for it. To keep the data but not analyse them, exclude the "
                    "session instead."
                ),
                _(
                    "The study keeps only that somebody withdrew, and nothing else about them. Their place becomes "
                    "free."
                ),
            ],
            losses=loss_lines(loss_of(session.participant)),
            button=_("Erase everything"),
            is_destructive=True,
            cancel_url=self.url("participant", pseudonym),
        )

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        withdraw(self.session(pseudonym).participant, by_participant=False, user=request.user)
        messages.success(request, _("Everything about %(name)s was erased.") % {"name": pseudonym})
        return redirect(self.url("participants"))


def loss_lines(loss: Loss) -> list[str]:
    """Return what a withdrawal erases, one line for each kind."""
    lines = [
        _("the finished session with its consent")
        if loss.is_complete
        else _("the unfinished session with its consent"),
        ngettext("%(n)d answer", "%(n)d answers", loss.responses) % {"n": loss.responses},
    ]
    lines += beside_answers(loss)
    if loss.has_recruitment_id:
        lines.append(_("the recruitment id, so you can no longer find the person for payment"))
    return lines
