"""Study files that name parts and groups: read with every fault, written and read again the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from experiments.materials import design_of, materials_csv
from experiments.models import Study
from experiments.procedure.texts import current_text
from experiments.study.copying import FIELDS
from experiments.study.lifecycle import copy_study
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from experiments.study_files.toml import create_from_toml

pytestmark = pytest.mark.django_db

FILE = """
slug = "background-and-two"
title = "Background and two tasks"

[procedure]
completion_code = "DONE"

[[groups]]
name = "native"
weight = 2

[[groups]]
name = "learner"
weight = 1
quota = 20

[[parts]]
name = "background"
kind = "questionnaire"
title = "About your languages"
questions = [{ name = "first", label = "Your first language?", kind = "text" }]

[[parts]]
name = "lexical"
kind = "task"
paradigm = "magnitude-estimation"
order_set = "tasks"
instructions = "Judge these."

[parts.settings]
modulus_text = "The door was by the porter opened."

[parts.procedure]
leading_fillers = 0

[[parts]]
name = "sentences"
kind = "task"
paradigm = "self-paced-reading"
order_set = "tasks"
groups = ["native"]

[[parts]]
name = "thanks"
kind = "page"
body = "# Nearly there, {answer:first|friend}"
minimum_seconds = 5
shown_if = {question = "first", operator = "is-not", value = "English"}
"""
MATERIALS = "item,text,order\n1,The first sentence.,a\n1,First the sentence.,b\n2,One more.,a\n2,More one.,b\n"


def written(folder: Path, text: str = FILE) -> Path:
    for name in ("lexical", "sentences"):
        (folder / f"materials-{name}.csv").write_text(MATERIALS, encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def shape(study: Study) -> list[Any]:
    parts = [[getattr(part, name) for name in FIELDS] for part in study.parts.all()]
    designs = [materials_csv(design_of(task)) for task in study.tasks]
    texts = [current_text(study, "instructions", task).body for task in study.tasks]
    return [parts, designs, texts, study.groups, study.conduct, study.order_sets]


def test_a_file_of_parts_becomes_a_study_of_parts(tmp_path: Path, researcher: Any) -> None:
    study = create_from_toml(written(tmp_path), user=researcher)
    parts = list(study.parts.values_list("name", "kind", "paradigm", "groups", "order_set"))
    assert parts == [
        ("background", "questionnaire", "", [], ""),
        ("lexical", "task", "magnitude-estimation", [], "tasks"),
        ("sentences", "task", "self-paced-reading", ["native"], "tasks"),
        ("thanks", "page", "", [], ""),
    ]
    assert study.conduct["completion_code"] == "DONE"
    assert [task.lists.count() for task in study.tasks] == [2, 2]
    assert current_text(study, "instructions", study.tasks[0]).body == "Judge these."
    assert study.groups[1] == {"name": "learner", "weight": 1, "quota": 20}


def test_the_commands_say_what_every_task_holds(tmp_path: Path, researcher: Any, capsys: Any) -> None:
    path = written(tmp_path)
    more = MATERIALS + "3,A third.,a\n3,Third a.,b\n4,A fourth.,a\n4,Fourth a.,b\n"
    (tmp_path / "materials-sentences.csv").write_text(more, encoding="utf-8")
    call_command("create_study", str(path))
    said = [
        "was created as a draft: 2 tasks.",
        "  lexical: 2 items, 2 conditions, 2 lists, 0 fillers, 0 practice texts",
        "  sentences: 4 items, 2 conditions, 2 lists, 0 fillers, 0 practice texts",
    ]
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [f"The study 'background-and-two' {said[0]}", *said[1:]]
    (tmp_path / "study.zip").write_bytes(study_archive(Study.objects.get()))
    call_command("import_study", str(tmp_path / "study.zip"), "--slug", "twice")
    assert capsys.readouterr().out.splitlines()[:3] == [f"The study 'twice' {said[0]}", *said[1:]]


def test_an_archive_of_parts_comes_back_the_same(tmp_path: Path, researcher: Any) -> None:
    study = Study.objects.get(pk=create_from_toml(written(tmp_path), user=researcher).pk)
    archive = study_archive(study)
    again = create_from_archive(archive, user=researcher, slug="again")
    assert shape(again) == shape(study)
    assert study_archive(Study.objects.get(pk=study.pk)) == archive


PLAN = """
[plan]
hypotheses = "Sentences are read faster."

[[plan.exclusion_rules]]
rule = "zero-variance"

[[plan.exclusion_rules]]
rule = "comprehension-accuracy"
at_least = 0.6

[[plan.exclusion_rules]]
rule = "answer"
question = "first"
operator = "not-answered"

[[plan.analyses]]
title = "Judged"
method = "rm-anova"
part = "lexical"
params = { dv = "rating_z", within = "order" }

[[plan.analyses]]
title = "Read"
method = "condition-means"
part = "sentences"
params = { measures = "rt_ms", condition = "order" }
"""


def test_a_plan_keeps_the_tasks_of_its_analyses_and_rules_of_all_tasks(tmp_path: Path, researcher: Any) -> None:
    study = Study.objects.get(pk=create_from_toml(written(tmp_path, FILE + PLAN), user=researcher).pk)
    assert [analysis["part"] for analysis in study.plan["analyses"]] == ["lexical", "sentences"]
    again = create_from_archive(study_archive(study), user=researcher, slug="again")
    assert again.plan == study.plan
    assert copy_study(study, "copied", researcher).plan == study.plan


def test_a_plan_that_names_a_task_that_is_not_there_is_refused(tmp_path: Path, researcher: Any) -> None:
    wrong = FILE + PLAN.replace('part = "sentences"', 'part = "sentence"')
    with pytest.raises(StudyFileFaults, match="Planned analysis 2: the study has no task 'sentence'"):
        create_from_toml(written(tmp_path, wrong), user=researcher)


def test_a_copy_has_all_parts_with_their_designs(tmp_path: Path, researcher: Any) -> None:
    study = create_from_toml(written(tmp_path), user=researcher)
    assert shape(copy_study(study, "copied", researcher)) == shape(study)


def test_every_fault_of_every_part_is_said_at_once(tmp_path: Path, researcher: Any) -> None:
    text = (
        FILE.replace('paradigm = "self-paced-reading"', 'paradigm = "self-paced-readin"')
        .replace('groups = ["native"]', 'groups = ["natve"]\ntitel = "x"')
        .replace("leading_fillers = 0", 'resume = "end"')
        .replace("weight = 2", "weight = 0")
        .replace('kind = "page"', 'kind = "pag"')
    )
    with pytest.raises(StudyFileFaults) as found:
        create_from_toml(written(tmp_path, text), user=researcher)
    said = "\n".join(str(fault) for fault in found.value.faults)
    for expected in (
        "There is no paradigm 'self-paced-readin'", "Did you mean 'title'?", "'resume' is not a rule of a task",
        "Group 'native': the weight must be", "there is no kind 'pag'",
    ):  # fmt: skip
        assert expected in said, said
    assert not Study.objects.exists()


def test_a_group_that_does_not_exist_is_named_with_the_nearest(tmp_path: Path, researcher: Any) -> None:
    with pytest.raises(StudyFileFaults, match=r"there is no group 'natve'.*native"):
        create_from_toml(written(tmp_path, FILE.replace('["native"]', '["natve"]')), user=researcher)
