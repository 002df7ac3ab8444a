"""At most so many people of whom certain answers hold: counted as lists are, and decided before the first trial."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from experiments.models import Part, Study
from experiments.study.opening import opening_faults, opening_warnings
from participants.models import Session
from participants.session.assignment import criteria_counts_by_group
from participants.watching.flow import QuotaRow, flow_of
from tests.participants.source_studies import AGE, YOUNG, came_to_the_questions, ended, study_with_sources

pytestmark = pytest.mark.django_db


def band(low: int, high: int, quota: int) -> dict[str, Any]:
    when = [
        {"question": "age", "operator": "at-least", "value": low},
        {"question": "age", "operator": "at-most", "value": high},
    ]
    return {"name": f"age-{low}-{high}", "quota": quota, "when": when}


BANDS = [band(18, 29, 1), band(30, 44, 2)]


def came(study: Study, seed: int, age: float) -> str:
    browser = came_to_the_questions(study, seed, age, PROLIFIC_PID=f"p-{seed}")
    return str(browser.post("session/advance/", {}).json()["outcome"])


def counts(study: Study) -> dict[str, int]:
    counted: dict[str, int] = {}
    for (name, _group), number in criteria_counts_by_group(study, simulated=False, now=timezone.now()).items():
        counted[name] = counted.get(name, 0) + number
    return counted


def test_a_full_band_sends_away_before_the_first_trial_and_the_others_go_on() -> None:
    study = study_with_sources(criteria=BANDS)
    assert [came(study, seed, age) for seed, age in enumerate((20, 29, 30, 31, 32, 70))] == [
        "", "over-quota", "", "", "over-quota", "",
    ]  # fmt: skip
    assert counts(study) == {"age-18-29": 1, "age-30-44": 2}
    away = Session.objects.filter(outcome="over-quota")
    assert {session.trials.count() for session in away} == {1}, "nobody was shown a trial"


def test_whoever_is_over_goes_back_as_over_quota() -> None:
    study = study_with_sources(criteria=BANDS)
    came(study, 1, 20)
    ending = ended(came_to_the_questions(study, 2, 21, PROLIFIC_PID="late"))
    assert (ending["heading"], ending["code"]) == ("Thank you – enough people have taken part", "C-FULL")


@pytest.mark.parametrize(
    "changes",
    [
        {"last_seen_at": timezone.now() - timedelta(days=1)},
        {"is_excluded": True},
        {"planned_exclusion": "Left out by a rule."},
    ],
)
def test_who_does_not_count_frees_the_place(changes: dict[str, Any]) -> None:
    study = study_with_sources(criteria=BANDS)
    came(study, 1, 20)
    Session.objects.update(**changes)
    assert came(study, 2, 20) == ""


def test_somebody_may_count_for_several_criteria_and_needs_a_place_in_each() -> None:
    either = {"name": "adults", "quota": 2, "when": [{"question": "age", "operator": "at-least", "value": 18}]}
    study = study_with_sources(criteria=[*BANDS, either])
    assert [came(study, seed, age) for seed, age in enumerate((20, 30, 31))] == ["", "", "over-quota"]
    assert counts(study) == {"age-18-29": 1, "age-30-44": 1, "adults": 2}


def test_a_quota_in_every_group_fills_each_of_them_and_no_further() -> None:
    bands = [{**band, "quota": 2, "per_group": True} for band in BANDS]
    study = study_with_sources(criteria=bands, groups=[{"name": "near", "weight": 2}, {"name": "far", "weight": 1}])
    assert [came(study, seed, age) for seed, age in enumerate([20, 30] * 4)] == [""] * 8
    assert [came(study, 10 + seed, age) for seed, age in enumerate((20, 30, 70))] == ["over-quota", "over-quota", ""]
    cells = criteria_counts_by_group(study, simulated=False, now=timezone.now())
    assert cells == {(each["name"], group): 2 for each in bands for group in ("near", "far")}
    assert flow_of(study, simulated=False).quotas[1] == QuotaRow("age-18-29, far", 2, 2)
    gone = Session.objects.filter(group="far", criteria="age-30-44").first()
    Session.objects.filter(pk=gone.pk).update(is_excluded=True)
    assert came(study, 20, 31) == ""
    assert Session.objects.latest("pk").group == "far", "the place that became free is in this group"


def test_a_quota_in_every_group_is_one_quota_where_there_are_none() -> None:
    study = study_with_sources(criteria=[{**BANDS[0], "per_group": True}])
    assert [came(study, seed, 20) for seed in range(2)] == ["", "over-quota"]


def test_simulated_people_are_counted_apart() -> None:
    study = study_with_sources(criteria=BANDS)
    came(study, 1, 20)
    Session.objects.update(is_simulated=True)
    assert came(study, 2, 20) == ""
    assert counts(study) == {"age-18-29": 1}


@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        (band(30, 20, 5), "'age' is at least 30 and 'age' is at most 20: nobody can meet both conditions."),
        (band(10, 17, 5), ": the screening rules exclude all of these people."),
        ({"name": "left", "quota": 5, "when": [{"question": "hand", "value": "left"}]}, "nothing has the name 'hand'."),
        (
            {"name": "late", "quota": 5, "when": [{"question": "later", "value": "a"}]},
            "' comes after the start of the first task, when nobody can be screened out any more.",
        ),
        ({**band(20, 30, 5), "part": "other"}, "no questionnaire with the name 'other' comes before the first task."),
        ({**band(20, 30, 5), "per_group": "yes"}, "'per_group' must be true or false."),
        (band(20, 30, 0), "the quota must be a whole number of 1 or more."),
    ],
)
def test_what_cannot_be_kept_is_said_before_opening(criterion: dict[str, Any], said: str) -> None:
    study = study_with_sources(status="draft", criteria=[criterion])
    after = [{"name": "later", "label": "?", "kind": "choice", "choices": ["a", "b"]}]
    Part.objects.create(study=study, name="end", kind="questionnaire", questions=after, position=9)
    study = Study.objects.get(pk=study.pk)
    [fault] = [fault for fault in opening_faults(study) if fault.step == "sources"]
    assert said in str(fault)


def test_a_study_whose_quota_no_criteria_can_fill_is_warned_of() -> None:
    every = [band(0, 30, 5), band(31, 120, 5)]
    asked = {**AGE, "minimum": 0, "maximum": 120}
    study = study_with_sources(status="draft", criteria=every, quota=20)
    Part.objects.filter(study=study, name="background").update(questions=[asked], settings={"screening": [YOUNG]})
    said = [warning.message for warning in opening_warnings(Study.objects.get(pk=study.pk))]
    between = "Somebody of 30.5 years meets neither, so these two leave no bound."
    assert not any("let 10 at most" in message for message in said), between
    every[1]["when"][0] = {"question": "age", "operator": "above", "value": 30}
    Study.objects.filter(pk=study.pk).update(criteria=every)
    said = [warning.message for warning in opening_warnings(Study.objects.get(pk=study.pk))]
    assert "The quota of the study is 20, but the quotas by criterion on 'age' let at most 10 people take part." in said
