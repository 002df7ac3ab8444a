"""The command says of materials what the page says, and stores nothing doubtful unasked."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from experiments.models import Stimulus, Study

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

STUDY = """
slug = "doubtful"
title = "Doubtful"
paradigm = "self-paced-reading"
language = "en"
[materials]
file = "items.csv"
"""
PLAIN = ["1,a,The path was dry.", "1,b,The path was wet.", "2,a,The dog barked.", "2,b,The dog slept."]
DOUBTFUL = {
    "hidden": ("1,a,The\u00a0path was\u200b dry.", "utf-8", "line 2, column 'text': The cell contains invisible "
                                                            "characters: U+00A0 NO-BREAK SPACE at character 4 "
                                                            "and U+200B ZERO WIDTH SPACE at character 13."),
    "twice": ("1,a,The cafÃ© was dry.", "utf-8", "letters that were encoded twice: 'Ã©' for 'é'."),
    "markup": ("1,a,The <b>path</b> was dry.", "utf-8", "'<b>' looks like markup"),
    "guessed": ("1,a,The café was dry.", "cp1252", "It was read as Windows-1252"),
}  # fmt: skip


def create(folder: Path, first: str, encoding: str = "utf-8", **options: bool) -> str:
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    (folder / "items.csv").write_bytes("\n".join(["item,condition,text", first, *PLAIN[1:]]).encode(encoding))
    out = StringIO()
    try:
        call_command("create_study", str(folder / "study.toml"), stdout=out, **options)
    except CommandError as error:
        return f"{out.getvalue()}{error} ({error.returncode})"
    return out.getvalue()


@pytest.mark.parametrize("kind", DOUBTFUL)
def test_what_is_doubtful_is_said_and_has_to_be_accepted(kind: str, tmp_path: Path) -> None:
    first, encoding, said = DOUBTFUL[kind]
    told = create(tmp_path, first, encoding)
    assert "Please check: items.csv: " in told
    assert said in told
    assert "Nothing was stored." in told
    assert told.endswith("(2)")
    assert not Study.objects.exists()
    assert said in create(tmp_path, first, encoding, accept_warnings=True)
    assert Study.objects.get().slug == "doubtful"


def test_characters_are_repaired_where_that_is_asked_for(tmp_path: Path) -> None:
    told = create(tmp_path, "1,a,The\u00a0cafÃ© was\u200b dry.", repair=True)
    assert (
        "Please check: items.csv: characters that are invisible or were encoded twice were repaired (lines '2')."
        in told
    )
    assert Stimulus.objects.order_by("pk").first().text == "The café was dry."


def test_a_remark_holds_nothing_up(tmp_path: Path) -> None:
    told = create(tmp_path, PLAIN[1].replace("b", "a", 1))
    assert "Please check: items.csv: line 3, column 'text': The text is the same as in line 2." in told
    assert Study.objects.exists()


def test_a_study_file_says_which_column_is_what(tmp_path: Path) -> None:
    rows = ["Nr,kurz,lang,Group", "1,The path was dry.,The path was dry again.,A", "2,It rained.,It rained at noon.,B"]
    (tmp_path / "items.csv").write_text("\n".join(rows), encoding="utf-8")
    columns = """[materials.columns]
Nr = "item"
kurz = "text, length=short"
lang = "text, length=long"
Group = "-"
"""
    (tmp_path / "study.toml").write_text(STUDY + columns, encoding="utf-8")
    out = StringIO()
    call_command("create_study", str(tmp_path / "study.toml"), stdout=out)
    assert "items.csv: 'kurz', 'lang' contain text at levels of length: 2 rows gave 4." in out.getvalue()
    study = Study.objects.get()
    assert study.task.factors == [{"name": "length", "levels": ["short", "long"]}]
    assert sorted(study.items.values_list("code", flat=True)) == ["1", "2"]


@pytest.mark.parametrize("columns", ['columns = "text"', "columns = {Nr = 1}", 'columns = {Nummer = "item"}'])
def test_what_is_wrong_with_the_columns_of_a_study_file_is_said(columns: str, tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("Nr,text\n1,The path was dry.\n", encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY + columns, encoding="utf-8")
    with pytest.raises(CommandError) as told:
        call_command("create_study", str(tmp_path / "study.toml"))
    assert "materials.columns" in str(told.value) or "The mapping names the column '" in str(told.value)


def test_a_study_file_may_name_several_files(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text(
        "item,condition,text\n1,a,The path was dry.\n2,b,The dog slept.\n", encoding="utf-8"
    )
    (tmp_path / "2.csv").write_text(
        "item,condition,text\n1,b,The path was wet.\n2,a,The dog barked.\n", encoding="utf-8"
    )
    description = STUDY.replace('file = "items.csv"', 'file = ["1.csv", "2.csv"]')
    (tmp_path / "study.toml").write_text(description, encoding="utf-8")
    out = StringIO()
    call_command("create_study", str(tmp_path / "study.toml"), stdout=out)
    assert "2 files were joined. Line numbers continue from one file to the next; their headers are" in out.getvalue()
    assert Stimulus.objects.count() == 4
    (tmp_path / "2.csv").unlink()
    with pytest.raises(CommandError, match=r"The materials '2\.csv' cannot be read"):
        call_command("create_study", str(tmp_path / "study.toml"))
