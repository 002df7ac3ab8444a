"""Checks before opening a study: all faults at once, each with the page where it can be corrected."""

from __future__ import annotations

from experiments.study.opening.faults import design_faults, faults_of_criteria, opening_faults
from experiments.study.opening.warnings import of_every_task, opening_panels, opening_warnings, settings_warnings

__all__ = [
    "design_faults",
    "faults_of_criteria",
    "of_every_task",
    "opening_faults",
    "opening_panels",
    "opening_warnings",
    "settings_warnings",
]
