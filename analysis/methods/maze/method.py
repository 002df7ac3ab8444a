"""The method `maze-distractors`: choose distractors for the Maze task, and alternatives for every word."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.distractors.candidates import LANGUAGES, Candidate, candidates
from analysis.distractors.choosing import (
    LEAST_BITS,
    LENGTH_WITHIN,
    ZIPF_WITHIN,
    Choice,
    Item,
    TooFewCandidates,
    choose,
)
from analysis.distractors.improbable import Improbability
from analysis.distractors.review import REVIEW, matched, review_row, review_rows
from analysis.distractors.sentences import Sentence, cut
from analysis.methods.columns import declared_table, usual
from analysis.methods.declarations import Example, FileOnDisk, Parameter, Progress, TextFile, no_progress
from analysis.methods.report import BadInput, Column, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, required
from analysis.methods.seeds import check_seed
from analysis.methods.wording import counted
from analysis.text.arpa import NotArpa
from analysis.text.frequency import frequency_label
from experiments.formats.words import NeedsRegions, regions_fault

MOST_WORDS = 200
MOST_OTHERS = 20
_PLACES = (
    Column("item", "Item", "text", meaning="The item."),
    Column("position", "Place", "integer", meaning="The place in the item."),
    Column("word_in_region", "Word in the region", "integer", meaning="Which word of the region it is."),
    Column("words", "Words", "text", meaning="The words of the texts at this place."),
    Column("distractor", "Distractor", "text", meaning="The word beside them, the same in all texts of the item."),
    Column("words_length", "Letters of the words", meaning="Mean length of the words, in letters."),
    Column("distractor_length", "Letters of the distractor", "integer", meaning="Its length, in letters."),
    Column("length_difference", "Difference in letters", "integer", meaning="The largest over the words."),
    Column("words_zipf", "Zipf of the words", meaning="Mean Zipf frequency of the words."),
    Column("distractor_zipf", "Zipf of the distractor", meaning="Its Zipf frequency."),
    Column("zipf_difference", "Difference in Zipf", meaning="The largest over the words."),
    Column(
        "surprisal_difference",
        "Difference in surprisal (bits)",
        meaning="The smallest over the texts; only with a model.",
    ),
    Column("flag", "Bounds not kept", "text", meaning="The bounds that are not kept."),
)
_DETAIL = "word_in_region words_length distractor_length words_zipf distractor_zipf"
DISTRACTORS = declared_table(
    "distractors", "Distractors, place by place", "One row per place of every item.", _PLACES, detail=_DETAIL
)
MATCHED = declared_table(
    "matched",
    "Bounds that are kept",
    "One row per bound.",
    Column("bound", "Bound", "text", meaning="Length, frequency or, with a model, surprisal."),
    Column("kept", "Kept", "integer", meaning="How many distractors keep it."),
    Column("compared", "Compared", "integer", meaning="How many could be compared."),
    usual("share", meaning="kept / compared."),
)
OTHERS = declared_table(
    "others",
    "What could stand there instead",
    "Other distractors for every place, the best first.",
    _PLACES,
    Column("rank", "Rank", "integer", meaning="1 for the best."),
    detail=_DETAIL,
)
TEXTS = declared_table(
    "texts",
    "The column for the materials",
    "One row per text.",
    "item text",
    Column("distractors", "Distractors", "text", meaning="The distractors, word by word."),
)


def maze_distractors(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    item: str | None = "item",
    regions: str | None = None,
    language: str = "en",
    model: Any = None,
    seed: int = 1,
    others: int = 6,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Choose distractors for the texts of the Maze task (Boyce, Futrell & Levy 2020): for every word one that
    does not continue the sentence, matched in length and frequency, and the same in all texts of an item.

    A text is cut into words, or into regions where it has marks, |, in itself or in the column `regions`. Rows of the
    same item and text count once; fillers and practice texts are kept by keep=fillers,practice.

    Raises BadInput where there is no text, a text has fewer than two words or more than 200, some texts of an item have
    marks and others have none, the language has no lists, or the model cannot be read.

    >>> frame, parameters = example()
    >>> report = maze_distractors(frame, **parameters)
    >>> report.table("texts").frame()["distractors"][0].split()[0]
    'x-x-x'
    """
    check_seed(seed)
    _check(language=language, others=others)
    name = required(frame, text, role="text")
    chosen = rows.select(frame, used=[name, item, regions], where=where, keep=keep)
    progress(0.05, "reading the texts")
    items = _items(chosen.frame, text=name, item=item, regions=regions)
    of_items = [Item(code, tuple(sentence for _text, sentence in of_item)) for code, of_item in items.items()]
    pool = candidates(language)
    progress(0.3, "looking for distractors")
    with _improbability(model, items, pool) as improbable:
        try:
            found = choose(of_items, pool=pool, language=language, seed=seed, model=improbable, others=others)
        except TooFewCandidates as fault:
            raise BadInput(str(fault)) from None
        except NotArpa as fault:
            raise BadInput(f"model: {fault}") from None
    progress(0.9, "writing the report")
    every = [choice for of_item in found for choice in of_item]
    bounds = matched(every)
    kept = pd.DataFrame(bounds, columns=["bound", "kept", "compared"])
    places = [row for one, chosen_of in zip(of_items, found, strict=True) for row in review_rows(one, chosen_of)]
    alternatives = [
        [*review_row(one.code, other), rank]
        for one, chosen_of in zip(of_items, found, strict=True)
        for choice in chosen_of
        for rank, other in enumerate(choice.others, start=1)
    ]
    return Report(
        tables=(
            DISTRACTORS.of(_lines(places)),
            MATCHED.of(kept.assign(share=kept["kept"] / kept["compared"])),
            OTHERS.of(_lines(alternatives)),
            TEXTS.of(_texts(items, found)),
        ),
        notes=(*chosen.notes, *_notes(language, model)),
        warnings=(*chosen.warnings, *_warnings(every, has_model=improbable is not None)),
        sentences=_sentences(len(items), bounds),
    )


def _lines(rows: Sequence[Sequence[object]]) -> list[dict[str, object]]:
    return [dict(zip((*REVIEW, "rank"), row, strict=False)) for row in rows]


Texts = dict[str, list[tuple[str, Sentence]]]
"""The texts of every item, each as it was written and as it is cut."""


def _check(*, language: str, others: int) -> None:
    if language not in LANGUAGES:
        raise BadInput(f"language: there are lists of words for {' and '.join(LANGUAGES)}, not for '{language}'.")
    if not 0 <= others <= MOST_OTHERS:
        raise BadInput(f"others is the number of other distractors per place, from 0 to {MOST_OTHERS}; not {others}.")


def _items(frame: pd.DataFrame, *, text: str, item: str | None, regions: str | None) -> Texts:
    found: Texts = {}
    cells = zip(*(_cells(frame, name) for name in (text, item, regions)), strict=True)
    for number, (shown, known, marked) in enumerate(cells, start=1):
        if shown is None:
            continue
        of_item = found.setdefault(known or f"text {number}", [])
        if any(shown == other for other, _sentence in of_item):
            continue
        of_item.append((shown, _sentence(shown, marked or "")))
    if not found:
        raise BadInput("No row has a text; name the column with text=….")
    for code, of_item in found.items():
        if len({sentence.is_marked for _text, sentence in of_item}) > 1:
            raise BadInput(
                f"Some texts of item '{code}' have marks, |, and others have none. Mark all of them, or none."
            )
    return found


def _cells(frame: pd.DataFrame, column: str | None) -> list[str | None]:
    """Return the cells of a column as text, None where one is empty or there is no such column."""
    if column is None or column not in frame.columns:
        return [None] * len(frame)
    return [None if pd.isna(value) else str(value) for value in codes(frame, column)]


def _sentence(text: str, marked: str) -> Sentence:
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    differs = regions_fault(text.replace("|", " "), regions=marked) if marked else None
    if differs:
        raise BadInput(f"{differs}")
    try:
        sentence = cut(text, regions=marked)
    except NeedsRegions:
        raise BadInput(f"Distractors are made for English and German texts, not for ‘{shown}’.") from None
    n_words = sum(1 for _slot in sentence.slots())
    if sum(1 for region in sentence.regions if region) < 2:
        raise BadInput(f"‘{shown}’ has fewer than two words or regions, so nothing stands to choose.")
    if n_words > MOST_WORDS:
        raise BadInput(f"‘{shown}’ has {n_words} words; Maze takes sentences of at most {MOST_WORDS}.")
    return sentence


@contextmanager
def _improbability(model: Any, items: Texts, pool: Sequence[Candidate]) -> Iterator[Improbability | None]:
    """Yield what the model says about contexts; a model that was uploaded is read from a file as a large one is."""
    if model is None:
        yield None
        return
    words = [one.word for one in pool]
    for of_item in items.values():
        for _text, sentence in of_item:
            contexts = sentence.contexts()
            words += [token for slot in sentence.slots() for token in (*contexts[slot.place], slot.word)]
    with tempfile.TemporaryDirectory() as folder:
        path = model.path if isinstance(model, FileOnDisk) else Path(folder) / "model.arpa"
        if isinstance(model, TextFile):
            path.write_text(model.text, encoding="utf-8")
        try:
            improbable = Improbability.knowing(path, words)
        except (NotArpa, OSError) as fault:
            raise BadInput(f"model: {fault}") from None
        yield improbable


def _texts(items: Texts, found: Sequence[Sequence[Choice]]) -> list[dict[str, Any]]:
    return [
        {"item": code, "text": text, "distractors": sentence.beside({one.place: one.distractor for one in chosen})}
        for (code, of_item), chosen in zip(items.items(), found, strict=True)
        for text, sentence in of_item
    ]


def _sentences(n_items: int, bounds: Sequence[tuple[str, int, int]]) -> tuple[str, ...]:
    told = {
        "length": f"within {counted(LENGTH_WITHIN, 'letter')} of every word beside them",
        "frequency": f"within {ZIPF_WITHIN:g} Zipf of every word beside them that is listed",
        "surprisal": f"less probable than every word beside them by {LEAST_BITS:g} bits or more",
    }
    total = bounds[0][2]
    said = [f"{counted(total, 'distractor')} for {counted(n_items, 'item')}."]
    return (*said, *(f"{kept:,} of {n:,} are {told[bound]}." for bound, kept, n in bounds))


def _notes(language: str, model: Any) -> list[str]:
    said = [
        f"Distractors are the same in all texts of an item at the same place; of 100 candidates nearest in length, "
        f"then in frequency ({frequency_label(language)}), one is taken that stands once in the item and in none of "
        f"its texts."
    ]
    if model is None:
        return [*said, "No language model was given: length and frequency alone are matched."]
    return [
        *said,
        f"Of these the first is taken that is less probable than every word beside it by {LEAST_BITS:g} bits after the "
        f"words before it, else the one with the largest difference (model: {model}).",
    ]


def _warnings(choices: Sequence[Choice], *, has_model: bool) -> list[str]:
    said = []
    flagged = sum(bool(choice.flags) for choice in choices)
    if flagged:
        said.append(f"{counted(flagged, 'distractor')} of {len(choices):,} keep not all bounds; look at their flags.")
    if not has_model:
        said.append("Whether a distractor happens to go on with its sentence is for you to review.")
    return said


def example() -> Example:
    """Return two items in two conditions."""
    shown = {
        "I1": ("The barber trimmed the beard of a groom.", "The waiter trimmed the beard of a groom."),
        "I2": ("The tailor hemmed the trousers for an actor.", "The farmer hemmed the trousers for an actor."),
    }
    lines = [
        {"item": item, "condition": condition, "text": text}
        for item, texts in shown.items()
        for condition, text in zip(("typical", "atypical"), texts, strict=True)
    ]
    return pd.DataFrame(lines), {"text": "text", "others": 2}


METHOD = declared(
    "maze-distractors",
    "Distractors for the Maze task",
    "For every word of the texts, a word that does not continue the sentence, similar in length and frequency.",
    maze_distractors,
    Parameter(
        "regions",
        "Marked text",
        "column",
        help="The text with | between its regions, if the text itself has no such marks.",
    ),
    Parameter("language", "Language", "choice", help="The language of the texts.", choices=LANGUAGES),
    Parameter("model", "Language model", "file", help="An n-gram model in the ARPA format, for contexts."),
    Parameter("seed", "Seed", "integer", help="Another seed draws other distractors."),
    Parameter("others", "Alternatives per place", "integer", help="Words that could replace the distractor."),
    group="texts",
    question=("Which words do not continue the sentences? Distractors for the Maze task",),
    needs=("texts",),
    example=example,
    tables=(DISTRACTORS, MATCHED, OTHERS, TEXTS),
)
