"""Codebook: columns of `participants.csv`, `sessions.csv`, `flow.csv` and `events.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.codebook.columns import ExportColumn, distinct, measure_column
from analysis.codebook.fixed import (
    LIST,
    PARTICIPANT,
    POSITION,
    SESSION,
    SESSION_EXCLUDED,
    SESSION_REASON,
    SIMULATED,
    STARTED,
    STATUSES,
    STUDY,
    VERSION,
)
from analysis.codebook.questionnaires import questionnaire_columns
from analysis.codebook.trials import language_column
from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.procedure.stages import late_parts
from experiments.rules.branching import rule_in_words
from participants.models import Session


def participant_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `participants.csv`: fixed ones, quality measures, answers, scores, failed checks, and in
    studies of groups or several tasks who was in which group and had which list; at the end the quality over the
    trials of every pool of tasks, and in a study in several languages the one in which somebody took part.
    """
    quality = _quality_columns(study)
    answers = answer_columns(study)
    taken = {column.name for column in (*PARTICIPANT_FACTS, *quality, *answers)}
    # Those of the group came after studies with questions of these names.
    of_groups = tuple(column for column in (GROUP, ORDER, OUTCOME) if column.name not in taken)
    taken |= {column.name for column in of_groups}
    facts = _with_whose_list(study, PARTICIPANT_FACTS)
    lists = list_columns(study, taken=taken)
    pools = _quality_of_pools(study)
    known = taken | {column.name for column in (*lists, *pools)}
    arms = of_groups if has_arms(study) else ()
    skipped = skipped_column(study, taken=known)
    known |= {column.name for column in skipped}
    return (*facts, *quality, *answers, *arms, *lists, *pools, *skipped, *language_column(study, taken=known))


def answer_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `participants.csv` that come from questionnaires, one for each of `all_variables`."""
    return questionnaire_columns(
        study, taken={column.name for column in (*PARTICIPANT_FACTS, *_quality_columns(study))}
    )


def _quality_columns(study: Study) -> tuple[ExportColumn, ...]:
    quality: tuple[ExportColumn, ...] = ()
    several = study.has_several_tasks
    for task in study.tasks:
        paradigm = paradigm_behind(task.paradigm)
        own = tuple(measure_column(measure, role="") for measure in paradigm.quality_measures())
        if paradigm.has_quality_flags:
            own = (*own, QUALITY_FLAGS)
        # Of several tasks, every measure says whose it is.
        quality += tuple(replace(one, name=f"{task.name}_{one.name}") for one in own) if several else own
    return quality


def _quality_of_pools(study: Study) -> tuple[ExportColumn, ...]:
    """Return the quality measures of every pool of tasks, over the trials of all of them."""
    return tuple(
        replace(column, name=f"{pool}_{column.name}")
        for pool, tasks in study.pools.items()
        for column in (measure_column(one, role="") for one in paradigm_behind(tasks[0].paradigm).quality_measures())
    )


def list_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return one column for the list of each task; none in a study of one, where `list` says it."""
    if not study.has_several_tasks:
        return ()
    return tuple(
        ExportColumn(
            distinct(f"list_{task.name.replace('-', '_')}", taken=taken, prefix="study"),
            "text",
            f"The list (Latin square) of the part '{task.name}'; empty where the session has none of it.",
            role="factor",
        )
        for task in study.tasks
    )


def _with_whose_list(study: Study, columns: Sequence[ExportColumn]) -> tuple[ExportColumn, ...]:
    """Return columns of sessions with a `list` that says, of several tasks, whose it is."""
    if not study.has_several_tasks:
        return tuple(columns)
    return tuple(replace(LIST, description=LIST_OF_THE_FIRST) if column is LIST else column for column in columns)


def skipped_column(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the column for the parts that a session does not have; none in a study whose parts are for everybody."""
    branched = [part for part in study.ordered_parts if part.shown_if]
    if not branched:
        return ()
    rules = "; ".join(f"{part.name} is for those of whom {rule_in_words(part.shown_if)} holds" for part in branched)
    text = (
        f"The parts that the session does not have, as the answers do not match their rules, by their names; empty "
        f"where it has all, or as long as that is not decided. {rules[0].upper()}{rules[1:]}."
    )
    skipped = ExportColumn(distinct("parts_skipped", taken=taken, prefix="study"), "text", text)
    if not late_parts(study.ordered_parts):
        return (skipped,)
    why = (
        "Of the parts that scores of tasks or answers after the first task decided against: the conditions that did "
        "not hold, each with the number that it met."
    )
    because = distinct("parts_skipped_because", taken={*taken, skipped.name}, prefix="study")
    return (skipped, ExportColumn(because, "text", why))


def has_arms(study: Study) -> bool:
    """Return whether participants of a study differ in more than their list: in their group, or order of parts."""
    return bool(study.groups) or any(part.order_set for part in study.ordered_parts)


LIST_OF_THE_FIRST = (
    "The list (Latin square) of the first task, in the order of the study, that the session has; those of all tasks "
    "stand in the last columns."
)
GROUP = ExportColumn(
    "group", "text", "The group of the study; empty where it has none, or as long as it is not decided."
)
ORDER = ExportColumn(
    "order", "text", "The parts that change places, by their names, in the order of this session; empty where none do."
)
OUTCOME = ExportColumn(
    "outcome",
    "text",
    "How the session ended; empty while it runs.",
    values=tuple(Session.Outcome.values),
)


QUALITY_FLAGS = ExportColumn(
    "quality_flags",
    "text",
    "What in the quality of a finished session falls below the settings of the study, and whether many presses came "
    "before what was to be answered was there, separated by semicolons; empty where nothing does. Flagged sessions are "
    "not excluded.",
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
        "Answered trials of the main phase at this stage of the flow; who answered none, such as somebody who was "
        "screened out before it, is not in it.",
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
TRANSLATED = ExportColumn(
    "trials_translated",
    "integer",
    "Answered trials in which a program of the browser had translated the page: the participant read other words.",
)
SOURCE = ExportColumn(
    "source",
    "text",
    "The source of the study by which the person came, by its name; empty where the study names none. Never an id "
    "of the person.",
)
# What the platform keeps among a browser's facts for its own use, and what could carry a recruitment id.
NOT_EXPORTED_OF_CLIENTS = frozenset({"opened", "tab", "url", "referrer", "query", "token"})
# The facts that have a column of their own: what pages of the platform report and the interface documents. Names that
# a participant's program makes up never name a column.
CLIENT_FACTS = frozenset(
    {
        "browser", "cross_origin_isolated", "device_pixel_ratio", "element_timing", "languages", "refresh_hz", "screen",
        "simulation", "touch", "user_agent", "viewport", "window",
    }
)  # fmt: skip
CLIENT_COLUMNS = frozenset(f"client_{name}" for name in CLIENT_FACTS)
OTHER_CLIENT_FACTS = ExportColumn(
    "client_other",
    "text",
    "What else the browser reported about itself, under names of its own, as JSON; empty for nothing.",
)


def other_facts(client: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a browser that have no column of their own."""
    return {name: client[name] for name in client if name not in CLIENT_FACTS | NOT_EXPORTED_OF_CLIENTS}


def session_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `sessions.csv`: fixed ones, then what the browsers reported about themselves."""
    clients = Session.objects.filter(study=study).order_by("pk").values_list("client", flat=True)
    reported: set[str] = set()
    for client in clients.iterator():
        reported.update(client)
    facts = sorted(reported & CLIENT_FACTS)
    of_others = (OTHER_CLIENT_FACTS,) if reported - CLIENT_FACTS - NOT_EXPORTED_OF_CLIENTS else ()
    columns = (
        *_with_whose_list(study, SESSION_FACTS_OF_A_ROW),
        *(ExportColumn(f"client_{name}", "text", f"{name}, as the browser reported it.") for name in facts),
        GROUP,
        ORDER,
        OUTCOME,
        TRANSLATED,
        SOURCE,
    )
    lists = list_columns(study, taken={column.name for column in columns})
    taken = {column.name for column in (*columns, *lists, *of_others)}
    return (*columns, *lists, *of_others, *skipped_column(study, taken=taken))
