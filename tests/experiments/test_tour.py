"""The tour: shown to researchers without studies where the documents have the recording, and told in words as well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from experiments import tour

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "first-study.md"


@pytest.fixture
def documents(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "index.html").write_text("<h1>Lectern</h1>", encoding="utf-8")
    for name in (tour.MOVING, tour.STILL):
        (tmp_path / name).write_bytes((ROOT / "docs" / name).read_bytes())
    settings.DOCS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def newcomer(django_user_model: Any, db: None) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("new", "new@example.org", "a long password"))
    return client


def test_somebody_without_studies_can_take_the_tour(documents: Path, newcomer: Client) -> None:
    page = newcomer.get(reverse("study:index")).content.decode()
    assert "Take the tour" in page
    assert f'href="{reverse("documents")}{tour.PARAGRAPH}" data-opens="tour"' in page
    assert [said for said in tour.SCENES.values() if f"<li>{said}</li>" not in page] == []
    moving, still = (re.findall(rf'data-{name}="(/docs/[^"]+)"', page)[0] for name in ("moving", "still"))
    assert not re.search(r"<img[^>]+\bsrc=[^>]+demo", page), "the recording is loaded before anybody asks for it"
    for address in (moving, still):
        answer = newcomer.get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")


def test_there_is_no_tour_where_there_are_studies(documents: Path, ready: Any, researcher: Any) -> None:
    owner = Client()
    owner.force_login(researcher)
    assert "Take the tour" not in owner.get(reverse("study:index")).content.decode()


@pytest.mark.parametrize("name", [tour.MOVING, tour.STILL])
def test_there_is_no_tour_without_the_recording(name: str, documents: Path, newcomer: Client) -> None:
    (documents / name).unlink()
    page = newcomer.get(reverse("study:index")).content.decode()
    assert "No studies yet" in page
    assert "tour" not in page


def test_the_document_tells_the_scenes_in_their_order() -> None:
    text = re.sub(r"\s+", " ", DOCUMENT.read_text(encoding="utf-8"))
    _, anchor = tour.PARAGRAPH.split("#")
    assert f"## {anchor.replace('-', ' ').capitalize()} " in text
    assert " ".join(f"{number}. {said}" for number, said in enumerate(tour.SCENES.values(), start=1)) in text
    assert f"]({tour.MOVING})" in text
