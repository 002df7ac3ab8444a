"""Questions 4.3.9 to 4.3.11: scores, tests and agreement, from the finished reports about a criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis.methods.registry import method_named
from analysis.methods.wording import share_text
from analysis.papers.collected import Told
from analysis.papers.data_sheet.answers import OPEN, Answer, Answers, in_part, known
from analysis.papers.data_sheet.facts import Facts
from experiments.models import Study

AGREEMENT, PREFERENCE = "agreement", "preference"
# What is said of texts, samples and coders is no score of a criterion.
NO_SCORES = frozenset(
    {AGREEMENT, "text-profile", "power", "reliability", "overlap", "perturb", "metric-vs-human", "maze-distractors"}
    | {"incidence", "production-norms", "consistency"}
)
MOST_SENTENCES = 3
COEFFICIENTS = {"raw_agreement": "share of pairs of people who agree", "alpha": "Krippendorff's α"}
NEVER_TWICE = "Nobody judged the same thing twice, so that agreement of evaluators with themselves cannot be had."


def report_answers(facts: Facts, task: Study, column: str, *, made: str) -> Answers:
    """Return the answers to 4.3.9, 4.3.10 and 4.3.11, for the rating in `column`, or for a comparison (empty).

    `made` says how a single answer becomes a score.
    """
    own = [told for told in facts.reports_of(task) if _is_about(told, column)]
    scored = [told for told in own if told.run.method not in NO_SCORES]
    return {
        "4.3.9": _scores(scored, made, facts.setup),
        "4.3.10": _tests([told for told in scored if told.shown.sentences]),
        "4.3.11": _agreement(own, column),
    }


def _is_about(told: Told, column: str) -> bool:
    if not column:
        words = {word for value in told.run.params.values() for word in re.findall(r"\w+", str(value))}
        return told.run.table != "texts" and not any(word.endswith("_ms") for word in words)
    given = told.run.params.values()
    named = {word for value in given for word in re.findall(r"\w+", str(value))}
    # Transformed ratings, such as `focus_z`, are of the same criterion.
    return any(name == column or name.removesuffix("_z") == column for name in named)


def _named(told: Told) -> str:
    simulated = ", simulated data" if told.is_simulated else ""
    return f"{method_named(told.run.method).label} (report {told.run.pk}{simulated})"


def _scores(reports: list[Told], made: str, setup: str) -> Answer:
    if not reports:
        return in_part(made, setup, add="how scores are put together, such as means over people, or that none are")
    said = [made]
    for told in reports:
        unit = told.run.params.get("unit")
        over = f" of means per {unit} and condition" if isinstance(unit, str) and unit else ""
        said.append(f"{_named(told)}{over}: {method_named(told.run.method).summary.rstrip('.')}.")
    return known(" ".join(said), _sources(reports))


def _tests(reports: list[Told]) -> Answer:
    if not reports:
        return OPEN
    text = " ".join(f"{_named(told)}: {' '.join(told.shown.sentences[:MOST_SENTENCES])}" for told in reports)
    return known(text, _sources(reports))


def _agreement(reports: list[Told], column: str) -> Answer:
    said, used = [], []
    for told in reports:
        if told.run.method == AGREEMENT and column and told.shown.sentences:
            metric = told.run.params.get("metric") or "nominal"
            said.append(f"{_named(told)}, {metric}: {' '.join(told.shown.sentences[:MOST_SENTENCES])}")
            used.append(told)
        elif told.run.method == PREFERENCE and not column:
            values = {str(line["measure"]): line["value"] for line in told.report.table("agreement").lines()}
            found = [
                f"{meaning} {share_text(float(values[name]))}"
                for name, meaning in COEFFICIENTS.items()
                if values.get(name) is not None
            ]
            if found:
                said.append(f"{_named(told)}: {', '.join(found)}.")
                used.append(told)
    return known(f"{' '.join(said)} {NEVER_TWICE}", _sources(used)) if said else OPEN


def _sources(reports: Iterable[Told]) -> str:
    return "; ".join(told.source for told in reports)
