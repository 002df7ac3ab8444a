"""What leaves a platform under test."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.browser.platform import Platform


def trials_of(platform: Platform, slug: str, folder: Path) -> list[dict[str, str]]:
    """Export a study's data into `folder` and return the rows of its trials."""
    platform.manage("export_data", slug, "--out", str(folder))
    with (folder / "trials.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
