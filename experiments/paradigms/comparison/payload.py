"""Validate the payload of a comparison, and compute its measures and rows. Pure.

The browser, which knows no conditions, sends a rank for every place: 1 is the best. "No difference" gives both texts
rank 1. A best–worst choice gives the best 1, the worst 3 and all others 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.comparison.settings import BEST_WORST, PAIR, RANKING
from experiments.paradigms.pieces.displays import EARLY_PRESSES, early_field, early_measure, early_of
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload
from experiments.sentences import Sentence

FIRST, SECOND, TIE = "first", "second", "tie"
BESIDE, STACKED = "beside", "stacked"
BEST, BETWEEN, WORST = 1, 2, 3


class Compared(ExactPayload):
    """The ranks of the texts by their places, and how the answer came about."""

    ranks = serializers.ListField(child=CountField(), max_length=100)
    answer_ms = DurationField()
    changes = CountField()
    layout = serializers.ChoiceField(choices=[BESIDE, STACKED])
    plays = serializers.ListField(child=CountField(), max_length=100, required=False)
    early = early_field()

    def validate_ranks(self, ranks: list[int]) -> list[int]:
        fault = fault_of_ranks(ranks, self.params)
        if fault:
            raise serializers.ValidationError([fault])
        return ranks

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        options = self.params["options"]
        number = len(options) if any("audio" in option for option in options) else 0
        if len(attrs.get("plays", ())) != number:
            said = f"There are {number} sounds to count." if number else "This trial has no sounds."
            raise serializers.ValidationError({"plays": [said]})
        return attrs


def fault_of_ranks(ranks: Sequence[int], params: Mapping[str, Any]) -> str:
    """Return what is wrong with the ranks of a comparison; empty if they are valid.

    >>> fault_of_ranks([1, 1], {"task": "pair", "options": [{}, {}], "no_difference": False})
    'There must be a choice between the two texts.'
    """
    number = len(params["options"])
    if len(ranks) != number:
        return f"There are {number} texts and {len(ranks)} ranks."
    found = sorted(ranks)
    match params["task"]:
        case "pair":
            if found == [1, 1]:
                return "" if params["no_difference"] else "There must be a choice between the two texts."
            return "" if found == [1, 2] else "Of two texts one is the first and the other the second."
        case "best-worst":
            wanted = [BEST, *[BETWEEN] * (number - 2), WORST]
            return (
                ""
                if found == wanted
                else "One text is the best (1), another the worst (3), all others are between (2)."
            )
        case _:
            return "" if found == list(range(1, number + 1)) else f"The texts must have the ranks 1 to {number}."


OF_PAIRS = (
    Measure("a", "text", "Two texts: of the two conditions the one that comes first in the materials."),
    Measure("b", "text", "Two texts: the other condition."),
    Measure(
        "choice",
        "text",
        "Two texts: which was chosen, a or b; tie where somebody saw no difference. Empty for practice and fillers.",
        values=("a", "b", TIE),
    ),
    Measure("chosen", "text", "Two texts: the condition that was chosen; empty for a tie, practice and fillers."),
    Measure(
        "side",
        "text",
        "Two texts: where a stood: first is left, or above where the texts stood below each other.",
        values=(FIRST, SECOND),
    ),
)
OF_EXTREMES = (
    Measure("best", "text", "Best–worst: the condition that was chosen as the best."),
    Measure("worst", "text", "Best–worst: the condition that was chosen as the worst."),
)
OF_RANKINGS = (Measure("ranking", "text", "Ranking: the conditions from the best to the worst, separated by >."),)
OF_ALL = (
    Measure(
        "conditions_shown",
        "text",
        "The conditions that were compared, from the first place to the last, separated by |.",
    ),
    Measure("texts_shown", "integer", "How many texts were compared.", "texts"),
    Measure("first_place_rank", "integer", "Rank of the text in the first place; of a best–worst choice 1, 2 or 3."),
    Measure(
        "answer_ms",
        "number",
        "From the onset of the texts to the last change of the answer; 0 for a change before the recorded onset.",
        "ms",
    ),
    Measure("changes", "integer", "How often a complete answer was changed before it was confirmed.", "changes"),
    Measure(
        "layout",
        "text",
        "Whether the texts stood beside each other or, on a narrow screen, below each other.",
        values=(BESIDE, STACKED),
    ),
    Measure("break_ms", "number", "Breaks only: how long the break took.", "ms"),
    EARLY_PRESSES,
)
OF_TASK: Mapping[str, tuple[Measure, ...]] = {PAIR: OF_PAIRS, BEST_WORST: OF_EXTREMES, RANKING: OF_RANKINGS}

OPTIONS = LongTable(
    "options",
    Sentence(
        "One row for every text of every comparison, in the form in which rankings and best–worst choices are analysed."
    ),
    (
        Measure("comparison", "integer", "Number of the comparison within the session; practice is numbered below 0."),
        Measure("option", "text", "The condition of the text; empty for practice and fillers."),
        Measure("place", "integer", "Where the text stood, from the left or the top, counted from 1."),
        Measure("rank", "integer", "1 is the best, equal ranks are ties; empty for best–worst choices."),
        Measure("best", "boolean", "Whether the text was chosen as the best; empty for rankings."),
        Measure("worst", "boolean", "Best–worst: whether the text was chosen as the worst."),
        Measure("text", "text", "The text that was shown; the name of the file of a picture or a sound without one."),
    ),
    of_media={
        "image": (Measure("image", "text", "The name of the file with the picture; empty where none was shown."),),
        "audio": (
            Measure("audio", "text", "The name of the file with the sound; empty where there was none."),
            Measure("plays", "integer", "How often the sound was played; empty where there was none.", "times"),
        ),
    },
)


def measured_comparison(params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of one comparison; `params` includes the private `conditions`, by places, and `order`.

    >>> params = {"task": "pair", "conditions": ["old", "new"], "order": ["new", "old"], "options": [{}, {}]}
    >>> payload = {"ranks": [2, 1], "answer_ms": 900.0, "changes": 0, "layout": "beside"}
    >>> found = measured_comparison(params, payload)
    >>> found["a"], found["choice"], found["chosen"], found["side"]
    ('new', 'a', 'new', 'second')
    """
    ranks, conditions = payload["ranks"], params["conditions"]
    measured: dict[str, Any] = {
        "conditions_shown": "|".join(conditions) or None,
        "texts_shown": len(ranks),
        "first_place_rank": ranks[0],
        "answer_ms": payload["answer_ms"],
        "changes": payload["changes"],
        "layout": payload["layout"],
        **early_measure(early_of(payload)),
    }
    if not conditions:
        return measured
    match params["task"]:
        case "pair":
            a, b = sorted(conditions, key=params["order"].index)
            rank_a, rank_b = ranks[conditions.index(a)], ranks[conditions.index(b)]
            choice = TIE if rank_a == rank_b else "a" if rank_a < rank_b else "b"
            measured |= {
                "a": a,
                "b": b,
                "choice": choice,
                "chosen": {"a": a, "b": b}.get(choice),
                "side": FIRST if conditions[0] == a else SECOND,
            }
        case "best-worst":
            measured |= {"best": conditions[ranks.index(BEST)], "worst": conditions[ranks.index(WORST)]}
        case _:
            by_rank = sorted(zip(ranks, conditions, strict=True))
            measured["ranking"] = " > ".join(condition for _rank, condition in by_rank)
    return measured


def names_of_options(params: Mapping[str, Any]) -> list[str]:
    """Return the texts of a comparison by place; for a picture or sound without text, its file name.

    >>> names_of_options({"options": [{"text": "a"}, {"text": ""}], "files": ["a.png", "b.png"]})
    ['a', 'b.png']
    """
    texts = [str(option["text"]) for option in params["options"]]
    pictures, sounds = (params.get(name) or texts for name in ("files", "sounds"))
    return [text or picture or sound for text, picture, sound in zip(texts, pictures, sounds, strict=True)]


def option_rows(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `options` of one comparison, by places."""
    is_practice, task, ranks = params["kind"] == "practice", params["task"], payload["ranks"]
    conditions = params["conditions"] or [None] * len(ranks)
    nothing = [None] * len(ranks)
    pictures, sounds = (params.get(name) or nothing for name in ("files", "sounds"))
    plays = payload.get("plays") or nothing
    return [
        {
            "comparison": -params["index"] if is_practice else params["index"],
            "option": condition,
            "place": place,
            "rank": None if task == BEST_WORST else rank,
            "best": None if task == RANKING or (task == PAIR and max(ranks) == 1) else rank == BEST,
            "worst": rank == WORST if task == BEST_WORST else None,
            "text": name,
            **({"image": picture} if picture else {}),
            **({"audio": sound, "plays": played} if sound else {}),
        }
        for place, (rank, condition, name, picture, sound, played) in enumerate(
            zip(ranks, conditions, names_of_options(params), pictures, sounds, plays, strict=True), start=1
        )
    ]
