"""Studies of two tasks for the tests of `analysis`: a task is put before the one that a study with data has."""

from __future__ import annotations

from typing import Any

from experiments.models import Part, Study
from participants.models import Response, Session, SessionList, Trial
from tests.participants.part_studies import add_task

FIRST = "warm-up"


def put_a_task_before(study: Study) -> Study:
    """Put a magnitude estimation task before the only one of a study, with answers of everybody who took part.

    What is stored of the task that was there stays as it is, so that its analyses can be held against those before.
    """
    first = add_task(study, FIRST, title="Warming up")
    for position, part in enumerate([first, *study.parts.exclude(pk=first.pk).order_by("position")]):
        Part.objects.filter(pk=part.pk).update(position=position)
    lists = list(first.lists.all())
    for number, session in enumerate(Session.objects.filter(study=study).order_by("pk")):
        assert session.list is not None
        SessionList.objects.create(session=session, list=session.list)
        session.list = lists[number % len(lists)]
        session.save(update_fields=["list"])
        _answer(session, first, number)
    return Study.objects.get(pk=study.pk)


def _answer(session: Session, part: Part, number: int) -> None:
    last = session.trials.order_by("-position").values_list("position", flat=True)[0]
    for place, stimulus in enumerate(session.list.stimuli.order_by("pk"), start=1):
        params = {"kind": "target", "text": stimulus.text, "modulus_text": "The reference.", "allow_zero": True}
        trial = Trial.objects.create(
            session=session, part=part, position=last + place, phase="main", plugin=part.paradigm, params=params,
            stimulus=stimulus,
        )  # fmt: skip
        rating = 10.0 + number + place**2
        payload: dict[str, Any] = {
            "typed": str(rating), "number": rating, "modulus_number": 10.0, "first_key_ms": 400.0, "edits": 0,
            "refused": [],
        }  # fmt: skip
        Response.objects.create(
            trial=trial, payload=payload, rt_ms=900.0 + place, onset_ms=1.0, clock="animation-frame",
            content_hash="0" * 64,
        )  # fmt: skip
