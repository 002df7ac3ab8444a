"""Colour and size of a text as two columns of the materials, as in a Stroop task. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PIL import ImageColor

from experiments.sentences import Sentence

COLOUR, SIZE = "text_colour", "text_size"
SMALLEST, LARGEST = 0.5, 5.0
_HEXADECIMAL = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(%?)")


def colour_of(cell: str) -> str | None:
    """Return a colour of CSS, a name or `#` and digits, as `#rrggbb`; None for any other text.

    >>> colour_of("Red"), colour_of("#08f"), colour_of("rot")
    ('#ff0000', '#0088ff', None)
    """
    written = cell.strip().casefold()
    named = ImageColor.colormap.get(written.replace(" ", ""), written)
    written = named if isinstance(named, str) else written
    if not _HEXADECIMAL.fullmatch(written):
        return None
    return written if len(written) == 7 else "#" + "".join(2 * digit for digit in written[1:])


def size_of(cell: str) -> float | None:
    """Return how many times the usual size a text has; None for what is no such number.

    >>> size_of("1.5"), size_of("150 %"), size_of("20"), size_of("large")
    (1.5, 1.5, None, None)
    """
    found = _SIZE.fullmatch(cell.strip())
    if found is None:
        return None
    times = float(found[1]) / (100 if found[2] else 1)
    return times if SMALLEST <= times <= LARGEST else None


def look_of(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the browser needs of colour and size of a text: `colour`, `size`, each where the row has it.

    >>> look_of({"text_colour": "red", "prime": "table"}), look_of({})
    ({'colour': '#ff0000'}, {})
    """
    colour, size = colour_of(str(extra.get(COLOUR) or "")), size_of(str(extra.get(SIZE) or ""))
    return {**({"colour": colour} if colour else {}), **({"size": size} if size else {})}


def look_faults(extra: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return (column, message, suggestion) for each cell that is no colour or no size.

    >>> [column for column, _message, _suggestion in look_faults({"text_colour": "rot", "text_size": "2"})]
    ['text_colour']
    """
    faults: list[tuple[str, str, str]] = []
    colour, size = str(extra.get(COLOUR) or "").strip(), str(extra.get(SIZE) or "").strip()
    if colour and colour_of(colour) is None:
        faults.append(
            (
                COLOUR,
                Sentence("'{cell}' is not a colour.", cell=colour),
                Sentence("Write an English name, such as red, or # and six digits, such as #ff0000."),
            )
        )
    if size and size_of(size) is None:
        faults.append(
            (
                SIZE,
                Sentence("'{cell}' is not a text size.", cell=size),
                Sentence(
                    "Write the size relative to the usual one, from {smallest:g} to {largest:g}, such as 1.5.",
                    smallest=SMALLEST,
                    largest=LARGEST,
                ),
            )
        )
    return faults
