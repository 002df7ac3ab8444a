"""Collect the finished reports of a study for a manuscript: planned, exploratory, simulated, omitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from analysis.codebook.columns import names
from analysis.data.tables import columns_of
from analysis.exports.of_task import known_part, task_label, through_task
from analysis.exports.reports import labels_of, report_from
from analysis.methods.parameters import as_written
from analysis.methods.registry import method_named
from analysis.methods.report import Column, Report
from analysis.models import AnalysisRun
from analysis.papers.names import in_words, worded
from analysis.reports.labelled import labelled
from analysis.reports.labels import Labels
from analysis.studies.changes import Changes
from analysis.studies.planned import is_alike, params_as_read, planned_analyses, standing_of
from experiments.models import Study
from experiments.sentences import Sentence
from participants.session.planned_exclusion import people_have_answered

# Reports that say something about the texts, or about how many people are needed, stand where a reader looks for them.
MATERIALS = ("text-profile",)
SAMPLE_SIZE = ("power",)
# Parameters of so many letters at most tell analyses apart in their titles.
LONGEST_PARAM = 40
ANALYSIS = Column("analysis", "Analysis", "text")


class NothingToWrite(ValueError):
    """No report can go into a manuscript. The message says what is missing and what to do."""


@dataclass(frozen=True)
class Told:
    """A report that goes into the manuscript."""

    run: AnalysisRun
    report: Report
    title: str
    # Which analysis of the plan it is.
    place: int | None = None
    # The family of planned analyses over which its p values are adjusted.
    family: str = ""
    later_code: bool = False
    # What the task is called where the study has several.
    task: str = ""
    is_simulated: bool = False
    # What factors and levels are called in print, and which names are those of columns.
    labels: Labels = field(default_factory=Labels)
    columns: frozenset[str] = frozenset()

    @cached_property
    def shown(self) -> Report:
        """The report with the names for print, and those of columns in words."""
        levels = {level for of in self.labels.levels.values() for level in of}
        return worded(labelled(self.report, self.labels), self.columns, levels)

    @property
    def is_planned(self) -> bool:
        """Whether its analysis stands in the plan, on whatever data it was computed."""
        return self.place is not None

    @property
    def source(self) -> str:
        """Return where its numbers come from, on one line."""
        return (
            f"report {self.run.pk} ({self.run.method}), data SHA-256 {self.run.data_hash}, code {self.run.code_version}"
        )


@dataclass
class Collected:
    """What a manuscript tells, and what it does not: `missing` are planned analyses without a report."""

    planned: list[Told] = field(default_factory=list)
    exploratory: list[Told] = field(default_factory=list)
    simulated: list[Told] = field(default_factory=list)
    materials: list[Told] = field(default_factory=list)
    sample_size: list[Told] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    # How many planned analyses every family has.
    families: Counter[str] = field(default_factory=Counter)
    # Nobody has taken part yet but simulated people.
    is_dry_run: bool = False

    @property
    def all(self) -> list[Told]:
        return [*self.sample_size, *self.materials, *self.planned, *self.exploratory, *self.simulated]


def collect(study: Study, *, refusal: Callable[[AnalysisRun], str]) -> Collected:
    """Return the newest report of every analysis on the data as they are now. `refusal` says why a report may not be
    read, empty where it may.

    Raises NothingToWrite where there is none.
    """
    changes = Changes(study)
    people = people_have_answered(study)
    planned = _planned(study)
    found = Collected(families=Counter(family for _title, family, _matches in planned if family))
    seen: set[str] = set()
    # A paper says the names of columns in words of its own.
    labels = replace(labels_of(study), columns={})
    done = AnalysisRun.objects.filter(study=study, status=AnalysisRun.Status.DONE).select_related(
        "study", "other_study"
    )
    of_plan: dict[int, Told] = {}
    columns: dict[tuple[str, str], frozenset[str]] = {}
    for run in done.order_by("-pk"):
        name = f"Report {run.pk} ({run.method})"
        if reason := refusal(run):
            found.left_out.append(f"A report is left out: {reason}")
            continue
        if run.data_stamp != changes.stamp_for(run):
            found.left_out.append(f"{name}: {changes.since(run) or 'The data have changed since.'}")
            continue
        standing = standing_of(run)
        if standing == "simulated" and people:
            found.left_out.append(f"{name}: it is about simulated data, and people have taken part since.")
            continue
        if (run.part, run.table) not in columns:
            columns[run.part, run.table] = frozenset(names(columns_of(through_task(study, run.part), run.table)))
        key = _key(run)
        if key in seen:
            found.left_out.append(f"{name}: a newer report of the same analysis is told.")
            continue
        seen.add(key)
        index = next((n for n, (_title, _family, matches) in enumerate(planned) if matches(run)), None)
        title, family = planned[index][:2] if index is not None else (method_named(run.method).label, "")
        told = Told(
            run,
            report_from(run.report),
            in_words(title, columns[run.part, run.table]),
            place=index,
            family=family,
            columns=columns[run.part, run.table],
            later_code=bool(changes.since(run)),
            task=task_label(study, run.part),
            is_simulated=standing == "simulated",
            labels=labels,
        )
        if standing == "planned" and index is not None:
            of_plan[index] = told
        elif run.method in MATERIALS:
            found.materials.append(told)
        elif run.method in SAMPLE_SIZE:
            found.sample_size.append(told)
        else:
            (found.simulated if standing == "simulated" else found.exploratory).append(told)
    found.planned = [of_plan[index] for index in sorted(of_plan)]
    for reports in (found.exploratory, found.simulated, found.materials, found.sample_size):
        reports.reverse()
    found.simulated.sort(key=lambda told: len(planned) if told.place is None else told.place)
    in_dry_run = {told.place for told in found.simulated}
    found.missing = [
        titled(analysis["title"], task_label(study, analysis["part"]))
        for index, analysis in enumerate(planned_analyses(study))
        if index not in of_plan and index not in in_dry_run
    ]
    found.is_dry_run = bool(found.simulated) and not people
    titles = _told_apart(found.all)
    for group in ("planned", "exploratory", "simulated", "materials", "sample_size"):
        setattr(found, group, [replace(told, title=titles[told.run.pk]) for told in getattr(found, group)])
    if not found.all:
        raise NothingToWrite(_nothing(study, len(found.left_out)))
    return found


def _planned(study: Study) -> list[tuple[str, str, Callable[[AnalysisRun], bool]]]:
    """Return the title of every planned analysis, its family, and whether a run is one of it."""
    return [
        (analysis["title"], analysis.get("family", ""), partial(_is_of, analysis))
        for analysis in planned_analyses(study)
    ]


def titled(title: str, task: str) -> str:
    """Return the title of an analysis, of several tasks with the one that it is about."""
    return f"{task}: {title}" if task else title


def _is_of(analysis: dict[str, Any], run: AnalysisRun) -> bool:
    if not is_alike(analysis, run):
        return False
    other = run.other_study.slug if run.other_study is not None else ""
    if analysis.get("other_study", "") not in ("", other):
        return False
    wanted, given = (params_as_read(run, params) for params in (analysis["params"], run.params))
    return wanted is not None and wanted == given


def _key(run: AnalysisRun) -> str:
    read = params_as_read(run, run.params)
    params = sorted((read if read is not None else run.params).items(), key=repr)
    return repr((known_part(run.study, run.part), run.method, run.table, run.other_study_id, params))


def _nothing(study: Study, left_out: int) -> str:
    if left_out:
        return Sentence(
            "No finished analysis of “{study}” can be used: the data have changed since, or you may not see the "
            "report. Run the analyses again on the page Analyse, and then try again.",
            study=study.slug,
        )
    unfinished = AnalysisRun.objects.filter(study=study).count()
    return Sentence(
        "No analysis of “{study}” is finished, so there is nothing to write about.{begun} Run the planned or the "
        "suggested analyses on the page Analyse, and try again when there is a report.",
        study=study.slug,
        begun=Sentence(" Some were started, but none has finished.") if unfinished else "",
    )


def _told_apart(reports: Sequence[Told]) -> dict[int, str]:
    """Return titles of reports, by the numbers of the runs; those of one method have the parameters that differ."""
    found = {}
    for told in reports:
        alike = [other for other in reports if other.title == told.title and other.task == told.task]
        differing = [
            in_words(as_written(value), told.columns)
            for name, value in told.run.params.items()
            if any(other.run.params.get(name) != value for other in alike) and len(as_written(value)) <= LONGEST_PARAM
        ]
        found[told.run.pk] = f"{told.title} ({', '.join(differing)})" if len(alike) > 1 and differing else told.title
    return found


def works_with(told: Iterable[Told]) -> dict[str, str]:
    """Return the software behind reports with its versions, as the reports name them."""
    found: dict[str, set[str]] = {}
    for one in told:
        for name, version in one.report.versions.items():
            found.setdefault(name, set()).add(version)
    return {name: " and ".join(sorted(versions)) for name, versions in sorted(found.items())}
