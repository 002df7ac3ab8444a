"""Studies with data for the tests of `analysis`, written straight into the database and the same every time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from experiments.design.latin_square import lists
from experiments.models import Condition, Item, Stimulus, StimulusList, Study
from participants.models import EventBatch, Participant, RecruitmentIdentity, Response, Session, Trial

MARKERS = ("because", "because-of")
ORDERS = ("cause-effect", "effect-cause")
FACTORS = [{"name": "marker", "levels": list(MARKERS)}, {"name": "order", "levels": list(ORDERS)}]
QUESTIONS = [
    {"name": "native_language", "label": "Native language?", "kind": "choice", "choices": ["English", "Another"]},
    {"name": "reading_hours", "label": "Hours of reading a week?", "kind": "number"},
    {"name": "comment", "label": "Anything else?", "kind": "text"},
]
START = datetime(2026, 3, 1, 9, 0, 0, 123456, tzinfo=UTC)
EFFECT = {"because": 0.25, "because-of": -0.05, "cause-effect": 0.0, "effect-cause": 0.1}


def make_study(slug: str = "causes", *, n_items: int = 8, n_fillers: int = 2, **fields: Any) -> Study:
    """Make a 2 × 2 magnitude estimation study with fillers and one practice sentence."""
    study = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug=slug,
        title=fields.pop("title", "Causes and effects"),
        paradigm="magnitude-estimation",
        status=Study.Status.OPEN,
        factors=FACTORS,
        questions=QUESTIONS,
        settings={"modulus_text": "The reference, it is.", "allow_zero": True},
        **fields,
    )
    conditions = [
        Condition.objects.create(part=study.task, position=index, levels={"marker": marker, "order": order})
        for index, (marker, order) in enumerate((marker, order) for marker in MARKERS for order in ORDERS)
    ]
    items = Item.objects.bulk_create(
        [
            Item(
                part=study.task,
                code=f"item{index:03d}",
                position=index,
                item_set="A",
                attributes={"genre": "news" if index % 2 else "science"},
            )
            for index in range(n_items)
        ]
        + [
            Item(part=study.task, code=f"filler{index}", position=n_items + index, is_filler=True)
            for index in range(n_fillers)
        ]
        + [Item(part=study.task, code="practice", position=n_items + n_fillers, is_practice=True)]
    )
    stimuli: dict[tuple[int, int], Stimulus] = {}
    for item_index, item in enumerate(items[:n_items]):
        for index, condition in enumerate(conditions):
            text = f'=Sentence {item_index}, "{condition.levels["marker"]}" {condition.levels["order"]}.'
            stimuli[item_index, index] = Stimulus.objects.create(item=item, condition=condition, text=text)
    for item in items[n_items:]:
        Stimulus.objects.create(item=item, text=f"Text of {item.code}: Ångström\nand a second line.")
    for index, square in enumerate(lists(n_items, len(conditions))):
        stimulus_list = StimulusList.objects.create(part=study.task, index=index)
        stimulus_list.stimuli.set(stimuli[item, condition] for item, condition in enumerate(square))
    return study


def add_participants(
    study: Study,
    count: int,
    *,
    first: int = 0,
    simulated: bool = False,
    stop_after: int | None = None,
    events: bool = False,
) -> list[Session]:
    """Let `count` participants take part, who judge sentences with known effects.

    `stop_after` answers only so many trials and leaves the session running; the next one had been begun.
    """
    return [
        _add_participant(study, first + index, simulated=simulated, stop_after=stop_after, events=events)
        for index in range(count)
    ]


def _add_participant(study: Study, number: int, *, simulated: bool, stop_after: int | None, events: bool) -> Session:
    rng = random.Random(f"{study.slug}-{number}")
    all_lists = list(study.lists.all())
    stimulus_list = all_lists[number % len(all_lists)]
    started = START + timedelta(minutes=number)
    participant = Participant.objects.create(  # type: ignore[misc]  # the code is a property, which seals it
        study=study, pseudonym=f"P{number:04d}", withdrawal_code=f"{study.slug}-W{number}", is_simulated=simulated
    )
    RecruitmentIdentity.objects.create(  # type: ignore[misc]  # the id is a property, which seals it
        participant=participant, study=study, source="PROLIFIC_PID", external_id=f"secret-{study.slug}-{number}"
    )
    complete = stop_after is None
    session = Session.objects.create(  # type: ignore[misc]  # token and key are properties, which seal them
        study=study,
        participant=participant,
        list=stimulus_list,
        token=f"token-{study.slug}-{number}",
        start_key=f"start-{study.slug}-{number}",
        seed=number,
        status=Session.Status.COMPLETE if complete else Session.Status.RUNNING,
        study_version=study.version,
        language="en",
        is_simulated=simulated,
        consent_version=1,
        consent_given_at=started,
        last_seen_at=started,
        finished_at=started + timedelta(minutes=11.5) if complete else None,
        client={"browser": "Firefox 140", "refresh_hz": 60.02},
    )
    Session.objects.filter(pk=session.pk).update(started_at=started)
    trials = Trial.objects.bulk_create(_trials(study, session, stimulus_list, rng))
    answered = trials if stop_after is None else trials[:stop_after]
    scale = 10 ** rng.uniform(0.5, 2)
    Response.objects.bulk_create(
        _response(trial, scale=scale, rng=rng, events=events, number=number) for trial in answered
    )
    if events:
        EventBatch.objects.bulk_create(
            EventBatch(
                trial=trial,
                sequence=sequence,
                content_hash="0" * 64,
                events=[{"type": "visibility", "t": 10.5 + index, "state": "hidden"} for index in range(2)],
            )
            for trial in answered
            for sequence in range(2)
        )
    if stop_after is not None and stop_after < len(trials):
        Trial.objects.filter(pk=trials[stop_after].pk).update(opened_at=started)
    return session


def _trials(study: Study, session: Session, stimulus_list: StimulusList, rng: random.Random) -> list[Trial]:
    shown = list(stimulus_list.stimuli.select_related("item", "condition"))
    shown += list(
        Stimulus.objects.filter(item__part__study=study, item__is_filler=True).select_related("item", "condition")
    )
    shown.sort(key=lambda stimulus: stimulus.pk)
    rng.shuffle(shown)
    practice = list(Stimulus.objects.filter(item__part__study=study, item__is_practice=True).select_related("item"))
    modulus = study.settings["modulus_text"]
    plan: list[tuple[str, str, dict[str, Any], Stimulus | None]] = [
        ("questions", "background-questions", {"title": "", "questions": study.questions}, None),
        ("instructions", "pages", {"pages": [], "kind": "instructions"}, None),
        ("modulus", "magnitude-estimation", {"kind": "modulus", "text": modulus, "allow_zero": False}, None),
    ]
    for stimulus in [*practice, *shown]:
        kind = "practice" if stimulus.item.is_practice else "target"
        params = {"kind": kind, "text": stimulus.text, "modulus_text": modulus, "allow_zero": True}
        plan.append(("practice" if kind == "practice" else "main", "magnitude-estimation", params, stimulus))
    return [
        Trial(
            session=session,
            part=study.background if phase == "questions" and study.background else study.task,
            position=position,
            phase=phase,
            plugin=plugin,
            params=params,
            stimulus=stimulus,
        )
        for position, (phase, plugin, params, stimulus) in enumerate(plan)
    ]


def _response(trial: Trial, *, scale: float, rng: random.Random, events: bool, number: int) -> Response:
    if trial.plugin == "background-questions":
        answers = {
            "native_language": "Another" if number % 3 == 2 else "English",
            "reading_hours": None if number % 2 else 4.5,
            "comment": "=fine, really",
        }
        payload: dict[str, Any] = {"answers": answers}
    elif trial.plugin == "pages":
        payload = {"page_ms": [812.4]}
    else:
        levels = trial.stimulus.condition.levels if trial.stimulus and trial.stimulus.condition else {}
        effect = sum(EFFECT[str(level)] for level in levels.values())
        rating = round(scale * 10 ** (effect + rng.gauss(0, 0.15)), 2)
        payload = {
            "typed": str(rating),
            "number": rating,
            "modulus_number": None if trial.params["kind"] == "modulus" else round(scale, 2),
            "first_key_ms": round(rng.uniform(400, 2000), 3),
            "edits": rng.randrange(3),
            "refused": ["x"] if rng.random() < 0.05 else [],
        }
    return Response(
        trial=trial,
        payload=payload,
        rt_ms=round(rng.lognormvariate(8, 0.4), 4),
        onset_ms=round(1000.1 * trial.position, 4),
        clock="element-timing",
        content_hash="0" * 64,
        event_batches=2 if events else 0,
    )
