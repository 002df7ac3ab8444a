"""Maze paradigm: participants read word by word, choosing between the word that continues the sentence and a
distractor.

Forster, Guerrera & Elliot (2009); with distractors that a program finds (A-Maze) Boyce, Futrell & Levy (2020); redoing
a pair after a wrong choice Boyce & Levy (2023).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import median
from typing import Any

from experiments.paradigms.base import (
    Measure,
    Paradigm,
    ShownStimulus,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
)
from experiments.paradigms.maze.pairs import (
    DISTRACTORS_COLUMN,
    SIDES_COLUMN,
    balanced_sides,
    distractors_of,
    pair_faults,
    sides_faults,
    sides_of,
)
from experiments.paradigms.maze.payload import REGIONS, Maze, early_presses, region_rows
from experiments.paradigms.maze.settings import DISTRACTOR_KINDS, MazeSettings
from experiments.paradigms.maze.simulation import MazeParticipant
from experiments.paradigms.maze.suggestions import suggested_mazes
from experiments.paradigms.pieces.areas import without_marks
from experiments.paradigms.pieces.comprehension import (
    QUESTION_COLUMNS,
    QUESTION_MEASURES,
    comprehension_flags,
    comprehension_of,
    planned_question,
    question_faults,
    question_measures,
    question_setting_faults,
)
from experiments.paradigms.pieces.displays import EARLY_PRESSES, EARLY_PRESSES_TOTAL, early_measure, early_total
from experiments.paradigms.pieces.places import main_trials, places_of
from experiments.paradigms.pieces.regions import (
    REGION_COLUMNS,
    critical_faults,
    critical_region,
    cut_warnings,
    region_faults,
    regions_of,
)
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.sentences import Sentence

PLUGIN = "maze"
# Faster than anyone reads two words: the key was pressed by mistake or without reading.
FAST_MS = 150
# Shown in a draft for a missing distractor; a study with missing distractors cannot open.
MISSING = "…"


class MazeReading(Paradigm):
    """Texts read by choosing their words; see the module."""

    slug = "maze"
    label = "Maze"
    summary = (
        "Participants read a sentence by choosing every next word from two words; only one of them continues the "
        "sentence. The time of each choice measures processing effort with hardly any spillover."
    )
    settings_form = MazeSettings
    right_share = "accuracy"
    responses = {PLUGIN: Maze, **SHARED_RESPONSES}
    seconds_per_trial = 14.0
    stimulus_columns = (DISTRACTORS_COLUMN, *REGION_COLUMNS, *QUESTION_COLUMNS, SIDES_COLUMN)
    long_tables = (REGIONS,)
    measures = (
        Measure("n_regions", "integer", "Words or regions of the text.", "regions"),
        Measure("words", "integer", "Words of the text.", "words"),
        Measure("regions_reached", "integer", "Regions that came up.", "regions"),
        Measure("completed", "boolean", "Whether the text was read to its end."),
        Measure("errors", "integer", "Regions whose first choice was wrong.", "regions"),
        Measure("tries", "integer", "Choices from all pairs.", "choices"),
        Measure("total_ms", "number", "From the onset of the first pair to the last choice.", "ms"),
        Measure("message_ms", "number", "How long the message stood that ended the text; empty without one.", "ms"),
        Measure("regions_flagged", "integer", "Regions that came up late; see regions.csv.", "regions"),
        Measure("distractor_kind", "text", "How the distractors were made.", values=DISTRACTOR_KINDS),
        *QUESTION_MEASURES,
        BREAK_MEASURE,
        EARLY_PRESSES,
    )

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        ask = ("alone",) if settings["buttons"] else ("keyboard", "alone")
        if "comprehension" in shown:
            return TaskSentences("sentences_questions", ("words_answers",), ask)
        return TaskSentences("sentences", ("words",), ask)

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the requirements: a keyboard, unless words can be touched."""
        return () if settings.get("buttons", True) else ("keyboard",)

    def facts_for_texts(self, settings: Mapping[str, Any], key_name: Callable[[str], str]) -> dict[str, Any]:
        return {"keys": {side: key_name(settings[f"{side}_key"]) for side in ("left", "right")}}

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return what is wrong with the distractors, the question and the critical region of a row."""
        sides = sides_faults(text, extra)
        return [*pair_faults(text, extra), *sides, *question_faults(extra), *critical_faults(text, extra)]

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return cut_warnings(text, extra)

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        faults = region_faults(text, extra, unit="word")
        if not faults and not str(extra.get(DISTRACTORS_COLUMN.name, "") or "").strip():
            return [
                Sentence("The text has no distractors. Make them under Materials, or add the column 'distractors'.")
            ]
        asked = question_setting_faults(extra, settings)
        return [*faults, *(sentence for _column, sentence in pair_faults(text, extra)), *asked]

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        regions = [regions_of(stimulus.text, stimulus.extra, unit="word") for stimulus in shown]
        sides = balanced_sides(
            [len(of_text) for of_text in regions],
            critical=[_critical_within(stimulus, of_text) for stimulus, of_text in zip(shown, regions, strict=True)],
            strata=["practice" if one.is_practice else one.condition or "filler" for one in shown],
            rng=rng,
        )
        trials: list[TrialPlan] = []
        for stimulus, place, of_text, of_sides in zip(shown, places_of(shown), regions, sides, strict=True):
            question, private = planned_question(stimulus.extra, rng, settings)
            beside = distractors_of(stimulus.extra)[: len(of_text)]
            params = {
                "kind": place.kind,
                "text": without_marks(stimulus.text),
                "regions": of_text,
                "distractors": [*beside, *[MISSING] * (len(of_text) - len(beside))],
                "sides": sides_of(stimulus.extra) or of_sides,
                "critical_region": critical_region(stimulus.extra),
                "after_error": settings["after_error"],
                "delay_ms": settings["error_delay_ms"],
                "message": settings["error_message"],
                "keys": {"left": settings["left_key"], "right": settings["right_key"]},
                "buttons": settings["buttons"],
                "distractor_kind": settings["distractor_kind"],
                "question": question,
                **place.progress,
            }
            trials.append(TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id, private))
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "pairs" not in payload:
            return measured_break(payload)
        rows = region_rows(params, payload)
        return {
            "n_regions": len(params["regions"]),
            "words": sum(region["words"] for region in params["regions"]),
            "regions_reached": len(rows),
            "completed": len(rows) == len(params["regions"]) and rows[-1]["total_ms"] is not None,
            "errors": sum(not row["correct"] for row in rows),
            "tries": sum(row["tries"] for row in rows),
            "total_ms": payload["pairs"][-1]["tries"][-1]["ms"],
            "message_ms": payload["message_ms"],
            "regions_flagged": sum(row["display_flagged"] for row in rows),
            "distractor_kind": params["distractor_kind"],
            **question_measures(params, payload["question"]),
            **early_measure(early_presses(payload)),
        }

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the choices of one text; no other trial has any."""
        return region_rows(params, payload) if table == REGIONS.name and "pairs" in payload else []

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = main_trials(answered, PLUGIN)
        # The distractor x-x-x gives the first choice away.
        rows = [row for params, payload in main for row in region_rows(params, payload)[1:]]
        times = [row["rt_ms"] for row in rows]
        return {
            "accuracy": sum(row["correct"] for row in rows) / len(rows) if rows else None,
            "comprehension": comprehension_of(main),
            "median_choice_ms": median(times) if times else None,
            "fast_choices_share": sum(time < FAST_MS for time in times) / len(times) if times else None,
            EARLY_PRESSES_TOTAL.name: early_total(early_presses(payload) for _params, payload in main),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                "accuracy", "number", "Share of correct first choices in targets and fillers, without the first words."
            ),
            Measure("comprehension", "number", "Share of correct answers to the questions about targets and fillers."),
            Measure("median_choice_ms", "number", "Median time of the first choices in targets and fillers.", "ms"),
            Measure("fast_choices_share", "number", f"Share of first choices within {FAST_MS} ms."),
            EARLY_PRESSES_TOTAL,
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        least, accuracy = settings.get("accuracy_threshold") or 0, quality.get("accuracy")
        is_low = least and accuracy is not None and 100 * accuracy < least
        flag = Sentence("fewer than {least} of the words were chosen correctly", least=f"{least} %")
        return [*([flag] if is_low else []), *comprehension_flags(quality, settings)]

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Return models of the times and of the errors at the critical region and after it."""
        return suggested_mazes(factors)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return MazeParticipant(rng, settings)


def _critical_within(stimulus: ShownStimulus, regions: Sequence[Any]) -> int | None:
    """Return the critical region, or None if the text has no such region, as in a draft."""
    critical = critical_region(stimulus.extra)
    return critical if critical is not None and 1 <= critical <= len(regions) else None
