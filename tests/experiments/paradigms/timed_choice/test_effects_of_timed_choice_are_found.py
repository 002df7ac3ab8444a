"""The effects that virtual participants of timed choice have are found by the analyses that are suggested."""

from __future__ import annotations

import pytest

from benchmarks.timed_choice import EFFECTS, RULES, found_in, simulated, snapshots


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.label)
def test_the_suggested_models_find_the_effects(effect):
    example = snapshots(effect.example)
    # Where everybody sees a word in one condition only, more people are needed.
    frame = simulated(example, participants=16 * len(example), seed=7)
    assert frame["mapping"].nunique() == 2
    assert set(frame.groupby("participant").size()) == {sum(not s.is_practice for s in example[0].stimuli)}
    found = {each.analysis: each for each in found_in(frame, effect, example[0].settings)}
    assert set(found) == {"lmm", "glmm"}
    assert found["lmm"].holds
    assert found["lmm"].high < 0, "the faster condition is found to be faster"
    assert found["glmm"].holds
    assert found["glmm"].estimate > 0


def test_trimming_takes_lapses_and_little_else():
    effect = EFFECTS[0]
    frame = simulated(snapshots(effect.example), participants=8, seed=7)
    trimmed = frame[frame["excluded"]]
    assert 0 < len(trimmed) < 0.03 * len(frame)
    assert set(trimmed["exclusion_reason"].str.contains("planned rule")) == {True}
    assert len(RULES) == 2
