"""Sentence recall: its trials, what it accepts, and what it measures."""

import json
import random

import pytest

from experiments.formats.words import count_words
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.sentence_recall.settings import RecallSettings
from experiments.rules.procedure import checked

RECALL = paradigm_named("sentence-recall")
SETTINGS = {name: declared.initial for name, declared in RecallSettings.base_fields.items()}
TEXT = "The towpath flooded because it had rained."
FRAME = 1000 / 60


def shown(n_targets=10, n_practice=2):
    practice = [ShownStimulus(100 + i, f"Practice sentence {i}.", is_practice=True) for i in range(n_practice)]
    return practice + [ShownStimulus(i, f"This is the sentence number {i}.") for i in range(n_targets)]


def trials(stimuli=None, seed=1, **changes):
    return RECALL.timeline(stimuli or shown(), {**SETTINGS, **changes}, random.Random(seed))


def params(**changes):
    return dict(trials([ShownStimulus(1, TEXT)], **changes)[0].params)


def display(intended=3500.0, *, onset=1000.0, lasted=3500.0, **changes):
    return {
        "intended_ms": intended,
        "onset_ms": onset,
        "offset_ms": onset + lasted,
        "measured_ms": lasted,
        "dropped_frames": 0,
        "late_frames": None,
        "frame_interval_ms": FRAME,
        "flagged": False,
        **changes,
    }


def answer(given=68, **changes):
    return {
        "typed": "" if given is None else str(given),
        "answer": given,
        "ms": 4000.5,
        "first_key_ms": 2500.0,
        "timed_out": False,
        **changes,
    }


def payload(**changes):
    return {
        "displays": [display()],
        "arithmetic": [answer(), answer(53)],
        "recall": "The towpath flooded because it rained",
        "first_key_ms": 900.0,
        "typing_ms": 8000.0,
        "edits": 3,
        "paste_attempts": 0,
        "drop_attempts": 0,
        "copy_attempts": 0,
        "focus_losses": 0,
        "full_screen_exits": 0,
        **changes,
    }


def errors(sent, parameters=None):
    serializer = RECALL.responses["sentence-recall"](data=sent, context={"params": parameters or params()})
    serializer.is_valid()
    return dict(serializer.errors)


def test_practice_comes_before_targets_with_breaks_between():
    assert [trial.phase for trial in trials(break_every=4)] == (
        ["practice"] * 2 + ["main"] * 4 + ["break"] + ["main"] * 4 + ["break"] + ["main"] * 2
    )
    assert "break" not in [trial.phase for trial in trials(break_every=0)]
    main = [trial.params for trial in trials() if trial.phase == "main"]
    assert [(p["index"], p["total"]) for p in main] == [(i, 10) for i in range(1, 11)]


def test_a_whole_sentence_stays_half_a_second_per_word():
    assert count_words(TEXT) == 7
    shown_whole = params()
    assert (shown_whole["words"], shown_whole["display_ms"], shown_whole["segments"]) == (7, 3500, [])


def test_the_display_of_a_whole_sentence_keeps_to_its_limits():
    assert params(minimum_display_ms=4000)["display_ms"] == 4000
    assert params(maximum_display_ms=3000)["display_ms"] == 3000


def test_word_by_word_every_word_is_a_segment_with_its_punctuation():
    by_word = params(presentation="word-by-word", minimum_display_ms=9000)
    assert by_word["segments"] == TEXT.split()
    assert (by_word["display_ms"], by_word["ms_per_word"]) == (3500, 500)


def test_marked_regions_are_counted_and_shown_in_turn():
    stimulus = ShownStimulus(1, "因为下雨，他没来。", extra={"regions": "因为|下雨，|他|没来。"})
    plan = trials([stimulus], presentation="word-by-word")[0].params
    assert (plan["words"], plan["segments"]) == (4, ["因为", "下雨，", "他", "没来。"])


def test_every_trial_has_problems_of_its_own_from_the_seed_of_the_session():
    drawn = [trial.params["problems"] for trial in trials() if trial.phase == "main"]
    assert all(sorted(problem["operator"] for problem in problems) == ["+", "−"] for problems in drawn)
    assert len({json.dumps(problems) for problems in drawn}) == 10
    assert [trial.params for trial in trials(seed=1)] == [trial.params for trial in trials(seed=1)]
    assert [trial.params for trial in trials(seed=1)] != [trial.params for trial in trials(seed=2)]


def test_options_of_the_problems_are_kept():
    harder = params(arithmetic_problems=5, arithmetic_order="subtraction-first", carry_only=True)["problems"]
    assert [problem["operator"] for problem in harder] == ["−", "+", "−", "+", "−"]
    assert all(problem["a"] % 10 < problem["b"] % 10 for problem in harder[::2])
    assert params(arithmetic_problems=0)["problems"] == []


def test_the_browser_learns_neither_answers_nor_design():
    names = {
        *("kind", "text", "words", "presentation", "ms_per_word", "display_ms", "segments", "fixation_ms", "blank_ms"),
        *("problems", "time_limit_ms", "feedback", "keystroke_log", "full_screen", "index", "total"),
    }
    for trial in trials():
        assert set(trial.params) == names
        assert all(set(problem) == {"a", "operator", "b"} for problem in trial.params["problems"])
        json.dumps(dict(trial.params))


def test_feedback_is_given_in_practice_only():
    assert {trial.phase for trial in trials() if trial.params.get("feedback")} == {"practice"}
    assert not any(trial.params["feedback"] for trial in trials(feedback_in_practice=False))


@pytest.mark.parametrize(
    ("sent", "parameters"),
    [
        (payload(), params()),
        (payload(recall="", first_key_ms=None, typing_ms=0), params()),
        (payload(arithmetic=[answer(-5), answer(None)]), params()),
        (payload(arithmetic=[answer(None, typed="6", timed_out=True), answer()]), params(time_limit_ms=5000)),
        (payload(arithmetic=[]), params(arithmetic_problems=0)),
        (
            payload(displays=[display(500, onset=500 * i, lasted=500.0, late_frames=0) for i in range(7)]),
            params(presentation="word-by-word"),
        ),
    ],
)
def test_a_trial_as_the_browser_sends_it_is_accepted(sent, parameters):
    assert errors(sent, parameters) == {}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"displays": []}, "displays"),
        ({"displays": [display(), display(onset=5000.0)]}, "displays"),
        ({"displays": [display(lasted=-1.0)]}, "displays"),
        ({"displays": [display(onset_ms="1000")]}, "displays"),
        ({"displays": [display(more=1)]}, "displays"),
        ({"arithmetic": [answer()]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(), answer()]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(53, typed="54")]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(53.0)]}, "arithmetic"),
        ({"arithmetic": [answer(), answer("53")]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(None, typed="53")]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(None, timed_out=True)]}, "arithmetic"),
        ({"arithmetic": [answer(), answer(53, correct=True)]}, "arithmetic"),
        ({"recall": None}, "recall"),
        ({"recall": "a\x00"}, "recall"),
        ({"recall": "x" * 20_001}, "recall"),
        ({"first_key_ms": -1}, "first_key_ms"),
        ({"typing_ms": None}, "typing_ms"),
        ({"edits": 1.5}, "edits"),
        ({"paste_attempts": -1}, "paste_attempts"),
        ({"words": 7}, "words"),
    ],
)
def test_a_trial_that_cannot_be_right_is_refused_by_field(changes, field):
    assert field in errors(payload(**changes))


def test_an_answer_after_the_time_ran_out_is_refused():
    late = payload(arithmetic=[answer(68, timed_out=True), answer()])
    assert "arithmetic" in errors(late, params(time_limit_ms=5000))


@pytest.mark.parametrize("missing", sorted(payload()))
def test_no_field_of_a_trial_may_be_missing(missing):
    assert missing in errors({name: value for name, value in payload().items() if name != missing})


def measured(sent=None, **changes):
    problems = [{"a": 23, "operator": "+", "b": 45}, {"a": 71, "operator": "−", "b": 18}]
    return RECALL.measure({**params(), "problems": problems, **changes}, sent or payload(), [])


def test_measures_of_a_trial_are_those_that_are_declared():
    assert measured() == {
        "recall": "The towpath flooded because it rained",
        "words": 7,
        "display_intended_ms": 3500,
        "display_measured_ms": 3500.0,
        "display_flagged": False,
        "dropped_frames": 0,
        "arithmetic_problems": "23 + 45; 71 − 18",
        "arithmetic_answers": "68; 53",
        "arithmetic_total": 2,
        "arithmetic_correct": 2,
        "arithmetic_ms": 8001.0,
        "recall_first_key_ms": 900.0,
        "typing_ms": 8000.0,
        "edits": 3,
        "paste_attempts": 0,
        "drop_attempts": 0,
        "copy_attempts": 0,
        "full_screen_exits": 0,
    }
    assert {*measured(), "break_ms"} == {measure.name for measure in RECALL.measures}
    assert RECALL.measure({"done": 4}, {"duration_ms": 5, "instructions_reopened": False}, []) == {"break_ms": 5}
    assert RECALL.measure({"pages": []}, {"page_ms": [3]}, []) == {}


def test_correctness_is_found_from_the_operands():
    wrong = measured(payload(arithmetic=[answer(69), answer(None)]))
    assert (wrong["arithmetic_answers"], wrong["arithmetic_correct"]) == ("69; –", 0)


@pytest.mark.parametrize(
    ("changes", "flagged"),
    [
        ({"lasted": 3500 + FRAME}, False),
        ({"lasted": 3500 - FRAME}, False),
        ({"lasted": 3500 + 1.5 * FRAME}, True),
        ({"lasted": 3500 - 2 * FRAME}, True),
        ({"lasted": 3500 + 2 * FRAME, "flagged": False, "measured_ms": 3500.0}, True),
        ({"flagged": True}, False),
        ({"late_frames": 2}, True),
        ({"late_frames": 2, "lasted": 3500 + 2 * FRAME}, False),
    ],
)
def test_a_display_off_by_more_than_one_frame_is_flagged_whatever_the_browser_says(changes, flagged):
    assert measured(payload(displays=[display(**changes)]))["display_flagged"] is flagged


def test_one_word_that_is_off_flags_the_sentence():
    displays = [display(500, onset=1000 * i, lasted=600.0 if i == 3 else 500.0, dropped_frames=1) for i in range(7)]
    by_word = params(presentation="word-by-word")
    found = RECALL.measure(by_word, payload(displays=displays), [])
    assert (found["display_flagged"], found["dropped_frames"], found["display_measured_ms"]) == (True, 7, 3600.0)


def test_the_intended_time_is_that_of_the_server():
    found = measured(payload(displays=[display(500.0, lasted=500.0)]))
    assert (found["display_intended_ms"], found["display_flagged"]) == (3500, True)


def test_every_measure_is_described():
    for measure in (*RECALL.measures, *RECALL.quality_measures()):
        assert measure.description.endswith(".")
        assert measure.name.isidentifier()


def test_feedback_says_whether_an_answer_is_right_and_nothing_else():
    practice = {**params(), "feedback": True, "problems": [{"a": 71, "operator": "−", "b": 18}]}
    assert RECALL.check(practice, {"problem": 0, "answer": 53}) == {"correct": True}
    assert RECALL.check(practice, {"problem": 0, "answer": 54}) == {"correct": False}
    for number in (-1, 1):
        with pytest.raises(LookupError):
            RECALL.check(practice, {"problem": number, "answer": 53})
    with pytest.raises(LookupError):
        RECALL.check({**practice, "feedback": False}, {"problem": 0, "answer": 53})


@pytest.mark.parametrize("paradigm", [paradigm for paradigm in PARADIGMS if paradigm is not RECALL])
def test_other_paradigms_give_no_feedback_within_a_trial(paradigm):
    with pytest.raises(LookupError):
        paradigm.check({"feedback": True}, {"problem": 0, "answer": 1})


def test_a_session_below_the_threshold_is_flagged():
    problems = [{"a": 23, "operator": "+", "b": 45}, {"a": 71, "operator": "−", "b": 18}]
    plan = {**params(), "problems": problems}
    half = payload(arithmetic=[answer(68), answer(50)], recall=" ", paste_attempts=2)
    practice = ("sentence-recall", {**plan, "kind": "practice"}, payload(arithmetic=[answer(1), answer(2)]))
    quality = RECALL.quality([practice, ("sentence-recall", plan, payload()), ("sentence-recall", plan, half)])
    assert quality == {
        "arithmetic_accuracy": 0.75,
        "problems_timed_out": 0,
        "displays_flagged": 0,
        "empty_recalls": 1,
        "paste_attempts_total": 2,
        "full_screen_exits_total": 0,
    }
    assert set(quality) == {measure.name for measure in RECALL.quality_measures()} == set(RECALL.quality([]))
    assert RECALL.quality_flags(quality, {**SETTINGS, "accuracy_threshold": 75}) == []
    assert RECALL.quality_flags(quality, {**SETTINGS, "accuracy_threshold": 76}) == [
        "Fewer than 76 % of the arithmetic problems were answered correctly"
    ]
    assert RECALL.quality_flags(RECALL.quality([]), SETTINGS) == []


def test_settings_have_help_and_defaults_and_are_checked():
    values, faults = checked(RecallSettings, {})
    assert (values, faults) == (SETTINGS, [])
    assert all(field.help_text for field in RecallSettings.base_fields.values())
    _values, faults = checked(
        RecallSettings, {"presentation": "letters", "minimum_display_ms": 900, "maximum_display_ms": 800}
    )
    assert [fault.setting for fault in faults] == ["presentation", "maximum_display_ms"]


def test_the_default_codes_are_those_of_table_1():
    codes = [(code.code, code.weight, code.is_exclusive) for code in RECALL.default_error_codes]
    assert codes == [
        ("0", 0.5, True), ("1", 0.4, True), ("2", -0.25, False), ("3", -0.5, False), ("4", -0.5, False),
        ("5", 0.25, True), ("6", 0.25, True),
    ]  # fmt: skip
    assert RECALL.coded_measure in {measure.name for measure in RECALL.measures}


@pytest.mark.parametrize(
    ("text", "extra", "columns"),
    [
        (TEXT, {}, []),
        (TEXT, {"clause_a": "it had rained", "clause_b": "the towpath flooded", "connective": "because"}, []),
        ("他没来。", {}, ["text"]),
        ("他没来。", {"regions": "他|没来。"}, []),
        ("他没来。", {"regions": "她|没来。"}, ["regions"]),
        ("?!", {}, ["text"]),
    ],
)
def test_materials_are_checked_for_words_and_regions(text, extra, columns):
    assert [column for column, _ in RECALL.stimulus_faults(text, extra)] == columns
    assert len(RECALL.text_faults(text, extra, SETTINGS)) == len(columns)
    assert RECALL.stimulus_warnings(text, extra) == []


def test_marked_words_that_do_not_stand_in_the_text_are_pointed_out():
    odd = {"clause_a": "it has rained", "connective": "Because"}
    assert [column for column, _ in RECALL.stimulus_warnings(TEXT, odd)] == ["clause_a"]
    assert RECALL.stimulus_faults(TEXT, odd) == []


def test_a_text_without_its_regions_can_be_looked_at_but_not_run():
    stimulus = ShownStimulus(1, "他没来。")
    assert trials([stimulus])[0].params["words"] == 1
    assert trials([stimulus], presentation="word-by-word")[0].params["segments"] == ["他没来。"]
    assert RECALL.text_faults("他没来。", {}, SETTINGS) != []
