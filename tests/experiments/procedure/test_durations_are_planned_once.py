"""How long a task takes is planned once for what it holds, and anew after every change that it rests on."""

from __future__ import annotations

import pytest
from django.core.cache import caches

from experiments.models import Stimulus, Study
from experiments.procedure import durations

pytestmark = pytest.mark.slow


@pytest.fixture
def planned(monkeypatch):
    """Return the list to which every planning of a task adds its name."""
    caches["process"].clear()
    names: list[str] = []
    plan = vars(durations)["plan_part"]

    def counted(part, **given):
        names.append(part.name)
        return plan(part, **given)

    monkeypatch.setattr(durations, "plan_part", counted)
    yield names
    caches["process"].clear()


def minutes(study):
    """Return what a request that knows nothing yet would tell."""
    return durations.estimated_minutes(Study.objects.get(pk=study.pk))


def test_a_second_look_plans_nothing_and_a_change_of_settings_materials_or_lists_does(ready, planned):
    first = minutes(ready)
    tasks = planned.count("task")
    assert tasks == 1
    assert minutes(ready) == first
    assert planned.count("task") == 1
    task = ready.task
    type(task).objects.filter(pk=task.pk).update(settings={**task.settings, "break_every": 3})
    minutes(ready)
    assert planned.count("task") == 2
    text = Stimulus.objects.filter(item__part=task, item__is_filler=False).first()
    Stimulus.objects.filter(pk=text.pk).update(text=f"{text.text} And so on.")
    minutes(ready)
    assert planned.count("task") == 3
    Stimulus.objects.filter(pk=text.pk).delete()
    minutes(ready)
    assert planned.count("task") == 4
