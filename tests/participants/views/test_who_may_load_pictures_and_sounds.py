"""Who may load a file of a study, and what comes with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from experiments.models import Membership, Study
from tests.media_files import picture, sound, store, store_picture
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.fixture
def study() -> Study:
    return open_study()


def test_a_file_comes_with_the_headers_that_keep_it_a_file(study: Study) -> None:
    answer = Client().get(store_picture(study))
    assert content(answer) == picture()
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert not answer.cookies


@pytest.mark.parametrize("status", [Study.Status.DRAFT, Study.Status.CLOSED])
def test_files_of_a_study_that_is_not_open_are_for_its_members(
    study: Study, status: str, django_user_model: Any
) -> None:
    address = store_picture(study)
    Study.objects.filter(pk=study.pk).update(status=status)
    clients = {}
    for name in ("other", "viewer"):
        user = django_user_model.objects.create_user(name, is_staff=True)
        clients[name] = Client()
        clients[name].force_login(user)
        if name == "viewer":
            Membership.objects.create(study=study, user=user, role="viewer")
    assert Client().get(address).status_code == 404
    assert clients["other"].get(address).status_code == 404
    assert clients["viewer"].get(address).status_code == 200


def test_a_paused_study_shows_its_files_to_who_has_begun(study: Study) -> None:
    address = store_picture(study)
    Study.objects.filter(pk=study.pk).update(is_paused=True)
    assert Client().get(address).status_code == 200


def test_the_file_of_one_study_has_no_address_in_another(study: Study) -> None:
    address = store_picture(study)
    open_study("another-study")
    assert Client().get(address.replace(study.slug, "another-study")).status_code == 404
    assert Client().get(address.replace(".png", ".gif")).status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "begin", "end"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=10-", 206, 10, None),
        ("bytes=-5", 206, -5, None),
        ("bytes=0-999999999", 206, 0, None),
        ("lines=0-9", 206, 0, None),
    ],
)
def test_a_part_of_a_sound_can_be_asked_for(study: Study, asked: str, status: int, begin: int, end: int | None) -> None:
    store(study, tone_wav=sound())
    row = study.media_files.get()
    answer = Client().get(f"/s/{study.slug}/media/{row.content_hash}.wav", headers={"Range": asked})
    assert answer.status_code == status
    part = sound()[begin:end]
    assert content(answer) == part
    assert answer.headers["Content-Length"] == str(len(part))


def test_a_part_that_is_not_there_is_refused_and_nobody_posts(study: Study) -> None:
    address = store_picture(study)
    assert Client().get(address, headers={"Range": "bytes=999999-"}).status_code == 416
    assert Client().post(address).status_code == 405


def test_a_file_that_the_storage_has_lost_is_not_found(study: Study) -> None:
    address = store_picture(study)
    row = study.media_files.get()
    name = f"studies/{row.content_hash[:2]}/{row.content_hash}.png"
    default_storage.delete(name)
    assert Client().get(address).status_code == 404
