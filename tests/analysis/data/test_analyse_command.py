"""`manage.py analyse`: what it writes, and one clear message with exit code 2 for everything that is wrong."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.data.analyse_file import analyse_file, read_table, table_from
from analysis.methods.report import BadInput
from tests.analysis.methods.references import OWN

STUDY = OWN / "two_within.csv"


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("analyse", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> str:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("analyse", *arguments, stdout=out, stderr=err)
    assert stopped.value.code == 2
    assert out.getvalue() == ""
    message = err.getvalue()
    assert message.count("\n") == 1
    assert "Traceback" not in message
    return message


def test_it_writes_the_report_its_tables_and_its_figures(tmp_path: Path) -> None:
    said = run("rm-anova", "--data", str(STUDY), "--set", "dv=z", "within=marker,order", "--out", str(tmp_path / "new"))
    assert "There was no significant main effect of marker" in said
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["anova.csv", "assumptions.csv", "cells.csv", "means.svg", "observed.csv", "report.json"]
    report = json.loads((tmp_path / "new" / "report.json").read_text(encoding="utf-8"))
    assert report["method"] == "rm-anova"
    assert report["params"]["within"] == ["marker", "order"]
    assert report["figures"][0]["file"] == "means.svg"
    with (tmp_path / "new" / "anova.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stored = report["tables"][0]
    names_of_columns = [column["name"] for column in stored["columns"]]
    assert [row["effect"] for row in rows] == ["marker", "order", "marker:order"]
    assert float(rows[0]["f"]) == stored["rows"][0][names_of_columns.index("f")]
    assert rows[1]["mauchly_w"] == ""
    assert stored["rows"][1][names_of_columns.index("mauchly_w")] is None


def test_a_rerun_writes_equal_bytes(tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        analyse_file("n-best", data=STUDY, given={"dv": "z", "condition": "marker,order"}, out=tmp_path / name)
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert contents[0] == contents[1]


def test_a_folder_holds_the_files_of_one_report(tmp_path: Path) -> None:
    run("rm-anova", "--data", str(STUDY), "--set", "dv=z", "within=marker,order", "--out", str(tmp_path))
    (tmp_path / "notes.txt").write_text("mine")
    run("normalise", "--data", str(STUDY), "--set", "dv=z", "--out", str(tmp_path))
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    tables = {f"{table['name']}.csv" for table in report["tables"]}
    pictures = {figure["file"] for figure in report["figures"]}
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "notes.txt", *tables, *pictures}


def test_the_table_of_a_report_that_is_analysed_stays(tmp_path: Path) -> None:
    run("normalise", "--data", str(STUDY), "--set", "dv=z", "--out", str(tmp_path))
    table = next(path for path in tmp_path.glob("*.csv") if path.name != "participants.csv")
    before = table.read_bytes()
    run("condition-means", "--data", str(table), "--set", "measures=z", "condition=marker", "--out", str(tmp_path))
    assert table.read_bytes() == before


def test_the_data_are_never_written_over(tmp_path: Path) -> None:
    data = tmp_path / "anova.csv"
    data.write_bytes(STUDY.read_bytes())
    said = refused("rm-anova", "--data", str(data), "--set", "dv=z", "within=marker", "--out", str(tmp_path))
    assert "anova.csv would be written over a file that is read" in said
    assert [path.name for path in tmp_path.iterdir()] == ["anova.csv"]
    assert data.read_bytes() == STUDY.read_bytes()


def test_roles_can_be_renamed(tmp_path: Path) -> None:
    text = STUDY.read_text(encoding="utf-8").replace("participant", "rater", 1)
    data = tmp_path / "renamed.csv"
    data.write_text(text, encoding="utf-8")
    settings = ("--set", "dv=z", "--set", "within=marker", "--set", "participant=rater")
    assert "F1(" in run("rm-anova", "--data", str(data), *settings, "--out", str(tmp_path / "o"))


def test_participant_codes_stay_as_they_were_typed(tmp_path: Path) -> None:
    analyse_file("normalise", data=STUDY, given={"dv": "z"}, out=tmp_path)
    with (tmp_path / "participants.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["participant"] == "001"


def test_the_list_names_methods_and_parameters() -> None:
    said = run("--list")
    assert "rm-anova: " in said
    assert "dv (column, required)" in said
    methods = {entry["method"]: entry for entry in json.loads(run("--list", "--json"))}
    parameters = {entry["name"]: entry for entry in methods["tukey"]["parameters"]}
    assert parameters["error"]["choices"] == ["pooled", "univariate", "multivariate"]
    assert parameters["within"]["required"] is True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["rm-anvoa", "--data", "{study}", "--out", "{out}"],
            "There is no method 'rm-anvoa'; did you mean 'rm-anova'?",
        ),
        (["rm-anova", "--data", "{out}/no.csv", "--out", "{out}"], "There is no file"),
        (["rm-anova", "--data", "{out}", "--out", "{out}"], "is a folder"),
        (["rm-anova", "--data", "{study}", "--out", "{study}"], "is a file; --out needs a folder"),
        (["rm-anova", "--data", "{study}"], "Give --out DIR"),
        (["rm-anova", "--out", "{out}"], "Give --data FILE.csv"),
        ([], "Give a method (see --list)"),
        (["rm-anova", "--data", "{study}", "--set", "dv", "--out", "{out}"], "'dv' is not of the form name=value"),
        (["rm-anova", "--data", "{study}", "--set", "dv=z", "dv=y", "--out", "{out}"], "dv is set twice"),
        (["rm-anova", "--data", "{study}", "--set", "dv=zz", "--out", "{out}"], "There is no column 'zz'"),
        (["rm-anova", "--data", "{study}", "--set", "dv=z", "witin=order", "--out", "{out}"], "did you mean 'within'?"),
        (["rm-anova", "--data", "{study}", "--set", "dv=item", "within=order", "--out", "{out}"], "must hold numbers"),
        (
            ["tukey", "--data", "{study}", "--set", "dv=z", "within=markr", "by=ordr", "--out", "{out}"],
            "within: There is no column 'markr'; did you mean 'marker'?",
        ),
        (["correlation", "--data", "{study}", "--set", "x=z", "y=,", "--out", "{out}"], "y is missing (y): name a"),
        (["correlation", "--data", "{study}", "--set", "x=z", "y=a\nb", "--out", "{out}"], "y: There is no column 'a'"),
    ],
)
def test_what_is_wrong_is_said_once_and_nothing_is_written(tmp_path: Path, arguments: list[str], words: str) -> None:
    given = [argument.format(study=STUDY, out=tmp_path) for argument in arguments]
    assert words in refused(*given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"participant,z\n", "no rows"),
        (b"participant,z\nJ\x81rgen,1\n", "line 2: The file is neither UTF-8 nor Windows-1252"),
        (b"participant,z\na,1\nb,2,3\n", "line 3 has 3 cells and the first line 2"),
        (b"participant,z\na\n", "line 2 has 1 cell and the first line 2"),
        (b'participant,z\n"a,1\n', "never closes"),
        (b"participant,z,z\na,1,2\n", "z is the name of more than one column"),
        (b"participant,,z\na,1,2\n", "column 2 has no name"),
        (b"participant,z\na,\x001\n", "NUL"),
        (b"PK\x03\x04rest", "spreadsheet workbook"),
    ],
)
def test_files_that_are_no_table_are_refused_with_the_line(tmp_path: Path, content: bytes, words: str) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        read_table(data)


def test_a_name_with_a_line_break_does_not_break_the_sentence(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text('participant,"first\nread",z\na,1,2\n', encoding="utf-8")
    message = refused("correlation", "--data", str(data), "--set", "x=z", "y=w", "--out", str(tmp_path / "o"))
    assert "The columns are: participant, first read and z." in message


def test_a_byte_order_mark_semicolons_and_blank_lines_are_read(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes("\ufeffparticipant;text;z\r\n001;a, b;1.5\r\n\r\n".encode())
    frame = read_table(data)
    assert frame.to_dict("records") == [{"participant": "001", "text": "a, b", "z": "1.5"}]


CELLS = st.sampled_from(["", "1", "a b", "001", "x;y", "NA", " ", "é", "-1.5"])
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=4).map(",".join), max_size=6)


@given(header=st.lists(st.sampled_from(["p", "q", "r s", "1", "", "p "]), min_size=1, max_size=3), lines=LINES)
def test_the_quick_way_to_read_a_file_gives_what_the_careful_one_gives(header: list[str], lines: list[str]) -> None:
    assume(header != [""])  # a blank line before the header is passed over; a quoted empty name is a header
    text = "\n".join([",".join(header), *lines]) + "\n"

    def read(text: str) -> object:
        try:
            return table_from(text, source="data").to_dict("list")
        except BadInput as refusal:
            return str(refusal)

    # A quoted cell in the header sends the reading the careful way round.
    quoted = text.replace(header[0], f'"{header[0]}"', 1)
    assert read(text) == read(quoted)
