"""Turn the items of an Ibex script, `[label, controller, options, …]`, into trials as PennController has them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.other_tools.pcibex.values import Command, Element, Entries, Trial, Unknown
from experiments.other_tools.reports import NOT_CARRIED, Report, english


def trials_of(items: list[Any], defaults: list[Any], *, line: int, file: str, report: Report) -> list[Trial]:
    """Return the trials of `items`, each controller with its defaults.

    A label is a text, or `[condition, item]`: items with the same number stand in the conditions of their labels.
    """
    of_kind: dict[str, Mapping[str, Any]] = {}
    for controller, options in zip(defaults[::2], defaults[1::2], strict=False):
        if isinstance(controller, str) and isinstance(options, Mapping):
            of_kind[controller] = {**of_kind.get(controller, {}), **options}
    found = []
    for entry in items:
        if not isinstance(entry, list) or not entry:
            said = entry.source if isinstance(entry, Unknown) else "…"
            at = entry.line if isinstance(entry, Unknown) else line
            report.add(
                NOT_CARRIED,
                file,
                at,
                "items",
                english("an entry is computed by the script: {source}", source=said),
                english("Write it out."),
            )
            continue
        label, *rest = entry
        here = entry.line if isinstance(entry, Entries) else line
        condition, item = _label(label)
        commands: list[Command] = []
        special = ""
        # With a first controller that is a list or object only, the options belong to the one before.
        place = 0
        while place < len(rest):
            controller = rest[place]
            if isinstance(controller, Trial):
                commands += controller.commands
                place += 1
                continue
            options = rest[place + 1] if place + 1 < len(rest) and isinstance(rest[place + 1], Mapping) else {}
            place += 2 if options or (place + 1 < len(rest) and rest[place + 1] == {}) else 1
            if not isinstance(controller, str) or (controller == "PennController" and not options):
                continue
            if controller in ("SendResults", "SetCounter", "__SendResults__", "__SetCounter__"):
                special = controller.strip("_")
                continue
            given = {**of_kind.get(controller, {}), **options}
            commands += _commands(controller, given, here)
        trial = Trial(condition, commands, here, item=item, condition=condition if item else "", file=file)
        if special and not commands:
            trial.options["special"] = special
        found.append(trial)
    return found


def _label(label: Any) -> tuple[str, str]:
    """Return condition and item of a label: "c", ["c", 1], or ["c", [1, 2]], whose first number is the item."""
    if not isinstance(label, list):
        return _plain(label), ""
    group = label[1] if len(label) > 1 else None
    if isinstance(group, list):
        group = group[0] if group else None
    return _plain(label[0]) if label else "", "" if group is None else _plain(group)


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


def _commands(controller: str, options: Mapping[str, Any], line: int) -> list[Command]:
    element = Element("Controller", controller, (controller, dict(options)), line)
    return [Command(element, method, (), line) for method in ("new", "print", "wait", "remove")]
