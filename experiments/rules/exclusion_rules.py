"""Exclusion rules of a study's plan, and their verdicts. Pure, and blind by construction: the data of a trial that
rules may use (`exclusion_checks.SeenTrial`) have no condition, item or list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.formats.faults import Fault, did_you_mean, listed, unknown_keys
from experiments.questionnaire.conditions import KEYS as CONDITION_KEYS
from experiments.questionnaire.conditions import OPERATORS, condition_faults, holds
from experiments.questionnaire.conditions import described as condition_in_words
from experiments.questionnaire.variables import Variable
from experiments.rules.exclusion_checks import OUTLIER_TESTS, PARTICIPANT_TESTS, TRIAL_TESTS, SeenTrial, by_task
from experiments.sentences import Sentence

Level = Literal["participant", "trial"]


@dataclass(frozen=True)
class Verdict:
    """The verdict on one session: why it is excluded (empty: it is not), and which trials are excluded and why."""

    session: str = ""
    trials: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Limit:
    """A parameter of a rule."""

    name: str
    label: str
    default: float
    low: float
    high: float
    is_whole: bool = False


@dataclass(frozen=True)
class ExclusionRule:
    """One kind of rule. `needs` names the measure that it requires."""

    slug: str
    level: Level
    label: str
    limits: tuple[Limit, ...] = ()
    needs: str = ""


MILLISECONDS = Limit("ms", Sentence("milliseconds"), 300, 1, 3_600_000, is_whole=True)
SHARE = Limit("share", Sentence("share of trials"), 0.1, 0, 1)

RULES: tuple[ExclusionRule, ...] = (
    ExclusionRule("zero-variance", "participant", Sentence("Gave the same rating to every target"), needs="rating"),
    ExclusionRule(
        "few-distinct-values",
        "participant",
        Sentence("Used fewer different ratings than"),
        (Limit("at_least", Sentence("different ratings"), 3, 2, 1_000, is_whole=True),),
        needs="rating",
    ),
    ExclusionRule(
        "fast-participant",
        "participant",
        Sentence("Answered too many trials faster than"),
        (MILLISECONDS, SHARE),
    ),
    ExclusionRule(
        "failed-attention",
        "participant",
        Sentence("Failed more attention checks than"),
        (Limit("at_most", Sentence("failed checks"), 0, 0, 1_000, is_whole=True),),
        needs="rating",
    ),
    ExclusionRule(
        "line-training",
        "participant",
        Sentence("Correlation in the line training below"),
        (Limit("at_least", Sentence("correlation"), 0.8, -1, 1),),
        needs="line_correlation",
    ),
    ExclusionRule(
        "arithmetic-accuracy",
        "participant",
        Sentence("Share of sums answered correctly below"),
        (Limit("at_least", Sentence("share correct"), 0.6, 0, 1),),
        needs="arithmetic_accuracy",
    ),
    ExclusionRule(
        "comprehension-accuracy",
        "participant",
        Sentence("Share of comprehension questions answered correctly below"),
        (Limit("at_least", Sentence("share correct"), 0.6, 0, 1),),
        needs="comprehension",
    ),
    ExclusionRule(
        "choice-accuracy",
        "participant",
        Sentence("Share of correct timed answers below"),
        (Limit("at_least", Sentence("share correct"), 0.6, 0, 1),),
        needs="accuracy",
    ),
    ExclusionRule(
        "focus-losses",
        "participant",
        Sentence("Left the page more often than"),
        (Limit("at_most", Sentence("times in the main trials"), 5, 0, 100_000, is_whole=True),),
    ),
    ExclusionRule(
        "early-presses",
        "participant",
        Sentence("Pressed too early, before the text or picture to answer appeared, more often than"),
        (Limit("at_most", Sentence("times in the main trials"), 10, 0, 100_000, is_whole=True),),
        needs="early_presses",
    ),
    ExclusionRule("fast-trial", "trial", Sentence("Answered faster than"), (MILLISECONDS,)),
    ExclusionRule(
        "slow-trial",
        "trial",
        Sentence("Answered more slowly than"),
        (Limit("ms", Sentence("milliseconds"), 60_000, 1, 86_400_000, is_whole=True),),
    ),
    ExclusionRule("interrupted-trial", "trial", Sentence("Interrupted by a reload or a crash")),
    ExclusionRule("unfocused-trial", "trial", Sentence("Page left during the trial")),
    ExclusionRule("out-of-view-trial", "trial", Sentence("Something timed was not completely in the window")),
    ExclusionRule(
        "early-press-trial",
        "trial",
        Sentence("Pressed before the text or picture to answer appeared"),
        needs="early_presses",
    ),
    ExclusionRule(
        "outlying-sd",
        "trial",
        Sentence("Reaction time far from the participant's mean, all conditions together"),
        (Limit("k", Sentence("standard deviations"), 2.5, 1, 10),),
        needs="choice",
    ),
    ExclusionRule(
        "outlying-mad",
        "trial",
        Sentence("Reaction time far from the participant's median, all conditions together"),
        (Limit("k", Sentence("median absolute deviations (times 1.4826)"), 3, 1, 20),),
        needs="choice",
    ),
)
# Has a question, an operator and a value, and may be repeated; see `experiments.questionnaire.conditions`.
ANSWER = "answer"
BY_SLUG = {
    **{rule.slug: rule for rule in RULES},
    ANSWER: ExclusionRule(ANSWER, "participant", Sentence("An answer, a score, or the number of failed checks")),
}


def rules_for(measures: Sequence[str]) -> list[ExclusionRule]:
    """Return the rules that are applicable given these measures and quality measures."""
    return [rule for rule in RULES if not rule.needs or rule.needs in measures]


def rule_faults(
    rules: Any, *, measures: Mapping[str, Sequence[str]], variables: Sequence[Variable] | None = None
) -> list[Fault]:
    """Return every fault of a list of stated rules, each `{"rule": slug, limit: number, …}`.

    `measures` are those of the study's tasks, by task name. A rule may name a task as its `part`, and be repeated for
    others with other numbers. `variables` are those of the study's questions; without them, the variables in rules on
    answers are not checked.

    >>> [str(fault) for fault in rule_faults([{"rule": "fast-trail", "ms": 200}], measures={"task": ["rating"]})]
    ["Exclusion rule 1: there is no rule 'fast-trail'. Did you mean 'fast-trial'?"]
    >>> rule_faults([{"rule": "fast-trial", "ms": 200, "part": "words"}], measures={"words": [], "sentences": []})
    []
    """
    if not isinstance(rules, list):
        return [_fault(Sentence("The exclusion rules must be a list."))]
    faults, seen = [], set()
    of_all = [name for names in measures.values() for name in names]
    for number, stated in enumerate(rules, start=1):
        place = Sentence("Exclusion rule {number}", number=number)
        slug = str(stated.get("rule", "")) if isinstance(stated, Mapping) else ""
        if slug == ANSWER:
            faults += _answer_faults(place, stated, variables)
            continue
        part = stated.get("part", "") if isinstance(stated, Mapping) else ""
        if part and (not isinstance(part, str) or part not in measures):
            suggestion = did_you_mean(str(part), list(measures)) or Sentence(
                "Possible tasks: {names}.", names=listed(list(measures))
            )
            message = Sentence("{place} ('{rule}'): the study has no task '{part}'.", place=place, rule=slug, part=part)
            faults.append(_fault(message, suggestion))
            continue
        known = rules_for(measures[part] if part else of_all)
        rule = next((rule for rule in known if rule.slug == slug), None)
        if not isinstance(stated, Mapping) or rule is None:
            message = Sentence("{place}: there is no rule '{rule}'.", place=place, rule=slug)
            if slug in BY_SLUG:
                said = {"place": place, "rule": slug, "measure": BY_SLUG[slug].needs, "part": part}
                message = (
                    Sentence(
                        "{place}: '{rule}' needs the measure '{measure}', but the task '{part}' does not have it.",
                        **said,
                    )
                    if part
                    else Sentence(
                        "{place}: '{rule}' needs the measure '{measure}', but this study does not have it.", **said
                    )
                )
            faults.append(_fault(message, did_you_mean(slug, [rule.slug for rule in known])))
            continue
        if (slug, part) in seen:
            message = Sentence("{place}: '{rule}' appears twice.", place=place, rule=slug)
            if part:
                message = Sentence(
                    "{place}: '{rule}' appears twice for the task '{part}'.", place=place, rule=slug, part=part
                )
            faults.append(_fault(message))
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
    """Apply the stated rules to one session, given its answered main trials.

    A rule with a `part` is applied to the trials of that task and to its `quality_of`; a rule without is applied to
    every task separately and to the lowest `quality` of all; losses of focus and early presses are counted over all
    tasks. `answers` holds the participant's answers, scores and number of failed checks, by name.

    The first rule that applies gives the reason. A rule without data (no ratings, no training, no attention items)
    excludes nothing.

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
            # Bounds come from trials that no earlier rule has excluded, so the order of the rules matters.
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
    "answered more slowly than 2000 ms in the task 'words'"
    """
    rule = _in_words(stated)
    if stated.get("part"):
        return Sentence("{rule} in the task '{part}'", rule=rule, part=stated["part"])
    return rule


def _in_words(stated: Mapping[str, Any]) -> str:
    match stated["rule"]:
        case "answer":
            return Sentence("answer: {condition}", condition=condition_in_words(stated))
        case "zero-variance":
            return Sentence("gave the same rating to every target")
        case "few-distinct-values":
            return Sentence("used fewer than {number} different ratings", number=stated["at_least"])
        case "fast-participant":
            return Sentence(
                "answered more than {share} of the trials faster than {ms} ms",
                share=f"{100 * stated['share']:.6g} %",
                ms=stated["ms"],
            )
        case "failed-attention":
            return Sentence("failed more than {number} attention checks", number=stated["at_most"])
        case "line-training":
            return Sentence("correlation in the line training below {bound:g}", bound=stated["at_least"])
        case "arithmetic-accuracy":
            return Sentence("less than {share} of the sums correct", share=f"{100 * stated['at_least']:.6g} %")
        case "comprehension-accuracy":
            return Sentence(
                "less than {share} of the comprehension questions correct", share=f"{100 * stated['at_least']:.6g} %"
            )
        case "choice-accuracy":
            return Sentence("less than {share} of the timed answers correct", share=f"{100 * stated['at_least']:.6g} %")
        case "focus-losses":
            return Sentence("left the page more than {number} times", number=stated["at_most"])
        case "fast-trial":
            return Sentence("answered faster than {ms} ms", ms=stated["ms"])
        case "slow-trial":
            return Sentence("answered more slowly than {ms} ms", ms=stated["ms"])
        case "interrupted-trial":
            return Sentence("interrupted by a reload or a crash")
        case "out-of-view-trial":
            return Sentence("something timed was not completely in the window")
        case "early-presses":
            return Sentence(
                "pressed more than {number} times before the text or picture to answer appeared",
                number=stated["at_most"],
            )
        case "early-press-trial":
            return Sentence("pressed before the text or picture to answer appeared")
        case "outlying-sd":
            return Sentence("more than {k:g} SD from the participant's mean reaction time", k=stated["k"])
        case "outlying-mad":
            return Sentence("more than {k:g} MAD from the participant's median reaction time", k=stated["k"])
        case _:
            return Sentence("page left during the trial")


def _answer_faults(place: str, stated: Mapping[str, Any], variables: Sequence[Variable] | None) -> list[Fault]:
    condition = {key: value for key, value in stated.items() if key != "rule"}
    if variables is None:
        keys = [key for key in condition if key not in CONDITION_KEYS]
        said: list[str] = [Sentence("there is no key '{key}'.", key=key) for key in keys]
        if not isinstance(condition.get("question"), str) or condition.get("operator", "is") not in OPERATORS:
            said.append(Sentence("it must name a question and an operator such as at-least."))
        if not isinstance(condition.get("value", ""), (str, int, float)):
            said.append(Sentence("the value must be a text, a number, true or false."))
    else:
        said = condition_faults(condition, variables, what="answer")
    return [
        _fault(Sentence("{place} ('{rule}'): {message}", place=place, rule=ANSWER, message=message)) for message in said
    ]


def _limit_faults(place: str, rule: ExclusionRule, stated: Mapping[str, Any]) -> Iterator[Fault]:
    allowed = {limit.name: limit for limit in rule.limits}
    yield from (
        _fault(Sentence("{place} ('{rule}'): there is no key '{key}'.", place=place, rule=rule.slug, key=key), hint)
        for key, hint in unknown_keys([key for key in stated if key not in ("rule", "part")], list(allowed))
    )
    for name, limit in allowed.items():
        value = stated.get(name)
        sound = isinstance(value, (int, float)) and not isinstance(value, bool) and limit.low <= value <= limit.high
        if not sound or (limit.is_whole and value != int(value or 0)):
            bounds = {"place": place, "rule": rule.slug, "name": name, "low": limit.low, "high": limit.high}
            yield _fault(
                Sentence("{place} ('{rule}'): '{name}' must be a whole number from {low:g} to {high:g}.", **bounds)
                if limit.is_whole
                else Sentence("{place} ('{rule}'): '{name}' must be a number from {low:g} to {high:g}.", **bounds)
            )


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="plan")
