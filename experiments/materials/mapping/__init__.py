"""Which column of a table is what: guess it, and turn the table into the platform's own shape. Pure.

A mapping says of columns what they are read as, by name:

- another name, such as `text` or `marker`: the column has that name;
- a name and levels, such as `text, clause=subject`: the cells are the texts of one condition, and every row of the
  table becomes one row for each such condition;
- a name and `part`: the cells of all such columns are one text together, region by region;
- a name and `factor` or `attribute`: the column is rotated over lists, or describes each text;
- a name and `kind`: the column says which texts are fillers and which are for practice;
- `list`: the column says who sees which row; rows that only differ in it are one;
- `-`: the column is left out.

Columns that it does not name stay as they are. Nothing is lost in silence: the table that comes out says every step,
and names every row that gave no text.
"""

from experiments.materials.mapping.guessing import asked, guessed
from experiments.materials.mapping.kept import DESCRIBE, applicable, reading_of, sound_reading, undone
from experiments.materials.mapping.long import mapped, repeated_fault
from experiments.materials.mapping.uses import LEFT_OUT, use_of
from experiments.materials.shapes import LIST

__all__ = [
    "DESCRIBE",
    "LEFT_OUT",
    "LIST",
    "applicable",
    "asked",
    "guessed",
    "mapped",
    "reading_of",
    "repeated_fault",
    "sound_reading",
    "undone",
    "use_of",
]
