"""The first account is made by a link that the start prints; colleagues come by links of administrators and owners."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from config.accounts import invitations
from config.accounts.models import Invitation
from config.accounts.roles import has_administrator, role_of
from experiments.models import AuditEntry, Study
from experiments.study.access import may_make_studies, role_in
from tests.accounts.conftest import PASSWORD, is_in, log_in

pytestmark = [pytest.mark.both, pytest.mark.django_db]
NEW = "seven quiet otters"


def fill_in(client: Client, path: str, *, email: str = "Grace@example.org", password: str = NEW, **more: str) -> Any:
    given = {"name": "Grace Hopper", "email": email, "password": password, "again": password, **more}
    return client.post(path, given)


@pytest.fixture
def study(researcher: Any) -> Study:
    return Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="kettles", title="Kettles", paradigm="magnitude-estimation", owner=researcher
    )


def link_in(page: str) -> str:
    found = re.search(r"http://testserver(/admin/account/invitation/\S+?/)<", page)
    assert found, page
    return found[1]


def test_the_first_link_makes_an_administrator_who_is_in_at_once(client: Client) -> None:
    path = invitations.first_link()
    assert "you are the first person here" in client.get(path).text
    answer = fill_in(client, path)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/account/welcome/")
    made = User.objects.get()
    assert (made.username, made.first_name, role_of(made)) == ("grace@example.org", "Grace Hopper", "administrator")
    page = client.get("/admin/account/welcome/").text
    assert all(way in page for way in ("Look at an example", "Make your own study", "Open a study file"))
    assert AuditEntry.objects.filter(action="account made", detail__contains="administrator, by a link").count() == 1


def test_the_first_link_works_once(client: Client) -> None:
    path = invitations.first_link()
    fill_in(client, path)
    for again in (Client().get(path), fill_in(Client(), path, email="eve@example.org")):
        assert again.status_code == 410
    assert User.objects.count() == 1


def test_the_first_link_dies_once_there_is_an_administrator(administrator: Any, client: Client) -> None:
    User.objects.all().delete()
    path = invitations.first_link()
    User.objects.create_superuser("root", password=PASSWORD)
    assert client.get(path).status_code == 410
    assert fill_in(client, path).status_code == 410
    with pytest.raises(invitations.UsedUp):
        invitations.first_link()


def test_an_administrator_who_cannot_log_in_is_none() -> None:
    User.objects.create_superuser("admin")
    assert not has_administrator()
    User.objects.create_superuser("root", password=PASSWORD)
    assert has_administrator()


def test_a_new_start_makes_the_former_link_worthless(client: Client) -> None:
    former, latest = invitations.first_link(), invitations.first_link()
    assert [client.get(path).status_code for path in (former, latest)] == [410, 200]


def test_a_link_is_stored_as_a_digest_and_ends_by_itself(client: Client) -> None:
    path = invitations.first_link()
    token = path.rstrip("/").rsplit("/", 1)[1]
    stored = Invitation.objects.get()
    assert token not in str(Invitation.objects.values().get())
    assert client.get(path.replace(token, token[:-1])).status_code == 410
    assert client.get(path.replace(token, stored.token_hash)).status_code == 410
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.get(path).status_code == 410


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"password": "short"}, "password"), ({"password": "grace@example.org"}, "password"),
     ({"again": "something else entirely"}, "again"), ({"email": "ada@example.org"}, "email"), ({"name": ""}, "name")],
)  # fmt: skip
def test_what_does_not_hold_is_said_beside_its_field_and_uses_nothing_up(
    researcher: Any, client: Client, wrong: dict[str, str], field: str
) -> None:
    path = invitations.first_link()
    answer = fill_in(client, path, **wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert fill_in(client, path).status_code == 302


def test_whoever_came_by_a_link_logs_in_with_their_address_in_any_case(client: Client) -> None:
    fill_in(client, invitations.first_link())
    other = Client()
    log_in(other, "GRACE@Example.org", NEW)
    assert is_in(other)


def test_the_log_in_page_of_a_new_platform_says_where_the_link_is(client: Client) -> None:
    assert "Nobody has an account yet" in client.get("/admin/login/").text
    User.objects.create_superuser("root", password=PASSWORD)
    assert "Nobody has an account yet" not in client.get("/admin/login/").text


def test_a_command_prints_the_first_link_and_then_invitations(client: Client) -> None:
    def printed() -> str:
        said = StringIO()
        call_command("invite", base_url="https://lab.example.org/", stdout=said, stderr=StringIO())
        address = said.getvalue().strip()
        assert address.startswith("https://lab.example.org/admin/account/invitation/")
        return address.removeprefix("https://lab.example.org")

    fill_in(client, printed())
    fill_in(Client(), printed(), email="ada@example.org")
    assert [role_of(user) for user in User.objects.order_by("pk")] == ["administrator", "researcher"]


@pytest.mark.parametrize(("role", "makes"), [("researcher", True), ("guest", False)])
def test_an_administrator_invites_and_says_in_words_what_somebody_may_do(
    administrator: Any, client: Client, role: str, makes: bool
) -> None:
    log_in(client, "root")
    path = link_in(client.post("/admin/account/invite/", {"role": role, "email": "grace@example.org"}).text)
    assert "grace@example.org" in client.get("/admin/account/invite/").text
    assert path not in client.get("/admin/account/invite/").text
    invited = Client()
    fill_in(invited, path)
    made = User.objects.get(username="grace@example.org")
    assert may_make_studies(made) is makes
    assert invited.get("/admin/studies/new/").status_code == (200 if makes else 403)
    assert ("New study" in invited.get("/admin/studies/").text) is makes
    assert AuditEntry.objects.filter(action="invitation made", user=administrator).count() == 1


def test_a_guest_copies_no_study_either(administrator: Any, researcher: Any, study: Study, client: Client) -> None:
    path = invitations.invite(by=researcher, role="guest", study=study, study_role="viewer")
    fill_in(client, path)
    assert client.post("/admin/studies/kettles/copy/", {"slug": "mine"}).status_code == 403
    assert Study.objects.count() == 1


def test_the_owner_of_a_study_invites_to_it(researcher: Any, study: Study, client: Client) -> None:
    log_in(client)
    path = link_in(client.post("/admin/account/invite/to/kettles/", {"role": "editor"}).text)
    invited = Client()
    assert fill_in(invited, path)["Location"] == "/admin/studies/"
    made = User.objects.get(username="grace@example.org")
    assert (role_in(made, study), role_of(made)) == ("editor", "guest")
    assert invited.get("/admin/account/invite/to/kettles/").status_code == 404
    assert invited.post("/admin/account/invite/to/kettles/", {"role": "editor"}).status_code == 403


def test_somebody_with_an_account_takes_a_shared_study_into_it(
    administrator: Any, researcher: Any, study: Study, client: Client
) -> None:
    other = User.objects.create_user("eve", password=PASSWORD, is_staff=True)
    path = invitations.invite(by=researcher, role="guest", study=study, study_role="viewer")
    log_in(client, "eve")
    assert "Add the study to this account" in client.get(path).text
    assert client.post(path, {"join": "yes"}).status_code == 302
    assert (role_in(other, study), role_of(other)) == ("viewer", "researcher")


def test_an_invitation_to_the_platform_raises_nobodys_role(administrator: Any, researcher: Any, client: Client) -> None:
    path = invitations.invite(by=administrator, role="administrator")
    log_in(client)
    assert client.post(path, {"join": "yes"}).status_code == 410
    assert role_of(User.objects.get(pk=researcher.pk)) == "researcher"


def test_a_link_dies_with_the_right_of_who_made_it(administrator: Any, client: Client) -> None:
    path = invitations.invite(by=administrator, role="administrator")
    User.objects.create_superuser("second", password=PASSWORD)
    User.objects.filter(pk=administrator.pk).update(is_superuser=False)
    assert client.get(path).status_code == 410


def test_a_link_is_taken_back(administrator: Any, client: Client) -> None:
    path = invitations.invite(by=administrator, role="researcher")
    log_in(client, "root")
    client.post(f"/admin/account/invite/{Invitation.objects.get().pk}/take-back/")
    assert Client().get(path).status_code == 410


def test_the_link_is_mailed_where_mail_is_set_up(administrator: Any, client: Client, settings: Any) -> None:
    log_in(client, "root")
    client.post("/admin/account/invite/", {"role": "researcher", "email": "grace@example.org"})
    assert mail.outbox == []
    settings.MAIL_IS_SET_UP = True
    page = client.post("/admin/account/invite/", {"role": "researcher", "email": "grace@example.org"}).text
    (letter,) = mail.outbox
    assert letter.to == ["grace@example.org"]
    assert link_in(page) in letter.body


def test_the_page_of_an_account_holds_what_matters(administrator: Any, researcher: Any, client: Client) -> None:
    log_in(client, "root")
    page = client.get(f"/admin/auth/user/{researcher.pk}/change/").text
    assert "Cannot log in" in page
    assert "pbkdf2" not in page
    assert "user_permissions" not in page
    for role in ("guest", "closed", "researcher"):
        fields = {"username": "ada", "first_name": "Ada", "email": "ada@example.org", "role": role}
        assert client.post(f"/admin/auth/user/{researcher.pk}/change/", fields).status_code == 302
        assert role_of(User.objects.get(pk=researcher.pk)) == role
