"""Six perturbations that slightly degrade a text, to test whether metrics notice (Tanprasert & Kauchak, 2021).

| edit | what happens |
|---|---|
| `random-period` | a full stop is put between two words |
| `random-the` | the word `the` is put before a word |
| `replace-longest` | the longest word becomes `the`; of several, the first |
| `replace-rand-period` | a word within the text becomes a full stop |
| `replace-rand-the` | a word becomes `the` |
| `rand-period+repl-longest` | `replace-longest`, then `random-period` |

The article leaves open what happens at the edges. Here a full stop always leaves words on both sides of it in the same
sentence, a word that is `the` already is not replaced by itself, and punctuation is no word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

RANDOM_PERIOD = "random-period"
RANDOM_THE = "random-the"
REPLACE_LONGEST = "replace-longest"
REPLACE_RANDOM_PERIOD = "replace-rand-period"
REPLACE_RANDOM_THE = "replace-rand-the"
BOTH = "rand-period+repl-longest"
EDITS = (RANDOM_PERIOD, RANDOM_THE, REPLACE_LONGEST, REPLACE_RANDOM_PERIOD, REPLACE_RANDOM_THE, BOTH)
WITHOUT_CHANCE = frozenset({REPLACE_LONGEST})

THE = "the"
_ENDS = re.compile(r"[.!?…]+[\"'”’»)\]]*$")
_CORE = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


@dataclass(frozen=True)
class Parts:
    """A text cut at blanks: its tokens, which of them hold a word, and which words a full stop can stand before."""

    tokens: tuple[str, ...]
    words: tuple[int, ...]
    gaps: tuple[int, ...]
    spaced: bool

    def core(self, token: int) -> str:
        """Return the word of a token without the punctuation around it."""
        found = _CORE.search(self.tokens[token])
        return found[0] if found else ""


def parts_of(text: str, *, spaced: bool = False) -> Parts:
    """Cut a text for `perturbed`. In a `spaced` text, one that was tokenised already, punctuation stands alone.

    >>> parts_of("Rain fell. It stopped.").words, parts_of("Rain fell. It stopped.").gaps
    ((0, 1, 2, 3), (1, 3))
    """
    tokens = tuple(text.split())
    words = tuple(at for at, token in enumerate(tokens) if _CORE.search(token))
    gaps = tuple(at for at in words[1:] if not _ENDS.search(tokens[at - 1]))
    return Parts(tokens=tokens, words=words, gaps=gaps, spaced=spaced)


def perturbed(parts: Parts, edit: str, *, draw: float = 0.0) -> str | None:
    """Return the text with an edit, or None where the text is too short for it.

    `draw` is a number from 0 up to 1 that chooses the place: 0 the first possible one. Raises KeyError for an edit that
    does not exist.

    >>> parts = parts_of("The committee met again in May.")
    >>> for edit in EDITS:
    ...     print(perturbed(parts, edit, draw=0.5))
    The committee met. again in May.
    The committee met the again in May.
    The the met again in May.
    The committee met. in May.
    The committee met the in May.
    The the met. again in May.
    >>> perturbed(parts_of("the cat sat .", spaced=True), "random-period", draw=0.9)
    'the cat . sat .'
    >>> perturbed(parts_of("Rain."), "random-period") is None
    True
    """
    tokens = list(parts.tokens)
    match edit:
        case "random-period":
            return _with_period(parts, tokens, draw)
        case "random-the":
            at = _chosen(parts.words, draw)
            return None if at is None else _joined([*tokens[:at], THE, *tokens[at:]])
        case "replace-longest":
            return _joined(tokens) if _replace_longest(parts, tokens) else None
        case "replace-rand-period":
            return _word_for_period(parts, tokens, draw)
        case "replace-rand-the":
            at = _chosen([at for at in parts.words if parts.core(at).casefold() != THE], draw)
            if at is None:
                return None
            tokens[at] = _with_core(tokens[at], THE)
            return _joined(tokens)
        case "rand-period+repl-longest":
            return _with_period(parts, tokens, draw) if _replace_longest(parts, tokens) else None
        case _:
            raise KeyError(edit)


def _with_period(parts: Parts, tokens: list[str], draw: float) -> str | None:
    at = _chosen(parts.gaps, draw)
    if at is None:
        return None
    if parts.spaced:
        return _joined([*tokens[:at], ".", *tokens[at:]])
    return _joined([*tokens[: at - 1], f"{tokens[at - 1]}.", *tokens[at:]])


def _word_for_period(parts: Parts, tokens: list[str], draw: float) -> str | None:
    """Replace a word that has words of its sentence on both sides."""
    following = dict(zip(parts.words, parts.words[1:], strict=False))
    inner = [at for at in parts.gaps if following.get(at) in parts.gaps]
    at = _chosen(inner, draw)
    if at is None:
        return None
    if parts.spaced:
        tokens[at] = "."
        return _joined(tokens)
    return _joined([*tokens[: at - 1], f"{tokens[at - 1]}.", *tokens[at + 1 :]])


def _replace_longest(parts: Parts, tokens: list[str]) -> bool:
    others = [at for at in parts.words if parts.core(at).casefold() != THE]
    if not others:
        return False
    longest = max(others, key=lambda at: (len(parts.core(at)), -at))
    tokens[longest] = _with_core(tokens[longest], THE)
    return True


def _with_core(token: str, word: str) -> str:
    return _CORE.sub(lambda _: word, token, count=1)


def _chosen(places: Sequence[int], draw: float) -> int | None:
    return places[min(int(draw * len(places)), len(places) - 1)] if places else None


def _joined(tokens: Sequence[str]) -> str:
    return " ".join(tokens)
