"""Ask for archives, find and delete them. Their files lie in a folder that the worker and web servers share."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.models import AnalysisRun, StudyArchive
from analysis.runs.waking import wake
from analysis.studies.access import readable_runs
from experiments.models import Study
from participants.models import Trial

logger = logging.getLogger(__name__)
# Of so many trials an archive is made while it is downloaded, which takes a second or two.
AT_ONCE = 10_000
KEPT = timedelta(hours=24)
Status = StudyArchive.Status
UNFINISHED = (Status.QUEUED, Status.RUNNING)


def is_made_at_once(study: Study) -> bool:
    """Return whether a study is so small that nobody has to wait for its archive."""
    return not Trial.objects.filter(session__study=study).order_by()[AT_ONCE : AT_ONCE + 1].exists()


def folder() -> Path:
    """Return the folder of the files, which nobody but the account of the platform can read."""
    found = Path(settings.ARCHIVES_ROOT)
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    return found


def file_of(archive: StudyArchive) -> Path:
    """Return where the file of an archive is, or will be; another attempt writes another file."""
    return folder() / f"{archive.pk}-{archive.attempts}.zip"


def opened(archive: StudyArchive) -> BinaryIO:
    """Open the file of an archive that is ready. Raises OSError where it was deleted meanwhile."""
    return file_of(archive).open("rb")


def ask_for_archive(study: Study, *, user: Any, layout: str, variant: str) -> StudyArchive:
    """Return the archive of these settings that is being made for somebody, or have one made."""
    of_user = StudyArchive.objects.filter(study=study, created_by=user)
    found = of_user.filter(layout=layout, variant=variant, status__in=UNFINISHED).first()
    if found is None:
        with transaction.atomic():
            delete_archives(of_user.exclude(status__in=UNFINISHED))
            found = StudyArchive.objects.create(study=study, created_by=user, layout=layout, variant=variant)
            wake()
    return found


def archives_for(study: Study, user: Any) -> list[StudyArchive]:
    """Return the archives of a study that somebody asked for, the latest first.

    One whose file is gone, that has expired, or that holds a report which this person may not read any more, is not
    among them.
    """
    asked = StudyArchive.objects.filter(study=study, created_by=user).order_by("-pk")
    return [one for one in asked if one.is_unfinished or one.status == Status.FAILED or _can_be_fetched(one, user)]


def _can_be_fetched(archive: StudyArchive, user: Any) -> bool:
    if archive.finished_at is None or archive.finished_at < timezone.now() - KEPT or not file_of(archive).is_file():
        return False
    inside = AnalysisRun.objects.filter(pk__in=archive.runs)
    return inside.count() == readable_runs(inside, user).count()


def delete_archives(archives: Any) -> int:
    """Delete archives, and their files after the commit; returns how many there were."""
    gone = list(archives)
    StudyArchive.objects.filter(pk__in=[one.pk for one in gone]).delete()
    files = [file_of(one) for one in gone]
    transaction.on_commit(lambda: _unlink(files))
    return len(gone)


def tidy_archives() -> None:
    """Delete archives that have expired, and files that belong to none; the worker calls it every minute."""
    delete_archives(StudyArchive.objects.filter(created_at__lt=timezone.now() - KEPT).exclude(status__in=UNFINISHED))
    files = list(folder().iterdir())  # before the rows are asked for: a file that is just being begun has its row
    known = {file_of(one).name for one in StudyArchive.objects.all()}
    _unlink(file for file in files if file.name.removeprefix(".").removesuffix(".partial") not in known)


def _unlink(files: Iterable[Path]) -> None:
    for file in files:
        try:
            file.unlink(missing_ok=True)
        except OSError:
            logger.exception("%s could not be deleted; trying again in a minute", file)


def begin_anew_without_whoever_is_gone(study_id: int) -> None:
    """Delete the archives of a study, as a participant is gone; those that are being made are begun anew."""
    of_study = StudyArchive.objects.filter(study=study_id)
    delete_archives(of_study.exclude(status__in=UNFINISHED))
    # Whoever is at one holds it no longer, and stops within a second.
    of_study.filter(status=Status.RUNNING).update(status=Status.QUEUED, heartbeat_at=None, progress=0)
