"""Tasks with one word under `pool` are one task in analyses, from the study file to the archive."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.codebook.columns import names
from analysis.data.analyse_file import analyse_file
from analysis.data.frames import study_data
from analysis.data.tables import columns_of, table_pieces
from analysis.exports.archive import export_files, write_all
from analysis.exports.of_task import through_task
from analysis.exports.rows.flow import study_flow
from analysis.exports.sheets import sheets_of
from analysis.exports.stored import stored_stimuli
from analysis.models import AnalysisRun
from analysis.papers.run_files import rerun_line
from analysis.studies.asking import request_run
from analysis.studies.planned import planned_analyses, standing_of
from analysis.studies.power_of_design import parameters_of
from analysis.views.asking import suggestions
from experiments.models import Part, Study
from experiments.study.lifecycle import copy_study
from experiments.study.opening.faults import design_faults
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from participants.models import Session
from participants.simulation import simulate
from tests.analysis.computed import execute
from tests.analysis.pooled import PARTS, POOL, materials, pooled_study
from tests.analysis.recalls import user_named

MEANS = {"measures": "rt_ms", "condition": "order"}
transactional = pytest.mark.django_db(transaction=True)
stored = pytest.mark.django_db


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = pooled_study(tmp_path)
    assert simulate(made, participants=2, seed=1).finished == 2
    Study.objects.filter(pk=made.pk).update(owner=user_named("owner"))
    return Study.objects.get(pk=made.pk)


def rows_of(study: Study, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(table_pieces(study, table)).decode())))


def ended(study: Study, method: str, params: Any, table: str = "trials") -> AnalysisRun:
    run = request_run(study, method=method, params=params, table=table, user=None)
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


@transactional
def test_every_table_of_a_pool_is_those_of_its_tasks_under_each_other_with_the_part_at_the_end(study: Study) -> None:
    pool = through_task(study, POOL)
    for table in ("trials", "regions", "texts"):
        columns = names(columns_of(pool, table))
        assert columns.count("part") == 1
        assert len(set(columns)) == len(columns)
        pooled = rows_of(pool, table)
        assert {row["part"] for row in pooled} == set(PARTS)
        for name in PARTS:
            own = rows_of(study.seen_through(name), table)
            mine = [row for row in pooled if row["part"] == name]
            assert [{column: row[column] for column in own[0]} for row in mine] == own
            # What only another task has is empty.
            assert all(not row[column] for row in mine for column in set(row) - set(own[0]) - {"part"})
    assert columns[-1] == "part"
    assert next(one for one in columns_of(pool, "regions") if one.name == "part").values == PARTS
    assert {row["genre"] for row in rows_of(pool, "texts") if row["part"] == PARTS[2]} == {"news"}


@transactional
def test_the_export_has_one_file_of_the_pool_that_says_so_and_materials_of_every_task(study: Study) -> None:
    files = {path: b"".join(pieces) for path, pieces in export_files(study)}
    assert {path for path in files if path.startswith(("regions", "texts", "materials"))} == {
        "regions.csv", "texts.csv", "texts_reading.csv", "materials.csv", *(f"materials_{name}.csv" for name in PARTS),
    }  # fmt: skip
    assert files["regions.csv"] == b"".join(table_pieces(through_task(study, POOL), "regions"))
    resources = {one["path"]: one for one in json.loads(files["datapackage.json"])["resources"]}
    assert (resources["regions.csv"]["table"], resources["regions.csv"]["parts"]) == ("regions", list(PARTS))
    assert resources["regions.csv"]["title"].startswith(
        "Of the pool 'reading' (parts 'reading-a', 'reading-b', 'reading-c'): "
    )
    codebook = list(csv.DictReader(io.StringIO(files["codebook.csv"].decode())))
    assert ("part", "|".join(PARTS)) in {
        (row["column"], row["values"]) for row in codebook if row["file"] == "regions.csv"
    }


@transactional
def test_quality_flow_power_and_suggestions_are_those_of_all_tasks_of_the_pool(study: Study) -> None:
    (sheet,) = (sheet for sheet in sheets_of(study) if sheet.name == "participants")
    columns = names(sheet.columns(study))
    people = [dict(zip(columns, row, strict=True)) for row in sheet.rows(study)]
    times = [float(row["rt_ms"]) for row in rows_of(through_task(study, POOL), "regions") if row["phase"] == "main"]
    assert columns[-1].startswith("reading_")
    assert min(times) <= float(str(people[0]["reading_median_region_ms"])) <= max(times)
    pool = through_task(study, POOL)
    assert parameters_of(pool)["n_items"] == "6"
    assert len(stored_stimuli(pool)) == 12
    of_pool, of_all = study_flow(pool)[0], study_flow(study)[0]
    assert (of_pool.people, of_pool.trials) == (2, 12)
    assert of_all.trials == of_pool.trials + study_flow(study.seen_through("judging"))[0].trials
    alone = {(one.method, one.table, str(one.params)) for one in suggestions(study.seen_through(PARTS[0]))}
    assert {(one.method, one.table, str(one.params)) for one in suggestions(pool)} == alone


@transactional
def test_an_analysis_of_the_pool_is_told_rerun_and_verified(study: Study, tmp_path: Path) -> None:
    means = ended(through_task(study, POOL), "condition-means", MEANS, table="regions")
    trials = ended(through_task(study, POOL), "condition-means", {"measures": "total_ms", "condition": "order"})
    alone = ended(study.seen_through(PARTS[1]), "condition-means", MEANS, table="regions")
    assert (means.part, json.loads(means.report)["part"]) == (POOL, POOL)
    assert "--part" not in rerun_line(means)
    assert f"--part {','.join(PARTS)}" in rerun_line(trials)
    assert f"--part {PARTS[1]}" in rerun_line(alone)
    folder = tmp_path / "out"
    write_all(study, folder)
    archive = tmp_path / "pooled.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in folder.rglob("*"):
            if path.is_file():
                target.write(path, path.relative_to(folder).as_posix())
    said = io.StringIO()
    call_command("verify", str(archive), stdout=said)
    words = said.getvalue().strip().splitlines()[-1].split()
    assert words[0] == words[2] != "0", said.getvalue()


@transactional
def test_a_file_of_some_of_several_tasks_says_that_there_are_others(study: Study, tmp_path: Path) -> None:
    Part.objects.filter(study=study, name=PARTS[2]).update(pool="")
    write_all(Study.objects.get(pk=study.pk), tmp_path / "out")
    write_all(Study.objects.get(pk=study.pk), tmp_path / "psych", layout="psych-ds")
    (deep,) = (tmp_path / "psych" / "data").glob("*description-regions_data.csv")
    for path in (tmp_path / "out" / "regions.csv", deep):
        report, _ = analyse_file("condition-means", data=path, given=MEANS, out=tmp_path / "report")
        (said,) = [one for one in report.warnings if "alone" in one]
        assert "parts reading-a and reading-b alone" in said
        assert "(reading-c)" in said
    alone = tmp_path / "copied.csv"
    alone.write_bytes(deep.read_bytes())
    report, _ = analyse_file("condition-means", data=alone, given=MEANS, out=tmp_path / "report")
    assert not any("alone" in one for one in report.warnings)


@transactional
def test_pages_begin_with_the_pool_and_offer_its_parts(study: Study) -> None:
    client = Client()
    assert study.owner is not None
    client.force_login(study.owner)
    page = client.get(reverse("analysis:analyse", args=[study.slug]))
    assert [one["label"] for one in page.context["task_choice"]] == ["judging", POOL, *PARTS]
    address = reverse("analysis:analyse", args=[through_task(study, POOL).slug])
    assert client.get(address).context["study"].chosen_task == POOL
    new = reverse("analysis:new", args=[through_task(study, POOL).slug, "condition-means"])
    shown = client.get(f"{new}?table=regions")
    assert shown.status_code == 200
    assert 'value="part"' in shown.content.decode()
    # A page about the design of one task is about no pool.
    assert client.get(reverse("study:materials", args=[through_task(study, POOL).slug])).status_code == 404
    run = ended(through_task(study, POOL), "condition-means", MEANS, table="regions")
    assert POOL in client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()


@transactional
def test_the_plan_names_the_pool_and_a_run_of_it_is_planned(tmp_path: Path) -> None:
    plan = f"""
[[plan.analyses]]
title = "Reading times"
method = "condition-means"
table = "regions"
part = "{POOL}"
params = {{ measures = "rt_ms", condition = "order" }}

[[plan.exclusion_rules]]
rule = "slow-trial"
ms = 100
part = "{POOL}"
"""
    head = (Path(__file__).parent / "pooled.py").read_text().split('HEAD = """')[1].split('"""')[0]
    place = head.index("[[parts]]")
    study = pooled_study(tmp_path, head=head[:place] + plan + head[place:])
    assert [one["part"] for one in planned_analyses(study)] == [POOL]
    Study.objects.filter(pk=study.pk).update(opened_at=study.created_at)
    simulate(study, participants=2, seed=1)
    left_out = {row["part"] for row in rows_of(study, "trials") if row["exclusion_reason"]}
    assert left_out == set(PARTS)


@stored
def test_a_study_file_and_a_copy_keep_the_pools(tmp_path: Path) -> None:
    study = pooled_study(tmp_path, is_open=False)
    wanted = {"judging": "", **dict.fromkeys(PARTS, POOL)}
    again = create_from_archive(study_archive(study), user=None, slug="again")
    for one in (study, again, copy_study(study, user=None, slug="copied")):
        assert dict(Part.objects.filter(study=one).values_list("name", "pool")) == wanted
    assert not [fault for fault in design_faults(study) if fault.step == "parts"]


@stored
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": PARTS[1], "settings": {"window": "cumulative"}}, "have different 'window'"),
        ({"name": PARTS[1], "factors": [{"name": "order", "levels": ["a", "z"]}]}, "different factors or levels"),
        ({"name": PARTS[1], "paradigm": "maze"}, "a different paradigm"),
        ({"name": "judging", "pool": "alone"}, "has only one part"),
        ({"name": "judging", "pool": "A word"}, "lower-case letters"),
        ({"name": "judging", "pool": PARTS[0]}, "has the same name as a part"),
        ({"name": PARTS[1], "kind": "page"}, "only tasks can be pooled"),
    ],
)
def test_what_is_no_pool_is_said_before_the_study_opens(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    study = pooled_study(tmp_path, is_open=False)
    Part.objects.filter(study=study, name=change.pop("name")).update(**change)
    said = [str(fault) for fault in design_faults(Study.objects.get(pk=study.pk)) if fault.step == "parts"]
    assert any(words in one for one in said), said


@stored
def test_a_setting_that_measures_nothing_may_differ(tmp_path: Path) -> None:
    study = pooled_study(tmp_path, is_open=False)
    Part.objects.filter(study=study, name=PARTS[1]).update(settings={"break_every": 7})
    assert not [fault for fault in design_faults(Study.objects.get(pk=study.pk)) if fault.step == "parts"]


@stored
def test_one_code_for_different_texts_of_two_parts_is_said_and_the_same_texts_may_come_twice(tmp_path: Path) -> None:
    other = materials("reading-a").replace("slept", "woke")
    with pytest.raises(StudyFileFaults) as refused:
        pooled_study(tmp_path, is_open=False, reading_b=other)
    assert "have different texts for the same item, such as reading-a-1 (2 of them)" in str(refused.value)
    assert "'reading-b-reading-a-1'" in str(refused.value)
    same = pooled_study(tmp_path, is_open=False, reading_b=materials("reading-a"))
    assert not [fault for fault in design_faults(same) if fault.step == "parts"]


@stored
def test_the_page_of_parts_stores_the_pool_and_says_with_what_a_part_is_analysed(tmp_path: Path) -> None:
    study = pooled_study(tmp_path, is_open=False)
    owner = user_named("owner")
    Study.objects.filter(pk=study.pk).update(owner=owner)
    client = Client()
    client.force_login(owner)
    page = reverse("study:parts", args=[study.slug])
    assert "reading-b, reading-c (pool reading)" in client.get(page).content.decode()
    given = {"action": "change", "part": PARTS[2], "title": "", "order_set": "blocks", "pool": ""}
    client.post(page, given)
    assert Part.objects.get(study=study, name=PARTS[2]).pool == ""
    client.post(page, {**given, "pool": "judging"})
    assert Part.objects.get(study=study, name=PARTS[2]).pool == ""


@transactional
def test_a_first_task_of_a_pool_is_the_pool_where_nothing_is_said(study: Study) -> None:
    Part.objects.filter(study=study, name="judging").update(position=90)
    whole = Study.objects.get(pk=study.pk)
    assert through_task(whole, "").chosen_task == POOL
    assert Session.objects.filter(study=study).count() == 2
    run = ended(whole, "condition-means", MEANS, table="regions")
    assert run.part == POOL
    assert study_data(through_task(whole, POOL), "regions").data_hash == run.data_hash
    assert standing_of(run) in ("exploratory", "simulated", "draft")
