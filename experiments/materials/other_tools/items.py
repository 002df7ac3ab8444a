"""Collect the texts of another tool's item file into a table of materials. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.design.estimability import connected
from experiments.formats.faults import Fault, listed
from experiments.materials.shapes import MAX_ROWS, MaterialsFaults, Row, Table
from experiments.sentences import Sentence

QUESTION = ("question", "choices", "answer")
_PREFIX = re.compile(r".+?[_\-. ]")
_FILLER = re.compile(
    r"attention.?check|catch.?(?:trial|item)|fill|füll|distract|relleno|remplissage|opvul|填充|干扰|フィラー|필러",
    re.IGNORECASE,
)
_PRACTICE = re.compile(r"pract|train|exerc|^prac$|warm|übung|práctica|entraîn|oefen|练习|練習|연습", re.IGNORECASE)


@dataclass(frozen=True)
class ReadItem:
    """One text of an item file. `item` is empty for texts without an item, which are fillers; `experiment` may be
    empty.
    """

    line: int
    text: str
    item: str
    condition: str = ""
    experiment: str = ""
    question: str = ""
    choices: str = ""
    answer: str = ""


def is_practice(name: str) -> bool:
    """Return whether the name of an experiment or a label says practice.

    >>> is_practice("practice2"), is_practice("relclause")
    (True, False)
    """
    return bool(_PRACTICE.search(name))


def is_filler(name: str) -> bool:
    """Return whether the name of an experiment or a label says filler."""
    return bool(_FILLER.search(name))


def table_of(items: Sequence[ReadItem], *, origin: str, warnings: Sequence[Fault], faults: Sequence[Fault]) -> Table:
    """Return the texts as a table: item, text, condition, is_filler, is_practice, and questions if there are any.

    Experiments whose items have one text each, and whose name does not say practice, are fillers if others have
    several. Raises MaterialsFaults with all faults, or if there is no text.
    """
    if not items and not faults:
        faults = [Fault(message=Sentence("This file of {origin} contains no text.", origin=origin), step="materials")]
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
                    "The file contains the items of {n} experiments: {names}.",
                    n=len(experiments),
                    names=listed(experiments),
                ),
                suggestion=Sentence("The names tell their items apart. To run only one experiment, delete the others."),
                step="materials",
            )
        )
    asked = any(item.question for item in items)
    set_of, prefixes = _item_sets([item for item in items if item in targets])
    header = ["item", "text", "condition", "is_filler", "is_practice", *(QUESTION if asked else ())]
    header += ["item_set"] if set_of else []
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
        condition = item.condition.removeprefix(prefixes.get(item.condition, "")) if is_target else ""
        cells = [code, item.text, condition, *truths]
        cells += [item.question, item.choices, item.answer] if asked else []
        cells += [set_of[item.experiment, item.item] if is_target else ""] if set_of else []
        rows.append(Row(item.line, tuple(cells)))
    return Table(tuple(header), tuple(rows), 1, tuple(told), origin)


def _item_sets(targets: Sequence[ReadItem]) -> tuple[dict[tuple[str, str], str], dict[str, str]]:
    """Return the item set of every item, by experiment and code, and the prefixes of conditions that name sets.

    There are sets where experiments have conditions of their own: they are called as the file calls experiments, or by
    what the conditions of each begin with, such as rel_ and agr_. Nothing where all items share their conditions, or
    where nothing names the sets.
    """
    conditions: dict[tuple[str, str], set[str]] = {}
    for item in targets:
        conditions.setdefault((item.experiment, item.item), set()).add(item.condition)
    names = list(dict.fromkeys(item.condition for item in targets))
    groups = connected([tuple(sorted(map(names.index, own))) for own in conditions.values()])
    if len(groups) < 2 or any(len({place for own in group for place in own}) < 2 for group in groups):
        return {}, {}
    if len({experiment for experiment, _item in conditions}) > 1:
        return {item: item[0] for item in conditions}, {}
    prefixes: dict[str, str] = {}
    for group in groups:
        own = [names[place] for place in sorted({place for cells in group for place in cells})]
        found = _PREFIX.match(own[0])
        if found is None or not all(name.startswith(found.group()) for name in own):
            return {}, {}
        prefixes |= dict.fromkeys(own, found.group())
    if len(set(prefixes.values())) < len(groups):
        return {}, {}
    return {item: prefixes[next(iter(own))].rstrip("_-. ") for item, own in conditions.items()}, prefixes


def _targets(items: Sequence[ReadItem]) -> set[ReadItem]:
    """Return the texts of targets: those of experiments in which an item has several texts; if there is none, all
    not named filler or practice.
    """
    named = [
        item
        for item in items
        if item.item
        and not is_practice(item.experiment or item.condition)
        and not is_filler(item.experiment or item.condition)
    ]
    several = Counter((item.experiment, item.item) for item in named)
    experiments = {experiment for (experiment, _item), n in several.items() if n > 1}
    # Experiments with one condition per item may be all there is; then every text counts.
    return {item for item in named if not experiments or item.experiment in experiments}
