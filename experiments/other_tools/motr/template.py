"""Read the template of an experiment of magpie: its screens in their order, what they say and ask. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.pages import name_of, page_of, plain
from experiments.other_tools.screens.flow import Place
from experiments.other_tools.screens.pages import Form, without_buttons

LARGEST = 400_000
_ATTRIBUTES = r"((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)"
_SCREEN = re.compile(rf"<(InstructionScreen|Screen)\b{_ATTRIBUTES}>", re.IGNORECASE)
_ALONE = re.compile(r"<([A-Z][A-Za-z]*Screen|[A-Z][A-Za-z]*)\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*/>")
_INPUT = re.compile(
    rf"<(MultipleChoiceInput|ForcedChoiceInput|DropdownInput|RatingInput|SliderInput|TextareaInput|textarea|select"
    rf"|input)\b{_ATTRIBUTES}/?>",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"[:@]?([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_IDS = re.compile(r"subjectid|turkid|prolific|workerid|participant", re.IGNORECASE)
COMPONENTS = ("Experiment", "Screen", "Slide", "InstructionScreen", "SubmitResultsScreen", "Wait", "Record")


@dataclass
class Told:
    """One screen: its title, its HTML, its line, and whether it shows the trials; or a component by its name."""

    kind: str
    title: str
    html: str
    line: int
    trials: bool = False


@dataclass
class Template:
    """A file of a component: its screens and components in their order, and its script with its first line."""

    told: list[Told] = field(default_factory=list)
    script: str = ""
    script_line: int = 1


def template_of(text: str) -> Template:
    """Return what a file says; comments say nothing."""
    text = text[:LARGEST]
    found = Template()
    begins = text.rfind("<script")
    if begins >= 0:
        body = text.find(">", begins) + 1
        ends = text.find("</script", body)
        found.script = text[body : ends if ends >= 0 else len(text)]
        found.script_line = text.count("\n", 0, body) + 1
    markup = text[: begins if begins >= 0 else len(text)]
    markup = _uncommented(markup)
    at = 0
    while True:
        screen, alone = _SCREEN.search(markup, at), _ALONE.search(markup, at)
        if screen is None and alone is None:
            return found
        if screen is None or (alone is not None and alone.start() < screen.start()):
            if alone is None:
                return found
            if alone[1] not in ("Wait", "Record"):
                found.told.append(Told(alone[1], "", "", markup.count("\n", 0, alone.start()) + 1))
            at = alone.end()
            continue
        line = markup.count("\n", 0, screen.start()) + 1
        if screen[0].endswith("/>"):
            found.told.append(Told(screen[1], "", "", line))
            at = screen.end()
            continue
        ends = markup.find(f"</{screen[1]}", screen.end())
        ends = ends if ends >= 0 else len(markup)
        html = markup[screen.end() : ends]
        title = plain(_given(screen[2]).get("title", "").strip("'`"))
        found.told.append(Told(screen[1], title, html, line, bool(re.search(r"\btrial\s*[.\[]", html))))
        at = ends


def _uncommented(markup: str) -> str:
    """Return markup without its comments, with the lines that it had."""
    parts: list[str] = []
    at = 0
    while True:
        begins = markup.find("<!--", at)
        ends = markup.find("-->", begins) if begins >= 0 else -1
        if begins < 0 or ends < 0:
            return "".join(parts) + markup[at:]
        parts += [markup[at:begins], "\n" * markup.count("\n", begins, ends + 3)]
        at = ends + 3


def _given(attributes: str) -> dict[str, str]:
    return {found[1].casefold(): found[2] or found[3] or "" for found in _GIVEN.finditer(attributes)}


def form_of_screen(told: Told, file: str, taken: set[str]) -> tuple[Form, bool]:
    """Return a screen as a page or questionnaire, and whether it asks for an id of the person."""
    html = without_buttons(told.html)
    html = re.sub(r"\{\{[^{}]{0,500}\}\}", "", html)
    form = Form(Place(file, told.line, told.title or told.kind))
    asks_id = False
    texts: list[str] = []
    at = 0
    for one in _INPUT.finditer(html):
        before, at = page_of(html[at : one.start()]).text.strip(), one.end()
        given = _given(one[2])
        if any(_IDS.search(value) for value in given.values()):
            asks_id = True
            above, _gap, _last = before.rpartition("\n\n")
            texts += [above] if above else []
            continue
        if given.get("type") in ("hidden", "submit", "button"):
            texts += [before] if before else []
            continue
        above, gap, label = before.rpartition("\n\n")
        texts += [above] if gap and above else []
        question = _question(one[1].casefold(), given, plain(label.replace("\\", "")), taken)
        form.questions.append(question)
    rest = page_of(html[at:]).text.strip()
    texts += [rest] if rest else []
    title = f"## {told.title}" if told.title else ""
    texts = [text for text in (one.strip("\\\n ") for one in texts) if text]
    form.text = "\n\n".join([*([title] if title and texts else []), *texts])
    return form, asks_id


def _question(kind: str, given: dict[str, str], label: str, taken: set[str]) -> dict[str, Any]:
    name = next((given[key] for key in ("response.sync", "v-model", "name") if given.get(key)), "") or label
    question: dict[str, Any] = {
        "name": name_of(name.strip().rpartition(".")[2], taken), "label": label or name, "required": False,
    }  # fmt: skip
    options = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`", given.get("options", ""))
    choices = ["".join(option) for option in options]
    if kind in ("multiplechoiceinput", "forcedchoiceinput", "dropdowninput") and len(choices) > 1:
        return {**question, "kind": "choice", "choices": list(dict.fromkeys(choices))}
    if kind == "ratinginput":
        ends = [given.get("left", "").strip("'"), given.get("right", "").strip("'")]
        points = given.get("count", "7")
        number = int(points) if points.isdigit() else 7
        return {**question, "kind": "scale", "points": max(2, min(number, 11)), "labels": ends if all(ends) else []}
    if kind == "sliderinput":
        return {**question, "kind": "slider", "labels": []}
    if kind in ("textareainput", "textarea"):
        return {**question, "kind": "long-text"}
    return {**question, "kind": "number" if given.get("type") == "number" else "text"}
