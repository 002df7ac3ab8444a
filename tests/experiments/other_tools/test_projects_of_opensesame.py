"""Experiments of OpenSesame become studies that show the same trials; what does not is named with its item and line."""

from __future__ import annotations

import io
import tarfile

import pytest

from experiments.other_tools.carrying import carried
from experiments.other_tools.opensesame.conditions import Unknown, filled, holds
from experiments.study_files import store_description

WORDS = [("table", "word", "z"), ("blick", "nonword", "m"), ("chair", "word", "z"), ("frane", "nonword", "m")]


def script(order: str = "random", response: str = '"z;m"', inline: str = "", cycles: int = len(WORDS)) -> str:
    """An experiment as OpenSesame saves it: instructions, a loop of trials with a fixation, a form, a last page."""
    rows = "".join(
        f'\tsetcycle {n} target "{word}"\n\tsetcycle {n} category {kind}\n\tsetcycle {n} correct_response {key}\n'
        for n, (word, kind, key) in enumerate(WORDS)
    )
    return f"""---
API: 2.1
OpenSesame: 3.2.8
---
set width 1024
set start experiment
set title "Words"

define sequence experiment
	run instructions always
	run setup always
	run words always
	run age always
	run goodbye always

define sketchpad instructions
	set duration keypress
	draw textline center=1 color=white html=yes show_if=always text="Is it a <b>word</b>?<br />Press z or m." x=0 y=0

define inline_script setup
	set _run ""
	___prepare__
	{inline}
	__end__

define loop words
	set source table
	set repeat 1
	set order {order}
	set cycles {cycles}
{rows}	run trial

define sequence trial
	run fixation always
	run target always
	run answer always
	run wrong "[correct] = 0"
	run logger always

define sketchpad fixation
	set duration 495
	draw fixdot color=white show_if=always style=default x=0 y=0

define sketchpad target
	set duration 0
	draw textline center=1 color=white html=yes show_if=always text="[target]" x=0 y=0

define keyboard_response answer
	set timeout 2000
	set allowed_responses {response}
	set duration keypress

define sketchpad wrong
	set duration 500
	draw textline center=1 color=red html=yes show_if=always text="Wrong" x=0 y=0

define logger logger
	set auto_log yes

define form_text_input age
	set form_var age
	set form_title "About you"
	set form_question "How old are you?"

define sketchpad goodbye
	set duration keypress
	draw textline text="Thank you." x=0 y=0
"""


def told(found, outcome):
    return "\n".join(str(entry) for entry in found.report.of(outcome))


@pytest.mark.parametrize("order", ["random", "sequential"])
def test_a_loop_becomes_a_task_with_its_keys_times_and_right_answers(researcher, order):
    found = carried({"words.osexp": script(order).encode()}, "words", title="Words")
    assert found.described is not None, found.faults
    assert (found.tool, found.report.of("not carried")) == ("OpenSesame", [])
    study = store_description(found.described, user=researcher, origin="project")
    assert [(part.name, part.kind) for part in study.ordered_parts] == [
        ("words", "task"), ("age", "page"), ("age-2", "questionnaire"),
    ]  # fmt: skip
    task = study.seen_through("words")
    settings = task.settings
    assert settings["answers"].replace("\r", "").split("\n") == ["z | z", "m | m"]
    assert (settings["deadline_ms"], settings["fixation"], settings["fixation_ms"]) == (2000, "+", 495)
    assert (settings["mapping"], settings["scored"], settings["feedback_in_main"]) == ("fixed", True, True)
    stimuli = [(one.text, one.extra["correct"]) for item in task.items.all() for one in item.stimuli.all()]
    assert sorted(stimuli) == sorted((word, key) for word, _kind, key in WORDS)
    assert (study.ordered_parts[0].procedure.get("sequence") == "as-given") is (order == "sequential")
    texts = {text.kind: text.body for text in study.texts.all()}
    assert texts["instructions"] == "Is it a **word**?\\\nPress z or m."
    assert texts["debriefing"] == "Thank you."
    assert study.ordered_parts[2].questions[0]["label"] == "How old are you?"


def packed(files: dict[str, bytes], *, is_gzip: bool) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") if is_gzip else tarfile.open(fileobj=buffer, mode="w:") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize("is_gzip", [True, False])
def test_a_packed_experiment_is_the_same_as_a_plain_one(is_gzip):
    plain = carried({"words.osexp": script().encode()}, "words")
    data = packed({"script.opensesame": script().encode(), "pool/U+0061.txt": b"x"}, is_gzip=is_gzip)
    assert carried({"words.osexp": data}, "words").files == plain.files


def test_names_that_a_script_sets_are_never_filled_in_from_the_table():
    found = carried({"w.osexp": script(inline="var.target = 'other'").encode()}, "w")
    said = told(found, "not carried")
    assert "setup (inline_script): a script is not run: var.target = 'other' It sets target" in said
    assert "target (sketchpad): [target] is worked out by a script" in said
    assert not any(b"table" in data for name, data in found.files.items() if name.endswith(".csv"))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("run target always", 'run target "[subject_nr] > 3"', "it runs only if [subject_nr] > 3"),
        ("set repeat 1", "set repeat 0.5", "it repeats its rows 0.5 times"),
        ("set repeat 1", "set repeat 1\n\tset break_if \"[correct] = 0\"", "it ends early if [correct] = 0"),
        ("draw fixdot color=white", "draw gabor freq=0.1", "drawn shapes are not carried: gabor"),
        ('text="[target]" x=0', 'text="[target]" x="[side]"', "places and sizes that differ by row"),
        ("define logger logger", "define parallel_port logger", "an item of this kind is not read"),
        ("\trun trial\n", "\tshuffle_horiz target category\n\trun trial\n", "shuffle_horiz target category"),
        ('draw textline center=1 color=white html=yes show_if=always text="[target]"', 'draw image file="[target].png"',
         "4 files are not in the project"),
    ],
)  # fmt: skip
def test_what_is_not_carried_is_named_with_its_item(before, after, said):
    assert before in script()
    found = carried({"w.osexp": script().replace(before, after).encode()}, "w")
    assert said in told(found, "not carried"), told(found, "not carried")
    assert "w.osexp" in told(found, "not carried")


def test_items_that_no_sequence_runs_are_said():
    found = carried({"w.osexp": script().replace("\trun goodbye always\n", "").encode()}, "w")
    assert "goodbye (sketchpad): no sequence runs it" in told(found, "changed")


def test_a_loop_that_runs_itself_ends():
    text = script().replace("\trun trial\n", "\trun words\n")
    assert "or run themselves" in told(carried({"w.osexp": text.encode()}, "w"), "not carried")


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("always", True), ("never", False), ("[a] = 1", True), ("[a] == '1' and b = x", True), ("[a] > 1", False),
        ("[a] != 1 or [b] = x", True), ("=var.b == 'x'", True),
    ],
)  # fmt: skip
def test_conditions_are_worked_out_by_the_row(condition, value):
    assert holds(condition, {"a": "1", "b": "x"}) is value


@pytest.mark.parametrize("condition", ["[c] = 1", "correct == 1", "[a] % 2 = 0", "f(a) = 1"])
def test_conditions_of_other_kinds_stay_unknown(condition):
    with pytest.raises(Unknown):
        holds(condition, {"a": "1"})


def test_names_within_names_are_filled_and_circles_are_unknown():
    assert filled("[a]!", {"a": "[b]", "b": "x"}) == "x!"
    with pytest.raises(Unknown):
        filled("[a]", {"a": "[b]", "b": "[a]"})


def test_words_that_change_places_between_trials_are_kept():
    rows = "".join(
        f"\tsetcycle {n} left {a}\n\tsetcycle {n} right {b}\n" for n, (a, b) in enumerate([("F", "X"), ("X", "F")])
    )
    text = script(cycles=2).replace("\trun trial\n", rows + "\trun trial\n")
    text = text.replace(
        'text="[target]" x=0 y=0',
        'text="[left]" x=-9 y=0\n\tdraw textline text="[right]" x=9 y=0\n\tdraw textline text="Which?" x=0 y=99',
    )
    found = carried({"w.osexp": text.encode()}, "w")
    table = found.files["materials-words.csv"].decode()
    assert '"F\nX"' in table
    assert '"X\nF"' in table
    assert "Which?" not in table
    assert "Which?" in found.files["study.toml"].decode()
