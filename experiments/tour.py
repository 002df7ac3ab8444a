"""The tour of the platform: a recording among the documents, and what each of its scenes shows, in words.

`make recording` makes `docs/pictures/demo.webp` (it moves, once) and `docs/pictures/demo-still.webp` (its first scene);
`make docs` copies both into the documents. Where the documents were not built, there is no tour.
"""

from __future__ import annotations

from django.conf import settings

from experiments.sentences import Sentence

MOVING, STILL = "pictures/demo.webp", "pictures/demo-still.webp"
# The paragraph of the documents that shows the recording with these words.
PARAGRAPH = "first-study/#the-tour-in-one-minute"
# The scenes by name, in the order in which they are shown: the lines under the recording and the text beside it.
SCENES = {
    "begin": Sentence("A new study begins with what you want to do."),
    "title": Sentence("You give it a title and an address."),
    "steps": Sentence("The left column lists the steps. Each step says what is missing."),
    "materials": Sentence("The materials are one table with a row for each text."),
    "check": Sentence("The table is checked first: you see every fault with its line."),
    "items": Sentence("Lectern finds items, conditions and fillers in the columns."),
    "design": Sentence("It makes the lists by a Latin square."),
    "procedure": Sentence("You set the order, breaks, questions and exclusions."),
    "consent": Sentence("Consent and instructions are written for you. You can edit them."),
    "plan": Sentence("You plan the analyses before there are data."),
    "open": Sentence("Before you open the study, you see what is missing."),
    "link": Sentence("Participants open a link."),
    "questions": Sentence("They answer a few questions."),
    "instructions": Sentence("They read the instructions."),
    "trial": Sentence("They judge sentences: any number, relative to a reference."),
    "progress": Sentence("During data collection you see who has finished and what needs attention."),
    "participants": Sentence("You see every participant by pseudonym."),
    "picture": Sentence("The analysis begins with a picture: the means, with every participant as a dot."),
    "suggested": Sentence("The analyses that fit your design are suggested as questions."),
    "report": Sentence("A report begins with the sentences and the table for the paper."),
    "figures": Sentence("Figures have the widths that journals ask for."),
    "export": Sentence("You download all data as CSV with a codebook, and a draft of the paper."),
}


def is_there() -> bool:
    """Return whether the documents of this platform have the recording."""
    return all((settings.DOCS_DIR / name).is_file() for name in (MOVING, STILL))
