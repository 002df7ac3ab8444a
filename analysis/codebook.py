"""The columns of every exported file: name, type, unit, meaning, allowed values.

Exports write exactly these columns, and the codebook, `dataset_description.json` and `datapackage.json` describe
exactly these columns: one declaration, so that they cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from experiments.models import Item, Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Measure, Paradigm
from experiments.schemes import scheme_of
from participants.models import Session

ColumnType = Literal["text", "integer", "number", "boolean", "datetime"]
Role = Literal["", "measure", "factor", "unit"]

PHASES = ("questions", "instructions", "training", "modulus", "practice", "main", "break", "debriefing")
CLOCKS = ("element-timing", "animation-frame", "none")
# What a paradigm calls a judgement on a scale of the participant's own.
RATING = "rating"
STATUSES = ("running", "complete", "ended")


@dataclass(frozen=True)
class ExportColumn:
    """One column of an exported file. `role` tells the analysis form what to offer it for."""

    name: str
    type: ColumnType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()
    role: Role = ""


@dataclass(frozen=True)
class TrialColumns:
    """The columns of `trials.csv` of one study, in the order of the file, by where their values come from."""

    person: tuple[ExportColumn, ...]
    place: tuple[ExportColumn, ...]
    stimulus: tuple[ExportColumn, ...]
    factors: tuple[ExportColumn, ...]
    shown: tuple[ExportColumn, ...]
    measures: tuple[ExportColumn, ...]
    derived: tuple[ExportColumn, ...]
    of_visits: tuple[ExportColumn, ...]
    coding: tuple[ExportColumn, ...]
    response: tuple[ExportColumn, ...]
    session: tuple[ExportColumn, ...]
    answered: tuple[ExportColumn, ...]
    attributes: tuple[ExportColumn, ...]
    background: tuple[ExportColumn, ...]

    @property
    def all(self) -> tuple[ExportColumn, ...]:
        return (
            *self.person,
            *self.place,
            *self.stimulus,
            *self.factors,
            *self.shown,
            *self.measures,
            *self.derived,
            *self.of_visits,
            *self.coding,
            *self.response,
            *self.session,
            *self.answered,
            *self.attributes,
            *self.background,
        )


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
    ExportColumn("rt_ms", "number", "From the onset of the stimulus to the submission.", "ms", role="measure"),
    ExportColumn("onset_ms", "number", "Onset of the stimulus since the page was opened.", "ms"),
    ExportColumn("clock", "text", "Which clock gave the onset.", values=CLOCKS),
    ExportColumn("interrupted", "boolean", "True where the trial was cut off: and shown again, if it has a response."),
)
SESSION_FACTS = (SIMULATED, EXCLUDED, REASON, STARTED, VERSION)
ANSWERED = (
    ExportColumn("answered", "boolean", "False for trials that were planned but have no response."),
    ExportColumn("plugin", "text", "The kind of trial."),
    ExportColumn("attempts", "integer", "How many times the trial was begun."),
    ExportColumn("focus_losses", "integer", "How many times the page lost the focus during the trial."),
)

FIXED = {column.name for column in (*PERSON, *PLACE, *STIMULUS, *SHOWN, *RESPONSE, *SESSION_FACTS, *ANSWERED)}


def trial_columns(study: Study) -> TrialColumns:
    """Return the columns of `trials.csv` of `study`.

    A factor, an attribute or a question whose name is taken by another column gets a prefix that says what it is:
    `factor_list`, `attribute_text`, `answer_item`.
    """
    paradigm = paradigm_named(study.paradigm)
    measures = paradigm.measures_of(study.settings)
    derived = derived_columns(measures)
    of_visits = tuple(measure_column(measure) for measure in paradigm.visit_measures(study.settings))
    coding = final_code_columns(study)
    taken = FIXED | {measure.name for measure in measures} | {column.name for column in (*derived, *of_visits, *coding)}
    factors = tuple(
        ExportColumn(
            distinct(str(factor["name"]), taken=taken, prefix="factor"),
            "text",
            f"Level of the factor {factor['name']}; empty for trials without a condition.",
            values=tuple(str(level) for level in factor.get("levels", ())),
            role="factor",
        )
        for factor in study.factors
    )
    attributes = tuple(
        ExportColumn(
            distinct(name, taken=taken, prefix="attribute"), "text", f"Attribute {name} of the item.", role="factor"
        )
        for name in attribute_names(study)
    )
    background = tuple(
        question_column(question, name=distinct(str(question["name"]), taken=taken, prefix="answer"))
        for question in between_questions(study)
    )
    return TrialColumns(
        person=PERSON,
        place=PLACE,
        stimulus=STIMULUS,
        factors=factors,
        shown=SHOWN,
        measures=tuple(measure_column(measure) for measure in measures),
        derived=derived,
        of_visits=of_visits,
        coding=coding,
        response=RESPONSE,
        session=SESSION_FACTS,
        answered=ANSWERED,
        attributes=attributes,
        background=background,
    )


def derived_columns(measures: Sequence[Measure]) -> tuple[ExportColumn, ...]:
    """Return the columns that are computed from the ratings of one participant; none where nothing is rated.

    People use numbers differently, so what is compared between conditions is mostly one of these.
    """
    if RATING not in {measure.name for measure in measures}:
        return ()
    of = "Targets of the main phase only"
    return (
        ExportColumn(
            f"{RATING}_z",
            "number",
            f"{of}: (rating − mean) / standard deviation (n − 1) of the participant's ratings of targets; "
            "empty where a participant gave every target the same number.",
            "standard deviations",
            role="measure",
        ),
        ExportColumn(
            f"{RATING}_log",
            "number",
            f"{of}: log10 of the rating; empty where the rating is 0, which has no logarithm.",
            role="measure",
        ),
    )


def code_columns(study: Study, *, of: str) -> tuple[ExportColumn, ...]:
    """Return one column for each code of a study's scheme."""
    return tuple(
        ExportColumn(
            f"code_{entry.code}",
            "integer",
            f"1 where the code {entry.code} was given, else 0{of}. {entry.description}",
            values=("0", "1"),
            role="measure",
        )
        for entry in scheme_of(study)
    )


def final_code_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of the final codes in `trials.csv`; none where the paradigm has nothing that people code."""
    if not paradigm_named(study.paradigm).coded_measure:
        return ()
    return (*code_columns(study, of="; empty where there are no final codes"), FINAL_SCORE, CODING)


FINAL_SCORE = ExportColumn(
    "score",
    "number",
    "Sum of the weights of the final codes; empty where there are none.",
    role="measure",
)
CODING = ExportColumn(
    "coding",
    "text",
    "Where the final codes come from: settled by adjudication, agreed by all coders, of a single coder; unresolved "
    "where coders differ; empty where nobody coded.",
    values=("adjudicated", "agreed", "single", "unresolved"),
)


def participant_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `participants.csv`: fixed ones, quality measures, background answers."""
    paradigm = paradigm_named(study.paradigm)
    quality = tuple(measure_column(measure, role="") for measure in paradigm.quality_measures())
    if paradigm.has_quality_flags:
        quality = (*quality, QUALITY_FLAGS)
    taken = {column.name for column in (*PARTICIPANT_FACTS, *quality)}
    answers = tuple(
        question_column(question, name=distinct(str(question["name"]), taken=taken, prefix="answer"))
        for question in study.questions
    )
    return (*PARTICIPANT_FACTS, *quality, *answers)


QUALITY_FLAGS = ExportColumn(
    "quality_flags",
    "text",
    "What in the quality of a finished session falls below the settings of the study, separated by semicolons; empty "
    "where nothing does. Flagged sessions are not excluded.",
)

PARTICIPANT_FACTS = (
    STUDY,
    PARTICIPANT,
    LIST,
    ExportColumn("status", "text", "How far the session got.", values=STATUSES),
    ExportColumn("completed", "boolean", "True where every trial of the session has its response."),
    SIMULATED,
    SESSION_EXCLUDED,
    SESSION_REASON,
    STARTED,
    ExportColumn("finished_at", "datetime", "When the session was completed (UTC, ISO 8601); empty if it was not."),
    ExportColumn("duration_min", "number", "From start to completion.", "min"),
    ExportColumn("trials", "integer", "Planned trials of the session."),
    ExportColumn("trials_answered", "integer", "Trials that have a response."),
    ExportColumn("trials_interrupted", "integer", "Answered trials that had been cut off and were shown again."),
    ExportColumn("focus_losses", "integer", "How many times the page lost the focus, over all trials."),
    ExportColumn("median_rt_ms", "number", "Median rt_ms of the trials of the main phase.", "ms"),
)

FLOW_COLUMNS = (
    ExportColumn(
        "stage",
        "text",
        "Answered trials of the main phase at this stage of the flow.",
        values=("Started", "Finished", "Analysed people", "Analysed trials", "Of these, targets"),
    ),
    ExportColumn("reason", "text", "Why these were left out on the way to this stage; empty for what remained."),
    ExportColumn("people", "integer", "Number of people; 0 where single trials were left out.", unit="people"),
    ExportColumn("trials", "integer", "Number of trials.", unit="trials"),
)
EVENT_COLUMNS = (
    STUDY,
    PARTICIPANT,
    SESSION,
    POSITION,
    ExportColumn("batch", "integer", "Number of the batch in which the browser sent the event, counted from 0."),
    ExportColumn("index", "integer", "Position of the event in its batch, counted from 0."),
    ExportColumn("type", "text", "What happened, as the browser named it."),
    ExportColumn("t_ms", "number", "When it happened, on the clock of onset_ms.", "ms"),
    ExportColumn("event", "text", "Everything that was recorded about the event, as JSON."),
)


SESSION_FACTS_OF_A_ROW = (
    STUDY,
    PARTICIPANT,
    SESSION,
    LIST,
    ExportColumn("seed", "integer", "Seed of the session's random order; the order can be made again from it."),
    ExportColumn("status", "text", "How far the session got.", values=STATUSES),
    VERSION,
    ExportColumn("language", "text", "Language of the pages."),
    SIMULATED,
    ExportColumn("consent_version", "integer", "Version of the consent text that was agreed to."),
    ExportColumn("consent_given_at", "datetime", "When it was agreed to (UTC, ISO 8601)."),
    ExportColumn("consent_choices", "text", "Optional statements and whether they were ticked, as JSON."),
    STARTED,
    ExportColumn("last_seen_at", "datetime", "When the last message of the browser arrived (UTC, ISO 8601)."),
    ExportColumn("finished_at", "datetime", "When the session was completed (UTC, ISO 8601); empty if it was not."),
    ExportColumn("excluded", "boolean", "True where a researcher excluded the session."),
    ExportColumn("exclusion_reason", "text", "Why, as the researcher wrote it."),
    ExportColumn("returned_late", "boolean", "True where the session went on after its place in the list was free."),
)
# What the platform keeps among a browser's facts for its own use, and what could carry a recruitment id.
NOT_EXPORTED_OF_CLIENTS = frozenset({"opened", "tab", "url", "referrer", "query", "token"})


def session_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `sessions.csv`: fixed ones, then what the browsers reported about themselves."""
    clients = Session.objects.filter(study=study).order_by("pk").values_list("client", flat=True)
    reported = dict.fromkeys(name for client in clients.iterator() for name in client)
    facts = sorted(name for name in reported if name not in NOT_EXPORTED_OF_CLIENTS)
    return (
        *SESSION_FACTS_OF_A_ROW,
        *(ExportColumn(f"client_{name}", "text", f"{name}, as the browser reported it.") for name in facts),
    )


def material_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `materials.csv`: those from which the import makes the same design again."""
    return (
        ExportColumn("item", "text", "Code of the item."),
        ExportColumn("text", "text", "The text that is shown."),
        *(
            ExportColumn(
                str(factor["name"]),
                "text",
                f"Level of the factor {factor['name']}; empty for fillers and practice.",
                values=tuple(str(level) for level in factor.get("levels", ())),
            )
            for factor in study.factors
        ),
        ExportColumn("item_set", "text", "Set of items that are rotated together."),
        ExportColumn("is_filler", "boolean", "True for fillers."),
        ExportColumn("is_practice", "boolean", "True for practice texts."),
        *(
            ExportColumn(name, "text", "Read by the paradigm.")
            for name in extra_names(study, paradigm_named(study.paradigm))
        ),
        *(ExportColumn(name, "text", f"Attribute {name} of the item.") for name in attribute_names(study)),
    )


def question_column(question: Mapping[str, Any], *, name: str) -> ExportColumn:
    """Return the column of a background question; choices become allowed values."""
    choices = tuple(str(choice) for choice in question.get("choices") or ())
    is_number = question.get("kind") == "number"
    return ExportColumn(
        name,
        "number" if is_number else "text",
        f"Answer to “{question.get('label') or question['name']}”; empty where the participant preferred not to say.",
        values=() if is_number else choices,
        role="measure" if is_number else "factor" if question.get("kind") == "choice" else "",
    )


def measure_column(measure: Measure, *, role: Role | None = None) -> ExportColumn:
    """Return the column of a measure that the paradigm declares."""
    usual: Role = "measure" if measure.type in ("number", "integer", "boolean") else ""
    return ExportColumn(
        measure.name,
        measure.type,
        measure.description,
        measure.unit,
        measure.values,
        usual if role is None else role,
    )


def between_questions(study: Study) -> list[Mapping[str, Any]]:
    """Return the background questions that can serve as between-participant columns of `trials.csv`.

    Answers in free words stay in `participants.csv`.
    """
    return [question for question in study.questions if question.get("kind") in ("choice", "number")]


def attribute_names(study: Study) -> list[str]:
    """Return the names of the items' attributes, in the order in which the materials bring them."""
    rows = Item.objects.filter(study=study).order_by("position").values_list("attributes", flat=True)
    return list(dict.fromkeys(name for attributes in rows.iterator() for name in attributes))


def extra_names(study: Study, paradigm: Paradigm) -> list[str]:
    """Return the names of further columns of the stimuli: the declared ones in use, then any others."""
    rows = Stimulus.objects.filter(item__study=study).order_by("item__position", "pk").values_list("extra", flat=True)
    used = dict.fromkeys(name for extra in rows.iterator() for name in extra)
    declared = [column.name for column in paradigm.stimulus_columns if column.name in used]
    return [*declared, *(name for name in used if name not in declared)]


def distinct(name: str, *, taken: set[str], prefix: str) -> str:
    """Return `name`, with `prefix` (and a number, if need be) where it is taken, and add the result to `taken`.

    >>> distinct("list", taken={"list"}, prefix="factor"), distinct("marker", taken={"list"}, prefix="factor")
    ('factor_list', 'marker')
    """
    candidate, number = name.strip(), 1
    while candidate in taken:
        candidate = f"{prefix}_{name}" if number == 1 else f"{prefix}_{name}_{number}"
        number += 1
    taken.add(candidate)
    return candidate


def names(columns: Iterable[ExportColumn]) -> list[str]:
    """Return the headers of a file."""
    return [column.name for column in columns]


def codebook_rows(files: Mapping[str, Sequence[ExportColumn]]) -> list[tuple[str, ...]]:
    """Return the lines of `codebook.csv` for files and their columns."""
    return [
        (file, column.name, column.type, column.unit, column.description, allowed_values(column))
        for file, columns in files.items()
        for column in columns
    ]


CODEBOOK_COLUMNS = (
    ExportColumn("file", "text", "The file that has the column."),
    ExportColumn("column", "text", "Its header."),
    ExportColumn(
        "type",
        "text",
        "text, integer, number, boolean (true or false) or datetime.",
        values=("text", "integer", "number", "boolean", "datetime"),
    ),
    ExportColumn("unit", "text", "Unit of the values, where they have one."),
    ExportColumn("description", "text", "What the column holds."),
    ExportColumn("values", "text", "Allowed values, separated by vertical bars; empty where any value is allowed."),
)


def allowed_values(column: ExportColumn) -> str:
    """Return the allowed values of a column as one cell."""
    return "true|false" if column.type == "boolean" else "|".join(column.values)
