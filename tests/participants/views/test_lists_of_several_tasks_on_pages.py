"""The pages of participants show the list of each task, and lead to it under the address of its task."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from experiments.models import Study
from experiments.models.one_task import SlugOfTask
from participants.models import Session
from participants.simulation import simulate
from tests.participants.part_studies import study_of_parts
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_list_of_a_participant_stands_with_its_task_and_can_be_opened() -> None:
    study = study_of_parts()
    simulate(study, participants=1, seed=1)
    owner = get_user_model().objects.create_superuser("owner")
    Study.objects.filter(pk=study.pk).update(owner=owner)
    client = Client()
    client.force_login(owner)
    session = Session.objects.get()
    second = session.further_lists.get().list
    page = client.get(reverse("watch:participant", args=[study.slug, session.participant.pseudonym])).content.decode()
    table = client.get(reverse("watch:participants", args=[study.slug])).content.decode()
    for task, shown in (("task", session.list), ("second", second)):
        address = reverse("study:list", args=[SlugOfTask(study.slug, task), shown.pk])
        assert f'href="{address}">{task}: {shown.name}</a>' in page
        assert f"{task}: {shown.name}</span>" in table
        assert client.get(address).status_code == 200
    # An address without the task, as pages of earlier versions gave it, leads to that of the task.
    assert client.get(reverse("study:list", args=[study.slug, second.pk]))["Location"] == address


def test_a_study_of_one_task_names_no_task_beside_its_list() -> None:
    study = open_study()
    simulate(study, participants=1, seed=1)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("owner"))
    session = Session.objects.get()
    page = client.get(reverse("watch:participant", args=[study.slug, session.participant.pseudonym])).content.decode()
    address = reverse("study:list", args=[study.slug, session.list_id])
    assert f'<a href="{address}">{session.list.name}</a>' in page
