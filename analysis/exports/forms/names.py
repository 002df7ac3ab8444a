"""Name the forms in which everything of a study can leave, and say what each of them is for."""

from __future__ import annotations

from typing import Literal, get_args

from experiments.sentences import Sentence

Layout = Literal["flat", "psych-ds", "bids", "croissant", "psychling-101", "spss"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
# Those that hold the files of the flat form, under its names.
AS_FLAT: frozenset[str] = frozenset({"flat", "croissant"})
# Those whose files are their own, without reports.
OF_THEIR_OWN: frozenset[str] = frozenset({"bids", "psychling-101", "spss"})
LABELS: dict[str, str] = {
    "flat": Sentence("Plain files"),
    "psych-ds": Sentence("Psych-DS"),
    "bids": Sentence("BIDS behaviour"),
    "croissant": Sentence("Croissant"),
    "psychling-101": Sentence("PsychLing-101"),
    "spss": Sentence("SPSS and jamovi"),
}
PURPOSES: dict[str, str] = {
    "flat": Sentence("CSV files next to each other, with codebook and reports."),
    "psych-ds": Sentence("A valid Psych-DS dataset, with reports."),
    "bids": Sentence("One table per person and task, as in the Brain Imaging Data Structure."),
    "croissant": Sentence("Plain files and a description for machine learning, with the hash of every file."),
    "psychling-101": Sentence("Trials in words for language models, with CODEBOOK.csv and prompts.jsonl."),
    "spss": Sentence("CSV with names that SPSS and jamovi accept, 1 and 0 for true and false, and syntax with labels."),
}


def known_layout(text: str | None) -> Layout:
    """Return the form of this name; plain files for any other text.

    >>> known_layout("bids"), known_layout("zip")
    ('bids', 'flat')
    """
    return next((layout for layout in LAYOUTS if layout == text), "flat")
