"""Import item lists of Ibex: `var items = [[["condition", 1], "DashedSentence", {s: "…"}], …];`. No code is run.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.materials.other_tools.items import ReadItem, table_of
from experiments.materials.other_tools.literals import BrokenLiteral, Entry, Reader, Unknown, after_blank
from experiments.materials.shapes import MaterialsFaults, Table
from experiments.sentences import Sentence

ORIGIN = "Ibex"
_ITEMS = re.compile(r"^[ \t]*(?:(?:var|let|const)\s+)?items\s*=\s*(?=\[)", re.MULTILINE)
_DEFAULTS = re.compile(r"^[ \t]*(?:(?:var|let|const)\s+)?defaults\s*=\s*(?=\[)", re.MULTILINE)
_LISTS = re.compile(r"\[\s*\[")
_SENTENCE = re.compile(r"\bs\s*:|\"s\"\s*:")
_TAG = re.compile(r"<[^<>]+>")


def are_results(text: str) -> bool:
    """Return whether a text is a results file, which begins with remarks about the first person.

    >>> are_results("#\\n# Results on Tuesday March 04 2014 10:01:02 UTC.\\n#\\n1393927262,abc,Form\\n")
    True
    """
    return re.match(r"[\ufeff#\s]{0,20}Results on \w+", text) is not None


def recognised(text: str) -> bool:
    """Return whether a text is a list of items, or assigns one to `items`.

    >>> recognised('var items = [["s1", "DashedSentence", {s: "He left."}]];'), recognised('[["a", 1]]')
    (True, False)
    """
    return bool(_ITEMS.search(text)) or (_bare(text) is not None and bool(_SENTENCE.search(text)))


def _bare(text: str) -> int | None:
    """Return where a file that is nothing but a list of lists begins; None for any other."""
    try:
        start = after_blank(text, 0)
    except BrokenLiteral:
        return None
    return start if _LISTS.match(text, start) else None


def table(text: str) -> Table:
    """Return the table of a list of items. Raises MaterialsFaults with all faults by line."""
    start = _ITEMS.search(text)
    reader = Reader(text, start.end() if start else _bare(text) or 0)
    try:
        entries = reader.entries()
    except BrokenLiteral as broken:
        raise MaterialsFaults([Fault(line=broken.line, message=str(broken), step="materials")]) from None
    defaults = _defaults(text)
    items: list[ReadItem] = []
    faults: list[Fault] = []
    without: dict[str, int] = {}
    unanswered = 0
    for entry in entries:
        if isinstance(entry.value, Unknown):
            message = Sentence(
                "The script computes '{text}', but the platform runs no scripts.", text=entry.value.text[:60]
            )
            faults.append(
                Fault(
                    entry.line,
                    "",
                    message,
                    Sentence("Write the items out, or paste what the script produces."),
                    "materials",
                )
            )
        elif not isinstance(entry.value, list) or len(entry.value) < 2:
            message = Sentence("This is not an item: an item is a list of a label, a controller and its options.")
            faults.append(Fault(entry.line, "", message, "", "materials"))
        else:
            found = _item(entry, faults, defaults)
            if found is None:
                controller = str(entry.value[1]) if not isinstance(entry.value[1], Unknown) else entry.value[1].text
                without[controller] = without.get(controller, 0) + 1
            else:
                items.append(found)
                asked = any(own.get("q") for own in _options(entry.value[1:], defaults))
                unanswered += asked and not found.question
    warnings = []
    if unanswered:
        message = Sentence(
            ("Questions of {n} texts were left out, because the file does not say which answer is right (hasCorrect)."),
            n=unanswered,
        )
        warnings.append(Fault(message=message, step="materials"))
    if without:
        told = [f"{name} ({number})" for name, number in without.items()]
        message = Sentence("Entries without a sentence were left out: {names}.", names=listed(told))
        suggestion = Sentence(
            "Write pages of text in the step Texts, and questions about people under “Demographics” on the page "
            "Procedure."
        )
        warnings.append(Fault(message=message, suggestion=suggestion, step="materials"))
    return table_of(items, origin=ORIGIN, warnings=warnings, faults=faults)


def _defaults(text: str) -> dict[str, Mapping[str, Any]]:
    """Return the options that a file gives every item of a controller; none where the list cannot be read."""
    start = _DEFAULTS.search(text)
    if start is None:
        return {}
    try:
        found = [entry.value for entry in Reader(text, start.end()).entries()]
    except BrokenLiteral:
        return {}
    pairs = pairwise(found)
    return {name: own for name, own in pairs if isinstance(name, str) and isinstance(own, dict)}


def _item(entry: Entry, faults: list[Fault], defaults: Mapping[str, Mapping[str, Any]]) -> ReadItem | None:
    """Return the text of an entry; None if it has none."""
    label, *rest = entry.value
    options = list(_options(rest, defaults))
    sentences = [_sentence(own["s"]) for own in options if own.get("s") is not None]
    if not sentences:
        return None
    # A fixation cross before the sentence is an `s` as well.
    sentence = max(sentences, key=len)
    if not sentence.strip():
        faults.append(
            Fault(entry.line, "", Sentence("The sentence is empty, or the script computes it."), "", "materials")
        )
        return None
    condition, item = _label(label)
    question, choices, answer = next((_question(own) for own in options if own.get("q")), ("", "", ""))
    return ReadItem(entry.line, " ".join(sentence.split()), item, condition, "", question, choices, answer)


def _options(rest: list[Any], defaults: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the options of every controller of an item, with those that it has by default."""
    controller = ""
    for value in rest:
        if isinstance(value, dict):
            yield {**defaults.get(controller, {}), **value}
        controller = value if isinstance(value, str) else ""


def _label(label: Any) -> tuple[str, str]:
    """Return condition and item of a label: "c", ["c", 1], or ["c", [1, 2]], whose second number is another set."""
    if not isinstance(label, list):
        return _plain(label), ""
    condition = _plain(label[0]) if label else ""
    group = label[1] if len(label) > 1 else None
    if isinstance(group, list):
        group = group[0] if group else None
    return condition, "" if group is None else _plain(group)


def _sentence(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_plain(word) for word in value)
    if isinstance(value, dict):
        return _TAG.sub("", _plain(value.get("html", "")))
    return _plain(value)


def _question(own: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return question, choices and correct choice: `hasCorrect` is its index, its text, or true for the first."""
    options = [_plain(one[1] if isinstance(one, list) and len(one) > 1 else one) for one in own.get("as") or []]
    right = own.get("hasCorrect")
    answer = ""
    if isinstance(right, bool):
        answer = options[0] if right and options else ""
    elif isinstance(right, int) and 0 <= right < len(options):
        answer = options[right]
    elif isinstance(right, str) and right in options:
        answer = right
    return (_sentence(own["q"]), "|".join(options), answer) if options and answer else ("", "", "")


def _plain(value: Any) -> str:
    if isinstance(value, Unknown | dict | list) or value is None:
        return ""
    return str(value)
