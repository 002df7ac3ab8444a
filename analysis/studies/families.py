"""Planned analyses that are one family: the same question of several measures, adjusted by Holm over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.exports.reports import report_from
from analysis.methods.adjusted import add_holm
from analysis.methods.report import BadInput, Report
from analysis.models import AnalysisRun
from analysis.studies.planned import planned_analyses, run_of
from experiments.models import Study

# The tables of tests of effects, and their columns of p, the one that is told first.
TESTS = (("anova", ("p_gg", "p")), ("minf", ("p",)), ("friedman", ("p",)))


@dataclass(frozen=True)
class Family:
    """The analyses of a family and, once all have a report, p of every effect in each, adjusted by Holm over them.

    `lines` have `effect`, `title`, `p` and `p_holm`.
    """

    name: str
    titles: tuple[str, ...]
    waiting: int
    lines: tuple[Mapping[str, Any], ...]


def families_of(study: Study, user: Any) -> list[Family]:
    """Return the families of a study's plan, as far as the person may read the reports."""
    members: dict[str, list[Mapping[str, Any]]] = {}
    for analysis in planned_analyses(study):
        if analysis.get("family"):
            members.setdefault(analysis["family"], []).append(analysis)
    return [_family(study, name, analyses, user) for name, analyses in members.items()]


def _family(study: Study, name: str, analyses: list[Mapping[str, Any]], user: Any) -> Family:
    reports: dict[str, Report] = {}
    for analysis in analyses:
        run = _run(study, analysis, user)
        if run is not None:
            reports[analysis["title"]] = report_from(AnalysisRun.objects.get(pk=run.pk).report)
    titles = tuple(analysis["title"] for analysis in analyses)
    waiting = len(titles) - len(reports)
    return Family(name, titles, waiting, () if waiting else tuple(adjusted(reports)))


def _run(study: Study, analysis: Mapping[str, Any], user: Any) -> AnalysisRun | None:
    try:
        return run_of(study, analysis, user)
    except BadInput:
        return None


def adjusted(reports: Mapping[str, Report]) -> list[dict[str, Any]]:
    """Return p of every effect in each report, by title, with `p_holm` over the reports that test the effect."""
    by_effect: dict[str, list[dict[str, Any]]] = {}
    for title, report in reports.items():
        for effect, p in effects_of(report):
            by_effect.setdefault(effect, []).append({"effect": effect, "title": title, "p": p})
    for lines in by_effect.values():
        add_holm(lines)
    return [line for lines in by_effect.values() for line in lines]


def effects_of(report: Report) -> Iterable[tuple[str, float | None]]:
    """Yield the effects that a report tests, with p as it is told."""
    there = {table.name: table for table in report.tables}
    for name, columns in TESTS:
        if name in there:
            for line in there[name].lines():
                yield str(line["effect"]), next((line[one] for one in columns if line.get(one) is not None), None)
            return
