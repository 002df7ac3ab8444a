"""Timelines of jsPsych that are plain data become studies; what a script works out is named with its line."""

from __future__ import annotations

import json
import time

import pytest

from experiments.other_tools.carrying import carried
from experiments.other_tools.javascript.plain import Code, Parts, Shuffled, Variable, plain_values
from experiments.other_tools.screens import flow
from experiments.study_files import store_description

SCRIPT = """
const jsPsych = initJsPsych();
const consent = {type: jsPsychHtmlButtonResponse, stimulus: '<p>I consent to take part.</p>', choices: ['I agree']};
const hello = {type: jsPsychInstructions, pages: ['<p>Is it a <b>word</b>?</p>', 'Press f or j.']};
const fixation = {type: jsPsychHtmlKeyboardResponse, stimulus: '+', choices: "NO_KEYS", trial_duration: 400};
const target = {
  type: jsPsychHtmlKeyboardResponse,
  stimulus: () => `<p>${jsPsych.timelineVariable('word')}</p>`,
  choices: ['f', 'j'], trial_duration: 2000, post_trial_gap: 250,
  data: {task: 'response', correct_response: jsPsych.timelineVariable('key'), kind: jsPsych.timelineVariable('kind')},
};
const words = [
  {word: 'table', key: 'f', kind: 'word'},
  ...['blick', 'frane'].map(w => ({word: w, key: 'j', kind: 'nonword'})),
];
const rating = {type: jsPsychSurveyLikert, questions: [
  {prompt: 'How hard was it?', name: 'hard', labels: ['not', '', 'very'], required: true}]};
const age = {type: jsPsychSurveyText, questions: [{prompt: 'How old are you?', name: 'age'}]};
const bye = {type: jsPsychHtmlKeyboardResponse, stimulus: 'Thank you.'};
const timeline = [];
timeline.push(consent, hello);
timeline.push({timeline: [fixation, target], timeline_variables: words, randomize_order: true, repetitions: 2});
timeline.push(rating, age, bye);
jsPsych.run(timeline);
"""


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SCRIPT.splitlines(), start=2) if text in line)


def page(script: str = SCRIPT) -> dict[str, bytes]:
    return {"index.html": f"<html><script src='jspsych.js'></script>\n<script>{script}</script></html>".encode()}


def told(found, outcome):
    return "\n".join(str(entry) for entry in found.report.of(outcome))


def checked(found, researcher):
    assert found.described is not None, found.faults
    study = store_description(found.described, user=researcher, origin="project")
    task = study.tasks[0]
    own = study.seen_through(task.name)
    assert own.settings["answers"].split("\n") == ["f | f", "j | j"]
    shown = [
        (one.text, one.extra["correct"], item.attributes.get("kind"))
        for item in own.items.all()
        for one in item.stimuli.all()
    ]
    return study, own, shown


def test_a_timeline_is_carried_with_its_rows_times_and_right_answers(researcher):
    found = carried(page(), "words")
    assert (found.tool, found.report.of("not carried")) == ("jsPsych", [])
    study, task, shown = checked(found, researcher)
    assert sorted(shown) == [("blick", "j", "nonword"), ("frane", "j", "nonword"), ("table", "f", "word")]
    settings = task.settings
    assert (settings["deadline_ms"], settings["fixation"], settings["fixation_ms"]) == (2000, "+", 400)
    assert (settings["iti_ms"], settings["scored"]) == (250, True)
    rules = study.tasks[0].procedure
    assert (rules["repetitions"], rules["repetition_rounds"]) == (2, True)
    texts = {text.kind: text.body for text in study.texts.all()}
    assert texts["consent"] == "I consent to take part."
    assert "Is it a **word**?" in texts["instructions"]
    assert texts["debriefing"] == "Thank you."
    asked = [question for part in study.ordered_parts for question in part.questions or ()]
    assert [(one["name"], one["kind"], one["label"]) for one in asked] == [
        ("hard", "scale", "How hard was it?"), ("age", "text", "How old are you?"),
    ]  # fmt: skip


def test_the_same_timeline_as_json_is_the_same(researcher):
    rows = [{"word": "table", "key": "f"}, {"word": "blick", "key": "j"}, {"word": "frane", "key": "j"}]
    trials = [
        {
            "timeline": [
                {"type": "html-keyboard-response", "stimulus": "+", "choices": "NO_KEYS", "trial_duration": 400},
                {"type": "html-keyboard-response", "stimulus": row["word"], "choices": ["f", "j"],
                 "trial_duration": 2000, "data": {"correct_response": row["key"]}},
            ]
        }
        for row in rows
    ]  # fmt: skip
    found = carried({"timeline.json": json.dumps({"timeline": trials}).encode()}, "words")
    assert found.report.of("not carried") == []
    study, _task, shown = checked(found, researcher)
    assert [one[:2] for one in shown] == [("table", "f"), ("blick", "j"), ("frane", "j")]
    assert study.tasks[0].procedure["sequence"] == "as-given"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("timeline.push(rating", "for (const x of words) { timeline.push(x); }\ntimeline.push(rating",
         f"index.html, line {line_of('timeline.push(rating')}: for (const x of words) {{ timeline.push(x); }}"),
        ("randomize_order: true", "conditional_function: () => x > 1", "a function says whether it is shown"),
        ("randomize_order: true", "sample: {type: 'without-replacement', size: 2}", "it draws 2 of 3 rows"),
        ("choices: ['f', 'j']", "choices: getKeys()", "(jsPsychHtmlKeyboardResponse): choices: it is worked out"),
        ("post_trial_gap: 250", "on_start: t => { t.x = 1 }", "the function on_start is not run"),
        ("type: jsPsychSurveyText", "type: jsPsychFreeSort", "age (jsPsychFreeSort): the plugin is not read"),
        ("timeline_variables: words", "timeline_variables: load('x.csv')", "of its timeline variables are worked out"),
        ("correct_response: jsPsych.timelineVariable('key'), ", "", ""),
        ("<p>${jsPsych.timelineVariable('word')}</p>", "<p class=${jsPsych.timelineVariable('kind')}>x</p>",
         "marks or places differ between trials"),
    ],
)  # fmt: skip
def test_what_a_script_works_out_is_named_with_its_line(before, after, said):
    assert before in SCRIPT
    found = carried(page(SCRIPT.replace(before, after)), "words")
    assert said in told(found, "not carried"), told(found, "not carried")


def test_scripts_of_the_folder_are_read_in_the_order_of_the_page():
    files = {
        "index.html": b"<script src='jspsych/jspsych.js'></script><script src='js/a.js'></script>"
        b"<script type='module' src='js/b.js'></script><script src='js/gone.js'></script>",
        "js/b.js": b"window.addEventListener('load', main); function main() { jsPsych.run(makeTimeline(words)); }\n"
        b"function makeTimeline(w) { let t = []; t.push({timeline: [one], timeline_variables: w}); return t; }",
        "js/a.js": b"const words = [{word: 'a'}, {word: 'b'}];\nconst one = {type: jsPsychHtmlKeyboardResponse,"
        b" stimulus: jsPsych.timelineVariable('word'), choices: ['y', 'n']};",
        "jspsych/jspsych.js": b"throw new Error('never read')",
    }
    found = carried(files, "words")
    assert found.described is not None, found.faults
    assert "js/gone.js: the script is not in the project" in told(found, "not carried")
    assert found.files["materials-timeline-0.csv"].startswith(b"item,text,word")


def test_plain_data_is_worked_out_and_the_rest_stays_code():
    values = plain_values(
        """
        const n = 2 * 3, t = `a${n}b`, list = [1, ...[2, 3]].concat([4]);
        let later = list.map(x => x + 1), code = Math.random();
        const v = jsPsych.timelineVariable('x'), both = 'p' + v + 'q';
        const mixed = jsPsych.randomization.shuffle(list);
        const grid = jsPsych.randomization.factorial({a: [1, 2], b: ['x']});
        const f = (a) => { let out = []; out.push(a); return out; };
        const made = f('z');
        if (code > 1) { list.push(9); }
        """
    ).names
    assert (values["n"], values["t"], values["later"], values["made"]) == (6, "a6b", [2, 3, 4, 5], ["z"])
    assert isinstance(values["code"], Code)
    assert isinstance(values["v"], Variable)
    assert isinstance(values["both"], Parts)
    assert isinstance(values["mixed"], Shuffled)
    assert values["mixed"] == [1, 2, 3, 4]
    assert [dict(row) for row in values["grid"]] == [{"a": 1, "b": "x"}, {"a": 2, "b": "x"}]
    assert isinstance(values["list"][-1], Code)


@pytest.mark.parametrize(
    "script",
    [
        "const f = x => f(x); const a = f(1);",
        "const f = x => [f(x), f(x)]; f(1);",
        "let s = 'x'; " + "s = s + s; " * 60,
        "let a = [1,2,3,4,5,6,7,8]; " + "a = a.concat(a, a, a); " * 40,
        "const t = []; t.push(t, t, t); jsPsych.run(t);",
        "let n = {timeline: []}; n.timeline.push(n, n, n); jsPsych.run([n]);",
        "const t = [{type: jsPsychHtmlKeyboardResponse, choices: ['a','b'], stimulus: 'x'}];"
        + "".join(f"const t{n} = {{timeline: [{'t' if not n else f't{n - 1}'}], timeline_variables: "
                  f"jsPsych.randomization.repeat([{{a: 1}}], 50)}};" for n in range(12)) + "jsPsych.run([t11]);",
        "x = " + "[" * 50_000,
    ],
)  # fmt: skip
def test_scripts_that_would_not_end_are_left(script, monkeypatch):
    monkeypatch.setattr(flow, "MOST_STEPS", 2_000)
    begins = time.process_time()
    carried(page(f"initJsPsych(); {script}"), "x")
    assert time.process_time() - begins < 15
