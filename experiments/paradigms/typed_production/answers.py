"""Normalise typed answers (folding, spelling variants) and match them with targets of the materials. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from experiments.formats.folding import folded
from experiments.sentences import Sentence

BETWEEN_FIELDS = ";"
BETWEEN_ACCEPTED = "|"
MAX_SPELLINGS = 200
MAX_SPELLING = 80


def folds_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the ways of folding in the settings; case and blanks are always folded.

    >>> folds_of({"fold_accents": True, "fold_punctuation": False})
    ['case', 'space', 'accents']
    """
    wanted = ["case", "space"]
    wanted += ["accents"] if settings.get("fold_accents") else []
    return [*wanted, "punctuation"] if settings.get("fold_punctuation") else wanted


def spelling_faults(text: str) -> list[str]:
    """Return one sentence for each malformed line of a list of spelling variants.

    >>> spelling_faults("colour = color\\ncolour")
    ["Line 2, 'colour': write the typed form, =, and the intended form, such as colour = color."]
    """
    faults: list[str] = []
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MAX_SPELLINGS:
        faults.append(
            Sentence(
                "There are {number} lines, but at most {most} can be stored with every trial. Upload a longer "
                "list as a file for the analysis production-norms.",
                number=len(lines),
                most=MAX_SPELLINGS,
            )
        )
    meant: dict[str, str] = {}
    for number, line in lines:
        written, mark, form = (part.strip() for part in line.partition("="))
        if not (written and mark and form):
            faults.append(
                Sentence(
                    "Line {number}, '{line}': write the typed form, =, and the intended form, such as colour = color.",
                    number=number,
                    line=line[:40],
                )
            )
        elif max(len(written), len(form)) > MAX_SPELLING:
            faults.append(
                Sentence("Line {number}: a form has more than {most} characters.", number=number, most=MAX_SPELLING)
            )
        elif meant.setdefault(folded(written, ("case", "space")), form) != form:
            faults.append(
                Sentence("Line {number}: '{form}' has another meaning in an earlier line.", number=number, form=written)
            )
    return faults


def spellings_in(text: str, folds: Collection[str]) -> dict[str, str]:
    """Parse a list of spelling variants, folding both sides; malformed lines are skipped.

    >>> spellings_in("Colour = color\\n grey=gray ", ["case", "space"])
    {'colour': 'color', 'grey': 'gray'}
    """
    found = {}
    for line in text.splitlines():
        written, mark, meant = line.partition("=")
        if mark and written.strip() and meant.strip():
            found[folded(written.strip(), folds)] = folded(meant.strip(), folds)
    return found


def folded_answer(typed: str, folds: Collection[str], spellings: Mapping[str, str]) -> str:
    """Return the normalised form of an answer for counting. Surrounding blanks never matter.

    >>> folded_answer(" Colour ", ["case", "space"], {"colour": "color"})
    'color'
    """
    form = folded(typed.strip(), folds)
    return spellings.get(form, form)


def targets_in(cell: Any, *, fields: int) -> list[list[str]]:
    """Return the accepted answers of each field: fields are separated by `;`, accepted answers of one by `|`.

    >>> targets_in("butter|margarine; knife", fields=2), targets_in("", fields=1)
    ([['butter', 'margarine'], ['knife']], [[]])
    """
    parts = str(cell or "").split(BETWEEN_FIELDS) if fields > 1 else [str(cell or "")]
    accepted = [[one.strip() for one in part.split(BETWEEN_ACCEPTED) if one.strip()] for part in parts[:fields]]
    return accepted + [[] for _ in range(fields - len(accepted))]


def is_target(answer: str, accepted: Sequence[str], folds: Collection[str], spellings: Mapping[str, str]) -> bool:
    """Return whether a folded answer is one of the accepted ones.

    >>> is_target("color", ["Colour"], ["case", "space"], {"colour": "color"})
    True
    """
    return answer in {folded_answer(one, folds, spellings) for one in accepted}
