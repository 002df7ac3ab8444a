"""The participants of a manuscript: how many there were at every stage, and what they said of themselves."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import mean, stdev
from typing import Any

from analysis.codebook.columns import names
from analysis.codebook.people import FLOW_COLUMNS, participant_columns
from analysis.codebook.trials import trial_columns
from analysis.exports.cells import Cells, csv_pieces
from analysis.exports.people import participant_rows
from analysis.exports.stages import Kind, Stage, flow_of, flow_rows
from analysis.exports.trials import trial_rows
from analysis.methods.report import Column, Table
from analysis.methods.rows.people import people_took_part
from analysis.methods.wording import counted, listed, number_text
from analysis.papers.blocks import Block, Heading, Paragraph, Tabular
from experiments.models import Study

FLOW = (
    Column("stage", "Stage", "text"),
    Column("reason", "Left out because", "text"),
    Column("people", "People", "integer"),
    Column("trials", "Trials", "integer"),
)
PLANNED_RULE = "planned rule: "


def people_blocks(study: Study) -> Iterator[Block]:
    """Yield the section on participants."""
    kinds = list(_kinds(study))
    yield Heading(2, "Participants")
    stages = flow_of(kinds)
    source = f"flow.csv, SHA-256 {_digest(FLOW_COLUMNS, flow_rows(stages))}, study version {study.version}"
    if not kinds:
        yield Paragraph("Nobody has answered a trial yet.", source=source)
        return
    took_part = people_took_part((kind.is_simulated, kind.reason if kind.is_excluded else "") for kind in kinds)
    if not took_part and any(kind.is_simulated for kind in kinds):
        yield Paragraph(
            "All participants are simulated: nothing in this text is a finding about people.", source=source
        )
    yield Paragraph(flow_words(stages), source=source)
    rows = tuple((stage, reason, people, trials) for stage, reason, people, trials in flow_rows(stages))
    yield Tabular(
        path="tables/flow",
        title="People and trials at every stage",
        heads=tuple(column.label for column in FLOW),
        rows=tuple((stage, reason, f"{people:,}", f"{trials:,}") for stage, reason, people, trials in rows),
        is_number=(False, False, True, True),
        note="Trials are the answered ones of the main phase. A line with a reason is what was left out on the way to "
        "the stage; a line without one is what remained.",
        source=source,
        full=Table("flow", "People and trials at every stage", FLOW, rows),
    )
    kept = {kind.participant for kind in kinds if not kind.is_excluded and not (took_part and kind.is_simulated)}
    yield from _background(study, kept)


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
    if reason.startswith(PLANNED_RULE):
        return f"a rule of the plan: {reason.removeprefix(PLANNED_RULE)}"
    return reason


def _kinds(study: Study) -> Iterator[Kind]:
    at = {name: place for place, name in enumerate(names(trial_columns(study).all))}
    for row in trial_rows(study):
        if row[at["phase"]] == "main" and row[at["answered"]] == "true":
            yield Kind(
                participant=str(row[at["participant"]]),
                is_filler=row[at["is_filler"]] == "true",
                is_simulated=row[at["simulated"]] == "true",
                is_excluded=row[at["excluded"]] == "true",
                reason=str(row[at["exclusion_reason"]] or ""),
            )


def _background(study: Study, kept: set[str]) -> Iterator[Block]:
    questions = list(study.questions)
    if not questions or not kept:
        return
    rows = list(participant_rows(study))
    columns = participant_columns(study)
    at = names(columns).index("participant")
    source = f"participants.csv, SHA-256 {_digest(columns, rows)}, study version {study.version}"
    answers = [row[-len(questions) :] for row in rows if str(row[at]) in kept]
    said = [
        sentence
        for place, question in enumerate(questions)
        if (
            sentence := background_words(
                question, ["" if cells[place] is None else str(cells[place]) for cells in answers]
            )
        )
    ]
    if said:
        whose = f"What the {counted(len(kept), 'analysed participant')} said of themselves."
        yield Paragraph(" ".join([whose, *said]), source=source)


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
