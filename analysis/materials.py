"""What the texts of a study are like, before anybody has read them: the report of `text-profile` on `texts.csv`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.frames import frame_from
from analysis.methods import registry
from analysis.methods.matching import DIFFER, LIST
from analysis.methods.report import BadInput, Report
from analysis.methods.text_measures import MEASURES
from analysis.methods.wording import counted, listed, number_text
from analysis.runs import code_version
from analysis.tables import TEXTS, columns_of, table_pieces
from experiments.faults import Fault
from experiments.models import Stimulus, Study

METHOD = "text-profile"
# A page waits for the profile of so many texts; more are left to an analysis.
MOST_TEXTS = 2000
KEPT_SECONDS = 24 * 3600
# Differences in these come between conditions and what people do with them.
WATCHED = ("words", "characters", "syllables", "zipf")
PAIRS_TOLD = 3


def parameters_of(study: Study) -> dict[str, str]:
    """Return the parameters with which the texts of a study are profiled: its factors and its language."""
    factors = [column.name for column in columns_of(study, TEXTS) if column.role == "factor" and column.values]
    given = {"condition": ",".join(f'"{name}"' if "," in name else name for name in factors)} if factors else {}
    return {**given, "language": study.language}


def profile_of(study: Study) -> Report | None:
    """Return the profile of a study's texts; None where there are none to compare, or too many to wait for."""
    if not 0 < Stimulus.objects.filter(item__study=study).count() <= MOST_TEXTS:
        return None
    content = b"".join(table_pieces(study, TEXTS))
    given = parameters_of(study)
    digest = hashlib.sha256(content + repr(sorted(given.items())).encode("utf-8")).hexdigest()
    key = f"{METHOD}:{digest}:{code_version()}"
    report: Report | None = cache.get(key)
    if report is None:
        try:
            report = registry.run(registry.method_named(METHOD), frame_from(content), given)
        except BadInput:
            return None
        cache.set(key, report, KEPT_SECONDS)
    return report


def opening_warnings(study: Study) -> list[Fault]:
    """Return what to know of the texts before a study opens: conditions and lists that differ in length or frequency.

    `settings.OPENING_WARNINGS` names this function, so that the check list of `experiments` shows what it returns.
    """
    if study.is_frozen:
        return []
    report = profile_of(study)
    if report is None:
        return []
    overall = [line for line in lines_of(report, "matching") if line["verdict"] == DIFFER]
    address = reverse("analysis:profile", args=[study.slug])
    pairs: dict[tuple[str, str, str], list[str]] = {}
    for line in overall:
        if line["measure"] in WATCHED:
            told = f"{MEASURES[line['measure']]} ({number_text(line['mean_a'])} and {number_text(line['mean_b'])})"
            pairs.setdefault((line["factor"], line["a"], line["b"]), []).append(told)
    said = [f"The texts of {names_of(*pair)} differ in {listed(told)}." for pair, told in pairs.items()]
    if len(said) > PAIRS_TOLD:
        said = [*said[:PAIRS_TOLD], f"{counted(len(said) - PAIRS_TOLD, 'more pair differs', 'more pairs differ')}."]
    within = {
        line["list"]
        for line in lines_of(report, "matching_within_lists")
        if line["verdict"] == DIFFER and line["measure"] in WATCHED
    }
    if within and not pairs:
        said.append(f"Within {counted(len(within), 'list')} texts of two levels differ in length or word frequency.")
    last = len(said) - 1
    return [
        Fault(message=message, step="materials", address=address if place == last else "")
        for place, message in enumerate(said)
    ]


@dataclass(frozen=True)
class Link:
    """What a page leads to."""

    label: str
    address: str


def profile_link(study: Study) -> Link:
    """Return the link to the profile for the page of the materials, which `settings.MATERIALS_LINKS` names."""
    return Link(_("Profile"), reverse("analysis:profile", args=[study.slug]))


def lines_of(report: Report, table: str) -> list[Mapping[str, Any]]:
    """Return the rows of a table of a report as mappings; nothing where the report has no such table."""
    found = next((entry for entry in report.tables if entry.name == table), None)
    if found is None:
        return []
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def names_of(factor: str, a: str, b: str) -> str:
    """Name two levels of a factor in a sentence.

    >>> names_of("marker", "because", "cause"), names_of("list", "1", "2")
    ('because and cause (marker)', 'list 1 and list 2')
    """
    return f"list {a} and list {b}" if factor == LIST else f"{a} and {b} ({factor})"


@dataclass(frozen=True)
class MatchedCell:
    """A measure of a pair of levels: d in words, the verdict, and what the pointer tells of it."""

    d: str
    verdict: str
    told: str


@dataclass(frozen=True)
class MatchedRow:
    """A pair of levels with its measures; None where a measure was not compared."""

    pair: str
    factor: str
    cells: list[MatchedCell | None]


@dataclass(frozen=True)
class Matrix:
    """Pairs of levels by measures, and what is to be said of the pairs of lists that are not shown."""

    measures: list[str]
    rows: list[MatchedRow]
    lists_alike: int


def matrix_of(report: Report) -> Matrix:
    """Return the comparisons over all texts as a matrix: all pairs of conditions, and those lists that differ."""
    lines = lines_of(report, "matching")
    measures = [name for name in MEASURES if any(line["measure"] == name for line in lines)]
    pairs: dict[tuple[str, str, str], dict[str, Mapping[str, Any]]] = {}
    for line in lines:
        pairs.setdefault((line["factor"], line["a"], line["b"]), {})[line["measure"]] = line
    rows, lists_alike = [], 0
    for (factor, a, b), found in pairs.items():
        if factor == LIST and not any(line["verdict"] == DIFFER for line in found.values()):
            lists_alike += 1
            continue
        cells = [_matched(found[name]) if name in found else None for name in measures]
        rows.append(MatchedRow(pair=f"{a} − {b}", factor=factor, cells=cells))
    return Matrix([MEASURES[name] for name in measures], rows, lists_alike)


def _matched(line: Mapping[str, Any]) -> MatchedCell:
    if line["mean_a"] is None or line["mean_b"] is None:
        return MatchedCell("", str(line["verdict"]), "")
    told = f"{number_text(line['mean_a'])} − {number_text(line['mean_b'])}"
    return MatchedCell("" if line["d"] is None else number_text(line["d"]), str(line["verdict"]), told)
