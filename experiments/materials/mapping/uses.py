"""What one column is read as, written as a short text."""

from __future__ import annotations

import re

from experiments.materials.shapes import ATTRIBUTE, FACTOR, ITEM, KIND, LIST, PART, RIGHT, Use
from experiments.sentences import Sentence

LEFT_OUT = "-"
ROLES = (FACTOR, ATTRIBUTE, PART, KIND, ITEM, RIGHT)
_PLACED = re.compile(rf"{PART}\s+([1-9][0-9]?)")


def use_of(said: str) -> Use:
    """Return what a mapping says of a column. Raises ValueError with a sentence.

    >>> use_of("text, clause=subject, length=long").levels
    {'clause': 'subject', 'length': 'long'}
    >>> str(use_of("text,clause = subject")), use_of("-").is_left_out
    ('text, clause=subject', True)
    >>> use_of("plausibility, attribute").role, use_of("text, part 2").place
    ('attribute', 2)
    """
    name, *said_of = (part.strip() for part in said.split(","))
    placed = [found for one in said_of if (found := _PLACED.fullmatch(one))]
    roles = [one for one in said_of if one in ROLES] + [PART] * len(placed)
    levels = [one for one in said_of if one not in ROLES and not _PLACED.fullmatch(one)]
    pairs = [(factor.strip(), level.strip()) for factor, _is, level in (said.partition("=") for said in levels)]
    is_alone = name in (LEFT_OUT, LIST)
    if not name or not all(factor and level for factor, level in pairs) or (is_alone and said_of):
        message = Sentence(
            "'{said}' does not say what a column is: write a name, a name and levels (text, clause=subject), a name "
            "and factor, attribute, part, kind, item or right (text, part), list, or -.",
            said=said,
        )
        raise ValueError(message)
    if len({factor for factor, _level in pairs}) < len(pairs):
        raise ValueError(Sentence("'{said}' names a factor twice.", said=said))
    if len(roles) > 1 or (pairs and roles and roles != [PART]):
        raise ValueError(Sentence("'{said}' says two things about one column.", said=said))
    role = LIST if name == LIST else "".join(roles)
    return Use("" if name == LEFT_OUT else name, dict(pairs), role, int(placed[0][1]) if placed else 0)
