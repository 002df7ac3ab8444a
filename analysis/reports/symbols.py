"""Statistical symbols as typed pieces of text, and their writer for HTML.

Methods write sentences and headings as plain text (`ηp² = .04`). `pieces` and `heading_pieces` find the symbols in
them: each piece says whether it is a symbol (in italics), an index (below the line) or neither. Every format writes
those pieces in its own way: HTML here, plain text too, Markdown, LaTeX and Word in `analysis.papers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

Style = Literal["plain", "symbol", "index"]

HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.,=\"'()\[\]/−-])-(?=\d)")
# Symbols with an index, as one word.
_INDEXED = r"(?<![^\W_])(?:([ηω])(p|G)(?=²)|(d)(z|av)(?!\w)|(BF)(10|01)(?!\w)|(df)([12])(?!\w))"
# Symbols of statistics, which APA style sets in italics, where a value or degrees of freedom follow.
_FOLLOWED = r"(?<![\w′])(min ?F′|F[12]?|t|p|q|r|z|M|SD|SE|N|n|W|b|d|rs|ρ|τ|κ|α|χ²)(?=\s?(?:\(|=|<|>|≥|≤))"
_IN_SENTENCES = re.compile(f"{_INDEXED}|{_FOLLOWED}")
# Headings that are, or begin with, the symbol of a statistic.
_IN_HEADINGS = re.compile(rf"{_INDEXED}|^(F|p|t|q|r|z|b|M|SD|SE|df|W|n|N|κ|α)(?=$| \(|[₁₂]$)")
_IN_TEXT_HEADINGS = re.compile(_INDEXED)
# Symbols that stand upright, and the parts of others that are their index.
_UPRIGHT = ("BF",)
_WITH_INDEX = {"F1": ("F", "1"), "F2": ("F", "2"), "rs": ("r", "s")}
# What stays in one line: 90 % CI [.00, .44], and F(1, 49).
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=%) (?=CI \[)|(?<= CI) (?=\[)|(?<=[\d∞],) (?=[−\d.∞]+[\])])")
# The effect with which a sentence begins: marker:order: F(3, 135) = 75.55.
_EFFECT_FIRST = re.compile(r"(?:^|(?<=\. ))[^\s:/]+(?::[^\s:/]+)+(?=:? )")
_SIGNS = re.compile(r" ([=<>]) ")
NO_BREAK = "\u00a0"
# Of indices plain text has the digits and this letter.
SUBSCRIPTS = str.maketrans("0123456789p", "₀₁₂₃₄₅₆₇₈₉ₚ")


@dataclass(frozen=True)
class Piece:
    """A piece of a text: a symbol, the index of one, or what stands between them."""

    text: str
    style: Style = "plain"


def with_minus(text: str) -> str:
    """Return a text with minus signs for hyphens before numbers that stand alone.

    >>> with_minus("clause at region -1, lower=-0.4, P-3, 2024-05-01")
    'clause at region −1, lower=-0.4, P-3, 2024-05-01'
    """
    return HYPHEN_FOR_MINUS.sub("−", text)


def crossed(name: str) -> str:
    """Return the name of an effect as it is printed; the file keeps what the formula has.

    >>> crossed("marker:order"), crossed("(Intercept)"), crossed("ratio 1:2")
    ('marker × order', '(Intercept)', 'ratio 1:2')
    """
    return re.sub(r"(?<=[^\s\d:]):(?=[^\s\d:])|(?<=\w):(?=[^\W\d])", " × ", name)


def pieces(sentence: str) -> tuple[Piece, ...]:
    """Return a sentence in pieces, with minus signs and without line breaks within `p = .018`.

    >>> [(piece.text.replace(NO_BREAK, "~"), piece.style) for piece in pieces("ηp² = .04")]
    [('η', 'symbol'), ('p', 'index'), ('²~=~.04', 'plain')]

    An effect with which it begins, or one of several sentences, is written as in tables.

    >>> pieces("a: none. a:b: none, as a:b.")
    (Piece(text='a: none. a × b: none, as a:b.', style='plain'),)
    """
    text = _EFFECT_FIRST.sub(lambda found: crossed(found[0]), sentence)
    text = _TOGETHER.sub(NO_BREAK, with_minus(text))
    return tuple(_found(_IN_SENTENCES, _SIGNS.sub(rf"{NO_BREAK}\1{NO_BREAK}", text)))


def heading_pieces(label: str, *, is_number: bool) -> tuple[Piece, ...]:
    """Return the heading of a column in pieces; the first word is a symbol only over numbers.

    >>> heading_pieces("t (Holm)", is_number=True)
    (Piece(text='t', style='symbol'), Piece(text=' (Holm)', style='plain'))
    >>> heading_pieces("t (Holm)", is_number=False)
    (Piece(text='t (Holm)', style='plain'),)
    """
    return tuple(_found(_IN_HEADINGS if is_number else _IN_TEXT_HEADINGS, label))


def _found(symbols: re.Pattern[str], text: str) -> Iterator[Piece]:
    end = 0
    for found in symbols.finditer(text):
        if found.start() > end:
            yield Piece(text[end : found.start()])
        name, *index = _WITH_INDEX.get(found[0], tuple(filter(None, found.groups())))
        yield Piece(name, "plain" if name in _UPRIGHT else "symbol")
        yield from (Piece(each, "index") for each in index)
        end = found.end()
    if end < len(text):
        yield Piece(text[end:])


def plain_text(written: Iterable[Piece]) -> str:
    """Return pieces as plain text: indices below the line where Unicode has such letters.

    >>> plain_text(pieces("ηp² = .04, ηG² = .02, F1(1, 49) = 5.19")).replace(NO_BREAK, " ")
    'ηₚ² = .04, ηG² = .02, F₁(1, 49) = 5.19'
    """
    return "".join(piece.text.translate(SUBSCRIPTS) if piece.style == "index" else piece.text for piece in written)


def html(written: Iterable[Piece]) -> SafeString:
    """Return pieces as HTML; everything in them is escaped."""
    tags = {"plain": "{}", "symbol": "<i>{}</i>", "index": "<sub>{}</sub>"}
    return mark_safe("".join(tags[piece.style].format(escape(piece.text)) for piece in written))  # noqa: S308


def heading_html(label: str, *, is_number: bool) -> SafeString:
    """Return the heading of a column with its symbols as they are printed; over numbers the first one is in italics.

    >>> heading_html("df1", is_number=True), heading_html("t (Holm)", is_number=True)
    ('<i>df</i><sub>1</sub>', '<i>t</i> (Holm)')
    """
    return html(heading_pieces(label, is_number=is_number))


def sentence_html(sentence: str) -> SafeString:
    """Return a sentence with the symbols of statistics in italics and no line break within `p = .018`.

    >>> sentence_html("F1(1, 49) = 5.19, p < .001").replace(NO_BREAK, "~")
    '<i>F</i><sub>1</sub>(1,~49)~=~5.19, <i>p</i>~&lt;~.001'

    >>> sentence_html("ηp² = .04, 90 % CI [.00, .44]").replace(NO_BREAK, "~")
    '<i>η</i><sub>p</sub>²~=~.04, 90~%~CI~[.00,~.44]'
    """
    return html(pieces(sentence))
