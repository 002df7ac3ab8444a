"""Work out simple conditions and texts of OpenSesame by the values of a row; scripts stay unknown. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"(?<!\\)\[(=?[^\[\]\n]{1,200})\]")
_COMPARED = re.compile(r"(.+?)\s*(==|!=|>=|<=|=|<|>)\s*(.+)")
_BARE = re.compile(r"(?:var\.|self\.|exp\.)?([A-Za-z_]\w*)")
MOST_DEEP, LONGEST = 6, 100_000


class Unknown(ValueError):
    """A name or an expression that only the running experiment knows."""


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the values of the names in square brackets. Raises Unknown.

    >>> filled("Press [key].", {"key": "[left]", "left": "z"})
    'Press z.'
    """
    return _filled(text, values, {}, 0)


def _filled(text: str, values: Mapping[str, str], known: dict[str, str], depth: int) -> str:
    """Return a text with its values; each name is worked out once."""
    if "[" not in text:
        return text
    if depth > MOST_DEEP or len(text) > LONGEST:
        raise Unknown(text[:40])

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name not in values:
            raise Unknown(f"[{name}]")
        if name not in known:
            known[name] = _filled(values[name], values, known, depth + 1)
        return known[name]

    said = _NAME.sub(value, text)
    if len(said) > LONGEST:
        raise Unknown(text[:40])
    return said.replace("\\[", "[").replace("\\]", "]")


def holds(condition: str, values: Mapping[str, str]) -> bool:
    """Return whether a condition holds of a row. Raises Unknown.

    >>> holds("[practice] = yes and n > 2", {"practice": "yes", "n": "3"})
    True
    """
    said = condition.strip().removeprefix("=").strip()
    if said.casefold() in ("always", "true", ""):
        return True
    if said.casefold() in ("never", "false"):
        return False
    if re.search(r"\bor\b", said):
        return any(holds(part, values) for part in re.split(r"\bor\b", said))
    if re.search(r"\band\b", said):
        return all(holds(part, values) for part in re.split(r"\band\b", said))
    compared = _COMPARED.fullmatch(said)
    if compared is None or re.search(r"[()%*+]", said):
        raise Unknown(condition)
    left, right = (_value(side, values) for side in (compared[1], compared[3]))
    try:
        numbers = float(left), float(right)
        pair: tuple[float, float] | tuple[str, str] = numbers
    except ValueError:
        pair = left, right
    match compared[2]:
        case "=" | "==":
            return pair[0] == pair[1]
        case "!=":
            return pair[0] != pair[1]
        case "<":
            return pair[0] < pair[1]  # type: ignore[operator]
        case ">":
            return pair[0] > pair[1]  # type: ignore[operator]
        case "<=":
            return pair[0] <= pair[1]  # type: ignore[operator]
        case _:
            return pair[0] >= pair[1]  # type: ignore[operator]


def _value(side: str, values: Mapping[str, str]) -> str:
    side = side.strip()
    if side[:1] in "'\"" and side[-1:] == side[:1] and len(side) > 1:
        return side[1:-1]
    if "[" in side:
        return filled(side, values)
    bare = _BARE.fullmatch(side)
    if bare and bare[1] in values:
        return filled(values[bare[1]], values)
    if bare and ("." in side or bare[1] in ("correct", "response", "response_time", "acc", "avg_rt", "subject_nr")):
        raise Unknown(side)
    return side


def is_of_answer(condition: str) -> bool:
    """Return whether a condition asks how somebody has answered."""
    return bool(re.search(r"\b(?:correct|accuracy|response_accuracy|acc)\b|\bcorrect_\w+", condition))
