"""Tools whose results are not read: how they are known, and which of their columns to rename for `analyse`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.conversion.source import Source


@dataclass(frozen=True)
class Unread:
    """A tool that is known by its columns and refused by its name; `rename` is column → ours, `how` what else to do."""

    tool: str
    needs: tuple[str, ...]
    rename: Mapping[str, str] = field(default_factory=dict)
    how: str = ""

    def sentence(self, source: Source) -> str:
        """Return why the file is not read, and what to do so that `analyse` takes it."""
        there = [
            f"{column} → {ours}" for column, ours in self.rename.items() if column in source.columns and column != ours
        ]
        renamed = f" Rename {', '.join(there)}, and `analyse` takes the table." if there else ""
        return f"Results of {self.tool} are not read.{renamed}{f' {self.how}' if self.how else ''}"


_SURVEY = "A row is one response: for mixed models write a row for each answer."
UNREAD = (
    Unread(
        "Inquisit",
        ("trialcode", "blockcode", "latency"),
        {"subject": "participant", "subjectid": "participant", "trialnum": "trial", "trialcode": "label",
         "latency": "rt_ms", "response": "response", "correct": "correct", "stimulusitem1": "text"},
    ),
    Unread(
        "Testable",
        ("subjectGroup", "trialNo", "RT"),
        {"filename": "participant", "trialNo": "trial", "RT": "rt_ms", "correct": "correct", "response": "response",
         "condition1": "condition"},
        "Its file begins with rows about the session: delete them first.",
    ),
    Unread(
        "EyeLink Data Viewer",
        ("RECORDING_SESSION_LABEL",),
        {"RECORDING_SESSION_LABEL": "participant", "TRIAL_INDEX": "trial", "IA_ID": "aoi", "IA_LABEL": "word"},
        "Its measures of areas keep their names.",
    ),
    Unread(
        "Tobii Pro Lab",
        ("Recording timestamp", "Participant name"),
        {"Participant name": "participant", "Recording name": "session", "Presented Stimulus name": "text"},
    ),
    Unread(
        "LimeSurvey",
        ("submitdate", "lastpage", "startlanguage"),
        {"id": "participant", "token": "participant_token", "startdate": "started_at"},
        _SURVEY,
    ),
    Unread(
        "LimeSurvey",
        ("Response ID", "Date submitted", "Last page"),
        {"Response ID": "participant", "Date started": "started_at"},
        _SURVEY,
    ),
    Unread(
        "SurveyMonkey",
        ("Respondent ID", "Collector ID"),
        {"Respondent ID": "participant", "Start Date": "started_at"},
        f"Delete the second row, which repeats the questions. {_SURVEY}",
    ),
    Unread("SoSci Survey", ("CASE", "SERIAL", "QUESTNNR"), {"CASE": "participant", "STARTED": "started_at"}, _SURVEY),
    Unread(
        "REDCap",
        ("record_id", "redcap_event_name"),
        {"record_id": "participant", "redcap_event_name": "session"},
        _SURVEY,
    ),
    Unread("Typeform", ("#", "Network ID", "Start Date (UTC)"), {"#": "participant"}, _SURVEY),
)  # fmt: skip


def unread_of(source: Source) -> Unread | None:
    """Return the tool that wrote a table, if it is one of those that are not read."""
    there = set(source.columns)
    return next((tool for tool in UNREAD if there.issuperset(tool.needs)), None)
