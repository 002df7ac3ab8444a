"""Timed choice: what is planned, what is checked, and the measures that come out."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import VARIANT, ShownStimulus
from experiments.paradigms.timed_choice.settings import ChoiceSettings
from experiments.paradigms.timed_choice.simulation import ChoiceParticipant, simulated_slowing
from experiments.rules.procedure import checked
from experiments.study_files.examples import example_studies
from experiments.study_files.toml import read_toml

CHOICE = paradigm_named("timed-choice")
LEXICAL = {"answers": "nonword | f\nword | j", "iti_ms": 500, "break_every": 0}
SETTINGS = CHOICE.complete_settings(LEXICAL)
EXAMPLES = [example for example in example_studies() if example.paradigm == "timed-choice"]


def plan(text="otter", *, seed=1, is_practice=False, changes=None, **extra):
    media: dict[str, dict[str, str]] = {
        column: {"kind": column, "url": f"/{extra[column]}"} for column in ("image", "audio") if column in extra
    }
    shown = [ShownStimulus(1, text, extra={"correct": "word", **extra}, is_practice=is_practice, media=media)]
    return CHOICE.timeline(shown, {**SETTINGS, **(changes or {})}, random.Random(seed))[0]


def shown(plan):
    return [(display["kind"], display["text"], display["ms"]) for display in plan.params["displays"]]


def record(ms=500.0, *, at=1000.0, lasted=None, **changes):
    lasted = ms if lasted is None else lasted
    return {
        "intended_ms": ms,
        "onset_ms": at,
        "offset_ms": at + lasted,
        "shown_ms": at + 8,
        "gone_ms": at + 8 + lasted,
        "measured_ms": lasted,
        "dropped_frames": 0,
        "late_frames": 0,
        "frame_interval_ms": 1000 / 60,
        "doubtful": False,
        "flagged": False,
        **changes,
    }


def payload(plan, **changes):
    displays, at = [], 1000.0
    for display in plan.params["displays"]:
        displays.append(record(display["ms"], at=at))
        at += display["ms"]
    answered = {"answer": 1, "by": "key", "rt_ms": 512.5, "timed_out": False, "early": 0}
    return {"displays": displays, **answered, **changes}


NO_ANSWER = {"answer": None, "by": None, "rt_ms": None, "timed_out": True}


def measured(plan, given):
    return CHOICE.measure({**plan.params, **plan.private}, given, [])


def faults(plan, given):
    serializer = CHOICE.responses["timed-choice"](data=given, context={"params": plan.params})
    return "" if serializer.is_valid() else str(serializer.errors)


def test_every_display_is_a_cell_or_a_setting_and_a_mask_is_as_long_as_the_text():
    changes = {"forward_mask_ms": 500, "prime_ms": 50, "backward_mask_ms": 33, "backward_mask": "&"}
    masked = plan("OTTER", changes=changes, prime="otters")
    assert shown(masked) == [
        ("fixation", "+", 500),
        ("forward_mask", "######", 500),
        ("prime", "otters", 50),
        ("backward_mask", "&&&&&&", 33),
    ]
    own = plan("OTTER", changes=changes, prime="otter", forward_mask="%$%$", fixation="*")
    assert [text for _kind, text, _ms in shown(own)] == ["*", "%$%$", "otter", "&&&&&"]
    assert masked.params["stays"]


def test_a_row_without_a_prime_is_blank_for_its_time():
    assert shown(plan(changes={"prime_ms": 50, "fixation_ms": 0})) == [("prime", "", 50)]


def test_word_by_word_every_word_is_a_display_and_nothing_stays():
    changes = {"presentation": "word-by-word", "ms_per_word": 300, "fixation_ms": 0, "timed_from": "end"}
    spoken = plan("The key was lost.", changes=changes)
    assert shown(spoken) == [("target", word, 300) for word in ("The", "key", "was", "lost.")]
    assert not spoken.params["stays"]
    assert shown(plan("他没来。", changes=changes, regions="他|没来。")) == [
        ("target", "他", 300),
        ("target", "没来。", 300),
    ]


def test_a_target_with_a_time_of_its_own_is_a_display_and_a_sound_never_is():
    assert shown(plan(changes={"target_ms": 200, "fixation_ms": 0})) == [("target", "otter", 200)]
    sound = plan(changes={"target_ms": 200, "fixation_ms": 0}, audio="otter.mp3")
    assert (sound.params["displays"], sound.params["stays"]) == ([], True)
    assert sound.params["audio"] == {"kind": "audio", "url": "/otter.mp3", "replay": False}


def test_a_picture_is_shown_with_or_without_its_text():
    picture = plan(image="otter.png", alt="an otter")
    shown_so = {"kind": "image", "url": "/otter.png", "alt": "an otter"}
    assert picture.params["image"] == shown_so
    assert picture.params["with_text"]
    assert not plan(image="otter.png", changes={"with_text": False}).params["with_text"]
    assert plan(changes={"with_text": False}).params["with_text"], "a text alone is always shown"


def test_keys_stay_and_answers_move_so_that_each_is_once_at_every_place():
    answers = "never | d\nsometimes | g\nalways | k"
    places: Counter[Any] = Counter()
    for variant in range(3):
        changed = plan(changes={"answers": answers, VARIANT: variant, "scored": False})
        assert [answer["key"] for answer in changed.params["answers"]] == ["d", "g", "k"]
        assert changed.params["mapping"] == variant + 1
        places.update((answer["name"], place) for place, answer in enumerate(changed.params["answers"]))
    assert set(places.values()) == {1}
    assert len(places) == 9


def test_a_fixed_mapping_has_one_variant_and_a_counterbalanced_one_as_many_as_answers():
    assert CHOICE.variants_of(SETTINGS) == 2
    assert CHOICE.variants_of({**SETTINGS, "mapping": "fixed"}) == 1
    assert CHOICE.variants_of({**SETTINGS, "answers": "a | 1\nb | 2\nc | 3\nd | 4"}) == 4


def test_the_interval_is_drawn_from_the_seed_within_its_bounds():
    changes = {"iti_ms": 400, "iti_jitter_ms": 200}
    drawn = [plan(seed=seed, changes=changes).params["iti_ms"] for seed in range(40)]
    assert drawn == [plan(seed=seed, changes=changes).params["iti_ms"] for seed in range(40)]
    assert 400 <= min(drawn) < 450
    assert 550 < max(drawn) <= 600


def test_the_browser_never_learns_which_answer_is_right():
    told = plan().params
    assert "right_answer" not in told
    assert "correct" not in str(told)
    assert plan().private["right_answer"] == "word"


def test_an_answer_yields_its_measures():
    trial = plan(changes={VARIANT: 1})
    given = payload(trial, answer=0, rt_ms=500.0, by="button")
    assert measured(trial, given) == {
        "choice": "word",
        "right_answer": "word",
        "correct": True,
        "timed_out": False,
        "too_fast": False,
        "side": "left",
        "answered_by": "button",
        "mapping": 2,
        "log_rt": math.log(500),
        "inverse_rt": -2.0,
        "early_presses": 0,
        "prime_ms": None,
        "prime_flagged": None,
        "displays_flagged": 0,
        "answer_label": "word",
        "prime_soa_ms": None,
    }


def test_without_an_answer_nothing_is_right_or_wrong():
    values = measured(plan(), payload(plan(), **NO_ANSWER))
    assert values["timed_out"]
    assert [values[name] for name in ("choice", "correct", "too_fast", "side", "log_rt", "inverse_rt")] == [None] * 6


def test_an_answer_without_a_right_one_is_neither_right_nor_wrong():
    trial = plan(changes={"scored": False})
    assert measured(trial, payload(trial))["choice"] == "word"
    assert measured(trial, payload(trial))["correct"] is None


GO = CHOICE.complete_settings({"answers": "go | space", "withheld": True, "deadline_ms": 900, "signal": "go"})


@pytest.mark.parametrize("cell", ["none", "None", "no-go", "NoGo", "no response", "withhold", "null"])
def test_a_withheld_answer_is_scored_like_any_other(cell):
    for right, presses, correct in (("go", 0, True), ("go", None, False), (cell, 0, False), (cell, None, True)):
        trial = plan(changes=GO, correct=right)
        given = payload(trial, answer=0) if presses == 0 else payload(trial, **NO_ANSWER)
        assert faults(trial, given) == ""
        values = measured(trial, given)
        assert values["correct"] is correct
        assert values["choice"] == (None if presses is None else "go")
        assert values["timed_out"] is (presses is None)
        assert values["right_answer"] == ("go" if right == "go" else "none")
        asked = {**plan(is_practice=True, changes=GO, correct=right).params, **trial.private}
        assert CHOICE.check(asked, {"problem": 0, "answer": -1 if presses is None else 0}) == {"correct": correct}
    assert CHOICE.text_faults("otter", {"correct": cell}, GO) == []
    assert "press nothing" in " ".join(CHOICE.text_faults("otter", {"correct": cell}, SETTINGS))
    with pytest.raises(LookupError):
        CHOICE.check({**plan(is_practice=True).params, **plan().private}, {"problem": 0, "answer": -1})


def test_accuracy_counts_withheld_answers_and_only_missing_presses_are_missing():
    trials = [plan(changes=GO, correct=right) for right in ("go", "go", "go", "none", "none")]
    given = [payload(trials[0], answer=0), payload(trials[1], answer=0), payload(trials[2], **NO_ANSWER)]
    given += [payload(trials[3], answer=0), payload(trials[4], **NO_ANSWER)]
    answered = [
        ("timed-choice", {**trial.params, **trial.private}, one) for trial, one in zip(trials, given, strict=True)
    ]
    quality = CHOICE.quality(answered)
    assert quality["accuracy"] == 3 / 5
    assert quality["timed_out_share"] == 1 / 3


def test_virtual_people_press_on_go_more_often_than_on_no_go():
    rng = random.Random(4)
    pressed = {"go": 0, "none": 0}
    for _person in range(20):
        person = ChoiceParticipant(rng)
        for right in pressed:
            trial = plan(changes=GO, correct=right)
            for number in range(20):
                given = person.answer({**trial.params, **trial.private}, {}, f"{number}")
                assert faults(trial, given) == ""
                pressed[right] += given["answer"] is not None
    assert pressed["go"] > 300
    assert 0 < pressed["none"] < 100


@pytest.mark.parametrize(("rt_ms", "too_fast"), [(199.9, True), (200.0, False)])
def test_what_is_too_fast_is_a_setting(rt_ms, too_fast):
    assert measured(plan(), payload(plan(), rt_ms=rt_ms))["too_fast"] is too_fast


@pytest.mark.parametrize(("lasted", "flagged", "frames"), [(50.0, False, 3), (66.7, True, 4), (33.3, True, 2)])
def test_a_prime_that_is_off_by_a_frame_flags_its_trial(lasted, flagged, frames):
    trial = plan(changes={"prime_ms": 50, "fixation_ms": 0}, prime="water")
    given = payload(trial, displays=[record(50.0, lasted=lasted)])
    assert measured(trial, given)["prime_flagged"] is flagged
    assert measured(trial, given)["displays_flagged"] == int(flagged)
    (row,) = CHOICE.long_rows("displays", {**trial.params, **trial.private}, given, [])
    assert (row["kind"], row["display_text"], row["planned_ms"], row["frames"]) == ("prime", "water", 50, frames)
    assert row["display_flagged"] is flagged


def test_a_prime_of_which_the_browser_is_not_sure_is_flagged():
    trial = plan(changes={"prime_ms": 50, "fixation_ms": 0}, prime="water")
    given = payload(trial, displays=[record(50.0, doubtful=True)])
    assert measured(trial, given)["prime_flagged"] is True


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": 2},
        {"answer": None},
        {"rt_ms": None},
        {"rt_ms": -1.0},
        {"by": "mind"},
        {"timed_out": True},
        {"displays": []},
        {"early": -1},
    ],
)
def test_an_answer_that_cannot_be_is_refused(changes):
    assert faults(plan(), payload(plan())) == ""
    assert faults(plan(), {**payload(plan()), **changes}) != ""


def test_time_can_run_out_only_where_there_is_a_deadline():
    assert faults(plan(), payload(plan(), **NO_ANSWER)) == ""
    endless = plan(changes={"deadline_ms": 0})
    assert endless.params["deadline_ms"] is None
    assert "no deadline" in faults(endless, payload(endless, **NO_ANSWER))


def test_feedback_is_given_in_practice_alone_unless_the_settings_say_otherwise():
    def verdict(trial, place):
        return CHOICE.check({**trial.params, **trial.private}, {"problem": 0, "answer": place})

    assert verdict(plan(is_practice=True), 1) == {"correct": True}
    assert verdict(plan(is_practice=True), 0) == {"correct": False}
    with pytest.raises(LookupError):
        verdict(plan(), 1)
    with pytest.raises(LookupError):
        verdict(plan(is_practice=True), 2)
    with pytest.raises(LookupError):
        verdict(plan(is_practice=True, changes={"scored": False}), 1)
    assert verdict(plan(changes={"feedback_in_main": True}), 1) == {"correct": True}
    assert verdict(plan(changes={"error_pause_ms": 1000}), 0) == {"correct": False}


@pytest.mark.parametrize(
    ("changes", "setting", "said"),
    [
        ({"answers": "word | j"}, "answers", "2 to 4 answers"),
        (
            {"withheld": True, "deadline_ms": 0},
            "deadline_ms",
            "If not pressing may be right, a trial needs a deadline. Write its milliseconds.",
        ),
        ({"withheld": True, "answers": "none | j\ngo | f"}, "answers", "another name"),
        ({"withheld": True, "scored": False}, "withheld", "right or wrong"),
        ({"answers": "word | j\nword | f"}, "answers", "name 'word' appears twice"),
        ({"answers": "word | j\nnonword | J"}, "answers", "The key 'j' appears twice."),
        ({"answers": "word | j\nnonword | shift"}, "answers", "must be one character"),
        ({"answers": "word | j\n| f"}, "answers", "has no name"),
        ({"signal": "noise"}, "signal", "not one of the answers"),
        ({"scored": False, "feedback_in_main": True}, "feedback_in_main", "right or wrong"),
        ({"scored": False, "error_pause_ms": 500}, "error_pause_ms", "right or wrong"),
    ],
)
def test_settings_that_do_not_go_together_are_said(changes, setting, said):
    _values, found = checked(CHOICE.settings_form, {**LEXICAL, **changes})
    assert any(fault.setting == setting and said in fault.message for fault in found), found


@pytest.mark.parametrize(
    ("changes", "extra", "said"),
    [
        ({}, {"correct": ""}, "No answer is right"),
        ({}, {"correct": "yes"}, "the answers are nonword, word"),
        ({"timed_from": "end"}, {}, "stays until the answer"),
        ({"presentation": "word-by-word"}, {}, "without spaces between words"),
    ],
)
def test_a_text_that_cannot_be_shown_so_is_said(changes, extra, said):
    text = "因为下雨，他没来。" if "presentation" in changes else "otter"
    given = {**SETTINGS, **changes}
    assert said in " ".join(CHOICE.text_faults(text, {"correct": "word", **extra}, given))
    assert CHOICE.text_faults("otter", {"correct": "word"}, SETTINGS) == []


def test_keys_alone_need_a_keyboard():
    assert CHOICE.requirements_of({**SETTINGS, "respond_with": "keys"}) == ("keyboard",)
    assert CHOICE.requirements_of(SETTINGS) == ()


def test_every_setting_stands_once_on_the_page_and_what_is_usual_above_the_folds():
    form = ChoiceSettings
    assert CHOICE.settings_form is form
    folded = [name for _label, names in form.folded for name in names]
    assert len(folded) == len(set(folded))
    assert set(folded) <= set(form.base_fields)
    above = [name for name in form.base_fields if name not in folded]
    assert above[:3] == ["answers", "scored", "mapping"]
    assert len(above) < len(form.base_fields) / 2


def test_the_quality_of_a_session_counts_targets_and_fillers():
    trial = {**plan().params, **plan().private}
    given = [
        payload(plan()),
        payload(plan(), answer=0, rt_ms=150.0),
        payload(plan(), **NO_ANSWER),
        payload(plan(), early=3),
    ]
    quality = CHOICE.quality([("timed-choice", trial, each) for each in given])
    assert quality["accuracy"] == pytest.approx(2 / 3)
    assert (quality["timed_out_share"], quality["too_fast_share"]) == (0.25, pytest.approx(1 / 3))
    assert (quality["median_target_rt_ms"], quality["early_presses_total"]) == (512.5, 3)
    assert CHOICE.quality_flags(quality, {"accuracy_threshold": 70}) == ["fewer than 70 % of the answers were correct"]
    assert CHOICE.quality_flags(quality, {"accuracy_threshold": 60}) == []


def test_analyses_follow_from_factors_and_settings():
    def methods(changes, factors=("frequency",)):
        return [each.method for each in CHOICE.suggested_analyses_of(factors, {**SETTINGS, **changes})]

    assert methods({}) == ["lmm", "lmm", "glmm", "rm-anova", "rm-anova", "min-f"]
    assert methods({"signal": "word"})[3] == "signal-detection"
    assert methods({"signal": "word"}, factors=()) == ["signal-detection"]
    free = CHOICE.suggested_analyses_of(["order"], {**SETTINGS, "scored": False})
    assert all("where" not in each.params for each in free)
    assert free[2].params["positive"] == "nonword"
    log, inverse = CHOICE.suggested_analyses_of(["a", "b"], SETTINGS)[:2]
    assert log.params == {
        "formula": "log_rt ~ a*b + (1 + a*b || participant) + (1 + a*b || item)",
        "contrasts": "sum",
        "where": "correct = true",
    }
    assert inverse.params["formula"].startswith("inverse_rt ~")


OF_ONE_TASK = [example for example in EXAMPLES if read_toml(example.path).design is not None]


@pytest.mark.parametrize("example", OF_ONE_TASK, ids=lambda example: example.slug)
def test_an_example_is_a_sound_study_with_materials_of_its_own(example):
    described = read_toml(example.path)
    settings = CHOICE.complete_settings(described.settings)
    rows = [stimulus for item in described.design.items for stimulus in item.stimuli]
    assert [CHOICE.text_faults(row.text, row.extra, settings) for row in rows] == [[]] * len(rows)
    assert len(rows) >= 18


def test_lexical_decision_has_forty_words_in_pairs_of_one_length_and_forty_nonwords():
    example = next(example for example in EXAMPLES if example.slug == "lexical-decision")
    items = read_toml(Path(example.path)).design.items
    pairs = [[stimulus.text for stimulus in item.stimuli] for item in items if item.is_target]
    nonwords = [item.stimuli[0].text for item in items if item.is_filler]
    assert (len(pairs), len(nonwords)) == (20, 40)
    assert all(len(high) == len(low) for high, low in pairs)
    every = [word for pair in pairs for word in pair] + nonwords
    assert len(set(every)) == 80
    assert sorted(map(len, nonwords)) == [5] * 20 + [6] * 20


def test_known_effects_have_their_usual_direction_and_others_follow_from_names():
    assert simulated_slowing({"frequency": "low"}) > simulated_slowing({"frequency": "high"})
    assert simulated_slowing({"prime_type": "unrelated"}) > simulated_slowing({"prime_type": "identity"})
    assert simulated_slowing({"order": "a"}) != simulated_slowing({"order": "b"})


PICTURE = {"kind": "image", "url": "/kettle.png", "width": 4, "height": 3}
SOUND = {"kind": "audio", "url": "/kettle.mp3", "duration_ms": 640}


def primed(file="", facts=None, *, changes=None, settings_media=None, **extra):
    media = {"prime": facts} if facts else {}
    settings = {**SETTINGS, "fixation_ms": 0, **(changes or {}), "media": settings_media or {}}
    stimulus = ShownStimulus(1, "kettle", extra={"correct": "word", "prime": file, **extra}, media=media)
    return CHOICE.timeline([stimulus], settings, random.Random(1))[0]


def test_a_picture_a_sound_and_a_video_are_primes_and_no_name_of_a_file_is_a_word():
    (display,) = primed("kettle.png", PICTURE, changes={"prime_ms": 50}).params["displays"]
    shown_so = {"kind": "prime", "text": "", "ms": 50, "image": {**PICTURE, "alt": ""}, "file": "kettle.png"}
    assert display == shown_so
    (display,) = primed("kettle.mp3", SOUND).params["displays"]
    assert (display["ms"], display["audio"]) == (640, {**SOUND, "replay": False})
    assert primed("kettle.mp3", SOUND, prime_ms="200").params["displays"][0]["ms"] == 200
    (display,) = primed("kettle.png", changes={"prime_ms": 50}).params["displays"]
    assert display == {"kind": "prime", "text": "", "ms": 50, "file": "kettle.png"}, "missing, as in a preview"
    masked = primed(
        changes={"forward_mask": "mask.png", "forward_mask_ms": 80}, settings_media={"forward_mask": PICTURE}
    )
    assert masked.params["displays"][0]["image"]["url"] == "/kettle.png"


def test_a_mask_is_as_long_as_the_words_and_not_as_the_name_of_a_file():
    changes = {"prime_ms": 50, "forward_mask": "#", "forward_mask_ms": 80}
    mask, _prime = primed("a-very-long-name.png", PICTURE, changes=changes).params["displays"]
    assert mask["text"] == "#" * len("kettle")


def test_every_display_has_its_time_from_its_row_or_from_a_factor():
    assert shown(plan(changes={"fixation_ms": 0, "prime_ms": 50}, prime_ms="33", prime="a")) == [("prime", "a", 33)]
    assert shown(plan(fixation_ms="0", target_ms="200")) == [("target", "otter", 200)]
    stimulus = ShownStimulus(1, "otter", extra={"correct": "word", "prime": "a"}, levels={"prime_ms": "250"})
    trial = CHOICE.timeline([stimulus], {**SETTINGS, "fixation_ms": 0}, random.Random(1))[0]
    assert shown(trial) == [("prime", "a", 250)]


@pytest.mark.parametrize("cell", ["long", "-5", "10001", "50.5", "5e3"])
def test_what_is_no_time_is_said_with_its_column(cell):
    ((column, message),) = CHOICE.stimulus_faults("otter", {"prime_ms": cell})
    assert (column, cell in message) == ("prime_ms", True)


def test_a_picture_that_would_never_be_shown_stops_the_study():
    said = CHOICE.text_faults("kettle", {"correct": "word", "prime": "kettle.png"}, SETTINGS)
    assert ["kettle.png" in said[0], "prime_ms" in said[0]] == [True, True]
    assert CHOICE.text_faults("kettle", {"correct": "word", "prime": "kettle.png", "prime_ms": "50"}, SETTINGS) == []
    assert CHOICE.text_faults("kettle", {"correct": "word", "prime": "kettle.mp3"}, SETTINGS) == []


def test_the_words_of_the_answers_are_those_of_the_row_and_move_with_their_answers():
    changes = {"answers": "first | f\nsecond | j"}
    for variant, words in ((0, ["kettle", "candle"]), (1, ["candle", "kettle"])):
        trial = plan(changes={**changes, VARIANT: variant}, answer_labels="kettle | candle", correct="candle")
        assert [answer["label"] for answer in trial.params["answers"]] == words
        assert [answer["key"] for answer in trial.params["answers"]] == ["f", "j"]
        assert trial.private["right_answer"] == "second"
        right = measured(trial, payload(trial, answer=words.index("candle")))
        assert [right[name] for name in ("choice", "correct", "answer_label")] == ["second", True, "candle"]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("kettle", "1 of 2"),
        ("a | b | c", "3 of 2"),
        ("a | ", "1 of 2"),
        ("a | a", "Two answers have the same word"),
        ("a | " + "b" * 41, "40"),
    ],
)
def test_words_that_do_not_fit_the_answers_are_said(cell, said):
    faults = CHOICE.text_faults("otter", {"correct": "word", "answer_labels": cell}, SETTINGS)
    assert any(said in fault for fault in faults)


def test_the_time_from_prime_to_target_is_that_of_the_screen_or_of_the_sound():
    trial = primed("kettle.png", PICTURE, changes={"prime_ms": 50, "backward_mask_ms": 100})
    given = payload(trial)
    assert measured(trial, given)["prime_soa_ms"] == 150
    rows = CHOICE.long_rows("displays", trial.params, given, [])
    assert [(row["display_file"], row["display_onset_ms"]) for row in rows] == [("kettle.png", -150), ("", -100)]
    heard = primed("kettle.mp3", SOUND, prime_ms="200")
    given = payload(heard)
    given["displays"][0]["played_ms"] = given["displays"][0]["shown_ms"] + 20
    assert faults(heard, given) == ""
    assert measured(heard, given)["prime_soa_ms"] == 180
    assert CHOICE.long_rows("displays", heard.params, given, [])[0]["played_onset_ms"] == -180
    given["displays"][0]["played_ms"] = None
    assert faults(heard, given) == ""
    assert measured(heard, given)["prime_soa_ms"] == 200


def test_what_is_said_of_sounds_and_videos_is_taken_where_the_trial_has_them():
    video = {"video_onset_ms": 12.5, "video_dropped_frames": 0, "video_ended": True}
    silent = plan()
    assert "no video" in faults(silent, payload(silent, **video))
    stimulus = ShownStimulus(1, "", extra={"correct": "word"}, media={"video": {"kind": "video", "has_sound": False}})
    trial = CHOICE.timeline([stimulus], SETTINGS, random.Random(1))[0]
    assert trial.params["video"]["muted"]
    assert faults(trial, payload(trial, **video)) == ""
    assert {name: measured(trial, payload(trial, **video))[name] for name in video} == video
    answered = CHOICE.virtual_participant(random.Random(1), SETTINGS).respond(
        "timed-choice", {**trial.params, **trial.private}, levels={}, item="a", carried={}
    )
    assert faults(trial, answered) == ""


def test_a_sound_can_begin_after_its_picture():
    trial = plan(image="otter.png", audio="otter.mp3", audio_delay_ms="150")
    assert trial.params["audio"]["delay_ms"] == 150
    assert CHOICE.stimulus_faults("otter", {"audio": "otter.mp3", "audio_delay_ms": "150"}) == []
    for extra in ({"audio_delay_ms": "150"}, {"audio": "otter.mp3", "audio_delay_ms": "soon"}):
        ((column, _message),) = CHOICE.stimulus_faults("otter", extra)
        assert column == "audio_delay_ms"


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize(
    ("mapping", "keys"), [("1", {"f": "nonword", "j": "word"}), ("2", {"f": "word", "j": "nonword"})]
)
def test_a_row_can_say_which_key_has_which_answer(variant, mapping, keys):
    planned = plan(changes={VARIANT: variant}, mapping=mapping)
    assert {answer["key"]: answer["name"] for answer in planned.params["answers"]} == keys
    assert planned.params["mapping"] == int(mapping)
    assert CHOICE.text_faults("otter", {"correct": "word", "mapping": "3"}, SETTINGS) == [
        "The mapping of the row is '3'. With 2 answers, write a number from 1 to 2, or nothing."
    ]
