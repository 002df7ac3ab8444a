"""Mouse-contingent reading paradigm: a text is masked, and only the area under the pointer is visible.

Source: Zarrieß, Loth & Schlangen (2015), sections 3 and 5.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from experiments.paradigms.base import (
    LongTable,
    Measure,
    Paradigm,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
)
from experiments.paradigms.mouse_contingent_reading.columns import unpacked
from experiments.paradigms.mouse_contingent_reading.payload import TextRead
from experiments.paradigms.mouse_contingent_reading.settings import (
    OF_READING,
    ReadingSettings,
    measures_of_visits,
    modes,
)
from experiments.paradigms.mouse_contingent_reading.simulation import SimulatedReader
from experiments.paradigms.mouse_contingent_reading.suggestions import suggested_readings
from experiments.paradigms.mouse_contingent_reading.visits import LEAVE_REASONS, path_agrees, visit_rows, was_shown
from experiments.paradigms.pieces.areas import area_faults, areas_of, without_marks
from experiments.paradigms.pieces.comprehension import (
    QUESTION_COLUMNS,
    checked_question,
    comprehension_flags,
    comprehension_of,
    planned_question,
    question_faults,
    question_measures,
    question_setting_faults,
)
from experiments.paradigms.pieces.displays import is_among, out_of_view_measure
from experiments.paradigms.pieces.places import Place, places_of
from experiments.paradigms.pieces.rating_questions import FLUENCY_AND_CLARITY, facts_of_questions
from experiments.paradigms.pieces.ratings import measured_ratings, rating_measures
from experiments.paradigms.pieces.shared_pages import SHARED_RESPONSES, measured_break
from experiments.sentences import Sentence

PLUGIN = "mouse-contingent-reading"
VISITS = LongTable(
    "visits",
    Sentence(
        "One row for every visit to an area of a text, in order. Areas without a visit have one row without times."
    ),
    (
        Measure("aoi", "integer", "Place of the area in its text, counted from 1."),
        Measure("enter_ms", "number", "When the area was entered, from the onset of the text.", "ms"),
        Measure("leave_ms", "number", "When it was left.", "ms"),
        Measure("words", "integer", "Words of the area.", "words"),
        Measure(
            "shown",
            "boolean",
            "False where the pointer crossed the area between two updates of the screen, so that it never became "
            "clear, and where the area was never visited.",
        ),
        Measure("left_by", "text", "What ended the visit.", values=LEAVE_REASONS),
        Measure("aoi_text", "text", "The text of the area."),
        out_of_view_measure("at any time while it was open, over all visits to it"),
    ),
)


class MouseContingentReading(Paradigm):
    """Texts read area by area; see the module."""

    slug = "mouse-contingent-reading"
    label = "Mouse-contingent reading"
    summary = (
        "Participants uncover a text piece by piece with the pointer. The times at which each piece was open are "
        "recorded. Questions about the text follow."
    )
    settings_form = ReadingSettings
    right_share = "comprehension"
    first_settings: ClassVar = {"de": {"ratings": list(FLUENCY_AND_CLARITY["de"])}}
    responses = {PLUGIN: TextRead, **SHARED_RESPONSES}
    requirements = ("pointer",)
    seconds_per_trial = 75.0
    stimulus_columns = (
        StimulusColumn("areas", "The text with | between its areas, if the text itself has no marks."),
        StimulusColumn("regions", "The text with | between its words, for scripts without spaces between words."),
        *QUESTION_COLUMNS,
    )
    long_tables = (VISITS,)
    measures = OF_READING

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        questions = len(settings["ratings"])
        doing = ("texts", "texts_question", "texts_questions")[min(questions, 2)]
        stored = ("reading_path" if settings["record_path"] else "reading", "answers_device" if questions else "device")
        ask = ("pointer_or_keys" if settings["allow_keyboard"] else "pointer", "alone")
        return TaskSentences(doing, stored, ask)

    def facts_for_texts(self, settings: Mapping[str, Any], key_name: Callable[[str], str]) -> dict[str, Any]:
        return facts_of_questions(settings["ratings"])

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures, with those of the questions after each text before that of the break."""
        initial = self.settings_form.base_fields["ratings"].initial
        return (*self.measures[:-1], *rating_measures(settings.get("ratings", initial)), self.measures[-1])

    def visit_measures(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        initial = self.settings_form.base_fields["areas_in_columns"].initial
        return measures_of_visits(settings.get("areas_in_columns", initial))

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the device requirements, which admit everyone who can use one of the allowed ways of reading."""
        if settings.get("allow_drag"):
            return ()
        return ("pointer-or-keys",) if settings.get("allow_keyboard") else self.requirements

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return question_faults(extra)

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        return [*area_faults(text, unit=settings["unit"], **_marks(extra)), *question_setting_faults(extra, settings)]

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials: list[TrialPlan] = []
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(self._reading(stimulus, settings, rng, place, ask_device=not trials))
            trials += place.break_after(settings["break_every"])
        return trials

    def _reading(
        self,
        stimulus: ShownStimulus,
        settings: Mapping[str, Any],
        rng: random.Random,
        place: Place,
        *,
        ask_device: bool,
    ) -> TrialPlan:
        areas = areas_of(stimulus.text, unit=settings["unit"], **_marks(stimulus.extra))
        question, private = planned_question(stimulus.extra, rng, settings, is_practice=stimulus.is_practice)
        params = {
            "kind": place.kind,
            "text": without_marks(stimulus.text),
            "unit": settings["unit"],
            "arrangement": "bands" if settings["unit"] == "sentence" else settings["arrangement"],
            "areas": [{"text": area.text, "words": area.words, "before": area.before} for area in areas],
            "mask": settings["mask"],
            "modes": modes(settings),
            "ask_device": ask_device,
            "ratings": [dict(question) for question in settings["ratings"]],
            "question": question,
            "record_path": settings["record_path"],
            "full_screen": settings["full_screen"],
            **place.progress,
        }
        return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id, private)

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "visits" not in payload:
            return measured_break(payload)
        payload = unpacked(payload)
        visits, layouts, pauses = payload["visits"], payload["layouts"], payload["pauses"]
        seen = [visit for visit in visits if was_shown(visit)]
        return {
            "areas": len(params["areas"]),
            "words": sum(area["words"] for area in params["areas"]),
            "first_entry_ms": seen[0][1] if seen else None,
            "reading_ms": round(seen[-1][2] - seen[0][1], 1) if seen else None,
            "areas_passed": len(visits) - len(seen),
            "mode": payload["mode"],
            "pointer_type": payload["pointer_type"] or None,
            "layout_changes": payload["layout_changes"],
            "pauses": len(pauses),
            "paused_ms": round(sum(pause[1] - pause[0] for pause in pauses), 1),
            "copy_attempts": payload["copy_attempts"],
            "font_loaded": all(layout["font_loaded"] for layout in layouts),
            "frame_interval_ms": payload["frame_interval_ms"],
            "path_agrees": path_agrees(visits, events, layouts),
            **question_measures(params, payload["question"]),
            **measured_ratings(params["ratings"], payload["ratings"]),
        }

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the visits of one text; no other trial has any."""
        if table != VISITS.name or "visits" not in payload:
            return []
        rows = visit_rows(unpacked(payload)["visits"], params["areas"])
        return [
            {**row, "out_of_view": is_among(payload, "out_of_view", row["aoi"]) if row["shown"] else None}
            for row in rows
        ]

    def replay(self, params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any] | None:
        if "visits" not in payload:
            return None
        payload = unpacked(payload)
        return {
            "areas": [{"text": area["text"], "before": area["before"]} for area in params["areas"]],
            "in_bands": params["arrangement"] == "bands",
            "visits": [
                {"aoi": aoi, "enter_ms": enter, "leave_ms": leave, "shown": was_shown(visit), "left_by": visit[3]}
                for visit in payload["visits"]
                for aoi, enter, leave in [visit[:3]]
            ],
            "pauses": [pause[:2] for pause in payload["pauses"]],
            "finished_ms": payload["finished_ms"],
        }

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether the answer to the question of a text is right, where practice says so."""
        return checked_question(params, question)

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        read = [(params, unpacked(payload)) for plugin, params, payload in answered if plugin == PLUGIN]
        main = [(params, payload) for params, payload in read if params["kind"] == "target"]
        device: Mapping[str, Any] = next((payload["device"] for _params, payload in read if payload["device"]), {})
        ways = Counter(payload["mode"] for _params, payload in main)
        return {
            "device": device.get("device"),
            "hand": device.get("hand"),
            "reading_mode": ways.most_common(1)[0][0] if ways else None,
            "comprehension": comprehension_of(main),
            "texts_with_layout_changes": sum(payload["layout_changes"] > 0 for _params, payload in main),
            "texts_with_unread_areas": sum(_unread(params, payload) > 0 for params, payload in main),
            "texts_without_font": sum(
                not all(layout["font_loaded"] for layout in payload["layouts"]) for _params, payload in main
            ),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure("device", "text", "What the participant used for reading, in their own words."),
            Measure("hand", "text", "The hand that moved it, as they said."),
            Measure("reading_mode", "text", "Way of reading in most texts.", values=("pointer", "drag", "keyboard")),
            Measure("comprehension", "number", "Share of correct answers to the questions about the texts."),
            Measure(
                "texts_with_layout_changes",
                "integer",
                "Texts with a layout that changed while the participant read them.",
                "texts",
            ),
            Measure("texts_with_unread_areas", "integer", "Texts with an area that was never uncovered.", "texts"),
            Measure("texts_without_font", "integer", "Texts shown in another font than the platform's.", "texts"),
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        flags = comprehension_flags(quality, settings)
        if quality.get("texts_with_layout_changes"):
            flags.append(Sentence("the layout of a text changed while the participant read it"))
        if quality.get("texts_with_unread_areas"):
            flags.append(Sentence("an area of a text was never uncovered"))
        if quality.get("texts_without_font"):
            flags.append(Sentence("a text was shown in another font"))
        return flags

    def suggestions(
        self, factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
    ) -> list[SuggestedAnalysis]:
        return suggested_readings(factors, settings, has_fillers=has_fillers)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return SimulatedReader(rng)


def _marks(extra: Mapping[str, Any]) -> dict[str, str]:
    return {"marked": str(extra.get("areas", "") or ""), "regions": str(extra.get("regions", "") or "")}


def _unread(params: Mapping[str, Any], payload: Mapping[str, Any]) -> int:
    return len(params["areas"]) - len({visit[0] for visit in payload["visits"] if was_shown(visit)})
