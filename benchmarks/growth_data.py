"""Fill a study with many participants: a few are simulated through the platform itself, the others are copies in SQL.

Copies differ in their times and their events; of a hundred, three dropped out in the middle, two are excluded, and one
came back after the place was given away.
"""

from __future__ import annotations

import csv
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

EXAMPLE = "lexical-decision"
# With two pages and the questions a session has 58 trials.
PRACTICE, ITEMS, FILLERS = 4, 12, 26
TEMPLATES, AT_ONCE = 8, 500
# What differs between the responses of a copy and those of its template.
_CHANGED = ("rt_ms", "focus_losses", "interrupted")


def study_with_few() -> Any:
    """Make the study, open it, and let the few take part whom the others copy; return it."""
    study = _open_study()
    from participants.simulation import simulate

    simulate(study, participants=TEMPLATES, seed=1)
    _as_real(study)
    return study


def _open_study() -> Any:
    """Make the example with fewer words, and open it."""
    from django.contrib.auth import get_user_model

    from experiments.study.lifecycle import open_study
    from experiments.study_files import read_toml
    from experiments.study_files.description import store_description
    from experiments.study_files.examples import example_studies

    path = next(each.path for each in example_studies() if each.slug == EXAMPLE)
    with tempfile.TemporaryDirectory(prefix="lectern-growth-study-") as folder:
        Path(folder, path.name).write_bytes(path.read_bytes())
        with path.with_name("materials.csv").open(encoding="utf-8", newline="") as source:
            rows = list(csv.DictReader(source))
        with Path(folder, "materials.csv").open("w", encoding="utf-8", newline="") as target:
            writer = csv.DictWriter(target, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(_fewer(rows))
        described = read_toml(Path(folder, path.name))
        user = get_user_model().objects.create_superuser("growth", password="growth")
        return open_study(store_description(described, user=user, origin="benchmark"), user)


def _fewer(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    practice = [row for row in rows if row["is_practice"] == "true"][:PRACTICE]
    fillers = [row for row in rows if row["is_filler"] == "true"][:FILLERS]
    targets = [row for row in rows if row["is_filler"] == row["is_practice"] == "false"]
    items = list(dict.fromkeys(row["item"] for row in targets))[:ITEMS]
    return [*practice, *(row for row in targets if row["item"] in items), *fillers]


def _as_real(study: Any) -> None:
    """Turn the simulated participants into people, as nothing else tells them apart."""
    from participants.models import Participant, Session

    Session.objects.filter(study=study).update(is_simulated=False)
    Participant.objects.filter(study=study).update(is_simulated=False)


def fill(study: Any, participants: int) -> None:
    """Add copies of the sessions that are there, until so many took part."""
    from participants.models import Participant, RecruitmentIdentity, Session

    templates = list(Session.objects.filter(study=study).order_by("pk"))
    for first in range(len(templates), participants, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, participants))
        people = Participant.objects.bulk_create(
            Participant(study=study, pseudonym=f"G{number:06d}", withdrawal_code=f"{study.slug} {number}")  # type: ignore[misc]
            for number in numbers
        )
        RecruitmentIdentity.objects.bulk_create(
            RecruitmentIdentity(participant=person, study=study, source="PROLIFIC_PID", external_id=f"growth-{number}")  # type: ignore[misc]
            for number, person in zip(numbers, people, strict=True)
        )
        Session.objects.bulk_create(
            _copy(templates[number % len(templates)], number, person)
            for number, person in zip(numbers, people, strict=True)
        )
    for template in templates:  # a start that `auto_now_add` does not set to now
        Session.objects.filter(study=study, seed=template.pk).update(started_at=template.started_at)
    _copy_answers(study, [one.pk for one in templates])


def _copy(template: Any, number: int, person: Any) -> Any:
    """Return a session like its template, whose key is kept as the seed so that SQL finds it."""
    from participants.models import Session

    own = {field.attname: getattr(template, field.attname) for field in Session._meta.concrete_fields}
    drops, excluded, late = number % 100 in (11, 47, 83), number % 50 == 21, number % 100 == 5
    finished = template.started_at + timedelta(minutes=4 + number % 17, seconds=number % 60)
    changed = {
        "id": None,
        "participant_id": person.pk,
        "seed": template.pk,
        "finished_at": None if drops else finished,
        "last_seen_at": template.started_at - timedelta(days=1) if drops else finished,
        "status": Session.Status.RUNNING if drops else Session.Status.COMPLETE,
        "outcome": "" if drops else Session.Outcome.COMPLETED,
        "planned_exclusion": None if drops else template.planned_exclusion,
        "is_excluded": excluded and not drops,
        "exclusion_reason": "not a native speaker" if excluded and not drops else "",
        "returned_late": late,
    }
    copy = Session(**{**own, **changed, "resume_code_hash": "", "resume_code_sealed": ""})
    copy.token, copy.start_key = f"token {number}", f"start {number}"
    return copy


def _columns(model: Any, *, without: tuple[str, ...]) -> list[str]:
    """Return the columns of a table but its key and those of `without`."""
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if not field.primary_key and field.column not in without
    ]


def _from(alias: str, columns: list[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in columns)


def _copy_answers(study: Any, templates: list[int]) -> None:
    """Give every copy the trials of its template, answered in times of its own; a drop-out answered half of them."""
    from django.db import connection

    from participants.models import EventBatch, Response, Trial

    of_trial = _columns(Trial, without=("session_id",))
    of_response = _columns(Response, without=("trial_id", *_CHANGED))
    of_batch = _columns(EventBatch, without=("trial_id",))
    copies = f"s.study_id = {study.pk} AND s.id NOT IN ({', '.join(map(str, templates))})"
    number = "(s.id * 7919 + t.position * 104729)"
    joined = (
        "participants_session s JOIN participants_trial t ON t.session_id = s.seed "
        "JOIN participants_trial n ON n.session_id = s.id AND n.position = t.position "
        "JOIN participants_response r ON r.trial_id = t.id"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO participants_trial (session_id, {', '.join(of_trial)}) SELECT s.id, {_from('t', of_trial)} "
            f"FROM participants_session s JOIN participants_trial t ON t.session_id = s.seed WHERE {copies}"
        )
        cursor.execute(
            f"INSERT INTO participants_response (trial_id, {', '.join([*_CHANGED, *of_response])}) "
            f"SELECT n.id, r.rt_ms * (0.6 + ({number} % 1000) / 1250.0), "
            f"CASE WHEN {number} % 97 = 0 THEN 1 ELSE 0 END, {number} % 311 = 0, {_from('r', of_response)} "
            f"FROM {joined} WHERE {copies} AND (s.status = 'complete' OR t.position < 30)"
        )
        cursor.execute(
            f"INSERT INTO participants_eventbatch (trial_id, {', '.join(of_batch)}) "
            f"SELECT n.id, {_from('b', of_batch)} FROM {joined} "
            f"JOIN participants_eventbatch b ON b.trial_id = t.id "
            f"WHERE {copies} AND (s.status = 'complete' OR t.position < 30)"
        )
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE")
