"""Turn screens outside of lists into pages and questionnaires: texts as Markdown, answers as questions. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.pages import Page as HtmlPage
from experiments.other_tools.pages import name_of, page_of, plain, questions_of
from experiments.other_tools.reports import CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.flow import DRAWING, IMAGE, SOUND, TEXT, VIDEO, Place, Screen

LONGEST_LABEL = 400
_BUTTON = re.compile(r"<button\b(?:(?!</button)[\s\S]){0,2000}</button\s*>", re.IGNORECASE)


@dataclass
class Form:
    """A page with its text as Markdown and its questions; `raw` is what it says as the project has it."""

    place: Place
    text: str = ""
    questions: list[dict[str, Any]] = field(default_factory=list)
    raw: str = ""
    seconds: int = 0


def without_buttons(html: str) -> str:
    """Return HTML without its buttons, whose words are no part of a text.

    >>> without_buttons("<p>Go on?</p><button id='a'>Yes</button>")
    '<p>Go on?</p>'
    """
    return _BUTTON.sub("", html)


def form_of(screen: Screen, report: Report, taken: set[str]) -> Form | None:
    """Return the page or questionnaire that a screen is; None for one that shows and asks nothing."""
    form = Form(screen.place)
    texts: list[str] = []
    for shown in screen.shown:
        if shown.kind == TEXT:
            form.raw += shown.content
            page = page_of(shown.content)
            _beside(page, screen.place, report)
            questions = [one for one in questions_of(page, taken) if one["label"]]
            if page.text.strip():
                texts.append(page.text)
            form.questions += [_sound(question, screen.place, report) for question in questions]
        elif shown.kind in (IMAGE, SOUND, VIDEO, DRAWING):
            report.add(
                NOT_CARRIED, screen.place.file, screen.place.line, screen.place.name,
                english("pages show text alone: {file}.", file=shown.content),
                english("Say it in words, or show it in a trial."),
            )  # fmt: skip
    for question in screen.questions:
        form.questions.append(_sound({**question, "name": name_of(question["name"] or "answer", taken)}, screen.place,
                                     report))  # fmt: skip
    asked = bool(form.questions)
    form.questions += [] if asked else [_of_scale(scale, taken) for scale in screen.scales]
    for label in () if asked else screen.fields:
        form.questions.append(
            {"name": name_of(label or "answer", taken), "label": label, "kind": "text", "required": False}
        )
    if len(screen.answers) > 1 and not asked:
        question = {
            "name": name_of(screen.place.name or "answer", taken), "label": plain(screen.prompt), "kind": "choice",
            "required": True, "choices": [plain(one.label) or one.name or one.key for one in screen.answers],
        }  # fmt: skip
        form.questions.append(_sound(question, screen.place, report))
        report.add(
            CHANGED, screen.place.file, screen.place.line, screen.place.name,
            english("one answer outside of a list of trials is a question of a questionnaire, without reaction times."),
        )  # fmt: skip
    elif screen.prompt and plain(screen.prompt):
        texts.append(page_of(screen.prompt).text)
    form.text = "\n\n".join(texts).strip().strip("\\\n ")
    _labelled(form)
    if screen.ms and (form.text or form.questions):
        report.add(
            CHANGED, screen.place.file, screen.place.line, screen.place.name,
            english("people go on from a page when they like; it does not go away after {ms} ms.", ms=screen.ms),
        )  # fmt: skip
    return form if form.text or form.questions else None


def _labelled(form: Form) -> None:
    """Give a question without a label the last paragraph above it, and every question a label."""
    for question in form.questions:
        if question["label"]:
            continue
        above, gap, last = form.text.rpartition("\n\n")
        if last and len(last) <= LONGEST_LABEL and question is form.questions[0]:
            question["label"] = re.sub(r"\*\*|\\\n|^#+ ", " ", last).replace("\\", "").strip()
            form.text = above if gap else ""
        question["label"] = question["label"] or question["name"].replace("_", " ")


def _of_scale(scale: dict[str, Any], taken: set[str]) -> dict[str, Any]:
    question = {"name": name_of(scale["name"], taken), "label": plain(scale["text"]), "required": True}
    if scale["kind"] == "slider":
        return {**question, "kind": "slider", "labels": scale["labels"]}
    return {**question, "kind": "scale", "points": scale["points"], "labels": scale["labels"]}


def _beside(page: HtmlPage, place: Place, report: Report) -> None:
    for file in page.files:
        report.add(
            NOT_CARRIED, place.file, place.line, place.name, english("pages show text alone: {file}.", file=file),
            english("Say it in words, or leave it out."),
        )  # fmt: skip
    if page.scripts:
        report.add(
            NOT_CARRIED, place.file, place.line, place.name,
            english("the page has scripts of its own, and nothing is run."),
            english("Look whether the study needs them."),
        )  # fmt: skip


def _sound(question: dict[str, Any], place: Place, report: Report) -> dict[str, Any]:
    """Return a question that can be asked: a choice of fewer than two answers is a statement or a text."""
    question["label"] = " ".join(question["label"].split())[:LONGEST_LABEL]
    if question["kind"] not in ("choice", "several"):
        return question
    choices = list(dict.fromkeys(" ".join(plain(one).split())[:200] for one in question.get("choices", ())))
    question["choices"] = [choice for choice in choices if choice]
    if len(question["choices"]) == 1 and question["kind"] == "several":
        only = question.pop("choices")[0]
        question |= {"kind": "statement", "label": " ".join(f"{question['label']} {only}".split())[:LONGEST_LABEL]}
    elif len(question["choices"]) < 2:
        del question["choices"]
        question["kind"] = "text"
        report.add(
            CHANGED, place.file, place.line, f"{place.name}: {question['name']}",
            english("a choice with fewer than two answers is a field to type into."),
        )  # fmt: skip
    return question


def texts_of(forms: Sequence[Form]) -> list[str]:
    """Return the texts of pages that ask nothing."""
    return [form.text for form in forms if form.text.strip()]
