"""Parse a number that a participant typed. The browser follows the same rules: `tests/contract/numbers.json`.

One separator, point or comma, is the decimal separator. Nothing is guessed: two separators, exponents, signs and
words are refused with a reason. Digits of other scripts (Arabic, Persian, Devanagari, Bengali, full width) are digits.
"""

from __future__ import annotations

import re

MAX_CHARACTERS = 30

# The characters that JavaScript's trim removes, which differ from Python's strip.
_SPACES = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))

_NUMBER = re.compile(r"\+? ?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)")
_NEGATIVE = re.compile(r"[-\u2212\u2013] ?[.,]?[0-9]")
_EXPONENT = re.compile(r"\+?[0-9.,]+[eE][-+]?[0-9]+")
# People and keyboards separate thousands by no-break spaces, thin spaces, apostrophes and the Arabic separator.
_GROUPED = re.compile(r"\+?[0-9]+(?:[ \u00a0\u2009\u202f'’٬.,]+[0-9]+)+[.,]?")

_PLAIN_DIGITS = {zero + digit: str(digit) for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xFF10) for digit in range(10)}
_PLAIN_DIGITS |= dict.fromkeys(map(ord, "٫،"), ",")


class NotANumber(ValueError):
    """The text is not an acceptable number.

    `reason` is one of empty, too-long, negative, exponent, several-separators, zero, not-a-number.
    """

    def __init__(self, reason: str, typed: str) -> None:
        super().__init__(f"'{typed[:40]}' is not an acceptable number ({reason}).")
        self.reason = reason


def plain_digits(text: str) -> str:
    """Return the text with the digits 0 to 9 and a comma for fractions, whatever the digits of the keyboard.

    >>> plain_digits("١٢٫٥"), plain_digits("۱۹۸۷"), plain_digits("12.5")
    ('12,5', '1987', '12.5')
    """
    return text.translate(_PLAIN_DIGITS)


def number_from(typed: str, *, allow_zero: bool = False) -> float:
    """Return the number that was typed.

    Raises NotANumber with the reason.

    >>> number_from(" 1,5 "), number_from("+20"), number_from("0", allow_zero=True)
    (1.5, 20.0, 0.0)
    >>> number_from("1.000,5")
    Traceback (most recent call last):
    experiments.formats.numbers.NotANumber: '1.000,5' is not an acceptable number (several-separators).
    """
    text = plain_digits(typed.strip(_SPACES))
    if not text:
        raise NotANumber("empty", typed)
    if len(text) > MAX_CHARACTERS:
        raise NotANumber("too-long", typed)
    if _NEGATIVE.match(text):
        raise NotANumber("negative", typed)
    if _EXPONENT.fullmatch(text):
        raise NotANumber("exponent", typed)
    if not _NUMBER.fullmatch(text):
        raise NotANumber("several-separators" if _GROUPED.fullmatch(text) else "not-a-number", typed)
    number = float(text.lstrip("+ ").replace(",", "."))
    if number == 0 and not allow_zero:
        raise NotANumber("zero", typed)
    return number
