"""/docs/ serves the documents that were built, to everybody, and nothing outside their folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def site(tmp_path: Path, settings: Any) -> Path:
    folder = tmp_path / "site"
    (folder / "methods").mkdir(parents=True)
    (folder / "index.html").write_text("<h1>Lectern</h1>", encoding="utf-8")
    (folder / "methods" / "index.html").write_text("<h1>Methods</h1>", encoding="utf-8")
    (folder / "search.js").write_text("1", encoding="utf-8")
    (tmp_path / "secret_key").write_text("secret", encoding="utf-8")
    settings.DOCS_DIR = folder
    return folder


def body(answer: Any) -> str:
    return str(answer.getvalue(), "utf-8")


@pytest.mark.parametrize(("address", "title"), [("/docs/", "Lectern"), ("/docs/methods/", "Methods")])
def test_a_page_is_served_to_everybody_under_the_strict_policy(site: Path, address: str, title: str) -> None:
    answer = Client().get(address)
    assert answer.status_code == 200
    assert body(answer) == f"<h1>{title}</h1>"
    policy = {directive.strip() for directive in answer.headers["Content-Security-Policy"].split(";")}
    assert "script-src 'self'" in policy
    assert answer.headers["Cache-Control"] == "no-cache"
    assert Client().get("/docs/search.js").headers["Content-Type"].endswith("javascript")


def test_a_folder_without_its_slash_leads_to_the_page(site: Path) -> None:
    answer = Client().get("/docs/methods")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/docs/methods/")


@pytest.mark.parametrize(
    "path",
    [
        "../secret_key", "%2e%2e/secret_key", "..%2fsecret_key", "methods/../../secret_key", "/etc/passwd",
        "//etc/passwd", "..\\secret_key", "%00", "missing/", "missing.html", "site/../../site2/",
    ],
)  # fmt: skip
def test_nothing_outside_the_folder_is_there(site: Path, path: str) -> None:
    answer = Client().get(f"/docs/{path}")
    assert answer.status_code in {400, 404}


def test_a_link_out_of_the_folder_is_not_followed_by_its_name_alone(site: Path) -> None:
    assert Client().get("/docs/methods/..").status_code in {301, 404}
    assert Client().post("/docs/").status_code == 405


def test_documents_that_were_not_built_are_asked_for_in_a_sentence(tmp_path: Path, settings: Any) -> None:
    settings.DOCS_DIR = tmp_path / "nothing"
    answer = Client().get("/docs/methods/")
    assert answer.status_code == 404
    assert "make docs" in answer.content.decode()


@pytest.mark.parametrize("step", settings.STUDY_STEPS)
def test_every_step_of_a_study_leads_to_a_paragraph_of_the_documents(step: str) -> None:
    page, _, paragraph = import_string(step).document.partition("#")
    places = [ROOT / "docs" / f"{page.rstrip('/')}.md", ROOT / "docs" / page / "README.md"]
    found = [place for place in places if place.is_file()]
    assert found, f"There is no page {page} in docs/."
    headings = re.findall(r"^#+ (.+)$", found[0].read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}
    assert not paragraph or paragraph in anchors
