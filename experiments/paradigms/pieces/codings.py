"""Suggested analyses of coded texts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.paradigms.base import SuggestedAnalysis


def of_codings(
    method: str, title: str, params: Mapping[str, Any], *, role: str = "final", is_companion: bool = False
) -> SuggestedAnalysis:
    """Suggest an analysis of the final codes, or of codes with another role."""
    where = {**params, "where": f"role={role}"}
    return SuggestedAnalysis(method, title, where, table="codings", is_companion=is_companion)


def agreement_of_coders() -> SuggestedAnalysis:
    """Suggest the agreement of the coders, text by text."""
    params = {"unit": "participant,position", "coder": "coder", "code": "codes"}
    return of_codings("agreement", "Agreement of the coders", params, role="coder")
