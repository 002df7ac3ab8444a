"""The response_time of OpenSesame, lines of Ibex, JSON of several sessions, encodings: nothing is somebody else's."""

import contextlib
import json
import time
import zipfile

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.conversion.recognise import convert_file, convert_text
from analysis.conversion.table import NotRecognised
from analysis.data.analyse_file import read_table
from tests import needs
from tests.analysis.conversion.samples import IBEX_RAW, JSPSYCH, LAB_JS, MAGPIE, PSYCHOPY

CASES = needs.SHARED / "cases" / "results"
TIMES = st.lists(st.integers(200, 3000), min_size=4, max_size=8, unique=True)


def opensesame(columns):
    header = ["subject_nr", "opensesame_version", "response", "correct", *columns]
    number = len(next(iter(columns.values())))
    rows = [["1", "3.2.6", "left", "1", *(str(columns[name][at]) for name in columns)] for at in range(number)]
    return "\n".join(",".join(row) for row in [header, *rows])


@given(TIMES, st.integers(4000, 90_000))
def test_a_time_that_another_screen_left_in_every_row_is_not_the_time_of_a_trial(times, left):
    stale = {"response_time": [left] * len(times), "response_time_instructions": [left] * len(times)}
    found = convert_text(opensesame({**stale, "rt": times}))
    assert [row["rt_ms"] for row in found.rows] == times
    assert any("'response_time' is the same" in note for note in found.notes)
    found = convert_text(opensesame({**stale, "response_time_target": times, "response_target": times}))
    assert [row["rt_ms"] for row in found.rows] == times
    assert [row["response"] for row in found.rows] == times
    found = convert_text(opensesame({**stale, "response_time_a": times, "response_time_b": times[::-1]}))
    assert "rt_ms" not in found.columns
    assert any("Rename one of 'response_time_a', 'response_time_b'" in note for note in found.notes)


@given(TIMES, TIMES)
def test_a_time_of_ones_own_goes_before_that_of_the_last_screen(own, last):
    number = min(len(own), len(last))
    found = convert_text(opensesame({"response_time": last[:number], "rt": own[:number]}))
    assert [row["rt_ms"] for row in found.rows] == own[:number]


@given(TIMES)
def test_the_time_of_the_last_response_is_kept_where_it_is_measured_anew(times):
    other = [time + 7 for time in times]
    columns = {
        "response_time": times,
        "response_time_rating": times,
        "response_time_target": other,
        "rt": [1.5] * len(times),
    }
    found = convert_text(opensesame(columns))
    assert [row["rt_ms"] for row in found.rows] == times
    assert any("that of 'rating'" in note and "'response_time_target'" in note for note in found.notes)


def test_a_stale_time_is_told_within_each_person():
    text = opensesame({"response_time": [5000, 5000, 5000, 5000], "rt": [400, 500, 600, 700]}).replace(
        "\n1,", "\nX,", 2
    )
    text = text.replace("X,", "2,").replace("2,3.2.6,left,1,5000", "2,3.2.6,left,1,7000")
    assert [row["rt_ms"] for row in convert_text(text).rows] == [400, 500, 600, 700]


SENTENCE = ["Controller name", "Item number", "Element number", "Type", "Group", "Sentence (or sentence MD5)"]
ANSWER = [*SENTENCE[:5], "Question (NULL if none)", "Answer", "Whether or not answer was correct (NULL if N/A)",
          "Time taken to answer"]  # fmt: skip
LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="%#")
NO_VALUES = ("NULL", "null", "None", "NaN", "undefined")
TEXTS = st.text(LETTERS, min_size=1).filter(lambda text: text not in NO_VALUES and text[0] not in "-'0123456789")


def judgements(texts):
    return [
        (
            ["300", "h1", "AcceptabilityJudgment", str(n), "0", "plain", str(n + 20), text.replace(",", "%2C")],
            f"300,h1,AcceptabilityJudgment,{n},0,plain,{n + 20},NULL,{n % 7},NULL,{900 + n}".split(","),
        )
        for n, text in enumerate(texts)
    ]


def in_groups(pairs):
    comments = ["# Results on Tuesday March 04 2014 10:01:02 UTC.", "# USER AGENT: Mozilla", "#",
                "# The lines below this comment are in groups of 2.", "# Line 1:"]  # fmt: skip
    named = ["Time results were received", "MD5 hash of participant's IP address"]
    comments += [f"#     Col. {at}: {name}." for at, name in enumerate([*named, *SENTENCE], start=1)]
    comments += ["# Line 2:", *(f"#     Col. {at}: {name}." for at, name in enumerate([*named, *ANSWER], start=1))]
    return "\n".join([*comments, *(",".join(line) for pair in pairs for line in pair)])


def with_a_comment_for_each(pairs):
    lines = ["# Results on Tuesday March 04 2014 10:01:02 UTC.", "# USER AGENT: Mozilla"]
    for sentence, answer in pairs:
        for names, values in ((SENTENCE, sentence), (ANSWER, answer)):
            named = " -- ".join(f"[{at}] {name}" for at, name in enumerate(names[5:], start=8))
            lines += [f"# ...First 7... {named}", ",".join(values)]
    return "\n".join(lines)


def without_comments(pairs):
    head = ["# Results on Tuesday March 04 2014 10:01:02 UTC.", "# USER AGENT: Mozilla"]
    return "\n".join([*head, *(",".join(line) for pair in pairs for line in pair)])


def raw(pairs):
    names = list(dict.fromkeys([*SENTENCE, *ANSWER]))
    lines = [
        [[names.index(name), value] for name, value in zip(own, values[2:], strict=True)]
        for pair in pairs
        for own, values in zip((SENTENCE, ANSWER), pair, strict=True)
    ]
    return (
        f"#\n# Results on Tuesday.\n# USER AGENT: Mozilla\n#\n{json.dumps([True, 3, names, lines, 'c3Fs0zrX', True])}"
    )


@given(
    st.lists(TEXTS, min_size=1, max_size=5),
    st.sampled_from([in_groups, with_a_comment_for_each, without_comments, raw]),
)
def test_lines_of_ibex_are_read_alike_in_every_form_that_its_server_writes(texts, form):
    found = convert_text(form(judgements(texts)))
    assert found.tool == "Ibex"
    assert found.faults == []
    assert [row["text"] for row in found.rows[::2]] == texts
    assert [(row["response"], row["rt_ms"]) for row in found.rows[1::2]] == [
        (n % 7, 900 + n) for n in range(len(texts))
    ]
    assert [row["item"] for row in found.rows] == [20 + n for n in range(len(texts)) for _line in range(2)]


@given(st.lists(TEXTS, min_size=2, max_size=5), st.data())
def test_a_judgement_never_gets_the_sentence_of_another_group(texts, data):
    """A line is lost or broken: what is left keeps its own names, and no sentence that is not its own."""
    pairs = judgements(texts)
    lost = data.draw(st.integers(0, 2 * len(pairs) - 1))
    broken = data.draw(st.booleans())
    header, lines = in_groups([]).split("\n"), [",".join(line) for pair in pairs for line in pair]
    lines[lost : lost + 1] = ["300,h1,Broken"] if broken else []
    found = convert_text("\n".join([*header, *lines]))
    assert len(found.rows) == len(lines) - broken
    assert len(found.faults) == broken
    for row in found.rows:
        number = int(str(row["item"])) - 20
        assert row.get("text") in (texts[number], None)
        assert row.get("response") in (number % 7, None)
        if row.get("response") is not None:
            assert row["rt_ms"] == 900 + number


def test_several_sets_of_raw_results_are_several_people_and_what_is_none_is_named():
    found = convert_text(f"{IBEX_RAW}{IBEX_RAW.replace('c3Fs', 'dddd')}\n[1, 2]\n")
    assert len({row["participant"] for row in found.rows}) == 2
    assert [fault.line for fault in found.faults] == [2]


TRIAL = {"trial_type": "x", "trial_index": 0, "rt": 500}


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.sampled_from(["", " ", "\t"]))
def test_arrays_on_one_line_are_of_one_session_and_lines_of_several(arrays, between):
    lines = [between.join(json.dumps([TRIAL]) for _array in range(number)) for number in arrays]
    found = convert_text("\n".join(lines) + "\n")
    expected = [str(n) for n, number in enumerate(arrays, start=1) for _array in range(number)]
    assert [row["participant"] for row in found.rows] == (expected if sum(arrays) > 1 else ["1"])


def test_a_line_that_is_broken_is_named_and_the_others_are_read():
    found = convert_text(f"{json.dumps([TRIAL])}\n[{{broken\n{json.dumps([TRIAL])}\n")
    assert len(found.rows) == 2
    assert [fault.line for fault in found.faults] == [2]


@pytest.mark.parametrize("open_", ["[", '{"a":'])
def test_json_that_is_nested_without_end_is_refused_at_once(open_):
    before = time.process_time()
    for text in (open_ * 50_000, f"{open_ * 900}1{(']' if open_ == '[' else '}') * 900}", f"{open_}\n" * 5_000):
        with pytest.raises(NotRecognised):
            convert_text(text)
    assert time.process_time() - before < 10


@pytest.mark.parametrize(
    "text", ["# 1. " + " ." * 50_000, "#" * 100_000, "# Results on x\n# USER AGENT: y\n" + "," * 30_000]
)
def test_long_lines_are_read_in_time_that_grows_with_their_length(text):
    before = time.process_time()
    with contextlib.suppress(NotRecognised):
        convert_text(text)
    assert time.process_time() - before < 5


def test_runs_of_pavlovia_come_as_an_archive_of_files(tmp_path):
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/7_ldt.csv", PSYCHOPY)
        archive.writestr("data/8_ldt.csv", PSYCHOPY.replace(",7,001,", ",8,001,"))
        archive.writestr("data/9_ldt.csv", LAB_JS)
    found = convert_file(path)
    assert found.tool == "PsychoPy, lab.js"
    assert [row["participant"] for row in found.rows] == [7, 7, 8, 8, "data/9_ldt"]


@pytest.mark.parametrize(("member", "said"), [("xl/workbook.xml", "workbook"), ("xdata.json", "jamovi or JASP")])
def test_a_workbook_or_a_file_of_jamovi_is_told_to_be_saved_as_csv(tmp_path, member, said):
    path = tmp_path / "data.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "x")
    with pytest.raises(NotRecognised, match=said):
        convert_file(path)


@pytest.mark.parametrize("encoding", ["shift_jis", "gb18030", "utf-16", "euc_kr", "latin-1", "utf-8-sig"])
def test_a_file_is_read_in_the_encoding_that_is_declared(tmp_path, encoding):
    word = {"shift_jis": "やかん", "gb18030": "水壶", "euc_kr": "주전자"}.get(encoding, "Käßchen")
    path = tmp_path / "results.csv"
    path.write_bytes(JSPSYCH.replace("wug", word).encode(encoding))
    assert convert_file(path, encoding=encoding).rows[0]["text"] == word


def test_the_command_names_the_line_and_the_way_out_where_an_encoding_fails(tmp_path, capsys):
    path, out = tmp_path / "results.csv", tmp_path / "trials.csv"
    path.write_bytes(JSPSYCH.replace("wug", "表やかん\x81").encode("shift_jis", errors="replace"))
    path.write_bytes(path.read_bytes().replace(b"?", b"\x81\x8d"))
    for options, said in (
        ({}, "Name the encoding with --encoding"),
        ({"encoding": "ascii"}, "Line 2: this is not ascii"),
        ({"encoding": "klingon"}, "There is no encoding 'klingon'"),
        ({"encoding": "rot13"}, "There is no encoding 'rot13'"),
    ):
        with pytest.raises(SystemExit) as stopped:
            call_command("convert", str(path), out=out, **options)
        assert stopped.value.code == 2
        assert said in capsys.readouterr().err
    assert not out.exists()


def test_an_encoding_that_was_guessed_is_said(tmp_path, capsys):
    path, out = tmp_path / "results.csv", tmp_path / "trials.csv"
    path.write_bytes(JSPSYCH.replace("wug", "Größe").encode("cp1252"))
    call_command("convert", str(path), out=out)
    assert read_table(out)["text"].tolist()[0] == "Größe"
    assert "Line 2 is not UTF-8, so the file was read as Windows-1252" in capsys.readouterr().out


def test_results_of_magpie_are_results_and_never_materials_of_opensesame(tmp_path, capsys):
    path, out = tmp_path / "results.csv", tmp_path / "trials.csv"
    path.write_text(MAGPIE, encoding="utf-8")
    call_command("convert", str(path), out=out)
    assert "magpie: 2 rows" in capsys.readouterr().out
    assert read_table(out)["participant"].astype(str).tolist() == ["41", "42"]


@needs.shared("cases/results")
def test_groups_of_a_published_shape_have_their_answers_and_sentences():
    found = convert_file(CASES / "ibex_groups.txt")
    assert (found.tool, len(found.rows)) == ("Ibex", 8)
    assert [row["rt_ms"] for row in found.rows if row.get("response")] == [2113, 3120, 1800, 2500]
    assert found.rows[4]["text"] == "The candle went out, as the window was open."


@needs.shared("cases/results")
def test_the_time_of_a_published_shape_is_not_that_of_its_instructions():
    assert [row["rt_ms"] for row in convert_file(CASES / "opensesame_two_rts.csv").rows] == [2306, 1427, 1811, 1990]


@needs.shared("cases/results")
@pytest.mark.parametrize(
    ("file", "tool"),
    [("gorilla.csv", "Gorilla"), ("psychopy.csv", "PsychoPy"), ("qualtrics.csv", "Qualtrics"),
     ("datapipe.csv", "jsPsych"), ("jspsych8.json", "jsPsych")],
)  # fmt: skip
def test_published_shapes_are_read_by_the_reader_of_their_tool(file, tool):
    assert convert_file(CASES / file).tool == tool
