"""Compute surprisal with a back-off n-gram model in the ARPA format (written by SRILM, KenLM and others)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

START, END = "<s>", "</s>"
BITS = math.log2(10)
UNKNOWNS = ("<unk>", "<UNK>")

Gram = tuple[str, ...]


class NotArpa(ValueError):
    """The text is no n-gram model in the ARPA format; the message says where and why."""


@dataclass(frozen=True)
class Surprisal:
    """Surprisal of the words of a text in bits: their sum, how many had one, how many the model does not know."""

    bits: float
    words: int
    unknown: int

    @property
    def mean(self) -> float | None:
        """Return bits per word; None where no word has a probability."""
        return self.bits / self.words if self.words else None


@dataclass(frozen=True)
class BackOffModel:
    """An n-gram model: log10 probabilities of n-grams, and log10 back-off weights of contexts."""

    order: int
    probabilities: dict[Gram, float]
    weights: dict[Gram, float]
    unknown: str | None
    vocabulary: int = 0
    """How many words the whole model has; more than are held here where only what texts need was read."""

    def knows(self, word: str) -> bool:
        """Say whether a word is in the vocabulary."""
        return (word,) in self.probabilities

    def log10_probability(self, word: str, context: Sequence[str]) -> float | None:
        """Return log10 P(word | context): that of the longest n-gram in the model, times the weights of the longer
        contexts (Katz 1987). A word out of the vocabulary is the unknown word; None where the model has none.

        >>> model = BackOffModel(2, {("the",): -0.6, ("cat",): -0.9, ("the", "cat"): -0.3}, {("cat",): -0.3}, None)
        >>> model.log10_probability("cat", ["<s>", "the"]), model.log10_probability("cat", ["cat"])
        (-0.3, -1.2)
        """
        known = word if self.knows(word) else self.unknown
        if known is None:
            return None
        longest = list(context)[max(0, len(context) - self.order + 1) :]
        history = tuple(entry if self.knows(entry) else (self.unknown or entry) for entry in longest)
        weight = 0.0
        while True:
            found = self.probabilities.get((*history, known))
            if found is not None:
                return weight + found
            weight += self.weights.get(history, 0.0)
            history = history[1:]

    def surprisal(self, sentences: Sequence[Sequence[str]]) -> Surprisal:
        """Return the surprisal −log2 P(word | words before it in the sentence) of all words of sentences.

        A sentence begins after `<s>`; its end is not counted. A token that is in the vocabulary in lower case only is
        taken in lower case. Tokens without a letter or digit are context where the model knows them, and never
        counted. A word out of the vocabulary has the probability of `<unk>`; where the model has none, it is counted
        as unknown and its surprisal is missing from the sum.

        >>> model = BackOffModel(2, {("the",): -0.6, ("cat",): -0.9, ("the", "cat"): -0.3}, {}, None)
        >>> found = model.surprisal([["The", "cat", "."]])
        >>> round(found.bits / BITS, 6), found.words, found.unknown
        (0.9, 2, 0)
        """
        bits, words, unknown = 0.0, 0, 0
        for sentence in sentences:
            context = [START]
            for token in sentence:
                form = token if self.knows(token) else token.lower()
                if not any(character.isalnum() for character in token):
                    if self.knows(form):
                        context.append(form)
                    continue
                log10 = self.log10_probability(form, context)
                unknown += not self.knows(form)
                if log10 is not None:
                    bits -= log10 * BITS
                    words += 1
                context.append(form)
        return Surprisal(bits, words, unknown)


def read_arpa(text: str) -> BackOffModel:
    """Read a model from the text of an ARPA file.

    Raises NotArpa where the header is missing, a line cannot be read, or the n-grams are not as many as announced.

    >>> read_arpa("the cat")
    Traceback (most recent call last):
    analysis.text.arpa.NotArpa: The file has no line \\data\\, with which a model in the ARPA format begins.
    """
    lines = text.splitlines()
    announced, start = _header(lines)
    probabilities: dict[Gram, float] = {}
    weights: dict[Gram, float] = {}
    found = dict.fromkeys(announced, 0)
    order = 0
    for number, line in enumerate(lines[start:], start=start + 1):
        entry = line.strip()
        if not entry:
            continue
        if entry == "\\end\\":
            break
        section = re.fullmatch(r"\\(\d+)-grams:", entry)
        if section:
            order = int(section[1])
            if order not in announced:
                raise NotArpa(f"Line {number} begins {order}-grams, which the header does not announce.")
            continue
        gram, log10, weight = as_entry(entry, order=order, number=number)
        probabilities[gram] = log10
        if weight is not None:
            weights[gram] = weight
        found[order] += 1
    else:
        raise NotArpa("The file has no line \\end\\; it may have been cut off.")
    for size, count in announced.items():
        if found[size] != count:
            raise NotArpa(f"The header announces {count:,} {size}-grams and the file has {found[size]:,}.")
    unknown = next((name for name in UNKNOWNS if (name,) in probabilities), None)
    return BackOffModel(max(announced), probabilities, weights, unknown, found[1])


def _header(lines: Sequence[str]) -> tuple[dict[int, int], int]:
    """Return the announced number of n-grams by order, and the index of the line after the header."""
    place = next((index for index, line in enumerate(lines) if line.strip() == "\\data\\"), None)
    if place is None:
        raise NotArpa("The file has no line \\data\\, with which a model in the ARPA format begins.")
    announced: dict[int, int] = {}
    index = place + 1
    while index < len(lines):
        line = lines[index].strip()
        counted = re.fullmatch(r"ngram\s+(\d+)\s*=\s*(\d+)", line)
        if counted:
            announced[int(counted[1])] = int(counted[2])
        elif line:
            break
        index += 1
    if sorted(announced) != list(range(1, len(announced) + 1)) or not announced:
        raise NotArpa("The header announces no 1-grams, or leaves out an order; it needs a line ngram 1=… and so on.")
    return announced, index


def as_entry(entry: str, *, order: int, number: int) -> tuple[Gram, float, float | None]:
    """Return the words of a line, their log10 probability and the weight of backing off. Raises NotArpa, naming it."""
    fields = entry.split()
    if order == 0 or len(fields) not in (order + 1, order + 2):
        raise NotArpa(
            f"Line {number} is not a log10 probability, {order or 'some'} words and perhaps a back-off weight."
        )
    try:
        log10 = float(fields[0])
        weight = float(fields[-1]) if len(fields) == order + 2 else None
    except ValueError:
        raise NotArpa(f"Line {number} has a log10 probability or a back-off weight that is no number.") from None
    if not (log10 <= 0 and (weight is None or math.isfinite(weight))):
        raise NotArpa(f"Line {number} has a log10 probability above 0, or a number that is not finite.")
    return tuple(fields[1 : order + 1]), max(log10, -99.0), weight
