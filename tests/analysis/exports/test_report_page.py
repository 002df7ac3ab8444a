"""A report can be taken along as one page that needs nothing beside it."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.exports.report_page import report_page
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.studies.changes import Changes
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(client) -> AnalysisRun:
    owner = get_user_model().objects.create_user("ada", is_staff=True)
    client.force_login(owner)
    study = make_study(owner=owner, title="Causes <b>& effects</b>")
    add_participants(study, 8)
    asked = request_run(study, method="rm-anova", params={"dv": "rating_z", "within": "marker,order"}, user=owner)
    execute(asked.pk)
    asked.refresh_from_db()
    return asked


def test_the_page_holds_results_tables_figures_and_how_they_were_computed(run):
    text = report_page(run).decode("utf-8")
    for part in ("There was", "Analysis of variance of rating (z-score)", "within=marker,order", run.data_hash):
        assert part in text, part
    assert text.count("<table>") >= 3
    assert re.search(r'src="data:image/png;base64,[A-Za-z0-9+/=]{1000,}"', text)


def test_the_page_asks_for_nothing_and_runs_nothing(run):
    text = report_page(run).decode("utf-8")
    assert "<script" not in text
    assert "http" not in text
    assert "<b>" not in text
    assert "Causes &lt;b&gt;&amp; effects&lt;/b&gt;" in text


def test_the_same_report_is_the_same_page(run):
    assert report_page(run) == report_page(run)


def test_the_page_is_downloaded_alone_and_in_the_archive(client, run):
    address = reverse("analysis:run_file", args=[run.study.slug, run.pk, "report.html"])
    alone = client.get(address)
    assert alone.headers["Content-Type"].startswith("text/html")
    assert "attachment" in alone.headers["Content-Disposition"]
    archive = client.get(reverse("analysis:run_file", args=[run.study.slug, run.pk, "all.zip"]))
    with zipfile.ZipFile(io.BytesIO(archive.content)) as packed:
        assert packed.read("report.html") == alone.content


def test_a_report_that_is_older_than_the_data_says_so_wherever_it_leaves(client, run):
    export = reverse("analysis:export_all", args=[run.study.slug])
    page = reverse("analysis:run_file", args=[run.study.slug, run.pk, "report.html"])

    def manifest():
        with zipfile.ZipFile(io.BytesIO(b"".join(client.get(export).streaming_content))) as packed:
            return json.loads(packed.read("manifest.json"))

    assert "changed_since" not in manifest()
    add_participants(run.study, 1, first=8)
    said = Changes(run.study).since(run)
    assert said.startswith("The data have changed since")
    assert manifest()["changed_since"] == [{"path": f"reports/rm-anova-{run.pk}/", "changes": said}]
    assert said in client.get(page).content.decode()


def test_files_of_a_report_are_kept_by_no_browser_but_pictures_of_its_page_are(client, run):
    picture = json.loads(run.report)["figures"][0]["name"] + ".svg"
    for name in ("all.zip", "report.json", "report.html", f"{picture}?download"):
        address = reverse("analysis:run_file", args=[run.study.slug, run.pk, "all.zip"]).replace("all.zip", name)
        assert client.get(address)["Cache-Control"] == "no-store", name
    shown = reverse("analysis:run_file", args=[run.study.slug, run.pk, picture])
    assert client.get(shown)["Cache-Control"] == "private, max-age=3600"
