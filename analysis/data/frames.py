"""Convert stored rows to data frames; the only place that does.

A frame holds what the exported file holds, cell by cell as text, so that an analysis on a table of the study is the
same as one on its `<table>.csv`.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
from django.db.models import Count, Max, Sum

from analysis.codebook.words import word_score_facts
from analysis.coding.recalls import of_task
from analysis.data.tables import table_pieces
from analysis.exports.of_task import through_task
from analysis.exports.stored import snapshot
from analysis.methods.report import BadInput
from analysis.models import Adjudication, AnalysisRun, Coding, CodingQueue, SequentialLook
from analysis.scores.stored import score_facts
from experiments.models import Item, Stimulus, StimulusList, Study
from experiments.paradigms import paradigm_named
from experiments.study.schemes import plain_codes, scheme_of
from participants.models import Response, Session, SessionFigures, Trial
from participants.watching.finished import first_people, pseudonyms_of


@dataclass(frozen=True)
class StudyData:
    """A table of a study, the SHA-256 of the CSV file that holds it, and the stamp it was read under."""

    frame: pd.DataFrame
    data_hash: str
    stamp: str


def study_data(study: Study, table: str = "trials", *, other: Study | None = None) -> StudyData:
    """Return a table of a study as the file that an export would write now, read again.

    Raises BadInput where the study has no such table, or it cannot be made with the other study.
    """
    with snapshot():
        stamp = run_stamp(study, other)
        content = b"".join(table_pieces(study, table, other=other))
    return StudyData(frame=frame_from(content), data_hash=hashlib.sha256(content).hexdigest(), stamp=stamp)


def people_data(study: Study, table: str, people: Sequence[str]) -> StudyData:
    """Return the rows of a table that are about these people, by their pseudonyms; hash and stamp are of them alone.

    Raises BadInput where the study has no such table, or the table names no participants.
    """
    with snapshot():
        content = people_rows(study, table, people)
    return StudyData(frame_from(content), hashlib.sha256(content).hexdigest(), people_stamp(people))


def people_rows(study: Study, table: str, people: Sequence[str]) -> bytes:
    """Return the CSV file with the rows of these people, lines as an export has them. Raises BadInput."""
    whole = frame_from(b"".join(table_pieces(study, table)))
    if "participant" not in whole:
        raise BadInput(f"The table {table} does not name participants, so it cannot be looked at person by person.")
    kept = whole[whole["participant"].isin(set(people))]
    return kept.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def people_stamp(people: Sequence[str]) -> str:
    """Return a text that changes when other people are looked at; a withdrawal or an exclusion changes them."""
    return hashlib.sha256("\n".join(sorted(people)).encode("utf-8")).hexdigest()


def run_stamp(study: Study, other: Study | None = None) -> str:
    """Return the stamp of what an analysis reads: of the study alone, or of both that it compares."""
    stamp = data_stamp(study)
    return stamp if other is None else hashlib.sha256(f"{stamp}:{data_stamp(other)}".encode()).hexdigest()


def analysed_data(run: AnalysisRun) -> bytes | None:
    """Return the CSV file that a run analysed, or None where the data have changed since and it is no more."""
    look = SequentialLook.objects.filter(run=run).first()
    try:
        with snapshot():
            study = through_task(run.study, run.part)
            if look is not None:
                content = people_rows(study, run.table, pseudonyms_of(first_people(run.study, look.people)))
            else:
                content = b"".join(table_pieces(study, run.table, other=run.other_study))
    except BadInput:
        return None
    return content if hashlib.sha256(content).hexdigest() == run.data_hash else None


def frame_from(content: bytes) -> pd.DataFrame:
    """Return the content of a CSV file as a frame of text: a participant 001 stays 001."""
    return pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False, encoding="utf-8")


def data_stamp(study: Study) -> str:
    """Return a text that changes whenever a cell of a table of the study can have changed; takes milliseconds.

    Responses are never altered once stored, so their number and their latest key stand for their content; sessions,
    materials and questions are looked at in full.
    """
    sessions = Session.objects.filter(study=study).order_by("pk")
    facts = [
        study.slug,
        study.paradigm,
        study.factors,
        study.shown_questions,
        study.plan.get("exclusion_rules", []),
        list(
            sessions.values_list(
                "pk",
                "participant__pseudonym",
                "list_id",
                "status",
                "study_version",
                "is_simulated",
                "is_excluded",
                "exclusion_reason",
            )
        ),
        list(
            Item.objects.filter(part__study=study)
            .order_by("pk")
            .values_list("pk", "code", "item_set", "is_filler", "is_practice", "attributes")
        ),
        _stimuli(study),
        list(
            StimulusList.stimuli.through.objects.filter(stimuluslist__part__study=study)
            .order_by("pk")
            .values_list("stimuluslist__item_set", "stimuluslist__index", "stimulus_id")
        ),
        *_answers(study),
        # Nothing of this is read where there is one task: what is known of such a study stays as it is.
        *([study.chosen_task, study.groups, *_parts(study)] if study.has_several_tasks or study.groups else []),
        *coding_facts(study),
        *score_facts(study),
        *word_score_facts(study),
    ]
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _answers(study: Study) -> tuple[list[int | None], list[int | None]]:
    """Return of the trials of a study their number, the last one and how many were begun; of the responses their
    number, the last one and the batches of events that they announced. Of finished sessions from their figures.
    """
    kept = SessionFigures.objects.filter(session__study=study).aggregate(
        Sum("trials"), Max("last_trial"), Sum("opened"), Sum("answered"), Max("last_response"), Sum("event_batches")
    )
    others = Session.objects.filter(study=study, figures=None)
    trials = Trial.objects.filter(session__in=others).aggregate(Count("pk"), Max("pk"), Count("opened_at"))
    responses = Response.objects.filter(trial__session__in=others)
    facts = [*trials.values(), *responses.aggregate(Count("pk"), Max("pk"), Sum("event_batches")).values()]
    n_trials, last_trial, opened, n_responses, last_response, batches = (
        _together(ours, theirs, max if place % 3 == 1 else sum)
        for place, (ours, theirs) in enumerate(zip(kept.values(), facts, strict=True))
    )
    return [n_trials or 0, last_trial, opened or 0], [n_responses or 0, last_response, batches if n_responses else None]


def _together(ours: int | None, theirs: int | None, how: Callable[[list[int]], int]) -> int | None:
    """Return the sum or the greatest of two numbers, either of which may be missing."""
    there = [number for number in (ours, theirs) if number is not None]
    return how(there) if there else None


def _stimuli(study: Study) -> list[object]:
    """Return texts with their metrics and attributes; where a text has none, it says no more than it always did."""
    found = Stimulus.objects.filter(item__part__study=study).order_by("pk")
    return [
        [*rest, extra, attributes] if attributes else [*rest, extra] if extra else rest
        for *rest, extra, attributes in found.values_list("pk", "condition__levels", "text", "extra", "attributes")
    ]


def _parts(study: Study) -> list[object]:
    parts = study.parts.order_by("pk").values_list("pk", "name", "kind", "paradigm", "factors", "questions")
    return [list(parts), list(study.sessions.order_by("pk").values_list("group", "order", "outcome"))]


def coding_facts(study: Study) -> list[object]:
    """Return what the cells that come from codings hang on; nothing where the paradigm has nothing to code.

    Every change of a coding raises its revision; seconds alone may change without one.
    """
    if not paradigm_named(study.paradigm).coded_measure_of(study.settings):
        return []
    of_study = of_task(study, "response__trial")
    codings = Coding.objects.filter(**of_study).aggregate(
        Count("pk"), Max("pk"), Sum("revision"), Max("changed_at"), Sum("seconds")
    )
    decisions = Adjudication.objects.filter(**of_study).aggregate(
        Count("pk"), Max("pk"), Sum("revision"), Max("changed_at")
    )
    codings["seconds__sum"] = round(codings["seconds__sum"] or 0.0, 3)
    queues = CodingQueue.objects.filter(study=study).order_by("pk").values_list("pk", "number")
    return [plain_codes(scheme_of(study)), list(codings.values()), list(decisions.values()), list(queues)]
