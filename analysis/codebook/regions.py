"""Codebook: columns that the analysis adds to the table `regions`, for spillover models and residual reading times."""

from __future__ import annotations

from analysis.codebook.columns import ExportColumn

REGIONS = "regions"
_BEFORE = (("previous", "the region before"), ("second_previous", "the region before the previous one"))

REGION_COLUMNS = (
    ExportColumn(
        "zipf",
        "number",
        "Mean Zipf frequency of the region's words that wordfreq lists in the study's language; empty where none is.",
        role="measure",
    ),
    *(
        column
        for name, told in _BEFORE
        for column in (
            ExportColumn(f"{name}_characters", "integer", f"Characters of {told}.", "characters", role="measure"),
            ExportColumn(f"{name}_zipf", "number", f"Zipf frequency of {told}.", role="measure"),
            ExportColumn(f"{name}_rt_ms", "number", f"rt_ms of {told}.", "ms", role="measure"),
        )
    ),
    ExportColumn(
        "residual_rt_ms",
        "number",
        "rt_ms minus what a regression on characters expects of this participant, over regions of the main phase with "
        "a time above 0 (where choices are right or wrong, right ones).",
        "ms",
        role="measure",
    ),
    ExportColumn(
        "residual_log_rt", "number", "The same of the natural logarithm of rt_ms, rounded to 1e-6.", role="measure"
    ),
)
