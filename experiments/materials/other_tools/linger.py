"""Import item files of Linger: a line `# experiment item condition`, the sentence below, questions after `?`. Pure."""

from __future__ import annotations

from experiments.formats.faults import Fault
from experiments.materials.other_tools.items import ReadItem, table_of
from experiments.materials.shapes import Table
from experiments.sentences import Sentence

ORIGIN = "Linger"
_NONE = ("-", "--", "none", "NA", "0")


def recognised(text: str) -> bool:
    """Return whether a text is an item file: it begins with such a line, and at least half of its # lines are such and
    stand above a sentence. The # lines at the head of a results file of Ibex stand above each other.

    >>> recognised("# rel 1 subject\\nThe man that saw us left.\\n"), recognised("item,text\\n")
    (True, False)
    >>> recognised("# Results on Tuesday March 04\\n# USER AGENT: any browser\\n#\\n1393927262,abc,Form\\n")
    False
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    places = [place for place, line in enumerate(lines) if line.startswith("#")]
    fitting = [
        place for place in places if _head(lines[place]) and not "".join(lines[place + 1 : place + 2]).startswith("#")
    ]
    return bool(lines) and places[:1] == [0] and len(fitting) * 2 >= len(places) and 0 < len(places) < len(lines)


def _head(line: str) -> list[str] | None:
    """Return experiment, item and condition of a line that begins with #; None where one is missing."""
    parts = line[1:].split(None, 3)
    return parts[:3] if len(parts) >= 3 and not parts[0].startswith("#") else None


def _question(line: str) -> tuple[str, str] | None:
    """Return question and answer of a line that begins with a question mark; None where one is missing."""
    parts = line[1:].rsplit(None, 1)
    if len(parts) < 2 or parts[1] not in ("Y", "y", "N", "n"):
        return None
    return parts[0].strip(), "Yes" if parts[1] in "Yy" else "No"


def table(text: str) -> Table:
    """Return the table of an item file. Raises MaterialsFaults with all faults by line."""
    faults: list[Fault] = []
    items: list[ReadItem] = []
    head: tuple[int, str, str, str] | None = None
    sentence: list[str] = []
    question = ("", "")

    def end() -> None:
        if head is None:
            return
        line, experiment, item, condition = head
        shown = " ".join(" ".join(sentence).split())
        if not shown:
            faults.append(
                _fault(line, Sentence("There is no sentence below this line."), Sentence("Write it on the next line."))
            )
            return
        asked = (question[0], "Yes|No", question[1]) if question[0] else ("", "", "")
        items.append(
            ReadItem(line, shown, item, "" if condition in _NONE else condition, experiment, *asked)
        )  # fmt: skip

    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("#"):
            found = _head(line)
            end()
            head, sentence, question = None, [], ("", "")
            if not found:
                message = Sentence("'{line}' does not name an experiment, item and condition.", line=line[:60])
                faults.append(
                    _fault(number, message, Sentence("Write # experiment item condition, such as # rel 1 subject."))
                )
                continue
            head = (number, found[0], found[1], found[2])
        elif line.startswith("?"):
            asked = _question(line)
            if not asked:
                faults.append(
                    _fault(number, Sentence("The question has no answer."), Sentence("Write Y or N after it."))
                )
            elif head is not None and not question[0]:
                question = asked
        elif line and head is None and not faults:
            faults.append(
                _fault(
                    number,
                    Sentence("This text belongs to no item."),
                    Sentence("Begin with # experiment item condition."),
                )
            )
        elif line:
            sentence.append(line)
    end()
    several = sum(line.lstrip().startswith("?") for line in text.splitlines()) > sum(bool(i.question) for i in items)
    warnings = (
        [_fault(None, Sentence("Some texts have several questions. Only the first of each was read."), "")]
        if several
        else []
    )
    return table_of(items, origin=ORIGIN, warnings=warnings, faults=faults)


def _fault(line: int | None, message: str, suggestion: str) -> Fault:
    return Fault(line=line, message=message, suggestion=suggestion, step="materials")
