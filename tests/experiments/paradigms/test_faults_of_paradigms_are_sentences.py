"""What paradigms say of settings, materials and sessions are sentences, which pages say in their own language."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.paradigms.base import Paradigm, ShownStimulus
from experiments.paradigms.pieces.areas import area_faults
from experiments.paradigms.pieces.rating_questions import KINDS_WITH_SPANS, rating_question_faults
from experiments.paradigms.pieces.regions import region_faults
from experiments.sentences import Sentence

POOR = {
    "comprehension": 0.1,
    "accuracy": 0.1,
    "arithmetic_accuracy": 0.1,
    "empty_share": 0.9,
    "texts_with_layout_changes": 1,
    "texts_with_unread_areas": 1,
    "texts_without_font": 1,
}
STRICT = {"comprehension_threshold": 80, "accuracy_threshold": 80, "empty_threshold": 10, "modulus_text": ""}
ROWS: list[tuple[str, dict[str, str]]] = [
    ("The dog ran.", {"question": "Who?", "choices": "a|a", "critical_region": "x", "window": "x", "simulated": "a"}),
    ("The dog ran.", {"critical_region": "7", "distractors": "x-x-x dog", "target": "a;b", "simulated": "a=1|b=1"}),
    ("The dog ran.", {"distractors": "x-x-x dog formed.", "correct": "x"}),
    ("One ___ and ___ two.", {"distractors": "x | y", "target": "a;b;c", "clause_a": "not there"}),
    ("", {}),
]
OTHERS: tuple[dict[str, str], ...] = ({}, {"against": "a || b", "against_image": "a.png"}, {"against_audio": "a || b"})


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
def test_faults_warnings_and_flags_of_a_paradigm_are_sentences(paradigm: Paradigm) -> None:
    settings = {**paradigm.complete_settings({}), **STRICT}
    said: list[str] = [*paradigm.opening_faults(settings), *paradigm.quality_flags(POOR, settings)]
    for text, extra in ROWS:
        said += [fault for _column, fault in paradigm.stimulus_faults(text, extra)]
        said += [warning for _column, warning in paradigm.stimulus_warnings(text, extra)]
        said += paradigm.text_faults(text, extra, settings)
    assert [sentence for sentence in said if not isinstance(sentence, Sentence)] == []


@pytest.mark.parametrize("task", ["pair", "best-worst", "ranking"])
@pytest.mark.parametrize("conditions", ["a", "ab", "abcd"])
def test_faults_of_a_comparison_are_sentences(task: str, conditions: str) -> None:
    paradigm = paradigm_named("comparison")
    texts = [ShownStimulus(number, "t", item="i1", condition=one) for number, one in enumerate(conditions)]
    fillers = [ShownStimulus(9, "t", is_filler=True, item="f1", extra=extra) for extra in OTHERS]
    settings = {**paradigm.complete_settings({}), "task": task, "per_item": 90}
    faults = paradigm.design_faults([*texts, *fillers], settings)
    assert faults
    assert all(isinstance(fault, Sentence) for fault in faults)


@pytest.mark.parametrize("text", ["one", "one | .", "one | two" * 1_000])
def test_faults_of_areas_and_regions_are_sentences(text: str) -> None:
    faults = [*area_faults(text, unit="word"), *region_faults(text, {}, unit="word")]
    assert len(faults) == 2
    assert all(isinstance(fault, Sentence) for fault in faults)


def test_a_text_is_quoted_as_it_was_written_where_regions_differ_from_it() -> None:
    (fault,) = region_faults("The dog ran.", {"regions": "The area | ran."}, unit="word")
    assert fault.endswith("between the regions; it differs at ‘arearan.’.")


def test_faults_of_rating_questions_are_sentences_to_their_last_part() -> None:
    usual: dict[str, Any] = {"name": "x", "text": "?", "kind": "scale", "points": 99, "labels": ["a"], "required": 1}
    spans = {"name": "y", "text": "", "kind": "error-spans", "score": 1, "categories": ["a"] * 40, "labels": ["a"]}
    asked = [1, usual, spans, {**spans, "name": 1, "scroe": 1}, {**usual, "kind": "scael", "score": True}]
    faults = rating_question_faults(asked, kinds=KINDS_WITH_SPANS)
    said = [
        *faults,
        *(fault.values["fault"] for fault in faults if isinstance(fault, Sentence) and "fault" in fault.values),
    ]
    assert len(said) > 20
    assert all(isinstance(sentence, Sentence) for sentence in said)


def test_answers_and_spellings_in_settings_are_refused_by_sentences() -> None:
    choice = paradigm_named("timed-choice").settings_form({"answers": "a|j\na|j\nb|long|b|b\n|k\n" + "n" * 60})
    production = paradigm_named("typed-production").settings_form({"spellings": "a\nb = c\nb = d"})
    said = [*choice.errors["answers"], *production.errors["spellings"]]
    assert len(said) > 6
    assert all(isinstance(sentence, Sentence) for sentence in said)
