"""Tell designs that are incomplete on purpose from holes, and say what an incomplete design costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from experiments.design.estimability import connected, efficiency
from experiments.design.incomplete_lists import number_of_lists
from experiments.formats.faults import Fault, enumerated, listed
from experiments.materials.shapes import DesignCondition, DesignItem
from experiments.sentences import Sentence, counting

# What so few items have is a slip rather than a design.
RARE_SHARE = 0.2

C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True)
class Hole(Generic[C]):
    """What is wrong with the conditions of an item, what to do, and which conditions it lacks where that is known."""

    message: Sentence
    suggestion: Sentence
    missing: tuple[C, ...] = ()


@dataclass(frozen=True)
class ItemSet:
    """The targets of one item set: their places among all items, and the conditions of each by position.

    Without factors every item has one text, under the condition 0.
    """

    name: str
    places: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]

    @property
    def conditions(self) -> tuple[int, ...]:
        """The conditions in which the set has texts."""
        return tuple(sorted({condition for own in self.cells for condition in own}))

    @property
    def is_complete(self) -> bool:
        """Whether every item has a text in every condition of the set."""
        return len(set(self.cells)) < 2


def item_sets_of(items: Sequence[DesignItem]) -> list[ItemSet]:
    """Return the item sets of a design in the order of the materials; of one in several languages a set for each.

    Items of a language, by their attribute `language`, are rotated among each other: people see no others of the set.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        if item.is_target:
            places.setdefault((item.item_set, str(item.attributes.get("language", ""))), []).append(place)
    return [
        ItemSet(
            name,
            tuple(own),
            tuple(tuple(stimulus.condition or 0 for stimulus in items[place].stimuli) for place in own),
        )
        for (name, _language), own in places.items()
    ]


def mistaken_holes(
    items: Mapping[str, tuple[str, Collection[C]]],
    conditions: Sequence[C],
    names: Mapping[C, str],
    *,
    unsure: Collection[str] = (),
) -> dict[str, Hole[C]]:
    """Return item → what is wrong with its conditions and what to do, for items that seem to lack a text by mistake.

    `items` are the set and the conditions of each, `conditions` all of them in order, `names` what they are called.
    Nothing is said of the items in `unsure`. A set whose items are all in the same conditions is complete, whichever
    these are. Of others, and of each group of items that shares no condition with the rest:

    - where at least half of the items are in every condition, the others have holes;
    - where most items are in equally many conditions, the design is incomplete on purpose, and an item in fewer has a
      hole; a condition that hardly any item has is a slip;
    - where the numbers vary, there is no such pattern, and whatever is missing is a hole.
    """
    found: dict[str, Hole[C]] = {}
    by_set: dict[str, dict[str, frozenset[C]]] = {}
    for item, (item_set, own) in items.items():
        by_set.setdefault(item_set, {})[item] = frozenset(own)
    everything = {name: frozenset[C]().union(*of.values()) for name, of in by_set.items()}
    number = {condition: place for place, condition in enumerate(conditions)}
    for name, of in by_set.items():
        sure = {item: own for item, own in of.items() if item not in unsure}
        # A set of one item shows no pattern of its own.
        wider = [more for more in everything.values() if len(of) == 1 and everything[name] < more]
        if wider:
            found |= {
                item: missing_texts(item, [one for one in conditions if one in wider[0] - own], names)
                for item, own in sure.items()
            }
            continue
        if len(set(of.values())) < 2:
            continue
        for group in connected([tuple(sorted(number[one] for one in own)) for own in of.values()]):
            inside = {conditions[place] for own in group for place in own}
            members = {item: own for item, own in sure.items() if own <= inside}
            found |= _holes_of_group(members, inside, conditions, names)
        found |= _rare_conditions(sure, conditions, names) if len(found.keys() & sure.keys()) == 0 else {}
    return found


def _holes_of_group(
    items: Mapping[str, frozenset[C]], inside: Collection[C], conditions: Sequence[C], names: Mapping[C, str]
) -> dict[str, Hole[C]]:
    lacking = {item: own for item, own in items.items() if len(own) < len(inside)}
    if not lacking:
        return {}
    is_all_but_complete = 2 * len(lacking) <= len(items)
    sizes = Counter(map(len, items.values()))
    usual = max(sizes, key=lambda size: (sizes[size], size))
    is_regular = len(items) - sizes[usual] <= RARE_SHARE * len(items)
    if is_all_but_complete or not is_regular:
        return {
            item: missing_texts(item, [one for one in conditions if one in inside and one not in own], names)
            for item, own in lacking.items()
        }
    return {
        item: Hole(
            counting(
                "The item '{item}' has one text, but most items have {usual}.",
                "The item '{item}' has {n} texts, but most items have {usual}.",
                len(own),
                item=item,
                usual=usual,
            ),
            Sentence("Add the missing text."),
        )
        for item, own in lacking.items()
        if len(own) < usual
    }


def _rare_conditions(
    items: Mapping[str, frozenset[C]], conditions: Sequence[C], names: Mapping[C, str]
) -> dict[str, Hole[C]]:
    counts = Counter(condition for own in items.values() for condition in own)
    if not counts:
        return {}
    usual = median(counts.values())
    rare = [condition for condition in conditions if 0 < counts[condition] < RARE_SHARE * usual]
    return {
        item: Hole(
            counting(
                "Only one item has a text in '{condition}'; other conditions have about {usual}.",
                "Only {n} items have a text in '{condition}'; other conditions have about {usual}.",
                counts[condition],
                condition=names[condition],
                usual=round(usual),
            ),
            Sentence("Correct its levels if this is a typing error."),
        )
        for condition in reversed(rare)
        for item, own in items.items()
        if condition in own
    }


def missing_texts(item: str, missing: Sequence[C], names: Mapping[C, str]) -> Hole[C]:
    """Return what is said of an item without texts in some conditions."""
    said = listed([names[condition] for condition in missing])
    return Hole(
        Sentence("The item '{item}' has no text in {conditions}.", item=item, conditions=said),
        Sentence("Every item needs a text in every condition."),
        tuple(missing),
    )


def families(sets: Sequence[ItemSet]) -> list[list[ItemSet]]:
    """Return the item sets in groups, so that no two groups have a condition in common: one experiment each."""
    return [[of for of in sets if of.conditions in group] for group in connected([of.conditions for of in sets])]


def incompleteness_notices(items: Sequence[DesignItem], conditions: Sequence[DesignCondition]) -> list[Fault]:
    """Return what to know of a design in which not every item is in every condition; nothing of a complete one."""
    sets = item_sets_of(items)
    names = [condition.name for condition in conditions]
    said: list[Sentence] = []
    together = families(sets)
    if len(together) > 1:
        own = "; ".join(
            f"{'+'.join(of.name for of in group)}: "
            + listed([names[number] for number in sorted({c for of in group for c in of.conditions})], shown=12)
            for group in together
        )
        said.append(
            Sentence(
                "The item sets have conditions of their own ({sets}). The lists balance each set, and each set "
                "is analysed separately.",
                sets=own,
            )
        )
    for group in together:
        cells = [own for of in group for own in of.cells]
        if len(set(cells)) > 1:
            said += _costs(", ".join(of.name for of in group) if len(together) > 1 else "", cells, names)
    sizes = sorted({len(own) for of in sets for own in of.cells})
    if len(sizes) > 1:
        n_lists = number_of_lists(sizes)
        told = enumerated(sizes)
        said.append(
            Sentence(
                "Items have {sizes} texts. At least {n} lists are needed to show every text of an item equally often.",
                sizes=told,
                n=n_lists,
            )
            if all(n_lists % size == 0 for size in sizes)
            else Sentence(
                "Items have {sizes} texts, and it would take too many lists to show every text of an item "
                "equally often. With {n} lists, some texts are in one list more than others of their item.",
                sizes=told,
                n=n_lists,
            )
        )
    return [Fault(message=message, step="materials") for message in said]


def _costs(item_set: str, cells: Sequence[tuple[int, ...]], names: Sequence[str]) -> list[Sentence]:
    """Return what incomplete sets cost: what is compared within items, how precisely, and by what analyses."""
    k = len({condition for own in cells for condition in own})
    sizes = sorted({len(own) for own in cells})
    numbers = {"n": len(cells), "k": k, "each": "–".join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))}
    groups = connected(cells)
    is_nested = all(len(set(group)) == 1 for group in groups)
    told: list[Sentence] = []
    if not is_nested and item_set:
        told.append(
            Sentence(
                (
                    "The item set '{item_set}' is incomplete: each of its {n} items has texts in {each} of {k} "
                    "conditions."
                ),
                item_set=item_set,
                **numbers,
            )
        )
    elif not is_nested:
        told.append(
            Sentence("The design is incomplete: each of {n} items has texts in {each} of {k} conditions.", **numbers)
        )
    if len(groups) > 1:
        apart = [listed([names[c] for c in sorted({c for own in group for c in own})], shown=6) for group in groups]
        told.append(
            Sentence(
                "No item connects the conditions {groups}. {within} of {all} contrasts can be estimated within "
                "items; the others depend on the differences between items.",
                groups=" | ".join(apart[:6]) + (" | …" if len(apart) > 6 else ""),
                within=k - len(groups),
                all=k - 1,
            )
        )
    else:
        told.append(Sentence("All {n} contrasts of the conditions can be estimated within items.", n=k - 1))
    if is_nested:
        return told
    share = efficiency(cells)
    return [
        *told,
        Sentence(
            "Comparisons within items have {share} percent of the precision that the same number of answers to "
            "items in all conditions would give (efficiency factor {factor}).",
            share=round(100 * share),
            factor=f"{share:.2f}",
        ),
        Sentence(
            "Analyse it with mixed models with random effects of items. The means of conditions come from "
            "different items, so do not use ANOVA by participants or items (F1, F2), minF′ or Friedman's test."
        ),
    ]
