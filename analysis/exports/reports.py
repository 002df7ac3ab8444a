"""Export the files of a finished analysis: report.json, a CSV file per table, pictures of each figure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from analysis.codebook.questions import Words, question
from analysis.codebook.regions import REGIONS
from analysis.exports.cells import Variant, cell
from analysis.exports.of_task import task_label
from analysis.methods.report import Report, Table
from analysis.models import AnalysisRun
from analysis.reports.labelled import labelled
from analysis.reports.labels import COLUMNS, Labels
from experiments.formats.csvtext import csv_text
from experiments.labels import TIME_OF_READING, without_article
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.study.labels import factors_to_label


def report_json(report: Report) -> str:
    """Return a report as the text of its `report.json`."""
    return json.dumps(report.as_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def report_from(text: str) -> Report:
    """Return the report that `report_json` wrote."""
    return Report.from_dict(json.loads(text))


def names_of_files(text: str) -> set[str]:
    """Return the names of the files beside a `report.json`, given its text; none where it is no report.

    >>> sorted(names_of_files('{"tables": [{"name": "means"}], "figures": [{"name": "bars"}]}'))
    ['bars.svg', 'means.csv']
    """
    try:
        stored = json.loads(text)
        kinds = (("tables", "csv"), ("figures", "svg"))
        names = {f"{one['name']}.{ending}" for kind, ending in kinds for one in stored[kind]}
        return names | set(stored.get("scripts", {}))
    except (ValueError, KeyError, TypeError):
        return set()


def labels_of(study: Study) -> Labels:
    """Return what the factors of a study and their levels are called in print."""
    columns = {**COLUMNS, "rt_ms": without_article(TIME_OF_READING)} if is_read(study) else COLUMNS
    return Labels.of(factors_to_label(study), study.labels).with_columns(columns)


def is_read(study: Study) -> bool:
    """Say whether texts of the task are read region by region, so that times are reading times."""
    tables = paradigm_named(study.paradigm).long_tables_of(study.settings)
    return any(table.name == REGIONS for table in tables)


def words_of(study: Study) -> Words:
    """Return what columns, factors and levels of a study are called on pages."""
    labels = labels_of(study)
    return Words(labels.names, labels.levels, is_read=is_read(study))


def question_of(run: AnalysisRun) -> str:
    """Return the question that a run answers, or its method where that is no longer there; of several tasks with the
    one that was analysed.
    """
    from analysis.methods import registry  # pandas comes with it

    methods = registry.analyses()
    said = question(methods[run.method], run.params, words_of(run.study)) if run.method in methods else run.method
    task = task_label(run.study, run.part)
    return f"{task}: {said}" if task else said


def shown_report(run: AnalysisRun) -> Report:
    """Return the report of a finished run as it is shown: with the study's names for print as they are now."""
    return labelled(report_from(run.report), labels_of(run.study))


def table_csv(table: Table, *, variant: Variant = "plain") -> bytes:
    """Return a table at full precision as CSV; a value that is not defined is an empty cell.

    The variant for Excel guards what people typed, as that of every other file does.
    """
    if variant == "excel":
        rows = [[cell(value) for value in row] for row in table.rows]
        return csv_text([column.name for column in table.columns], rows, excel=True).encode("utf-8")
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([cell(value) for value in row] for row in table.rows)
    return buffer.getvalue().encode("utf-8")


def report_files(text: str, *, labels: Labels | None = None, variant: Variant = "plain") -> Iterator[tuple[str, bytes]]:
    """Yield name and content of every file of a report, given its `report.json`; only pictures show labels."""
    # The drawing library takes half a second to load, which most processes can do without.
    from analysis.reports.figures import svg

    yield "report.json", text.encode("utf-8")
    report = report_from(text)
    for table in report.tables:
        yield f"{table.name}.csv", table_csv(table, variant=variant)
    # Rows of pictures stand in the order of what they show, with names for print or without any.
    drawn = labelled(report, Labels() if labels is None else labels)
    for figure in drawn.figures:
        yield f"{figure.name}.svg", svg(drawn, figure).encode("utf-8")
    for name, script in report.scripts.items():
        yield name, script.encode("utf-8")
