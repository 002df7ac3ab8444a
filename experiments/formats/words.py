"""Count and split words by one rule, which the browser follows too (`tests/contract/words.json`). Pure.

A word is a letter or number with all letters, numbers and combining marks that follow it. One character of `JOINERS`
between these and another letter or number keeps them together, so a hyphenated word and a word with apostrophes are
one word; between two digits those of `DIGIT_JOINERS` do, so 3,000 and 12.5 and 14:30 are one word each. Punctuation,
dashes, symbols and emoji are no words, but separate words. Invisible format characters are ignored, except the
zero-width space, which is a space.

In scripts without spaces between words (`SCRIPTS_WITHOUT_SPACES`), regions are marked in the text, such as
`因为|下雨|，他|没来`; each region that contains a letter or number is one word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from experiments.sentences import Sentence

# Apostrophes, hyphens, and the marks inside e.g., R&D, file_name, a@b.org, col·lecció, 100%ig, צה״ל.
JOINERS = "'’‘＇-‐‑־._@&·%׳״"
# Separators of thousands and decimals, of hours and minutes, of fractions; spaces that do not break.
DIGIT_JOINERS = ",:/٫٬\u00a0\u2009\u202f"
# The marks between regions; the second is the full-width form of Chinese and Japanese keyboards.
REGION_MARKS = "|｜"

# Blocks of Unicode, first and last code point.
SCRIPTS_WITHOUT_SPACES: tuple[tuple[int, int], ...] = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1B7F),  # Balinese
    (0x3005, 0x3007),  # iteration mark, closing mark and zero of Chinese and Japanese
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31F0, 0x31FF),  # Katakana
    (0x3400, 0x4DBF),  # Chinese characters
    (0x4E00, 0x9FFF),  # Chinese characters
    (0xA980, 0xA9FF),  # Javanese, Burmese
    (0xAA60, 0xAADF),  # Burmese, Tai Viet
    (0xF900, 0xFAFF),  # Chinese characters
    (0xFF66, 0xFF9F),  # Katakana of half width
    (0x20000, 0x3FFFF),  # Chinese characters
)

_WITHOUT_SPACES = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in SCRIPTS_WITHOUT_SPACES) + "]")
_WORD = re.compile(r"[ln][lnmf]*(?:(?:j|(?<=n)d(?=n))[ln][lnmf]*)*")
# In a gap between two words, a segment ends at the last of these.
_BREAKING_SPACE = re.compile(r"[^\S\u00a0\u202f]|\u200b")


class NeedsRegions(ValueError):
    """The text holds a word in a script without spaces, so its regions have to be marked.

    `word` is the first such run of characters.
    """

    def __init__(self, word: str) -> None:
        shown = word if len(word) <= 20 else f"{word[:20]}…"
        super().__init__(
            Sentence(
                "‘{shown}’ is in a script without spaces between words. Mark the words in the column 'regions': "
                "write the same text with | between them.",
                shown=shown,
            )
        )
        self.word = word


def split_words(text: str, *, regions: str | None = None) -> list[str]:
    """Return the words of a text in order, without the punctuation around them.

    `regions` is the text with `|` between its regions; if given, the regions are the words.

    Raises NeedsRegions for a text in a script without spaces and without regions.

    >>> split_words("She hasn’t read the well-known book, all 1,200.5 pages – yet.")
    ['She', 'hasn’t', 'read', 'the', 'well-known', 'book', 'all', '1,200.5', 'pages', 'yet']
    >>> split_words("因为下雨，他没来。", regions="因为|下雨，|他|没来。")
    ['因为', '下雨', '他', '没来']
    """
    if regions:
        return [word for region in split_regions(regions) if (word := _inner(region))]
    return [text[start:end] for start, end in _checked_spans(text)]


def count_words(text: str, *, regions: str | None = None) -> int:
    """Return the number of words of a text; see `split_words`.

    Raises NeedsRegions for a text in a script without spaces and without regions.

    >>> count_words("The match was called off because of the frost.")
    9
    """
    return len(split_words(text, regions=regions))


def needs_regions(text: str) -> bool:
    """Return whether a text holds a word in a script without spaces, so that `split_words` needs its regions.

    >>> needs_regions("One word."), needs_regions("他没来。"), needs_regions("。")
    (False, True, False)
    """
    if not holds_script_without_spaces(text):
        return False
    try:
        _checked_spans(text)
    except NeedsRegions:
        return True
    return False


def holds_script_without_spaces(text: str) -> bool:
    """Return whether a text has any character of a script without spaces between words.

    >>> holds_script_without_spaces("One word."), holds_script_without_spaces("One 词.")
    (False, True)
    """
    return not text.isascii() and _WITHOUT_SPACES.search(text) is not None


def split_segments(text: str, *, regions: str | None = None) -> list[str]:
    """Split a text into one segment per word, each with its punctuation, for word-by-word presentation.

    Punctuation after a word goes with it, punctuation before the next word (after the last space) with the next.
    There are as many segments as words; a text without words is one segment.

    Raises NeedsRegions for a text in a script without spaces and without regions.

    >>> split_segments("“Stop,” she said – and (almost) smiled.")
    ['“Stop,”', 'she', 'said –', 'and', '(almost)', 'smiled.']
    >>> split_segments("他没来。", regions="他|没来|。")
    ['他', '没来。']
    """
    if regions:
        return _joined_to_words([region.strip() for region in split_regions(regions)])
    spans = _checked_spans(text)
    cuts = [0]
    for (_start, end), (following, _end) in pairwise(spans):
        if text[following - 1] == " ":
            cuts.append(following)
            continue
        breaks = list(_BREAKING_SPACE.finditer(text, end, following))
        cuts.append(breaks[-1].end() if breaks else following)
    cuts.append(len(text))
    return [text[start:end].strip().strip("\u200b") for start, end in pairwise(cuts)]


def split_regions(regions: str) -> list[str]:
    """Return the regions between the marks without empty ones; spaces are kept.

    >>> split_regions("他|没来|。|")
    ['他', '没来', '。']
    """
    return [region for region in re.split(f"[{re.escape(REGION_MARKS)}]", regions) if region.strip()]


def regions_fault(text: str, *, regions: str) -> str | None:
    """Return what is wrong with marked regions, which must be the text plus marks; None if nothing is.

    >>> regions_fault("他没来。", regions="他|没来。") is None
    True
    >>> regions_fault("他没来。", regions="她|没来。")
    "The column 'regions' must contain the same text with | between the words; it differs at ‘她没来。’."
    """
    shown = where_differing("".join(split_regions(regions)), text)
    if shown is None:
        return None
    return Sentence(
        "The column 'regions' must contain the same text with | between the words; it differs at ‘{shown}’.",
        shown=shown,
    )


def where_differing(text: str, wanted: str) -> str | None:
    """Return the rest of a text from its first difference from the expected one, ignoring spaces; None if equal.

    >>> where_differing("The dog sat.", "The cat sat."), where_differing("Thecat", "The cat")
    ('dogsat.', None)
    """
    bare, other = "".join(text.split()), "".join(wanted.split())
    if bare == other:
        return None
    same = next((i for i, (a, b) in enumerate(zip(bare, other, strict=False)) if a != b), min(len(bare), len(other)))
    return bare[same : same + 20] or Sentence("the end")


def is_within_word(text: str, place: int) -> bool:
    """Return whether a place, counted in characters, is within a word or number of a script with spaces.

    >>> [is_within_word("买3,000本well-known书", place) for place in (0, 1, 2, 3, 6, 7, 11, 18)]
    [False, False, True, True, False, False, True, False]
    """
    if not 0 < place < len(text) or is_without_spaces(text[place - 1]) or is_without_spaces(text[place]):
        return False
    return any(start < place < end for start, end in _spans(text))


def _joined_to_words(regions: list[str]) -> list[str]:
    """Join each region without a word to the region before it, or to the next one at the start."""
    segments: list[str] = []
    leading = ""
    for region in regions:
        if _inner(region):
            segments.append(leading + region)
            leading = ""
        elif segments:
            segments[-1] += region
        else:
            leading += region
    return segments or [leading]


def _class(character: str) -> str:
    """Return l(etter), n(umber) digit, m(ark), f(ormat), j(oiner), d(igit joiner) or a blank for anything else."""
    if character in JOINERS:
        return "j"
    if character in DIGIT_JOINERS:
        return "d"
    category = unicodedata.category(character)
    if category == "Nd":
        return "n"
    if category[0] in "LN":
        return "l"
    if category[0] == "M":
        return "m"
    if category == "Cf" and character != "\u200b":
        return "f"
    return " "


class _Classes(dict[int, str]):
    """The class of every character that was met, by its code point, as `str.translate` reads it."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _class(chr(code)))


_CLASSES = _Classes()


def _spans(text: str) -> list[tuple[int, int]]:
    classes = text.translate(_CLASSES)
    if "f" not in classes:
        return [match.span() for match in _WORD.finditer(classes)]
    return [(match.start(), match.start() + len(match.group().rstrip("f"))) for match in _WORD.finditer(classes)]


def _checked_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text are. Raises NeedsRegions for the first in a script without spaces."""
    spans = _spans(text)
    if holds_script_without_spaces(text):
        for start, end in spans:
            if _WITHOUT_SPACES.search(text, start, end):
                raise NeedsRegions(text[start:end])
    return spans


def _inner(region: str) -> str:
    """Return a region from its first to its last word character; empty if it holds no word."""
    spans = _spans(region)
    return region[spans[0][0] : spans[-1][1]] if spans else ""


@lru_cache(maxsize=4096)
def is_without_spaces(character: str) -> bool:
    """Return whether a character belongs to a script without spaces between words; False for an empty text."""
    return bool(character) and any(first <= ord(character) <= last for first, last in SCRIPTS_WITHOUT_SPACES)
