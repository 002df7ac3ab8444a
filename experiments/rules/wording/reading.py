"""Validate a whole wording, and convert it to the stored form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, did_you_mean
from experiments.rules.interface_texts import FORMS, forms_in, participants_texts, possible_forms
from experiments.rules.server_texts import is_of_server
from experiments.rules.wording.faults import fault_at, first_of
from experiments.rules.wording.language import DIRECTION, LANGUAGE, declared_language
from experiments.rules.wording.texts import form_fault, key_of, text_faults

DEEPEST = 4
# A text has at most as many entries as there are forms; more means that it is another kind of file.
_MOST_PLACES = len(FORMS)
_MOST_SUGGESTIONS = 20


def read_wording(given: Any, language: str, *, whole: bool = False) -> tuple[dict[str, str], list[Fault]]:
    """Return a wording as a study keeps it, in the order of the texts, and everything that is wrong with it.

    `given` may be in sections, as language files are. With `whole` no text may be missing, as in another language.
    """
    kept, faults = read(given, language, whole=whole)
    return kept, first_of(faults)


def read_kept_wording(given: Any, language: str) -> tuple[dict[str, str], list[Fault]]:
    """Return the wording of an archive, which another version of the platform may have written, and its faults.

    Texts that the interface does not have are left out, and any may be missing.
    """
    kept, faults = read(given, language, is_kept=True)
    return kept, first_of(faults)


def read(
    given: Any, language: str, *, whole: bool = False, is_kept: bool = False
) -> tuple[dict[str, str], list[Fault]]:
    """Return the texts in their order and every fault; no text where there is any. `is_kept`: as archives have them."""
    if not isinstance(given, Mapping):
        return {}, [fault_at("", _("The wording must be a table that gives keys their texts."))]
    if not given and not whole:
        return {}, []
    flat = dict(_flat(given))
    texts = participants_texts("en")
    if len(flat) > _MOST_PLACES * len(texts):
        said = {"given": len(flat), "texts": len(texts)}
        message = _("There are %(given)d texts, but the interface has %(texts)d.") % said
        return {}, [fault_at("", message, _("Start from the English file on the page Texts → Interface."))]
    own, faults = declared_language(flat, language, is_kept=is_kept)
    whole = not is_kept and (whole or own.partition("-")[0] != language)
    known = (*texts, *(f"{one}.{each}" for one, forms in texts.items() if "" not in forms for each in forms))
    unknown = 0
    found: dict[str, dict[str, str]] = {}
    for place, text in flat.items():
        if place in (LANGUAGE, DIRECTION):
            continue
        key, form = key_of(place, texts)
        if not key:
            unknown += 1
            if not is_kept:
                suggestion = did_you_mean(place, known) if unknown <= _MOST_SUGGESTIONS else ""
                faults.append(fault_at(place, _("There is no text with this key."), suggestion))
            continue
        wrong = text_faults(place, text, form, texts[key])
        # The language of a draft may have been changed after its texts were written; *Open* says what that leaves.
        if form and form not in possible_forms(own) and not is_kept:
            wrong.append(form_fault(place, form, own))
        faults += wrong
        if not wrong:
            found.setdefault(key, {})[form] = text
    faults += [
        fault_at(key, _("The text appears both as a whole and in forms for counts."), _("Delete one of them."))
        for key, forms in found.items()
        if "" in forms and len(forms) > 1
    ]
    if whole:
        faulty = {fault.setting for fault in faults}
        lacking = [place for place in needed_places(found, own) if place not in flat and place not in faulty]
        faults += [fault_at(place, _("This text is missing.")) for place in lacking]
    kept = {name: flat[name] for name in (LANGUAGE, DIRECTION) if name in flat}
    for key in texts:
        kept |= {f"{key}.{form}" if form else key: found.get(key, {})[form] for form in _ordered(found.get(key, {}))}
    return ({} if faults else kept), faults


def _flat(given: Mapping[Any, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in given.items():
        if isinstance(inner, Mapping) and inner and place.count(".") < DEEPEST:
            yield from _flat(inner, f"{place}{name}.")
        else:
            yield f"{place}{name}", inner


def needed_places(found: Mapping[str, Mapping[str, str]], language: str) -> Iterator[str]:
    """Return the places that a whole wording has: of a text that is given in forms, all forms of the language.

    Texts of the server may be missing: its pages are in a language of the platform, and whole in that.
    """
    for key in participants_texts("en"):
        forms = found.get(key, {})
        if not forms:
            if not is_of_server(key):
                yield key
        elif "" not in forms:
            yield from (f"{key}.{form}" for form in forms_in(language))


def _ordered(forms: Mapping[str, str]) -> list[str]:
    return [form for form in ("", *FORMS) if form in forms]
