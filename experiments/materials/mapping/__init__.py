"""Which column of a table is what: guess it, and turn the table into the platform's own shape. Pure.

A mapping says of columns what they are read as, by name:

- another name, such as `text` or `marker`: the column has that name;
- a name and levels, such as `text, clause=subject`: the cells are the texts of one condition, and every row of the
  table becomes one row for each such condition;
- a name and `part`: the cells of all such columns are one text together, region by region, in the order of the columns
  or of numbers (`part 2`); columns of `choices` are those of one question, and `right` is the right one of them;
- a name and `item`: the column names the items, too;
- a name and `factor` or `attribute`: the column is rotated over lists, or describes each text;
- a name and `kind`: the column says which texts are fillers and which are for practice;
- `list`: the column says who sees which row; rows that only differ in it are one;
- `-`: the column is left out.

Columns that it does not name stay as they are. Nothing is lost in silence: the table that comes out says every step,
and names every row that gave no text.
"""

from experiments.materials.mapping.answers import CHOICES, with_choices
from experiments.materials.mapping.corrections import (
    CORRECTED,
    Correction,
    FaultyCell,
    corrected,
    faulty_cells,
    sound_corrections,
)
from experiments.materials.mapping.dividers import with_regions
from experiments.materials.mapping.guessing import asked, guessed
from experiments.materials.mapping.kept import DESCRIBE, TAKE, applicable, reading_of, sound_reading, undone
from experiments.materials.mapping.long import OWN_ITEMS, mapped, repeated_fault
from experiments.materials.mapping.uses import LEFT_OUT, use_of
from experiments.materials.shapes import LIST

__all__ = [
    "CHOICES",
    "CORRECTED",
    "DESCRIBE",
    "LEFT_OUT",
    "LIST",
    "OWN_ITEMS",
    "TAKE",
    "Correction",
    "FaultyCell",
    "applicable",
    "asked",
    "corrected",
    "faulty_cells",
    "guessed",
    "mapped",
    "reading_of",
    "repeated_fault",
    "sound_corrections",
    "sound_reading",
    "undone",
    "use_of",
    "with_choices",
    "with_regions",
]
