"""What a paradigm is: one class in one file here, and one plugin in the browser.

A paradigm declares the columns it needs, its settings, the trials it makes, how responses are checked, which measures
they yield and which analyses suggest themselves. Adding one needs no migration, model, view, admin class or task.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from django import forms
from rest_framework import serializers

MeasureType = Literal["number", "integer", "text", "boolean"]


@dataclass(frozen=True)
class ShownStimulus:
    """A stimulus as `timeline` gets it, in the order in which it is to be shown.

    `item` is the code of its item, `condition` the name of its condition; None for fillers and practice texts.
    """

    stimulus_id: int
    text: str
    is_filler: bool = False
    is_practice: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    item: str = ""
    condition: str | None = None


@dataclass(frozen=True)
class TrialPlan:
    """One trial to be: `params` goes to the browser as it is, `private` never does.

    `phase` is one of questions, instructions, training, modulus, practice, main, break, debriefing.
    """

    phase: str
    plugin: str
    params: Mapping[str, Any]
    stimulus_id: int | None = None
    private: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """One column that a paradigm adds to `trials.csv`; becomes a line of the codebook."""

    name: str
    type: MeasureType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class LongTable:
    """A table with any number of rows per trial, such as visits; becomes `<name>.csv` and a part of the codebook.

    Its columns follow those that say which trial a row belongs to.
    """

    name: str
    description: str
    columns: tuple[Measure, ...]


@dataclass(frozen=True)
class DefaultErrorCode:
    """One code of the scheme with which people code a measure; a study starts with these and may change them."""

    code: str
    description: str
    weight: float
    is_exclusive: bool


@dataclass(frozen=True)
class SuggestedAnalysis:
    """An analysis offered by one click on the study page, on one of the study's tables."""

    method: str
    title: str
    params: Mapping[str, Any]
    table: str = "trials"


@dataclass(frozen=True)
class StimulusColumn:
    """A column of the materials beyond item, text and the factors that the paradigm reads into `Stimulus.extra`."""

    name: str
    description: str
    required: bool = False


class VirtualParticipant:
    """A simulated participant of a paradigm: answers one trial at a time, with its own habits and known effects."""

    def respond(
        self,
        plugin: str,
        params: Mapping[str, Any],
        *,
        levels: Mapping[str, str],
        item: str,
        carried: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return the payload for one trial. `levels` is empty for trials without a condition.

        `params` holds the private part of the trial too: a person knows from the text which answer is right.
        """
        raise NotImplementedError

    def response_ms(self, plugin: str, payload: Mapping[str, Any]) -> float:
        """Return the time from onset to submission that goes with a payload of `respond`, in milliseconds."""
        raise NotImplementedError


class Paradigm:
    """Base class of all paradigms. Subclasses are stateless; everything they need comes as an argument."""

    slug: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    stimulus_columns: ClassVar[tuple[StimulusColumn, ...]] = ()
    settings_form: ClassVar[type[forms.Form]]
    responses: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]]
    measures: ClassVar[tuple[Measure, ...]]
    # What the check before consent asks for beyond a browser: "keyboard" (a real one), "pointer",
    # "pointer-or-keys" (arrow keys will do as well), "wide-window".
    requirements: ClassVar[tuple[str, ...]] = ()
    # What one trial takes until it has been measured, for the estimate on the procedure page.
    seconds_per_trial: ClassVar[float]
    long_tables: ClassVar[tuple[LongTable, ...]] = ()
    # The text measure that people code, and the codes that a new study begins with; empty where nothing is coded.
    # It must follow from payload and parameters alone: neither what is private nor events are read for coding.
    coded_measure: ClassVar[str] = ""
    default_error_codes: ClassVar[tuple[DefaultErrorCode, ...]] = ()

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures of a study with these settings: `measures`, unless the settings name some. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.measures

    def judgements_of(self, settings: Mapping[str, Any]) -> Mapping[str, bool]:
        """Return the measures that are judgements of a text, and whether their numbers are ratios. Pure.

        Where the materials have metrics, the study page suggests to compare them with each of these.
        """
        return {}

    def visit_measures(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures that the analysis computes from the long table `visits`, by the names it has for them.

        They become columns of `trials.csv` after those of `measures_of`. Pure.
        """
        return ()

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what the check before consent asks for in a study with these settings. Pure."""
        return self.requirements

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each thing that keeps a text from being shown with these settings. Pure."""
        return []

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        """Return the paradigm's trials, training and breaks included, for stimuli in their order. Pure."""
        raise NotImplementedError

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the declared measures of one response. Pure.

        `params` holds the private part of the trial too, and `events` all events that came with the response, in order:
        in exports, for the rules of the plan, on the pages and in the preview.
        """
        raise NotImplementedError

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the rows of one response in one of `long_tables`, in order, by the names of its columns. Pure."""
        return []

    def replay(self, params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what a page needs to show again which areas of a text were open when; None where none were. Pure.

        Keys: `areas` (each with `text` and what is `before` it), `in_bands`, `visits` (each with `aoi`, `enter_ms`,
        `leave_ms`, `shown` and `left_by`, in order), `pauses` (from, until) and `finished_ms`.
        """
        return None

    def carried(self, answered: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
        """Return what later trials need of earlier answers, given (plugin, payload) pairs in order. Pure."""
        return {}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        """Return quality measures of one session from (plugin, params, payload) triples. Pure."""
        return {}

    def quality_measures(self) -> tuple[Measure, ...]:
        """Return the declaration of what `quality` yields; becomes columns of `participants.csv`."""
        return ()

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each thing in the quality of a session that these settings call too low. Pure.

        `quality` is what `quality` returned. The sentences are the same for all sessions they hold of. Sessions are
        flagged, never excluded.
        """
        return []

    @property
    def has_quality_flags(self) -> bool:
        """Whether the paradigm can flag a session at all."""
        return type(self).quality_flags is not Paradigm.quality_flags

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether something answered within a trial is right, as feedback while the trial goes on. Pure.

        Raises LookupError where the trial gives no feedback, or has nothing of the kind that is asked about.
        """
        raise LookupError("This trial gives no feedback.")

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return (column, sentence) for each fault of one row of the materials that only the paradigm knows. Pure."""
        return []

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return (column, sentence) for what in one row of the materials is odd, and may be meant. Pure."""
        return []

    def opening_faults(self, settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each setting without which the study cannot open. Pure."""
        return []

    def opening_warnings(self, settings: Mapping[str, Any], *, conditions: str) -> list[str]:
        """Return one sentence for each setting that may not be meant. `conditions`: `one` or `all` of an item. Pure."""
        return []

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Return the analyses that the study page offers first."""
        return []

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        """Return the suggestions for a study with these settings: the usual ones, unless the settings name measures."""
        return self.suggested_analyses(factors)

    def suggestions(
        self, factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
    ) -> list[SuggestedAnalysis]:
        """Return what the study page offers first, given the factors with their levels in the order of the materials.

        Only what depends on levels or on fillers needs this; the rest is said by `suggested_analyses_of`.
        """
        return self.suggested_analyses_of(list(factors), settings)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        """Return a simulated participant with habits drawn from `rng`."""
        raise NotImplementedError
