"""Base class of paradigms: one class in one file here, and one plugin in the browser.

A paradigm declares its columns of the materials, its settings, its trials, how responses are validated, which measures
they yield and which analyses it suggests. Adding one needs no migration, model, view, admin class or task.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from experiments.design.together import TogetherDesign
from experiments.formats.media_names import is_media_name, parts_of
from experiments.formats.text_looks import COLOUR, SIZE
from experiments.paradigms.declarations import (
    DefaultErrorCode,
    DesignOfTask,
    Interval,
    LongTable,
    Measure,
    MediaKind,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    alt_column,
    shown_kind,
)
from experiments.sentences import Sentence

if TYPE_CHECKING:
    from rest_framework import serializers

# All that a paradigm needs, here or in a package.
__all__ = [
    "VARIANT",
    "DefaultErrorCode",
    "DesignOfTask",
    "Interval",
    "LongTable",
    "Measure",
    "MediaKind",
    "Paradigm",
    "ShownStimulus",
    "StimulusColumn",
    "SuggestedAnalysis",
    "TaskSentences",
    "TrialPlan",
    "VirtualParticipant",
    "alt_column",
    "shown_kind",
]

# The quality measure of paradigms that count presses before the onset of what they would have answered.
EARLY_PRESSES_TOTAL = "early_presses_total"
FEW_EARLY_PRESSES = 10
PRESSED_EARLY = Sentence(
    "pressed more than {number} times before the text or picture to answer appeared", number=FEW_EARLY_PRESSES
)

_WHAT: Mapping[MediaKind, str] = {"image": "picture", "audio": "sound", "video": "video"}
_LOOKS = (
    StimulusColumn(COLOUR, "The colour of the text: an English name or #rrggbb.", may_be_factor=True),
    StimulusColumn(SIZE, "The size of the text relative to its usual size, such as 1.5.", may_be_factor=True),
)

# The key of `settings` under which `timeline` finds the session's variant, from 0, if the paradigm has several.
VARIANT = "variant"


class VirtualParticipant:
    """A simulated participant of a paradigm: answers trial by trial, with individual habits and known effects."""

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

        `params` includes the private part of the trial: a person knows from the text which answer is right.
        """
        raise NotImplementedError

    def response_ms(self, plugin: str, payload: Mapping[str, Any]) -> float:
        """Return the time from onset to submission that goes with a payload of `respond`, in milliseconds."""
        raise NotImplementedError


class Paradigm:
    """Base class of all paradigms. Subclasses are stateless; everything they need is passed as an argument."""

    slug: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    stimulus_columns: ClassVar[tuple[StimulusColumn, ...]] = ()
    # Columns of the materials that name files, and their kind; without any, the paradigm shows no pictures or sounds.
    # `pieces.media` has the columns `image` and `audio`, and what else a paradigm needs to show them.
    media_columns: ClassVar[Mapping[str, MediaKind]] = {}
    # Those of them whose cells may name several files, separated by ||, shown next to those of the row itself.
    media_lists: ClassVar[frozenset[str]] = frozenset()
    # Columns, and settings of these names, that hold a text or the name of a file of any kind: `timeline` finds those
    # of cells in `ShownStimulus.media`, and those of settings in `settings["media"]` by the setting's name.
    text_or_file: ClassVar[frozenset[str]] = frozenset()
    # Whether a trial shows one text, whose colour and size may be columns of the materials.
    has_looks: ClassVar[bool] = False
    # Settings that name files. `timeline` finds what the browser needs of them in `settings["media"]`, by file name.
    media_settings: ClassVar[Mapping[str, MediaKind]] = {}
    settings_form: ClassVar[type[forms.Form]]
    # Default settings by language: texts that participants read, if any.
    first_settings: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    responses: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]]
    measures: ClassVar[tuple[Measure, ...]]
    # Further measures of studies whose materials name files of a kind.
    measures_of_media: ClassVar[Mapping[MediaKind, tuple[Measure, ...]]] = {}
    # For paradigms of installed packages: plugin → file in the package that holds its browser module.
    browser_modules: ClassVar[Mapping[str, str]] = {}
    # Device requirements checked before consent: "keyboard" (a physical one), "pointer",
    # "pointer-or-keys" (arrow keys are enough), "wide-window".
    requirements: ClassVar[tuple[str, ...]] = ()
    # Estimated duration of one trial until it has been measured, for the procedure page.
    seconds_per_trial: ClassVar[float]
    long_tables: ClassVar[tuple[LongTable, ...]] = ()
    # The text measure that people code, and the default codes of a new study; empty if nothing is coded.
    # It must follow from payload and parameters alone: neither what is private nor events are read for coding.
    coded_measure: ClassVar[str] = ""
    default_error_codes: ClassVar[tuple[DefaultErrorCode, ...]] = ()
    # Settings in which tasks may differ that analyses take as one (`pool`): none of them changes what is measured.
    may_differ_in_pools: ClassVar[frozenset[str]] = frozenset(
        {"break_every", "full_screen", "sound", "sound_check", "headphones_check", "feedback_in_practice"}
    )
    # The measure of `quality` with the share of right answers, of which breaks can tell; empty if none can be right.
    right_share: ClassVar[str] = ""
    # Whether a trial shows several stimuli of an item; its row in `trials.csv` then has no single condition.
    shows_several: ClassVar[bool] = False

    def complete_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings with the defaults of the form for what they leave out."""
        defaults = {
            name: declared.initial if declared.initial is not None else ""
            for name, declared in self.settings_form.base_fields.items()
        }
        return {**defaults, **settings}

    def intervals_of(self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[Interval]:
        """Return the SOA, ISI and ITI that follow from complete settings and from durations of the stimuli. Pure."""
        return []

    def settings_of_new_task(self, language: str) -> dict[str, Any]:
        """Return the settings that a new task of a study in this language begins with; by default `first_settings`."""
        return dict(self.first_settings.get(language, {}))

    def facts_for_texts(self, settings: Mapping[str, Any], key_name: Callable[[str], str]) -> dict[str, Any]:
        """Return what the default texts of a study may say beside the settings themselves. Pure.

        `settings` are complete; `key_name` says what a key is called in the language of the text.
        """
        return {}

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        """Return which sentences of the standard texts hold of a task with these settings. Pure.

        `settings` are complete; `shown` names what the materials have: `pictures`, `sounds` and `comprehension` (texts
        with a question).
        """
        return TaskSentences()

    def coded_measure_of(self, settings: Mapping[str, Any]) -> str:
        """Return the measure that people code in a study with these settings; empty if there is none. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.coded_measure

    @property
    def all_stimulus_columns(self) -> tuple[StimulusColumn, ...]:
        """The columns that the paradigm reads, including those of media and of alternative texts."""
        columns = list(self.stimulus_columns)
        columns += _LOOKS if self.has_looks else ()
        for name, kind in self.media_columns.items():
            what = _WHAT[kind]
            several = " Separate several by ||." if name in self.media_lists else ""
            said = f"Name of a {what} file. Upload the file separately.{several}"
            columns.append(StimulusColumn(name, said))
            if kind == "image":
                said = f"What the picture shows, for people who cannot see it.{several}"
                columns.append(StimulusColumn(alt_column(name), said))
        return tuple(columns)

    @property
    def own_media_columns(self) -> tuple[str, ...]:
        """The media columns of the row itself: if one of them is filled, the text may be empty."""
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
        for column in sorted(self.text_or_file):
            cell = str(extra.get(column) or "").strip()
            if is_media_name(cell):
                named[column] = (cell, "")
        return named

    def kinds_of(self, column: str) -> tuple[MediaKind, ...]:
        """Return the kinds of files that a column or a setting may name. Pure."""
        kind = {**self.media_settings, **self.media_columns}.get(column)
        return tuple(_WHAT) if kind is None else (kind,)

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures of a study with these settings; by default `measures`. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.measures

    def long_tables_of(self, settings: Mapping[str, Any]) -> tuple[LongTable, ...]:
        """Return the long tables of a study with these settings; by default `long_tables`. Pure.

        `settings` may be those of a draft: incomplete, or empty.
        """
        return self.long_tables

    def judgements_of(self, settings: Mapping[str, Any]) -> Mapping[str, bool]:
        """Return the measures that are judgements of a text, and whether their numbers are ratios. Pure.

        If the materials have metrics, the study page suggests comparing them with each of these.
        """
        return {}

    def visit_measures(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        """Return the measures that the analysis computes from the long table `visits`, by the analysis' own names.

        They become columns of `trials.csv` after those of `measures_of`. Pure.
        """
        return ()

    def requirements_of(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the device requirements of a study with these settings, which are checked before consent. Pure."""
        return self.requirements

    def variants_of(self, settings: Mapping[str, Any]) -> int:
        """Return the number of variants of a session on each list, such as mappings of keys to answers. Pure.

        A session's variant is `seed mod variants`; seeds are chosen so that variants are balanced within every list
        (`participants.session.variants`). `timeline` finds the session's variant in `settings[VARIANT]`.
        """
        return 1

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each reason why a text cannot be shown with these settings. Pure."""
        return []

    def together_design(self, n_conditions: int, settings: Mapping[str, Any]) -> TogetherDesign | None:
        """Return the design for showing conditions of an item together in a trial; None if each text has its own trial.
        Pure.

        With such a design, the lists are its lists, each with every text of its items; `together` decides which of them
        a session shows. `settings` may be incomplete. Raises ValueError if that many conditions cannot be shown in this
        way; `design_faults` gives the reason.
        """
        return None

    def together_words(self, n_conditions: int, settings: Mapping[str, Any]) -> list[str]:
        """Return sentences that describe `together_design` on the design page. Pure."""
        return []

    def together(
        self,
        stimuli: Sequence[ShownStimulus],
        settings: Mapping[str, Any],
        rng: random.Random,
        earlier: Sequence[Mapping[str, Any]],
    ) -> list[ShownStimulus]:
        """Return one stimulus for each trial of a session, before ordering. Pure.

        `stimuli` are those of its list in the order of the materials, with fillers and practice. Stimuli that share a
        trial become one entry: the first of them, with all of them in `group`. `earlier` are the measures of other
        sessions if `learns_from_answers`. By default every stimulus has its own trial.
        """
        return list(stimuli)

    def learns_from_answers(self, settings: Mapping[str, Any]) -> bool:
        """Return whether what a session shows depends on the answers of earlier sessions. Pure."""
        return False

    def arrangement_faults(self, settings: Mapping[str, Any], arranged: Sequence[str]) -> list[str]:
        """Return one sentence for each reason why the paradigm cannot keep the rules of an arrangement.

        `arranged` are those that the procedure sets, of `rules.procedure.ARRANGING`. Pure.
        """
        return []

    def design_faults(self, stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each reason why these materials cannot be shown with these settings. Pure.

        `stimuli` are all of the study, in the order of the materials.
        """
        return []

    def shown_text(self, params: Mapping[str, Any]) -> str:
        """Return the text of a trial as it was shown, for exports and pages; empty if it shows none. Pure."""
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
        """Return the declared measures of one response; measures that do not apply to the trial may be missing. Pure.

        `params` includes the private part of the trial, and `events` all events sent with the response, in order: for
        exports, exclusion rules, pages and the preview.
        """
        raise NotImplementedError

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the rows of one response in one of `long_tables_of`, in order, as dicts by column. Pure."""
        return []

    def stimuli_of_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any]
    ) -> Sequence[int | None] | None:
        """Return the key of the stimulus of each row of `long_rows`; None if all rows belong to the trial's own
        stimulus.

        Pure.
        """
        return None

    def replay(self, params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what a page needs to replay which areas of a text were visible when; None if the trial had no areas.
        Pure.

        Keys: `areas` (each with `text` and what is `before` it), `in_bands`, `visits` (each with `aoi`, `enter_ms`,
        `leave_ms`, `shown` and `left_by`, in order), `pauses` (from, until) and `finished_ms`.
        """
        return None

    def carried(self, answered: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
        """Return the values that later trials need from earlier answers, given (plugin, payload) pairs in order.
        Pure.
        """
        return {}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        """Return quality measures of one session from (plugin, params, payload) triples. Pure."""
        return {}

    def share_right(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> float | None:
        """Return the share of right answers in these trials, practice trials or others; None where none can be right.

        Pure. `answered` as in `quality`.
        """
        if not self.right_share:
            return None
        counted = [(plugin, {**params, "kind": "target"}, payload) for plugin, params, payload in answered]
        share: float | None = self.quality(counted)[self.right_share]
        return share

    def gives_share_right(self, settings: Mapping[str, Any]) -> bool:
        """Return whether answers can be right or wrong with these settings. Pure."""
        return bool(self.right_share)

    def quality_measures(self) -> tuple[Measure, ...]:
        """Return the declared measures of `quality`, which become columns of `participants.csv`."""
        return ()

    def quality_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each quality measure of a session that is below the threshold in the settings. Pure.

        `quality` is the return value of `quality`. The same reason gives the same sentence for every session. Sessions
        are flagged, never excluded. Early presses need no sentence here: see `session_flags`.
        """
        return []

    def session_flags(self, quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return the quality flags of one session: those of the paradigm, and that of early presses where it has them.

        Pure. Keys that bounce, and people who press before they have seen anything, are told by their early presses.
        """
        early = quality.get(EARLY_PRESSES_TOTAL)
        flags = self.quality_flags(quality, settings)
        return [*flags, PRESSED_EARLY] if early is not None and early > FEW_EARLY_PRESSES else flags

    @property
    def has_quality_flags(self) -> bool:
        """Whether the paradigm can flag a session at all."""
        is_counted = any(measure.name == EARLY_PRESSES_TOTAL for measure in self.quality_measures())
        return is_counted or type(self).quality_flags is not Paradigm.quality_flags

    def check(self, params: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
        """Return whether an answer within a trial is correct, as feedback during the trial. Pure.

        Raises LookupError if the trial gives no feedback, or has no such question.
        """
        raise LookupError("This trial gives no feedback.")

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return (column, sentence) for each paradigm-specific fault of one row of the materials. Pure."""
        return []

    def stimulus_warnings(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return (column, sentence) for each unusual value of one row of the materials, which may be intended. Pure."""
        return []

    def timed_in_place(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        """Return the parts of a text that are timed one by one where they stand in it, with what is between them.

        Empty if no text stands on the page as a whole, or people scroll at their own pace. Pure.
        """
        return []

    def opening_faults(self, settings: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each missing or wrong setting that prevents the study from opening. Pure."""
        return []

    def opening_warnings(self, settings: Mapping[str, Any], *, conditions: str) -> list[str]:
        """Return one sentence for each setting that may be unintended. `conditions`: `one` or `all` of an item.
        Pure.
        """
        return []

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Return the analyses that the study page offers first."""
        return []

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        """Return the suggestions for a study with these settings; by default `suggested_analyses`."""
        return self.suggested_analyses(factors)

    def suggestions(
        self, factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
    ) -> list[SuggestedAnalysis]:
        """Return the analyses that the study page offers first, given the factors and their levels in the order of the
        materials.

        Override this only if suggestions depend on levels or fillers; otherwise `suggested_analyses_of` is enough.
        """
        return self.suggested_analyses_of(list(factors), settings)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        """Return a simulated participant with habits drawn from `rng`."""
        raise NotImplementedError
