"""The method `reading`: reading measures per area of interest and per text, from visits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.reading.measures import Measures, measures
from analysis.methods.reading.report import report_of
from analysis.methods.reading.tables import derived, sentence_columns, standard_scores, without_measures
from analysis.methods.reading.visits import Columns, Visits, visits
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.wording import listed

FEW_AOIS = 12
"""A text is described AOI by AOI if it has at most this many of them (sentences, not words)."""


def reading(
    frame: pd.DataFrame,
    *,
    participant: str | None = None,
    trial: str | None = None,
    text: str | None = None,
    item: str | None = None,
    condition: str | None = None,
    aoi: str | None = None,
    enter: str | None = None,
    leave: str | None = None,
    words: str | None = None,
    aois: Any = None,
    min_ms: float = 0.0,
    max_ms: float | None = None,
    shown: str | None = None,
    paths: int = 6,
    wide: bool = False,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compute reading measures from visits.

    `frame` has one row per visit: participant, trial or text, aoi, enter_ms, leave_ms (one clock, milliseconds).
    Optional are `words` (number of words of that AOI), `condition`, and any column that is constant within a reading;
    those are carried along. A row with empty times declares an AOI that was not visited; one with false in `shown`
    crossed an AOI that never became clear, and is no visit either. Without a column `trial` the `position` of the trial
    tells readings apart, then the text. Kept are visits with min_ms < duration < max_ms. Fillers, whose condition is
    empty, are called `filler` where keep=fillers is given.

    Tables:

    - `aoi`, one row per reading and AOI: what identifies it, first_duration, total_duration, first_pass,
      gaze_duration, right_bounded, go_past, rereading (ms), first_pass_visited, first_pass_regression, regression_in,
      visited (1 or 0), visits, words, time (= total_duration), speed = words / time (words per ms), pace = time /
      words (ms per word), words_per_minute, time_z, speed_z, pace_z, time_z2, speed_z2, pace_z2.
    - `text`, one row per reading: total_time, first_pass_time (until the last AOI that had not been visited is left;
      empty where one never was), first_pass_share, transitions, path_log = ln(1 + transitions), regressions, visits,
      aois_visited, aois, words, time (= total_time), speed, pace, words_per_minute, and their _z (also
      first_pass_time_z) and _z2. `wide` adds the measures of up to 12 AOIs side by side (`time_1`, `pace_1`,
      `time_1_z2` …), ready for `logistic`.
    - `conditions`: condition, measure, n, participants, mean, sd_participants (of participants' means).
    - `dwell`: condition, aoi, n, visited, mean total duration, ci_low, ci_high over participants.
    - `paths`: the visits of `paths` readings, spread over conditions, as they are drawn: reading, visit, aoi, enter_s,
      leave_s (seconds since the first entry).

    `_z` is standardised within participant, `_z2` within text over conditions (for an AOI: within text and AOI), both
    with the sample standard deviation. What was not visited is empty, never 0.

    Rules: `analysis.methods.reading.measures`. Sources: Rayner (1998); Zarrieß, Loth and Schlangen (2015), ENLG,
    section 6.2; Wilcox et al. (2024) for min_ms=160 and max_ms=4000.

    Raises BadInput for missing columns, times that end before they begin, and contradictory counts of words or AOIs.

    >>> seen = pd.DataFrame({
    ...     "participant": ["P1"] * 4, "text": ["T1"] * 4, "aoi": [1, 2, 1, 3],
    ...     "enter_ms": [0, 900, 2000, 2500], "leave_ms": [900, 2000, 2500, 4000],
    ... })
    >>> report = reading(seen)
    >>> report.table("text").frame()[["total_time", "transitions", "regressions"]].values.tolist()
    [[4000.0, 3.0, 1.0]]
    >>> report.table("aoi").frame()["go_past"].tolist()
    [900.0, 1600.0, 1500.0]
    """
    columns = _columns(
        frame,
        participant=participant,
        trial=trial,
        text=text,
        item=item,
        condition=condition,
        times=(aoi, enter, leave),
        words=words,
        aois=aois,
        shown=shown,
    )
    if paths < 0:
        raise BadInput(f"paths must be 0 or more, not {paths}.")
    if max_ms is not None and max_ms <= min_ms:
        raise BadInput(f"max_ms ({max_ms:g}) must be above min_ms ({min_ms:g}); no visit lies between them.")
    chosen = rows.select(frame, used=(*columns.keys, *columns.stimulus, columns.aoi), where=where, keep=keep)
    progress(0.1, "Sorting visits")
    part = rows.with_fillers_named(chosen.frame, columns.condition) if columns.condition else chosen.frame
    seen = visits(part, columns, shortest=min_ms, longest=max_ms)
    progress(0.4, "Computing measures")
    found = measures(
        reading=seen.reading,
        aoi=seen.aoi,
        duration=seen.duration,
        cell_reading=seen.cell_reading,
        cell_aoi=seen.cell_aoi,
    )
    warnings = [*chosen.warnings, *seen.warnings]
    seen = replace(seen, readings=without_measures(seen.readings, columns, warnings))
    per_aoi, per_text = _frames(found, seen, columns, warnings)
    if wide:
        per_text = _wide(per_text, per_aoi, found, seen)
    progress(0.8, "Writing tables")
    return report_of(
        per_aoi,
        per_text,
        columns=columns,
        seen=seen,
        paths=paths,
        notes=(*chosen.notes, *seen.notes),
        warnings=warnings,
    )


def _columns(
    frame: pd.DataFrame,
    *,
    participant: str | None,
    trial: str | None,
    text: str | None,
    item: str | None,
    condition: str | None,
    times: tuple[str | None, str | None, str | None],
    words: str | None,
    aois: Any,
    shown: str | None,
) -> Columns:
    names = [str(name) for name in frame.columns]

    def found(name: str | None, usual: str) -> str | None:
        return name if name is not None else usual if usual in names else None

    trial, text, item = found(trial, "trial") or found(None, "position"), found(text, "text"), found(item, "item")
    what = text or item
    one = trial or what
    if one is None:
        raise BadInput(
            "There is no column that tells one reading from the next; name it with trial=… (or text=…, item=…). "
            f"The columns are: {listed(names, shown=20)}."
        )
    who = required(frame, found(participant, "participant"), role="participant")
    condition = found(condition, "condition")
    keys = (who, one) if one == trial or condition is None else (who, one, condition)
    stimulus = tuple(name for name in (what, condition) if name) if what else keys
    count: int | str | None = None
    if isinstance(aois, str) and aois.strip() and not aois.strip().isdecimal():
        count = required(frame, aois.strip(), role="aois")
    elif aois is not None and str(aois).strip():
        count = _whole(aois)
    return Columns(
        keys=keys,
        stimulus=stimulus,
        condition=condition,
        aoi=required(frame, found(times[0], "aoi"), role="aoi"),
        enter=required(frame, found(times[1], "enter_ms"), role="enter"),
        leave=required(frame, found(times[2], "leave_ms"), role="leave"),
        words=found(words, "words"),
        aois=count,
        shown=found(shown, "shown"),
    )


def _whole(aois: Any) -> int:
    if float(aois) != int(float(aois)) or float(aois) < 1:
        raise BadInput(f"aois must be a whole number above 0 or the name of a column; '{aois}' is neither.")
    return int(float(aois))


def _frames(found: Measures, seen: Visits, columns: Columns, warnings: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    who, what = columns.keys[0], columns.stimulus[0]
    readings = seen.readings
    words = np.bincount(found.reading, weights=seen.cell_words, minlength=len(readings)).astype(np.float64)
    text = pd.concat([readings, pd.DataFrame(found.of_texts)], axis=1)
    text = derived(text, time="total_time", words=words)
    text = standard_scores(
        text, ("time", "speed", "pace", "first_pass_time"), by=[who], suffix="_z", what="participant", warnings=warnings
    )
    carried = readings.iloc[found.reading].reset_index(drop=True)
    aoi = carried.assign(aoi=np.array(_named(seen.labels), dtype=object)[found.aoi])
    aoi = pd.concat([aoi, pd.DataFrame(found.of_aois)], axis=1)
    aoi = derived(aoi, time="total_duration", words=seen.cell_words)
    aoi = standard_scores(aoi, ("time", "speed", "pace"), by=[who], suffix="_z", what="participant", warnings=warnings)
    if what != who:
        several = ("time", "speed", "pace")
        text = standard_scores(text, several, by=[what], suffix="_z2", what="text", warnings=warnings)
        aoi = standard_scores(
            aoi,
            several,
            by=[what, "aoi"],
            suffix="_z2",
            what="AOI of a text",
            plural="AOIs of texts",
            warnings=warnings,
        )
    return aoi, text


def _named(labels: tuple[str, ...]) -> list[Any]:
    """Return AOI numbers as numbers and AOI names as text."""
    return [int(label) for label in labels] if all(label.isdecimal() for label in labels) else list(labels)


def _wide(text: pd.DataFrame, aoi: pd.DataFrame, found: Measures, seen: Visits) -> pd.DataFrame:
    if len(seen.labels) > FEW_AOIS:
        raise BadInput(
            f"wide: texts have up to {len(seen.labels)} AOIs, too many to stand side by side (at most {FEW_AOIS})."
        )
    return sentence_columns(text, aoi, reading=found.reading, labels=_named(seen.labels))


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    random = np.random.default_rng(5)
    made = []
    for person in range(1, 7):
        for place in range(1, 7):
            condition = ("gold", "lin", "sem")[(person + place) % 3]
            clock = 0.0
            for aoi in (1, 2, 1, 2, 3) if condition == "sem" else (1, 2, 3):
                stay = float(np.round(random.gamma(8.0, 300.0)))
                made.append((f"P{person}", f"T{place}", condition, aoi, 8 + aoi + place, clock, clock + stay))
                clock += stay
    names = ["participant", "text", "condition", "aoi", "words", "enter_ms", "leave_ms"]
    return pd.DataFrame(made, columns=names), {"min_ms": 160}


METHOD = declared(
    "reading",
    "Reading measures",
    "First pass, go-past, rereading, regressions, pace and speed per area of interest and per text.",
    reading,
    Parameter("participant", "Participant", "column", default="participant", role="unit"),
    Parameter("trial", "Trial", "column", default="trial", help="Distinguishes the readings of a participant."),
    Parameter("text", "Text", "column", default="text", help="The text that was read, in any condition."),
    Parameter("item", "Item", "column", default="item", help="Used as the text if there is no column of texts."),
    Parameter("condition", "Condition", "column", default="condition", role="factor"),
    Parameter("aoi", "Area of interest", "column", default="aoi", help="Numbered in the order of the text."),
    Parameter("enter", "Entered at (ms)", "column", default="enter_ms", also=("enter_ms",)),
    Parameter("leave", "Left at (ms)", "column", default="leave_ms", also=("leave_ms",)),
    Parameter(
        "words",
        "Words of the area",
        "column",
        default="words",
        help="Needed for speed and pace.",
        also=("words_per_aoi",),
    ),
    Parameter("aois", "Areas per text", "text", help="A number or a column; if empty, inferred from the visits."),
    Parameter("min_ms", "Visits longer than (ms)", "number"),
    Parameter("max_ms", "Visits shorter than (ms)", "number", help="If empty, no limit; MoTR uses 160 to 4000."),
    Parameter("shown", "Whether it became clear", "column", default="shown", help="Rows with False are not visits."),
    Parameter("paths", "Scan paths drawn", "integer", help="The number of readings to draw, spread over conditions."),
    Parameter("wide", "Areas side by side", "boolean", help="Adds time_1, pace_1, … to each text."),
    group="describe",
    question=("How do people read each area and each text?",),
    needs=("visits",),
    example=_example,
)
