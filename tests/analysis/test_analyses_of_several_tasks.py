"""Analyses of a study of several tasks: each is about one of them, and says what it says in a study of that task."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis.coding.queues import items
from analysis.coding.saving import save
from analysis.data.frames import study_data
from analysis.data.tables import table_pieces
from analysis.exports.archive import export_files
from analysis.exports.sheets import name_in_export, table_sheets
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun, Coding
from analysis.papers.run_files import archive_files, rerun_line
from analysis.studies.asking import request_run
from analysis.studies.changes import Changes
from analysis.studies.planned import standing_of
from analysis.views.asking import suggestions
from experiments.models import Part, Study
from experiments.study.lifecycle import LifecycleRefusal, save_plan
from participants.models import Session
from tests.analysis.computed import execute
from tests.analysis.recalls import make_coded_study, make_coder, queue_of, user_named
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import FIRST, put_a_task_before

pytestmark = [pytest.mark.both, pytest.mark.django_db]

ANOVA = {"dv": "rating_z", "within": "marker,order"}


def ratings() -> Study:
    study = make_study()
    # The rows of a questionnaire belong to no task, so that they are not counted where one of several is analysed.
    study.parts.filter(name="background").delete()
    Study.objects.filter(pk=study.pk).update(owner=user_named("owner"))
    study = Study.objects.get(pk=study.pk)
    add_participants(study, 6)
    return study


def recalls() -> Study:
    """Return a study whose recalls two coders coded; they differ in one."""
    study = make_coded_study()
    first, second = queue_of(study, "anna"), make_coder(study, "ben")
    for number, view in enumerate(items(first, count=99)):
        save(second, view.recall_id, view.codes if number else ["6"])
    return study


def ended(study: Study, method: str, params: Any, table: str = "trials") -> AnalysisRun:
    run = request_run(study, method=method, params=params, table=table, user=None)
    execute(run.pk)
    run.refresh_from_db()
    return run


def done(study: Study, method: str, params: Any) -> AnalysisRun:
    run = ended(study, method, params)
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


def client_of(study: Study) -> Client:
    client = Client()
    assert study.owner is not None
    client.force_login(study.owner)
    return client


@pytest.mark.parametrize("made", [ratings, recalls])
def test_every_suggested_analysis_of_the_second_task_says_what_it_says_in_a_study_of_its_own(made):
    alone = made()
    wanted = {offer.title: ended(alone, offer.method, offer.params, offer.table) for offer in suggestions_of(alone)}
    both = put_a_task_before(alone).seen_through("task")
    found = {offer.title: ended(both, offer.method, offer.params, offer.table) for offer in suggestions_of(both)}
    assert found.keys() == wanted.keys()
    assert sum(run.status == AnalysisRun.Status.DONE for run in found.values()) > 4
    for title, run in found.items():
        assert (run.part, run.error) == ("task", wanted[title].error)
        if not run.error:
            report = json.loads(run.report)
            assert report.pop("part") == "task"
            assert without_part(report) == without_part(json.loads(wanted[title].report))


def without_part(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report without the column of the task, which tables that list codings end with."""
    for table in report["tables"]:
        kept = [place for place, column in enumerate(table["columns"]) if column["name"] != "part"]
        table["columns"] = [table["columns"][place] for place in kept]
        table["rows"] = [[row[place] for place in kept] for row in table["rows"]]
    return report


def suggestions_of(study: Study) -> list[Any]:
    """Return what is suggested, but for what needs another study."""
    return [offer for offer in suggestions(study) if offer.table != "pairs"]


def test_the_first_task_is_analysed_where_none_is_named_and_none_is_named_in_a_study_of_one():
    alone = ratings()
    run = done(alone, "rm-anova", {"dv": "rating", "within": "marker"})
    assert "part" not in json.loads(run.report)
    both = put_a_task_before(alone)
    run = done(both, "rm-anova", {"dv": "rating", "within": "length"})
    assert run.part == FIRST
    assert json.loads(run.report)["part"] == FIRST
    with pytest.raises(BadInput, match="marker"):
        request_run(both, method="rm-anova", params={"dv": "rating", "within": "marker"}, user=None)
    with pytest.raises(BadInput, match=r"no task 'gone'\. Its tasks are: warm-up and task"):
        request_run(both.seen_through("gone"), method="rm-anova", params={"dv": "rating"}, user=None)


def test_a_table_of_a_task_names_the_list_of_that_task():
    both = put_a_task_before(ratings())
    session = Session.objects.filter(study=both).order_by("pk").last()
    for task, wanted in ((FIRST, session.list), ("task", session.further_lists.get().list)):
        frame = study_data(both.seen_through(task)).frame
        assert set(frame[frame["session"] == str(session.pk)]["list"]) == {wanted.name}
        assert set(frame["part"]) == {task}
    whole = csv.DictReader(io.StringIO(b"".join(table_pieces(both, "trials")).decode()))
    lists = {(row["part"], row["list"]) for row in whole if row["session"] == str(session.pk) and row["condition"]}
    assert lists == {(FIRST, session.list.name), ("task", session.further_lists.get().list.name)}


def test_a_run_becomes_stale_by_the_codings_of_its_own_task_alone():
    both = put_a_task_before(make_coded_study())
    first = done(both, "rm-anova", {"dv": "rating", "within": "length"})
    second = done(both.seen_through("task"), "rm-anova", {"dv": "score", "within": "formulation"})
    coding = Coding.objects.latest("pk")
    coding.revision += 1
    coding.save()
    changes = Changes(Study.objects.get(pk=both.pk))
    assert changes.since(first) == ""
    assert "have changed since" in changes.since(second)


def test_pages_offer_the_tasks_and_stay_with_the_one_that_was_chosen():
    both = put_a_task_before(ratings())
    client = client_of(both)
    plain = client.get(reverse("analysis:analyse", args=[both.slug])).content.decode()
    second = f"/admin/studies/{both.slug}/parts/task/analyse/"
    assert "Suggested for Warming up" in plain
    assert f'href="{second}"' in plain
    for address in (second, f"/admin/studies/{both.slug}/analyse/?part=task"):
        page = client.get(address).content.decode()
        assert "Suggested for task" in page
        assert f'action="{second}suggested/0/"' in page
        assert f'href="{second}new/rm-anova/"' in page
    assert client.get(f"/admin/studies/{both.slug}/analyse/?part=gone").status_code == 404
    form = client.get(f"{second}new/rm-anova/").content.decode()
    assert 'value="marker"' in form
    assert "task: Repeated-measures" in form
    response = client.post(f"{second}suggested/0/")
    run = AnalysisRun.objects.get()
    assert run.part == "task"
    assert response["Location"] == reverse("analysis:run", args=[both.slug, run.pk])
    execute(run.pk)
    report = client.get(response["Location"]).content.decode()
    assert "<h1>task: " in report.replace("\n", "")
    assert f'href="{second}new/{run.method}/?run={run.pk}"' in report
    assert "task: " in client.get(reverse("analysis:analyse", args=[both.slug])).content.decode()
    again = client.post(reverse("analysis:again", args=[both.slug, run.pk]))
    assert again["Location"] == response["Location"]
    files = {path: b"".join(pieces) for path, pieces in export_files(both)}
    assert "trials.csv" in dict(archive_files(AnalysisRun.objects.get()))
    assert json.loads(files[f"reports/{run.method}-{run.pk}/report.json"])["part"] == "task"


def test_a_study_of_one_task_has_nothing_new_on_its_pages():
    study = ratings()
    client = client_of(study)
    for name in ("analyse", "plan", "scores", "profile"):
        page = client.get(reverse(f"analysis:{name}", args=[study.slug])).content.decode()
        assert "task-choice" not in page
        assert "/parts/task/" not in page


def test_the_line_that_computes_a_report_again_names_the_file_of_the_task_in_the_export():
    both = put_a_task_before(ratings())
    exported = {path: b"".join(pieces) for path, pieces in export_files(both)}
    for task, table, file in ((FIRST, "texts", "texts.csv"), ("task", "texts", "texts_task.csv"),
                              ("task", "trials", "trials.csv")):  # fmt: skip
        run = request_run(both.seen_through(task), method="normalise", params={"dv": "rating"}, user=None)
        run.table = table
        assert f"--data {file} " in rerun_line(run)
        assert file in exported
    study = ratings_of_regions_twice()
    seen = study.seen_through("second")
    (sheet,) = (sheet for sheet in table_sheets(study) if (sheet.table, sheet.task) == ("regions", "second"))
    assert name_in_export(seen, "regions", task="second") == sheet.name == "regions_second"
    assert name_in_export(seen, "regions", task="task") == "regions"


def ratings_of_regions_twice() -> Study:
    study = make_study("regions-twice")
    for name in ("task", "second"):
        Part.objects.update_or_create(
            study=study, name=name, defaults={"paradigm": "self-paced-reading", "position": 5, "settings": {}}
        )
    return Study.objects.get(pk=study.pk)


def test_a_plan_names_the_task_of_every_analysis_and_is_fixed_by_opening():
    both = put_a_task_before(ratings())
    Study.objects.filter(pk=both.pk).update(status=Study.Status.DRAFT)
    client = client_of(both)
    page = client.get(reverse("analysis:plan", args=[both.slug])).content.decode()
    assert "Suggested for Warming up" in page
    assert "Suggested for task" in page
    client.post(f"/admin/studies/{both.slug}/parts/task/plan/suggested/0/")
    both.refresh_from_db()
    (planned,) = both.plan["analyses"]
    assert planned["part"] == "task"
    Study.objects.filter(pk=both.pk).update(status=Study.Status.OPEN)
    both.refresh_from_db()
    with pytest.raises(LifecycleRefusal):
        save_plan(both, {"analyses": []}, None)
    run = done(both.seen_through("task"), planned["method"], planned["params"])
    assert standing_of(run) == "planned"
    page = client.get(reverse("analysis:plan", args=[both.slug])).content.decode()
    assert reverse("analysis:run", args=[both.slug, run.pk]) in page
    # The same parameters fit the other task; its analysis is no planned one.
    params = {"dv": "rating"}
    both.plan = {"analyses": [{"method": "normalise", "params": params, "part": "task"}]}
    both.save()
    assert standing_of(done(both.seen_through("task"), "normalise", params)) == "planned"
    assert standing_of(done(both, "normalise", params)) == "exploratory"


def test_a_plan_may_use_what_any_task_measures_and_names_no_task_that_is_not_there():
    both = put_a_task_before(make_coded_study())
    Study.objects.filter(pk=both.pk).update(status=Study.Status.DRAFT)
    both.refresh_from_db()
    rules = [{"rule": "arithmetic-accuracy", "at_least": 0.5}, {"rule": "zero-variance"}]
    save_plan(both, {"exclusion_rules": rules}, None)
    with pytest.raises(LifecycleRefusal, match=r"has no task 'tas'\. Did you mean 'task'"):
        save_plan(both, {"analyses": [{"method": "lmm", "part": "tas"}]}, None)


def test_power_before_there_are_data_follows_the_design_of_the_task():
    both = put_a_task_before(ratings())
    for task, design in ((FIRST, "length=2"), ("task", "marker=2; order=2")):
        address = f"/admin/studies/{both.slug}/parts/{task}/analyse/new/power/?from=design"
        assert f'value="{design}"' in client_of(both).get(address).content.decode()
