"""Store a study's look (logo and colour), which may change at any time: only pages before and after the trials show
it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.media.checking import CheckedFile
from experiments.media.naming import named_files
from experiments.media.storage import files_of, remove_files, store_files
from experiments.models import MediaFile, Study
from experiments.rules.look import logo_faults, look_faults, pressed_colour
from experiments.study.audit import record
from experiments.study.editing import locked
from experiments.study.media import MediaFaults

_COLOUR = re.compile(r"#[0-9a-f]{6}")


@transaction.atomic
def save_look(
    study: Study,
    user: Any,
    *,
    colour: str = "",
    logo_text: str = "",
    logo: CheckedFile | None = None,
    without_logo: bool = False,
) -> None:
    """Store colour and logo; no colour means the platform's own, no logo that the one there stays.

    Raises MediaFaults with everything that is wrong, and nothing stored.
    """
    study = locked(study)
    before = str(study.look.get("logo", ""))
    name = "" if without_logo else before
    if logo is not None:
        name = _name_for(study, logo.extension)
    look = {
        key: value for key, value in (("logo", name), ("logo_text", logo_text if name else ""), ("colour", colour))
        if value
    }  # fmt: skip
    faults = look_faults(look)
    if logo is not None:
        faults = logo_faults(logo.extension, len(logo.data), logo.width, logo.height) + faults
    if faults:
        raise MediaFaults(faults)
    if look == study.look and logo is None:
        return
    if before and (logo is not None or without_logo) and before not in {one.name for one in named_files(study)}:
        remove_files(study, [before])
    if logo is not None:
        store_files(study, [replace(logo, name=name)])
    detail = "; ".join(
        f"{key}: {study.look.get(key, '')!r} → {look.get(key, '')!r}"
        for key in ("logo", "logo_text", "colour")
        if study.look.get(key) != look.get(key) or (key == "logo" and logo is not None)
    )
    study.look = look
    study.save(update_fields=["look"])
    record(study, action="look changed", user=user, detail=detail)


def stored_logo_faults(study: Study) -> list[Fault]:
    """Return what is wrong with the logo that a study names, as its files are stored; nothing where it names none."""
    name = study.look.get("logo")
    if not name:
        return []
    row = _row(study)
    if row is None:
        message = _("The look names the logo '%(name)s', but the study has no such file.") % {"name": name}
        return [Fault(message=message, suggestion=_("Put it into the folder of pictures and sounds."))]
    return logo_faults(row.extension, row.size, row.width, row.height)


def shown_look(study: Study) -> Mapping[str, Any]:
    """Return what a page needs: `logo` with address, size in points and text, `colour` and the darker `pressed`."""
    shown: dict[str, Any] = {}
    row = _row(study) if study.look.get("logo") else None
    if row is not None:
        address = reverse("participants:media", args=[study.slug, row.content_hash, row.extension])
        text = study.look.get("logo_text", "")
        shown["logo"] = {"url": address, "width": row.width, "height": row.height, "text": text}
    colour = str(study.look.get("colour", "")).lower()
    if _COLOUR.fullmatch(colour):
        shown |= {"colour": colour, "pressed": pressed_colour(colour)}
    return shown


def _row(study: Study) -> MediaFile | None:
    return MediaFile.objects.filter(study=study, name=study.look["logo"], kind="image").first()


def _name_for(study: Study, extension: str) -> str:
    """Return the name that a new logo gets: one that no other file of the study has."""
    taken = {one.name.casefold() for one in named_files(study)}
    taken |= {row.name.casefold() for row in files_of(study) if row.name != study.look.get("logo")}
    names = (f"logo{'' if number == 1 else f'-{number}'}.{extension}" for number in count(1))
    return next(name for name in names if name not in taken)
