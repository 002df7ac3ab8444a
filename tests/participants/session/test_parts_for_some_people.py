"""A part for those alone whose answers match a rule: who has it, on which list, in which order, what is told of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analysis.codebook.people import participant_columns, session_columns
from analysis.exports.rows.people import participant_rows, session_rows
from analysis.papers.design import order_of_parts
from experiments.models import Part, Study
from experiments.study.opening import opening_faults
from participants.models import Session, SessionList
from participants.watching.flow import flow_of
from participants.watching.invariants import violations
from tests.participants.part_studies import add_task, study_of_parts
from tests.participants.studies import Browser, result_for

pytestmark = pytest.mark.django_db

ENGLISH = [{"question": "language", "operator": "is", "value": "English"}]


def branched(rule: Any = ENGLISH, *, name: str = "second", **fields: Any) -> Study:
    study = study_of_parts(**fields)
    Part.objects.filter(study=study, name=name).update(shown_if=rule)
    return Study.objects.get(pk=study.pk)


def came(
    study: Study, seed: int, language: str | None, *, finishes: bool = True
) -> tuple[Browser, list[dict[str, Any]]]:
    browser = Browser(study, seed=seed)
    assert browser.start().status_code == 201
    browser.open()
    [asked] = browser.trials
    browser.send({**result_for(asked), "payload": {"answers": {"language": language}}})
    trials = browser.post("session/advance/", {}).json()["trials"]
    assert browser.post("session/advance/", {}).json()["trials"] == trials, "asking again changes nothing"
    if finishes:
        assert browser.send(*[result_for(trial) for trial in trials]).status_code == 200
        assert browser.complete().json()["complete"] is True
    return browser, trials


def test_those_who_match_have_the_part_and_the_others_go_on_without_it() -> None:
    study = branched()
    for seed, language in enumerate(("English", "other", None)):
        _browser, trials = came(study, seed, language)
        assert {trial["part"] for trial in trials} == ({"task", "second"} if language == "English" else {"task"})
    assert list(Session.objects.order_by("pk").values_list("skipped", flat=True)) == ["", "second", "second"]
    assert [one.list.part.name for one in SessionList.objects.all()] == ["second"]
    assert not any(violations(study).values()), violations(study)


def test_the_first_task_may_be_for_some_people_too() -> None:
    study = branched(name="task")
    came(study, 0, "other")
    session = Session.objects.get()
    assert session.list is not None
    assert session.list.part.name == "second"
    assert not SessionList.objects.exists()
    assert not any(violations(study).values()), violations(study)


def test_lists_and_orders_are_exact_among_those_who_have_the_part() -> None:
    study = branched(order_set="tasks")
    add_task(study, "third", order_set="tasks")
    study = Study.objects.get(pk=study.pk)
    for seed in range(24):
        # Some leave before the end: their places stay taken until they are given up as stale.
        came(study, seed, "English" if seed % 2 else "other", finishes=seed % 5 > 0)
    orders = Counter(Session.objects.values_list("skipped", "order"))
    of_all = {order: number for (skipped, order), number in orders.items() if not skipped}
    assert len(of_all) == 6
    assert set(of_all.values()) == {2}
    assert orders["second", "task third"] == orders["second", "third task"] == 6
    lists: Counter[Any] = Counter(Session.objects.values_list("list__part__name", "list__index"))
    lists.update(SessionList.objects.values_list("list__part__name", "list__index"))
    of_second = [number for (part, _index), number in lists.items() if part == "second"]
    assert of_second == [4, 4, 4]
    assert {number for (part, _index), number in lists.items() if part in ("task", "third")} == {12}
    faults = {key: found for key, found in violations(study).items() if found}
    assert not faults, faults


def test_whoever_comes_back_has_the_same_parts() -> None:
    study = branched()
    browser, trials = came(study, 3, "other", finishes=False)
    Part.objects.filter(name="second").update(shown_if=[])
    assert [trial["part"] for trial in browser.open().json()["trials"][1:]] == [trial["part"] for trial in trials]


def test_data_flow_and_paper_say_who_had_the_part_and_why() -> None:
    study = branched()
    for seed, language in enumerate(("English", "other", "other")):
        came(study, seed, language)
    for columns, rows in ((participant_columns, participant_rows), (session_columns, session_rows)):
        last = columns(study)[-1]
        assert last.name == "parts_skipped"
        assert "Second is for those of whom 'language' is 'English' holds." in last.description
        assert [cells[-1] for cells in rows(study)] == ["", "second", "second"]
        assert {len(cells) for cells in rows(study)} == {len(columns(study))}
    flow = {row.label: row.numbers[0] for row in flow_of(study, simulated=False).rows}
    assert flow["second"] == 1
    assert flow["second: skipped by its rule ('language' is 'English')"] == 2
    told = " ".join(str(block) for block in order_of_parts(study))
    assert "second was only for participants of whom 'language' is 'English' held" in told
    for part in study.ordered_parts:
        part.shown_if = []
    assert "parts_skipped" not in [column.name for column in (*participant_columns(study), *session_columns(study))]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ([{"question": "langage", "operator": "is", "value": "English"}], "no answer 'langage'"),
        ([{"question": "language", "operator": "is", "value": "Englisch"}], "can never be 'Englisch'"),
        ([{"question": "after", "operator": "above", "value": 1}], "after this part, or in it"),
        (
            [*ENGLISH, {"question": "language", "operator": "not-answered"}],
            "'language' is 'English' and 'language' has no answer: nobody can meet all of these conditions",
        ),
    ],
)
def test_a_rule_that_cannot_be_followed_is_said_before_opening(rule: Any, said: str) -> None:
    study = branched(rule)
    Part.objects.create(
        study=study,
        name="late",
        kind="questionnaire",
        position=9,
        questions=[{"name": "after", "label": "?", "kind": "number"}],
    )
    study = Study.objects.get(pk=study.pk)
    assert any("Part 'second': " in str(fault) and said in str(fault) for fault in opening_faults(study))
