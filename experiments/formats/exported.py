"""Columns that exported trials have in every paradigm. Pure."""

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
        "out_of_view",
        "draft_restored",
        "page_slept_ms",
    }
)
