"""How a form offers the columns of a study: by their kinds, under their labels, a factor in one field at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from analysis.codebook.kinds import Kind

# What varies between the levels of a unit and not within them has no slope by it.
BETWEEN: Mapping[str, Kind] = {"participant": "between participants", "item": "between items"}


@dataclass(frozen=True)
class Offer:
    """How a form offers columns: of which kind each is, and what it is called; by its name where nothing is known.

    `combined` are columns that others make up. `between` are the columns of people and items, each with what a factor
    is that has one level for each of them.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    called: Callable[[str], str] = str
    combined: frozenset[str] = frozenset()
    between: Mapping[str, Kind] = field(default_factory=lambda: BETWEEN)

    def kind_of(self, name: str) -> Kind | None:
        """Return the kind of a column; None where others make it up."""
        return None if name in self.combined else self.kinds.get(name, "other")

    def choice(self, name: str) -> tuple[str, str]:
        """Return a column as a choice: its name is what is stored, its label is what is read."""
        label = self.called(name)
        return name, label if self.called is str else label[:1].upper() + label[1:]

    def grouped(self, columns: Sequence[str]) -> list[Any]:
        """Return columns as choices by their kinds."""
        if not self.kinds:
            return [(_("Other columns"), [self.choice(name) for name in columns])]
        found = [
            (label, [self.choice(name) for name in columns if self.kinds.get(name, "other") == kind])
            for kind, label in kind_labels().items()
        ]
        return [(label, choices) for label, choices in found if choices]


ALL_UNITS = frozenset(("participant", "item"))


def kind_labels() -> dict[Kind, str]:
    """Return what kinds of columns are called, in the order in which they are shown."""
    return {
        "measure": _("Measures"),
        "within": _("Within-participants factors"),
        "between items": _("Between-items factors"),
        "between participants": _("Between-participants factors"),
        "covariate": _("Covariates"),
        "unit": _("Units"),
        "other": _("Other columns"),
    }


def units_of(parameter: str, kind: Kind | None, asked: Collection[str]) -> frozenset[str]:
    """Return with which units a field of factors offers a column: a factor stands in one field at a time.

    >>> sorted(units_of("within", "between items", {"within", "between"}))
    ['participant']
    >>> sorted(units_of("between", "between items", {"within", "between"}))
    ['item']

    The condition, which is all factors together, has the kind None where there are factors: these are offered.
    """
    if kind is None:
        return frozenset() if parameter in ("within", "between", "between_participants", "between_items") else ALL_UNITS
    if kind in ("measure", "covariate", "unit", "other"):
        return ALL_UNITS
    if parameter == "between_participants":
        return ALL_UNITS if kind == "between participants" else frozenset()
    if parameter == "between_items":
        return ALL_UNITS if kind == "between items" else frozenset()
    between = {"between participants": frozenset(("participant",)), "between items": frozenset(("item",))}
    if parameter == "between":
        return between.get(kind, frozenset())
    if parameter != "within" or "between" not in asked:
        is_offered_elsewhere = parameter == "within" and "between_items" in asked and kind != "within"
        return frozenset() if is_offered_elsewhere else ALL_UNITS
    return ALL_UNITS - between.get(kind, frozenset())


class ColumnBoxes(forms.CheckboxSelectMultiple):
    """Columns to tick; `offered` says with which units each is offered, and the others are there and hidden."""

    offered: Mapping[str, frozenset[str]]
    unit = "participant"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        units = self.offered.get(str(value), ALL_UNITS)
        if units != ALL_UNITS:
            option["attrs"]["data-units"] = " ".join(sorted(units))
            if self.unit not in units:
                option["attrs"] |= {"data-away": "", "disabled": True}
        return option
