"""Say what a trial asks people to do: read, rate, choose by a key, type, or just go on. Pure.

A task trial has a paradigm with settings, and cells of one row of the materials. What differs between the rows of a
template is materials; what is the same in all of them is part of the settings, or of the instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.pages import plain
from experiments.other_tools.pcibex.answers import (
    answers_of,
    asked_among,
    choice_settings,
    clean_choice,
    first_keys,
    is_pattern,
    key_name,
    keys_of,
    members_of,
    milliseconds_of,
    options_of,
    rating_question,
    right_of,
    scale_labels,
    sentence_of,
    what_ends_mean,
    whole,
)
from experiments.other_tools.pcibex.screens import Followed, State, Step, words_of
from experiments.other_tools.pcibex.values import Commands, Trial, Unknown, UrlParameter
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english

READING, RATING, CHOICE, TYPING, MAZE = (
    "self-paced-reading",
    "rating",
    "timed-choice",
    "typed-production",
    "maze",
)
_READERS = (
    "DashedSentence",
    "FlashSentence",
    "SelfPacedReadingParadigmSentence",
    "EPDashedSentence",
    "DashedSentenceBR",
)
_NOTHING_TO_DO = ("Separator", "Message", "Form", "VBox", "Unfinished")
_ANSWERS = re.compile(r"corr|answ|expect|right|\bkey|respuesta|antwort|richtig|resp", re.IGNORECASE)
_SYMBOLS = re.compile(r"[\W_x]{1,12}", re.IGNORECASE)


@dataclass
class Shown:
    """One thing that a trial shows before or while people answer: a text, picture or sound, and for how long.

    `stays` says whether it is still there, or played then, when people answer.
    """

    kind: str
    content: str
    line: int
    ms: int = 0
    stays: bool = True


@dataclass
class Question:
    """A question about a text that was read: its choices in their order, and how they are answered."""

    text: str
    choices: list[str]
    right: str
    fixed: bool
    keys: list[str] = field(default_factory=list)


@dataclass
class TaskTrial:
    """One trial of a task: its paradigm, what it shows, what the row says, and the settings that all share."""

    trial: Trial
    paradigm: str
    settings: dict[str, Any]
    cells: dict[str, str] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    pause_ms: int = 0
    question: Question | None = None
    feedback: bool = False
    answers: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


class Reader:
    """Reads one followed trial as a task; what is not carried goes to the report."""

    def __init__(self, followed: Followed, report: Report, *, has_row: bool) -> None:
        self.followed, self.report, self.trial = followed, report, followed.trial
        self.has_row = has_row
        self.used: set[int] = set()

    def tell(self, outcome: str, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.trial.file, line, element, said, advice)

    def task(self) -> TaskTrial | None:
        """Return the task of the trial; None for a page or a form."""
        found = self.task_found()
        if found is not None:
            self.name_unused()
        return found

    def task_found(self) -> TaskTrial | None:
        for number, step in enumerate(self.followed.steps):
            if step.waits.kind == "Controller":
                found = self.by_controller(step, number)
                if found is not None:
                    return found
        scale = next((state for state in self.followed.of("Scale", "Slider") if not self.is_form(state)), None)
        if scale is not None and self.has_row:
            return self.rating(scale)
        for number, step in enumerate(self.followed.steps):
            if step.waits.kind == "Selector" and len(members_of(step.waits)) > 1:
                return self.selection(step, number)
            if step.waits.kind == "Key" and len(keys_of(step.waits)) > 1:
                return self.keys(step, number)
        timed = self.deadline_key()
        if timed is not None:
            return timed
        typed = self.followed.of("TextInput")
        if typed and self.has_row:
            return self.typing(typed)
        return None

    def is_form(self, state: State) -> bool:
        labels = scale_labels(state)
        return len(labels) == 1

    def deadline_key(self) -> TaskTrial | None:
        """A key that answers, where the timer is waited for that it stops."""
        for key in self.followed.states:
            if key.kind != "Key" or len(keys_of(key)) < 2:
                continue
            stops = {args[0] for args in key.asked.get("stops", [])}
            for number, step in enumerate(self.followed.steps):
                if step.waits.kind == "Timer" and (step.waits.element.name in stops or "" in stops):
                    found = self.keys(Step(key, step.shown, key.element.line), number)
                    found.settings["deadline_ms"] = milliseconds_of(step.waits) or 0
                    return found
        return None

    # What stands on the screen before.

    def before(self, until: int) -> list[Shown]:
        """Return what the steps before one show, and what is still there then; each content once."""
        found: list[Shown] = []
        seen: set[int] = set()
        for number, step in enumerate(self.followed.steps[: until + 1]):
            for state in step.shown:
                if id(state) in seen or state.kind not in ("Text", "Html", "Image", "Audio"):
                    continue
                seen.add(id(state))
                content = words_of(state.first)
                if content is None:
                    self.computed(state)
                    continue
                ms = milliseconds_of(step.waits) if step.waits.kind == "Timer" and number < until else 0
                stays = any(state is one for one in self.followed.steps[until].shown)
                if state.kind == "Audio":
                    stays = not self.is_over(state, until)
                found.append(Shown(state.kind, content, state.element.line, 0 if stays else ms or 0, stays))
        return found

    def is_over(self, sound: State, until: int) -> bool:
        """Return whether a sound is waited for, and something new is shown after it and before people answer."""
        waited = [n for n, step in enumerate(self.followed.steps[:until]) if step.waits is sound]
        if not waited:
            return False
        before = {id(state) for step in self.followed.steps[: waited[0] + 1] for state in step.shown}
        return any(id(state) not in before for step in self.followed.steps[waited[0] + 1 : until + 1]
                   for state in step.shown if state.kind in ("Text", "Html", "Image", "Audio"))  # fmt: skip

    def computed(self, state: State) -> None:
        first = state.first
        said = first.source if isinstance(first, Unknown) else first.name if isinstance(first, UrlParameter) else "…"
        self.tell(
            NOT_CARRIED,
            state.element.line,
            f"new{state.kind}",
            english("its content is computed by the script: {source}", source=said),
            english("Write the content out."),
        )

    # Controllers of Ibex.

    def by_controller(self, step: Step, number: int) -> TaskTrial | None:
        self.used.add(id(step.waits))
        name = words_of(step.waits.first) or ""
        options = options_of(step.waits)
        if name in _READERS:
            return self.reading(step, number, name, options)
        if name == "Maze":
            return self.maze(step, number, options)
        if name == "DashedAcceptabilityJudgment":
            return self.reading_and_judging(step, number, options)
        if name in ("AcceptabilityJudgment", "Question", "Scale", "FlashSentence"):
            return self.judgement(step, number, name, options)
        if name not in _NOTHING_TO_DO:
            self.tell(
                NOT_CARRIED,
                step.line,
                f"Controller {name}",
                english("this controller is not known."),
                english("Choose a paradigm that does the same, and add its materials by hand."),
            )
        return None

    def reading(self, step: Step, number: int, name: str, options: Mapping[str, Any]) -> TaskTrial | None:
        if name not in ("DashedSentence", "FlashSentence"):
            self.tell(
                CHANGED, step.line, name, english("it was read as DashedSentence, whose options it seems to have.")
            )
        sentence = sentence_of(options.get("s"), hides_underscores=options.get("hideUnderscores") is not False)
        if sentence is None:
            self.tell(
                NOT_CARRIED,
                step.line,
                name,
                english("its sentence is computed by the script."),
                english("Write the sentences out, or into a table."),
            )
            return None
        sentence = self.without_signs(sentence, step)
        settings: dict[str, Any] = {"unit": "word", "window": "moving", "break_every": 0}
        in_place = options.get("display") == "in place"
        if options.get("mode") == "speeded acceptability":
            settings["window"] = "rsvp"
            settings["region_ms"] = whole(options.get("wordTime"), 400 if in_place else 300)
            settings["blank_ms"] = whole(options.get("wordPauseTime"), 0 if in_place else 100)
            if not in_place:
                self.tell(
                    CHANGED,
                    step.line,
                    name,
                    english("the words come one by one in the middle of the page, not at their places in the line."),
                )
        elif name == "FlashSentence":
            settings |= {"window": "rsvp", "unit": "sentence", "region_ms": whole(options.get("timeout"), 2000)}
        elif in_place:
            settings["window"] = "centred"
        if options.get("showAhead") is False or options.get("showBehind") is False:
            self.tell(
                CHANGED, step.line, name, english("the places of all words are shown from the beginning, as dashes.")
            )
        known = (
            "s", "mode", "display", "wordTime", "wordPauseTime", "showAhead", "showBehind", "hideUnderscores",
            "sentenceDescType", "blankText", "unshownBorderColor", "shownBorderColor", "unshownWordColor",
            "shownWordColor", "timeout", "splitRegex", "hideProgressBar", "countsForProgressBar",
        )  # fmt: skip
        self.unknown_options(step, name, options, known)
        before = self.before(number)
        if name == "DashedSentence":
            sentence, number = self.joined(step, number, sentence)
        found = TaskTrial(self.trial, READING, settings, {"text": sentence}, before)
        found.shown = [shown for shown in found.shown if not self.is_fixation(shown, step)]
        self.question(number + 1, found)
        return found

    def reading_and_judging(self, step: Step, number: int, options: Mapping[str, Any]) -> TaskTrial | None:
        """Read a sentence that is read word by word and then judged."""
        judging = ("q", "as", "hasCorrect", "randomOrder", "presentAsScale", "leftComment", "rightComment",
                   "instructions", "showNumbers", "autoFirstChar", "presentHorizontally")  # fmt: skip
        reading = {name: value for name, value in options.items() if name not in judging}
        found = self.reading(step, number, "DashedSentence", reading)
        if found is None:
            return None
        asked = self.question_of(options)
        if asked is None or not asked.text or not 2 <= len(asked.choices) <= 9 or found.question is not None:
            self.tell(
                NOT_CARRIED, step.line, "DashedAcceptabilityJudgment",
                english("its question or its answers are computed by the script, or there are more than nine."),
                english("Add the columns question, choices and answer to the materials."),
            )  # fmt: skip
            return found
        found.question = asked
        found.cells |= {
            "question": asked.text, "choices": " | ".join(asked.choices), "answer": asked.right or "none",
        }  # fmt: skip
        return found

    def is_fixation(self, shown: Shown, step: Step) -> bool:
        """Name what stands before a sentence and is a fixation cross, or goes away before the sentence comes."""
        if shown.kind == "Text" and _SYMBOLS.fullmatch(plain(shown.content) or "+"):
            self.tell(
                CHANGED,
                shown.line,
                english("fixation"),
                english("it is not shown: the covered text stands there until the first press."),
            )
            return True
        return False

    def unknown_options(self, step: Step, name: str, options: Mapping[str, Any], known: Sequence[str]) -> None:
        for option in options:
            if option not in known and not option.startswith("_"):
                self.tell(
                    CHANGED, step.line, f"{name}.{option}", english("this option is not carried; see the settings.")
                )

    def without_signs(self, sentence: str, step: Step) -> str:
        """Return a sentence without a first region that is a sign such as +, and with other signs beside a word."""
        if "|" not in sentence:
            return sentence
        regions: list[str] = []
        for region in sentence.split(" |"):
            if re.search(r"\w", region) or not region.strip():
                regions.append(region)
            elif regions:
                regions[-1] = f"{regions[-1]} {region}"
            else:
                self.tell(
                    CHANGED, step.line, english("fixation"),
                    english("a sign before the first word is not shown: the covered text stands there until the first "
                            "press."),
                )  # fmt: skip
        return " |".join(regions)

    def joined(self, first: Step, number: int, sentence: str) -> tuple[str, int]:
        """Return a sentence with those that are read right after it, and the step of the last of them."""
        for place in range(number + 1, len(self.followed.steps)):
            step = self.followed.steps[place]
            if step.waits.kind != "Controller" or words_of(step.waits.first) != "DashedSentence":
                break
            options, others = options_of(step.waits), options_of(first.waits)
            more = sentence_of(options.get("s"), hides_underscores=options.get("hideUnderscores") is not False)
            alike = {key: value for key, value in options.items() if key != "s"} == {
                key: value for key, value in others.items() if key != "s"
            }
            if more is None or not alike:
                self.tell(
                    NOT_CARRIED, step.line, "DashedSentence",
                    english("a second sentence is computed by the script, or is read in another way than the first."),
                    english("Write both into one text."),
                )  # fmt: skip
                continue
            parts = [one if "|" in one else " |".join(one.split()) for one in (sentence, more)]
            sentence, number = " |".join(part for part in parts if part), place
            self.used.add(id(step.waits))
            self.tell(
                CHANGED, step.line, "DashedSentence",
                english("two sentences that are read one after the other are one text."),
            )  # fmt: skip
        return sentence, number

    def maze(self, step: Step, number: int, options: Mapping[str, Any]) -> TaskTrial | None:
        sentence, beside = sentence_of(options.get("s")), sentence_of(options.get("a"))
        if sentence is None or beside is None:
            self.tell(
                NOT_CARRIED,
                step.line,
                "Maze",
                english("its sentence or its distractors are computed by the script."),
                english("Write them out, or into a table."),
            )
            return None
        settings = {
            "after_error": "redo" if options.get("redo") is True else "end",
            "error_delay_ms": whole(options.get("delay"), 0 if options.get("redo") is not True else 500),
            "error_message": plain(words_of(options.get("emess")) or "") if options.get("redo") is True else "",
            "distractor_kind": "other",
            "break_every": 0,
        }
        self.unknown_options(
            step, "Maze", options, ("s", "a", "redo", "delay", "emess", "hideProgressBar", "countsForProgressBar")
        )
        found = TaskTrial(self.trial, MAZE, settings, {"text": sentence, "distractors": beside}, self.before(number))
        found.shown = [shown for shown in found.shown if not self.is_fixation(shown, step)]
        self.question(number + 1, found)
        return found

    def judgement(self, step: Step, number: int, name: str, options: Mapping[str, Any]) -> TaskTrial | None:
        """A question of Ibex with its answers: a rating on a scale, or a choice."""
        text = sentence_of(options.get("s")) if options.get("s") is not None else ""
        asked = words_of(options.get("q")) if options.get("q") is not None else ""
        if name == "Scale":
            return self.slider_of_ibex(step, number, options)
        answers, keys = answers_of(options.get("as"))
        if text is None or asked is None or len(answers) < 2:
            self.tell(
                NOT_CARRIED,
                step.line,
                name,
                english("its text or its answers are computed by the script, or it has fewer than two answers."),
                english("Write them out."),
            )
            return None
        before = self.before(number)
        is_scale = options.get("presentAsScale") is True or len(answers) > 4 or name != "Question"
        if not is_scale:
            settings = choice_settings(answers, keys or first_keys(len(answers)))
            settings["deadline_ms"] = whole(options.get("timeout"), 0)
            found = TaskTrial(self.trial, CHOICE, settings, {"text": text}, before)
            found.answers, found.keys = answers, keys or first_keys(len(answers))
            right = right_of(options.get("hasCorrect"), answers)
            found.shown += [Shown("Text", asked, step.line)] if asked else []
            found.cells["correct"] = right
            return found
        labels = [plain(words_of(options.get(side)) or "") for side in ("leftComment", "rightComment")]
        if not text and asked:  # what is judged stands where the question would
            text, asked = plain(asked), ""
        question = rating_question(plain(asked), answers, labels)
        found = TaskTrial(self.trial, RATING, {"questions": [question], "break_every": 0}, {"text": text}, before)
        if options.get("timeout"):
            self.tell(
                NOT_CARRIED, step.line, f"{name}.timeout", english("a rating has no deadline."),
                english("Ask by a timed choice of up to four answers, or do without a deadline."),
            )  # fmt: skip
        self.unknown_options(
            step,
            name,
            options,
            ("s", "q", "as", "presentAsScale", "leftComment", "rightComment", "instructions", "hasCorrect",
             "randomOrder",
             "showNumbers", "autoFirstChar", "presentHorizontally", "hideProgressBar", "countsForProgressBar", "mode",
             "timeout"),
        )  # fmt: skip
        return found

    def slider_of_ibex(self, step: Step, number: int, options: Mapping[str, Any]) -> TaskTrial | None:
        html = words_of(options.get("html"))
        if html is None:
            self.tell(NOT_CARRIED, step.line, "Scale", english("its text is not in the script."), "")
            return None
        question = {"name": "rating", "text": plain(html) or "?", "kind": "slider", "points": 0, "labels": []}
        return TaskTrial(
            self.trial, RATING, {"questions": [question], "break_every": 0}, {"text": ""}, self.before(number)
        )

    # Elements of PennController.

    def rating(self, scale: State) -> TaskTrial:
        number = self.step_of(scale)
        question = self.question_of_scale(scale)
        others = [
            state for state in self.followed.of("Scale", "Slider") if state is not scale and not self.is_form(state)
        ]
        self.used |= {id(state) for state in (scale, *others)}
        questions = [question]
        taken = {question["name"]}
        for other in others:
            own = self.question_of_scale(other)
            while own["name"] in taken:
                own["name"] = f"{own['name'][:25]}_{len(taken) + 1}"
            taken.add(own["name"])
            questions.append(own)
        last = max([number, *(self.step_of(other) for other in others)])
        found = TaskTrial(
            self.trial, RATING, {"questions": questions, "break_every": 0}, {"text": ""}, self.before(last)
        )
        if any(shown.kind == "Audio" for shown in found.shown):
            found.settings["sound"] = "once"
        if any(tells for state in (scale, *others) for *_said, tells in state.asked.get("outcomes", [])):
            self.tell(
                NOT_CARRIED, scale.element.line, english("feedback"),
                english("people are not told anything after a rating."),
                english("Do without it, or ask by a timed choice."),
            )  # fmt: skip
        labels = self.labels_of(scale)
        found.shown = [shown for shown in found.shown if plain(shown.content) not in labels]
        return found

    def labels_of(self, scale: State) -> set[str]:
        return {plain(words_of(argument) or "") for side in ("before", "after") for args in scale.asked.get(side, [])
                for argument in args[:1]} - {""}  # fmt: skip

    def step_of(self, state: State) -> int:
        """Return the step at which an element is answered: the one that waits for it, or the first that shows it."""
        for number, step in enumerate(self.followed.steps):
            if step.waits is state:
                return number
        for number, step in enumerate(self.followed.steps):
            if any(state is one for one in step.shown) and step.waits.kind in ("Button", "Key"):
                return number
        for number, step in enumerate(self.followed.steps):
            if any(state is one for one in step.shown):
                return number
        return max(len(self.followed.steps) - 1, 0)

    def question_of_scale(self, scale: State) -> dict[str, Any]:
        labels = scale_labels(scale)
        ends = [next((plain(words_of(args[0]) or "") for args in scale.asked.get(side, []) if args), "")
                for side in ("before", "after")]  # fmt: skip
        if "slider" in scale.asked or scale.kind == "Slider" or len(labels) > 11:
            if "slider" not in scale.asked and scale.kind != "Slider":
                self.tell(
                    CHANGED,
                    scale.element.line,
                    "newScale",
                    english("a scale of {n} points is a slider from 0 to 100 here.", n=len(labels)),
                )
            question = {"name": "rating", "text": "", "kind": "slider", "points": 0, "labels": []}
            if all(ends):
                question["labels"] = ends
            return question
        return rating_question("", labels, ends)

    def name_unused(self) -> None:
        """Name what the trial asks beside its task, which has no place in the paradigm."""
        for state in self.followed.of(
            "Scale", "Slider", "TextInput", "DropDown", "Selector", "Key", "Controller", "Html"
        ):
            kind, name = state.kind, words_of(state.first) or ""
            asks = (
                (kind == "Selector" and len(members_of(state)) > 1)
                or (kind == "Key" and len(keys_of(state)) > 1 and state.waited)
                or (kind == "Controller" and name not in _NOTHING_TO_DO)
                or (kind in ("Scale", "Slider") and len(scale_labels(state)) > 1)
                or kind in ("TextInput", "DropDown")
                or (kind == "Html" and re.search(r"<(?:input|select|textarea)\b", name, re.IGNORECASE) is not None)
            )
            if asks and id(state) not in self.used:
                self.tell(
                    NOT_CARRIED, state.element.line, f"Controller {name}" if kind == "Controller" else f"new{kind}",
                    english("a second task in a trial is not carried; the first one is."),
                    english("Make it a part of its own."),
                )  # fmt: skip

    def selection(self, step: Step, number: int) -> TaskTrial:
        members = members_of(step.waits)
        keys = keys_of(step.waits)
        if any(state.kind in ("Image", "Canvas", "Audio") for state in members):
            self.tell(
                NOT_CARRIED,
                step.line,
                "newSelector",
                english("pictures as answers are not carried."),
                english("Show the picture as the target, and let people answer by words."),
            )
        answers = [plain(words_of(state.first) or state.element.name) or state.element.name for state in members]
        answers = [answer or f"answer {place}" for place, answer in enumerate(answers, start=1)]
        found = self.choice(step, number, answers, keys)
        if "disableClicks" in step.waits.asked:
            found.settings["respond_with"] = "keys"
        if "shuffle" in step.waits.asked:
            found.settings["mapping"] = "counterbalanced"
            self.tell(
                CHANGED,
                step.line,
                "shuffle",
                english("which answer stands where is counterbalanced over people, not drawn in every trial."),
            )
        shown = {plain(words_of(state.first) or "") for state in members}
        found.shown = [one for one in found.shown if plain(one.content) not in shown]
        return found

    def keys(self, step: Step, number: int) -> TaskTrial:
        keys = keys_of(step.waits)
        return self.choice(step, number, keys, keys)

    def choice(self, step: Step, number: int, answers: list[str], keys: list[str]) -> TaskTrial:
        with_keys = len(keys) == len(answers)
        settings = choice_settings(answers, keys if with_keys else first_keys(len(answers)))
        self.used |= {id(state) for state in (step.waits, *members_of(step.waits))}
        if not with_keys:
            settings["respond_with"] = "buttons"
        found = TaskTrial(self.trial, CHOICE, settings, {"text": ""}, self.before(number))
        found.answers, found.keys = answers, keys if with_keys else first_keys(len(answers))
        own = keys if with_keys else []
        found.cells["correct"] = self.right_answer(answers, own) or self.tested_answer(step.waits, answers, own)
        found.feedback = any(tells for *_said, tells in step.waits.asked.get("outcomes", []))
        if not 2 <= len(answers) <= 4:
            self.tell(
                NOT_CARRIED,
                step.line,
                step.waits.kind,
                english("a choice has two to four answers here; this one has {n}.", n=len(answers)),
                english("Ask it as a rating, or with fewer answers."),
            )
        return found

    def right_answer(self, answers: Sequence[str], keys: Sequence[str]) -> str:
        """Return the right answer by a column of the row that says it, in words or by its key; empty without one."""
        if self.trial.row is None:
            return ""
        folded = {answer.casefold(): answer for answer in answers}
        folded |= {key.casefold(): answer for key, answer in zip(keys, answers, strict=False)}
        has_sides = any(column.casefold() == "left" for column in self.trial.row)
        for column, cell in self.trial.row.items():
            if column.casefold() == "right" and has_sides:  # the answer on that side
                continue
            if _ANSWERS.search(column) and (right := folded.get(key_name(plain(cell)).casefold())):
                return right
        return ""

    def typing(self, typed: Sequence[State]) -> TaskTrial:
        number = max(self.step_of(state) for state in typed)
        self.used |= {id(state) for state in typed[:6]}
        settings: dict[str, Any] = {"task": "continuation", "number_of_fields": min(len(typed), 6), "break_every": 0}
        found = TaskTrial(self.trial, TYPING, settings, {"text": ""}, self.before(number))
        needs = any(
            one.method.startswith("test") and one.element.kind == "TextInput" for one in self.followed.conditions
        )
        settings["may_be_empty"] = not needs
        if any(shown.kind == "Audio" for shown in found.shown):
            settings["sound"] = "once"
        if any(is_pattern(one.arguments) for one in self.followed.conditions):
            self.tell(
                CHANGED,
                typed[0].element.line,
                "test.text",
                english("any answer that is not empty is taken, whatever pattern it has."),
            )
        return found

    def question(self, since: int, found: TaskTrial) -> None:
        """Read the question about a text that was read: a controller, a selector, keys, a scale."""
        for number in range(since, len(self.followed.steps)):
            step = self.followed.steps[number]
            asked = self.question_at(step, number)
            if asked is None:
                continue
            self.used |= {id(step.waits), *(id(one) for one in step.shown if one.kind in ("Scale", "Slider"))}
            if asked.text and 2 <= len(asked.choices) <= 9 and found.question is None:
                found.question = asked
                found.feedback = any(tells for *_said, tells in step.waits.asked.get("outcomes", []))
                found.cells |= {
                    "question": asked.text, "choices": " | ".join(asked.choices), "answer": asked.right or "none",
                }  # fmt: skip
                self.tell(
                    CARRIED, step.line, english("question after the text"),
                    english("the columns question, choices and answer.")
                    if asked.right
                    else english("the columns question, choices and answer; no choice is right or wrong."),
                )  # fmt: skip
                continue
            why = (
                english("there is one question about a text; this is a further one.")
                if found.question is not None
                else english("a choice after the text has no question.")
                if not asked.text
                else english("a question has two to nine choices; this one has {n}.", n=len(asked.choices))
            )
            self.tell(
                NOT_CARRIED, step.line, english("question after the text"), why,
                english("Add the columns question, choices and answer to the materials."),
            )  # fmt: skip

    def question_at(self, step: Step, number: int) -> Question | None:
        """Return what is asked at a step; None where nothing is."""
        kind, waits = step.waits.kind, step.waits
        keys = keys_of(waits)
        name = words_of(waits.first) or ""
        if kind == "Controller" and (name.startswith("Question") or name == "AcceptabilityJudgment"):
            if name not in ("Question", "AcceptabilityJudgment"):
                self.tell(
                    CHANGED, step.line, name, english("it was read as Question, whose options it seems to have.")
                )  # fmt: skip
            return self.question_of(options_of(waits))
        if kind == "Selector" and len(members_of(waits)) > 1:
            members = members_of(waits)
            choices = [clean_choice(words_of(state.first) or state.element.name) for state in members]
            shown = [one for one in self.new_texts(number) if clean_choice(one) not in choices]
            right = self.right_answer(choices, keys) or self.tested_answer(waits, choices, keys)
            keys = keys if len(keys) == len(choices) else []
            return Question(asked_among(shown, keys), choices, right, "shuffle" not in waits.asked, keys)
        if kind == "Key" and len(keys) > 1:
            right = self.right_answer(keys, keys) or self.tested_answer(waits, keys, keys)
            return Question(asked_among(self.new_texts(number), []), keys, right, fixed=True, keys=keys)
        scales = [state for state in step.shown if state.kind in ("Scale", "Slider") and len(scale_labels(state)) > 1]
        if kind in ("Scale", "Slider") and len(scale_labels(waits)) > 1:
            scales = [waits]
        if kind in ("Scale", "Slider", "Button") and scales:
            return self.question_of_rating(scales, number)
        return None

    def question_of(self, options: Mapping[str, Any]) -> Question | None:
        """Return the question of a controller of Ibex."""
        choices, keys = answers_of(options.get("as"))
        asked = plain(words_of(options.get("q")) or "")
        right = right_of(options.get("hasCorrect"), choices)
        if not asked and not choices:
            return None
        ends = [plain(words_of(options.get(side)) or "") for side in ("leftComment", "rightComment")]
        choices = [clean_choice(choice) for choice in choices]
        is_random = options.get("randomOrder") is True or (
            options.get("randomOrder") is not False and bool(right) and options.get("presentAsScale") is not True
        )
        text = " ".join(one for one in (asked, *what_ends_mean(choices, ends)) if one)
        return Question(text, choices, clean_choice(right), fixed=not is_random, keys=keys)

    def question_of_rating(self, scales: Sequence[State], number: int) -> Question | None:
        """Return a rating after a text as a question, whose choices are the points of its scale."""
        scale = scales[0]
        if len(scales) > 1 or "slider" in scale.asked or scale.kind == "Slider":
            self.tell(
                NOT_CARRIED, scale.element.line, f"new{scale.kind}",
                english("a slider, or several scales, after a text that is read are not carried."),
                english("Make the ratings a rating study of its own, or ask one question with up to nine choices."),
            )  # fmt: skip
            return None
        choices = [clean_choice(label) for label in scale_labels(scale)]
        named = [label if label else str(place) for place, label in enumerate(choices, start=1)]
        ends = [next((plain(words_of(args[0]) or "") for args in scale.asked.get(side, []) if args), "")
                for side in ("before", "after")]  # fmt: skip
        shown = [one for one in self.new_texts(number) if one not in (*named, *ends)]
        text = " ".join(one for one in (*shown, *what_ends_mean(named, ends)) if one)
        return Question(text or " – ".join(named[:1] + named[-1:]), named, "", fixed=True)

    def tested_answer(self, waits: State, answers: Sequence[str], keys: Sequence[str]) -> str:
        """Return the answer that a test takes to be right: the one after which nobody is told or counted to be wrong.

        `test.selected(x).success(…).failure(…)` says so; with `success` alone it is not known which way it is meant.
        """
        for method, name, asked, _tells in waits.asked.get("outcomes", []):
            if method == "failure" and name in ("test.selected", "test.pressed") and asked:
                given = asked[0]
                said = given.element.name if isinstance(given, Commands) else words_of(given) or ""
                names = {state.element.name: answer for state, answer in zip(members_of(waits), answers, strict=False)}
                names |= dict(zip(keys, answers, strict=False))
                names |= {answer: answer for answer in answers}
                return names.get(said) or names.get(key_name(said)) or names.get(clean_choice(said), "")
        return ""

    def new_texts(self, number: int) -> list[str]:
        """Return the texts that stand on the screen at a step and did not before."""
        before = {id(state) for step in self.followed.steps[:number] for state in step.shown}
        found = []
        for state in self.followed.steps[number].shown:
            if state.kind in ("Text", "Html") and id(state) not in before:
                said = plain(words_of(state.first) or "")
                if said:
                    found.append(said)
        return found
