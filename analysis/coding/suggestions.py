"""Codes that the words of a recall suggest, each with its reason. Pure; shown to coders, and never applied unseen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Suggestion:
    """Suggested codes and why: `reasons` are sentences in the order of their codes."""

    codes: tuple[str, ...]
    reasons: tuple[str, ...]
