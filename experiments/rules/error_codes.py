"""Coding schemes: validate codes given to a text, and compute the score. Pure.

An exclusive code must be the only one. The score is the sum of the weights. With the scheme of
Table 1 of Siddharthan and Katsos (2012): at most one of 0, 1, 5, 6; only if none of them, any of 2, 3, 4.

A text without codes has not been coded, so a scheme in which texts can be free of errors needs a code for that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.sentences import Sentence

CODE = re.compile(r"[A-Za-z0-9]{1,10}")
MOST_CODES = 30
MOST_DESCRIPTION = 300
# Floating-point sums of weights such as 0.1 depend on the order of addition; nobody needs smaller weights than this.
DIGITS = 9


class SchemeCode(Protocol):
    """One code of a scheme: a row of the study, or a default of the paradigm."""

    @property
    def code(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def weight(self) -> float: ...
    @property
    def is_exclusive(self) -> bool: ...


def faults_of(codes: Iterable[str], scheme: Sequence[SchemeCode]) -> list[str]:
    """Validate `codes` as a coding. Return one sentence for each fault.

    >>> from experiments.paradigms.base import DefaultErrorCode
    >>> scheme = [DefaultErrorCode("0", "right", 0.5, True), DefaultErrorCode("3", "garbled", -0.5, False)]
    >>> faults_of(["3"], scheme), faults_of(["0", "3"], scheme)
    ([], ["Code '0' is exclusive. Give no other code together with it."])
    >>> faults_of(["9"], scheme), faults_of([], scheme)
    (["There is no code '9'. Possible names: '0', '3'."], ['Give at least one code.'])
    """
    given = list(dict.fromkeys(codes))
    known = {entry.code: entry for entry in scheme}
    if not known:
        return [Sentence("The study has no codes yet; write them first.")]
    if not given:
        return [Sentence("Give at least one code.")]
    every = Sentence("Possible names: {names}.", names=listed(list(known), shown=30))
    faults: list[str] = [
        Sentence("There is no code '{code}'. {hint}", code=code, hint=did_you_mean(str(code), known) or every)
        for code in given
        if code not in known
    ]
    alone = [code for code in given if code in known and known[code].is_exclusive]
    if len(alone) > 1:
        faults.append(Sentence("You can give only one of the codes {names}.", names=listed(alone, shown=30)))
    elif alone and len(given) > 1:
        faults.append(Sentence("Code '{code}' is exclusive. Give no other code together with it.", code=alone[0]))
    return faults


def normalised(codes: Iterable[str], scheme: Sequence[SchemeCode]) -> list[str]:
    """Return the codes in the order of the scheme, without duplicates and unknown codes.

    >>> from experiments.paradigms.base import DefaultErrorCode
    >>> normalised(["4", "3", "4"], [DefaultErrorCode(code, "", 0.0, False) for code in "234"])
    ['3', '4']
    """
    given = set(codes)
    return [entry.code for entry in scheme if entry.code in given]


def score(codes: Iterable[str], scheme: Sequence[SchemeCode]) -> float:
    """Return the sum of the weights of `codes`, rounded to 1e-9. Raises ValueError for codes that break the rule.

    >>> from experiments.paradigms.base import DefaultErrorCode
    >>> score(["2", "3"], [DefaultErrorCode("2", "", -0.25, False), DefaultErrorCode("3", "", -0.5, False)])
    -0.75
    """
    given = list(codes)
    faults = faults_of(given, scheme)
    if faults:
        raise ValueError(" ".join(faults))
    weights = {entry.code: entry.weight for entry in scheme}
    # Adding 0.0 turns −0.0 into 0.0.
    return round(math.fsum(weights[code] for code in dict.fromkeys(given)), DIGITS) + 0.0


def scheme_faults(scheme: Sequence[SchemeCode]) -> list[Fault]:
    """Return what is wrong with a scheme. `setting` of a fault is `error_codes.<number of the code>.<field>`."""
    faults: list[Fault] = []
    if len(scheme) > MOST_CODES:
        message = Sentence("There are more than {most} codes.", most=MOST_CODES)
        faults.append(Fault(setting="error_codes", message=message))
    seen: dict[str, str] = {}
    for number, entry in enumerate(scheme, start=1):
        faults += [
            Fault(setting=f"error_codes.{number}.{name}", message=message) for name, message in _entry_faults(entry)
        ]
        code = _any(entry.code)
        if not isinstance(code, str):
            continue
        folded = code.casefold()
        if folded in seen:
            # Keyboard shortcuts and some spreadsheets ignore case.
            message = Sentence(
                "The code '{code}' appears twice; the first time as '{before}'.", code=code, before=seen[folded]
            )
            faults.append(Fault(setting=f"error_codes.{number}.code", message=message))
        seen.setdefault(folded, code)
    return faults


def _entry_faults(entry: SchemeCode) -> Iterable[tuple[str, str]]:
    code, description, weight = _any(entry.code), _any(entry.description), _any(entry.weight)
    is_exclusive = _any(entry.is_exclusive)
    if not isinstance(code, str) or not CODE.fullmatch(code):
        yield "code", Sentence("A code needs 1 to 10 letters and digits, not {code!r}.", code=code)
    elif code.casefold() in ("none",):
        yield "code", Sentence("In a table, '{code}' means that there is no code. Choose another name.", code=code)
    if not isinstance(description, str) or not description.strip():
        yield "description", Sentence("Every code needs a description for the coders.")
    elif len(description) > MOST_DESCRIPTION:
        yield "description", Sentence("The description has more than {most} characters.", most=MOST_DESCRIPTION)
    elif "\x00" in description:
        yield "description", Sentence("The description contains a NUL character, which cannot be stored.")
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
        yield "weight", Sentence("The weight must be a number, not {weight!r}.", weight=weight)
    elif abs(weight) > 1000:
        yield "weight", Sentence("The weight must be between -1000 and 1000.")
    if not isinstance(is_exclusive, bool):
        yield "is_exclusive", Sentence("'is_exclusive' must be true or false, not {value!r}.", value=is_exclusive)


def _any(value: Any) -> Any:
    return value
