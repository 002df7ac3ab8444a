"""What rules say is wrong with a study are sentences to their last part, which pages say in their own language."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.formats.faults import Fault
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import DefaultErrorCode
from experiments.rules.criteria import Questionnaire, criteria_faults, criteria_shape_faults
from experiments.rules.error_codes import faults_of, scheme_faults
from experiments.rules.exclusion_rules import RULES, described
from experiments.rules.plan import plan_faults
from experiments.rules.procedure import ProcedureForm, checked
from experiments.rules.screening import screening_faults
from experiments.rules.sequential import SPENDING, SequentialPlan
from experiments.rules.shape import group_faults, questionnaire_faults
from experiments.rules.sources import source_faults
from experiments.rules.wording import changes_since
from experiments.sentences import Sentence

AGE = [{"name": "age", "label": "Age?", "kind": "number", "required": True}]
OLD_AND_YOUNG = [{"question": "age", "operator": one, "value": 30} for one in ("above", "below")]
NOBODY = [{"question": "age", "operator": one, "value": 30} for one in ("at-least", "below")]
LOOKS: list[Any] = [[], [1.5, 2], [9, 8], [1, 2]]


def _plan(sequential: Any) -> dict[str, Any]:
    analysis = {"metod": "", "method": "", "table": 1, "other_study": "a b", "part": "x", "params": {"dv": {}}}
    rules = [{"rule": "fast-trail"}, {"rule": "fast-trial", "ms": 0, "x": 1}, {"rule": "line-training"},
             {"rule": "fast-trial", "ms": 9, "part": "x"}, {"rule": "answer"}]  # fmt: skip
    return {"hypotheses": 1, "x": 1, "exclusion_rules": rules, "analyses": [1, {**analysis, "sequential": sequential}]}


FAULTS: list[list[Fault]] = [
    criteria_shape_faults([{"name": "A", "quota": 0, "when": [], "part": 1, "per_group": 1, "x": 1}]),
    criteria_faults(
        [{"name": "odd", "quota": 1, "when": OLD_AND_YOUNG}, {"name": "far", "quota": 1, "when": [{"question": "x"}]}],
        [Questionnaire("background", AGE)],
    ),
    criteria_faults(
        [{"name": "away", "quota": 1, "when": OLD_AND_YOUNG[:1]}], [Questionnaire("background", AGE, OLD_AND_YOUNG)]
    ),
    scheme_faults([DefaultErrorCode("a-b", "", float("nan"), False), DefaultErrorCode("none", "x\x00", 9999, False)]),
    screening_faults(AGE, [1, {"x": 1, "question": "age", "operator": "is", "value": 1, "outcome": "", "message": 1}]),
    screening_faults(AGE, NOBODY),
    questionnaire_faults(AGE, {"attempts": 3}),
    group_faults([{"name": "A", "weight": 0, "quota": 0, "x": 1}] * 2),
    source_faults([{"name": "A", "kind": "x", "x": 1}, {"kind": "other", "parameters": ["9"] * 11, "outcomes": 1}]),
    source_faults([{"name": name, "kind": "link", "outcomes": {}} for name in ("a", "b")]),
    source_faults([{"name": "a", "kind": "other", "outcomes": {"x": 1, "completed": {"y": 1, "code": 1}}}]),
    *(
        source_faults([{"name": "a", "kind": "other", "outcomes": {"completed": {"link": link}}}])
        for link in ("http://x.org", "https://x.org/{y}", "https://x.org/XXXX", "https://x")
    ),
    checked(ProcedureForm, {"leading": 1, "blocked": 1, "leading_fillers": "a", "resume": 1})[1],
    *(
        plan_faults(_plan({"looks": looks, "spending": "x", "alpha": 2, "gamma": 1, "x": 1}),
                    tasks={"task": (paradigm_named("magnitude-estimation"), {})})
        for looks in LOOKS
    ),
]  # fmt: skip


def _is_whole(said: str) -> bool:
    """Return whether a sentence has no English in its values: words that are no sentence, names in quotes or shares."""
    return isinstance(said, Sentence) and all(
        _is_whole(value)
        if isinstance(value, Sentence)
        else value.startswith("'") or value.endswith(" %") or " " not in value.replace(", ", "")
        for value in said.values.values()
        if isinstance(value, str)
    )


@pytest.mark.parametrize("faults", FAULTS)
def test_faults_are_sentences(faults: list[Fault]) -> None:
    assert faults
    assert [
        said for fault in faults for said in (fault.message, fault.suggestion) if said and not _is_whole(said)
    ] == []


def test_faults_of_codings_are_sentences() -> None:
    scheme = [DefaultErrorCode(code, "right", 0.5, True) for code in "01"]
    said = [sentence for codes in ([], ["9"], ["0", "1"]) for sentence in faults_of(codes, scheme)]
    assert said
    assert all(_is_whole(sentence) for sentence in said)


def test_rules_and_spending_are_sentences() -> None:
    stated = [{"rule": rule.slug, **{limit.name: limit.default for limit in rule.limits}} for rule in RULES]
    assert all(_is_whole(described(one)) and _is_whole(described({**one, "part": "a"})) for one in stated)
    assert all(_is_whole(SequentialPlan("marker", (20, 40), one).spends) for one in SPENDING)


@pytest.mark.django_db
def test_what_a_wording_lacks_is_a_sentence() -> None:
    faults = [*changes_since({"pages.gone": "x"}, "en"), *changes_since({"pages.next": "<b>x</b>"}, "en")]
    faults += changes_since({"language": "sw", "direction": "ltr", "pages.next": "Endelea"}, "en")
    assert len(faults) == 3
    assert all(isinstance(said, Sentence) for fault in faults for said in (fault.message, fault.suggestion))
