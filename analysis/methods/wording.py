"""How names, counts and numbers are put into sentences: lists, near misses, and numbers in APA style."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence

SHOWN = 8


def listed(names: Iterable[object], *, shown: int = SHOWN) -> str:
    """Join names for a sentence; a long list is cut and the rest counted.

    >>> listed(["P1", "P2", "P3"], shown=2)
    'P1, P2 and 1 more'
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    every = [str(name) for name in names]
    if len(every) > shown:
        return f"{', '.join(every[:shown])} and {len(every) - shown:,} more"
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} and {every[-1]}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Put a count and its noun together.

    >>> counted(1, "row"), counted(1200, "row"), counted(2, "analysis", "analyses")
    ('1 row', '1,200 rows', '2 analyses')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def how_to_write(cell: str) -> str:
    """Say how a number is written, where a cell holds one in another way, as a sentence that goes on; else nothing.

    >>> how_to_write("1,5"), how_to_write("1,200.5"), how_to_write("much")
    (' Write decimals with a point.', ' Write thousands without a comma.', '')
    """
    if re.fullmatch(r"-?\d*,\d+", cell):
        return " Write decimals with a point."
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d*)?", cell):
        return " Write thousands without a comma."
    if re.fullmatch(r"[−–]\d*\.?\d+", cell):
        return " Write the minus sign as the hyphen of the keyboard (-)."
    return ""


def nearest(name: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably meant, or None.

    >>> nearest("ratng", ["rating", "item"]), nearest("Rating", ["rating"]), nearest("zebra", ["item"])
    ('rating', 'rating', None)
    """
    folded = {candidate.casefold(): candidate for candidate in reversed(names)}
    if name.casefold() in folded:
        return folded[name.casefold()]
    found = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def no_such(what: str, name: str, names: Sequence[str]) -> str:
    """Say that a name does not exist, and which was probably meant.

    >>> no_such("column", "ratng", ["rating", "item"])
    "There is no column 'ratng'; did you mean 'rating'? The columns are: rating and item."
    >>> no_such("level of marker", "x", ["because", "cause"])
    "There is no level of marker 'x'. The levels of marker are: because and cause."
    """
    guess = nearest(name, names)
    hint = f"; did you mean '{guess}'?" if guess else "."
    noun, space, rest = what.partition(" ")
    plural = "" if not names else f" The {noun}s{space}{rest} are: {listed(names, shown=20)}."
    return f"There is no {what} '{name}'{hint}{plural}"


def on_one_line(text: str) -> str:
    """Put a message on one line, whatever the names in it hold.

    >>> on_one_line("There is no column 'first\\nread'.")
    "There is no column 'first read'."
    """
    return " ".join(text.split())


def percent_text(share: float) -> str:
    """Print a share in percent, such as the level of an interval.

    >>> percent_text(0.95), percent_text(0.999), percent_text(0.5)
    ('95 %', '99.9 %', '50 %')
    """
    return f"{100 * share:.6g} %"


def p_text(p: float | None) -> str:
    """Print a p value in APA style: no leading zero, never zero.

    >>> p_text(0.0184), p_text(0.00002), p_text(1.0), p_text(0.9997), p_text(None)
    ('p = .018', 'p < .001', 'p > .999', 'p > .999', 'p not defined')
    """
    if p is None or math.isnan(p):
        return "p not defined"
    if p < 0.001:
        return "p < .001"
    if p > 0.9994:
        return "p > .999"
    return f"p = {share_text(p, places=3)}"


def share_text(value: float, *, places: int = 2) -> str:
    """Print a number that lies between −1 and 1 without a leading zero.

    >>> share_text(0.0663), share_text(-0.4), share_text(1.0)
    ('.07', '−.40', '1.00')
    """
    text = f"{abs(value):.{places}f}"
    text = text.removeprefix("0") if text.startswith("0.") else text
    negative = value < 0 and float(f"0{text}" if text.startswith(".") else text) != 0
    return f"−{text}" if negative else text


def number_text(value: float, *, places: int = 2) -> str:
    """Print a number with a true minus sign. A small one keeps `places` digits that count; a very small or very
    large one is in scientific notation.

    >>> number_text(-1.234), number_text(14.0, places=0), number_text(-0.003012), number_text(-2.8e-17)
    ('−1.23', '14', '−0.0030', '0.00')
    >>> number_text(0.0000123), number_text(123456789.0)
    ('1.23e−05', '1.23e+08')
    """
    size = abs(value)
    if size < 1e-12:
        return f"{0:.{places}f}"
    if 0.5 * 10**-places <= size < 1e7:
        text = f"{size:.{places}f}"
    elif 1e-4 <= size < 1:
        text = f"{size:.{max(places, 1) - 1 - math.floor(math.log10(size))}f}"
    else:
        text = f"{size:.2e}"
    return ("−" if value < 0 else "") + text.replace("e-", "e−")


def places_beside(se: float) -> int:
    """Return with how many decimal places a number is printed beside its standard error: two digits of that count.

    >>> [places_beside(se) for se in (12.7, 1.27, 0.21, 0.0034, 0.0)]
    [0, 1, 2, 4, 2]
    """
    return min(max(1 - math.floor(math.log10(se)), 0), 6) if 0 < se < math.inf else 2


def df_text(value: float) -> str:
    """Print degrees of freedom: whole ones as such, others with two places.

    >>> df_text(147.0), df_text(142.4946)
    ('147', '142.49')
    """
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.2f}"
