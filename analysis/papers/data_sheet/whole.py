"""Assemble the whole data sheet and write its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.papers.blocks import Block, Heading, Paper, Paragraph
from analysis.papers.collected import Collected
from analysis.papers.data_sheet.answers import Answer, Answers, Standing
from analysis.papers.data_sheet.conduct import conduct_answers
from analysis.papers.data_sheet.criteria import criteria_of, criterion_answers
from analysis.papers.data_sheet.ethics import ethics_answers
from analysis.papers.data_sheet.evaluators import evaluator_answers
from analysis.papers.data_sheet.facts import facts_of
from analysis.papers.data_sheet.questions import CITED, OF_CRITERION, QUESTIONS, SECTIONS, section_of
from analysis.papers.data_sheet.texts import text_answers
from analysis.papers.latex import paper_tex
from analysis.papers.markdown import paper_md
from analysis.papers.people import People
from analysis.papers.word import paper_docx
from experiments.models import Study

TO_WRITE, MAY_ADD = "TO BE FILLED IN BY THE AUTHORS", "The authors may add"
NAME = "data-sheet"


@dataclass(frozen=True)
class DataSheet:
    """The answers: those about the study, and those about every criterion under its title, in order."""

    title: str
    authors: str
    is_simulated: bool
    study: Answers
    criteria: Sequence[tuple[str, Answers]]

    def standing(self, number: str) -> Standing:
        """Return how far a question is answered; one about criteria as far as for the least known of them.

        Raises KeyError where there is no such question.
        """
        if number in self.study:
            return self.study[number].standing
        found = {answers[number].standing for _title, answers in self.criteria}
        least = (Standing.OPEN, Standing.PART, Standing.KNOWN)
        return next(standing for standing in least if standing in found)

    def numbers(self, standing: Standing) -> list[str]:
        """Return the numbers of the questions that are answered so far, in their order."""
        return [number for number in QUESTIONS if self.standing(number) == standing]


def data_sheet(study: Study, found: Collected, people: People) -> DataSheet | None:
    """Return the sheet of a study; None where nothing is rated or compared in it."""
    facts = facts_of(study, found, people)
    if not facts.tasks:
        return None
    return DataSheet(
        title=study.title,
        authors=study.responsible or "Authors to be named",
        is_simulated=people.is_simulated,
        study={**text_answers(facts), **evaluator_answers(facts), **conduct_answers(facts), **ethics_answers(facts)},
        criteria=[(one.title, criterion_answers(facts, one)) for one in criteria_of(facts)],
    )


def data_sheet_files(sheet: DataSheet | None) -> list[tuple[str, bytes]]:
    """Return path and content of the sheet as Markdown, Word and LaTeX; nothing where there is none."""
    if sheet is None:
        return []
    paper = Paper(f"Human evaluation data sheet: {sheet.title}", sheet.authors, tuple(_blocks(sheet)))
    return [
        (f"{NAME}.md", paper_md(paper).encode("utf-8")),
        (f"{NAME}.docx", paper_docx(paper)),
        (f"{NAME}.tex", paper_tex(paper).encode("ascii")),
    ]


def _blocks(sheet: DataSheet) -> Iterator[Block]:
    yield from _head(sheet)
    for section, title in SECTIONS.items():
        if section in OF_CRITERION:
            # All sections of a criterion stand together.
            if section == OF_CRITERION[0]:
                for n, (name, answers) in enumerate(sheet.criteria, start=1):
                    yield Heading(1, f"4 Quality criterion {n} of {len(sheet.criteria)}: {name}")
                    for own in OF_CRITERION:
                        yield from _section(own, SECTIONS[own], answers, level=2)
            continue
        yield from _section(section, title, sheet.study, level=1)


def _head(sheet: DataSheet) -> Iterator[Block]:
    numbers = {standing: sheet.numbers(standing) for standing in Standing}
    counts = ", ".join(f"{len(numbers[standing])} {standing}" for standing in Standing)
    yield Paragraph(f"After {CITED}. The questions are in other words; their numbers are those of the original.")
    if sheet.is_simulated:
        yield Paragraph("All participants are simulated: nothing in this sheet is a finding about people.")
    yield Paragraph(
        f"Of the {len(QUESTIONS)} questions {counts}, as far as the platform knows the study. An answer rests on what "
        "is stored; authors who know better correct it. What is not answered in full says what to fill in."
    )
    for standing in (Standing.PART, Standing.OPEN):
        if numbers[standing]:
            yield Paragraph(f"{standing.capitalize()}: {', '.join(numbers[standing])}.")


def _section(section: str, title: str, answers: Answers, *, level: int) -> Iterator[Block]:
    yield Heading(level, title)
    for number, asked in QUESTIONS.items():
        if section_of(number) == section:
            yield Heading(level + 1, f"{number} {asked.question}")
            yield from _answered(answers[number], asked.to_write)


def _answered(answer: Answer, to_write: str) -> Iterator[Block]:
    if answer.text:
        yield Paragraph(answer.text, source=answer.source)
    if answer.standing != Standing.KNOWN:
        yield Paragraph(f"{TO_WRITE}: {answer.add or to_write}.")
    elif answer.add:
        yield Paragraph(f"{MAY_ADD}: {answer.add}.")
