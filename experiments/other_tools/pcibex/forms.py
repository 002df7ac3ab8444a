"""Turn a trial that is no task into a page or a questionnaire: texts as Markdown, what it asks as questions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.pages import Page, name_of, page_of, plain, questions_of
from experiments.other_tools.pcibex.answers import media_of, options_of, scale_labels
from experiments.other_tools.pcibex.logos import Picture
from experiments.other_tools.pcibex.screens import Followed, State, words_of
from experiments.other_tools.pcibex.values import Commands, Unknown, UrlParameter
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CHANGED, NOT_CARRIED, Report, english

LONGEST_LABEL = 400
COMPLETE = re.compile(r"https://app\.prolific\.com?/submissions/complete\?cc=[A-Za-z0-9]+")


@dataclass
class Form:
    """A page with its text as Markdown and its questions; `raw` is all that it says as it stands in the project."""

    label: str
    file: str
    line: int
    text: str = ""
    questions: list[dict[str, Any]] = field(default_factory=list)
    raw: str = ""
    pictures: list[Picture] = field(default_factory=list)


def form_of(follow: Followed, project: Project, report: Report, taken: set[str]) -> Form | None:
    """Return the page or questionnaire that a trial is; None for one that shows nothing."""
    trial = follow.trial
    form = Form(trial.label, trial.file, trial.line)
    reader = _Forms(follow, project, report, taken, form)
    reader.read()
    return form if form.text.strip() or form.questions or form.pictures else None


class _Forms:
    def __init__(self, follow: Followed, project: Project, report: Report, taken: set[str], form: Form) -> None:
        self.follow, self.project, self.report, self.taken, self.form = follow, project, report, taken, form
        self.pieces: list[tuple[str, str]] = []
        self.required = {
            (command.element.kind, command.element.name)
            for command in follow.conditions
            if command.method.startswith("test")
        }

    def tell(self, outcome: str, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.form.file, line, element, said, advice)

    def read(self) -> None:
        screens = 0
        for step in self.follow.steps:
            if step.waits.kind == "Controller":
                self.controller(step.waits)
        for state in self.follow.printed + [one for one in self.follow.states if one.played]:
            self.take(state)
        for step in self.follow.steps:
            screens += step.waits.kind in ("Button", "Key") and bool(step.shown)
            if step.waits.kind == "Timer":
                self.tell(
                    CHANGED, step.line, "newTimer",
                    english("people go on from a page when they like; there is no waiting time."),
                )  # fmt: skip
        questions = [place for place, (kind, _said) in enumerate(self.pieces) if kind == "question"]
        if not self.form.questions:
            self.form.text = "\n\n".join(said for kind, said in self.pieces if kind == "text").strip()
            return
        self.with_questions(questions)

    def with_questions(self, places: list[int]) -> None:
        """Give every question the text above it, and keep the others as pieces of information."""
        found: list[dict[str, Any]] = []
        texts: list[str] = []
        number = 0
        for kind, said in self.pieces:
            if kind == "text":
                texts.append(said)
                continue
            question = self.form.questions[number]
            number += 1
            if not question["label"] and texts:
                question["label"] = texts.pop()[:LONGEST_LABEL].replace("**", "")
            question["label"] = question["label"] or question["name"]
            if not found:
                self.form.text = "\n\n".join(texts)
            else:
                found += self.information(texts)
            texts = []
            found.append(question)
        found += self.information(texts)
        self.form.questions = found

    def information(self, texts: list[str]) -> list[dict[str, Any]]:
        return [
            {"name": name_of("note", self.taken), "label": text, "kind": "information", "required": False}
            for text in texts
            if text.strip()
        ]

    def ask(self, question: dict[str, Any]) -> None:
        self.form.questions.append(question)
        self.pieces.append(("question", ""))

    def take(self, state: State) -> None:
        match state.kind:
            case "Text" | "Html":
                self.words(state)
            case "Image":
                self.form.pictures.append(
                    Picture(words_of(state.first) or "…", self.form.file, state.element.line, "newImage")
                )
            case "Audio":
                self.tell(
                    NOT_CARRIED, state.element.line, f"new{state.kind}",
                    english("pages and questionnaires show text alone: {file}.", file=words_of(state.first) or "…"),
                    english("Say it in words, or show it in a trial."),
                )  # fmt: skip
            case "Button":
                self.link(state)
            case "Scale" | "Slider":
                self.scale(state)
            case "TextInput":
                self.ask(self.question(state, "text"))
            case "DropDown":
                question = self.question(state, "choice")
                choices = [plain(words_of(one) or "") for arguments in state.asked.get("add", []) for one in arguments]
                question["choices"] = list(dict.fromkeys(choice for choice in choices if choice))
                self.ask(self.sound(question))

    def link(self, state: State) -> None:
        """Take in a link in a button: that back to where people came from; name any other."""
        first = state.first
        said = first.source if isinstance(first, Unknown) else words_of(first) or ""
        if COMPLETE.search(said):
            self.form.raw += said
        elif re.search(r"<a\b", said, re.IGNORECASE):
            self.tell(
                NOT_CARRIED, state.element.line, "newButton",
                english("a link in a button is not carried: {said}.", said=said),
                english("Write the link into the text, or give it as the way back of a source."),
            )  # fmt: skip

    def words(self, state: State) -> None:
        content = words_of(state.first)
        if content is None:
            first = state.first
            if not isinstance(first, UrlParameter):
                self.tell(
                    NOT_CARRIED, state.element.line, f"new{state.kind}",
                    english("its content is computed by the script."), english("Write the text out."),
                )  # fmt: skip
            return
        if media_of(content) == content.strip() and content.strip():
            return
        if state.kind == "Html" and content.strip().casefold().endswith((".html", ".htm")):
            path = self.project.named(content)
            if path is None or path not in self.project.texts:
                self.tell(
                    NOT_CARRIED, state.element.line, "newHtml",
                    english("there is no file {name} in the project.", name=content),
                    english("Add the file to the folder, and import again."),
                )  # fmt: skip
                return
            content = self.project.texts[path]
        self.html(content, state.element.line)

    def html(self, content: str, line: int) -> None:
        for box in self.follow.needed_boxes:
            content = re.sub(
                rf"<input(?=[^>]*\bid\s*=\s*[\"']?{re.escape(box)}\b)", '<input class="obligatory"', content
            )
        self.form.raw += content
        page = page_of(content)
        self.beside(page, line)
        questions = questions_of(page, self.taken)
        text = page.text
        if text.strip():
            self.pieces.append(("text", text))
        for question in questions:
            if question["kind"] in ("statement",) or question["label"]:
                self.ask(self.sound(question))

    def beside(self, page: Page, line: int) -> None:
        for file in page.files:
            kind, _, source = file.partition(" ")
            if kind == "image":
                self.form.pictures.append(
                    Picture(source, self.form.file, line, "newHtml", page.alternatives.get(source, ""))
                )
                continue
            self.tell(
                NOT_CARRIED, line, "newHtml",
                english("pages show text alone: {file}.", file=file), english("Say it in words, or leave it out."),
            )  # fmt: skip
        if page.scripts:
            self.tell(
                NOT_CARRIED, line, "newHtml",
                english("the page has scripts of its own, and nothing is run."),
                english("Look whether the study needs them."),
            )  # fmt: skip

    def scale(self, state: State) -> None:
        labels = [label for label in scale_labels(state) if label]
        if len(labels) == 1:
            question = self.question(state, "statement")
            question |= {"label": labels[0], "required": True}
            self.ask(question)
            return
        numeric = all(label.isdigit() for label in labels)
        ends = [next((plain(words_of(args[0]) or "") for args in state.asked.get(side, []) if args), "")
                for side in ("before", "after")]  # fmt: skip
        if "slider" in state.asked or state.kind == "Slider" or len(labels) > 11:
            question = self.question(state, "slider")
            question["labels"] = ends if all(ends) else []
        elif numeric and len(labels) > 1:
            question = self.question(state, "scale")
            question |= {"points": len(labels), "labels": ends if all(ends) else []}
        else:
            question = self.question(state, "choice")
            question["choices"] = list(dict.fromkeys(labels))
        self.ask(self.sound(question))

    def question(self, state: State, kind: str) -> dict[str, Any]:
        name = state.element.name if isinstance(state.element.name, str) else ""
        label = ""
        for arguments in state.asked.get("before", []):
            if kind == "text" and arguments and isinstance(arguments[0], Commands):
                label = plain(words_of(arguments[0]) or "")
        required = (state.kind, state.element.name) in self.required or state.waited
        return {"name": name_of(name or "answer", self.taken), "label": label, "kind": kind, "required": required}

    def sound(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return a question that can be asked: a choice of fewer than two answers is a text."""
        if question["kind"] == "choice":
            choices = list(dict.fromkeys(" ".join(one.split()) for one in question.get("choices", []) if one.strip()))
            question["choices"] = [choice[:200] for choice in choices]
            if len(question["choices"]) < 2:
                del question["choices"]
                question["kind"] = "text"
                self.tell(
                    CHANGED, self.form.line, question["name"],
                    english("a choice with fewer than two answers is a field to type into."),
                )  # fmt: skip
        return question

    def controller(self, state: State) -> None:
        """Take in a page of Ibex: Message, Form, or a question without a text."""
        name, options = words_of(state.first) or "", options_of(state)
        if name not in ("Message", "Form"):
            return
        content = options.get("html")
        if isinstance(content, Mapping) and isinstance(content.get("include"), str):
            path = self.project.named(content["include"])
            if path is None or path not in self.project.texts:
                self.tell(
                    NOT_CARRIED, state.element.line, name,
                    english("there is no file {name} in the project.", name=content["include"]),
                    english("Add the file to the folder, and import again."),
                )  # fmt: skip
                return
            content = self.project.texts[path]
        said = html_of(content)
        if said is None:
            self.tell(NOT_CARRIED, state.element.line, name, english("its text is computed by the script."), "")
            return
        if options.get("consentRequired"):
            message = words_of(options.get("consentMessage")) or "I have read the text above, and I agree."
            said += f'<input type="checkbox" class="obligatory" name="consent"> {message}'
        if "validators" in options:
            self.tell(
                CHANGED, state.element.line, f"{name}.validators",
                english("answers are not checked by functions; a question can be of the kind number instead."),
            )  # fmt: skip
        self.html(said, state.element.line)


def html_of(content: Any) -> str | None:
    """Return the HTML of a Message: a text, or lists such as `["p", "text", ["b", "text"]]`."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and not isinstance(content, Commands) and content:
        tag, *rest = content
        if isinstance(tag, list):
            tag = tag[0]
        if not isinstance(tag, str):
            return None
        inner = [html_of(one) for one in rest if not isinstance(one, Mapping)]
        if any(one is None for one in inner):
            return None
        return f"<{tag}>{''.join(one or '' for one in inner)}</{tag}>"
    return None
