"""Codebook: columns common to all studies."""

from __future__ import annotations

from analysis.codebook.columns import ExportColumn

PHASES = ("questions", "instructions", "training", "modulus", "practice", "main", "break", "debriefing", "page")
CLOCKS = ("element-timing", "animation-frame", "none")
# What a paradigm calls a judgement on a scale of the participant's own.
RATING = "rating"
STATUSES = ("running", "complete", "ended")

STUDY = ExportColumn("study", "text", "Short name of the study, as in its address.")
PARTICIPANT = ExportColumn("participant", "text", "Pseudonym of the participant; unique within the study.", role="unit")
SESSION = ExportColumn("session", "integer", "Number of the session; one session is one participant's run.")
LIST = ExportColumn("list", "text", "The list (Latin square) that the session was assigned to.", role="factor")
POSITION = ExportColumn("position", "integer", "Position of the trial in its session, counted from 0.")
SIMULATED = ExportColumn("simulated", "boolean", "True where a simulated participant answered; never a finding.")
EXCLUDED = ExportColumn(
    "excluded",
    "boolean",
    "True where the trial is left out of analyses: its session was excluded by a researcher or not finished, or a rule "
    "of the plan leaves out the session or the trial.",
)
REASON = ExportColumn(
    "exclusion_reason", "text", "Why the trial is left out: the researcher's words, or the rule of the plan."
)
SESSION_EXCLUDED = ExportColumn(
    "excluded",
    "boolean",
    "True where a researcher excluded the session or it is not finished; what the plan's rules leave out is in "
    "trials.csv.",
)
SESSION_REASON = ExportColumn("exclusion_reason", "text", "Why the session is left out, as the researcher wrote it.")
STARTED = ExportColumn("started_at", "datetime", "When the session started (UTC, ISO 8601).")
VERSION = ExportColumn("study_version", "integer", "Version of the study that the session ran under.")

PERSON = (STUDY, PARTICIPANT, SESSION, LIST)
PLACE = (
    POSITION,
    ExportColumn("phase", "text", "Part of the session that the trial belongs to.", values=PHASES),
)
STIMULUS = (
    ExportColumn("item_set", "text", "Set of items that are rotated together; empty for trials without an item."),
    ExportColumn("item", "text", "Code of the item; empty for trials that show none.", role="unit"),
    ExportColumn(
        "condition", "text", "Levels of the factors joined by colons; empty for fillers and practice.", role="factor"
    ),
)
SHOWN = (
    ExportColumn("is_filler", "boolean", "True for fillers, which are shown to everybody and not analysed with items."),
    ExportColumn("text", "text", "The text that was shown."),
)
RESPONSE = (
    ExportColumn(
        "rt_ms",
        "number",
        "From the onset of the stimulus to the submission; 0 for a submission before the recorded onset.",
        "ms",
        role="measure",
    ),
    ExportColumn("onset_ms", "number", "Onset of the stimulus since the page was opened.", "ms"),
    ExportColumn("clock", "text", "Which clock gave the onset.", values=CLOCKS),
    ExportColumn("interrupted", "boolean", "True where the trial was cut off: and shown again, if it has a response."),
)
# After everything else: files of earlier versions end before it.
CERTAINTY = (
    ExportColumn(
        "onset_error_ms",
        "number",
        "By how much the onset may be off, as far as the browser knows; empty where nothing was timed or an earlier "
        "version measured it.",
        "ms",
    ),
)
# Added later than these, and after the answers of a study.
CONDUCT = (
    ExportColumn(
        "out_of_view",
        "integer",
        "How many of the things that the trial times were not in the window as a whole: when they came up or, where "
        "people read at their own pace, at any time before the answer. Empty where nothing was looked at and for "
        "answers to earlier versions.",
        "things",
    ),
    ExportColumn(
        "draft_restored",
        "boolean",
        "True where text that was typed before the page was loaded again was put back: times and edits count from then "
        "on. Empty where none was.",
    ),
    ExportColumn(
        "page_slept_ms",
        "number",
        "For how long the page stood still during the trial, as on a computer that slept: times of the trial may be "
        "wrong. Empty where it did not.",
        "ms",
    ),
)
SESSION_FACTS = (SIMULATED, EXCLUDED, REASON, STARTED, VERSION)
ANSWERED = (
    ExportColumn("answered", "boolean", "False for trials that were planned but have no response."),
    ExportColumn("plugin", "text", "The kind of trial."),
    ExportColumn("attempts", "integer", "How many times the trial was begun."),
    ExportColumn(
        "focus_losses",
        "integer",
        "How many times the page lost the focus during the trial; 1 more where it lacked it when the trial began.",
    ),
)

METRIC_OF_TEXT = "A metric of the text, as the materials give it; empty where they give none."

FIXED = {
    column.name
    for column in (*PERSON, *PLACE, *STIMULUS, *SHOWN, *RESPONSE, *SESSION_FACTS, *ANSWERED, *CERTAINTY, *CONDUCT)
}
