"""Find the logo of a study among the pictures on its pages, and make it as small as the platform's logos are. Pure."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.rules.look import MAX_LOGO_BYTES, MAX_LOGO_HEIGHT, MAX_LOGO_WIDTH

LOGO_FILE = "study-logo.png"
MOST_POINTS = 40_000_000
_LOGO = re.compile(r"logo|signet|_sig|sig_|seal|crest|wappen|wordmark|letterhead|emblem", re.IGNORECASE)


@dataclass(frozen=True)
class Picture:
    """A picture on a page: the file that it names, the file and line of the script, and the element."""

    source: str
    file: str
    line: int
    element: str
    says: str = ""
    on_consent: bool = False

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return self.source.split("?")[0].rpartition("/")[2]


def logo_of(pictures: Sequence[Picture], project: Project, report: Report) -> tuple[bytes, str] | None:
    """Return the logo as a PNG that the platform takes, and what it says; None without one.

    The logo is the first picture of the consent, or one that is called so. What becomes of every picture is reported.
    """
    found: tuple[str, bytes, str] | None = None
    for picture in sorted(pictures, key=lambda one: not one.on_consent):
        if found is not None and picture.name == found[0]:
            said = english("the logo of the study stands on its first and last pages.")
            report.add(CARRIED, picture.file, picture.line, picture.element, said)
            continue
        path = project.named(picture.source)
        data = project.media.get(path) if path is not None else None
        is_logo = data is not None and found is None and (picture.on_consent or _LOGO.search(picture.name))
        if is_logo and data is not None and (small := small_logo(data)) is not None:
            found = (picture.name, small, picture.says.strip()[:200] or english("Logo"))
            report.add(
                CHANGED, picture.file, picture.line, picture.element,
                english("{file} is the logo of the study, on the pages before and after the trials; say under Settings "
                        "what it says for people who cannot see it.", file=picture.name),
            )  # fmt: skip
            continue
        report.add(
            NOT_CARRIED, picture.file, picture.line, picture.element,
            english("pages show text alone: {file}.", file=picture.source),
            english("Say it in words, or show it in a trial."),
        )  # fmt: skip
    return found[1:] if found else None


def small_logo(data: bytes) -> bytes | None:
    """Return a picture as a PNG within the limits of logos; None where it cannot be read."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP", "GIF")) as opened:
            if opened.width * opened.height > MOST_POINTS:
                return None
            picture = opened.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return None
    width, height = MAX_LOGO_WIDTH, MAX_LOGO_HEIGHT
    while width >= 40:
        picture.thumbnail((width, height))
        for shown in (picture, picture.quantize(128)):
            written = io.BytesIO()
            shown.save(written, "PNG", optimize=True)
            if len(written.getvalue()) <= MAX_LOGO_BYTES:
                return written.getvalue()
        width, height = width * 3 // 4, height * 3 // 4
    return None
