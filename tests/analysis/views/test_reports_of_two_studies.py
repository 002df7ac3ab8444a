"""A report on `pairs` holds means of two studies: whoever may not see both reads neither the numbers nor the name."""

import io
import json
import zipfile

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from analysis.exports import export_files
from analysis.models import AnalysisRun
from analysis.studies.access import readable_runs, refusal_to_read
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Membership, Study
from tests.analysis.coding.test_tables import make_ratings
from tests.analysis.computed import execute
from tests.analysis.recalls import make_coded_study, user_named

pytestmark = [pytest.mark.both, pytest.mark.django_db]
SECRET = "ratings-of-somebody"
PARAMS = {"x": "difference_z", "y": "difference_score", "how": "spearman"}
CLOSED = "another one that you may not see"


@pytest.fixture
def study():
    return make_coded_study()


@pytest.fixture
def run(study):
    rated = make_ratings(study, SECRET)
    Study.objects.filter(pk=rated.pk).update(owner=user_named("ruth"))
    Membership.objects.create(study=rated, user=study.owner, role="viewer")
    made = request_run(study, method="correlation", params=PARAMS, user=study.owner, table="pairs", other=rated)
    execute(made.pk)
    made.refresh_from_db()
    assert made.status == AnalysisRun.Status.DONE, made.error
    return made


@pytest.fixture
def colleague(client, study):
    """Somebody who may change this study and see nothing of the other."""
    user = user_named("colleague")
    Membership.objects.create(study=study, user=user, role="editor")
    client.force_login(user)
    return user


def url(name, run, *arguments):
    return reverse(f"analysis:{name}", args=[run.study.slug, run.pk, *arguments])


def body(answer):
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode("utf-8", "replace")


def test_the_report_page_says_why_it_is_closed(client, run, colleague):
    answer = client.get(url("run", run))
    assert answer.status_code == 403
    assert CLOSED in answer.text
    assert SECRET not in answer.text


@pytest.mark.parametrize("name", ["report.json", "report.html", "all.zip", "correlation.csv"])
def test_no_file_of_the_report_leaves(client, run, colleague, name):
    answer = client.get(url("run_file", run, name))
    assert answer.status_code == 403
    assert CLOSED in answer.text
    assert SECRET not in answer.text


def test_no_other_page_names_the_study_or_compares_the_report(client, run, colleague):
    for page in ("analyse", "plan", "export"):
        assert SECRET not in client.get(reverse(f"analysis:{page}", args=[run.study.slug])).text
    assert client.get(url("compare", run)).status_code == 403
    assert client.get(url("progress", run)).status_code == 403
    form = reverse("analysis:new", args=[run.study.slug, "correlation"])
    assert SECRET not in client.get(f"{form}?run={run.pk}").text
    assert SECRET not in client.get(reverse("admin:analysis_analysisrun_changelist")).text
    assert SECRET not in client.get(reverse("admin:analysis_analysisrun_change", args=[run.pk]), follow=True).text


def test_the_list_of_analyses_says_that_there_is_one(client, run, colleague):
    page = client.get(reverse("analysis:analyse", args=[run.study.slug])).text
    assert "Compared with a study that you may not see." in page
    assert url("run", run) in page


def test_an_export_leaves_the_report_out_and_says_so(client, run, colleague):
    page = client.get(reverse("analysis:export", args=[run.study.slug])).text
    assert "1 report is left out" in page
    answer = client.get(reverse("analysis:export_all", args=[run.study.slug]))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist()).decode("utf-8", "replace")
        manifest = json.loads(archive.read("manifest.json"))
    assert SECRET not in everything
    (entry,) = manifest["left_out"]
    assert entry["path"] == f"reports/correlation-{run.pk}/"
    assert CLOSED in entry["reason"]


def test_who_may_see_both_reads_everything(client, run, study):
    client.force_login(study.owner)
    assert SECRET in client.get(url("run", run)).text
    assert client.get(url("run_file", run, "all.zip")).status_code == 200
    answer = client.get(reverse("analysis:export_all", args=[study.slug]))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert f"reports/correlation-{run.pk}/pairs.csv" in archive.namelist()
        assert "left_out" not in json.loads(archive.read("manifest.json"))


def test_the_command_line_writes_every_report(run):
    assert f"reports/correlation-{run.pk}/report.json" in {
        name for name, pieces in export_files(run.study) if list(pieces)
    }


def test_a_coder_of_the_other_study_is_not_one_who_sees_it(client, run, colleague):
    Membership.objects.create(study=run.other_study, user=colleague, role="coder")
    assert client.get(url("run", run)).status_code == 403


def test_access_that_was_taken_away_closes_the_report_even_for_who_ran_it(client, run, study):
    Membership.objects.filter(study=run.other_study).delete()
    client.force_login(study.owner)
    assert client.get(url("run", run)).status_code == 403


def test_the_report_on_a_study_that_was_deleted_stays_with_who_ran_it(client, run, study, colleague):
    AnalysisRun.objects.filter(pk=run.pk).update(other_study=None)
    answer = client.get(url("run", run))
    assert answer.status_code == 403
    assert "has been deleted" in answer.text
    client.force_login(study.owner)
    assert client.get(url("run", run)).status_code == 200


def test_running_again_is_refused_and_deleting_is_not(client, run, colleague):
    answer = client.post(url("again", run), follow=True)
    assert "You are not in the study that is compared" in answer.text
    assert AnalysisRun.objects.count() == 1
    assert SECRET not in client.get(url("delete", run)).text
    client.post(url("delete", run))
    assert not AnalysisRun.objects.exists()


def test_the_record_of_the_study_does_not_name_the_other(client, run, study):
    client.force_login(study.owner)
    AnalysisRun.objects.all().delete()
    given = {"study_table": "pairs", **PARAMS, "other_study": SECRET}
    client.post(reverse("analysis:new", args=[study.slug, "correlation"]), given)
    assert AnalysisRun.objects.count() == 1
    assert not AuditEntry.objects.filter(study=study, detail__contains=SECRET).exists()
    assert not LogEntry.objects.filter(change_message__contains=SECRET).exists()


def test_the_two_ways_of_asking_agree(run, study, colleague):
    everybody = (study.owner, colleague, user_named("ruth"))
    for state in ({}, {"other_study": None}, {"created_by": None}, {"table": "trials"}):
        AnalysisRun.objects.filter(pk=run.pk).update(**state)
        run.refresh_from_db()
        for user in everybody:
            assert readable_runs(AnalysisRun.objects.all(), user).exists() == (not refusal_to_read(run, user))
