"""Simulated participants go through studies in memory: every bundled study, the same by one seed, nothing stored."""

from __future__ import annotations

import pytest
from django.apps import apps

from experiments.paradigms import paradigm_named
from experiments.study.lifecycle import create_study
from experiments.study.refusals import LifecycleRefusal
from experiments.study_files import create_from_toml
from experiments.study_files.examples import ExampleStudyFile, example_studies
from participants.simulating.previewing import preview_simulation

pytestmark = pytest.mark.django_db
SMALL = ("stroop", "go-no-go", "words-and-sentences")
EVERY = pytest.mark.full("a bundled study whose simulated participants give an answer that it refuses")


def counted() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(one, id=one.slug, marks=() if one.slug in SMALL else EVERY)
        for one in example_studies()
    ],
)  # fmt: skip
def test_a_bundled_study_is_gone_through_without_a_trace(example: ExampleStudyFile) -> None:
    study = create_from_toml(example.path)
    before = counted()
    told = preview_simulation(study, participants=4, seed=7, seconds=60)
    assert counted() == before
    assert told["refused"] == []
    assert told["flow"]["finished"] == 4
    assert told["notes"] in ([], ["Parts for some people were gone through by everybody."])
    assert {one["part"] for one in told["design"]} == {part.name for part in study.ordered_parts}
    assert preview_simulation(study, participants=4, seed=7, seconds=60) == told
    items = {task.name: task.items.filter(is_filler=False, is_practice=False).count() for task in study.tasks}
    assert {one["part"]: one["items"] for one in told["design"] if one["kind"] == "task"} == items


def test_figures_and_design_are_those_of_the_study() -> None:
    study = create_from_toml(next(one.path for one in example_studies() if one.slug == "stroop"))
    told = preview_simulation(study, participants=1, seed=3)
    [*_rest, task] = told["design"]
    assert told["flow"]["results"] == sum(one["trials"]["most"] for one in told["design"] if one["trials"])
    assert task["factors"] == {"congruency": ["congruent", "incongruent"]}
    by_condition = {one["condition"]: one["measures"]["rt_ms"]["mean"] for one in told["figures"]}
    assert set(by_condition) == {"congruency congruent", "congruency incongruent"}


def test_a_study_without_materials_says_what_is_missing() -> None:
    first = paradigm_named("rating").settings_of_new_task("en")
    study = create_study(user=None, slug="empty", title="Empty", paradigm="rating", settings=first)
    with pytest.raises(LifecycleRefusal, match="no materials"):
        preview_simulation(study, participants=1, seed=1)


def test_after_the_time_nobody_else_begins() -> None:
    study = create_from_toml(next(one.path for one in example_studies() if one.slug == "stroop"))
    told = preview_simulation(study, participants=20, seed=1, seconds=0)
    assert told["flow"]["finished"] == 1
    assert told["notes"] == ["The time was up after 1 of 20 participants."]
