"""Names for print of factors and levels: what is taken, who may give them, and that they go wherever the study goes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from experiments.models import AuditEntry, Study
from experiments.rules.labels import LONGEST, labels_faults
from experiments.study.labels import LabelFaults, save_labels
from experiments.study.lifecycle import copy_study
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from experiments.study_files.toml import create_from_toml

FACTORS = {"order": ("ab", "ba"), "marker": ("because", "so")}
LABELS = {"order": {"label": "Order of clauses", "levels": {"ab": "cause first"}}}
STUDY = """slug = "called"
title = "Called otherwise"
paradigm = "magnitude-estimation"

[settings]
modulus_text = "The door was by the porter opened."

[materials]
file = "materials.csv"
"""
MATERIALS = "item,text,order\n" + "".join(
    f"i{n},Sentence {n} {order}.,{order}\n" for n in range(4) for order in ("ab", "ba")
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "materials.csv").write_text(MATERIALS)
    return tmp_path


def made(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(STUDY + text)
    return create_from_toml(path)


def test_all_faults_are_told_at_once() -> None:
    wrong = {
        "order": {
            "label": "x" * (LONGEST + 1),
            "levels": {"ab": "first", "ba": "First", "ac": "third"},
            "colour": "red",
        },
        "marker": {"levels": {"because": "so"}},
        "makrer": {"label": "order"},
    }
    assert [str(fault) for fault in labels_faults(wrong, FACTORS)] == [
        "The labels of 'order' cannot have 'colour'.",
        "There is a label for the level 'ac', but the factor 'order' has no such level.",
        f"The label of the factor 'order' must be one line of at most {LONGEST} characters.",
        "Two levels of 'order' have the same label, 'First'. Give each a different label.",
        "Two levels of 'marker' have the same label, 'so'. Give each a different label.",
        "There is a label for the factor 'makrer', but the design has no such factor. Did you mean 'marker'?",
    ]


@pytest.mark.parametrize(
    "labels",
    [
        ["order"],
        {"order": "Order"},
        {"order": {"levels": ["ab"]}},
        {"order": {"label": 3}},
        {"order": {"levels": {"ab": None}}},
        {"order": {"label": "two\nlines"}},
        {"order": {"label": "\x00"}},
    ],
)
def test_what_is_no_label_gets_a_sentence(labels: object) -> None:
    assert labels_faults(labels)


def test_two_factors_are_not_called_the_same() -> None:
    assert "Two factors have the same label, 'marker'." in str(
        labels_faults({"order": {"label": "marker"}}, FACTORS)[0]
    )


def test_levels_may_change_their_names_with_each_other() -> None:
    assert labels_faults({"order": {"levels": {"ab": "ba", "ba": "ab"}}}, FACTORS) == []


@pytest.mark.django_db
def test_a_study_file_gives_labels_and_an_archive_and_a_copy_keep_them(folder: Path) -> None:
    study = made(folder, '[labels.order]\nlabel = " Order of  clauses"\nlevels = { ab = "cause first", ba = "" }\n')
    study.refresh_from_db()
    assert study.labels == LABELS
    assert copy_study(study, "called-again", None).labels == LABELS
    archive = study_archive(study)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert json.loads(opened.read("study.json"))["labels"] == LABELS
    again = create_from_archive(archive, slug="from-archive")
    again.refresh_from_db()
    assert again.labels == LABELS


@pytest.mark.django_db
def test_a_study_file_without_labels_is_as_before(folder: Path) -> None:
    study = made(folder, "")
    assert study.labels == {}
    with zipfile.ZipFile(io.BytesIO(study_archive(study))) as opened:
        assert "labels" not in json.loads(opened.read("study.json"))


@pytest.mark.django_db
def test_a_study_file_with_labels_of_something_else_is_refused(folder: Path) -> None:
    with pytest.raises(StudyFileFaults) as found:
        made(folder, '[labels.oder]\nlabel = "Order"\n')
    assert "There is a label for the factor 'oder', but the design has no such factor. Did you mean 'order'?" in str(
        found.value
    )
    wrong = folder / "wrong.toml"
    wrong.write_text(f"labels = 3\n{STUDY}")
    with pytest.raises(StudyFileFaults, match="'labels' must be a table"):
        create_from_toml(wrong)


@pytest.mark.django_db
def test_labels_change_while_a_study_is_open_and_are_recorded(folder: Path) -> None:
    study = made(folder, "")
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    save_labels(study, LABELS, None)
    save_labels(study, LABELS, None)
    entry = AuditEntry.objects.get(action="labels changed")
    assert "Order of clauses" in entry.detail
    study.refresh_from_db()
    assert study.labels == LABELS
    with pytest.raises(LabelFaults, match="have the same label"):
        save_labels(study, {"order": {"levels": {"ab": "ba"}}}, None)
    study.refresh_from_db()
    assert study.labels == LABELS
