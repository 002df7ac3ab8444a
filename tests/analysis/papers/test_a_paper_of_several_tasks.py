"""The manuscript of a study of several tasks: the design and the results of each, under its name."""

from __future__ import annotations

import hashlib

import pytest

from analysis.exports import stream
from analysis.papers.people import background_blocks, people_of
from analysis.papers.whole import paper_files
from experiments.models import Study
from tests.analysis.papers.studies import ANOVA, PLAN, finished, study_of_a_plan
from tests.analysis.two_tasks import FIRST, put_a_task_before

pytestmark = pytest.mark.django_db


def test_every_task_has_its_materials_procedure_settings_and_results():
    study = put_a_task_before(study_of_a_plan())
    planned, never = PLAN["analyses"]
    study.plan = {**PLAN, "analyses": [{**planned, "part": "task"}, {**never, "part": "task"}]}
    study.save()
    finished(study.seen_through("task"), "rm-anova", ANOVA)
    finished(study, "rm-anova", {"dv": "rating", "within": "length"})
    study = Study.objects.get(pk=study.pk)
    files = dict(paper_files(study))
    text = files["paper.md"].decode()
    for heading in ("Design and materials: Warming up", "Design and materials: task", "Procedure: Warming up",
                    "Procedure: task", "Parts of a session", "task: By participants"):  # fmt: skip
        assert f"# {heading}\n" in text
    assert f"tables/settings-{FIRST}.csv" in files
    assert "tables/settings-task.csv" in files
    first, second = (
        text.split(f"Design and materials: {label}\n")[1].split("\n#")[0] for label in ("Warming up", "task")
    )
    assert "The design had one factor: length" in first
    assert "There were 4 items." in first
    assert "The design was 2 × 2: marker" in second
    assert "There were 8 items, 2 fillers and 1 practice text." in second
    for said, name in ((first, "materials.csv"), (second, "materials_task.csv")):
        digest = hashlib.sha256(b"".join(stream(study, name))).hexdigest()
        assert f"{name}, SHA-256 {digest}" in said
    results = text.split("# Results\n")[1]
    assert "main effect of marker" in results.split("task: By participants")[1].split("\n#")[0]
    assert "main effect of length" in results.split("Warming up: Repeated-measures ANOVA")[1].split("\n#")[0]
    assert "The planned analysis “task: Never run” has no finished report" in results
    assert "Planned analyses: task: By participants; task: Never run." in text


def test_what_people_said_of_themselves_is_read_from_the_columns_of_their_answers():
    study = put_a_task_before(study_of_a_plan())
    (block,) = background_blocks(study, people_of(study).kept)
    assert "“Hours of reading a week?” – M = 4.50, SD = 0.00, range 4.5 to 4.5 (6 answers)." in block.text
    assert "“Native language?” – English: 8; Another: 4." in block.text
