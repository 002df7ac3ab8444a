"""Analyses: the methods, runs with their state, reports, tables and figures; the study as a paper."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from analysis.exports import NoSuchFile, zip_pieces
from analysis.exports.of_task import known_part, through_task
from analysis.exports.reports import question_of
from analysis.management.described import described_methods
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.papers.collected import NothingToWrite
from analysis.papers.methods_paragraph import FORMATS as METHODS_FORMATS
from analysis.papers.run_files import run_file
from analysis.papers.whole import paper_files
from analysis.studies.access import readable_runs, refusal_to_read
from analysis.studies.asking import cancel_run, delete_run, run_asked_for
from config.api.declarations import CSV, DATA, JSON, READ, WRITE, ZIP, Answer, Call, Operation
from config.api.fields import Anything, Choice, Number, Shape, Table, Text, Truth, Whole
from config.api.paging import Page, page_of, paged
from config.api.problems import Problem, at, not_found
from config.api.reach import studies_of, tasks_of
from experiments.study.audit import record

Status = AnalysisRun.Status
FILES = (
    JSON, CSV, ZIP, "text/html; charset=utf-8", "image/svg+xml", "image/png", "application/pdf",
    "text/plain; charset=utf-8", *dict.fromkeys(kind for _write, kind in METHODS_FORMATS.values()),
)  # fmt: skip


class ParameterShape(Shape):
    """A parameter of a method."""

    name = Text()
    label = Text()  # type: ignore[assignment]
    kind = Text()
    help = Text(allow_blank=True)
    default = Anything(allow_null=True)
    required = Truth()  # type: ignore[assignment]
    choices = serializers.ListField(child=Anything())
    role = Text(allow_blank=True)
    also = serializers.ListField(child=Anything())


class MethodShape(Shape):
    """A method with its parameters."""

    method = Text()
    label = Text()  # type: ignore[assignment]
    summary = Text(allow_blank=True)
    parameters = ParameterShape(many=True)


class Methods(Shape):
    """All methods."""

    items = MethodShape(many=True)


class OfRuns(Page):
    """Which analyses are listed."""

    status = Choice(choices=Status.choices, required=False, help_text="Only analyses in this state.")
    method = Text(required=False, max_length=60, help_text="Only analyses of this method.")


class NewRun(Shape):
    """Which analysis is to be run."""

    method = Text(max_length=60)
    params = Table(required=False, help_text="Parameters by their names, as the command `analyse` takes them.")
    table = Text(required=False, max_length=60, help_text="The table by its name in exports; `trials` unless told.")
    part = Text(required=False, max_length=60, help_text="The task, or pool of tasks; the first one if left out.")
    other_study = Text(required=False, max_length=60, help_text="The study that is compared, for the table `pairs`.")


class RunShape(Shape):
    """One analysis and how far it is."""

    id = Whole()
    method = Text()
    question = Text(help_text="What pages call it.")
    params = Table()
    table = Text()
    part = Text(allow_blank=True)
    status = Choice(choices=Status.choices)
    progress = Number(help_text="Share done, 0 to 1.")
    progress_note = Text(allow_blank=True)
    error = Text(allow_blank=True, help_text="Why there is no report.")
    data_hash = Text(allow_blank=True, help_text="SHA-256 of the table that was analysed, as it is exported.")
    code_version = Text(allow_blank=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    report = Text(allow_null=True, help_text="The address of report.json, once it is there.")


def list_methods(call: Call) -> Answer:
    """All methods with their parameters, as `analyse --list --json` gives them."""
    return Answer({"items": described_methods()})


def shown(call: Call, run: AnalysisRun) -> dict[str, Any]:
    """Return a run as `RunShape` has it."""
    names = ("method", "params", "table", "status", "progress", "progress_note", "error", "data_hash", "code_version",
             "created_at", "finished_at")  # fmt: skip
    address = call.address(f"/api/v1/studies/{call.study.slug!s}/runs/{run.pk}/report.json")
    return {
        "id": run.pk,
        **{name: getattr(run, name) for name in names},
        "question": str(question_of(run)),
        "part": known_part(call.study, run.part),
        "report": address if run.status == Status.DONE else None,
    }


def list_runs(call: Call) -> Answer:
    """The analyses whose reports the person may read, the latest first."""
    found = readable_runs(AnalysisRun.objects.filter(study=call.study), call.user)
    for name in ("status", "method"):
        if name in call.query:
            found = found.filter(**{name: call.query[name]})
    found = found.select_related("study", "other_study").defer("report", "preparation")
    return paged(call, found, lambda run: shown(call, run), newest_first=True)


def create_run(call: Call) -> Answer:
    """Run an analysis on the data as they are now; the same one on the same data is not run again."""
    given = call.body
    study, other = call.study.seen_through(""), None
    if part := given.get("part", ""):
        known = tasks_of(study)
        if part not in known:
            fault = at("/part", "The study has no such task.", f"Known are: {', '.join(known)}.")
            raise Problem("invalid", "Nothing was run.", [fault])
        study = study.seen_through(part)
    if slug := given.get("other_study", ""):
        other = studies_of(call.token).filter(slug=slug).first()
        if other is None:
            raise Problem("invalid", "Nothing was run.", [at("/other_study", "There is no such study among yours.")])
    try:
        run = run_asked_for(
            study,
            method=given["method"],
            params=given.get("params", {}),
            user=call.user,
            table=given.get("table", "trials"),
            other=other,
        )
    except BadInput as fault:
        raise Problem("invalid", "The analysis does not fit. Nothing was run.", [at("", str(fault))]) from fault
    run.refresh_from_db()
    headers = {"Location": call.address(f"/api/v1/studies/{call.study.slug!s}/runs/{run.pk}/")}
    return Answer(shown(call, run), headers=headers)


def get_run(call: Call) -> Answer:
    """One analysis and how far it is."""
    return Answer(shown(call, _run(call)))


def get_file(call: Call) -> Answer:
    """One file of a report: the same bytes as the page gives."""
    run, name = _run(call), call.path["name"]
    run.study = through_task(call.study.seen_through(""), run.part)
    try:
        content, kind = run_file(run, name)
    except NoSuchFile:
        said = (
            "The report has no such file." if run.report else f"There is no report: {run.get_status_display().lower()}."
        )
        raise not_found(said) from None
    record(call.study, action="report downloaded", user=call.user, detail=f"{run.method} {run.pk}: {name}, by the API")
    return Answer(content=content, content_type=kind, name=f"{call.study.slug!s}-{run.method}-{run.pk}-{name}")


def cancel(call: Call) -> Answer:
    """Stop an analysis that waits or is running."""
    run = _run(call, to_read=False)
    cancel_run(run, user=call.user)
    run.refresh_from_db()
    return Answer(shown(call, run))


def delete(call: Call) -> Answer:
    """Delete an analysis with its report."""
    delete_run(_run(call, to_read=False), user=call.user)
    return Answer(status=204)


def paper(call: Call) -> Answer:
    """The study as a manuscript: LaTeX, Markdown, Word, tables, figures, bibliography."""
    study = call.study.seen_through("")
    try:
        files = paper_files(study, refusal=lambda run: refusal_to_read(run, call.user))
    except NothingToWrite as nothing:
        raise Problem("refused", str(nothing)) from nothing
    record(study, action="data exported", user=call.user, detail="as a paper, by the API")
    pieces = zip_pieces((path, [content]) for path, content in files)
    return Answer(pieces=pieces, content_type=ZIP, name=f"{study.slug!s}-paper-{timezone.localdate():%Y-%m-%d}.zip")


def _run(call: Call, *, to_read: bool = True) -> AnalysisRun:
    given = call.path["run"]
    runs = AnalysisRun.objects.filter(study=call.study).select_related("study", "other_study")
    run = runs.filter(pk=given).first() if given.isascii() and given.isdecimal() and len(given) < 16 else None
    # A run that compares with a foreign study is not there for somebody who may not know of that one.
    if run is None or (to_read and refusal_to_read(run, call.user)):
        raise not_found("There is no such analysis that you may read; it may have been deleted.")
    return run


_AT = "studies/{slug}/runs/"
OPERATIONS = (
    Operation(
        "list_methods", "GET", "methods/", "List the methods and their parameters", list_methods, role="anybody",
        gives=Methods,
    ),
    Operation(
        "list_runs", "GET", _AT, "List analyses", list_runs, scopes=(READ, DATA), query=OfRuns,
        gives=page_of(RunShape, "analyses"), headers=("Link",),
    ),
    Operation(
        "create_run", "POST", _AT, "Run an analysis", create_run, scopes=(READ, WRITE, DATA), role="editor",
        body=NewRun, gives=RunShape, status=201, creates=True, headers=("Location",),
        description="A worker computes it; ask for its state until it is done.",
    ),
    Operation(
        "get_run", "GET", f"{_AT}{{run}}/", "See how far an analysis is", get_run, scopes=(READ, DATA), gives=RunShape,
    ),
    Operation(
        "delete_run", "DELETE", f"{_AT}{{run}}/", "Delete an analysis", delete, scopes=(READ, WRITE, DATA),
        role="editor", status=204,
    ),
    Operation(
        "cancel_run", "POST", f"{_AT}{{run}}/cancel/", "Stop an analysis", cancel, scopes=(READ, WRITE, DATA),
        role="editor", gives=RunShape,
    ),
    Operation(
        "get_run_file", "GET", f"{_AT}{{run}}/{{name}}", "Download a file of a report", get_file,
        scopes=(READ, DATA), gives=FILES,
        description="`report.json`, a table such as `anova.csv`, a figure as SVG, PNG or PDF, `report.html`, or "
        "`all.zip`: the same bytes as the page gives.",
    ),
    Operation(
        "get_paper", "GET", "studies/{slug}/paper.zip", "Download the study as a paper", paper, scopes=(READ, DATA),
        gives=(ZIP,), problems=("refused",),
    ),
)  # fmt: skip
