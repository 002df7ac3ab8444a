"""How many syllables figures have when they are read out in English."""

from __future__ import annotations

_UNITS = (2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 2, 2, 2, 2, 3, 2, 2)  # zero to nineteen
_TENS = (0, 1, 2, 2, 2, 2, 2, 3, 2, 2)  # none, ten, twenty to ninety
_MOST_DIGITS = 15
ORDINAL = ("st", "nd", "rd", "th")
DECADE = "s"
ENDINGS = (*ORDINAL, DECADE)


def read_out(digits: str, *, ending: str = "", year: bool = True) -> int:
    """Return the syllables of a whole number; with `year` one of 1100–1999 or 2010–2099 is read as a year.

    No "and" is read. More than 15 digits, or a leading nought, are read digit by digit. `ending` is that of an ordinal
    (`th`) or of a decade (`s`): the twentieth has one syllable more than twenty and the second one more than two, the
    nineties as many as ninety.

    >>> [read_out(number) for number in ("7", "25", "1990", "1905", "2000", "4000", "007")]
    [2, 3, 4, 4, 3, 3, 6]
    >>> read_out("20", ending="th"), read_out("1990", ending="s"), read_out("3", ending="rd")
    (3, 4, 1)
    """
    if len(digits) > _MOST_DIGITS or (digits.startswith("0") and len(digits) > 1):
        return sum(_UNITS[int(digit)] for digit in digits)
    number = int(digits)
    spoken = _year(number) if year and ending not in ORDINAL else None
    if spoken is None:
        spoken = _cardinal(number)
    longer = (number % 10 == 0 and number % 100 >= 20) or (number % 10 == 2 and number % 100 != 12)
    return spoken + int(ending in ORDINAL and longer)


def _year(number: int) -> int | None:
    if not (1100 <= number <= 1999 or 2010 <= number <= 2099):
        return None
    century, rest = divmod(number, 100)
    if rest == 0:
        return _below_hundred(century) + 2  # nineteen hundred
    if rest < 10:
        return _below_hundred(century) + 1 + _UNITS[rest]  # nineteen oh five
    return _below_hundred(century) + _below_hundred(rest)


def _cardinal(number: int) -> int:
    if number == 0:
        return _UNITS[0]
    total = 0
    for size in (10**12, 10**9, 10**6, 10**3):  # trillion, billion, million, thousand: two syllables each
        many, number = divmod(number, size)
        total += _below_thousand(many) + 2 if many else 0
    return total + (_below_thousand(number) if number else 0)


def _below_thousand(number: int) -> int:
    hundreds, rest = divmod(number, 100)
    return (_UNITS[hundreds] + 2 if hundreds else 0) + (_below_hundred(rest) if rest else 0)


def _below_hundred(number: int) -> int:
    if number < 20:
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return _TENS[tens] + (_UNITS[unit] if unit else 0)
