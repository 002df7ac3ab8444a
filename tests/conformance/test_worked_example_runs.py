"""The commands of the worked example run as written, in order, and print what the page says they print."""

from __future__ import annotations

import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.data.analyse_file import read_table
from analysis.methods.conditions.minf import min_f
from analysis.methods.measures.normalise import normalise

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "worked-example-rankme.md").read_text(encoding="utf-8")
STEPS = re.findall(r"```sh\n(.+?)```\s+```text\n(.+?)```", PAGE, re.DOTALL)


def test_every_command_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(STEPS) == 6
    # Outputs go to a folder of this test; the data stay where the page has them.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(PROJECT / "docs")
    for command, printed in STEPS:
        words = shlex.split(command.replace("\\\n", " "))
        assert words[:3] == [".venv/bin/python", "manage.py", "analyse"]
        out = StringIO()
        call_command(*words[2:], stdout=out)
        assert out.getvalue().strip() == printed.strip()


def test_the_tables_of_the_page_are_those_of_the_data() -> None:
    frame = read_table(PROJECT / "docs" / "data" / "rankme" / "plain-magnitude-estimation.csv")
    rows = re.findall(r"^\| (\w+) \| (\d+) of (\d+) \| (.+?) \| .+? \| .+? \| (.+?) \|$", PAGE, re.MULTILINE)
    assert [row[0] for row in rows] == ["informativeness", "naturalness", "quality"]
    for dimension, flat, people, order, minf in rows:
        report = normalise(
            frame,
            dv="rating",
            how="log-ratio",
            standard=100,
            compare=["system"],
            where=f"setup=1 and dimension={dimension}",
        )
        participants = report.table("participants").frame()
        assert (participants["flag"].notna().sum(), len(participants)) == (int(flat), int(people))
        rankings = report.table("rankings").frame().sort_values("rank_raw")
        assert " > ".join(rankings["condition"]) == order
        scores = report.table("scores").frame()
        assert min_f(scores, dv="rating_log-ratio", within=["system"]).sentences[0].startswith(f"system: {minf};")


def test_the_data_are_named_with_source_and_licence() -> None:
    notice = (PROJECT / "docs" / "data" / "rankme" / "README.md").read_text(encoding="utf-8")
    assert "CC BY-SA 4.0" in notice
    assert "Novikova" in notice
    assert "Changes:" in notice
