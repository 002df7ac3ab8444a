"""Tools whose results are one table with columns of fixed names: a row for each trial or answer."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, cell, milliseconds, numbers

# Half of all response times below this are no milliseconds.
_MOST_SECONDS = 30

JSPSYCH = Columns(
    "jsPsych",
    needs=("trial_type", "trial_index"),
    names={
        "position": ("trial_index",),
        "rt_ms": ("rt",),
        "response": ("response",),
        "correct": ("correct",),
        "text": ("stimulus",),
        "elapsed_ms": ("time_elapsed",),
    },
    counter="trial_index",
    from_zero=("trial_index",),
).reader(
    files="CSV and JSON",
    becomes="`rt` → `rt_ms`, `stimulus` → `text`, `trial_index` → `position` (from 1); answers that are objects "
    "become columns `response_…`; `group` keeps its name",
    documentation="https://www.jspsych.org/latest/overview/data/",
)

LAB_JS = Columns(
    "lab.js",
    needs=("sender", "ended_on"),
    names={
        "label": ("sender",),
        "trial": ("sender_id",),
        "rt_ms": ("duration",),
        "response": ("response",),
        "correct": ("correct",),
        "elapsed_ms": ("time_end",),
    },
    note="rt_ms is the duration of a screen; where `ended_on` is not `response` nobody responded.",
).reader(
    files="CSV and JSON",
    becomes="`duration` → `rt_ms`, `sender` → `label`",
    documentation="https://labjs.readthedocs.io/",
)

MAGPIE = Columns(
    "magpie",
    needs=("RT",),
    marks=("submission_id", "experiment_start_time", "experiment_duration"),
    without=("mousePositionX",),
    names={
        "label": ("trial_name", "trial_type"),
        "trial": ("trial_number",),
        "rt_ms": ("RT",),
        "response": ("response",),
        "correct": ("correctness", "correct"),
    },
    people=("prolific_pid", "worker_id", "submission_id"),
    runs=("submission_id", "experiment_start_time"),
).reader(
    files="CSV from the server or the browser",
    becomes="`submission_id` → `participant` where no id of a service is recorded, `RT` → `rt_ms`, `trial_name` → "
    "`label`, `trial_number` → `trial`",
    documentation="https://magpie-experiments.org/",
)

LABVANCED = Columns(
    "Labvanced",
    needs=("Task_Name", "Trial_Nr"),
    names={
        "session": ("Rec_Session_Id", "Session_Nr"),
        "label": ("Task_Name",),
        "trial": ("Trial_Nr",),
        "condition": ("condition", "Condition_Name", "Condition_Id"),
        "rt_ms": ("RT", "reaction_time", "response_time"),
        "response": ("response",),
        "correct": ("correct", "accuracy"),
    },
    people=("Exp_Subject_Id", "Crowdsourcing_SubjId", "Subject_Code", "Rec_Session_Id"),
    runs=("Rec_Session_Id",),
    note="What people did is in the variables of the study; rt_ms, response and correct are those that are called so.",
).reader(
    files="CSV, a row for each trial",
    becomes="`Exp_Subject_Id` → `participant`, `Task_Name` → `label`, `Trial_Nr` → `trial`, `Rec_Session_Id` → "
    "`session`; variables keep their names",
    documentation="https://www.labvanced.com/docs.html",
)

FORMR = Columns(
    "formr",
    needs=("session", "created", "modified", "ended"),
    names={"started_at": ("created",), "ended_at": ("ended",)},
    people=("session",),
    runs=(),
    note="A row is one survey that somebody filled in; in a diary people have several.",
).reader(
    files="CSV and JSON, a row for each survey",
    becomes="`session` → `participant`, `created` and `ended` → `started_at` and `ended_at`; questions keep their "
    "names",
    documentation="https://formr.org/documentation",
)

_FINDING_FIVE = Columns(
    "FindingFive",
    needs=("participant_id", "trial_template", "trial_num"),
    names={
        "label": ("trial_template",),
        "trial": ("trial_num",),
        "component": ("response_name",),
        "text": ("stimuli_presented",),
        "rt_ms": ("response_rt",),
        "response": ("response_value",),
        "correct": ("response_correct",),
    },
    people=("participant_id",),
    runs=(),
)


def _finding_five(source: Source) -> Converted:
    """Response times are in milliseconds in some files and in seconds in others: their size tells which."""
    times = [time for time in numbers(source.rows, "response_rt") if time > 0]
    if not times or median(times) > _MOST_SECONDS:
        return _FINDING_FIVE.read(source)
    found = replace(_FINDING_FIVE, cells={"rt_ms": milliseconds}).read(source)
    found.notes.append(f"Half of response_rt is below {_MOST_SECONDS}, so it was read as seconds.")
    return found


FINDING_FIVE = Reader(
    "FindingFive",
    files="CSV, a row for each response",
    becomes="`participant_id` → `participant`, `trial_num` → `trial`, `trial_template` → `label`, `response_value` → "
    "`response`, `response_rt` → `rt_ms`, `stimuli_presented` → `text`",
    documentation="https://hub.findingfive.com/FAQ/collecting-data",
    recognised=_FINDING_FIVE.recognised,
    read=_finding_five,
)

_GORILLA = Columns(
    "Gorilla",
    needs=("Participant Private ID", "Event Index"),
    names={
        "session": ("Schedule ID",),
        "trial": ("Trial Number",),
        "label": ("Task Name", "Questionnaire Name"),
        "component": ("Zone Type", "Object Name", "Screen Name", "Question Key", "Object ID"),
        "response": ("Response",),
        "correct": ("Correct",),
        "rt_ms": ("Reaction Time",),
        "text": ("text", "sentence", "stimulus"),
    },
    people=("Participant Private ID",),
    runs=(),
)


def _gorilla(source: Source) -> Converted:
    """A row is an event of a screen. Rows of beginnings and ends are left out; only answers have response times."""
    rows = [row for row in source.rows if cell(row.get("Participant Private ID")) is not None]
    trials = [row for row in rows if not _is_border(row)]
    found = _GORILLA.table(source, trials)
    screens = 0
    for row in found.rows:
        if str(row.get("component") or "").startswith("END "):
            # The last row of a questionnaire holds how long it took, where others hold an answer.
            row["duration_ms"], row["response"] = row.get("response"), None
        # A fixation cross has a time, too: how long it was shown.
        elif row.get("response") is None and row.get("correct") is None and row.get("rt_ms") is not None:
            row["screen_ms"], row["rt_ms"] = row["rt_ms"], None
            screens += 1
    if len(rows) > len(trials):
        found.notes.append(f"Rows that only mark a beginning or an end were left out ({len(rows) - len(trials)}).")
    if screens:
        found.notes.append(f"Where nobody answered, screen_ms is how long the screen lasted, and no rt_ms ({screens}).")
    return found


def _is_border(row: dict[str, object]) -> bool:
    marks = (str(row.get(name) or "") for name in ("Trial Number", "Question Key"))
    return any(mark.startswith(("BEGIN ", "END ")) for mark in marks) and cell(row.get("Response")) is None


GORILLA = Reader(
    "Gorilla",
    files="CSV of tasks and questionnaires, of both task builders",
    becomes="`Participant Private ID` → `participant`, `Trial Number` → `trial`, `Task Name` → `label`, `Zone Type` "
    "or `Object Name` → `component`, `Reaction Time` → `rt_ms` where somebody answered, otherwise "
    "`screen_ms`; columns of the spreadsheet keep their names",
    documentation="https://support.gorilla.sc/",
    recognised=_GORILLA.recognised,
    read=_gorilla,
)
