"""Recognise file names of pictures, sounds and videos in table cells. A file's type is decided by its content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "tif", "tiff", "heic")
SOUNDS = ("wav", "wave", "mp3", "ogg", "oga", "opus", "m4a", "aac", "mp4", "flac", "aif", "aiff", "wma")
VIDEOS = ("webm", "m4v", "mov", "avi", "mkv", "mpg", "mpeg", "ogv")
ENDINGS = frozenset((*PICTURES, *SOUNDS, *VIDEOS))
# Separates the names in a cell that may hold several.
SEPARATOR = "||"


def is_media_name(cell: str) -> bool:
    """Return whether a cell seems to name a picture, a sound or a video.

    >>> is_media_name("dog.PNG"), is_media_name("dog"), is_media_name("One day. It rained.")
    (True, False, False)
    """
    stem, dot, ending = cell.rpartition(".")
    return bool(stem and dot) and "\n" not in cell and ending.casefold() in ENDINGS


def ending_of(name: str) -> str:
    """Return the ending of a file name in lower case.

    >>> ending_of("dog.PNG")
    'png'
    """
    return name.rpartition(".")[2].casefold()


def is_picture_name(cell: str) -> bool:
    """Return whether a cell seems to name a picture.

    >>> is_picture_name("dog.png"), is_picture_name("dog.wav")
    (True, False)
    """
    return is_media_name(cell) and ending_of(cell) in PICTURES


def is_sound_name(cell: str) -> bool:
    """Return whether a cell seems to name a sound.

    >>> is_sound_name("dog.wav"), is_sound_name("dog.png")
    (True, False)
    """
    return is_media_name(cell) and ending_of(cell) in SOUNDS


def parts_of(cell: str) -> list[str]:
    """Split a cell at its separators, empty parts included; an empty cell gives an empty list.

    >>> parts_of("dog.png || cat.png"), parts_of("A dog. ||"), parts_of("")
    (['dog.png', 'cat.png'], ['A dog.', ''], [])
    """
    return [part.strip() for part in cell.split(SEPARATOR)] if cell.strip() else []


def text_or_files(text: str, extra: Mapping[str, Any]) -> str:
    """Return the text of a stimulus, or the files that it names if it has no text.

    >>> text_or_files("", {"image": "dog.png", "alt": "A dog."})
    'dog.png'
    """
    return text or ", ".join(str(cell) for cell in extra.values() if is_media_name(str(cell)))


def pictures_in(extra: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of pictures in the columns of a text, each once, in their order.

    >>> pictures_in({"image": "dog.png", "options": "cat.png || dog.png", "audio": "dog.wav", "n": 3})
    ('dog.png', 'cat.png')
    """
    cells = [cell for cell in extra.values() if isinstance(cell, str)]
    return tuple(dict.fromkeys(part for cell in cells for part in parts_of(cell) if is_picture_name(part)))
