"""Columns that the exported data have of every trial, whatever its paradigm and its materials are. Pure."""

from __future__ import annotations

COLUMNS_OF_TRIALS = frozenset(
    {
        "study",
        "participant",
        "session",
        "list",
        "position",
        "phase",
        "plugin",
        "rt_ms",
        "onset_ms",
        "clock",
        "onset_error_ms",
        "interrupted",
        "simulated",
        "excluded",
        "exclusion_reason",
        "started_at",
        "study_version",
        "attempts",
        "focus_losses",
    }
)
