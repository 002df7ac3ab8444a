"""Cells of scores of words in the rows of regions and of visits: of the region itself and of those before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.codebook.words import NUMBERED_BY, scores_of_words
from experiments.models import Study, WordScore
from experiments.study.word_scores import current_values


@dataclass(frozen=True)
class WordScores:
    """The scores of the words of a task, as rows of a table need them."""

    table: str
    together: Sequence[tuple[str, str]]
    values: Mapping[int, Mapping[str, Sequence[float | None]]]

    @classmethod
    def of(cls, study: Study, table: str) -> WordScores:
        """Return those of the task through which a study is seen; empty ones for a table without regions."""
        scores = scores_of_words(study) if table in NUMBERED_BY else []
        return cls(table, [(one.name, one.together) for one in scores], current_values(study.task) if scores else {})

    def cells(
        self, rows: Sequence[Mapping[str, Any]], params: Mapping[str, Any], stimulus: int | None
    ) -> list[list[float | None]]:
        """Return the cells of `word_columns` for the rows of one trial, in their order."""
        if not self.together:
            return [[] for _ in rows]
        sizes = [int(one["words"]) for one in params.get("regions") or params.get("areas") or ()]
        of_text = self.values.get(stimulus, {}) if stimulus is not None else {}
        by_region = [_of_regions(of_text.get(name), sizes, how) for name, how in self.together]
        found = []
        for row in rows:
            at = int(row[NUMBERED_BY[self.table]]) - 1
            found.append(
                [one[at - back] if 0 <= at - back < len(one) else None for one in by_region for back in range(3)]
            )
        return found


def _of_regions(values: Sequence[float | None] | None, sizes: Sequence[int], how: str) -> list[float | None]:
    """Return the score of each region from those of its words; None where a word has none.

    >>> _of_regions([1.0, 2.0, 4.0], [2, 1], "sum"), _of_regions([1.0, 2.0, None], [2, 1], "mean")
    ([3.0, 4.0], [1.5, None])
    """
    if values is None or sum(sizes) != len(values):
        return [None] * len(sizes)
    found: list[float | None] = []
    first = 0
    for size in sizes:
        words = [value for value in values[first : first + size] if value is not None]
        first += size
        whole = len(words) == size > 0
        found.append((sum(words) / (size if how == WordScore.Together.MEAN else 1)) if whole else None)
    return found
