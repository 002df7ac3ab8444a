"""Every reader declares itself once. It knows the files of its tool, and those of no other; the document names all."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.conversion import registry
from analysis.conversion.people import NAMES
from analysis.conversion.recognise import convert_text
from analysis.conversion.source import Source
from analysis.conversion.table import NotRecognised
from analysis.conversion.unread import UNREAD as REFUSED
from tests.analysis.conversion.samples import GORILLA, IBEX, JSPSYCH, LAB_JS, PLAIN, SAMPLES, UNREAD

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "converting-results.md"
FILES = [
    pytest.param(tool, text, id=f"{tool} {number}")
    for tool, texts in SAMPLES.items()
    for number, text in enumerate(texts, start=1)
]


def seen(text: str) -> list[str]:
    return [reader.tool for reader in registry.READERS if reader.recognised(Source(text))]


def test_every_reader_has_a_sample() -> None:
    assert [reader.tool for reader in registry.READERS] == list(SAMPLES)


@pytest.mark.parametrize(("tool", "text"), FILES)
def test_a_file_is_claimed_by_the_reader_of_its_tool_and_by_no_other(tool, text):
    assert seen(text) == [tool]
    for variant in (f"\ufeff{text}", text.replace("\n", "\r\n")):
        assert seen(variant) == [tool]


@pytest.mark.parametrize("name", [*PLAIN, *UNREAD])
def test_plain_tables_and_other_tools_are_claimed_by_none(name):
    assert seen({**PLAIN, **UNREAD}[name]) == []


@pytest.mark.parametrize(("tool", "text"), FILES)
def test_every_row_has_a_participant_and_every_column_an_explanation(tool, text):
    found = convert_text(text)
    assert found.tool == tool
    assert found.faults == []
    assert all(row.get("participant") is not None for row in found.rows)
    lines = {line["column"]: line for line in found.codebook()}
    assert list(lines) == found.columns
    assert all(line["meaning"] for line in lines.values())
    # Of a column that is the platform's, the codebook says what the tool calls it.
    assert lines["participant"]["source"] or not found.named
    assert {type(row["correct"]) for row in found.rows if row.get("correct") is not None} <= {bool}
    assert {type(row["rt_ms"]) for row in found.rows if row.get("rt_ms") is not None} <= {int, float}


# What the rows of a sample say, in the columns that analyses take: (participant, response, correct, rt_ms).
SAID = {
    "Gorilla": [(111, None, None, None), (111, "word", True, 612.4)],
    "PsychoPy": [(7, None, None, None), (7, "m", True, 612.4)],
    "E-Prime": [(12, "m", True, 612), (12, None, False, None)],
    "Presentation": [("s07", None, None, None), ("s07", None, True, None), ("s07", 2, True, 612.4)],
    "DMDX": [("p07", None, True, 539.43), ("p07", None, False, 1211.01), (2, None, True, 640.1)],
    "Linger": [("s1", None, None, 301), ("s1", None, None, 322), ("s1", "yes", True, 1810), ("s1", None, None, 280)],
    "magpie": [(41, "yes", None, 812), (42, "no", None, 733)],
    "Labvanced": [(501, "word", None, 612.4), (502, "word", None, 540.1)],
    "FindingFive": [("f01", "m", True, 612.4), ("f02", "z", False, 710)],
    "OpenSesame": [(4, "z", True, 731), (4, "m", False, 655)],
}


@pytest.mark.parametrize("tool", SAID)
def test_answers_and_times_are_where_analyses_look_for_them(tool):
    rows = convert_text(SAMPLES[tool][0]).rows
    assert [tuple(row.get(name) for name in ("participant", "response", "correct", "rt_ms")) for row in rows] == SAID[
        tool
    ]


def test_words_of_linger_are_regions_and_its_questions_are_none():
    rows = convert_text(SAMPLES["Linger"][0]).rows
    assert [(row.get("region"), row.get("word"), row.get("region_name")) for row in rows] == [
        (1, "The", None),
        (2, "man", "head"),
        (None, None, None),
        (1, "She", None),
    ]


def test_trials_of_e_prime_have_what_their_block_recorded():
    assert [row["hand"] for row in convert_text(SAMPLES["E-Prime"][0]).rows] == ["left", "left"]


def test_an_answer_of_presentation_has_the_time_since_its_stimulus_and_its_code():
    answer = convert_text(SAMPLES["Presentation"][0]).rows[2]
    assert (answer["text"], answer["rt_ms"], answer["elapsed_ms"]) == ("kettle", 612.4, 2112.4)


def test_the_wide_table_of_otree_becomes_a_row_for_each_round_that_was_answered():
    rows = convert_text(SAMPLES["oTree"][0]).rows
    assert [(row["participant"], row["label"], row["trial"], row["choice"]) for row in rows] == [
        ("c0ffee", "ldt", 1, "a"),
        ("c0ffee", "ldt", 2, "b"),
        ("decade", "ldt", 1, "b"),
    ]


def test_a_survey_of_qualtrics_has_its_questions_in_the_codebook_and_no_row_of_headers():
    found = convert_text(SAMPLES["Qualtrics"][0])
    (row,) = found.rows
    assert (row["participant"], row["q1"], row["duration_s"]) == ("R_1", 5, 540)
    lines = {line["column"]: line for line in found.codebook()}
    assert lines["q1"]["meaning"] == "How natural?"
    assert lines["duration_s"]["unit"] == "s"


def test_the_end_of_a_questionnaire_of_gorilla_holds_a_duration_and_no_answer():
    head = "Event Index,Participant Private ID,Questionnaire Name,Question Key,Response"
    rows = ["1,11,Q,BEGIN QUESTIONNAIRE,", "2,11,Q,age,27", "3,11,Q,END QUESTIONNAIRE,30211"]
    asked, ended = convert_text("\n".join([head, *rows, "END OF FILE"])).rows
    assert (asked["component"], asked["response"]) == ("age", 27)
    assert (ended["response"], ended["duration_ms"]) == (None, 30211)


def test_people_of_prolific_are_a_table_without_what_they_took_back():
    found = convert_text(SAMPLES["Prolific"][0])
    assert [(row["participant"], row["status"], row["age"]) for row in found.rows] == [
        ("5f00", "APPROVED", 27),
        ("5f01", "RETURNED", None),
    ]
    assert any("table of people" in note for note in found.notes)


def test_a_wide_table_becomes_a_row_for_each_condition_with_crossed_factors():
    found = convert_text(SAMPLES["wide table"][0])
    assert [(row["factor_1"], row["factor_2"], row["rt_ms"]) for row in found.rows if row["participant"] == "p2"] == [
        ("long", "match", 700),
        ("long", "clash", 712),
        ("short", "match", 650),
        ("short", "clash", None),
    ]
    assert {row["group"] for row in found.rows if row["participant"] == "p1"} == {"young"}


@pytest.mark.parametrize("stem", ["q", "score", "age"])
def test_numbered_questions_and_scores_are_no_conditions(stem):
    text = f"participant,{stem}_1,{stem}_2\np1,1,2\np2,3,4\n"
    assert seen(text) == []


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_table_is_told_that_it_needs_no_converting(name, tmp_path, capsys):
    path = tmp_path / "trials.csv"
    path.write_text(PLAIN[name], encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        call_command("convert", str(path), out=tmp_path / "out.csv")
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "needs no converting" in said
    assert not (tmp_path / "out.csv").exists()


def test_the_sentence_about_a_plain_table_names_the_role_that_its_columns_do_not():
    with pytest.raises(NotRecognised, match="--set participant=subj"):
        convert_text(PLAIN["long"])


@pytest.mark.parametrize("tool", UNREAD)
def test_a_tool_that_is_not_read_is_refused_by_its_name_with_the_columns_to_rename(tool):
    with pytest.raises(NotRecognised) as refused:
        convert_text(UNREAD[tool])
    assert f"Results of {tool} are not read." in str(refused.value)
    assert "→ participant" in str(refused.value)


def test_every_tool_that_is_refused_was_tried():
    assert {tool.tool for tool in REFUSED} == set(UNREAD)


def test_the_document_has_every_reader_and_every_refusal():
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in (registry.documented(), registry.documented_unread()):
        assert table in text, f"Put this into {DOCUMENT.name}:\n\n{table}"


@pytest.mark.parametrize("rows", [JSPSYCH, LAB_JS, GORILLA])
def test_a_table_is_read_alike_with_commas_semicolons_and_tabs(rows):
    records = list(csv.reader(io.StringIO(rows)))
    expected = convert_text(rows).rows
    for delimiter in (";", "\t"):
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=delimiter).writerows(records)
        assert convert_text(buffer.getvalue()).rows == expected


@pytest.mark.parametrize("tool", ["jsPsych", "lab.js", "formr"])
def test_a_table_and_the_same_objects_in_json_are_read_alike(tool):
    text = SAMPLES[tool][0]
    objects = list(csv.DictReader(io.StringIO(text)))
    assert convert_text(json.dumps(objects)).rows == convert_text(text).rows


@pytest.mark.parametrize("column", ["group", "Group"])
def test_a_group_of_jspsych_is_not_the_list(column):
    text = f"trial_type,trial_index,{column},list\nx,0,filler,3\n"
    (row,) = convert_text(text).rows
    assert (row["group"], row["list"]) == ("filler", 3)
    (row,) = convert_text(text.replace(",list", ",kind")).rows
    assert row["group"] == "filler"
    assert "list" not in row


def test_a_file_without_rows_is_refused_by_the_name_of_its_tool():
    with pytest.raises(NotRecognised, match="a file of jsPsych without results"):
        convert_text(JSPSYCH.split("\n")[0])
    with pytest.raises(NotRecognised, match="a file of Ibex without results"):
        convert_text("\n".join(line for line in IBEX.splitlines() if line.startswith("#")))


def test_no_name_of_people_is_written_twice():
    assert len(set(NAMES)) == len(NAMES)
