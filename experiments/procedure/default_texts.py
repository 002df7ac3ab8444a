"""Standard texts, with which a study begins: composed of what its parts and sources declare, in its language.

`experiments/examples/defaults/<language>/` has what every study says (`study.toml`), what each paradigm says of itself
(`<paradigm>.toml`), and what questionnaires, media, sources and several parts add (`parts.toml`). Texts are in the
template language of Django; what parts declare are whole sentences by name, in tables `[doing]`, `[stored]`, `[ask]`. A
paradigm without a file uses `other.toml`.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.template import Context, Engine, Template

from experiments.languages import language_of_texts
from experiments.paradigms import known_paradigm
from experiments.paradigms.declarations import TaskSentences
from experiments.procedure.facts_for_texts import QuestionnaireFacts, StudyFacts, TaskFacts
from experiments.procedure.markdown import escaped
from experiments.questionnaire.kinds import STORED_OF_KIND
from experiments.rules.interface_texts import form_of
from experiments.rules.sources import KINDS as KINDS_OF_SOURCES
from experiments.rules.sources import NAMED_IN_TEXTS

DEFAULTS = Path(__file__).resolve().parents[1] / "examples" / "defaults"
OTHER = "other"
# What a paradigm's file says of itself in templates; `instructions` are a text of their own.
SAID = ("purpose", "opening", "then", "thanks", "about")
# The sources of which nothing further is known than that people may come through a recruitment service.
ANY_SOURCE = "other"
# With what keys of the whole study begin; names of parts begin with a letter.
WHOLE = "@"


@dataclass(frozen=True)
class Declared:
    """A sentence that a part of a study, or the study as a whole, declares for one of its texts.

    `key` names it in every language: the name of the part with the place and name of the sentence, such as
    `recall:stored.sums`; of the whole study `@media` or `@sources.prolific`. `is_point`: it is a point of a list.
    """

    key: str
    sentence: str
    is_point: bool = False

    @property
    def plain(self) -> str:
        """The sentence without marks that keep a researcher's own words safe in Markdown."""
        return re.sub(r"\\(.)", r"\1", self.sentence)

    @property
    def part(self) -> str:
        """The name of the part; empty where it is about the whole study."""
        return self.key.rpartition(":")[0]

    @property
    def place(self) -> str:
        """Where the sentence stands among its kind: `doing`, `stored`, `about`, or nothing for the whole study."""
        return "" if self.key.startswith(WHOLE) else self.key.rpartition(":")[2].partition(".")[0]


def default_body(
    kind: str, *, paradigm: str, language: str, facts: StudyFacts | None = None, task: TaskFacts | None = None
) -> str:
    """Return a text with which a study begins, placeholders such as {title} included.

    Without `facts` and `task`, the text of a study of one task with the default settings of `paradigm`. `task` is the
    one whose instructions are asked for. A language without texts uses the English ones.

    Raises LookupError for a kind that has no text.

    >>> "how natural each one sounds" in default_body("welcome", paradigm="magnitude-estimation", language="en")
    True
    """
    language = language_of_texts(language)
    facts = facts or StudyFacts([task or TaskFacts(paradigm)])
    if kind == "instructions":
        task = task or facts.tasks[0]
        template = _own(language, task.slug)["instructions"]
        return _made(template, _context(task, language))
    template = _file(language, "study").get(kind)
    if not isinstance(template, str):
        raise LookupError(f"There is no default text '{kind}' in the language '{language}'.")
    return _made(template, _composed(facts, language))


def _composed(facts: StudyFacts, language: str) -> dict[str, Any]:
    """Return what the templates of the whole study read: every sentence once, in the order of the parts."""
    parts = _file(language, "parts")
    said = {place: _said_by_tasks(facts, language, place) for place in SAID}
    consent = declared_in("consent", facts, language)
    at_first = next((n for n, part in enumerate(facts.parts) if isinstance(part, TaskFacts)), 0)
    ordered = {"some": facts.not_all, "order": facts.orders}
    return {
        "several": len(facts.tasks) > 1 or any(_is_further(part) for part in facts.parts),
        "lead": parts["lead"],
        "opening": said["opening"][0],
        "doing": _with_minutes(facts, consent, language),
        "order": [parts[name] for name, holds in ordered.items() if holds],
        "before": _once(_then(part, language) for part in facts.parts[:at_first]),
        "after": _once(_then(part, language) for part in facts.parts[at_first:]),
        "ask": parts["space"].join(_asked(facts, language)),
        "lead_of_purposes": parts["purposes"],
        "purposes": said["purpose"],
        "stored": _once(each.sentence for each in consent if each.place == "stored"),
        "further": _once(each.sentence for each in consent if not each.place),
        "thanks": parts["space"].join(said["thanks"]),
        "about": said["about"],
        "practice": any(each.practice for each in facts.tasks),
        "fillers": any(each.fillers for each in facts.tasks),
        "space": parts["space"],
    }


def declared_in(kind: str, facts: StudyFacts, language: str) -> list[Declared]:
    """Return what the parts of a study, in their order, and then the whole of it declare for a text.

    The landing page says what one does, the debriefing what each task was about, the consent what one does, what is
    stored, and how media and sources are dealt with. Instructions are about one task alone: nothing.
    """
    language = language_of_texts(language)
    if kind == "welcome":
        return [each for part in facts.parts for each in _doing(part, language)]
    if kind == "debriefing":
        return [
            Declared(f"{task.name}:about", about)
            for task in facts.tasks
            if (about := _made(_own(language, task.slug)["about"], _context(task, language)))
        ]
    if kind != "consent":
        return []
    found = [each for part in facts.parts for each in _doing(part, language)]
    found += [each for part in facts.parts for each in _stored(part, language)]
    return found + _of_whole(facts, language)


def _with_minutes(facts: StudyFacts, declared: Iterable[Declared], language: str) -> list[str]:
    """Return what one does, each sentence once, with how long all parts of it take together where that is known.

    The sentence about the minutes is declared by no part: an edited text need not have it, and follows no estimate.
    """
    seconds = {part.name: part.seconds for part in facts.parts}
    parts_of: dict[str, list[str]] = {}
    for one in declared:
        if one.place == "doing":
            parts_of.setdefault(one.sentence, []).append(one.part)
    if len(parts_of) < 2 or any(seconds[name] is None for names in parts_of.values() for name in names):
        return list(parts_of)
    space = space_between_sentences(language)
    return [
        f"{sentence}{space}{minutes_in_words(math.fsum(seconds[name] or 0 for name in names), language)}"
        for sentence, names in parts_of.items()
    ]


def minutes_in_words(seconds: float, language: str) -> str:
    """Return the sentence that says how long a part takes, in whole minutes, as `rounded_up` tells them.

    >>> minutes_in_words(20, "en"), minutes_in_words(130, "en"), minutes_in_words(130, "pl")
    ('It takes about 1 minute.', 'It takes about 3 minutes.', 'Zajmuje to około 3 minut.')
    """
    language = language_of_texts(language)
    minutes = rounded_up(max(1, math.ceil(seconds / 60)))
    return _made(_file(language, "parts")["minutes"][form_of(language, minutes)], {"n": minutes})


def without_minutes(text: str, language: str) -> str:
    """Return a text without the sentences that say how long a part takes, to compare texts whatever the estimates are.

    >>> without_minutes("- You read. It takes about 12 minutes.", "en")
    '- You read.'
    """
    return minutes_pattern(language).sub("", text)


@cache
def minutes_pattern(language: str) -> re.Pattern[str]:
    """Return what finds the sentences that say how long a part takes, with the space before them."""
    language = language_of_texts(language)
    forms = _file(language, "parts")["minutes"].values()
    said = (re.escape(form).replace(re.escape("{{ n }}"), r"\d+") for form in forms)
    return re.compile(rf"{re.escape(space_between_sentences(language))}(?:{'|'.join(said)})")


def rounded_up(minutes: int) -> int:
    """Return minutes as people are told them: above ten in steps of five.

    >>> [rounded_up(minutes) for minutes in (3, 10, 11, 20, 31)]
    [3, 10, 15, 20, 35]
    """
    return minutes if minutes <= 10 else math.ceil(minutes / 5) * 5


def _doing(part: TaskFacts | QuestionnaireFacts, language: str) -> list[Declared]:
    if isinstance(part, TaskFacts):
        name = _sentences_of(part).doing
        return [Declared(f"{part.name}:doing.{name}", _own(language, part.slug)["doing"][name])]
    sentences = _file(language, "parts")["doing"]
    if part.is_background:
        return [Declared(f"{part.name}:doing.about_you", sentences["about_you"])]
    sentence = _made(sentences["titled"], {"name": escaped(part.title)}) if part.title else sentences["questionnaire"]
    return [Declared(f"{part.name}:doing.questionnaire", sentence)]


def _stored(part: TaskFacts | QuestionnaireFacts, language: str) -> list[Declared]:
    of_parts = _file(language, "parts")["stored"]
    if isinstance(part, TaskFacts):
        own = {**of_parts, **_own(language, part.slug)["stored"]}
        return [Declared(f"{part.name}:stored.{name}", own[name], is_point=True) for name in _sentences_of(part).stored]
    names = dict.fromkeys(filter(None, (STORED_OF_KIND[kind] for kind in part.kinds)))
    first = "about_you" if part.is_background else "questionnaire"
    # Whatever was asked, the answers as a whole come first, then what is particular about some of them.
    ordered = [first, *(name for name in names if name != "answers")] if names else []
    return [Declared(f"{part.name}:stored.{name}", of_parts[name], is_point=True) for name in ordered]


def _of_whole(facts: StudyFacts, language: str) -> list[Declared]:
    parts = _file(language, "parts")
    found = []
    if any(task.pictures or task.sounds for task in facts.tasks):
        found.append(Declared(f"{WHOLE}media", parts["media"]))
    named = [kind for kind in dict.fromkeys(facts.sources) if kind in NAMED_IN_TEXTS]
    for kind in named:
        sentence = _made(parts["sources"]["named"], {"name": KINDS_OF_SOURCES[kind]})
        found.append(Declared(f"{WHOLE}sources.{kind}", sentence))
    if not named or len(named) < len(set(facts.sources)):
        found.append(Declared(f"{WHOLE}sources.{ANY_SOURCE}", parts["sources"][ANY_SOURCE]))
    return found


def _sentences_of(task: TaskFacts) -> TaskSentences:
    paradigm = known_paradigm(task.slug)
    # Installed packages bring no texts: what is said of them holds of every task.
    if paradigm is None or not _has_file("en", task.slug):
        return TaskSentences()
    return paradigm.sentences_for(paradigm.complete_settings(task.settings), task.shown)


def _said_by_tasks(facts: StudyFacts, language: str, place: str) -> list[str]:
    return _once(_made(_own(language, task.slug)[place], _context(task, language)) for task in facts.tasks)


def _then(part: TaskFacts | QuestionnaireFacts, language: str) -> str:
    if isinstance(part, TaskFacts):
        return _made(_own(language, part.slug)["then"], _context(part, language))
    return str(_file(language, "parts")["then"]["about_you" if part.is_background else "questionnaire"])


def _asked(facts: StudyFacts, language: str) -> list[str]:
    """Return what the tasks need, and then how to take part: the usual sentence only where no task asks for more."""
    wanted = [
        (name, _own(language, task.slug)["ask"][name]) for task in facts.tasks for name in _sentences_of(task).ask
    ]
    if len(facts.tasks) == 1:
        return [sentence for _name, sentence in wanted]
    needs = _once(sentence for name, sentence in wanted if name != "alone")
    alone = _once(sentence for name, sentence in wanted if name == "alone")
    usual = _file(language, OTHER)["ask"]["alone"]
    return [*needs, *([one for one in alone if one != usual] or alone)]


def _is_further(part: TaskFacts | QuestionnaireFacts) -> bool:
    return isinstance(part, QuestionnaireFacts) and not part.is_background


def _once(sentences: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(sentences))


def space_between_sentences(language: str) -> str:
    """Return what stands between two sentences in a language; nothing in Chinese and Japanese."""
    return str(_file(language_of_texts(language), "parts")["space"])


def default_required_boxes(language: str) -> list[str]:
    """Return the statements of a consent that must be ticked."""
    return list(_file(language_of_texts(language), "study")["required_boxes"])


def words_of_texts(language: str) -> Mapping[str, Any]:
    """Return the words by which an edited text is held against the settings: lists by name, and names of keys."""
    whole = _file(language_of_texts(language), "study")
    return {**whole["said"], "names_of_keys": whole["keys"]}


@cache
def _file(language: str, name: str) -> dict[str, Any]:
    return tomllib.loads((DEFAULTS / language / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _has_file(language: str, slug: str) -> bool:
    return (DEFAULTS / language / f"{slug}.toml").is_file()


def _own(language: str, slug: str) -> dict[str, Any]:
    return _file(language, slug if _has_file(language, slug) else OTHER)


@cache
def _template(text: str) -> Template:
    return Template(text, engine=Engine(autoescape=False))


def _made(template: str, context: Mapping[str, Any]) -> str:
    """Render a template; of blank lines in a row one stays."""
    return re.sub(r"\n[ \t]*\n[\s]*\n", "\n\n", _template(template).render(Context(dict(context)))).strip()


def _context(task: TaskFacts, language: str) -> dict[str, Any]:
    names = _file(language, "study")["keys"]
    paradigm = known_paradigm(task.slug)
    settings = paradigm.complete_settings(task.settings) if paradigm else dict(task.settings)
    said = paradigm.facts_for_texts(settings, lambda key: str(names.get(key, key.upper()))) if paradigm else {}
    example = dict(task.example) if task.example else None
    if example:
        label = {answer["name"]: answer["label"] for answer in said.get("answers", ())}
        example = {"text": escaped(example["text"]), "answer": escaped(label.get(example["answer"], ""))}
    return {
        "settings": {name: escaped(value) if isinstance(value, str) else value for name, value in settings.items()},
        "pictures": task.pictures,
        "sounds": task.sounds,
        "comprehension": task.comprehension,
        "practice": task.practice,
        "breaks": bool(settings.get("break_every")),
        "example": example,
        **_escaped(said),
    }


def _escaped(said: Any) -> Any:
    """Return facts with the researcher's own words safe in Markdown."""
    match said:
        case str():
            return escaped(said)
        case Mapping():
            return {name: _escaped(value) for name, value in said.items()}
        case list() | tuple():
            return [_escaped(value) for value in said]
    return said
