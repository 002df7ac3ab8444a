"""Simulated participants of typed production: what they send is accepted, and the norms give their shares back."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from analysis.methods.production.method import production_norms
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.typed_production.settings import ProductionSettings

PRODUCTION = paradigm_named("typed-production")
SETTINGS = {name: declared.initial for name, declared in ProductionSettings.base_fields.items()}
TEXT = "She spread the ___ with butter."
KNOWN = {"a": {"bread": 0.9, "toast": 0.05}, "b": {"bread": 0.35, "toast": 0.3, "bun": 0.2}, "c": {"bread": 0.1}}


def session(seed, *, text=TEXT, extra=None, n=10, **changes):
    settings = {**SETTINGS, **changes}
    participant = PRODUCTION.virtual_participant(random.Random(seed), settings)
    answered = []
    shown = [ShownStimulus(i, text, extra=extra or {}) for i in range(n)]
    for trial in PRODUCTION.timeline(shown, settings, random.Random(seed)):
        params = {**trial.params, **trial.private}
        payload = participant.respond(trial.plugin, params, levels={"order": "first"}, item="butter", carried={})
        serializer = PRODUCTION.responses[trial.plugin](data=payload, context={"params": params})
        assert serializer.is_valid(), serializer.errors
        assert participant.response_ms(trial.plugin, payload) >= payload["typing_ms"] - 0.2
        answered.append((params, payload))
    return answered


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"one_word": True, "may_be_empty": False},
        {"task": "association", "number_of_fields": 3},
        {"task": "continuation", "length_unit": "words", "minimum_length": 4},
        {"minimum_length": 8, "maximum_length": 9},
        {"length_unit": "words", "maximum_length": 1},
        {"time_limit_ms": 1500},
        {"time_limit_ms": 2500, "task": "association", "number_of_fields": 3},
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_everything_a_simulated_participant_sends_is_accepted(seed, changes):
    session(seed, extra={"target": "rye bread"}, **changes)


def test_some_run_out_of_time_and_send_what_they_had():
    answered = [payload for seed in range(20) for _params, payload in session(seed, time_limit_ms=1500)]
    assert 0 < sum(payload["timed_out"] for payload in answered) < len(answered)


def test_the_norms_give_the_known_shares_back():
    rows = []
    for seed in range(400):
        participant = PRODUCTION.virtual_participant(random.Random(f"norms {seed}"), SETTINGS)
        for item, shares in KNOWN.items():
            extra = {"target": "bread", "simulated": "|".join(f"{word}={share}" for word, share in shares.items())}
            trial = PRODUCTION.timeline([ShownStimulus(1, TEXT, extra=extra)], SETTINGS, random.Random(1))[0]
            params = {**trial.params, **trial.private}
            payload = participant.respond(trial.plugin, params, levels={}, item=item, carried={})
            measured = PRODUCTION.measure(params, payload, [])
            rows.append({"participant": str(seed), "item": item, **measured})
    suggested = PRODUCTION.suggested_analyses_of([], SETTINGS)[0].params
    asked = {name: value for name, value in suggested.items() if name != "by"}
    report = production_norms(pd.DataFrame(rows), **asked)
    norms = {(line["item"], line["response"]): line["share"] for line in report.tables[0].lines()}
    items = {line["item"]: line for line in report.tables[1].lines()}
    errors = [norms[item, word] - share for item, shares in KNOWN.items() for word, share in shares.items()]
    said = f"mean error of {len(errors)} shares: {sum(errors) / len(errors):+.4f}, worst {max(map(abs, errors)):.4f}"
    # Three standard errors of a share of a half among 400 people are 0.075; shares do not lean to one side.
    assert max(map(abs, errors)) < 0.075, said
    assert abs(sum(errors) / len(errors)) < 0.02, said
    for item, shares in KNOWN.items():
        assert items[item]["target_share"] == pytest.approx(norms[item, "bread"])
        assert items[item]["n"] == 400, "capitals and blanks made no responses of their own"
        assert items[item]["different"] <= len(shares) + 8
