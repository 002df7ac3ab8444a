"""Cohesive devices and reference form: words that tie sentences together, and how people and things are referred to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.text.quality import word_lists as lists
from analysis.text.quality.parses import NOMINAL, Parsed
from analysis.text.quality.segments import Sentence


def cohesive_devices(text: Sequence[Sentence]) -> dict[str, float]:
    """Return numbers of demonstratives, pronouns, definite descriptions and connectives (Pitler et al., section 3.4).

    Pronouns and connectives are also given per word, and connectives by kind.

    >>> from analysis.text.quality.segments import sentences
    >>> found = cohesive_devices(sentences("The man left. However, he saw this because of her."))
    >>> found["cohesive_definite"], found["cohesive_pronouns"], found["cohesive_initial_connectives"]
    (1.0, 2.0, 1.0)
    """
    words = [word for sentence in text for word in sentence.words]
    total = len(words) or math.nan

    def number(members: frozenset[str]) -> float:
        return float(sum(word in members for word in words))

    initial = sum(
        sentence.words[0] in lists.CONNECTIVES or sentence.words[:2] in lists.SECOND_WORDS for sentence in text
    )
    pronouns, connectives = number(lists.PERSONAL), number(lists.CONNECTIVES)
    return {
        "cohesive_demonstratives": number(lists.DEMONSTRATIVES),
        "cohesive_pronouns": pronouns,
        "cohesive_pronouns_share": pronouns / total,
        "cohesive_first_second_person": number(lists.FIRST_SECOND),
        "cohesive_definite": number(frozenset({"the"})),
        "cohesive_initial_connectives": float(initial),
        "cohesive_connectives_share": connectives / total,
        "cohesive_additive": number(lists.ADDITIVE),
        "cohesive_contrastive": number(lists.CONTRASTIVE),
        "cohesive_causal": number(lists.CAUSAL),
        "cohesive_temporal": number(lists.TEMPORAL),
    }


def reference_form(text: Sequence[Sentence], parsed: Parsed | None) -> dict[str, float]:
    """Return how often and how names and nouns are mentioned; with parses also what stands around them.

    Without a parser a name is a word with a capital (digits aside) that is not the first of its sentence and no
    function word; a name is new at its first such mention. With one, `reference_modified_before` and `_after` are the
    shares of first mentions of nouns and names that have words depending on them on that side (dependencies only).

    >>> from analysis.text.quality.segments import sentences
    >>> found = reference_form(sentences("Then Ann met Bob. She likes Bob."), None)
    >>> found["reference_names"], found["reference_new_names"], found["reference_pronoun_start"]
    (3.0, 2.0, 0.0)
    """
    words = [word for sentence in text for word in sentence.words]
    names = [
        token.casefold()
        for sentence in text
        for token in sentence.written[1:]
        if token[0].isupper() and token.casefold() not in lists.FUNCTION_WORDS
    ]
    total = len(words) or math.nan
    found = {
        "reference_names": float(len(names)),
        "reference_new_names": float(len(set(names))),
        "reference_repeated_names": 1 - len(set(names)) / len(names) if names else math.nan,
        "reference_names_share": len(names) / total,
        "reference_indefinite_share": sum(word in lists.INDEFINITE_ARTICLES for word in words) / total,
        "reference_definite_share": words.count("the") / total,
        "reference_quantifiers_share": sum(word in lists.QUANTIFIERS for word in words) / total,
        "reference_pronoun_start": float(bool(words) and words[0] in lists.PERSONAL),
    }
    return found | _modifiers(parsed) if parsed is not None else found


def _modifiers(parsed: Parsed) -> dict[str, float]:
    parses = [parse for _, parse in parsed]
    before = after = first = nouns = subjects = words = 0
    seen: set[str] = set()
    for parse in parses:
        if parse is None:
            continue
        words += len(parse.tokens)
        with_before = {t.head for at, t in enumerate(parse.tokens) if t.head is not None and at < t.head}
        with_after = {t.head for at, t in enumerate(parse.tokens) if t.head is not None and at > t.head}
        for at, token in enumerate(parse.tokens):
            if token.pos not in NOMINAL:
                continue
            nouns += 1
            subjects += token.role == "S"
            if token.lemma not in seen:
                seen.add(token.lemma)
                first += 1
                before += at in with_before
                after += at in with_after
    known = all(t.head is not None for parse in parses if parse is not None for t in parse.tokens)
    return {
        "reference_nouns_share": nouns / words if words else math.nan,
        "reference_subjects_share": subjects / nouns if nouns else math.nan,
        "reference_modified_before": before / first if first and known else math.nan,
        "reference_modified_after": after / first if first and known else math.nan,
    }
