"""Compute current inter-coder agreement, and the agreement of suggestions with final codes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.coding.final import finals
from analysis.coding.recalls import coded_responses, of_coders, of_task, recalls, state_of
from analysis.coding.seen import Viewer
from analysis.methods.codes.agreement import agreement
from analysis.methods.report import BadInput
from analysis.models import Coding, CodingQueue
from experiments.models import Study
from experiments.sentences import Sentence
from experiments.study.schemes import scheme_of

PREFIX = "code_"
TWO_CODERS = Sentence("Agreement shows once two coders have coded the same recalls.")
SUGGESTED = Sentence("Agreement shows once recalls that have a suggestion have final codes.")


@dataclass(frozen=True)
class CodeAgreement:
    """Agreement on one code, or on whole codings (`code` is all). None where a coefficient is not defined."""

    code: str
    n: int
    raw: float | None
    kappa: float | None
    alpha: float | None


@dataclass(frozen=True)
class Agreement:
    """`rows` for `all` and then for each code of the scheme; empty, with `reason`, where nothing can be compared."""

    rows: tuple[CodeAgreement, ...]
    n: int
    coders: tuple[str, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()


def agreement_of_coders(study: Study) -> Agreement:
    """Return raw agreement, Cohen's κ per code and Krippendorff's α over everything that two coders coded."""
    to_code = set(coded_responses(study, state_of(study)).order_by().values_list("pk", flat=True))
    pseudonyms = {queue.coder_id: queue.pseudonym for queue in CodingQueue.objects.filter(study=study)}
    rows = Coding.objects.filter(**of_task(study, "response__trial"), **of_coders(study)).order_by("pk")
    given = [
        (key, pseudonyms[coder], codes)
        for key, coder, codes in rows.values_list("response_id", "coder_id", "codes")
        if key in to_code
    ]
    return compared(given, codes=[entry.code for entry in scheme_of(study)])


def agreement_of_suggestions(study: Study) -> Agreement:
    """Return the same between the suggestions and the final codes, where there are both."""
    state = state_of(study)
    viewer = Viewer(study, state)
    found = {key: final.codes for key, final in finals(study).items() if final.codes is not None}
    to_code = set(coded_responses(study, state).filter(pk__in=found).order_by().values_list("pk", flat=True))
    given: list[tuple[int, str, Sequence[str]]] = []
    without = 0
    for key, recall in recalls(study, state, sorted(to_code)).items():
        suggestion = viewer.suggestion(recall)
        if suggestion is None:
            without += 1
            continue
        given += [(key, "suggestion", suggestion.codes), (key, "final", found[key] or ())]
    result = compared(given, codes=[entry.code for entry in viewer.scheme], reason=SUGGESTED)
    if not without or not result.rows:
        return result
    note = Sentence(
        "{without} of {total} recalls have no suggestion and do not count.", without=without, total=len(to_code)
    )
    return Agreement(result.rows, result.n, result.coders, result.reason, (note, *result.notes))


def compared(
    given: Iterable[tuple[int, str, Sequence[str]]], *, codes: Sequence[str], reason: str = TWO_CODERS
) -> Agreement:
    """Return the agreement of (recall, coder, codes) triples by `analysis.methods.codes.agreement`, or `reason`."""
    rows = [
        {"unit": str(key), "coder": coder, **{PREFIX + code: "1" if code in given_codes else "0" for code in codes}}
        for key, coder, given_codes in given
    ]
    coders = tuple(sorted({str(row["coder"]) for row in rows}))
    if len(coders) < 2:
        return Agreement((), 0, coders, reason)
    columns = tuple(PREFIX + code for code in codes)
    try:
        report = agreement(pd.DataFrame(rows), unit=("unit",), coder="coder", code=columns)
    except BadInput:
        return Agreement((), 0, coders, reason)
    table = report.table("agreement")
    measured = [_row(dict(zip((column.name for column in table.columns), row, strict=True))) for row in table.rows]
    notes = tuple(re.sub(rf"\b{PREFIX}(?=\w)", "", warning) for warning in report.warnings)
    return Agreement(tuple(measured), measured[0].n, coders, "", notes)


def _row(row: Mapping[str, object]) -> CodeAgreement:
    def number(name: str) -> float | None:
        value = row[name]
        return float(value) if isinstance(value, int | float) and not math.isnan(value) else None

    return CodeAgreement(
        code=str(row["code"]).removeprefix(PREFIX),
        n=int(str(row["n"])),
        raw=number("raw"),
        kappa=number("kappa"),
        alpha=number("alpha"),
    )
