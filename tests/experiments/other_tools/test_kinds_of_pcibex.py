"""What scripts of PCIbex ask, kind by kind: carried onto the platform's own settings and columns, or named."""

from __future__ import annotations

import csv
import io
import random
import tomllib
from collections import Counter
from typing import Any

import pytest
from PIL import Image

from experiments.other_tools.carrying import Carried, carried
from experiments.other_tools.javascript.syntax import script_of
from experiments.other_tools.pcibex.functions import NeedsTick, OnlyLooks, purpose_of
from experiments.other_tools.pcibex.logos import small_logo
from experiments.procedure.sessions import plan_task, task_snapshot
from experiments.rules.look import MAX_LOGO_BYTES
from experiments.study_files import store_description

TABLE = "Item,Condition,Sentence,Word,Right,Wrong,File\n" + "".join(
    f"{n},c{n % 2},The dog {n} barked.,word{n},yes{n},no{n},dog{n}.png\n" for n in range(4)
)


def png(width: int = 20, height: int = 10, *, noise: int = 0) -> bytes:
    picture = Image.new("RGB", (width, height), "#406080")
    draw = random.Random(noise)
    for _ in range(noise):
        picture.putpixel((draw.randrange(width), draw.randrange(height)), tuple(draw.randbytes(3)))
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def project(script: str, table: str = TABLE, **files: bytes) -> Carried:
    given = {"data_includes/main.js": f"PennController.ResetPrefix(null)\n{script}".encode()}
    given["chunk_includes/items.csv"] = table.encode()
    given |= {f"chunk_includes/dog{n}.png": png() for n in range(4)}
    return carried(given | {f"chunk_includes/{name}": data for name, data in files.items()}, "dogs")


def trial(body: str, label: str = "experiment") -> str:
    return f'Template("items.csv", row => newTrial("{label}", {body}))'


def materials(found: Carried, part: str = "experiment") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(found.files[f"materials-{part}.csv"].decode())))


def study_file(found: Carried) -> dict[str, Any]:
    assert found.described is not None, [str(fault) for fault in found.faults]
    return tomllib.loads(found.files["study.toml"].decode())


def settings(found: Carried) -> dict[str, Any]:
    return next(part["settings"] for part in study_file(found)["parts"] if part["kind"] == "task")


def named(found: Carried, outcome: str) -> set[str]:
    return {entry.element for entry in found.report.of(outcome)}


READ = 'newController("DashedSentence", {s: row.Sentence}).print().log().wait().remove()'


@pytest.mark.parametrize(
    ("asked", "question", "choices", "answer", "order", "keys"),
    [
        (
            'newController("Question", {q: "Good?", as: ["Yes", "No"]}).print().wait()',
            "Good?",
            "Yes | No",
            "none",
            "fixed",
            "",
        ),
        (
            'newController("Question", {q: "Which?", as: [row.Right, row.Wrong], hasCorrect: true}).print().wait()',
            "Which?",
            "yes1 | no1",
            "yes1",
            "random",
            "",
        ),
        (
            'newText("How good?").print(), newScale("s", 5).before(newText("bad"))'
            '.after(newText("fine")).print().wait()',
            "How good? 1 = bad. 5 = fine.",
            "1 | 2 | 3 | 4 | 5",
            "none",
            "fixed",
            "",
        ),
        (
            'newText("a", row.Right), newText("b", row.Wrong), newCanvas(9, 9).add(0, 0, newText("Which?"))'
            '.add(0, 9, newText("[ 1 ]")).add(0, 9, getText("a")).add(9, 9, getText("b")).print(), newSelector()'
            '.add(getText("a"), getText("b")).keys("1", "2").wait()',
            "Which?",
            "yes1 | no1",
            "yes1",
            "fixed",
            "1 2",
        ),
    ],
)
def test_questions_after_reading_are_asked_with_their_order_keys_and_answer(
    asked, question, choices, answer, order, keys
):
    found = project(trial(f"{READ}, {asked}"))
    row = materials(found)[1]
    assert (row["question"], row["choices"], row["answer"]) == (question, choices, answer)
    assert (settings(found)["question_order"], settings(found).get("question_keys", "")) == (order, keys)
    assert found.report.needs_no_hand, found.report.of("not carried")


def test_columns_left_and_right_are_sides_and_no_right_answer():
    table = "Item,Sentence,LEFT,RIGHT\n1,The dog barked.,cat,dog\n2,A cat slept.,cat,dog\n"
    asked = 'newText("l", row.LEFT).print(), newText("r", row.RIGHT).print(), newText("Who?").print(), '
    asked += 'newSelector().add(getText("l"), getText("r")).wait()'
    assert {row["answer"] for row in materials(project(trial(f"{READ}, {asked}"), table))} == {"none"}


@pytest.mark.parametrize(
    ("told", "right", "in_practice", "in_main"),
    [
        ('.failure(newText("Wrong!").print())', "yes1", False, True),
        ('.failure(getVar("n").set(v => v + 1))', "yes1", False, False),
    ],
)
def test_what_follows_an_answer_says_which_is_right_and_whether_people_are_told(told, right, in_practice, in_main):
    table = TABLE.replace("Right", "First")
    body = (
        'newText(row.Sentence).print(), newText("a", row.First).print(), newText("b", row.Wrong).print(), '
        'newSelector("x")'
        '.add(getText("a"), getText("b")).keys("F", "J").wait().test.selected("a")'
    )
    found = project(trial(body + told), table)
    row = materials(found)[1]
    assert row["answer_labels"] == "yes1 | no1"
    assert row.get("correct", "") == ("answer 1" if right else "")
    assert settings(found)["answers"].splitlines() == ["answer 1 | f", "answer 2 | j"]
    assert (settings(found)["feedback_in_practice"], settings(found)["feedback_in_main"]) == (in_practice, in_main)
    unclear = project(trial(body + '.success(newText("Hm!").print())'), table)
    assert unclear.described is not None
    assert "feedback" in named(unclear, "not carried")


def test_what_ends_a_trial_or_asks_further_after_an_answer_is_named():
    body = 'newText(row.Sentence).print(), newKey("k", "FJ").wait().test.pressed("F").success(end())'
    assert "Key.test" in named(project(trial(body)), "not carried")


def test_a_picture_that_is_over_before_the_word_is_a_prime_with_its_time():
    body = (
        'newImage("p", row.File).print(), newTimer(500).start().wait(), getImage("p").remove(), '
        'newText(row.Word).print(), newKey("FJ").wait()'
    )
    found = project(trial(body))
    row = materials(found)[1]
    assert (row["text"], row["prime"], row["prime_ms"]) == ("word1", "dog1.png", "500")
    assert "image" not in row
    beside = project(trial(body.replace('getImage("p").remove(), ', "")))
    assert (materials(beside)[1]["image"], "prime" in materials(beside)[1]) == ("dog1.png", False)


def test_a_text_that_is_gone_before_a_rating_stands_above_it_and_that_is_said():
    body = (
        'newText("c", "A story.").print(), newTimer(900).start().wait(), clear(), newText(row.Sentence).print(), '
        'newScale("s", 7).print().wait()'
    )
    found = project(trial(body))
    assert {row["context"] for row in materials(found)} == {"A story."}
    assert "text before the text" in named(found, "changed")


def test_what_a_trial_asks_beside_its_task_is_named():
    body = f'{READ}, newTextInput("why").print(), newButton("Go").print().wait()'
    found = project(trial(body))
    assert "newTextInput" in named(found, "not carried")
    unknown = project(trial(f'{READ}, newController("Wheel", {{q: "?"}}).print().wait()'))
    assert "Controller Wheel" in named(unknown, "not carried")


def test_a_rating_that_shows_nothing_is_named_and_a_question_by_row_is_its_text():
    judged = (
        'newController("AcceptabilityJudgment", {s: "", q: row.Sentence, as: ["1", "2", "3", "4", "5"]}).print().wait()'
    )
    found = project(trial(judged))
    assert materials(found)[1]["text"] == "The dog 1 barked."
    assert found.report.needs_no_hand
    timed = project(trial(judged.replace('"5"]', '"5"], timeout: 900')))
    assert "AcceptabilityJudgment.timeout" in named(timed, "not carried")
    empty = project(trial('newScale("s", 7).print().wait()'))
    assert "trial experiment" in named(empty, "not carried")


def test_sentences_that_are_read_one_after_the_other_are_one_text():
    table = TABLE.replace("The dog 1 barked.", "One/two three//Four*/five.")
    parts = ", ".join(
        f'newController("d{n}", "DashedSentence", {{s: row.Sentence.split("//")[{n}].split("/").map(w => '
        f'w.replace(/\\*/g, ""))}}).print().wait()'
        for n in (0, 1)
    )
    table = "\n".join(line for line in table.splitlines() if "barked" not in line) + "\n"
    assert materials(project(trial(parts), table))[0]["text"] == "One |two three |Four |five."


def test_a_script_without_spaces_is_cut_where_its_author_put_some():
    table = "Item,Sentence\n1,+ 犬が 昨日 吠えた。\n2,猫が 寝た。\n"
    texts = [row["text"] for row in materials(project(trial(READ), table))]
    assert texts == ["犬が |昨日 |吠えた。", "猫が |寝た。"]


# Lists.


def seen(found: Carried, researcher, part: str) -> list[Counter[str]]:
    """Return the texts that each group of people sees in the tasks of a pool."""
    assert found.described is not None
    study = store_description(found.described, user=researcher, origin="project")
    sessions: dict[str, Counter[str]] = {}
    for task in study.tasks:
        (stimulus_list,) = study.seen_through(task.name).lists.all()
        trials = plan_task(task_snapshot(task, stimulus_list), rng=random.Random(1), seed=1)
        own = Counter(one.params["text"] for one in trials if "regions" in one.params)
        sessions[task.name] = own
    return [own for name, own in sorted(sessions.items()) if name.startswith(part)]


@pytest.mark.parametrize(
    "rows",
    [
        # Items of their own in every list; between people; several rows of an item in a list; no column of conditions.
        [("A", "1", "x"), ("A", "2", "y"), ("B", "3", "x"), ("B", "4", "y")],
        [("A", "1", "x"), ("A", "2", "x"), ("B", "1", "y"), ("B", "2", "y")],
        [("A", "1", "x"), ("A", "1", "y"), ("B", "1", "z"), ("B", "1", "w")],
    ],
)
def test_lists_that_a_latin_square_would_not_make_are_kept_as_they_are(researcher, rows):
    table = "Group,Item,Condition,Sentence\n" + "".join(
        f"{group},{item},{condition},Dog {item} {condition} barked.\n" for group, item, condition in rows
    )
    table += "A,f,filler,Filler sat.\nB,f,filler,Filler sat.\n"
    found = project(trial(READ), table)
    assert found.report.needs_no_hand, found.report.of("not carried")
    expected = [
        Counter([f"Dog {item} {condition} barked." for own, item, condition in rows if own == group] + ["Filler sat."])
        for group in "AB"
    ]
    assert seen(found, researcher, "experiment") == expected
    assert {part.fields.get("pool") for part in found.described.parts} == {"experiment"}


def test_everybody_sees_all_items_of_ibex_whose_conditions_have_names_of_their_own(researcher):
    items = ", ".join(
        f'[["it{n}-{level}", {n}], "DashedSentence", {{s: "Dog {n} {level} barked."}}]'
        for n in (1, 2, 3, 4)
        for level in ("a", "b")
    )
    found = project(f'var shuffleSequence = rshuffle(startsWith("it")); var items = [{items}];')
    assert found.described is not None, found.faults
    assert found.described is not None
    study = store_description(found.described, user=researcher, origin="project")
    (task,) = study.tasks
    assert [condition.name for condition in study.conditions.all()] == ["a", "b"]
    for stimulus_list in study.lists.all():
        trials = plan_task(task_snapshot(task, stimulus_list), rng=random.Random(1), seed=1)
        assert len([one for one in trials if "regions" in one.params]) == 4


# Scripts.


def test_a_template_within_another_trial_a_label_column_and_labels_of_preloading_are_read():
    table = TABLE.replace("Condition", "Label")
    script = f"""Sequence("start", "preload", randomize("c0"), randomize("c1"))
        newTrial("start", newText("Go.").print(), newButton("Go").print().wait(),
            Template("items.csv", row => newTrial({READ})))
        CheckPreloaded("c0").label("preload")"""
    found = project(script, table)
    assert [len(materials(found, name)) for name in ("c0", "c1")] == [2, 2]
    assert found.report.needs_no_hand, found.report.of("not carried")


def test_a_label_that_no_trial_has_is_named_wherever_it_stands_in_the_order():
    found = project(f'Sequence(rshuffle("experiment", "fillers"))\n{trial(READ)}')
    assert any("fillers" in entry.said for entry in found.report.of("not carried"))


def test_a_column_that_is_only_logged_may_be_missing_and_one_that_is_shown_may_not():
    logged = project(f'Template("items.csv", row => newTrial("experiment", {READ}).log("x", row.Nothing))')
    assert "row.Nothing" in named(logged, "changed")
    shown = project(trial(f"newText(row.Nothing).print(), {READ}"))
    assert "row.Nothing" in named(shown, "not carried")


@pytest.mark.parametrize(
    ("script", "purpose"),
    [
        (
            '$("#c").change(e => { if (e.target.checked) getButton("g").enable()._runPromises(); '
            'else getButton("g").disable()._runPromises(); })',
            NeedsTick("c"),
        ),
        ('$("body").removeClass("wide")', OnlyLooks()),
        ('$("#c").change(e => { fetch("https://example.org"); })', None),
        ('$("body").append("<p>Hello</p>")', None),
    ],
)
def test_functions_are_known_by_their_shape_alone(script, purpose):
    (call,) = script_of(f"f(() => {script})").statements
    assert purpose_of(call.arguments[0]) == purpose  # type: ignore[attr-defined]


def test_the_box_of_a_consent_has_to_be_ticked_and_its_picture_is_the_logo():
    script = f"""newTrial("consent", newHtml("<p>Consent</p><img src='logo.png' alt='University'>").print(),
            newHtml(`<input id='c' name='c' type='checkbox'><label for='c'>I agree.</label>`).print(),
            newFunction(() => $("#c").change(e => {{ if (e.target.checked) getButton("g").enable();
                else getButton("g").disable(); }})).call(),
            newButton("g", "Go").disable().print().wait())
        {trial(READ)}"""
    found = project(script, **{"logo.png": png(1600, 900, noise=60_000)})  # type: ignore[arg-type]
    assert found.report.needs_no_hand, found.report.of("not carried")
    assert found.described.look == {"logo": "study-logo.png", "logo_text": "University"}
    assert study_file(found)["texts"]["consent"]["required"] == ["I agree."]
    assert len(found.files["media/study-logo.png"]) <= MAX_LOGO_BYTES


def test_what_is_no_picture_is_no_logo():
    assert small_logo(b"GIF89a no picture") is None


def test_a_link_in_a_button_is_the_way_back_or_is_named():
    end = """newTrial("end", newText("Thanks.").print(), newButton("<a href='{}'>Next</a>").print().wait())"""
    back = project(trial(READ) + "\n" + end.format("https://app.prolific.com/submissions/complete?cc=ABC123"))
    assert study_file(back)["procedure"]["redirect_url"].endswith("cc=ABC123")
    away = project(trial(READ) + "\n" + end.format("https://example.org"))
    assert "newButton" in named(away, "not carried")
