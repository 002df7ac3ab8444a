"""The page of a participant in a study of several tasks: every trial is shown and replayed as its own task has it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from experiments.models import Membership, Study
from participants.models import Session, Trial
from participants.simulation import simulate
from participants.views.participant import trial_rows

HEAD = """
slug = "several-kinds"
title = "Several kinds of tasks"
responsible = "Laboratory of Examples"
contact = "laboratory@example.org"
data_protection_note = "Kept for a year."
estimated_minutes = 3

[[parts]]
name = "background"
kind = "questionnaire"
questions = [{ name = "home", label = "Where do you live?", kind = "text" }]
"""
PARTS = {
    "self-paced-reading": "",
    "magnitude-estimation": 'modulus_text = "The door was by the porter opened."\nline_length_training = false',
    "sentence-recall": "",
    "rating": "",
    "mouse-contingent-reading": 'ratings = [{ name = "fluency", text = "How well does it read?", kind = "magnitude" }]',
    "timed-choice": 'answers = "no | f\\nyes | j"\nscored = false',
    "typed-production": "time_limit_ms = 20000",
}


def answered(folder: Path, *paradigms: str) -> Study:
    """Return a study of these tasks, each with a factor named after it, in which one virtual person took part."""
    parts = [HEAD]
    for paradigm in paradigms:
        factor = f"order_{paradigm.replace('-', '_')}"
        gap = "___" if paradigm == "typed-production" else "long"
        rows = [
            f"item-{number},The {place} was | closed for a | {gap} week.,{level}"
            for number, place in enumerate(("river", "garden"), start=1)
            for level in ("early", "late")
        ]
        (folder / f"{paradigm}.csv").write_text("\n".join([f"item,text,{factor}", *rows]) + "\n")
        parts.append(
            f'[[parts]]\nname = "{paradigm}"\nparadigm = "{paradigm}"\ninstructions = "Begin."\n'
            f'[parts.settings]\n{PARTS[paradigm]}\n[parts.materials]\nfile = "{paradigm}.csv"\n'
        )
    (folder / "study.toml").write_text("\n".join(parts))
    call_command("create_study", str(folder / "study.toml"), "--open")
    study = Study.objects.get(slug="several-kinds")
    simulate(study, participants=1, seed=1)
    return Study.objects.get(pk=study.pk)


def address(study: Study, name: str, *arguments: Any) -> str:
    pseudonym = Session.objects.get(study=study).participant.pseudonym
    return reverse(f"watch:{name}", args=[study.slug, pseudonym, *arguments])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("paradigms", "measures"),
    [
        (
            ("self-paced-reading", "magnitude-estimation", "sentence-recall"),
            ("reading time of the whole text", "rating", "number of words"),
        ),
        (("timed-choice", "typed-production"), ("answer out of time", "length of the answer")),
        (("rating", "mouse-contingent-reading"), ("grammaticality", "reading time")),
    ],
)
def test_every_trial_is_shown_and_replayed_as_its_own_task_has_it(
    tmp_path: Path, client: Client, django_user_model: Any, paradigms: tuple[str, ...], measures: tuple[str, ...]
) -> None:
    study = answered(tmp_path, *paradigms)
    user = django_user_model.objects.create_user("watcher", password="a-password-for-tests", is_staff=True)
    Membership.objects.create(study=study, user=user, role="viewer")
    client.force_login(user)
    page = client.get(address(study, "participant"))
    assert page.status_code == 200
    rows = {row.position: row for row in trial_rows(Session.objects.get(study=study))}
    for paradigm, measure in zip(paradigms, measures, strict=True):
        shown = Trial.objects.filter(session__study=study, part__name=paradigm, stimulus__condition__isnull=False)
        assert shown.count() == 2
        for trial in shown:
            row = rows[trial.position]
            assert measure in dict(row.answer)
            assert row.condition == trial.stimulus.condition.name
            assert row.condition in {"early", "late"}
    read = Trial.objects.filter(session__study=study, part__name="mouse-contingent-reading", stimulus__isnull=False)
    links = {int(position) for position in re.findall(r"/trials/(\d+)/", page.content.decode())}
    assert links == set(read.values_list("position", flat=True))
    assert {client.get(address(study, "replay", position)).status_code for position in links} <= {200}
