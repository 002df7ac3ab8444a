"""The page on which a text is seen being read again, and who may see it."""

import json
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from experiments.models import Membership, Study
from experiments.paradigms.mouse_contingent_reading.columns import unpacked
from participants.models import Session, Trial
from participants.simulation import simulate

EXAMPLE = "experiments/examples/mouse-reading/study.toml"


@pytest.fixture
def reading(transactional_db):
    call_command("create_study", EXAMPLE, "--open")
    study = Study.objects.get(slug="mouse-reading")
    simulate(study, participants=1, seed=1)
    return study


def address(study, position):
    pseudonym = Session.objects.get(study=study).participant.pseudonym
    return reverse("watch:replay", args=[study.slug, pseudonym, position])


def first_reading(study):
    return Trial.objects.filter(session__study=study, plugin="mouse-contingent-reading").earliest("position")


@pytest.fixture
def researcher(django_user_model, client, reading):
    user = django_user_model.objects.create_user("replayer", password="a-password-for-tests", is_staff=True)
    Membership.objects.create(study=reading, user=user, role="viewer")
    client.force_login(user)
    return client


def test_the_page_has_every_visit_in_a_table_and_for_the_script(researcher, reading):
    trial = first_reading(reading)
    page = researcher.get(address(reading, trial.position)).content.decode()
    visits = unpacked(trial.response.payload)["visits"]
    assert len(re.findall(r"<tr data-visit=", page)) == len(visits)
    (data,) = re.findall(r'<script id="replay-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    told = json.loads(data)
    assert [(visit["aoi"], visit["enter_ms"], visit["leave_ms"]) for visit in told["visits"]] == [
        tuple(visit[:3]) for visit in visits
    ]
    assert [area["text"] for area in told["areas"]] == [area["text"] for area in trial.params["areas"]]


def test_the_page_of_the_participant_links_to_every_text_that_was_read(researcher, reading):
    pseudonym = Session.objects.get(study=reading).participant.pseudonym
    page = researcher.get(reverse("watch:participant", args=[reading.slug, pseudonym])).content.decode()
    links = re.findall(rf"/participants/{pseudonym}/trials/(\d+)/", page)
    assert len(links) == 17


def test_a_trial_without_visits_has_no_replay(researcher, reading):
    assert researcher.get(address(reading, 0)).status_code == 404
    assert researcher.get(address(reading, 999)).status_code == 404


def test_nobody_else_sees_a_replay(client, reading, django_user_model):
    trial = first_reading(reading)
    assert client.get(address(reading, trial.position)).status_code == 302
    stranger = django_user_model.objects.create_user("stranger", password="a-password-for-tests", is_staff=True)
    client.force_login(stranger)
    assert client.get(address(reading, trial.position)).status_code == 404
