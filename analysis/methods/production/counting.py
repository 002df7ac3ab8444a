"""Count the responses to an item, and compute the entropy of their distribution."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BETWEEN = " / "
"""Stands between responses that are equally frequent."""


@dataclass(frozen=True)
class Norm:
    """The responses to one item: numbers by response, the most frequent first."""

    counts: tuple[tuple[str, int], ...]

    @property
    def n(self) -> int:
        """How many responses there are."""
        return sum(number for _, number in self.counts)

    @property
    def dominant(self) -> tuple[str, ...]:
        """The response that was given most often, or those."""
        return tuple(name for name, number in self.counts if number == self.counts[0][1])

    @property
    def entropy(self) -> float:
        """−Σ p log2 p of the observed shares, in bits."""
        return entropy([number for _, number in self.counts])

    @property
    def corrected(self) -> float:
        """The entropy with the correction (k − 1)/(2 n ln 2) for k responses (Miller 1955)."""
        return self.entropy + (len(self.counts) - 1) / (2 * self.n * math.log(2)) if self.n else 0.0


def norm_of(responses: Iterable[str]) -> Norm:
    """Count responses; equally frequent ones in the order of the alphabet.

    >>> norm_of(["dog", "cat", "dog", "dog"]).counts
    (('dog', 3), ('cat', 1))
    """
    return Norm(tuple(sorted(Counter(responses).items(), key=lambda entry: (-entry[1], entry[0]))))


def entropy(counts: Sequence[int]) -> float:
    """Return −Σ p log2 p in bits.

    >>> entropy([2, 1, 1]), entropy([5])
    (1.5, 0.0)
    """
    total = sum(counts)
    # Subtracted from 0, since the sum of nothing but certainty is -0.
    return 0.0 - math.fsum(number / total * math.log2(number / total) for number in counts if number)
