"""Small files in the shape that each tool writes, as its documentation and public projects show it."""

import contextlib
import csv
import io
import json
import zipfile

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.conversion.recognise import convert_file, convert_text
from analysis.conversion.table import NotRecognised
from analysis.data.analyse_file import read_table
from analysis.methods import registry

PCIBEX = """\
# Results on Sunday May 02 2021 16:42:49 UTC
# USER AGENT: Mozilla/5.0
# Design number was non-random = 2
#
# Columns below this comment are as follows:
# 1. Results reception time.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Order number of item.
# 5. Inner element number.
# 6. Label.
# 7. Latin Square Group.
# 8. PennElementType.
# 9. PennElementName.
# 10. Parameter.
# 11. Value.
# 12. EventTime.
# 13. item.
# 14. condition.
# 15. Comments.
1603390913,a1,PennController,1,0,trial,A,PennController,1,_Trial_,Start,1603390892115,7,plural,NULL
1603390913,a1,PennController,1,0,trial,A,Key,answer,PressedKey,F,1603390893835,7,plural,Wait success
# 13. Reading time.
# 14. Newline?.
# 15. Sentence (or sentence MD5).
# 16. Comments.
1603390913,a1,PennController,2,0,spr,NULL,Controller,Dashed,1,Well%2C,1603390898000,312,false,Well%2C yes,
1603390913,a1,PennController,2,0,spr,NULL,Controller,Dashed,2,yes,1603390898400,287.5,false,Well%2C yes,
"""
IBEX = """\
# Columns below this comment are as follows:
# 1. Time results were received.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Item number.
# 5. Element number.
# 6. Type.
# 7. Group.
# 8. Question (NULL if none).
# 9. Answer.
# 10. Whether or not answer was correct (NULL if N/A).
# 11. Time taken to answer.
1300000000,h1,AcceptabilityJudgment,3,0,test,12,NULL,5,NULL,2210
1300000500,h1,AcceptabilityJudgment,3,0,test,12,Who?,Ann,1,1810
1300000500,h1,Broken
"""
JSPSYCH = [
    {"trial_type": "html-keyboard-response", "trial_index": 0, "rt": 512.4, "response": "f", "stimulus": "wug"},
    {"trial_type": "survey-text", "trial_index": 1, "rt": 2100, "response": {"Q0": "a, b"}, "subject_id": "p9"},
]


def test_a_results_file_of_pcibex_has_its_logged_columns_its_words_and_times_since_the_trial_began():
    found = convert_text(PCIBEX)
    start, key, first, second = found.rows
    assert found.tool == "PCIbex"
    assert (key["participant"], key["item"], key["condition"], key["list"], key["trial"]) == ("a1", 7, "plural", "A", 1)
    assert (key["response"], key["rt_ms"]) == ("F", 1720)
    assert (first["region"], first["word"], first["rt_ms"], first["text"]) == (1, "Well,", 312, "Well, yes")
    assert (second["rt_ms"], second.get("item"), "rt_ms" in start) == (287.5, None, False)
    assert found.faults == []


def test_a_results_file_of_ibex_has_answers_with_times_and_names_broken_lines():
    found = convert_text(IBEX)
    judged, asked = found.rows
    assert (judged["response"], judged["rt_ms"], judged["correct"], judged["list"]) == (5, 2210, None, 12)
    assert (asked["response"], asked["correct"], asked["rt_ms"]) == ("Ann", True, 1810)
    assert [fault.line for fault in found.faults] == [15]


def test_two_sets_of_results_from_one_address_are_two_participants_and_that_is_said():
    found = convert_text(IBEX)
    assert {row["participant"] for row in found.rows} == {"h1-1300000000", "h1-1300000500"}
    assert any("1 addresses sent 2 sets" in note for note in found.notes)


def test_a_logged_id_names_participants_rather_than_the_hash_of_their_address():
    found = convert_text(PCIBEX.replace("# 13. item.", "# 13. participant."))
    assert {row["participant"] for row in found.rows} == {7}


@pytest.mark.parametrize("form", ["json", "csv"])
def test_jspsych_is_read_from_json_and_from_csv(form):
    if form == "json":
        text = json.dumps(JSPSYCH)
    else:
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, ["trial_type", "trial_index", "rt", "response", "stimulus", "subject_id"])
        writer.writeheader()
        writer.writerows({**row, "response": json.dumps(row["response"])} for row in JSPSYCH)
        text = buffer.getvalue()
    found = convert_text(text)
    assert found.tool == "jsPsych"
    assert [row["position"] for row in found.rows] == [1, 2]
    assert [row["rt_ms"] for row in found.rows] == [512.4, 2100]
    assert {row["participant"] for row in found.rows} == {"p9"}
    if form == "json":
        assert found.rows[1]["response_q0"] == "a, b"


def test_a_jatos_archive_has_a_participant_per_result_and_keeps_what_can_be_read(tmp_path):
    path = tmp_path / "results.jzip"
    anonymous = [{key: value for key, value in row.items() if key != "subject_id"} for row in JSPSYCH]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("study_result_1/comp-result_1/data.txt", json.dumps(anonymous))
        archive.writestr("study_result_2/comp-result_2/data.txt", json.dumps(anonymous))
        archive.writestr("study_result_3/comp-result_3/data.txt", "{broken")
        archive.writestr("metadata.json", "{}")
    found = convert_file(path)
    assert found.tool == "JATOS (jsPsych)"
    assert [row["participant"] for row in found.rows] == ["study_result_1"] * 2 + ["study_result_2"] * 2
    assert [str(fault).split(":")[1].strip() for fault in found.faults] == ["study_result_3/comp-result_3/data.txt"]


def test_jatos_text_has_one_participant_on_each_line():
    anonymous = [{key: value for key, value in row.items() if key != "subject_id"} for row in JSPSYCH]
    found = convert_text(f"{json.dumps(anonymous)}\n{json.dumps(anonymous)}\n")
    assert [row["participant"] for row in found.rows] == ["1", "1", "2", "2"]


def test_lab_js_and_opensesame_are_known_by_their_columns():
    lab = convert_text("sender,sender_id,ended_on,duration,response,correct\nTrial,0_1,response,640.2,left,true\n")
    assert (lab.tool, lab.rows[0]["rt_ms"], lab.rows[0]["label"]) == ("lab.js", 640.2, "Trial")
    sesame = convert_text("subject_nr,response_time,response,correct,count_trial_sequence\n4,731,z,1,0\n")
    assert (sesame.tool, sesame.rows[0]["participant"], sesame.rows[0]["rt_ms"]) == ("OpenSesame", 4, 731)


def test_samples_of_motr_become_visits_that_the_reading_measures_take(tmp_path):
    samples = ["submission_id,ItemId,Condition,Index,Word,mousePositionX,mousePositionY,responseTime"]
    path = [(0, 0), (0, 25), (1, 50), (1, 100), (-1, 130), (0, 150), (0, 200), (2, 260), (2, 300)]
    samples += [f"s1,3,a,{index},w{index},1,1,{at}" for index, at in path]
    found = convert_text("\n".join(samples))
    assert [(row["aoi"], row["enter_ms"], row["leave_ms"]) for row in found.rows] == [
        (1, 0, 50),
        (2, 50, 130),
        (1, 150, 260),
        (3, 260, 300),
    ]
    source, out = tmp_path / "motr.csv", tmp_path / "trials.csv"
    source.write_text("\n".join(samples), encoding="utf-8")
    call_command("convert", str(source), out=out)
    report = registry.run(registry.method_named("reading"), read_table(out), {"trial": "item"})
    measures = {(row["aoi"]): row["total_duration"] for row in report.table("aoi").lines()}
    assert measures == {1: 160, 2: 80, 3: 40}


def test_the_command_writes_the_table_and_a_codebook_that_names_the_tools_own_columns(tmp_path, capsys):
    source, out = tmp_path / "results", tmp_path / "made" / "trials.csv"
    source.write_text(IBEX, encoding="utf-8")
    call_command("convert", str(source), out=out)
    assert read_table(out)["rt_ms"].tolist() == ["2210", "1810"] or read_table(out)["rt_ms"].tolist() == [2210, 1810]
    codebook = list(csv.DictReader((tmp_path / "made" / "trials_codebook.csv").open(encoding="utf-8")))
    assert {line["column"]: line["source"] for line in codebook}["rt_ms"] == "Time taken to answer"
    said = capsys.readouterr()
    assert "Ibex: 2 rows" in said.out
    assert "Line 15" in said.err


@pytest.mark.parametrize("out", ["results.csv", "folder", "results.csv/trials.csv"])
def test_results_are_never_written_over_and_a_place_that_takes_no_file_is_named(tmp_path, out, capsys):
    (tmp_path / "folder").mkdir()
    source = tmp_path / "results.csv"
    source.write_text(IBEX, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        call_command("convert", str(source), out=tmp_path / out)
    assert stopped.value.code == 2
    assert source.read_text(encoding="utf-8") == IBEX
    said = capsys.readouterr()
    assert said.err.startswith(f"{tmp_path / out} ")
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""


def test_results_under_the_name_of_the_codebook_are_not_written_over(tmp_path, capsys):
    source = tmp_path / "trials_codebook.csv"
    source.write_text(IBEX, encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("convert", str(source), out=tmp_path / "trials.csv")
    assert "would be written over a file that is read" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["trials_codebook.csv"]


def test_a_file_that_is_not_there_is_named_in_a_sentence(tmp_path, capsys):
    with pytest.raises(SystemExit):
        call_command("convert", str(tmp_path / "none"), out=tmp_path / "trials.csv")
    assert capsys.readouterr().err == f"{tmp_path / 'none'}: No such file or directory.\n"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "{}", "[1, 2]", '[{"x": 1}', "# 1. Something\n"])
def test_what_nobody_knows_is_refused_in_a_sentence(tmp_path, text, capsys):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        call_command("convert", str(path), out=tmp_path / "trials.csv")
    assert stopped.value.code == 2
    assert not (tmp_path / "trials.csv").exists()
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@given(st.text(max_size=200), st.sampled_from(["", PCIBEX, IBEX, json.dumps(JSPSYCH), "trial_type,trial_index\n"]))
def test_no_text_ends_in_a_traceback(text, before):
    with contextlib.suppress(NotRecognised):
        convert_text(before + text)
