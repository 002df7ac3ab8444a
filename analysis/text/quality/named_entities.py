"""Named entities: how people, organisations and places are introduced (Pitler, Louis & Nenkova 2010, section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from analysis.text.quality.parses import Mention, Parse, Parsed
from analysis.text.quality.segments import Sentence

KINDS: Final = {"PERSON": "people", "ORG": "organisations", "GPE": "places", "LOC": "places"}
"""The names of spaCy's English models, and ours."""

AROUND: Final = ("ADJ", "ADP", "DET", "NOUN", "NUM", "PROPN", "PUNCT", "VERB")
"""Universal parts of speech that are counted before and after the head of a first mention."""


def named_entities(parsed: Parsed, source: Sequence[Sentence] | None) -> dict[str, float]:
    """Return numbers of mentions by kind, what stands around first mentions of people, and, with a source, first
    mentions in sentences that were taken from it and were none there.

    Two mentions are of the same entity where their last words are the same. `entities_bare_before` and `_after` are
    the shares of first mentions of people with no word of their phrase before and after the head, `entities_before_adj`
    and the like the mean numbers of words of that part of speech. NaN where no person is mentioned.
    """
    seen: set[tuple[str, str]] = set()
    numbers = dict.fromkeys(("people", "organisations", "places"), 0)
    late = dict(numbers)
    place = {sentence.words: at for at, sentence in reversed(list(enumerate(source or ())))}
    around: list[tuple[list[str], list[str]]] = []
    for sentence, parse in parsed:
        at = place.get(sentence.words)
        for mention in parse.mentions or () if parse is not None else ():
            kind = KINDS.get(mention.kind)
            if kind is None or parse is None:
                continue
            numbers[kind] += 1
            name = parse.tokens[mention.end - 1].form.casefold()
            if (kind, name) in seen:
                continue
            seen.add((kind, name))
            late[kind] += at is not None and any(name in earlier.words for earlier in (source or ())[:at])
            if kind == "people":
                around.append(_phrase(parse, mention))
    found = {f"entities_{kind}": float(number) for kind, number in numbers.items()}
    found["entities_bare_before"] = _mean([float(not before) for before, _ in around])
    found["entities_bare_after"] = _mean([float(not after) for _, after in around])
    for part in AROUND:
        found[f"entities_before_{part.casefold()}"] = _mean([float(before.count(part)) for before, _ in around])
        found[f"entities_after_{part.casefold()}"] = _mean([float(after.count(part)) for _, after in around])
    if source is not None:
        # Without a source (an empty one) there is nothing that a first mention could have been taken from.
        found |= {f"entities_late_{kind}": float(number) if source else math.nan for kind, number in late.items()}
    return found


def _phrase(parse: Parse, mention: Mention) -> tuple[list[str], list[str]]:
    """Return the parts of speech of the words of a mention's phrase before and after its head."""
    inside = [at for at in range(len(parse.tokens)) if at != mention.head and _under(parse, at, mention.head)]
    return (
        [parse.tokens[at].pos for at in inside if at < mention.head],
        [parse.tokens[at].pos for at in inside if at > mention.head],
    )


def _under(parse: Parse, at: int, top: int) -> bool:
    steps = 0
    head = parse.tokens[at].head
    while head is not None and head >= 0 and steps <= len(parse.tokens):
        if head == top:
            return True
        steps += 1
        head = parse.tokens[head].head
    return False


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
