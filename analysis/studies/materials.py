"""Profile a study's texts before data collection: the report of `text-profile` on `texts.csv`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import caches
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext as _

from analysis.computing.code_version import code_version
from analysis.data.frames import frame_from
from analysis.data.tables import TEXTS, columns_of, table_pieces
from analysis.exports.of_task import task_label
from analysis.exports.reports import report_from
from analysis.exports.stored import stimuli_of, stored_stimuli
from analysis.methods import registry
from analysis.methods.report import BadInput, Report
from analysis.methods.texts.matching import DIFFER, LIST, MATCHED
from analysis.methods.texts.matching_wording import size_text
from analysis.methods.texts.measures import MEASURES
from analysis.methods.wording import number_text
from analysis.models import AnalysisRun
from experiments.formats.faults import Fault, enumerated, spoken
from experiments.models import Study
from experiments.sentences import Sentence, counting
from experiments.study.opening import of_every_task

METHOD = "text-profile"
# A page waits for the profile of so many texts; of more it shows the newest report.
MOST_TEXTS = 2000
KEPT_SECONDS = 24 * 3600
# Differences in these come between conditions and what people do with them.
WATCHED = {
    "words": Sentence("words"),
    "characters": Sentence("characters"),
    "words_per_sentence": Sentence("words per sentence"),
    "syllables": Sentence("syllables"),
    "zipf": Sentence("Zipf frequency"),
}
# What a researcher chose for the newest report holds for the pages as well.
KEPT_PARAMETERS = ("bound", "bounds")
PAIRS_TOLD = 3
FIGURE = "differences"


def parameters_of(study: Study) -> dict[str, str]:
    """Return the parameters with which the texts of a study are profiled: its factors, its language, and the bounds of
    the newest report of the profile that somebody asked for.
    """
    factors = [column.name for column in columns_of(study, TEXTS) if column.role == "factor" and column.values]
    given = {"condition": ",".join(f'"{name}"' if "," in name else name for name in factors)} if factors else {}
    ended = (AnalysisRun.Status.FAILED, AnalysisRun.Status.CANCELLED)
    newest = _reports(study).exclude(status__in=ended).values_list("params", flat=True).first() or {}
    chosen = {name: str(newest[name]) for name in KEPT_PARAMETERS if name in newest}
    return {**given, "language": study.participants_language, **chosen}


def _reports(study: Study) -> QuerySet[AnalysisRun]:
    of_task = AnalysisRun.objects.filter(study=study, part__in=study.names_of_task)
    return of_task.filter(method=METHOD, table=TEXTS).order_by("-pk")


def number_of_texts(study: Study) -> int:
    """Return how many texts a study has."""
    return stimuli_of(study).count()


def profile_of(study: Study) -> Report | None:
    """Return the profile of a study's texts; None where there are none to compare.

    Where there are too many to wait for, it is the newest report on the texts as they are now, and None without one.
    """
    texts = number_of_texts(study)
    if texts > MOST_TEXTS:
        done = _reports(study).filter(status=AnalysisRun.Status.DONE).first()
        report = report_from(done.report) if done is not None else None
        return report if report is not None and _is_of_these_texts(study, report) else None
    if not texts:
        return None
    content = b"".join(table_pieces(study, TEXTS))
    given = parameters_of(study)
    digest = hashlib.sha256(content + repr(sorted(given.items())).encode("utf-8")).hexdigest()
    key = f"{METHOD}:{digest}:{code_version(METHOD)}"
    kept: Report | None = caches["process"].get(key)
    if kept is None:
        try:
            kept = registry.run(registry.method_named(METHOD), frame_from(content), given)
        except BadInput:
            return None
        caches["process"].set(key, kept, KEPT_SECONDS)
    return kept


def _is_of_these_texts(study: Study, report: Report) -> bool:
    """Say whether a report measured exactly the texts, items and levels that the study has now."""
    factors = [str(factor["name"]) for factor in study.factors]
    now = {
        (stimulus.item, stimulus.text.strip(), *(str((stimulus.levels or {}).get(name, "")) for name in factors))
        for stimulus in stored_stimuli(study).values()
        if not stimulus.is_filler and not stimulus.is_practice
    }
    measured = {
        (str(line.get("item")), str(line["text"]), *(str(line.get(name) or "") for name in factors))
        for line in lines_of(report, "texts")
    }
    return now == measured


def opening_warnings(study: Study) -> list[Fault]:
    """Return what to know of the texts before a study opens: conditions and lists that differ in length or frequency,
    with sizes; and that too many texts were not compared.

    `settings.OPENING_WARNINGS` names this function, so that the check list of `experiments` shows what it returns.
    """
    return [] if study.is_frozen else of_every_task(study, _task_warnings)


def _task_warnings(study: Study) -> list[Fault]:
    address = reverse("analysis:profile", args=[study.slug])
    report = profile_of(study)
    if report is None:
        texts = number_of_texts(study)
        if texts <= MOST_TEXTS:
            return []
        message = Sentence(
            "Comparing the {texts:,} texts of the conditions takes too long for this page. Make a report of the "
            "profile; its results then appear here.",
            texts=texts,
        )
        return [Fault(message=message, step="materials", address=address)]
    pairs: dict[tuple[str, str, str], list[str]] = {}
    for line in lines_of(report, "matching"):
        if line["verdict"] == DIFFER and line["measure"] in WATCHED:
            means = enumerated([number_text(line["mean_a"]), number_text(line["mean_b"])])
            size = spoken([means, size_text(line).removeprefix(means)], "")
            told = Sentence("{measure} ({size})", measure=WATCHED[line["measure"]], size=size)
            pairs.setdefault((line["factor"], line["a"], line["b"]), []).append(told)
    said = [
        Sentence("The texts of {levels} differ in {measures}.", levels=names_of(*pair), measures=enumerated(told))
        for pair, told in pairs.items()
    ]
    if len(said) > PAIRS_TOLD:
        more = counting("{n:,} more pair differs.", "{n:,} more pairs differ.", len(said) - PAIRS_TOLD)
        said = [*said[:PAIRS_TOLD], more]
    within = {
        line["list"]
        for line in lines_of(report, "matching_within_lists")
        if line["verdict"] == DIFFER and line["measure"] in WATCHED
    }
    if within and not pairs:
        said.append(
            counting(
                "Within {n:,} list, texts of two levels differ in length or word frequency.",
                "Within {n:,} lists, texts of two levels differ in length or word frequency.",
                len(within),
            )
        )
    last = len(said) - 1
    return [
        Fault(message=message, step="materials", address=address if place == last else "")
        for place, message in enumerate(said)
    ]


ROWS_SHOWN = 24


def opening_panel(study: Study) -> str:
    """Return what the page that opens a study shows of its texts: every pair of levels with its raw means, and a
    figure; empty where nothing was compared. `settings.OPENING_PANELS` names this function.
    """
    if study.has_several_tasks and not study.chosen_task:
        panels = ((opening_panel(study.seen_through(name)),) for name in study.analysed_tasks)
        return format_html_join("", "{}", panels)
    report = None if study.is_frozen else profile_of(study)
    lines = [
        line
        for line in (lines_of(report, "matching") if report else [])
        if line["measure"] in WATCHED and line["diff"] is not None
    ]
    # Lists that are alike are no news: every list has the same items.
    lines = [line for line in lines if line["factor"] != LIST or line["verdict"] == DIFFER]
    lines.sort(key=lambda line: line["verdict"] != DIFFER)
    if report is None or not lines:
        return ""
    shown = lines[:ROWS_SHOWN]
    has_figure = any(figure.name == FIGURE for figure in report.figures)
    return render_to_string(
        "analysis/texts/opening_panel.html",
        {
            "study": study,
            "task": task_label(study, study.chosen_task) if study.chosen_task else "",
            "rows": [_watched(line) for line in shown],
            "left_out": len(lines) - len(shown),
            "bounds": next((note for note in report.notes if "one-sided tests" in note), ""),
            "figure": reverse("analysis:profile_figure", args=[study.slug]) if has_figure else "",
            "different": sum(line["verdict"] == DIFFER for line in lines),
            "matched": sum(line["verdict"] == MATCHED for line in lines),
            "total": len(lines),
        },
    )


def _watched(line: Mapping[str, Any]) -> dict[str, str]:
    """Return one measure of one pair of levels, as the page that opens a study shows it."""
    return {
        "pair": f"{line['a']} − {line['b']}",
        "factor": str(line["factor"]),
        "measure": MEASURES[line["measure"]],
        **{name: number_text(line[name]) for name in ("mean_a", "mean_b", "diff")},
        "percent": "" if line["percent"] is None else number_text(line["percent"], places=1),
        "verdict": str(line["verdict"]),
    }


@dataclass(frozen=True)
class Link:
    """What a page leads to."""

    label: str
    address: str


def scores_link(study: Study) -> Link:
    """Return the link to the scores of the texts, for the same page."""
    return Link(_("Scores"), reverse("analysis:scores", args=[study.slug]))


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
    if factor == LIST:
        return Sentence("list {a} and list {b}", a=a, b=b)
    return Sentence("{a} and {b} ({factor})", a=a, b=b, factor=factor)


@dataclass(frozen=True)
class MatchedCell:
    """A measure of a pair of levels: the difference in per cent, the verdict, and what the pointer tells of it."""

    size: str
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
    if line["diff"] is None:
        return MatchedCell("", str(line["verdict"]), "")
    size = number_text(line["diff"]) if line["percent"] is None else f"{number_text(line['percent'], places=1)} %"
    return MatchedCell(size, str(line["verdict"]), size_text(line))
