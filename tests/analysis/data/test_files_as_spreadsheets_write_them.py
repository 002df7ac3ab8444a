"""`analyse` reads what spreadsheets write: any usual encoding, semicolons, decimal commas, empty columns at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import call_command

from analysis.data.analyse_file import analyse_file, read_file, table_from, text_file
from analysis.data.decimal_commas import with_points
from analysis.methods.measures.condition_means import METHOD
from analysis.methods.report import BadInput

ROWS = [
    ("Jürgen", "a", "412.5", "7"),
    ("Jürgen", "b", "398", "6"),
    ("Zoë", "a", "1250.25", "5"),
    ("Zoë", "b", "410.75", "4"),
]
HEADER = ("participant", "condition", "rt", "rating")
PLAIN = "\n".join([",".join(HEADER), *(",".join(row) for row in ROWS)]) + "\n"
GERMAN = PLAIN.replace(",", ";").replace(".", ",").replace("\n", "\r\n")


def means(tmp_path: Path, content: bytes, **options: Any) -> tuple[dict[str, Any], list[str]]:
    data = tmp_path / "data.csv"
    data.write_bytes(content)
    given = {"measures": "rt,rating", "condition": "condition"}
    report, _files = analyse_file(METHOD.slug, data=data, given=given, out=tmp_path / "out", **options)
    return json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))["tables"], list(report.warnings)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GERMAN.encode("utf-8-sig"), ["decimal commas"]),
        (GERMAN.encode("utf-16"), ["decimal commas"]),
        (GERMAN.encode("utf-16-le"), ["decimal commas"]),
        (GERMAN.encode("cp1252"), ["Windows-1252", "decimal commas"]),
        (PLAIN.encode("cp1252"), ["Windows-1252"]),
        (PLAIN.replace(",", "\t").encode("utf-16"), []),
        (("sep=;\r\n" + GERMAN).encode(), ["decimal commas"]),
        (GERMAN.replace("\r\n", ";;\r\n").encode(), ["decimal commas"]),
        (GERMAN.replace("1250,25", "1.250,25").encode(), ["decimal commas"]),
    ],
    ids=["utf-8", "utf-16", "no-mark", "cp1252", "cp1252-commas", "tabs", "sep", "empty-columns", "thousands"],
)
def test_the_numbers_are_those_of_the_plain_file_and_what_was_changed_is_said(tmp_path, content, said) -> None:
    expected, silent = means(tmp_path, PLAIN.encode())
    assert not [warning for warning in silent if "decimal" in warning or "1252" in warning]
    found, warnings = means(tmp_path, content)
    assert found == expected
    for words in said:
        assert [warning for warning in warnings if words in warning], (words, warnings)
    assert len([warning for warning in warnings if "decimal commas" in warning]) == ("decimal commas" in said)


def test_commas_that_might_part_thousands_are_not_guessed_at_and_can_be_declared(tmp_path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("item;rt\na;1,250\nb;2,500\n", encoding="utf-8")
    read = read_file(data)
    assert read.frame["rt"].tolist() == ["1,250", "2,500"]
    assert "were not read as decimal commas, as they might part thousands" in read.said[0]
    declared = read_file(data, decimal="comma")
    assert declared.frame["rt"].tolist() == ["1.250", "2.500"]
    assert "as was declared" in declared.said[0]
    assert read_file(data, decimal="point").said == ()


def test_one_number_that_cannot_be_thousands_settles_it_for_the_table() -> None:
    frame, said = with_points(pd.DataFrame({"rt": ["1,250", "412"], "z": ["0,5", ""]}, dtype=str))
    assert frame.to_dict("list") == {"rt": ["1.250", "412"], "z": ["0.5", ""]}
    assert "as in 0,5" in said[0]


def test_names_and_texts_with_commas_stay_as_they_are() -> None:
    frame = pd.DataFrame({"text": ["Well, no", "1,5 km"], "codes": ["1,2,3", "4"], "rt": ["1,5", "2"]}, dtype=str)
    read, said = with_points(frame)
    assert read["text"].tolist() == ["Well, no", "1,5 km"]
    assert read["codes"].tolist() == ["1,2,3", "4"]
    assert (read["rt"].tolist(), len(said)) == (["1.5", "2"], 1)


def test_commas_beside_points_are_left_and_said() -> None:
    frame = pd.DataFrame({"rt": ["1,5", "2,25"], "z": ["0.5", "1.5"]}, dtype=str)
    read, said = with_points(frame)
    assert read.equals(frame)
    assert "'z'" in said[0]
    assert "--decimal comma" in said[0]
    with pytest.raises(BadInput, match="write all numbers in one way"):
        with_points(frame, "comma")


def test_an_empty_column_at_the_end_is_dropped_but_never_one_with_cells() -> None:
    frame = table_from("a;b;;\n1;2;;\n3;4\n", source="data")
    assert frame.to_dict("list") == {"a": ["1", "3"], "b": ["2", "4"]}
    with pytest.raises(BadInput, match="column 3 has no name"):
        table_from("a;b;\n1;2;3\n", source="data")


def test_the_command_takes_the_declaration(tmp_path) -> None:
    data = tmp_path / "data.csv"
    data.write_text(GERMAN.replace("412,5", "412,500").replace(",75", ",750").replace(",25", ",250"), encoding="utf-8")
    out = tmp_path / "out"
    setting = ["measures=rt", "condition=condition"]
    call_command("analyse", METHOD.slug, data=data, settings_given=[setting], out=out, decimal="comma", verbosity=0)
    assert json.loads((out / "report.json").read_text("utf-8"))["tables"][0]["rows"][0][1] == 831.375


def test_a_file_given_as_a_parameter_is_read_alike_and_told(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("Größe\n".encode("utf-16"))
    assert text_file(path).text == "Größe\n"
    assert "Windows-1252" not in str(text_file(path))
    path.write_bytes("Größe\n".encode("cp1252"))
    assert text_file(path).text == "Größe\n"
    assert "read as Windows-1252" in str(text_file(path))
