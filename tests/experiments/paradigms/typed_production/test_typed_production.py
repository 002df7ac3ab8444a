"""Typed production: its trials, what it accepts, and what it measures."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.typed_production.lengths import length_fault
from experiments.paradigms.typed_production.settings import ProductionSettings
from experiments.rules.procedure import checked

PRODUCTION = paradigm_named("typed-production")
SETTINGS = {name: declared.initial for name, declared in ProductionSettings.base_fields.items()}
CONTRACT = json.loads((Path(__file__).resolve().parents[3] / "contract" / "typed_lengths.json").read_text("utf-8"))
TEXT = "She spread the ___ with butter."
TWO = "She spread the ___ with a ___."


def trial(text=TEXT, *, extra=None, **changes):
    stimulus = ShownStimulus(1, text, extra=extra or {})
    return PRODUCTION.timeline([stimulus], {**SETTINGS, **changes}, random.Random(1))[0]


def params(text=TEXT, *, extra=None, **changes):
    planned = trial(text, extra=extra, **changes)
    return {**planned.params, **planned.private}


def answer(typed="bread", **changes):
    return {"typed": typed, "first_key_ms": 900.5 if typed else None, "typing_ms": 700.0, "edits": 1, **changes}


def payload(*typed, **changes):
    return {
        "responses": [answer(one) for one in typed or ("bread",)],
        "typing_ms": 1200.0,
        "timed_out": False,
        "paste_attempts": 2,
        "drop_attempts": 0,
        "copy_attempts": 0,
        "focus_losses": 0,
        **changes,
    }


def errors(sent, parameters=None):
    serializer = PRODUCTION.responses["typed-production"](data=sent, context={"params": parameters or params()})
    serializer.is_valid()
    return dict(serializer.errors)


def measured(*typed, text=TEXT, target=None, sent=None, **changes) -> dict[str, Any]:
    extra = {} if target is None else {"target": target}
    return PRODUCTION.measure(params(text, extra=extra, **changes), sent or payload(*typed), [])


def test_a_gap_is_a_field_with_its_text_around_it():
    planned = trial(TWO, number_of_fields=3).params
    assert planned["segments"] == ["She spread the ", " with a ", "."]
    assert planned["fields"] == 2, "as many as the text has gaps, not as many as the settings allow"
    associated = trial("butter", task="association", number_of_fields=3).params
    assert (associated["segments"], associated["fields"], associated["text"]) == ([], 3, "butter")


def test_the_browser_learns_neither_targets_nor_spellings_nor_the_name_of_a_picture():
    planned = trial(extra={"target": "bread", "simulated": "bread=0.9"}, spellings="bred = bread")
    assert "bread" not in json.dumps(planned.params)
    assert planned.private["target"] == "bread"
    picture = {"kind": "image", "url": "/media/1.png", "width": 400, "height": 300}
    stimulus = ShownStimulus(1, "hammer", extra={"image": "1.png", "alt": "a drawing"}, media={"image": picture})
    named = PRODUCTION.timeline([stimulus], {**SETTINGS, "task": "naming"}, random.Random(1))[0].params
    assert named["image"] == {**picture, "alt": "a drawing"}
    assert "hammer" not in json.dumps(named)


def heard(**changes):
    sound = {"kind": "audio", "url": "/media/1.mp3", "duration_ms": 900}
    stimulus = ShownStimulus(1, "rain", extra={"audio": "rain.mp3", "target": "rain"}, media={"audio": sound})
    return PRODUCTION.timeline([stimulus], {**SETTINGS, "task": "naming", **changes}, random.Random(1))


def test_a_sound_is_named_after_a_check_that_it_can_be_heard():
    (silent,) = heard()
    assert "audio" not in silent.params
    check, trial = heard(sound="replay")
    assert check.plugin == "sound-check"
    assert trial.params["audio"] == {"kind": "audio", "url": "/media/1.mp3", "duration_ms": 900, "replay": True}
    assert (trial.params["text"], trial.params["image"]) == (None, None)
    known = {**trial.params, **trial.private}
    sent = payload("rain", audio_onset_ms=41.5, audio_latency_ms=20.0, plays=2)
    assert errors(sent, known) == {}
    assert "plays" in errors(sent, {**silent.params, **silent.private}), "a trial without sound has no plays"
    measures = PRODUCTION.measure(known, sent, [])
    assert (measures["plays"], measures["audio_onset_ms"], measures["matches_target"]) == (2, 41.5, True)
    names = [measure.name for measure in PRODUCTION.measures_of({**SETTINGS, "sound": "once"})]
    assert names[-5:] == ["audio_onset_ms", "audio_latency_ms", "plays", "sound_check_passed", "sound_check_tries"]
    assert "plays" not in [measure.name for measure in PRODUCTION.measures_of(SETTINGS)]


def test_virtual_participants_hear_the_sounds_and_pass_the_check():
    virtual = PRODUCTION.virtual_participant(random.Random(2), SETTINGS)
    for plan in heard(sound="once", headphones_check=True):
        sent = virtual.respond(plan.plugin, {**plan.params, **plan.private}, levels={}, item="1", carried={})
        serializer = PRODUCTION.responses[plan.plugin](data=sent, context={"params": plan.params})
        assert serializer.is_valid(), serializer.errors
        assert virtual.response_ms(plan.plugin, sent) > 0


def test_practice_comes_before_targets_with_breaks_between():
    shown = [ShownStimulus(9, TEXT, is_practice=True), *(ShownStimulus(i, TEXT) for i in range(5))]
    trials = PRODUCTION.timeline(shown, {**SETTINGS, "break_every": 2}, random.Random(1))
    assert [plan.phase for plan in trials] == ["practice", *["main", "main", "break"] * 2, "main"]
    assert [(plan.params["index"], plan.params["total"]) for plan in trials if plan.phase == "main"][-1] == (5, 5)


@pytest.mark.parametrize(("limits", "typed", "fault"), CONTRACT["cases"])
def test_what_an_answer_may_be_is_the_rule_that_browsers_have(limits, typed, fault):
    assert length_fault(typed, CONTRACT["limits"][limits]) == fault


def test_an_answer_within_its_limits_is_accepted_and_any_other_refused():
    assert errors(payload(" Bread ")) == {}
    assert errors(payload("")) == {}
    assert "responses" in errors(payload(""), params(may_be_empty=False))
    assert "Field 1" in str(errors(payload("rye bread"), params(one_word=True))["responses"])
    assert "responses" in errors(payload("bread", "knife")), "there is one gap"
    assert errors(payload("bread", "knife"), params(TWO, number_of_fields=2)) == {}
    assert "responses" in errors(payload("x" * 2001))
    assert "typing_ms" in errors(payload(typing_ms=-1))


def test_only_a_trial_with_a_limit_runs_out_of_time_and_then_takes_what_there_is():
    assert "timed_out" in errors(payload("br", timed_out=True))
    limited = params(time_limit_ms=4000, one_word=True, minimum_length=4, may_be_empty=False)
    assert errors(payload("br", timed_out=True), limited) == {}
    assert errors(payload("", timed_out=True), limited) == {}
    assert "responses" in errors(payload("br"), limited)


def test_measures_are_the_answer_its_folded_form_and_its_times():
    found = measured(" Brown  Bread. ", target="brown bread")
    assert found["response"] == "Brown  Bread."
    assert found["response_folded"] == "brown bread"
    assert found["n_characters"] == 13
    assert (found["first_key_ms"], found["typing_ms"], found["edits"]) == (900.5, 1200.0, 1)
    assert (found["paste_attempts"], found["timed_out"]) == (2, False)
    assert found["matches_target"] is True


@pytest.mark.parametrize(
    ("typed", "target", "changes", "matches"),
    [
        ("butter", "bread", {}, False),
        ("Loaf", "bread | loaf", {}, True),
        ("", "bread", {}, False),
        ("bread", None, {}, None),
        ("bread.", "bread", {"fold_punctuation": False}, False),
        ("café", "cafe", {}, False),
        ("café", "cafe", {"fold_accents": True}, True),
        ("cafe", "Café", {"fold_accents": True}, True),
        ("Colour", "color", {"spellings": "colour = color\n\ncolr=color"}, True),
        ("color", "colour", {"spellings": "colour = color"}, True),
        ("a;b", "a;b", {}, True),
    ],
)
def test_an_answer_matches_a_target_in_spite_of_what_is_folded(typed, target, changes, matches):
    assert measured(typed, target=target, **changes)["matches_target"] is matches


def test_several_fields_are_measured_each_and_together():
    two = {"text": TWO, "number_of_fields": 2, "target": "bread|loaf; knife"}
    sent = payload("Loaf", "spoon")
    sent["responses"][1] |= {"first_key_ms": 2500.0}
    found = measured(sent=sent, **two)
    assert (found["response"], found["response_folded"]) == ("Loaf | spoon", "loaf | spoon")
    assert (found["first_key_ms"], found["first_key_2_ms"]) == (900.5, 2500.0)
    assert (found["matches_target"], found["matches_target_1"], found["matches_target_2"]) == (False, True, False)
    assert measured("", "", **two)["response"] == ""
    assert measured("loaf", "x", text=TWO, number_of_fields=2, target="loaf")["matches_target"] is True
    declared = {measure.name for measure in PRODUCTION.measures_of({**SETTINGS, "number_of_fields": 2})}
    assert set(found) <= declared
    one_gap = measured("bread", number_of_fields=2)
    assert one_gap["response_1"] == "bread", "a text with one gap among others with two"


def test_what_coders_read_needs_nothing_private():
    planned = trial(extra={"target": "bread"})
    found = PRODUCTION.measure(planned.params, payload("Bread "), ())
    assert found["response"] == "Bread"
    assert "matches_target" not in found


def test_people_code_only_where_the_settings_say_so():
    assert PRODUCTION.coded_measure_of(SETTINGS) == ""
    assert PRODUCTION.coded_measure_of({**SETTINGS, "coding": True}) == "response"
    methods = [found.method for found in PRODUCTION.suggested_analyses_of(["order"], {"coding": True})]
    assert methods == ["glmm", "lmm", "production-norms", "agreement", "incidence", "multinomial", "contingency"]


def test_a_real_keyboard_is_asked_for_where_the_settings_say_so():
    assert PRODUCTION.requirements_of(SETTINGS) == ()
    assert PRODUCTION.requirements_of({**SETTINGS, "keyboard_required": True}) == ("keyboard",)


@pytest.mark.parametrize(
    ("text", "extra", "changes", "said"),
    [
        (TEXT, {}, {}, ""),
        ("No gap here.", {}, {}, "no gap"),
        ("No gap here.", {}, {"task": "continuation"}, ""),
        (TWO, {}, {}, "2 gaps"),
        (TWO, {}, {"number_of_fields": 2}, ""),
        ("hammer", {}, {"task": "naming"}, "There is nothing to name: the columns image, audio and video are empty."),
        ("rain", {"audio": "rain.mp3"}, {"task": "naming"}, ""),
        ("hammer", {"image": "hammer.png"}, {"task": "naming"}, ""),
    ],
)
def test_a_text_that_cannot_be_asked_about_is_said_before_the_study_opens(text, extra, changes, said):
    faults = PRODUCTION.text_faults(text, extra, {**SETTINGS, **changes})
    assert bool(faults) == bool(said)
    assert said in "".join(faults)


def test_shares_that_are_none_are_refused_with_the_column():
    for cell in ("bread", "bread=1.2", "bread=0.7|loaf=0.5", "=0.5"):
        assert [column for column, _said in PRODUCTION.stimulus_faults(TEXT, {"simulated": cell})] == ["simulated"]
    assert PRODUCTION.stimulus_faults(TEXT, {"simulated": "bread=0.7|loaf=0.3"}) == []


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"spellings": "colour"}, "spellings"),
        ({"spellings": "grey = gray\nGrey = dark"}, "spellings"),
        ({"minimum_length": 5, "maximum_length": 3}, "maximum_length"),
        ({"one_word": True, "length_unit": "words", "minimum_length": 2}, "minimum_length"),
        ({"number_of_fields": 7}, "number_of_fields"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(changes, setting):
    _values, faults = checked(ProductionSettings, changes)
    assert [fault.setting for fault in faults] == [setting]


def test_a_session_of_empty_answers_is_flagged():
    answered = [("typed-production", params(extra={"target": "bread"}), payload(one)) for one in ("bread", "", "")]
    quality = PRODUCTION.quality(answered)
    assert quality["empty_share"] == pytest.approx(2 / 3)
    assert quality["target_share"] == pytest.approx(1 / 3)
    assert PRODUCTION.quality_flags(quality, SETTINGS)
    assert not PRODUCTION.quality_flags(quality, {**SETTINGS, "empty_threshold": 70})
