"""The command of docs/methods/metric-vs-human.md runs as written and prints what the page says it prints."""

from __future__ import annotations

import csv
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "methods" / "metric-vs-human.md").read_text(encoding="utf-8")


def test_the_command_prints_what_the_page_says_and_makes_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((command, printed),) = re.findall(r"```sh\n(.+?)```\s+```text\n(.+?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(PROJECT / "docs")
    out = StringIO()
    call_command(*shlex.split(command.replace("\\\n", " "))[2:], stdout=out)
    assert out.getvalue().strip() == printed.strip()
    shown = re.findall(r"^\| (text|within item) \| (\w+) \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \|", PAGE, re.MULTILINE)
    with (tmp_path / "var" / "rankme" / "metrics" / "accuracy.csv").open(encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["level"] != "system"]
    assert shown == [
        (
            row["level"],
            row["metric"],
            f"{int(row['pairs']):,}",
            f"{float(row['accuracy']):.3f}",
            f"{float(row['accuracy_ties']):.3f}",
        )
        for row in found
    ]
