"""A part that scores of tasks or later answers decide: decided when they are there, once, with an exact list."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analysis.codebook.people import participant_columns, session_columns
from analysis.exports.rows.people import participant_rows, session_rows
from experiments.models import Part, Study
from experiments.procedure.stages import stages_of
from experiments.study.opening import opening_faults
from participants.models import Session, SessionList
from participants.session.advancing import advance
from participants.simulation import simulate
from participants.watching.flow import flow_of
from participants.watching.invariants import violations
from tests.participants.part_studies import add_task, study_of_parts
from tests.participants.studies import Browser, payload_for, result_for

pytestmark = pytest.mark.django_db
RATED = [{"question": "task.distinct_ratings", "operator": "at-least", "value": 3}]
AFTER = [{"name": "again", "label": "Another one?", "kind": "choice", "choices": ["yes", "no"]}]


def changed(study: Study, name: str, **fields: Any) -> Study:
    Part.objects.filter(study=study, name=name).update(**fields)
    return Study.objects.get(pk=study.pk)


def by_score(rule: Any = RATED) -> Study:
    """Return a study: a questionnaire, a task, and a second one for those who gave three different numbers or more."""
    return changed(study_of_parts(), "second", shown_if=rule)


def add_questionnaire(study: Study, name: str, position: int, **fields: Any) -> None:
    Part.objects.filter(study=study, position__gte=position).update(position=position + 10)
    Part.objects.create(study=study, name=name, kind="questionnaire", position=position, questions=AFTER, **fields)


def entry(trial: dict[str, Any], number: float, answer: str = "yes") -> dict[str, Any]:
    if trial["plugin"] == "background-questions":
        names = [question["name"] for question in trial["params"]["questions"]]
        given = {"language": "English", "again": answer}
        return {**result_for(trial), "payload": {"answers": {name: given[name] for name in names}}}
    return {**result_for(trial), "payload": payload_for(trial, number)}


def took_part(study: Study, seed: int, *, varied: bool, answer: str = "yes") -> list[list[str]]:
    """Take part to the end and return the parts that every answer of the server gave."""
    browser = Browser(study, seed=seed)
    assert browser.start().status_code == 201
    opened = browser.open().json()
    trials, more, given = opened["trials"], opened["more"], []
    while True:
        given.append(list(dict.fromkeys(trial["part"] for trial in trials)))
        entries = [entry(trial, 10 + (trial["position"] if varied else 0), answer) for trial in trials]
        assert browser.send(*entries).status_code == 200
        if not more:
            break
        assert browser.complete().json()["complete"] is False, "what is not decided is not complete"
        went_on = browser.post("session/advance/", {}).json()
        assert browser.post("session/advance/", {}).json() == went_on, "asking again changes nothing"
        trials, more = went_on["trials"], went_on["more"]
    assert browser.complete().json()["complete"] is True
    return given


def test_those_who_reach_the_score_go_on_and_the_others_end() -> None:
    study = by_score()
    assert [[part.name for part in stage] for stage in stages_of(study.ordered_parts)][1:] == [["task"], ["second"]]
    assert took_part(study, 0, varied=True)[1:] == [["task"], ["second"]]
    assert took_part(study, 1, varied=False)[1:] == [["task"], []]
    sessions = list(Session.objects.order_by("pk"))
    assert [(one.skipped, one.stage, one.status) for one in sessions] == [
        ("", None, "complete"),
        ("second", None, "complete"),
    ]
    assert sessions[1].skipped_because == "second: task.distinct_ratings = 1"
    assert [one.list.part.name for one in SessionList.objects.all()] == ["second"]
    assert not any(violations(study).values()), violations(study)


def test_lists_of_the_later_task_are_exact_among_those_who_have_it() -> None:
    study = by_score()
    for seed in range(12):
        took_part(study, seed, varied=seed % 2 == 0)
    assert Counter(SessionList.objects.values_list("list__index", flat=True)) == {0: 2, 1: 2, 2: 2}
    assert not any(violations(study).values()), violations(study)


def test_what_comes_after_a_part_that_is_decided_late_keeps_its_list() -> None:
    study = by_score()
    add_task(study, "third", position=20)
    study = Study.objects.get(pk=study.pk)
    assert took_part(study, 0, varied=True)[2] == ["second", "third"]
    assert took_part(study, 1, varied=False)[2] == ["third"]
    assert not any(violations(study).values()), violations(study)


def test_a_later_answer_decides_and_is_named_in_a_later_page() -> None:
    study = study_of_parts()
    add_questionnaire(study, "after", 2)
    study = changed(study, "second", shown_if=[{"question": "again", "operator": "is", "value": "yes"}])
    Part.objects.create(
        study=study, name="bye", kind="page", position=30, markup="plain", body="You said {answer:again|nothing}."
    )
    study = Study.objects.get(pk=study.pk)
    assert not [str(fault) for fault in opening_faults(study) if "art '" in str(fault)]
    assert took_part(study, 0, varied=False)[1:] == [["task", "after"], ["second", "bye"]]
    assert took_part(study, 1, varied=False, answer="no")[1:] == [["task", "after"], ["bye"]]
    assert Session.objects.latest("pk").skipped_because == "second: again does not match"
    shown = [
        trial.params["pages"]
        for session in Session.objects.order_by("pk")
        for trial in session.trials.filter(part__name="bye")
    ]
    assert ["yes" in str(shown[0]), "no" in str(shown[1])] == [True, True]
    assert "{answer" not in str(shown)


def test_whoever_comes_back_between_the_stages_goes_on_where_it_was() -> None:
    study = by_score()
    browser = Browser(study, seed=4)
    browser.start()
    [asked] = browser.open().json()["trials"]
    browser.send(entry(asked, 1))
    trials = browser.post("session/advance/", {}).json()["trials"]
    assert browser.post("session/advance/", {}).json()["trials"] == trials
    browser.send(*[entry(trial, trial["position"] + 1) for trial in trials[:-1]])
    assert browser.post("session/advance/", {}).json()["missing"] == [trials[-1]["position"]]
    again = browser.open().json()
    assert again["more"] is True
    assert len(again["trials"]) == 1 + len(trials)
    browser.send(entry(trials[-1], 99))
    assert {trial["part"] for trial in browser.post("session/advance/", {}).json()["trials"]} == {"second"}
    assert browser.open().json()["more"] is False


def test_stages_that_give_no_trials_are_passed_through() -> None:
    study = by_score()
    never = [{"question": "task.distinct_ratings", "operator": "at-least", "value": 900}]
    add_questionnaire(study, "after", 2, shown_if=never)
    study = changed(study, "second", shown_if=[{"question": "again", "operator": "is", "value": "yes"}])
    assert len(stages_of(study.ordered_parts)) == 4
    assert took_part(study, 0, varied=True)[1:] == [["task"], []]
    session = Session.objects.get()
    assert session.skipped == "after second"
    assert session.skipped_because == "after: task.distinct_ratings = 6; second: again has no value"


def test_a_study_that_was_closed_meanwhile_decides_nothing_more() -> None:
    study = by_score()
    browser = Browser(study, seed=2)
    browser.start()
    browser.send(*[entry(trial, 1) for trial in browser.open().json()["trials"]])
    browser.send(*[entry(trial, 1) for trial in browser.post("session/advance/", {}).json()["trials"]])
    Study.objects.filter(pk=study.pk).update(status="closed")
    assert advance(Session.objects.select_related("study").get()).session.outcome == "over-quota"


def test_without_a_questionnaire_at_the_start_the_first_task_decides_as_well() -> None:
    study = by_score()
    Part.objects.filter(study=study, kind="questionnaire").delete()
    study = Study.objects.get(pk=study.pk)
    assert took_part(study, 0, varied=True) == [["task"], ["second"]]
    assert took_part(study, 1, varied=False) == [["task"], []]


def test_data_say_who_had_the_part_and_what_decided_it() -> None:
    study = by_score()
    took_part(study, 0, varied=True)
    took_part(study, 1, varied=False)
    for columns, rows in ((participant_columns, participant_rows), (session_columns, session_rows)):
        names = [column.name for column in columns(study)]
        assert names[-2:] == ["parts_skipped", "parts_skipped_because"]
        assert [cells[-2:] for cells in rows(study)] == [("", ""), ("second", "second: task.distinct_ratings = 1")]
        assert {len(cells) for cells in rows(study)} == {len(names)}
    flow = {row.label: row.numbers[0] for row in flow_of(study, simulated=False).rows}
    assert flow["second: skipped by its rule ('task.distinct_ratings' is at least 3)"] == 1


def test_simulated_participants_follow_later_rules(live_server: Any) -> None:
    median = [{"question": "task.distinct_ratings", "operator": "at-least", "value": 5}]
    study = by_score(median)
    done = simulate(study, participants=8, seed=3, base_url=live_server.url)
    assert done.finished == 8
    had = Counter(Session.objects.values_list("skipped", flat=True))
    assert set(had) == {"", "second"}, had
    assert not any(violations(study).values()), violations(study)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ([{"question": "second.distinct_ratings", "operator": "above", "value": 1}], "after this part, or in it"),
        ([{"question": "task.accurcy", "operator": "above", "value": 0.8}], "no answer 'task.accurcy'"),
        ([{"question": "task.modal_share", "operator": "above", "value": 80}], "is between 0 and 1"),
        (
            [*RATED, {"question": "task.distinct_ratings", "operator": "below", "value": 2}],
            ": nobody can meet all of these conditions.",
        ),
    ],
)
def test_a_rule_on_scores_that_cannot_be_followed_is_said_before_opening(rule: Any, said: str) -> None:
    faults = [str(fault) for fault in opening_faults(by_score(rule))]
    assert any("Part 'second': " in fault and said in fault for fault in faults), faults


def test_parts_around_a_decision_cannot_change_places() -> None:
    study = study_of_parts(order_set="tasks")
    study = changed(study, "second", shown_if=RATED)
    assert any("cannot be counterbalanced" in str(fault) for fault in opening_faults(study))
    study = changed(study, "second", order_set="")
    add_task(study, "third", position=20, order_set="tasks")
    assert any(
        "' cannot be counterbalanced: what comes before a part between them decides who gets that part." in str(f)
        for f in opening_faults(Study.objects.get(pk=study.pk))
    )
