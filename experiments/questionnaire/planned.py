"""Plan a questionnaire as one trial: public and private parameters, order of choices. Pure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.questionnaire.conditions import plain
from experiments.questionnaire.kinds import MATRIX, Question
from experiments.questionnaire.scores import expected_of, scales_of

MOST_ATTEMPTS = 2
# Keys that the browser does not need, and expected answers, which it must not get.
_ON_THE_SERVER = ("expected", "score")


def questionnaire_rng(seed: int, part: str = "background") -> random.Random:
    """Return the random generator of a questionnaire in a session: the same for the same seed and part."""
    return random.Random(f"{seed}:questions:{part}")  # noqa: S311 - an order that can be made again, not a secret


def questionnaire_params(
    questions: Sequence[Question],
    *,
    title: str,
    rng: random.Random,
    attempts: int = 1,
    pages: Sequence[Any] = (),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of the trial that shows a questionnaire, and its private ones.

    Choices and items in random order are shuffled for every session. With two `attempts` the questions are asked again,
    after `pages` (the instructions), if a check item was not answered as expected; the browser finds out from digests
    of the expected answers.
    """
    params: dict[str, Any] = {"title": title, "questions": [_shown(question, rng) for question in questions]}
    expected: dict[str, Any] = {}
    for question in questions:
        expected |= expected_of(question)
    private: dict[str, Any] = {"expected": expected} if expected else {}
    if turned := [part.variable.name for scale in scales_of(questions) for part in scale.parts if part.is_reversed]:
        # For simulated participants, who understand check items as people do.
        private["reversed"] = turned
    if attempts > 1 and expected:
        salt = f"{rng.getrandbits(48):012x}"
        params |= {
            "attempts": attempts,
            "pages": list(pages),
            "salt": salt,
            "checks": {name: digest(salt, value) for name, value in expected.items()},
        }
    return params, private


def _shown(question: Question, rng: random.Random) -> dict[str, Any]:
    shown = {key: value for key, value in question.items() if key not in _ON_THE_SERVER}
    if question["kind"] == MATRIX:
        shown["items"] = [{"name": item["name"], "label": item["label"]} for item in question["items"]]
    if question.get("random_order"):
        key = "items" if question["kind"] == MATRIX else "choices"
        mixed = list(shown[key])
        rng.shuffle(mixed)
        shown[key] = mixed
    return shown


def digest(salt: str, value: Any) -> str:
    """Return the digest by which the browser recognises an expected answer: FNV-1a (64 bits) of salt and answer.

    It hides the answer in the page's source, but not from an attacker; the server judges independently.

    >>> digest("a", "Yes ") == digest("a", "yes"), digest("a", 4) == digest("a", 4.0), digest("a", 1) == digest("b", 1)
    (True, True, False)
    """
    number = 0xCBF29CE484222325
    for byte in f"{salt}:{canonical(value)}".encode():
        number = ((number ^ byte) * 0x100000001B3) % (1 << 64)
    return f"{number:016x}"


def canonical(value: Any) -> str:
    """Return an answer as the text that is hashed.

    >>> canonical(["b", "A"]), canonical(4.0), canonical(2.5), canonical(" Yes")
    ('a|b', '4', '2.5', 'yes')
    """
    if isinstance(value, (list, tuple)):
        # In the order of browsers, which sort by units of 16 bits.
        return "|".join(sorted(map(canonical, value), key=lambda entry: entry.encode("utf-16-be", "surrogatepass")))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return plain(str(value))


def answers_given(payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the answers of a stored questionnaire; empty where it has none yet."""
    return dict((payload or {}).get("answers") or {})
