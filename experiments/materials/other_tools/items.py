"""One text as another tool's item file has it, and the table that many of them make. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.formats.faults import Fault, listed
from experiments.materials.shapes import MAX_ROWS, MaterialsFaults, Row, Table
from experiments.sentences import Sentence

QUESTION = ("question", "choices", "answer")
_FILLER = re.compile(r"fill|distract", re.IGNORECASE)
_PRACTICE = re.compile(r"pract|train|exerc|^prac$|warm", re.IGNORECASE)


@dataclass(frozen=True)
class ReadItem:
    """One text. `item` is empty for texts that belong to no item, which are fillers; `experiment` may be empty."""

    line: int
    text: str
    item: str
    condition: str = ""
    experiment: str = ""
    question: str = ""
    choices: str = ""
    answer: str = ""


def is_practice(name: str) -> bool:
    """Return whether an experiment or a label is named as one for practice.

    >>> is_practice("practice2"), is_practice("relclause")
    (True, False)
    """
    return bool(_PRACTICE.search(name))


def is_filler(name: str) -> bool:
    """Return whether an experiment or a label is named as one of fillers."""
    return bool(_FILLER.search(name))


def table_of(items: Sequence[ReadItem], *, origin: str, warnings: Sequence[Fault], faults: Sequence[Fault]) -> Table:
    """Return the table that texts make: item, text, condition, is_filler, is_practice, and the question where asked.

    Experiments whose items have one text each and are not named as practice are fillers, where others have several.
    Raises MaterialsFaults with all faults, or where there is no text.
    """
    if not items and not faults:
        faults = [
            Fault(message=Sentence("There is no text in this file of {origin}.", origin=origin), step="materials")
        ]
    if len(items) > MAX_ROWS:
        faults = [
            *faults,
            Fault(message=Sentence("There are {n} texts; at most {limit} can be read.", n=len(items), limit=MAX_ROWS)),
        ]
    if faults:
        raise MaterialsFaults(list(faults), list(warnings))
    targets = _targets(items)
    experiments = list(dict.fromkeys(item.experiment for item in items if item in targets))
    told = list(warnings)
    if len(experiments) > 1:
        told.append(
            Fault(
                message=Sentence(
                    "The file holds the items of {n} experiments: {names}.",
                    n=len(experiments),
                    names=listed(experiments),
                ),
                suggestion=Sentence(
                    "Their items are told apart by the name; to run one of them alone, delete the others."
                ),
                step="materials",
            )
        )
    asked = any(item.question for item in items)
    header = ["item", "text", "condition", "is_filler", "is_practice", *(QUESTION if asked else ())]
    number: Counter[str] = Counter()
    rows = []
    for item in items:
        is_target = item in targets
        code = item.item
        if not is_target:
            name = item.experiment or item.condition or "filler"
            number[name] += 1
            code = f"{name}-{item.item or number[name]}"
        elif len(experiments) > 1:
            code = f"{item.experiment}-{item.item}"
        practice = not is_target and is_practice(item.experiment or item.condition)
        truths = [str(truth).lower() for truth in (not is_target and not practice, practice)]
        cells = [code, item.text, item.condition if is_target else "", *truths]
        cells += [item.question, item.choices, item.answer] if asked else []
        rows.append(Row(item.line, tuple(cells)))
    return Table(tuple(header), tuple(rows), 1, tuple(told), origin)


def _targets(items: Sequence[ReadItem]) -> set[ReadItem]:
    """Return the texts of items: those whose item has several, or all that are not named otherwise if none has."""
    named = [
        item
        for item in items
        if item.item
        and not is_practice(item.experiment or item.condition)
        and not is_filler(item.experiment or item.condition)
    ]
    several = Counter((item.experiment, item.item) for item in named)
    experiments = {experiment for (experiment, _item), n in several.items() if n > 1}
    # One condition of an experiment in each item may be all there is; without any such experiment everything counts.
    return {item for item in named if not experiments or item.experiment in experiments}
