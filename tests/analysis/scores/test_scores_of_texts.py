"""Scores of texts join trials and texts by stimulus, are replaced and removed on purpose only, and stay from people."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from analysis.codebook.trials import trial_columns
from analysis.data.frames import data_stamp, study_data
from analysis.data.tables import TEXTS
from analysis.exports import stream
from analysis.models import AnalysisRun, TextScore, TextScoreValue
from analysis.studies.asking import request_run
from analysis.studies.materials import METHOD
from analysis.views.asking import suggestions
from experiments.materials import design_of, store_design
from experiments.models import AuditEntry, Membership, Stimulus, Study
from participants.models import Trial
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def study(client):
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    study = make_study(owner=owner)
    client.force_login(owner)
    return study


def rows_of(study: Study, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(stream(study, name)).decode("utf-8"), newline="")))


def upload(client, study, text, *, name="bertscore.csv", **given):
    file = SimpleUploadedFile(name, text.encode("utf-8"))
    given = {"note": "bert-score 0.3.13, roberta-large", **given}
    return client.post(reverse("analysis:scores", args=[study.slug]), {"file": file, **given}, follow=True)


def table_with(study, column, number=lambda place: place / 4) -> str:
    """Return texts.csv with a further column, as a researcher would make it."""
    rows = rows_of(study, "texts.csv")
    texts = list(dict.fromkeys((row["item"], row["condition"]) for row in rows))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*rows[0], column])
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, column: number(texts.index((row["item"], row["condition"])))})
    return out.getvalue()


def test_one_click_stores_the_measures_of_the_profile_and_analyses_read_them(study, client):
    client.post(reverse("analysis:store_profile", args=[study.slug]))
    assert set(TextScore.objects.values_list("name", flat=True)) >= {"metric_words", "metric_zipf", "metric_fkgl"}
    add_participants(study, 4)
    frame = study_data(study).frame
    targets = frame[frame["condition"] != ""]
    expected = {stimulus.text.strip(): len(stimulus.text.split()) for stimulus in Stimulus.objects.all()}
    assert [float(value) for value in targets["metric_words"]] == [expected[text.strip()] for text in targets["text"]]
    assert set(frame[frame["phase"] == "practice"]["metric_words"]) == {""}
    texts = {(row["item"], row["condition"]): row for row in rows_of(study, "texts.csv")}
    for row in targets.to_dict("records"):
        assert texts[row["item"], row["condition"]]["metric_zipf"] == row["metric_zipf"] != ""
    column = {column.name: column for column in trial_columns(study).all}["metric_words"]
    assert (column.type, column.role) == ("number", "measure")
    assert "text-profile" in column.description
    assert any("metric_words" in found.params.get("metrics", "") for found in suggestions(study))
    form = client.get(reverse("analysis:new", args=[study.slug, "correlation"])).content.decode()
    assert "metric_zipf" in form, "offered as a covariate"


def test_a_report_of_overlap_is_stored_by_item_and_system(study, client):
    for item in study.items.all():
        item.attributes = {"reference": f"The model text of {item.code}."}
        item.save()
    params = {"references": "reference", "system": "condition", "resamples": "0"}
    run = request_run(study, method="overlap", params=params, user=study.owner, table=TEXTS)
    execute(run.pk)
    page = client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    address = reverse("analysis:store_run", args=[study.slug, run.pk])
    assert f'action="{address}"' in page
    client.post(address)
    run.refresh_from_db()
    report = {(row[1], row[0]): row[4] for row in json.loads(run.report)["tables"][-1]["rows"]}
    rows = [row for row in rows_of(study, "texts.csv") if row["condition"]]
    assert rows
    for row in rows:
        assert float(row["metric_bleu"]) == report[row["item"], row["condition"]]


def test_scores_from_elsewhere_are_uploaded_as_the_exported_table_with_a_column(study, client):
    add_participants(study, 2)
    assert study.status == Study.Status.OPEN, "after opening as well"
    before = data_stamp(study)
    page = upload(client, study, table_with(study, "BERTScore F1")).content.decode()
    assert "metric_bertscore_f1" in page
    assert "bert-score 0.3.13" in page
    score = TextScore.objects.get()
    assert score.stored_by == study.owner
    assert "SHA-256" in score.provenance
    assert data_stamp(study) != before
    entry = AuditEntry.objects.filter(study=study).latest("pk")
    assert entry.action == "scores of texts stored"
    assert "metric_bertscore_f1" in entry.detail
    assert all(row["metric_bertscore_f1"] for row in rows_of(study, "texts.csv"))


def test_scores_are_replaced_only_where_that_was_said(study, client):
    first, second = table_with(study, "comet"), table_with(study, "comet", lambda place: 100 + place)
    upload(client, study, first)
    page = upload(client, study, second)
    assert page.status_code == 422
    assert "stored already" in page.content.decode()
    assert TextScoreValue.objects.filter(value__gte=100).count() == 0
    upload(client, study, second, replace="on")
    assert TextScoreValue.objects.filter(value__lt=100).count() == 0
    assert AuditEntry.objects.filter(study=study, action="scores of texts replaced").count() == 1


def test_a_click_that_would_replace_scores_asks_first(study, client):
    address = reverse("analysis:store_profile", args=[study.slug])
    client.post(address)
    kept = TextScore.objects.get(name="metric_words").pk
    asked = client.post(address).content.decode()
    assert "Replace scores of the texts?" in asked
    assert TextScore.objects.get(name="metric_words").pk == kept
    client.post(address, {"replace": "1"})
    assert TextScore.objects.get(name="metric_words").pk != kept


def test_a_score_is_removed_after_a_question(study, client):
    upload(client, study, table_with(study, "lens"))
    score = TextScore.objects.get()
    address = reverse("analysis:remove_score", args=[study.slug, score.pk])
    assert "metric_lens" in client.get(address).content.decode()
    assert TextScore.objects.exists()
    client.post(address)
    assert not TextScore.objects.exists()
    assert AuditEntry.objects.filter(study=study, action="scores of texts removed").count() == 1
    assert "metric_lens" not in rows_of(study, "texts.csv")[0]


def test_a_value_of_a_text_that_has_changed_counts_as_missing(study, client):
    upload(client, study, table_with(study, "lens"))
    stimulus = Stimulus.objects.filter(condition__isnull=False).first()
    Stimulus.objects.filter(pk=stimulus.pk).update(text="Quite another text.")
    rows = [row for row in rows_of(study, "texts.csv") if row["text"] == "Quite another text."]
    assert [row["metric_lens"] for row in rows] == [""] * len(rows)
    assert "has changed since" in client.get(reverse("analysis:scores", args=[study.slug])).content.decode()


def test_the_correction_of_a_text_leaves_the_scores_of_the_others(study, client):
    upload(client, study, table_with(study, "lens"))
    Study.objects.update(status=Study.Status.DRAFT)
    study.refresh_from_db()
    before = TextScoreValue.objects.count()
    design = design_of(study)
    item = design.items[0]
    corrected = replace(
        item, stimuli=tuple(replace(one, text=one.text + " Indeed.") for one in item.stimuli[:1]) + item.stimuli[1:]
    )
    store_design(study, replace(design, items=(corrected, *design.items[1:])))
    assert TextScoreValue.objects.count() == before
    lacking = [row["text"] for row in rows_of(study, "texts.csv") if not row["metric_lens"]]
    assert set(lacking) == {corrected.stimuli[0].text}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("item,condition\nitem000,because:cause-effect\n", "no column of scores"),
        ("system,lens\na,1\n", "does not say which text"),
        ("item,condition,lens\nnobody,because:cause-effect,1\n", "the study has no text with item"),
        ("item,condition,lens\nitem000,because:cause-effect,much\n", "is not a number"),
        ("item,condition,lens\nitem000,because:cause-effect,1e999\n", "is not a finite number"),
        (
            "item,condition,lens\nitem000,because:cause-effect,1\nitem000,because:cause-effect,2\n",
            "has another value",
        ),
        ("item,condition,lens 1,lens-1\nitem000,because:cause-effect,1,2\n", "Several columns would be called"),
    ],
)
def test_a_file_that_is_no_table_of_scores_is_refused_in_a_sentence_and_nothing_is_stored(
    study, client, text, sentence
):
    page = upload(client, study, text)
    assert page.status_code == 422
    assert sentence in page.content.decode().replace("&#x27;", "'")
    assert not TextScore.objects.exists()


def test_columns_of_the_materials_are_never_overwritten(study, client):
    for stimulus in Stimulus.objects.filter(condition__isnull=False):
        stimulus.extra = {"metric_words": "7"}
        stimulus.save()
    page = upload(client, study, "item,condition,metric_words\nitem000,because:cause-effect,3\n")
    assert page.status_code == 422
    client.post(reverse("analysis:store_profile", args=[study.slug]))
    rows = [row for row in rows_of(study, "texts.csv") if row["condition"]]
    assert {row["metric_words"] for row in rows} == {"7"}
    assert all(float(row["metric_words_text_profile"]) > 0 for row in rows)


def test_participants_are_never_sent_a_score(study, client, settings):
    upload(client, study, table_with(study, "judge", lambda place: 777.125 + place))
    add_participants(study, 2)
    assert Trial.objects.filter(session__study=study).exists()
    for trial in Trial.objects.filter(session__study=study):
        assert "777" not in json.dumps([trial.params, trial.private])
        assert "metric_" not in json.dumps([trial.params, trial.private])
    assert not any("777" in json.dumps(stimulus.extra) for stimulus in Stimulus.objects.all())
    for address in (f"/s/{study.slug}/", f"/api/studies/{study.slug}/", f"/s/{study.slug}/preview/"):
        answer = client.get(address)
        assert b"metric_judge" not in answer.content
        assert b"777.125" not in answer.content


def test_viewers_look_and_strangers_learn_nothing(study, client):
    upload(client, study, table_with(study, "lens"))
    score = TextScore.objects.get()
    run = AnalysisRun.objects.create(study=study, method=METHOD, table=TEXTS, code_version="x", data_stamp="y")
    addresses = {
        "scores": [], "store_profile": [], "remove_score": [score.pk], "store_run": [run.pk],
    }  # fmt: skip
    viewer, stranger = (get_user_model().objects.create_user(name, is_staff=True) for name in ("viewer", "stranger"))
    Membership.objects.create(study=study, user=viewer, role="viewer")
    for name, further in addresses.items():
        address = reverse(f"analysis:{name}", args=[study.slug, *further])
        client.force_login(stranger)
        assert client.get(address).status_code == client.post(address).status_code == 404, name
        client.force_login(viewer)
        assert client.post(address).status_code == 403, name
        assert client.get(address).status_code in (200, 302), name
        client.logout()
        assert client.get(address).status_code == 302
    assert TextScore.objects.count() == 1
