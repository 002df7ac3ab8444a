"""Typed production paradigm: participants respond to a gap, cue, picture, sound or sentence by typing into one or more
fields.

Tasks: completions (cloze; Taylor 1953), continuations, associations, names of pictures and sounds, translations and
paraphrases. The browser never learns the targets.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import Any

from experiments.paradigms.base import (
    DefaultErrorCode,
    Measure,
    Paradigm,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
    shown_kind,
)
from experiments.paradigms.pieces.media import (
    DELAY_COLUMN,
    MEDIA_COLUMNS,
    SOUND_RESPONSES,
    VIDEO_MEASURES,
    delay_faults,
    measured_media,
    media_measures,
    media_params,
    sound_check_trials,
)
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.pieces.typed_text import ATTEMPT_MEASURES, ATTEMPTS
from experiments.paradigms.typed_production.answers import (
    BETWEEN_FIELDS,
    folded_answer,
    folds_of,
    is_target,
    spellings_in,
    targets_in,
)
from experiments.paradigms.typed_production.gaps import GAP, gaps_in, segments_of
from experiments.paradigms.typed_production.lengths import characters_in
from experiments.paradigms.typed_production.payload import Produced
from experiments.paradigms.typed_production.settings import COMPLETION, MAX_FIELDS, NAMING, ProductionSettings
from experiments.paradigms.typed_production.simulation import ProducingParticipant, shares_in
from experiments.paradigms.typed_production.suggestions import production_suggestions
from experiments.sentences import Sentence

PLUGIN = "typed-production"
BETWEEN_RESPONSES = " | "

ERROR_CODES = (
    DefaultErrorCode("T", "The target, in any form or spelling.", 1.0, True),
    DefaultErrorCode("F", "Another answer, which fits.", 0.5, True),
    DefaultErrorCode("O", "Another answer, which does not fit.", 0.0, True),
    DefaultErrorCode("N", "No answer, or an unreadable one.", 0.0, True),
)


class TypedProduction(Paradigm):
    """Answers that people type; see the module."""

    slug = "typed-production"
    label = "Typed production"
    summary = (
        "Participants fill gaps, continue a text, name a picture or a sound, translate, or write what comes to "
        "mind. The time of the first key is measured. The typed answers give norms such as cloze probabilities."
    )
    stimulus_columns = (
        StimulusColumn(
            "target",
            f"The expected answer, for matches_target. Write | between several accepted answers, and {BETWEEN_FIELDS} "
            f"between those of several fields. Participants' browsers never get it.",
        ),
        StimulusColumn(
            "simulated",
            "Only for simulated participants: answers with their probabilities, such as butter=0.6|jam=0.3.",
        ),
        DELAY_COLUMN,
    )
    has_looks = True
    settings_form = ProductionSettings
    right_share = "target_share"
    media_columns = MEDIA_COLUMNS
    measures_of_media = {"video": VIDEO_MEASURES}
    responses = {PLUGIN: Produced, **SHARED_RESPONSES, **SOUND_RESPONSES}
    seconds_per_trial = 12.0
    coded_measure = "response"
    default_error_codes = ERROR_CODES
    measures = (
        Measure(
            "response",
            "text",
            "The answer as it was typed, without blanks around it; empty where there is none.",
            has_own_words=True,
        ),
        Measure(
            "response_folded",
            "text",
            "The form under which it is counted: capitals, blanks and spellings folded.",
            has_own_words=True,
        ),
        Measure("n_characters", "integer", "Characters of the answer, of all fields together.", "characters"),
        Measure(
            "first_key_ms",
            "number",
            "Onset of the trial to the first key in any field; 0 for a key before the onset.",
            "ms",
        ),
        Measure("typing_ms", "number", "First to last change of any field, from the onset on.", "ms"),
        Measure("edits", "integer", "Changes that took away or replaced something that had been typed.", "changes"),
        Measure("target", "text", "The expected answer, as the materials have it; empty where they name none."),
        Measure("matches_target", "boolean", "Whether every field that has a target was answered by it, both folded."),
        Measure("timed_out", "boolean", "True where the time ran out; the answer is what had been typed by then."),
        *ATTEMPT_MEASURES,
        BREAK_MEASURE,
    )

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        needed = {"keyboard": settings["keyboard_required"], "sounds": "sounds" in shown, "alone": True}
        ask = tuple(name for name, is_needed in needed.items() if is_needed)
        keystrokes = ("keystrokes",) if settings["keystroke_log"] else ()
        return TaskSentences(shown_kind(shown, "sounds", "pictures"), ("typed", *keystrokes, "window"), ask)

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures: those of the trial, those of each field if there are several, then those of sounds."""
        n_fields = settings.get("number_of_fields") or 1
        numbers = range(1, n_fields + 1) if n_fields > 1 else ()
        of_fields = (measure for number in numbers for measure in _measures_of(number))
        return (*self.measures, *of_fields, *media_measures(settings))

    def coded_measure_of(self, settings: Mapping[str, Any]) -> str:
        return self.coded_measure if settings.get("coding") else ""

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        return ("keyboard",) if settings.get("keyboard_required") else ()

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        folding: dict[str, Any] = {"folds": folds_of(settings)}
        folding |= {"numbered": settings["number_of_fields"] > 1}
        folding |= {"spellings": spellings_in(str(settings.get("spellings") or ""), folding["folds"])}
        trials = sound_check_trials(settings, rng)
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(_trial(stimulus, settings, folding, place))
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the declared measures of one response; folded and matched answers only if `params` define how."""
        if "responses" not in payload:
            return {**measured_break(payload), **measured_media(params, payload)}
        answers = payload["responses"]
        typed = [answer["typed"].strip() for answer in answers]
        begun = [answer["first_key_ms"] for answer in answers if answer["first_key_ms"] is not None]
        measured = {
            "response": _joined(typed),
            "n_characters": sum(map(characters_in, typed)),
            "first_key_ms": min(begun, default=None),
            "typing_ms": payload["typing_ms"],
            "edits": sum(answer["edits"] for answer in answers),
            "timed_out": payload["timed_out"],
            **{name: payload[name] for name in ATTEMPTS},
            **measured_media(params, payload),
        }
        several = len(answers) > 1 or bool(params.get("numbered"))
        if several:
            for number, answer in enumerate(answers, start=1):
                measured[f"response_{number}"] = typed[number - 1]
                measured[f"first_key_{number}_ms"] = answer["first_key_ms"]
                measured[f"typing_{number}_ms"] = answer["typing_ms"]
        if "folds" not in params:
            return measured
        folds, spellings = params["folds"], params["spellings"]
        forms = [folded_answer(one, folds, spellings) for one in typed]
        targets = targets_in(params.get("target"), fields=len(typed))
        matches = [
            is_target(form, accepted, folds, spellings) if accepted else None
            for form, accepted in zip(forms, targets, strict=True)
        ]
        if several:
            for number, (form, matched) in enumerate(zip(forms, matches, strict=True), start=1):
                measured[f"response_{number}_folded"] = form
                measured[f"matches_target_{number}"] = matched
        known = [matched for matched in matches if matched is not None]
        return {
            **measured,
            "response_folded": _joined(forms),
            "target": params.get("target") or None,
            "matches_target": all(known) if known else None,
        }

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = [self.measure(params, payload, []) for params, payload in main_trials(answered, PLUGIN)]
        begun = [trial["first_key_ms"] for trial in main if trial["first_key_ms"] is not None]
        matched = [trial["matches_target"] for trial in main if trial.get("matches_target") is not None]
        n_empty = sum(not trial["n_characters"] for trial in main)
        return {
            "empty_share": round(n_empty / len(main), 12) if main else None,
            "target_share": round(sum(matched) / len(matched), 12) if matched else None,
            "median_first_key_ms": median(begun) if begun else None,
            "trials_timed_out": sum(trial["timed_out"] for trial in main),
            "paste_attempts_total": sum(trial["paste_attempts"] + trial["drop_attempts"] for trial in main),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure("empty_share", "number", "Share of texts without an answer in any field, without practice."),
            Measure("target_share", "number", "Share of answers that match their targets, without practice."),
            Measure("median_first_key_ms", "number", "Median time of the first key, without practice.", "ms"),
            Measure("trials_timed_out", "integer", "Texts that ran out of time, without practice.", "trials"),
            Measure("paste_attempts_total", "integer", "Attempts to paste or drop text, without practice.", "attempts"),
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        threshold, share = settings["empty_threshold"], quality["empty_share"]
        if share is not None and share * 100 > threshold:
            return [Sentence("More than {most} of the texts have no answer", most=f"{threshold} %")]
        return []

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        try:
            shares_in(extra.get("simulated"), fields=MAX_FIELDS if BETWEEN_FIELDS in extra.get("simulated", "") else 1)
        except ValueError as fault:
            return [("simulated", str(fault)), *delay_faults(extra)]
        return delay_faults(extra)

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        named, gaps = len(str(extra.get("target", "")).split(BETWEEN_FIELDS)), gaps_in(text)
        if gaps and named > gaps:
            said = Sentence(
                "There are more targets than gaps: {targets} targets, but {gaps} in the text.", targets=named, gaps=gaps
            )
            return [("target", said)]
        return []

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        gaps, most = gaps_in(text), settings["number_of_fields"]
        if settings["task"] == COMPLETION:
            if not gaps:
                return [
                    Sentence(
                        "This text has no gap. Write {gap} where people should type, or choose another task.",
                        gap=GAP,
                    )
                ]
            if gaps > most:
                return [
                    Sentence("This text has {gaps} gaps, but the settings allow at most {most}.", gaps=gaps, most=most)
                ]
        elif settings["task"] == NAMING and not any(extra.get(column) for column in MEDIA_COLUMNS):
            return [Sentence("There is nothing to name: the columns image, audio and video are empty.")]
        return []

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        """Suggest norms, mixed models of targets and of latencies, and analyses of codes if answers are coded."""
        return production_suggestions(factors, settings)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return ProducingParticipant(rng)


def _trial(stimulus: ShownStimulus, settings: Mapping[str, Any], folding: Mapping[str, Any], place: Place) -> TrialPlan:
    is_gapped = settings["task"] == COMPLETION and gaps_in(stimulus.text) > 0
    segments = segments_of(stimulus.text) if is_gapped else []
    params = {
        "kind": place.kind,
        "task": settings["task"],
        "prompt": str(settings.get("prompt") or "").strip(),
        # The text of a picture or sound item is often its name.
        "text": None if settings["task"] == NAMING else stimulus.text,
        "segments": segments,
        "image": None,
        **media_params(stimulus, settings),
        "fields": len(segments) - 1 if is_gapped else settings["number_of_fields"],
        "one_word": bool(settings["one_word"]),
        "length_unit": settings["length_unit"],
        "minimum_length": settings["minimum_length"],
        "maximum_length": settings["maximum_length"],
        "may_be_empty": bool(settings["may_be_empty"]),
        "time_limit_ms": settings["time_limit_ms"] or None,
        "keystroke_log": bool(settings["keystroke_log"]),
        **place.progress,
    }
    private = {name: stimulus.extra[name] for name in ("target", "simulated") if stimulus.extra.get(name)}
    return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id, {**private, **folding})


def _joined(answers: Sequence[str]) -> str:
    """Return the answers of all fields as one; empty where all of them are."""
    return BETWEEN_RESPONSES.join(answers) if any(answers) else ""


def _measures_of(number: int) -> tuple[Measure, ...]:
    return (
        Measure(f"response_{number}", "text", f"The answer in field {number}.", has_own_words=True),
        Measure(
            f"response_{number}_folded",
            "text",
            f"The form under which the answer in field {number} is counted.",
            has_own_words=True,
        ),
        Measure(f"first_key_{number}_ms", "number", f"Onset of the trial to the first key in field {number}.", "ms"),
        Measure(f"typing_{number}_ms", "number", f"First to last change of field {number}, from the onset on.", "ms"),
        Measure(f"matches_target_{number}", "boolean", f"Whether field {number} was answered by its target."),
    )
