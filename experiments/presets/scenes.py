"""Moving pictures of trials, one function for each preset; their words are those of the language of the page."""

from __future__ import annotations

from django.utils.translation import pgettext

from experiments.presets.pictures import (
    Scene,
    Shape,
    box,
    dashes,
    dots,
    field_with,
    house,
    keys,
    pointer,
    text,
)

YES_NO = ("F", "J")


def lexical_decision() -> Scene:
    """Fixation, word, key; fixation, nonword, other key."""
    word, nonword = text(pgettext("picture", "river"), size=18), text(pgettext("picture", "plorm"), size=18)
    return Scene(
        (
            (text("+", size=18), *keys(*YES_NO)),
            (word, *keys(*YES_NO)),
            (word, *keys(*YES_NO, pressed=1)),
            (text("+", size=18), *keys(*YES_NO)),
            (nonword, *keys(*YES_NO)),
            (nonword, *keys(*YES_NO, pressed=0)),
        ),
        still=1,
    )


def masked_priming() -> Scene:
    """Mask, prime, target, key."""
    target = text(pgettext("picture", "river").upper(), size=18)
    return Scene(
        (
            (text("#####", size=18), *keys(*YES_NO)),
            (text(pgettext("picture", "river"), size=18, look="soft"), *keys(*YES_NO)),
            (target, *keys(*YES_NO)),
            (target, *keys(*YES_NO, pressed=1)),
        ),
        still=0,
    )


def self_paced_reading() -> Scene:
    """A moving window over a sentence."""
    words = pgettext("picture", "The dog barked all night.").split()
    return Scene(
        tuple(dashes(words, place) for place in range(len(words))),
        ground=(box(52, 68, 56, 12), text(pgettext("picture", "space bar"), 80, 77.5, size=8.5, look="soft")),
        still=2,
    )


def likert() -> Scene:
    """A sentence, seven points, one of them chosen."""
    return Scene(
        (dots(7), (*dots(7), pointer(112, 68)), (*dots(7, chosen=5), pointer(112, 68))),
        ground=(
            text(pgettext("picture", "Who did she say that left?"), y=38, size=11.5),
            text("1", 32, 82, size=9),
            text("7", 128, 82, size=9),
        ),
        still=2,
    )


def magnitude_estimation() -> Scene:
    """A sentence with its number; another one, twice as acceptable, gets twice the number."""
    first, second = (
        text(pgettext("picture", "reference: 100"), y=24, size=10, look="soft"),
        text(pgettext("picture", "She left early."), y=46, size=13),
    )
    return Scene(
        ((first, second, *field_with("")), (first, second, *field_with("2")), (first, second, *field_with("200"))),
        still=2,
    )


def ratings() -> Scene:
    """A picture, and a scale below it."""
    return Scene(((*dots(5), pointer(96, 68)), (*dots(5, chosen=3), pointer(96, 68))), ground=(house(y=28),), still=1)


def cloze() -> Scene:
    """A gap that is filled letter by letter."""
    whole = pgettext("picture", "tea")
    return Scene(
        tuple(field_with(whole[:length]) for length in (0, 1, len(whole))),
        ground=(text(pgettext("picture", "She drank a cup of ____."), y=40, size=11.5),),
        still=2,
    )


def picture_naming() -> Scene:
    """A picture whose name is typed."""
    whole = pgettext("picture", "house")
    return Scene(tuple(field_with(whole[:length]) for length in (0, 1, 3, len(whole))), ground=(house(y=28),), still=3)


def maze() -> Scene:
    """Of two words, the one that goes on is chosen."""
    sides = ("E", "I")
    pairs = (
        (pgettext("picture", "The"), "x-x-x", 0),
        (pgettext("picture", "lamp"), pgettext("picture", "dog"), 1),
        (pgettext("picture", "barked"), pgettext("picture", "of"), 0),
    )
    frames: list[tuple[Shape, ...]] = []
    for left, right, chosen in pairs:
        both = (text(left, 50, 46, size=15), text(right, 110, 46, size=15))
        frames.append((*both, *keys(*sides)))
        ring = box(22 if chosen == 0 else 82, 31, 56, 22, look="chosen")
        frames.append((*both, ring, *keys(*sides, pressed=chosen)))
    return Scene(tuple(frames), still=3)


def best_worst() -> Scene:
    """Four texts; the best and the worst of them are chosen."""
    lines = tuple(Shape("path", path=f"M46 {20 + 17 * row}h{(70, 56, 64, 48)[row]}", look="soft") for row in range(4))
    best = (text("+", 32, 42, size=15, look="best"), box(40, 28, 84, 17, look="best"))
    worst = (text("−", 32, 76, size=15, look="worst"), box(40, 62, 84, 17, look="worst"))
    return Scene(((), best, (*best, *worst)), ground=lines, still=2)


def preference() -> Scene:
    """Two texts; one of them is chosen."""
    lines = tuple(
        Shape("path", path=f"M{left} {34 + 10 * row}h{width}", look="soft")
        for left in (22, 92)
        for row, width in enumerate((44, 38, 42))
    )
    ground = (*lines, box(14, 22, 60, 44), box(84, 22, 60, 44), text("A", 44, 80, size=11), text("B", 114, 80, size=11))
    return Scene(((), (pointer(118, 52),), (box(84, 22, 60, 44, look="chosen"), pointer(118, 52))), ground, still=2)


def sentence_recall() -> Scene:
    """A sentence, a sum, and what is remembered of it."""
    sentence = pgettext("picture", "The dog barked all night.")
    words = sentence.split()
    return Scene(
        (
            (text(sentence, size=12.5),),
            (text("27 + 45 = ?", size=16),),
            (box(12, 34, 136, 24), text(f"{' '.join(words[:2])}|", 18, 50, size=12, start=True)),
            (box(12, 34, 136, 24), text(f"{sentence}|", 18, 50, size=9.5, start=True)),
        ),
        still=2,
    )


def mouse_reading() -> Scene:
    """Bars that the pointer uncovers one by one."""
    said = (
        pgettext("picture", "The dog barked all night."),
        pgettext("picture", "Nobody slept."),
        pgettext("picture", "It was the moon."),
    )
    frames = []
    for shown, sentence in enumerate(said):
        bars = tuple(box(14, 14 + 22 * row, 132, 15, look="soft") for row in range(3) if row != shown)
        frames.append((*bars, text(sentence, 18, 25 + 22 * shown, size=9, start=True), pointer(134, 20 + 22 * shown)))
    return Scene(tuple(frames), still=1)


def several_tasks() -> Scene:
    """Three parts, one after the other."""
    boxes = [(12, 30), (60, 30), (108, 30)]
    arrows = tuple(Shape("path", path=f"M{x} 45h10m-4 -4l4 4l-4 4") for x in (48.5, 96.5))
    ground = (*(box(x, y, 36, 30) for x, y in boxes), *arrows)
    ground += tuple(text(str(number), x + 18, y + 20, size=13) for number, (x, y) in enumerate(boxes, start=1))
    return Scene(tuple((box(x, y, 36, 30, look="chosen"),) for x, y in boxes), ground)


def any_task() -> Scene:
    """A paradigm of an installed package."""
    return Scene(((text("+", size=18),), (box(40, 25, 80, 36),), (box(40, 25, 80, 36, look="chosen"),)), still=1)
