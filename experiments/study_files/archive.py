"""A study as a ZIP archive of two files, `study.json` and `materials.csv`: everything but people and data.

Nothing of an archive is unpacked to disk, and its members are read by these two names alone.
"""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.materials.design import design_from
from experiments.materials.shapes import MAX_BYTES, Design, MaterialsFaults
from experiments.materials.store import design_of, materials_csv
from experiments.materials.table import read_table
from experiments.models import Study
from experiments.paradigms.base import Paradigm
from experiments.procedure.texts import KINDS, current_text
from experiments.study.schemes import plain_codes, scheme_of
from experiments.study_files.description import StudyDescription, StudyFileFaults, store_description
from experiments.study_files.parts import (
    FIELDS,
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

FORMAT = "lectern-study"
FORMAT_VERSION = 1
DESCRIPTION = "study.json"
MATERIALS = "materials.csv"

MAX_ARCHIVE_BYTES = 6 * 1024 * 1024
MAX_DESCRIPTION_BYTES = 2 * 1024 * 1024

_PARTS = (
    "format",
    "format_version",
    "study",
    "settings",
    "procedure",
    "questions",
    "factors",
    "texts",
    "plan",
    "error_codes",
)


def study_archive(study: Study) -> bytes:
    """Return the archive of a study; the same study gives the same bytes."""
    design = design_of(study)
    description = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "study": {name: _plain(getattr(study, name)) for name in (*FIELDS, "version")},
        "settings": study.settings,
        "procedure": study.procedure,
        "questions": study.questions,
        "plan": study.plan,
        "factors": [{"name": factor.name, "levels": list(factor.levels)} for factor in design.factors],
        "texts": {kind: text for kind in KINDS if (text := _text(study, kind)) is not None},
        "error_codes": plain_codes(scheme_of(study)),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, DESCRIPTION, json.dumps(description, ensure_ascii=False, indent=2) + "\n")
        if design.items:
            _write(archive, MATERIALS, materials_csv(design))
    return buffer.getvalue()


def create_from_archive(data: bytes, *, user: Any = None, owner: Any = None, slug: str | None = None) -> Study:
    """Return the draft that an archive describes, under another address where `slug` is given.

    Raises StudyFileFaults with all faults; nothing is stored then.
    """
    described = read_archive(data)
    fields = {**described.fields, "slug": slug or described.fields["slug"]}
    return store_description(
        replace(described, fields=fields), user=user, owner=owner, origin="archive", must_run=False
    )


def read_archive(data: bytes) -> StudyDescription:
    """Return what an archive says. Raises StudyFileFaults with all faults."""
    members = _members(data)
    given = _json(members[DESCRIPTION])
    faults = unknown_key_faults(given, _PARTS)
    if given.get("format") != FORMAT:
        raise StudyFileFaults([Fault(message="The archive is no study of this platform.")])
    if given.get("format_version") != FORMAT_VERSION:
        message = f"The archive has the format {given.get('format_version')!r}; this version reads {FORMAT_VERSION}."
        raise StudyFileFaults([Fault(message=message)])
    faults += unstorable_faults(given)
    plain = dict(table_of(given, "study", faults))
    version = plain.pop("version", 1)
    faults += unknown_key_faults(plain, tuple(FIELDS), path=["study"])
    plain["retention_until"] = _date(plain.get("retention_until"), faults)
    fields, paradigm, wrong = checked_fields(plain)
    faults += wrong
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        faults.append(Fault(message=f"'study.version' must be a whole number from 1, not {version!r}."))
    settings, procedure = table_of(given, "settings", faults), table_of(given, "procedure", faults)
    _values, wrong = checked_procedure(procedure)
    faults += wrong
    questions, wrong = checked_questions(given.get("questions", []))
    faults += wrong
    texts, wrong = checked_texts(
        table_of(given, "texts", faults), language=fields.get("language", "en"), may_be_empty=True
    )
    faults += wrong
    design, plan, codes = None, table_of(given, "plan", faults), None
    if paradigm is not None:
        _values, wrong = checked_form(paradigm.settings_form, settings, path=["settings"])
        faults += wrong
        if not wrong:
            plan, wrong = checked_plan(plan, paradigm=paradigm, settings=settings)
            faults += wrong
        codes, wrong = checked_error_codes(given.get("error_codes"), paradigm)
        faults += wrong
        design = _design(members.get(MATERIALS), given.get("factors", []), paradigm, faults)
    if faults:
        raise StudyFileFaults(faults)
    # Settings and procedure are kept as they were, so that what was not set stays open.
    return StudyDescription({**fields, "version": version}, settings, procedure, questions, texts, design, plan, codes)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.date) else value


def _text(study: Study, kind: str) -> dict[str, Any] | None:
    text = current_text(study, kind)
    if text is None:
        return None
    if kind != "consent":
        return {"body": text.body}
    return {"body": text.body, "required": text.required_boxes, "optional": text.optional_boxes}


def _write(archive: zipfile.ZipFile, name: str, text: str) -> None:
    # A fixed date: the same study is the same archive.
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    archive.writestr(member, text.encode("utf-8"))


def _members(data: bytes) -> dict[str, bytes]:
    if len(data) > MAX_ARCHIVE_BYTES:
        raise StudyFileFaults([Fault(message=f"The archive is larger than {MAX_ARCHIVE_BYTES // 1024**2} MB.")])
    limits = {DESCRIPTION: MAX_DESCRIPTION_BYTES, MATERIALS: MAX_BYTES}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [member.filename for member in archive.infolist()]
            strange = [name for name in names if name not in limits]
            if strange or len(names) != len(set(names)) or DESCRIPTION not in names:
                expected = f"A study archive holds {listed([DESCRIPTION, MATERIALS])} and nothing else"
                found = f"; this one holds {listed(strange or names)}." if names else "; this one is empty."
                raise StudyFileFaults([Fault(message=expected + found)])
            members = {}
            for name in names:
                with archive.open(name) as member:
                    members[name] = member.read(limits[name] + 1)
                if len(members[name]) > limits[name]:
                    message = f"'{name}' unpacks to more than {limits[name] // 1024**2} MB."
                    raise StudyFileFaults([Fault(message=message)])
            return members
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise StudyFileFaults([Fault(message="The file is no ZIP archive that can be read.")]) from error


def _json(data: bytes) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a number")

    try:
        given = json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise StudyFileFaults([Fault(message=f"'{DESCRIPTION}' is not valid JSON: {error}.")]) from error
    if not isinstance(given, dict):
        raise StudyFileFaults([Fault(message=f"'{DESCRIPTION}' must hold one object.")])
    return given


def _date(value: Any, faults: list[Fault]) -> datetime.date | None:
    if value is None:
        return None
    try:
        return datetime.date.fromisoformat(value)
    except (TypeError, ValueError):
        faults.append(Fault(message=f"'study.retention_until' must be a date such as 2030-12-31, not {value!r}."))
        return None


def _design(data: bytes | None, factors: Any, paradigm: Paradigm, faults: list[Fault]) -> Design | None:
    if data is None:
        return None
    if not isinstance(factors, list) or not all(
        isinstance(factor, dict)
        and isinstance(factor.get("name"), str)
        and isinstance(factor.get("levels"), list)
        and all(isinstance(level, str) for level in factor["levels"])
        for factor in factors
    ):
        faults.append(Fault(message="'factors' must be a list of names with their levels."))
        return None
    levels = {factor["name"]: factor["levels"] for factor in factors}
    try:
        return design_from(read_table(data, MATERIALS), paradigm, factors=levels)
    except MaterialsFaults as found:
        faults += [Fault(message=f"{MATERIALS}: {fault}") for fault in found.faults]
        return None
