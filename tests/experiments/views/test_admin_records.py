"""The admin's records: read-only, and only of one's own studies, without any permission assigned by hand."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

pytestmark = pytest.mark.slow

RECORDS = [
    "experiments_study",
    "experiments_auditentry",
    "participants_participant",
    "participants_session",
    "participants_trial",
    "participants_response",
]


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("role", ["owner", "viewer", "stranger", "superuser"])
def test_every_researcher_sees_the_lists_and_only_rows_of_their_studies(name, role, ready, client_of):
    answer = client_of(role, ready).get(reverse(f"admin:{name}_changelist"))
    assert answer.status_code == 200
    if name in ("experiments_study", "experiments_auditentry"):
        assert (answer.context["cl"].result_count > 0) == (role != "stranger")


@pytest.mark.parametrize("name", RECORDS)
def test_nobody_adds_records_by_hand(name, client_of):
    answer = client_of("superuser").get(reverse(f"admin:{name}_add"))
    assert answer.status_code == (302 if name == "experiments_study" else 403)


def test_a_study_in_the_records_leads_to_its_pages(ready, owner):
    answer = owner.get(reverse("admin:experiments_study_change", args=[ready.pk]))
    assert answer.url == reverse("study:home", args=[ready.slug])


@pytest.mark.parametrize(
    ("language", "moment"), [("en-gb", "9 Mar 2026, 15:20 UTC"), ("de", "9. März 2026, 15:20 UTC")]
)
def test_records_say_moments_as_studies_do_and_in_which_time_zone(language, moment, ready, owner):
    ready.audit_entries.update(at=datetime(2026, 3, 9, 15, 20, tzinfo=UTC))
    answer = owner.get(reverse("admin:experiments_auditentry_changelist"), headers={"accept-language": language})
    assert moment in answer.content.decode()


def test_an_entry_of_the_history_cannot_be_changed_or_deleted(ready, owner):
    entry = ready.audit_entries.first()
    address = reverse("admin:experiments_auditentry_change", args=[entry.pk])
    assert owner.get(address).status_code == 200
    assert owner.post(address, {"action": "nothing"}).status_code == 403
    assert (
        owner.post(reverse("admin:experiments_auditentry_delete", args=[entry.pk]), {"post": "yes"}).status_code == 403
    )


def test_an_entry_of_somebody_elses_study_cannot_be_opened(ready, client_of):
    entry = ready.audit_entries.first()
    answer = client_of("stranger").get(reverse("admin:experiments_auditentry_change", args=[entry.pk]))
    assert answer.status_code in (302, 403)


def test_nobody_types_a_password_for_somebody_else(client_of):
    assert client_of("superuser").get(reverse("admin:auth_user_add")).url == reverse("invite")


def test_a_researcher_without_superuser_rights_sees_no_accounts(client_of):
    stranger = client_of("stranger")
    assert stranger.get(reverse("admin:auth_user_changelist")).status_code == 403
    assert reverse("admin:auth_user_changelist") not in stranger.get("/admin/").content.decode()


def test_logging_in_leads_to_the_studies(researcher, client):
    answer = client.post(reverse("admin:login"), {"username": "ada", "password": "a long password"})
    assert answer.url == "/admin/"


def test_the_history_is_filtered_by_what_happened_in_the_language_of_the_page(ready, owner):
    page = owner.get(reverse("admin:experiments_auditentry_changelist"), headers={"Accept-Language": "de"})
    shown = page.content.decode()
    assert "?action=created" in shown
    assert "Angelegt" in shown
    assert ">created<" not in shown.replace(" ", "").replace("\n", "")
