"""Read the files that a study file names: materials, pictures and sounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.formats.faults import Fault, in_file
from experiments.materials.from_files import Said, design_of_table, table_of_files
from experiments.materials.shapes import MAX_BYTES, Design, MaterialsFaults
from experiments.media.checking import CheckedFile, read_files
from experiments.media.kinds import MAX_UPLOAD_BYTES
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence
from experiments.study_files.parts import Locate, unknown_key_faults
from experiments.study_files.words import KEYS as WORD_KEYS

MATERIALS_KEYS = (
    "file",
    "columns",
    "steps",
    "factors",
    "text_attributes",
    "incomplete",
    "media",
    "licence",
    *WORD_KEYS,
)
MOST_LICENCE = 300


def design_beside(
    materials: Mapping[str, Any],
    paradigm: Paradigm,
    item_sets: str,
    locate: Locate,
    folder: Path,
    *,
    repaired: bool = False,
) -> tuple[Design | None, list[Fault]]:
    """Return the design that the table named by `materials.file` gives, and what is wrong with it or its name.

    `repaired`: with hidden characters taken out and double-encoded ones mended.
    """
    faults = unknown_key_faults(
        materials,
        MATERIALS_KEYS,
        path=["materials"],
        locate=locate,
    )
    given = materials.get("file")
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    if not names or not all(isinstance(name, str) and name.strip() for name in names):
        message = Sentence("'materials.file' is missing. Write the path of the materials, relative to this file.")
        return None, [*faults, Fault(line=locate(["materials"]), message=message)]
    factors, of_texts = materials.get("factors"), materials.get("text_attributes", [])
    steps = materials.get("steps", [])
    for key, said in (("factors", factors), ("text_attributes", of_texts), ("steps", steps)):
        if said is not None and not (isinstance(said, list) and all(isinstance(one, str) for one in said)):
            message = (
                Sentence("'materials.steps' must be a list of steps, such as -titles or repeated.")
                if key == "steps"
                else Sentence("'materials.{key}' must be a list of column names.", key=key)
            )
            return None, [*faults, Fault(line=locate(["materials", key]), message=message)]
    incomplete = materials.get("incomplete", False)
    if not isinstance(incomplete, bool):
        message = Sentence(
            "'materials.incomplete' must be true or false. It says whether texts are missing on purpose."
        )
        return None, [*faults, Fault(line=locate(["materials", "incomplete"]), message=message)]
    columns = materials.get("columns", {})
    if not (isinstance(columns, Mapping) and all(isinstance(said, str) for said in columns.values())):
        message = Sentence(
            '\'materials.columns\' must say what each column is, such as Sentence = "text" or Group = "-".'
        )
        return None, [*faults, Fault(line=locate(["materials", "columns"]), message=message)]
    files: list[tuple[bytes, str]] = []
    for name in names:
        data, wrong = _bytes_beside(name, folder, line=locate(["materials", "file"]))
        faults += wrong
        files += [] if data is None else [(data, name)]
    if len(files) < len(names):
        return None, faults
    # Lines of several files count on, so none of them is named with them.
    place = names[0] if len(names) == 1 else Sentence("the joined materials")
    try:
        table = table_of_files(files, paradigm, repaired=repaired, choices=steps)
    except MaterialsFaults as found:
        # Faults of several files say in which of them they are.
        return None, [*faults, *(in_file(one, names[0]) if len(names) == 1 else one for one in found.faults)]
    try:
        design = design_of_table(
            table,
            paradigm,
            Said(columns, steps),
            factors=factors,
            text_attributes=of_texts,
            item_sets=item_sets,
            incomplete=incomplete,
        )
        return replace(design, warnings=tuple(in_file(warning, place) for warning in design.warnings)), faults
    except MaterialsFaults as found:
        faults += [in_file(fault, place) for fault in found.faults]
        if found.has_holes:
            message = Sentence("If these texts are missing on purpose, write here: incomplete = true.")
            faults.append(Fault(line=locate(["materials"]), message=message))
        return None, faults


def _bytes_beside(name: str, folder: Path, *, line: int | None) -> tuple[bytes | None, list[Fault]]:
    """Return what a file beside the study file holds, or why it cannot be read."""
    try:
        # One byte more than may be read is enough to see that there is too much.
        with (folder / name).open("rb") as file:
            return file.read(MAX_BYTES + 1), []
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Sentence("this is not a path")
        message = Sentence("The materials '{name}' cannot be read: {reason}.", name=name, reason=reason)
        return None, [Fault(line=line, message=message)]


def media_beside(
    materials: Mapping[str, Any], locate: Locate, folder: Path, faults: list[Fault]
) -> Sequence[CheckedFile]:
    """Return the pictures and sounds in the folder, or the ZIP archive, that `materials.media` names."""
    name, licence = materials.get("media"), materials.get("licence", "")
    line = locate(["materials", "media"])
    if name is None:
        return ()
    if not isinstance(name, str) or not name.strip() or not isinstance(licence, str) or len(licence) > MOST_LICENCE:
        message = Sentence(
            "'materials.media' must be the path of a folder or of a ZIP archive, and 'materials.licence' a short text."
        )
        faults.append(Fault(line=line, message=message))
        return ()
    try:
        place = folder / name
        paths = sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else [place]
        if sum(path.stat().st_size for path in paths) > MAX_UPLOAD_BYTES:
            message = Sentence(
                "The files in '{name}' have more than {limit} MB together.",
                name=name,
                limit=MAX_UPLOAD_BYTES // 1024**2,
            )
            faults.append(Fault(line=line, message=message))
            return ()
        checked = read_files([(path.name, path.read_bytes()) for path in paths])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Sentence("this is not a path")
        message = Sentence("The pictures and sounds '{name}' cannot be read: {reason}.", name=name, reason=reason)
        suggestion = Sentence(
            "Upload the archive of the study in place of the file, or add the files on the study's page."
        )
        faults.append(Fault(line=line, message=message, suggestion=suggestion))
        return ()
    faults += checked.faults
    return [replace(file, licence=licence) for file in checked.files]


def media_of_parts(parts: Any, locate: Locate, folder: Path, faults: list[Fault]) -> Sequence[CheckedFile]:
    """Return the pictures and sounds of all parts; several may name the same folder."""
    found: dict[str, CheckedFile] = {}
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        materials = part.get("materials") if isinstance(part, Mapping) else None
        if not isinstance(materials, Mapping):
            continue

        def here(path: Sequence[str | int], number: int = number) -> int | None:
            return locate(["parts", number, *path])

        for file in media_beside(materials, here, folder, faults):
            known = found.setdefault(file.name, file)
            if known.content_hash != file.content_hash:
                message = Sentence("Two parts have different files with the name '{name}'.", name=file.name)
                faults.append(
                    Fault(
                        line=here(["materials", "media"]), message=message, suggestion=Sentence("Rename one of them.")
                    )
                )
    return list(found.values())
