"""Every export of the API is byte for byte what the page and the command give; parts of a chain make the whole."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from analysis.exports.since import watermark
from experiments.models import AuditEntry, Study
from participants.models import Session
from tests.analysis.recalls import make_coded_study
from tests.api.conftest import Program, content_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["small-study", "a study that people code"])
def any_study(request: Any, owner: Any) -> Study:
    if request.param == "small-study":
        found: Study = request.getfixturevalue("study")
        return found
    made = make_coded_study()
    Study.objects.filter(pk=made.pk).update(owner=owner)
    return made


def test_every_file_has_the_same_bytes(any_study: Study, program: Program, owner: Any, tmp_path: Path) -> None:
    page = Client()
    page.force_login(owner)
    slug = str(any_study.slug)
    call_command("export_data", slug, out=tmp_path / "plain", verbosity=0)
    call_command("export_data", slug, out=tmp_path / "excel", excel=True, verbosity=0)
    listed = [one["name"] for one in program.get(f"studies/{slug}/exports/").json()["items"]]
    assert {"trials.csv", "participants.csv", "codebook.csv", "datapackage.json"} <= set(listed)
    for name in listed:
        for excel, folder in (("", "plain"), ("?excel=true", "excel")):
            given = content_of(program.get(f"studies/{slug}/exports/{name}{excel}"))
            assert given == (tmp_path / folder / name).read_bytes(), name
            shown = content_of(page.get(f"/admin/studies/{slug}/export/{name}", {"excel": "1"} if excel else {}))
            assert given == shown, name
    assert sorted(path.name for path in (tmp_path / "plain").glob("*.csv")) == sorted(
        name for name in listed if name.endswith(".csv")
    )


def test_archives_and_study_files_have_the_same_bytes(
    study: Study, program: Program, owner: Any, tmp_path: Path
) -> None:
    page = Client()
    page.force_login(owner)
    for query in ("", "?format=psych-ds"):
        given = content_of(program.get(f"studies/small-study/exports/all.zip{query}"))
        assert given == content_of(page.get(f"/admin/studies/small-study/export/all.zip{query}"))
        assert "manifest.json" in zipfile.ZipFile(io.BytesIO(given)).namelist()
    call_command("export_study", "small-study", out=tmp_path / "study.zip", verbosity=0)
    for address, path in (("study.zip", "archive.zip"), ("materials/", "materials/materials.csv")):
        given = content_of(program.get(f"studies/small-study/{address}"))
        assert given == content_of(page.get(f"/admin/studies/small-study/{path}"))
        if address == "study.zip":
            assert given == (tmp_path / "study.zip").read_bytes()
    assert content_of(program.get("studies/small-study/payment.csv")) == content_of(
        page.get("/admin/studies/small-study/watch/recruitment/payment.csv")
    )
    assert AuditEntry.objects.filter(study=study, detail__contains="by the API").count() == 3


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_every_session_that_ended_is_in_one_export_of_a_chain(study: Study, program: Program) -> None:
    first, second = Session.objects.filter(study=study, status="complete").order_by("pk")
    now = timezone.now()
    Session.objects.filter(pk=first.pk).update(finished_at=now - timedelta(minutes=5))
    Session.objects.filter(pk=second.pk).update(finished_at=now)
    for name in ("trials.csv", "participants.csv", "sessions.csv", "answers.csv", "events.csv"):
        one = program.get(f"studies/small-study/exports/{name}?since=")
        # What ended within the last half minute may still be on its way into the database.
        assert {row["participant"] for row in rows_of(content_of(one))} <= {first.participant.pseudonym}
        cursor = one["Lectern-Cursor"]
        assert rows_of(content_of(program.get(f"studies/small-study/exports/{name}?since={cursor}"))) == []
    Session.objects.filter(pk=second.pk).update(finished_at=now - timedelta(seconds=31))
    early = watermark(now - timedelta(minutes=1))
    parts = [
        rows_of(content_of(program.get(f"studies/small-study/exports/trials.csv?since={cursor}")))
        for cursor in (early, watermark(now))
    ]
    assert {row["participant"] for row in parts[0]} == {second.participant.pseudonym}
    assert parts[1] == []
    whole = rows_of(content_of(program.get("studies/small-study/exports/trials.csv")))
    ended = {first.participant.pseudonym, second.participant.pseudonym}
    all_ended = rows_of(content_of(program.get("studies/small-study/exports/trials.csv?since=")))
    assert all_ended == [row for row in whole if row["participant"] in ended]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("nothing.csv", 404),
        ("codebook.csv?since=", 422),
        ("trials.csv?since=never", 422),
        ("trials.csv?since=bm8", 422),
    ],
)
def test_what_cannot_be_exported_is_said(study: Study, program: Program, address: str, status: int) -> None:
    before = AuditEntry.objects.count()
    assert program.get(f"studies/small-study/exports/{address}").status_code == status
    assert AuditEntry.objects.count() == before
