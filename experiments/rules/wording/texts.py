"""Validate one text of a wording against the interface text that it replaces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.rules.interface_texts import FORMS, participants_texts, possible_forms
from experiments.rules.wording.faults import fault_at

MOST_LETTERS = 600
_PLACE = re.compile(r"\{[^{}]*\}")
_HTML = re.compile(r"<[A-Za-z/!?]|&#?\w+;")
# In these forms the number itself may be left out: "One line has no answer yet."
_OF_FEW = ("zero", "one", "two")
# Not printable, but of use in texts: spaces that do not break, joiners, and marks of the direction.
_ALSO_TAKEN = frozenset("\u00a0\u00ad\u2009\u202f\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069")


def faults_of_text(place: str, text: Any) -> list[Fault]:
    """Return what is wrong with one text of a wording, wherever it comes from."""
    texts = participants_texts("en")
    key, form = key_of(place, texts)
    return (
        text_faults(place, text, form, texts[key]) if key else [fault_at(place, _("There is no text with this key."))]
    )


def key_of(place: str, texts: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    """Return the key of a text and its form; two empty texts where there is none."""
    if place in texts:
        return place, ""
    key, _dot, form = place.rpartition(".")
    # What has a form for counts shows a value, the count.
    return (key, form) if form in FORMS and "{1}" in _places(texts.get(key, {})) else ("", "")


def _places(forms: Mapping[str, str]) -> set[str]:
    return set(_PLACE.findall(forms.get("other", forms.get("", ""))))


def text_faults(place: str, text: Any, form: str, original: Mapping[str, str]) -> list[Fault]:
    """Return what is wrong with a text (or one form of it) that replaces an original."""
    if not isinstance(text, str) or not text.strip():
        return [fault_at(place, _("A text is missing here."), _("Write one, or delete the key."))]
    faults = []
    if len(text) > MOST_LETTERS or any(ord(letter) < 32 or letter in "\x7f\x85\u2028\u2029" for letter in text):
        faults.append(fault_at(place, _("Write one line of at most %(most)d characters.") % {"most": MOST_LETTERS}))
    elif hidden := next((one for one in text if not one.isprintable() and one not in _ALSO_TAKEN), ""):
        message = _("The text contains a character that cannot be shown, U+%(code)s.") % {"code": f"{ord(hidden):04X}"}
        faults.append(fault_at(place, message, _("Delete it, or write another one.")))
    if _HTML.search(text):
        faults.append(
            fault_at(
                place, _("HTML is not possible, because participants would read its tags."), _("Write plain text.")
            )
        )
    wanted, given = _places(original), set(_PLACE.findall(text))
    may_lack = {"{1}"} if form in _OF_FEW else set()
    if given - wanted or wanted - given - may_lack:
        message = _("The text must contain %(wanted)s, but it contains %(given)s.")
        nothing = _("no values")
        said = {
            "wanted": ", ".join(sorted(wanted)) or nothing,
            "given": ", ".join(sorted(given)) or nothing,
        }
        faults.append(fault_at(place, message % said, _("The original text shows the place of each value.")))
    return faults


def form_fault(place: str, form: str, language: str) -> Fault:
    """Return the fault of a form for counts that the language does not have."""
    said = {"language": language, "form": form, "forms": ", ".join(possible_forms(language))}
    return fault_at(place, _("In %(language)s, counts have no form “%(form)s”. Possible forms: %(forms)s.") % said)
