"""Suggest codes from the words of a recall, each with its reason. Pure; shown to coders, never applied automatically.

What words can show is limited: a paraphrase in other words looks garbled here, and a garbled clause made of the right
words looks right. A coder decides; how often the suggestions were right is reported beside the agreement of coders.

The codes are those of Table 1 of Siddharthan and Katsos (2012). A study that took one of them away, or changed whether
it stands alone, is not suggested that code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.coding.differences import aligned, is_near, words_of
from experiments.rules.error_codes import SchemeCode, faults_of, normalised
from experiments.sentences import Sentence

ACCURATE, OTHER_MARKER, CHANGED, B_GARBLED, A_GARBLED, MODIFIER_LOST, QUANTIFIER_LOST = "0123456"

# A clause of which less than this share of words is recalled is suggested to be garbled.
GARBLED_BELOW = 0.5
# From this share on, with nothing else amiss, a recall is suggested to be accurate.
ACCURATE_FROM = 0.75
# So many words outside clauses, connective and quantifier are a modifying clause that can be lost.
MODIFIER_WORDS = 3


@dataclass(frozen=True)
class Suggestion:
    """Suggested codes and why: `reasons` are sentences."""

    codes: tuple[str, ...]
    reasons: tuple[str, ...]


def suggest(
    stimulus: str,
    recall: str,
    *,
    scheme: Sequence[SchemeCode],
    defaults: Sequence[SchemeCode],
    marked: Mapping[str, Any] | None = None,
    connectives: Iterable[str] = (),
) -> Suggestion | None:
    """Return the codes that the words suggest, or None where they suggest none.

    `marked` holds what the materials mark in the stimulus: `clause_a` (cause), `clause_b` (effect), `connective`,
    `quantifier`. `connectives` are those of the whole study. Without marked clauses the sentence is judged as one.

    >>> from experiments.paradigms.base import DefaultErrorCode as Code
    >>> scheme = [Code("0", "accurate", 0.5, True), Code("3", "B garbled", -0.5, False)]
    >>> suggest("The path flooded.", "the path flooded", scheme=scheme, defaults=scheme).reasons
    ('The same words; only capitals, spaces or punctuation differ.',)
    >>> marked = {"clause_a": "rain fell", "clause_b": "the old path flooded", "connective": "because"}
    >>> found = suggest("The old path flooded because rain fell.", "It was wet because rain fell",
    ...                 scheme=scheme, defaults=scheme, marked=marked)
    >>> found.codes, found.reasons
    (('3',), ('Clause B (effect): 0 of 4 words are there.',))
    """
    found = _found(stimulus, recall, marked or {}, list(connectives))
    codes = normalised((code for code, _ in found), scheme)
    if (
        not found
        or not available_codes(scheme, defaults).issuperset(code for code, _ in found)
        or faults_of(codes, scheme)
    ):
        return None
    return Suggestion(tuple(codes), tuple(dict.fromkeys(reason for _, reason in found)))


def _found(stimulus: str, recall: str, marked: Mapping[str, Any], connectives: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of code and reason."""
    if not words_of(recall):
        return [(code, Sentence("Nothing was written.")) for code in (B_GARBLED, A_GARBLED)]
    if recall.strip() == stimulus.strip():
        return [(ACCURATE, Sentence("Word for word."))]
    if _plain(recall) == _plain(stimulus):
        return [(ACCURATE, Sentence("The same words; only capitals, spaces or punctuation differ."))]
    clauses = {name: words_of(_text(marked.get(name))) for name in ("clause_a", "clause_b")}
    if all(clauses.values()):
        return _by_clauses(stimulus, recall, marked, clauses, connectives)
    return _as_one(stimulus, recall, marked, connectives)


def _by_clauses(
    stimulus: str, recall: str, marked: Mapping[str, Any], clauses: Mapping[str, list[str]], connectives: Sequence[str]
) -> list[tuple[str, str]]:
    there = _without(words_of(recall), _text(marked.get("connective")))
    a, b = (_shared(clauses[name], there) for name in ("clause_a", "clause_b"))
    total_a, total_b = len(clauses["clause_a"]), len(clauses["clause_b"])
    found: list[tuple[str, str]] = []
    if b / total_b < GARBLED_BELOW:
        said = Sentence("Clause B (effect): {there} of {total} words are there.", there=b, total=total_b)
        found.append((B_GARBLED, said))
    if a / total_a < GARBLED_BELOW:
        said = Sentence("Clause A (cause): {there} of {total} words are there.", there=a, total=total_a)
        found.append((A_GARBLED, said))
    code, reason = _connective(recall, _text(marked.get("connective")), connectives)
    if found:
        # With both clauses gone nothing is left for the relation to hold between.
        return [(code, reason), *found] if code == CHANGED and len(found) == 1 else found
    if code is not None:
        return [(code, reason)]
    quantifier = _text(marked.get("quantifier"))
    if quantifier and not _holds(words_of(recall), words_of(quantifier)):
        return [(QUANTIFIER_LOST, _lost(quantifier))]
    outside = _rest(
        words_of(stimulus), [*clauses.values(), words_of(_text(marked.get("connective"))), words_of(quantifier)]
    )
    if len(outside) >= MODIFIER_WORDS and _shared(outside, there) / len(outside) < GARBLED_BELOW:
        said = Sentence(
            "Outside the clauses {there} of {total} words are there.",
            there=_shared(outside, there),
            total=len(outside),
        )
        return [(MODIFIER_LOST, said)]
    if a / total_a >= ACCURATE_FROM and b / total_b >= ACCURATE_FROM:
        counts = {"a": a, "total_a": total_a, "b": b, "total_b": total_b}
        if marked.get("connective"):
            said = Sentence(
                "Clause A: {a} of {total_a} words, clause B: {b} of {total_b}, and the same connective.", **counts
            )
        else:
            said = Sentence("Clause A: {a} of {total_a} words, clause B: {b} of {total_b}.", **counts)
        return [(ACCURATE, said)]
    return []


def _as_one(stimulus: str, recall: str, marked: Mapping[str, Any], connectives: Sequence[str]) -> list[tuple[str, str]]:
    connective = _text(marked.get("connective")) or _present(stimulus, connectives)
    content = _without(words_of(stimulus), connective)
    shared = _shared(content, _without(words_of(recall), connective))
    share = shared / len(content) if content else 1.0
    counts = {"there": shared, "total": len(content)}
    reason = Sentence("{there} of {total} words of the sentence are there.", **counts)
    if share < GARBLED_BELOW:
        return [(B_GARBLED, reason), (A_GARBLED, reason)]
    code, changed = _connective(recall, connective, connectives)
    if code is not None:
        return [(code, changed)]
    quantifier = _text(marked.get("quantifier"))
    if quantifier and not _holds(words_of(recall), words_of(quantifier)):
        return [(QUANTIFIER_LOST, _lost(quantifier))]
    if share >= ACCURATE_FROM:
        if connective:
            reason = Sentence("{there} of {total} words of the sentence are there, and the same connective.", **counts)
        return [(ACCURATE, reason)]
    return []


def _lost(quantifier: str) -> str:
    return Sentence("The quantifier “{quantifier}” is lost or changed.", quantifier=quantifier)


def _connective(recall: str, connective: str, connectives: Sequence[str]) -> tuple[str | None, str]:
    """Return the code of a connective that was changed or lost, with its reason; None where it is there."""
    if not connective:
        return None, ""
    now = _present(recall, [*connectives, connective])
    if now and words_of(now) == words_of(connective):
        return None, ""
    if now:
        return OTHER_MARKER, Sentence(
            "“{now}” replaces “{connective}”; check that the relation is the same.",
            now=now,
            connective=connective,
        )
    if _holds(words_of(recall), words_of(connective)):
        return None, ""
    return CHANGED, Sentence(
        "“{connective}” is gone, and none of the study's other connectives replaces it.", connective=connective
    )


def _present(text: str, connectives: Iterable[str]) -> str:
    """Return the connective that a text holds; the longest first, so that "because of" is no "because"."""
    words = words_of(text)
    for candidate in sorted(
        {entry for entry in connectives if words_of(entry)}, key=lambda entry: (-len(words_of(entry)), entry)
    ):
        if _places(words, words_of(candidate)) is not None:
            return candidate
    return ""


def _places(words: Sequence[str], sought: Sequence[str]) -> int | None:
    return next(
        (i for i in range(len(words) - len(sought) + 1) if list(words[i : i + len(sought)]) == list(sought)), None
    )


def _holds(words: Sequence[str], sought: Sequence[str]) -> bool:
    """Say whether the words stand together in a text, spelling apart."""
    return any(
        all(is_near(word, wanted) for word, wanted in zip(words[i:], sought, strict=False))
        for i in range(len(words) - len(sought) + 1)
    )


def _without(words: Sequence[str], part: str) -> list[str]:
    sought = words_of(part)
    place = _places(words, sought) if sought else None
    return list(words) if place is None else [*words[:place], *words[place + len(sought) :]]


def _shared(sought: Sequence[str], words: Sequence[str]) -> int:
    """Return how many of the sought words are among the words, in any order, each used once."""
    in_order = dict(aligned(list(sought), list(words)))
    left = [word for j, word in enumerate(words) if j not in set(in_order.values())]
    count = len(in_order)
    for i, wanted in enumerate(sought):
        if i in in_order:
            continue
        match = next((word for word in left if is_near(word, wanted)), None)
        if match is not None:
            left.remove(match)
            count += 1
    return count


def _rest(words: Sequence[str], parts: Iterable[Sequence[str]]) -> list[str]:
    rest = list(words)
    for part in parts:
        for word in part:
            if word in rest:
                rest.remove(word)
    return rest


def _plain(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(re.findall(r"[\w']+", normal))


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def available_codes(scheme: Sequence[SchemeCode], defaults: Sequence[SchemeCode]) -> set[str]:
    """Return the codes that can be suggested in a study."""
    return {
        default.code
        for default in defaults
        if any(entry.code == default.code and entry.is_exclusive == default.is_exclusive for entry in scheme)
    }
