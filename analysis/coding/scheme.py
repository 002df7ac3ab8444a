"""Editing the codes of a study, which codings hang on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.error_codes import SchemeCode
from experiments.models import ErrorCode, Study


def scheme_of(study: Study) -> list[ErrorCode]:
    """Return the codes of a study in their order."""
    return list(ErrorCode.objects.filter(study=study).order_by("position"))


def is_bound(study: Study) -> bool:
    """Return whether something is coded, so that codes cannot be taken away, renamed, moved or change their kind."""
    raise NotImplementedError


def save_scheme(study: Study, codes: Sequence[SchemeCode], *, user: Any) -> list[ErrorCode]:
    """Replace the codes of a study; audited.

    Anything may change until something is coded. After that descriptions and weights may change (scores follow, and
    the audit record says so), and codes may be added at the end. Nothing changes while the codings are frozen.
    `codes` may be `experiments.paradigms.base.DefaultErrorCode`. Raises CodingRefusal `scheme`, whose
    `faults` name what is wrong (`setting` = error_codes.<number>.<field>), or `frozen`; nothing is changed then.
    """
    raise NotImplementedError
