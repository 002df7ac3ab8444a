"""Write `provenance.json`: what `verify` needs to know of an archive besides its tables and reports.

When the plan was fixed and what it says, the hashes that were recorded then, and for every report the table from which
it was computed, by name and SHA-256.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from analysis.exports.cells import cell
from analysis.exports.of_task import known_part, rows_of_parts
from analysis.exports.reports import labels_of
from analysis.exports.rows.pairs import PAIRS
from analysis.exports.sheets import Sheet, name_in_export, sheets_of
from analysis.models import AnalysisRun, SequentialLook
from experiments.models import Study
from experiments.rules.plan import complete_plan
from experiments.study.labels import factors_to_label
from experiments.study.registration import plan_sha256, registration_of, texts_of, texts_sha256
from participants.models import Session
from participants.watching.finished import first_people, pseudonyms_of

PROVENANCE = "provenance.json"
FORMAT, FORMAT_VERSION = "lectern-provenance", 1
MATERIALS = "materials"


def provenance_of(
    study: Study, runs: Iterable[AnalysisRun], *, folders: dict[int, str], paths: dict[str, str]
) -> dict[str, Any]:
    """Return the content of `provenance.json` as plain values.

    `runs` are the reports in the archive and `folders` where each is, by its key; `paths` are those of the tables in
    the archive, by their names in exports (a name that is missing is that of its file).
    """
    study = study.seen_through("")
    registered = registration_of(study)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "study": study.slug,
        "study_version": study.version,
        "status": study.status,
        "opened_at": _time(study.opened_at),
        "first_participant_at": _time(
            Session.objects.filter(study=study, is_simulated=False)
            .order_by("started_at")
            .values_list("started_at", flat=True)
            .first()
        ),
        "plan": complete_plan(study.plan),
        "plan_sha256": plan_sha256(study.plan),
        "texts_sha256": texts_sha256(texts_of(study)),
        "registered": {**asdict(registered), "at": _time(registered.at)} if registered else None,
        "materials": [
            {
                "path": paths.get(sheet.name, f"{sheet.name}.csv"),
                "task": sheet.task or study.task.name,
                "factors": [str(factor["name"]) for factor in study.seen_through(sheet.task).factors],
            }
            for sheet in sheets_of(study)
            if is_of_materials(sheet)
        ],
        **(
            {"pools": {name: [task.name for task in tasks] for name, tasks in study.pools.items()}}
            if study.pools
            else {}
        ),
        "names_for_print": {
            "factors": factors_to_label(study),
            "labels": study.labels,
            "columns": labels_of(study).columns,
        },
        "reports": [_of_report(run, folders[run.pk], paths) for run in runs],
    }


def is_of_materials(sheet: Sheet) -> bool:
    """Return whether a file of the export holds the materials of a task."""
    return MATERIALS in (sheet.name, sheet.table)


def data_of(run: AnalysisRun) -> str:
    """Return the name in exports of the table that a run analysed: `texts_sentences` of a further task."""
    task = known_part(run.study, run.part) or run.study.task.name
    return name_in_export(run.study, run.table, task=task)


def _of_report(run: AnalysisRun, folder: str, paths: dict[str, str]) -> dict[str, Any]:
    name = data_of(run)
    beside = f"{folder}/{name}.csv" if folder else f"{name}.csv"
    look = SequentialLook.objects.filter(run=run).first()
    part = known_part(run.study, run.part)
    return {
        "path": folder,
        "number": run.pk,
        "method": run.method,
        "table": run.table,
        "part": part,
        "rows_of_part": rows_of_parts(run.study, run.table, part),
        "data": beside if run.table == PAIRS else paths.get(name, f"{name}.csv"),
        "data_sha256": run.data_hash,
        "other_study": run.other_study.slug if run.other_study is not None else "",
        "code_version": run.code_version,
        "computed_at": _time(run.finished_at),
        **({"look": _of_look(look)} if look is not None else {}),
    }


def _of_look(look: SequentialLook) -> dict[str, Any]:
    """Return what the report of a look says besides its analysis: who was looked at, and the looks up to it."""
    study = look.study
    made = SequentialLook.objects.filter(study=study, number__lte=look.number).order_by("number")
    sequential = next(one["sequential"] for one in complete_plan(study.plan)["analyses"] if one.get("sequential"))
    return {
        "participants": sorted(pseudonyms_of(first_people(study, look.people))),
        "sequential": sequential,
        "made": [
            {
                "look": {"share": one.share, "spent": one.spent, "boundary": one.boundary, "level": one.level},
                "people": one.people,
                "p": one.p,
                "decision": str(one.get_decision_display()),
            }
            for one in made
        ],
        "found": look.decision == SequentialLook.Decision.FOUND,
        "ended_early": look.people < max(sequential["looks"]) and look.is_last,
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else str(cell(moment))
