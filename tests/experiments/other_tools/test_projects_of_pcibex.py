"""Projects of PCIbex and Ibex become studies that show the same texts; what does not is named with its line."""

from __future__ import annotations

import io
import random
import zipfile
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from experiments.models import Study
from experiments.other_tools.carrying import carried
from experiments.other_tools.pages import page_of, questions_of
from experiments.other_tools.pcibex import evaluation
from experiments.other_tools.pcibex.study import REPORT_FILE
from experiments.other_tools.projects import ProjectFaults, archive_files
from experiments.procedure.sessions import plan_task, task_snapshot
from experiments.study.opening import opening_faults
from experiments.study_files import store_description
from tests.needs import SHARED, shared

CASES = SHARED / "cases" / "materials"

READING = """
PennController.ResetPrefix(null)
DebugOff()
SetCounter("counter")
Sequence("counter", "consent", "hello", "practice", randomize("experiment"), "person", SendResults("send"), "bye")
Header(newVar("ID").global()).log("id", GetURLParameter("id"))
newTrial("consent",
    newHtml("form", "consent.html").print(),
    newButton("Go on").print().wait(getHtml("form").test.complete().failure(getHtml("form").warn()))
)
newTrial("hello",
    newText("<h2>Welcome</h2><p>You read <b>sentences</b> here.</p>").css("margin", "1em").center().print(),
    newButton("Go on").print().wait()
)
const item = label => row => newTrial(label,
    newController("DashedSentence", {s: row.Sentence}).print().log().wait().remove(),
    ...(row.Question ? [
        newController("Question", {q: row.Question, as: [row.Right, row.Wrong], hasCorrect: true}).print().wait()
    ] : [])
).log("item", row.Item)
Template("practice.csv", item("practice"))
Template(GetTable("items.csv").setGroupColumn("Group"), item("experiment"))
newTrial("person",
    newText("How old are you?").print(), newTextInput("age").log().print(),
    newText("Your hand?").print(), newScale("hand", "left", "right").radio().print(),
    newButton("Go on").print().wait(getScale("hand").test.selected())
)
newTrial("bye", newText("Thank you.").print(), newButton().wait())
"""
CONSENT = '<p>Please agree.</p><input type="checkbox" class="obligatory" name="c"> I agree.'
PRACTICE = "Item,Sentence,Question,Right,Wrong\np1,The cat slept.,,,\n"


def latin(items: int, conditions: int, fillers: int = 2) -> str:
    """A table as PCIbex has it: who is in a group sees the rows of the group, fillers stand there for each."""
    rows = ["Group,Item,Condition,Sentence,Question,Right,Wrong"]
    for group in range(conditions):
        for item in range(items):
            condition = (item + group) % conditions
            question = f"Did {item} sleep?,Yes,No" if item % 2 else ",,"
            rows.append(f"{group},{item},c{condition},Dog {item} in {condition} barked.,{question}")
        rows += [f"{group},f{number},filler,Filler {number} sat.,,," for number in range(fillers)]
    return "\n".join(rows) + "\n"


def reading(items: int = 4, conditions: int = 2, script: str = READING) -> dict[str, bytes]:
    return {
        "data_includes/main.js": script.encode(),
        "chunk_includes/items.csv": latin(items, conditions).encode(),
        "chunk_includes/practice.csv": PRACTICE.encode(),
        "chunk_includes/consent.html": CONSENT.encode(),
    }


def seen_by(study: Study, part: str, *, seed: int) -> list[Counter[str]]:
    """Return the texts that a session of each list shows in a task."""
    task = next(task for task in study.tasks if task.name == part)
    found = []
    for stimulus_list in study.seen_through(part).lists.all():
        trials = plan_task(task_snapshot(task, stimulus_list), rng=random.Random(seed), seed=seed)
        found.append(Counter(trial.params["text"] for trial in trials if "regions" in trial.params))
    return found


@pytest.mark.parametrize(("items", "conditions"), [(4, 2), (6, 3), (8, 4), (5, 2)])
def test_sessions_show_what_the_groups_of_the_table_see(researcher, items, conditions):
    found = carried(reading(items, conditions), "dogs")
    assert found.described is not None, found.faults
    study = store_description(found.described, user=researcher, origin="project")
    groups: dict[str, Counter[str]] = {}
    for line in latin(items, conditions).splitlines()[1:]:
        group, _item, _condition, sentence, *_rest = line.split(",")
        groups.setdefault(group, Counter({"The cat slept.": 1}))[sentence] += 1
    shown = seen_by(study, "experiment", seed=5)
    assert sorted(map(sorted, map(Counter.elements, shown))) == sorted(
        map(sorted, map(Counter.elements, groups.values()))
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_without_a_word_about_chance_sessions_have_the_order_of_the_table(researcher, seed):
    script = READING.replace('randomize("experiment")', '"experiment"')
    found = carried(reading(6, 3, script), "dogs")
    assert found.described is not None, found.faults
    assert "order" not in [str(entry.element) for entry in found.report.of("changed")]
    study = store_description(found.described, user=researcher, origin="project")
    rows = [line.split(",") for line in latin(6, 3).splitlines()[1:]]
    groups = [[row[3] for row in rows if row[0] == group] for group in "012"]
    task = next(task for task in study.tasks if task.name == "experiment")
    shown = []
    for stimulus_list in study.seen_through("experiment").lists.all():
        trials = plan_task(task_snapshot(task, stimulus_list), rng=random.Random(seed), seed=seed)
        texts = [trial.params["text"] for trial in trials if "regions" in trial.params]
        shown.append([text for text in texts if text != "The cat slept."])
    assert sorted(shown) == sorted(groups)


def test_everything_of_a_usual_script_is_carried(researcher):
    found = carried(reading(), "dogs", title="Dogs", language="en")
    assert found.described is not None
    assert found.report.needs_no_hand, found.report.of("not carried")
    study = store_description(found.described, user=researcher, origin="project")
    assert [(part.name, part.kind) for part in study.ordered_parts] == [
        ("experiment", "task"), ("person", "questionnaire"),
    ]  # fmt: skip
    asked = study.ordered_parts[1].questions
    assert [(question["name"], question["kind"], question["label"]) for question in asked] == [
        ("age", "text", "How old are you?"), ("hand", "choice", "Your hand?"),
    ]  # fmt: skip
    texts = {text.kind: text for text in study.texts.all()}
    assert (texts["consent"].body, texts["consent"].required_boxes) == ("Please agree.", ["I agree."])
    assert texts["debriefing"].body == "Thank you."
    instructions = [text.body for text in study.texts.all() if text.kind == "instructions"]
    assert "## Welcome\n\nYou read **sentences** here." in instructions
    task = study.seen_through("experiment")
    assert (task.items.filter(is_filler=True).count(), task.items.filter(is_practice=True).count()) == (2, 1)
    assert [condition.name for condition in task.conditions.all()] == ["c0", "c1"]
    assert study.conduct["recruitment_parameters"] == ["id"]
    assert not [fault for fault in opening_faults(study) if fault.step == "materials"]


@pytest.mark.parametrize(
    ("line", "element"),
    [
        ("newMediaRecorder('voice', 'audio').record()", "newMediaRecorder"),
        ("newVideo('film.mp4').play()", "newVideo"),
        ("newFunction(() => alert(1)).call()", "newFunction"),
        ("newImage('dog.png').print()", "newImage"),
        ("newText(String(Math.random())).print()", "newText"),
        ("newText('a').frobnicate()", "Text.frobnicate"),
        ("getText('nowhere').print()", "getText"),
        ("newController('EyeOfNewt', {}).print().wait()", "Controller EyeOfNewt"),
        ("getVar('score').test.is(v => v > 3).success(newText('Well done').print())", "getVar(score)"),
    ],
)
def test_what_is_not_carried_is_named_with_its_line(line, element):
    script = READING.replace('newTrial("hello",', f'newTrial("hello",\n    {line},')
    place = 1 + script[: script.index(line)].count("\n")
    named = [
        (entry.element, place in entry.lines) for entry in carried(reading(script=script), "x").report.of("not carried")
    ]
    assert (element, True) in named


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("for (var i = 0; i < 3; i++) { items.push(i) }", "for"),
        ("while (true) {}", "while"),
        ("fetch('https://example.org')", "script"),
        ("var b = ;", "script"),
        ("AskSomething('x')", "AskSomething"),
        ("Header(newText('In every trial').print())", "newText"),
        ("Footer(newText('In every trial').print())", "newText"),
    ],
)
def test_code_that_would_have_to_run_is_named_and_the_rest_is_read(statement, word):
    found = carried(reading(script=f"{READING}\n{statement}\n"), "x")
    line = READING.count("\n") + 2
    assert [(entry.element, entry.lines) for entry in found.report.of("not carried")] == [(word, (line,))]
    assert found.described is not None


IBEX = """
var shuffleSequence = seq("intro", "practice", rshuffle(startsWith("rel"), "fill"));
var defaults = ["DashedSentence", {mode: "self-paced reading"}, "Question", {hasCorrect: true, as: ["Yes", "No"]}];
var items = [
  ["intro", "Message", {html: ["div", ["h2", "Hello"], ["p", "Read these."]]}],
  ["practice", "DashedSentence", {s: "The tea was hot."}],
  [["rel_a", 1], "DashedSentence", {s: "The baker that saw us left."}, "Question", {q: "Did he leave?"}],
  [["rel_b", 1], "DashedSentence", {s: "The baker that we saw left."}, "Question", {q: "Did he leave?"}],
  [["rel_a", 2], "DashedSentence", {s: "The nurse that met us slept."}],
  [["rel_b", 2], "DashedSentence", {s: ["The nurse", "that we", "met slept."]}],
  ["fill", "DashedSentence", {s: "The shop was closed."}]
];
"""


def test_items_of_ibex_rotate_within_their_numbers(researcher):
    found = carried({"data_includes/x.js": IBEX.encode()}, "ibex")
    assert found.described is not None
    assert found.report.needs_no_hand, found.report.of("not carried")
    study = store_description(found.described, user=researcher, origin="project")
    always = {"The tea was hot.", "The shop was closed."}
    shown = [set(one) for one in seen_by(study, study.tasks[0].name, seed=1)]
    assert sorted(map(sorted, (one - always for one in shown))) == [
        ["The baker that saw us left.", "The nurse that we met slept."],
        ["The baker that we saw left.", "The nurse that met us slept."],
    ]
    assert all(always < one for one in shown)


@shared("cases/materials/m12_ibex_defaults.js")
def test_two_experiments_of_a_script_keep_their_conditions():
    found = carried({"x.js": (CASES / "m12_ibex_defaults.js").read_bytes()}, "m12")
    table = next(data.decode() for path, data in found.files.items() if path.endswith(".csv"))
    rows = [line.split(",") for line in table.splitlines()]
    sets = {(row[1], row[rows[0].index("condition")]) for row in rows[1:] if row[1]}
    assert sets == {("rel", "rel_subj"), ("rel", "rel_obj"), ("agr", "agr_match"), ("agr", "agr_mismatch")}


TRIALS = {
    "rating": 'newText("How good is it?").print(), newText(row.s).print(), newScale("r", 7).before(newText("bad"))'
    '.after(newText("good")).print().wait()',
    "timed-choice": 'newText("fix", "+").print(), newTimer(400).start().wait(), getText("fix").remove(),'
    ' newText(row.s).print(), newKey("k", "FJ").log().wait()',
    "typed-production": 'newText("Go on:").print(), newText(row.s).print(), newTextInput("t").print(),'
    ' newButton("ok").print().wait()',
    "maze": 'newController("Maze", {s: row.s, a: row.a, redo: true}).print().wait()',
}


@pytest.mark.parametrize("paradigm", TRIALS)
def test_each_kind_of_trial_becomes_its_paradigm(paradigm, researcher):
    script = f'Sequence(randomize("t"))\nTemplate("t.csv", row => newTrial("t", {TRIALS[paradigm]}))'
    table = "item,s,a,key\n1,A dog barked.,x-x-x sum formed.,f\n2,A cat slept.,x-x-x pot wrote.,j\n"
    found = carried({"main.js": script.encode(), "t.csv": table.encode()}, "x")
    assert found.described is not None
    assert found.report.needs_no_hand, found.report.of("not carried")
    study = store_description(found.described, user=researcher, origin="project")
    (task,) = study.tasks
    assert task.paradigm == paradigm
    texts = sorted(study.seen_through(task.name).items.values_list("stimuli__text", flat=True))
    assert texts == ["A cat slept.", "A dog barked."]
    match paradigm:
        case "rating":
            (question,) = task.settings["questions"]
            assert (question["text"], question["points"], question["labels"]) == ("How good is it?", 7, ["bad", "good"])
        case "timed-choice":
            assert (task.settings["fixation_ms"], task.settings["answers"]) == (400, "f | f\nj | j")
            assert task.settings["scored"]
        case "typed-production":
            assert task.settings["prompt"] == "Go on:"


@pytest.mark.parametrize(
    ("html", "kind", "label", "choices"),
    [
        ('<p>Age:</p><select name="a"><option>18<option>19</select>', "choice", "Age:", ["18", "19"]),
        ('Age: <input list="l" name="b"><datalist id="l"><option>17</option><option>18</option></datalist>',
         "choice", "Age:", ["17", "18"]),
        ('<p>Sex:</p><input type="radio" name="g" value="m"> man <input type="radio" name="g" value="w"> woman',
         "choice", "Sex:", ["man", "woman"]),
        ('<td>Name</td><td><input name="n"></td>', "text", "Name", []),
        ('<label>Tell us <textarea name="t"></textarea></label>', "long-text", "Tell us", []),
    ],
)  # fmt: skip
def test_fields_of_a_page_keep_their_words_and_choices_and_the_page_keeps_the_rest(html, kind, label, choices):
    page = page_of(f"<p>Before.</p>{html}<p>After.</p>")
    (question,) = questions_of(page, set())
    assert (question["kind"], question["label"], question.get("choices", [])) == (kind, label, choices)
    assert page.text == "Before.\n\nAfter."


HOSTILE = {
    "deep": "[" * 20_000,
    "deep-calls": "a(" * 20_000,
    "unclosed": 'newText("' * 10_000,
    "templates": "`${" * 5_000,
    "operators": "1" + "+1" * 20_000,
    "chain": "a" + ".b()" * 10_000,
    "recursion": "const f = x => f(f(x));\nnewTrial('a', f(1))",
    "growth": "const f = x => x + x;\nvar a = 'aaaaaaaaaa';\n" + "a = f(a);\n" * 60,
    "patterns": "Template(GetTable('t.csv').filter('s', /(a+)+$/), row => newTrial('a', newText(row.s).print()))",
    "keys": "var x = {" + "a:{" * 5_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_scripts_end_with_a_sentence(name, monkeypatch):
    monkeypatch.setattr(evaluation, "MOST_STEPS", 20_000)
    monkeypatch.setattr(evaluation, "MOST_CHARACTERS", 100_000)
    files = {"main.js": HOSTILE[name].encode(), "t.csv": b"s\n" + b"a" * 5_000 + b"!\n"}
    assert carried(files, "x").report.of("not carried")


def test_archives_that_hold_no_project_are_refused_with_a_way_out():
    with pytest.raises(ProjectFaults, match="none of the tools"):
        carried({"a.csv": b"a,b\n"}, "x")
    with pytest.raises(ProjectFaults, match="not a ZIP archive"):
        archive_files(b"PK\x03\x04 broken")


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return buffer.getvalue()


@pytest.mark.slow
def test_the_command_tells_keeps_and_stores(tmp_path, capsys, db):
    project = tmp_path / "dogs.zip"
    project.write_bytes(zipped(reading()))
    call_command("import", "pcibex", str(project), "--out", str(tmp_path / "study"), "--slug", "dogs-again")
    said = capsys.readouterr().out
    assert "Carried over:" in said
    assert "The study 'dogs-again' was created as a draft" in said
    report = (tmp_path / "study" / REPORT_FILE).read_text(encoding="utf-8")
    assert all(line.removeprefix("- ") in said for line in report.splitlines() if line.startswith("- "))
    with pytest.raises(CommandError, match="is not empty"):
        call_command("import", "pcibex", str(project), "--out", str(tmp_path / "study"), "--only-files")
