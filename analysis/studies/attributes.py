"""Attributes of items and texts in suggestions and in power: columns of the materials that are not rotated.

An attribute of an item is one of all its texts. An attribute of a text differs between the texts of an item, but nobody
chose which condition has which value. Both vary within participants, so models get their slopes by participant, and
none by item: an attribute is never a factor within items.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.codebook.materials import item_attribute_names, text_attributes
from analysis.codebook.trials import trial_columns
from experiments.formats.words import NeedsRegions
from experiments.materials.roles import are_numbers
from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.regions import critical_region, measured_region, regions_of
from experiments.rules.exclusion_verdict import ATTENTION

# What arranges a session or checks attention says nothing about texts.
NOT_ABOUT_TEXTS = frozenset((ATTENTION, "block", "chain", "fixed", "repetitions"))
MOST_SUGGESTED, MOST_LEVELS, FEWEST_ITEMS = 3, 8, 4
MODELS = ("lmm", "glmm", "ordinal", "multinomial")
# How long a region or a text is, as a covariate of the models that are suggested of reading times.
_LENGTH = re.compile(r" \+ (characters|words)\b")
_PLACE = re.compile(r"\bfrom_critical = (\d+)")
_PARTICIPANT = re.compile(r"\(1( \+ [^()|]+?)? (\|\|?) participant\)")


def with_lengths_that_vary(study: Study, offered: Sequence[SuggestedAnalysis]) -> list[SuggestedAnalysis]:
    """Return suggestions without a length as a covariate where all texts have the same: it could predict nothing.

    Materials are often written that way, so that critical words do not differ in length.
    """
    found = []
    for one in offered:
        length = _LENGTH.search(str(one.params.get("formula", "")))
        if length and _is_constant(study, length[1], str(one.params.get("where", ""))):
            formula = _LENGTH.sub("", str(one.params["formula"]), count=1)
            one = replace(one, params={**one.params, "formula": formula})
        found.append(one)
    return found


def _is_constant(study: Study, length: str, where: str) -> bool:
    """Return whether all texts of targets, or their regions at the place that `where` names, have one length."""
    place = _PLACE.search(where)
    if length == "characters" and place is None:
        return False
    unit = paradigm_named(study.paradigm).complete_settings(study.settings).get("unit", "word")
    targets = Stimulus.objects.filter(
        item__part__in=study.current_tasks, item__is_filler=False, item__is_practice=False
    )
    lengths: set[int] = set()
    for text, extra in targets.values_list("text", "extra").iterator():
        try:
            regions = regions_of(text, extra, unit=unit)
        except NeedsRegions:
            return False
        if length == "characters" and place is not None:
            number = (critical_region(extra) or 0) + int(place[1])
            if not (critical_region(extra) and number <= len(regions)):
                continue
            lengths.add(measured_region(regions[number - 1], number, critical=number)["characters"])
        else:
            lengths.add(sum(region["words"] for region in regions))
        if len(lengths) > 1:
            return False
    return len(lengths) == 1


@dataclass(frozen=True)
class Attribute:
    """An attribute that can be analysed: its column, its levels (none where its values are numbers), and of what."""

    column: str
    levels: tuple[str, ...]
    of_items: bool


def attributes_of(study: Study) -> list[Attribute]:
    """Return the attributes by which texts of targets can be compared.

    Left out are those that hardly repeat or never vary, and those that conditions determine, which no model can tell
    from the condition.
    """
    of_texts = text_attributes(study)
    names = [*item_attribute_names(study), *of_texts]
    columns = [column.name for column in trial_columns(study).attributes]
    targets = Stimulus.objects.filter(
        item__part__in=study.current_tasks, item__is_filler=False, item__is_practice=False
    )
    texts = [
        (condition, item, {**of_item, **of_text})
        for condition, item, of_item, of_text in targets.values_list(
            "condition_id", "item_id", "item__attributes", "attributes"
        )
    ]
    found = []
    for name, column in zip(names, columns, strict=True):
        values = [(condition, item, str(of[name])) for condition, item, of in texts if of.get(name) not in (None, "")]
        if name in NOT_ABOUT_TEXTS or len(values) < len(texts) or not _varies_within_conditions(values):
            continue
        different = sorted({value for _condition, _item, value in values})
        items = [len({item for _condition, item, value in values if value == level}) for level in different]
        if are_numbers(set(different)) and len(different) > 2:
            found.append(Attribute(column, (), name not in of_texts))
        elif 1 < len(different) <= MOST_LEVELS and min(items) >= FEWEST_ITEMS:
            found.append(Attribute(column, tuple(different), name not in of_texts))
    return found


def _varies_within_conditions(values: Sequence[tuple[int | None, int, str]]) -> bool:
    by_condition: dict[int | None, set[str]] = defaultdict(set)
    for condition, _item, value in values:
        by_condition[condition].add(value)
    return any(len(own) > 1 for own in by_condition.values())


def with_attributes(study: Study, suggested: Sequence[SuggestedAnalysis]) -> list[SuggestedAnalysis]:
    """Return, for every attribute, the first suggested model with the attribute beside the factors."""
    first = next((one for one in suggested if one.method in MODELS and not one.is_companion), None)
    if first is None:
        return []
    return [
        replace(
            first,
            title=f"{first.title}, with {attribute.column}",
            params={**first.params, "formula": with_attribute(str(first.params["formula"]), attribute.column)},
            question="",
            with_attribute=True,
        )
        for attribute in attributes_of(study)[:MOST_SUGGESTED]
    ]


def with_attribute(formula: str, column: str) -> str:
    """Return a formula of `mixed_formula` with an attribute of texts: a fixed effect and a slope by participant.

    >>> with_attribute("z ~ order + (1 + order || participant) + (1 + order || item)", "genre")
    'z ~ order + genre + (1 + order + genre || participant) + (1 + order || item)'
    >>> with_attribute("z ~ order + (1 | participant) + (1 | item)", "word class")
    'z ~ order + `word class` + (1 + `word class` || participant) + (1 | item)'
    """
    name = column if re.fullmatch(r"[^\W\d]\w*", column) else f"`{column}`"
    fixed, bracket, random = formula.partition(" + (1")
    with_slope = _PARTICIPANT.sub(lambda found: f"(1{found[1] or ''} + {name} || participant)", f"(1{random}", count=1)
    return f"{fixed} + {name}{' + ' if bracket else ''}{with_slope if bracket else ''}"


def power_with(params: Mapping[str, Any], attribute: Attribute) -> dict[str, Any]:
    """Return parameters of `power` with an attribute as a factor between items, as tests by items treat it.

    >>> given = {"design": "order=2", "method": "f1-and-f2"}
    >>> power_with(given, Attribute("genre", ("news", "novel"), True))
    {'design': 'order=2; genre=news,novel', 'method': 'f1-and-f2', 'between_items': 'genre'}
    """
    words = all(re.fullmatch(r"[^\W\d]\w*", level) for level in attribute.levels)
    levels = ",".join(attribute.levels) if words else str(len(attribute.levels))
    between = [name for name in str(params.get("between_items", "")).split(",") if name]
    return {
        **params,
        "design": "; ".join(filter(None, (str(params.get("design", "")), f"{attribute.column}={levels}"))),
        "between_items": ",".join([*between, attribute.column]),
    }
