"""A number that a page asks for is the same shown, exported, computed again by the command, and printed."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.models import AnalysisRun
from tests.analysis.computed import execute
from tests.analysis.papers.studies import study_of_a_plan

pytestmark = pytest.mark.django_db

# Three kinds: cells averaged, ranks of cells, and a model of single trials.
ASKED = {
    "rm-anova": {"dv": "rating_z", "within": ["marker", "order"], "unit": "participant", "intervals": "within"},
    "friedman": {"dv": "rating_z", "within": ["order"], "unit": "participant"},
    "lmm": {"formula": "rating_z ~ marker + order + (1 | participant)", "reml": "on", "uncorrelated": "by-term",
            "reduce": "none"},
}  # fmt: skip


def downloaded(client, name: str, *arguments: object) -> bytes:
    answer = client.get(reverse(f"analysis:{name}", args=arguments))
    assert answer.status_code == 200, (name, arguments)
    return b"".join(answer) if answer.streaming else answer.content


@pytest.mark.parametrize("method", ASKED)
def test_a_number_is_the_same_on_the_page_in_the_report_in_csv_by_command_and_in_the_paper(method, client, tmp_path):
    study = study_of_a_plan()
    client.force_login(study.owner)
    asked = client.post(reverse("analysis:new", args=[study.slug, method]), ASKED[method])
    assert asked.status_code == 302, asked.content.decode()
    run = AnalysisRun.objects.get()
    assert execute(run.pk)

    report = json.loads(downloaded(client, "run_file", study.slug, run.pk, "report.json"))
    page = html.unescape(downloaded(client, "run", study.slug, run.pk).decode())
    paper = zipfile.ZipFile(io.BytesIO(downloaded(client, "export_paper", study.slug)))
    printed = 0
    for table in report["tables"]:
        name = f"{table['name']}.csv"
        exported = downloaded(client, "run_file", study.slug, run.pk, name)
        rows = list(csv.reader(io.StringIO(exported.decode())))
        assert rows[0] == [column["name"] for column in table["columns"]]
        for written, computed in zip(rows[1:], table["rows"], strict=True):
            for cell, value in zip(written, computed, strict=True):
                if isinstance(value, float):
                    assert float(cell) == value, "every digit of the report stands in its CSV file"
        assert table["title"].replace("rating_z", "rating (z-score)") in page, "pages say columns by their labels"
        if (told := f"tables/{method}-{run.pk}-{name}") in paper.namelist():
            assert paper.read(told) == exported
            printed += 1
    assert printed
    first = report["sentences"][0]
    numbers = set(re.findall(r"\d*\.\d+", first))
    assert numbers <= set(re.findall(r"\d*\.\d+", page))
    assert numbers <= set(re.findall(r"\d*\.\d+", paper.read("paper.md").decode()))
    assert f"report {run.pk} ({method})" in paper.read("paper.md").decode()

    data = tmp_path / "trials.csv"
    data.write_bytes(downloaded(client, "export_file", study.slug, "trials.csv"))
    options = [f"--set={name}={value}" for name, value in run.params.items()]
    call_command("analyse", method, "--data", str(data), *options, "--out", str(tmp_path / "again"), verbosity=0)
    again = json.loads((tmp_path / "again" / "report.json").read_text())
    assert again["tables"] == report["tables"]
