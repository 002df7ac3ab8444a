"""List and write the export files of a study, one by one or as an archive."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.codebook.columns import (
    CODEBOOK_COLUMNS,
    ExportColumn,
    codebook_rows,
    shared_column,
    shared_values,
)
from analysis.codebook.derived import derived_of_plan
from analysis.codebook.tables import PAIR_COLUMNS
from analysis.exports.cells import Variant, csv_pieces
from analysis.exports.forms.bids import bids_files
from analysis.exports.forms.croissant import CROISSANT, croissant
from analysis.exports.forms.names import AS_FLAT, OF_THEIR_OWN, Layout
from analysis.exports.forms.psychling.dataset import psychling_files
from analysis.exports.forms.spss import spss_files
from analysis.exports.metadata import datapackage, dataset_description
from analysis.exports.of_task import through_task
from analysis.exports.packing import json_bytes
from analysis.exports.provenance import PROVENANCE, provenance_of
from analysis.exports.reports import labels_of, report_files
from analysis.exports.rows.pairs import PAIRS, pair_rows
from analysis.exports.sheets import Sheet, sheets_of
from analysis.exports.starting_points import starting_points
from analysis.exports.stored import snapshot
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from experiments.media.storage import content_of, files_of
from experiments.models import MediaFile, Study
from experiments.whole_files import delete_below, write_whole

MANIFEST = "manifest.json"
# Forms whose files are their own: the study alone, without reports.
FORMS = {"bids": bids_files, "psychling-101": psychling_files, "spss": spss_files}


class NoSuchFile(LookupError):
    """There is no exported file of this name."""


class OtherExport(Exception):
    """A folder holds the data of another study."""


def write_all(
    study: Study,
    directory: Path,
    *,
    layout: Layout = "flat",
    variant: Variant = "plain",
    changes: Callable[[AnalysisRun], str] = lambda run: "",
) -> list[tuple[str, int]]:
    """Write every file into `directory` and return path and size of each, manifest included; `changes` as below.

    What an earlier export wrote there and this one does not have is deleted: it may name who has withdrawn since.
    Raises OtherExport where the folder holds the data of another study, before anything is written, and NotWritten.
    """
    earlier = _files_of_earlier_export(study, directory)
    written: list[tuple[str, int]] = []
    for path, pieces in export_files(study, layout=layout, variant=variant, changes=changes):
        if path == MANIFEST:
            delete_below(directory, earlier - {name for name, _ in written} - {MANIFEST})
        written.append((path, write_whole(directory / path, pieces)))
    return written


def _files_of_earlier_export(study: Study, directory: Path) -> set[str]:
    """Return the paths in the manifest of a folder that holds an export of the study; none where it holds no export."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        slug, paths = manifest["study"], {str(entry["path"]) for entry in manifest["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    if slug != study.slug:
        raise OtherExport(f"{directory} holds the data of the study '{slug}'; give a folder of its own.")
    return paths


def stream(study: Study, name: str, *, variant: Variant = "plain") -> Iterator[bytes]:
    """Yield one file in pieces, given its name in the flat layout (`trials.csv`).

    Raises NoSuchFile, before anything is yielded.
    """
    for path, pieces in single_files(study, layout="flat", variant=variant):
        if path == name:
            return in_snapshot(pieces)
    raise NoSuchFile(name)


def in_snapshot(pieces: Iterable[bytes]) -> Iterator[bytes]:
    with snapshot():
        yield from pieces


def export_files(
    study: Study,
    *,
    layout: Layout = "flat",
    variant: Variant = "plain",
    left_out: Callable[[AnalysisRun], str] = lambda run: "",
    changes: Callable[[AnalysisRun], str] = lambda run: "",
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield path and content of every file, `manifest.json` last.

    `left_out` says why the report of a run is left out, empty where it is not, and `changes` what has changed since the
    run, so that its report is not about the data beside it; the manifest repeats the sentences.
    All of them show one state of the database. The pieces of a file have to be used up before the next is asked for;
    the manifest holds the hashes of what was yielded.
    """
    manifest = Manifest(study, variant)
    if layout in OF_THEIR_OWN:
        with snapshot():
            for path, made in FORMS[layout](study):
                yield path, manifest.watched(path, made)
        yield MANIFEST, iter([manifest.content()])
        return
    with snapshot():
        for path, pieces in single_files(study, layout=layout, variant=variant):
            yield path, manifest.watched(path, pieces)
        for path, content in starting_points(study, tables_in(study, layout)):
            yield path, manifest.watched(path, iter([content]))
        labels = labels_of(study)
        told: list[AnalysisRun] = []
        folders: dict[int, str] = {}
        runs = AnalysisRun.objects.filter(study=study, status=AnalysisRun.Status.DONE).order_by("pk")
        for run in list(runs.select_related("study", "other_study").defer("report")):
            folder = f"{'results' if layout == 'psych-ds' else 'reports'}/{run.method}-{run.pk}"
            if reason := left_out(run):
                manifest.left_out.append({"path": f"{folder}/", "reason": reason})
                continue
            if changed := changes(run):
                manifest.changed_since.append({"path": f"{folder}/", "changes": changed})
            told.append(run)
            folders[run.pk] = folder
            text = AnalysisRun.objects.filter(pk=run.pk).values_list("report", flat=True).get()
            files = list(report_files(text, labels=labels, variant=variant))
            pairs = [(apart(name, {*dict(files)}), content) for name, content in compared_pairs(run, variant=variant)]
            for name, content in [*files, *pairs]:
                yield f"{folder}/{name}", manifest.watched(f"{folder}/{name}", iter([content]))
        paths = {name: path for name, (path, _title, _columns) in tables_in(study, layout).items()}
        known = provenance_of(study, told, folders=folders, paths=paths)
        yield PROVENANCE, manifest.watched(PROVENANCE, iter([json_bytes(known)]))
        if layout == "croissant":
            described = json_bytes(croissant(study, tables_in(study, layout), manifest.files))
            yield CROISSANT, manifest.watched(CROISSANT, iter([described]))
    yield MANIFEST, iter([manifest.content()])


def apart(name: str, taken: Collection[str]) -> str:
    """Return what the data of a report are called beside its files: an archive has every name once.

    >>> apart("trials.csv", {"means.csv"}), apart("texts.csv", {"texts.csv"})
    ('trials.csv', 'data-texts.csv')
    """
    while name in taken:
        name = f"data-{name}"
    return name


def compared_pairs(run: AnalysisRun, *, variant: Variant = "plain") -> list[tuple[str, bytes]]:
    """Return the table of a run that compared two studies, unless their data have changed since: no file holds it."""
    if run.table != PAIRS or run.other_study is None:
        return []
    try:
        rows = list(pair_rows(through_task(run.study, run.part), run.other_study))
    except BadInput:
        return []
    if hashlib.sha256(b"".join(csv_pieces(PAIR_COLUMNS, rows))).hexdigest() != run.data_hash:
        return []
    return [(f"{PAIRS}.csv", b"".join(csv_pieces(PAIR_COLUMNS, rows, variant=variant)))]


def single_files(study: Study, *, layout: Layout, variant: Variant) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield path and content of every file that belongs to the study itself."""
    for sheet in sheets_of(study):
        yield sheet_path(study, sheet, layout), sheet_pieces(study, sheet, variant)
    yield from media_pieces(study, layout)
    yield "codebook.csv", deferred(lambda: codebook_pieces(study, layout, variant))
    yield (
        "dataset_description.json",
        deferred(lambda: iter([json_bytes(dataset_description(study, data_columns(study)))])),
    )
    yield (
        "datapackage.json",
        deferred(lambda: iter([json_bytes(datapackage(study, tables_in(study, layout), of_parts(study)))])),
    )


def media_pieces(study: Study, layout: Layout) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield path and content of every picture and sound, and of the note that says whose they are."""
    folder = "materials/media" if layout == "psych-ds" else "media"
    files = files_of(study)
    for file in files:
        yield f"{folder}/{file.name}", content_pieces(file)
    if files:
        yield f"{folder}/LICENCES.txt", iter([licence_note(files).encode("utf-8")])


def content_pieces(file: MediaFile) -> Iterator[bytes]:
    """Yield the content of a picture or sound, read when it is asked for."""
    yield content_of(file)


def licence_note(files: Sequence[MediaFile]) -> str:
    """Return what is known of the origin of pictures and sounds, with their hashes, one line each."""
    lines = [f"{file.content_hash}  {file.name}  {file.licence or 'no licence stated'}" for file in files]
    return "SHA-256, file, author and licence\n\n" + "\n".join(lines) + "\n"


def deferred(make: Callable[[], Iterator[bytes]]) -> Iterator[bytes]:
    """Call `make` when the first piece is asked for: what nobody reads is not computed."""
    yield from make()


def sheet_pieces(study: Study, sheet: Sheet, variant: Variant) -> Iterator[bytes]:
    """Yield one CSV file in pieces."""
    yield from csv_pieces(sheet.columns(study), sheet.rows(study), variant=variant)


def sheet_path(study: Study, sheet: Sheet, layout: Layout) -> str:
    """Return where a file goes. Psych-DS wants data in `data/` under names of keyword–value pairs."""
    if layout in AS_FLAT:
        return f"{sheet.name}.csv"
    if not sheet.is_data:
        return f"materials/{sheet.name}.csv"
    alphanumeric = "".join(character for character in study.slug if character.isalnum())
    return f"data/study-{alphanumeric}_description-{sheet.name}_data.csv"


def tables_in(study: Study, layout: Layout) -> dict[str, tuple[str, str, tuple[ExportColumn, ...]]]:
    """Return path, title and columns of every CSV file, by its name."""
    sheets = sheets_of(study)
    return {sheet.name: (sheet_path(study, sheet, layout), sheet.title, sheet.columns(study)) for sheet in sheets}


def of_parts(study: Study) -> dict[str, tuple[str, list[str]]]:
    """Return, by the names of files that hold some of several tasks alone, what analyses call them and these tasks."""
    if not study.has_several_tasks:
        return {}
    return {
        sheet.name: (sheet.table, [task.name for task in study.seen_through(sheet.task).seen_tasks])
        for sheet in sheets_of(study)
        if sheet.task
    }


def data_columns(study: Study) -> list[ExportColumn]:
    """Return the columns of the data files, each name once, as the first file has it.

    Of several tasks it allows the values of the tables of all, and what only these tables have says whose it is.
    """
    found: dict[str, list[tuple[str, ExportColumn]]] = {}
    for sheet in sheets_of(study):
        if sheet.is_data:
            for column in sheet.columns(study):
                found.setdefault(column.name, []).append((sheet.task, column))
    if not study.has_several_tasks:
        return [columns[0][1] for columns in found.values()]
    return [_of_all_tables(columns, tasks=len(study.analysed_tasks)) for columns in found.values()]


def _of_all_tables(columns: Sequence[tuple[str, ExportColumn]], *, tasks: int) -> ExportColumn:
    task, first = columns[0]
    if task:
        # A task may have the column in several tables; the first one tells what it is.
        of_tasks = {name: column for name, column in reversed(columns) if name}
        first = shared_column(list(reversed(of_tasks.items())), tasks=tasks)
    return replace(first, values=shared_values([first, *(column for name, column in columns if name)]))


def codebook_pieces(study: Study, layout: Layout, variant: Variant) -> Iterator[bytes]:
    """Yield `codebook.csv`, one line for every column of every file, and for those that planned analyses derive."""
    derived = derived_of_plan(study.plan)
    files = {path: (*columns, *derived.get(name, ())) for name, (path, _, columns) in tables_in(study, layout).items()}
    return csv_pieces(CODEBOOK_COLUMNS, codebook_rows({**files, "codebook.csv": CODEBOOK_COLUMNS}), variant=variant)


class Manifest:
    """What was exported: path, size and SHA-256 of every file, taken while the bytes pass by."""

    def __init__(self, study: Study, variant: Variant) -> None:
        self.study = study
        self.variant = variant
        self.files: list[dict[str, str | int]] = []
        self.left_out: list[dict[str, str]] = []
        self.changed_since: list[dict[str, str]] = []

    def watched(self, path: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        digest = hashlib.sha256()
        size = 0
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            yield piece
        self.files.append({"path": path, "bytes": size, "sha256": digest.hexdigest()})

    def content(self) -> bytes:
        return json_bytes(
            {
                "study": self.study.slug,
                "study_version": self.study.version,
                "variant": self.variant,
                "files": self.files,
                **({"left_out": self.left_out} if self.left_out else {}),
                **({"changed_since": self.changed_since} if self.changed_since else {}),
            }
        )


def with_manifest(study: Study, files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return files with the manifest of their hashes at the end."""
    manifest = Manifest(study, "plain")
    watched = [(path, b"".join(manifest.watched(path, [content]))) for path, content in files]
    return [*watched, (MANIFEST, manifest.content())]
