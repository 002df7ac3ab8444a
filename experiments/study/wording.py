"""Store what a study says in words of its own: texts of the interface, and its texts in further languages.

Both are frozen at opening, like instructions; but for what may be changed of an open study in the main language, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from experiments.formats.faults import FaultsFound
from experiments.models import Study
from experiments.rules.interface_texts import is_from_right, written_texts
from experiments.rules.own_texts import OF_STUDY, own_texts, translation_faults
from experiments.rules.server_texts import server_texts
from experiments.rules.wording import DIRECTION, LANGUAGE, in_sections, known_texts, read_wording
from experiments.study.audit import record
from experiments.study.editing import agreed_texts, locked, locked_draft, renew_consents
from experiments.study.refusals import FrozenStudy

# Number of changes that the history lists one by one.
_MOST_TOLD = 10


class WordingFaults(FaultsFound):
    """A wording cannot be stored. `faults` holds everything that is wrong; nothing was stored."""


@transaction.atomic
def save_wording(study: Study, wording: Mapping[str, Any], user: Any) -> Study:
    """Replace the wording of a draft; an empty one brings all texts of the language back.

    Raises FrozenStudy, and WordingFaults with everything that is wrong.
    """
    study = locked_draft(study)
    kept, faults = read_wording(wording, study.language)
    if faults:
        raise WordingFaults(faults)
    changed = [key for key in {**study.wording, **kept} if study.wording.get(key) != kept.get(key)]
    if not changed:
        return study
    told = [f"{key}: {study.wording.get(key, '')!r} → {kept.get(key, '')!r}" for key in changed[:_MOST_TOLD]]
    more = [f"{len(changed) - _MOST_TOLD} more"] if len(changed) > _MOST_TOLD else []
    study.wording = kept
    study.save(update_fields=["wording"])
    record(study, action="wording changed", user=user, detail="; ".join([*told, *more]))
    return study


@transaction.atomic
def save_languages(study: Study, languages: Sequence[str], user: Any) -> Study:
    """Set the further languages of a draft. What was said in one that is no longer among them is erased.

    Raises FrozenStudy, and WordingFaults where a language does not exist or is there twice.
    """
    study = locked_draft(study.said_in(""))
    languages = list(languages)
    translations = {tag: texts for tag, texts in study.translations.items() if tag in languages}
    if faults := translation_faults(languages, translations, language=study.language):
        raise WordingFaults(faults)
    if languages == study.languages:
        return study
    before, study.languages, study.translations = study.languages, languages, translations
    study.texts.exclude(language="").exclude(language__in=languages).delete()
    study.save(update_fields=["languages", "translations"])
    record(study, action="languages changed", user=user, detail=f"{', '.join(before)} → {', '.join(languages)}")
    return study


@transaction.atomic
def save_translations(study: Study, tag: str, texts: Mapping[str, str], user: Any) -> Study:
    """Set what a study says in one of its further languages at these keys; an empty text is none.

    Of an opened study only what is a fact in the main language, too, may change; its consent then gets a new version.
    Raises FrozenStudy, WordingFaults, and LookupError for a language that the study does not have.
    """
    study = locked(study.said_in(""))
    if tag not in study.languages:
        raise LookupError(tag)
    own = {one.key: one.text for one in own_texts(study)}
    before = study.translations.get(tag, {})
    # What the study says no longer goes with the next change.
    said = {key: text for key, text in {**before, **texts}.items() if key in own and text.strip()}
    said = {key: text.strip() if "\n" in own[key] else " ".join(text.split()) for key, text in said.items()}
    changed = [key for key in {**before, **said} if before.get(key) != said.get(key)]
    if not changed:
        return study
    if study.is_frozen and any(key not in OF_STUDY for key in changed):
        raise FrozenStudy(study)
    translations = {**study.translations, tag: said}
    if faults := translation_faults(study.languages, translations, language=study.language):
        raise WordingFaults(faults)
    agreed = agreed_texts(study)
    study.translations = translations
    study.save(update_fields=["translations"])
    told = [f"{key}: {before.get(key, '')!r} → {said.get(key, '')!r}" for key in changed[:_MOST_TOLD]]
    more = [f"{len(changed) - _MOST_TOLD} more"] if len(changed) > _MOST_TOLD else []
    if study.is_frozen and renew_consents(study, agreed):
        more.append("consent: new version, since it names what changed")
    record(study, action="translations changed", user=user, detail="; ".join([tag, *told, *more]))
    return study


def language_file(tag: str) -> dict[str, Any]:
    """Return the texts of a language as its file has them, with the language and its direction at the top."""
    return {
        LANGUAGE: tag,
        DIRECTION: "rtl" if is_from_right(tag) else "ltr",
        **written_texts(tag),
        **_server_sections(tag),
    }


def _server_sections(tag: str) -> dict[str, Any]:
    return in_sections(
        {
            f"{key}.{form}" if form else key: text
            for key, forms in server_texts(tag).items()
            for form, text in forms.items()
        }
    )


def language_file_of(study: Study) -> dict[str, Any]:
    """Return the texts that participants of a study read, in the form of a language file.

    In a language of its own, without the server's texts that are said in one of the platform.
    """
    whole = language_file(study.language)
    if study.participants_language.partition("-")[0] != study.language:
        whole = {LANGUAGE: "", DIRECTION: "", **written_texts(study.language)}
    said = {LANGUAGE: study.participants_language, DIRECTION: study.participants_direction}
    return {**_merged(whole, in_sections(known_texts(study.wording))), **said}


def _merged(texts: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(texts)
    for key, text in said.items():
        before = merged.get(key, {})
        if isinstance(text, str):
            merged[key] = text
        else:
            merged[key] = _merged(before if isinstance(before, Mapping) else {"other": before}, text)
    return merged
