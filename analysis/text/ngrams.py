"""Tokens and n-grams of a text, as BLEU and SARI count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

ORDERS = 4
"""Both measures look at n-grams of one to four tokens."""

TOKENIZERS = ("13a", "intl", "char", "zh", "none")
"""Those of sacrebleu that need neither a model file nor another library."""

Gram = tuple[str, ...]
Counts = tuple[dict[Gram, int], ...]


def tokens(text: str, *, tokenizer: str = "13a", lowercase: bool = True) -> list[str]:
    """Split a text into the tokens that are compared.

    `tokenizer` is one of `TOKENIZERS`, by its name in sacrebleu: `13a` splits off punctuation by the rules of
    mteval-v13a (the usual choice), `intl` by Unicode classes, `char` takes every character, `zh` splits Chinese
    characters, `none` splits at spaces, for texts that are tokenised already. Runs of white space, line ends of every
    system included, count as one space.

    >>> tokens("Mecca, Islam's holiest city.")
    ['mecca', ',', "islam's", 'holiest', 'city', '.']
    >>> tokens("A\\r\\nB", tokenizer="none", lowercase=False)
    ['A', 'B']
    """
    line = " ".join(text.split())
    return _splitter(tokenizer)(line.lower() if lowercase else line).split()


def ngram_counts(words: Sequence[str]) -> Counts:
    """Return how often every n-gram occurs, for n = 1 … 4.

    >>> [sum(counts.values()) for counts in ngram_counts(["a", "b", "a"])]
    [3, 2, 1, 0]
    >>> ngram_counts(["a", "b", "a"])[0]
    {('a',): 2, ('b',): 1}
    """
    return tuple(dict(Counter(zip(*(words[start:] for start in range(n)), strict=False))) for n in range(1, ORDERS + 1))


@cache
def _splitter(tokenizer: str) -> Callable[[str], str]:
    # Loading the library takes longer than most analyses, and most have no use for it.
    from sacrebleu.metrics.bleu import BLEU

    split: Callable[[str], str] = BLEU(tokenize=tokenizer).tokenizer
    return split
