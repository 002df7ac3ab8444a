"""What the texts of a study are like: length, syllables, frequency, surprisal; and whether conditions are matched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.declarations import Example, Method, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Report, Table
from analysis.methods.roles import ITEM
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import in_order, required
from analysis.methods.rows.repeats import COUNTED_AGAIN, MEASURED_ONCE
from analysis.methods.texts.matching import COLUMNS as MATCHING_COLUMNS
from analysis.methods.texts.matching import (
    LIST,
    MOST_LEVELS,
    WORST_COLUMNS,
    Texts,
    compared,
    pairs,
    with_verdicts,
    worst,
)
from analysis.methods.texts.matching_bounds import DEFAULT_BOUNDS, DEFAULT_D, Bounds, bounds_of
from analysis.methods.texts.matching_wording import equal_notes, matching_sentences, matching_warnings
from analysis.methods.texts.measures import (
    AUTO,
    COLUMNS,
    MEASURES,
    NORM_COLUMNS,
    SURPRISAL_COLUMNS,
    constant,
    constant_note,
    measured,
    repeated,
    undefined,
    ways,
)
from analysis.methods.texts.rows import TextRows, text_rows, with_phase
from analysis.methods.texts.tables import (
    DIFFERENCE_COLUMNS,
    IMPLEMENTATION_COLUMNS,
    difference_rows,
    figures,
    implementation_rows,
    implementation_sentences,
    profile_columns,
    profile_rows,
    profile_sentences,
)
from analysis.methods.versions import text_versions
from analysis.methods.wording import listed, percent_text

COUNTERS = (AUTO, "english-rules", "english-rules-without-the", "english-rules-easse", "hyphenation", "vowel-groups")


def text_profile(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    source: str | None = None,
    item: str | None = "item",
    condition: Sequence[str] = ("condition",),
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

    Tables:
        `texts`: one row per text: item, the conditions, text, words, characters, sentences, syllables (raw counts),
        words_per_sentence, syllables_per_word, fkgl, split (more sentences than the source, or than one), zipf (mean
        Zipf frequency of the listed words), unlisted; with a list of norms norm and norm_unlisted, with a
        model surprisal (bits per word) and unknown.
        `profile`: factor, level, n, words, sentences, syllables (sums), words_per_sentence, syllables_per_word and fkgl
        (from the sums), split_pct, words_mean, words_sd, zipf and surprisal (means over texts): for all texts, every
        level of every factor, and every list.
        `matching`: factor, a, b, pair, measure, design, n_a, n_b, mean_a, mean_b, diff, sd, d, d_low, d_high, t, df, p,
        p_equivalence, verdict, diff_low, diff_high, percent, percent_low, percent_high, d_own, bound (in the unit of
        the measure), bound_as, of_bound, of_bound_low, of_bound_high, p_holm (see `difference` and `with_verdicts` of
        `analysis.methods.texts.matching`): every pair of levels over all texts, and every list with every other. α is
        1 − confidence, intervals are the 1 − 2α intervals that belong to the test of equivalence. `bounds` are those of
        single measures, `bound` that of all others in standard deviations.
        `matching_within_lists`: the same within every list, with the column list; only where there are lists.
        `differences`: pair, measure, mean_a, mean_b, diff, percent, percent_low, percent_high, verdict: what the figure
        shows; of more than twelve pairs those that differ most often.
        `worst`: factor, a, b, measure, rank, item, value_a, value_b, away: the items that make a difference, of every
        pair that is different, or may be with a difference beyond the bound.
        `implementations`: implementation, words_rule, sentences_rule, counter, words, sentences, syllables,
        words_per_sentence, syllables_per_word, fkgl, difference (to the first row, the counts of this report).

    Where the data have a column of participants or lists, as `trials.csv` has, a text is measured once however often
    it was shown; otherwise every row is a text. Rows without a text have none.

    Raises BadInput where there is no text, the language or the model cannot be used, or a number is out of range.

    >>> frame, parameters = example()
    >>> print(text_profile(frame, **parameters).sentences[0])
    8 texts: 6.88 words per sentence and 1.49 syllables per word, hence FKGL 4.68; 0 of 8 are split.
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
    progress(0.8, "comparing conditions")
    levels, too_many = _levels(given)
    warnings += too_many
    lines, away = _compared(given, table, compare, levels, bounds=limits, alpha=1 - confidence, farthest=farthest)
    progress(0.9, "comparing implementations")
    columns = (
        *COLUMNS,
        *(NORM_COLUMNS if by.norms is not None else ()),
        *(SURPRISAL_COLUMNS if by.model is not None else ()),
    )
    profiles = profile_rows(table, given)
    others = implementation_rows(given.texts, by)
    overall = [line for line in lines if not line["list"]]
    within = [line for line in lines if line["list"]]
    drawn = difference_rows(overall)
    measures_of: Any = [
        # A column with an empty cell holds fractions; syllables are whole.
        {**line, "syllables": None if pd.isna(line["syllables"]) else int(line["syllables"])}
        for line in table.to_dict("records")
    ]
    return Report(
        method="text-profile",
        params={},
        tables=(
            Table.from_rows("profile", "Texts by condition and list", profile_columns(by), profiles),
            Table.from_rows("matching", "Are conditions and lists matched?", MATCHING_COLUMNS[1:], overall),
            *(
                [Table.from_rows("matching_within_lists", "Conditions within single lists", MATCHING_COLUMNS, within)]
                if within
                else []
            ),
            *([Table.from_rows("differences", "Differences in per cent", DIFFERENCE_COLUMNS, drawn)] if drawn else []),
            Table.from_rows("worst", "Items that make the differences", WORST_COLUMNS, away),
            Table.from_rows(
                "implementations",
                "What other ways to count make of all texts together",
                IMPLEMENTATION_COLUMNS,
                others,
            ),
            Table.from_rows(
                "texts",
                "The measures of every text",
                (*given.columns, *columns),
                [{**head, **row} for head, row in zip(given.heads, measures_of, strict=True)],
            ),
        ),
        figures=figures(drawn, known),
        versions=dict(text_versions()),
        notes=(
            *chosen.notes,
            *given.notes,
            *notes,
            *(constant_note(same, table) if lines else []),
            *_method_note(lines, limits.told(compare, MEASURES), confidence=confidence),
            *equal_notes(overall),
        ),
        warnings=(
            *_without_copies(chosen.warnings, given),
            *given.warnings,
            *warnings,
            *matching_warnings(lines, away),
        ),
        sentences=(
            *profile_sentences(profiles),
            *matching_sentences(overall, confidence=confidence),
            *implementation_sentences(others),
        ),
    )


def _check(*, confidence: float, farthest: int) -> None:
    if not 0.5 < confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    if not 0 <= farthest <= 1000:
        raise BadInput(f"farthest is the number of items that are named, such as 5; {farthest} cannot be.")


def _levels(given: TextRows) -> tuple[dict[str, list[str]], list[str]]:
    """Return the levels to compare for every factor, and a sentence for every factor that has too many."""
    found = {
        factor: sorted({level for level in column if level is not None}, key=in_order)
        for factor, column in given.factors.items()
    }
    names = sorted({entry for of_text in given.lists for entry in of_text}, key=in_order)
    if names and LIST not in found:
        found[LIST] = names
    levels = {factor: entries for factor, entries in found.items() if 2 <= len(entries) <= MOST_LEVELS}
    said = [
        f"{factor} has {len(entries):,} levels, more than {MOST_LEVELS}, and is not compared; name the factors with "
        f"condition=…"
        for factor, entries in found.items()
        if len(entries) > MOST_LEVELS
    ]
    single = [factor for factor, entries in found.items() if len(entries) == 1 and factor != LIST]
    if single:
        said.append(f"{listed(single)} has one level only, so there is nothing to compare.")
    return levels, said


def _compared(
    given: TextRows,
    table: pd.DataFrame,
    measures: Sequence[str],
    levels: dict[str, list[str]],
    *,
    bounds: Bounds,
    alpha: float,
    farthest: int,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    texts = Texts(table, given.units, given.has_items, given.factors, given.lists)
    found = [(pair, compared(pair, name, bounds=bounds, alpha=alpha))
             for pair in pairs(texts, measures, factors=levels) for name in measures]  # fmt: skip
    lines = with_verdicts((line for _, line in found), alpha=alpha)
    away = [
        row
        for (pair, _), line in zip(found, lines, strict=True)
        if not pair.list
        for row in worst(pair, line, number=farthest)
    ]
    return lines, away


def _without_copies(warnings: Sequence[str], given: TextRows) -> list[str]:
    # A text that comes up in many rows is measured once, so copies of rows do no harm there.
    return [warning.replace(COUNTED_AGAIN, MEASURED_ONCE) if given.taken_once else warning for warning in warnings]


def _method_note(lines: Sequence[Any], bounds: str, *, confidence: float) -> list[str]:
    if not lines:
        return []
    alpha = 1 - confidence
    return [
        f"Texts of one item were averaged within a level; levels that share items were compared within these, others "
        f"between items or texts by Welch's t. Intervals are the {percent_text(1 - 2 * alpha)} intervals that belong "
        f"to two one-sided tests against these bounds: {bounds}; d is in standard deviations of the differences where "
        f"items are compared with themselves, else of both groups pooled. Matched: shown to be within the bounds, and "
        f"no sure difference. Alike but surely different: within the bounds, and surely not the same. Different: "
        f"surely not the same, and not shown to be within the bounds. A difference is sure where p, adjusted by Holm "
        f"over all comparisons of conditions (over all lists for those within lists, over all pairs of lists for lists "
        f"with each other), is below α = {alpha:.3g}."
    ]


def example() -> Example:
    """Return four items in two conditions."""
    shown = {
        "I1": ("The rain stopped because of the wind.", "The rain stopped because it was windy."),
        "I2": ("The doctor resigned because of the scandal.", "The doctor resigned since people complained."),
        "I3": ("The children laughed because of a clown.", "The children were laughing because a clown fell."),
        "I4": ("Prices rose because of the harvest.", "Prices rose because harvests had been poor."),
    }
    lines = [
        {"item": item, "condition": condition, "text": text}
        for item, texts in shown.items()
        for condition, text in zip(("noun", "clause"), texts, strict=True)
    ]
    return pd.DataFrame(lines), {"text": "text", "condition": ("condition",)}


METHOD = Method(
    slug="text-profile",
    label="Profile of texts",
    summary="Length, syllables, readability and word frequency of the texts, and whether conditions are matched.",
    function=text_profile,
    parameters=(
        Parameter("text", "Text", "column", help="The text of the item.", default="text", required=True),
        Parameter("source", "Source", "column", help="The text that it was made from, if there is one."),
        ITEM,
        Parameter(
            "condition",
            "Conditions",
            "columns",
            help="Factors whose levels should be matched.",
            default="condition",
            role="factor",
            also=("factors", "factor", "by"),
        ),
        Parameter("list", "List", "column", help="The list on which the text is shown.", default="list"),
        Parameter("language", "Language", "text", help="Code of the language, such as en or de.", default="en"),
        Parameter(
            "tokens",
            "The texts are",
            "choice",
            help="In print, or tokenised already, with blanks around punctuation; auto looks.",
            default=AUTO,
            choices=(AUTO, "print", "tokenised"),
        ),
        Parameter(
            "counter",
            "Syllables",
            "choice",
            help="How syllables are counted; auto takes rules for English and hyphenation for other languages.",
            default=AUTO,
            choices=COUNTERS,
        ),
        Parameter("model", "Language model", "file", help="An n-gram model in the ARPA format, for surprisal."),
        Parameter("norms", "List of norms", "file", help="Words with a number: a frequency or a norm of your own."),
        Parameter("norms_column", "Column of the list", "text", help="Unless it is the first that has numbers."),
        Parameter(
            "bound",
            "Bound of equivalence",
            "number",
            help="A difference below this many standard deviations does not matter, where `bounds` names no other.",
            default=DEFAULT_D,
        ),
        Parameter(
            "bounds",
            "Bounds of single measures",
            "text",
            help="In per cent (words:5%), the unit of the measure (zipf:0.1) or standard deviations (words:0.2d).",
            default=DEFAULT_BOUNDS,
        ),
        Parameter("confidence", "Confidence level", "number", help="1 − α of the tests.", default=0.95),
        Parameter("farthest", "Items named", "integer", help="How many items are named per difference.", default=5),
        *rows.ROW_PARAMETERS,
    ),
    example=example,
)
