"""The texts of a study's own that participants read, each under a key, and the same study said in other words.

One walk over a study serves both: collecting its texts and saying them in another language, so neither can know a text
that the other does not. Keys lead to a text by names, such as `parts.background.age.label`; a choice and a label
are named by what they say in the main language, so a translation never slips to another one. Texts that have versions
of their own (landing page, consent, instructions, debriefing) are rows of the study and not among them.

What is stored stays the same in every language: a choice keeps its name, and `said` of its question says how it is
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.languages import LANGUAGES
from experiments.paradigms import known_paradigm
from experiments.rules.wording.language import LANGUAGE
from experiments.sentences import Sentence

MOST_OF_A_TEXT = 50_000
MOST_TEXTS = 3_000
# What of a study and of a question is said, besides what the walk names one by one.
OF_STUDY = ("title", "notice", "data_protection_note")
OF_QUESTION = ("label", "help", "unit")

# Says what is read at a key instead of this text; an empty answer means that nothing is said there in this language.
Say = Callable[[str, str], str]
Translations = Mapping[str, Mapping[str, str]]


class OwnPart(Protocol):
    """What is read of a part of a study; `experiments.models.Part` has it."""

    name: str
    kind: str
    title: str
    body: str
    paradigm: str
    settings: Any
    procedure: Any
    questions: Any


class OwnStudy(Protocol):
    """What is read of a study; `experiments.models.Study` has it."""

    title: str
    notice: str
    data_protection_note: str
    sources: Any
    wording: Any

    @property
    def ordered_parts(self) -> Sequence[Any]: ...


@dataclass(frozen=True)
class OwnText:
    """A text of a study's own: its key, what it says in the main language, and the name of its part, if it has one."""

    key: str
    text: str
    part: str = ""


def own_texts(study: OwnStudy) -> list[OwnText]:
    """Return the texts of a study's own in the order in which they are read, each key once.

    What has no letters, such as a sign that is shown, says the same in every language.
    """
    found: dict[str, OwnText] = {}

    def collect(part: str) -> Say:
        def say(key: str, text: str) -> str:
            if any(map(str.isalpha, text)):
                found.setdefault(key, OwnText(key, text, part))
            return text

        return say

    study_in_words(study, collect(""))
    for part in study.ordered_parts:
        part_in_words(part, collect(part.name))
    return list(found.values())


def translated(texts: Mapping[str, str]) -> Say:
    """Return what says these texts by their keys, and nothing where they lack one."""
    return lambda key, _text: texts.get(key, "")


def study_in_words(study: OwnStudy, say: Say) -> dict[str, Any]:
    """Return the fields of a study that hold texts of its own, said in other words; what is not said stays as it is.

    Except in the `wording`: there a text that is not said is left to the platform's own words in the language.
    """
    fields: dict[str, Any] = {name: _said(say, name, getattr(study, name)) for name in OF_STUDY}
    fields["sources"] = [_source_in_words(source, say) for source in study.sources]
    fields["wording"] = wording_in_words(study.wording, say)
    return fields


def wording_in_words(wording: Mapping[str, str], say: Say) -> dict[str, str]:
    """Return the texts that a study has instead of the platform's, said in other words, without those not said.

    A study with a whole language from a file has none: that file is for the main language, others are the platform's.
    """
    if LANGUAGE in wording:
        return {}
    said = {key: say(f"wording.{key}", text) for key, text in wording.items()}
    return {key: text for key, text in said.items() if text}


def part_in_words(part: OwnPart, say: Say) -> dict[str, Any]:
    """Return the fields of a part that hold texts of its own, said in other words; what is not said stays as it is."""
    place = f"parts.{part.name}"
    fields: dict[str, Any] = {"title": _said(say, f"{place}.title", part.title)}
    match part.kind:
        case "page":
            fields["body"] = _said(say, f"{place}.body", part.body)
        case "questionnaire":
            fields["questions"] = [_question_in_words(question, place, say) for question in part.questions]
            if rules := part.settings.get("screening"):
                told = [
                    {**rule, "message": _said(say, f"{place}.screening.{number}", rule["message"])}
                    if rule.get("message")
                    else rule
                    for number, rule in enumerate(rules, start=1)
                ]
                fields["settings"] = {**part.settings, "screening": told}
        case _:
            fields["settings"] = _settings_in_words(part, f"{place}.settings", say)
            if said := part.procedure.get("block_instructions"):
                texts = {name: _said(say, f"{place}.blocks.{name}", text) for name, text in said.items()}
                fields["procedure"] = {**part.procedure, "block_instructions": texts}
    return fields


def _said(say: Say, key: str, text: str) -> str:
    return say(key, text) or text


def _source_in_words(source: Mapping[str, Any], say: Say) -> dict[str, Any]:
    outcomes = {
        outcome: {**given, "text": _said(say, f"sources.{source['name']}.{outcome}", given["text"])}
        if given.get("text")
        else given
        for outcome, given in (source.get("outcomes") or {}).items()
    }
    return {**source, "outcomes": outcomes} if outcomes else dict(source)


def _question_in_words(question: Mapping[str, Any], place: str, say: Say) -> dict[str, Any]:
    place = f"{place}.{question['name']}"
    told = {
        **question,
        **{key: _said(say, f"{place}.{key}", question[key]) for key in OF_QUESTION if question.get(key)},
    }
    if choices := question.get("choices"):
        shown = {choice: _said(say, f"{place}.choices.{choice}", choice) for choice in choices}
        if any(choice != text for choice, text in shown.items()):
            told["said"] = shown
    if labels := question.get("labels"):
        told["labels"] = [_said(say, f"{place}.labels.{label}", label) for label in labels]
    if items := question.get("items"):
        told["items"] = [
            {**item, "label": _said(say, f"{place}.items.{item['name']}", item["label"])} for item in items
        ]
    return told


def _settings_in_words(part: OwnPart, place: str, say: Say) -> dict[str, Any]:
    """Return the settings of a task with those that its fields know as texts of participants said in other words."""
    paradigm = known_paradigm(part.paradigm)
    settings = dict(part.settings)
    if paradigm is None:
        return settings
    complete = paradigm.complete_settings(settings)
    for name, field in paradigm.settings_form.base_fields.items():
        in_words = getattr(field, "in_words", None)
        if in_words is None or not complete.get(name):
            continue
        said = in_words(complete[name], lambda key, text, name=name: _said(say, f"{place}.{name}{key}", text))
        if said != complete[name]:
            settings[name] = said
    return settings


def translation_faults(languages: Any, translations: Any, *, language: str) -> list[Fault]:
    """Return what is wrong with the further languages of a study and with its texts in them, by their shape.

    `language` is the main one. Keys that the study does not have are no fault: its texts may have changed since.
    """
    faults: list[Fault] = []

    def fault(message: str, suggestion: str = "") -> None:
        faults.append(Fault(message=message, suggestion=suggestion, step="languages"))

    if not isinstance(languages, list) or not all(isinstance(tag, str) for tag in languages):
        return [Fault(message=Sentence("The further languages must be a list of tags, such as de."), step="languages")]
    for tag in dict.fromkeys(languages):
        if tag not in LANGUAGES:
            known = Sentence("Possible names: {names}.", names=listed(list(LANGUAGES), shown=30))
            fault(
                Sentence("The platform does not have the language '{language}'.", language=tag),
                did_you_mean(tag, list(LANGUAGES)) or known,
            )
        elif tag == language:
            fault(Sentence("'{language}' is the main language already; leave it out.", language=tag))
        elif languages.count(tag) > 1:
            fault(Sentence("The language '{language}' appears twice.", language=tag))
    if not isinstance(translations, Mapping) or not all(isinstance(texts, Mapping) for texts in translations.values()):
        fault(Sentence("The translations must be tables of texts, one for each further language."))
        return faults
    for tag, texts in translations.items():
        if tag not in languages:
            fault(
                Sentence("The study has translations into '{language}', but not this further language.", language=tag),
                Sentence("Add it to the languages of the study, or leave them out."),
            )
        if len(texts) > MOST_TEXTS:
            fault(Sentence("There are more than {most} translations into '{language}'.", most=MOST_TEXTS, language=tag))
            continue
        for key, text in texts.items():
            if not isinstance(key, str) or not isinstance(text, str) or len(text) > MOST_OF_A_TEXT or "\x00" in text:
                fault(
                    Sentence(
                        "The translation of '{key}' into '{language}' must be a text of at most {most} characters.",
                        key=str(key)[:80],
                        language=tag,
                        most=MOST_OF_A_TEXT,
                    )
                )
    return faults
