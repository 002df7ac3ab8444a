"""Read the items of a page of lab.js: texts, pictures, choices, scales, sliders, fields to type into. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from experiments.other_tools.pages import name_of, plain
from experiments.other_tools.screens.flow import Screen
from experiments.other_tools.screens.forms import scale_in


def items_of(options: Mapping[str, Any], screen: Screen, fill: Callable[[str], str]) -> str:
    """Put what the items of a page ask into a screen; return what they say as HTML."""
    given = options.get("items")
    given = given.get("rows") if isinstance(given, Mapping) else given
    said: list[str] = []
    taken: set[str] = set()
    for one in given if isinstance(given, list) else []:
        item = one[0] if isinstance(one, list) and one else one
        if not isinstance(item, Mapping):
            continue
        kind = str(item.get("type") or "")

        def text(name: str, item: Mapping[str, Any] = item) -> str:
            return fill(str(item.get(name) or ""))

        if kind in ("text", "html"):
            title = text("title")
            said += [f"<h3>{title}</h3>"] if title else []
            said += [f"<div>{text('content')}</div>"] if item.get("content") else []
        elif kind == "image":
            said.append(f'<img src="{text("src")}">')
        elif kind == "divider":
            continue
        else:
            question = _question(kind, item, text, taken)
            if question is not None:
                screen.questions.append(question)
                screen.form = True
                _in_trials(question, screen)
    return "\n".join(said)


def _question(kind: str, item: Mapping[str, Any], text: Callable[[str], str], taken: set[str]) -> dict[str, Any] | None:
    label = " ".join(part for part in (plain(text("label")), plain(text("help"))) if part)
    question: dict[str, Any] = {
        "name": name_of(str(item.get("name") or item.get("label") or kind), taken),
        "label": label,
        "required": item.get("required") is not False,
    }
    attributes = item.get("attributes")
    attributes = attributes if isinstance(attributes, Mapping) else {}
    match kind:
        case "radio" | "checkbox":
            options = [one for one in item.get("options") or () if isinstance(one, Mapping)]
            choices = [plain(str(one.get("label") or one.get("coding") or "")) for one in options]
            return {**question, "kind": "choice" if kind == "radio" else "several", "choices": choices}
        case "input":
            number = attributes.get("type") == "number"
            return {**question, "kind": "number" if number else "text"}
        case "textarea":
            return {**question, "kind": "long-text"}
        case "slider":
            return {**question, "kind": "slider", "labels": []}
        case "likert":
            rows = [one for one in item.get("items") or () if isinstance(one, Mapping) and one.get("label")]
            points = int(str(item.get("width") or 5)) if str(item.get("width") or 5).isdigit() else 5
            anchors = [plain(str(one or "")) for one in item.get("anchors") or ()]
            ends = [anchors[0], anchors[-1]] if len(anchors) > 1 and anchors[0] and anchors[-1] else []
            own: set[str] = set()
            asked = [{"name": name_of(str(one.get("coding") or "item"), own), "label": plain(str(one["label"]))}
                     for one in rows]  # fmt: skip
            return {**question, "kind": "matrix", "points": max(2, min(points, 11)), "labels": ends, "items": asked}
    return None


def _in_trials(question: dict[str, Any], screen: Screen) -> None:
    """Say what a question is where it stands in a list of trials: a rating, or a field to type into."""
    if question["kind"] != "matrix":
        scale_in(question, screen)
        return
    for item in question["items"]:
        own = {"name": item["name"], "text": item["label"], "points": question["points"]}
        screen.scales.append({**own, "kind": "scale", "labels": question["labels"]})
