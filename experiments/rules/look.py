"""Validate the look (logo and colour) of pages before and after the trials, including WCAG contrast.

A look is `{"logo": a picture of the study, "logo_text": what it says, "colour": "#rrggbb"}`, each key where wanted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, unknown_keys

KEYS = ("logo", "logo_text", "colour")
# WCAG 2.2, success criterion 1.4.3, for text that is not large.
LEAST_CONTRAST = 4.5
# Text in the colour is on white and on this grey; white text is on the colour.
PAGE = "#ffffff"
PAPERS = (PAGE, "#f6f5f1")
MAX_LOGO_BYTES = 50 * 1024
MAX_LOGO_WIDTH, MAX_LOGO_HEIGHT = 1_200, 600
LOGO_FORMATS = {"png": "PNG", "jpg": "JPEG", "webp": "WebP"}
_MOST_LETTERS = {"logo": 100, "logo_text": 200}
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours `#rrggbb`, from 1 to 21, as WCAG 2.2 defines it.

    >>> round(contrast("#000000", "#ffffff"), 1), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    darker, lighter = sorted((_luminance(_linear(one)), _luminance(_linear(other))))
    return (lighter + 0.05) / (darker + 0.05)


def is_readable(colour: str) -> bool:
    """Return whether words in this colour, and white words on it, have a contrast of at least 4.5 : 1."""
    return min(contrast(colour, paper) for paper in PAPERS) >= LEAST_CONTRAST


def nearest_readable(colour: str) -> str:
    """Return the colour itself, or the lightest of the same hue and saturation that is readable.

    Linear red, green and blue are scaled by the same factor, which preserves hue and saturation.

    >>> nearest_readable("#1c4c5c"), nearest_readable("#ff8800")
    ('#1c4c5c', '#ad5a00')
    """
    if is_readable(colour):
        return colour
    linear = _linear(colour)
    most = min((_luminance(_linear(paper)) + 0.05) / LEAST_CONTRAST for paper in PAPERS) - 0.05
    return _written(linear, most / _luminance(linear))


def pressed_colour(colour: str) -> str:
    """Return the darker shade of a button under the mouse: 60 % of the light.

    >>> pressed_colour("#1c4c5c")
    '#133a47'
    """
    return _written(_linear(colour), 0.6)


def look_faults(look: Any) -> list[Fault]:
    """Return what is wrong with a look.

    >>> [str(fault) for fault in look_faults({"colour": "blue"})]
    ["The platform cannot read the colour 'blue'. Write it as # and six digits, such as #1c4c5c."]
    """
    if not isinstance(look, Mapping):
        return [_fault(_("'look' must be a table with a logo and a colour."))]
    unknown = unknown_keys(look, KEYS)
    faults = [_fault(_("A look cannot have '%(key)s'.") % {"key": key}, hint) for key, hint in unknown]
    for key, most in _MOST_LETTERS.items():
        text = look.get(key, "")
        if not isinstance(text, str) or len(text) > most or len(text.splitlines()) > 1 or "\x00" in text:
            message = _("'%(key)s' of the look must be one line of at most %(most)d characters.")
            faults.append(_fault(message % {"key": key, "most": most}))
    if look.get("logo") and not look.get("logo_text"):
        message = _("Say what the logo says or shows for people who cannot see it.")
        faults.append(_fault(message, _("Example: University of Example, Department of Linguistics.")))
    if "colour" in look:
        faults += colour_faults(look["colour"])
    return faults


def colour_faults(colour: Any) -> list[Fault]:
    """Return what is wrong with a colour; for a too light colour the fault suggests a readable one."""
    if not isinstance(colour, str) or not _COLOUR.fullmatch(colour.lower()):
        message = _("The platform cannot read the colour '%(colour)s'.") % {"colour": str(colour)[:30]}
        return [_fault(message, _("Write it as # and six digits, such as #1c4c5c."))]
    if is_readable(colour.lower()):
        return []
    ratio = min(contrast(colour.lower(), paper) for paper in PAPERS)
    message = _("Words in %(colour)s would be hard to read: their contrast is %(ratio).2f : 1, and 4.5 : 1 is needed.")
    suggestion = _("The nearest readable colour of the same hue is %(nearest)s.")
    return [
        _fault(
            message % {"colour": colour, "ratio": int(ratio * 100) / 100},
            suggestion % {"nearest": nearest_readable(colour.lower())},
        )
    ]


def logo_faults(extension: str, size: int, width: int | None, height: int | None) -> list[Fault]:
    """Return why a stored picture cannot be the logo: its kind, its bytes, its points."""
    if extension not in LOGO_FORMATS:
        return [_fault(_("A logo must be a PNG, JPEG or WebP picture."), _("Save it as PNG."))]
    faults = []
    if size > MAX_LOGO_BYTES:
        message = _("The logo has %(size)d kB; at most %(most)d kB can be used.")
        faults.append(
            _fault(
                message % {"size": -(-size // 1024), "most": MAX_LOGO_BYTES // 1024},
                _("Make it smaller: it is shown about 300 pixels wide, and everybody waits for it."),
            )
        )
    if not width or not height or width > MAX_LOGO_WIDTH or height > MAX_LOGO_HEIGHT:
        message = _("The logo has %(width)s × %(height)s pixels; at most %(wide)d × %(high)d can be used.")
        said = {"width": width, "height": height, "wide": MAX_LOGO_WIDTH, "high": MAX_LOGO_HEIGHT}
        faults.append(_fault(message % said, _("Scale it to a width of about 600 pixels.")))
    return faults


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="settings")


def _linear(colour: str) -> tuple[float, ...]:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)


def _luminance(linear: tuple[float, ...]) -> float:
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _written(linear: tuple[float, ...], share: float) -> str:
    scaled = [share * one for one in linear]
    shares = [12.92 * one if one <= 0.0031308 else 1.055 * one ** (1 / 2.4) - 0.055 for one in scaled]
    # Rounded down: a step up could be too light.
    return "#" + "".join(f"{int(255 * one):02x}" for one in shares)
