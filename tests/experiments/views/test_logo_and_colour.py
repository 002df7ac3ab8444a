"""Logo and colour of a study: what is taken, what is proposed instead, and that both go wherever the study goes."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from experiments.models import AuditEntry, Study
from experiments.rules.look import contrast, is_readable, nearest_readable
from experiments.study.lifecycle import copy_study, create_study
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from tests.media_files import picture
from tests.participants.studies import open_study

pytestmark = pytest.mark.slow

LOGO = {"logo_text": "University of Example", "colour": "#7a1f5c"}


@pytest.fixture
def study(researcher: Any) -> Study:
    return create_study(slug="seen", title="Seen", paradigm="rating", user=researcher, owner=researcher)


def save(client: Client, data: bytes = b"", name: str = "a.png", **fields: str) -> Any:
    files = {"logo": SimpleUploadedFile(name, data)} if data else {}
    return client.post("/admin/studies/seen/settings/look/", {**fields, **files}, follow=True)


def test_the_nearest_readable_colour_keeps_its_hue_and_is_just_readable() -> None:
    for colour in ("#ff8800", "#00b3ff", "#ffffff", "#9ad000", "#fedcba"):
        nearest = nearest_readable(colour)
        assert is_readable(nearest)
        assert contrast(nearest, "#f6f5f1") < 4.65
    assert nearest_readable("#123456") == "#123456"


@pytest.mark.django_db
def test_a_colour_that_is_too_light_is_refused_with_one_that_passes(study: Study, owner: Client) -> None:
    answer = save(owner, colour="#ff8800")
    assert answer.status_code == 422
    assert "The nearest readable colour of the same hue is #ad5a00." in answer.content.decode()
    assert save(owner, colour="orange").status_code == 422
    study.refresh_from_db()
    assert study.look == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is an SVG file, which can contain programs."),
        (picture("GIF"), "must be a PNG, JPEG or WebP picture"),
        (picture(size=(1_300, 20)), "1300 × 20 pixels"),
        (picture("BMP"), "is not a picture, sound or video that the platform can use."),
    ],
)
def test_what_cannot_be_a_logo_is_refused_with_a_sentence(
    study: Study, owner: Client, data: bytes, sentence: str
) -> None:
    answer = save(owner, data, **LOGO)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not study.media_files.exists()


@pytest.mark.django_db
def test_a_logo_needs_words_and_is_kept_replaced_and_removed(study: Study, owner: Client) -> None:
    assert save(owner, picture()).status_code == 422
    assert save(owner, picture(), **LOGO).status_code == 200
    study.refresh_from_db()
    assert study.look == {"logo": "logo.png", **LOGO}
    assert "No text names" not in owner.get("/admin/studies/seen/media/").content.decode()
    save(owner, picture("JPEG"), **LOGO)
    assert list(study.media_files.values_list("name", flat=True)) == ["logo.jpg"]
    save(owner, without_logo="on", colour="#1c4c5c")
    study.refresh_from_db()
    assert study.look == {"colour": "#1c4c5c"}
    assert not study.media_files.exists()
    assert AuditEntry.objects.filter(study=study, action="look changed").count() == 3


@pytest.mark.django_db
def test_the_look_and_the_notice_travel_with_copies_and_study_files(study: Study, owner: Client) -> None:
    save(owner, picture(), **LOGO)
    study.refresh_from_db()
    Study.objects.filter(pk=study.pk).update(notice="Back on Monday.")
    study.refresh_from_db()
    for other in (copy_study(study, "copied", None), create_from_archive(study_archive(study), slug="sent")):
        assert other.look == study.look
        assert other.notice == "Back on Monday."
        assert other.media_files.get().name == "logo.png"


@pytest.mark.django_db
def test_participants_see_logo_colour_and_notice_and_nothing_of_the_notes(
    client: Client, owner: Client, researcher: Any
) -> None:
    study = open_study(owner=researcher)
    Study.objects.filter(pk=study.pk).update(notice="Back on <Monday>.", description="Pilot was a mess.")
    owner.post(f"/admin/studies/{study.slug}/settings/look/", {**LOGO, "logo": SimpleUploadedFile("l.png", picture())})
    logo = study.media_files.get()
    address = f"/s/{study.slug}/media/{logo.content_hash}.png"
    page = client.get(f"/s/{study.slug}/").content.decode()
    for shown in (address, 'alt="University of Example"', "--accent: #7a1f5c", "Back on &lt;Monday&gt;.", "with-look"):
        assert shown in page
    assert "Pilot was a mess." not in page
    for change in ({"is_paused": True}, {"status": "closed"}):
        Study.objects.filter(pk=study.pk).update(**change)
        page = client.get(f"/s/{study.slug}/").content.decode()
        assert "Back on &lt;Monday&gt;." in page
        assert address in page
        assert client.get(address).status_code == 200
    Study.objects.filter(pk=study.pk).update(status="draft")
    assert "Back on" not in client.get(f"/s/{study.slug}/").content.decode()
    assert client.get(address).status_code == 404
