"""The analyse and export steps: who may do what, from a suggestion to a report, and every download."""

import io
import json
import re
import zipfile

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from analysis.exports import export_files, zip_pieces
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Membership
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
ANOVA = {"dv": "rating_z", "within": "marker,order"}
Status = AnalysisRun.Status


@pytest.fixture
def study():
    study = make_study(owner=person("owner"))
    add_participants(study, 8)
    return study


@pytest.fixture
def run(study):
    run = request_run(study, method="rm-anova", params=ANOVA, user=study.owner)
    assert execute(run.pk)
    run.refresh_from_db()
    assert run.status == Status.DONE, run.error
    return run


def person(name, **fields):
    return get_user_model().objects.create_user(name, is_staff=True, **fields)


def logged_in(client, user):
    client.force_login(user)
    return client


def content(response):
    return b"".join(response) if response.streaming else response.content


def test_access_follows_the_study(client, study, run):
    viewer, editor, stranger = person("viewer"), person("editor"), person("stranger")
    Membership.objects.create(study=study, user=viewer, role=Membership.Role.VIEWER)
    Membership.objects.create(study=study, user=editor, role=Membership.Role.EDITOR)
    reading = [
        reverse("analysis:analyse", args=[study.slug]),
        reverse("analysis:new", args=[study.slug, "tukey"]),
        reverse("analysis:run", args=[study.slug, run.pk]),
        reverse("analysis:progress", args=[study.slug, run.pk]),
        reverse("analysis:run_file", args=[study.slug, run.pk, "report.json"]),
        reverse("analysis:export", args=[study.slug]),
        reverse("analysis:export_file", args=[study.slug, "trials.csv"]),
        reverse("analysis:export_all", args=[study.slug]),
    ]
    writing = [
        reverse("analysis:suggested", args=[study.slug, 0]),
        reverse("analysis:new", args=[study.slug, "tukey"]),
        reverse("analysis:again", args=[study.slug, run.pk]),
        reverse("analysis:cancel", args=[study.slug, run.pk]),
        reverse("analysis:delete", args=[study.slug, run.pk]),
    ]
    for address in [*reading, *writing]:
        assert client.get(address).status_code == 302, address
        assert client.post(address).status_code == 302, address
    assert AnalysisRun.objects.filter(pk=run.pk).exists()
    seen = {}
    for user in (stranger, viewer, editor, study.owner):
        logged_in(client, user)
        seen[user.username] = (
            {client.get(address).status_code for address in reading},
            [client.post(address).status_code for address in writing],
        )
        if user in (stranger, viewer):
            assert AnalysisRun.objects.count() == 1
        AnalysisRun.objects.exclude(pk=run.pk).delete()
        AnalysisRun.objects.filter(pk=run.pk).exists() or run.save(force_insert=True)
    assert seen == {
        "stranger": ({404}, [404] * 5),
        "viewer": ({200}, [403] * 5),
        "editor": ({200}, [302, 422, 302, 302, 302]),
        "owner": ({200}, [302, 422, 302, 302, 302]),
    }


def test_a_run_of_another_study_does_not_exist_here(client, study, run):
    other = make_study("other", owner=study.owner)
    logged_in(client, study.owner)
    for name, arguments in (("run", []), ("progress", []), ("run_file", ["report.json"])):
        assert client.get(reverse(f"analysis:{name}", args=[other.slug, run.pk, *arguments])).status_code == 404
    assert client.post(reverse("analysis:delete", args=[other.slug, run.pk])).status_code == 404


def test_a_study_without_data_says_so_and_offers_the_next_thing_to_do(client):
    study = make_study(owner=person("owner"))
    page = logged_in(client, study.owner).get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    assert "Nobody has taken part yet" in page
    assert reverse("study:open", args=[study.slug]) in page
    assert "Suggested" not in page


def test_one_click_leads_from_a_suggestion_through_waiting_to_a_report(client, study):
    logged_in(client, study.owner)
    page = client.get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    asked = "Does the rating (z-score) differ by marker and order? By participants (F1)"
    assert asked in page
    index = re.search(re.escape(asked) + r".*?suggested/(\d+)/", page, re.DOTALL)
    assert index
    waiting = client.post(reverse("analysis:suggested", args=[study.slug, index[1]]), follow=True)
    text = waiting.content.decode()
    assert "waiting for its turn" in text
    assert "analysis/run.js" in text
    run = AnalysisRun.objects.get()
    progress = client.get(reverse("analysis:progress", args=[study.slug, run.pk])).json()
    assert progress == {"status": "queued", "progress": 0, "note": "", "ahead": 0}
    assert execute(run.pk)
    report = client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "analysis/run.js" not in report
    assert re.search(r"effect of marker, <i>F</i>\S*?\(1,\s7\)\s=\s[\d.]+, <i>p</i>\s(=|&lt;)\s\.\d{3}", report)
    assert report.index("effect of marker") < report.index('class="apa"') < report.index("How this was computed")
    again = client.post(reverse("analysis:suggested", args=[study.slug, index[1]]), follow=True)
    assert "have not changed since" in again.content.decode()
    assert AnalysisRun.objects.count() == 1


def test_the_form_offers_the_studys_own_columns_and_runs_what_was_chosen(client, study):
    logged_in(client, study.owner)
    address = reverse("analysis:new", args=[study.slug, "rm-anova"])
    form = client.get(address).content.decode()
    for offered in ("rating_z", "marker", "native_language"):
        assert f'value="{offered}"' in form
    response = client.post(
        address, {"dv": "rating_log", "within": ["marker", "order"], "unit": "item", "intervals": "within"}
    )
    assert response.status_code == 302
    assert AnalysisRun.objects.get().params == {"dv": "rating_log", "within": "marker,order", "unit": "item"}


def test_contrasts_are_offered_in_plain_words_and_taken_as_text_for_single_factors(client, study):
    logged_in(client, study.owner)
    address = reverse("analysis:new", args=[study.slug, "lmm"])
    page = client.get(address).content.decode()
    assert '<option value="repeated">repeated: every level against the one before it</option>' in page
    assert 'name="contrasts_text"' in page
    formula = {
        "formula": "rating_log ~ marker + order + (1 | participant)", "reml": "on", "uncorrelated": "by-term",
        "reduce": "none",
    }  # fmt: skip
    for chosen in ({"contrasts": "helmert"}, {"contrasts": "sum", "contrasts_text": "order=repeated"}):
        assert client.post(address, formula | chosen).status_code == 302
    kept = list(AnalysisRun.objects.order_by("pk"))
    assert [run.params["contrasts"] for run in kept] == ["helmert", "order=repeated"]
    again = client.get(address, {"run": kept[1].pk}).content.decode()
    assert re.search(r'name="contrasts_text" value="order=repeated"', again)
    assert '<option value="automatic" selected>' in again


def test_a_form_that_does_not_fit_comes_back_with_what_was_chosen_and_why(client, study):
    logged_in(client, study.owner)
    response = client.post(reverse("analysis:new", args=[study.slug, "rm-anova"]), {"within": ["marker"]})
    page = response.content.decode()
    assert response.status_code == 422
    assert "errorlist" in page
    assert re.search(r'value="marker"[^>]*checked', page)
    assert not AnalysisRun.objects.exists()


def test_the_parameters_of_an_earlier_run_can_be_changed(client, study, run):
    page = logged_in(client, study.owner).get(reverse("analysis:new", args=[study.slug, "rm-anova"]), {"run": run.pk})
    assert page.context["form"].initial == {"dv": "rating_z", "within": ["marker", "order"]}
    assert re.search(r'value="order"[^>]*checked', page.content.decode())


def test_earlier_runs_say_what_has_changed_since(client, study, run):
    logged_in(client, study.owner)
    address = reverse("analysis:analyse", args=[study.slug])
    assert "changed since" not in client.get(address).content.decode().lower()
    add_participants(study, 1, first=8)
    study.sessions.filter(participant__pseudonym="P0008").update(finished_at=run.finished_at.replace(year=2030))
    assert "The data have changed since: 1 more finished session." in client.get(address).content.decode()
    report = client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "The data have changed since: 1 more finished session." in report


def test_every_file_of_a_report_can_be_downloaded(client, study, run):
    logged_in(client, study.owner)
    report = json.loads(run.report)
    files = {
        "report.json": b"{",
        **{f"{table['name']}.csv": table["columns"][0]["name"].encode() for table in report["tables"]},
        **{f"{figure['name']}.svg": b"<svg" for figure in report["figures"]},
        **{f"{figure['name']}.png": b"\x89PNG" for figure in report["figures"]},
        **{f"{figure['name']}.pdf": b"%PDF" for figure in report["figures"]},
        "all.zip": b"PK",
    }
    assert len(files) > 6
    for name, beginning in files.items():
        response = client.get(reverse("analysis:run_file", args=[study.slug, run.pk, name]))
        assert response.status_code == 200, name
        assert response.content.startswith(beginning), name
        assert "sandbox" in response["Content-Security-Policy"]
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.read("report.json").decode() == run.report
    assert "analyse rm-anova --data trials.csv --set dv=rating_z" in archive.read("rerun.sh").decode()
    assert client.get(reverse("analysis:run_file", args=[study.slug, run.pk, "other.csv"])).status_code == 404


def test_a_failed_run_shows_its_sentence_and_how_to_go_on(client, study, run):
    AnalysisRun.objects.filter(pk=run.pk).update(status=Status.FAILED, report="", error="Only <1> item is complete.")
    page = logged_in(client, study.owner).get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "Only &lt;1&gt; item is complete." in page
    assert "Run again as it is" in page


def test_a_run_can_be_cancelled_and_deleted_after_asking(client, study):
    logged_in(client, study.owner)
    run = request_run(study, method="rm-anova", params=ANOVA, user=study.owner)
    client.post(reverse("analysis:cancel", args=[study.slug, run.pk]))
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    address = reverse("analysis:delete", args=[study.slug, run.pk])
    assert "This will be lost permanently" in client.get(address).content.decode()
    assert AnalysisRun.objects.exists()
    client.post(address)
    assert not AnalysisRun.objects.exists()
    assert {"analysis cancelled", "analysis deleted"} <= set(AuditEntry.objects.values_list("action", flat=True))


def test_simulated_data_are_marked_plainly(client):
    study = make_study(owner=person("owner"))
    add_participants(study, 8, simulated=True)
    logged_in(client, study.owner)
    run = request_run(study, method="rm-anova", params=ANOVA, user=study.owner)
    assert execute(run.pk)
    for name, arguments in (("analyse", []), ("run", [run.pk])):
        page = client.get(reverse(f"analysis:{name}", args=[study.slug, *arguments])).content.decode()
        assert "simulated" in page.lower()
        assert "finding about people" in page


def test_the_button_downloads_the_bytes_of_the_command_and_is_recorded(client, study, run):
    logged_in(client, study.owner)
    response = client.get(reverse("analysis:export_all", args=[study.slug]))
    assert response.streaming
    assert response["Content-Disposition"] == f'attachment; filename="causes-data-{timezone.localdate()}.zip"'
    assert content(response) == b"".join(zip_pieces(export_files(study)))
    excel = client.get(reverse("analysis:export_file", args=[study.slug, "trials.csv"]), {"excel": "1"})
    assert excel["Content-Disposition"] == 'attachment; filename="causes-trials-excel.csv"'
    assert content(excel).startswith(b"\xef\xbb\xbf")
    assert client.get(reverse("analysis:export_file", args=[study.slug, "users.csv"])).status_code == 404
    assert AuditEntry.objects.filter(action="data exported", user=study.owner).count() == 2


def test_pages_hold_no_inline_script_and_no_inline_handler(client, study, run):
    logged_in(client, study.owner)
    for name, arguments in (("analyse", []), ("new", ["tukey"]), ("run", [run.pk]), ("export", [])):
        page = client.get(reverse(f"analysis:{name}", args=[study.slug, *arguments])).content.decode()
        body = page[page.index('class="lectern sheet"') :]
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", body), name
        assert not re.search(r"\son(click|submit|load|change)=", body), name


def test_the_admin_lists_only_runs_of_ones_own_studies_and_changes_none(client, study, run):
    stranger = person("stranger")
    listing = reverse("admin:analysis_analysisrun_changelist")
    change = reverse("admin:analysis_analysisrun_change", args=[run.pk])
    assert "rm-anova" in logged_in(client, study.owner).get(listing).content.decode()
    assert client.get(change).status_code == 200
    assert client.post(change, {"status": "queued"}).status_code == 403
    page = logged_in(client, stranger).get(listing).content.decode()
    assert "0 analyses" in page or reverse("analysis:run", args=[study.slug, run.pk]) not in page
    assert client.get(change).status_code in (302, 403)
