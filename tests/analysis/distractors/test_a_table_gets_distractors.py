"""`manage.py make_distractors`: a table in, the same table with distractors and a table for review out."""

import csv
import io

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.slow

TABLE = """item,text,clause,is_filler
gardener,The gardener | that greeted the postman | dropped | the basket.,subject,false
gardener,The gardener | that the postman greeted | dropped | the basket.,object,false
baker,The baker | that visited the farmer | opened | the shop.,subject,false
baker,The baker | that the farmer visited | opened | the shop.,object,false
f1,"On Mondays, the old library is closed.",,true
"""


def run(tmp_path, table=TABLE, *options):
    source, out = tmp_path / "materials.csv", tmp_path / "out" / "with.csv"
    source.write_text(table, encoding="utf-8")
    written = io.StringIO()
    call_command("make_distractors", str(source), "--out", str(out), *options, stdout=written, stderr=written)
    return out, written.getvalue()


def refused(tmp_path, table, *options):
    with pytest.raises(SystemExit) as stopped:
        run(tmp_path, table, *options)
    assert stopped.value.code == 2
    assert not (tmp_path / "out").exists()


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_columns_stay_and_the_distractors_come_last(tmp_path):
    out, _said = run(tmp_path)
    rows = rows_of(out)
    assert list(rows[0]) == ["item", "text", "clause", "is_filler", "distractors"]
    before = list(csv.DictReader(io.StringIO(TABLE)))
    assert [{name: row[name] for name in before[0]} for row in rows] == before
    assert rows[0]["distractors"] == rows[1]["distractors"]
    assert rows[0]["distractors"].count("|") == 3
    assert len(rows[4]["distractors"].split()) == 7
    assert all(row["distractors"].startswith("x-x-x") for row in rows)


def test_the_review_has_a_row_for_every_place(tmp_path):
    out, _said = run(tmp_path)
    review = rows_of(out.with_name("with_review.csv"))
    assert list(review[0]) == [
        "item", "position", "word_in_region", "words", "distractor", "words_length", "distractor_length",
        "length_difference", "words_zipf", "distractor_zipf", "zipf_difference", "surprisal_difference", "flag",
    ]  # fmt: skip
    gardener = [row for row in review if row["item"] == "gardener"]
    assert [(row["position"], row["word_in_region"]) for row in gardener] == [
        ("1", "1"), ("2", "1"), ("2", "2"), ("2", "3"), ("2", "4"), ("3", "1"), ("4", "1"), ("4", "2"),
    ]  # fmt: skip
    assert gardener[0]["distractor"] == "x-x-x"
    assert gardener[2]["words"] == "greeted / the"
    assert "length" in gardener[2]["flag"]


def test_without_a_model_it_is_said_that_the_context_is_not_looked_at(tmp_path):
    assert "No language model was given" in run(tmp_path)[1]


def test_the_same_command_writes_the_same_bytes(tmp_path):
    out, _said = run(tmp_path)
    first = out.read_bytes(), out.with_name("with_review.csv").read_bytes()
    run(tmp_path)
    assert (out.read_bytes(), out.with_name("with_review.csv").read_bytes()) == first
    run(tmp_path, TABLE, "--seed", "2")
    assert out.read_bytes() != first[0]


def test_all_faults_are_named_at_once_with_their_lines(tmp_path, capsys):
    table = "item,text,clause\na,The dog slept.,x\na,,y\nb,Hello.,x\nb,The cat | sat.,y\n"
    source = tmp_path / "m.csv"
    source.write_text(table, encoding="utf-8")
    errors = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("make_distractors", str(source), "--out", str(tmp_path / "o.csv"), stderr=errors)
    assert stopped.value.code == 2
    said = errors.getvalue()
    assert "Line 3, column 'text': The text is empty." in said
    assert "Line 4, column 'text': The text has fewer than two words" in said
    assert "Line 5, column 'text': The text of this item in line 4 is not marked" in said
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize(
    "table",
    [
        "",
        "item,words\na,The dog slept.\n",
        "item,text,distractors\na,The dog slept.,x-x-x table run.\n",
        "item,text\na,他没来因为下雨。\n",
        "item,text,regions\na,The dog slept.,The cat | slept.\n",
        "item,text\na," + "word " * 201 + "\n",
    ],
)
def test_a_table_without_use_is_refused(tmp_path, table):
    refused(tmp_path, table)


def test_what_is_read_is_never_written_over(tmp_path):
    source = tmp_path / "m.csv"
    source.write_text(TABLE, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        call_command("make_distractors", str(source), "--out", str(source))
    assert stopped.value.code == 2
    assert source.read_text(encoding="utf-8") == TABLE


def test_a_file_or_model_that_is_not_there_or_no_model_is_refused(tmp_path):
    with pytest.raises(SystemExit) as stopped:
        call_command("make_distractors", str(tmp_path / "none.csv"), "--out", str(tmp_path / "o.csv"))
    assert stopped.value.code == 2
    model = tmp_path / "model.arpa"
    refused(tmp_path, TABLE, "--model", str(model))
    model.write_text("no model")
    refused(tmp_path, TABLE, "--model", str(model))


def test_marks_may_stand_in_a_column_of_their_own(tmp_path):
    table = "item,text,regions\na,The dog slept near the gate.,The dog | slept | near the gate.\n"
    out, _said = run(tmp_path, table)
    assert rows_of(out)[0]["distractors"].count("|") == 2


def test_german_texts_get_german_distractors(tmp_path):
    out, _said = run(tmp_path, "item,text\na,Der Hund schlief vor dem Haus.\n", "--language", "de")
    shown = rows_of(out)[0]["distractors"].split()
    assert shown[1][0].isupper()
    assert shown[5][0].isupper()
    assert shown[5].endswith(".")
