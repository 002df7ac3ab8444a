"""Pages for monitoring a study: overview, table of participants, payment, recruitment ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import (
    Case,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.languages import in_language
from experiments.study.packages import changed_package
from experiments.views.listings import Column, table_of
from experiments.views.page import StudyView
from participants.erasure.identities import erase_identities
from participants.erasure.whole_studies import is_due, last_erased
from participants.models import RecruitmentIdentity, Response, Session, Trial
from participants.session.answered import A_PAGE
from participants.session.assigned import ListOfTask, shown_lists
from participants.session.figures import figures_for_page
from participants.session.planned_exclusion import judge_finished, rule_in_words
from participants.watching.flow import Flow, flow_of
from participants.watching.monitoring import overview, place_condition, place_in
from participants.watching.payment import payment_csv
from participants.watching.simulations import kinds_of, simulated_are_shown

PLACES = {
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "sent_away": gettext_lazy("Screened out or over quota"),
    "dropped": gettext_lazy("Dropped out"),
    "excluded": gettext_lazy("Excluded"),
    "ruled_out": gettext_lazy("Excluded by a planned rule"),
}
COLUMNS = [
    Column("participant", gettext_lazy("Participant"), order_by=("participant__pseudonym",)),
    Column("list", gettext_lazy("List"), order_by=("list__item_set", "list__index")),
    Column("status", gettext_lazy("State"), order_by=("is_excluded", "planned_exclusion", "status", "last_seen_at")),
    Column("progress", gettext_lazy("Answered"), order_by=("answered",), numeric=True),
    Column("started", gettext_lazy("Started"), order_by=("started_at",)),
    Column("duration", gettext_lazy("Minutes"), order_by=("duration",), numeric=True),
    Column("notes", gettext_lazy("Data quality"), order_by=("-interrupted", "-away")),
]


class WatchView(StudyView):
    """A page of the step Monitor."""

    step = "watch"

    def simulated(self) -> bool:
        """Return whether simulated sessions are asked for; where only simulated ones exist they are shown."""
        return simulated_are_shown(self.study, asked=self.request.GET.get("of"))

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
        return kinds_of(self.study)

    def url(self, name: str, *arguments: str) -> str:
        """Return the address of another page of this step."""
        return reverse(f"watch:{name}", args=[self.study.slug, *arguments])


class EditorsView(WatchView):
    """A page that is there only for people who may edit the study, and that no browser keeps."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response.headers["Cache-Control"] = "no-store"
        return response

    def refuse_viewers(self) -> None:
        """Raise Http404 for those who may only look."""
        if not self.can_edit:
            raise Http404(_("There is no such page."))


class Watch(WatchView):
    """How the study is going."""

    is_about_data = True
    template_name = "watch/watch.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        simulated = self.simulated()
        shown = overview(self.study, simulated=simulated)
        identities = RecruitmentIdentity.objects.filter(study=self.study).count() if self.is_owner else 0
        has_ways = len(self.study.ordered_parts) > 1 or self.study.groups or self.study.sources
        return self.page(
            overview=shown,
            flow=flow_of(self.study, simulated=simulated) if has_ways else Flow(),
            is_simulated=simulated,
            kinds=self.kinds(),
            of="simulated" if simulated else "real",
            identities=identities,
            is_due=is_due(self.study),
            erased=last_erased(self.study),
            changed_package=changed_package(self.study),
            notes=[note for path in settings.WATCH_NOTES if (note := import_string(path)(self.study))],
        )


@dataclass(frozen=True)
class SessionRow:
    """A session in the table of participants."""

    session: Session
    place: str
    place_label: Any
    minutes: float | None
    lists: list[ListOfTask]
    # The rule of the plan that excludes it.
    rule: str


class Participants(WatchView):
    """All sessions of the study in a table."""

    is_about_data = True
    template_name = "watch/participants.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        simulated = self.simulated()
        judge_finished(self.study, most=A_PAGE)
        to_come = figures_for_page(self.study, simulated=simulated)
        sessions = (
            Session.objects.filter(study=self.study, is_simulated=simulated)
            .select_related("participant", "list", "study")
            .prefetch_related("further_lists__list")
            .annotate(
                answered=_kept_or_counted("answered", _responses()),
                total=_kept_or_counted("trials", Trial.objects.filter(session=OuterRef("pk")).values("session")),
                interrupted=_kept_or_counted("interrupted", _responses(interrupted=True)),
                away=_kept_or_counted("away", _responses(focus_losses__gt=0)),
                duration=ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField()),
            )
        )
        table = table_of(
            request,
            sessions,
            columns=COLUMNS,
            default_sort="-started",
            search_in=("participant__pseudonym", "exclusion_reason", "planned_exclusion"),
            filters={"state": [(place, label, place_condition(self.study, place)) for place, label in PLACES.items()]},
        )
        return self.page(
            table=table,
            rows=[self._row(session) for session in table.page],
            figures_to_come=to_come,
            is_simulated=simulated,
            has_identities=RecruitmentIdentity.objects.filter(study=self.study).exists(),
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
            lists=shown_lists(session, self.study),
            rule=in_language(rule_in_words(self.study, session.planned_exclusion or "")),
        )


def _responses(**condition: Any) -> QuerySet[Any]:
    """Return the responses of the session of a row for which a condition holds, as one group."""
    return Response.objects.filter(trial__session=OuterRef("pk"), **condition).values("trial__session")


def _kept_or_counted(name: str, rows: QuerySet[Any]) -> Case:
    """Return one of the figures of a finished session, empty until they are made; of another, the number of rows."""
    number = rows.order_by().annotate(number=Count("pk")).values("number")
    counted = Coalesce(Subquery(number), Value(0))
    return Case(When(status=Session.Status.COMPLETE, then=F(f"figures__{name}")), default=counted)


class Payment(WatchView):
    """Table of participants to pay, only for the owner, because it contains recruitment ids."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_owner:
            raise Http404(_("There is no such page."))
        table, _number = payment_csv(self.study, user=request.user)
        return HttpResponse(
            table,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{self.study.slug}-payment.csv"',
                "Cache-Control": "no-store",
            },
        )


class EraseIdentities(WatchView):
    """Erases all recruitment ids of a study and keeps the data."""

    changes_need = "owner"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_owner:
            raise Http404(_("There is no such page."))
        number = RecruitmentIdentity.objects.filter(study=self.study).count()
        return self.page(
            heading=_("Erase the recruitment ids?"),
            sentences=[_("All answers stay, under their pseudonyms. Do this when everybody has been paid.")],
            losses=[
                ngettext("%(n)d recruitment id", "%(n)d recruitment ids", number) % {"n": number},
                _("the possibility to recognise by a recruitment id that somebody has already taken part"),
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
