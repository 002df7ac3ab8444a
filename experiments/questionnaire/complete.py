"""Complete a valid question for storage: the keys of all kinds, and its own where they say something. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.questionnaire import kinds
from experiments.questionnaire.kinds import KEYS_OF_KIND
from experiments.questionnaire.one_question import ITEM_KEYS


def complete_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a well-formed question in the order in which it is stored: the keys of all kinds, then its own.

    >>> complete_question({"name": "a", "label": " B? ", "kind": "text"})
    {'name': 'a', 'label': 'B?', 'kind': 'text', 'choices': [], 'required': False, 'help': ''}
    """
    complete = {
        "name": question["name"],
        "label": question["label"].strip(),
        "kind": question["kind"],
        "choices": list(question.get("choices", [])),
        "required": question.get("required", False),
        "help": question.get("help", ""),
    }
    own = KEYS_OF_KIND[question["kind"]]
    for key in kinds.FURTHER_KEYS:
        if key not in own or key not in question:
            continue
        value = question[key]
        if key == "decline" and value == (not complete["required"]):
            continue
        if key in ("random_order", "unit", "labels") and not value:
            continue
        complete[key] = _complete_value(key, value)
    if question["kind"] in (kinds.SCALE, kinds.MATRIX):
        complete.setdefault("points", kinds.USUAL_POINTS)
    return complete


def _complete_value(key: str, value: Any) -> Any:
    match key:
        case "shown_if":
            operator = value.get("operator", "is")
            stated = {"question": value["question"], "operator": operator}
            return stated if operator in ("answered", "not-answered") else {**stated, "value": value["value"]}
        case "score":
            score = {"scale": value["scale"], "how": value.get("how", "sum")}
            return {**score, "reverse": True} if value.get("reverse") else score
        case "items":
            return [
                {name: item[name] for name in ITEM_KEYS if name in item and not (name == "reverse" and not item[name])}
                for item in value
            ]
        case "labels":
            return [label.strip() for label in value]
        case "unit":
            return value.strip()
    return value
