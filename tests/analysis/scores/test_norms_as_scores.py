"""Norms of typed answers become scores of the texts: of the study itself by one click, of another by the table."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from analysis.exports import stream
from analysis.models import TextScore
from analysis.studies.asking import request_run
from experiments.models import Study
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(client):
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    study = make_study(owner=owner)
    add_participants(study, 4)
    client.force_login(owner)
    return study


def texts_of(study: Study) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(b"".join(stream(study, "texts.csv")).decode("utf-8"), newline=""))
    return [row for row in rows if row["condition"]]


def norms(study: Study, by: str):
    # Any answer can be counted; that of this study is a number.
    params = {"response": "rating", "by": by}
    run = request_run(study, method="production-norms", params=params, user=study.owner, table="trials")
    execute(run.pk)
    run.refresh_from_db()
    assert run.report, run.error
    table = next(table for table in json.loads(run.report)["tables"] if table["name"] == "items")
    names = [column["name"] for column in table["columns"]]
    return run, [dict(zip(names, row, strict=True)) for row in table["rows"]]


def test_one_click_stores_the_norms_of_every_item_and_condition(study, client):
    factors = [factor["name"] for factor in study.factors]
    run, lines = norms(study, ",".join(factors))
    address = reverse("analysis:store_run", args=[study.slug, run.pk])
    assert address in client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    client.post(address)
    assert set(TextScore.objects.values_list("name", flat=True)) == {
        "metric_dominant_share", "metric_response_entropy", "metric_response_entropy_corrected",
        "metric_different_responses",
    }  # fmt: skip
    known = {(line["item"], *(line[factor] for factor in factors)): line for line in lines}
    rows = texts_of(study)
    assert rows
    for row in rows:
        line = known.get((row["item"], *(row[factor] for factor in factors)))
        expected = "" if line is None else str(line["different"])
        assert row["metric_different_responses"].removesuffix(".0") == expected
        if line is not None:
            assert float(row["metric_response_entropy"]) == pytest.approx(line["entropy"])


def test_norms_without_groups_go_to_all_texts_of_an_item(study, client):
    run, lines = norms(study, "")
    client.post(reverse("analysis:store_run", args=[study.slug, run.pk]))
    shares = {line["item"]: line["share"] for line in lines}
    for row in texts_of(study):
        assert float(row["metric_dominant_share"]) == pytest.approx(shares[row["item"]])


def upload(client, study, text):
    file = SimpleUploadedFile("items.csv", text.encode("utf-8"))
    return client.post(reverse("analysis:scores", args=[study.slug]), {"file": file, "note": "norming"}, follow=True)


def test_the_table_of_another_study_is_known_by_its_columns(study, client):
    items = [item.code for item in study.items.filter(is_filler=False, is_practice=False)]
    lines = [f"{code},20,3,1.2,bread,0.6,0.4,0.8,0,1.3,bread,12,0.6,0.4,0.8" for code in items]
    header = (
        "item,n,different,entropy,dominant,share,ci_low,ci_high,empty,entropy_corrected,target,target_n,target_share,"
        "target_low,target_high"
    )
    upload(client, study, "\n".join([header, *lines]))
    assert {row["metric_cloze"] for row in texts_of(study)} == {"0.6"}
    assert "metric_n" not in texts_of(study)[0]


def test_norms_by_something_that_the_study_has_not_are_refused(study, client):
    page = upload(client, study, "item,region,different,entropy,dominant,share\nflood,north,1,0,a,1\n").content.decode()
    assert "not a factor of this study" in page
    assert not TextScore.objects.exists()
