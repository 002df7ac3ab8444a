"""Sources and criteria in study files: read with every fault at its line, written and read again the same."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from experiments.models import Study
from experiments.study.lifecycle import copy_study
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from experiments.study_files.toml import create_from_toml

pytestmark = pytest.mark.django_db

HEAD = """slug = "two-sources"
title = "Two sources"
paradigm = "magnitude-estimation"
questions = [{ name = "age", label = "How old are you?", kind = "number", required = true }]

[settings]
modulus_text = "The door was by the porter opened."

[materials]
file = "materials.csv"

"""
SOURCES = """[[sources]]
name = "prolific"
kind = "prolific"

[sources.outcomes.completed]
code = "C1"

[sources.outcomes.screened-out]
code = "C2"
text = "Please return."

[[sources]]
name = "pool"
kind = "sona"
parameters = ["survey_code"]

[sources.outcomes.completed]
link = "https://pool.example/done?id={survey_code}"

[[criteria]]
name = "under-30"
quota = 20
when = [{ question = "age", operator = "below", value = 30 }]
"""
PARTS = """slug = "two-sources"
title = "Two sources"

[[parts]]
name = "about-you"
kind = "questionnaire"
questions = [{ name = "age", label = "How old are you?", kind = "number", required = true }]

[[parts]]
name = "sentences"
paradigm = "magnitude-estimation"
materials = { file = "materials.csv" }

[parts.settings]
modulus_text = "The door was by the porter opened."

"""


def written(folder: Path, text: str) -> Path:
    (folder / "materials.csv").write_text("item,text\n1,One.\n2,Two.\n3,Three.\n4,Four.\n")
    path = folder / "study.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("head", [HEAD, PARTS], ids=["one task", "parts"])
def test_a_file_an_archive_and_a_copy_hold_the_same(tmp_path: Path, head: str) -> None:
    study = create_from_toml(written(tmp_path, head + SOURCES))
    assert [source["name"] for source in study.sources] == ["prolific", "pool"]
    assert study.sources[0]["outcomes"]["screened-out"] == {"code": "C2", "text": "Please return."}
    assert study.criteria[0]["when"] == [{"question": "age", "operator": "below", "value": 30}]
    again = create_from_archive(study_archive(study), slug="again")
    copy = copy_study(study, "copy", None)
    for other in (again, copy):
        assert (other.sources, other.criteria) == (study.sources, study.criteria)


def test_a_study_without_them_has_an_archive_without_them(tmp_path: Path) -> None:
    study = create_from_toml(written(tmp_path, HEAD))
    assert (study.sources, study.criteria) == ([], [])
    with zipfile.ZipFile(io.BytesIO(study_archive(study))) as archive:
        assert not {"sources", "criteria"} & set(json.loads(archive.read("study.json")))


@pytest.mark.parametrize("head", [HEAD, PARTS], ids=["one task", "parts"])
@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('kind = "sona"', 'kind = "sonar"', "there is no kind 'sonar'. Did you mean 'sona'?"),
        ("{survey_code}", "{survey_cod}", "Did you mean 'survey_code'?"),
        ('code = "C2"', 'kode = "C2"', "'screened-out': there is no key 'kode'. Did you mean 'code'?"),
        ("quota = 20", "quota = 0", "the quota must be a whole number of 1 or more."),
        ('question = "age"', 'question = "aeg"', "nothing has the name 'aeg'. Did you mean 'age'?"),
        ("value = 30", 'value = "30"', "'age' needs a number to compare with, not '30'."),
    ],
)
def test_a_fault_is_told_with_its_line_and_nothing_is_stored(
    tmp_path: Path, head: str, right: str, wrong: str, said: str
) -> None:
    text = head + SOURCES.replace(right, wrong)
    with pytest.raises(StudyFileFaults) as refused:
        create_from_toml(written(tmp_path, text))
    [fault] = refused.value.faults
    assert said in str(fault)
    line = next(number for number, content in enumerate(text.splitlines(), start=1) if wrong in content)
    assert fault.line == line
    assert not Study.objects.exists()


def test_an_archive_with_a_fault_stores_nothing(tmp_path: Path) -> None:
    study = create_from_toml(written(tmp_path, HEAD + SOURCES))
    Study.objects.filter(pk=study.pk).update(sources=[{"name": "a", "kind": "b"}])
    data = study_archive(Study.objects.get(pk=study.pk))
    with pytest.raises(StudyFileFaults, match="there is no kind 'b'"):
        create_from_archive(data, slug="again")
    assert not Study.objects.filter(slug="again").exists()
