"""The page Pictures and sound: files added and removed by those who may, all faults at once, nothing half."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from experiments.models import AuditEntry, Study
from experiments.study.lifecycle import create_study
from tests.media_files import picture, sound, zipped

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher: Any) -> Study:
    return create_study(slug="seen", title="Seen", paradigm="rating", user=researcher, owner=researcher)


def upload(client: Client, **files: bytes) -> Any:
    given = [SimpleUploadedFile(name.replace("_", "."), data) for name, data in files.items()]
    return client.post("/admin/studies/seen/media/add/", {"files": given, "licence": "A. Author, CC BY"}, follow=True)


def test_single_files_and_archives_are_stored_with_their_licence(study: Study, owner: Client) -> None:
    answer = upload(owner, dog_png=picture(), more_zip=zipped({"in/cat.jpg": picture("JPEG"), "tone.wav": sound()}))
    assert "3 files were stored." in answer.content.decode()
    assert set(study.media_files.values_list("name", "kind", "licence")) == {
        ("dog.png", "image", "A. Author, CC BY"),
        ("cat.jpg", "image", "A. Author, CC BY"),
        ("tone.wav", "audio", "A. Author, CC BY"),
    }
    page = owner.get("/admin/studies/seen/media/").content.decode()
    assert "No text names the files" in page
    assert "12 × 8" in page
    assert AuditEntry.objects.filter(study=study, action="media added").count() == 1


def test_one_bad_file_keeps_all_of_an_upload_out(study: Study, owner: Client) -> None:
    answer = upload(owner, dog_png=picture(), plan_svg=b"<svg/>", cut_png=picture()[:50])
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "plan.svg" in page
    assert "cut.png" in page
    assert study.media_files.count() == 0


def test_a_name_that_differs_by_capitals_from_one_that_is_there_is_refused(study: Study, owner: Client) -> None:
    upload(owner, dog_png=picture())
    assert upload(owner, Dog_png=picture(colour=3)).status_code == 422
    assert upload(owner, dog_png=picture(colour=3)).status_code == 200
    assert study.media_files.count() == 1


def test_ticked_files_are_removed(study: Study, owner: Client) -> None:
    upload(owner, dog_png=picture(), cat_png=picture(colour=3))
    asked = owner.post("/admin/studies/seen/media/remove/", {"name": ["dog.png"]}).content.decode()
    assert "Remove 1 file?" in asked
    assert 'name="name" value="dog.png"' in asked
    assert study.media_files.count() == 2, "nothing goes before somebody has said yes"
    owner.post("/admin/studies/seen/media/remove/", {"name": ["dog.png"], "confirmed": "yes"})
    assert [file.name for file in study.media_files.all()] == ["cat.png"]
    assert "Tick the files" in owner.post("/admin/studies/seen/media/remove/", follow=True).content.decode()


@pytest.mark.parametrize(("role", "status"), [("editor", 200), ("viewer", 403), ("stranger", 404)])
def test_who_may_add_files(study: Study, client_of: Any, role: str, status: int) -> None:
    assert upload(client_of(role, study), dog_png=picture()).status_code == status
    assert study.media_files.count() == (1 if status == 200 else 0)


def test_files_of_a_study_that_was_opened_stay(study: Study, owner: Client) -> None:
    upload(owner, dog_png=picture())
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    upload(owner, cat_png=picture(colour=3))
    owner.post("/admin/studies/seen/media/remove/", {"name": ["dog.png"]})
    assert [file.name for file in study.media_files.all()] == ["dog.png"]


def test_a_paradigm_of_texts_says_that_it_shows_none(researcher: Any, owner: Client) -> None:
    create_study(slug="read", title="Read", paradigm="self-paced-reading", user=researcher, owner=researcher)
    assert "This paradigm shows only texts" in owner.get("/admin/studies/read/media/").content.decode()
