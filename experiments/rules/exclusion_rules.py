"""Exclusion rules that a study states before it opens, and their verdicts. Pure, and blind by construction: what a rule
sees of a trial (`exclusion_checks.SeenTrial`) has no condition, item or list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.questionnaire.conditions import KEYS as CONDITION_KEYS
from experiments.questionnaire.conditions import OPERATORS, condition_faults, holds
from experiments.questionnaire.conditions import described as condition_in_words
from experiments.questionnaire.variables import Variable
from experiments.rules.exclusion_checks import OUTLIER_TESTS, PARTICIPANT_TESTS, TRIAL_TESTS, SeenTrial, by_task

Level = Literal["participant", "trial"]


@dataclass(frozen=True)
class Verdict:
    """What the rules say of one session: why all of it is left out (empty: it is not), and which trials and why."""

    session: str = ""
    trials: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Limit:
    """The number that a rule is stated with."""

    name: str
    label: str
    default: float
    low: float
    high: float
    is_whole: bool = False


@dataclass(frozen=True)
class ExclusionRule:
    """One kind of rule. `needs` names the measure without which it has no meaning."""

    slug: str
    level: Level
    label: str
    limits: tuple[Limit, ...] = ()
    needs: str = ""


MILLISECONDS = Limit("ms", "milliseconds", 300, 1, 3_600_000, is_whole=True)
SHARE = Limit("share", "share of trials", 0.1, 0, 1)

RULES: tuple[ExclusionRule, ...] = (
    ExclusionRule("zero-variance", "participant", "Gave the same rating to every target", needs="rating"),
    ExclusionRule(
        "few-distinct-values",
        "participant",
        "Used fewer different ratings than",
        (Limit("at_least", "different ratings", 3, 2, 1_000, is_whole=True),),
        needs="rating",
    ),
    ExclusionRule(
        "fast-participant",
        "participant",
        "Answered too many trials faster than",
        (MILLISECONDS, SHARE),
    ),
    ExclusionRule(
        "failed-attention",
        "participant",
        "Failed more attention items than",
        (Limit("at_most", "failed items", 0, 0, 1_000, is_whole=True),),
        needs="rating",
    ),
    ExclusionRule(
        "line-training",
        "participant",
        "Correlation in the training with lines below",
        (Limit("at_least", "correlation", 0.8, -1, 1),),
        needs="line_correlation",
    ),
    ExclusionRule(
        "arithmetic-accuracy",
        "participant",
        "Share of sums answered correctly below",
        (Limit("at_least", "share correct", 0.6, 0, 1),),
        needs="arithmetic_accuracy",
    ),
    ExclusionRule(
        "comprehension-accuracy",
        "participant",
        "Share of comprehension questions answered correctly below",
        (Limit("at_least", "share correct", 0.6, 0, 1),),
        needs="comprehension",
    ),
    ExclusionRule(
        "choice-accuracy",
        "participant",
        "Share of timed answers that were right below",
        (Limit("at_least", "share correct", 0.6, 0, 1),),
        needs="accuracy",
    ),
    ExclusionRule(
        "focus-losses",
        "participant",
        "Left the page more often than",
        (Limit("at_most", "times in the main trials", 5, 0, 100_000, is_whole=True),),
    ),
    ExclusionRule("fast-trial", "trial", "Answered faster than", (MILLISECONDS,)),
    ExclusionRule(
        "slow-trial",
        "trial",
        "Answered slower than",
        (Limit("ms", "milliseconds", 60_000, 1, 86_400_000, is_whole=True),),
    ),
    ExclusionRule("interrupted-trial", "trial", "Interrupted by a reload or a crash"),
    ExclusionRule("unfocused-trial", "trial", "Page left during the trial"),
    ExclusionRule(
        "outlying-sd",
        "trial",
        "Reaction time far from the participant's mean, all conditions together",
        (Limit("k", "standard deviations", 2.5, 1, 10),),
        needs="choice",
    ),
    ExclusionRule(
        "outlying-mad",
        "trial",
        "Reaction time far from the participant's median, all conditions together",
        (Limit("k", "median absolute deviations (times 1.4826)", 3, 1, 20),),
        needs="choice",
    ),
)
# Stated with a question, an operator and a value, as often as needed; see `experiments.questionnaire.conditions`.
ANSWER = "answer"
BY_SLUG = {
    **{rule.slug: rule for rule in RULES},
    ANSWER: ExclusionRule(ANSWER, "participant", "An answer, a score or the number of failed checks"),
}


def rules_for(measures: Sequence[str]) -> list[ExclusionRule]:
    """Return the rules that have a meaning where these measures and quality measures exist."""
    return [rule for rule in RULES if not rule.needs or rule.needs in measures]


def rule_faults(
    rules: Any, *, measures: Mapping[str, Sequence[str]], variables: Sequence[Variable] | None = None
) -> list[Fault]:
    """Return every fault of a list of stated rules, each `{"rule": slug, limit: number, …}`.

    `measures` are those of the study's tasks, by their names. A rule may name one of them as its `part`, and be stated
    for others with other numbers. `variables` are those of the study's questions; without them, rules on answers are
    not held against them.

    >>> [str(fault) for fault in rule_faults([{"rule": "fast-trail", "ms": 200}], measures={"task": ["rating"]})]
    ["Exclusion rule 1: there is no rule 'fast-trail'. Did you mean 'fast-trial'?"]
    >>> rule_faults([{"rule": "fast-trial", "ms": 200, "part": "words"}], measures={"words": [], "sentences": []})
    []
    """
    if not isinstance(rules, list):
        return [Fault(message="The exclusion rules must be a list.", step="plan")]
    faults, seen = [], set()
    of_all = [name for names in measures.values() for name in names]
    for number, stated in enumerate(rules, start=1):
        place = f"Exclusion rule {number}"
        slug = str(stated.get("rule", "")) if isinstance(stated, Mapping) else ""
        if slug == ANSWER:
            faults += _answer_faults(place, stated, variables)
            continue
        part = stated.get("part", "") if isinstance(stated, Mapping) else ""
        if part and part not in measures:
            suggestion = did_you_mean(str(part), list(measures)) or f"Its tasks are: {listed(list(measures))}."
            message = f"{place} ('{slug}'): the study has no task '{part}'."
            faults.append(Fault(message=message, suggestion=suggestion, step="plan"))
            continue
        known = rules_for(measures[part] if part else of_all)
        rule = next((rule for rule in known if rule.slug == slug), None)
        if not isinstance(stated, Mapping) or rule is None:
            message = f"{place}: there is no rule '{slug}'."
            if slug in BY_SLUG:
                where = f"the task '{part}'" if part else "this study"
                message = f"{place}: '{slug}' needs the measure '{BY_SLUG[slug].needs}', which {where} has not."
            suggestion = did_you_mean(slug, [rule.slug for rule in known])
            faults.append(Fault(message=message, suggestion=suggestion, step="plan"))
            continue
        if (slug, part) in seen:
            where = f" for the task '{part}'" if part else ""
            faults.append(Fault(message=f"{place}: '{slug}' is stated twice{where}.", step="plan"))
        seen.add((slug, part))
        faults += _limit_faults(place, rule, stated)
    return faults


def judge(
    rules: Sequence[Mapping[str, Any]],
    trials: Sequence[SeenTrial],
    quality: Mapping[str, Any] | None = None,
    answers: Mapping[str, Any] | None = None,
    quality_of: Mapping[str, Mapping[str, Any]] | None = None,
) -> Verdict:
    """Return what the stated rules say of one session, given its answered trials of the main phase.

    A rule with a `part` is held against the trials of that task and what `quality_of` says of it, one without against
    every task by itself and the lowest `quality` of all; how often the page was left is counted over all of them.
    `answers` holds what its participant answered: answers, scores and the number of failed checks, by their names.

    The first rule that applies gives the reason. A rule that has nothing to judge by (no ratings, no training, no
    attention items) excludes nobody.

    >>> seen = SeenTrial(position=1, rt_ms=100, focus_losses=0, interrupted=False, is_target=True)
    >>> judge([{"rule": "fast-trial", "ms": 200}], [seen]).trials
    {1: 'planned rule: answered faster than 200 ms'}
    """
    session = ""
    cut: dict[int, str] = {}
    for stated in rules:
        slug, part = str(stated["rule"]), str(stated.get("part", ""))
        of_parts = [trial for trial in trials if part in ("", trial.task)]
        if slug == ANSWER:
            if not session and answers and holds(stated, answers.get(str(stated["question"]))):
                session = f"planned rule: {described(stated)}"
        elif BY_SLUG[slug].level == "trial":
            # Bounds come from what no rule before has left out: who trims twice says so by the order of the rules.
            kept = [trial for trial in of_parts if trial.position not in cut]
            if slug in OUTLIER_TESTS:
                left_out = [trial for of_task in by_task(kept) for trial in OUTLIER_TESTS[slug](of_task, stated)]
            else:
                left_out = [trial for trial in kept if TRIAL_TESTS[slug](trial, stated)]
            for trial in left_out:
                cut.setdefault(trial.position, f"planned rule: {described(stated)}")
        elif not session:
            measured = (quality_of or {}).get(part, {}) if part else quality or {}
            if PARTICIPANT_TESTS[slug](of_parts, measured, stated):
                session = f"planned rule: {described(stated)}"
    return Verdict(session=session, trials=cut)


def described(stated: Mapping[str, Any]) -> str:
    """Return a stated rule in words.

    >>> described({"rule": "fast-participant", "ms": 300, "share": 0.1})
    'answered more than 10 % of the trials faster than 300 ms'
    >>> described({"rule": "slow-trial", "ms": 2000, "part": "words"})
    "answered slower than 2000 ms in the task 'words'"
    """
    where = f" in the task '{stated['part']}'" if stated.get("part") else ""
    return f"{_in_words(stated)}{where}"


def _in_words(stated: Mapping[str, Any]) -> str:
    match stated["rule"]:
        case "answer":
            return f"answer: {condition_in_words(stated)}"
        case "zero-variance":
            return "gave the same rating to every target"
        case "few-distinct-values":
            return f"used fewer than {stated['at_least']} different ratings"
        case "fast-participant":
            return f"answered more than {100 * stated['share']:.6g} % of the trials faster than {stated['ms']} ms"
        case "failed-attention":
            return f"failed more than {stated['at_most']} attention items"
        case "line-training":
            return f"correlation in the training with lines below {stated['at_least']:g}"
        case "arithmetic-accuracy":
            return f"less than {100 * stated['at_least']:.6g} % of the sums correct"
        case "comprehension-accuracy":
            return f"less than {100 * stated['at_least']:.6g} % of the comprehension questions correct"
        case "choice-accuracy":
            return f"less than {100 * stated['at_least']:.6g} % of the timed answers right"
        case "focus-losses":
            return f"left the page more than {stated['at_most']} times"
        case "fast-trial":
            return f"answered faster than {stated['ms']} ms"
        case "slow-trial":
            return f"answered slower than {stated['ms']} ms"
        case "interrupted-trial":
            return "interrupted by a reload or a crash"
        case "outlying-sd":
            return f"more than {stated['k']:g} SD from the participant's mean reaction time"
        case "outlying-mad":
            return f"more than {stated['k']:g} MAD from the participant's median reaction time"
        case _:
            return "page left during the trial"


def _answer_faults(place: str, stated: Mapping[str, Any], variables: Sequence[Variable] | None) -> list[Fault]:
    condition = {key: value for key, value in stated.items() if key != "rule"}
    if variables is None:
        keys = [key for key in condition if key not in CONDITION_KEYS]
        said = [f"there is no key '{key}'." for key in keys]
        if not isinstance(condition.get("question"), str) or condition.get("operator", "is") not in OPERATORS:
            said.append("it must name a question and an operator such as at-least.")
    else:
        said = condition_faults(condition, variables, what="answer")
    return [Fault(message=f"{place} ('{ANSWER}'): {message}", step="plan") for message in said]


def _limit_faults(place: str, rule: ExclusionRule, stated: Mapping[str, Any]) -> list[Fault]:
    allowed = {limit.name: limit for limit in rule.limits}
    faults = [
        Fault(
            message=f"{place} ('{rule.slug}'): there is no key '{key}'.",
            suggestion=did_you_mean(str(key), list(allowed)),
            step="plan",
        )
        for key in stated
        if key not in ("rule", "part") and key not in allowed
    ]
    for name, limit in allowed.items():
        value = stated.get(name)
        sound = isinstance(value, (int, float)) and not isinstance(value, bool) and limit.low <= value <= limit.high
        if not sound or (limit.is_whole and value != int(value or 0)):
            kind = "a whole number" if limit.is_whole else "a number"
            message = f"{place} ('{rule.slug}'): '{name}' must be {kind} from {limit.low:g} to {limit.high:g}."
            faults.append(Fault(message=message, step="plan"))
    return faults
