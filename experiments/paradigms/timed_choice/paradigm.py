"""Timed choice paradigm: a sequence of displays, then one of up to four answers by key, button or touch,
or none of them, before a deadline.

Covers lexical decision, masked priming, speeded acceptability, verification and go/no-go.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import median
from typing import Any, ClassVar

from experiments.formats.media_names import PICTURES, ending_of, is_media_name
from experiments.formats.words import NeedsRegions, count_words, regions_fault
from experiments.paradigms.base import (
    VARIANT,
    Interval,
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
    SOUND_MEASURES,
    VIDEO_MEASURES,
    delay_faults,
)
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.timed_choice.answers import (
    WITHHELD,
    Answer,
    answers_in,
    label_faults,
    labelled,
    labels_in,
    name_of,
    placed,
    right_answer_in,
)
from experiments.paradigms.timed_choice.payload import (
    BY,
    DISPLAYS,
    TimedAnswer,
    answer_measures,
    display_rows,
    is_withheld,
)
from experiments.paradigms.timed_choice.planned import (
    BEFORE_TARGET,
    MOST_MS,
    PLAYED,
    TARGET,
    WORD_BY_WORD,
    displays_of,
    duration_of,
    has_media,
    intervals_in,
    media_of,
    milliseconds_in,
)
from experiments.paradigms.timed_choice.settings import COUNTERBALANCED, END, FIRST_ANSWERS, KEYS, ChoiceSettings
from experiments.paradigms.timed_choice.simulation import ChoiceParticipant
from experiments.paradigms.timed_choice.suggestions import choice_suggestions
from experiments.sentences import Sentence

PLUGIN = "timed-choice"
# The place of an answer that was withheld, in a question whether that was right.
NOTHING_PRESSED = -1
ANSWER_LABELS = "answer_labels"
# What the durations of displays before the target are called together.
_INTERVALS = {
    "prime": " Prime and backward mask together are the SOA.",
    "backward_mask": " It is the ISI between prime and target.",
}


class TimedChoice(Paradigm):
    """Timed answers to displays; see the module."""

    slug = "timed-choice"
    label = "Timed choice"
    summary = (
        "Participants see a word, a sentence or a picture, or hear a sound. They answer as fast as they can with "
        "one of up to four keys or buttons, or by pressing none. Used for lexical decision, masked priming, "
        "speeded acceptability, verification, go/no-go."
    )
    settings_form = ChoiceSettings
    right_share = "accuracy"
    responses = {PLUGIN: TimedAnswer, **SHARED_RESPONSES}
    seconds_per_trial = 3.0
    stimulus_columns = (
        StimulusColumn(
            "correct",
            "The name of the right answer, if answers are right or wrong; none if people should press nothing.",
        ),
        StimulusColumn(
            "mapping",
            "Which answer has which key in this row: 1 as in the settings, 2 with the answers moved by one "
            "place, and so on. If the cell is empty, the mapping of the participant is used.",
        ),
        StimulusColumn("prime", "The prime. If the cell is empty, the setting is used."),
        StimulusColumn("fixation", "The fixation. If the cell is empty, the setting is used."),
        StimulusColumn("forward_mask", "The forward mask. If the cell is empty, the setting is used."),
        StimulusColumn("backward_mask", "The backward mask. If the cell is empty, the setting is used."),
        StimulusColumn(
            "regions",
            "The text with | between the pieces that are shown one by one. Needed for scripts without spaces.",
        ),
        StimulusColumn(
            ANSWER_LABELS, "The words of the answers of this row, in the order of the settings, with | between them."
        ),
        *(
            StimulusColumn(
                f"{kind}_ms",
                f"Duration of the {kind.replace('_', ' ')} in milliseconds.{_INTERVALS.get(kind, '')} If the cell is "
                "empty, the setting is used.",
                may_be_factor=True,
            )
            for kind in (*BEFORE_TARGET, TARGET)
        ),
        DELAY_COLUMN,
    )
    text_or_file = frozenset(BEFORE_TARGET)
    has_looks = True
    first_settings: ClassVar = {language: {"answers": answers} for language, answers in FIRST_ANSWERS.items()}
    media_columns = MEDIA_COLUMNS
    long_tables = (DISPLAYS,)
    measures = (
        Measure("choice", "text", "The answer that was given, by its name; empty where the time ran out."),
        Measure("right_answer", "text", "The right answer, by its name; none: to press nothing; empty without one."),
        Measure(
            "correct",
            "boolean",
            "Whether the answer is the right one; empty without a right one, and without an answer, unless pressing "
            "nothing may be right.",
        ),
        Measure("timed_out", "boolean", "True where no answer came before the deadline."),
        Measure("too_fast", "boolean", "True where the answer came sooner than the settings call plausible."),
        Measure("side", "text", "Place of the answer: left or right of two, else its number from the left."),
        Measure("answered_by", "text", "What gave the answer: a key, or a button on the screen.", values=BY),
        Measure("mapping", "integer", "Which mapping of keys to answers the session has, counted from 1."),
        Measure("log_rt", "number", "Natural logarithm of rt_ms.", "log ms"),
        Measure("inverse_rt", "number", "−1000/rt_ms: larger is slower, as with rt_ms.", "−1/s"),
        Measure("early_presses", "integer", "Answers that came too early to count.", "presses"),
        Measure("prime_ms", "number", "How long the prime was on the screen.", "ms"),
        Measure("prime_flagged", "boolean", "True where the prime was off by half a frame or more, or may have been."),
        Measure("displays_flagged", "integer", "Displays of the trial that were off; see displays.csv.", "displays"),
        BREAK_MEASURE,
        Measure("answer_label", "text", "The word of the answer as participants saw it; empty without an answer."),
        Measure("prime_soa_ms", "number", "From the onset of the prime to that of the target (SOA).", "ms"),
    )  # fmt: skip
    measures_of_media: ClassVar = {"audio": SOUND_MEASURES, "video": VIDEO_MEASURES}

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        by = settings["respond_with"]
        needed = {"keyboard": by == KEYS, "sounds": "sounds" in shown, "alone": True}
        ask = tuple(name for name, is_needed in needed.items() if is_needed)
        return TaskSentences(f"{shown_kind(shown, 'sounds', 'pictures')}_{by}", ("answers",), ask)

    def intervals_of(self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[Interval]:
        return intervals_in(shown, settings)

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        return ("keyboard",) if settings.get("respond_with") == KEYS else ()

    def facts_for_texts(self, settings: Mapping[str, Any], key_name: Callable[[str], str]) -> dict[str, Any]:
        answers = answers_in(settings["answers"])
        return {
            "answers": [{"name": one.name, "label": one.label, "key": key_name(one.key)} for one in answers],
            "fixed_keys": settings["mapping"] != COUNTERBALANCED,
        }

    def variants_of(self, settings: Mapping[str, Any]) -> int:
        """Return the number of key mappings: one per answer if counterbalanced, otherwise one."""
        if settings.get("mapping", COUNTERBALANCED) != COUNTERBALANCED:
            return 1
        return max(1, len(answers_in(str(settings.get("answers", "")))))

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        regions = extra.get("regions", "")
        fault = regions_fault(text, regions=regions) if regions else None
        faults = [("regions", fault)] if fault else []
        for column in (f"{kind}_ms" for kind in (*BEFORE_TARGET, TARGET)):
            cell = extra.get(column, "")
            if cell and milliseconds_in(cell) is None:
                message = Sentence(
                    "'{cell}' is not a whole number of milliseconds up to {most}.", cell=cell, most=MOST_MS
                )
                faults.append((column, message))
        return [*faults, *delay_faults(extra)]

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        faults: list[str] = []
        answers = answers_in(str(settings["answers"]))
        names = [answer.name for answer in answers]
        cell = str(extra.get(ANSWER_LABELS) or "")
        correct = _right_answer(extra, answers, labels_in(cell))
        faults += label_faults(cell, answers)
        mapping = str(extra.get("mapping", "") or "").strip()
        if mapping and not (mapping.isdecimal() and 1 <= int(mapping) <= len(names)):
            faults.append(
                Sentence(
                    "The mapping of the row is '{mapping}'. With {n} answers, write a number from 1 to {n}, or "
                    "nothing.",
                    mapping=mapping,
                    n=len(names),
                )
            )
        if settings["scored"] and correct == WITHHELD and correct not in names:
            if not settings["withheld"]:
                faults.append(
                    Sentence(
                        "The right answer is to press nothing. Say in the settings that not pressing may be "
                        "right, or name an answer."
                    )
                )
        elif settings["scored"] and not correct:
            faults.append(
                Sentence(
                    "No answer is right. Name one in the column 'correct', or say in the settings that answers "
                    "are neither right nor wrong."
                )
            )
        elif settings["scored"] and correct not in names:
            faults.append(
                Sentence(
                    "The right answer is '{correct}', but the answers are {names}.",
                    correct=correct,
                    names=", ".join(names),
                )
            )
        is_word_by_word = settings["presentation"] == WORD_BY_WORD and not has_media(extra)
        if is_word_by_word:
            try:
                count_words(text, regions=str(extra.get("regions", "") or ""))
            except NeedsRegions as needed:
                faults.append(str(needed))
        elif (
            settings["timed_from"] == END
            and not duration_of(TARGET, extra, settings)
            and not any(extra.get(kind) for kind in PLAYED)
        ):
            faults.append(
                Sentence(
                    "Times are counted from the end of the target, but this target stays until the answer. Set "
                    "how long it stays, or count from its onset."
                )
            )
        for kind in BEFORE_TARGET:
            file = str(extra.get(kind) or "").strip()
            if is_media_name(file) and ending_of(file) in PICTURES and not duration_of(kind, extra, settings):
                faults.append(
                    Sentence(
                        "The picture '{file}' of the column '{kind}' would not be shown. Say how long it stays, "
                        "in the settings or in a column '{kind}_ms'.",
                        file=file,
                        kind=kind,
                    )
                )
        return faults

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials: list[TrialPlan] = []
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(_choice(stimulus, settings, rng, place))
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        return answer_measures(params, payload) if "timed_out" in payload else measured_break(payload)

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the displays of one trial; no other trial has any."""
        return display_rows(params, payload) if table == DISPLAYS.name and "timed_out" in payload else []

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether an answer is right: `{"correct": …}` for `{"answer": place}`; −1 stands for none in time.

        Raises LookupError if the trial gives neither feedback nor a pause after errors, has no correct answer, or has
        no such answer.
        """
        right = params.get("right_answer")
        if right is None or not (params.get("feedback") or params.get("error_pause_ms")):
            raise LookupError("This trial gives no feedback.")
        place = question["answer"]
        if place == NOTHING_PRESSED and params.get("withheld"):
            return {"correct": right == WITHHELD}
        if not 0 <= place < len(params["answers"]):
            raise LookupError(f"This trial has no answer {place}.")
        return {"correct": params["answers"][place]["name"] == right}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = [
            answer_measures(params, payload) | {"rt_ms": payload["rt_ms"], "is_withheld": is_withheld(params)}
            for params, payload in main_trials(answered, PLUGIN)
        ]
        right = [trial["correct"] for trial in main if trial["correct"] is not None]
        fast = [trial["too_fast"] for trial in main if trial["too_fast"] is not None]
        times = [trial["rt_ms"] for trial in main if trial["rt_ms"] is not None]
        due = [trial["timed_out"] for trial in main if not trial["is_withheld"]]
        return {
            "accuracy": sum(right) / len(right) if right else None,
            "timed_out_share": sum(due) / len(due) if due else None,
            "too_fast_share": sum(fast) / len(fast) if fast else None,
            "median_target_rt_ms": median(times) if times else None,
            "primes_flagged": sum(bool(trial["prime_flagged"]) for trial in main),
            "early_presses_total": sum(trial["early_presses"] for trial in main),
        }

    def gives_share_right(self, settings: Mapping[str, Any]) -> bool:
        return bool(settings["scored"])

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                "accuracy",
                "number",
                "Share of correct answers to targets and fillers, among those that came in time or were withheld.",
            ),
            Measure(
                "timed_out_share", "number", "Share of targets and fillers that need a press but got none in time."
            ),
            Measure("too_fast_share", "number", "Share of answers faster than the limit in the settings."),
            Measure("median_target_rt_ms", "number", "Median reaction time to targets and fillers.", "ms"),
            Measure(
                "primes_flagged", "integer", "Trials with a prime that was off by a frame, or may have been.", "trials"
            ),
            Measure("early_presses_total", "integer", "Answers that came too early to count.", "presses"),
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        least, accuracy = settings.get("accuracy_threshold") or 0, quality.get("accuracy")
        if least and accuracy is not None and 100 * accuracy < least:
            return [Sentence("fewer than {least} of the answers were correct", least=f"{least} %")]
        return []

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        """Suggest analyses of reaction times (log, −1000/RT, means), of accuracy or answers, and of sensitivity."""
        return choice_suggestions(factors, settings)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return ChoiceParticipant(rng)


def _right_answer(extra: Mapping[str, Any], answers: Sequence[Answer], labels: Sequence[str]) -> str:
    """Return the answer that the column `correct` names: by its name or its word in the row, or that nothing is."""
    named = name_of(str(extra.get("correct", "") or "").strip(), answers, labels)
    return right_answer_in(named, [answer.name for answer in answers])


def _choice(stimulus: ShownStimulus, settings: Mapping[str, Any], rng: random.Random, place: Place) -> TrialPlan:
    answers = answers_in(str(settings["answers"]))
    own = str(stimulus.extra.get("mapping", "") or "").strip()
    variant = int(own) - 1 if own.isdecimal() and 1 <= int(own) <= len(answers) else int(settings.get(VARIANT, 0))
    labels = labels_in(str(stimulus.extra.get(ANSWER_LABELS) or ""))
    # A duration can be a factor, too: its levels then are the durations.
    cells = {**stimulus.levels, **stimulus.extra}
    displays = displays_of(stimulus.text, cells, settings, {**settings.get("media", {}), **stimulus.media})
    media = media_of(stimulus)
    is_timed = any(display["kind"] == TARGET for display in displays)
    feedback = settings["feedback_in_practice"] if stimulus.is_practice else settings["feedback_in_main"]
    params = {
        "kind": place.kind,
        "text": stimulus.text,
        "displays": displays,
        "stays": not is_timed,
        "with_text": not media or bool(settings["with_text"]),
        **media,
        "prompt": settings["prompt"],
        "answers": placed(labelled(answers, labels), variant=variant),
        "mapping": variant + 1,
        "respond_with": settings["respond_with"],
        "timed_from": settings["timed_from"],
        "deadline_ms": settings["deadline_ms"] or None,
        "iti_ms": settings["iti_ms"] + (rng.randint(0, settings["iti_jitter_ms"]) if settings["iti_jitter_ms"] else 0),
        "feedback": bool(settings["scored"] and feedback),
        "feedback_ms": settings["feedback_ms"],
        "error_pause_ms": settings["error_pause_ms"] if settings["scored"] else 0,
        **place.progress,
    }
    if settings.get("withheld"):
        params["withheld"] = True
    correct = _right_answer(stimulus.extra, answers, labels)
    private = {
        "right_answer": correct if settings["scored"] and correct else None,
        "first_answer": answers[0].name,
        "too_fast_ms": settings["too_fast_ms"],
    }
    return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id, private)
