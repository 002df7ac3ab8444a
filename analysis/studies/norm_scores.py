"""Convert norms of typed answers (cloze probability, entropy …) to scores of texts, by item and condition.

The table `items` of `production-norms` has one row per item, or per item and condition. Its numbers go to the texts
that have this item and these levels: from a report of the study itself, or from `items.csv` of another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis.methods.report import Report
from analysis.scores.stored import ScoresRefused
from experiments.formats.faults import enumerated
from experiments.sentences import Sentence

NORMS = "production-norms"
NORM_TABLE = "items"

# Column of the table → name of the score.
NORM_SCORES: Mapping[str, str] = {
    "target_share": "cloze",
    "share": "dominant_share",
    "entropy": "response_entropy",
    "entropy_corrected": "response_entropy_corrected",
    "different": "different_responses",
}
_OTHER_COLUMNS = (
    "n", "dominant", "ci_low", "ci_high", "empty", "target", "target_n", "target_low", "target_high",
)  # fmt: skip
_MARKS = ("item", "different", "entropy", "dominant", "share")


def is_norms(header: Iterable[str]) -> bool:
    """Return whether a table is the one of items of `production-norms`, by its columns.

    >>> is_norms(["item", "order", "n", "different", "entropy", "dominant", "share"]), is_norms(["item", "share"])
    (True, False)
    """
    return set(_MARKS) <= set(header)


def norm_keys(header: Sequence[str], factors: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that say to which texts a row belongs: the item, and those of the norms' groups.

    Raises ScoresRefused where the norms have groups that are no factors of the study: its texts do not have them.

    >>> norm_keys(["item", "order", "n", "different", "entropy", "dominant", "share"], ["order", "case"])
    ('item', 'order')
    """
    groups = [name for name in header if name not in (*NORM_SCORES, *_OTHER_COLUMNS, "item")]
    known = (*factors, "condition")
    unknown = [name for name in groups if name not in known]
    if unknown:
        raise ScoresRefused(
            Sentence(
                "The norms are computed separately by {groups}, which is not a factor of this study. Compute "
                "them by the factors of the study, or without groups.",
                groups=enumerated(unknown),
            )
        )
    return ("item", *groups)


def norm_rows(report: Report) -> list[dict[str, object]]:
    """Return the rows of the table of items. Raises ScoresRefused where the report has none."""
    table = next((table for table in report.tables if table.name == NORM_TABLE), None)
    if table is None:
        raise ScoresRefused(Sentence("The report has no norms of items."))
    return [dict(line) for line in table.lines()]
