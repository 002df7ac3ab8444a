"""Trace the numbers of a manuscript to the reports that it names, as their data give them now."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.exports.reports import table_csv
from analysis.methods.report import Report
from analysis.reports.essentials import is_listing
from analysis.reports.labelled import labelled
from analysis.reports.labels import Labels
from analysis.verification.numbers import NUMBER, TEXTS, Compared, is_same, numbers_in

_SOURCE = re.compile(r"<!-- source: report (\d+) \(")
_ESCAPED = re.compile(r"\\([^\w\s])")
_TAGS, _MARKS = re.compile(r"</?[a-z]+>"), re.compile(r"[*_`|\\]")
# Fewer letters are in too many sentences to say which one it is.
LEAST_LETTERS = 12
# What a printed table leaves out: numbers of columns and rows, and no findings.
_LEFT_OUT = re.compile(r"The first [\d,]+ of [\d,]+ rows|\b[\d,]+ (?:more|further)\b")
# Years of works that are cited, such as “(Bates et al., 2015)”.
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def sourced_blocks(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the report and the text of every block of a manuscript that names one.

    >>> list(sourced_blocks("# A\\n\\nF(1, 3) = 2.\\n\\n<!-- source: report 7 (lmm), data -->\\n"))
    [(7, 'F(1, 3) = 2.')]
    """
    begun: list[str] = []
    for part in markdown.split("\n\n"):
        if found := _SOURCE.search(part):
            yield int(found[1]), "\n".join(begun)
            begun = []
        elif part.startswith(("#", "<!--")):
            begun = []
        elif part.startswith(("**", "![")) or (begun and begun[0].startswith(("**", "!["))):
            # A table or figure has its title, what it shows and its note before the line that names the report.
            begun = [part] if part.startswith(("**", "![")) else [*begun, part]
        else:
            begun = [part]


def compare_text(markdown: str, reports: Mapping[int, Mapping[str, Any]], names: Mapping[str, Any]) -> Compared:
    """Compare the numbers of the text of a manuscript with the reports, by number, as they were computed again.

    A number is reproduced where the report says the same sentence with the same numbers; elsewhere, as in a printed
    table, where it is a value of the report's tables as far as it is printed. `names` are factors and labels, as
    provenance has them.
    """
    found = Compared()
    labels = Labels.of(names.get("factors", {}), names.get("labels", {}))
    known: dict[int, _Said] = {}
    for number, text in sourced_blocks(_ESCAPED.sub(r"\1", markdown)):
        block = _Skeleton.of(_LEFT_OUT.sub(" ", text))
        if number not in reports:
            found.unchecked += len(block.numbers)
            continue
        if number not in known:
            known[number] = _Said.of(reports[number], labels)
        found.numbers += len(block.numbers)
        wrong = known[number].wrong_in(block, number)
        found.same += len(block.numbers) - len(wrong)
        found.differing += [f"{one} in “{_around(text, one)}” is not what report {number} gives." for one in wrong]
    return found


@dataclass(frozen=True)
class _Skeleton:
    """A text as its letters, with a # for each number, and the numbers; `percent` says which stand before a %."""

    letters: str
    numbers: tuple[str, ...]
    percent: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> _Skeleton:
        plain = _MARKS.sub(" ", _TAGS.sub("", text))
        numbers: list[str] = []
        percent: list[bool] = []

        def hidden(match: re.Match[str]) -> str:
            if not (mine := numbers_in(f" {match[0]} ")):
                return match[0]
            numbers.extend(mine)
            percent.append(bool(re.match(r"\s?%", plain[match.end() : match.end() + 2])))
            return "#"

        letters = NUMBER.sub(hidden, plain)
        kept = "".join(sign for sign in letters if sign.isalpha() or sign == "#")
        return cls(kept, tuple(numbers), tuple(percent))


@dataclass(frozen=True)
class _Said:
    """What a report says: its sentences by their letters, and the values of its tables."""

    sentences: Mapping[str, Sequence[tuple[str, ...]]]
    values: Sequence[float]

    @classmethod
    def of(cls, report: Mapping[str, Any], labels: Labels) -> _Said:
        stored = Report.from_dict(report)
        shown = labelled(stored, labels)
        texts = {text for one in (stored, shown) for kind in TEXTS for text in getattr(one, kind)}
        sentences: dict[str, list[tuple[str, ...]]] = {}
        values = [
            float(value)
            for table in stored.tables
            if not is_listing(table)
            for row in table.rows
            for value in row
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        ]
        for text in texts:
            for piece in (text, *re.split(r"(?<=[.;]) ", text)):
                skeleton = _Skeleton.of(piece)
                if len(skeleton.letters) >= LEAST_LETTERS and skeleton.numbers:
                    sentences.setdefault(skeleton.letters, []).append(skeleton.numbers)
                values += map(float, skeleton.numbers)
        return cls(sentences, values)

    def wrong_in(self, block: _Skeleton, number: int) -> list[str]:
        """Return the numbers of a block that the report does not give."""
        judged: dict[int, bool] = {}
        for letters, told in self.sentences.items():
            start = block.letters.find(letters)
            while start >= 0:
                first = block.letters.count("#", 0, start)
                mine = block.numbers[first : first + letters.count("#")]
                nearest = max(told, key=lambda one: sum(a == b for a, b in zip(one, mine, strict=False)))
                for place, (said, one) in enumerate(zip(mine, nearest, strict=False), start=first):
                    judged[place] = judged.get(place, False) or said == one
                start = block.letters.find(letters, start + 1)
        return [
            one
            for place, one in enumerate(block.numbers)
            if not judged.get(place, place not in judged and self._is_known(one, block.percent[place], number))
        ]

    def _is_known(self, printed: str, is_percent: bool, number: int) -> bool:
        # The report is named by its number, and works that are cited by their years.
        if printed == str(number) or _YEAR.fullmatch(printed):
            return True
        return any(_is_printed(printed, value, is_percent=is_percent) for value in self.values)


def compare_tables(tables: Mapping[str, bytes], reports: Mapping[int, Mapping[str, Any]]) -> Compared:
    """Compare the tables of a manuscript, by path, with those of the reports, whose names theirs are made from."""
    known = {
        re.sub(r"[^A-Za-z0-9-]+", "-", f"{report['method']}-{number}-{table.name}"): table_csv(table)
        for number, report in reports.items()
        for table in Report.from_dict(report).tables
    }
    found = Compared()
    for path, content in tables.items():
        again = known.get(path.rpartition("/")[2].removesuffix(".csv"))
        amount = sum(_is_a_number(cell) for row in _cells(content)[1:] for cell in row)
        if again is None:
            found.told += [f"{path} is no table of a report here, and was not computed."] if amount else []
            continue
        same, first = _same_cells(_cells(content), _cells(again))
        found.numbers += amount
        found.same += same
        if first:
            found.differing.append(f"{path}, {first}")
    return found


def compare_sources(content: bytes, reports: Mapping[int, Mapping[str, Any]]) -> Compared:
    """Compare the table of sources of a manuscript with what provenance says of its reports, by number."""
    found = Compared()
    for row in csv.DictReader(io.StringIO(content.decode("utf-8", "replace"), newline="")):
        known = reports.get(int(row["report"] or 0))
        found.numbers += 1
        if known is not None and (row["method"], row["data_sha256"]) == (known["method"], known["data_sha256"]):
            found.same += 1
        else:
            found.differing.append(f"Report {row['report']} is none of {row['method']} on data {row['data_sha256']}.")
    return found


def _same_cells(mine: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]) -> tuple[int, str]:
    """Return how many numbers two tables share, and where the first difference is; empty where there is none."""
    if len(mine) != len(theirs) or mine[:1] != theirs[:1]:
        return 0, f"{len(mine) - 1} rows: {len(theirs) - 1} come out, or other columns."
    same, first = 0, ""
    for number, (row, other) in enumerate(zip(mine[1:], theirs[1:], strict=True), start=1):
        if len(row) != len(other):
            return same, f"row {number}: {len(row)} cells; {len(other)} come out."
        for cell, again in zip(row, other, strict=True):
            if cell == again or (_is_a_number(cell) and _is_a_number(again) and is_same(float(cell), float(again))):
                same += _is_a_number(cell)
            else:
                first = first or f"row {number}: {cell}; {again} comes out."
    return same, first


def _is_a_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _cells(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))


def _is_printed(printed: str, value: float, *, is_percent: bool = False) -> bool:
    """Return whether a printed number is a value rounded to its digits, or the share that a percentage says.

    >>> _is_printed(".03", 0.0312), _is_printed("12.5", 0.125, is_percent=True), _is_printed(".05", 0.0312)
    (True, True, False)
    """
    number = float(printed)
    if "e" in printed.lower():
        return is_same(number, value)
    half = 0.500001 * 10.0 ** -len(printed.partition(".")[2])
    return any(abs(abs(number) - abs(one)) <= half for one in ((value, 100 * value) if is_percent else (value,)))


def _around(text: str, number: str) -> str:
    at = text.replace("−", "-").find(number)
    return " ".join(text[max(0, at - 40) : at + 40].split())
