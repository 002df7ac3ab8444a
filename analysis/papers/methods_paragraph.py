"""Write how a report was computed as a methods paragraph: plain text, Markdown, LaTeX, Word, with BibTeX entries."""

from __future__ import annotations

from collections.abc import Callable

from analysis.methods.registry import method_named
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from analysis.papers.blocks import Paper, Paragraph
from analysis.papers.latex import sentence as latex_sentence
from analysis.papers.markdown import sentence as markdown_sentence
from analysis.papers.methods_words import methods_words
from analysis.papers.references import WORKS, bibtex, printed, works_of
from analysis.papers.word import paper_docx
from analysis.reports.symbols import pieces, plain_text
from analysis.studies.planned import Standing, is_outside
from experiments.rules.exclusion_rules import described
from experiments.rules.plan import complete_plan

LIBRARIES = (("numpy", "NumPy", "harris2020"), ("scipy", "SciPy", "virtanen2020"))


def methods_paragraph(run: AnalysisRun, report: Report, *, standing: Standing) -> Paragraph:
    """Return the whole paragraph: how, by which plan, what was left out by it, with which software."""
    libraries = [(f"{label} {report.versions[name]}", key) for name, label, key in LIBRARIES if name in report.versions]
    version = run.code_version.partition("+")[0]
    python = f"Python {report.versions['python']}" if "python" in report.versions else ""
    with_these = ", ".join(filter(None, (python, *(name for name, _key in libraries))))
    software = f"Computed with Lectern {version}".rstrip() + (f" ({with_these})." if with_these else ".")
    words = [methods_words(report, is_planned=standing == "planned"), *_of_plan(run, standing), software]
    cites = (*works_of(report), *(key for _name, key in libraries))
    return Paragraph(" ".join(filter(None, words)), cites=tuple(sorted(set(cites))))


def _of_plan(run: AnalysisRun, standing: Standing) -> list[str]:
    plan = complete_plan(run.study.plan)
    opened = run.study.opened_at
    said = []
    if standing == "planned" and opened is not None:
        said.append(f"The analysis was planned as it stands before the study opened on {opened:%Y-%m-%d}.")
    elif standing == "exploratory" and is_outside(run):
        said.append("The analysis is that of the sequential plan, run by hand outside of it, and is exploratory.")
    elif standing == "exploratory":
        said.append("The analysis was not in the plan of the study and is exploratory.")
    elif standing == "simulated":
        said.append("The data are simulated.")
    if rules := [described(rule) for rule in plan["exclusion_rules"]]:
        said.append(f"Left out by rules of the plan: {'; '.join(rules)}.")
    return said


def as_text(run: AnalysisRun, paragraph: Paragraph) -> bytes:
    """Return the paragraph as plain text with its references below."""
    return "\n".join((plain_text(pieces(_cited(paragraph))), "", *map(printed, paragraph.cites), "")).encode("utf-8")


def as_markdown(run: AnalysisRun, paragraph: Paragraph) -> bytes:
    """Return the paragraph as Markdown with its references below."""
    listed = [f"- {markdown_sentence(printed(key))}" for key in paragraph.cites]
    return "\n".join((markdown_sentence(_cited(paragraph)), "", *listed, "")).encode("utf-8")


def as_latex(run: AnalysisRun, paragraph: Paragraph) -> bytes:
    r"""Return the paragraph as LaTeX in ASCII; it needs natbib and the entries of `as_bibtex`, and \unicodechar where
    a letter is none of LaTeX's.
    """
    cites = f" \\citep{{{','.join(paragraph.cites)}}}" if paragraph.cites else ""
    fallback = "\\providecommand{\\unicodechar}[1]{[U+#1]}%\n"
    made = latex_sentence(paragraph.text)
    return f"{fallback if 'unicodechar' in made else ''}{made}{cites}\n".encode("ascii")


def as_word(run: AnalysisRun, paragraph: Paragraph) -> bytes:
    """Return the paragraph as a Word file with its references."""
    return paper_docx(Paper(title=method_named(run.method).label, authors="", blocks=(paragraph,)))


def as_bibtex(run: AnalysisRun, paragraph: Paragraph) -> bytes:
    """Return the works that the paragraph cites."""
    return bibtex(list(paragraph.cites)).encode("ascii")


def _cited(paragraph: Paragraph) -> str:
    cites = "; ".join(WORKS[key].short for key in paragraph.cites)
    return f"{paragraph.text} ({cites})" if cites else paragraph.text


FORMATS: dict[str, tuple[Callable[[AnalysisRun, Paragraph], bytes], str]] = {
    "methods.txt": (as_text, "text/plain; charset=utf-8"),
    "methods.md": (as_markdown, "text/markdown; charset=utf-8"),
    "methods.tex": (as_latex, "application/x-tex"),
    "methods.docx": (as_word, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "methods.bib": (as_bibtex, "application/x-bibtex"),
}
