"""Closed classes of English words, lists of our own after the usual grammars."""

from __future__ import annotations

from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PERSONAL: Final = _set("he she it they him her them his hers its their theirs himself herself itself themselves")
FIRST_SECOND: Final = _set(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves i'm i'll i've i'd we're we'll "
    "we've you're you'll you've"
)
DEMONSTRATIVES: Final = _set("this that these those")
INDEFINITE_ARTICLES: Final = _set("a an")
RELATIVES: Final = _set("who whom whose which")
QUESTION_WORDS: Final = _set("what when where why how who which whose whom")
QUANTIFIERS: Final = _set("all any both each every few many more most much no none several some other another")
AUXILIARIES: Final = _set(
    "am is are was were be been being have has had having do does did will would shall should can could may might must "
    "'s 're 've 'll isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't "
    "couldn't shouldn't"
)
NEGATIONS: Final = _set(
    "not no never nothing nobody none neither nor isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't "
    "didn't won't wouldn't can't cannot couldn't shouldn't"
)
PREPOSITIONS: Final = _set(
    "about above across after against along among around at before behind below beside between by down during for from "
    "in inside into near of off on onto out outside over past since through to toward towards under until up upon with "
    "within without"
)
ADDITIVE: Final = _set("and also too moreover furthermore besides additionally likewise")
CONTRASTIVE: Final = _set("but however although though yet nevertheless nonetheless whereas instead otherwise")
CAUSAL: Final = _set("because so therefore thus hence consequently since as if unless")
TEMPORAL: Final = _set("then after before when while until later meanwhile finally afterwards first next once soon")
CONNECTIVES: Final = ADDITIVE | CONTRASTIVE | CAUSAL | TEMPORAL
SECOND_WORDS: Final = frozenset(
    {
        ("as", "a"),
        ("for", "example"),
        ("for", "instance"),
        ("in", "addition"),
        ("in", "fact"),
        ("on", "the"),
        ("after", "that"),
        ("at", "the"),
    }
)
"""First two words of common connectives of several words, for the beginning of a sentence."""

FUNCTION_WORDS: Final = (
    PERSONAL
    | FIRST_SECOND
    | DEMONSTRATIVES
    | INDEFINITE_ARTICLES
    | RELATIVES
    | QUESTION_WORDS
    | QUANTIFIERS
    | AUXILIARIES
    | NEGATIONS
    | PREPOSITIONS
    | CONNECTIVES
    | _set("the or nor than there here just very really will going s t m re ve ll d let us one ok okay yes oh")
)


def content_words(words: tuple[str, ...]) -> list[str]:
    """Return the words that are no function words and longer than one letter, plural -s taken off.

    Taking off the ending is crude on purpose: it joins `book` and `books` without a dictionary.

    >>> content_words(("the", "books", "of", "this", "class", "are", "new"))
    ['book', 'class', 'new']
    """
    return [stem(word) for word in words if word not in FUNCTION_WORDS and len(word) > 1]


def stem(word: str) -> str:
    """Return a word without possessive and plural endings.

    >>> stem("parties"), stem("books"), stem("tom's"), stem("bus"), stem("glass")
    ('party', 'book', 'tom', 'bus', 'glass')
    """
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
