"""A language model is given as a file: by its path on the command line, uploaded in the platform."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from analysis.data.analyse_file import analyse_file
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.methods.texts.example import example
from analysis.methods.texts.method import METHOD
from analysis.models import AnalysisRun
from experiments.models import Study
from tests.analysis.computed import execute
from tests.analysis.studies import make_study
from tests.analysis.text.bigrams import BIGRAMS


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "texts.csv"
    frame, _parameters = example()
    frame.to_csv(path, index=False)
    return path


def test_the_command_reads_the_file_and_the_report_names_it_with_its_hash(data, tmp_path):
    model = tmp_path / "toy.arpa"
    model.write_text(BIGRAMS.replace("cat", "rain"), encoding="utf-8")
    report, _written = analyse_file("text-profile", data=data, given={"model": str(model)}, out=tmp_path / "out")
    texts = report.table("texts").frame()
    # The, rain and the: .2, .3 and .6 in log10; the other words are unknown to a model without an unknown word.
    assert texts["surprisal"][0] == pytest.approx((0.2 + 0.3 + 0.6) / 3 / 0.30102999566398)
    assert texts["unknown"][0] == 4
    stored = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert stored["params"]["model"].startswith("toy.arpa (SHA-256 ")


def test_a_file_that_is_missing_or_no_model_is_refused(data, tmp_path):
    with pytest.raises(BadInput, match="There is no file"):
        analyse_file("text-profile", data=data, given={"model": str(tmp_path / "no.arpa")}, out=tmp_path / "out")
    (tmp_path / "notes.txt").write_text("no model", encoding="utf-8")
    with pytest.raises(BadInput, match=r"notes\.txt is no language model"):
        analyse_file("text-profile", data=data, given={"model": str(tmp_path / "notes.txt")}, out=tmp_path / "out")


def test_a_path_that_comes_with_a_study_is_never_read():
    frame, parameters = example()
    with pytest.raises(BadInput, match="'/etc/passwd' is no file"):
        registry.run(METHOD, frame, {**parameters, "model": "/etc/passwd"})


@pytest.mark.django_db
def test_an_uploaded_model_is_kept_with_the_run_and_shown_by_its_name(client, django_user_model):
    owner = django_user_model.objects.create_superuser("ada", password="a-long-password")
    study: Study = make_study(owner=owner)
    client.force_login(owner)
    address = reverse("analysis:new", args=[study.slug, "text-profile"])
    assert 'type="file"' in client.get(address).content.decode()
    form = {"study_table": "texts", "text": "text", "language": "en", "tokens": "auto", "counter": "auto"}
    form |= {
        "purpose": "conditions",
        "bound": "0.5",
        "confidence": "0.95",
        "farthest": "5",
        "item": "item",
        "list": "list",
    }
    answer = client.post(address, {**form, "model": SimpleUploadedFile("toy.arpa", BIGRAMS.encode())})
    assert answer.status_code == 302, answer.content.decode()
    run = AnalysisRun.objects.get()
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    page = client.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "model = toy.arpa" in page
    assert "ngram 1=4" not in page
    refused = client.post(address, {**form, "model": SimpleUploadedFile("model.bin", b"\xff\xfe\x00")})
    assert refused.status_code == 422
    assert "not a text in UTF-8" in refused.content.decode()


@pytest.mark.django_db
def test_a_plan_holds_no_files(client, django_user_model):
    owner = django_user_model.objects.create_superuser("ada", password="a-long-password")
    study: Study = make_study(owner=owner)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    client.force_login(owner)
    page = client.get(reverse("analysis:plan_new", args=[study.slug, "text-profile"])).content.decode()
    assert 'type="file"' not in page
