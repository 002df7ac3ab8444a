"""Labels of factors and levels, which reports show instead of the names in the materials.

Labels are `{"order": {"label": "Order of clauses", "levels": {"ab": "cause first"}, "order": ["ba", "ab"]}}`, each
key where wanted; `order` is that in which levels are shown. They change no data: columns, files of tables and formulas
keep the words of the materials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, did_you_mean, unknown_keys

KEYS = ("label", "levels", "order")
LONGEST = 60
# Far more than a design has.
MOST_FACTORS = 100
MOST_LEVELS = 500

Factors = Mapping[str, Sequence[str]]


def labels_faults(labels: Any, factors: Factors | None = None) -> list[Fault]:
    """Return everything that is wrong with labels; with `factors` (name → levels), also what the design does not have.

    >>> wrong = {"order": {"levels": {"ab": "first", "ba": "First"}}}
    >>> [str(fault) for fault in labels_faults(wrong)]
    ["Two levels of 'order' have the same label, 'First'. Give each a different label."]
    """
    if not isinstance(labels, Mapping) or len(labels) > MOST_FACTORS:
        return [_fault(_("'labels' must be a table of factors, such as [labels.order]."))]
    faults: list[Fault] = []
    for factor, said in labels.items():
        if not isinstance(said, Mapping) or not isinstance(said.get("levels", {}), Mapping):
            message = _("The labels of '%(factor)s' must be a table with a label and levels.") % {"factor": factor}
            faults.append(_fault(message, _('Example: label = "Order of clauses", levels = { ab = "cause first" }.')))
            continue
        faults += [
            _fault(_("The labels of '%(factor)s' cannot have '%(key)s'.") % {"factor": factor, "key": key}, hint)
            for key, hint in unknown_keys(said, KEYS)
        ]
        levels = said.get("levels", {})
        faults += _unknown(str(factor), levels, factors)
        faults += _order_faults(str(factor), said.get("order", []), factors)
        if len(levels) > MOST_LEVELS:
            faults.append(_fault(_("'%(factor)s' has labels for too many levels.") % {"factor": factor}))
            continue
        if "label" in said:
            faults += _text_faults(said["label"], _("the factor '%(name)s'") % {"name": factor})
        for level, label in levels.items():
            faults += _text_faults(label, _("'%(level)s' of '%(name)s'") % {"level": level, "name": factor})
        every = [*levels, *((factors or {}).get(str(factor), ()))]
        shown = [_shown(levels.get(level), level) for level in dict.fromkeys(map(str, every))]
        faults += [
            _fault(
                _("Two levels of '%(factor)s' have the same label, '%(label)s'.") % {"factor": factor, "label": label},
                _("Give each a different label."),
            )
            for label in _twice(shown)
        ]
    names = [name for name in labels if isinstance(labels[name], Mapping)]
    every = list(dict.fromkeys([*map(str, names), *(factors or {})]))
    named = [_shown(labels[name].get("label") if name in names else None, name) for name in every]
    faults += [
        _fault(_("Two factors have the same label, '%(label)s'.") % {"label": label}, _("Give each a different label."))
        for label in _twice(named)
    ]
    return faults


def written_labels(labels: Mapping[str, Any]) -> dict[str, Any]:
    """Normalise labels for storage: single spaces, and no labels equal to the name.

    >>> written_labels({"order": {"label": " Order  of clauses ", "levels": {"ab": "", "ba": "ba"}}})
    {'order': {'label': 'Order of clauses'}}
    """
    kept: dict[str, Any] = {}
    for factor, said in labels.items():
        label = " ".join(said.get("label", "").split())
        levels = {level: " ".join(text.split()) for level, text in said.get("levels", {}).items()}
        levels = {level: text for level, text in levels.items() if text not in ("", level)}
        own = {**({"label": label} if label not in ("", factor) else {}), **({"levels": levels} if levels else {})}
        if order := list(map(str, said.get("order", []))):
            own["order"] = order
        if own:
            kept[factor] = own
    return kept


def _unknown(factor: str, levels: Mapping[str, Any], factors: Factors | None) -> list[Fault]:
    if factors is None:
        return []
    if factor not in factors:
        message = _("There is a label for the factor '%(factor)s', but the design has no such factor.") % {
            "factor": factor
        }
        return [_fault(message, did_you_mean(factor, factors))]
    return [
        _fault(
            _("There is a label for the level '%(level)s', but the factor '%(factor)s' has no such level.")
            % {"factor": factor, "level": level},
            did_you_mean(str(level), factors[factor]),
        )
        for level in levels
        if str(level) not in factors[factor]
    ]


def _order_faults(factor: str, order: Any, factors: Factors | None) -> list[Fault]:
    if not isinstance(order, list) or not all(isinstance(level, str) for level in order):
        return [_fault(_("The order of the levels of '%(factor)s' must be a list of levels.") % {"factor": factor})]
    if len(set(order)) < len(order) or len(order) > MOST_LEVELS:
        return [_fault(_("The order of the levels of '%(factor)s' contains a level twice.") % {"factor": factor})]
    return _unknown(factor, dict.fromkeys(order), factors) if order else []


def in_shown_order(levels: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return levels in the order in which they are shown; those that it does not name stay behind the others.

    >>> in_shown_order(["a", "b", "c"], ["c", "a"])
    ('c', 'a', 'b')
    """
    return (*(level for level in order if level in levels), *(level for level in levels if level not in order))


def _text_faults(label: Any, what: str) -> list[Fault]:
    if not isinstance(label, str):
        return [_fault(_("The label of %(what)s must be a text.") % {"what": what})]
    if len(label.strip()) > LONGEST or not all(letter.isprintable() for letter in label.strip()):
        message = _("The label of %(what)s must be one line of at most %(most)d characters.")
        return [_fault(message % {"what": what, "most": LONGEST})]
    return []


def _shown(label: Any, name: str) -> str:
    return (" ".join(label.split()) if isinstance(label, str) else "") or str(name)


def _twice(shown: Sequence[str]) -> list[str]:
    folded = [label.casefold() for label in shown]
    return list({name: label for name, label in zip(folded, shown, strict=True) if folded.count(name) > 1}.values())


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="design")
