"""What a study says instead of texts of the interface, in words of its own or in a language of its own.

A wording is flat: `{"pages.next": "Go on", "pages.uploadingText.one": "…"}`, the last with a form for counts. In a
language that the platform does not have, `"language"` and `"direction"` say which, and no text may be missing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.languages import LANGUAGES, name_of
from experiments.rules.interface_texts import FORMS, forms_in, is_from_right, participants_texts, possible_forms
from experiments.rules.server_texts import is_of_server
from experiments.sentences import Sentence, counting

LANGUAGE, DIRECTION = "language", "direction"
MOST_LETTERS = 600
MOST_BYTES = 300 * 1024
# As long as the language of a session may be.
_MOST_OF_TAG = 8
# What browsers take: language, script, region and variants, by ECMA-402.
_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*")
# What studies may have stored.
_STORED_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_PLACE = re.compile(r"\{[^{}]*\}")
_HTML = re.compile(r"<[A-Za-z/!?]|&#?\w+;")
_DEEPEST = 4
# In these forms the number itself may be left out: "One line has no answer yet."
_OF_FEW = ("zero", "one", "two")
# Not printable, but of use in texts: spaces that do not break, joiners, and marks of the direction.
_ALSO_TAKEN = frozenset("\u00a0\u00ad\u2009\u202f\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069")
# A text has at most as many places as there are forms; who gives more has another file in hand.
_MOST_PLACES = len(FORMS)
_MOST_SUGGESTIONS = 20
_MOST_FAULTS = 100


def wording_shape_faults(wording: Any) -> list[Fault]:
    """Return what is wrong with how a study keeps its wording, whatever texts the interface has today.

    What is wrong with the texts themselves is told when they are saved, and before the study is opened.

    >>> wording_shape_faults({"pages.gone": "A text that the interface had once."})
    []
    """
    if not isinstance(wording, Mapping):
        return [_fault("", _("The wording must be a table of keys with texts."))]
    faults = [
        _fault(str(place), _("A text is missing here."), _("Write one, or leave the key out."))
        for place, text in wording.items()
        if not isinstance(place, str) or not isinstance(text, str)
    ]
    tag = wording.get(LANGUAGE, "en")
    if isinstance(tag, str) and (not _STORED_TAG.fullmatch(tag) or len(tag) > _MOST_OF_TAG):
        message = _("'%(tag)s' is no tag of a language.") % {"tag": tag[:30]}
        faults.append(_fault(LANGUAGE, message, _("Write two or three letters, such as sw, or sr-Latn.")))
    if wording.get(DIRECTION, "ltr") not in ("ltr", "rtl"):
        faults.append(_fault(DIRECTION, _("It is not said how the language is written."), _("Write ltr or rtl.")))
    return _cut(faults)


def known_texts(wording: Mapping[str, str]) -> dict[str, str]:
    """Return a wording without texts that the interface does not have (any more)."""
    texts = participants_texts("en")
    return {key: text for key, text in wording.items() if key in (LANGUAGE, DIRECTION) or _key_of(key, texts)[0]}


def read_wording(given: Any, language: str, *, whole: bool = False) -> tuple[dict[str, str], list[Fault]]:
    """Return a wording as a study keeps it, in the order of the texts, and everything that is wrong with it.

    `given` may be in sections, as language files are. With `whole` no text may be missing, as in another language.
    """
    kept, faults = _read(given, language, whole=whole)
    return kept, _cut(faults)


def read_kept_wording(given: Any, language: str) -> tuple[dict[str, str], list[Fault]]:
    """Return the wording of an archive, which another version of the platform may have written, and its faults.

    Texts that the interface does not have are left out, and any may be missing.
    """
    kept, faults = _read(given, language, is_kept=True)
    return kept, _cut(faults)


def changes_since(wording: Mapping[str, str], language: str) -> list[Fault]:
    """Return what a stored wording lacks or has too much, one fault for each kind of it."""
    if not wording:
        return []
    known = known_texts(wording)
    gone = [key for key in wording if key not in known]
    own = own_language(wording, language)
    is_whole = own.partition("-")[0] != language
    found: dict[str, dict[str, str]] = {}
    texts = participants_texts("en")
    for place, text in known.items():
        key, form = _key_of(place, texts)
        if key:
            found.setdefault(key, {})[form] = text
    lacking = [place for place in _needed(found, own) if place not in known] if is_whole else []
    wrong = [] if gone or lacking else _read(known, language)[1]
    faults = []
    if gone:
        message = Sentence(
            "The interface does not have {n} of the study's own texts: {names}.", n=len(gone), names=listed(gone)
        )
        faults.append(Fault(message=message, suggestion=Sentence("Nobody will read them."), step="texts"))
    if lacking:
        message = counting(
            "The study's own wording lacks {n} text of the interface: {names}.",
            "The study's own wording lacks {n} texts of the interface: {names}.",
            len(lacking),
            names=listed(lacking),
        )
        suggestion = Sentence(
            "Participants read them in {language}. Upload the whole language again.", language=name_of(language)
        )
        faults.append(Fault(message=message, suggestion=suggestion, step="texts"))
    if wrong:
        message = Sentence(
            "Of the study's own texts {n} would not be taken today: {fault}", n=len(wrong), fault=str(wrong[0])
        )
        suggestion = Sentence("Save the texts again to see all of them.")
        faults.append(Fault(message=message, suggestion=suggestion, step="texts"))
    return faults


def _read(
    given: Any, language: str, *, whole: bool = False, is_kept: bool = False
) -> tuple[dict[str, str], list[Fault]]:
    if not isinstance(given, Mapping):
        return {}, [_fault("", _("The wording must be a table of keys with texts."))]
    if not given and not whole:
        return {}, []
    flat = dict(_flat(given))
    texts = participants_texts("en")
    if len(flat) > _MOST_PLACES * len(texts):
        said = {"given": len(flat), "texts": len(texts)}
        message = _("There are %(given)d texts; the interface has %(texts)d.") % said
        return {}, [_fault("", message, _("Begin with the English file of the page Texts → Interface."))]
    own, faults = _language(flat, language, is_kept=is_kept)
    whole = not is_kept and (whole or own.partition("-")[0] != language)
    known = (*texts, *(f"{one}.{each}" for one, forms in texts.items() if "" not in forms for each in forms))
    unknown = 0
    found: dict[str, dict[str, str]] = {}
    for place, text in flat.items():
        if place in (LANGUAGE, DIRECTION):
            continue
        key, form = _key_of(place, texts)
        if not key:
            unknown += 1
            if not is_kept:
                suggestion = did_you_mean(place, known) if unknown <= _MOST_SUGGESTIONS else ""
                faults.append(_fault(place, _("There is no such text."), suggestion))
            continue
        wrong = _text_faults(place, text, form, texts[key])
        # The language of a draft may have been changed after its texts were written; *Open* says what that leaves.
        if form and form not in possible_forms(own) and not is_kept:
            wrong.append(_form_fault(place, form, own))
        faults += wrong
        if not wrong:
            found.setdefault(key, {})[form] = text
    faults += [
        _fault(key, _("The text stands there as a whole and in forms for counts."), _("Leave out one of them."))
        for key, forms in found.items()
        if "" in forms and len(forms) > 1
    ]
    if whole:
        faulty = {fault.setting for fault in faults}
        lacking = [place for place in _needed(found, own) if place not in flat and place not in faulty]
        faults += [_fault(place, _("This text is missing.")) for place in lacking]
    kept = {name: flat[name] for name in (LANGUAGE, DIRECTION) if name in flat}
    for key in texts:
        kept |= {f"{key}.{form}" if form else key: found.get(key, {})[form] for form in _ordered(found.get(key, {}))}
    return ({} if faults else kept), faults


def read_language_file(data: bytes, language: str) -> tuple[dict[str, str], list[Fault]]:
    """Return the wording that a language file gives a study in this language, and everything that is wrong with it.

    Of a file in the study's language, what it says as the platform does is left out.
    """
    if len(data) > MOST_BYTES:
        return {}, [_fault("", _("The file is larger than 300 kB; no language file is."))]
    try:
        given = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Object)
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = _("The file holds half a character, such as \\ud83d without its second half.")
        return {}, [_fault("", message, _("Write the character itself."))]
    except UnicodeDecodeError:
        return {}, [_fault("", _("The file is not UTF-8."), _("Save it as UTF-8."))]
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno, "fault": error.msg}
        message = _("The file is not valid JSON: %(fault)s, in line %(line)d at character %(column)d.") % place
        return {}, [_fault("", message)]
    except (RecursionError, ValueError):
        return {}, [_fault("", _("The file is not valid JSON."))]
    if not isinstance(given, _Object):
        return {}, [_fault("", _("The file must hold one object with the texts in sections."))]
    before = [
        _fault(place, _("The key stands there more than once."), _("Leave out all but one."))
        for place in _doubles(given)
    ]
    if LANGUAGE not in given:
        message = _("The file does not say which language its texts are in.")
        before.append(_fault("", message, _('Write "language": "sw" or another tag at its beginning.')))
    wording, faults = _read(given, language, whole=True)
    if before or faults:
        return {}, _cut(before + faults)
    if wording[LANGUAGE].partition("-")[0] != language:
        return wording, []
    if wording[LANGUAGE] == language:
        wording = {key: text for key, text in wording.items() if key not in (LANGUAGE, DIRECTION)}
    return without_originals(wording, language), []


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


def faults_of_text(place: str, text: Any) -> list[Fault]:
    """Return what is wrong with one text of a wording, wherever it comes from."""
    texts = participants_texts("en")
    key, form = _key_of(place, texts)
    return _text_faults(place, text, form, texts[key]) if key else [_fault(place, _("There is no such text."))]


def in_sections(wording: Mapping[str, str]) -> dict[str, Any]:
    """Return a wording as language files have it, in sections, without language and direction.

    >>> in_sections({"language": "sw", "pages.next": "Endelea"})
    {'pages': {'next': 'Endelea'}}
    """
    sections: dict[str, Any] = {}
    for place, text in wording.items():
        *path, last = place.split(".")
        inner = sections
        for name in path:
            inner = inner.setdefault(name, {})
        if path:
            inner[last] = text
    return sections


def own_language(wording: Mapping[str, str], language: str) -> str:
    """Return the language of a study with this wording: the one that it declares, else that of the study."""
    return wording.get(LANGUAGE, language)


def own_direction(wording: Mapping[str, str], language: str) -> str:
    """Return `rtl` or `ltr`, the direction in which that language is written."""
    return wording.get(DIRECTION, "rtl" if is_from_right(language) else "ltr")


class _Object(dict[str, Any]):
    """An object of a language file that knows which of its keys stood in it more than once."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, _value in pairs)
        self.doubles = [key for key in self if times[key] > 1]


def _doubles(given: _Object) -> list[str]:
    """Return the places of the keys that stand in their object more than once."""
    places = []
    waiting = [("", given)]
    while waiting:
        path, inner = waiting.pop()
        places += [f"{path}{key}" for key in inner.doubles]
        # Deeper than texts are, places would only become long.
        if path.count(".") < _DEEPEST:
            waiting += [(f"{path}{key}.", value) for key, value in inner.items() if isinstance(value, _Object)]
    return places


def _cut(faults: list[Fault]) -> list[Fault]:
    """Return the first faults, and how many more there are."""
    more = len(faults) - _MOST_FAULTS
    return faults if more <= 0 else [*faults[:_MOST_FAULTS], _fault("", _("… and %(n)d more.") % {"n": more})]


def _flat(given: Mapping[Any, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in given.items():
        if isinstance(inner, Mapping) and inner and place.count(".") < _DEEPEST:
            yield from _flat(inner, f"{place}{name}.")
        else:
            yield f"{place}{name}", inner


def _language(flat: dict[str, Any], language: str, *, is_kept: bool) -> tuple[str, list[Fault]]:
    """Return the language of the texts and what is wrong with how it is declared."""
    own, direction = flat.get(LANGUAGE, language), flat.get(DIRECTION)
    tag = _STORED_TAG if is_kept else _TAG
    if not isinstance(own, str) or not tag.fullmatch(own) or len(own) > _MOST_OF_TAG:
        message = _("'%(tag)s' is no tag of a language.") % {"tag": str(own)[:30]}
        return language, [_fault(LANGUAGE, message, _("Write two or three letters, such as sw, or sr-Latn."))]
    first = own.partition("-")[0]
    # The platform may have learnt the language of an archive since.
    if first in LANGUAGES and first != language and not is_kept:
        said = {"language": name_of(first)}
        message = _("The texts are in %(language)s, which the platform has.") % said
        suggestion = _("Choose %(language)s as the language of the study, then change what you want to change.") % said
        return own, [_fault(LANGUAGE, message, suggestion)]
    if direction is None:
        if first == language or is_kept:
            return own, []
        return own, [_fault(DIRECTION, _("It is not said how the language is written."), _("Write ltr or rtl."))]
    allowed = ("ltr", "rtl") if first != language else ("rtl",) if is_from_right(language) else ("ltr",)
    if direction not in allowed:
        message = _("The direction must be %(allowed)s, not '%(given)s'.")
        return own, [_fault(DIRECTION, message % {"allowed": _(" or ").join(allowed), "given": str(direction)[:30]})]
    if LANGUAGE not in flat:
        return own, [_fault(DIRECTION, _("A direction belongs to a language."), _("Say which, or leave it out."))]
    return own, []


def _key_of(place: str, texts: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    """Return the key of a text and its form; two empty texts where there is none."""
    if place in texts:
        return place, ""
    key, _dot, form = place.rpartition(".")
    # What has a form for counts shows a value, the count.
    return (key, form) if form in FORMS and "{1}" in _places(texts.get(key, {})) else ("", "")


def _places(forms: Mapping[str, str]) -> set[str]:
    return set(_PLACE.findall(forms.get("other", forms.get("", ""))))


def _text_faults(place: str, text: Any, form: str, original: Mapping[str, str]) -> list[Fault]:
    if not isinstance(text, str) or not text.strip():
        return [_fault(place, _("A text is missing here."), _("Write one, or leave the key out."))]
    faults = []
    if len(text) > MOST_LETTERS or any(ord(letter) < 32 or letter in "\x7f\x85\u2028\u2029" for letter in text):
        faults.append(_fault(place, _("A text is one line of at most %(most)d characters.") % {"most": MOST_LETTERS}))
    elif hidden := next((one for one in text if not one.isprintable() and one not in _ALSO_TAKEN), ""):
        message = _("The text holds a character that cannot be shown, U+%(code)s.") % {"code": f"{ord(hidden):04X}"}
        faults.append(_fault(place, message, _("Delete it, or write another one.")))
    if _HTML.search(text):
        faults.append(
            _fault(place, _("HTML is not taken: participants would read its marks."), _("Write plain words."))
        )
    wanted, given = _places(original), set(_PLACE.findall(text))
    may_lack = {"{1}"} if form in _OF_FEW else set()
    if given - wanted or wanted - given - may_lack:
        message = _("The text must show %(wanted)s, and shows %(given)s.")
        nothing = _("no values")
        said = {
            "wanted": ", ".join(sorted(wanted)) or nothing,
            "given": ", ".join(sorted(given)) or nothing,
        }
        faults.append(_fault(place, message % said, _("The original says where which value stands.")))
    return faults


def _form_fault(place: str, form: str, language: str) -> Fault:
    said = {"language": language, "form": form, "forms": ", ".join(possible_forms(language))}
    return _fault(place, _("Counts have no form “%(form)s” in the language %(language)s, but: %(forms)s.") % said)


def _needed(found: Mapping[str, Mapping[str, str]], language: str) -> Iterator[str]:
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


def _fault(setting: str, message: str, suggestion: str = "") -> Fault:
    shown, said, advice = (_storable(text) for text in (setting[:80], message, suggestion))
    return Fault(setting=shown, message=said, suggestion=advice, step="texts")


def _storable(text: str) -> str:
    # Halves of characters, which no page can hold, are shown as question marks.
    whole = text.encode("utf-8", "replace").decode()
    return text if text == whole else whole
