"""Write the section Participants of a manuscript: numbers at every stage, and demographics."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from analysis.codebook.columns import names
from analysis.codebook.people import FLOW_COLUMNS, answer_columns, participant_columns
from analysis.exports.cells import Cells, csv_pieces
from analysis.exports.rows.flow import kinds_of
from analysis.exports.rows.people import participant_rows
from analysis.exports.rows.stages import PLANNED, Stage, flow_of, flow_rows
from analysis.methods.report import Column, Table
from analysis.methods.rows.people import people_took_part
from analysis.methods.wording import counted, listed, number_text
from analysis.papers.blocks import Block, Heading, Paragraph, Tabular
from experiments.models import Study
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.variables import Variable

FLOW = (
    Column("stage", "Stage", "text"),
    Column("reason", "Left out because", "text"),
    Column("people", "People", "integer"),
    Column("trials", "Trials", "integer"),
)


@dataclass(frozen=True)
class People:
    """Who took part in a study: the stages from started to analysed, and the pseudonyms of those who are analysed.

    `took_part` says whether anybody in the data is a person and not simulated.
    """

    stages: list[Stage]
    kept: frozenset[str]
    took_part: bool
    simulated: int
    source: str

    @property
    def is_simulated(self) -> bool:
        """Whether there are data, and all of them are simulated."""
        return self.simulated > 0 and not self.took_part


def people_of(study: Study) -> People:
    """Return who took part in a study, from the rows that are exported."""
    kinds = kinds_of(study)
    stages = flow_of(kinds)
    took_part = people_took_part((kind.is_simulated, kind.reason if kind.is_excluded else "") for kind in kinds)
    return People(
        stages=stages,
        kept=frozenset(
            kind.participant for kind in kinds if not kind.is_excluded and not (took_part and kind.is_simulated)
        ),
        took_part=took_part,
        simulated=len({kind.participant for kind in kinds if kind.is_simulated}),
        source=f"flow.csv, SHA-256 {_digest(FLOW_COLUMNS, flow_rows(stages))}, study version {study.version}",
    )


def people_blocks(study: Study, people: People) -> Iterator[Block]:
    """Yield the section on participants."""
    stages, source = people.stages, people.source
    yield Heading(2, "Participants")
    if not stages[0].people:
        yield Paragraph("Nobody has answered a trial yet.", source=source)
        return
    if people.is_simulated:
        yield Paragraph(
            "All participants are simulated: nothing in this text is a finding about people.", source=source
        )
    yield Paragraph(flow_words(stages), source=source)
    rows = tuple(flow_rows(stages))
    yield Tabular(
        path="tables/flow",
        title="People and trials at every stage",
        heads=tuple(column.label for column in FLOW),
        rows=tuple((stage, reason, f"{persons:,}", f"{trials:,}") for stage, reason, persons, trials in rows),
        is_number=(False, False, True, True),
        note="Trials are the answered ones of the main phase. A line with a reason is what was left out on the way to "
        "the stage; a line without one is what remained.",
        source=source,
        full=Table("flow", "People and trials at every stage", FLOW, rows),
    )
    yield from background_blocks(study, people.kept)


def flow_words(stages: list[Stage]) -> str:
    """Say how many people and trials there were, and what was left out and why."""
    started, finished, people, trials, targets = stages
    said = [
        f"{counted(started.people, 'participant')} answered at least one trial of the main phase, "
        f"{counted(started.trials, 'trial')} in all."
    ]
    said.append(f"{counted(finished.people, 'participant')} finished.")
    for stage, whose in ((finished, "started"), (people, "finished")):
        gone = [f"{left.people:,} ({_reason(left.reason)})" for left in stage.left_out]
        if gone:
            said.append(f"Of those who {whose}, left out with all their trials: {listed(gone, shown=20)}.")
    gone = [f"{left.trials:,} ({_reason(left.reason)})" for left in trials.left_out]
    if gone:
        said.append(f"Single trials left out: {listed(gone, shown=20)}.")
    else:
        said.append("No single trial of an analysed participant was left out.")
    said.append(
        f"The analyses could use {counted(trials.trials, 'trial')} of {counted(trials.people, 'participant')}, "
        f"{targets.trials:,} of them on target items."
    )
    return " ".join(said)


def _reason(reason: str) -> str:
    return f"a rule of the plan: {reason.removeprefix(PLANNED)}" if reason.startswith(PLANNED) else reason


def background_blocks(study: Study, kept: Collection[str]) -> Iterator[Paragraph]:
    """Yield what the people who are analysed said of themselves, where they were asked."""
    variables = all_variables(study.shown_questions)
    if not variables or not kept:
        return
    rows = list(participant_rows(study))
    columns = participant_columns(study)
    at = names(columns).index("participant")
    source = f"participants.csv, SHA-256 {_digest(columns, rows)}, study version {study.version}"
    places = [names(columns).index(column.name) for column in answer_columns(study)]
    answers = [[row[place] for place in places] for row in rows if str(row[at]) in kept]
    said = [
        sentence
        for place, variable in enumerate(variables)
        if (
            sentence := background_words(
                _as_question(variable),
                ["" if cells[place] is None else str(cells[place]) for cells in answers],
            )
        )
    ]
    if said:
        whose = f"What the {counted(len(kept), 'analysed participant')} said of themselves."
        yield Paragraph(" ".join([whose, *said]), source=source)


def _as_question(variable: Variable) -> dict[str, Any]:
    """Return a variable as `background_words` tells it; what is in people's own words, or whole rows, is not told."""
    kind = {"choice": "choice", "truth": "choice", "number": "number"}.get(variable.type, "text")
    return {"label": variable.label, "kind": kind, "choices": list(variable.values)}


def background_words(question: dict[str, Any], answers: list[str]) -> str:
    """Say what people answered to a background question; nothing of answers in their own words.

    >>> background_words({"label": "Age?", "kind": "number"}, ["20", "30", ""])
    '“Age?” – M = 25.00, SD = 7.07, range 20 to 30 (2 answers).'
    >>> background_words({"label": "Hand", "kind": "choice", "choices": ["left", "right"]}, ["right", "right", ""])
    '“Hand” – right: 2; no answer: 1.'
    """
    label = f"“{' '.join(str(question['label']).split())}” –"
    given = [answer for answer in answers if answer]
    if question["kind"] == "text":
        return ""
    if not given:
        return f"{label} nobody answered."
    if question["kind"] == "number":
        numbers = [float(answer) for answer in given]
        spread = f", SD = {number_text(stdev(numbers))}" if len(numbers) > 1 else ""
        return (
            f"{label} M = {number_text(mean(numbers))}{spread}, range {min(numbers):g} to {max(numbers):g} "
            f"({counted(len(numbers), 'answer')})."
        )
    counts = Counter(given)
    order = [*dict.fromkeys([*map(str, question.get("choices", [])), *sorted(counts)])]
    told = [f"{choice}: {counts[choice]}" for choice in order if counts[choice]]
    if missing := len(answers) - len(given):
        told.append(f"no answer: {missing}")
    return f"{label} {'; '.join(told)}."


def _digest(columns: Any, rows: Iterable[Cells]) -> str:
    return hashlib.sha256(b"".join(csv_pieces(columns, rows))).hexdigest()
