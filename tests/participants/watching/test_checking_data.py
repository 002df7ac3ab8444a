"""Every invariant holds for sound data, and each violation is found and named."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from experiments.models import Study
from participants.models import EventBatch, Participant, RecruitmentIdentity, Response, Session, Trial
from participants.sealing import seal
from participants.watching.invariants import violations
from participants.watching.sealed_values import sealed_fields
from tests.participants.studies import Browser


@pytest.fixture
def sound(study: Study) -> Study:
    """Four finished participants, one with events, and one who is still running."""
    for seed in range(4):
        Browser(study, seed=seed, recruitment={"PROLIFIC_PID": f"p{seed}"}).answer_all()
    running = Browser(study, seed=9)
    running.start()
    running.open()
    running.send(running.result(0), {"kind": "events", "sequence": 0, "batch": 0, "events": [{"type": "blur"}]})
    return study


def found(study: Study) -> dict[str, list[str]]:
    return {name.split()[0]: sentences for name, sentences in violations(study).items() if sentences}


def test_sound_data_violate_nothing(sound: Study) -> None:
    assert found(sound) == {}
    out = StringIO()
    call_command("check_data", sound.slug, stdout=out)
    assert out.getvalue().count("ok  ") == 10


def change_an_answer(study: Study) -> None:
    response = Response.objects.filter(trial__plugin="magnitude-estimation").last()
    response.payload = {**response.payload, "edits": 7}
    response.save()


def change_a_time(study: Study) -> None:
    response = Response.objects.first()
    response.rt_ms = 1.0
    response.save()


def change_events(study: Study) -> None:
    EventBatch.objects.update(events=[])


def lose_a_trial(study: Study) -> None:
    running = Session.objects.get(status="running")
    running.trials.get(position=3).delete()


def invent_an_answer(study: Study) -> None:
    response = Response.objects.filter(trial__plugin="magnitude-estimation").last()
    response.payload = {**response.payload, "number": -5}
    response.save()


def complete_too_early(study: Study) -> None:
    Session.objects.filter(status="running").update(status="complete")


def put_everybody_into_one_list(study: Study) -> None:
    Session.objects.update(list=study.lists.first())


def give_a_person_two_sessions(study: Study) -> None:
    person = Participant.objects.first()
    Participant.objects.last().sessions.all().delete()
    assert person is not None


def show_an_item_twice(study: Study) -> None:
    shown = Trial.objects.filter(session=Session.objects.first(), stimulus__item__is_filler=False, phase="main")
    first, second = shown[:2]
    assert first.stimulus is not None
    other = first.stimulus.item.stimuli.exclude(pk=first.stimulus.pk).get()
    Trial.objects.filter(pk=second.pk).update(stimulus=other)


def skip_a_filler(study: Study) -> None:
    Trial.objects.filter(session=Session.objects.first(), stimulus__item__is_filler=True).update(stimulus=None)


def forget_an_onset(study: Study) -> None:
    Response.objects.filter(pk=Response.objects.first().pk).update(onset_ms=None)


def invent_a_clock(study: Study) -> None:
    Response.objects.filter(pk=Response.objects.first().pk).update(clock="sundial")


@pytest.mark.parametrize(
    ("damage", "invariant", "words"),
    [
        (change_an_answer, "I1", "not what was acknowledged"),
        (change_a_time, "I1", "not what was acknowledged"),
        (change_events, "I1", "event batch 0"),
        (lose_a_trial, "I2", "8 trials, but the last one has position 8"),
        (invent_an_answer, "I2", "not -5"),
        (complete_too_early, "I3", "is complete, but positions [1, 2"),
        (put_everybody_into_one_list, "I4", "differ by 5; at most 1"),
        (give_a_person_two_sessions, "I5", "has 0 sessions"),
        (give_a_person_two_sessions, "I9", "left without a session"),
        (show_an_item_twice, "I6", "more than once"),
        (skip_a_filler, "I6", "lacks 2 stimuli"),
        (forget_an_onset, "I10", "onset_ms None"),
        (invent_a_clock, "I10", "sundial"),
    ],
)
def test_each_violation_is_found(sound: Study, damage: Callable[[Study], None], invariant: str, words: str) -> None:
    damage(sound)
    sentences = found(sound)
    assert any(words in sentence for sentence in sentences[invariant]), sentences


def test_every_sealed_value_that_the_key_does_not_open_is_counted(sound: Study, settings: Any) -> None:
    made_here = {(model.__name__, name) for model, name in sealed_fields() if model._default_manager.exists()}
    assert {("RecruitmentIdentity", "external_id_sealed"), ("Session", "token_sealed")} <= made_here
    right, settings.CODES_KEY = settings.CODES_KEY, "another key"
    sentences = found(sound)["I11"]
    assert len(sentences) == len(made_here)
    assert any(
        "4 of 4 sealed values cannot be read (external id of recruitment identities)" in one for one in sentences
    )
    # One that was sealed with the other key is found among those that open.
    Participant.objects.filter(pk=Participant.objects.last().pk).update(withdrawal_code_sealed=seal("a code"))
    settings.CODES_KEY = right
    assert [sentence.partition(":")[0] for sentence in found(sound)["I11"]] == [
        "1 of 5 sealed values cannot be read (withdrawal code of participants)"
    ]


def test_a_list_may_be_short_by_as_many_as_were_excluded(sound: Study) -> None:
    first = Session.objects.first()
    Session.objects.filter(list=first.list).update(is_excluded=True, exclusion_reason="x")
    assert found(sound) == {}


def test_a_repeated_recruitment_id_cannot_even_be_stored(sound: Study) -> None:
    sources = RecruitmentIdentity.objects.values_list("source", "external_id_hash")
    assert len(set(sources)) == len(sources) == 4


def test_the_command_fails_when_something_is_violated(sound: Study) -> None:
    change_a_time(sound)
    out = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("check_data", sound.slug, stdout=out)
    assert exit_.value.code == 1
    assert "FAIL I1" in out.getvalue()
    with pytest.raises(CommandError, match="no study"):
        call_command("check_data", "nowhere")
