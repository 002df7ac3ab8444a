"""Pictures and sounds go into archives, exports and backups, and come back."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from analysis.exports.archive import export_files
from experiments.examples import draw_shapes, make_tones
from experiments.media.naming import media_state
from experiments.media.storage import content_of
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study_files import StudyFileFaults, create_from_archive, create_from_toml, study_archive
from participants.backups import archive as backups
from tests.media_files import picture, store

EXAMPLES = Path(settings.BASE_DIR) / "experiments" / "examples"

pytestmark = pytest.mark.django_db


def example(name: str) -> Study:
    return create_from_toml(EXAMPLES / name / "study.toml")


@pytest.mark.parametrize(("name", "files"), [("shape-judgements", 41), ("tone-ratings", 13)])
def test_an_example_can_be_opened_as_it_is_and_comes_back_from_its_archive(name: str, files: int) -> None:
    study = example(name)
    assert study.media_files.count() == files
    assert media_state(study).faults == ()
    assert media_state(study).unused == []
    open_study(study, None)
    archive = study_archive(study)
    again = create_from_archive(archive, slug="again")
    rows = [list(one.media_files.values_list("name", "content_hash", "licence")) for one in (study, again)]
    assert rows[0] == rows[1]
    assert all(licence.endswith("CC0.") for _name, _hash, licence in rows[0])
    said = json.loads(zipfile.ZipFile(io.BytesIO(archive)).read("study.json"))
    assert len(said["media"]) == files
    assert {**json.loads(zipfile.ZipFile(io.BytesIO(study_archive(again))).read("study.json")), "study": {}} == {
        **said, "study": {},
    }  # fmt: skip


def changed(data: bytes, **members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(buffer, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name))
        for name, content in members.items():
            after.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


def test_a_file_in_an_archive_is_checked_as_if_it_were_uploaded() -> None:
    whole = study_archive(example("tone-ratings"))
    for members in ({"media__x_svg": b"<svg/>"}, {"media__..__x_png": picture()}, {"media__sub__x_png": picture()}):
        with pytest.raises(StudyFileFaults):
            create_from_archive(changed(whole, **members), slug="other")
    assert not Study.objects.filter(slug="other").exists()


@pytest.mark.parametrize(("layout", "folder"), [("flat", "media"), ("psych-ds", "materials/media")])
def test_exports_have_the_files_with_hash_and_licence(layout: Any, folder: str) -> None:
    study = example("tone-ratings")
    files = {path: b"".join(pieces) for path, pieces in export_files(study, layout=layout)}
    row = study.media_files.get(name="fifth-pure.wav")
    assert files[f"{folder}/fifth-pure.wav"] == content_of(row)
    note = files[f"{folder}/LICENCES.txt"].decode()
    assert f"{row.content_hash}  fifth-pure.wav  Synthesised by code for Lectern; CC0." in note
    part = json.loads(files["dataset_description.json"])["hasPart"]
    assert {"name": "fifth-pure.wav", "sha256": row.content_hash}.items() <= next(
        one for one in part if one["name"] == "fifth-pure.wav"
    ).items()


def test_the_folder_that_backups_hold_is_where_files_are_kept(tmp_path: Path) -> None:
    study = example("tone-ratings")
    store(study, dog_png=picture())
    row = study.media_files.get(name="dog.png")
    folder = backups.media_folder()
    assert folder is not None
    assert (folder / "studies" / row.content_hash[:2] / f"{row.content_hash}.png").read_bytes() == picture()


def test_the_scripts_draw_the_files_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for script, name in ((draw_shapes, "shape-judgements"), (make_tones, "tone-ratings")):
        monkeypatch.setattr(script, "FOLDER", tmp_path / name)
        script.main()
        assert (tmp_path / name / "materials.csv").read_bytes() == (EXAMPLES / name / "materials.csv").read_bytes()
        made = {path.name for path in (tmp_path / name / "media").iterdir()}
        assert made == {path.name for path in (EXAMPLES / name / "media").iterdir()}
    tones = EXAMPLES / "tone-ratings" / "media"
    assert all(
        (tones / path.name).read_bytes() == path.read_bytes() for path in (tmp_path / "tone-ratings/media").iterdir()
    )
