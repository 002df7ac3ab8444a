"""Find sentence boundaries in printed text: terminal marks, and full stops that end no sentence."""

from __future__ import annotations

import re
from functools import partial

from analysis.text.frequency import base

# Abbreviations without their full stop. After a title and its like a sentence goes on, before a number after others;
# those that often end a sentence end it before a capital.
_TITLES = """
    mr mrs ms messrs mme dr prof st rev gen col capt lt sgt sen rep gov hon mt vs cf ca approx e.g i.e viz al
    hr fr hl mio mrd bspw bzw d.h evtl ggf inkl sog vgl z.b z.t u.a s.o s.u
"""
_NUMBERED = """
    no nos vol fig figs eq sec ch pp p art jan feb mar apr jun jul aug sep sept oct nov dec
    nr bd abb abs aufl kap s str tab tel bzgl okt dez
"""
_ENDING = "etc inc ltd co corp jr sr ph.d u.s u.k u.n a.m p.m b.c a.d ft ed eds dept est min usw usf gmbh hrsg"
GOES_ON = frozenset(_TITLES.split())
NUMBERED = frozenset(_NUMBERED.split())
MAY_END = frozenset(_ENDING.split())
# Languages in which a full stop after a number makes it an ordinal.
_ORDINALS = "cs da de et fi hr hu is lv nb nn no pl sk sl sr"
ORDINAL_STOPS = frozenset(_ORDINALS.split())

_END = re.compile(
    # From the first of several marks only: trying every one of them would take minutes where there are thousands.
    r"(?<![.!?…])(?P<marks>[.!?…]+)(?P<closing>[\"'”’»«“)\]]*)(?P<gap>\s+)(?=(?P<next>\S))"
    r"|(?P<wide>[。！？]+[」』”’）]*)(?=\S|\s)"
    r"|(?P<blank>\n[^\S\n]*\n)"
)
_LAST_WORD = re.compile(r"[\w.]*\w$")
_OPENING = "\"'“‘„‚«»([{¿¡-–—*"


def running_sentences(text: str, *, language: str = "en") -> list[str]:
    """Return the sentences of a text as printed that have a word in them.

    A sentence ends at `.`, `!`, `?` or `…` (and the closing quotes after it) before a blank, unless the next word
    begins in lower case in a text that has capitals; the full stop belongs to an abbreviation or an initial
    (`J. Smith`, `p. 84`); or, in languages like German, it makes an ordinal of a number of one or two digits
    (`am 3. Mai`). After abbreviations that often end sentences (`etc.`, `U.S.`) a capital decides. `。`, `！` and `？`
    end one anywhere, and so does a blank line.

    >>> running_sentences('Dr. J. Smith saw 2.5 km. "Why?" he asked. It rained ... and stopped!')
    ['Dr. J. Smith saw 2.5 km.', '"Why?" he asked.', 'It rained ... and stopped!']
    >>> running_sentences("it rained. it stopped.")
    ['it rained.', 'it stopped.']
    >>> running_sentences("Am 3. Mai kam sie, z. B. zu Fuß. Er blieb.", language="de")
    ['Am 3. Mai kam sie, z. B. zu Fuß.', 'Er blieb.']
    """
    has_capitals = any(character.isupper() for character in text)
    sentences: list[str] = []
    start = 0
    for found in _END.finditer(text):
        if found["marks"] and not _ends(text, found, has_capitals=has_capitals, language=language):
            continue
        end = found.end() if found["gap"] is None else found.start("gap")
        sentences.append(text[start:end].strip())
        start = found.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if any(character.isalnum() for character in sentence)]


def _ends(text: str, found: re.Match[str], *, has_capitals: bool, language: str) -> bool:
    following = _first_of_word(text, found.start("next"))
    if has_capitals and following.islower():
        return False
    if found["marks"] != "." or found["closing"]:
        return True
    before = _LAST_WORD.search(text, max(0, found.start() - 40), found.start())
    word = before[0].casefold() if before else ""
    if word in NUMBERED or word.endswith("str"):
        return not following.isdigit()
    if word in GOES_ON or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    if word in MAY_END:
        return has_capitals
    return not (base(language) in ORDINAL_STOPS and word.isdigit() and len(word) <= 2)


def _first_of_word(text: str, start: int) -> str:
    """Return the first character that is not an opening quote, bracket or dash."""
    while start < len(text) and text[start] in _OPENING:
        start += 1
    return text[start : start + 1]


def sentences_in(language: str) -> partial[list[str]]:
    """Return `running_sentences` for a language.

    >>> sentences_in("de")("Der 2. Tag. Er kam.")
    ['Der 2. Tag.', 'Er kam.']
    """
    return partial(running_sentences, language=language)
