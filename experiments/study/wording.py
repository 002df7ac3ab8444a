"""Store a study's own wording of interface texts, which is frozen at opening, like instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from experiments.formats.faults import FaultsFound
from experiments.models import Study
from experiments.rules.interface_texts import is_from_right, written_texts
from experiments.rules.server_texts import server_texts
from experiments.rules.wording import DIRECTION, LANGUAGE, in_sections, known_texts, read_wording
from experiments.study.audit import record
from experiments.study.editing import locked_draft

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
