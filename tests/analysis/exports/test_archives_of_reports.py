"""The archive of a report has every name once, and its script computes the report again, for every method."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from analysis.data.frames import frame_from
from analysis.exports import zip_pieces
from analysis.exports.reports import report_json
from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.models import AnalysisRun
from analysis.papers import run_files
from tests.analysis.studies import make_study
from tests.selection import only_in_full

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
METHODS = [slug for slug in registry.slugs() if registry.method_named(slug).example is not None]


def finished(slug: str, *, table: str, monkeypatch: pytest.MonkeyPatch, **changed: Any) -> AnalysisRun:
    """Return a finished run of a method on the data of its example."""
    method = registry.method_named(slug)
    assert method.example is not None
    frame, given = method.example()
    content = frame.to_csv(index=False, lineterminator="\r\n").encode("utf-8")
    monkeypatch.setattr(run_files, "analysed_data", lambda run: content)
    given |= changed
    stored = {
        name: {"name": value.name, "text": value.text} if isinstance(value, TextFile) else value
        for name, value in given.items()
        if value not in (None, "", [], ())
    }
    return AnalysisRun.objects.create(
        study=make_study(),
        method=slug,
        table=table,
        params={name: list(value) if isinstance(value, tuple) else value for name, value in stored.items()},
        status=AnalysisRun.Status.DONE,
        report=report_json(registry.run(method, frame_from(content), given)),
        data_hash=hashlib.sha256(content).hexdigest(),
    )


def unpacked(run: AnalysisRun, folder: Path) -> list[str]:
    """Unpack the archive of a run and return the names of its members."""
    with zipfile.ZipFile(io.BytesIO(b"".join(zip_pieces(run_files.archive_files(run))))) as archive:
        archive.extractall(folder)
        return archive.namelist()


@pytest.mark.parametrize(
    "slug",
    [
        "min-f",
        *(only_in_full("a method whose report its archive cannot give again", slug)
          for slug in METHODS if slug != "min-f"),
    ],
)  # fmt: skip
def test_the_script_of_an_archive_computes_its_report_again(slug, tmp_path, monkeypatch):
    run = finished(slug, table="texts", monkeypatch=monkeypatch)
    names = unpacked(run, tmp_path)
    assert len(names) == len(set(names))
    command = {**os.environ, "LECTERN": f"{sys.executable} {ROOT / 'manage.py'}"}
    ended = subprocess.run(
        ["sh", str(tmp_path / "rerun.sh")], cwd=ROOT, env=command, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2_000:]
    assert (tmp_path / f"{slug}-{run.pk}" / "report.json").read_text(encoding="utf-8") == run.report


def test_data_of_the_name_of_a_table_have_a_name_of_their_own(tmp_path, monkeypatch):
    names = unpacked(finished("overlap", table="texts", monkeypatch=monkeypatch), tmp_path)
    assert {"texts.csv", "data-texts.csv"} <= set(names)
    assert len(names) == len(set(names))
    assert "--data data-texts.csv" in (tmp_path / "rerun.sh").read_text(encoding="utf-8")


def test_a_file_that_a_parameter_was_lies_in_the_archive(tmp_path, monkeypatch):
    run = finished("min-f", table="trials", monkeypatch=monkeypatch)
    run.params = {**run.params, "model": {"name": "report.json", "text": "abc"}}
    names = unpacked(run, tmp_path)
    assert len(names) == len(set(names))
    assert (tmp_path / "data-report.json").read_text(encoding="utf-8") == "abc"
    assert "model=data-report.json" in (tmp_path / "rerun.sh").read_text(encoding="utf-8")
