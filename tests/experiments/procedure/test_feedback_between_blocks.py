"""What breaks say, practice that comes again and instructions that stay: planned, or refused before opening."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.models import Item, Stimulus, Study
from experiments.paradigms import PARADIGMS
from experiments.paradigms.base import TrialPlan
from experiments.procedure.feedback import feedback_faults, result_of
from experiments.procedure.sessions import plan_session, seconds_of, study_snapshot
from tests.participants.choice_studies import open_choice_study

pytestmark = pytest.mark.django_db


def planned(study: Study, **procedure: Any) -> list[TrialPlan]:
    task = study.task
    task.procedure = {**task.procedure, **procedure}
    task.save()
    return plan_session(study_snapshot(study, study.lists.first()), seed=4)


def test_breaks_tell_of_the_trials_before_them_only_where_the_procedure_says_so() -> None:
    study = open_choice_study(break_every=2)
    silent = planned(study)
    telling = planned(study, break_feedback="both")
    assert {trial.plugin for trial in silent if trial.phase == "break"} == {"break"}
    assert {(trial.plugin, trial.params["feedback"]) for trial in telling if trial.phase == "break"} == {
        ("break-feedback", "both")
    }
    assert [trial.stimulus_id for trial in silent] == [trial.stimulus_id for trial in telling]


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_practice_is_planned_in_all_its_rounds_each_with_a_page_that_decides(rounds: int) -> None:
    study = open_choice_study(break_every=0)
    once = planned(study)
    trials = planned(study, practice_until=80, practice_rounds=rounds)
    practice = [trial for trial in once if trial.phase == "practice"]
    pages = [(at, trial) for at, trial in enumerate(trials) if trial.plugin == "break-feedback"]
    assert len(pages) == rounds
    for number, (at, page) in enumerate(pages, start=1):
        own = trials[at - len(practice) : at]
        assert [trial.params for trial in own] == [trial.params for trial in practice]
        assert page.private["until"] == 80
        assert "until" not in page.params
        after = trials[at + 1 + page.private["skips"]]
        assert after.phase == "main", f"round {number} leads to the main trials where it was enough"
    assert [trial.params for trial in trials if trial.phase == "main"] == [
        trial.params for trial in once if trial.phase == "main"
    ]
    assert seconds_of(trials, 3.0) == seconds_of(once, 3.0) + 30.0, "what most people do not see costs no time"


def test_instructions_stay_as_long_as_the_procedure_says() -> None:
    study = open_choice_study()
    pages = [trial for trial in planned(study, minimum_seconds=20) if trial.phase == "instructions"]
    assert pages
    assert all(page.params["minimum_ms"] == 20_000 for page in pages)
    assert all("minimum_ms" not in page.params for page in planned(study, minimum_seconds=0))


@pytest.mark.parametrize(
    ("procedure", "settings", "said"),
    [
        (
            {"break_feedback": "right"},
            {"scored": False},
            "People should read how many answers were right, but no answer is right or wrong here.",
        ),
        (
            {"practice_until": 50},
            {"scored": False},
            "People should read how many answers were right, but no answer is right or wrong here.",
        ),
        (
            {"practice_until": 50, "practice_first": False},
            {},
            "Practice cannot be repeated when it is mixed with the other texts.",
        ),
    ],
)
def test_what_cannot_be_told_or_repeated_is_said_before_opening(
    procedure: dict[str, Any], settings: dict[str, Any], said: str
) -> None:
    task = open_choice_study(**settings).task
    task.procedure = procedure
    assert [said in str(fault.message) for fault in feedback_faults(task)] == [True]


def test_practice_that_does_not_exist_cannot_be_repeated() -> None:
    task = open_choice_study().task
    task.procedure = {"practice_until": 50}
    Stimulus.objects.filter(item__part=task, item__is_practice=True).delete()
    Item.objects.filter(part=task, is_practice=True).delete()
    assert ["no practice texts" in str(fault.message) for fault in feedback_faults(task)] == [True]


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
def test_the_share_of_right_answers_is_a_quality_measure_of_its_paradigm(paradigm: Any) -> None:
    declared = {measure.name for measure in paradigm.quality_measures()}
    assert paradigm.right_share in {"", *declared}
    assert paradigm.share_right([]) is None
    assert result_of(paradigm, [], [], said="both").again is None


def test_the_end_of_a_task_says_how_all_of_it_went() -> None:
    study = open_choice_study(break_every=2)
    trials = planned(study, end_feedback="right")
    assert (trials[-1].plugin, trials[-1].params["is_end"]) == ("break-feedback", True)
    assert trials[-1].params["done"] == sum(trial.phase == "main" for trial in trials)
    assert [trial.plugin for trial in trials if trial.phase == "break"][:-1].count("break-feedback") == 0


def test_practice_in_a_random_order_changes_no_other_trial() -> None:
    study = open_choice_study()
    for number in range(5):
        item = Item.objects.create(part=study.task, code=f"more{number}", position=100 + number, is_practice=True)
        Stimulus.objects.create(item=item, text=f"more{number}", extra={"correct": "word"})
    given = planned(study)
    shuffled = planned(study, practice_order="random")

    def texts(trials: list[TrialPlan], phase: str) -> list[str]:
        return [trial.params["text"] for trial in trials if trial.phase == phase]

    assert texts(given, "practice") != texts(shuffled, "practice")
    assert sorted(texts(given, "practice")) == sorted(texts(shuffled, "practice"))
    assert texts(given, "main") == texts(shuffled, "main")
