"""Typeset statistical symbols: italics, subscripts, minus signs, non-breaking spaces."""

from __future__ import annotations

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.,=\"'()\[\]/−-])-(?=\d)")
# Symbols with a subscript, as one word.
SUBSCRIPTED = re.compile(r"(?<![^\W_])(?:([ηω])(p|G)(?=²)|(d)(z|av)(?!\w)|(BF)(10|01)(?!\w)|(df)([12])(?!\w))")
# Headings that are, or begin with, the symbol of a statistic.
_HEADINGS = re.compile(r"^(F|p|t|q|r|z|b|M|SD|SE|df|W|n|N|κ|α)(?=$| \()")
# What stays in one line: 90 % CI [.00, .44], and F(1, 49).
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=%) (?=CI \[)|(?<= CI) (?=\[)|(?<=[\d∞],) (?=[−\d.∞]+[\])])")
# Symbols of statistics, which APA style sets in italics, where a value or degrees of freedom follow.
_SYMBOLS = re.compile(
    r"(?<![\w′])(min ?F′|F[12]?|t|p|q|r|z|M|SD|SE|N|n|W|b|d|rs|ρ|τ|κ|α|χ²)(?=\s?(?:\(|=|&lt;|&gt;|≥|≤))"
)
_SIGNS = re.compile(r" (=|&lt;|&gt;) ")
NO_BREAK = "\u00a0"
SUBSCRIPTS = str.maketrans("12", "₁₂")


def with_minus(text: str) -> str:
    """Return a text with minus signs for hyphens before numbers that stand alone.

    >>> with_minus("clause at region -1, lower=-0.4, P-3, 2024-05-01")
    'clause at region −1, lower=-0.4, P-3, 2024-05-01'
    """
    return HYPHEN_FOR_MINUS.sub("−", text)


def heading_html(label: str, *, is_number: bool) -> SafeString:
    """Return the heading of a column with its symbols as they are printed; over numbers the first one is in italics.

    >>> heading_html("df1", is_number=True), heading_html("t (Holm)", is_number=True)
    ('<i>df</i><sub>1</sub>', '<i>t</i> (Holm)')
    """
    text = str(escape(label))
    text = _HEADINGS.sub(r"<i>\1</i>", text) if is_number else text
    return mark_safe(SUBSCRIPTED.sub(_subscript, text))  # noqa: S308


def _subscript(found: re.Match[str]) -> str:
    symbol, below = filter(None, found.groups())
    return f"{symbol if symbol == 'BF' else f'<i>{symbol}</i>'}<sub>{below}</sub>"


def _italic(symbol: re.Match[str]) -> str:
    name = symbol[1].rstrip("12")
    return f"<i>{name}</i>{symbol[1][len(name) :].translate(SUBSCRIPTS)}"


def sentence_html(sentence: str) -> SafeString:
    """Return a sentence with the symbols of statistics in italics and no line break within `p = .018`.

    >>> sentence_html("F1(1, 49) = 5.19").replace(NO_BREAK, "~")
    '<i>F</i>₁(1,~49)~=~5.19'

    >>> sentence_html("F(1, 49) = 5.19, p < .001").replace(NO_BREAK, "~")
    '<i>F</i>(1,~49)~=~5.19, <i>p</i>~&lt;~.001'

    >>> sentence_html("ηp² = .04, 90 % CI [.00, .44]").replace(NO_BREAK, "~")
    '<i>η</i><sub>p</sub>²~=~.04, 90~%~CI~[.00,~.44]'
    """
    # Everything is escaped first; the pattern only ever wraps its own symbols.
    text = _TOGETHER.sub(NO_BREAK, str(escape(with_minus(sentence))))
    text = SUBSCRIPTED.sub(_subscript, _SYMBOLS.sub(_italic, text))
    return mark_safe(_SIGNS.sub(rf"{NO_BREAK}\1{NO_BREAK}", text))  # noqa: S308
