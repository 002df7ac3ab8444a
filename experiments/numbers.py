"""Reading a number as a participant types it. The browser follows the same rules: `tests/contract/numbers.json`.

One separator, point or comma, is the decimal separator. Nothing is guessed: two separators, exponents, signs and
words are refused with a reason.
"""

from __future__ import annotations

import re

MAX_CHARACTERS = 30

_NUMBER = re.compile(r"\+?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)")
_EXPONENT = re.compile(r"\+?[0-9.,]*[0-9][.,]?[eE][+-]?[0-9]+")
_SEVERAL_SEPARATORS = re.compile(r"\+?[.,]?[0-9][0-9.,'’_\s]*")


class NotANumber(ValueError):
    """The text is not a number that can be accepted.

    `reason` is one of empty, too-long, negative, exponent, separators, zero, not-a-number.
    """

    def __init__(self, reason: str, typed: str) -> None:
        super().__init__(f"'{typed[:40]}' is not an acceptable number ({reason}).")
        self.reason = reason


def number_from(typed: str, *, allow_zero: bool = False) -> float:
    """Return the number that was typed.

    Raises NotANumber with the reason.

    >>> number_from(" 1,5 "), number_from("+20"), number_from("0", allow_zero=True)
    (1.5, 20.0, 0.0)
    >>> number_from("1.000,5")
    Traceback (most recent call last):
    experiments.numbers.NotANumber: '1.000,5' is not an acceptable number (separators).
    """
    text = typed.strip()
    if not text:
        raise NotANumber("empty", typed)
    if len(text) > MAX_CHARACTERS:
        raise NotANumber("too-long", typed)
    if text[0] in "-−–":
        raise NotANumber("negative", typed)
    if not _NUMBER.fullmatch(text):
        if _EXPONENT.fullmatch(text):
            raise NotANumber("exponent", typed)
        if _SEVERAL_SEPARATORS.fullmatch(text):
            raise NotANumber("separators", typed)
        raise NotANumber("not-a-number", typed)
    number = float(text.replace(",", "."))
    if number == 0 and not allow_zero:
        raise NotANumber("zero", typed)
    return number
