"""Read the interface texts for participants by language, from the front-end build."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.plural import PluralRule
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from experiments.languages import LANGUAGES
from experiments.rules.server_texts import server_texts

# The plural categories of Unicode CLDR.
FORMS = ("zero", "one", "two", "few", "many", "other")
# A language needs the categories of whole numbers up to here; "many" for millions is not needed.
_COUNTS = range(201)


@cache
def interface_texts(tag: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of a language by their keys, such as `pages.next`, in the order of the English ones.

    Each text is a mapping of forms: `{"": "Continue"}`, or `{"one": …, "other": …}` if it depends on a count. Raises
    LookupError for an unknown language, ImproperlyConfigured if the front end has not been built.
    """
    found = dict(_texts_in(written_texts(tag)))
    if tag == "en":
        return found
    return {key: found[key] for key in interface_texts("en")}


@cache
def participants_texts(tag: str) -> Mapping[str, Mapping[str, str]]:
    """Return all texts that a study may replace: those of the browser, then those of the server."""
    return {**interface_texts(tag), **server_texts(tag)}


def written_texts(tag: str) -> dict[str, Any]:
    """Return the sections of a language as its file has them. Raises what `interface_texts` raises."""
    if tag not in LANGUAGES:
        raise LookupError(f"There is no language '{tag}'.")
    path = Path(settings.FRONTEND_DIST) / "languages" / f"{tag}.json"
    try:
        sections: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ImproperlyConfigured(f"{path} is missing. Run `npm run build` in frontend/.") from error
    return sections


def is_from_right(tag: str) -> bool:
    """Return whether a language of the platform is written from right to left.

    >>> is_from_right("ar"), is_from_right("pt")
    (True, False)
    """
    return bool(Locale.parse(tag, sep="-").text_direction == "rtl")


def forms_in(tag: str) -> tuple[str, ...]:
    """Return the CLDR plural categories that a language uses for whole numbers up to 200.

    >>> forms_in("pl"), forms_in("fr"), forms_in("xx")
    (('one', 'few', 'many', 'other'), ('one', 'other'), ('other',))
    """
    rule = _plural_rule(tag)
    found = {"other"} if rule is None else {"other", *(rule(count) for count in _COUNTS)}
    return tuple(form for form in FORMS if form in found)


def form_of(tag: str, count: int) -> str:
    """Return the CLDR plural category of a whole number in a language; `other` for an unknown language.

    >>> form_of("pl", 1), form_of("pl", 3), form_of("pl", 5), form_of("xx", 1)
    ('one', 'few', 'many', 'other')
    """
    rule = _plural_rule(tag)
    return "other" if rule is None else str(rule(count))


def possible_forms(tag: str) -> tuple[str, ...]:
    """Return all CLDR plural categories of a language; all six for an unknown language.

    >>> possible_forms("fr"), len(possible_forms("xx"))
    (('one', 'many', 'other'), 6)
    """
    rule = _plural_rule(tag)
    return tuple(form for form in FORMS if rule is None or form in {"other", *rule.tags})


def _plural_rule(tag: str) -> PluralRule | None:
    try:
        return Locale.parse(tag, sep="-").plural_form
    except (UnknownLocaleError, ValueError):
        return None


def _texts_in(texts: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, str]]]:
    for name, inner in texts.items():
        key = f"{place}{name}"
        if isinstance(inner, str):
            yield key, {"": inner}
        elif isinstance(inner.get("other"), str) and ("one" in inner or "many" in inner):
            yield key, inner
        else:
            yield from _texts_in(inner, f"{key}.")
