"""Warnings about texts that are longer than a window in which people are likely to read them."""

from __future__ import annotations

import unicodedata

from experiments.formats.faults import Fault
from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.sentences import Sentence, counting

# Of a text in a window of 1280 × 720 pixels, counted in a browser: English and Hebrew lines hold 51 and 52
# characters, Chinese ones half as many. What is above the text takes the room of the other lines.
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
        width = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in word)
        if used and used + 1 + width > CHARACTERS_IN_LINE:
            lines, used = lines + 1, 0
        used += width + (1 if used else 0)
        # Without spaces a line ends within a word.
        lines, used = lines + (used - 1) // CHARACTERS_IN_LINE, (used - 1) % CHARACTERS_IN_LINE + 1
    return lines


def window_warnings(study: Study) -> list[Fault]:
    """Return what a computer's window has no room for at once, where a paradigm times parts of its texts in place."""
    paradigm = paradigm_named(study.paradigm)
    settings = paradigm.complete_settings(study.settings)
    rows = Stimulus.objects.filter(item__part=study.task).values_list("text", "extra")
    parts = [paradigm.timed_in_place(text, extra, settings) for text, extra in rows.iterator(chunk_size=2_000)]
    lines = [lines_of("".join(of_text)) for of_text in parts]
    n_long = sum(n > LINES_IN_WINDOW for n in lines)
    n_parts = sum(lines_of(part) > LINES_IN_WINDOW for of_text in parts for part in of_text)
    shared = {"most": LINES_IN_WINDOW, "characters": CHARACTERS_IN_LINE}
    warnings = []
    if n_parts:
        message = counting(
            "A region is longer than a computer's window of 1280 × 720 pixels, which has about {most} lines of "
            "{characters} characters: what is out of it counts as out of view.",
            "{n} regions are longer than a computer's window of 1280 × 720 pixels, which has about {most} lines of "
            "{characters} characters: what is out of it counts as out of view.",
            n_parts,
            **shared,
        )
        warnings.append(Fault(message=message, suggestion=Sentence("Cut them into shorter ones."), step="materials"))
    if n_long:
        message = counting(
            "A text of {total} has about {lines} lines of {characters} characters; a computer's window of 1280 × 720 "
            "pixels has room for {most}. The page scrolls by whole lines between two regions.",
            "{n} texts of {total} have up to {lines} lines of about {characters} characters; a computer's window of "
            "1280 × 720 pixels has room for {most}. The page scrolls by whole lines between two regions.",
            n_long,
            total=len(parts),
            lines=max(lines),
            **shared,
        )
        advice = Sentence(
            "Split the texts, show regions in the middle of the page, or leave it: every region is brought into the "
            "window before it is shown, and brought_into_view says where."
        )
        warnings.append(Fault(message=message, suggestion=advice, step="materials"))
    return warnings
