"""Simulated participants are asked for on a page, taken part in slices, cancelled, and removed again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from experiments.models import AuditEntry, Membership, Study
from participants.models import Participant, Response, Session, Simulation, Tombstone
from participants.simulating.carrying_out import carry_out_some
from participants.simulation import VirtualVisitor, simulate
from participants.watching.simulations import filling, waiting
from tests.participants.simulating.test_simulating import answers
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/admin/studies/{}/watch/simulate/"


@pytest.fixture
def study(django_user_model: Any) -> Study:
    made = open_study()
    Study.objects.filter(pk=made.pk).update(owner=django_user_model.objects.create_user("ada", is_staff=True))
    made.refresh_from_db()
    return made


@pytest.fixture
def owner(study: Study, client: Client) -> Client:
    assert study.owner is not None
    client.force_login(study.owner)
    return client


def ask(client: Client, study: Study, **given: Any) -> Any:
    return client.post(PAGE.format(study.slug), {"participants": 4, "seed": 1, "dropout": 0, **given})


def test_they_take_part_in_slices_that_give_the_answers_of_one_go(owner: Client, study: Study) -> None:
    assert ask(owner, study).status_code == 302
    (pk,) = waiting()
    slices = 0
    while waiting():
        assert carry_out_some(pk, seconds=0.001)
        slices += 1
    simulation = Simulation.objects.get()
    assert (simulation.status, simulation.done, simulation.requested_by) == ("done", 4, study.owner)
    assert slices > 2
    in_slices = answers(study)
    Session.objects.all().delete()
    Participant.objects.all().delete()
    simulate(study, participants=4, seed=1)
    assert [row[1:] for row in answers(study)] == [row[1:] for row in in_slices]


def test_the_page_says_how_far_they_are(owner: Client, study: Study) -> None:
    ask(owner, study)
    assert "about to take part" in owner.get(PAGE.format(study.slug)).text
    Simulation.objects.update(status="running", done=3)
    said = owner.get(PAGE.format(study.slug) + "progress/").json()
    assert said == {"status": "running", "progress": 0.75, "note": "3 of 4"}
    assert filling(study.owner).done == 3


def test_what_one_process_is_at_no_other_begins(owner: Client, study: Study) -> None:
    ask(owner, study)
    (pk,) = waiting()
    Simulation.objects.update(claimed_until=timezone.now() + timedelta(minutes=1))
    assert waiting() == []
    assert not carry_out_some(pk)
    assert Session.objects.count() == 0


def test_what_a_killed_process_left_is_gone_on_with(owner: Client, study: Study) -> None:
    ask(owner, study, participants=1)
    Simulation.objects.update(status="running", claimed_until=timezone.now() - timedelta(seconds=1))
    (pk,) = waiting()
    assert carry_out_some(pk)
    assert Session.objects.filter(status="complete").count() == 1


def test_a_cancelled_simulation_goes_on_no_more_and_keeps_who_took_part(owner: Client, study: Study) -> None:
    ask(owner, study)
    (pk,) = waiting()
    carry_out_some(pk, seconds=0.001)
    owner.post(PAGE.format(study.slug) + "cancel/")
    assert waiting() == []
    assert not carry_out_some(pk)
    assert Session.objects.count() == 1
    assert Simulation.objects.get().status == "cancelled"


def test_what_fails_unexpectedly_ends_with_a_reference_and_is_not_tried_again(
    owner: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object, **_named: object) -> None:
        raise KeyError("trials")

    ask(owner, study)
    (pk,) = waiting()
    monkeypatch.setattr("participants.simulating.carrying_out.VirtualVisitor.take_part", broken)
    assert carry_out_some(pk)
    assert waiting() == []
    simulation = Simulation.objects.get()
    assert simulation.status == "failed"
    assert "reference" in simulation.error


def test_the_share_of_drop_outs_is_kept(owner: Client, study: Study) -> None:
    ask(owner, study, dropout=100, participants=2)
    carry_out_some(waiting()[0], seconds=60)
    assert [session.status for session in Session.objects.all()] == ["running"] * 2


@pytest.mark.parametrize("wrong", [{"participants": 0}, {"participants": 1001}, {"seed": -1}, {"dropout": 101}])
def test_numbers_that_make_no_sense_are_refused(owner: Client, study: Study, wrong: dict[str, int]) -> None:
    assert ask(owner, study, **wrong).status_code == 422
    assert Simulation.objects.count() == 0


def test_nobody_is_simulated_in_a_study_that_is_closed(owner: Client, study: Study) -> None:
    ask(owner, study)
    Study.objects.update(status="closed")
    carry_out_some(waiting()[0])
    failed = Simulation.objects.get()
    assert (failed.status, failed.error) == ("failed", "The study is not open any more.")
    assert "The simulation stopped after 0 of 4" in owner.get(PAGE.format(study.slug)).text
    assert ask(owner, study).status_code == 422


def test_a_quota_that_is_reached_ends_them_in_a_sentence(owner: Client, study: Study) -> None:
    ask(owner, study)
    Study.objects.update(quota=2)
    while waiting():
        carry_out_some(waiting()[0], seconds=60)
    failed = Simulation.objects.get()
    assert (failed.status, failed.done) == ("failed", 2)
    assert failed.error == "No more people can take part: the quota of the study is reached."


def test_only_one_simulation_of_a_study_goes_on(owner: Client, study: Study) -> None:
    ask(owner, study)
    assert ask(owner, study).status_code == 422
    assert Simulation.objects.count() == 1


def test_who_may_only_look_asks_for_none(owner: Client, study: Study, django_user_model: Any) -> None:
    viewer = django_user_model.objects.create_user("eve", is_staff=True)
    Membership.objects.create(study=study, user=viewer, role="viewer")
    other = Client()
    other.force_login(viewer)
    assert other.get(PAGE.format(study.slug)).status_code == 200
    assert [ask(other, study).status_code, other.post(PAGE.format(study.slug) + "remove/").status_code] == [403, 403]


def test_all_simulated_participants_are_removed_and_nobody_else(owner: Client, study: Study) -> None:
    real = Browser(study, seed=7)
    real.start()
    real.open()
    real.send(real.result(0))
    simulate(study, participants=2, seed=1)
    page = owner.get(PAGE.format(study.slug) + "remove/").text
    assert "2 simulated participants" in page
    owner.post(PAGE.format(study.slug) + "remove/")
    assert [session.is_simulated for session in Session.objects.all()] == [False]
    assert Participant.objects.count() == Response.objects.count() == 1
    assert Tombstone.objects.count() == 0
    entry = AuditEntry.objects.get(action="simulated participants removed")
    assert (entry.user, entry.detail) == (study.owner, "Participants: 2.")


@pytest.mark.parametrize("address", ["cancel/", "remove/"])
def test_whoever_was_taking_part_when_they_were_cancelled_or_removed_goes_too(
    address: str, owner: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(owner, study)
    (pk,) = waiting()
    takes_part = VirtualVisitor.take_part

    def meanwhile_stopped(visitor: VirtualVisitor, **given: Any) -> None:
        assert owner.post(PAGE.format(study.slug) + address).status_code == 302
        takes_part(visitor, **given)

    monkeypatch.setattr(VirtualVisitor, "take_part", meanwhile_stopped)
    assert carry_out_some(pk)
    assert Simulation.objects.get().status == "cancelled"
    assert not Participant.objects.exists()
    assert not Session.objects.exists()
