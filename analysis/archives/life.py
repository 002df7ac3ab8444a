"""An archive as a job: made by a worker in a process of its own, within the limits of analyses on time and memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from django.utils import timezone

from analysis.archives.kept import Status, file_of
from analysis.computing.outcomes import Outcome, failure_sentence
from analysis.exports import export_files, zip_pieces
from analysis.exports.cells import Variant
from analysis.exports.forms.names import known_layout
from analysis.exports.sheets import PEOPLE, sheets_of, table_sheets
from analysis.methods.declarations import Progress
from analysis.models import AnalysisRun, StudyArchive
from analysis.runs.claims import Claim
from analysis.studies.access import refusal_to_read
from analysis.studies.changes import Changes
from experiments.models import Study
from experiments.whole_files import write_whole
from participants.models import Session, Trial

Files = Iterable[tuple[str, Iterable[bytes]]]


def archive_files(study: Study, user: Any, *, layout: str, variant: str) -> Files:
    """Return path and content of everything of a study that somebody may download, as `export_files` yields them."""

    def left_out(run: AnalysisRun) -> str:
        return refusal_to_read(run, user)

    changes = Changes(study).since
    return export_files(
        study, layout=known_layout(layout), variant=cast("Variant", variant), left_out=left_out, changes=changes
    )


def archive_made(archive_id: int, progress: Progress) -> Outcome:
    """Write the file of an archive. The outcome is `done`, with its `size` in bytes and the `runs` that it may hold."""
    archive = StudyArchive.objects.select_related("study", "created_by").get(pk=archive_id)
    study, user = archive.study, archive.created_by
    done = AnalysisRun.objects.filter(study=study, status=AnalysisRun.Status.DONE)
    runs = [run.pk for run in done.select_related("other_study").defer("report") if not refusal_to_read(run, user)]
    files = archive_files(study, user, layout=archive.layout, variant=archive.variant)
    size = write_whole(file_of(archive), zip_pieces(_told(study, files, progress)))
    return {"kind": "done", "size": size, "runs": runs}


def _told(study: Study, files: Files, progress: Progress) -> Files:
    """Pass files on and tell how far it is: by the rows that the tables before have, of those of all."""
    trials, people = Trial.objects.filter(session__study=study).count(), Session.objects.filter(study=study).count()
    rows = {f"{sheet.name}.csv": trials for sheet in table_sheets(study)}
    rows |= {f"{sheet.name}.csv": people for sheet in PEOPLE}
    total = sum(rows.get(f"{sheet.name}.csv", 0) for sheet in sheets_of(study)) or 1
    before = 0
    for path, pieces in files:
        yield path, _counted(path, pieces, progress, share=before / total)
        before += next((number for name, number in rows.items() if path.endswith((name, f"-{name[:-4]}_data.csv"))), 0)


def _counted(path: str, pieces: Iterable[bytes], progress: Progress, *, share: float) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        progress(min(share, 1.0), f"{path}, {size / 1e6:.1f} MB")
        yield piece


class ClaimedArchive(Claim):
    """An archive that a worker makes."""

    model = StudyArchive
    computation = staticmethod(archive_made)
    fresh = {"progress": 0, "progress_note": ""}

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        told = {"progress": min(max(progress, 0.0), 1.0), "progress_note": note[:200]}
        return bool(self.held().update(heartbeat_at=timezone.now(), **told))

    def conclude(self, outcome: Outcome) -> None:
        if outcome["kind"] == "done":
            found = {"size": outcome["size"], "runs": outcome["runs"], "progress": 1, "progress_note": ""}
            self.held().update(status=Status.DONE, finished_at=timezone.now(), **found)
        elif outcome["kind"] != "cancelled":  # deleted, or begun anew, since
            self.held().update(status=Status.FAILED, error=failure_sentence(outcome), finished_at=timezone.now())
