"""Make a screen of a trial of jsPsych by its plugin: texts, pictures, sounds, keys, buttons, sliders, surveys. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from experiments.other_tools.pages import name_of, page_of, plain
from experiments.other_tools.screens.flow import (
    BUTTONS,
    IMAGE,
    KEYS,
    SOUND,
    TEXT,
    VIDEO,
    Answer,
    Screen,
    Shown,
)
from experiments.other_tools.screens.forms import asked_in, scale_in

LIKE = {"html": TEXT, "image": IMAGE, "audio": SOUND, "video": VIDEO}
_KEYS = {
    " ": "space", "space": "space", "spacebar": "space", "arrowleft": "left", "leftarrow": "left",
    "arrowright": "right", "rightarrow": "right", "arrowup": "up", "uparrow": "up", "arrowdown": "down",
    "downarrow": "down",
}  # fmt: skip
# Versions before 7 may give numbers of keys.
_CODES = {32: "space", 37: "left", 38: "up", 39: "right", 40: "down"}
_IMAGES = re.compile(r"<(?:img|audio|video|source)\b[^<>]{0,5000}>", re.IGNORECASE)


class Asked(Protocol):
    """Parameters of a trial with the values of its row; what is code is named and left out."""

    def has(self, name: str) -> bool:
        """Return whether a parameter is given."""

    def text(self, name: str) -> str:
        """Return a parameter as text."""

    def number(self, name: str) -> int:
        """Return a parameter in milliseconds, or another number; 0 where there is none."""

    def listed(self, name: str) -> list[Any]:
        """Return a parameter that is a list; a text is a list of one."""

    def value(self, name: str) -> Any:
        """Return a parameter as it is."""

    def lost(self, element: str, said: str, advice: str) -> None:
        """Name what is not carried."""

    def changed(self, element: str, said: str) -> None:
        """Name what is changed."""


def plugin_name(given: str) -> str:
    """Return a plugin as all versions of jsPsych call it.

    >>> plugin_name("jsPsychHtmlKeyboardResponse"), plugin_name("html-keyboard-response")
    ('htmlkeyboardresponse', 'htmlkeyboardresponse')
    """
    bare = re.sub(r"[^a-z0-9]", "", given.casefold().rpartition(".")[2])
    return bare.removeprefix("jspsych").removeprefix("plugin")


def key_of(given: Any) -> str:
    """Return a key as the platform names it; empty for one that cannot be an answer."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        code = int(given)
        return _CODES.get(code, chr(code).casefold() if 48 <= code <= 57 or 65 <= code <= 90 else "")
    said = str(given)
    known = _KEYS.get(said.casefold())
    return known if known is not None else said.casefold() if len(said) == 1 else ""


def html_into(screen: Screen, source: str) -> None:
    """Put HTML into a screen: its words, and the files that it shows."""
    files = page_of(source).files if "<" in source else []
    for file in files:
        kind, _gap, name = file.partition(" ")
        kind = {"image": IMAGE, "audio": SOUND, "video": VIDEO, "source": VIDEO}.get(kind, "")
        if kind and name:
            screen.shown.append(Shown(kind, name))
    text = _IMAGES.sub("", source)
    if plain(text) or "<input" in text:
        screen.shown.insert(0, Shown(TEXT, text))


def response(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a plugin whose name ends with a kind of answer."""
    kind, _gap, way = re.sub(r"^(html|image|audio|video|canvas)", r"\1 ", asked.text("type")).partition(" ")
    if kind == "html":
        html_into(screen, asked.text("stimulus"))
    elif kind == "canvas":
        asked.lost("stimulus", "a canvas is drawn by a script.", "Save it as a picture.")
    else:
        for file in asked.listed("stimulus")[:1] if kind == "video" else [asked.text("stimulus")]:
            screen.shown += [Shown(LIKE[kind], str(file))] if file else []
    screen.prompt = asked.text("prompt")
    screen.ms = asked.number("trial_duration") or asked.number("timing_response")
    screen.hides_ms = asked.number("stimulus_duration") or asked.number("timing_stim")
    if asked.has("response_ends_trial") and asked.value("response_ends_trial") is False:
        asked.changed("response_ends_trial", "an answer ends the trial here.")
    if way == "sliderresponse":
        labels = [plain(str(one))[:80] for one in asked.listed("labels")]
        ends = [labels[0], labels[-1]] if len(labels) > 1 and labels[0] and labels[-1] else []
        screen.scales.append(
            {"name": "rating", "text": plain(screen.prompt), "kind": "slider", "points": 0, "labels": ends}
        )
        screen.prompt = ""
        if (asked.has("min") and asked.number("min") != 0) or (asked.has("max") and asked.number("max") != 100):
            asked.changed("min, max", "a slider runs from 0 to 100 here.")
        return
    if way == "buttonresponse":
        screen.by = BUTTONS
        answers = [Answer("", "", str(one)) for one in asked.listed("choices")]
        answers = [Answer(plain(one.label) or f"answer {n}", "", one.label) for n, one in enumerate(answers, start=1)]
        if any("<img" in one.label for one in answers):
            asked.lost("choices", "pictures as answers are not carried.", "Let people answer by words.")
        if len(answers) > 1:
            screen.answers, screen.right = answers, _right(asked, [one.name for one in answers])
        else:
            screen.leaves = bool(answers)
        return
    keys(screen, asked)


def keys(screen: Screen, asked: Asked) -> None:
    """Let people answer with the keys of `choices`."""
    screen.by = KEYS
    said = asked.value("choices") if asked.has("choices") else "ALL_KEYS"
    if said is None:
        screen.leaves = True
        return
    if isinstance(said, str) and plugin_name(said) in ("allkeys",):
        screen.leaves = True
        return
    if (isinstance(said, str) and plugin_name(said) in ("nokeys",)) or said == []:
        return
    given = said if isinstance(said, list) else [said]
    answers = []
    for one in given:
        key = key_of(one)
        if key:
            answers.append(Answer(key, key))
        elif str(one).casefold() not in ("enter", "escape", "13", "27"):
            asked.lost("choices", f"the key {one} cannot be an answer.", "Choose a letter, a digit, space or an arrow.")
    right = _right(asked, [key for answer in answers for key in (answer.key,)])
    if len(answers) > 1 or (answers and right is not None and screen.ms):
        screen.answers, screen.right = answers, right
    else:
        screen.leaves = True


_RIGHT = re.compile(r"correct|right|answer|key_?answer|expected|target_?(?:key|response)", re.IGNORECASE)


def _right(asked: Asked, names: list[str]) -> str | None:
    """Return the right answer: a parameter of the plugin or what `data` says, where it is one of the answers."""
    for name in ("correct_response", "correct_choice", "key_answer", "correct_key"):
        if asked.has(name):
            return _said(asked.value(name))
    data = asked.value("data")
    for name, value in data.items() if isinstance(data, Mapping) else ():
        said = _said(value)
        if _RIGHT.search(name) and said is not None:
            if said.casefold() in names or said in names or said in ("none", "null"):
                return said
            if said.isdigit() and int(said) < len(names) and asked.text("type").endswith("buttonresponse"):
                return names[int(said)]
    return None


def _said(value: Any) -> str | None:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return None
    key = key_of(value) if isinstance(value, str) and value.casefold() in _KEYS else ""
    return key or str(value)


def categorize(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a plugin that says whether the answer was right."""
    kind = asked.text("type").removeprefix("categorize")
    if kind == "html":
        html_into(screen, asked.text("stimulus"))
    else:
        screen.shown.append(Shown(IMAGE, asked.text("stimulus")))
    screen.prompt = asked.text("prompt")
    screen.ms, screen.hides_ms = asked.number("trial_duration"), asked.number("stimulus_duration")
    keys(screen, asked)
    if screen.answers and asked.has("key_answer"):
        right = asked.value("key_answer")
        screen.right = key_of(right) or str(right)
    asked.changed("feedback", "the platform's own words say whether it was right, where the task has feedback.")


def pages(screen: Screen, asked: Asked) -> None:
    """Fill a screen of pages with instructions."""
    html_into(screen, "\n<hr>\n".join(f"<div>{one}</div>" for one in asked.listed("pages")))
    screen.leaves = True


def words(screen: Screen, asked: Asked) -> None:
    """Fill a screen of the plugin that shows a text until a key."""
    html_into(screen, asked.text("text") or asked.text("stimulus"))
    screen.leaves = True


def survey(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a survey: its questions, each with its prompt."""
    kind = asked.text("type")
    html_into(screen, asked.text("preamble"))
    screen.leaves = True
    taken: set[str] = set()
    for one in asked.listed("questions"):
        own = one if isinstance(one, Mapping) else {"prompt": one}
        prompt = plain(str(own.get("prompt") or ""))
        question: dict[str, Any] = {
            "name": name_of(str(own.get("name") or prompt or "answer"), taken),
            "label": prompt,
            "required": own.get("required") is True,
        }
        options = [plain(str(each)) for each in own.get("options") or () if not isinstance(each, Mapping)]
        match kind:
            case "surveytext" | "surveynumber":
                rows = own.get("rows")
                question["kind"] = "long-text" if isinstance(rows, int) and rows > 1 else "text"
            case "surveylikert":
                labels = [plain(str(each))[:80] for each in own.get("labels") or ()]
                if not 2 <= len(labels) <= 11:
                    asked.lost(prompt or "question", f"a scale has 2 to 11 points; this one has {len(labels)}.",
                               "Ask it with fewer points.")  # fmt: skip
                    continue
                whole = all(labels) and not all(label.isdigit() for label in labels)
                ends = [labels[0], labels[-1]] if labels[0] and labels[-1] else []
                question |= {"kind": "scale", "points": len(labels)}
                question["labels"] = labels if whole else [] if all(one.isdigit() for one in ends) else ends
            case "surveymultichoice":
                question |= {"kind": "choice", "choices": options}
            case "surveymultiselect":
                question |= {"kind": "several", "choices": options}
        screen.questions.append(question)
        screen.form = True
        scale_in(question, screen)


def html_form(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a form in HTML."""
    html_into(screen, asked.text("preamble") + asked.text("html"))
    asked_in(asked.text("html"), screen)
    screen.form = screen.leaves = True


def survey_js(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a survey that is described as JSON: pages of elements."""
    given = asked.value("survey_json")
    screen.leaves = screen.form = True
    if not isinstance(given, Mapping):
        asked.lost("survey", "its questions are made by a script.", "Write them again.")
        return
    taken: set[str] = set()
    title = given.get("title")
    if isinstance(title, str):
        html_into(screen, f"<h2>{title}</h2>")
    open_elements = list(given.get("pages") or given.get("elements") or ())
    while open_elements:
        one = open_elements.pop(0)
        if not isinstance(one, Mapping):
            continue
        if "elements" in one:
            open_elements[:0] = list(one.get("elements") or ())
            continue
        question = _element(one, asked, taken)
        if question is not None:
            screen.questions.append(question)


def _element(one: Mapping[str, Any], asked: Asked, taken: set[str]) -> dict[str, Any] | None:
    label = plain(str(one.get("title") or one.get("name") or ""))
    question: dict[str, Any] = {
        "name": name_of(str(one.get("name") or label), taken), "label": label,
        "required": one.get("isRequired") is True,
    }  # fmt: skip
    choices = [plain(str(each.get("text") or each.get("value") if isinstance(each, Mapping) else each))
               for each in one.get("choices") or ()]  # fmt: skip
    match one.get("type"):
        case "html":
            return {**question, "kind": "information", "label": page_of(str(one.get("html") or "")).text}
        case "text":
            return {**question, "kind": "number" if one.get("inputType") == "number" else "text"}
        case "comment":
            return {**question, "kind": "long-text"}
        case "radiogroup" | "dropdown":
            return {**question, "kind": "choice", "choices": choices}
        case "checkbox":
            return {**question, "kind": "several", "choices": choices}
        case "boolean":
            return {**question, "kind": "choice", "choices": ["Yes", "No"]}
        case "rating":
            least, most = one.get("rateMin", 1), one.get("rateMax", 5)
            points = most - least + 1 if isinstance(least, int) and isinstance(most, int) else 5
            ends = [str(one.get("minRateDescription") or ""), str(one.get("maxRateDescription") or "")]
            return {**question, "kind": "scale", "points": max(2, min(points, 11)), "labels": ends if all(ends) else []}
    asked.lost(label or "element", f"an element of the kind {one.get('type')} is not read.", "Ask it again.")
    return None


def reading(screen: Screen, asked: Asked) -> None:
    """Fill a screen of a plugin in which a text is read in pieces at one's own pace."""
    text = asked.text("sentence") or asked.text("stimulus") or asked.text("words")
    pieces = [" ".join(plain(one).split()) for one in re.findall(r"\{\{#?([\s\S]*?)\}\}", text)]
    said = " | ".join(piece for piece in pieces if piece) if pieces else plain(text)
    window = {3: "centred", 2: "moving", 1: "cumulative"}.get(asked.number("mask_type"), "moving")
    screen.reading = {"unit": "word", "window": window, "break_every": 0}
    screen.shown.append(Shown(TEXT, said))


# What each plugin is read as; a plugin that is not here is named.
Plugin = Callable[[Screen, Asked], None]
_RESPONSES = ("keyboardresponse", "buttonresponse", "sliderresponse")
PLUGINS: dict[str, Plugin] = {
    **{f"{kind}{way}": response for kind in (*LIKE, "canvas") for way in _RESPONSES},
    "categorizehtml": categorize,
    "categorizeimage": categorize,
    "instructions": pages,
    "text": words,
    "surveytext": survey,
    "surveylikert": survey,
    "surveymultichoice": survey,
    "surveymultiselect": survey,
    "surveyhtmlform": html_form,
    "survey": survey_js,
    "sprmovingwindow": reading,
    "selfpacedreading": reading,
    "spr": reading,
}
# What the platform does by itself.
BY_ITSELF = {
    "preload": "pictures and sounds are loaded before they are needed.",
    "fullscreen": "full screen is a setting of supervised sessions and of some paradigms.",
    "browsercheck": "the computer is checked before the consent.",
}
