"""The materials of a study are profiled before anybody has taken part; a warning comes with the check list."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.cache import caches
from django.urls import reverse
from django.utils.safestring import SafeString

from analysis.data.frames import data_stamp
from analysis.data.tables import TEXTS
from analysis.exports import stream
from analysis.exports.reports import report_from
from analysis.methods.report import Report
from analysis.methods.wording import number_text
from analysis.models import AnalysisRun
from analysis.studies.materials import METHOD, lines_of, opening_panel, opening_warnings, parameters_of, profile_of
from experiments.models import Stimulus, StimulusList, Study
from experiments.study import opening
from tests.analysis.computed import execute
from tests.analysis.studies import make_study
from tests.participants.part_studies import study_of_parts

pytestmark = pytest.mark.django_db
LONG = "This sentence, about which nobody complained, is considerably longer than all of the others, number {}."
SHORT = "It rains, number {}."


@pytest.fixture(autouse=True)
def fresh_cache():
    caches["process"].clear()


@pytest.fixture
def study(django_user_model) -> Study:
    owner = django_user_model.objects.create_superuser("ada", password="a-long-password")
    made = make_study(owner=owner)
    Study.objects.filter(pk=made.pk).update(status=Study.Status.DRAFT)
    made.refresh_from_db()
    return made


def made_profile(study: Study) -> Report:
    report = profile_of(study)
    assert report is not None
    return report


def make_unmatched(study: Study) -> None:
    for stimulus in Stimulus.objects.filter(item__part__study=study, condition__isnull=False).select_related(
        "condition"
    ):
        is_long = stimulus.condition.levels["marker"] == "because"
        number = " ".join(["very"] * stimulus.item.position) if is_long else stimulus.item.position
        stimulus.text = (LONG if is_long else SHORT).format(number)
        stimulus.save()


def test_the_exported_table_has_a_row_for_every_text_on_every_list(study):
    rows = list(csv.DictReader(io.StringIO(b"".join(stream(study, "texts.csv")).decode("utf-8"), newline="")))
    shown = StimulusList.stimuli.through.objects.filter(stimuluslist__part__study=study).count()
    assert len(rows) == shown + 3
    assert {row["list"] for row in rows} == {"", "1", "2", "3", "4"}
    first = rows[0]
    assert (first["item"], first["condition"], first["phase"], first["marker"]) == (
        "item000",
        "because:cause-effect",
        "main",
        "because",
    )
    assert sum(row["phase"] == "practice" for row in rows) == 1


def test_the_profile_compares_the_factors_and_the_lists(study):
    assert parameters_of(study)["condition"] == "marker,order"
    report = made_profile(study)
    assert {line["factor"] for line in lines_of(report, "matching")} == {"marker", "order", "list"}
    assert {line["list"] for line in lines_of(report, "matching_within_lists")} == {"1", "2", "3", "4"}
    total = lines_of(report, "profile")[0]
    assert total["n"] == 8 * 4, "fillers and practice texts are left out"


def test_unmatched_texts_are_a_warning_and_never_a_fault(study):
    before = len(opening.opening_faults(study))
    make_unmatched(study)
    said = [str(fault) for fault in opening_warnings(study)]
    assert any("because and because-of (marker) differ in words (" in sentence for sentence in said)
    assert set(said) <= {str(fault) for fault in opening.opening_warnings(study)}
    assert len(opening.opening_faults(study)) == before


def test_the_check_list_leads_to_the_profile(study, client):
    make_unmatched(study)
    client.force_login(study.owner)
    address = reverse("analysis:profile", args=[study.slug])
    page = client.get(reverse("study:open", args=[study.slug])).content.decode()
    assert "differ in words" in page
    assert f'href="{address}"' in page
    profile = client.get(address).content.decode()
    assert "Not everything is matched" in profile
    assert "verdict-different" in profile
    assert "FKGL" in profile


def test_the_page_that_opens_a_study_shows_pairs_with_raw_means_and_a_figure(study, client):
    make_unmatched(study)
    client.force_login(study.owner)
    page = client.get(reverse("study:open", args=[study.slug])).content.decode()
    words = next(
        line
        for line in lines_of(made_profile(study), "matching")
        if (line["factor"], line["measure"]) == ("marker", "words")
    )
    row = next(row for row in page.split("<tr>") if "because − because-of" in row and '<td lang="en">words</td>' in row)
    for shown in (words["mean_a"], words["mean_b"], words["diff"]):
        assert f"<td>{number_text(shown)}</td>" in row
    assert "<span>different</span>" in row
    address = reverse("analysis:profile_figure", args=[study.slug])
    assert f'src="{address}"' in page
    figure = client.get(address)
    assert figure.headers["Content-Type"] == "image/svg+xml"
    assert b"<svg" in figure.content
    assert b"words per sentence" in figure.content or b"characters" in figure.content


def test_warnings_tell_how_large_a_difference_is(study):
    make_unmatched(study)
    assert any("characters (" in str(fault) and " %)" in str(fault) for fault in opening_warnings(study))


def test_bounds_of_the_newest_report_hold_on_the_pages(study, client):
    client.force_login(study.owner)
    assert "bounds" not in parameters_of(study)
    client.post(reverse("analysis:profile", args=[study.slug]), {"bound": "0.2", "bounds": "words:90%, characters:90%"})
    assert parameters_of(study)["bounds"] == "words:90%, characters:90%"
    assert "bound" not in parameters_of(study), "what is the default anyway is not kept"
    assert {line["bound_as"] for line in lines_of(made_profile(study), "matching") if line["measure"] == "words"} <= {
        "90 %"
    }
    page = client.get(reverse("analysis:profile", args=[study.slug])).content.decode()
    assert 'value="words:90%, characters:90%"' in page


def test_bounds_that_are_none_are_refused_in_a_sentence(study, client):
    client.force_login(study.owner)
    answer = client.post(reverse("analysis:profile", args=[study.slug]), {"bounds": "wrds:5%"}, follow=True)
    assert "did you mean &#x27;words&#x27;" in answer.content.decode()
    assert not AnalysisRun.objects.exists()


def test_of_too_many_texts_the_newest_report_is_shown_and_without_one_that_is_said(study, client, monkeypatch):
    make_unmatched(study)
    monkeypatch.setattr("analysis.studies.materials.MOST_TEXTS", 10)
    client.force_login(study.owner)
    assert profile_of(study) is None
    assert [str(fault).split(" takes")[0] for fault in opening_warnings(study)] == [
        f"Comparing the {Stimulus.objects.filter(item__part__study=study).count()} texts of the conditions"
    ]
    client.post(reverse("analysis:profile", args=[study.slug]))
    execute(AnalysisRun.objects.get(method=METHOD).pk)
    assert any("differ in words" in str(fault) for fault in opening_warnings(study))
    assert "because − because-of" in client.get(reverse("study:open", args=[study.slug])).content.decode()
    stimulus = Stimulus.objects.filter(item__part__study=study).first()
    stimulus.text = "Another text."
    stimulus.save()
    assert any("Comparing the" in str(fault) for fault in opening_warnings(study)), "the report is of other texts"


def test_a_profile_that_fails_keeps_no_study_from_opening_and_does_not_go_unsaid(study, monkeypatch, caplog):
    def fail(*given, **named):
        raise ZeroDivisionError("an error of its own")

    monkeypatch.setattr("analysis.studies.materials.profile_of", fail)
    said = [str(warning) for warning in opening.opening_warnings(study)]
    assert any("could not make one of the checks" in sentence and "log" in sentence for sentence in said)
    assert "an error of its own" in caplog.text


def test_an_open_study_is_not_warned_again(study):
    make_unmatched(study)
    study.status = Study.Status.OPEN
    assert opening_warnings(study) == []


def test_a_study_without_texts_has_no_profile_and_a_page_that_says_so(study, client):
    study.items.all().delete()
    client.force_login(study.owner)
    assert profile_of(study) is None
    assert opening_warnings(study) == []
    page = client.get(reverse("analysis:profile", args=[study.slug])).content.decode()
    assert "No materials yet" in page


def test_a_report_of_the_profile_says_what_the_page_says(study, client):
    client.force_login(study.owner)
    answer = client.post(reverse("analysis:profile", args=[study.slug]))
    run = AnalysisRun.objects.get(method=METHOD)
    assert run.table == TEXTS
    assert answer.headers["Location"] == reverse("analysis:run", args=[study.slug, run.pk])
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    assert report_from(run.report).sentences == made_profile(study).sentences


def test_a_change_of_the_lists_is_a_change_of_the_data(study):
    before = data_stamp(study)
    first = StimulusList.objects.filter(part__study=study).first()
    first.stimuli.remove(first.stimuli.earliest("pk"))
    assert data_stamp(study) != before


def test_strangers_do_not_learn_of_the_profile(study, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("bob", password="a-long-password", is_staff=True))
    for name in ("profile", "profile_figure"):
        assert client.get(reverse(f"analysis:{name}", args=[study.slug])).status_code == 404


def test_the_page_of_the_materials_leads_to_the_profile(study, client):
    client.force_login(study.owner)
    page = client.get(reverse("study:materials", args=[study.slug])).content.decode()
    assert f'href="{reverse("analysis:profile", args=[study.slug])}"' in page


def test_the_report_names_the_versions_of_what_counted(study):
    report = made_profile(study)
    assert {"pyphen", "sacrebleu", "wordfreq", "numpy"} <= set(report.versions)


def test_the_panel_of_several_tasks_is_shown_as_a_page_shows_it_and_not_as_text(django_user_model):
    study = study_of_parts(owner=django_user_model.objects.create_user("ada", is_staff=True))
    assert study.has_several_tasks
    assert isinstance(opening_panel(study), SafeString)
