"""Study files (TOML) for creating studies, and archives (ZIP) for sharing and replication.

    study = create_from_toml(path, user=user, owner=owner)
    data = study_archive(study)                       # bytes of a ZIP, the same bytes each time
    study = create_from_archive(data, user=user, slug="another-one")

All raise StudyFileFaults with every fault; nothing is stored then.
"""

from experiments.study_files.archive import create_from_archive, read_archive, study_archive
from experiments.study_files.description import StudyDescription, StudyFileFaults, store_description
from experiments.study_files.toml import create_from_toml, read_toml

__all__ = [
    "StudyDescription",
    "StudyFileFaults",
    "create_from_archive",
    "create_from_toml",
    "read_archive",
    "read_toml",
    "store_description",
    "study_archive",
]
