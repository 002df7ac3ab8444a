"""Metrics in the materials reach trials.csv, the codebook and the form, and can be compared with ratings."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.codebook.materials import material_columns
from analysis.codebook.trials import trial_columns
from analysis.data.frames import data_stamp, study_data
from analysis.models import AnalysisRun
from analysis.views.asking import suggestions
from experiments.models import Stimulus
from experiments.paradigms import paradigm_named
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    study = make_study(owner=owner)
    for number, stimulus in enumerate(Stimulus.objects.filter(item__part__study=study, condition__isnull=False)):
        marker = stimulus.condition.levels["marker"]
        stimulus.extra = {"metric_bleu": f"{40 - 20 * (marker == 'because-of') + number % 7}.25"}
        if number != 3:
            stimulus.extra["metric_words"] = str(number % 5)
        stimulus.save()
    add_participants(study, 8)
    return study


def test_every_trial_has_the_metrics_of_its_text(study):
    frame = study_data(study).frame
    stored = {
        (s.item.code, s.condition.name): s.extra
        for s in Stimulus.objects.filter(item__part__study=study, condition__isnull=False)
    }
    targets = frame[frame["condition"] != ""]
    assert len(targets) == 8 * 8
    for row in targets.to_dict("records"):
        extra = stored[row["item"], row["condition"]]
        assert (row["metric_bleu"], row["metric_words"]) == (extra["metric_bleu"], extra.get("metric_words", ""))
    assert set(frame[frame["condition"] == ""]["metric_bleu"]) == {""}
    columns = {column.name: column for column in trial_columns(study).all}
    assert (columns["metric_bleu"].type, columns["metric_bleu"].role) == ("number", "measure")
    assert {column.name: column.type for column in material_columns(study)}["metric_bleu"] == "number"


def test_one_click_compares_them_with_every_kind_of_judgement(client, study):
    (offered,) = [found for found in suggestions(study) if found.method == "metric-vs-human"]
    assert offered.title == "rating: metrics against people"
    assert offered.params == {"dv": "rating", "metrics": "metric_bleu,metric_words", "scale": "log-z"}
    client.force_login(study.owner)
    assert (
        "Can the rating be predicted from automatic metrics?"
        in client.get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    )
    Stimulus.objects.filter(item__part__study=study).update(extra={})
    assert "metric-vs-human" not in {found.method for found in suggestions(study)}
    questions = [{"name": "clear", "kind": "scale"}, {"name": "good", "kind": "magnitude"}]
    assert paradigm_named("rating").judgements_of({"questions": questions}) == {"clear": False, "good": True}


def test_the_form_offers_them_and_the_analysis_runs_on_what_was_ticked(client, study):
    client.force_login(study.owner)
    address = reverse("analysis:new", args=[study.slug, "metric-vs-human"])
    assert 'value="metric_bleu"' in client.get(address).content.decode()
    chosen = {
        "dv": "rating", "metrics": ["metric_bleu", "metric_words"], "scale": "log-z", "direction": "absolute",
        "participant": "participant", "item": "item", "condition": "condition", "resamples": "20", "splits": "10",
    }  # fmt: skip
    response = client.post(address, chosen)
    assert response.status_code == 302, response.content.decode()
    run = AnalysisRun.objects.get()
    assert run.params["metrics"] == "metric_bleu,metric_words"
    assert execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    page = client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "metric_bleu and people over 32 texts" in page
    assert "The metric metric_words has no value for 1 text of 32" in page


def test_metrics_that_are_imported_again_make_other_data_of_the_texts(study):
    before = data_stamp(study)
    stimulus = Stimulus.objects.filter(item__part__study=study, condition__isnull=False).first()
    stimulus.extra = {**stimulus.extra, "metric_bleu": "1.5"}
    stimulus.save()
    assert data_stamp(study) != before
