"""Everything of a large study is made by a worker, fetched when it is ready, and gone when somebody withdraws."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.archives import kept
from analysis.archives.kept import archives_for, ask_for_archive, file_of, tidy_archives
from analysis.archives.life import ClaimedArchive
from analysis.exports import export_files, zip_pieces
from analysis.models import AnalysisRun, StudyArchive
from analysis.runs.waiting import KINDS
from experiments.models import AuditEntry, Membership, Study
from participants.models import Participant
from tests.analysis.computed import execute
from tests.analysis.recalls import user_named
from tests.analysis.studies import add_participants, make_study

pytestmark = [pytest.mark.django_db, pytest.mark.both]
Status = StudyArchive.Status


@pytest.fixture
def study(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    settings.ARCHIVES_ROOT = tmp_path / "archives"
    monkeypatch.setattr(kept, "AT_ONCE", 3)
    study = make_study(n_items=4, owner=user_named("owner"))
    add_participants(study, 2)
    return study


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(user_named(name))
    return client


def asked(study: Study) -> StudyArchive:
    return ask_for_archive(study, user=user_named("owner"), layout="flat", variant="plain")


def made(study: Study) -> StudyArchive:
    archive = asked(study)
    assert execute(archive.pk, ClaimedArchive)
    archive.refresh_from_db()
    assert (archive.status, archive.error) == (Status.DONE, "")
    return archive


def files() -> list[str]:
    return sorted(path.name for path in kept.folder().iterdir())


def test_an_archive_is_asked_for_waited_for_and_fetched(study: Study) -> None:
    owner, page = client_of("owner"), reverse("analysis:export", args=[study.slug])
    address = reverse("analysis:export_all", args=[study.slug])
    assert owner.get(address).headers["Location"] == page
    assert not StudyArchive.objects.exists()
    for _again in range(2):  # a second press changes nothing
        assert owner.post(f"{address}?excel=1").headers["Location"] == page
    archive = StudyArchive.objects.get()
    progress = reverse("analysis:export_progress", args=[study.slug, archive.pk])
    assert owner.get(progress).json() == {"status": "queued", "progress": 0, "note": ""}
    assert progress in owner.get(page).content.decode()
    fetched = reverse("analysis:export_archive", args=[study.slug, archive.pk])
    assert owner.get(fetched).status_code == 404
    assert ClaimedArchive in KINDS
    assert execute(archive.pk, ClaimedArchive)
    assert owner.get(progress).json() == {"status": "done", "progress": 1, "note": ""}
    assert fetched in owner.get(page).content.decode()
    answer: Any = owner.get(fetched)
    content = b"".join(answer.streaming_content)
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="causes-data-excel-{timezone.localdate()}.zip"'
    )
    assert content == b"".join(zip_pieces(export_files(study, variant="excel")))
    entry = AuditEntry.objects.get(action="data exported")
    assert entry.detail == "everything (flat, excel)"


def test_progress_is_told_and_grows(study: Study) -> None:
    told: list[tuple[float, str]] = []
    claimed = ClaimedArchive.claim(asked(study).pk)
    assert claimed is not None
    claimed.compute(lambda share, note: told.append((share, note)))
    shares = [share for share, _note in told]
    assert shares == sorted(shares)
    assert shares[0] == 0 < shares[-1] <= 1
    assert told[0][1].startswith("trials.csv, ")


def test_nobody_else_fetches_it(study: Study) -> None:
    archive = made(study)
    Membership.objects.create(study=study, user=user_named("viewer"), role="viewer")
    for name in ("export_archive", "export_progress"):
        address = reverse(f"analysis:{name}", args=[study.slug, archive.pk])
        assert client_of("viewer").get(address).status_code == 404
    viewer = client_of("viewer")
    assert viewer.post(reverse("analysis:export_all", args=[study.slug])).status_code == 302
    assert StudyArchive.objects.filter(created_by=user_named("viewer")).count() == 1


def test_a_report_that_may_not_be_read_any_more_takes_the_archive_with_it(study: Study) -> None:
    other = make_study("other", owner=user_named("owner"))
    compared = {"table": "pairs", "other_study": other, "status": AnalysisRun.Status.DONE, "report": "{}"}
    run = AnalysisRun.objects.create(study=study, method="correlation", created_by=user_named("owner"), **compared)
    archive = asked(study)
    archive.status, archive.finished_at, archive.runs = Status.DONE, timezone.now(), [run.pk]
    archive.save()
    file_of(archive).write_bytes(b"PK")
    assert archives_for(study, user_named("owner")) == [archive]
    Study.objects.filter(pk=other.pk).update(owner=user_named("somebody else"))
    assert archives_for(study, user_named("owner")) == []


def test_whoever_withdraws_is_in_no_archive(study: Study, django_capture_on_commit_callbacks: Any) -> None:
    archive = made(study)
    assert files() == [file_of(archive).name]
    with django_capture_on_commit_callbacks(execute=True):
        Participant.objects.filter(study=study)[0].delete()
    assert files() == []
    assert not StudyArchive.objects.exists()


def test_one_that_is_being_made_is_begun_anew_without_who_withdrew(study: Study) -> None:
    archive = asked(study)
    first = ClaimedArchive.claim(archive.pk)
    assert first is not None
    outcome = first.compute(lambda share, note: None)
    Participant.objects.filter(study=study)[0].delete()
    assert not first.beat()
    first.conclude(outcome)
    archive.refresh_from_db()
    assert archive.status == Status.QUEUED
    again = made(study)
    assert (again.pk, again.attempts) == (archive.pk, 2)
    assert file_of(again).read_bytes() == b"".join(zip_pieces(export_files(study)))
    tidy_archives()
    assert files() == [file_of(again).name]


def test_archives_expire_and_files_of_none_are_deleted(study: Study, django_capture_on_commit_callbacks: Any) -> None:
    archive = made(study)
    (kept.folder() / "999-1.zip").write_bytes(b"PK")
    (kept.folder() / ".998-1.zip.partial").write_bytes(b"PK")
    tidy_archives()
    assert files() == [file_of(archive).name]
    long_ago = timezone.now() - kept.KEPT - timedelta(minutes=1)
    StudyArchive.objects.update(created_at=long_ago, finished_at=long_ago)
    assert archives_for(study, user_named("owner")) == []
    with django_capture_on_commit_callbacks(execute=True):
        tidy_archives()
    assert files() == []


def test_a_new_one_replaces_the_old_one(study: Study, django_capture_on_commit_callbacks: Any) -> None:
    first = made(study)
    with django_capture_on_commit_callbacks(execute=True):
        second = made(study)
    assert first.pk != second.pk
    assert files() == [file_of(second).name]


def test_one_that_fails_says_why(study: Study) -> None:
    archive = asked(study)
    claimed = ClaimedArchive.claim(archive.pk)
    assert claimed is not None
    claimed.conclude({"kind": "error", "reference": "abcd"})
    page = client_of("owner").get(reverse("analysis:export", args=[study.slug])).content.decode()
    assert "abcd" in page


def test_a_file_that_is_gone_is_not_offered(study: Study) -> None:
    file_of(made(study)).unlink()
    assert archives_for(study, user_named("owner")) == []
