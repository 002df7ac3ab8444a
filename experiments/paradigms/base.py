"""What a paradigm is: one class in one file here, and one plugin in the browser.

A paradigm declares the columns it needs, its settings, the trials it makes, how responses are checked, which measures
they yield and which analyses suggest themselves. Adding one needs no migration, model, view, admin class or task.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from experiments.design.together import TogetherDesign
from experiments.formats.media_names import parts_of
from experiments.paradigms.declarations import (
    DefaultErrorCode,
    LongTable,
    Measure,
    MediaKind,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TrialPlan,
    alt_column,
)

if TYPE_CHECKING:
    from rest_framework import serializers

# All that a paradigm needs, here or in a package.
__all__ = [
    "VARIANT",
    "DefaultErrorCode",
    "LongTable",
    "Measure",
    "MediaKind",
    "Paradigm",
    "ShownStimulus",
    "StimulusColumn",
    "SuggestedAnalysis",
    "TrialPlan",
    "VirtualParticipant",
    "alt_column",
]

# Under this name `timeline` finds the number of its variant, from 0, in the settings of a paradigm that has several.
VARIANT = "variant"


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
    # Columns of the materials that name files, and what kind; a paradigm without any shows neither pictures nor sounds.
    # `pieces.media` has the columns `image` and `audio`, and what else a paradigm needs to show them.
    media_columns: ClassVar[Mapping[str, MediaKind]] = {}
    # Those of them whose cells may name several files, separated by ||, which stand beside what the row itself shows.
    media_lists: ClassVar[frozenset[str]] = frozenset()
    # Settings that name files. `timeline` finds what the browser needs of them in `settings["media"]`, by their names.
    media_settings: ClassVar[Mapping[str, MediaKind]] = {}
    settings_form: ClassVar[type[forms.Form]]
    # By language, the settings with which a study in it begins: texts that participants read, where there are any.
    first_settings: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    responses: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]]
    measures: ClassVar[tuple[Measure, ...]]
    # Of paradigms in packages of their own: plugin → file in the package that holds its browser module.
    browser_modules: ClassVar[Mapping[str, str]] = {}
    # What the check before consent asks for beyond a browser: "keyboard" (a real one), "pointer",
    # "pointer-or-keys" (arrow keys will do as well), "wide-window".
    requirements: ClassVar[tuple[str, ...]] = ()
    # What one trial takes until it has been measured, for the estimate on the procedure page.
    seconds_per_trial: ClassVar[float]
    long_tables: ClassVar[tuple[LongTable, ...]] = ()
    # The text measure that people code, and the codes that a new study begins with; empty where nothing is ever coded.
    # It must follow from payload and parameters alone: neither what is private nor events are read for coding.
    coded_measure: ClassVar[str] = ""
    default_error_codes: ClassVar[tuple[DefaultErrorCode, ...]] = ()
    # Whether a trial shows several stimuli of an item; its row in `trials.csv` then has no condition of its own.
    shows_several: ClassVar[bool] = False

    def coded_measure_of(self, settings: Mapping[str, Any]) -> str:
        """Return the measure that people code in a study with these settings; empty where they code none. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.coded_measure

    @property
    def all_stimulus_columns(self) -> tuple[StimulusColumn, ...]:
        """The columns that the paradigm reads, those of pictures and sounds and of alternative texts included."""
        columns = list(self.stimulus_columns)
        for name, kind in self.media_columns.items():
            what = "picture" if kind == "image" else "sound"
            several = " Several are separated by ||." if name in self.media_lists else ""
            said = f"The name of the file with a {what}; the file is uploaded beside.{several}"
            columns.append(StimulusColumn(name, said))
            if kind == "image":
                said = f"What the picture shows, for people who cannot see it.{several}"
                columns.append(StimulusColumn(alt_column(name), said))
        return tuple(columns)

    @property
    def own_media_columns(self) -> tuple[str, ...]:
        """The columns with what a row itself shows or plays: beside one of them its text may be empty."""
        return tuple(name for name in self.media_columns if name not in self.media_lists)

    def media_names(self, extra: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Return the files that a row names by the keys of `ShownStimulus.media`, each with its alternative text. Pure.

        >>> paradigm = Paradigm()
        >>> paradigm.media_columns = {"image": "image"}
        >>> paradigm.media_names({"image": "dog.png", "alt": "A dog."})
        {'image': ('dog.png', 'A dog.')}
        """
        named = {}
        for column in self.media_columns:
            cell, alt = (str(extra.get(name) or "").strip() for name in (column, alt_column(column)))
            if column not in self.media_lists:
                if cell:
                    named[column] = (cell, alt)
                continue
            alts = parts_of(alt)
            for number, name in enumerate(parts_of(cell), start=1):
                if name:
                    named[f"{column} {number}"] = (name, alts[number - 1] if number <= len(alts) else "")
        return named

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures of a study with these settings: `measures`, unless the settings name some. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.measures

    def long_tables_of(self, settings: Mapping[str, Any]) -> tuple[LongTable, ...]:
        """Return the long tables of a study with these settings: `long_tables`, unless the settings ask for more. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.long_tables

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

    def variants_of(self, settings: Mapping[str, Any]) -> int:
        """Return how many variants of a session there are beside its list, such as mappings of keys to answers. Pure.

        A session has the variant `seed mod variants`; seeds are chosen so that variants are balanced within every list
        (`participants.session.variants`). `timeline` finds the number of its own in `settings[VARIANT]`.
        """
        return 1

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each thing that keeps a text from being shown with these settings. Pure."""
        return []

    def together_design(self, n_conditions: int, settings: Mapping[str, Any]) -> TogetherDesign | None:
        """Return which conditions of an item stand together in one trial; None where every text has its own. Pure.

        Where there is such a design, the lists are its lists, each with every text of its items, and what of them a
        session shows is decided by `together`. `settings` may be incomplete. Raises ValueError where so many conditions
        cannot be shown in this way; `design_faults` says it in words.
        """
        return None

    def together_words(self, n_conditions: int, settings: Mapping[str, Any]) -> list[str]:
        """Return what the page of the design says of `together_design`, a sentence each. Pure."""
        return []

    def together(
        self,
        stimuli: Sequence[ShownStimulus],
        settings: Mapping[str, Any],
        rng: random.Random,
        earlier: Sequence[Mapping[str, Any]],
    ) -> list[ShownStimulus]:
        """Return what the trials of a session are about, one entry each, before they are put in order. Pure.

        `stimuli` are those of its list in the order of the materials, with fillers and practice. What stands beside
        each other in one trial is one entry: its first stimulus with all of them in `group`. `earlier` are the measures
        of other sessions where `learns_from_answers`. Without it every stimulus has a trial of its own.
        """
        return list(stimuli)

    def learns_from_answers(self, settings: Mapping[str, Any]) -> bool:
        """Return whether what a session shows hangs on the answers of earlier ones. Pure."""
        return False

    def design_faults(self, stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each thing that keeps these materials from being shown with these settings. Pure.

        `stimuli` are all of the study, in the order of the materials.
        """
        return []

    def shown_text(self, params: Mapping[str, Any]) -> str:
        """Return the text of a trial as it was shown, for exports and pages; empty where it shows none. Pure."""
        text = params.get("text")
        return text if isinstance(text, str) else ""

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        """Return the paradigm's trials, training and breaks included, for stimuli in their order. Pure."""
        raise NotImplementedError

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the declared measures of one response; those that a trial does not have may be left out. Pure.

        `params` holds the private part of the trial too, and `events` all events that came with the response, in order:
        in exports, for the rules of the plan, on the pages and in the preview.
        """
        raise NotImplementedError

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the rows of one response in one of `long_tables_of`, in order, by the names of its columns. Pure."""
        return []

    def stimuli_of_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any]
    ) -> Sequence[int | None] | None:
        """Return of which stimulus each row of `long_rows` is, by its key; None where all are of the trial's own.

        Pure.
        """
        return None

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
