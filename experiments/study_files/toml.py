"""A study from one TOML file beside its materials."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.design import design_from
from experiments.materials.reading import read_materials, without_needless_questions
from experiments.materials.shapes import MAX_BYTES, Design, MaterialsFaults
from experiments.media.checking import CheckedFile, read_files
from experiments.media.kinds import MAX_UPLOAD_BYTES
from experiments.models import Part, Study
from experiments.one_task import ONLY_TASK
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.rules.plan import Tasks
from experiments.rules.procedure import TASK_KEYS
from experiments.rules.shape import group_faults
from experiments.sentences import Sentence
from experiments.study_files.description import StudyDescription, StudyFileFaults, soundness_faults, store_description
from experiments.study_files.part_tables import checked_parts
from experiments.study_files.parts import (
    FIELDS,
    Locate,
    checked_error_codes,
    checked_fields,
    checked_form,
    checked_plan,
    checked_procedure,
    checked_questions,
    checked_texts,
    table_of,
    unknown_key_faults,
    unstorable_faults,
)
from experiments.study_files.recruitment import TABLES, checked_recruitment, parts_of_questions

MAX_TOML_BYTES = 1024 * 1024
WITH_PARTS = ("parts", "groups", "order_sets", "procedure", "texts", "plan", "error_codes", *TABLES)
PARTS = ("settings", "modulus", "procedure", "materials", "questions", "texts", "plan", "error_codes", *TABLES)


def create_from_toml(path: Path, *, user: Any = None, owner: Any = None) -> Study:
    """Return the draft that a TOML file describes. Raises StudyFileFaults with all faults; nothing is stored then."""
    return store_description(read_toml(path), user=user, owner=owner, origin=f"file {path.name}")


def read_toml(path: Path) -> StudyDescription:
    """Return what a TOML file and its materials say.

    Raises StudyFileFaults with all faults of both, each with its line.
    """
    text = _text_of(path)
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        message = Sentence("The file is not valid TOML: {error}.", error=re.sub(" *[(]at .*", "", str(error)))
        raise StudyFileFaults(
            [Fault(line=int(place[1]) if place else None, message=message)], file=path.name
        ) from error
    except RecursionError as error:
        raise StudyFileFaults([Fault(message=Sentence("The file is nested too deeply."))], file=path.name) from error
    except ValueError as error:
        # Such as a whole number of thousands of digits.
        raise StudyFileFaults(
            [Fault(message=Sentence("The file has a value that cannot be read."))], file=path.name
        ) from error
    described, faults = _described(given, _locator(text), path.parent)
    if faults:
        raise StudyFileFaults(faults, file=path.name)
    return described


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_TOML_BYTES:
            raise StudyFileFaults(
                [Fault(message=Sentence("The file '{name}' is larger than 1 MB; no study file is.", name=path.name))]
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise StudyFileFaults([Fault(message=Sentence("There is no file '{path}'.", path=str(path)))]) from error
    except OSError as error:
        raise StudyFileFaults(
            [
                Fault(
                    message=Sentence(
                        "The file '{path}' cannot be read: {reason}.", path=str(path), reason=error.strerror
                    )
                )
            ]
        ) from error
    except UnicodeDecodeError as error:
        message = Sentence("The file '{name}' is not UTF-8.", name=path.name)
        raise StudyFileFaults([Fault(message=message, suggestion=Sentence("Save it as UTF-8."))]) from error


def _described(given: dict[str, Any], locate: Locate, folder: Path) -> tuple[StudyDescription, list[Fault]]:
    if "parts" in given:
        return _described_by_parts(given, locate, folder)
    faults = unknown_key_faults(given, (*FIELDS, *PARTS), locate=locate)
    faults += unstorable_faults(given)
    fields, paradigm, wrong = checked_fields(given, locate=locate)
    faults += wrong
    settings = dict(table_of(given, "settings", faults, locate=locate))
    modulus = table_of(given, "modulus", faults, locate=locate)
    procedure, wrong = checked_procedure(table_of(given, "procedure", faults, locate=locate), locate=locate)
    is_procedure_sound = not wrong
    faults += wrong
    questions, wrong = checked_questions(given.get("questions", []), locate=locate)
    faults += wrong
    texts, wrong = checked_texts(
        table_of(given, "texts", faults, locate=locate), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    recruitment, wrong = checked_recruitment(
        given, parts_of_questions(given.get("questions")), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    design, codes = None, None
    media: Sequence[CheckedFile] = ()
    plan: dict[str, Any] = {}
    if paradigm is not None:
        settings, wrong = _settings(settings, modulus, paradigm, locate)
        faults += wrong
        stated = table_of(given, "plan", faults, locate=locate)
        if not wrong:
            plan, wrong = checked_plan(stated, tasks={ONLY_TASK: (paradigm, settings)}, locate=locate)
            faults += wrong
        codes, wrong = checked_error_codes(given.get("error_codes"), paradigm, locate=locate)
        faults += wrong
        materials = table_of(given, "materials", faults, locate=locate)
        design, wrong = _design(materials, paradigm, procedure.get("item_sets", "together"), locate, folder)
        faults += wrong
        media = _media(materials, locate, folder, faults)
    described = StudyDescription(
        fields, settings, procedure, questions, texts, design, plan, codes, media, **recruitment
    )
    if paradigm is not None and is_procedure_sound:
        faults += soundness_faults(described, paradigm)
    return described, faults


def _described_by_parts(given: dict[str, Any], locate: Locate, folder: Path) -> tuple[StudyDescription, list[Fault]]:
    def design(
        part: Mapping[str, Any], name: str, paradigm: Paradigm, item_sets: str
    ) -> tuple[Design | None, list[Fault]]:
        materials = part.get("materials")
        materials = materials if isinstance(materials, Mapping) and materials else {"file": f"materials-{name}.csv"}
        return _design(materials, paradigm, item_sets, locate, folder)

    of_study = [name for name in FIELDS if name != "paradigm"]
    faults = unknown_key_faults(given, (*of_study, *WITH_PARTS), locate=locate)
    faults += unstorable_faults(given)
    fields, _paradigm, wrong = checked_fields(given, locate=locate, has_parts=True)
    faults += wrong
    conduct = table_of(given, "procedure", faults, locate=locate)
    procedure, wrong = checked_procedure(conduct, locate=locate)
    faults += wrong
    faults += [
        Fault(
            line=locate(["procedure", name]),
            message=Sentence("'procedure.{name}' is a rule of a task; write it there.", name=name),
        )
        for name in conduct
        if name in TASK_KEYS
    ]
    texts, wrong = checked_texts(
        table_of(given, "texts", faults, locate=locate), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    if "instructions" in texts:
        message = Sentence("Instructions belong to a task; write them there as 'instructions'.")
        faults.append(Fault(line=locate(["texts", "instructions"]), message=message))
    parts, wrong = checked_parts(given["parts"], read_design=design, locate=locate)
    faults += wrong
    media = _media_of_parts(given["parts"], locate, folder, faults)
    recruitment, wrong = checked_recruitment(
        given, [Part(**part.fields) for part in parts], language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    groups = given.get("groups", [])
    tasks = [part for part in parts if part.fields.get("paradigm")]
    plan: dict[str, Any] = {}
    codes = None
    if tasks and not faults:
        of_tasks: Tasks = {
            part.fields["name"]: (paradigm_named(part.fields["paradigm"]), part.fields["settings"]) for part in tasks
        }
        stated = table_of(given, "plan", faults, locate=locate)
        plan, wrong = checked_plan(stated, tasks=of_tasks, locate=locate)
        faults += wrong
        paradigms = [paradigm for paradigm, _settings in of_tasks.values()]
        coded = next((one for one in paradigms if one.coded_measure), paradigms[0])
        codes, wrong = checked_error_codes(given.get("error_codes"), coded, locate=locate)
        faults += wrong
    described = StudyDescription(
        fields,
        procedure={name: value for name, value in procedure.items() if name not in TASK_KEYS},
        texts={kind: text for kind, text in texts.items() if kind != "instructions"},
        plan=plan,
        error_codes=codes,
        parts=parts,
        groups=groups if isinstance(groups, list) else [],
        order_sets=table_of(given, "order_sets", faults, locate=locate),
        media=media,
        **recruitment,
    )
    return described, faults + [replace(fault, line=locate(["groups"])) for fault in group_faults(groups)]


def _settings(
    settings: dict[str, Any], modulus: Mapping[str, Any], paradigm: Paradigm, locate: Locate
) -> tuple[dict[str, Any], list[Fault]]:
    """The table [modulus] is a readable place for the setting `modulus_text`, where the paradigm has one."""
    faults = unknown_key_faults(modulus, ("text",), path=["modulus"], locate=locate)
    if modulus and "modulus_text" not in paradigm.settings_form.base_fields:
        faults.append(
            Fault(
                line=locate(["modulus"]),
                message=Sentence("The paradigm '{paradigm}' has no modulus.", paradigm=paradigm.slug),
            )
        )
    elif "text" in modulus and "modulus_text" in settings:
        message = Sentence("The modulus sentence is given twice: as modulus.text and as settings.modulus_text.")
        faults.append(
            Fault(line=locate(["modulus", "text"]), message=message, suggestion=Sentence("Delete one of them."))
        )
    elif "text" in modulus:
        settings["modulus_text"] = modulus["text"]
    values, wrong = checked_form(paradigm.settings_form, settings, path=["settings"], locate=locate)
    return values, faults + wrong


def _design(
    materials: Mapping[str, Any], paradigm: Paradigm, item_sets: str, locate: Locate, folder: Path
) -> tuple[Design | None, list[Fault]]:
    faults = unknown_key_faults(materials, ("file", "factors", "media", "licence"), path=["materials"], locate=locate)
    name = materials.get("file")
    if not isinstance(name, str) or not name.strip():
        message = Sentence("'materials.file' is missing: the path of the materials, beside this file.")
        return None, [*faults, Fault(line=locate(["materials"]), message=message)]
    factors = materials.get("factors")
    if factors is not None and not (isinstance(factors, list) and all(isinstance(f, str) for f in factors)):
        message = Sentence("'materials.factors' must be a list of column names.")
        return None, [*faults, Fault(line=locate(["materials", "factors"]), message=message)]
    line = locate(["materials", "file"])
    try:
        # One byte more than may be read is enough to see that there is too much.
        with (folder / name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Sentence("not a path")
        message = Sentence("The materials '{name}' cannot be read: {reason}.", name=name, reason=reason)
        return None, [*faults, Fault(line=line, message=message)]
    try:
        table = without_needless_questions(read_materials(data, name), paradigm)
        return design_from(table, paradigm, factors=factors, item_sets=item_sets), faults
    except MaterialsFaults as found:
        return None, [*faults, *(_in_materials(fault, name) for fault in found.faults)]


def _media(materials: Mapping[str, Any], locate: Locate, folder: Path, faults: list[Fault]) -> Sequence[CheckedFile]:
    """Return the pictures and sounds in the folder, or the ZIP archive, that `materials.media` names."""
    name, licence = materials.get("media"), materials.get("licence", "")
    line = locate(["materials", "media"])
    if name is None:
        return ()
    if not isinstance(name, str) or not name.strip() or not isinstance(licence, str) or len(licence) > 300:
        message = Sentence(
            "'materials.media' must be the path of a folder or of a ZIP archive, 'materials.licence' a short text."
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
        reason = getattr(error, "strerror", None) or Sentence("not a path")
        message = Sentence("The pictures and sounds '{name}' cannot be read: {reason}.", name=name, reason=reason)
        suggestion = Sentence(
            "Of a file that is uploaded, upload the study's archive, or add them on the study's page."
        )
        faults.append(Fault(line=line, message=message, suggestion=suggestion))
        return ()
    faults += checked.faults
    return [replace(file, licence=licence) for file in checked.files]


def _media_of_parts(parts: Any, locate: Locate, folder: Path, faults: list[Fault]) -> Sequence[CheckedFile]:
    """Return the pictures and sounds of all parts; several may name the same folder."""
    found: dict[str, CheckedFile] = {}
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        materials = part.get("materials") if isinstance(part, Mapping) else None
        if not isinstance(materials, Mapping):
            continue

        def here(path: Sequence[str | int], number: int = number) -> int | None:
            return locate(["parts", number, *path])

        for file in _media(materials, here, folder, faults):
            known = found.setdefault(file.name, file)
            if known.content_hash != file.content_hash:
                message = Sentence("Two parts have different files of the name '{name}'.", name=file.name)
                faults.append(
                    Fault(line=here(["materials", "media"]), message=message, suggestion=Sentence("Rename one."))
                )
    return list(found.values())


def _in_materials(fault: Fault, name: str) -> Fault:
    # The line is one of another file, so it goes into the sentence together with the file's name.
    said = str(replace(fault, line=None, column=""))
    place: str = ""
    if fault.line is not None and fault.column:
        place = Sentence("{file}: line {line}, column '{column}'", file=name, line=fault.line, column=fault.column)
    elif fault.line is not None:
        place = Sentence("{file}: line {line}", file=name, line=fault.line)
    elif fault.column:
        place = Sentence("{file}: column '{column}'", file=name, column=fault.column)
    else:
        place, said = name, said[0].lower() + said[1:]
    return Fault(message=Sentence("{place}: {said}", place=place, said=said), step="materials")


def _locator(text: str) -> Locate:
    """Return a function from the path of a key to its line; what a text of several lines holds is no key."""
    lines: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if open_quotes:
            if open_quotes in line:
                open_quotes = ""
            continue
        header = re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]", line)
        key = re.match(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=\s*(.*)""", line)
        if header:
            name = header[2].replace('"', "").replace(" ", "")
            table = tuple(name.split("."))
            outer = next((known for known in counts if name.startswith(f"{known}.")), "")
            if header[1] == "[[":
                counts[name] = counts.get(name, 0) + 1
                lines.setdefault(table, number)
                table = (*table, counts[name])
            elif outer:
                # A table within the last one of a list, such as [sources.outcomes.completed].
                lines.setdefault(table, number)
                table = (*outer.split("."), counts[outer], *name.removeprefix(f"{outer}.").split("."))
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *key[1].split(".")), number)
            for quotes in ('"""', "'''"):
                if key[2].count(quotes) == 1:
                    open_quotes = quotes

    def locate(path: Sequence[str | int]) -> int | None:
        return lines.get(tuple(path))

    return locate
