"""From stored rows to data frames, and nowhere else.

A frame holds what the exported file holds, cell by cell as text, so that an analysis on the study is the same as one
on its `trials.csv`.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass

import pandas as pd
from django.db.models import Count, Max, Sum

from analysis.codebook import trial_columns
from analysis.exports.cells import csv_pieces
from analysis.exports.stored import snapshot
from analysis.exports.trials import trial_rows
from experiments.models import Item, Stimulus, Study
from participants.models import Response, Session, Trial


@dataclass(frozen=True)
class StudyData:
    """The trials of a study, the SHA-256 of the `trials.csv` that holds them, and the stamp they were read under."""

    frame: pd.DataFrame
    data_hash: str
    stamp: str


def trials_frame(study: Study) -> pd.DataFrame:
    """Return one row for every trial, with the columns and cells of `trials.csv`; an empty cell is an empty text."""
    return study_data(study).frame


def study_data(study: Study) -> StudyData:
    """Return the trials of a study as the file that an export would write now, read again."""
    with snapshot():
        stamp = data_stamp(study)
        content = b"".join(csv_pieces(trial_columns(study).all, trial_rows(study)))
    return StudyData(frame=frame_from(content), data_hash=hashlib.sha256(content).hexdigest(), stamp=stamp)


def frame_from(content: bytes) -> pd.DataFrame:
    """Return the content of a CSV file as a frame of text: a participant 001 stays 001."""
    return pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False, encoding="utf-8")


def data_stamp(study: Study) -> str:
    """Return a text that changes whenever a cell of `trials.csv` can have changed; takes milliseconds.

    Responses are never altered once stored, so their number and their latest key stand for their content; sessions,
    materials and questions are looked at in full.
    """
    sessions = Session.objects.filter(study=study).order_by("pk")
    trials = Trial.objects.filter(session__study=study)
    facts = [
        study.slug,
        study.paradigm,
        study.factors,
        study.questions,
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
            Item.objects.filter(study=study)
            .order_by("pk")
            .values_list("pk", "code", "item_set", "is_filler", "attributes")
        ),
        list(Stimulus.objects.filter(item__study=study).order_by("pk").values_list("pk", "condition__levels", "text")),
        list(trials.aggregate(Count("pk"), Max("pk"), Count("opened_at")).values()),
        list(
            Response.objects.filter(trial__session__study=study)
            .aggregate(Count("pk"), Max("pk"), Sum("event_batches"))
            .values()
        ),
    ]
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
