"""What participants send is a cell: never the name of a column, and in files for Excel never a formula."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.urls import reverse

from analysis.codebook.people import CLIENT_FACTS, session_columns
from analysis.exports import export_files, stream
from analysis.exports.reports import report_files, report_json
from analysis.methods.report import Column, Report, Table
from experiments.models import Study
from participants.models import Session
from tests.analysis.studies import add_participants, make_study
from tests.browser.platform import ROOT

HOSTILE = {
    "=1+1": 1, "rating": "x", 'a,"b"\r\n': 2, "simulated": "true", "": 3, "client_touch": "no", "<script>": [1],
    "é": None,
}  # fmt: skip


@pytest.fixture
def study() -> Study:
    made = make_study()
    add_participants(made, 2)
    return made


def sessions_of(study: Study, **more: Any) -> list[dict[str, str]]:
    text = b"".join(stream(study, "sessions.csv", **more)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.django_db
def test_facts_under_names_of_their_own_stand_together_in_the_last_column(study: Study) -> None:
    before = [column.name for column in session_columns(study)]
    first = Session.objects.earliest("pk")
    first.client = {**first.client, **HOSTILE, "token": "a secret", "viewport": [1280, 720]}
    first.save(update_fields=["client"])
    after = [column.name for column in session_columns(study)]
    assert after == [*before[: before.index("client_refresh_hz") + 1], "client_viewport", *before[-5:], "client_other"]
    odd, plain = sessions_of(study)
    assert list(odd) == after
    assert odd["client_viewport"] == "[1280,720]"
    assert odd["client_other"] == (
        '{"":3,"<script>":[1],"=1+1":1,"a,\\"b\\"\\r\\n":2,"client_touch":"no","rating":"x","simulated":"true","é":null}'
    )
    assert plain["client_other"] == ""
    assert "a secret" not in str([odd, plain])
    listed = b"".join(stream(study, "codebook.csv")).decode()
    assert "client_other" in listed
    assert "=1+1" not in listed


@pytest.mark.django_db
def test_no_file_of_an_export_has_a_column_that_a_participant_named(study: Study) -> None:
    def headers() -> dict[str, list[str]]:
        found = {path: b"".join(pieces).decode("utf-8") for path, pieces in export_files(study)}
        return {
            path: next(csv.reader(io.StringIO(text, newline="")))
            for path, text in found.items()
            if path.endswith(".csv")
        }

    before = headers()
    Session.objects.filter(study=study).update(client=HOSTILE)
    after = headers()
    assert set(after) == set(before)
    for path, names in after.items():
        assert set(names) - set(before[path]) <= {"client_other"}, path


def test_every_fact_that_pages_report_has_a_column() -> None:
    source = (ROOT / "frontend" / "src" / "session" / "client-facts.ts").read_text(encoding="utf-8")
    facts = set(re.findall(r"^    (\w+):", source, re.MULTILINE))
    assert "user_agent" in facts
    assert facts <= CLIENT_FACTS


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-because", "@sum", "'=1"])
def test_tables_of_reports_are_guarded_in_files_for_excel_alone(text: str) -> None:
    columns = (Column("answer", "Answer", "text"), Column("z", "z", "number"))
    report = Report("production", {}, tables=(Table("norms", "Norms", columns, ((text, -1.5),)),), figures=())
    plain = dict(report_files(report_json(report)))["norms.csv"].decode("utf-8")
    excel = dict(report_files(report_json(report), variant="excel"))["norms.csv"].decode("utf-8")
    assert plain == f"answer,z\r\n{text},-1.5\r\n"
    assert excel == f"\ufeffanswer,z\r\n'{text},-1.5\r\n"


@pytest.mark.django_db
def test_the_page_and_the_archive_say_that_plain_files_guard_nothing(study: Study, admin_client: Any) -> None:
    page = admin_client.get(reverse("analysis:export", args=[study.slug])).text
    assert "The other files have no such protection" in page
    readme = next(b"".join(pieces).decode() for path, pieces in export_files(study) if path == "README.md")
    assert "even where a spreadsheet would run it as a formula" in readme
