"""Measures in the manner of Coh-Metrix (Graesser et al. 2004): readability, word frequency, overlap of neighbouring
sentences, connectives, and likeness of their syntax. The latent semantic part is in `latent`.

The formulas are our own after what its authors describe; the program itself is not free.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

from analysis.text.frequency import zipf_of
from analysis.text.quality import word_lists as lists
from analysis.text.quality.parses import NOMINAL, Parse, Parsed
from analysis.text.quality.segments import Sentence
from analysis.text.readability import Counts, grade_level
from analysis.text.syllables import ENGLISH_SPOKEN

MOST_SENTENCES = 60
"""Sentences of a text, from its beginning, that are compared each with each."""


def coh_metrix(text: Sequence[Sentence], parsed: Parsed | None) -> dict[str, float]:
    """Return the components of readability and two grades made of them, the frequency of words, the overlap of
    sentences and the share of connectives; with parses also how alike neighbouring sentences are built.

    `cohmetrix_ease` is Flesch's (1948) 206.835 − 1.015 W/S − 84.6 Y/W, `cohmetrix_grade` Flesch–Kincaid's.
    `cohmetrix_zipf` is the mean Zipf frequency of the content words, `cohmetrix_zipf_rarest` that of the rarest of each
    sentence. `cohmetrix_stem_overlap` is the share of neighbouring sentences with a content word in common,
    `cohmetrix_stem_overlap_all` of all pairs of sentences, `cohmetrix_content_overlap` the mean share of content words
    in common (Dice). Connectives are per word.

    >>> from analysis.text.quality.segments import sentences
    >>> found = coh_metrix(sentences("The cat sat. The cats ran because it rained."), None)
    >>> found["cohmetrix_stem_overlap"], round(found["cohmetrix_content_overlap"], 3)
    (1.0, 0.4)
    """
    words = [word for sentence in text for word in sentence.words]
    counts = Counts(len(words), len(text), sum(ENGLISH_SPOKEN.count(word) for word in words))
    length, weight, grade = counts.words_per_sentence, counts.syllables_per_word, grade_level(counts)
    content = [lists.content_words(sentence.words) for sentence in text]
    every = [word for sentence in content for word in sentence]
    beside = list(pairwise(content))
    total = len(words) or math.nan
    rarest = [
        min(zipfs)
        for sentence in text
        if (zipfs := [z for word in sentence.words if word not in lists.FUNCTION_WORDS and (z := _zipf([word])) > 0])
    ]
    found = {
        "cohmetrix_words_per_sentence": _number(length),
        "cohmetrix_syllables_per_word": _number(weight),
        "cohmetrix_grade": _number(grade),
        "cohmetrix_ease": 206.835 - 1.015 * _number(length) - 84.6 * _number(weight),
        "cohmetrix_zipf": _zipf([word for word in words if word not in lists.FUNCTION_WORDS]),
        "cohmetrix_zipf_rarest": _mean(rarest),
        "cohmetrix_type_token": len(set(every)) / len(every) if every else math.nan,
        "cohmetrix_stem_overlap": _mean([float(bool({*a} & {*b})) for a, b in beside]),
        "cohmetrix_stem_overlap_all": _mean(
            [float(bool({*a} & {*b})) for a, b in combinations(content[:MOST_SENTENCES], 2)]
        ),
        "cohmetrix_content_overlap": _mean([dice(a, b) for a, b in beside]),
        **{
            f"cohmetrix_{name}": sum(word in members for word in words) / total
            for name, members in (
                ("connectives", lists.CONNECTIVES),
                ("additive", lists.ADDITIVE),
                ("contrastive", lists.CONTRASTIVE),
                ("causal", lists.CAUSAL),
                ("temporal", lists.TEMPORAL),
                ("negations", lists.NEGATIONS),
                ("pronouns", lists.PERSONAL),
            )
        },
    }
    return found | _syntax(parsed) if parsed is not None else found


def dice(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Return 2 |A ∩ B| / (|A| + |B|) of two collections in which a thing may be several times; 0 for two empty ones.

    >>> round(dice(["cat", "sat"], ["cat", "cat", "ran"]), 3)
    0.4
    """
    common = sum((Counter(first) & Counter(second)).values())
    return 2 * common / (len(first) + len(second)) if first or second else 0.0


def _syntax(parsed: Parsed) -> dict[str, float]:
    """Return how alike the parses of neighbouring sentences are, and how heavily sentences are built.

    Likeness is Dice's over runs of two parts of speech, and over dependencies named by the parts of speech of head and
    dependent where the parser gives heads. `cohmetrix_left` is the mean number of words before the root,
    `cohmetrix_modifiers` of words that depend on a noun or name directly.
    """
    beside = [(a, b) for (_, a), (_, b) in pairwise(parsed) if a is not None and b is not None]
    known = [parse for _, parse in parsed if parse is not None and parse.depth is not None]
    tags = [dice(_tags(a), _tags(b)) for a, b in beside]
    edges = [dice(_edges(a), _edges(b)) for a, b in beside if a.depth is not None and b.depth is not None]
    nouns = [float(bool(_nouns(a) & _nouns(b))) for a, b in beside]
    modified = [
        float(sum(token.head == at for token in parse.tokens if token.pos != "PUNCT"))
        for parse in known
        for at, noun in enumerate(parse.tokens)
        if noun.pos in NOMINAL
    ]
    roots = [float(at) for parse in known for at, token in enumerate(parse.tokens) if token.head == -1]
    return {
        "cohmetrix_noun_overlap": _mean(nouns),
        "cohmetrix_tags_min": min(tags, default=math.nan),
        "cohmetrix_tags_mean": _mean(tags),
        "cohmetrix_edges_min": min(edges, default=math.nan),
        "cohmetrix_edges_mean": _mean(edges),
        "cohmetrix_left": _mean(roots),
        "cohmetrix_modifiers": _mean(modified),
    }


def _tags(parse: Parse) -> list[tuple[str, str]]:
    return list(pairwise(token.pos for token in parse.tokens))


def _edges(parse: Parse) -> list[tuple[str, str]]:
    return [
        (parse.tokens[token.head].pos if token.head >= 0 else "root", token.pos)
        for token in parse.tokens
        if token.head is not None
    ]


def _nouns(parse: Parse) -> set[str]:
    return {lists.stem(token.lemma) for token in parse.tokens if token.pos in NOMINAL}


def _zipf(words: Sequence[str]) -> float:
    return _number(zipf_of(words).zipf)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
