"""Add distractors to a table of materials, and make a table for their review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.distractors.candidates import candidates
from analysis.distractors.choosing import Choice, Item, choose
from analysis.distractors.improbable import Improbability
from analysis.distractors.review import REVIEW, review_rows
from analysis.distractors.sentences import Sentence, cut
from experiments.formats.csvtext import csv_text
from experiments.formats.faults import Fault
from experiments.formats.words import NeedsRegions, regions_fault
from experiments.materials import Design, DesignStimulus, MaterialsFaults, Table, design_from, read_table
from experiments.paradigms import paradigm_named

COLUMN = "distractors"
REGIONS = "regions"
MAX_WORDS = 200


@dataclass(frozen=True)
class Made:
    """What came out: both tables as CSV, the choices by item, and warnings about the materials."""

    table: str
    review: str
    items: tuple[Item, ...]
    choices: tuple[tuple[Choice, ...], ...]
    warnings: tuple[Fault, ...]


def make_distractors(
    data: bytes, *, name: str = "", language: str = "en", model: Path | None = None, seed: int = 1
) -> Made:
    """Return the table in a file with a column of distractors, and the table for reviewing them.

    Raises MaterialsFaults with everything that is wrong with the table; NotArpa and OSError for the model.
    """
    table = read_table(data, name)
    # Self-paced reading reads the same texts with the same marks.
    design, sentences = _read(table)
    items = tuple(Item(one.code, tuple(sentences[_line(text)] for text in one.stimuli)) for one in design.items)
    pool = candidates(language)
    improbable = None
    if model is not None:
        seen = [token for item in items for sentence in item.sentences for token in _tokens(sentence)]
        improbable = Improbability.knowing(model, [*seen, *(one.word for one in pool)])
    choices = choose(items, pool=pool, language=language, seed=seed, model=improbable)
    beside: dict[int, str] = {}
    for design_item, item, chosen in zip(design.items, items, choices, strict=True):
        words = {choice.place: choice.distractor for choice in chosen}
        for text, sentence in zip(design_item.stimuli, item.sentences, strict=True):
            beside[_line(text)] = sentence.beside(words)
    return Made(
        csv_text([*table.header, COLUMN], [[*row.cells, beside[row.line]] for row in table.rows]),
        csv_text(
            REVIEW, [row for item, chosen in zip(items, choices, strict=True) for row in review_rows(item, chosen)]
        ),
        items,
        tuple(tuple(chosen) for chosen in choices),
        design.warnings,
    )


def _read(table: Table) -> tuple[Design, dict[int, Sentence]]:
    """Return the design of a table and its texts by line, or raise everything that is wrong with them."""
    folded = {name.casefold(): number for number, name in reversed(list(enumerate(table.header)))}
    faults: list[Fault] = []
    warnings: Sequence[Fault] = ()
    design: Design | None = None
    if COLUMN in folded:
        message, suggestion = "The table has distractors already.", "Delete the column to make new ones."
        faults.append(Fault(table.header_line, table.header[folded[COLUMN]], message, suggestion, "materials"))
    else:
        try:
            design = design_from(table, paradigm_named("self-paced-reading"))
        except MaterialsFaults as found:
            faults, warnings = list(found.faults), found.warnings
    sentences: dict[int, Sentence] = {}
    if "text" in folded:
        for row in table.rows:
            text = row.cells[folded["text"]]
            regions = row.cells[folded[REGIONS]] if REGIONS in folded else ""
            if text:
                try:
                    sentences[row.line] = cut(text, regions=regions)
                except NeedsRegions:
                    faults.append(_fault(row.line, "Distractors are made for English and German texts."))
                    continue
                faults += _text_faults(row.line, text, regions, sentences[row.line])
        faults += _mark_faults(table, folded, sentences)
    if faults or design is None:
        ordered = sorted(faults, key=lambda fault: (fault.line is not None, fault.line or 0))
        raise MaterialsFaults(ordered, warnings)
    return design, sentences


def _text_faults(line: int, text: str, regions: str, sentence: Sentence) -> list[Fault]:
    faults = []
    differs = regions_fault(text.replace("|", " "), regions=regions) if regions else None
    if differs:
        faults.append(Fault(line=line, column=REGIONS, message=differs, step="materials"))
    n_words = sum(1 for _ in sentence.slots())
    if sum(1 for region in sentence.regions if region) < 2:
        faults.append(_fault(line, "The text has fewer than two words or regions, so nothing stands to choose."))
    elif n_words > MAX_WORDS:
        faults.append(_fault(line, f"The text has {n_words} words; Maze takes sentences of at most {MAX_WORDS}."))
    return faults


def _mark_faults(table: Table, folded: dict[str, int], sentences: dict[int, Sentence]) -> list[Fault]:
    """Report items in which some texts are marked and others are not: their places do not correspond."""
    if "item" not in folded:
        return []
    faults = []
    first: dict[str, tuple[int, bool]] = {}
    for row in table.rows:
        if row.line in sentences:
            line, is_marked = first.setdefault(row.cells[folded["item"]], (row.line, sentences[row.line].is_marked))
            if is_marked != sentences[row.line].is_marked:
                which = "is" if is_marked else "is not"
                message = f"The text of this item in line {line} {which} marked with |, and this one differs."
                faults.append(_fault(row.line, message, "Mark all texts of an item, or none."))
    return faults


def _fault(line: int, message: str, suggestion: str = "") -> Fault:
    return Fault(line=line, column="text", message=message, suggestion=suggestion, step="materials")


def _line(stimulus: DesignStimulus) -> int:
    if stimulus.line is None:  # pragma: no cover - a design from a table has the lines of the table
        raise ValueError("A text without its line.")
    return stimulus.line


def _tokens(sentence: Sentence) -> list[str]:
    contexts = sentence.contexts()
    return [token for slot in sentence.slots() for token in (*contexts[slot.place], slot.word)]


__all__ = ["COLUMN", "REVIEW", "Made", "make_distractors"]
