"""Find sentence boundaries in printed text: terminal marks, lists, and full stops that end no sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from analysis.text import abbreviations
from analysis.text.frequency import base

# Languages in which a full stop after a number makes it an ordinal.
_ORDINALS = "cs da de et fi hr hu is lv nb nn no pl sk sl sr"
ORDINAL_STOPS = frozenset(_ORDINALS.split())

_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028]")
_PARAGRAPH_END = "\u2029"
_BULLET = r"[-–—*•‣·▪◦]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)]\s"
_END = re.compile(
    # From the first of several marks only: trying every one of them would take minutes where there are thousands.
    r"(?<![.!?…])(?<!\.[^\S\n])(?P<marks>\.(?:[^\S\n]\.)++|[.!?…]++)(?P<closing>[\"'”’»«“)\]]*)(?P<gap>\s+)(?=(?P<next>\S))"
    r"|(?P<wide>[。！？]+[」』”’）]*)(?=\S|\s)"
    r"|(?P<blank>\n[^\S\n]*\n)"
    rf"|(?P<bullet>\n)(?=[^\S\n]*(?:{_BULLET}))"
    # A blank is missing: "It rained.Then it stopped."
    r"|(?P<glued>(?<=[a-z][a-z])[.!?])(?=[A-Z][a-z])"
)
_LAST_WORD = re.compile(r"[\w.]*\w$")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_OPENING = "\"'“‘„‚«»([{¿¡-–—*"
_QUOTES = frozenset("\"'”’»«“")
_INITIALS = re.compile(r"\w(?:\.\w)+")


def running_sentences(text: str, *, language: str = "en") -> list[str]:
    """Return the sentences of a text as printed that have a word in them.

    A sentence ends at `.`, `!`, `?` or `…` (and the closing quotes after it) before a blank, unless the next word
    begins in lower case in a text that has capitals; the full stop belongs to an abbreviation or an initial
    (`J. Smith`, `p. 84`) or numbers a list (`1. Open it. 2. Look.`); or, in languages like German, it makes an ordinal
    of a number of one or two digits (`am 3. Mai`). After abbreviations that stand before names and at the end of
    sentences alike (`U.S.`, `Inc.`) an English sentence ends where a word follows with which sentences begin (`He`,
    `The`, `In`), and goes on before any other (`U.S. Army`). An ellipsis ends one before a capital other than `I`,
    whether it is written `…`, `...` or `. . .`. `。`, `！` and `？` end one anywhere, and so do a blank line and a line
    end before an entry of a list; any other line end is a blank.

    >>> running_sentences('Dr. J. Smith saw 2.5 km. "Why?" he asked. It rained ... and stopped!')
    ['Dr. J. Smith saw 2.5 km.', '"Why?" he asked.', 'It rained ... and stopped!']
    >>> running_sentences("The U.S. Army left the U.S. It rained. 1. Open it. 2. Look.")
    ['The U.S. Army left the U.S.', 'It rained.', '1. Open it.', '2. Look.']
    >>> running_sentences("it rained. it stopped.")
    ['it rained.', 'it stopped.']
    >>> running_sentences("Am 3. Mai kam sie, z. B. zu Fuß. Er blieb.", language="de")
    ['Am 3. Mai kam sie, z. B. zu Fuß.', 'Er blieb.']
    """
    text = lines_alike(text)
    sentences = [text[start:end].strip() for start, end, _ in _spans(text, language)]
    return [sentence for sentence in sentences if any(character.isalnum() for character in sentence)]


def unclear_stops(text: str, *, language: str = "en") -> list[str]:
    """Return the places where a name follows an abbreviation that may end a sentence: there the sentence goes on.

    >>> unclear_stops("Apple Inc. Shares fell in the U.S. He left.")
    ['Inc. Shares']
    """
    return [place for _, _, places in _spans(lines_alike(text), language) for place in places]


def lines_alike(text: str) -> str:
    r"""Return a text with `\n` for every kind of line end, and a blank line for the end of a paragraph.

    >>> lines_alike("one\r\ntwo\rthree\u2028four\u2029five")
    'one\ntwo\nthree\nfour\n\nfive'
    """
    return _LINE_END.sub("\n", text).replace(_PARAGRAPH_END, "\n\n")


def _spans(text: str, language: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield where every sentence begins and ends, and the unclear places in it."""
    has_capitals = any(character.isupper() for character in text)
    start, number = 0, _Numbering()
    unclear: list[str] = []
    for found in _END.finditer(text):
        if found["marks"]:
            if number.is_entry(text[start : found.start()], found["marks"]):
                continue
            ends = _ends(text, found, has_capitals=has_capitals, language=language)
            if ends is None:
                unclear.append(f"{_before(text, found)[0]}. {_word_at(text, found.start('next'))}")
            if not ends:
                continue
        elif found["glued"] and found["glued"] == "." and _before(text, found)[1] in abbreviations.ALL:
            continue
        end = found.start("gap") if found["gap"] is not None else found.end()
        yield start, end, unclear
        start, unclear = found.end(), []
    yield start, len(text), unclear


class _Numbering:
    """Entries of lists within running text: `1.` and then `2.`, `a.` and then `b.`, at the beginning of a sentence."""

    def __init__(self) -> None:
        self.last = ""

    def is_entry(self, piece: str, marks: str) -> bool:
        """Say whether a piece is nothing but the number of the next entry, or ends in one after a colon."""
        label = piece.rpartition(":")[2].strip().lstrip("(").casefold()
        if marks != "." or not label or len(label) > 3:
            return False
        first, after = label in ("1", "a"), self.last
        follows = (label.isdecimal() and after.isdecimal() and int(label) == int(after) + 1) or (
            len(label) == len(after) == 1 and label.isascii() and label.isalpha() and ord(label) == ord(after) + 1
        )
        if not (first or follows):
            return False
        self.last = label
        return True


def _ends(text: str, found: re.Match[str], *, has_capitals: bool, language: str) -> bool | None:
    """Say whether a sentence ends at a mark; None where it goes on and a reader might see it otherwise."""
    following = _first_of_word(text, found.start("next"))
    if has_capitals and following.islower():
        return False
    marks, closing = found["marks"], found["closing"]
    next_word = _word_at(text, found.start("next"))
    if marks != ".":
        is_ellipsis = marks.startswith("…") or marks.count(".") > 1
        return not (is_ellipsis and not closing and next_word.split("’")[0].split("'")[0] == "I")
    if not _QUOTES.isdisjoint(closing):
        return True
    written, word = _before(text, found)
    if word in abbreviations.NUMBERED or word.endswith("str"):
        return not following.isdigit()
    if word in abbreviations.GOES_ON or written in abbreviations.GOES_ON_AS_WRITTEN:
        return False
    english = base(language) == "en"
    initial = len(word) == 1 and word.isalpha() and word != "i"
    before_names = (
        word in abbreviations.BEFORE_NAMES or written in abbreviations.STATES or bool(_INITIALS.fullmatch(word))
    )
    if word in abbreviations.MAY_END:
        return has_capitals and not (english and next_word.casefold() in abbreviations.TIMES)
    if initial and not english:
        return False
    if before_names or initial:
        if not has_capitals:
            return False
        if not english or next_word.casefold() in abbreviations.BEGIN:
            return True
        return False if initial or following.isdigit() else None
    return not (base(language) in ORDINAL_STOPS and word.isdigit() and len(word) <= 2)


def _before(text: str, found: re.Match[str]) -> tuple[str, str]:
    """Return the word before a mark, as it is written and in lower case."""
    before = _LAST_WORD.search(text, max(0, found.start() - 40), found.start())
    written = before[0] if before else ""
    return written, written.casefold()


def _word_at(text: str, start: int) -> str:
    found = _WORD.match(text, _start_of_word(text, start))
    return found[0] if found else ""


def _first_of_word(text: str, start: int) -> str:
    """Return the first character that is not an opening quote, bracket or dash."""
    start = _start_of_word(text, start)
    return text[start : start + 1]


def _start_of_word(text: str, start: int) -> int:
    while start < len(text) and text[start] in _OPENING:
        start += 1
    return start


def sentences_in(language: str) -> partial[list[str]]:
    """Return `running_sentences` for a language.

    >>> sentences_in("de")("Der 2. Tag. Er kam.")
    ['Der 2. Tag.', 'Er kam.']
    """
    return partial(running_sentences, language=language)
