"""Coding in a study of several tasks: each has its queue, its counts, its final codes; coders and codes are shared."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from analysis.coding.adjudicating import decide, keys_to_settle
from analysis.coding.final import counts, finals
from analysis.coding.freezing import freeze, freeze_warnings
from analysis.coding.queues import items, progress
from analysis.coding.recalls import coded_tasks
from analysis.coding.saving import save
from analysis.data.tables import table_pieces
from analysis.models import Coding
from experiments.models import AuditEntry, Part, Study
from experiments.study.parts import copy_part
from experiments.study.steps import coding_links, study_steps
from participants.models import Response, Session, Trial
from tests.analysis.recalls import make_coded_study, make_coder, queue_of, user_named
from tests.analysis.two_tasks import FIRST, put_a_task_before

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Return a study of three tasks: ratings, recalls that are coded, and further recalls that nobody coded."""
    study = put_a_task_before(make_coded_study())
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    task = study.parts.get(name="task")
    copy_part(Study.objects.get(pk=study.pk), task, "later", user_named("owner"))
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    study = Study.objects.get(pk=study.pk)
    for session in Session.objects.filter(study=study):
        _recall_again(session, study.parts.get(name="later"))
    return study


def _recall_again(session: Session, part: Part) -> None:
    """Answer the first two recalls of a session once more in another part."""
    last = session.trials.order_by("-position").values_list("position", flat=True)[0]
    recalls = session.trials.filter(part__name="task", phase="main").order_by("position")[:2]
    for place, trial in enumerate(recalls, start=1):
        stimulus = part.items.get(code=trial.stimulus.item.code).stimuli.first()
        given = trial.response
        trial = Trial.objects.create(
            session=session, part=part, position=last + place, phase="main", plugin=trial.plugin, params=trial.params,
            stimulus=stimulus,
        )  # fmt: skip
        Response.objects.create(
            trial=trial, payload=given.payload, rt_ms=given.rt_ms, onset_ms=given.onset_ms, clock=given.clock,
            content_hash=given.content_hash,
        )  # fmt: skip


def rows_of(study: Study, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(table_pieces(study, table)).decode())))


def test_every_coded_task_has_its_own_queue_counts_and_final_codes(study):
    second, third = study.seen_through("task"), study.seen_through("later")
    assert [seen.chosen_task for seen in coded_tasks(study)] == ["task", "later"]
    before, later = counts(second), counts(third)
    assert (before.uncoded, later.uncoded, later.total) == (0, later.total, _shown(study, "later"))
    queue = queue_of(third, "anna")
    names = {view.recall_id for view in items(queue, count=99)}
    assert names.isdisjoint(view.recall_id for view in items(queue_of(second, "anna"), count=99))
    assert progress(queue).coded == 0
    for view in items(queue, count=99):
        save(queue, view.recall_id, ["0"])
    assert counts(second) == before
    assert counts(third).single == later.total
    assert {final.codes for final in finals(third).values()} == {("0",)}
    assert finals(second).keys().isdisjoint(finals(third))


def _shown(study: Study, part: str) -> int:
    return Trial.objects.filter(part__study=study, part__name=part, stimulus__item__is_filler=False).count()


def test_disagreements_are_settled_in_their_task(study):
    third = study.seen_through("later")
    make_coder(study, "ben")
    for name, code in (("anna", "0"), ("ben", "3")):
        queue = queue_of(third, name)
        for view in items(queue, count=99):
            save(queue, view.recall_id, [code])
    assert len(keys_to_settle(third)) == counts(third).total
    assert keys_to_settle(study.seen_through("task")) == []
    (view, *_others) = items(queue_of(third, "ben"), count=99)
    decide(third, view.recall_id, ["2"], user=user_named("owner"))
    assert counts(third).adjudicated == 1
    assert any(warning.startswith("later: ") for warning in freeze_warnings(study))


def test_the_export_says_the_task_and_a_table_of_one_task_has_its_rows_alone(study):
    queue = queue_of(study.seen_through("later"), "anna")
    save(queue, items(queue)[0].recall_id, ["0"])
    rows = rows_of(study, "codings")
    assert list(rows[0])[-1] == "part"
    assert [row["part"] for row in rows] == ["task"] * (len(rows) - 2) + ["later"] * 2
    assert rows_of(study.seen_through("task"), "codings") == [row for row in rows if row["part"] == "task"]
    trials = [row for row in rows_of(study, "trials") if row["score"]]
    assert {row["part"] for row in trials} == {"task", "later"}
    assert not any(row["score"] for row in rows_of(study, "trials") if row["part"] == FIRST)


def test_the_steps_and_pages_of_coding_stand_once_for_each_task_that_is_coded(study):
    owner = user_named("owner")
    steps = {step.url: str(step.label) for step in study_steps(study, owner) if step.slug == "code"}
    address = f"/admin/studies/{study.slug}/parts/{{}}/code/"
    assert steps == {address.format("task"): "Code – task", address.format("later"): "Code – later"}
    assert [link.task for link in coding_links(study, user_named("anna"))] == ["task", "later"]
    client = Client()
    client.force_login(owner)
    assert client.get(reverse("coding:overview", args=[study.slug])).status_code == 200
    assert client.get(address.format("later")).status_code == 200
    assert client.get(address.format(FIRST)).status_code == 404
    client.force_login(user_named("anna"))
    page = client.get(f"{address.format('later')}work/")
    assert page.status_code == 200
    found = client.get(f"{address.format('later')}work/items/").json()["items"]
    assert len(found) == min(_shown(study, "later"), 20)
    assert client.get(f"{address.format('gone')}work/").status_code == 404


def test_removing_a_coder_names_what_is_lost_in_all_tasks(study):
    third = study.seen_through("later")
    queue = queue_of(third, "anna")
    save(queue, items(queue)[0].recall_id, ["0"])
    coded = Coding.objects.filter(coder=user_named("anna")).count()
    assert coded > progress(queue).coded == 1
    client = Client()
    client.force_login(user_named("owner"))
    address = f"/admin/studies/{study.slug}/parts/later/code/coders/{queue.number}/remove/"
    assert f"{coded} codings of anna" in client.get(address).content.decode()
    assert f"{coded} codings were deleted" in client.post(address, follow=True).content.decode()
    assert not Coding.objects.exists()


def test_the_history_says_how_far_every_task_was_when_the_codings_were_frozen(study):
    third = study.seen_through("later")
    save(queue_of(third, "anna"), items(queue_of(third, "anna"))[0].recall_id, ["0"])
    done, left = counts(study.seen_through("task")).single, counts(third).uncoded
    freeze(third, user=user_named("owner"))
    assert AuditEntry.objects.get(study=study, action="codings frozen").detail == (
        f"task: 0 adjudicated, 0 agreed, {done} single, 0 unresolved, 0 not coded; "
        f"later: 0 adjudicated, 0 agreed, 1 single, 0 unresolved, {left} not coded"
    )


def test_one_coded_task_is_frozen_with_its_numbers_alone():
    study = put_a_task_before(make_coded_study())
    freeze(study, user=user_named("owner"))
    detail = AuditEntry.objects.get(study=study, action="codings frozen").detail
    number = counts(study.seen_through("task")).single
    assert detail == f"0 adjudicated, 0 agreed, {number} single, 0 unresolved, 0 not coded"
    assert number > 0
