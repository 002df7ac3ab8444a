"""Stages of a session: the parts that are planned together, because what they depend on is known by then.

The first stage is what everybody goes through alike at the start, the second what follows it. A further stage begins
with a part whose rule reads, or whose text names, what is asked or done in the stage before it: a later questionnaire,
or the score of a task. Most studies have two stages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.formats.faults import Fault
from experiments.models import Part
from experiments.paradigms import known_paradigm
from experiments.procedure.piping import named_answers, part_pipes
from experiments.procedure.sequence import alike_for_all, first_questionnaires
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.variables import Variable
from experiments.rules.branching import branch_faults
from experiments.rules.criteria import Questionnaire
from experiments.rules.questions import question_faults
from experiments.rules.task_scores import score_variables
from experiments.sentences import Sentence


def variables_of(part: Part) -> list[Variable]:
    """Return what later parts may look at: answers and scores of a questionnaire, or the scores of a task."""
    if part.kind == Part.Kind.TASK:
        paradigm = known_paradigm(part.paradigm)
        return score_variables(part.name, paradigm) if paradigm else []
    return all_variables(part.questions) if part.kind == Part.Kind.QUESTIONNAIRE else []


def rule_names(part: Part) -> set[str]:
    """Return what the rule of a part looks at, by its names."""
    rule = part.shown_if if isinstance(part.shown_if, list) else []
    return {str(condition.get("question")) for condition in rule if isinstance(condition, Mapping)}


def stages_of(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts of a study by stage, in their order; the first two stages may be empty."""
    stages: list[list[Part]] = [alike_for_all(parts), []]
    if not any(part.shown_if or part_pipes(part) for part in parts):
        stages[1] += parts[len(stages[0]) :]
        return stages
    known = {one.name for part in stages[0] for one in variables_of(part)}
    current: set[str] = set()
    for part in parts[len(stages[0]) :]:
        if current & (rule_names(part) | named_answers(part)):
            known, current = known | current, set()
            stages.append([])
        stages[-1].append(part)
        current |= {one.name for one in variables_of(part)} - known
    return stages


def late_parts(parts: Sequence[Part]) -> list[Part]:
    """Return the parts for some people whose rules look at more than the questionnaires at the start."""
    if not any(part.shown_if for part in parts):
        return []
    first = {one.name for part in alike_for_all(parts) for one in variables_of(part)}
    return [part for part in parts if rule_names(part) - first]


def questionnaires_before(parts: Sequence[Part], part: Part) -> list[Questionnaire]:
    """Return the questionnaires whose answers are known when a part is planned."""
    earlier = [one for stage in stages_before(parts, part) for one in stage]
    return [Questionnaire(one.name, one.questions) for one in earlier if one.kind == Part.Kind.QUESTIONNAIRE]


def stages_before(parts: Sequence[Part], part: Part) -> list[list[Part]]:
    """Return the stages before that of a part."""
    stages = stages_of(parts)
    return stages[: next((n for n, stage in enumerate(stages) if part in stage), 0)]


def faults_of_branches(parts: Sequence[Part]) -> list[Fault]:
    """Return what is wrong with the rules of parts for some people; nothing as long as questions are not sound."""
    branched = [part for part in parts if part.shown_if]
    if not branched or any(question_faults(part.questions) for part in parts):
        return []
    faults = []
    everything = [one.name for part in parts for one in variables_of(part)]
    first = [one for each in first_questionnaires(parts) for one in all_variables(each.questions)]
    for place, part in enumerate(parts):
        if part.shown_if:
            before = [*first, *(one for earlier in parts[:place] for one in variables_of(earlier))]
            faults += branch_faults(part, before, everything)
    return faults or _faults_of_order(parts)


def _faults_of_order(parts: Sequence[Part]) -> list[Fault]:
    """Report parts that cannot change places, as something between them is decided by what came before."""
    faults = []
    for part in late_parts(parts):
        if part.order_set:
            message = Sentence(
                "Part '{name}': its rule depends on earlier parts, so its order cannot be counterbalanced.",
                name=part.name,
            )
            advice = Sentence(
                "Leave “Counterbalancing” empty, or use only the questionnaires at the start in its rule."
            )
            faults.append(Fault(message=message, suggestion=advice, step="parts"))
    if faults:
        return faults
    stage_of = {part.name: number for number, stage in enumerate(stages_of(parts)) for part in stage}
    sets: dict[str, set[int]] = {}
    for part in parts:
        if part.order_set:
            sets.setdefault(part.order_set, set()).add(stage_of[part.name])
    for name, found in sets.items():
        if len(found) > 1:
            message = Sentence(
                "The order of the parts of the order set '{name}' cannot be counterbalanced: what comes before a "
                "part between them decides who gets that part.",
                name=name,
            )
            advice = Sentence("Move that part after all of them, or before all of them.")
            faults.append(Fault(message=message, suggestion=advice, step="parts"))
    return faults
