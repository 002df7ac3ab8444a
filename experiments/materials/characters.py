"""Check the characters of a table's cells: those that no database stores, cannot be seen, or were encoded twice."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from experiments.formats.faults import Fault, enumerated, listed
from experiments.formats.hidden import Oddity, mended, oddities
from experiments.sentences import Sentence, counting
from experiments.started_by import command_on_the_data

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# So many cells are named one by one; the others are counted.
MOST_NAMED = 50


@dataclass
class Characters:
    """What was found in the cells of one table.

    `repaired`: hidden and double-encoded characters are mended. `is_guessed`: the encoding was guessed.
    """

    repaired: bool = False
    is_guessed: bool = False
    faults: list[Fault] = field(default_factory=list)
    _named: list[Fault] = field(default_factory=list)
    _mended: list[int] = field(default_factory=list)
    _spaced: list[int] = field(default_factory=list)
    _more: int = 0

    def checked(self, cell: str, *, line: int, column: str) -> str:
        """Return a cell as it is read, without spaces around it; keep what is wrong with it."""
        if not cell.isascii() and (found := oddities(cell, is_guessed=self.is_guessed)):
            if self.repaired:
                self._mended.append(line)
                cell = mended(cell, is_guessed=self.is_guessed)
            else:
                self._name(found, line=line, column=column)
        if control := CONTROL.search(cell):
            message = Sentence("The cell contains the control character U+{code:04X}.", code=ord(control[0]))
            suggestion = Sentence("Delete it; it cannot be stored.")
            self.faults.append(Fault(line, column, message, suggestion, "materials"))
        bare = cell.strip()
        if bare != cell:
            self._spaced.append(line)
        return bare

    def _name(self, found: list[Oddity], *, line: int, column: str) -> None:
        if len(self._named) >= MOST_NAMED:
            self._more += 1
            return
        said = [
            Sentence("{code_point} at character {place}", code_point=odd.code_point, place=odd.at + 1)
            if odd.is_hidden
            else Sentence("'{given}' for '{meant}'", given=odd.text, meant=odd.mended)
            for odd in found
        ]
        if all(odd.is_hidden for odd in found):
            message = Sentence("The cell contains invisible characters: {places}.", places=enumerated(said))
        else:
            message = Sentence("The cell contains letters that were encoded twice: {places}.", places=enumerated(said))
        suggestion = Sentence(
            "Repair it with the button on the page that checks the table, or with {command}.",
            command=command_on_the_data("create_study", "--repair"),
        )
        self._named.append(Fault(line, column, message, suggestion, "materials", is_doubtful=True))

    def warnings(self) -> list[Fault]:
        """Return what is worth a look."""
        found = list(self._named)
        if self._more:
            message = counting(
                "{n} more cell contains such characters.", "{n} more cells contain such characters.", self._more
            )
            found.append(Fault(message=message, step="materials", is_doubtful=True))
        if lines := list(dict.fromkeys(self._mended)):
            message = Sentence(
                "Characters that are invisible or were encoded twice were repaired (lines {lines}).",
                lines=listed([str(line) for line in lines]),
            )
            found.append(Fault(message=message, step="materials"))
        if lines := list(dict.fromkeys(self._spaced)):
            message = counting(
                "Spaces before or after the contents of cells were removed (line {line}).",
                "Spaces before or after the contents of cells were removed ({n} rows, first in line {line}).",
                len(lines),
                line=lines[0],
            )
            found.append(Fault(message=message, step="materials"))
        return found
