"""How far coders agree, as it is now, and how far the suggestions agree with what was found in the end."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.models import Study


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
    raise NotImplementedError


def agreement_of_suggestions(study: Study) -> Agreement:
    """Return the same between the suggestions and the final codes."""
    raise NotImplementedError
