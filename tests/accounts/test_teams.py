"""Teams: who makes them, who is in them, and that a role by a team comes and goes at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from experiments.models import AuditEntry, Membership, Study, Team, TeamMember, TeamShare
from experiments.study.access import GUESTS, can_code, role_in, studies_for, studies_to_code, studies_with_data_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(django_user_model: Any) -> dict[str, Any]:
    return {
        name: django_user_model.objects.create_user(name, is_staff=True, is_superuser=name == "root")
        for name in ("lead", "member", "outsider", "root")
    }


@pytest.fixture
def clients(people: dict[str, Any]) -> dict[str, Client]:
    made = {}
    for name, user in people.items():
        made[name] = Client()
        made[name].force_login(user)
    return made


@pytest.fixture
def team(clients: dict[str, Client]) -> Team:
    assert clients["lead"].post("/admin/teams/", {"name": "Laboratory"}).status_code == 302
    made = Team.objects.get()
    assert clients["lead"].post(f"/admin/teams/{made.pk}/", {"username": "member"}).status_code == 302
    return made


@pytest.fixture
def study(people: dict[str, Any]) -> Study:
    given = {"slug": "shared", "title": "Shared", "owner": people["lead"], "paradigm": "rating"}
    return Study.objects.create(**given)


def test_an_outsider_finds_no_team_and_a_member_changes_none(clients: dict[str, Client], team: Team) -> None:
    here = f"/admin/teams/{team.pk}/"
    assert clients["outsider"].get(here).status_code == 404
    assert clients["outsider"].post(here, {"username": "outsider"}).status_code == 404
    assert "Laboratory" not in clients["outsider"].get("/admin/teams/").content.decode()
    page = clients["member"].get(here).content.decode()
    assert "lead" in page
    assert clients["member"].post(here, {"username": "outsider"}).status_code == 403
    assert clients["member"].post(f"{here}delete/").status_code == 403
    assert clients["member"].get(f"{here}delete/").status_code == 403
    assert team.members.count() == 2


def test_members_leave_by_themselves_and_remove_nobody_else(
    clients: dict[str, Client], team: Team, people: dict[str, Any]
) -> None:
    there = f"/admin/teams/{team.pk}/people"
    assert clients["member"].post(f"{there}/{people['lead'].pk}/remove/").status_code == 403
    assert clients["member"].post(f"{there}/{people['member'].pk}/remove/").status_code == 302
    assert list(team.members.values_list("user__username", flat=True)) == ["lead"]


def test_a_share_gives_the_role_and_leaving_takes_it_at_once(
    clients: dict[str, Client], team: Team, people: dict[str, Any], study: Study
) -> None:
    address = f"/admin/studies/{study.slug}/settings/teams/"
    assert clients["member"].post(address, {"share-team": team.pk, "share-role": "editor"}).status_code == 404
    assert clients["lead"].post(address, {"share-team": team.pk, "share-role": "editor"}).status_code == 302
    member = people["member"]
    assert role_in(member, study) == "editor"
    clients["lead"].post(f"/admin/teams/{team.pk}/people/{member.pk}/remove/")
    assert role_in(member, study) == ""
    assert study not in studies_with_data_for(member)
    said = list(study.audit_entries.order_by("pk").values_list("action", "detail"))
    assert said == [("team added", "Laboratory: editor"), ("team member removed", "Laboratory: member")]


def test_nobody_shares_with_a_team_of_others(clients: dict[str, Client], team: Team, study: Study) -> None:
    other = Team.objects.create(name="Others")
    address = f"/admin/studies/{study.slug}/settings/teams/"
    assert clients["lead"].post(address, {"share-team": other.pk, "share-role": "viewer"}).status_code == 422
    assert not TeamShare.objects.exists()


def test_the_strongest_role_counts_and_ones_own_stays(
    clients: dict[str, Client], team: Team, people: dict[str, Any], study: Study
) -> None:
    member = people["member"]
    Membership.objects.create(study=study, user=member, role="coder")
    TeamShare.objects.create(study=study, team=team, role="data")
    assert role_in(member, study) == "data"
    # Both hold: what is coded by right of one's own, and what is seen by the team's.
    assert can_code(member, study)
    assert study in studies_to_code(member)
    assert study not in studies_for(member)
    TeamShare.objects.update(role="viewer")
    assert role_in(member, study) == "viewer"
    assert studies_for(member).filter(pk=study.pk).count() == 1
    clients["lead"].post(f"/admin/studies/{study.slug}/settings/teams/{team.pk}/remove/")
    assert role_in(member, study) == "coder"


def test_data_alone_codes_nothing(people: dict[str, Any], study: Study) -> None:
    Membership.objects.create(study=study, user=people["member"], role="data")
    assert not can_code(people["member"], study)
    assert study not in studies_to_code(people["member"])


def test_guests_make_no_teams_and_administrators_change_all(
    clients: dict[str, Client], team: Team, people: dict[str, Any]
) -> None:
    people["outsider"].groups.add(Group.objects.get_or_create(name=GUESTS)[0])
    assert clients["outsider"].post("/admin/teams/", {"name": "Mine"}).status_code == 403
    assert clients["root"].post(f"/admin/teams/{team.pk}/", {"username": "outsider"}).status_code == 302
    assert TeamMember.objects.filter(user=people["outsider"]).exists()
    assert clients["root"].post(f"/admin/teams/{team.pk}/delete/").status_code == 302
    assert not Team.objects.exists()
    assert AuditEntry.objects.filter(study=None, action="team deleted").exists()


def test_a_name_is_given_once_and_a_person_who_is_not_there_is_refused(clients: dict[str, Client], team: Team) -> None:
    assert clients["member"].post("/admin/teams/", {"name": "laboratory"}).status_code == 422
    assert clients["lead"].post(f"/admin/teams/{team.pk}/", {"username": "nobody"}).status_code == 422
    page = clients["lead"].get("/admin/teams/").content.decode()
    assert '<td class="num">2</td>' in page
