"""Read forms of OpenSesame: texts, consent, fields to type into, choices, and forms of widgets. Pure."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

from experiments.other_tools.opensesame.script import Item
from experiments.other_tools.pages import plain
from experiments.other_tools.screens.flow import TEXT, Place, Screen, Shown

FORMS = ("form_text_display", "form_consent", "form_text_input", "form_multiple_choice", "form_base")
Filler = Callable[[Item, str, Mapping[str, str]], str]


def form_screen(item: Item, values: Mapping[str, str], place: Place, fill: Filler) -> Screen:
    """Return the screen of a form: its texts and what it asks."""
    own = {**values, **item.values}
    screen = Screen(place, leaves=True)

    def text(name: str) -> str:
        return fill(item, item.values.get(name, ""), own).strip()

    title = text("form_title")
    if title:
        screen.shown.append(Shown(TEXT, f"<p><b>{plain(title)}</b></p>"))
    match item.kind:
        case "form_text_display":
            _say(screen, text("form_text"))
        case "form_consent":
            _say(screen, text("form_text"))
            label = text("checkbox_text") or "I have read the text above, and I agree."
            screen.questions.append({"name": "consent", "label": label, "kind": "statement", "required": True})
        case "form_text_input":
            name = item.values.get("form_var", "") or item.name
            label = plain(text("form_question"))
            screen.questions.append({"name": name, "label": label, "kind": "text", "required": False})
        case "form_multiple_choice":
            options = [plain(one) for one in text("options").splitlines() if plain(one)]
            several = item.values.get("allow_multiple", "no") == "yes"
            screen.questions.append(
                {
                    "name": item.values.get("form_var", "") or item.name,
                    "label": plain(text("question")),
                    "kind": "several" if several else "choice",
                    "required": False,
                    "choices": options,
                }
            )
        case _:
            _widgets(screen, item, own, fill)
    return screen


def _say(screen: Screen, said: str) -> None:
    if said:
        screen.shown.append(Shown(TEXT, f"<p>{said}</p>".replace("\n", "<br>")))


def _widgets(screen: Screen, item: Item, own: Mapping[str, str], fill: Filler) -> None:
    """Take the widgets of a form in their order; a label is the question of the field that follows it."""
    label = ""
    groups: dict[str, dict[str, Any]] = {}

    def said() -> str:
        nonlocal label
        told, label = plain(label), ""
        return told

    for kind, options, _line in item.widgets:
        text = fill(item, options.get("text", ""), own)
        name = options.get("var", "") or item.name
        match kind:
            case "label":
                if label:
                    _say(screen, label)
                label = text
            case "text_input":
                screen.questions.append({"name": name, "label": said(), "kind": "text", "required": False})
            case "rating_scale":
                nodes = [plain(one) for one in fill(item, options.get("nodes", "5"), own).split(";")]
                points = int(nodes[0]) if len(nodes) == 1 and nodes[0].isdigit() else len(nodes)
                question = {"name": name, "label": said(), "required": False}
                labels = nodes if len(nodes) > 1 else []
                if 2 <= points <= 11:
                    question |= {"kind": "scale", "points": points, "labels": labels}
                else:
                    question |= {"kind": "slider", "labels": labels[:: max(len(labels) - 1, 1)]}
                screen.questions.append(question)
            case "checkbox":
                group = options.get("group", "")
                if group and group in groups:
                    groups[group]["choices"].append(plain(text))
                    continue
                question = {"name": name, "label": said(), "required": False, "kind": "choice" if group else "several"}
                question["choices"] = [plain(text)]
                groups[group or html.escape(text)] = question
                screen.questions.append(question)
            case _:
                continue
    if label:
        _say(screen, label)
