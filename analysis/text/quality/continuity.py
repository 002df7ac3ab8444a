"""Continuity: similarity of adjacent sentences, antecedents of pronouns, and context kept from the source."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from analysis.text.quality import word_lists as lists
from analysis.text.quality.segments import Sentence


def inverse_frequencies(texts: Iterable[Sequence[Sentence]]) -> dict[str, float]:
    """Return ln((1 + n)/(1 + n_w)) + 1 of every word, where n_w of the n texts hold it; under "" for all others.

    >>> from analysis.text.quality.segments import sentences
    >>> weights = inverse_frequencies([sentences("The cat."), sentences("The dog.")])
    >>> weights["the"], round(weights["cat"], 3)
    (1.0, 1.405)
    """
    number = 0
    holding: Counter[str] = Counter()
    for text in texts:
        number += 1
        holding.update({word for sentence in text for word in sentence.words})
    weights = {word: math.log((1 + number) / (1 + count)) + 1 for word, count in holding.items()}
    return weights | {"": math.log(1 + number) + 1}


def cosine(first: Sequence[str], second: Sequence[str], weights: Mapping[str, float] | None = None) -> float:
    """Return the cosine of the word counts of two sentences, weighted where weights are given.

    >>> round(cosine(("a", "b"), ("a", "c")), 6)
    0.5
    """
    one, two = (
        {
            word: count * (1.0 if weights is None else weights.get(word, weights[""]))
            for word, count in Counter(words).items()
        }
        for words in (first, second)
    )
    norms = math.sqrt(math.fsum(v * v for v in one.values()) * math.fsum(v * v for v in two.values()))
    return math.fsum(value * two[word] for word, value in one.items() if word in two) / norms if norms else 0.0


def weighted(text: Sequence[Sentence], weights: Mapping[str, float]) -> dict[str, float]:
    """Return least, greatest and mean cosine of adjacent sentences with weights trained on other texts."""
    return _spread(
        "continuity_weighted",
        [cosine(a.words, b.words, weights) for a, b in pairwise(text)],
    )


def continuity(text: Sequence[Sentence], source: Sequence[Sentence] | None) -> dict[str, float]:
    """Return least, greatest and mean cosine of adjacent sentences, shared content words, and pronouns by place of a
    possible antecedent; with a source also whether sentences taken from it keep the sentence before them.

    The antecedent is looked for without coreference: a name or content word before the pronoun in the same sentence,
    else one in the sentence before, else neither.

    >>> from analysis.text.quality.segments import sentences
    >>> found = continuity(sentences("The cat sat. The cat ran."), None)
    >>> round(found["continuity_cosine_mean"], 3), found["continuity_pairs"]
    (0.667, 1.0)
    """
    pairs = list(pairwise(text))
    shared = [_shared(lists.content_words(a.words), lists.content_words(b.words)) for a, b in pairs]
    found = {
        **_spread("continuity_cosine", [cosine(a.words, b.words) for a, b in pairs]),
        "continuity_shared_content": sum(shared) / len(shared) if shared else math.nan,
        "continuity_pairs": float(len(pairs)),
        **_antecedents(text),
    }
    return found if source is None else found | _kept_context(text, source)


def _spread(name: str, values: Sequence[float]) -> dict[str, float]:
    return {
        f"{name}_min": min(values, default=math.nan),
        f"{name}_max": max(values, default=math.nan),
        f"{name}_mean": math.fsum(values) / len(values) if values else math.nan,
    }


def _shared(first: Sequence[str], second: Sequence[str]) -> float:
    either = set(first) | set(second)
    return len(set(first) & set(second)) / len(either) if either else 0.0


def _antecedents(text: Sequence[Sentence]) -> dict[str, float]:
    same = previous = neither = 0
    before = False
    for sentence in text:
        so_far = False
        for word in sentence.words:
            if word in lists.PERSONAL:
                same += so_far
                previous += before and not so_far
                neither += not so_far and not before
            elif word not in lists.FUNCTION_WORDS:
                so_far = True
        before = so_far
    return {
        "continuity_antecedent_same": float(same),
        "continuity_antecedent_previous": float(previous),
        "continuity_antecedent_neither": float(neither),
    }


def _kept_context(text: Sequence[Sentence], source: Sequence[Sentence]) -> dict[str, float]:
    """Count sentences with a cohesive device that stand in the source, by whether the sentence before is the same."""
    place = {sentence.words: position for position, sentence in reversed(list(enumerate(source)))}
    kept = changed = taken = 0
    devices = lists.PERSONAL | lists.DEMONSTRATIVES | {"the"}
    for position, sentence in enumerate(text):
        at = place.get(sentence.words)
        if at is None:
            continue
        taken += 1
        if position == 0 or not (devices & set(sentence.words) or sentence.words[0] in lists.CONNECTIVES):
            continue
        same = at > 0 and source[at - 1].words == text[position - 1].words
        kept += same
        changed += not same
    return {
        "continuity_context_kept": float(kept) if source else math.nan,
        "continuity_context_changed": float(changed) if source else math.nan,
        "continuity_taken_share": taken / len(text) if text and source else math.nan,
    }
