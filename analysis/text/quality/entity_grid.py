"""Entity grids after Barzilay & Lapata (2008): how mentions move from sentence to sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise, product

from analysis.text.quality import word_lists as lists
from analysis.text.quality.parses import Parse, Parsed
from analysis.text.quality.segments import Sentence

ROLES = ("S", "O", "X", "-")
_NAMES = {"S": "s", "O": "o", "X": "x", "-": "none"}
_RANK = {"S": 0, "O": 1, "X": 2}


def entity_grid(text: Sequence[Sentence], parsed: Parsed | None) -> dict[str, float]:
    """Return the share of every transition between adjacent sentences, and how entities are spread.

    With parses entities are nouns and names, one with those of the same lemma, in the roles subject (s), object (o)
    and other (x); a sentence without a parse takes part with `x` for its content words. Without parses the entities
    are all content words, matched as strings after taking off the plural -s, in the one role `x`: a grid of words
    and not of entities.

    >>> from analysis.text.quality.segments import sentences
    >>> found = entity_grid(sentences("Tom bought a car. The car broke."), None)
    >>> round(found["grid_x_x"], 2), round(found["grid_x_none"], 2), round(found["grid_none_x"], 2)
    (0.25, 0.5, 0.25)
    """
    rows = [_mentions(*pair) for pair in (parsed if parsed is not None else [(sentence, None) for sentence in text])]
    roles = ROLES if parsed is not None else ("X", "-")
    entities = sorted({entity for row in rows for entity in row})
    steps = [
        (first.get(entity, "-"), second.get(entity, "-")) for first, second in pairwise(rows) for entity in entities
    ]
    found = {
        f"grid_{_NAMES[a]}_{_NAMES[b]}": steps.count((a, b)) / len(steps) if steps else math.nan
        for a, b in product(roles, roles)
    }
    mentions = [sum(entity in row for row in rows) for entity in entities]
    return found | {
        "grid_entities": float(len(entities)),
        "grid_entities_per_sentence": sum(mentions) / len(rows) if rows else math.nan,
        "grid_recurring": sum(number > 1 for number in mentions) / len(entities) if entities else 0.0,
        "grid_longest_chain": float(max(mentions, default=0)),
        "grid_sentences": float(len(rows)),
    }


def _mentions(sentence: Sentence, parse: Parse | None) -> Mapping[str, str]:
    if parse is None:
        return dict.fromkeys(lists.content_words(sentence.words), "X")
    found: dict[str, str] = {}
    for token in parse.tokens:
        if token.role is None:
            continue
        name = lists.stem(token.lemma)
        # An entity with several mentions has the highest of their roles.
        if name not in found or _RANK[token.role] < _RANK[found[name]]:
            found[name] = token.role
    return found
