"""The form of an analysis: columns that are units in the data, and columns that are derived of others."""

from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from analysis.exports.archive import codebook_pieces
from analysis.exports.reports import report_from
from analysis.models import AnalysisRun
from analysis.papers.run_files import rerun_line
from analysis.studies.planned import planned_analyses
from experiments.study_files import create_from_toml
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_study(owner=person("owner"))
    add_participants(study, 8)
    return study


@pytest.fixture
def researcher(client, study):
    client.force_login(study.owner)
    return client


def form(study, method):
    return reverse("analysis:new", args=[study.slug, method])


def choices(page, field):
    return [name for name, _label in page.context["form"].fields[field].choices]


def done(run):
    assert execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


def test_every_column_that_names_something_can_be_averaged_over(researcher, study):
    offered = choices(researcher.get(form(study, "correlation")), "unit")
    assert offered[:2] == ["participant", "item"]
    assert {"marker", "order", "condition", "list"} <= set(offered)
    assert not {"text", "rating", "rt_ms", "started_at"} & set(offered)


def test_ratings_agree_over_items_and_conditions_from_the_page(researcher, study):
    given = {"unit": ["item", "marker", "order"], "coder": "participant", "code": "rating", "metric": "interval"}
    answer = researcher.post(form(study, "agreement"), given)
    assert answer.status_code == 302
    run = done(AnalysisRun.objects.get())
    assert run.params["unit"] == "item,marker,order"
    assert "α" in run.report


def test_means_of_markers_are_correlated_from_the_page(researcher, study):
    given = {"x": ["rating"], "y": ["position"], "unit": ["marker"], "how": "spearman", "confidence": "0.95"}
    assert researcher.post(form(study, "correlation"), given).status_code == 302
    report = report_from(done(AnalysisRun.objects.get()).report)
    assert report.table("correlation").frame()["n"].tolist() == [len(study.factors[0]["levels"])]
    assert any("means per marker" in note for note in report.notes)


def test_derived_columns_are_offered_and_what_was_filled_in_stays(researcher, study):
    given = {"derive": "late = position > 3", "within": ["marker"], "offer": "1", "dv": "rating_z"}
    page = researcher.post(form(study, "rm-anova"), given)
    assert page.status_code == 200
    assert not AnalysisRun.objects.exists()
    assert "late" in choices(page, "within")
    assert "late" in [name for name, _ in choices_in_groups(page, "dv")]
    text = page.content.decode()
    assert "late = position &gt; 3</textarea>" in text
    assert page.context["form"].initial["dv"] == "rating_z"


def choices_in_groups(page, field):
    for value, label in page.context["form"].fields[field].choices:
        yield from label if isinstance(label, (list, tuple)) else [(value, label)]


def test_a_derived_column_is_analysed_and_its_report_and_archive_say_so(researcher, study):
    given = {"derive": "good = rating_z > 0", "success": ["good"], "group": "order", "ci": "newcombe"}
    assert researcher.post(form(study, "proportions"), given).status_code == 302
    run = done(AnalysisRun.objects.get())
    page = researcher.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "derived: good = rating_z &gt; 0" in page
    assert "Derived column: good = rating_z &gt; 0" in page
    assert "'derive=good = rating_z > 0'" in rerun_line(run)


def test_what_cannot_be_derived_is_said_at_the_form(researcher, study):
    wrong = {"derive": "good = rating_zz > 0", "success": ["good"], "group": "order", "ci": "newcombe"}
    refused = researcher.post(form(study, "proportions"), wrong)
    assert refused.status_code == 422
    assert "did you mean &#x27;rating_z&#x27;?" in refused.content.decode()
    offered = researcher.post(form(study, "proportions"), {**wrong, "offer": "1"}, follow=True)
    assert "did you mean &#x27;rating_z&#x27;?" in offered.content.decode()


def test_a_plan_keeps_derived_columns_and_the_codebook_explains_them(client):
    example = Path(settings.BASE_DIR) / "experiments" / "examples" / "sentence-recall" / "study.toml"
    owner = person("owner")
    study = create_from_toml(example, user=owner, owner=owner)
    client.force_login(owner)
    given = {
        "study_table": "codings",
        "derive": "garbled = code_3 or code_4",
        "success": ["garbled"],
        "group": study.factors[0]["name"],
        "ci": "newcombe",
    }
    study_plan = reverse("analysis:plan_new", args=[study.slug, "proportions"])
    answer = client.post(study_plan, given)
    assert answer.status_code == 302
    study.refresh_from_db()
    assert planned_analyses(study)[-1]["params"]["derive"] == given["derive"]
    page = client.get(reverse("analysis:plan", args=[study.slug])).content.decode()
    assert "derived: garbled = code_3 or code_4" in page
    codebook = b"".join(codebook_pieces(study, "flat", "plain")).decode()
    assert "codings.csv,garbled,boolean,," in codebook
    assert "planned analyses derive it: code_3 or code_4" in codebook
