"""*Analyse a table*: upload, any method, the same numbers as by command, a study of it, deletion; the texts of drafts.

Rows 55 and 63 of the papers walked through: a table of texts without a study has a page, and a draft with texts has
something to analyse."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from analysis.data.analyse_file import analyse_file
from analysis.exports.reports import report_from, report_json
from analysis.models import AnalysisRun, TableRun, UploadedTable
from analysis.runs.tables import ClaimedTableRun
from analysis.studies import uploaded_tables
from experiments.models import Study
from experiments.study.lifecycle import create_study
from experiments.study_files import create_from_toml
from experiments.uploads.tables import any_table
from tests.analysis.views.test_analysis_pages import person

pytestmark = pytest.mark.django_db
TEXTS = "system;item;text\nA;1;It rained. It stopped.\nB;1;It rained and stopped.\nA;2;He slept.\nB;2;She slept, too.\n"
TRIALS = "participant,item,marker,rt_ms\n" + "".join(
    f"P{person},I{item},{'because' if (person + item) % 2 else 'since'},{300 + 17 * person + 31 * item}\n"
    for person in range(6)
    for item in range(6)
)


@pytest.fixture
def owner():
    return person("owner")


@pytest.fixture
def researcher(client, owner):
    client.force_login(owner)
    return client


def upload(client, content, name="texts.csv"):
    data = content if isinstance(content, bytes) else content.encode()
    return client.post(reverse("tables:tables"), {"file": SimpleUploadedFile(name, data)})


def uploaded(client, content, name="texts.csv"):
    answer = upload(client, content, name)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return UploadedTable.objects.first()


def done(run):
    claimed = ClaimedTableRun.claim(run.pk)
    claimed.conclude(claimed.compute(lambda share, note: None))
    run.refresh_from_db()
    return run


def test_there_is_nothing_at_first_and_the_page_says_what_to_do(researcher):
    page = researcher.get(reverse("tables:tables")).content.decode()
    assert "None yet. A table stays here with its reports until you delete it." in page
    assert "Upload the table" in page
    assert reverse("tables:tables") in researcher.get(reverse("study:index")).content.decode()


def test_a_table_of_texts_is_analysed_as_by_command(researcher, tmp_path):
    table = uploaded(researcher, TEXTS)
    assert (table.name, table.rows, [column["name"] for column in table.columns]) == (
        "texts.csv", 4, ["system", "item", "text"],
    )  # fmt: skip
    page = researcher.get(reverse("tables:table", args=[table.pk])).content.decode()
    assert "It rained and stopped." in page
    form = reverse("tables:new", args=[table.pk, "text-profile"])
    assert researcher.get(form).status_code == 200
    given = {"text": "text", "condition": ["system"], "purpose": "systems", "language": "en", "tokens": "auto",
             "counter": "auto", "bound": "0.2", "confidence": "0.95", "farthest": "5"}  # fmt: skip
    answer = researcher.post(form, given)
    assert answer.status_code == 302
    run = TableRun.objects.get()
    waiting = researcher.get(answer["Location"]).content.decode()
    assert "The analysis is waiting for its turn" in waiting
    assert researcher.get(reverse("tables:progress", args=[table.pk, run.pk])).json()["status"] == "queued"
    done(run)
    assert run.status == AnalysisRun.Status.DONE, run.error
    path = tmp_path / "texts.csv"
    path.write_text(TEXTS, encoding="utf-8")
    by_command, _ = analyse_file("text-profile", data=path, given=run.params, out=tmp_path / "out")
    assert run.report == report_json(by_command)
    shown = researcher.get(answer["Location"]).content.decode()
    assert "2 systems: FKGL from" in shown
    assert "matched" not in shown
    assert researcher.post(form, given)["Location"] == answer["Location"]


def test_files_of_a_report_come_one_by_one_and_together(researcher):
    table = uploaded(researcher, TRIALS, "C:\\data\\trials.csv")
    assert table.name == "trials.csv"
    given = {"x": ["rt_ms"], "y": ["log_rt"], "derive": "log_rt = log(rt_ms)", "unit": ["marker", "participant"],
             "how": "spearman", "confidence": "0.95"}  # fmt: skip
    answer = researcher.post(reverse("tables:new", args=[table.pk, "correlation"]), given)
    assert answer.status_code == 302, answer.content.decode()
    run = done(TableRun.objects.get())
    report = report_from(run.report)
    assert report.table("correlation").frame()["n"].tolist() == [12]
    at = answer["Location"]
    assert json.loads(researcher.get(f"{at}report.json").content)["params"]["derive"] == "log_rt = log(rt_ms)"
    assert researcher.get(f"{at}correlation.csv").content.startswith(b"x,y,")
    assert researcher.get(f"{at}scatter.svg").content.startswith(b"<svg")
    assert researcher.get(f"{at}nothing.csv").status_code == 404
    archive = zipfile.ZipFile(io.BytesIO(researcher.get(f"{at}all.zip").content))
    names = archive.namelist()
    assert len(names) == len(set(names))
    assert f"data/table-{table.pk}.csv" in names
    assert f"--data data/table-{table.pk}.csv" in archive.read("rerun.sh").decode()
    page = researcher.get(at).content.decode()
    assert f'src="{at}scatter.svg"' in page
    assert "Derived column: log_rt = log(rt_ms)" in page


def test_derived_columns_are_offered_before_anything_runs(researcher):
    table = uploaded(researcher, TRIALS)
    form = reverse("tables:new", args=[table.pk, "rm-anova"])
    page = researcher.post(form, {"derive": "log_rt = log(rt_ms)", "within": ["marker"], "offer": "1"})
    assert page.status_code == 200
    assert "log_rt" in page.content.decode().partition('name="dv"')[2]
    asked = {"derive": "log_rt = log(rt_m)", "x": ["rt_ms"], "y": ["log_rt"], "how": "spearman", "confidence": "0.95"}
    wrong = researcher.post(reverse("tables:new", args=[table.pk, "correlation"]), asked)
    assert wrong.status_code == 422
    assert "did you mean" in wrong.content.decode()
    assert not TableRun.objects.exists()


def test_what_a_method_cannot_do_with_the_table_is_said_on_the_page(researcher):
    table = uploaded(researcher, TRIALS)
    given = {"x": ["marker"], "y": ["rt_ms"], "how": "spearman", "confidence": "0.95"}
    answer = researcher.post(reverse("tables:new", args=[table.pk, "correlation"]), given)
    run = done(TableRun.objects.get())
    assert run.status == AnalysisRun.Status.FAILED
    page = researcher.get(answer["Location"]).content.decode()
    assert "must hold numbers" in page


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"a,b\n", "and rows below it"),
        (b"a,a\n1,2\n", "More than one column"),
        (b"a,,c\n1,2,3\n", "A column has no name"),
        (b"a,b\n1,2,3\n", "more cells than the first line has names"),
        (b"%PDF-1.7", "The file is not a table"),
        (b"a,b\n1,\x002\n", "The file is not a table"),
        (b"PK\x03\x04 no workbook", ""),
        (b",".join(b"c%d" % n for n in range(400)) + b"\n" + b",".join([b"1"] * 400), "at most 300 can be read"),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_words(researcher, content, said):
    answer = upload(researcher, content)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert said in text
    assert 'class="errorlist"' in text
    assert not UploadedTable.objects.exists()


def test_a_workbook_is_read_too(researcher):
    book, buffer = Workbook(), io.BytesIO()
    book.active.append(["item", "text"])
    book.active.append(["001", "It rained."])
    book.save(buffer)
    assert uploaded(researcher, buffer.getvalue(), "texts.xlsx").content == "item,text\r\n001,It rained.\r\n"


def test_reading_knows_semicolons_and_other_encodings():
    table = any_table("item;größe\nä;1,5\n".encode("cp1252"))
    assert table.content == 'item,größe\r\nä,"1,5"\r\n'
    assert any("Windows-1252" in said for said in table.said)


def test_tables_are_bounded_and_deleted_with_all_that_was_computed(researcher, monkeypatch):
    monkeypatch.setattr(uploaded_tables, "MOST_TABLES", 1)
    table = uploaded(researcher, TEXTS)
    refused = upload(researcher, TEXTS)
    assert refused.status_code == 422
    assert "You have 1 tables" in refused.content.decode()
    run = uploaded_tables.request_table_run(table, method="text-profile", params={"text": "text"})
    claimed = ClaimedTableRun.claim(run.pk)
    page = researcher.get(reverse("tables:delete", args=[table.pk])).content.decode()
    assert "This will be lost permanently" in page
    assert researcher.post(reverse("tables:delete", args=[table.pk])).status_code == 302
    assert not UploadedTable.objects.exists()
    assert not claimed.beat(progress=0.5)
    claimed.conclude({"kind": "done", "report": "{}"})
    assert not TableRun.objects.exists()


def test_a_run_that_lost_its_worker_is_computed_again_and_given_up_in_the_end(researcher):
    table = uploaded(researcher, TEXTS)
    run = uploaded_tables.request_table_run(table, method="text-profile", params={"text": "text"})
    for _ in range(3):
        assert ClaimedTableRun.claim(run.pk)
        assert ClaimedTableRun.claim(run.pk) is None
        ClaimedTableRun.return_lost(whoever_holds_them=True)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.FAILED
    assert "the platform stopped the analysis" in run.error


def test_a_study_is_made_of_a_table(researcher, owner):
    table = uploaded(researcher, "item,text,condition\n1,It rained.,a\n1,It poured.,b\n")
    page = researcher.get(reverse("tables:study", args=[table.pk])).content.decode()
    assert 'value="texts"' in page
    given = {"title": "Rain", "slug": "rain", "paradigm": "rating", "language": "en"}
    made = researcher.post(reverse("tables:study", args=[table.pk]), given).content.decode()
    study = Study.objects.get(slug="rain")
    assert study.owner == owner
    assert reverse("study:check_materials", args=["rain"]) in made
    checked = researcher.post(reverse("study:check_materials", args=["rain"]), {"pasted": table.content})
    assert checked.status_code == 200
    assert "It poured." in checked.content.decode()
    taken = researcher.post(reverse("tables:study", args=[table.pk]), given)
    assert taken.status_code == 422


def test_a_draft_offers_the_analyses_of_its_texts(researcher, owner):
    example = Path(settings.BASE_DIR) / "experiments" / "examples" / "simplified-sentences" / "study.toml"
    study = create_from_toml(example, user=owner, owner=owner)
    page = researcher.get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    assert "There is nothing to analyse yet" not in page
    assert "Analyses of the texts" in page
    for method in ("text-profile", "overlap", "perturb", "ranking"):
        address = reverse("analysis:new", args=[study.slug, method]) + "?table=texts"
        assert address in page
        form = researcher.get(address).content.decode()
        assert "there are no trials to analyse" not in form


def test_a_draft_without_texts_offers_none(researcher, owner):
    study = create_study(user=owner, paradigm="rating", title="Bare", slug="bare", language="en", settings={})
    page = researcher.get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    assert "Nobody has taken part yet" in page
    assert "Analyses of the texts" not in page


def described():
    """Return a table of trials with a column of every kind: within, between people, between items, two covariates."""
    rows = [
        f"S{person},{'old' if person % 2 else 'young'},{20 + person},I{item},{'noun' if item < 3 else 'verb'},"
        f"{3.5 + item / 10},{'first' if (person + item) % 2 else 'last'},{300 + 17 * person + 31 * item % 50}\n"
        for person in range(8)
        for item in range(6)
    ]
    return "Subject,age_group,age,Item,word_class,zipf,order,rt_ms\n" + "".join(rows)


def test_the_columns_of_a_table_are_typed_by_what_varies_in_them(researcher):
    table = uploaded(researcher, described(), "trials.csv")
    assert uploaded_tables.kinds_of_table(table) == {
        "Subject": "unit", "age_group": "between participants", "age": "covariate", "Item": "unit",
        "word_class": "between items", "zipf": "covariate", "order": "within", "rt_ms": "measure",
    }  # fmt: skip
    page = researcher.get(reverse("tables:new", args=[table.pk, "rm-anova"])).text
    assert '<optgroup label="Covariates">' in page
    assert '<option value="rt_ms">rt_ms</option>' in page
    # Nobody has described the table, so that nothing is kept from anybody.
    assert "data-away" not in page


def test_a_formula_for_a_table_is_put_together_from_its_columns_and_runs(researcher):
    table = uploaded(researcher, described(), "trials.csv")
    address = reverse("tables:new", args=[table.pk, "lmm"])
    page = researcher.get(address).text
    assert "data-builder" in page
    assert "analysis/builder.js" in page
    assert 'name="build_slopes_Subject" value="word_class"' in page
    assert 'name="build_slopes_Item" value="word_class"' not in page
    chosen = {
        "build": "1", "build_measure": "rt_ms", "build_log": "on", "build_factors": ["order", "age_group"],
        "build_covariates": ["zipf"], "build_units": ["Subject", "Item"], "build_slopes_Subject": ["order"],
    }  # fmt: skip
    formula = "log(rt_ms) ~ age_group*order + zipf + (1 + order || Subject) + (1 | Item)"
    form = researcher.post(address, chosen).context["form"]
    assert form["formula"].value() == formula
    assert form.builder.is_read
    assert form.builder.built.formula == formula
    given = {"formula": formula, "reml": "on", "uncorrelated": "by-term", "reduce": "none"}
    answer = researcher.post(address, given)
    assert answer.status_code == 302, answer.context["form"].errors
    assert done(TableRun.objects.get()).status == AnalysisRun.Status.DONE


def test_a_table_with_one_row_for_each_person_says_nothing_of_what_varies_within_people(researcher):
    table = uploaded(researcher, "participant,group,score\nP1,a,3\nP2,b,4\nP3,a,5\n")
    assert uploaded_tables.kinds_of_table(table) == {"participant": "unit", "group": "within", "score": "measure"}


def test_tables_that_were_kept_before_have_measures_and_factors_within(researcher):
    table = uploaded(researcher, described(), "trials.csv")
    table.columns = [
        {name: value for name, value in column.items() if name != "one_for_each"} for column in table.columns
    ]
    table.save()
    kinds = uploaded_tables.kinds_of_table(UploadedTable.objects.get())
    assert (kinds["age_group"], kinds["zipf"], kinds["Subject"]) == ("within", "measure", "unit")
    assert researcher.get(reverse("tables:new", args=[table.pk, "lmm"])).status_code == 200
