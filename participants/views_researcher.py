"""Pages on which researchers watch a study, look at single sessions, exclude them and withdraw participants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, DurationField, ExpressionWrapper, F, Q
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.records import facts, plain
from experiments.tables import Column, table_of
from experiments.views.page import StudyView
from participants.assignment import stale_after
from participants.exclusion import exclude, readmit
from participants.identities import erase_identities, masked
from participants.models import IntakeProblem, RecruitmentIdentity, Session
from participants.monitoring import overview, place_condition, place_of, quality_of
from participants.planning import paradigm_of
from participants.withdrawal import Loss, loss_of, withdraw

PLACES = {
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "dropped": gettext_lazy("Dropped out"),
    "excluded": gettext_lazy("Excluded"),
}
COLUMNS = [
    Column("participant", gettext_lazy("Participant"), order_by=("participant__pseudonym",)),
    Column("list", gettext_lazy("List"), order_by=("list__item_set", "list__index")),
    Column("status", gettext_lazy("State"), order_by=("is_excluded", "status", "last_seen_at")),
    Column("progress", gettext_lazy("Answered"), order_by=("answered",), numeric=True),
    Column("started", gettext_lazy("Started"), order_by=("started_at",)),
    Column("duration", gettext_lazy("Minutes"), order_by=("duration",), numeric=True),
    Column("notes", gettext_lazy("Worth a look"), order_by=("-interrupted", "-away")),
]


class ExclusionReason(forms.Form):
    """Why a session is left out."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy(
            "It stands in the export beside the data, so write it for those who read them later: “not a native "
            "speaker”, “same number throughout”."
        ),
    )


class WatchView(StudyView):
    """A page of the step Watch."""

    step = "watch"

    def simulated(self) -> bool:
        """Return whether simulated sessions are asked for; where only simulated ones exist they are shown."""
        asked = self.request.GET.get("of")
        if asked in ("real", "simulated"):
            return asked == "simulated"
        sessions = Session.objects.filter(study=self.study)
        return not sessions.filter(is_simulated=False).exists() and sessions.filter(is_simulated=True).exists()

    def session(self, pseudonym: str) -> Session:
        """Return the session of a participant of this study, or raise Http404."""
        found = (
            Session.objects.filter(study=self.study, participant__pseudonym=pseudonym)
            .select_related("study", "participant", "list", "excluded_by")
            .first()
        )
        if found is None:
            raise Http404(_("There is no such participant in this study. Perhaps they withdrew."))
        return found

    def kinds(self) -> dict[str, int]:
        """Return how many sessions are real and how many simulated."""
        return Session.objects.filter(study=self.study).aggregate(
            real=Count("pk", filter=Q(is_simulated=False)), simulated=Count("pk", filter=Q(is_simulated=True))
        )

    def url(self, name: str, *arguments: str) -> str:
        """Return the address of another page of this step."""
        return reverse(f"watch:{name}", args=[self.study.slug, *arguments])


class Watch(WatchView):
    """How the study is going."""

    template_name = "watch/watch.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        simulated = self.simulated()
        shown = overview(self.study, simulated=simulated)
        identities = RecruitmentIdentity.objects.filter(study=self.study).count() if self.is_owner else 0
        return self.page(
            overview=shown,
            is_simulated=simulated,
            kinds=self.kinds(),
            of="simulated" if simulated else "real",
            identities=identities,
        )


@dataclass(frozen=True)
class SessionRow:
    """A session in the table of participants."""

    session: Session
    place: str
    place_label: Any
    minutes: float | None


class Participants(WatchView):
    """All sessions of the study in a table."""

    template_name = "watch/participants.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        simulated = self.simulated()
        sessions = (
            Session.objects.filter(study=self.study, is_simulated=simulated)
            .select_related("participant", "list", "study")
            .annotate(
                answered=Count("trials__response"),
                total=Count("trials"),
                interrupted=Count("trials__response", filter=Q(trials__response__interrupted=True)),
                away=Count("trials__response", filter=Q(trials__response__focus_losses__gt=0)),
                duration=ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField()),
            )
        )
        table = table_of(
            request,
            sessions,
            columns=COLUMNS,
            default_sort="-started",
            search_in=("participant__pseudonym", "exclusion_reason"),
            filters={"state": [(place, label, place_condition(self.study, place)) for place, label in PLACES.items()]},
        )
        return self.page(
            table=table,
            rows=[self._row(session) for session in table.page],
            is_simulated=simulated,
            kinds=self.kinds(),
            reset=self.url("participants") + ("?of=simulated" if simulated else "?of=real"),
        )

    def _row(self, session: Session) -> SessionRow:
        place = place_in(session)
        return SessionRow(
            session=session,
            place=place,
            place_label=PLACES[place],
            minutes=(session.finished_at - session.started_at).total_seconds() / 60 if session.finished_at else None,
        )


def place_in(session: Session) -> str:
    """Return where a session is: excluded, finished, running or dropped."""
    return place_of(
        status=session.status,
        is_excluded=session.is_excluded,
        last_seen_at=session.last_seen_at,
        silent_since=timezone.now() - stale_after(session.study),
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


class ParticipantPage(WatchView):
    """One session: what is known of it, its quality, and every trial."""

    template_name = "watch/participant.html"

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return self.show(pseudonym, ExclusionReason())

    def show(self, pseudonym: str, form: ExclusionReason, *, status: int = 200) -> HttpResponseBase:
        """Return the page with this form for an exclusion."""
        session = self.session(pseudonym)
        place = place_in(session)
        identity = RecruitmentIdentity.objects.filter(participant=session.participant).first()
        return self.page(
            session=session,
            place=place,
            place_label=PLACES[place],
            form=form,
            quality=[(fact, plain(fact.value)) for fact in quality_of(session)],
            trials=trial_rows(session),
            browser=facts({name: value for name, value in session.client.items() if name != "opened"}),
            minutes=(session.finished_at - session.started_at).total_seconds() / 60 if session.finished_at else None,
            problems=IntakeProblem.objects.filter(session=session),
            errors=session.browser_errors.all(),
            recruitment=f"{identity.source}: {masked(identity.external_id)}" if identity and self.is_owner else "",
            status=status,
        )


def trial_rows(session: Session) -> list[TrialRow]:
    """Return all trials of a session in their order, answered or not."""
    paradigm = paradigm_of(session.study)
    factors = [factor["name"] for factor in session.study.factors]
    trials = session.trials.select_related("response", "stimulus__item", "stimulus__condition").order_by("position")
    rows = []
    for trial in trials:
        response = getattr(trial, "response", None)
        stimulus = trial.stimulus
        levels = stimulus.condition.levels if stimulus and stimulus.condition else {}
        notes = []
        if response is not None and response.interrupted:
            notes.append(_("cut, answered later"))
        if response is not None and response.focus_losses:
            notes.append(
                ngettext("left the window once", "left the window %(n)d times", response.focus_losses)
                % {"n": response.focus_losses}
            )
        if response is None and trial.opened_at:
            notes.append(_("begun, not answered"))
        measured = paradigm.measure(trial.params, response.payload, []) if response is not None else {}
        rows.append(
            TrialRow(
                number=trial.position + 1,
                phase=trial.phase,
                item=stimulus.item.code if stimulus else "",
                condition=":".join(str(levels[name]) for name in factors if name in levels),
                text=stimulus.text if stimulus else str(trial.params.get("text", "")),
                answer=_pairs(measured or (response.payload if response is not None else {})),
                rt_ms=response.rt_ms if response is not None else None,
                notes=notes,
                is_answered=response is not None,
            )
        )
    return rows


def _pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values to read in one line; what an answer holds in parts is taken apart."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            pairs += _pairs(value)
        elif isinstance(value, list | tuple):
            pairs.append((name.replace("_", " "), ", ".join(plain(each) for each in value) or "–"))
        else:
            pairs.append((name.replace("_", " "), plain(value)))
    return pairs


class Exclude(ParticipantPage):
    """Leaves a session out of the analyses, with a reason."""

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return redirect(self.url("participant", pseudonym))

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        form = ExclusionReason(request.POST)
        if not form.is_valid():
            return self.show(pseudonym, form, status=422)
        exclude(self.session(pseudonym), reason=form.cleaned_data["reason"], user=request.user)
        messages.success(request, _("%(name)s is left out of the analyses. The data are kept.") % {"name": pseudonym})
        return redirect(self.url("participant", pseudonym))


class Readmit(WatchView):
    """Takes an exclusion back."""

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        return redirect(self.url("participant", pseudonym))

    def post(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        readmit(self.session(pseudonym), user=request.user)
        messages.success(request, _("%(name)s is part of the analyses again.") % {"name": pseudonym})
        return redirect(self.url("participant", pseudonym))


class Withdraw(WatchView):
    """Erases a participant, after naming what will be lost."""

    template_name = "studies/confirm.html"

    def get(self, request: HttpRequest, pseudonym: str) -> HttpResponseBase:
        session = self.session(pseudonym)
        return self.page(
            heading=_("Withdraw %(name)s?") % {"name": pseudonym},
            sentences=[
                _(
                    "Do this when the participant asks for it. To leave a session out of the analyses and keep its "
                    "data, exclude it instead."
                ),
                _("The study remembers that somebody withdrew, and nothing else about them. The place becomes free."),
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
    if loss.event_batches:
        lines.append(
            ngettext("%(n)d batch of browser events", "%(n)d batches of browser events", loss.event_batches)
            % {"n": loss.event_batches}
        )
    if loss.problems:
        lines.append(
            ngettext("%(n)d result set aside", "%(n)d results set aside", loss.problems) % {"n": loss.problems}
        )
    if loss.browser_errors:
        lines.append(
            ngettext("%(n)d browser error", "%(n)d browser errors", loss.browser_errors) % {"n": loss.browser_errors}
        )
    if loss.has_recruitment_id:
        lines.append(_("the recruitment id, so the person can no longer be found for payment"))
    return lines


class EraseIdentities(WatchView):
    """Erases all recruitment ids of a study and keeps the data."""

    changes_need = "owner"
    template_name = "studies/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_owner:
            raise Http404(_("There is no such page."))
        number = RecruitmentIdentity.objects.filter(study=self.study).count()
        return self.page(
            heading=_("Erase the recruitment ids?"),
            sentences=[_("All answers stay, under their pseudonyms. Do this when everybody has been paid.")],
            losses=[
                ngettext("%(n)d recruitment id", "%(n)d recruitment ids", number) % {"n": number},
                _("the means to see from a recruitment id that somebody has already taken part"),
            ],
            button=_("Erase the ids"),
            is_destructive=True,
            cancel_url=self.url("watch"),
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        number = erase_identities(self.study, user=request.user)
        messages.success(
            request,
            ngettext("%(n)d recruitment id was erased.", "%(n)d recruitment ids were erased.", number) % {"n": number},
        )
        return redirect(self.url("watch"))
