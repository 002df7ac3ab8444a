"""Warnings about texts that are longer than a window in which people are likely to read them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from experiments.formats.faults import Fault
from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.sentences import Sentence, counting

# Of a text in a window of 1280 × 720 pixels, counted in a browser on Linux: English and Hebrew lines hold 51
# characters, German ones 47 to 50, Chinese ones half as many. What is above the text takes the room of the other lines.
CHARACTERS_IN_LINE = 52
LINES_IN_WINDOW = 10


def lines_of(text: str) -> int:
    """Return about how many lines a text takes in the window; wide characters, as Chinese ones, count as two.

    >>> lines_of("Short."), lines_of("word " * 21), lines_of("one\\ntwo"), lines_of("狗" * 27)
    (1, 3, 2, 2)
    """
    return sum(_lines_of_paragraph(paragraph) for paragraph in text.split("\n"))


def _lines_of_paragraph(text: str) -> int:
    lines, used = 1, 0
    for word in text.split():
        width = (
            len(word)
            if word.isascii()
            else sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in word)
        )
        if used and used + 1 + width > CHARACTERS_IN_LINE:
            lines, used = lines + 1, 0
        used += width + (1 if used else 0)
        # Without spaces a line ends within a word.
        lines, used = lines + (used - 1) // CHARACTERS_IN_LINE, (used - 1) % CHARACTERS_IN_LINE + 1
    return lines


def most_lines(text: str, extra: Mapping[str, Any]) -> int:
    """Return a number of lines that no text made of these cells exceeds, without breaking it into lines.

    Two lines that follow each other in a paragraph hold more than one line's width together.

    >>> most_lines("Short.", {}), most_lines("word " * 21, {"regions": ""}), most_lines("狗" * 27, {})
    (1, 4, 3)
    """
    cells = [text, *(cell for cell in extra.values() if isinstance(cell, str))]
    # No character before this one is wide.
    width = sum(len(cell) if max(cell, default="") < "\u1100" else 2 * len(cell) for cell in cells)
    breaks = sum(max(cell.count("\n"), len(cell.splitlines()) - 1) for cell in cells)
    return 1 + breaks + 2 * width // (CHARACTERS_IN_LINE + 1)


def window_warnings(study: Study) -> list[Fault]:
    """Return what a computer's window has no room for at once, where a paradigm times parts of its texts in place."""
    paradigm = paradigm_named(study.paradigm)
    settings = paradigm.complete_settings(study.settings)
    rows = Stimulus.objects.filter(item__part=study.task).values_list("text", "extra")
    total, parts = 0, []
    for text, extra in rows.iterator(chunk_size=2_000):
        total += 1
        if most_lines(text, extra) > LINES_IN_WINDOW:
            parts.append(paradigm.timed_in_place(text, extra, settings))
    lines = [lines_of("".join(of_text)) for of_text in parts]
    n_long = sum(n > LINES_IN_WINDOW for n in lines)
    n_parts = sum(lines_of(part) > LINES_IN_WINDOW for of_text in parts for part in of_text)
    shared = {"most": LINES_IN_WINDOW, "characters": CHARACTERS_IN_LINE}
    warnings = []
    if n_parts:
        message = counting(
            "A region is too long for a window of 1280 × 720 pixels, which has room for about {most} lines of "
            "{characters} characters. The part outside counts as out of view.",
            "{n} regions are too long for a window of 1280 × 720 pixels, which has room for about {most} lines "
            "of {characters} characters. The parts outside count as out of view.",
            n_parts,
            **shared,
        )
        warnings.append(Fault(message=message, suggestion=Sentence("Cut them into shorter regions."), step="materials"))
    if n_long:
        message = counting(
            "A text of {total} has about {lines} lines of {characters} characters, but a window of 1280 × 720 "
            "pixels has room for {most}. The page scrolls by whole lines between two regions.",
            "{n} texts of {total} have up to {lines} lines of about {characters} characters, but a window of "
            "1280 × 720 pixels has room for {most}. The page scrolls by whole lines between two regions.",
            n_long,
            total=total,
            lines=max(lines),
            **shared,
        )
        advice = Sentence(
            "Split the texts, show regions in the middle of the page, or leave it. The page brings every region "
            "into the window before it shows it; the column brought_into_view says where."
        )
        warnings.append(Fault(message=message, suggestion=advice, step="materials"))
    return warnings
