"""Replace the server's texts for participants by a study's own wording.

Templates and code call gettext; while a study's page is rendered, gettext returns the study's texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from babel import Locale, UnknownLocaleError
from django.utils import translation
from django.utils.translation import trans_real

from experiments.models import Study
from experiments.rules.server_texts import SERVER_TEXTS, Original, values_of
from experiments.rules.wording import faults_of_text, own_language


class _OwnWords:
    """A language's translations, which say of some texts what a study says."""

    def __init__(self, translations: Any, said: Mapping[str, Mapping[str, str]], language: str) -> None:
        self.translations = translations
        self.said = said
        self.language = language

    def __getattr__(self, name: str) -> Any:
        return getattr(self.translations, name)

    def gettext(self, message: str) -> str:
        said = self.said.get(message, {})
        return said[""] if "" in said else str(self.translations.gettext(message))

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        said = self.said.get(singular, {})
        form = _form(self.language, number)
        found = said.get(form) or said.get("other") or said.get("")
        return found or str(self.translations.ngettext(singular, plural, number))


@contextmanager
def in_words_of(study: Study, language: str) -> Iterator[None]:
    """Let the server speak a language of the platform, but for the texts that the study says in its own words."""
    with translation.override(language):
        speak_in_words_of(study, language)
        yield


def speak_in_words_of(study: Study, language: str) -> None:
    """Activate the study's wording in this thread or task, until another language is activated."""
    translation.activate(language)
    said = own_words(study.wording)
    if said:
        of_counts = own_language(study.wording, study.language)
        # Django asks whatever is active here; it has no other place at which a text may differ between requests.
        trans_real._active.value = _OwnWords(  # type: ignore[attr-defined]
            trans_real.translation(language), said, of_counts
        )


def own_words(wording: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what a wording says instead of the server's texts, by the English ones, as gettext has them.

    What would not be taken today is left out: texts stand in pages as they are.
    """
    found: dict[str, dict[str, str]] = {}
    for place, text in wording.items():
        key, form = (place, "") if place in SERVER_TEXTS else _without_form(place)
        if key and not faults_of_text(place, text):
            original = SERVER_TEXTS[key]
            found.setdefault(original if isinstance(original, str) else original[0], {})[form] = _for_gettext(
                text, original
            )
    return found


def _without_form(place: str) -> tuple[str, str]:
    key, _dot, form = place.rpartition(".")
    return (key, form) if isinstance(SERVER_TEXTS.get(key), tuple) else ("", "")


def _for_gettext(text: str, original: Original) -> str:
    """Return a text with its values by their names."""
    values = values_of(original)
    if not values:
        return text
    text = text.replace("%", "%%")
    for number, name in enumerate(values, start=1):
        text = text.replace(f"{{{number}}}", f"%({name})s")
    return text


def _form(tag: str, number: int) -> str:
    try:
        return Locale.parse(tag, sep="-").plural_form(number)
    except (UnknownLocaleError, ValueError):
        return "other"
