"""Self-paced reading: a text is uncovered region by region with the space bar, and every region is timed.

The moving window of Just, Carpenter & Woolley (1982), with its two usual variants.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.design.mixed_formulas import mixed_formula
from experiments.formats.words import NeedsRegions, count_words
from experiments.paradigms.base import (
    Measure,
    Paradigm,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TrialPlan,
    VirtualParticipant,
)
from experiments.paradigms.pieces.areas import area_faults, areas_of, without_marks
from experiments.paradigms.pieces.comprehension import (
    QUESTION_COLUMNS,
    QUESTION_MEASURES,
    planned_question,
    question_faults,
    question_measures,
)
from experiments.paradigms.pieces.shared_pages import SHARED_RESPONSES, break_after, measured_break
from experiments.paradigms.self_paced_reading.payload import REGIONS, SelfPaced, region_rows
from experiments.paradigms.self_paced_reading.simulation import SelfPacedParticipant

PLUGIN = "self-paced-reading"
# Faster than anybody reads: a key that was pressed by mistake or without reading.
FAST_MS = 100


class SelfPacedSettings(forms.Form):
    """Settings of a self-paced reading study."""

    unit = forms.ChoiceField(
        label=_("A region is"),
        choices=[("word", _("a word")), ("clause", _("a clause")), ("sentence", _("a sentence"))],
        initial="word",
        help_text=_("Where a text has marks, |, in itself or in the column 'regions', they decide instead."),
    )
    window = forms.ChoiceField(
        label=_("Window"),
        choices=[
            ("moving", _("moving: one region at its place, the others are dashes")),
            ("cumulative", _("cumulative: regions stay once they are uncovered")),
            ("centred", _("centred: one region after the other in the middle of the page")),
        ],
        initial="moving",
        help_text=_("Dashes are as long as the words that they cover; nothing moves when a region is uncovered."),
    )
    comprehension_threshold = forms.IntegerField(
        label=_("Flag sessions with fewer than … % right answers"),
        initial=0,
        min_value=0,
        max_value=100,
        help_text=_("To the questions about the texts. 0 flags nobody. Flagged sessions are never excluded by this."),
    )
    break_every = forms.IntegerField(
        label=_("Break after every … texts"),
        initial=24,
        min_value=0,
        max_value=1_000,
        help_text=_("0 means no breaks. There is none after the last text."),
    )


class SelfPacedReading(Paradigm):
    """Texts read region by region; see the module."""

    slug = "self-paced-reading"
    label = "Self-paced reading"
    summary = (
        "Participants press the space bar to see the next word or region of a text; the time that each one stays is "
        "its reading time. Questions about the texts can follow."
    )
    settings_form = SelfPacedSettings
    responses = {PLUGIN: SelfPaced, **SHARED_RESPONSES}
    requirements = ("keyboard",)
    seconds_per_trial = 9.0
    stimulus_columns = (
        StimulusColumn("regions", "The text with | between its regions, where the marks are not in the text itself."),
        StimulusColumn("critical_region", "Number of the region that analyses look at, counted from 1."),
        *QUESTION_COLUMNS,
    )
    long_tables = (REGIONS,)
    measures = (
        Measure("n_regions", "integer", "Regions of the text.", "regions"),
        Measure("words", "integer", "Words of the text.", "words"),
        Measure("first_key_ms", "number", "From the onset of the covered text to the press that began it.", "ms"),
        Measure("total_ms", "number", "From the press that uncovered the first region to the last press.", "ms"),
        Measure("regions_flagged", "integer", "Regions that came up late; see regions.csv.", "regions"),
        Measure("touches", "integer", "Taps and clicks on the text, which uncover nothing.", "taps"),
        *QUESTION_MEASURES,
        Measure("break_ms", "number", "Breaks only: how long the break took.", "ms"),
    )

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return what is wrong with the question and the critical region of a row."""
        faults = question_faults(extra)
        critical = str(extra.get("critical_region", "")).strip()
        if critical and not (critical.isdecimal() and int(critical) > 0):
            faults.append(("critical_region", "The critical region is a number: 1 for the first region."))
        return faults

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        marks = _marks(text, extra)
        faults = [
            fault.replace("an area", "a region").replace("area", "region")
            for fault in area_faults(text, unit=settings["unit"], **marks)
        ]
        critical = _critical(extra)
        if not faults and critical is not None:
            n_regions = len(areas_of(text, unit=settings["unit"], **marks))
            if critical > n_regions:
                faults.append(f"The critical region is {critical}, but the text has {n_regions} regions.")
        return faults

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        n_practice = sum(stimulus.is_practice for stimulus in shown)
        n_main = len(shown) - n_practice
        trials: list[TrialPlan] = []
        practised = done = 0
        for stimulus in shown:
            if stimulus.is_practice:
                practised += 1
                trials.append(_reading(stimulus, settings, rng, index=practised, total=n_practice))
                continue
            done += 1
            trials.append(_reading(stimulus, settings, rng, index=done, total=n_main))
            trials += break_after(done, of=n_main, every=settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the declared measures of one response; those that a trial does not have are left out."""
        if "presses" not in payload:
            return measured_break(payload)
        rows = region_rows(params, payload)
        return {
            "n_regions": len(rows),
            "words": sum(row["words"] for row in rows),
            "first_key_ms": payload["first_key_ms"],
            "total_ms": payload["presses"][-1],
            "regions_flagged": sum(row["display_flagged"] for row in rows),
            "touches": payload["touches"],
            **question_measures(params, payload["question"]),
        }

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the reading times of one text; no other trial has any."""
        return region_rows(params, payload) if table == REGIONS.name and "presses" in payload else []

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = [
            (params, payload) for plugin, params, payload in answered if plugin == PLUGIN and params["kind"] == "target"
        ]
        times = [row["rt_ms"] for params, payload in main for row in region_rows(params, payload)]
        right = [
            correct
            for params, payload in main
            if (correct := question_measures(params, payload["question"]).get("question_correct")) is not None
        ]
        return {
            "comprehension": sum(right) / len(right) if right else None,
            "median_region_ms": median(times) if times else None,
            "fast_regions_share": sum(time < FAST_MS for time in times) / len(times) if times else None,
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure("comprehension", "number", "Share of right answers to the questions about targets and fillers."),
            Measure("median_region_ms", "number", "Median reading time of the regions of targets and fillers.", "ms"),
            Measure("fast_regions_share", "number", f"Share of regions that were left within {FAST_MS} ms."),
        )

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        least, comprehension = settings.get("comprehension_threshold") or 0, quality.get("comprehension")
        if least and comprehension is not None and 100 * comprehension < least:
            return [f"fewer than {least} % of the questions about the texts were answered rightly"]
        return []

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Return the reading times of the regions around the critical one by condition, by ANOVA and mixed models,
        and of whole texts."""
        if not factors:
            return []
        within = ",".join(factors)
        region = mixed_formula("log(rt_ms)", factors, covariates=["characters"])
        times = {"dv": "rt_ms", "within": within, "where": "from_critical = 0"}
        around = {
            "dv": "rt_ms",
            "within": f"{within},from_critical",
            "where": "from_critical >= -1 and from_critical <= 2",
            "unit": "participant",
        }
        return [
            SuggestedAnalysis("rm-anova", "Regions around the critical one, by condition", around, table="regions"),
            SuggestedAnalysis(
                "rm-anova", "Critical region: ANOVA by participants", {**times, "unit": "participant"}, table="regions"
            ),
            SuggestedAnalysis(
                "rm-anova", "Critical region: ANOVA by items", {**times, "unit": "item"}, table="regions"
            ),
            SuggestedAnalysis(
                "lmm",
                "Critical region: mixed model of log reading times",
                {"formula": region, "where": "from_critical = 0"},
                table="regions",
            ),
            SuggestedAnalysis(
                "lmm",
                "The region after it: mixed model of log reading times",
                {"formula": region, "where": "from_critical = 1"},
                table="regions",
            ),
            SuggestedAnalysis(
                "lmm",
                "Whole texts: mixed model of log reading times",
                {"formula": mixed_formula("log(total_ms)", factors, covariates=["words"])},
            ),
        ]

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return SelfPacedParticipant(rng)


def _reading(
    stimulus: ShownStimulus, settings: Mapping[str, Any], rng: random.Random, *, index: int, total: int
) -> TrialPlan:
    question, private = planned_question(stimulus.extra, rng)
    params = {
        "kind": "practice" if stimulus.is_practice else "target",
        "text": without_marks(stimulus.text),
        "regions": _regions(stimulus.text, stimulus.extra, settings["unit"]),
        "critical_region": _critical(stimulus.extra),
        "window": settings["window"],
        "question": question,
        "index": index,
        "total": total,
    }
    return TrialPlan("practice" if stimulus.is_practice else "main", PLUGIN, params, stimulus.stimulus_id, private)


def _marks(text: str, extra: Mapping[str, Any]) -> dict[str, str]:
    """Return the marked text for `areas_of`; in a script without spaces its regions are its words too."""
    marked = str(extra.get("regions", "") or "")
    try:
        count_words(without_marks(text))
    except NeedsRegions:
        return {"marked": marked, "regions": marked or (text if "|" in text else "")}
    return {"marked": marked, "regions": ""}


def _regions(text: str, extra: Mapping[str, Any], unit: str) -> list[dict[str, Any]]:
    """Return the regions of a text with what stands before each in the text itself, not in the column of marks."""
    shown, place = without_marks(text), 0
    regions = []
    for area in areas_of(text, unit=unit, **_marks(text, extra)):
        before = area.before
        if extra.get("regions"):
            gap = len(shown[place:]) - len(shown[place:].lstrip())
            before = shown[place : place + gap][:1]
            place += gap + len(area.text)
        regions.append({"text": area.text, "words": area.words, "before": before})
    return regions


def _critical(extra: Mapping[str, Any]) -> int | None:
    critical = str(extra.get("critical_region", "") or "").strip()
    return int(critical) if critical.isdecimal() else None
