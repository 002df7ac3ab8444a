"""Self-paced reading paradigm: participants uncover a text region by region with the space bar; every region is timed.

The moving window of Just, Carpenter & Woolley (1982) with its two usual variants; alternatively regions appear
automatically, each for a fixed time (rapid serial visual presentation: Forster, 1970).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import (
    Interval,
    Measure,
    Paradigm,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
)
from experiments.paradigms.pieces.areas import without_marks
from experiments.paradigms.pieces.comprehension import (
    QUESTION_COLUMNS,
    QUESTION_MEASURES,
    checked_question,
    comprehension_flags,
    comprehension_of,
    comprehension_threshold_field,
    planned_question,
    question_choices_field,
    question_deadline_field,
    question_faults,
    question_feedback_field,
    question_feedback_in_main_field,
    question_keys_field,
    question_measures,
    question_order_field,
    question_setting_faults,
)
from experiments.paradigms.pieces.displays import EARLY_PRESSES, EARLY_PRESSES_TOTAL, early_measure, early_total
from experiments.paradigms.pieces.fields import break_every_field, milliseconds
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.regions import (
    REGION_COLUMNS,
    critical_faults,
    critical_region,
    cut_warnings,
    region_faults,
    regions_of,
)
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.self_paced_reading.payload import (
    REGIONS,
    RSVP,
    WINDOWS,
    SelfPaced,
    early_presses,
    region_rows,
    total_ms,
)
from experiments.paradigms.self_paced_reading.simulation import SelfPacedParticipant
from experiments.paradigms.suggested import companions
from experiments.sentences import Sentence

PLUGIN = "self-paced-reading"
# Faster than anyone reads: the key was pressed by mistake or without reading.
FAST_MS = 100


class SelfPacedSettings(forms.Form):
    """Settings of a self-paced reading study."""

    folded = (
        (
            _("Questions about the texts"),
            (
                "question_choices",
                "question_keys",
                "question_order",
                "question_feedback_in_practice",
                "question_feedback_in_main",
                "question_deadline_ms",
                "comprehension_threshold",
            ),
        ),
        (_("Further settings"), ("region_ms", "blank_ms")),
    )

    unit = forms.ChoiceField(
        label=_("A region (ROI) is"),
        choices=[("word", _("a word")), ("clause", _("a clause")), ("sentence", _("a sentence"))],
        initial="word",
        help_text=_("If a text has marks (|), in itself or in the column 'regions', these decide."),
    )
    window = forms.ChoiceField(
        label=_("Window"),
        choices=[
            ("moving", _("moving: one region at its place, dashes for the others")),
            ("cumulative", _("cumulative: uncovered regions stay")),
            ("centred", _("centred: one region after the other in the middle of the page")),
            (
                "rsvp",
                _("automatic (RSVP): one region after the other in the middle of the page, each for a fixed time"),
            ),
        ],
        initial="moving",
        help_text=_(
            "Dashes are as long as the words they cover, and nothing moves when a region is uncovered. The "
            "column 'window' can give a text its own window."
        ),
    )
    region_ms = milliseconds(
        _("Automatic (RSVP): a region stays … ms"),
        300,
        _("Rapid serial visual presentation. The duration of every display is measured."),
        low=30,
        high=10_000,
    )
    blank_ms = milliseconds(
        _("Automatic (RSVP): blank between regions (ISI) … ms"),
        0,
        _("0 shows regions without a pause. The SOA is the time of a region plus this blank."),
        high=10_000,
    )
    question_choices = question_choices_field()
    question_keys = question_keys_field(
        _("Letters or digits from the first choice to the last, such as: f j. If empty, the digits from 1 are used.")
    )
    question_order = question_order_field()
    question_feedback_in_practice = question_feedback_field()
    question_feedback_in_main = question_feedback_in_main_field()
    question_deadline_ms = question_deadline_field()
    comprehension_threshold = comprehension_threshold_field()
    break_every = break_every_field(
        _("Break after every … texts"), 24, _("0 means no breaks. There is none after the last text.")
    )


class SelfPacedReading(Paradigm):
    """Texts read region by region; see the module."""

    slug = "self-paced-reading"
    label = "Self-paced reading"
    summary = (
        "Participants press the space bar to see the next word or region of a text. The time for which each one "
        "stays is its reading time. Questions about the texts can follow."
    )
    has_looks = True
    settings_form = SelfPacedSettings
    right_share = "comprehension"
    responses = {PLUGIN: SelfPaced, **SHARED_RESPONSES}
    requirements = ("keyboard",)
    seconds_per_trial = 9.0
    stimulus_columns = (
        *REGION_COLUMNS,
        *QUESTION_COLUMNS,
        StimulusColumn("window", "The window of this text. If empty, the window of the settings is used."),
    )
    long_tables = (REGIONS,)
    measures = (
        Measure("n_regions", "integer", "Regions of the text.", "regions"),
        Measure("words", "integer", "Words of the text.", "words"),
        Measure(
            "first_key_ms",
            "number",
            "From the onset of the covered text to the press that began it; 0 for a press before the recorded onset.",
            "ms",
        ),
        Measure("total_ms", "number", "From the press that uncovered the first region to the last press.", "ms"),
        Measure("regions_flagged", "integer", "Regions that came up late; see regions.csv.", "regions"),
        Measure("touches", "integer", "Taps and clicks on the text, which uncover nothing.", "taps"),
        *QUESTION_MEASURES,
        BREAK_MEASURE,
        Measure("window", "text", "How the text was shown.", values=WINDOWS),
        Measure("copy_attempts", "integer", "Attempts to copy or cut from the page, all refused.", "attempts"),
        EARLY_PRESSES,
    )

    def intervals_of(self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[Interval]:
        """Return SOA and ISI of regions that follow each other without a press, where any text is shown like that."""
        windows = {str(stimulus.extra.get("window") or settings["window"]) for stimulus in shown}
        if RSVP not in (windows or {settings["window"]}):
            return []
        stays, blank = int(settings["region_ms"]), int(settings["blank_ms"])
        return [
            Interval("SOA", _("from the onset of a region to the onset of the next"), stays + blank, stays + blank),
            Interval("ISI", _("from the end of a region to the onset of the next"), blank, blank),
        ]

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        doing, stored = ("rsvp", "shown") if settings["window"] == "rsvp" else ("own_pace", "presses")
        if "comprehension" in shown:
            doing, stored = f"{doing}_questions", f"{stored}_answers"
        return TaskSentences(doing, (stored,), ("keyboard", "alone"))

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return what is wrong with the question, the critical region and the window of a row."""
        window = str(extra.get("window", "") or "").strip()
        known = not window or window in WINDOWS
        said = Sentence("The window must be one of {names}, or the cell must be empty.", names=", ".join(WINDOWS))
        return [*question_faults(extra), *critical_faults(text, extra), *([] if known else [("window", said)])]

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return cut_warnings(text, extra)

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        return [*region_faults(text, extra, unit=settings["unit"]), *question_setting_faults(extra, settings)]

    def timed_in_place(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return the regions; none where they come one after the other in the middle of the page."""
        window = str(extra.get("window", "") or "").strip() or settings["window"]
        if window not in ("moving", "cumulative") or self.text_faults(text, extra, settings):
            return []
        return [f"{region['before']}{region['text']}" for region in regions_of(text, extra, unit=settings["unit"])]

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials: list[TrialPlan] = []
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(_reading(stimulus, settings, rng, place))
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "first_key_ms" not in payload:
            return measured_break(payload)
        rows = region_rows(params, payload)
        return {
            "n_regions": len(rows),
            "words": sum(row["words"] for row in rows),
            "first_key_ms": payload["first_key_ms"],
            "total_ms": total_ms(payload),
            "regions_flagged": sum(row["display_flagged"] for row in rows),
            "touches": payload["touches"],
            **question_measures(params, payload["question"]),
            "window": params["window"],
            **{name: payload[name] for name in ("copy_attempts",) if name in payload},
            **early_measure(early_presses(payload)),
        }

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the reading times of one text; no other trial has any."""
        return region_rows(params, payload) if table == REGIONS.name and "first_key_ms" in payload else []

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether the answer to the question of a text is right, where practice says so."""
        return checked_question(params, question)

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = main_trials(answered, PLUGIN)
        rows = [row for params, payload in main for row in region_rows(params, payload)]
        times = [row["rt_ms"] for row in rows if row["rt_ms"] is not None]
        return {
            "comprehension": comprehension_of(main),
            "median_region_ms": median(times) if times else None,
            "fast_regions_share": sum(time < FAST_MS for time in times) / len(times) if times else None,
            EARLY_PRESSES_TOTAL.name: early_total(early_presses(payload) for _params, payload in main),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure("comprehension", "number", "Share of correct answers to the questions about targets and fillers."),
            Measure("median_region_ms", "number", "Median reading time of the regions of targets and fillers.", "ms"),
            Measure("fast_regions_share", "number", f"Share of regions that the participant left within {FAST_MS} ms."),
            EARLY_PRESSES_TOTAL,
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        return comprehension_flags(quality, settings)

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Suggest mixed models of reading times, by condition, for regions around the critical one and for whole texts,
        and their companions.
        """
        if not factors:
            return []
        within = ",".join(factors)
        region = mixed_formula("log(rt_ms)", factors, covariates=["characters"])
        around = {
            "dv": "rt_ms",
            "within": f"{within},from_critical",
            "where": "from_critical >= -1 and from_critical <= 2",
            "unit": "participant",
        }
        of_regions = partial(SuggestedAnalysis, table="regions")
        return [
            of_regions(
                "lmm",
                "Critical region: mixed model of log reading times",
                {"formula": region, "where": "from_critical = 0"},
            ),
            of_regions(
                "lmm",
                "The region after it: mixed model of log reading times",
                {"formula": region, "where": "from_critical = 1"},
            ),
            of_regions(
                "regions",
                "Region by region around the critical one: mixed models of log reading times",
                {"formula": region, "where": around["where"]},
            ),
            SuggestedAnalysis(
                "lmm",
                "Whole texts: mixed model of log reading times",
                {"formula": mixed_formula("log(total_ms)", factors, covariates=["words"])},
            ),
            of_regions("rm-anova", "Regions around the critical one, by condition", around, is_companion=True),
            *companions(
                "rt_ms",
                factors,
                title="Critical region",
                table="regions",
                where="from_critical = 0",
                pairs=False,
            ),
        ]

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return SelfPacedParticipant(rng)


def _reading(stimulus: ShownStimulus, settings: Mapping[str, Any], rng: random.Random, place: Place) -> TrialPlan:
    question, private = planned_question(stimulus.extra, rng, settings, is_practice=stimulus.is_practice)
    params = {
        "kind": place.kind,
        "text": without_marks(stimulus.text),
        "regions": regions_of(stimulus.text, stimulus.extra, unit=settings["unit"]),
        "critical_region": critical_region(stimulus.extra),
        "window": str(stimulus.extra.get("window", "") or "").strip() or settings["window"],
        "region_ms": settings["region_ms"],
        "blank_ms": settings["blank_ms"],
        "question": question,
        **place.progress,
    }
    return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id, private)
