"""Experiments of MoTR become mouse-contingent reading of the same texts, with their questions and lists."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from experiments.other_tools.carrying import carried
from experiments.procedure.sessions import plan_task, task_snapshot
from experiments.study_files import store_description

HEADER = "experiment\tcondition\titem_id\ttext\tquestion\tresponse_true\tresponse_distractors\n"


def app(script: str, before: str = "", after: str = "") -> bytes:
    return f"""<template>
  <Experiment title="Mouse tracking for Reading">
    <Screen :title="'Welcome'" class="instructions">
      <div><b>Consent.</b> I agree to take part.</div>
      <tr><td>Your ID:</td><td><input name="TurkID" type="text" v-model="$magpie.measurements.SubjectID"/></td></tr>
      <button @click="$magpie.nextScreen()">Proceed</button>
    </Screen>{before}
    <InstructionScreen :title="'Instruction'"><!-- <p>Old text.</p> -->
      <p>Move the <strong>mouse</strong>.</p></InstructionScreen>
    <template v-for="(trial, i) of trials">
      <Screen :key="i" :progress="i / trials.length"><Slide>
        <div class="oval-cursor"></div><div class="readingText">{{{{ trial.text }}}}</div>
        <form><div>{{{{ trial.question }}}}</div>
        <template v-for='(word, index) of trial.response_options'><input type="radio" :value="word"/></template></form>
      </Slide></Screen>
    </template>
    <Screen><p>1. Which device?</p>
      <MultipleChoiceInput :response.sync="$magpie.measurements.device" :options="['Mouse', 'Trackpad']" />
      <button @click="$magpie.saveAndNextScreen();">Go on</button></Screen>{after}
    <SubmitResultsScreen />
  </Experiment>
</template>
<script>
{script}
</script>
""".encode()


ONE = """import items from '../trials/items.tsv';
// import old from '../trials/old.tsv';
import practice from '../trials/practice.tsv';
const trials = _.concat(practice, _.shuffle(items));
const updated = trials.map(trial => ({ ...trial,
  response_options: _.shuffle(`${trial.response_true}|${trial.response_distractors}`.split("|")) }));
"""
ITEMS = HEADER + 'e\ta\t1\t"He said ""no"" twice."\tDid he?\tyes\tno|never\ne\ta\t2\tShe sat.\t\t\t\n'
PRACTICE = HEADER + "e\tpractice\t9\tA dog.\tA cat?\tno\tyes\n"


def told(found, outcome):
    return "\n".join(str(entry) for entry in found.report.of(outcome))


def project(script: str = ONE, **tables: str) -> dict[str, bytes]:
    given = tables or {"items": ITEMS, "practice": PRACTICE}
    return {"src/App.vue": app(script), **{f"trials/{name}.tsv": text.encode() for name, text in given.items()}}


def test_texts_questions_and_screens_are_carried(researcher):
    found = carried(project(), "reading")
    assert found.described is not None, found.faults
    assert (found.tool, found.report.of("not carried")) == ("MoTR", [])
    study = store_description(found.described, user=researcher, origin="project")
    assert [(part.name, part.kind) for part in study.ordered_parts] == [
        ("reading", "task"),
        ("screen", "questionnaire"),
    ]
    task = study.seen_through("reading")
    assert (task.settings["unit"], task.settings["mask"], task.settings["question_order"]) == ("word", "blur", "random")
    shown = {one.text: one.extra for item in task.items.all() for one in item.stimuli.all()}
    assert set(shown) == {'He said "no" twice.', "She sat.", "A dog."}
    asked = shown['He said "no" twice.']
    assert (asked["question"], asked["choices"], asked["answer"]) == ("Did he?", "yes | no | never", "yes")
    assert task.items.filter(is_practice=True).count() == 1
    texts = {text.kind: text.body for text in study.texts.all()}
    assert "I agree to take part." in texts["consent"]
    assert "Your ID" not in texts["consent"]
    assert texts["instructions"] == "## Instruction\n\nMove the **mouse**."
    assert study.ordered_parts[1].questions[0]["choices"] == ["Mouse", "Trackpad"]


LISTS = """import one from '../trials/one.tsv';
import two from '../trials/two.tsv';
const lists = [one, two];
const chosen = lists[Math.floor(Math.random() * lists.length)];
const trials = _.shuffle(chosen);
const updated = trials.map(trial => ({ response_options: _.shuffle([trial.response_true]) }));
"""


def table(rows) -> str:
    return HEADER + "".join(f"e\t{condition}\t{item}\tText {item} {condition}.\t\t\t\n" for item, condition in rows)


@pytest.mark.parametrize("items", [2, 4, 6])
def test_lists_that_are_a_latin_square_are_made_anew_and_show_the_same(researcher, items):
    own = [[(item, "ab"[(item + number) % 2]) for item in range(items)] for number in range(2)]
    found = carried(project(LISTS, one=table(own[0]), two=table(own[1])), "reading")
    assert found.described is not None, found.faults
    study = store_description(found.described, user=researcher, origin="project")
    task = next(task for task in study.tasks if task.name == "reading")
    shown = []
    for stimulus_list in study.seen_through("reading").lists.all():
        trials = plan_task(task_snapshot(task, stimulus_list), rng=random.Random(1), seed=1)
        shown.append(Counter(trial.params["text"] for trial in trials if "text" in trial.params))
    wanted = [Counter(f"Text {item} {condition}." for item, condition in one) for one in own]
    assert sorted(map(sorted, map(Counter.elements, shown))) == sorted(map(sorted, map(Counter.elements, wanted)))


def test_lists_of_different_texts_are_groups_with_a_pool(researcher):
    own = [[(item, "a") for item in range(3)], [(item, "b") for item in range(2, 6)]]
    found = carried(project(LISTS, one=table(own[0]), two=table(own[1])), "reading")
    assert found.described is not None, found.faults
    study = store_description(found.described, user=researcher, origin="project")
    assert [group["name"] for group in study.groups] == ["list-1", "list-2"]
    texts = [[one.text for item in study.seen_through(f"reading-{n}").items.all() for one in item.stimuli.all()]
             for n in (1, 2)]  # fmt: skip
    assert [sorted(each) for each in texts] == [sorted(f"Text {i} {c}." for i, c in one) for one in own]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (ONE.replace("_.shuffle(items)", "_.sampleSize(items, 1)"), "some of the texts are drawn"),
        (ONE.replace("_.shuffle(items)", "_.groupBy(items, 'x')"), "what the script does with the texts here"),
        (ONE.replace("items.tsv", "gone.tsv"), "gone.tsv: the table is not in the project"),
        ("const x = 1;", "no table of texts is imported"),
    ],
)
def test_what_is_not_carried_is_named_with_its_line(script, said):
    assert said in told(carried(project(script, items=ITEMS, practice=PRACTICE), "reading"), "not carried")


def test_stray_quotation_marks_are_named_and_read():
    broken = HEADER + 'e\ta\t1\t"He said" so.\t\t\t\ne\ta\t2\tShe sat.\t\t\t\n'
    found = carried(project(ONE, items=broken, practice=PRACTICE), "reading")
    assert "trials/items.tsv, line 2: table: its quotation marks do not fit" in told(found, "not carried")
    assert b"He said so." in found.files["materials-reading.csv"]
