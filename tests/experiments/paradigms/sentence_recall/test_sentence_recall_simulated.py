"""Simulated participants of sentence recall: everything they send is accepted, and their effects are known."""

import random
from collections import Counter

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.sentence_recall.settings import RecallSettings
from experiments.paradigms.sentence_recall.simulation import (
    CHANGE,
    GARBLE,
    LATER,
    LOSS,
    LOST_WHERE_GARBLED,
    OTHER_MEANING,
    RecallParticipant,
    logistic,
    simulated_change_effect,
    simulated_loss_effect,
)

pytestmark = pytest.mark.slow

RECALL = paradigm_named("sentence-recall")
SETTINGS = {name: declared.initial for name, declared in RecallSettings.base_fields.items()}
TEXT = "The towpath beside the old canal flooded over the weekend because it had rained for several days."


def session(seed, *, levels=None, text=TEXT, n=25, **changes):
    settings = {**SETTINGS, **changes}
    participant = RECALL.virtual_participant(random.Random(seed), settings)
    answered = []
    for trial in RECALL.timeline([ShownStimulus(i, text) for i in range(n)], settings, random.Random(seed)):
        payload = participant.respond(trial.plugin, trial.params, levels=levels or {}, item="flood", carried={})
        serializer = RECALL.responses[trial.plugin](data=payload, context={"params": trial.params})
        assert serializer.is_valid(), serializer.errors
        assert participant.response_ms(trial.plugin, payload) > 0
        answered.append((trial.plugin, trial.params, payload))
    return answered


@pytest.mark.parametrize(
    "changes",
    [{}, {"presentation": "word-by-word"}, {"time_limit_ms": 3000}, {"non_negative": False, "arithmetic_problems": 5}],
)
@pytest.mark.parametrize("seed", range(5))
def test_everything_a_simulated_participant_sends_is_accepted(seed, changes):
    session(seed, **changes)


def test_a_simulated_participant_is_the_same_for_the_same_seed():
    assert session(4) == session(4)
    assert session(4) != session(5)


def test_nine_in_ten_problems_are_solved():
    qualities = [RECALL.quality(session(seed)) for seed in range(40)]
    accuracies = [quality["arithmetic_accuracy"] for quality in qualities]
    assert 0.87 < sum(accuracies) / len(accuracies) < 0.93
    assert any(RECALL.quality_flags(quality, {**SETTINGS, "accuracy_threshold": 90}) for quality in qualities)


def test_what_the_browser_flags_is_what_is_computed():
    for _plugin, params, payload in session(2, n=200, break_every=0):
        assert RECALL.measure(params, payload, [])["display_flagged"] == payload["displays"][0]["flagged"]


def test_a_time_limit_leaves_answers_out():
    quality = RECALL.quality(session(3, time_limit_ms=2000))
    assert quality["problems_timed_out"] > 0
    assert quality["arithmetic_accuracy"] < 1


def recalls(levels, n=4000):
    participant = RecallParticipant(random.Random(1))
    participant.forgetfulness = 0.0
    return [recall.split() for _ in range(n) if (recall := participant.recalled(TEXT, levels=levels))]


@pytest.mark.parametrize("levels", [{}, {"connective": "because"}, {"connective": "cause"}])
def test_the_known_effect_on_words_comes_back(levels):
    found = recalls(levels)
    lost_last = sum("days." not in recall for recall in found) / len(found)
    effect = simulated_loss_effect(levels)
    lost, garbled = logistic(LOSS + effect + LATER / 2), logistic(GARBLE + effect) / 2 * LOST_WHERE_GARBLED
    assert lost_last == pytest.approx(lost + (1 - lost) * garbled, abs=0.025)


def test_a_connective_is_mostly_replaced_by_one_of_the_same_meaning():
    participant = RecallParticipant(random.Random(1))
    replaced = Counter(participant._connective("because", change=1.0) for _ in range(2000))
    assert set(replaced) == {"since", "as", "although"}
    assert replaced["although"] / 2000 == pytest.approx(OTHER_MEANING, abs=0.04)


@pytest.mark.parametrize("levels", [{}, {"connective": "because"}, {"connective": "cause"}])
def test_the_known_effect_on_connectives_comes_back(levels):
    found = recalls(levels)
    changed = sum(bool({"since", "as", "although"} & set(recall)) for recall in found)
    kept = sum("because" in recall for recall in found)
    expected = logistic(CHANGE + simulated_change_effect(levels))
    assert changed / (changed + kept) == pytest.approx(expected, abs=0.03)


def test_levels_differ_in_their_effects():
    because, cause = {"connective": "because"}, {"connective": "cause"}
    assert simulated_loss_effect(because) != simulated_loss_effect(cause)
    assert simulated_change_effect(because) != simulated_change_effect(cause)
    assert simulated_loss_effect({"a": "x", "b": "y"}) == simulated_loss_effect({"b": "y", "a": "x"})


def test_a_connective_at_the_start_keeps_its_capital():
    participant = RecallParticipant(random.Random(1))
    participant.forgetfulness = 50.0
    replaced = participant._connective("Because of", change=1.0)
    assert replaced in {"Due to", "Owing to", "Despite"}
