"""The page that makes a study of a project of PCIbex, and the report that it keeps."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from experiments.models import Study

SCRIPT = """
newTrial("hello", newText("You read sentences.").print(), newButton("Go on").print().wait())
Template("items.csv", row => newTrial("trial", newController("DashedSentence", {s: row.s}).print().wait()))
"""
PROJECT = {
    "data_includes/main.js": SCRIPT.encode(),
    "chunk_includes/items.csv": b"item,s\n1,A dog sat.\n2,A cat sat.\n",
}


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return buffer.getvalue()


@pytest.mark.slow
def test_the_page_makes_a_draft_and_keeps_the_report(client_of):
    owner = client_of("owner")
    file = SimpleUploadedFile("dogs.zip", zipped(PROJECT))
    answer = owner.post(
        reverse("study:start"), {"way": "project", "project": file, "language": "de", "title": "Hunde", "slug": ""}
    )
    assert (answer.status_code, answer.url) == (302, reverse("study:import_report", args=["dogs"]))
    page = owner.get(answer.url).content.decode()
    assert "data_includes/main.js, line" in page
    assert Study.objects.get(slug="dogs").title == "Hunde"
    report = owner.get(answer.url, {"file": ""})
    assert report.content.decode().startswith("# dogs")
    assert answer.url in owner.get(reverse("study:home", args=["dogs"])).content.decode()


@pytest.mark.slow
def test_the_page_says_why_nothing_was_stored(client_of):
    owner = client_of("owner")
    for data in (b"no archive", zipped({"a.csv": b"x"}), zipped({"main.js": b"newTrial('a', newText('b').print())"})):
        file = SimpleUploadedFile("x.zip", data)
        answer = owner.post(reverse("study:start"), {"way": "project", "project": file, "language": "en"})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()
    assert not Study.objects.exists()
