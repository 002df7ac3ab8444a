"""What leaves the platform about a study: every file, described to the column, hashed, and the same by every door."""

import csv
import hashlib
import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from analysis.exports import NoSuchFile, export_files, stream, write_all, zip_pieces
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import Study
from participants.erasure.withdrawal import withdraw
from participants.models import EventBatch, Participant, RecruitmentIdentity, Session, Trial
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_study(description="Four formulations of causes.", responsible="A Laboratory")
    add_participants(study, 3)
    add_participants(study, 1, first=3, stop_after=5, events=True)
    return study


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def header_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_command_writes_every_file_and_a_manifest_of_their_hashes(study, tmp_path):
    call_command("export_data", study.slug, out=tmp_path, verbosity=0)
    written = files_below(tmp_path)
    assert set(written) == {
        "trials.csv",
        "participants.csv",
        "answers.csv",
        "sessions.csv",
        "events.csv",
        "flow.csv",
        "materials.csv",
        "texts.csv",
        "codebook.csv",
        "dataset_description.json",
        "datapackage.json",
        "README.md",
        "start.py",
        "start.R",
        "provenance.json",
        "manifest.json",
    }
    manifest = json.loads(written.pop("manifest.json"))
    assert manifest["study"] == study.slug
    assert {entry["path"]: (entry["bytes"], entry["sha256"]) for entry in manifest["files"]} == {
        path: (len(content), hashlib.sha256(content).hexdigest()) for path, content in written.items()
    }


def test_an_export_into_the_same_folder_leaves_no_report_that_names_who_withdrew(study, tmp_path):
    execute(request_run(study, method="normalise", params={"dv": "rating"}, user=None).pk)
    call_command("export_data", study.slug, out=tmp_path, verbosity=0)
    (tmp_path / "notes.txt").write_text("mine")
    person = Participant.objects.filter(study=study).earliest("pk")
    assert [path for path, content in files_below(tmp_path).items() if person.pseudonym.encode() in content]
    withdraw(person, by_participant=True)
    call_command("export_data", study.slug, out=tmp_path, verbosity=0)
    written = files_below(tmp_path)
    assert [path for path, content in written.items() if person.pseudonym.encode() in content] == []
    listed = {entry["path"] for entry in json.loads(written["manifest.json"])["files"]}
    assert set(written) == {*listed, "manifest.json", "notes.txt"}


def test_another_arrangement_replaces_the_one_before(study, tmp_path):
    write_all(study, tmp_path, layout="psych-ds")
    write_all(study, tmp_path)
    assert not (tmp_path / "data").exists()
    assert {path for path, _ in write_all(study, tmp_path)} == set(files_below(tmp_path))


def test_a_folder_with_the_data_of_another_study_is_left_as_it_is(study, tmp_path):
    write_all(study, tmp_path)
    before = files_below(tmp_path)
    make_study(slug="other")
    with pytest.raises(CommandError, match=f"holds the data of the study '{study.slug}'"):
        call_command("export_data", "other", out=tmp_path)
    assert files_below(tmp_path) == before


def test_a_place_that_cannot_be_written_to_is_named(study, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written: Not a directory"):
        call_command("export_data", study.slug, out=tmp_path / "file" / "export")


def test_the_archive_holds_the_bytes_that_the_command_writes_and_is_the_same_twice(study, tmp_path):
    execute(request_run(study, method="normalise", params={"dv": "rating"}, user=None).pk)
    write_all(study, tmp_path)
    first, second = (b"".join(zip_pieces(export_files(study))) for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == files_below(tmp_path)
        assert archive.namelist()[-1] == "manifest.json"
        assert any(name.startswith("reports/normalise-") for name in archive.namelist())


def test_a_single_file_is_the_one_in_the_archive(study, tmp_path):
    write_all(study, tmp_path)
    for name, content in files_below(tmp_path).items():
        if name not in {"manifest.json", "provenance.json", "README.md", "start.py", "start.R"}:
            assert b"".join(stream(study, name)) == content, name
    with pytest.raises(NoSuchFile):
        stream(study, "../secret.csv")


def test_the_codebook_describes_every_column_of_every_file_and_no_other(study, tmp_path):
    write_all(study, tmp_path)
    described = [(row["file"], row["column"]) for row in rows_of(tmp_path / "codebook.csv")]
    there = [
        (name, column)
        for name in (
            "trials.csv",
            "participants.csv",
            "answers.csv",
            "sessions.csv",
            "events.csv",
            "flow.csv",
            "materials.csv",
            "texts.csv",
            "codebook.csv",
        )
        for column in header_of(tmp_path / name)
    ]
    assert described == there
    assert all(row["description"] and row["type"] for row in rows_of(tmp_path / "codebook.csv"))
    marker = next(row for row in rows_of(tmp_path / "codebook.csv") if row["column"] == "marker")
    assert marker["values"] == "because|because-of"


def test_values_keep_to_the_types_and_the_allowed_values_of_the_codebook(study, tmp_path):
    write_all(study, tmp_path)
    checked = 0
    for line in rows_of(tmp_path / "codebook.csv"):
        allowed = set(line["values"].split("|")) if line["values"] else None
        for row in rows_of(tmp_path / line["file"]) if line["file"] != "codebook.csv" else []:
            value = row[line["column"]]
            if not value:
                continue
            checked += 1
            if allowed:
                assert value in allowed, line
            if line["type"] == "number":
                float(value)
            if line["type"] == "integer":
                int(value)
    assert checked > 500


def test_participants_have_their_answers_quality_and_completion(study, tmp_path):
    write_all(study, tmp_path)
    first, _, _, stopped = rows_of(tmp_path / "participants.csv")
    assert first["native_language"] == "English"
    assert (first["reading_hours"], first["comment"]) == ("4.5", "=fine, really")
    assert (first["completed"], first["duration_min"], first["trials"]) == ("true", "11.5", first["trials_answered"])
    assert int(first["distinct_ratings"]) > 5
    assert (stopped["completed"], stopped["status"], stopped["trials_answered"]) == ("false", "running", "5")
    assert (stopped["excluded"], stopped["exclusion_reason"]) == ("true", "session not finished")


def test_every_event_is_a_row_in_order(study, tmp_path):
    write_all(study, tmp_path)
    rows = rows_of(tmp_path / "events.csv")
    assert len(rows) == sum(len(batch.events) for batch in EventBatch.objects.all()) == 20
    assert [(row["position"], row["batch"], row["index"]) for row in rows[:4]] == [
        ("0", "0", "0"),
        ("0", "0", "1"),
        ("0", "1", "0"),
        ("0", "1", "1"),
    ]
    assert (rows[0]["type"], float(rows[0]["t_ms"])) == ("visibility", 10.5)
    assert json.loads(rows[0]["event"]) == {"type": "visibility", "t": 10.5, "state": "hidden"}


@pytest.mark.parametrize("layout", ["flat", "psych-ds"])
def test_no_recruitment_id_token_or_withdrawal_code_leaves(study, tmp_path, layout):
    write_all(study, tmp_path, layout=layout)
    everything = b"\n".join(files_below(tmp_path).values()).decode("utf-8")
    secrets = [
        *(identity.external_id for identity in RecruitmentIdentity.objects.all()),
        *(session.token for session in Session.objects.all()),
        *Session.objects.values_list("start_key_hash", flat=True),
        *(participant.withdrawal_code for participant in Participant.objects.all()),
    ]
    assert len(secrets) == 16
    assert [secret for secret in secrets if secret in everything] == []


def test_a_participant_who_withdrew_is_in_no_file_and_in_no_report(study, tmp_path):
    add_participants(study, 8, first=8)
    aggregated = request_run(study, method="n-best", params={"dv": "rating", "condition": "condition"}, user=None)
    listing = request_run(study, method="normalise", params={"dv": "rating"}, user=None)
    for run in (aggregated, listing):
        assert execute(run.pk)
        run.refresh_from_db()
        assert run.status == AnalysisRun.Status.DONE, run.error
    withdraw(Participant.objects.get(study=study, pseudonym="P0001"), by_participant=True)
    write_all(study, tmp_path)
    assert [path for path, content in files_below(tmp_path).items() if b"P0001" in content] == []
    for run in (aggregated, listing):
        run.refresh_from_db()
    assert aggregated.status == AnalysisRun.Status.DONE
    assert (listing.status, listing.report) == (AnalysisRun.Status.FAILED, "")
    assert "has withdrawn" in listing.error


def test_psych_ds_has_its_layout_and_measures_every_column_of_its_data_files(study, tmp_path):
    call_command("export_data", study.slug, out=tmp_path, format="psych-ds", verbosity=0)
    data = sorted(path.name for path in (tmp_path / "data").iterdir())
    assert data == [
        f"study-causes_description-{name}_data.csv"
        for name in ("answers", "events", "flow", "participants", "sessions", "trials")
    ]
    description = json.loads((tmp_path / "dataset_description.json").read_text("utf-8"))
    assert (description["@type"], description["name"]) == ("Dataset", study.title)
    assert description["description"] == "Four formulations of causes."
    measured = {variable["name"] for variable in description["variableMeasured"]}
    headers = {column for path in (tmp_path / "data").iterdir() for column in header_of(path)}
    assert measured == headers
    flat = tmp_path / "flat"
    write_all(study, flat)
    assert (tmp_path / "data/study-causes_description-trials_data.csv").read_bytes() == (
        flat / "trials.csv"
    ).read_bytes()


def test_the_data_package_lists_every_csv_file_with_its_fields_in_order(study, tmp_path):
    write_all(study, tmp_path)
    package = json.loads((tmp_path / "datapackage.json").read_text("utf-8"))
    for resource in package["resources"]:
        header = header_of(tmp_path / resource["path"])
        assert [field["name"] for field in resource["schema"]["fields"]] == header
    assert {resource["path"] for resource in package["resources"]} == {
        f"{name}.csv"
        for name in ("trials", "participants", "answers", "sessions", "events", "flow", "materials", "texts")
    }


def test_a_study_without_participants_exports_headers_and_materials(tmp_path):
    study = make_study()
    write_all(study, tmp_path)
    assert rows_of(tmp_path / "trials.csv") == rows_of(tmp_path / "participants.csv") == []
    assert len(rows_of(tmp_path / "materials.csv")) == 8 * 4 + 3


def test_an_export_reads_the_sessions_in_chunks_with_a_constant_number_of_queries_each(
    study, django_assert_max_num_queries
):
    add_participants(study, 47, first=10)
    assert Study.objects.count() == 1
    assert Trial.objects.count() > 600
    with django_assert_max_num_queries(25):
        b"".join(stream(study, "trials.csv"))
