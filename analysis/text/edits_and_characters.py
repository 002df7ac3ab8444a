"""chrF (Popović, 2015) and TER (Snover et al., 2006) of sacrebleu, from counts that add up over texts.

The counts of a text are those that sacrebleu's own tests of significance use, so both are computed as it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Metric:
    """One of the two metrics: its name, whether more is better, and how often at least a text is compared."""

    name: str
    label: str
    higher_is_better: bool


CHRF = Metric("chrf", "chrF", True)
TER = Metric("ter", "TER", False)


@cache
def _scorer(name: str, lowercase: bool) -> Any:
    from sacrebleu.metrics import chrf, ter

    return chrf.CHRF(lowercase=lowercase) if name == CHRF.name else ter.TER(case_sensitive=not lowercase)


def counts_of(metric: Metric, text: str, references: Sequence[str], *, lowercase: bool) -> list[float]:
    """Return the counts of one text: n-grams of 1 to 6 characters in it, in the reference that fits best and in both;
    or the fewest edits to a reference and the mean length of references.

    >>> counts_of(TER, "the cat sat", ["the dog sat"], lowercase=True)
    [1.0, 3.0]
    """
    statistics = _scorer(metric.name, lowercase)._extract_corpus_statistics([text], [[entry] for entry in references])
    return [float(number) for number in statistics[0]]


def score_of(metric: Metric, counts: Counts | Sequence[float], *, lowercase: bool) -> float:
    """Return the score from counts, of one text or added up over texts; 0 to 100, TER also above.

    >>> round(score_of(TER, [1.0, 3.0], lowercase=True), 2)
    33.33
    """
    return float(_scorer(metric.name, lowercase)._compute_score_from_stats(list(counts)).score)


def signature_of(metric: Metric, *, references: int, lowercase: bool) -> str:
    """Return what sacrebleu prints so that a score can be made again."""
    from sacrebleu import __version__

    case = "lc" if lowercase else "mixed"
    further = "eff:yes|nc:6|nw:0|space:no" if metric == CHRF else "tok:tercom|norm:no|punct:yes|asian:no"
    return f"nrefs:{references}|case:{case}|{further}|version:{__version__}"
