"""Recall studies with data, written straight into the database and the same every time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

from analysis.coding.queues import create_queue, items, queue_for
from analysis.coding.saving import save
from analysis.models import CodingQueue
from experiments.design.latin_square import lists
from experiments.models import Condition, Item, Stimulus, StimulusList, Study
from experiments.paradigms import paradigm_named
from experiments.study.lifecycle import save_member
from experiments.study.schemes import store_scheme
from participants.models import Participant, Response, Session, Trial

SLUG = "sentence-recall"
FORMULATIONS = ("because", "because of")
FACTORS = [{"name": "formulation", "levels": list(FORMULATIONS)}]
START = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)
PLACES = ("river", "wall", "garden", "path", "meadow", "harbour", "bridge", "market", "tower", "field", "school")


def user_named(name: str) -> Any:
    return get_user_model().objects.get_or_create(username=name, defaults={"is_staff": True})[0]


def make_recall_study(slug: str = "recall", *, n_items: int = 4, n_fillers: int = 1, **fields: Any) -> Study:
    """Make a study of `n_items` in two formulations, with fillers and a practice sentence, and the default codes."""
    study = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug=slug,
        title="What is remembered",
        paradigm=SLUG,
        status=Study.Status.OPEN,
        factors=FACTORS,
        owner=user_named("owner"),
        **fields,
    )
    store_scheme(study, paradigm_named(SLUG).default_error_codes)
    conditions = [
        Condition.objects.create(part=study.task, position=index, levels={"formulation": formulation})
        for index, formulation in enumerate(FORMULATIONS)
    ]
    cells: dict[tuple[int, int], Stimulus] = {}
    for index in range(n_items):
        item = Item.objects.create(part=study.task, code=f"item{index:02d}", position=index, item_set="A")
        for number, condition in enumerate(conditions):
            text, extra = sentence(index, FORMULATIONS[number])
            cells[index, number] = Stimulus.objects.create(item=item, condition=condition, text=text, extra=extra)
    for index in range(n_fillers):
        item = Item.objects.create(part=study.task, code=f"filler{index}", position=n_items + index, is_filler=True)
        Stimulus.objects.create(item=item, text=f"The {PLACES[index]} was painted green last summer.")
    item = Item.objects.create(part=study.task, code="practice", position=n_items + n_fillers, is_practice=True)
    Stimulus.objects.create(item=item, text="This sentence is for practice.")
    for index, square in enumerate(lists(n_items, len(conditions))):
        stimulus_list = StimulusList.objects.create(part=study.task, index=index)
        stimulus_list.stimuli.set(cells[item, condition] for item, condition in enumerate(square))
    return study


def sentence(index: int, formulation: str) -> tuple[str, dict[str, str]]:
    """Return the text of an item in one formulation, and its marks; longer for later items."""
    place, tail = PLACES[index % len(PLACES)], " ".join(["very"] * (index % 6))
    effect = f"the old {place} {index} was closed for a whole {tail} week".replace("  ", " ")
    cause = "heavy rain fell on it" if formulation == "because" else "the heavy rain on it"
    text = f"{effect[0].upper()}{effect[1:]} {formulation} {cause}."
    return text, {"clause_a": cause, "clause_b": effect, "connective": formulation}


def add_recalls(study: Study, count: int, *, first: int = 0, **session: Any) -> list[Session]:
    """Let `count` participants recall everything that they are shown, more or less well."""
    sessions = [_participant(study, first + index, session) for index in range(count)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # As autovacuum does after a while; without it many recalls are read by plans for empty tables.
            cursor.execute("ANALYZE")
    return sessions


def _participant(study: Study, number: int, fields: dict[str, Any]) -> Session:
    rng = random.Random(f"{study.slug}-{number}")
    all_lists = list(study.lists.all())
    stimulus_list = all_lists[number % len(all_lists)]
    started = START + timedelta(minutes=number)
    participant = Participant.objects.create(  # type: ignore[misc]  # the code is a property, which seals it
        study=study, pseudonym=f"P{number:04d}", withdrawal_code=f"{study.slug}-W{number}"
    )
    session = Session.objects.create(
        **{
            "study": study,
            "participant": participant,
            "list": stimulus_list,
            "token": f"token-{study.slug}-{number}",
            "start_key": f"start-{study.slug}-{number}",
            "seed": number,
            "status": Session.Status.COMPLETE,
            "study_version": study.version,
            "language": "en",
            "consent_version": 1,
            "consent_given_at": started,
            "last_seen_at": started,
            "finished_at": started + timedelta(minutes=20),
            **fields,
        }
    )
    Session.objects.filter(pk=session.pk).update(started_at=started)
    fillers = Stimulus.objects.filter(item__part__study=study, item__is_filler=True)
    shown = [*stimulus_list.stimuli.order_by("pk"), *fillers.order_by("pk")]
    rng.shuffle(shown)
    practice = Stimulus.objects.filter(item__part__study=study, item__is_practice=True)
    trials = Trial.objects.bulk_create(
        Trial(
            session=session,
            part=study.task,
            position=position,
            phase="practice" if stimulus.item.is_practice else "main",
            plugin=SLUG,
            params=recall_params(stimulus.text, kind="practice" if stimulus.item.is_practice else "target", rng=rng),
            stimulus=stimulus,
        )
        for position, stimulus in enumerate([*practice.select_related("item"), *shown])
    )
    Response.objects.bulk_create(
        Response(
            trial=trial,
            payload=recall_payload(recalled(trial.stimulus.text, rng), rng=rng),
            rt_ms=round(rng.uniform(4000, 20000), 3),
            onset_ms=1000.0 * trial.position,
            clock="animation-frame",
            content_hash="0" * 64,
        )
        for trial in trials
    )
    return session


def recall_params(text: str, *, kind: str = "target", rng: random.Random) -> dict[str, Any]:
    words = len(text.split())
    return {
        "kind": kind,
        "text": text,
        "words": words,
        "presentation": "whole",
        "ms_per_word": 500,
        "display_ms": words * 500,
        "segments": [],
        "fixation_ms": 500,
        "blank_ms": 500,
        "problems": [
            {"a": rng.randint(10, 99), "operator": "+", "b": rng.randint(10, 99)},
            {"a": 71, "operator": "−", "b": rng.randint(10, 70)},
        ],
        "time_limit_ms": None,
        "feedback": False,
        "keystroke_log": False,
        "full_screen": False,
        "index": 1,
        "total": 1,
    }


def recall_payload(recall: str, *, rng: random.Random) -> dict[str, Any]:
    return {
        "displays": [
            {
                "intended_ms": 5000.0,
                "onset_ms": 100.0,
                "offset_ms": 5100.0,
                "measured_ms": 5000.0,
                "dropped_frames": 0,
                "late_frames": 0,
                "frame_interval_ms": 16.667,
                "flagged": False,
            }
        ],
        "arithmetic": [
            {"typed": "68", "answer": 68, "ms": round(rng.uniform(1000, 4000), 1), "first_key_ms": 700.0,
             "timed_out": False}
            for _ in range(2)
        ],
        "recall": recall,
        "first_key_ms": 800.0,
        "typing_ms": 5000.0,
        "edits": 1,
        "paste_attempts": 0,
        "drop_attempts": 0,
        "copy_attempts": 0,
        "focus_losses": 0,
        "full_screen_exits": 0,
    }  # fmt: skip


def recalled(text: str, rng: random.Random) -> str:
    """Return what somebody recalls of a text: all of it, in small letters, or with words lost."""
    luck = rng.random()
    if luck < 0.3:
        return text
    if luck < 0.5:
        return text.lower().rstrip(".")
    if luck < 0.6:
        return text.replace("because of", "due to").replace("because", "since")
    return " ".join(word for word in text.split() if rng.random() < 0.6)


def queue_of(study: Study, name: str) -> CodingQueue:
    """Return the queue that a coder has in the task that is meant."""
    queue = queue_for(study, user_named(name))
    assert queue is not None
    return queue


def make_coder(study: Study, name: str = "anna", **queue: Any) -> CodingQueue:
    """Make somebody a coder of the study and give them a queue."""
    coder = user_named(name)
    if coder.pk != study.owner_id:
        save_member(study, coder, "viewer", study.owner)
    return create_queue(study, coder=coder, user=study.owner, **queue)


def make_coded_study() -> Study:
    """Make a study with four recalls of which one coder has coded all, differently."""
    study = make_recall_study()
    add_recalls(study, 4)
    queue = make_coder(study)
    for number, view in enumerate(items(queue, count=99)):
        save(queue, view.recall_id, [["0"], ["3", "4"], ["2"]][number % 3])
    return study
