"""Split a text into areas of interest (AOIs), the units that are uncovered and timed. Pure.

A mark `|` in a text always ends an area, whatever the unit, and is never shown. Without marks, areas end by the unit:

- `sentence`: at `.`, `!`, `?` or `…` before a space and anything but a small letter, though not after an abbreviation
  or an initial; at the full stops of Chinese and Japanese; and at every line break
- `clause`: as sentences, and after a comma, semicolon or colon before a space, and around a dash between spaces; a
  clause of one word is joined to the words before it
- `word`: at every word, by the rule of `experiments.formats.words`
- `marked`: only at the marks

The marks are in the text itself, or in the column `areas`, which repeats the text with marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from experiments.formats.words import (
    REGION_MARKS,
    NeedsRegions,
    count_words,
    regions_fault,
    split_segments,
    where_differing,
)
from experiments.sentences import Sentence

UNITS = ("sentence", "clause", "word", "marked")
# More would make the page and its log too large; no text of a single trial needs them.
MAX_AREAS = 1_000
_MARK = f"[{re.escape(REGION_MARKS)}]"
_CLOSING = "\"'”’»›)\\]"
_SENTENCE_END = re.compile(rf"(?<![.!?…])(?:[.!?…]+[{_CLOSING}]*)(?=\s+(?P<next>\S))|[。！？]+[」』”’）]*")
_CLAUSE_END = re.compile(r"(?:[,;:][\"'”’»)\]]*(?=\s)|(?=(?<=\s)[–—-]\s))|[，；：]")
# In lower case, without the full stop. A sentence that ends in one of them needs a mark.
ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof st jr sr vs etc al cf no nr vol fig approx dept inc ltd co e.g i.e a.m p.m u.s u.k
    z.b d.h u.a usw bzw ca bspw evtl ggf inkl hr fr abb bd str tel jh jhd s.o s.u v.a o.ä u.ä
    """.split()  # noqa: SIM905
)
_SOUGHT = {
    "sentence": Sentence("no end of a sentence"),
    "clause": Sentence("no end of a clause"),
    "word": Sentence("no second word"),
}
_MONTH = re.compile(r"(?:Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sep|Okt|Nov|Dez|Jahrhundert)")


class Area(NamedTuple):
    """One area: its stripped text, its number of words, and the separator before it.

    `before` is a space, a line break, or empty: for the first area, and where a mark stands inside a word.
    """

    text: str
    words: int
    before: str


def areas_of(text: str, *, unit: str, marked: str = "", regions: str = "") -> list[Area]:
    """Return the areas of a text in order; `marked` and `regions` are the cells of those columns.

    Raises experiments.formats.words.NeedsRegions for a script without spaces whose words are not marked, and ValueError
    for a unit that does not exist.

    >>> [area.text for area in areas_of("It rained. Dr. Hall stayed in.", unit="sentence")]
    ['It rained.', 'Dr. Hall stayed in.']
    >>> [(area.text, area.words) for area in areas_of("it rained | the guests stayed in", unit="sentence")]
    [('it rained', 2), ('the guests stayed in', 4)]
    >>> [area.text for area in areas_of("When it rained, they stayed in.", unit="clause")]
    ['When it rained,', 'they stayed in.']
    >>> [(area.text, area.before) for area in areas_of("un|cover it", unit="marked")]
    [('un', ''), ('cover it', '')]
    """
    return list(_areas_of(text, unit, marked, regions))


@lru_cache(maxsize=64)
def _areas_of(text: str, unit: str, marked: str, regions: str) -> Sequence[Area]:
    """Return the areas of a text. Whoever checks a text and then shows it asks twice, one text after the other."""
    if unit not in UNITS:
        raise ValueError(f"There is no unit '{unit}'.")
    source = marked or text
    if re.search(_MARK, source):
        pieces = [piece for piece in re.split(f"({_MARK})", source) if not re.fullmatch(_MARK, piece)]
    elif unit == "word":
        return _words(source, regions)
    else:
        pieces = _split(source, unit)
    return _areas(pieces, regions)


def without_marks(text: str) -> str:
    """Return the text as it is shown: without marks, with runs of spaces collapsed.

    >>> without_marks("it rained | the guests stayed in")
    'it rained the guests stayed in'
    """
    lines = (" ".join(re.sub(_MARK, "", line).split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def area_faults(text: str, *, unit: str, marked: str = "", regions: str = "", called: str = "area") -> list[str]:
    """Return one sentence for each reason why a text cannot be read area by area.

    `called` is the word for an area on pages: `area`, or `region` if `marked` is the column `regions`.

    >>> area_faults("it rained the guests stayed in", unit="sentence")[0].partition(",")[0]
    'The text has only one area'
    """
    faults = []
    if marked and (fault := _fault_of_marked(text, marked, called)):
        faults.append(fault)
    if regions and (fault := regions_fault(re.sub(_MARK, "", text), regions=regions)):
        faults.append(fault)
    if faults:
        return faults
    try:
        areas = areas_of(text, unit=unit, marked=marked, regions=regions)
    except NeedsRegions as fault:
        return [str(fault)]
    if not areas:
        return [Sentence("The text contains no word.")]
    empty = next((area for area in areas if area.words == 0), None)
    if empty is not None:
        if called == "region":
            return [Sentence("The region ‘{text}’ has no word. Move the mark next to it.", text=empty.text)]
        return [Sentence("The area ‘{text}’ has no word. Move the mark next to it.", text=empty.text)]
    if len(areas) > MAX_AREAS:
        sizes = {"number": len(areas), "most": MAX_AREAS}
        if called == "region":
            return [
                Sentence("The text has {number} regions; at most {most} can be shown. Choose a larger unit.", **sizes)
            ]
        return [Sentence("The text has {number} areas; at most {most} can be shown. Choose a larger unit.", **sizes)]
    if len(areas) == 1:
        found = _SOUGHT.get(unit) or Sentence("no mark")
        if called == "region":
            return [
                Sentence(
                    "The text has only one region, because {found} was found in it. Put | into the text where a "
                    "region ends.",
                    found=found,
                )
            ]
        return [
            Sentence(
                "The text has only one area, because {found} was found in it. Put | into the text where an area ends.",
                found=found,
            )
        ]
    return []


def _fault_of_marked(text: str, marked: str, called: str) -> str | None:
    """Return where the marked text differs from the text, ignoring spaces and marks; None if it does not."""
    shown = where_differing(*(re.sub(_MARK, "", source) for source in (marked, text)))
    if shown is None:
        return None
    if called == "region":
        return Sentence(
            "The column 'regions' must contain the same text with | between the regions; it differs at ‘{shown}’.",
            shown=shown,
        )
    return Sentence(
        "The column 'areas' must contain the same text with | between the areas; it differs at ‘{shown}’.", shown=shown
    )


def _areas(pieces: Sequence[str], regions: str) -> list[Area]:
    """Turn the pieces of a text into areas; pieces of only spaces are dropped."""
    kept: list[tuple[str, str]] = []
    gap = ""
    for piece in pieces:
        stripped = piece.strip()
        gap += piece[: len(piece) - len(piece.lstrip())] if stripped else piece
        if stripped:
            kept.append((_separator(gap) if kept else "", stripped))
            gap = piece[len(piece.rstrip()) :]
    chunks = _regions_of([text for _, text in kept], regions) if regions else [None] * len(kept)
    return [
        Area(" ".join(text.split()), count_words(text, regions=chunk), before)
        for (before, text), chunk in zip(kept, chunks, strict=True)
    ]


def _separator(gap: str) -> str:
    return "\n" if re.search(r"[\n\r]", gap) else " " if gap else ""


def _words(source: str, regions: str) -> list[Area]:
    """Return every word with its punctuation as an area."""
    areas: list[Area] = []
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    for line, own in zip(lines, _regions_of(lines, regions), strict=True):
        place, before = 0, "\n" if areas else ""
        segments = split_segments(line, regions=own or None)
        # Of several segments each holds a word.
        words = 1 if len(segments) > 1 else min(1, count_words(segments[0], regions=segments[0]))
        for segment in segments:
            found = line.find(segment, place)
            # Marked regions may have other spaces than the text.
            gap = found - place if found >= 0 else -1
            before = before or (" " if gap and areas else "")
            areas.append(Area(segment, words, before))
            place, before = place + gap + len(segment), ""
    return areas


def _split(source: str, unit: str) -> list[str]:
    lines = source.splitlines(keepends=True) or [source]
    if unit == "marked":
        return ["".join(lines)]
    sentences = [piece for line in lines for piece in _cut(line, _sentence_ends(line))]
    if unit == "sentence":
        return _joined(sentences, too_short=lambda piece: not _has_word(piece))
    return [
        clause
        for sentence in sentences
        for clause in _joined(
            _cut(sentence, [match.end() for match in _CLAUSE_END.finditer(sentence)]),
            too_short=lambda piece: len(re.findall(r"\w+", piece)) < 2,
        )
    ]


def _cut(text: str, ends: Sequence[int]) -> list[str]:
    bounds = [0, *(end for end in ends if 0 < end < len(text)), len(text)]
    return [text[start:end] for start, end in pairwise(bounds) if end > start]


def _sentence_ends(line: str) -> list[int]:
    ends = []
    for match in _SENTENCE_END.finditer(line):
        following = match["next"]
        if following is None:
            ends.append(match.end())
            continue
        word = re.search(r"[^\s(\[„“\"'‚‘«‹]*$", line[: match.start()])
        before = (word[0] if word else "").casefold()
        is_stop = match[0].startswith(".") and not match[0].startswith("..")
        is_abbreviation = is_stop and (before in ABBREVIATIONS or re.fullmatch(r"[^\W\d_]", before) is not None)
        # A German date, "am 3. Mai", looks like the end of a sentence.
        is_ordinal = is_stop and re.fullmatch(r"\d{1,2}", before) and _MONTH.match(line, match.start("next"))
        if not (is_abbreviation or is_ordinal or following.islower()):
            ends.append(match.end())
    return ends


def _has_word(piece: str) -> bool:
    return re.search(r"\w", piece) is not None


def _joined(pieces: Sequence[str], *, too_short: Callable[[str], bool]) -> list[str]:
    """Join each piece that is too short to the one before it, or to the next one at the start."""
    joined: list[str] = []
    for piece in pieces:
        if joined and (too_short(piece) or too_short(joined[-1])) and "\n" not in joined[-1]:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _regions_of(texts: Sequence[str], regions: str) -> list[str]:
    """Return for each text its part of the marked regions, matched by the number of characters without spaces and
    marks.
    """
    parts = []
    place = 0
    for text in texts:
        wanted = len("".join(text.split()))
        start = place
        while place < len(regions) and wanted > 0:
            wanted -= not (regions[place].isspace() or regions[place] in REGION_MARKS)
            place += 1
        parts.append(regions[start:place].strip(f"{REGION_MARKS} "))
    return parts
