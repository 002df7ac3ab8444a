"""Say what fields in the HTML of a screen ask where it stands in a list of trials. Pure."""

from __future__ import annotations

from typing import Any

from experiments.other_tools.pages import page_of, questions_of
from experiments.other_tools.screens.flow import Screen


def asked_in(html: str, screen: Screen) -> None:
    """Put what the fields of HTML ask into a screen: ratings, and fields to type into."""
    for question in questions_of(page_of(html), set()):
        screen.form = True
        scale_in(question, screen)


def scale_in(question: dict[str, Any], screen: Screen) -> None:
    """Put a question of a form into a screen as a rating or a field, where its kind is one of a task."""
    match question["kind"]:
        case "choice" if 2 <= len(question.get("choices", ())) <= 11:
            labels = [str(choice)[:80] for choice in question["choices"]]
            screen.scales.append(
                {"name": question["name"], "text": question["label"], "kind": "scale", "points": len(labels),
                 "labels": [] if all(label.isdigit() for label in labels) else labels}
            )  # fmt: skip
        case "slider":
            screen.scales.append(
                {"name": question["name"], "text": question["label"], "kind": "slider", "points": 0,
                 "labels": question.get("labels", [])}
            )  # fmt: skip
        case "text" | "long-text" | "number":
            screen.fields.append(question["label"] or question["name"])
