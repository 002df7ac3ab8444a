"""Item files of Linger and Ibex, tables of PCIbex and loops of OpenSesame become materials, known by their content."""

from __future__ import annotations

import csv

import pytest
from django.core.management import call_command

from experiments.materials import MaterialsFaults, design_from, read_table
from experiments.materials.reading import read_materials, without_needless_questions
from experiments.paradigms import paradigm_named

ESTIMATION = paradigm_named("magnitude-estimation")
READING = paradigm_named("self-paced-reading")

LINGER = """\
# rel 1 subject
The gardener that greeted the postman
dropped the basket.
? Did the postman drop the basket? N

# rel 1 object
The gardener that the postman greeted dropped the basket.
? Did somebody drop a basket? Y
# rel 2 subject
The pilot that saw the nurse waved.
# rel 2 object
The pilot that the nurse saw waved.
# filler 1 -
It rained all night.
# filler 2 -
Nobody came.
# practice 1 -
This one is for practice.
"""
IBEX = """\
// Items of a small study
var shuffleSequence = seq("intro", sepWith("sep", rshuffle("rel-s", "rel-o")));
var items = [
    ["sep", "Separator", { }],
    ["intro", "Message", {consentRequired: true, html: ["div", ["p", "Welcome"]]}],
    ["setcounter", "__SetCounter__", { }],
    ["consent", "Form", {html: {include: "consent.html"}, validators: {age: function (text) {
        // it's a number
        return text.match(/^\\d+$/) ? true : "Please type your age, in digits"; } } }],
    /* the items */
    [["rel-s", 1], "DashedSentence", {s: "The gardener that greeted the postman dropped the basket."},
                   "Question", {q: "Who dropped it?", as: ["the gardener", "the postman"], hasCorrect: 0}],
    [["rel-o", 1], "DashedSentence", {s: "The gardener that the postman " + "greeted dropped the basket."},
                   "Question", {q: 'Who dropped it?', as: ["the gardener", "the postman"], hasCorrect: "the gardener"}],
    [["rel-s", [2, 1]], ds, {"s": ["The", "pilot", "that", "saw", "the", "nurse", "waved."]}],
    [["rel-o", [2, 1]], ds, {s: 'The pilot that the nurse\\'s aunt saw waved.',}],
    ["filler", "AcceptabilityJudgment", {s: "It rained all night.", as: ["1", "2", "3"]}],
    ["practice", "DashedSentence", {s: {html: "This one is <b>for</b> practice."}}],
];
"""
PCIBEX = """\
Group,Item,Condition,Sentence,Image,Type
A,1,subject,The gardener that greeted the postman left.,1.png,critical
B,1,object,The gardener that the postman greeted left.,1.png,critical
A,2,object,The pilot that the nurse saw waved.,2.png,critical
B,2,subject,The pilot that saw the nurse waved.,2.png,critical
A,1,,It rained all night.,,filler
B,1,,It rained all night.,,filler
A,9,,This one is for practice.,,practice
B,9,,This one is for practice.,,practice
"""
LOOP = """\
sentence,cond,correct_response,sentence_id
The gardener that greeted the postman left.,subject,z,1
The gardener that the postman greeted left.,object,m,1
The pilot that saw the nurse waved.,subject,z,2
The pilot that the nurse saw waved.,object,m,2
"""
SCRIPT = """\
define loop block_loop
\tset repeat 1
\tset order random
\tsetcycle 0 sentence "He said \\"no\\" and left."
\tsetcycle 0 cond subject
\tsetcycle 1 sentence "Nobody came."
\tsetcycle 1 cond object
\trun trial_sequence
"""


def materials(text: str, paradigm=ESTIMATION):
    return without_needless_questions(read_materials(text.encode()), paradigm)


def shown(table) -> list[dict[str, str]]:
    return [dict(zip(table.header, row.cells, strict=True)) for row in table.rows]


@pytest.mark.parametrize(("text", "origin"), [(LINGER, "Linger"), (IBEX, "Ibex"), (PCIBEX, "PCIbex")])
def test_a_file_of_each_tool_makes_the_design_that_it_means(text, origin):
    table = materials(text)
    assert table.origin == origin
    design = design_from(table, ESTIMATION)
    assert len(design.conditions) == 2
    assert [item.code for item in design.items if item.is_target] == ["1", "2"]
    texts = [stimulus.text for item in design.items if item.is_target for stimulus in item.stimuli]
    assert "The gardener that greeted the postman" in texts[0]
    assert len(texts) == 4
    assert next(item.stimuli[0].text for item in design.items if item.is_filler) == "It rained all night."
    assert [item.stimuli[0].text for item in design.items if item.is_practice] == ["This one is for practice."]


def test_a_sentence_of_linger_may_have_several_lines_and_a_question():
    rows = shown(materials(LINGER, READING))
    assert rows[0]["text"] == "The gardener that greeted the postman dropped the basket."
    assert [rows[0][name] for name in ("question", "choices", "answer")] == [
        "Did the postman drop the basket?", "Yes|No", "No",
    ]  # fmt: skip
    assert design_from(materials(LINGER, READING), READING).conditions[0].name == "subject"
    without = materials(LINGER)
    assert "question" not in without.header
    assert "The questions were left out" in str(without.warnings[-1])


def test_what_has_no_sentence_in_ibex_is_left_out_and_counted():
    table = materials(IBEX, READING)
    rows = shown(table)
    assert rows[1]["text"] == "The gardener that the postman greeted dropped the basket.", "texts joined with +"
    assert rows[2]["text"] == "The pilot that saw the nurse waved.", "words of a list"
    assert rows[3]["text"] == "The pilot that the nurse's aunt saw waved."
    assert [row["answer"] for row in rows[:3]] == ["the gardener", "the gardener", ""]
    told = " ".join(map(str, table.warnings))
    for controller in ("Separator (1)", "Form (1)", "__SetCounter__ (1)"):
        assert controller in told


def test_a_flashed_cross_is_no_sentence_and_a_question_without_its_answer_is_told():
    text = """var items = [[["a", 1], "FlashSentence", {s: "+"}, "DashedSentence", {s: "He left."},
                             "Question", {q: "Who?", as: [["f", "he"], ["j", "she"]]}]];"""
    table = materials(text, READING)
    assert table.rows[0].cells[1] == "He left."
    assert any("Questions of 1 texts were left out" in str(warning) for warning in table.warnings)


def test_a_pcibex_table_loses_its_groups_and_repeated_fillers_and_nothing_else():
    table = materials(PCIBEX)
    assert [row["item"] for row in shown(table)] == ["1", "1", "2", "2", "filler-1", "practice-9"]
    assert "Group" not in table.header
    assert "Image" in table.header
    assert any("The platform makes new lists" in str(warning) for warning in table.warnings)
    assert [row.line for row in table.rows] == [2, 3, 4, 5, 6, 8]


@pytest.mark.parametrize("answers", ["RT", "rt_ms", "response", "Response Time", "submission_id", "trial_index"])
def test_a_table_that_holds_answers_is_no_loop_of_opensesame(answers):
    rows = [f"{cells},{number}" for number, cells in enumerate(("The lid fell.,yes", "Nobody came.,no"), start=1)]
    table = materials("\n".join([f"question,correct_response,{answers}", *rows]))
    assert table.origin == ""
    assert materials("question,correct_response\nThe lid fell.,yes\nNobody came.,no\n").origin == "OpenSesame"


def test_a_loop_of_opensesame_is_read_as_table_and_as_script():
    table = materials(LOOP)
    assert table.origin == "OpenSesame"
    assert len(design_from(table, ESTIMATION).conditions) == 2 or "correct_response" in table.header
    script = materials(SCRIPT)
    assert [row["text"] for row in shown(script)] == ['He said "no" and left.', "Nobody came."]
    assert [row.line for row in script.rows] == [4, 6]
    assert any("every row is an item of its own" in str(warning) for warning in script.warnings)


@pytest.mark.parametrize(
    "table",
    [
        "item,text,group\n1,He left.,a\n1,She left.,b\n",
        "item,text,group,marker\n1,A a.,x,p\n1,B b.,x,q\n1,C c.,y,p\n1,D d.,y,q\n",
        "item,text,group,condition,is_filler\n1,A a.,x,p,false\n1,B b.,y,q,false\n",
        "item,text,list\n1,He left.,a\n2,She left.,b\n",
        "item,text\n#1,# 5 a b\n",
    ],
)
def test_a_table_of_our_own_stays_as_it_is(table):
    assert read_materials(table.encode()) == read_table(table.encode())


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("# rel 1 a\n# rel 1 b\nHe left.\n", 1, "no sentence"),
        (
            "# rel 1 a\nHe left.\n# rel 2\nShe left.\n# rel 3 a\nThey left.\n",
            3,
            "' does not name an experiment, item and condition.",
        ),
        ("# rel 1 a\nHe left.\n? Who left?\n", 3, "no answer"),
        ('var items = [\n["a", "D", {s: "He left.}],\n];', 2, "never closes"),
        ('var items = [\n["a", "D", {s: "He left."}]\n["b", "D", {s: "x"}]];', 2, "comma"),
        ('var items = [\n["a", "D", {s: "He left."}],\n', 3, "ends in the middle"),
        ('var items = [\nmake("a"),\n["a", "D", {s: "He left."}]];', 2, "', but the platform runs no scripts."),
        ('var items = [\n["a", "D", {s: texts[0]}]];', 2, "the script computes"),
    ],
)
def test_faults_are_told_by_their_lines(text, line, said):
    with pytest.raises(MaterialsFaults) as refused:
        read_materials(text.encode())
    fault = refused.value.faults[0]
    assert (fault.line, said in fault.message) == (line, True), str(fault)


def test_the_command_convert_writes_materials_as_well(tmp_path, capsys):
    (tmp_path / "items.js").write_text(IBEX, encoding="utf-8")
    call_command("convert", str(tmp_path / "items.js"), out=tmp_path / "materials.csv")
    with (tmp_path / "materials.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 6
    assert "Materials of Ibex: 6 texts" in capsys.readouterr().out
    (tmp_path / "broken.txt").write_text("# rel 1 a\n# rel 1 b\nHe left.\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("convert", str(tmp_path / "broken.txt"), out=tmp_path / "none.csv")
    assert ended.value.code == 2
    assert "no sentence" in capsys.readouterr().err
    assert not (tmp_path / "none.csv").exists()


@pytest.mark.parametrize("first", ["#\n# Results", "# Results", "\n# Results"])
def test_results_of_ibex_are_no_materials(first: str) -> None:
    lines = [
        f"{first} on Tuesday March 04 2014 10:01:02 UTC.",
        "# USER AGENT: any browser",
        "# Design number was non-random = 3",
        "#",
        "1393927262,abc,AcceptabilityJudgment,0,0,rel-subj,1,The kettle that whistled stood there.",
        "1393927262,abc,AcceptabilityJudgment,0,0,rel-subj,1,NULL,5,NULL,2113",
    ]
    with pytest.raises(MaterialsFaults) as told:
        read_materials("\n".join(lines).encode())
    (fault,) = told.value.faults
    assert "results file of Ibex" in fault.message
