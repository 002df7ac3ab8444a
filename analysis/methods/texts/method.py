"""The method `text-profile`: length, readability, frequency and surprisal of texts, and whether conditions match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.rows.repeats import COUNTED_AGAIN, MEASURED_ONCE
from analysis.methods.texts.comparisons import comparisons, levels_of
from analysis.methods.texts.example import example
from analysis.methods.texts.matching import DIFFERENCES, MATCHING, WITHIN_LISTS, WORST
from analysis.methods.texts.matching_bounds import DEFAULT_BOUNDS, DEFAULT_D, bounds_of
from analysis.methods.texts.matching_wording import equal_notes, matching_sentences, matching_warnings, method_note
from analysis.methods.texts.measures import (
    AUTO,
    MEASURES,
    TEXTS,
    Ways,
    constant,
    constant_note,
    measured,
    repeated,
    undefined,
    ways,
)
from analysis.methods.texts.rows import TextRows, text_rows, with_phase
from analysis.methods.texts.tables import (
    IMPLEMENTATIONS,
    PROFILE,
    SYSTEMS,
    difference_rows,
    figures,
    implementation_rows,
    implementation_sentences,
    profile_rows,
    profile_sentences,
    system_figures,
    system_rows,
    system_sentences,
)
from analysis.methods.wording import listed
from analysis.text import syllables

CONDITIONS, SYSTEMS_ALONE = "conditions", "systems"
MANY_LEVELS = 6
COUNTERS = (AUTO, *syllables.COUNTERS, syllables.HYPHENATION)


def text_profile(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    source: str | None = None,
    item: str | None = "item",
    condition: Sequence[str] = ("condition",),
    purpose: str = CONDITIONS,
    list: str | None = "list",  # noqa: A002 - the role is called so everywhere
    language: str = "en",
    tokens: str = AUTO,
    counter: str = AUTO,
    model: Any = None,
    norms: Any = None,
    norms_column: str | None = None,
    bound: float = DEFAULT_D,
    bounds: str | None = DEFAULT_BOUNDS,
    confidence: float = 0.95,
    farthest: int = 5,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Measure every text, and ask whether conditions and lists are matched.

    Where the data have a column of participants or lists, as `trials.csv` has, a text is measured once however often
    it was shown; otherwise every row is a text. Rows without a text have none.

    With `purpose=systems` the levels of the conditions are systems whose outputs are described: a table of them comes
    first, and nothing is said on matching.

    Raises BadInput where there is no text, the language or the model cannot be used, or a number is out of range.

    >>> frame, parameters = example()
    >>> print(text_profile(frame, **parameters).sentences[0])
    8 texts: 6.88 words per sentence and 1.40 syllables per word, hence FKGL 3.61; 0 of 8 are split.
    """
    limits = bounds_of(bounds, d=bound, measures=tuple(MEASURES))
    _check(confidence=confidence, farthest=farthest)
    name = required(frame, text, role="text")
    known = tuple(column for column in condition if column in frame.columns)
    list_column = list if list in frame.columns else None
    frame = with_phase(frame)
    chosen = rows.select(frame, used=[name, source, item, *known, list_column], where=where, keep=keep)
    given = text_rows(chosen.frame, text=name, source=source, item=item, conditions=known, list_column=list_column)
    by, notes, warnings = ways(
        given.texts,
        language=language,
        given_as=tokens,
        counter=counter,
        model=model,
        norms=norms,
        norms_column=norms_column,
    )
    table = measured(given.texts, given.sources, by=by, progress=progress)
    warnings += undefined(table, MEASURES)
    measures = [measure for measure in MEASURES if measure in table and table[measure].notna().any()]
    same = constant(table, measures)
    compare = [measure for measure in measures if measure not in same and measure not in repeated(table)]
    if purpose == SYSTEMS_ALONE:
        return _of_systems(
            given, table, by, factors=known, notes=[*chosen.notes, *given.notes, *notes],
            warnings=[*_without_copies(chosen.warnings, given), *given.warnings, *warnings], progress=progress,
        )  # fmt: skip
    progress(0.8, "comparing conditions")
    levels, too_many = levels_of(given)
    warnings += too_many
    lines, away = comparisons(given, table, compare, levels, bounds=limits, alpha=1 - confidence, farthest=farthest)
    progress(0.9, "comparing implementations")
    profiles = profile_rows(table, given)
    others = implementation_rows(given.texts, by)
    overall = [line for line in lines if not line["list"]]
    within = [line for line in lines if line["list"]]
    drawn = difference_rows(overall)
    shown = pd.concat([given.about, table], axis=1)
    return Report(
        tables=(
            PROFILE.of(profiles),
            MATCHING.of(overall),
            *([WITHIN_LISTS.of(within)] if within else []),
            *([DIFFERENCES.of(drawn)] if drawn else []),
            WORST.of(away),
            IMPLEMENTATIONS.of(others),
            TEXTS.of(shown, levels={name: name for name in given.about if name != "text"}),
        ),
        figures=figures(drawn, known, by),
        notes=(
            *chosen.notes,
            *given.notes,
            *notes,
            *_hint_at_systems(levels),
            *(constant_note(same, table) if lines else []),
            *method_note(lines, limits.told(compare, MEASURES), confidence=confidence),
            *equal_notes(overall),
        ),
        warnings=(
            *_without_copies(chosen.warnings, given),
            *given.warnings,
            *warnings,
            *matching_warnings(lines, away),
        ),
        sentences=(
            *profile_sentences(profiles, by),
            *matching_sentences(overall, confidence=confidence),
            *implementation_sentences(others, by),
        ),
    )


def _of_systems(
    given: TextRows,
    table: pd.DataFrame,
    by: Ways,
    *,
    factors: Sequence[str],
    notes: Sequence[str],
    warnings: Sequence[str],
    progress: Progress,
) -> Report:
    """Return the report on systems: what their texts are like, and nothing on matching."""
    if not factors:
        raise BadInput("purpose=systems needs the column of the systems; name it with condition=…")
    progress(0.9, "comparing implementations")
    profiles = profile_rows(table, given)
    lines, others = system_rows(profiles), implementation_rows(given.texts, by)
    name = factors[0] if len(factors) == 1 else "system"
    shown = pd.concat([given.about, table], axis=1)
    return Report(
        tables=(
            SYSTEMS.of(lines, factor=listed(factors)),
            IMPLEMENTATIONS.of(others),
            TEXTS.of(shown, levels={name: name for name in given.about if name != "text"}),
        ),
        figures=system_figures(name),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=(
            *system_sentences(lines, by),
            *profile_sentences(profiles, by),
            *implementation_sentences(others, by),
        ),
    )


def _hint_at_systems(levels: Mapping[str, Sequence[str]]) -> list[str]:
    """Say how systems are described, where conditions look like some."""
    many = [name for name, entries in levels.items() if len(entries) >= MANY_LEVELS or name.casefold() == "system"]
    if not many:
        return []
    return [
        f"Where the levels of {listed(many)} are systems whose outputs are described, and not conditions of an "
        f"experiment, purpose={SYSTEMS_ALONE} gives a table of them and leaves matching out."
    ]


def _check(*, confidence: float, farthest: int) -> None:
    if not 0.5 < confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    if not 0 <= farthest <= 1000:
        raise BadInput(f"farthest is the number of items that are named, such as 5; {farthest} cannot be.")


def _without_copies(warnings: Sequence[str], given: TextRows) -> list[str]:
    # A text that comes up in many rows is measured once, so copies of rows do no harm there.
    return [warning.replace(COUNTED_AGAIN, MEASURED_ONCE) if given.taken_once else warning for warning in warnings]


METHOD = declared(
    "text-profile",
    "Profile of texts",
    "Length, syllables, readability and word frequency of the texts, and whether conditions are matched.",
    text_profile,
    Parameter("source", "Source", "column", help="The text that it was made from, if there is one."),
    Parameter(
        "condition",
        "Conditions",
        "columns",
        help="Factors whose levels should be matched.",
        default="condition",
        role="factor",
        also=("factors", "factor", "by"),
    ),
    Parameter(
        "purpose",
        "Purpose",
        "choice",
        help="conditions: are the conditions matched? systems: what are the outputs of systems like?",
        choices=(CONDITIONS, SYSTEMS_ALONE),
    ),
    Parameter("list", "List", "column", help="The list on which the text is shown."),
    Parameter("language", "Language", "text", help="Code of the language, such as en or de."),
    Parameter(
        "tokens",
        "The texts are",
        "choice",
        help="print, or tokenised with blanks around punctuation; auto: detected from the texts.",
        choices=(AUTO, "print", "tokenised"),
    ),
    Parameter(
        "counter",
        "Syllables",
        "choice",
        help=(
            "How syllables are counted; auto uses a pronouncing dictionary for English and hyphenation for "
            "other languages."
        ),
        choices=COUNTERS,
    ),
    Parameter("model", "Language model", "file", help="An n-gram model in the ARPA format, for surprisal."),
    Parameter("norms", "List of norms", "file", help="Words with a number: a frequency or your own norm."),
    Parameter("norms_column", "Column of the list", "text", help="Needed if it is not the first column with numbers."),
    Parameter(
        "bound",
        "Bound of equivalence",
        "number",
        help=(
            "A difference below this number of standard deviations does not matter, unless the bounds of single "
            "measures say something else."
        ),
    ),
    Parameter(
        "bounds",
        "Bounds of single measures",
        "text",
        help="In per cent (words:5%), the unit of the measure (zipf:0.1) or standard deviations (words:0.2d).",
    ),
    Parameter("confidence", "Confidence level", "number", help="1 − α of the tests."),
    Parameter("farthest", "Items named", "integer", help="The number of items that are named for each difference."),
    group="texts",
    question=("How long and how difficult are the texts?",),
    needs=("texts",),
    example=example,
    tables=(PROFILE, SYSTEMS, MATCHING, WITHIN_LISTS, DIFFERENCES, WORST, IMPLEMENTATIONS, TEXTS),
)
