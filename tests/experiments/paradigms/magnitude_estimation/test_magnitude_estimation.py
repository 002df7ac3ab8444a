"""Magnitude estimation: its trials, what it accepts, what it measures, and participants who are simulated."""

import json
import math
import random
import statistics
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import PARADIGMS, UnknownParadigm, paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.magnitude_estimation.simulation import (
    INTERACTION,
    MAIN_EFFECT,
    simulated_effect,
    simulated_item_effect,
)
from experiments.paradigms.pieces.line_length import fit, lengths
from experiments.rules.procedure import checked

pytestmark = pytest.mark.slow

ME = paradigm_named("magnitude-estimation")
SETTINGS = {
    "modulus_text": "The reference.",
    "allow_zero": False,
    "line_length_training": True,
    "line_length_trials": 6,
    "break_every": 4,
}
QUESTIONS = [
    {"name": "language", "label": "Language?", "kind": "choice", "choices": ["English", "Other"], "required": True},
    {"name": "age", "label": "Age?", "kind": "number", "choices": [], "required": False},
    {"name": "note", "label": "Note?", "kind": "text", "choices": [], "required": False},
]


def shown(n_targets=10, n_practice=2):
    practice = [ShownStimulus(100 + i, f"Practice {i}.", is_practice=True) for i in range(n_practice)]
    return practice + [ShownStimulus(i, f"Sentence {i}.") for i in range(n_targets)]


def trials(settings=SETTINGS, **counts):
    return ME.timeline(shown(**counts), settings, random.Random(1))


def params(kind="target", *, allow_zero=False):
    return {"kind": kind, "text": "x", "modulus_text": "m", "allow_zero": allow_zero, "index": 1, "total": 1}


def judgement(**changes):
    payload = {"typed": "12,5", "number": 12.5, "modulus_number": 10, "first_key_ms": 800.5, "edits": 0, "refused": []}
    return {**payload, **changes}


def errors(plugin, payload, parameters):
    serializer = ME.responses[plugin](data=payload, context={"params": parameters})
    serializer.is_valid()
    return dict(serializer.errors)


def test_the_timeline_is_training_modulus_practice_and_targets_with_breaks_between():
    assert [trial.phase for trial in trials()] == (
        ["training"] * 6
        + ["modulus"]
        + ["practice"] * 2
        + ["main"] * 4
        + ["break"]
        + ["main"] * 4
        + ["break"]
        + ["main"] * 2
    )


def test_there_is_no_break_after_the_last_judgement_and_none_at_all_where_none_is_wanted():
    assert [trial.phase for trial in trials(n_targets=8)].count("break") == 1
    assert "break" not in [trial.phase for trial in trials({**SETTINGS, "break_every": 0})]


def test_training_can_be_left_out():
    assert trials({**SETTINGS, "line_length_training": False})[0].phase == "modulus"


def test_targets_are_counted_for_the_participant_and_breaks_say_how_far_one_is():
    main = [trial.params for trial in trials() if trial.phase == "main"]
    assert [(p["index"], p["total"]) for p in main] == [(i, 10) for i in range(1, 11)]
    assert [t.params for t in trials() if t.phase == "break"] == [
        {"done": 4, "total": 10, "pages": []},
        {"done": 8, "total": 10, "pages": []},
    ]


def test_the_browser_learns_neither_item_nor_condition_nor_list():
    for trial in trials():
        json.dumps(dict(trial.params))
        assert not {"item", "condition", "list", "levels", "stimulus_id", "is_filler"} & set(trial.params)


def test_the_modulus_can_never_be_zero():
    modulus = next(t for t in trials({**SETTINGS, "allow_zero": True}) if t.phase == "modulus")
    assert modulus.params["allow_zero"] is False
    zero = judgement(typed="0", number=0, modulus_number=None)
    assert "typed" in errors("magnitude-estimation", zero, params("modulus", allow_zero=True))


def test_lines_cover_ratios_from_a_quarter_to_three_and_a_half_in_equal_steps():
    steps = lengths(6)
    ratios = [b / a for a, b in pairwise(steps)]
    assert max(ratios) - min(ratios) < 0.01
    drawn = [trial.params for trial in trials() if trial.phase == "training"]
    assert sorted(p["length"] for p in drawn) == steps
    assert all(0 < p["length"] < 1 and 0 < p["reference"] < 1 for p in drawn)


@pytest.mark.parametrize("payload", [judgement(), judgement(first_key_ms=None), judgement(refused=["-1", "abc"])])
def test_a_judgement_as_the_browser_sends_it_is_accepted(payload):
    assert errors("magnitude-estimation", payload, params()) == {}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"number": 12}, "number"),
        ({"number": "12.5"}, "number"),
        ({"number": True, "typed": "1"}, "number"),
        ({"number": float("nan")}, "number"),
        ({"number": float("inf")}, "number"),
        ({"typed": 12.5}, "typed"),
        ({"typed": "-3", "number": -3}, "typed"),
        ({"typed": "0", "number": 0}, "typed"),
        ({"typed": "12\x00,5"}, "typed"),
        ({"typed": ""}, "typed"),
        ({"modulus_number": None}, "modulus_number"),
        ({"modulus_number": 0}, "modulus_number"),
        ({"modulus_number": "10"}, "modulus_number"),
        ({"first_key_ms": -1}, "first_key_ms"),
        ({"edits": -1}, "edits"),
        ({"edits": 1.5}, "edits"),
        ({"edits": True}, "edits"),
        ({"refused": "abc"}, "refused"),
        ({"refused": [3]}, "refused"),
        ({"condition": "because"}, "condition"),
    ],
)
def test_a_judgement_that_cannot_be_right_is_refused_by_field(changes, field):
    assert field in errors("magnitude-estimation", judgement(**changes), params())


@pytest.mark.parametrize("missing", ["typed", "number", "modulus_number", "first_key_ms", "edits", "refused"])
def test_no_field_of_a_judgement_may_be_missing(missing):
    payload = {name: value for name, value in judgement().items() if name != missing}
    assert missing in errors("magnitude-estimation", payload, params())


def test_zero_is_accepted_where_the_study_allows_it():
    assert errors("magnitude-estimation", judgement(typed="0", number=0), params(allow_zero=True)) == {}


def test_the_modulus_has_no_modulus_number():
    assert errors("magnitude-estimation", judgement(modulus_number=None), params("modulus")) == {}
    assert "modulus_number" in errors("magnitude-estimation", judgement(), params("modulus"))


def test_line_estimates_are_checked_by_the_same_rule():
    line = {"typed": "20", "number": 20, "first_key_ms": 500, "edits": 1, "refused": []}
    assert errors("line-length", line, {}) == {}
    assert "number" in errors("line-length", {**line, "number": 21}, {})
    assert "typed" in errors("line-length", {**line, "typed": "0", "number": 0}, {})


@pytest.mark.parametrize(
    ("answers", "right"),
    [
        ({"language": "English", "age": 31, "note": "text"}, True),
        ({"language": "English", "age": None, "note": None}, True),
        ({"language": None, "age": 31, "note": ""}, False),
        ({"language": "French", "age": 31, "note": ""}, False),
        ({"language": "English", "age": "31", "note": ""}, False),
        ({"language": "English", "age": True, "note": ""}, False),
        ({"language": "English", "age": 31, "note": 5}, False),
        ({"language": "English", "age": 31, "note": "a\x00"}, False),
        ({"language": "English", "age": 31, "note": "x" * 2001}, False),
        ({"language": "English", "age": 31}, False),
        ({"language": "English", "age": 31, "note": "", "more": 1}, False),
        ({"language": ["English"], "age": 31, "note": ""}, False),
    ],
)
def test_background_answers_are_checked_question_by_question(answers, right):
    assert (errors("background-questions", {"answers": answers}, {"questions": QUESTIONS}) == {}) == right


def test_pages_and_breaks_report_times():
    assert errors("pages", {"page_ms": [100.5, 2000]}, {"pages": [[], []]}) == {}
    assert "page_ms" in errors("pages", {"page_ms": [100, -1]}, {})
    assert errors("break", {"duration_ms": 5000, "instructions_reopened": False}, {}) == {}
    assert "instructions_reopened" in errors("break", {"duration_ms": 5000, "instructions_reopened": "false"}, {})


def test_every_plugin_of_the_timeline_has_a_serializer():
    elsewhere = {"background-questions", "pages", "sound-check", "headphones-check", "break-feedback"}
    assert {trial.plugin for trial in trials()} | elsewhere == set(ME.responses)


def test_measures_of_a_judgement_a_line_and_a_break():
    assert ME.measure(params(), judgement(refused=["a", "b"]), []) == {
        "rating": 12.5,
        "typed": "12,5",
        "first_key_ms": 800.5,
        "edits": 0,
        "refused_attempts": 2,
        "modulus": 10,
    }
    line = ME.measure({"reference": 0.25, "length": 0.5, "reference_number": 10}, judgement(), [])
    assert (line["rating"], line["line_ratio"], "modulus" in line) == (12.5, 2, False)
    assert ME.measure({"done": 4}, {"duration_ms": 5, "instructions_reopened": False}, []) == {"break_ms": 5}
    assert ME.measure({"pages": []}, {"page_ms": [3]}, []) == {}


def test_only_declared_measures_are_returned_and_each_is_described():
    declared = {measure.name for measure in ME.measures}
    assert set(ME.measure(params(), judgement(), [])) <= declared
    for measure in (*ME.measures, *ME.quality_measures()):
        assert measure.description.endswith(".")
        assert measure.name.isidentifier()


def test_the_modulus_number_is_carried_to_later_trials():
    modulus = ("magnitude-estimation", judgement(typed="50", number=50, modulus_number=None))
    assert ME.carried([]) == {}
    assert ME.carried([("line-length", judgement())]) == {}
    assert ME.carried([modulus]) == {"modulus_number": 50}
    later = ("magnitude-estimation", judgement(modulus_number=50))
    assert ME.carried([modulus, later, ("break", {"duration_ms": 1})]) == {"modulus_number": 50}


def test_quality_of_a_session():
    lines = [("line-length", {"length": x, "reference": 0.25}, judgement(number=40 * x)) for x in (0.1, 0.3, 0.9)]
    ratings = [("magnitude-estimation", params(), judgement(number=n, refused=["x"])) for n in (5, 5, 5, 0)]
    quality = ME.quality([*lines, ("magnitude-estimation", params("practice"), judgement(number=99)), *ratings])
    assert quality == {
        "line_slope": 1.0,
        "line_correlation": 1.0,
        "distinct_ratings": 2,
        "modal_share": 0.75,
        "zero_ratings": 1,
        "refused_attempts_total": 4,
    }
    assert set(quality) == {measure.name for measure in ME.quality_measures()} == set(ME.quality([]))
    assert ME.quality([])["modal_share"] is None


@given(st.floats(0.2, 3), st.floats(0.1, 100))
def test_the_slope_of_a_power_function_is_its_exponent(exponent, factor):
    points = [(x, factor * x**exponent) for x in (0.2, 0.5, 1.1, 3.7)]
    assert fit(points) == {
        "line_slope": pytest.approx(exponent, rel=1e-6),
        "line_correlation": pytest.approx(1, rel=1e-6),
    }


def test_the_slope_agrees_with_the_least_squares_of_the_standard_library():
    rng = random.Random(3)
    points = [(rng.uniform(0.1, 4), rng.uniform(1, 60)) for _ in range(12)]
    logs = [(math.log(x), math.log(y)) for x, y in points]
    slope = statistics.linear_regression(*zip(*logs, strict=True)).slope
    correlation = statistics.correlation(*zip(*logs, strict=True))
    assert fit(points) == {
        "line_slope": pytest.approx(slope, abs=1e-9),
        "line_correlation": pytest.approx(correlation, abs=1e-9),
    }


def test_the_first_suggestion_is_a_mixed_model_and_all_use_the_studys_factors():
    suggested = ME.suggested_analyses(["marker", "order"])
    assert [s.method for s in suggested] == [
        "lmm", "normalise", "n-best", "rm-anova", "rm-anova", "min-f", "tukey",
    ]  # fmt: skip
    assert suggested[3].params["within"] == "marker,order"
    assert suggested[0].params["formula"] == (
        "rating_log ~ marker*order + (1 + marker*order || participant) + (1 + marker*order || item)"
    )
    assert [s.method for s in ME.suggested_analyses([])] == ["normalise"]


def test_settings_have_help_and_defaults_and_are_checked():
    values, faults = checked(ME.settings_form, {"modulus_text": "A sentence."})
    assert faults == []
    shown = {"question": "", "modulus_image": "", "sound": "none", "sound_check": True, "headphones_check": False}
    assert values == {**SETTINGS, "modulus_text": "A sentence.", "refuse_copying": False, "break_every": 36, **shown}
    assert all(field.help_text for field in ME.settings_form.base_fields.values())
    _values, faults = checked(
        ME.settings_form, {"allow_zero": "yes", "break_every": 2.5, "line_length_trials": 2, "x": 1}
    )
    assert [str(fault) for fault in faults] == [
        "Setting 'x': There is no such setting. Possible names: 'modulus_text', 'allow_zero', 'refuse_copying', "
        "'line_length_training', 'line_length_trials', 'break_every', 'question', 'modulus_image', 'sound', "
        "'sound_check', 'headphones_check'.",
        "Setting 'allow_zero': 'yes' is not true or false.",
        "Setting 'break_every': 2.5 is not a whole number.",
        "Setting 'line_length_trials': Ensure this value is greater than or equal to 3.",
    ]


def test_a_study_without_a_modulus_sentence_cannot_open():
    assert ME.opening_faults({"modulus_text": " "}) != []
    assert ME.opening_faults(SETTINGS) == []


def simulated_session(seed, settings, *, levels=None):
    rng = random.Random(seed)
    participant = ME.virtual_participant(rng, settings)
    answered: list[tuple[str, Mapping[str, Any], dict[str, Any]]] = []
    for trial in ME.timeline(shown(40), settings, random.Random(seed)):
        payload = participant.respond(
            trial.plugin,
            trial.params,
            levels=levels or {},
            item="flood",
            carried=ME.carried([(p, a) for p, _, a in answered]),
        )
        assert errors(trial.plugin, payload, trial.params) == {}
        assert participant.response_ms(trial.plugin, payload) > 0
        answered.append((trial.plugin, trial.params, payload))
    return answered


@pytest.mark.parametrize("allow_zero", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_everything_a_simulated_participant_answers_is_accepted(seed, allow_zero):
    answered = simulated_session(seed, {**SETTINGS, "allow_zero": allow_zero}, levels={"marker": "bad", "order": "x"})
    ratings = [payload["number"] for plugin, _, payload in answered if plugin == "magnitude-estimation"]
    assert allow_zero or 0 not in ratings
    assert 0.6 < ME.quality(answered)["line_slope"] < 1.3


def test_a_simulated_participant_is_the_same_for_the_same_seed():
    assert simulated_session(4, SETTINGS) == simulated_session(4, SETTINGS)
    assert simulated_session(4, SETTINGS) != simulated_session(5, SETTINGS)


def test_simulated_participants_answer_the_shared_pages():
    participant = ME.virtual_participant(random.Random(2), SETTINGS)
    nothing: dict[str, Any] = {"levels": {}, "item": "", "carried": {}}
    answers = participant.respond("background-questions", {"questions": QUESTIONS}, **nothing)
    assert errors("background-questions", answers, {"questions": QUESTIONS}) == {}
    pages = participant.respond("pages", {"pages": [[], []]}, **nothing)
    assert errors("pages", pages, {"pages": [[], []]}) == {}
    assert participant.response_ms("pages", pages) == sum(pages["page_ms"])
    assert participant.response_ms("background-questions", answers) > 0


def test_known_effects_come_back_from_simulated_ratings():
    # Two conditions far apart; the mean log ratio differs by what the documented effect says, times compression.
    high, low = {"marker": "because-of", "order": "effect-cause"}, {"marker": "cause-verb", "order": "effect-cause"}
    differences = []
    for seed in range(60):
        means = {}
        for name, levels in (("high", high), ("low", low)):
            answered = simulated_session(seed, SETTINGS, levels=levels)
            means[name] = statistics.mean(
                math.log(payload["number"] / payload["modulus_number"])
                for plugin, p, payload in answered
                if plugin == "magnitude-estimation" and p["kind"] == "target"
            )
        differences.append(means["high"] - means["low"])
    mean_compression = math.exp(0.3**2 / 2)
    expected = mean_compression * (simulated_effect(high) - simulated_effect(low))
    assert statistics.mean(differences) == pytest.approx(expected, abs=0.2)


@given(st.dictionaries(st.sampled_from(["marker", "order", "genre"]), st.text(max_size=8)), st.text(max_size=8))
def test_simulated_effects_are_bounded_and_do_not_depend_on_the_order_of_factors(levels, item):
    pairs = len(levels) * (len(levels) - 1) / 2
    assert abs(simulated_effect(levels)) <= MAIN_EFFECT * len(levels) + INTERACTION * pairs
    assert simulated_effect(dict(reversed(levels.items()))) == simulated_effect(levels)
    assert abs(simulated_item_effect(item)) <= 0.25


def test_paradigms_have_slugs_of_their_own_and_an_unknown_one_is_named():
    assert len({paradigm.slug for paradigm in PARADIGMS}) == len(PARADIGMS)
    with pytest.raises(UnknownParadigm, match=r"no paradigm 'x'. Known are: magnitude-estimation"):
        paradigm_named("x")


def test_copying_is_a_column_of_studies_that_refuse_it():
    refusing = {**SETTINGS, "refuse_copying": True}
    judged = [trial for trial in trials(refusing) if trial.plugin == "magnitude-estimation"]
    assert all(trial.params["refuse_copying"] for trial in judged)
    assert not any("refuse_copying" in trial.params for trial in trials())
    assert ME.measure(judged[0].params, judgement(copy_attempts=2), [])["copy_attempts"] == 2
    names = [[measure.name for measure in ME.measures_of(settings)] for settings in (SETTINGS, refusing)]
    assert names[1] == [*names[0], "copy_attempts"]
    assert errors("magnitude-estimation", judgement(copy_attempts=-1), params())
