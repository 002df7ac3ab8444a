"""Propose where texts in scripts without spaces are cut into regions, by a library where one is installed. Pure.

Nothing is cut in silence: what is proposed is shown, and becomes the regions of a text when a researcher stores it.

| texts | library | regions |
|---|---|---|
| Japanese | BudouX | phrases (bunsetsu) |
| Chinese | rjieba | words |
| Thai | PyThaiNLP | words |

All three come with `pip install "lectern[segmentation]"`. A library is imported when a text of its language is there.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from experiments.formats.words import REGION_MARKS, NeedsRegions, count_words, is_within_word, is_without_spaces
from experiments.sentences import Sentence

EXTRA = "lectern[segmentation]"
# Longer texts are marked in the table of materials; no region-by-region trial needs them.
MOST_CHARACTERS = 2_000
# Between the regions of a proposal, as people read and write it.
MARK = " | "
JAPANESE, CHINESE, THAI = "ja", "zh", "th"

Segmenter = Callable[[str], list[str]]


def _japanese() -> Segmenter:
    return list_of(importlib.import_module("budoux").load_default_japanese_parser().parse)


def _chinese() -> Segmenter:
    return list_of(importlib.import_module("rjieba").cut)


def _thai() -> Segmenter:
    # It would make a folder for what it downloads, and nothing is downloaded here.
    os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    return list_of(importlib.import_module("pythainlp.tokenize.newmm").segment)


def list_of(segment: Callable[[str], Sequence[str]]) -> Segmenter:
    """Return a segmenter whose pieces are a list."""
    return lambda text: list(segment(text))


@dataclass(frozen=True)
class Library:
    """What cuts the texts of a language: its name, its package, what the pieces are, and how it is loaded."""

    language: Sentence
    name: str
    package: str
    unit: Sentence
    load: Callable[[], Segmenter]

    @property
    def is_installed(self) -> bool:
        return importlib.util.find_spec(self.package) is not None


LIBRARIES = {
    JAPANESE: Library(Sentence("Japanese"), "BudouX", "budoux", Sentence("phrases"), _japanese),
    CHINESE: Library(Sentence("Chinese"), "rjieba", "rjieba", Sentence("words"), _chinese),
    THAI: Library(Sentence("Thai"), "PyThaiNLP", "pythainlp", Sentence("words"), _thai),
}


def needs_marks(text: str) -> bool:
    """Return whether the words of a text have to be marked, and no mark is in it.

    >>> needs_marks("他没来。"), needs_marks("他|没来。"), needs_marks("He did not come.")
    (True, False, False)
    """
    if any(mark in text for mark in REGION_MARKS) or not any(map(is_without_spaces, set(text))):
        return False
    try:
        count_words(text)
    except NeedsRegions:
        return True
    return False


def languages_of(texts: Sequence[str], language: str) -> list[str]:
    """Return the language of each text by its letters, "" for a script of none of `LIBRARIES`.

    Chinese characters alone are Japanese where `language` is, or where another of the texts has kana and `language` is
    not Chinese.

    >>> languages_of(["客人来了。", "คนเห็นแขก"], "en")
    ['zh', 'th']
    >>> languages_of(["東京", "客が来た。", "ខ្មែរ"], "en")
    ['ja', 'ja', '']
    """
    has_kana = any(map(_is_kana, "".join(texts)))
    of_characters = JAPANESE if language == JAPANESE or (has_kana and language != CHINESE) else CHINESE
    return [_language_of(text, of_characters) for text in texts]


def _language_of(text: str, of_characters: str) -> str:
    if any(map(_is_kana, text)):
        return JAPANESE
    unspaced = [character for character in text if is_without_spaces(character) and character.isalpha()]
    if any("\u0e00" <= character <= "\u0e7f" for character in unspaced):
        return THAI
    is_han = any(unicodedata.name(character, "").startswith("CJK ") for character in unspaced)
    return of_characters if is_han else ""


def _is_kana(character: str) -> bool:
    return "\u3040" <= character <= "\u30ff" and character.isalpha()


def proposed_cuts(texts: Sequence[str], language: str) -> list[str]:
    """Return each text with marks between the regions that are proposed; "" where nothing can be proposed.

    `language` is that of the study. Punctuation belongs to the word before it, what opens brackets or quotation
    marks to the word after it, and numbers and words of other scripts stay whole.
    """
    segmenters: dict[str, Segmenter | None] = {"": None}
    cuts = []
    for text, own in zip(texts, languages_of(texts, language), strict=True):
        if own not in segmenters:
            library = LIBRARIES[own]
            segmenters[own] = library.load() if library.is_installed else None
        segment = segmenters[own]
        cuts.append(cut(text, segment) if segment and len(text) <= MOST_CHARACTERS else "")
    return cuts


def cut(text: str, segment: Segmenter) -> str:
    """Return a text with marks between its regions; "" if the segmenter changes the text, or finds one region only.

    >>> cut("他说：“好！”", lambda text: list(text))
    '他 | 说： | “好！”'
    >>> cut("3,000人", lambda text: ["3", ",", "000", "人"])
    '3,000 | 人'
    """
    found: list[str] = []
    # A line of a text ends a region, too.
    for line in text.split("\n"):
        pieces = segment(line) if line.strip() else [line]
        if "".join(pieces) != line:
            return ""
        ends = [0, *(end for end in accumulate(map(len, pieces)) if 0 < end < len(line)), len(line)]
        whole = [end for end in ends if not is_within_word(line, end)]
        found += [line[start:end] for start, end in pairwise(whole)]
    regions = _joined(found)
    return MARK.join(regions) if len(regions) > 1 else ""


def _joined(pieces: Sequence[str]) -> list[str]:
    """Join pieces without a letter or number to their neighbours, and take off the spaces around regions."""
    regions: list[str] = []
    opening = ""
    for piece in pieces:
        if any(unicodedata.category(character)[0] in "LN" for character in piece):
            regions.append(opening + piece)
            opening = ""
        elif not piece.strip():
            continue
        elif not regions or opening or _opens(piece.strip()):
            opening += piece
        else:
            regions[-1] += piece
    if opening:
        regions[-1:] = ["".join([*regions[-1:], opening])]
    return [region.strip() for region in regions if region.strip()]


def _opens(piece: str) -> bool:
    return unicodedata.category(piece[0]) in ("Ps", "Pi")
