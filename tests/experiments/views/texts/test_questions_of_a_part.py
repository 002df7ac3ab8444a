"""Questionnaires and pages of a study of several parts are written on their own pages."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from experiments.models import Part, Study
from tests.participants.part_studies import study_of_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(django_user_model) -> Study:
    study = study_of_parts(owner=django_user_model.objects.create_user("ada", is_staff=True))
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    Part.objects.create(study=study, name="after", kind="questionnaire", position=7)
    Part.objects.create(study=study, name="thanks", kind="page", position=8)
    study.refresh_from_db()
    return study


@pytest.fixture
def owner(client: Client, study: Study) -> Client:
    assert study.owner is not None
    client.force_login(study.owner)
    return client


def test_a_questionnaire_gets_its_questions_and_the_background_keeps_its_own(owner: Client, study: Study) -> None:
    address = reverse("study:part_questions", args=[study.slug, "after"])
    assert "Questions of after" in owner.get(address).text
    assert address in owner.get(reverse("study:parts", args=[study.slug])).text
    table = "name,label,kind,choices\nliked,How did you like it?,choice,well|badly\n"
    answer = owner.post(address, {"action": "table", "table": SimpleUploadedFile("q.csv", table.encode())})
    assert answer.status_code == 302, answer.text
    assert [one["name"] for one in Part.objects.get(name="after").questions] == ["liked"]
    assert [one["name"] for one in Part.objects.get(name="background").questions] == ["language"]


def test_a_task_has_no_questions_of_its_own(owner: Client, study: Study) -> None:
    assert owner.get(reverse("study:part_questions", args=[study.slug, "second"])).status_code == 404


def test_what_a_page_says_is_written_in_the_list_of_parts(owner: Client, study: Study) -> None:
    given = {"action": "change", "part": "thanks", "title": "", "order_set": "", "body": "That was the first half."}
    owner.post(reverse("study:parts", args=[study.slug]), given)
    assert Part.objects.get(name="thanks").body == "That was the first half."


def test_an_open_study_keeps_its_questions(owner: Client, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    address = reverse("study:part_questions", args=[study.slug, "background"])
    table = SimpleUploadedFile("q.csv", b"name,label,kind\nage,Age?,number\n")
    owner.post(address, {"action": "table", "table": table, "replace": "on"})
    assert [one["name"] for one in Part.objects.get(name="background").questions] == ["language"]
