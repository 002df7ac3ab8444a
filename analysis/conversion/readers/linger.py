"""Read results of Linger (`.dat`): eight fields divided by blanks, for each word and each question that was answered.

Subject, experiment, item, condition, number of the word, word, region, time. Where the number of the word is `?` the
line is a question: the answer stands in the place of the word, and 1 or 0, right or wrong, in that of the region.
"""

from __future__ import annotations

from analysis.conversion.reader import Reader
from analysis.conversion.source import Source, lines_of
from analysis.conversion.table import Converted, Fault, Row, cell, truth

_FIELDS = 8
_SEEN = 50


def _recognised(source: Source) -> bool:
    """Most of the first lines have eight fields, a number or ? in the fifth, and a time in the last."""
    lines = [line.split() for _n, line in lines_of(source.head) if line.strip()][:_SEEN]
    fitting = sum(_fits(fields) for fields in lines)
    return fitting >= 2 and fitting > 0.8 * len(lines)


def _fits(fields: list[str]) -> bool:
    return (
        len(fields) == _FIELDS
        and (fields[4] == "?" or fields[4].isdigit())
        and fields[7].isdigit()
        and "," not in fields[0] + fields[4]
    )


def _read(source: Source) -> Converted:
    rows: list[Row] = []
    faults: list[Fault] = []
    # Words are counted from 0 in some files and from 1 in others.
    from_zero = any(
        _fits(fields) and fields[4] == "0" for _n, line in lines_of(source.text) if (fields := line.split())
    )
    for number, line in lines_of(source.text):
        fields = line.split()
        if not fields or (number == 1 and not _fits(fields) and not fields[-1].isdigit()):
            continue
        if not _fits(fields):
            faults.append(Fault(number, f"{len(fields)} fields where Linger writes {_FIELDS}; the line was left out."))
            continue
        subject, experiment, item, condition, place, word, region, time = fields
        row: Row = {"participant": cell(subject), "label": experiment, "item": cell(item)}
        row["condition"] = cell(condition) if condition != "-" else None
        if place == "?":
            row |= {"response": cell(word), "correct": truth(region)}
        else:
            row |= {
                "region": int(place) + from_zero,
                "word": word,
                "region_name": cell(region) if region != "-" else None,
            }
        rows.append(row | {"rt_ms": int(time)})
    sources = {"participant": "subject", "label": "experiment", "region": "word position", "region_name": "region"}
    return Converted(
        "Linger",
        rows,
        sources=sources,
        faults=faults,
        notes=["Words have region, word and rt_ms; questions have response, correct and rt_ms."],
        meanings={"region_name": "Name of the region as the items were tagged"},
    )


LINGER = Reader(
    "Linger",
    files="`.dat`, of one subject or of several below each other",
    becomes="subject → `participant`, experiment → `label`, item, condition; of a word `region` (from 1), `word`, "
    "`rt_ms`; of a question `response`, `correct`, `rt_ms`",
    documentation="http://tedlab.mit.edu/~dr/Linger/",
    recognised=_recognised,
    read=_read,
)
