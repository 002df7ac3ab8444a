"""Pages of teams: people who get roles in studies together.

Everybody who makes studies makes teams and leads those they made. Leads and administrators add and remove people, and
rename and delete the team; everybody in a team sees who is in it. A team does not exist for anybody else.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.models import Team, TeamMember
from experiments.study.access import may_make_studies, researcher_of
from experiments.study.audit import record, record_of_platform
from experiments.views.page import ResearcherView, refuse_guests

# Of one person, so that nobody fills the table.
MOST_TEAMS = 50
MOST_MEMBERS = 200


def teams_of(user: Any) -> QuerySet[Team]:
    """Return the teams that somebody sees: their own, and for administrators all."""
    if user.is_superuser:
        return Team.objects.all()
    return Team.objects.filter(pk__in=TeamMember.objects.filter(user=user).values("team"))


def leads(user: Any, team: Team) -> bool:
    """Return whether somebody adds people to a team and removes them."""
    return bool(user.is_superuser or team.members.filter(user=user, is_lead=True).exists())


@transaction.atomic
def make_team(name: str, user: Any) -> Team:
    """Make a team that the person leads; audited."""
    team = Team.objects.create(name=name)
    TeamMember.objects.create(team=team, user=user, is_lead=True)
    record_of_platform(action="team made", user=user, detail=name)
    return team


@transaction.atomic
def add_to_team(team: Team, person: Any, user: Any, *, is_lead: bool = False) -> None:
    """Add somebody, or make somebody of the team its lead or no lead. The studies of the team remember it."""
    TeamMember.objects.update_or_create(team=team, user=person, defaults={"is_lead": is_lead})
    _record(team, user, action="team member added", detail=f"{person}{' (lead)' if is_lead else ''}")


@transaction.atomic
def remove_from_team(team: Team, person: Any, user: Any) -> None:
    """Remove somebody; what they could do through the team ends with it. Does nothing for somebody who is not in it."""
    removed, _rows = TeamMember.objects.filter(team=team, user=person).delete()
    if removed:
        _record(team, user, action="team member removed", detail=str(person))


@transaction.atomic
def delete_team(team: Team, user: Any) -> None:
    """Delete a team; its roles in studies end with it."""
    _record(team, user, action="team deleted", detail="")
    team.delete()


def _record(team: Team, user: Any, *, action: str, detail: str) -> None:
    told = f"{team}: {detail}" if detail else str(team)
    record_of_platform(action=action, user=user, detail=told)
    for share in team.shares.select_related("study"):
        record(share.study, action=action, user=user, detail=told)


class NewTeam(forms.Form):
    """The name of a new team."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if Team.objects.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("There is a team of this name. Choose another one."))
        return name


class NewMember(forms.Form):
    """Somebody with an account who is to be in a team."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    is_lead = forms.BooleanField(label=gettext_lazy("Adds and removes people"), required=False)

    def __init__(self, *args: Any, team: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.team = team

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"]).strip()
        person = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
        if person is None:
            raise forms.ValidationError(
                _("No user has the name “%(name)s”. Invite the person by a link instead."), params={"name": name}
            )
        if self.team.members.count() >= MOST_MEMBERS:
            raise forms.ValidationError(_("The team is full. Make another one."))
        self.person = person
        return name


class Teams(ResearcherView):
    """The teams that somebody is in; administrators see all. Makes new ones."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(NewTeam())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        refuse_guests(request)
        form = NewTeam(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        user = researcher_of(request)
        if not user.is_superuser and user.teams.filter(is_lead=True).count() >= MOST_TEAMS:
            form.add_error(None, _("You lead many teams already. Delete one first."))
            return self._page(form, status=422)
        team = make_team(form.cleaned_data["name"], user)
        messages.success(request, _("The team “%(team)s” was made. Add people to it.") % {"team": team})
        return redirect("team", team.pk)

    def _page(self, form: NewTeam, *, status: int = 200) -> HttpResponseBase:
        user = researcher_of(self.request)
        found = teams_of(user).annotate(
            n_members=Count("members", distinct=True), n_studies=Count("shares", distinct=True)
        )
        context = self.frame(teams=found, form=form, makes_teams=may_make_studies(user))
        return TemplateResponse(self.request, "accounts/teams.html", context, status=status)


class TeamView(ResearcherView):
    """A page of one team. People who are not in it get 404; changes need a lead or an administrator."""

    team: Team

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        team_id = kwargs.pop("team_id")
        if request.user.is_authenticated:
            # One's own entry makes no row twice: a person is in a team once.
            team = teams_of(request.user).filter(pk=team_id).first()
            if team is None:
                raise Http404(_("There is no such team, or you are not in it."))
            self.team = team
            if request.method not in ("GET", "HEAD", "OPTIONS") and not self.may_change():
                raise PermissionDenied(_("Only the leads of the team and administrators change it."))
        return super().dispatch(request, *args, **kwargs)

    def may_change(self) -> bool:
        """Return whether the person of the request may change the team."""
        return leads(self.request.user, self.team)


class TeamPage(TeamView):
    """Who is in a team; adds people."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(NewMember(team=self.team))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = NewMember(request.POST, team=self.team)
        if not form.is_valid():
            return self._page(form, status=422)
        add_to_team(self.team, form.person, request.user, is_lead=form.cleaned_data["is_lead"])
        messages.success(request, _("%(name)s is in the team now.") % {"name": form.person})
        return redirect("team", self.team.pk)

    def _page(self, form: NewMember, *, status: int = 200) -> HttpResponseBase:
        context = self.frame(
            team=self.team,
            form=form,
            can_change=self.may_change(),
            members=self.team.members.select_related("user").order_by("user__username"),
            n_studies=self.team.shares.count(),
        )
        return TemplateResponse(self.request, "accounts/team.html", context, status=status)


class LeaveTeam(TeamView):
    """Removes somebody from a team; everybody may remove themselves."""

    def may_change(self) -> bool:
        return super().may_change() or self.kwargs["user_id"] == self.request.user.pk

    def get(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        return redirect("team", self.team.pk)

    def post(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        person = get_object_or_404(get_user_model(), pk=user_id, teams__team=self.team)
        remove_from_team(self.team, person, request.user)
        messages.success(request, _("%(name)s is not in the team any more.") % {"name": person})
        return redirect("team", self.team.pk) if teams_of(request.user).filter(pk=self.team.pk) else redirect("teams")


class DeleteTeam(TeamView):
    """Deletes a team, after asking."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.may_change():
            raise PermissionDenied(_("Only the leads of the team and administrators change it."))
        context = self.frame(team=self.team, shares=self.team.shares.count())
        return TemplateResponse(request, "accounts/delete_team.html", context)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        delete_team(self.team, request.user)
        messages.success(request, _("The team “%(team)s” was deleted.") % {"team": self.team.name})
        return redirect("teams")
