"""Tell the direction of a text from its letters, as the browser does (`tests/contract/directions.json`). Pure."""

from __future__ import annotations

import unicodedata

MARK_FROM_LEFT = "\u200e"
#: Left-to-right, right-to-left and Arabic letter mark.
MARKS = "\u200e\u200f\u061c"


def direction_of(text: str) -> str | None:
    """Return "rtl" if the first letter, or more than half of all letters, belong to a right-to-left script, else "ltr".

    This is UAX #9, P2 and P3, except that a Hebrew sentence may begin with a Latin name. A directional mark at the
    beginning decides. None for a text without letters, which has the direction of its surroundings.

    >>> direction_of("הילד אכל pizza."), direction_of("WhatsApp הפסיקה לעבוד."), direction_of("12 + 7")
    ('rtl', 'rtl', None)
    """
    letters = [character for character in text if character in MARKS or unicodedata.category(character).startswith("L")]
    if not letters:
        return None
    if letters[0] == MARK_FROM_LEFT:
        return "ltr"
    from_right = [unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters]
    return "rtl" if from_right[0] or 2 * sum(from_right) > len(letters) else "ltr"
