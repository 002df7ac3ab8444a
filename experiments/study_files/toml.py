"""A study from one TOML file beside its materials."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.design import design_from
from experiments.materials.shapes import MAX_BYTES, Design, MaterialsFaults
from experiments.materials.table import read_table
from experiments.models import Study
from experiments.paradigms.base import Paradigm
from experiments.study_files.description import StudyDescription, StudyFileFaults, soundness_faults, store_description
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

MAX_TOML_BYTES = 1024 * 1024
PARTS = ("settings", "modulus", "procedure", "materials", "questions", "texts", "plan", "error_codes")


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
        message = f"The file is not valid TOML: {re.sub(r' *[(]at .*', '', str(error))}."
        raise StudyFileFaults(
            [Fault(line=int(place[1]) if place else None, message=message)], file=path.name
        ) from error
    except RecursionError as error:
        raise StudyFileFaults([Fault(message="The file is nested too deeply.")], file=path.name) from error
    except ValueError as error:
        # Such as a whole number of thousands of digits.
        raise StudyFileFaults([Fault(message="The file has a value that cannot be read.")], file=path.name) from error
    described, faults = _described(given, _locator(text), path.parent)
    if faults:
        raise StudyFileFaults(faults, file=path.name)
    return described


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_TOML_BYTES:
            raise StudyFileFaults([Fault(message=f"The file '{path.name}' is larger than 1 MB; no study file is.")])
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise StudyFileFaults([Fault(message=f"There is no file '{path}'.")]) from error
    except OSError as error:
        raise StudyFileFaults([Fault(message=f"The file '{path}' cannot be read: {error.strerror}.")]) from error
    except UnicodeDecodeError as error:
        message = f"The file '{path.name}' is not UTF-8."
        raise StudyFileFaults([Fault(message=message, suggestion="Save it as UTF-8.")]) from error


def _described(given: dict[str, Any], locate: Locate, folder: Path) -> tuple[StudyDescription, list[Fault]]:
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
    design, codes = None, None
    plan: dict[str, Any] = {}
    if paradigm is not None:
        settings, wrong = _settings(settings, modulus, paradigm, locate)
        faults += wrong
        stated = table_of(given, "plan", faults, locate=locate)
        if not wrong:
            plan, wrong = checked_plan(stated, paradigm=paradigm, settings=settings, locate=locate)
            faults += wrong
        codes, wrong = checked_error_codes(given.get("error_codes"), paradigm, locate=locate)
        faults += wrong
        materials = table_of(given, "materials", faults, locate=locate)
        design, wrong = _design(materials, paradigm, procedure.get("item_sets", "together"), locate, folder)
        faults += wrong
    described = StudyDescription(fields, settings, procedure, questions, texts, design, plan, codes)
    if paradigm is not None and is_procedure_sound:
        faults += soundness_faults(described, paradigm)
    return described, faults


def _settings(
    settings: dict[str, Any], modulus: Mapping[str, Any], paradigm: Paradigm, locate: Locate
) -> tuple[dict[str, Any], list[Fault]]:
    """The table [modulus] is a readable place for the setting `modulus_text`, where the paradigm has one."""
    faults = unknown_key_faults(modulus, ("text",), path=["modulus"], locate=locate)
    if modulus and "modulus_text" not in paradigm.settings_form.base_fields:
        faults.append(Fault(line=locate(["modulus"]), message=f"The paradigm '{paradigm.slug}' has no modulus."))
    elif "text" in modulus and "modulus_text" in settings:
        message = "The modulus sentence is given twice: as modulus.text and as settings.modulus_text."
        faults.append(Fault(line=locate(["modulus", "text"]), message=message, suggestion="Delete one of them."))
    elif "text" in modulus:
        settings["modulus_text"] = modulus["text"]
    values, wrong = checked_form(paradigm.settings_form, settings, path=["settings"], locate=locate)
    return values, faults + wrong


def _design(
    materials: Mapping[str, Any], paradigm: Paradigm, item_sets: str, locate: Locate, folder: Path
) -> tuple[Design | None, list[Fault]]:
    faults = unknown_key_faults(materials, ("file", "factors"), path=["materials"], locate=locate)
    name = materials.get("file")
    if not isinstance(name, str) or not name.strip():
        message = "'materials.file' is missing: the path of the materials, beside this file."
        return None, [*faults, Fault(line=locate(["materials"]), message=message)]
    factors = materials.get("factors")
    if factors is not None and not (isinstance(factors, list) and all(isinstance(f, str) for f in factors)):
        message = "'materials.factors' must be a list of column names."
        return None, [*faults, Fault(line=locate(["materials", "factors"]), message=message)]
    line = locate(["materials", "file"])
    try:
        # One byte more than may be read is enough to see that there is too much.
        with (folder / name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        return None, [*faults, Fault(line=line, message=f"The materials '{name}' cannot be read: {reason}.")]
    try:
        return design_from(read_table(data, name), paradigm, factors=factors, item_sets=item_sets), faults
    except MaterialsFaults as found:
        return None, [*faults, *(_in_materials(fault, name) for fault in found.faults)]


def _in_materials(fault: Fault, name: str) -> Fault:
    # The line is one of another file, so it goes into the sentence together with the file's name.
    return Fault(message=f"{name}: {str(fault)[0].lower()}{str(fault)[1:]}", step="materials")


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
            if header[1] == "[[":
                counts[name] = counts.get(name, 0) + 1
                lines.setdefault(table, number)
                table = (*table, counts[name])
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *key[1].split(".")), number)
            for quotes in ('"""', "'''"):
                if key[2].count(quotes) == 1:
                    open_quotes = quotes

    def locate(path: Sequence[str | int]) -> int | None:
        return lines.get(tuple(path))

    return locate
