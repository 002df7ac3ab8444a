"""The list of who is to be paid: recruitment ids for the owner alone, without pseudonyms and answers, in the record."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from experiments.models import AuditEntry, Membership, Study
from participants.erasure.identities import erase_identities
from participants.models import Participant, Session
from tests.participants.source_studies import came_to_the_questions, ended, study_with_sources
from tests.participants.studies import Browser

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/studies/sources/watch/recruitment/payment.csv"


@pytest.fixture
def study() -> Study:
    study = study_with_sources()
    ended(came_to_the_questions(study, 1, 30, PROLIFIC_PID="p-1"))
    ended(came_to_the_questions(study, 2, 17, PROLIFIC_PID="p-2"))
    ended(came_to_the_questions(study, 3, 30, survey_code="=HYPERLINK(1)"))
    Browser(study, seed=4, recruitment={"workerId": "w-1"}).start()
    ended(came_to_the_questions(study, 5, 30))
    first = Session.objects.order_by("pk")[0]
    Session.objects.filter(pk=first.pk).update(finished_at=first.started_at + timedelta(minutes=12, seconds=30))
    return study


def clients(study: Study, users: Any) -> dict[str, Client]:
    made = {}
    for role in ("owner", "editor", "viewer", "stranger"):
        user = users.objects.create_user(role, is_staff=True)
        if role == "owner":
            Study.objects.filter(pk=study.pk).update(owner=user)
        elif role != "stranger":
            Membership.objects.create(study=study, user=user, role=role)
        made[role] = Client()
        made[role].force_login(user)
    return made


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_everybody_with_an_id_is_listed_by_source_with_outcome_code_and_minutes(study, django_user_model) -> None:
    owner = clients(study, django_user_model)["owner"]
    answer = owner.get(ADDRESS)
    rows = rows_of(answer.content.decode())
    assert [(row["source"], row["recruitment_id"], row["outcome"], row["code"]) for row in rows] == [
        ("mailing", "w-1", "running", ""),
        ("prolific", "p-1", "completed", "C-DONE"),
        ("prolific", "p-2", "screened-out", "C-OUT"),
        ("sona", "'=HYPERLINK(1)", "completed", ""),
    ]
    assert rows[1]["minutes"] == "12.5"
    assert rows[1]["started_at"].endswith("Z")
    assert (rows[0]["ended_at"], rows[0]["minutes"]) == ("", "")
    assert "no-store" in answer.headers["Cache-Control"]


def test_no_pseudonym_and_no_answer_is_in_it(study, django_user_model) -> None:
    text = clients(study, django_user_model)["owner"].get(ADDRESS).content.decode()
    assert set(rows_of(text)[0]) == {
        "source", "recruitment_id", "outcome", "code", "started_at", "ended_at", "minutes",
    }  # fmt: skip
    assert not any(name in text for name in Participant.objects.values_list("pseudonym", flat=True))


def test_only_the_owner_gets_it_and_every_time_is_in_the_record(study, django_user_model) -> None:
    people = clients(study, django_user_model)
    assert {role: client.get(ADDRESS).status_code for role, client in people.items()} == {
        "owner": 200, "editor": 404, "viewer": 404, "stranger": 404,
    }  # fmt: skip
    [entry] = AuditEntry.objects.filter(action="payment list exported")
    assert (entry.user.username, entry.detail) == ("owner", "4 people")
    watch = "/admin/studies/sources/watch/"
    assert "Download the payment list" in people["owner"].get(watch).content.decode()
    assert "Download the payment list" not in people["editor"].get(watch).content.decode()


def test_erased_ids_and_simulated_people_are_not_in_it(study, django_user_model) -> None:
    Session.objects.filter(source="sona").update(is_simulated=True)
    owner = clients(study, django_user_model)["owner"]
    assert len(rows_of(owner.get(ADDRESS).content.decode())) == 3
    erase_identities(study, user=None)
    assert rows_of(owner.get(ADDRESS).content.decode()) == []


def test_the_command_writes_the_same_and_says_how_many(study, tmp_path: Path, capsys, django_user_model) -> None:
    call_command("payment_list", "sources", out=str(tmp_path / "paid.csv"))
    assert "Wrote 4 people" in capsys.readouterr().out
    written = (tmp_path / "paid.csv").read_bytes()
    assert written == clients(study, django_user_model)["owner"].get(ADDRESS).content
    assert AuditEntry.objects.filter(action="payment list exported", user=None).get().detail == "4 people, by command"
    with pytest.raises(CommandError, match="There is no study 'nowhere'"):
        call_command("payment_list", "nowhere", out=str(tmp_path / "paid.csv"))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("payment_list", "sources", out=str(tmp_path))
