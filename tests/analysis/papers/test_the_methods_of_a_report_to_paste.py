"""How a report was computed leaves as text, Markdown, LaTeX and Word, with what it cites, and without iterations."""

from __future__ import annotations

import io
import subprocess
import zipfile

import pytest
from django.urls import reverse

from analysis.exports.reports import report_from
from analysis.methods.report import Column, Report, Table
from analysis.papers.latex import PREAMBLE
from analysis.papers.methods_paragraph import FORMATS, methods_paragraph
from analysis.papers.methods_words import methods_words, of_all
from analysis.papers.whole import paper_files
from analysis.studies.planned import standing_of
from tests import needs
from tests.analysis.papers.studies import ANOVA, finished, study_of_a_plan

pytestmark = pytest.mark.django_db
FITTED = {"converged": True, "singular": False}
MIXED = {"formula": "rating_z ~ order + (1 | participant) + (1 | item)"}


@pytest.fixture
def run():
    return finished(study_of_a_plan(), "lmm", MIXED)


def written(run, name: str) -> bytes:
    return FORMATS[name][0](run, methods_paragraph(run, report_from(run.report), standing=standing_of(run)))


def test_it_says_how_with_what_and_by_which_plan(run):
    text = written(run, "methods.txt").decode()
    for part in (
        "restricted maximum likelihood",
        "contrasts",
        "Random effects: (1 | participant); (1 | item)",
        "Satterthwaite's degrees of freedom",
        "not in the plan of the study and is exploratory",
        "Left out by rules of the plan:",
        "200",
        "Computed with Lectern ",
        "NumPy ",
        "Bates et al., 2015",
        "Fitting linear mixed-effects models using lme4",
    ):
        assert part in text, part
    assert "evaluations" not in text
    assert "evaluations" in run.report


def test_random_effects_that_were_chosen_are_those_of_the_reported_model_and_cited():
    slopes = {"formula": "rating_z ~ order + (1 + order | participant) + (1 + order | item)", "reduce": "parsimonious"}
    run = finished(study_of_a_plan(), "lmm", slopes)
    text = written(run, "methods.txt").decode()
    reported = report_from(run.report).table("steps").lines()[-1]["random"]
    asked = "(1 + order | participant) + (1 + order | item)"
    assert f"Random effects of the reported model: {reported}, chosen from {asked}." in text
    assert "neither added" not in text
    assert "Matuschek et al., 2017" in text
    entries = written(run, "methods.bib").decode("ascii")
    assert "Parsimonious mixed models" in entries
    assert "Balancing {Type I} error and power in linear mixed models" in entries


@pytest.mark.parametrize(
    ("random", "said"),
    [
        ("(1 + cond + scale(x) | p) + (1 | i)", "(1 + cond + scale(x) | p); (1 | i)"),
        ("(1 + scale(x) | p)", "(1 + scale(x) | p)"),
        ("(1 + `a (b|c)` || p)", "(1 + `a (b|c)` || p)"),
    ],
)
def test_functions_and_names_with_brackets_are_part_of_a_random_term(random, said):
    fit = Table.from_rows("fit", "Fit", (Column("converged", ""), Column("singular", "")), [FITTED])
    report = Report(method="lmm", params={"formula": f"log(z) ~ I(x^2) + {random}"}, tables=(fit,))
    assert f"Random effects: {said}; the data neither added nor took out any." in methods_words(report)


SAID_TO_USERS = (
    "The column 'rating_z' that the data had already was replaced.",
    "ML estimates of variances are too small in small samples; report tests from reml=true.",
    "AIC and BIC count the fixed effects; BIC has n = number of rows.",
    "The table of assumptions shows Levene's test.",
    "set aois to say how many there are.",
)


def test_nothing_is_said_to_the_person_who_uses_the_program():
    note = "Sums of squares of type III; the table shows every version."
    words = methods_words(Report(notes=(*SAID_TO_USERS, note, "Tests are two-sided.")))
    assert words == "ML estimates of variances are too small in small samples. Sums of squares of type III. " + (
        "Tests are two-sided."
    )


def test_a_planned_singular_model_is_reported_as_planned():
    fit = Table.from_rows(
        "fit", "Fit", (Column("converged", ""), Column("singular", "")), [FITTED | {"singular": True}]
    )
    report = Report(method="lmm", params={"formula": "z ~ order + (1 + order | p)"}, tables=(fit,))
    assert methods_words(report, is_planned=True) == (
        "Random effects as planned: (1 + order | p); the data neither added nor took out any. The fit converged and is "
        "singular: not all random effects have variance; the model is reported as planned."
    )
    assert "as planned" not in methods_words(report)


def test_what_several_analyses_share_is_said_once():
    shared = "Intervals are 95 % Wald intervals."
    reports = {
        "H1": Report(notes=("A mixed model of z.", shared)),
        "H2": Report(notes=("A mixed model of rt.", shared, "Logarithms were taken.")),
        "H3": Report(notes=(shared, "Logarithms were taken.")),
    }
    assert of_all(reports, is_planned=True) == (
        "H1: A mixed model of z. H2: A mixed model of rt. H2 and H3: Logarithms were taken. "
        "Intervals are 95 % Wald intervals."
    )


def test_a_planned_analysis_says_so():
    planned = finished(study_of_a_plan(), "rm-anova", ANOVA)
    assert "planned as it stands before the study opened on 2026-02-01" in written(planned, "methods.md").decode()


def test_every_citation_has_its_entry(run):
    paragraph = methods_paragraph(run, report_from(run.report), standing=standing_of(run))
    entries = written(run, "methods.bib").decode()
    assert {"bates2015", "kuznetsova2017", "harris2020", "virtanen2020"} <= set(paragraph.cites)
    assert entries.count("@") == len(paragraph.cites)
    assert f"\\citep{{{','.join(paragraph.cites)}}}" in written(run, "methods.tex").decode("ascii")


def test_word_can_open_it(run):
    import docx

    text = "\n".join(part.text for part in docx.Document(io.BytesIO(written(run, "methods.docx"))).paragraphs)
    assert "Satterthwaite" in text
    assert "Journal of Statistical Software" in text
    assert written(run, "methods.docx") == written(run, "methods.docx")


@needs.latex
def test_latex_sets_it(run, tmp_path):
    body = written(run, "methods.tex").decode("ascii")
    closing = "\\bibliographystyle{plainnat}\n\\bibliography{methods}\n\\end{document}\n"
    (tmp_path / "try.tex").write_text(f"{PREAMBLE}\\begin{{document}}\n{body}\n{closing}", encoding="ascii")
    (tmp_path / "methods.bib").write_bytes(written(run, "methods.bib"))
    for command in (["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "try"], ["bibtex", "try"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "try.pdf").stat().st_size > 10_000


def test_the_page_shows_it_to_copy_and_every_format_is_downloaded(client, run):
    client.force_login(run.study.owner)
    page = client.get(reverse("analysis:run", args=[run.study.slug, run.pk])).content.decode()
    assert "Computed with Lectern" in page
    for name in FORMATS:
        assert f"/{name}" in page
        answer = client.get(reverse("analysis:run_file", args=[run.study.slug, run.pk, name]))
        assert answer.status_code == 200
        assert "attachment" in answer.headers["Content-Disposition"]
        assert answer.content == written(run, name)


def test_the_paper_says_it_without_iterations(run):
    files = dict(paper_files(run.study))
    text = files["paper.md"].decode()
    assert "Random effects:" in text
    assert "evaluations" not in text
    assert zipfile.is_zipfile(io.BytesIO(files["paper.docx"]))
