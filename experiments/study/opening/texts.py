"""Faults of participants' texts, such as missing ones, and warnings about texts in another language than theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault, spoken
from experiments.languages import LANGUAGES, language_of_texts, name_of
from experiments.models import Part, Study, StudyText
from experiments.paradigms import known_paradigm
from experiments.procedure.default_texts import default_required_boxes
from experiments.procedure.durations import told_minutes
from experiments.procedure.mentions import Lacking, lacking_texts
from experiments.procedure.piping import pipes, piping_faults
from experiments.procedure.stages import questionnaires_before
from experiments.procedure.texts import KINDS, current_text, default_text, texts_of
from experiments.questionnaire.scores import all_variables
from experiments.rules.questions import question_faults
from experiments.rules.wording import DIRECTION, LANGUAGE, changes_since
from experiments.sentences import Sentence, counting


def faults_of_piping(study: Study) -> list[Fault]:
    """Return why texts cannot name earlier answers as they do; nothing as long as questions are not sound."""
    if any(question_faults(part.questions) for part in study.ordered_parts):
        return []
    parts = study.ordered_parts
    later = [one.name for part in parts for one in all_variables(part.questions)]
    of_some = [part.name for part in parts if part.groups or part.shown_if]
    faults = []
    for part in parts:
        questionnaires = questionnaires_before(parts, part)
        place = Sentence("Part '{name}'", name=part.name)
        texts = [part.title, part.body, part.questions]
        faults += piping_faults(place, texts, questionnaires, later, of_some=of_some)
        if part.kind == Part.Kind.TASK and (text := current_text(study, StudyText.Kind.INSTRUCTIONS, part)):
            place = Sentence("Instructions of '{name}'", name=part.name)
            faults += piping_faults(place, [text.body], questionnaires, later, of_some=of_some, step="texts")
    for kind in KINDS:
        if kind != StudyText.Kind.INSTRUCTIONS and (text := current_text(study, kind)) and pipes(text.body):
            message = Sentence("A text outside the session names an answer.")
            advice = Sentence("Only pages, questions and instructions can name answers.")
            faults.append(Fault(message=message, suggestion=advice, step="texts"))
    return faults


def _unmentioned(kind: str, sentence: str) -> Sentence:
    match kind:
        case StudyText.Kind.WELCOME:
            return Sentence("The text of the landing page does not mention: “{sentence}”", sentence=sentence)
        case StudyText.Kind.CONSENT:
            return Sentence("The consent does not mention: “{sentence}”", sentence=sentence)
    return Sentence("The debriefing does not mention: “{sentence}”", sentence=sentence)


def _gone(kind: str, part: str) -> Sentence:
    match kind:
        case StudyText.Kind.WELCOME:
            return Sentence(
                "The part '{part}' was removed, but the text of the landing page may still mention it.", part=part
            )
        case StudyText.Kind.CONSENT:
            return Sentence("The part '{part}' was removed, but the consent may still mention it.", part=part)
    return Sentence("The part '{part}' was removed, but the debriefing may still mention it.", part=part)


def mention_faults(lacking: Lacking) -> list[Fault]:
    """Return what an edited text does not mention, and which parts it may still mention that are gone."""
    found = []
    for one in lacking.sentences:
        said = _unmentioned(lacking.kind, one.plain)
        message = Sentence("Part '{part}': {said}", part=one.part, said=said) if one.part else said
        found.append(Fault(message=message, step="texts"))
    return found + gone_faults(lacking)


def gone_faults(lacking: Lacking) -> list[Fault]:
    """Return which parts an edited text may still mention that there are no longer."""
    return [Fault(message=_gone(lacking.kind, part), step="texts") for part in lacking.gone]


def mention_warnings(study: Study) -> list[Fault]:
    """Return what edited texts of a draft do not mention although parts and sources declare it, with what to do."""
    advice = Sentence(
        "On the page Texts, insert the standard sentence, write your own, or confirm that the text is right."
    )
    return [replace(fault, suggestion=advice) for lacking in lacking_texts(study) for fault in mention_faults(lacking)]


def wording_warnings(study: Study) -> list[Fault]:
    """Return what to know of a draft's own texts: that they are there, and what today's interface makes of them."""
    if study.is_frozen or not study.wording:
        return []
    warnings = []
    n = sum(key not in (LANGUAGE, DIRECTION) for key in study.wording)
    if n and study.participants_language.partition("-")[0] == study.language:
        message = counting(
            "The study has {n} text of its own, which appears among texts in {language}.",
            "The study has {n} texts of its own, which appear among texts in {language}.",
            n,
            language=name_of(study.language),
        )
        advice = Sentence(
            "Check that they are in this language, especially if somebody changed the language of the study."
        )
        warnings.append(Fault(message=message, suggestion=advice, step="texts"))
    return warnings + changes_since(study.wording, study.language)


def texts_to_read(study: Study) -> list[Fault]:
    """Return which texts are still those with which a study begins, where somebody has to write or to read them.

    That is where participants read another language, and where no native speaker has read the platform's texts. Texts
    begin in the language of the study, where the platform has texts in it, otherwise in English; questions about texts
    in English or German.
    """
    read = study.participants_language.partition("-")[0]
    begun = language_of_texts(study.language)
    is_unread = not (LANGUAGES[begun].is_read or study.is_frozen)
    texts = _begun_texts(study, begun) if begun != read or is_unread else []
    foreign = {begun: texts} if begun != read else {}
    if read != "en":
        foreign["en"] = [*foreign.get("en", ()), *_begun_questions(study)]
    warnings = [
        Fault(
            message=Sentence(
                "The pages are in {pages}, but these texts are still in {language}: {texts}.",
                pages=name_of(study.participants_language),
                language=name_of(language),
                texts=spoken(names, ", "),
            ),
            suggestion=Sentence("Write them in the language of the participants."),
            step="texts",
        )
        for language, names in foreign.items()
        if names
    ]
    if is_unread and texts:
        message = Sentence(
            "No native speaker has checked the platform's texts in {language} yet, and these are still "
            "unchanged: {texts}.",
            language=name_of(begun),
            texts=spoken(texts, ", "),
        )
        advice = Sentence("Ask a native speaker to read them, especially the consent.")
        warnings.append(Fault(message=message, suggestion=advice, step="texts"))
    return warnings


def _begun_texts(study: Study, begun: str) -> list[str]:
    """Return the names of the texts that are those with which a study in this language begins."""
    found: list[str] = []
    boxes = set(default_required_boxes(begun))
    names = {
        StudyText.Kind.WELCOME: Sentence("the text of the landing page"),
        StudyText.Kind.CONSENT: Sentence("the consent"),
        StudyText.Kind.INSTRUCTIONS: Sentence("the instructions"),
        StudyText.Kind.DEBRIEFING: Sentence("the debriefing"),
    }
    for kind, task, text in texts_of(study):
        if text and (
            text.is_default
            or text.body.strip() == default_text(study, kind, task)
            or boxes.intersection(text.required_boxes)
        ):
            name = names[StudyText.Kind(kind)]
            if task and study.has_several_tasks:
                found.append(Sentence("{text} of part '{part}'", text=name, part=task.name))
            else:
                found.append(name)
    return found


# Settings that participants read, and with which a task in English begins.
_READ_SETTINGS = ("questions", "ratings", "answers")


def _begun_questions(study: Study) -> list[str]:
    """Return the names of the questions about texts, and of the answers, that are the English ones of the beginning."""
    several = study.has_several_tasks
    found: list[str] = []
    for task in study.tasks:
        for setting in _as_in_the_beginning(task):
            if setting == "answers":
                one = Sentence("the answers")
                found.append(Sentence("the answers of part '{part}'", part=task.name) if several else one)
            else:
                one = Sentence("the rating questions")
                found.append(Sentence("the questions of part '{part}'", part=task.name) if several else one)
    return found


def _as_in_the_beginning(task: Part) -> list[str]:
    """Return the settings that participants read and that are what a task in English begins with."""
    paradigm = known_paradigm(task.paradigm)
    if paradigm is None:
        return []
    begun = {name: field.initial for name, field in paradigm.settings_form.base_fields.items() if field.initial}
    now = paradigm.complete_settings(task.settings)
    return [name for name in _READ_SETTINGS if name in begun and _plain(now[name]) == _plain(begun[name])]


def _plain(setting: Any) -> Any:
    return setting if isinstance(setting, str) else [dict(one) for one in setting]


def text_faults(study: Study) -> list[Fault]:
    faults, named = [], dict[str, str]()
    empty = {
        "welcome": Sentence("The text of the landing page is empty."),
        "consent": Sentence("The consent is empty."),
        "instructions": Sentence("The instructions are empty."),
        "debriefing": Sentence("The debriefing is empty."),
    }
    undated = {
        "welcome": Sentence(
            "The text of the landing page gives the duration with {{minutes}}, but the study has no estimated duration."
        ),
        "consent": Sentence(
            "The consent gives the duration with {{minutes}}, but the study has no estimated duration."
        ),
        "instructions": Sentence(
            "The instructions give the duration with {{minutes}}, but the study has no estimated duration."
        ),
        "debriefing": Sentence(
            "The debriefing gives the duration with {{minutes}}, but the study has no estimated duration."
        ),
    }
    for kind in empty:
        text = current_text(study, kind)
        if text is None or not text.body.strip():
            faults.append(Fault(message=empty[kind], step="texts"))
        elif kind == "consent" and not text.required_boxes:
            faults.append(Fault(message=Sentence("The consent has no box that must be ticked."), step="texts"))
        if kind == "instructions":
            others = {task.name: current_text(study, kind, task) for task in study.tasks[1:]}
            faults += [
                Fault(message=Sentence("Part '{part}': {said}", part=task, said=empty[kind]), step="texts")
                for task, other in others.items()
                if not (other and other.body.strip())
            ]
            named |= {
                Sentence(
                    "The instructions of part '{part}' give the duration with {{minutes}}, but the study has no "
                    "estimated duration.",
                    part=task,
                ): other.body
                for task, other in others.items()
                if other
            }
        if text:
            named[undated[kind]] = text.body
    named |= {
        Sentence(
            "The page '{page}' gives the duration with {{minutes}}, but the study has no estimated duration.",
            page=part.label,
        ): part.body
        for part in study.ordered_parts
        if part.kind == Part.Kind.PAGE
    }
    if any("{minutes}" in body for body in named.values()) and not told_minutes(study):
        faults += [Fault(message=message, step="settings") for message, body in named.items() if "{minutes}" in body]
    return faults
