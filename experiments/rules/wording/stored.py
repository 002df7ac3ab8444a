"""Check a stored wording against today's interface: known texts, changes by upgrades, texts of the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, listed
from experiments.languages import name_of
from experiments.rules.interface_texts import participants_texts
from experiments.rules.server_texts import is_of_server
from experiments.rules.wording.faults import fault_at, first_of
from experiments.rules.wording.language import DIRECTION, LANGUAGE, MOST_OF_TAG, STORED_TAG, own_language
from experiments.rules.wording.reading import needed_places, read
from experiments.rules.wording.texts import key_of
from experiments.sentences import Sentence, counting


def wording_shape_faults(wording: Any) -> list[Fault]:
    """Return what is wrong with how a study keeps its wording, whatever texts the interface has today.

    What is wrong with the texts themselves is told when they are saved, and before the study is opened.

    >>> wording_shape_faults({"pages.gone": "A text that the interface had once."})
    []
    """
    if not isinstance(wording, Mapping):
        return [fault_at("", _("The wording must be a table that gives keys their texts."))]
    faults = [
        fault_at(str(place), _("A text is missing here."), _("Write one, or delete the key."))
        for place, text in wording.items()
        if not isinstance(place, str) or not isinstance(text, str)
    ]
    tag = wording.get(LANGUAGE, "en")
    if isinstance(tag, str) and (not STORED_TAG.fullmatch(tag) or len(tag) > MOST_OF_TAG):
        message = _("'%(tag)s' is not a language tag.") % {"tag": tag[:30]}
        faults.append(fault_at(LANGUAGE, message, _("Write two or three letters, such as sw, or sr-Latn.")))
    if wording.get(DIRECTION, "ltr") not in ("ltr", "rtl"):
        faults.append(
            fault_at(
                DIRECTION,
                _("The file does not say in which direction people write the language."),
                _("Write ltr or rtl."),
            )
        )
    return first_of(faults)


def known_texts(wording: Mapping[str, str]) -> dict[str, str]:
    """Return a wording without texts that the interface does not have (any more)."""
    texts = participants_texts("en")
    return {key: text for key, text in wording.items() if key in (LANGUAGE, DIRECTION) or key_of(key, texts)[0]}


def changes_since(wording: Mapping[str, str], language: str) -> list[Fault]:
    """Return one fault each for missing and for superfluous texts of a stored wording."""
    if not wording:
        return []
    known = known_texts(wording)
    gone = [key for key in wording if key not in known]
    own = own_language(wording, language)
    is_whole = own.partition("-")[0] != language
    found: dict[str, dict[str, str]] = {}
    texts = participants_texts("en")
    for place, text in known.items():
        key, form = key_of(place, texts)
        if key:
            found.setdefault(key, {})[form] = text
    lacking = [place for place in needed_places(found, own) if place not in known] if is_whole else []
    wrong = [] if gone or lacking else read(known, language)[1]
    faults = []
    if gone:
        message = Sentence(
            "{n} of the study's own texts are not in the interface: {names}.", n=len(gone), names=listed(gone)
        )
        faults.append(Fault(message=message, suggestion=Sentence("Nobody will see them."), step="texts"))
    if lacking:
        message = counting(
            "The study's own wording does not have {n} text of the interface: {names}.",
            "The study's own wording does not have {n} texts of the interface: {names}.",
            len(lacking),
            names=listed(lacking),
        )
        suggestion = Sentence(
            "Participants see these texts in {language}. Upload the whole language again.", language=name_of(language)
        )
        faults.append(Fault(message=message, suggestion=suggestion, step="texts"))
    if wrong:
        message = Sentence(
            "{n} of the study's own texts would be refused today: {fault}", n=len(wrong), fault=str(wrong[0])
        )
        suggestion = Sentence("Save the texts again to see all faults.")
        faults.append(Fault(message=message, suggestion=suggestion, step="texts"))
    return faults


def without_originals(wording: Mapping[str, str], language: str) -> dict[str, str]:
    """Return a wording without the texts that are those of the platform in this language."""
    originals = {
        f"{key}.{form}" if form else key: text
        for key, forms in participants_texts(language).items()
        for form, text in forms.items()
    }
    return {key: text for key, text in wording.items() if originals.get(key) != text}


def of_browser(wording: Mapping[str, str]) -> dict[str, str]:
    """Return a wording without the texts that the server says.

    >>> of_browser({"language": "sw", "pages.next": "Endelea", "consent.agree": "Nakubali"})
    {'language': 'sw', 'pages.next': 'Endelea'}
    """
    return {place: text for place, text in wording.items() if not is_of_server(place)}
