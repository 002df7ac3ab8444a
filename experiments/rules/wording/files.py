"""Read and write language files: a wording in sections, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.rules.wording.faults import fault_at, first_of
from experiments.rules.wording.language import DIRECTION, LANGUAGE
from experiments.rules.wording.reading import DEEPEST, read
from experiments.rules.wording.stored import without_originals

MOST_BYTES = 300 * 1024


def read_language_file(data: bytes, language: str) -> tuple[dict[str, str], list[Fault]]:
    """Return the wording that a language file gives a study in this language, and everything that is wrong with it.

    Texts equal to the platform's own in the study's language are dropped.
    """
    if len(data) > MOST_BYTES:
        return {}, [fault_at("", _("The file is larger than 300 kB, which is too large for a language file."))]
    try:
        given = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Object)
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = _("The file contains half a character, such as \\ud83d without its second half.")
        return {}, [fault_at("", message, _("Write the character itself."))]
    except UnicodeDecodeError:
        return {}, [fault_at("", _("The file is not UTF-8."), _("Save it as UTF-8."))]
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno, "fault": error.msg}
        message = _("The file is not valid JSON: %(fault)s, in line %(line)d at character %(column)d.") % place
        return {}, [fault_at("", message)]
    except (RecursionError, ValueError):
        return {}, [fault_at("", _("The file is not valid JSON."))]
    if not isinstance(given, _Object):
        return {}, [fault_at("", _("The file must contain one object with the texts in sections."))]
    before = [
        fault_at(place, _("The key appears more than once."), _("Keep only one of them.")) for place in _doubles(given)
    ]
    if LANGUAGE not in given:
        message = _("The file does not say which language its texts are in.")
        before.append(fault_at("", message, _('Write "language": "sw" or another tag at the beginning of the file.')))
    wording, faults = read(given, language, whole=True)
    if before or faults:
        return {}, first_of(before + faults)
    if wording[LANGUAGE].partition("-")[0] != language:
        return wording, []
    if wording[LANGUAGE] == language:
        wording = {key: text for key, text in wording.items() if key not in (LANGUAGE, DIRECTION)}
    return without_originals(wording, language), []


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


class _Object(dict[str, Any]):
    """An object of a language file that remembers its duplicate keys."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, _value in pairs)
        self.doubles = [key for key in self if times[key] > 1]


def _doubles(given: _Object) -> list[str]:
    """Return the places of duplicate keys."""
    places = []
    waiting = [("", given)]
    while waiting:
        path, inner = waiting.pop()
        places += [f"{path}{key}" for key in inner.doubles]
        # Deeper than texts are, places would only become long.
        if path.count(".") < DEEPEST:
            waiting += [(f"{path}{key}.", value) for key, value in inner.items() if isinstance(value, _Object)]
    return places
