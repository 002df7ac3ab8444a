"""Fold spelling variants into one response: case, space, accents, punctuation, a list of spellings."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, no_such
from experiments.formats.folding import FOLDS, folded

NONE = "none"


def folds_asked(fold: str) -> tuple[str, ...]:
    """Return the ways of folding that were asked for. Raises BadInput for one that does not exist.

    >>> folds_asked("case, space"), folds_asked("none")
    (('case', 'space'), ())
    """
    asked = [name.casefold() for name in as_names(fold)]
    for name in asked:
        if name not in (*FOLDS, NONE):
            raise BadInput(f"fold: {no_such('way of folding', name, [*FOLDS, NONE])}")
    if NONE in asked and len(asked) > 1:
        raise BadInput(f"fold=none folds nothing, and cannot stand beside {listed(a for a in asked if a != NONE)}.")
    return tuple(name for name in FOLDS if name in asked)


def spellings_of(text: str, folds: Sequence[str]) -> dict[str, str]:
    r"""Read a list of spellings, a line each: as written, comma (or tabulator, or =), as meant.

    Raises BadInput for a line that is not like that, and for one form that is to mean two things.

    >>> spellings_of("Hnud,Hund\n\nhunt\tHund\n", ["case"])
    {'hnud': 'Hund', 'hunt': 'Hund'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        written, mark, meant = line.partition(next((sign for sign in ("\t", ",", "=") if sign in line), ","))
        if not mark or not written.strip() or not meant.strip():
            raise BadInput(
                f"spellings: line {number} is '{line.strip()[:40]}'; every line holds a form as it was written, a "
                f"comma, and the form that is meant, such as hnud,hund."
            )
        key = folded(written.strip(), folds)
        if folded(found.get(key, meant).strip(), folds) != folded(meant.strip(), folds):
            raise BadInput(
                f"spellings: '{written.strip()}' is to be both '{found[key]}' and '{meant.strip()}'; choose."
            )
        found[key] = meant.strip()
    return found


class Responses:
    """Responses by the form under which they are counted, shown as most people wrote them."""

    def __init__(self, texts: Sequence[str], folds: Sequence[str], spellings: Mapping[str, str]) -> None:
        self._folds, self._spellings = folds, spellings
        self.keys = [self.key(text) for text in texts]
        written: dict[str, Counter[str]] = {}
        for key, text in zip(self.keys, texts, strict=True):
            meant = spellings.get(folded(text, folds), text)
            written.setdefault(key, Counter())[unicodedata.normalize("NFC", " ".join(meant.split()))] += 1
        # The commonest form; of several, the first in the alphabet, so that the order of rows does not matter.
        self.shown = {
            key: min(forms, key=lambda form: (-forms[form], form)) if folds else key for key, forms in written.items()
        }

    def key(self, text: str) -> str:
        """Return the form under which a text is counted."""
        once = folded(text, self._folds)
        return folded(self._spellings[once], self._folds) if once in self._spellings else once
