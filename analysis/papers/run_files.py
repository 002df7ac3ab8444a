"""Files of a run: its report, tables, figures, methods paragraph, or everything as an archive."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.data.frames import analysed_data
from analysis.exports import NoSuchFile, zip_pieces
from analysis.exports.archive import apart, with_manifest
from analysis.exports.of_task import rows_of_parts
from analysis.exports.packing import json_bytes
from analysis.exports.provenance import PROVENANCE, data_of, provenance_of
from analysis.exports.report_page import report_page
from analysis.exports.reports import labels_of, report_files, report_from, shown_report, table_csv
from analysis.methods.parameters import as_written
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from analysis.papers.methods_paragraph import FORMATS as METHODS_FORMATS
from analysis.papers.methods_paragraph import methods_paragraph
from analysis.reports.labelled import labelled
from analysis.reports.labels import Labels
from analysis.studies.changes import Changes
from analysis.studies.planned import standing_of
from experiments.started_by import command


def run_file(run: AnalysisRun, name: str) -> tuple[bytes, str]:
    """Return one file of a finished run with its media type.

    `name` is `report.json`, `report.html`, `all.zip`, a table such as `anova.csv`, a figure as SVG, PNG or PDF, a
    script, or a format of the methods paragraph. Raises NoSuchFile.
    """
    if not run.report:
        raise NoSuchFile(name)
    stem, _point, suffix = name.rpartition(".")
    if name == "all.zip":
        return b"".join(zip_pieces(archive_files(run))), "application/zip"
    if name == "report.html":
        return report_page(run, changes=Changes(run.study).since(run)), "text/html; charset=utf-8"
    if name in METHODS_FORMATS:
        write, kind = METHODS_FORMATS[name]
        return write(run, methods_paragraph(run, shown_report(run), standing=standing_of(run))), kind
    if name == "report.json":
        return run.report.encode("utf-8"), "application/json"
    return file_of(report_from(run.report), stem, suffix, labels=labels_of(run.study))


def file_of(report: Report, stem: str, suffix: str, *, labels: Labels) -> tuple[bytes, str]:
    """Return one file of a report with its media type; only pictures show labels. Raises NoSuchFile."""
    # The drawing library takes half a second to load.
    from analysis.reports.figure_files import picture_of

    if f"{stem}.{suffix}" in report.scripts:
        return report.scripts[f"{stem}.{suffix}"].encode("utf-8"), "text/plain; charset=utf-8"
    if suffix == "csv":
        for table in report.tables:
            if table.name == stem:
                return table_csv(table), "text/csv; charset=utf-8"
    picture = picture_of(labelled(report, labels), stem, suffix)
    if picture is None:
        raise NoSuchFile(f"{stem}.{suffix}")
    return picture


def archive_files(run: AnalysisRun) -> list[tuple[str, list[bytes]]]:
    """Return every file of a report, figures as SVG and PNG, its data, and the line that computes it again."""
    from analysis.reports import figures

    report = report_from(run.report)
    files = [(name, [content]) for name, content in report_files(run.report, labels=labels_of(run.study))]
    drawn = {name: pieces[0] for name, pieces in files if name.endswith(".svg")}
    pictures = {
        figure.name: figures.outlined_png(drawn[f"{figure.name}.svg"].decode("utf-8")) for figure in report.figures
    }
    files += [(f"{name}.png", [content]) for name, content in pictures.items()]
    files.append(("report.html", [report_page(run, changes=Changes(run.study).since(run), pictures=pictures)]))
    # A report may have a table of the same name as its data, such as texts.csv.
    own = apart(file_of_data(run), {*dict(files)})
    given = {}
    for parameter, value in run.params.items():
        if isinstance(value, dict):
            given[parameter] = {**value, "name": apart(value["name"], {own, "rerun.sh", *dict(files)})}
            files.append((given[parameter]["name"], [value["text"].encode("utf-8")]))
    files.append(("rerun.sh", [script_of(_rerun_words(run, own, {**run.params, **given})).encode("utf-8")]))
    known = provenance_of(run.study, [run], folders={run.pk: ""}, paths={data_of(run): own})
    files.append((PROVENANCE, [json_bytes(known)]))
    data = analysed_data(run)
    if data is None:
        text = (
            f"The table {own} that was analysed had the SHA-256 {run.data_hash}. The data of the "
            f"study have changed since, so it is not in this archive. Run the analysis again to have a report with its "
            f"data.\n"
        )
        files.append(("data-has-changed.txt", [text.encode()]))
    else:
        files.append((own, [data]))
    return [(name, [content]) for name, content in with_manifest(run.study, [(name, b"".join(c)) for name, c in files])]


def file_of_data(run: AnalysisRun) -> str:
    """Return what the table of a run is called in the export of its study."""
    return f"{data_of(run)}.csv"


def script_of(words: Sequence[str]) -> str:
    """Return a script for an archive that runs `analyse`, wherever it is called from.

    `words` are those of the command, with `--data` and `--out`. It does not matter how this platform was started: the
    archive is read on other machines.
    """
    data, out = (words[words.index(name) + 1] for name in ("--data", "--out"))
    return "\n".join(
        (
            "#!/bin/sh",
            f"# Computes this report again from {data}, into the folder {out} beside this file.",
            "# Where the command lectern is not installed: LECTERN='python /path/to/manage.py' sh rerun.sh",
            'cd -- "$(dirname -- "$0")" || exit 1',
            f"${{LECTERN:-lectern}} {shlex.join(words)}",
            "",
        )
    )


def rerun_line(run: AnalysisRun) -> str:
    """Return the command that computes the report again from the exported table."""
    return command(*_rerun_words(run, file_of_data(run), run.params))


def _rerun_words(run: AnalysisRun, data: str, params: Mapping[str, Any]) -> list[str]:
    given = [f"{name}={as_written(value)}" for name, value in params.items()]
    words = ["analyse", run.method, "--data", data]
    part = rows_of_parts(run.study, run.table, run.part)
    words += ["--part", part] if part else []
    # The table is that of an export, whose numbers have points: a comma in a cell is no decimal one.
    words += ["--set", *given] if given else []
    return [*words, "--decimal", "point", "--out", f"{run.method}-{run.pk}"]
