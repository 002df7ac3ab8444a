"""Split a text into words and sentences by named rules.

How a text is cut decides what is counted, so no rule is used without its name and version being told. Texts as they
are printed are cut by the rules `running`; texts that were tokenised already (`islam 's holiest city , which …`) by
those that begin with `spaced`. The others repeat what published programs do, so that their numbers can be compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from analysis.text.boundaries import running_sentences

MARKS = frozenset(".!?")


@dataclass(frozen=True)
class Rule:
    """A named way to cut a text into pieces: words, or sentences. `version` grows whenever a piece may change."""

    name: str
    description: str
    split: Callable[[str], list[str]]
    version: int = 1

    @property
    def label(self) -> str:
        """Return the name with its version, as reports print it."""
        return f"{self.name} {self.version}"


# From the first letter or digit to the last one before a blank, a dash or several dots.
_WORD = re.compile(r"[^\W_](?:(?:(?!--|\.\.)[^\s–—…])*[^\W_])?")
_WORD_OR_MARK = re.compile(_WORD.pattern + r"|[^\w\s]|_")
_SPACED_ELLIPSIS = re.compile(r"(?<!\S)\.(?:\s\.){2,}(?!\S)")
_MAUTNER = re.compile(r"\W+|\$[\d.]+|\S+")
_MAUTNER_LEFT_OUT = frozenset({".", ",", "!", "?", " "})


def running_words(text: str) -> list[str]:
    """Return the words of a text as printed, without the punctuation around them.

    Hyphens, apostrophes, slashes and decimal points within a word keep it together; blanks, dashes and several dots
    part words; numbers are words.

    >>> running_words("Islam's holiest city—the able-bodied must, e.g., walk 1.5 km ...")
    ["Islam's", 'holiest', 'city', 'the', 'able-bodied', 'must', 'e.g', 'walk', '1.5', 'km']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text))


def words_and_marks(text: str) -> list[str]:
    """Return the words of a text as printed and the marks between them, for a language model that knows marks.

    >>> words_and_marks('He said, "Rain!"')
    ['He', 'said', ',', '"', 'Rain', '!', '"']
    """
    return _WORD_OR_MARK.findall(unicodedata.normalize("NFC", text))


def spaced_words(text: str) -> list[str]:
    """Return the tokens between blanks that hold a letter or a digit, for a text that was tokenised already.

    >>> spaced_words("islam 's city , -lrb- see map -rrb- .")
    ['islam', "'s", 'city', '-lrb-', 'see', 'map', '-rrb-']
    """
    return [token for token in text.split() if _has_word(token)]


def tokens_13a(text: str) -> list[str]:
    """Return the tokens of sacreBLEU's tokeniser `13a` in lower case, punctuation included.

    >>> tokens_13a("Jeddah is Islam's city, at 1.5 km.")
    ['jeddah', 'is', "islam's", 'city', ',', 'at', '1.5', 'km', '.']
    """
    return _tokenizer_13a()(text.lower()).split()


def mautner_tokens(text: str) -> list[str]:
    """Return what the program `readability` of M. Mautner counts as words.

    The text is cut into stretches without letters and digits, sums of dollars, and stretches without blanks, in this
    order of preference; single blanks and marks are left out, and full stops, commas, exclamation and question marks
    are taken out of the rest. So a comma between two blanks counts as a word of two blanks: on tokenised text there
    are more of these words than tokens.

    >>> mautner_tokens("a city , which")
    ['a', 'city', '  ', 'which']
    """
    found = [token for token in _MAUTNER.findall(text) if token not in _MAUTNER_LEFT_OUT]
    return [re.sub(r"[.,!?]", "", token) for token in found]


def spaced_sentences(text: str) -> list[str]:
    """Return the sentences of a text that was tokenised already: a token `.`, `!` or `?` ends one that has a word.

    Three or more full stops in a row are an ellipsis, which ends none.

    >>> spaced_sentences("it rained . she , c. 1482 , left ...  the door ! !")
    ['it rained .', 'she , c. 1482 , left ... the door !', '!']
    """
    return _cut(_SPACED_ELLIPSIS.sub("...", text).split(), needs_word=True)


@cache
def _tokenizer_13a() -> Callable[[str], str]:
    # Loaded when it is needed: most analyses count no tokens.
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer


def sentences_13a(text: str) -> list[str]:
    """Return the sentences of the tokens `13a`: each `.`, `!` and `?` ends one, whatever it belongs to.

    This is as many as Punkt, the sentence splitter of NLTK, finds in text that was tokenised before, where no full stop
    touches an abbreviation: more than there are.

    >>> sentences_13a('John F. Kennedy was named "sportsman."')
    ['john f .', 'kennedy was named " sportsman .', '"']
    """
    return _cut(tokens_13a(text), needs_word=False)


def one_sentence(text: str) -> list[str]:
    """Return the whole text as one sentence; nothing where it has no word.

    >>> one_sentence(" It rained. "), one_sentence(" . ")
    (['It rained.'], [])
    """
    return [text.strip()] if _has_word(text) else []


def looks_tokenised(texts: Iterable[str]) -> bool:
    """Say whether commas and full stops mostly stand alone between blanks, as in texts that were tokenised already.

    Ellipses of single dots (`. . .`) tell nothing, as they are written so in print as well.

    >>> looks_tokenised(["it rained , again ."]), looks_tokenised(["It rained, again."]), looks_tokenised(["rain"])
    (True, False, False)
    >>> looks_tokenised(["It rained . . . and stopped."])
    False
    """
    alone = attached = 0
    for text in texts:
        text = _SPACED_ELLIPSIS.sub(" ", text)
        alone += len(re.findall(r"(?<=\s)[.,](?=\s|$)", text))
        attached += len(re.findall(r"(?<=\w)[.,](?=\s|$)", text))
    return alone > attached


def _has_word(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _cut(tokens: list[str], *, needs_word: bool) -> list[str]:
    """Cut tokens after every mark, with `needs_word` only after one that follows a word; join pieces with blanks."""
    pieces: list[str] = []
    open_tokens: list[str] = []
    may_end = not needs_word
    for token in tokens:
        open_tokens.append(token)
        may_end = may_end or _has_word(token)
        if token in MARKS and may_end:
            pieces.append(" ".join(open_tokens))
            open_tokens = []
            may_end = not needs_word
    return [*pieces, " ".join(open_tokens)] if open_tokens else pieces


def _with_words(split: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    def sentences(text: str) -> list[str]:
        return [piece for piece in split(text) if _has_word(piece)]

    return sentences


WORD_RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("running", "words of a text as printed", running_words),
        Rule("running-all", "words and marks of a text as printed", words_and_marks),
        Rule("spaced", "tokens between blanks with a letter or a digit", spaced_words),
        Rule("spaced-all", "tokens between blanks, punctuation included", str.split),
        Rule("13a", "tokens of sacreBLEU's 13a in lower case, punctuation included", tokens_13a),
        Rule("mautner", "tokens of M. Mautner's readability", mautner_tokens),
    )
}
SENTENCE_RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("running", "sentences of a text as printed", running_sentences, version=2),
        Rule("spaced", "a token . ! or ? ends a sentence that has a word", _with_words(spaced_sentences), 2),
        Rule("13a-marks", "each . ! or ? among the tokens 13a ends a sentence", sentences_13a),
        Rule("one", "every text is one sentence", one_sentence),
    )
}
