"""Say what a trial asks people to do: read, rate, choose by a key, type, or just go on. Pure.

A task trial has a paradigm with settings, and cells of one row of the materials. What differs between the rows of a
template is materials; what is the same in all of them is part of the settings, or of the instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.media_names import is_media_name, is_sound_name
from experiments.other_tools.pages import plain
from experiments.other_tools.pcibex.screens import Followed, State, Step, commands_in, words_of
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
_KEY_NAMES = {
    " ": "space", "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down", "leftarrow": "left",
    "rightarrow": "right", "uparrow": "up", "downarrow": "down", "spacebar": "space",
}  # fmt: skip
_SPECIAL = re.compile(
    r"Arrow(?:Left|Right|Up|Down)|Enter|Shift|Escape|Tab|Backspace|Control|Alt|F[0-9]{1,2}|Space(?:bar)?"
)


@dataclass
class Shown:
    """One thing that a trial shows before or while people answer: a text, picture or sound, and for how long."""

    kind: str
    content: str
    line: int
    ms: int = 0


@dataclass
class TaskTrial:
    """One trial of a task: its paradigm, what it shows, what the row says, and the settings that all share."""

    trial: Trial
    paradigm: str
    settings: dict[str, Any]
    cells: dict[str, str] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    pause_ms: int = 0


class Reader:
    """Reads one followed trial as a task; what is not carried goes to the report."""

    def __init__(self, followed: Followed, report: Report, *, has_row: bool) -> None:
        self.followed, self.report, self.trial = followed, report, followed.trial
        self.has_row = has_row

    def tell(self, outcome: str, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.trial.file, line, element, said, advice)

    def task(self) -> TaskTrial | None:
        """Return the task of the trial; None for a page or a form."""
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
                found.append(Shown(state.kind, content, state.element.line, 0 if stays else ms or 0))
        return found

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
        name = words_of(step.waits.first) or ""
        options = options_of(step.waits)
        if name in _READERS:
            return self.reading(step, number, name, options)
        if name == "Maze":
            return self.maze(step, number, options)
        if name in ("AcceptabilityJudgment", "Question", "DashedAcceptabilityJudgment", "Scale", "FlashSentence"):
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
        settings: dict[str, Any] = {"unit": "word", "window": "moving", "break_every": 0}
        in_place = options.get("display") == "in place"
        if options.get("mode") == "speeded acceptability":
            settings["window"] = "rsvp"
            settings["region_ms"] = _whole(options.get("wordTime"), 400 if in_place else 300)
            settings["blank_ms"] = _whole(options.get("wordPauseTime"), 0 if in_place else 100)
            if not in_place:
                self.tell(
                    CHANGED,
                    step.line,
                    name,
                    english("the words come one by one in the middle of the page, not at their places in the line."),
                )
        elif name == "FlashSentence":
            settings |= {"window": "rsvp", "unit": "sentence", "region_ms": _whole(options.get("timeout"), 2000)}
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
        found = TaskTrial(self.trial, READING, settings, {"text": sentence}, self.before(number))
        found.shown = [shown for shown in found.shown if not self.is_fixation(shown, step)]
        self.question(number + 1, found, of_reading=True)
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
            "error_delay_ms": _whole(options.get("delay"), 0 if options.get("redo") is not True else 500),
            "error_message": plain(words_of(options.get("emess")) or "") if options.get("redo") is True else "",
            "distractor_kind": "other",
            "break_every": 0,
        }
        self.unknown_options(
            step, "Maze", options, ("s", "a", "redo", "delay", "emess", "hideProgressBar", "countsForProgressBar")
        )
        found = TaskTrial(self.trial, MAZE, settings, {"text": sentence, "distractors": beside}, self.before(number))
        found.shown = [shown for shown in found.shown if not self.is_fixation(shown, step)]
        self.question(number + 1, found, of_reading=True)
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
        if name == "DashedAcceptabilityJudgment":
            self.tell(CHANGED, step.line, name, english("the sentence stands there as a whole while people judge it."))
        before = self.before(number)
        is_scale = options.get("presentAsScale") is True or len(answers) > 4 or name != "Question"
        if not is_scale:
            settings = choice_settings(answers, keys or _first_keys(len(answers)))
            settings["deadline_ms"] = _whole(options.get("timeout"), 0)
            found = TaskTrial(self.trial, CHOICE, settings, {"text": text}, before)
            right = right_of(options.get("hasCorrect"), answers)
            found.shown += [Shown("Text", asked, step.line)] if asked else []
            found.cells["correct"] = right
            return found
        labels = [plain(words_of(options.get(side)) or "") for side in ("leftComment", "rightComment")]
        question = rating_question(plain(asked), answers, labels)
        found = TaskTrial(self.trial, RATING, {"questions": [question], "break_every": 0}, {"text": text}, before)
        self.unknown_options(
            step,
            name,
            options,
            ("s", "q", "as", "presentAsScale", "leftComment", "rightComment", "instructions", "hasCorrect",
             "randomOrder",
             "showNumbers", "autoFirstChar", "presentHorizontally", "hideProgressBar", "countsForProgressBar", "mode"),
        )  # fmt: skip
        self.others(number + 1)
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
        self.others(last + 1)
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

    def others(self, since: int) -> None:
        """Name what is asked after the first answer, which has no place in this paradigm."""
        for step in self.followed.steps[since:]:
            kind, waits = step.waits.kind, step.waits
            asks = (
                (kind == "Selector" and len(members_of(waits)) > 1)
                or (kind == "Key" and len(keys_of(waits)) > 1)
                or (kind == "Controller" and words_of(waits.first) not in _NOTHING_TO_DO)
                or (kind == "Scale" and len(scale_labels(waits)) > 1)
            )
            if asks:
                self.tell(
                    NOT_CARRIED,
                    step.line,
                    f"{kind}",
                    english("a second task in a trial is not carried; the first one is."),
                    english("Make it a part of its own."),
                )

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
        settings = choice_settings(answers, keys if with_keys else _first_keys(len(answers)))
        if not with_keys:
            settings["respond_with"] = "buttons"
        found = TaskTrial(self.trial, CHOICE, settings, {"text": ""}, self.before(number))
        found.cells["correct"] = self.right_answer(answers, keys if with_keys else [])
        if not 2 <= len(answers) <= 4:
            self.tell(
                NOT_CARRIED,
                step.line,
                step.waits.kind,
                english("a choice has two to four answers here; this one has {n}.", n=len(answers)),
                english("Ask it as a rating, or with fewer answers."),
            )
        self.others(number + 1)
        return found

    def right_answer(self, answers: Sequence[str], keys: Sequence[str]) -> str:
        """Return the right answer by a column of the row that says it, in words or by its key; empty without one."""
        if self.trial.row is None:
            return ""
        folded = {answer.casefold(): answer for answer in answers}
        folded |= {key.casefold(): answer for key, answer in zip(keys, answers, strict=False)}
        for column, cell in self.trial.row.items():
            if _ANSWERS.search(column) and (right := folded.get(_key_name(plain(cell)).casefold())):
                return right
        return ""

    def typing(self, typed: Sequence[State]) -> TaskTrial:
        number = max(self.step_of(state) for state in typed)
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
        self.others(number + 1)
        return found

    def question(self, since: int, found: TaskTrial, *, of_reading: bool) -> None:
        """Read a question about a text that was read: a controller, a selector, keys."""
        for number in range(since, len(self.followed.steps)):
            step = self.followed.steps[number]
            kind, waits = step.waits.kind, step.waits
            answers: list[str] = []
            asked, right = "", ""
            keys = keys_of(waits)
            if kind == "Controller" and words_of(waits.first) in ("Question", "AcceptabilityJudgment"):
                options = options_of(waits)
                answers, _keys = answers_of(options.get("as"))
                asked = plain(words_of(options.get("q")) or "")
                right = right_of(options.get("hasCorrect"), answers)
                if not asked and not answers:
                    continue
            elif kind == "Selector" and len(members_of(waits)) > 1:
                members = members_of(waits)
                answers = [plain(words_of(state.first) or "") for state in members]
                shown = [one for one in self.new_texts(number) if one not in answers]
                asked, right = " ".join(shown), self.right_answer(answers, keys)
            elif kind == "Key" and len(keys) > 1:
                answers = keys
                asked, right = " ".join(self.new_texts(number)), self.right_answer(answers, keys)
            elif kind in ("Scale", "Slider") and len(scale_labels(waits)) > 1:
                answers = []
                asked = "?"
            else:
                continue
            if not asked:
                self.tell(NOT_CARRIED, step.line, kind, english("a choice after the text has no question."), "")
                continue
            if not answers or not right or "question" in found.cells:
                why = (
                    english("there is one question about a text; this is a further one.")
                    if "question" in found.cells
                    else english("a rating after reading is not carried.")
                    if not answers
                    else english("which answer is right is not said, and a question about a text needs one.")
                )
                self.tell(
                    NOT_CARRIED,
                    step.line,
                    english("question after the text"),
                    why,
                    english("Add the columns question, choices and answer to the materials."),
                )
                continue
            found.cells |= {"question": asked, "choices": " | ".join(answers), "answer": right}
            self.tell(
                CARRIED,
                step.line,
                english("question after the text"),
                english("the columns question, choices and answer; choices come in random order."),
            )

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
        if _SPECIAL.fullmatch(said) or _key_name(said) != said.lower():
            found.append(_key_name(said))
        else:
            found += [_key_name(sign) for sign in said]
    return list(dict.fromkeys(found))


def _key_name(said: str) -> str:
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
            keys.append(_key_name(key))
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
        words = [plain(part) for part in parts if part is not None]
        if len(words) < len(parts):
            return None
        return " |".join(word for word in words if word)
    said = words_of(given)
    if said is None:
        return None
    words = [word for word in plain(said).split() if word]
    if hides_underscores and any("_" in word.strip("_") for word in words):
        return " |".join(" ".join(word.replace("_", " ").split()) for word in words if word.strip("_"))
    return " ".join(words)


def choice_settings(answers: Sequence[str], keys: Sequence[str]) -> dict[str, Any]:
    """Return the settings of a timed choice between answers by keys, at fixed places."""
    clean = [" ".join(answer.replace("|", "/").split())[:40] for answer in answers]
    names = [name if clean.count(name) == 1 else f"{name} {place}" for place, name in enumerate(clean, start=1)]
    return {
        "answers": "\n".join(f"{name} | {key}" for name, key in zip(names, keys, strict=False)),
        "mapping": "fixed",
        "deadline_ms": 0,
        "fixation_ms": 0,
        "feedback_in_practice": False,
        "break_every": 0,
    }


def _first_keys(number: int) -> list[str]:
    return {2: ["f", "j"], 3: ["f", "space", "j"], 4: ["d", "f", "j", "k"]}.get(number, [str(n) for n in range(number)])


def is_pattern(arguments: Sequence[Any]) -> bool:
    """Return whether a test holds an answer against a regular expression."""
    return any(type(one).__name__ == "PatternValue" and one.source not in (".+", ".*", r"\S+") for one in arguments)


def _whole(given: Any, default: int) -> int:
    return int(given) if isinstance(given, int | float) and not isinstance(given, bool) else default


def media_of(content: str) -> str:
    """Return the name of the file that a content is; empty for words."""
    name = content.strip().split("?")[0].rpartition("/")[2]
    return name if is_media_name(name) else ""


__all__ = ["Reader", "Shown", "TaskTrial", "commands_in", "is_sound_name", "media_of"]
