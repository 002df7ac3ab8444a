"""Comparison paradigm: two or more conditions (or systems) of an item are shown together and judged against each other.

Tasks: the better of two with or without "no difference", the best and the worst of several, or a ranking. Which
conditions meet, and at which places, follows from a design over the lists (`experiments.design.together`), or
adaptively from the answers so far (`experiments.design.adaptive_pairs`). The browser gets texts in their places and
never the name of a condition.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.design.together import TogetherDesign
from experiments.formats.media_names import SEPARATOR
from experiments.paradigms.base import (
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
from experiments.paradigms.comparison.composing import AGAINST_AUDIO, AGAINST_IMAGE, AUDIO, IMAGE, composed, is_own
from experiments.paradigms.comparison.faults import comparison_faults
from experiments.paradigms.comparison.payload import (
    OF_ALL,
    OF_EXTREMES,
    OF_PAIRS,
    OF_RANKINGS,
    OF_TASK,
    OPTIONS,
    Compared,
    measured_comparison,
    names_of_options,
    option_rows,
)
from experiments.paradigms.comparison.settings import ADAPTIVE, PAIR, ComparisonSettings, design_of
from experiments.paradigms.comparison.simulation import Comparer
from experiments.paradigms.comparison.suggestions import comparison_suggestions
from experiments.paradigms.pieces.displays import EARLY_PRESSES_TOTAL, early_of, early_total
from experiments.paradigms.pieces.media import (
    SOUND_RESPONSES,
    check_measures,
    has_sound,
    measured_media,
    media_params,
    sound_check_trials,
)
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.shared_pages import SHARED_RESPONSES, measured_break

PLUGIN = "comparison"


class Comparison(Paradigm):
    """Comparisons of texts, pictures or sounds; see the module."""

    slug = "comparison"
    label = "Comparison"
    summary = (
        "Participants see two or more versions of the same item together. They choose the better one, choose the "
        "best and the worst, or put them in order. The design balances which versions meet and on which side."
    )
    stimulus_columns = (
        StimulusColumn(
            "context", "What is shown above the texts, such as the input from which they were made. May be empty."
        ),
        StimulusColumn("against", "Fillers and practice: the text to compare with; separate several by ||."),
        StimulusColumn(
            "side",
            (
                "Where the text is shown: left, right, or its place counted from 1. If the cell is empty, the design "
                "decides."
            ),
        ),
    )
    media_columns = {IMAGE: "image", AGAINST_IMAGE: "image", AUDIO: "audio", AGAINST_AUDIO: "audio"}
    media_lists = frozenset({AGAINST_IMAGE, AGAINST_AUDIO})
    settings_form = ComparisonSettings
    responses = {PLUGIN: Compared, **SHARED_RESPONSES, **SOUND_RESPONSES}
    measures = (*OF_PAIRS, *OF_EXTREMES, *OF_RANKINGS, *OF_ALL)
    long_tables = (OPTIONS,)
    seconds_per_trial = 20.0
    shows_several = True

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        ask = ("alone", "sounds") if "sounds" in shown else ("alone",)
        return TaskSentences(f"{shown_kind(shown, 'pictures', 'sounds')}_{settings['task']}", ("choices",), ask)

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        return (*OF_TASK[settings.get("task", PAIR)], *OF_ALL, *check_measures(settings))

    def together_design(self, n_conditions: int, settings: Mapping[str, Any]) -> TogetherDesign | None:
        return design_of(n_conditions, settings)

    def together_words(self, n_conditions: int, settings: Mapping[str, Any]) -> list[str]:
        """Describe the blocks of conditions, their efficiency, and how lists share them."""
        try:
            design = design_of(n_conditions, settings)
        except ValueError:
            return []
        if design.is_adaptive:
            return [
                _(
                    "Adaptive: when a session begins, the platform chooses the pairs for which the earlier "
                    "answers leave the order of the conditions least certain."
                )
            ]
        size, number = design.size, len(design.blocks)
        said = [
            _("%(number)d pairs of %(conditions)d conditions.") % {"number": number, "conditions": n_conditions}
            if size == 2
            else ngettext(
                "One block with all %(conditions)d conditions.",
                "%(number)d blocks of %(size)d out of %(conditions)d conditions.",
                number,
            )
            % {"number": number, "size": size, "conditions": n_conditions}
        ]
        if not design.is_balanced:
            said.append(
                _(
                    "Not all conditions meet equally often: a balanced design would need more blocks than the "
                    "study can use."
                )
            )
        said.append(
            _(
                "Efficiency factor %(efficiency).3f: how precise a comparison of two conditions is, relative to "
                "a design in which all conditions appear together."
            )
            % {"efficiency": design.efficiency}
        )
        if design.shows_all:
            said.append(_("Everybody compares all of them for every item. Lists differ in the places."))
        else:
            said.append(
                ngettext(
                    "Everybody compares each item once. The lists share the other comparisons.",
                    "Everybody compares each item %(times)d times. The lists share the other comparisons.",
                    design.per_item,
                )
                % {"times": design.per_item}
            )
        if design.is_exact:
            said.append(
                _("Over all %(lists)d lists, every item appears equally often in each of them at each place.")
                % {"lists": design.n_lists}
            )
        else:
            said.append(
                _(
                    "There are %(lists)d lists. More would be needed to show every item at every place equally "
                    "often, so the places are spread evenly."
                )
                % {"lists": design.n_lists}
            )
        return said

    def together(
        self,
        stimuli: Sequence[ShownStimulus],
        settings: Mapping[str, Any],
        rng: random.Random,
        earlier: Sequence[Mapping[str, Any]],
    ) -> list[ShownStimulus]:
        conditions = {stimulus.condition for stimulus in stimuli if stimulus.condition is not None}
        return composed(stimuli, design_of(len(conditions), settings), rng, earlier)

    def learns_from_answers(self, settings: Mapping[str, Any]) -> bool:
        return bool(settings.get("design") == ADAPTIVE)

    def design_faults(self, stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
        return comparison_faults(stimuli, settings)

    def shown_text(self, params: Mapping[str, Any]) -> str:
        if "options" not in params:
            return super().shown_text(params)
        return f" {SEPARATOR} ".join(names_of_options(params))

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials = sound_check_trials(settings, rng)
        for group, place in zip(shown, places_of(shown), strict=True):
            trials.append(_trial(group, settings, place))
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "ranks" in payload:
            return measured_comparison(params, payload)
        return {**measured_break(payload), **measured_media(params, payload)}

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        return option_rows(params, payload) if "ranks" in payload else []

    def stimuli_of_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any]
    ) -> Sequence[int | None] | None:
        return list(params["stimuli"])

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        answers = main_trials(answered, PLUGIN)
        main = [(params, payload["ranks"]) for params, payload in answers]
        decided = [ranks for _params, ranks in main if max(ranks) > 1]
        easy = [ranks[params["own_place"]] == 1 for params, ranks in main if not params["conditions"]]
        return {
            "first_place_share": sum(ranks[0] == 1 for ranks in decided) / len(decided) if decided else None,
            "no_difference_share": (len(main) - len(decided)) / len(main) if main else None,
            "fillers_as_given": sum(easy) / len(easy) if easy else None,
            EARLY_PRESSES_TOTAL.name: early_total(early_of(payload) for _params, payload in answers),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                "first_place_share",
                "number",
                "Share of comparisons of items and fillers in which the text in the first place was put first.",
            ),
            Measure(
                "no_difference_share", "number", ("Share of comparisons in which the participant saw no difference.")
            ),
            Measure(
                "fillers_as_given",
                "number",
                "Share of fillers in which the text of the column text was put first. Empty without fillers.",
            ),
            EARLY_PRESSES_TOTAL,
        )

    def suggestions(
        self, factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
    ) -> list[SuggestedAnalysis]:
        # Two conditions mean one factor with two levels; several factors have more conditions.
        n_conditions = 2 if [len(levels) for levels in factors.values()] == [2] else 3
        return comparison_suggestions(n_conditions, settings) if factors else []

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        return comparison_suggestions(3, settings) if factors else []

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return Comparer(rng)


def shown_option(stimulus: ShownStimulus, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the browser gets of one text of a comparison: the text, and its picture and sound if any.

    File names are left out, because they may reveal the condition.
    """
    return {"text": stimulus.text, **media_params(stimulus, settings)}


def _trial(group: ShownStimulus, settings: Mapping[str, Any], place: Place) -> TrialPlan:
    texts = group.group
    named = [text.condition for text in texts if text.condition is not None]
    private: dict[str, Any] = {
        "conditions": named,
        # In the order of the materials, in which stimuli were stored.
        "order": [text.condition for text in sorted(texts, key=lambda text: text.stimulus_id) if text.condition],
        "stimuli": [text.stimulus_id for text in texts],
    }
    if not named:
        private["own_place"] = next(at for at, text in enumerate(texts) if is_own(text))
    files = [str(text.extra.get(IMAGE) or "") for text in texts]
    if any(files):
        private["files"] = files
    sounds = [str(text.extra.get(AUDIO) or "") for text in texts]
    if any(sounds) and has_sound(settings):
        private["sounds"] = sounds
    return TrialPlan(
        place.phase,
        PLUGIN,
        {
            "kind": place.kind,
            "task": settings["task"],
            "question": settings["question"],
            "context": group.extra.get("context", ""),
            "options": [shown_option(text, settings) for text in texts],
            "no_difference": settings["no_difference"],
            **place.progress,
        },
        texts[0].stimulus_id,
        private,
    )
