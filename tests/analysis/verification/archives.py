"""Archives of a study with a plan, and ways to alter them: every file by its path, hashes of the manifest made anew."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analysis.exports import export_files
from analysis.studies.changes import Changes
from experiments.models import AuditEntry, Study
from experiments.study.audit import record
from experiments.study.registration import OPENED, recorded
from tests.analysis.papers.studies import ANOVA, finished, study_of_a_plan

Files = dict[str, bytes]
OPENED_AT = datetime(2026, 2, 1, tzinfo=UTC)


def registered(study: Study) -> Study:
    """Put the opening of a study into its history."""
    record(study, action=OPENED, user=None, detail=f"version {study.version}; {recorded(study)}")
    AuditEntry.objects.filter(study=study, action=OPENED).update(at=OPENED_AT)
    return study


def registered_study(**fields: Any) -> Study:
    """Make a study whose opening is in its history, with people, a planned report and an exploratory one."""
    study = registered(study_of_a_plan(**fields))
    finished(study, "rm-anova", ANOVA)
    finished(study, "condition-means", {"measures": "rating,z(rating)"})
    return study


def exported(study: Study, **how: Any) -> Files:
    """Return the files of the export of a study."""
    return {path: b"".join(pieces) for path, pieces in export_files(study, changes=Changes(study).since, **how)}


def zipped(files: Mapping[str, bytes], path: Path) -> Path:
    """Write files as an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def with_hashes(files: Files) -> Files:
    """Return files with a manifest that has the hashes of what is there, as somebody makes it who hides a change."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = [
        {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in files.items()
        if path != "manifest.json"
    ]
    return {**files, "manifest.json": json.dumps(manifest).encode()}


def of_rows(path: str, change: Callable[[list[dict[str, str]]], None]) -> Callable[[Files], Files]:
    """Return what alters the rows of a CSV file."""

    def alter(files: Files) -> Files:
        reader = csv.DictReader(io.StringIO(files[path].decode(), newline=""))
        rows = list(reader)
        change(rows)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(reader.fieldnames or ()), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
        assert text.getvalue().encode() != files[path], "nothing was altered"
        return {**files, path: text.getvalue().encode()}

    return alter


def of_json(path: str, change: Callable[[Any], None]) -> Callable[[Files], Files]:
    """Return what alters a JSON file, the first whose path ends so."""

    def alter(files: Files) -> Files:
        name = next(one for one in files if one.endswith(path))
        given = json.loads(files[name])
        before = json.dumps(given)
        change(given)
        assert json.dumps(given) != before, "nothing was altered"
        return {**files, name: (json.dumps(given, ensure_ascii=False, indent=2) + "\n").encode()}

    return alter
