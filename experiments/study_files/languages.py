"""Read and write the languages of a study in its file: `languages`, the main one first, and `[translations.<tag>]`.

A table of translations has texts by their keys (`experiments.rules.own_texts`) and, as `texts`, those with versions: by
their kinds, instructions of a study of several tasks as `instructions:<part>`. Standard texts of a draft are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault
from experiments.models import Part, Study, StudyText
from experiments.procedure.mentions import declared_for
from experiments.procedure.texts import texts_of
from experiments.rules.own_texts import translation_faults
from experiments.sentences import Sentence
from experiments.study.editing import save_text
from experiments.study_files.parts import (
    Locate,
    TextDescription,
    checked_texts,
    markup_of,
    nowhere,
    standing_of,
)

TEXTS = "texts"
_INSTRUCTIONS = StudyText.Kind.INSTRUCTIONS.value
Languages = dict[str, Any]


def checked_languages(
    given: Mapping[str, Any], *, language: str, may_be_empty: bool = False, locate: Locate = nowhere
) -> tuple[Languages, list[Fault]]:
    """Return the further languages of a study file, its translations and its texts in them, and what is wrong.

    `language` is the main language of the study.
    """
    named, tables = given.get("languages", []), given.get("translations", {})
    if not isinstance(named, list) or not all(isinstance(tag, str) for tag in named):
        message = Sentence('\'languages\' must be a list of tags, the main language first, such as ["en", "de"].')
        return {}, [Fault(line=locate(["languages"]), message=message)]
    if named and named[0] != language:
        message = Sentence(
            "The first of the languages is the main one, and 'language' says '{language}'.", language=language
        )
        return {}, [Fault(line=locate(["languages"]), message=message)]
    if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
        message = Sentence("'translations' must be tables, such as [translations.de].")
        return {}, [Fault(line=locate(["translations"]), message=message)]
    translations = {tag: {key: text for key, text in table.items() if key != TEXTS} for tag, table in tables.items()}
    faults = [
        replace(fault, line=locate(["translations"]) if translations else locate(["languages"]))
        for fault in translation_faults(named[1:], translations, language=language)
    ]
    texts: dict[str, dict[str, TextDescription]] = {}
    for tag, table in tables.items():
        found, wrong = _checked_texts(table.get(TEXTS, {}), tag, may_be_empty=may_be_empty)
        faults += [replace(fault, line=fault.line or locate(["translations", tag, TEXTS])) for fault in wrong]
        texts[tag] = found
    if faults:
        return {}, faults
    return {"languages": named[1:], "translations": translations, "texts_in": texts}, []


def _checked_texts(given: Any, tag: str, *, may_be_empty: bool) -> tuple[dict[str, TextDescription], list[Fault]]:
    if not isinstance(given, Mapping):
        return {}, [Fault(message=Sentence("'translations.{language}.texts' must be a table.", language=tag))]
    texts: dict[str, TextDescription] = {}
    faults: list[Fault] = []
    for name, text in given.items():
        kind = name.partition(":")[0] if str(name).startswith(f"{_INSTRUCTIONS}:") else name
        found, wrong = checked_texts({kind: text}, language=tag, may_be_empty=may_be_empty)
        faults += wrong
        texts |= {str(name): one for one in found.values()}
    return texts, faults


def plain_languages(study: Study) -> dict[str, Any]:
    """Return what a study file says of the languages of a study; nothing of a study in one."""
    if not study.languages:
        return {}
    tables = {}
    for tag in study.languages:
        texts = dict(_plain_texts(study.said_in(tag)))
        tables[tag] = {**study.translations.get(tag, {}), **({TEXTS: texts} if texts else {})}
    return {"languages": study.all_languages, "translations": {tag: table for tag, table in tables.items() if table}}


def _plain_texts(study: Study) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, task, text in texts_of(study):
        if text is None or text._state.adding:
            continue
        plain: dict[str, Any] = {"body": text.body, **markup_of(text)}
        if not study.is_frozen and kind != _INSTRUCTIONS:
            plain |= standing_of(text, declared_for(study, kind))
        elif not study.is_frozen and text.is_default:
            continue
        if kind == StudyText.Kind.CONSENT:
            plain |= {"required": text.required_boxes, "optional": text.optional_boxes}
        yield (f"{kind}:{task.name}" if task is not None and study.has_several_tasks else kind), plain


def store_texts_in(study: Study, texts: Mapping[str, Mapping[str, TextDescription]], user: Any) -> None:
    """Store the texts of a study file in its further languages."""
    for tag, described in texts.items():
        said = study.said_in(tag)
        for name, text in described.items():
            kind, _colon, part = name.partition(":")
            if part and not any(one.name == part and one.kind == Part.Kind.TASK for one in study.ordered_parts):
                continue
            if text.is_standard:
                continue
            save_text(
                said.seen_through(part),
                kind,
                text.body,
                user,
                required_boxes=list(text.required),
                optional_boxes=list(text.optional),
                markup=text.markup,
                mentions=text.mentions,
                replace=True,
            )
