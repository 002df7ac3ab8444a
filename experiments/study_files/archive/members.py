"""Check names and sizes of an archive's members.

Nothing is unpacked to disk; members are only read by these names.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.materials.shapes import MAX_BYTES
from experiments.media.kinds import MAX_SOUND_BYTES, MAX_UPLOAD_BYTES
from experiments.sentences import Sentence
from experiments.study_files.description import StudyFileFaults

FORMAT = "lectern-study"
FORMAT_VERSION = 1
DESCRIPTION = "study.json"
MATERIALS = "materials.csv"
MEDIA = "media/"
MAX_ARCHIVE_BYTES = MAX_UPLOAD_BYTES + 6 * 1024 * 1024
MAX_DESCRIPTION_BYTES = 2 * 1024 * 1024
# File names of a part's materials and scores of words, and the maximum number of members.
OF_A_PART = re.compile(r"(?:materials|words)-[a-z][a-z0-9-]{0,39}\.csv")
MOST_MEMBERS = 42


def members_of(data: bytes) -> dict[str, bytes]:
    """Return the members of an archive by their names. Raises StudyFileFaults."""
    if len(data) > MAX_ARCHIVE_BYTES:
        raise StudyFileFaults(
            [Fault(message=Sentence("The archive is larger than {limit} MB.", limit=MAX_ARCHIVE_BYTES // 1024**2))]
        )
    limits = {DESCRIPTION: MAX_DESCRIPTION_BYTES, MATERIALS: MAX_BYTES}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [member.filename for member in archive.infolist()]
            if sum(not _is_media(name) for name in names) <= MOST_MEMBERS:
                limits |= {name: MAX_BYTES for name in names if OF_A_PART.fullmatch(name)}
            strange = [name for name in names if name not in limits and not _is_media(name)]
            if strange or len(names) != len(set(names)) or DESCRIPTION not in names:
                files = listed([DESCRIPTION, MATERIALS])
                if not names:
                    message = Sentence(
                        "A study archive contains only {files} and files in 'media', but this one is empty.",
                        files=files,
                    )
                elif strange:
                    message = Sentence(
                        "A study archive contains only {files} and files in 'media', but this one contains {names}.",
                        files=files,
                        names=listed(strange),
                    )
                elif DESCRIPTION not in names:
                    message = Sentence("The archive contains no '{file}', so it is not a study.", file=DESCRIPTION)
                else:
                    twice = [name for name, number in Counter(names).items() if number > 1]
                    message = Sentence("The archive contains {names} more than once.", names=listed(twice))
                raise StudyFileFaults([Fault(message=message)])
            members = {}
            size = 0
            for name in names:
                limit = limits.get(name, MAX_SOUND_BYTES)
                with archive.open(name) as member:
                    members[name] = member.read(limit + 1)
                if len(members[name]) > limit:
                    message = Sentence("'{name}' unpacks to more than {limit} MB.", name=name, limit=limit // 1024**2)
                    raise StudyFileFaults([Fault(message=message)])
                size += len(members[name])
                if size > MAX_ARCHIVE_BYTES:
                    message = Sentence(
                        "The archive unpacks to more than {limit} MB.", limit=MAX_ARCHIVE_BYTES // 1024**2
                    )
                    raise StudyFileFaults([Fault(message=message)])
            return members
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise StudyFileFaults([Fault(message=Sentence("The file is not a ZIP archive, or it is damaged."))]) from error


def _is_media(name: str) -> bool:
    """Return whether a member is a file of the folder `media`, and not of one below or above it."""
    rest = name.removeprefix(MEDIA)
    return name.startswith(MEDIA) and rest not in ("", ".", "..") and "/" not in rest and "\\" not in rest


def object_in(data: bytes) -> dict[str, Any]:
    """Return the object that the description of an archive is. Raises StudyFileFaults."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a number")

    try:
        given = json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise StudyFileFaults(
            [Fault(message=Sentence("'{file}' is not valid JSON: {error}.", file=DESCRIPTION, error=str(error)))]
        ) from error
    if not isinstance(given, dict):
        raise StudyFileFaults([Fault(message=Sentence("'{file}' must contain one object.", file=DESCRIPTION))])
    return given
