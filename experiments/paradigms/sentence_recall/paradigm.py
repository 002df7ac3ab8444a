"""Sentence recall paradigm: participants read a sentence, solve arithmetic problems, then type the sentence from
memory.

Source: Siddharthan & Katsos (2012), section 3.2 and Table 1.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from experiments.formats.words import NeedsRegions, count_words, regions_fault, split_segments
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
)
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.sentence_recall.arithmetic import draw_problems, number_correct, problems_of
from experiments.paradigms.sentence_recall.payload import RecalledSentence, display_measures
from experiments.paradigms.sentence_recall.settings import WORD_BY_WORD, RecallSettings
from experiments.paradigms.sentence_recall.simulation import RecallParticipant
from experiments.paradigms.sentence_recall.suggestions import recall_suggestions
from experiments.sentences import Sentence

PLUGIN = "sentence-recall"
NO_ANSWER = "–"

ERROR_CODES = (
    DefaultErrorCode("0", "Recalled accurately; clauses may be paraphrased, the connective is the same.", 0.5, True),
    DefaultErrorCode("1", "Clauses accurate; the relation is expressed by another valid discourse marker.", 0.4, True),
    DefaultErrorCode("2", "The discourse marker is changed so that the causal relation changes.", -0.25, False),
    DefaultErrorCode("3", "Clause B (effect) is garbled.", -0.5, False),
    DefaultErrorCode("4", "Clause A (cause) is garbled.", -0.5, False),
    DefaultErrorCode("5", "Relation and clauses A and B are fine, an external modifying clause is not.", 0.25, True),
    DefaultErrorCode("6", "Causality was quantified, as in “major cause”, and that is lost or changed.", 0.25, True),
)  # fmt: skip


class SentenceRecall(Paradigm):
    """Sentences that are recalled after a distraction; see the module."""

    slug = "sentence-recall"
    label = "Sentence recall with arithmetic distractors"
    summary = (
        "Participants read a sentence for a fixed time, solve arithmetic problems, and type the sentence from "
        "memory. People then code the errors in the recalls."
    )
    stimulus_columns = (
        StimulusColumn("regions", "The text with | between its words. Needed for scripts without spaces."),
        StimulusColumn("clause_a", "The cause, in the words of the text. Used to suggest codes to coders."),
        StimulusColumn("clause_b", "The effect, in the words of the text. Used to suggest codes to coders."),
        StimulusColumn("connective", "The words that express the relation, as they are in the text."),
        StimulusColumn("quantifier", "The words that quantify the relation, such as 'major', as they are in the text."),
    )
    has_looks = True
    settings_form = RecallSettings
    right_share = "arithmetic_accuracy"
    responses = {PLUGIN: RecalledSentence, **SHARED_RESPONSES}
    requirements = ("keyboard",)
    seconds_per_trial = 45.0
    coded_measure = "recall"
    default_error_codes = ERROR_CODES
    measures = (
        Measure("recall", "text", "The recall as it was typed; empty where nothing was.", has_own_words=True),
        Measure("words", "integer", "Words of the sentence that was shown.", "words"),
        Measure("display_intended_ms", "number", "How long the sentence was to be on the screen.", "ms"),
        Measure("display_measured_ms", "number", "How long it was, by the time stamps of frames.", "ms"),
        Measure(
            "display_flagged",
            "boolean",
            "True where a display was off by more than half a frame of the screen, or may have been.",
        ),
        Measure("dropped_frames", "integer", "Frames that the screen skipped while the sentence was shown.", "frames"),
        Measure("arithmetic_problems", "text", "The problems as they were shown, separated by semicolons."),
        Measure("arithmetic_answers", "text", f"The answers in the same order; {NO_ANSWER} where there is none."),
        Measure("arithmetic_total", "integer", "How many problems there were.", "problems"),
        Measure("arithmetic_correct", "integer", "How many answers were right.", "problems"),
        Measure("arithmetic_ms", "number", "Time for all problems together.", "ms"),
        Measure(
            "recall_first_key_ms",
            "number",
            "Onset of the recall box to the first key pressed in it; 0 for a key before the box was seen.",
            "ms",
        ),
        Measure("typing_ms", "number", "First to last change of the recall, from the onset of the box on.", "ms"),
        Measure("edits", "integer", "Changes that took away or replaced something that had been typed.", "changes"),
        Measure("paste_attempts", "integer", "Attempts to paste into the recall box, all refused.", "attempts"),
        Measure("drop_attempts", "integer", "Attempts to drop a text into the recall box, all refused.", "attempts"),
        Measure("copy_attempts", "integer", "Attempts to copy or cut from the page, all refused.", "attempts"),
        Measure("full_screen_exits", "integer", "How often full screen was left during the trial.", "exits"),
        BREAK_MEASURE,
    )

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        stored = {
            "typed": True,
            "keystrokes": settings["keystroke_log"],
            "sums": settings["arithmetic_problems"],
            "window_full_screen": settings["full_screen"],
            "window": not settings["full_screen"],
        }
        doing = "sentences_sums" if settings["arithmetic_problems"] else "sentences"
        names = tuple(name for name, is_stored in stored.items() if is_stored)
        return TaskSentences(doing, names, ("keyboard", "alone"))

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials = []
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(self._recall(stimulus, settings, rng, place))
            trials += place.break_after(settings["break_every"])
        return trials

    def _recall(
        self, stimulus: ShownStimulus, settings: Mapping[str, Any], rng: random.Random, place: Place
    ) -> TrialPlan:
        regions = str(stimulus.extra.get("regions", ""))
        try:
            words = count_words(stimulus.text, regions=regions)
        except NeedsRegions:
            # Such a study cannot open. Until its materials are corrected, its pages show the text as one region.
            regions, words = stimulus.text, 1
        by_word = settings["presentation"] == WORD_BY_WORD
        problems = draw_problems(
            settings["arithmetic_problems"],
            order=settings["arithmetic_order"],
            carry_only=settings["carry_only"],
            non_negative=settings["non_negative"],
            rng=rng,
        )
        params = {
            "kind": place.kind,
            "text": stimulus.text,
            "words": words,
            "presentation": settings["presentation"],
            "ms_per_word": settings["ms_per_word"],
            "display_ms": words * settings["ms_per_word"] if by_word else whole_display_ms(words, settings),
            "segments": split_segments(stimulus.text, regions=regions) if by_word else [],
            "fixation_ms": settings["fixation_ms"],
            "blank_ms": settings["blank_ms"],
            "problems": [problem.as_params() for problem in problems],
            "time_limit_ms": settings["time_limit_ms"] or None,
            "feedback": bool(settings["feedback_in_practice"] and stimulus.is_practice),
            "keystroke_log": bool(settings["keystroke_log"]),
            "full_screen": bool(settings["full_screen"]),
            **place.progress,
        }
        return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id)

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "recall" not in payload:
            return measured_break(payload)
        problems = problems_of(params["problems"])
        answers = [given["answer"] for given in payload["arithmetic"]]
        return {
            "recall": payload["recall"],
            "words": params["words"],
            **display_measures(params, payload["displays"]),
            "arithmetic_problems": "; ".join(map(str, problems)),
            "arithmetic_answers": "; ".join(NO_ANSWER if answer is None else str(answer) for answer in answers),
            "arithmetic_total": len(problems),
            "arithmetic_correct": number_correct(problems, answers),
            "arithmetic_ms": round(sum(given["ms"] for given in payload["arithmetic"]), 3),
            "recall_first_key_ms": payload["first_key_ms"],
            **{name: payload[name] for name in ("typing_ms", "edits", *_ATTEMPTS)},
        }

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether an answer to a problem is right: `{"correct": …}` for `{"problem": index, "answer": number}`.

        Raises LookupError if the trial gives no feedback or has no such problem.
        """
        if not params.get("feedback"):
            raise LookupError("This trial gives no feedback.")
        problems = problems_of(params["problems"])
        number = question["problem"]
        if not 0 <= number < len(problems):
            raise LookupError(f"This trial has no problem {number}.")
        return {"correct": question["answer"] == problems[number].answer}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = main_trials(answered, PLUGIN)
        measured = [self.measure(params, payload, []) for params, payload in main]
        problems = sum(trial["arithmetic_total"] for trial in measured)
        correct = sum(trial["arithmetic_correct"] for trial in measured)
        return {
            "arithmetic_accuracy": round(correct / problems, 12) if problems else None,
            "problems_timed_out": sum(given["timed_out"] for _p, payload in main for given in payload["arithmetic"]),
            "displays_flagged": sum(trial["display_flagged"] for trial in measured),
            "empty_recalls": sum(not trial["recall"].strip() for trial in measured),
            "paste_attempts_total": sum(trial["paste_attempts"] + trial["drop_attempts"] for trial in measured),
            "full_screen_exits_total": sum(trial["full_screen_exits"] for trial in measured),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure("arithmetic_accuracy", "number", "Share of problems with a correct answer, without practice."),
            Measure("problems_timed_out", "integer", "Problems that ran out of time, without practice.", "problems"),
            Measure(
                "displays_flagged",
                "integer",
                "Sentences with a display that was off by more than half a frame, or may have been.",
                "trials",
            ),
            Measure("empty_recalls", "integer", "Sentences without any recalled words.", "trials"),
            Measure("paste_attempts_total", "integer", "Attempts to paste or drop text, without practice.", "attempts"),
            Measure(
                "full_screen_exits_total", "integer", "How often the participant left full screen in a trial.", "exits"
            ),
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        threshold, accuracy = settings["accuracy_threshold"], quality["arithmetic_accuracy"]
        if accuracy is not None and accuracy * 100 < threshold:
            return [
                Sentence(
                    "Fewer than {least} of the arithmetic problems were answered correctly", least=f"{threshold} %"
                ),
            ]
        return []

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        regions = extra.get("regions", "")
        faults = []
        if regions and (fault := regions_fault(text, regions=regions)):
            faults.append(("regions", fault))
        try:
            if text and not count_words(text, regions=regions):
                faults.append(("text", Sentence("There is no word in this text, so there is nothing to recall.")))
        except NeedsRegions as needed:
            faults.append(("text", str(needed)))
        return faults

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return [
            (name, Sentence("These words are not in the text, so they cannot help to suggest codes."))
            for name in ("clause_a", "clause_b", "connective", "quantifier")
            if extra.get(name, "").casefold() not in text.casefold()
        ]

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        return [message for _column, message in self.stimulus_faults(text, extra)]

    def suggestions(
        self, factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
    ) -> list[SuggestedAnalysis]:
        """Suggest coder agreement, Table 5, H3 and H4 of the paper, scores by factor, and scores against ratings."""
        return recall_suggestions(factors)

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        return recall_suggestions(dict.fromkeys(factors, ()))

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return RecallParticipant(rng)


_ATTEMPTS = ("paste_attempts", "drop_attempts", "copy_attempts", "full_screen_exits")


def whole_display_ms(words: int, settings: Mapping[str, Any]) -> int:
    """Return the display time of a whole sentence: words × ms per word, clamped to the limits in the settings.

    >>> limits = {"ms_per_word": 500, "minimum_display_ms": 0, "maximum_display_ms": 8000}
    >>> whole_display_ms(9, limits), whole_display_ms(20, limits)
    (4500, 8000)
    """
    display = max(int(words * settings["ms_per_word"]), int(settings["minimum_display_ms"]))
    return min(display, int(settings["maximum_display_ms"])) if settings["maximum_display_ms"] else display
