"""What becomes of every element of a project of another tool: carried over, changed, or not carried. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

CARRIED, CHANGED, NOT_CARRIED = "carried", "changed", "not carried"
OUTCOMES = (NOT_CARRIED, CHANGED, CARRIED)
MOST_LINES_SHOWN = 12


def english(text: str, **values: object) -> str:
    """Return a sentence of a report, which is in English in every language, as those of analyses are.

    >>> english("a table of {n} rows.", n=3)
    'a table of 3 rows.'
    """
    return text.format(**values)


@dataclass(frozen=True)
class Entry:
    """One element: its file, the lines on which it stands, what it is, what became of it, and what follows for whom."""

    outcome: str
    file: str
    lines: tuple[int, ...]
    element: str
    said: str
    advice: str = ""

    @property
    def place(self) -> str:
        """The file with the lines, such as `main.js, line 12`."""
        if not self.lines:
            return self.file
        shown = ", ".join(str(line) for line in self.lines[:MOST_LINES_SHOWN])
        if len(self.lines) > MOST_LINES_SHOWN:
            return english(
                "{file}, lines {lines} and {n} more", file=self.file, lines=shown, n=len(self.lines) - MOST_LINES_SHOWN
            )
        if len(self.lines) > 1:
            return english("{file}, lines {lines}", file=self.file, lines=shown)
        return english("{file}, line {line}", file=self.file, line=self.lines[0])

    def __str__(self) -> str:
        said = english("{place}: {element}: {said}", place=self.place, element=self.element, said=self.said)
        return english("{said} {advice}", said=said, advice=self.advice) if self.advice else said


@dataclass
class Report:
    """Every element of a project with what became of it.

    >>> report = Report()
    >>> report.add("carried", "main.js", 3, "newText", "shown as a page.")
    >>> report.add("carried", "main.js", 9, "newText", "shown as a page.")
    >>> [str(entry) for entry in report.entries]
    ['main.js, lines 3, 9: newText: shown as a page.']
    """

    _lines: dict[tuple[str, str, str, str, str], dict[int, None]] = field(default_factory=dict)

    def add(self, outcome: str, file: str, line: int | None, element: str, said: str, advice: str = "") -> None:
        """Add an element; the same said of another line is one entry with both lines."""
        lines = self._lines.setdefault((outcome, file, element, said, advice), {})
        if line is not None:
            lines[line] = None

    @property
    def entries(self) -> list[Entry]:
        """The elements: first those that are not carried, then those that are changed, each in the order of lines."""
        found = [
            Entry(outcome, file, tuple(sorted(lines)), element, said, advice)
            for (outcome, file, element, said, advice), lines in self._lines.items()
        ]
        return sorted(found, key=lambda entry: (OUTCOMES.index(entry.outcome), entry.file, entry.lines[:1]))

    def of(self, outcome: str) -> list[Entry]:
        """Return the elements with one outcome."""
        return [entry for entry in self.entries if entry.outcome == outcome]

    @property
    def needs_no_hand(self) -> bool:
        """Whether every element is carried over, if with changes that are named."""
        return not self.of(NOT_CARRIED)


HEADINGS = {
    NOT_CARRIED: english("Not carried: this needs your hand"),
    CHANGED: english("Changed: this is not as it was"),
    CARRIED: english("Carried over"),
}


def markdown_of(report: Report, *, title: str) -> str:
    """Return the report as Markdown, as it is kept with the study."""
    lines = [f"# {title}", ""]
    for outcome in OUTCOMES:
        entries = report.of(outcome)
        lines += [f"## {HEADINGS[outcome]} ({len(entries)})", ""]
        lines += [f"- {_one_line(str(entry))}" for entry in entries] or [english("Nothing.")]
        lines.append("")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def told(entries: Iterable[Entry]) -> list[str]:
    """Return the sentences of entries."""
    return [str(entry) for entry in entries]
