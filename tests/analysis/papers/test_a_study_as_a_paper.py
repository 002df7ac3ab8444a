"""A study leaves as a manuscript: what was planned first, every number with its report, the same bytes twice."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import zipfile
from datetime import UTC, datetime

import docx
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.papers.collected import NothingToWrite
from analysis.papers.whole import paper_files
from experiments.models import Membership
from participants.models import Session
from tests import needs
from tests.analysis.papers.studies import ANOVA, finished, study_of_a_plan
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = study_of_a_plan()
    finished(study, "rm-anova", ANOVA)
    finished(study, "friedman", {"dv": "rating_z", "within": "order"})
    return study


def section(text: str, heading: str) -> str:
    """Return what stands below a heading of the Markdown, up to the next heading of its level or above."""
    level = len(heading.split()[0])
    begun = text.split(f"\n{heading}\n", 1)[1]
    return re.split(rf"\n#{{1,{level}}} ", begun)[0]


def test_the_command_writes_text_tables_figures_and_bibliography(study, tmp_path):
    call_command("paper", study.slug, out=tmp_path, verbosity=0)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    run = study.analysis_runs.get(method="rm-anova").pk
    assert {"paper.tex", "paper.md", "paper.docx", "references.bib", "tables/flow.csv", "tables/flow.tex"} <= names
    assert {f"tables/rm-anova-{run}-anova.{ending}" for ending in ("csv", "tex")} <= names
    assert {f"figures/rm-anova-{run}-means.{ending}" for ending in ("svg", "pdf")} <= names
    text = "".join((tmp_path / f"{name}.tex").read_text(encoding="ascii") for name in ("paper", "supplement"))
    named = set(re.findall(r"\\(?:input|includegraphics(?:\[[^]]*\])?)\{([^}]+)\}", text))
    assert named
    assert named <= names
    assert study.audit_entries.filter(detail="as a paper, by command").exists()


def test_planned_analyses_come_first_and_exploratory_ones_stand_apart(study):
    text = dict(paper_files(study))["paper.md"].decode()
    planned, exploratory = section(text, "### Planned analyses"), section(text, "### Exploratory analyses")
    assert text.index("### Planned analyses") < text.index("### Exploratory analyses")
    assert "#### By participants" in planned
    assert "main effect of marker" in planned
    assert "“Never run” has no finished report" in planned
    assert "Friedman" not in planned
    assert "Friedman" in exploratory
    assert "exploratory" in exploratory


def test_a_family_of_planned_analyses_has_its_p_adjusted_over_it_once_all_have_reports():
    """Of two tests, Holm's p are twice the smaller one and the larger one, or twice the smaller one if that is larger,
    as p.adjust(p, "holm") of R.
    """
    params = [{"dv": dv, "within": "marker,order"} for dv in ("rating_z", "rating_log")]
    analyses = [
        {"title": title, "method": "rm-anova", "params": of, "family": "questions"}
        for title, of in zip(("One", "Another"), params, strict=True)
    ]
    study = study_of_a_plan(plan={"analyses": analyses})
    finished(study, "rm-anova", params[0])
    text = dict(paper_files(study))["paper.md"].decode()
    assert "1 of the 2 analyses of the family “questions” has no finished report" in text
    finished(study, "rm-anova", params[1])
    files = dict(paper_files(study))
    assert "p of each effect was adjusted over them by Holm’s method" in files["paper.md"].decode()
    assert "holm1979" in files["paper.tex"].decode()
    lines = list(csv.DictReader(io.StringIO(files["tables/family-1.csv"].decode("utf-8-sig"))))
    effects = dict.fromkeys(line["effect"] for line in lines)
    assert len(lines) == 2 * len(effects) == 6
    for effect in effects:
        small, large = sorted((line for line in lines if line["effect"] == effect), key=lambda line: float(line["p"]))
        assert {small["analysis"], large["analysis"]} == {"One", "Another"}
        adjusted = min(1, 2 * float(small["p"]))
        assert float(small["p_holm"]) == pytest.approx(adjusted)
        assert float(large["p_holm"]) == pytest.approx(max(adjusted, float(large["p"])))


def test_people_are_counted_as_in_the_flow_and_described_by_their_answers(study):
    files = dict(paper_files(study))
    people = section(files["paper.md"].decode(), "### Participants")
    assert "13 participants answered at least one trial" in people
    assert "1 (session not finished)" in people
    assert "120 trials of 12 participants, 96 of them on target items" in people
    assert "“Native language?” – English: 8; Another: 4." in people
    assert "range 4.5 to 4.5 (6 answers)" in people
    assert "fine, really" not in files["paper.md"].decode()
    rows = list(csv.DictReader(io.StringIO(files["tables/flow.csv"].decode())))
    assert rows[0] == {"stage": "Started", "reason": "", "people": "13", "trials": "121"}


def test_every_paragraph_table_and_figure_of_a_result_names_its_report(study):
    files = dict(paper_files(study))
    run = study.analysis_runs.get(method="rm-anova")
    source = f"report {run.pk} (rm-anova), data SHA-256 {run.data_hash}, code {run.code_version}"
    assert files["paper.tex"].decode().count(f"% source: {source}") >= 4
    assert files["paper.md"].decode().count(f"<!-- source: {source} -->") >= 4
    with zipfile.ZipFile(io.BytesIO(files["paper.docx"])) as word:
        assert word.read("word/comments.xml").decode().count(source) >= 4
    sources = list(csv.DictReader(io.StringIO(files["tables/sources.csv"].decode())))
    assert (sources[0]["data_sha256"], sources[0]["code"]) == (run.data_hash, run.code_version)


def test_only_works_that_a_report_rests_on_are_cited(study):
    files = dict(paper_files(study))
    entries = set(re.findall(r"^@\w+\{(\w+),", files["references.bib"].decode(), re.MULTILINE))
    assert {"greenhouse1959", "friedman1937", "bard1996"} <= entries
    assert not entries & {"bates2015", "davidson1970", "just1982", "firth1993"}
    cited = re.findall(r"\\citep\{([^}]+)\}", (files["paper.tex"] + files["supplement.tex"]).decode())
    assert {key for keys in cited for key in keys.split(",")} == entries


def test_the_same_study_is_the_same_bytes(study):
    assert paper_files(study) == paper_files(study)


def test_a_report_on_earlier_data_is_left_out_and_said_to_be(study):
    add_participants(study, 1, first=20)
    finished(study, "rm-anova", ANOVA)
    files = dict(paper_files(study))
    assert "Friedman" not in section(files["paper.md"].decode(), "## Results")
    notes = section(files["supplement.md"].decode(), "## For the authors, not for print")
    assert re.search(r"\(friedman\): The data have changed since", notes)


def test_of_one_analysis_run_twice_the_newer_report_is_told(study):
    first = study.analysis_runs.get(method="rm-anova")
    second = study.analysis_runs.get(pk=first.pk)
    second.pk = None
    second.save()
    files = dict(paper_files(study))
    text = files["paper.md"].decode()
    assert text.count("#### By participants") == 1
    assert f"source: report {second.pk} (rm-anova)" in text
    assert f"Report {first.pk} (rm-anova): a newer report" in files["supplement.md"].decode()


def test_simulated_data_are_called_simulated_and_confirm_nothing(django_user_model):
    owner = django_user_model.objects.create_user("bo", is_staff=True)
    study = make_study("invented", owner=owner, plan={"analyses": [{"method": "rm-anova", "params": ANOVA}]})
    add_participants(study, 8, simulated=True)
    finished(study, "rm-anova", ANOVA)
    text = dict(paper_files(study))["paper.md"].decode()
    assert "All participants are simulated" in text
    assert "no findings about people" in section(text, "### Analyses of simulated data")
    assert "main effect of marker" in section(text, "### Analyses of simulated data")
    assert "### Planned analyses" not in text


def test_a_dry_run_does_not_say_that_results_are_missing(django_user_model):
    owner = django_user_model.objects.create_user("bo", is_staff=True)
    analyses = [
        {"title": "Never run", "method": "tukey", "params": {"dv": "rating_z", "within": "marker"}},
        {"title": "By participants", "method": "rm-anova", "params": ANOVA},
    ]
    opened = datetime(2026, 2, 1, tzinfo=UTC)
    study = make_study("invented", owner=owner, plan={"analyses": analyses}, opened_at=opened)
    add_participants(study, 8, simulated=True)
    finished(study, "rm-anova", ANOVA)
    text = dict(paper_files(study))["paper.md"].decode()
    assert "missing" not in text
    assert "“Never run” was not computed in this dry run" in text
    told = section(text, "### Analyses of simulated data")
    assert "#### By participants" in told
    assert "**Table 1. Analysis of variance" in told


def test_without_a_finished_analysis_the_command_says_what_is_missing_and_ends_with_2(tmp_path):
    study = make_study("empty")
    with pytest.raises(CommandError, match="No analysis of “empty” is finished") as refused:
        call_command("paper", study.slug, out=tmp_path / "paper")
    assert refused.value.returncode == 2
    assert not (tmp_path / "paper").exists()
    with pytest.raises(CommandError, match="There is no study 'none'"):
        call_command("paper", "none", out=tmp_path)


def test_reports_on_data_that_have_all_changed_are_no_paper(study):
    Session.objects.filter(study=study).update(is_excluded=True, exclusion_reason="asked")
    with pytest.raises(NothingToWrite, match="Run the analyses again"):
        paper_files(study)


def test_the_page_gives_the_same_files_as_an_archive(study, client):
    client.force_login(study.owner)
    address = reverse("analysis:export_paper", args=[study.slug])
    assert address in client.get(reverse("analysis:export", args=[study.slug])).content.decode()
    answer = client.get(address)
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert [(name, archive.read(name)) for name in archive.namelist()] == paper_files(study)
    assert study.audit_entries.filter(detail="as a paper", user=study.owner).count() == 1


def test_the_page_says_what_is_missing_where_nothing_is_finished(client, django_user_model):
    owner = django_user_model.objects.create_user("cy", is_staff=True)
    study = make_study("empty", owner=owner)
    client.force_login(owner)
    page = client.get(reverse("analysis:export_paper", args=[study.slug]), follow=True).content.decode()
    assert "No analysis of “empty” is finished" in page


def test_word_opens_it_and_every_picture_is_described(study):
    document = docx.Document(io.BytesIO(dict(paper_files(study))["paper.docx"]))
    headings = [paragraph.text for paragraph in document.paragraphs if paragraph.style.name.startswith("Heading")]
    assert headings[:2] == ["Method", "Participants"]
    assert len(document.inline_shapes) == 1
    assert all(shape._inline.docPr.get("descr") for shape in document.inline_shapes)
    for table in document.tables:
        # Word refuses tables whose properties come in another order.
        names = [child.tag.rpartition("}")[2] for child in table._tbl.tblPr]
        order = ["tblStyle", "tblW", "jc", "tblBorders", "tblLayout", "tblCellMar", "tblLook"]
        assert names == [name for name in order if name in names]


@needs.latex
def test_it_compiles(study, tmp_path):
    call_command("paper", study.slug, out=tmp_path, verbosity=0)
    for name in ("paper", "supplement"):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout[-2_000:]
        assert "pdfTeX warning" not in ended.stdout


def test_whoever_may_look_may_take_it_along_and_nobody_else(study, client, django_user_model):
    address = reverse("analysis:export_paper", args=[study.slug])
    assert client.get(address).status_code == 302
    viewer = django_user_model.objects.create_user("vi", is_staff=True)
    client.force_login(viewer)
    assert client.get(address).status_code in {302, 403, 404}
    Membership.objects.create(study=study, user=viewer, role="viewer")
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"


def test_a_report_that_one_may_not_read_is_not_told(study):
    def refusal(run):
        return "It compares with a study that you may not see." if run.method == "friedman" else ""

    files = dict(paper_files(study, refusal=refusal))
    text = (files["paper.md"] + files["supplement.md"]).decode()
    assert "A report is left out: It compares with a study that you may not see." in text
    assert "friedman" not in text.casefold()


def test_analyses_of_one_method_share_a_table_and_say_how_they_were_computed_once(study):
    by_item = {**ANOVA, "unit": "item"}
    study.plan = {
        **study.plan,
        "analyses": [*study.plan["analyses"][:1], {"title": "By items", "method": "rm-anova", "params": by_item}],
    }
    study.save()
    finished(study, "rm-anova", by_item)
    files = dict(paper_files(study))
    text = files["paper.md"].decode()
    planned = section(text, "### Planned analyses")
    assert planned.count("Analysis of variance of") == 1
    assert re.search(r"\| By participants \| .*\n(\|.*\n){2}\| By items \|", planned)
    assert planned.count("![") == 1
    methods = section(text, "### Statistical analysis")
    assert methods.count("sums of squares of type III, sum coding") == 2
    assert methods.count("their intervals and that of") + methods.count("Their intervals and that of") == 1


def test_what_the_main_part_leaves_out_is_in_the_supplement(study):
    files = dict(paper_files(study))
    main, further = files["paper.md"].decode(), files["supplement.md"].decode()
    assert "**Table S1. People and trials at every stage**" in further
    assert "Settings of the paradigm" in further
    assert "Table S" not in main
    assert "Settings of the paradigm" not in main
    assert "Friedman's test of" not in main
    assert "Friedman's test of" in section(further, "## Further results")


def test_prose_has_no_names_of_methods_and_columns(study):
    for name in ("paper.md", "supplement.md"):
        text = re.sub(r"<!-- .*? -->", "", dict(paper_files(study))[name].decode())
        text = text.split("## Sources of the numbers")[0]
        assert not re.search(r"rating\\?_z|rm-anova \||\(rm-anova\)", text), name


def test_no_table_or_file_of_it_lists_single_participants(study):
    finished(study, "normalise", {"dv": "rating", "compare": "marker"})
    files = paper_files(study)
    assert any("normalise" in path for path, _content in files)
    assert not [path for path, content in files if path.endswith((".csv", ".tex", ".md")) and b"P0001" in content]
