"""What opening asks of a study in several languages: that everybody reads everything in their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.languages import name_of
from experiments.materials.store import design_of
from experiments.models import Item, Part, Study, StudyText
from experiments.paradigms import known_paradigm
from experiments.procedure.sessions import ITEM_LANGUAGE
from experiments.procedure.texts import body_faults, texts_of
from experiments.questionnaire.kinds import TEXT
from experiments.rules.own_texts import OwnText, own_texts, translation_faults
from experiments.rules.procedure import checked
from experiments.rules.questions import question_faults
from experiments.sentences import Sentence, counting
from experiments.study.opening.texts import faults_of_piping, text_faults, texts_to_read

_SHOWN = 5
_SHOWN_LETTERS = 40
STEP = "languages"


def untranslated(study: Study, tag: str) -> list[OwnText]:
    """Return the texts of a study's own that people who read it in this further language would read in the main one."""
    said = study.translations.get(tag, {})
    return [one for one in own_texts(study) if not said.get(one.key, "").strip()]


def language_faults(study: Study) -> list[Fault]:
    """Return why people of some language would not read everything in it, or not what others read."""
    study = study.said_in("")
    if faults := translation_faults(study.languages, study.translations, language=study.language):
        return faults
    if not study.languages:
        return []
    found = _material_faults(study)
    for tag in study.languages:
        found += [_in_language(tag, fault) for fault in _faults_in(study, tag)]
    return found


def language_warnings(study: Study) -> list[Fault]:
    """Return what to know of the further languages of a study: texts to read, and texts that may say something else."""
    study = study.said_in("")
    if not study.languages:
        return []
    main = {(kind, task and task.pk): text for kind, task, text in texts_of(study)}
    warnings = []
    for tag in study.languages:
        said = study.said_in(tag)
        warnings += [_in_language(tag, fault) for fault in texts_to_read(said)]
        for kind, task, text in texts_of(said):
            other = main.get((kind, task and task.pk))
            if text is None or other is None or study.is_frozen or text.is_default == other.is_default:
                continue
            one, standard = (tag, study.language) if other.is_default else (study.language, tag)
            message = Sentence(
                "{text}: edited in {edited}, still the standard text in {standard}.",
                text=Sentence(str(StudyText.Kind(kind).label)),
                edited=name_of(one),
                standard=name_of(standard),
            )
            suggestion = Sentence("Check that both say the same.")
            warnings.append(Fault(message=message, suggestion=suggestion, step="texts"))
    typed = [
        str(question["name"])
        for part in study.ordered_parts
        for question in part.questions
        if question["kind"] == TEXT and ("expected" in question)
    ]
    if typed:
        message = Sentence(
            "The checks {names} expect a typed word, which is the same in every language.", names=listed(typed)
        )
        suggestion = Sentence("Ask for a choice or a number instead, which mean the same in all of them.")
        warnings.append(Fault(message=message, suggestion=suggestion, step=STEP))
    return warnings


def _in_language(tag: str, fault: Fault) -> Fault:
    return replace(fault, message=Sentence("{language}: {said}", language=name_of(tag), said=fault.message), step=STEP)


def _faults_in(study: Study, tag: str) -> list[Fault]:
    lacking = untranslated(study, tag)
    said = study.said_in(tag)
    faults = []
    if lacking:
        shown = [one.text if len(one.text) <= _SHOWN_LETTERS else f"{one.text[:_SHOWN_LETTERS]}…" for one in lacking]
        message = counting(
            "{n} text is not translated: {texts}.",
            "{n} texts are not translated: {texts}.",
            len(lacking),
            texts=listed([" ".join(text.split()) for text in shown], shown=_SHOWN),
        )
        faults.append(Fault(message=message, suggestion=Sentence("Translate them under Texts, Languages.")))
    for part in said.ordered_parts:
        faults += [
            replace(fault, message=Sentence("Part '{part}': {said}", part=part.name, said=fault.message))
            for fault in _faults_of_part(part)
        ]
    return faults + text_faults(said) + [fault for fault in faults_of_piping(said) if not faults]


def _faults_of_part(part: Part) -> list[Fault]:
    """Return what is wrong with a part as people of a further language would get it."""
    match part.kind:
        case Part.Kind.PAGE:
            return body_faults(part.body, part.markup)
        case Part.Kind.QUESTIONNAIRE:
            plain = [{key: value for key, value in question.items() if key != "said"} for question in part.questions]
            return question_faults(plain) + [fault for one in part.questions for fault in _choice_faults(one)]
    paradigm = known_paradigm(part.paradigm)
    return checked(paradigm.settings_form, part.settings)[1] if paradigm else []


def _choice_faults(question: Any) -> list[Fault]:
    twice = [text for text, number in Counter(question.get("said", {}).values()).items() if number > 1]
    if not twice:
        return []
    message = Sentence("Question '{name}': two choices read “{text}”.", name=question["name"], text=twice[0])
    return [Fault(message=message, suggestion=Sentence("Translate them so that they can be told apart."))]


def _material_faults(study: Study) -> list[Fault]:
    """Return what is wrong with materials that name the language of their items."""
    faults: list[Fault] = []
    for task in study.tasks:
        place = Sentence("Part '{part}'", part=task.name)
        found = [Sentence("{place}: {said}", place=place, said=said) for said in _language_column_faults(study, task)]
        faults += [Fault(message=said, step="materials") for said in found]
    return faults


def _language_column_faults(study: Study, task: Part) -> list[str]:
    if any(factor["name"] == ITEM_LANGUAGE for factor in task.factors):
        return [
            Sentence(
                "the column 'language' is a factor, as items have texts in several languages. Give the items of every "
                "language codes of their own, such as flood-en and flood-de."
            )
        ]
    items = Item.objects.filter(part=task)
    rows = items.values_list(f"attributes__{ITEM_LANGUAGE}", "is_filler", "is_practice")
    named = {language for language, _filler, _practice in rows if language}
    if not named:
        return []
    said: list[str] = []
    if strange := sorted(named - set(study.all_languages)):
        said.append(
            Sentence("the column 'language' names {names}, which the study does not have.", names=listed(strange))
        )
    targets = {language for language, is_filler, is_practice in rows if not (is_filler or is_practice)}
    if not targets & {"", None}:
        said += [
            Sentence("there are no items in {language}.", language=name_of(tag))
            for tag in study.all_languages
            if tag not in targets
        ]
    if not _lists_are_by_language(task):
        said.append(
            Sentence("its lists are not balanced within each language. Import the materials again to make new lists.")
        )
    return said


def _lists_are_by_language(task: Part) -> bool:
    """Return whether the stored lists are those that the materials give, which balance every language by itself."""
    design = design_of(task)
    stored = {
        (one.item_set, one.index): set(one.stimuli.values_list("item__code", "condition__position"))
        for one in task.lists.all()
    }
    made = {
        (one.item_set, one.index): {
            (design.items[item].code, design.items[item].stimuli[number].condition) for item, number in one.cells
        }
        for one in design.lists
    }
    return stored == made
