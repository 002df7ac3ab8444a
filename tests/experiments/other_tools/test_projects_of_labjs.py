"""Studies of lab.js become studies that show the same trials; what does not is named with its path."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from experiments.other_tools.carrying import carried
from experiments.study_files import store_description

ROWS = [["red", "green"], ["green", "green"], ["blue", "red"]]
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def study(**changes) -> dict[str, dict[str, Any]]:
    """Components as the builder saves them: a page, a loop of trials, a form, a last page."""
    components: dict[str, dict[str, Any]] = {
        "root": {"id": "root", "type": "lab.flow.Sequence", "title": "root", "children": ["1", "2", "6", "7"]},
        "1": {
            "type": "lab.html.Screen", "title": "Hello",
            "content": "<main><h2>Colours</h2><p>Which <b>colour</b>?</p></main><footer>Press Space.</footer>",
            "responses": [{"label": "go", "event": "keypress", "target": "", "filter": "Space"}],
        },
        "2": {
            "type": "lab.flow.Loop", "title": "Stroop", "children": ["3"], "sample": {"mode": "draw-shuffle"},
            "templateParameters": {"columns": [{"name": "ink", "type": "string"}, {"name": "word"}], "rows": ROWS},
        },
        "3": {"type": "lab.flow.Sequence", "title": "Trial", "children": ["4", "5"]},
        "4": {
            "type": "lab.canvas.Screen", "title": "Fixation", "timeout": "500",
            "content": [{"type": "i-text", "text": "+", "left": 0, "top": 0, "fill": "black"}],
        },
        "5": {
            "type": "lab.canvas.Screen", "title": "Word", "timeout": "1500",
            "content": [{"type": "i-text", "text": "${ this.parameters.word }", "fill": "${ this.parameters.ink }"}],
            "responses": {"rows": [["red", "keydown", "", "r"], ["green", "keydown", "", "g"],
                                   ["blue", "keydown", "", "b"]]},
            "correctResponse": "${ this.parameters.ink }",
        },
        "6": {
            "type": "lab.html.Page", "title": "Person",
            "items": [
                {"type": "radio", "label": "Your hand?", "name": "hand", "required": True,
                 "options": [{"label": "left", "coding": "l"}, {"label": "right", "coding": "r"}]},
                {"type": "textarea", "label": "Anything else?", "name": "notes", "required": False},
            ],
        },
        "7": {"type": "lab.html.Screen", "title": "Thanks", "content": "<p>Thank you.</p>", "responses": []},
    }  # fmt: skip
    for name, change in changes.items():
        components[name.strip("_")] |= change
    return components


def project(components=None, files=None) -> dict[str, bytes]:
    given = {"version": [20, 2, 4], "components": components or study(), "files": {"files": files or {}}}
    return {"colours.study.json": json.dumps(given).encode()}


def told(found, outcome):
    return "\n".join(str(entry) for entry in found.report.of(outcome))


def test_a_study_of_the_builder_is_carried_whole(researcher):
    found = carried(project(), "colours")
    assert found.described is not None, found.faults
    assert (found.tool, found.report.of("not carried")) == ("lab.js", [])
    made = store_description(found.described, user=researcher, origin="project")
    assert [(part.name, part.kind) for part in made.ordered_parts] == [("stroop", "task"), ("person", "questionnaire")]
    task = made.seen_through("stroop")
    assert task.settings["answers"].split("\n") == ["red | r", "green | g", "blue | b"]
    assert (task.settings["deadline_ms"], task.settings["fixation_ms"]) == (1500, 500)
    shown = [
        (one.text, one.extra["text_colour"], one.extra["correct"]) for i in task.items.all() for one in i.stimuli.all()
    ]
    assert sorted(shown) == sorted((word, ink, ink) for ink, word in ROWS)
    texts = {text.kind: text.body for text in made.texts.all()}
    assert texts["instructions"] == "## Colours\n\nWhich **colour**?\n\nPress Space."
    assert texts["debriefing"] == "Thank you."
    asked = made.ordered_parts[1].questions
    assert [(one["name"], one["kind"]) for one in asked] == [("hand", "choice"), ("notes", "long-text")]
    assert asked[0]["choices"] == ["left", "right"]


def test_the_script_of_an_export_says_the_same():
    loop = "[" + ", ".join(json.dumps({"ink": ink, "word": word}) for ink, word in ROWS) + "]"
    script = f"""
    const study = lab.util.fromObject({{
      title: "root", type: "lab.flow.Sequence", content: [
        {{type: "lab.html.Screen", title: "Hello", responses: {{"keypress(Space)": "go"}},
          content: "\\u003Cp\\u003EWhich colour?\\u003C\\u002Fp\\u003E"}},
        {{type: "lab.flow.Loop", title: "Stroop", shuffle: true, templateParameters: {loop},
          template: {{type: "lab.canvas.Screen", title: "Word", timeout: 1500,
            messageHandlers: {{"run": function anonymous() {{ this.x = 1 }}}},
            content: [{{type: "i-text", text: "${{ this.parameters.word }}", fill: "${{ this.parameters.ink }}"}}],
            responses: {{"keydown(r)": "red", "keydown(g)": "green", "keydown(b)": "blue"}},
            correctResponse: "${{ this.parameters.ink }}"}}}}
      ]
    }})
    study.run()
    """
    found = carried({"script.js": script.encode(), "index.html": b"<script src='script.js'></script>"}, "colours")
    assert found.tool == "lab.js"
    built = carried(project(study(_4_={"skip": True}, _6_={"skip": True}, _7_={"skip": True})), "colours")
    assert found.files["materials-stroop.csv"] == built.files["materials-stroop.csv"]
    assert "a script (run) is not run" in told(found, "not carried")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"_5_": {"messageHandlers": [{"message": "run", "code": "this.x = 1"}]}},
         "Stroop/Trial/Word (canvas.Screen): a script (run) is not run: this.x = 1"),
        ({"_2_": {"sample": {"mode": "draw-shuffle", "n": "2"}}}, "it draws 2 of 3 rows"),
        ({"_2_": {"templateParameters": {"columns": [], "rows": []}}}, "a script makes them while the study runs"),
        ({"_1_": {"skipCondition": "${ this.state.x }"}}, "Hello (html.Screen): it is skipped if ${ this.state.x }"),
        ({"_5_": {"correctResponse": "${ this.state.right }"}}, "${ this.state.right } is worked out"),
        ({"_5_": {"content": [{"type": "i-text", "text": "x", "left": "${ this.parameters.word }"}]}},
         "places and sizes that differ by row"),
        ({"_3_": {"type": "lab.flow.Parallel"}}, "components at the same time"),
    ],
)  # fmt: skip
def test_what_is_not_carried_is_named_with_its_path(changes, said):
    found = carried(project(study(**changes)), "colours")
    assert said in told(found, "not carried"), told(found, "not carried")


def test_pictures_in_the_study_file_come_along():
    address = "data:image/png;base64," + base64.b64encode(PIXEL).decode()
    changes = {
        "_2_": {"templateParameters": {"columns": [{"name": "ink"}, {"name": "word"}],
                                       "rows": [["red", "a.png"], ["green", "b.png"]]}},
        "_5_": {"content": [{"type": "image", "src": "${ this.files[this.parameters.word] }"}],
                "files": [{"localPath": "a.png", "poolPath": "embedded/1.png"},
                          {"localPath": "b.png", "poolPath": "embedded/2.png"}]},
    }  # fmt: skip
    found = carried(project(study(**changes), {"embedded/1.png": {"content": address}}), "colours")
    assert found.files["media/a.png"] == PIXEL
    assert "1 files are not in the project: b.png" in told(found, "not carried")


def test_marks_that_differ_between_trials_are_not_lost_in_silence():
    html = '<main class="${ this.parameters.ink }">${ this.parameters.word }</main>'
    found = carried(project(study(_5_={"type": "lab.html.Screen", "content": html})), "colours")
    assert "marks or places differ between trials" in told(found, "not carried")


def test_keys_that_all_go_on_are_no_answers():
    both = [{"label": "go", "event": "keypress", "filter": key} for key in "jk"]
    found = carried(project(study(_1_={"responses": both})), "colours")
    assert found.report.of("not carried") == []
    assert [part.fields["name"] for part in found.described.parts] == ["stroop", "person"]


@pytest.mark.parametrize("depth", [100, 5_000])
def test_deep_files_end(depth):
    components = {str(n): {"type": "lab.flow.Sequence", "children": [str(n + 1)]} for n in range(depth)}
    components |= {"root": {"type": "lab.flow.Sequence", "children": ["0"]}, str(depth): {"type": "lab.html.Screen"}}
    assert "nested too deep" in told(carried(project(components), "deep"), "not carried")
    nested = '{"components": {"root": {"type": "lab.x", "children": ' + "[" * 100_000 + "}"
    assert "cannot be read" in told(carried({"a.json": nested.encode()}, "deep"), "not carried")


def test_keys_that_only_the_running_study_knows_cost_no_materials():
    keys = [{"label": name, "event": "keydown", "filter": "${ window.key }"} for name in ("red", "green", "blue")]
    found = carried(project(study(_5_={"responses": keys})), "colours")
    assert "the key of red is known while the study runs" in told(found, "not carried")
    assert found.described is not None, found.faults
    assert found.files["materials-stroop.csv"] == carried(project(), "colours").files["materials-stroop.csv"]
