"""Determine the language of a wording and its writing direction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.languages import LANGUAGES, name_of
from experiments.rules.interface_texts import is_from_right
from experiments.rules.wording.faults import fault_at

LANGUAGE, DIRECTION = "language", "direction"
# As long as the language of a session may be.
MOST_OF_TAG = 8
# What browsers take: language, script, region and variants, by ECMA-402.
_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*")
# What studies may have stored.
STORED_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def own_language(wording: Mapping[str, str], language: str) -> str:
    """Return the language of a study with this wording: the one that it declares, else that of the study."""
    return wording.get(LANGUAGE, language)


def own_direction(wording: Mapping[str, str], language: str) -> str:
    """Return `rtl` or `ltr`, the direction in which that language is written."""
    return wording.get(DIRECTION, "rtl" if is_from_right(language) else "ltr")


def declared_language(flat: dict[str, Any], language: str, *, is_kept: bool) -> tuple[str, list[Fault]]:
    """Return the language of the texts and what is wrong with how it is declared."""
    own, direction = flat.get(LANGUAGE, language), flat.get(DIRECTION)
    tag = STORED_TAG if is_kept else _TAG
    if not isinstance(own, str) or not tag.fullmatch(own) or len(own) > MOST_OF_TAG:
        message = _("'%(tag)s' is not a language tag.") % {"tag": str(own)[:30]}
        return language, [fault_at(LANGUAGE, message, _("Write two or three letters, such as sw, or sr-Latn."))]
    first = own.partition("-")[0]
    # The platform may have learnt the language of an archive since.
    if first in LANGUAGES and first != language and not is_kept:
        said = {"language": name_of(first)}
        message = _("The texts are in %(language)s, a language that the platform already has.") % said
        suggestion = _("Choose %(language)s as the language of the study, then change the texts.") % said
        return own, [fault_at(LANGUAGE, message, suggestion)]
    if direction is None:
        if first == language or is_kept:
            return own, []
        return own, [
            fault_at(
                DIRECTION,
                _("The file does not say in which direction people write the language."),
                _("Write ltr or rtl."),
            )
        ]
    allowed = ("ltr", "rtl") if first != language else ("rtl",) if is_from_right(language) else ("ltr",)
    if direction not in allowed:
        message = _("The direction must be %(allowed)s, not '%(given)s'.")
        return own, [fault_at(DIRECTION, message % {"allowed": _(" or ").join(allowed), "given": str(direction)[:30]})]
    if LANGUAGE not in flat:
        return own, [
            fault_at(
                DIRECTION, _("There is a direction, but no language."), _("Add the language, or delete the direction.")
            )
        ]
    return own, []
