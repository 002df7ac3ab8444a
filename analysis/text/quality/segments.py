"""Split a text into sentences and words by rules, without a model, so that results are the same everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from analysis.text.boundaries import running_sentences

_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
_TURN = re.compile(r"(?:^|(?<=\s))\|(?=\s|$)")


@dataclass(frozen=True)
class Sentence:
    """A sentence as written, and its tokens: words (letters, digits) and single marks of punctuation."""

    text: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Words and punctuation marks as written."""
        return tuple(_TOKEN.findall(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words in lower case, without punctuation."""
        return tuple(token.casefold().replace("’", "'") for token in self.tokens if token[0].isalnum())

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Words as written, without punctuation."""
        return tuple(token for token in self.tokens if token[0].isalnum())


def sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text at a bar between blanks (turns of a dialogue), and as `running_sentences` does.

    >>> [sentence.text for sentence in sentences("Dr. Low left. She came back ! | Why?")]
    ['Dr. Low left.', 'She came back !', 'Why?']
    >>> sentences("Ann's dog, 7 pm.")[0].words
    ("ann's", 'dog', '7', 'pm')
    """
    pieces = (piece for turn in _TURN.split(text) if turn.strip() for piece in running_sentences(turn))
    return tuple(sentence for sentence in map(Sentence, pieces) if sentence.words)


def ngrams(words: tuple[str, ...], size: int) -> list[tuple[str, ...]]:
    """Return every run of `size` words, in order.

    >>> ngrams(("a", "b", "c"), 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(words[start:] for start in range(size)), strict=False))
