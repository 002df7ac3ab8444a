"""Shapes of which moving pictures of trials are drawn: on 160 × 90 units, in colours of the page. Pure.

A picture is a few frames, shown in turn for the same time; what stands in all of them is its ground. Where nothing may
move, one frame is shown, the one that tells most.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "box", "dot", "path"]
Look = Literal["", "soft", "chosen", "best", "worst", "filled"]

HOUSE = "M{0} {1}l18 -15l18 15v20h-36zM{2} {3}v-11h8v11"
POINTER = "M{0} {1}l0 13l3.2 -3l2.4 5l2.6 -1.2l-2.3 -4.8l4.4 -0.4z"


@dataclass(frozen=True)
class Shape:
    """A shape: a text with its middle (or start) at x, y; a box of a width and height; a dot; or a path."""

    kind: Kind
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    words: str = ""
    size: float = 13
    anchor: Literal["middle", "start"] = "middle"
    path: str = ""
    look: Look = ""


@dataclass(frozen=True)
class Scene:
    """A moving picture: its frames, what stands in all of them, and the place of the frame that can stand alone."""

    frames: tuple[tuple[Shape, ...], ...]
    ground: tuple[Shape, ...] = field(default=())
    still: int = 0


def text(words: str, x: float = 80, y: float = 50, *, size: float = 14, look: Look = "", start: bool = False) -> Shape:
    """Return a text whose base line is at y."""
    return Shape("text", x, y, words=words, size=size, anchor="start" if start else "middle", look=look)


def box(x: float, y: float, width: float, height: float, *, look: Look = "") -> Shape:
    """Return a rectangle."""
    return Shape("box", x, y, width, height, look=look)


def keys(*names: str, pressed: int = -1) -> tuple[Shape, ...]:
    """Return keys at the bottom of the picture, one of them perhaps pressed."""
    shapes: list[Shape] = []
    for number, name in enumerate(names):
        left = 80 + (number - len(names) / 2) * 40 + 11
        shapes += [
            box(left, 66, 18, 16, look="chosen" if number == pressed else ""),
            text(name, left + 9, 78, size=10, look="chosen" if number == pressed else "soft"),
        ]
    return tuple(shapes)


def dots(number: int, *, chosen: int = -1, y: float = 66) -> tuple[Shape, ...]:
    """Return the points of a scale, one of them perhaps chosen."""
    gap = 16
    first = 80 - gap * (number - 1) / 2
    return tuple(
        Shape("dot", first + gap * place, y, width=4.5, look="chosen" if place == chosen else "")
        for place in range(number)
    )


def house(x: float = 62, y: float = 33) -> Shape:
    """Return the picture of a house, whose eaves begin at x, y."""
    return Shape("path", path=HOUSE.format(x, y, x + 14, y + 20))


def pointer(x: float, y: float) -> Shape:
    """Return a mouse pointer with its tip at x, y."""
    return Shape("path", path=POINTER.format(x, y), look="filled")


def field_with(words: str, *, y: float = 60) -> tuple[Shape, ...]:
    """Return a field into which words are typed."""
    return (box(35, y, 90, 19), text(f"{words}|", 80, y + 13.5, size=12))


def dashes(words: Iterable[str], shown: int, *, y: float = 48) -> tuple[Shape, ...]:
    """Return words of which one is shown and the others are lines of their length."""
    words = list(words)
    letters, gaps = sum(map(len, words)), 7.0 * (len(words) - 1)
    # As wide as letters of this size are, unless the sentence is too long for the picture.
    width = min(6.8, (148 - gaps) / letters)
    left = 80 - (width * letters + gaps) / 2
    shapes: list[Shape] = []
    for place, word in enumerate(words):
        length = width * len(word)
        shapes.append(
            text(word, left + length / 2, y, size=min(13, 1.8 * width))
            if place == shown
            else Shape("path", path=f"M{left:.1f} {y}h{length:.1f}", look="soft")
        )
        left += length + 7
    return tuple(shapes)
