"""No regular expression takes exponential time, and none that reads what comes from outside takes quadratic time."""

from __future__ import annotations

import pytest

from tests.uploads.patterns import growth
from tests.uploads.places import Pattern, patterns

pytestmark = pytest.mark.slow

# Rooms that read files, forms and requests.
OF_OUTSIDE_TEXTS = (
    "analysis/coding/",
    "analysis/scores/",
    "analysis/views/",
    "config/accounts/",
    "config/middleware",
    "experiments/formats/",
    "experiments/materials/",
    "experiments/media/",
    "experiments/questionnaire/",
    "experiments/rules/",
    "experiments/study_files/",
    "experiments/uploads/",
    "experiments/views/",
    "participants/",
)
# How long the text is in which a pattern with two loops in a row is looked for.
BOUNDED = {
    r"%[A-Z]+_[A-Z_]+%|\bX{4,}\b|\{\{|\$\{": "an address or a code, at most 2,000 characters",
}
# Put together from a constant of another module, and short.
COMPUTED = {
    "config/accounts/tokens/secrets.py": "three constants of its own, of fixed length",
    "experiments/formats/words.py": "one set of characters",
    "experiments/management/new_code.py": "a command for developers",
    "experiments/materials/mapping/answers.py": "words of our own and one letter or digit",
    "experiments/materials/mapping/dividers.py": "one sign, taken as it is",
    "experiments/materials/mapping/uses.py": "a word of our own and a number of two digits",
    "experiments/study_files/schema/tables.py": "the name of a parameter, which has one loop",
    "experiments/media/pictures.py": "bytes; one set of characters",
}


def is_outside(pattern: Pattern) -> bool:
    return pattern.place.startswith(OF_OUTSIDE_TEXTS)


def test_patterns_are_linear() -> None:
    exponential, polynomial = [], []
    for pattern in patterns():
        if pattern.text is None:
            continue
        found = growth(pattern.text, pattern.flags, searched=pattern.searched, whole=pattern.whole)
        if found == "exponential":
            exponential.append(f"{pattern.place}: {pattern.text}")
        elif found == "polynomial" and is_outside(pattern) and pattern.text not in BOUNDED:
            polynomial.append(f"{pattern.place}: {pattern.text}")
    assert exponential == []
    assert polynomial == []


def test_patterns_over_texts_from_outside_are_written_as_constants() -> None:
    unread = {pattern.place.partition(":")[0] for pattern in patterns() if pattern.text is None and is_outside(pattern)}
    assert unread <= set(COMPUTED), "write the pattern as a constant, or say here why it may be computed"


@pytest.mark.parametrize(
    ("pattern", "searched", "found"),
    [
        (r"(?:\s+|//[^\n]*|/\*.*?\*/)*(?=\[\s*\[)", False, "exponential"),
        (r"(?:a|ab|b)*c", False, "exponential"),
        (r"^(\w+\s?)*$", False, "exponential"),
        (r"#\s*(\S+)\s+(\S+)\s+(\S+)(?:\s+.*)?$", False, "polynomial"),
        (r"\?\s*(.+?)\s+([YyNn])\s*$", False, "polynomial"),
        (r"^\s*setcycle", True, "polynomial"),
        (r"[ \t]*\r?\n[ \t]*", True, "polynomial"),
        (r"[0-9]+[.,]?[0-9]*x", False, "polynomial"),
        (r'"((?:[^"\\]|\\.)*)"', False, "linear"),
        (r"<[^<>]+>", True, "linear"),
        (r"(?<![.!?])[.!?]+(?=\s)", True, "linear"),
        (r"\s*+x", False, "linear"),
    ],
)
def test_the_lint_tells_what_grows(pattern: str, searched: bool, found: str) -> None:
    assert growth(pattern, re_flags(pattern), searched=searched) == found


def re_flags(pattern: str) -> int:
    import re

    return int(re.MULTILINE) if pattern.startswith(r"^\s") else 0
