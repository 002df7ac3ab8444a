"""What the structure of a table shows: what names its items, what only describes texts, what are versions. Pure.

Every function takes the cells of columns by name, all of the same rows, and looks at no name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

Cells = Mapping[str, Sequence[str]]
# A column of more values is no condition, and an item of more texts is none.
MOST_LEVELS = 8
# So many columns are tried for items, and for conditions of each.
_MOST_TRIED = 20
# Of the items with several texts so many have the same conditions, and so many have none twice.
_ALIKE, _APART = 0.6, 0.95
# Where it is known which column is the condition, so many are enough; the others are faults that are named.
_MOSTLY = 0.8
# Texts that are versions of each other have so many of their words in common.
_IN_COMMON = 0.3
_LOOKED_AT = 200


def groups_of(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of every value that is not empty."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        if cell:
            found[cell].append(place)
    return found


def once(cells: Cells, ignored: Collection[str]) -> dict[str, list[str]]:
    """Return the cells of the other columns, with rows left out that only differ from an earlier one in those ignored.

    >>> once({"list": ["A", "B"], "text": ["He left.", "He left."]}, ["list"])
    {'text': ['He left.']}
    """
    names = [name for name in cells if name not in ignored]
    rows = dict.fromkeys(zip(*(cells[name] for name in names), strict=True)) if names else {}
    return {name: [row[number] for row in rows] for number, name in enumerate(names)}


def tells_texts_apart(
    items: Mapping[str, Sequence[int]], cells: Sequence[str], *, is_even: bool = True, apart: float = _APART
) -> bool:
    """Return whether a column is a condition of items: it tells the texts of nearly all apart.

    With `is_even` most items have to have the same conditions, too.

    >>> tells_texts_apart({"1": [0, 1], "2": [2, 3]}, ["a", "b", "b", "a"])
    True
    """
    several = [[cells[place] for place in places] for places in items.values() if len(places) > 1]
    if not several:
        return False
    n_apart = sum(len(set(own)) == len(own) and all(own) for own in several)
    usual = Counter(frozenset(own) for own in several).most_common(1)[0][1]
    return n_apart >= apart * len(several) and (not is_even or usual >= _ALIKE * len(several))


def items_by_structure(cells: Cells, among: Sequence[str]) -> str | None:
    """Return the first of some columns whose cells are those of an item: each recurs, in the same conditions.

    There are more items than conditions, and at least a third of all rows belong to an item with several texts.

    >>> cells = {"target": ["acre", "acre", "bake", "bake", "camp", "camp"], "kind": ["a", "b"] * 3}
    >>> items_by_structure(cells, ["target"])
    'target'
    """
    n = max(map(len, cells.values()), default=0)
    conditions = [name for name, own in cells.items() if 2 <= len({*own} - {""}) <= MOST_LEVELS][:_MOST_TRIED]
    for name in [name for name in among if name in cells and 3 <= len({*cells[name]} - {""}) < n][:_MOST_TRIED]:
        items = groups_of(cells[name])
        rows = [len(places) for places in items.values() if len(places) > 1]
        if max(rows, default=0) > MOST_LEVELS**2 or 3 * sum(rows) < n or len(items) <= max(rows, default=0):
            continue
        if any(other != name and tells_texts_apart(items, cells[other]) for other in conditions):
            return name
    return None


def describing(cells: Cells, items: Sequence[str], condition: Sequence[str]) -> list[str]:
    """Return the columns that describe each text, given the condition that tells the texts of every item apart.

    Such a column varies within a quarter of the items or more, and no condition determines it; or conditions do
    determine it, but it is no factor: it has empty cells, is the number of the condition, or says less than it. One
    that would itself tell the texts of items apart is none: it may be the condition as well.

    >>> cells = {"verb": ["ran", "sat", "hid", "ate"], "voice": ["x", "y", "x", "y"]}
    >>> describing(cells, ["1", "1", "2", "2"], ["a", "b", "a", "b"])
    ['verb']
    """
    of_items = groups_of(items)
    several = [places for places in of_items.values() if len(places) > 1]
    if not several or not tells_texts_apart(of_items, condition, is_even=False, apart=_MOSTLY):
        return []
    determined = {name: own for name, own in cells.items() if len({*own}) > 1 and _is_determined(own, by=condition)}
    # Such columns are the factors that a condition is the combination of, if they are that, and whole.
    combined = list(zip(*determined.values(), strict=True)) if determined else []
    are_factors = (
        bool(combined) and _is_determined(condition, by=combined) and not any(map(_has_gap, determined.values()))
    )
    found = []
    for name, own in cells.items():
        varying = sum(len({own[place] for place in places}) > 1 for places in several)
        if 4 * varying < len(several) or varying == 0:
            continue
        if name in determined:
            are_numbers = all(cell.isdigit() for cell in own) and not all(cell.isdigit() for cell in condition)
            if not are_factors or (are_numbers and _is_determined(condition, by=own)):
                found.append(name)
        elif len({*own}) > MOST_LEVELS or not tells_texts_apart(of_items, own):
            found.append(name)
    return found


def _has_gap(cells: Sequence[str]) -> bool:
    return "" in cells


def _is_determined(cells: Sequence[str], *, by: Sequence[object]) -> bool:
    """Return whether a column has one value for every value of another."""
    return len(set(zip(by, cells, strict=True))) == len({*by})


def are_versions(cells: Cells, *, share: float = _IN_COMMON) -> bool:
    """Return whether columns hold versions of one text in every row: a share of the words of one is in the others.

    >>> are_versions({"a": ["The cat slept."], "b": ["The cat was asleep."]})
    True
    >>> are_versions({"context": ["It was late."], "text": ["Ann went home with a friend."]})
    False
    """
    shares = []
    for row in list(zip(*cells.values(), strict=True))[:_LOOKED_AT]:
        own = [_words(cell) for cell in row if cell]
        shares += [len(a & b) / min(len(a), len(b)) for a, b in combinations(own, 2) if a and b]
    return bool(shares) and sum(shares) >= share * len(shares)


def _words(text: str) -> set[str]:
    """Return the words of a text, or its letters where words are not divided by spaces."""
    words = text.casefold().split()
    return set(words) if len(words) > 2 or text.isascii() else set("".join(words))
