"""Store and copy the coding scheme of a study. Later changes have to respect existing codings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from experiments.models import ErrorCode, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.paradigms.base import DefaultErrorCode
from experiments.rules.error_codes import SchemeCode


def scheme_of(study: Study) -> list[ErrorCode]:
    """Return the codes of a study in their order."""
    return list(ErrorCode.objects.filter(study=study).order_by("position"))


def store_scheme(study: Study, codes: Iterable[SchemeCode]) -> list[ErrorCode]:
    """Replace the codes of a study, whose soundness has been checked."""
    ErrorCode.objects.filter(study=study).delete()
    return ErrorCode.objects.bulk_create(
        ErrorCode(
            study=study,
            position=position,
            code=entry.code,
            description=entry.description,
            weight=entry.weight,
            is_exclusive=entry.is_exclusive,
        )
        for position, entry in enumerate(codes)
    )


def default_codes(paradigm: str) -> tuple[DefaultErrorCode, ...]:
    """Return the codes that a new study of a paradigm begins with; none where nothing is coded."""
    try:
        return paradigm_named(paradigm).default_error_codes
    except UnknownParadigm:
        return ()


def plain_codes(codes: Sequence[SchemeCode]) -> list[dict[str, Any]]:
    """Return codes as plain values, for files.

    >>> plain_codes([DefaultErrorCode("0", "accurate", 0.5, True)])
    [{'code': '0', 'description': 'accurate', 'weight': 0.5, 'is_exclusive': True}]
    """
    return [
        {
            "code": entry.code,
            "description": entry.description,
            "weight": entry.weight,
            "is_exclusive": entry.is_exclusive,
        }
        for entry in codes
    ]
