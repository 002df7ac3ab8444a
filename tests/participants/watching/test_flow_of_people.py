"""Monitor shows how people go through parts to outcomes, by group and by source, and what is taken of every quota."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from participants.models import Session
from participants.simulation import simulate
from participants.watching.flow import QuotaRow, flow_of
from participants.watching.monitoring import overview, place_condition, tally_of
from tests.participants.part_studies import study_of_parts
from tests.participants.source_studies import came_to_the_questions, ended, study_with_sources
from tests.participants.studies import Browser, open_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]

OLDER = {"name": "older", "quota": 3, "when": [{"question": "age", "operator": "at-least", "value": 30}]}


def rows_of(flow: Any) -> dict[str, list[int]]:
    return {row.label: row.numbers for row in flow.rows}


def test_parts_and_outcomes_are_counted_for_all_by_group_and_by_source() -> None:
    groups = [{"name": "near", "weight": 1, "quota": 5}, {"name": "far", "weight": 1}]
    study = study_with_sources(groups=groups, criteria=[OLDER])
    ended(came_to_the_questions(study, 1, 30, PROLIFIC_PID="p-1"))
    ended(came_to_the_questions(study, 2, 17, PROLIFIC_PID="p-2"))
    ended(came_to_the_questions(study, 3, 40, survey_code="71"))
    Browser(study, seed=4, recruitment={"PROLIFIC_PID": "p-3"}).start()
    Browser(study, seed=5).start()
    Session.objects.filter(source="mailing").update(last_seen_at=timezone.now() - timedelta(days=1))
    Session.objects.filter(source="sona").update(source="")
    flow = flow_of(study, simulated=False)
    assert flow.columns == ["near", "far", "prolific", "sona", "mailing", "no named source"]
    found = rows_of(flow)
    near = Session.objects.filter(group="near").count()
    assert near == 1
    assert found["Agreed to take part"] == [5, 1, 1, 3, 0, 1, 1]
    assert found["Demographics"] == [3, 1, 1, 2, 0, 0, 1]
    assert found["Task"] == [2, 1, 1, 1, 0, 0, 1]
    assert found["Completed"] == [2, 1, 1, 1, 0, 0, 1]
    assert found["Screened out"] == [1, 0, 0, 1, 0, 0, 0]
    assert found["Dropped out"] == [1, 0, 0, 0, 0, 1, 0]
    assert found["Running"] == [1, 0, 0, 1, 0, 0, 0]
    assert "Over quota" not in found
    assert flow.quotas == [QuotaRow("near", 1, 5), QuotaRow("older", 2, 3)]


def test_whoever_is_screened_out_has_not_dropped_out() -> None:
    study = study_with_sources()
    ended(came_to_the_questions(study, 1, 17))
    tally = overview(study, simulated=False).tally
    assert (tally.started, tally.sent_away, tally.dropped) == (1, 1, 0)
    assert tally_of(study, simulated=False) == tally
    assert Session.objects.filter(place_condition(study, "sent_away")).count() == 1
    assert not Session.objects.filter(place_condition(study, "dropped")).exists()


@pytest.mark.django_db(transaction=True)
def test_the_lists_of_every_task_are_counted() -> None:
    study = study_of_parts()
    assert simulate(study, participants=2, seed=1).finished == 2
    lists = overview(study, simulated=True).lists
    assert {each.task for each in lists} == {part.shown_name for part in study.tasks}
    for task in study.tasks:
        assert sum(each.tally.finished for each in lists if each.task == task.shown_name) == 2


def test_simulated_people_are_apart() -> None:
    study = study_with_sources()
    ended(came_to_the_questions(study, 1, 30))
    Session.objects.update(is_simulated=True)
    assert rows_of(flow_of(study, simulated=False))["Agreed to take part"][0] == 0
    assert rows_of(flow_of(study, simulated=True))["Task"][0] == 1


def test_the_page_shows_the_table_where_there_is_more_than_one_task(admin_user: Any, client: Client) -> None:
    client.force_login(admin_user)
    ended(came_to_the_questions(study_with_sources(), 1, 30, PROLIFIC_PID="p-1"))
    assert "From consent to outcome" in client.get("/admin/studies/sources/watch/").content.decode()
    Browser(open_study("plain")).answer_all()
    assert "From consent to outcome" not in client.get("/admin/studies/plain/watch/").content.decode()


def test_the_flow_takes_no_more_queries_with_more_people(django_assert_max_num_queries: Any) -> None:
    study = study_with_sources(criteria=[OLDER])
    for seed in range(4):
        ended(came_to_the_questions(study, seed, 20))
    study.ordered_parts  # noqa: B018 - read once
    with django_assert_max_num_queries(5):
        flow_of(study, simulated=False)
