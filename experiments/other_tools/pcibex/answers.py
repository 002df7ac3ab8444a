"""Read what the elements of a trial say: keys, answers, points of scales, sentences, times. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.formats.media_names import is_media_name
from experiments.formats.words import is_without_spaces
from experiments.materials.other_tools.items import is_practice
from experiments.other_tools.pages import plain
from experiments.other_tools.pcibex.screens import State, words_of
from experiments.other_tools.pcibex.values import Commands, Trial

_KEY_NAMES = {
    " ": "space", "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down", "leftarrow": "left",
    "rightarrow": "right", "uparrow": "up", "downarrow": "down", "spacebar": "space",
}  # fmt: skip
_SPECIAL = re.compile(
    r"Arrow(?:Left|Right|Up|Down)|Enter|Shift|Escape|Tab|Backspace|Control|Alt|F[0-9]{1,2}|Space(?:bar)?"
)


def practises(trial: Trial) -> bool:
    """Return whether a trial is practice, by its label or the name of its table."""
    names = [trial.label, trial.row.table.name.rpartition("/")[2] if trial.row is not None else ""]
    return any(is_practice(name) for name in names)


def clean_choice(said: str) -> str:
    """Return a choice as plain words, without the sign that separates choices."""
    return " ".join(plain(said).replace("|", "/").split())


def asked_among(shown: Sequence[str], keys: Sequence[str]) -> str:
    """Return the question among the texts beside its choices: not what only names a key, as `[ 1 ]` does."""
    kept = [one for one in shown if re.sub(r"\W", "", one).casefold() not in keys and re.search(r"\w", one)]
    return " ".join(kept)


def what_ends_mean(choices: Sequence[str], ends: Sequence[str]) -> list[str]:
    """Return what the ends of a scale mean, as people read it beside its points."""
    return [f"{choice} = {end.strip(' ()')}." for choice, end in zip((choices[0], choices[-1]), ends, strict=True)
            if end and end != choice] if choices else []  # fmt: skip


def members_of(state: State) -> list[State]:
    """Return the elements of a selector."""
    return [one for members in state.asked.get("members", [])[-1:] for one in members]


def keys_of(state: State) -> list[str]:
    """Return the keys of a Key, or those of a Selector, as the platform names them."""
    given: list[Any] = list(state.content) if state.kind == "Key" else []
    for arguments in state.asked.get("keys", []):
        given += arguments
    found: list[str] = []
    for one in given:
        said = words_of(one) or ""
        if _SPECIAL.fullmatch(said) or key_name(said) != said.lower():
            found.append(key_name(said))
        else:
            found += [key_name(sign) for sign in said]
    return list(dict.fromkeys(found))


def key_name(said: str) -> str:
    return _KEY_NAMES.get(said.casefold(), said.lower())


def options_of(state: State) -> Mapping[str, Any]:
    """Return the options of a controller."""
    return next((one for one in state.content if isinstance(one, Mapping)), {})


def milliseconds_of(state: State) -> int | None:
    """Return the time of a timer; None where the script computes it."""
    for one in reversed(state.content):
        if isinstance(one, int | float) and not isinstance(one, bool):
            return int(one)
        if isinstance(one, str) and one.strip().isdigit():
            return int(one)
    return None


def scale_labels(state: State) -> list[str]:
    """Return the points of a scale by their labels; numbers where it is called with a number.

    `newScale(5)` has the points 1 to 5, `newScale("no", "yes")` has two.
    """
    given = list(state.content)
    if len(given) == 1 and isinstance(given[0], int | float) and not isinstance(given[0], bool):
        return [str(number) for number in range(1, int(given[0]) + 1)] if given[0] <= 1001 else ["0"] * 12
    return [plain(words_of(one) or "") for one in given]


def rating_question(text: str, answers: Sequence[str], ends: Sequence[str]) -> dict[str, Any]:
    """Return a rating question on a scale with these points and labels at its ends."""
    question: dict[str, Any] = {"name": "rating", "text": text, "kind": "scale", "points": len(answers), "labels": []}
    if any(ends):
        question["labels"] = [end or answers[place] for end, place in zip(ends, (0, -1), strict=True)]
    elif all(answers) and not all(answer.strip().isdigit() for answer in answers):
        question["labels"] = list(answers)
    elif answers and answers[0] and answers[-1] and not answers[0].strip().isdigit():
        question["labels"] = [answers[0], answers[-1]]
    question["labels"] = [label[:80] for label in question["labels"]]
    return question


def answers_of(given: Any) -> tuple[list[str], list[str]]:
    """Return the answers of an Ibex question and their keys: texts, or pairs of key and text."""
    answers, keys = [], []
    for one in given if isinstance(given, list) else []:
        if isinstance(one, list) and not isinstance(one, Commands):
            key, said = (*(words_of(each) or "" for each in one), "", "")[:2]
            answers.append(plain(said))
            keys.append(key_name(key))
        else:
            answers.append(plain(words_of(one) or ""))
    answers = [answer for answer in answers if answer]
    return answers, keys if len(keys) == len(answers) and all(len(key) == 1 for key in keys) else []


def right_of(given: Any, answers: Sequence[str]) -> str:
    """Return the right answer: `hasCorrect` is its index, its text, or true for the first."""
    if given is True:
        return answers[0] if answers else ""
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(answers):
        return answers[given]
    return plain(given) if isinstance(given, str) and plain(given) in answers else ""


def sentence_of(given: Any, *, hides_underscores: bool = True) -> str | None:
    """Return a sentence with | between its regions where they are no single words; None where it is computed.

    >>> sentence_of("The old_dog barked."), sentence_of(["The dog", "barked."])
    ('The |old dog |barked.', 'The dog |barked.')
    """
    if isinstance(given, Mapping):
        html = words_of(given.get("html")) if given.get("html") is not None else None
        return None if html is None else plain(html)
    if isinstance(given, list):
        parts = [words_of(one) for one in given]
        words = [plain(part).replace("|", "/") for part in parts if part is not None]
        if len(words) < len(parts):
            return None
        return " |".join(word for word in words if word)
    said = words_of(given)
    if said is None:
        return None
    words = [word for word in plain(said).split() if word]
    if hides_underscores and any("_" in word.strip("_") for word in words):
        return " |".join(" ".join(word.replace("_", " ").split()) for word in words if word.strip("_"))
    # A script without spaces is cut where the author put some.
    return (" |" if any(map(is_without_spaces, said)) else " ").join(words)


def choice_settings(answers: Sequence[str], keys: Sequence[str]) -> dict[str, Any]:
    """Return the settings of a timed choice between answers by keys, at fixed places."""
    return {
        "answers": written_answers(answer_names(answers), keys),
        "mapping": "fixed",
        "deadline_ms": 0,
        "fixation_ms": 0,
        "feedback_in_practice": False,
        "break_every": 0,
    }


def answer_names(answers: Sequence[str]) -> list[str]:
    """Return answers as names that differ and hold no sign that separates them."""
    clean = [" ".join(answer.replace("|", "/").split())[:40] for answer in answers]
    return [name if clean.count(name) == 1 else f"{name} {place}" for place, name in enumerate(clean, start=1)]


def written_answers(names: Sequence[str], keys: Sequence[str]) -> str:
    """Return answers with their keys as the settings of a timed choice have them."""
    return "\n".join(f"{name} | {key}" for name, key in zip(names, keys, strict=False))


def first_keys(number: int) -> list[str]:
    return {2: ["f", "j"], 3: ["f", "space", "j"], 4: ["d", "f", "j", "k"]}.get(number, [str(n) for n in range(number)])


def is_pattern(arguments: Sequence[Any]) -> bool:
    """Return whether a test holds an answer against a regular expression."""
    return any(type(one).__name__ == "PatternValue" and one.source not in (".+", ".*", r"\S+") for one in arguments)


def whole(given: Any, default: int) -> int:
    return int(given) if isinstance(given, int | float) and not isinstance(given, bool) else default


def media_of(content: str) -> str:
    """Return the name of the file that a content is; empty for words."""
    name = content.strip().split("?")[0].rpartition("/")[2]
    return name if is_media_name(name) else ""
