"""Measures of a text: counts, readability (FKGL), word frequency (Zipf), norms, and surprisal."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import FromData, declared_table
from analysis.methods.declarations import FileOnDisk, Progress
from analysis.methods.report import BadInput, Column
from analysis.methods.wording import counted, listed
from analysis.text import arpa, frequency, syllables, tokens
from analysis.text.arpa_file import model_for
from analysis.text.boundaries import unclear_stops
from analysis.text.norms import NoNorms, Norms, read_norms
from analysis.text.readability import Counting, Counts, counting
from analysis.text.scripts import is_written_in, script_of

TEXTS_AT_ONCE = 500
AUTO = "auto"
MEASURES: dict[str, str] = {
    "words": "words",
    "characters": "characters",
    "sentences": "sentences",
    "syllables": "syllables",
    "words_per_sentence": "words per sentence",
    "syllables_per_word": "syllables per word",
    "zipf": "Zipf frequency",
    "norm": "norm of words",
    "surprisal": "surprisal",
}
TEXTS = declared_table(
    "texts",
    "The measures of every text",
    "One row per text.",
    FromData("levels", "Its item, and its level of every condition."),
    "text",
    Column("words", "Words", "integer", meaning="How many words."),
    Column("characters", "Characters", "integer", meaning="How many characters."),
    Column("sentences", "Sentences", "integer", meaning="How many sentences."),
    Column("syllables", "Syllables", "integer", meaning="How many syllables."),
    Column("words_per_sentence", "Words / sentence", meaning="Their ratio."),
    Column("syllables_per_word", "Syllables / word", meaning="Their ratio."),
    Column("fkgl", "FKGL", meaning="Flesch–Kincaid grade level."),
    Column("split", "Split", "boolean", meaning="Whether there are more sentences than in the source, or than one."),
    Column("zipf", "Zipf frequency", meaning="Mean Zipf frequency of the words that the list has."),
    Column("unlisted", "Unlisted words", "integer", meaning="Words that the frequency list lacks."),
    Column("norm", "Norm of words", meaning="Mean norm of the words that the list of norms has."),
    Column("norm_unlisted", "Words without a norm", "integer", meaning="Words that the list of norms lacks."),
    Column("surprisal", "Surprisal (bits / word)", meaning="Mean surprisal by the language model."),
    Column("unknown", "Words unknown to the model", "integer", meaning="Words that the language model lacks."),
    optional="norm norm_unlisted surprisal unknown",
)
MEASURED = [column for column in TEXTS.columns if isinstance(column, Column) and column.name != "text"]


@dataclass(frozen=True)
class Ways:
    """How texts are measured: counts, the language of the frequency list (None: no list), and the language model."""

    counting: Counting
    language: str
    frequencies: bool
    model: arpa.BackOffModel | None
    tokenised: bool
    norms: Norms | None = None


def ways(
    texts: Sequence[str],
    *,
    language: str,
    given_as: str,
    counter: str,
    model: Any,
    norms: Any = None,
    norms_column: str | None = None,
) -> tuple[Ways, list[str], list[str]]:
    """Return how texts are measured, with notes and warnings about it. Raises BadInput for what cannot be used."""
    code = frequency.language_code(language)
    if not code.replace("_", "").isalpha() or len(frequency.base(code)) not in (2, 3):
        raise BadInput(f"'{language}' is no code of a language; give one such as en or de with language=…")
    tokenised = tokens.looks_tokenised(texts) if given_as == AUTO else given_as == "tokenised"
    rule = "spaced" if tokenised else "running"
    try:
        counts = counting(words=rule, sentences=rule, counter="" if counter == AUTO else counter, language=code)
    except KeyError:
        raise BadInput(
            f"There is no dictionary for hyphenation in the language '{language}'; choose counter=vowel-groups or "
            f"another language."
        ) from None
    plain = Ways(counts, code, frequency.has_frequencies(code), None, tokenised)
    chosen = replace(plain, model=_model(model, texts, by=plain), norms=_norms(norms, column=norms_column))
    notes = [*_notes(chosen, asked=given_as == AUTO, model=model), *_unclear(texts, chosen)]
    if chosen.norms is not None:
        n_twice = chosen.norms.repeated
        twice = f" {counted(n_twice, 'word')} came up more than once and got the mean." if n_twice else ""
        notes.append(
            f"The norm of words is the column {chosen.norms.column} of {norms}, with {len(chosen.norms.values):,} "
            f"words, averaged over the words of a text that it lists.{twice}"
        )
    return chosen, notes, _warnings(chosen, counter)


def measured(texts: Sequence[str], sources: Sequence[str] | None, *, by: Ways, progress: Progress) -> pd.DataFrame:
    """Return one row of measures for every text. `sources` are the texts that these were made from."""
    rows: list[dict[str, Any]] = []
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        progress(0.05 + 0.7 * start / len(texts), "measuring the texts")
        for index in range(start, min(start + TEXTS_AT_ONCE, len(texts))):
            rows.append(_row(texts[index], sources[index] if sources is not None else None, by))
    return pd.DataFrame(rows)


def counts_of(frame: pd.DataFrame) -> Counts:
    """Return the counts of the texts of a frame of measures together, but for those without syllables."""
    counted_texts = frame.loc[frame["syllables"].notna()]
    return Counts(*(int(counted_texts[name].sum()) for name in ("words", "sentences", "syllables")))


def mean(values: pd.Series[Any]) -> float | None:
    """Return the mean of the defined values, or None where there is none."""
    known = values.dropna().to_numpy(dtype=np.float64)
    return math.fsum(known) / len(known) if len(known) else None


def _row(text: str, source: str | None, by: Ways) -> dict[str, Any]:
    words = by.counting.words.split(text)
    sentences = by.counting.sentences.split(text)
    counts = Counts(len(words), len(sentences), sum(map(by.counting.syllables.count, words)))
    expected = 1 if source is None else len(by.counting.sentences.split(source))
    readable = is_written_in(text, script_of(by.language))
    row: dict[str, Any] = {
        "words": counts.words,
        # A line end is one character, whichever system wrote the file.
        "characters": len(unicodedata.normalize("NFC", text.strip().replace("\r\n", "\n"))),
        "sentences": counts.sentences,
        "syllables": counts.syllables if readable else math.nan,
        "words_per_sentence": _float(counts.words_per_sentence),
        "syllables_per_word": _float(counts.syllables_per_word if readable else None),
        "fkgl": _float(counts.grade if readable else None),
        "split": counts.sentences > expected,
        "zipf": math.nan,
        "unlisted": None,
    }
    if by.frequencies:
        found = frequency.zipf_of(words, language=by.language)
        row |= {"zipf": _float(found.zipf), "unlisted": found.unlisted}
    if by.norms is not None:
        found_norm, unlisted = by.norms.mean(words)
        row |= {"norm": _float(found_norm), "norm_unlisted": unlisted}
    if by.model is not None:
        told = by.model.surprisal([sentence_tokens(sentence, by) for sentence in sentences])
        row |= {"surprisal": _float(told.mean), "unknown": told.unknown}
    return row


def sentence_tokens(sentence: str, by: Ways) -> list[str]:
    """Return the tokens of a sentence for a language model: as they stand, or words and marks of a printed text."""
    if by.tokenised:
        return sentence.split()
    return tokens.words_and_marks(sentence)


def _float(value: float | None) -> float:
    return math.nan if value is None else value


def _norms(given: Any, *, column: str | None) -> Norms | None:
    if given is None:
        return None
    try:
        return read_norms(given.text, column=(column or "").strip())
    except NoNorms as fault:
        raise BadInput(f"{given.name} is no list of words with numbers. {fault}") from None


def _model(given: Any, texts: Sequence[str], *, by: Ways) -> arpa.BackOffModel | None:
    if given is None:
        return None
    try:
        if isinstance(given, FileOnDisk):
            split = by.counting.sentences.split
            return model_for(given.path, [sentence_tokens(one, by) for text in texts for one in split(text)])
        return arpa.read_arpa(given.text)
    except arpa.NotArpa as fault:
        raise BadInput(f"{given.name} is no language model in the ARPA format. {fault}") from None


PLACES_SHOWN = 5


def _unclear(texts: Sequence[str], by: Ways) -> list[str]:
    """Say by which rule sentences go on where a reader might see two."""
    if by.tokenised or frequency.base(by.language) != "en":
        return []
    places = [place for text in texts for place in unclear_stops(text)]
    if not places:
        return []
    found = [f"“{place}”" for place in dict.fromkeys(places)]
    return [
        f"In {counted(len(places), 'place')} a name, or another word with which sentences rarely begin, follows an "
        f"abbreviation that may end a sentence ({listed(found, shown=PLACES_SHOWN)}): by the rule the sentence goes on "
        f"there. Where one ends, put a blank line between them."
    ]


def _notes(by: Ways, *, asked: bool, model: Any) -> list[str]:
    kind = "as texts that were tokenised already" if by.tokenised else "as texts in print"
    why = ", as commas and full stops stand alone between blanks" if asked and by.tokenised else ""
    notes = [
        f"The texts were read {kind}{why}. Counted by named rules: {by.counting.label}.",
        "FKGL = .39 words / sentences + 11.8 syllables / words − 15.59; it says no more than these two ratios, so "
        "report them. A text is split where it has more sentences than its source, or than one where there is none.",
    ]
    if by.frequencies:
        notes.append(
            f"Zipf frequency is log10 of occurrences per billion words ({frequency.frequency_label(by.language)}), "
            f"averaged over the listed words of a text; words that the list lacks are counted as unlisted."
        )
    if by.model is not None:
        notes.append(
            f"Surprisal is −log2 P(word | words before it in the sentence) in bits, averaged over the words of a text, "
            f"from {model}, a back-off model of order {by.model.order} with {by.model.vocabulary:,} words."
        )
    return notes


def _warnings(by: Ways, counter: str) -> list[str]:
    said, base = [], frequency.base(by.language)
    if base in frequency.WITHOUT_BLANKS:
        said.append(
            f"The language {by.language} is written without blanks between words, so these words are no words; "
            f"cut the texts into words first and put blanks between them."
        )
    if not by.frequencies:
        short = " Codes have two letters, such as en, where a language has such a code." if len(base) > 2 else ""
        said.append(f"There is no list of word frequencies for the language {by.language}, so zipf is empty.{short}")
    if base != "en":
        said.append("The weights of FKGL were fitted to English; in another language use its components alone.")
        if by.counting.syllables.name.startswith("english"):
            said.append(f"The counter {counter} knows the spelling of English, not of the language {by.language}.")
    if by.counting.syllables.name.startswith(syllables.HYPHENATION):
        said.append(
            "Hyphenation parts no single letter from a word and not every syllable from the next, so it counts too few."
        )
    return said


def undefined(frame: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Say for how many texts measures are empty, and why."""
    said = []
    empty = int((frame["words"] == 0).sum())
    if empty:
        said.append(
            f"{counted(empty, 'text has', 'texts have')} no word, so ratios, FKGL, frequency and surprisal are empty "
            f"there."
        )
    foreign = int(frame["syllables"].isna().sum())
    if foreign:
        said.append(
            f"{counted(foreign, 'text is', 'texts are')} not written in the letters of the language, so syllables and "
            f"FKGL are empty there, and the sums and the comparison of implementations leave "
            f"{'it' if foreign == 1 else 'them'} out; name the language of the texts with language=…"
        )
    for name, reason in (
        ("zipf", "word is in the frequency list"),
        ("norm", "word is in the list of norms"),
        ("surprisal", "word is in the language model, which has no unknown word"),
    ):
        if name in frame and frame[name].isna().any():
            missing = int((frame[name].isna() & (frame["words"] > 0)).sum())
            if missing and not (name == "zipf" and frame["unlisted"].isna().all()):
                said.append(f"{counted(missing, 'text has', 'texts have')} no {names[name]}, as no {reason}.")
    return said


def constant(frame: pd.DataFrame, measures: Sequence[str]) -> list[str]:
    """Return the measures that are the same for all texts."""
    return [name for name in measures if frame[name].dropna().nunique() < 2]


def repeated(frame: pd.DataFrame) -> list[str]:
    """Return the measures that say what another one says: words per sentence, where every text is one sentence."""
    return ["words_per_sentence"] if bool((frame["sentences"] == 1).all()) else []


def constant_note(names: Sequence[str], frame: pd.DataFrame) -> list[str]:
    """Say which measures cannot differ between conditions, and which are not compared twice."""
    said = []
    if names:
        said.append(
            f"All texts have the same {listed([MEASURES[name] for name in names])}, so nothing there can differ."
        )
    if repeated(frame):
        said.append("Every text is one sentence, so words per sentence are its words and were not compared again.")
    return said
