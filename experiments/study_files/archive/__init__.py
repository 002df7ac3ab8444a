"""Read and write study archives: a ZIP of `study.json`, `materials.csv` and a folder `media`, without participants and
data.
"""

from __future__ import annotations

from experiments.study_files.archive.members import MAX_ARCHIVE_BYTES
from experiments.study_files.archive.reading import create_from_archive, read_archive
from experiments.study_files.archive.writing import study_archive

__all__ = [
    "MAX_ARCHIVE_BYTES",
    "create_from_archive",
    "read_archive",
    "study_archive",
]
