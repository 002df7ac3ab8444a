"""Validate the plan of a study: hypotheses, exclusion rules and analyses, frozen with the design."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, listed, unknown_keys
from experiments.paradigms.base import Paradigm
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.scores import all_variables
from experiments.rules.exclusion_rules import rule_faults
from experiments.rules.sequential import complete_sequential, sequential_faults
from experiments.sentences import Sentence

KEYS = ("hypotheses", "exclusion_rules", "analyses")
ANALYSIS_KEYS = ("title", "method", "table", "params", "other_study", "part", "sequential", "family")
MAX_ANALYSES = 100
MAX_CHARACTERS = 20_000
MAX_NAMES = 200
MAX_FAMILY = 100
SLUG = re.compile(r"[A-Za-z0-9_-]{1,60}")
# The tasks of a study by their names, each with its paradigm and settings.
Tasks = Mapping[str, tuple[Paradigm, Mapping[str, Any]]]


def plan_faults(
    plan: Any,
    *,
    tasks: Tasks,
    questions: Sequence[Question] | None = None,
) -> list[Fault]:
    """Return every fault in the shape of a plan; an empty plan is valid and means that nothing was planned.

    Rules may use measures of any task. Rules on answers are checked against `questions` (which must be valid), if
    given.

    Whether an analysis can be computed is not checked here: methods and columns belong to `analysis`.
    """
    if not isinstance(plan, Mapping):
        return [_fault(Sentence("The plan must be a table."))]
    unknown = unknown_keys(plan, KEYS)
    faults = [_fault(Sentence("The plan has no key '{key}'.", key=key), hint) for key, hint in unknown]
    hypotheses = plan.get("hypotheses", "")
    if not isinstance(hypotheses, str) or len(hypotheses) > MAX_CHARACTERS or "\x00" in hypotheses:
        message = Sentence("The hypotheses must be a text of at most {most:,} characters.", most=MAX_CHARACTERS)
        faults.append(_fault(message))
    measures = {name: measure_names(*task) for name, task in tasks.items()}
    variables = None if questions is None else all_variables(questions)
    wrong = rule_faults(plan.get("exclusion_rules", []), measures=measures, variables=variables)
    return [*faults, *wrong, *_analysis_faults(plan, tasks)]


def complete_plan(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sound plan with every key, in the order in which it is stored; parameters as forms give them.

    >>> complete_plan({"analyses": [{"method": "lmm", "params": {"formula": "z ~ a", "reml": True}}]})["analyses"]
    [{'title': 'lmm', 'method': 'lmm', 'table': 'trials', 'params': {'formula': 'z ~ a', 'reml': 'true'}}]
    """
    return {
        "hypotheses": plan.get("hypotheses", "").replace("\r\n", "\n").strip(),
        "exclusion_rules": [dict(rule) for rule in plan.get("exclusion_rules", [])],
        "analyses": [
            {
                "title": analysis.get("title", "") or analysis["method"],
                "method": analysis["method"],
                "table": analysis.get("table", "trials"),
                "params": {name: _as_text(value) for name, value in analysis.get("params", {}).items()},
                **{name: analysis[name] for name in ("other_study", "part", "family") if analysis.get(name)},
                **({"sequential": complete_sequential(analysis["sequential"])} if analysis.get("sequential") else {}),
            }
            for analysis in plan.get("analyses", [])
        ],
    }


def measure_names(paradigm: Paradigm, settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the measures and quality measures of a paradigm with these settings."""
    return [measure.name for measure in (*paradigm.measures_of(settings), *paradigm.quality_measures())]


def measures_of_tasks(tasks: Tasks) -> list[str]:
    """Return the names of the measures and quality measures of all tasks, each once."""
    return list(dict.fromkeys(name for task in tasks.values() for name in measure_names(*task)))


def is_planned(
    analyses: Sequence[Mapping[str, Any]], *, method: str, table: str, params: Mapping[str, Any], part: str = ""
) -> bool:
    """Return whether an analysis is one of these planned ones: the same method on the same table of the same task with
    the same parameters.

    The other study of a comparison is ignored.

    >>> planned = [{"title": "F1", "method": "rm-anova", "table": "trials", "params": {"dv": "rating_z"}}]
    >>> is_planned(planned, method="rm-anova", table="trials", params={"dv": "rating_z"})
    True
    >>> is_planned(planned, method="rm-anova", table="trials", params={"dv": "rating_log"})
    False
    """
    wanted = _comparable(params)
    return any(
        analysis["method"] == method
        and analysis.get("table", "trials") == table
        and analysis.get("part", "") == part
        and _comparable(analysis.get("params", {})) == wanted
        for analysis in analyses
    )


# What is made of a measure under another name: logarithms, inverses and standard scores of the platform.
OTHERWISE = {"log_rt": "rt_ms", "inverse_rt": "rt_ms"}
MADE_OF = re.compile(r"(?P<name>.+)_(?:log|log_ratio|z)")


def primary_of(analyses: Sequence[Mapping[str, Any]], index: int) -> tuple[int, int]:
    """Return which planned analysis is the primary one of a measure, and in how many ways the plan analyses that.

    Analyses of one measure, raw or transformed, over the same rows of one task are ways to the same answer: the one
    that decides when the study stops is primary, else the first.

    >>> planned = [
    ...     {"method": "lmm", "params": {"formula": "log_rt ~ a + (1 | item)"}},
    ...     {"method": "rm-anova", "params": {"dv": "rt_ms", "within": "a"}},
    ... ]
    >>> primary_of(planned, 1)
    (0, 2)
    """
    asked = _asked_of(analyses[index])
    ways = [place for place, one in enumerate(analyses) if place == index or (asked and _asked_of(one) == asked)]
    deciding = [place for place in ways if analyses[place].get("sequential")]
    return (deciding or ways)[0], len(ways)


def _asked_of(analysis: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the measure of an analysis and its rows; nothing where it has none, or is about no effect."""
    params = _comparable(analysis.get("params", {}))
    name = params.get("dv") or _left_side(params.get("formula", ""))
    if not name or params.get("outcome"):
        return ()
    made = MADE_OF.fullmatch(name)
    base = OTHERWISE.get(name) or (made["name"] if made else name)
    rows = (analysis.get("table", "trials"), analysis.get("part", ""), params.get("where", ""))
    return (base, *rows, analysis.get("other_study", ""))


def _left_side(formula: str) -> str:
    """Return the measure of a formula; nothing where its left side is no single one, raw or within a function.

    >>> _left_side("log(rt_ms) ~ a"), _left_side("`my rt` ~ a"), _left_side("cbind(a, (b)) ~ c"), _left_side("a")
    ('rt_ms', 'my rt', '', '')
    """
    left, tilde, _right = formula.partition("~")
    inside = left.partition("(")[2].rpartition(")")[0] if "(" in left else left
    name = inside.strip().removeprefix("`").removesuffix("`")
    return name if tilde and not set(name) & set("()`") else ""


def _comparable(params: Mapping[str, Any]) -> dict[str, str]:
    """Return parameters as texts, in which a list equals its names joined by commas."""
    texts = {name: _as_text(value) for name, value in params.items() if value not in (None, "", [], ())}
    return {name: text if isinstance(text, str) else ",".join(text) for name, text in texts.items()}


def _as_text(value: Any) -> str | list[str]:
    """Return a parameter as a form gives it: a text, or a list of texts."""
    if isinstance(value, (list, tuple)):
        return [str(entry) for entry in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_parameter(value: Any) -> bool:
    """Return whether a value can be that of a parameter: a text, a number, true or false, or a list of texts."""
    if isinstance(value, str):
        return "\x00" not in value and len(value) <= MAX_CHARACTERS
    if isinstance(value, (list, tuple)):
        return len(value) <= MAX_NAMES and all(isinstance(entry, str) and _is_parameter(entry) for entry in value)
    return isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value))


def _analysis_faults(plan: Mapping[str, Any], tasks: Tasks) -> Iterator[Fault]:
    analyses = plan.get("analyses", [])
    if not isinstance(analyses, list):
        yield _fault(Sentence("The analyses of the plan must be a list."))
        return
    if len(analyses) > MAX_ANALYSES:
        yield _fault(
            Sentence("The plan has {n} analyses, but you can plan at most {most}.", n=len(analyses), most=MAX_ANALYSES)
        )
    if sum(isinstance(analysis, Mapping) and bool(analysis.get("sequential")) for analysis in analyses) > 1:
        yield _fault(
            Sentence("Only one analysis of the plan can decide when to stop; remove the other sequential analyses.")
        )
    for number, analysis in enumerate(analyses, start=1):
        place = Sentence("Planned analysis {number}", number=number)
        if not isinstance(analysis, Mapping):
            yield _fault(Sentence("{place} needs a method and its parameters.", place=place))
            continue
        yield from (
            _fault(Sentence("{place}: there is no key '{key}'.", place=place, key=key), hint)
            for key, hint in unknown_keys(analysis, ANALYSIS_KEYS)
        )
        method, params = analysis.get("method"), analysis.get("params", {})
        if not isinstance(method, str) or not method.strip() or "\x00" in method:
            yield _fault(Sentence("{place} names no method.", place=place))
        other = analysis.get("other_study", "")
        if not isinstance(other, str) or (other and not SLUG.fullmatch(other)):
            yield _fault(
                Sentence("{place}: 'other_study' must be the short name of a study, as in its address.", place=place)
            )
        part = analysis.get("part", "")
        if part and (not isinstance(part, str) or part not in tasks):
            suggestion = did_you_mean(str(part), list(tasks)) or Sentence(
                "Possible tasks: {names}.", names=listed(list(tasks))
            )
            yield _fault(Sentence("{place}: the study has no task '{part}'.", place=place, part=part), suggestion)
        if analysis.get("sequential"):
            yield from sequential_faults(analysis["sequential"], place)
            if other:
                message = Sentence(
                    "{place}: an analysis that compares with another study cannot have a sequential analysis.",
                    place=place,
                )
                yield _fault(message)
        family = analysis.get("family", "")
        if not isinstance(family, str) or len(family) > MAX_FAMILY or "\x00" in family:
            yield _fault(
                Sentence(
                    "{place}: 'family' must be a text of at most {most} characters. Use the same text in all "
                    "analyses for which p is adjusted together.",
                    place=place,
                    most=MAX_FAMILY,
                )
            )
        texts = (analysis.get("table", "trials"), analysis.get("title", ""))
        if not all(isinstance(text, str) and "\x00" not in text for text in texts):
            yield _fault(Sentence("{place}: the title and the table must be texts.", place=place))
        if not isinstance(params, Mapping):
            yield _fault(Sentence("{place}: 'params' must be a table of parameters.", place=place))
            continue
        yield from (
            _fault(
                Sentence(
                    "{place}: the parameter '{name}' must be a text, a number, true, false or a list of texts.",
                    place=place,
                    name=name,
                )
            )
            for name, value in params.items()
            if not _is_parameter(value)
        )


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="plan")
