"""A study as a ZIP archive of `study.json`, `materials.csv` and a folder `media`: everything but people and data.

Nothing of an archive is unpacked to disk, and its members are read by these names alone. What is in `media` is checked
like files that are uploaded by themselves.
"""

from __future__ import annotations

import datetime
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.materials.design import design_from
from experiments.materials.shapes import MAX_BYTES, Design, MaterialsFaults
from experiments.materials.store import design_of, materials_csv
from experiments.materials.table import read_table
from experiments.media.checking import CheckedFile, read_files
from experiments.media.kinds import MAX_SOUND_BYTES, MAX_UPLOAD_BYTES
from experiments.media.storage import content_of, files_of
from experiments.models import MediaFile, Part, Study
from experiments.one_task import ONLY_TASK
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.procedure.texts import KINDS, current_text
from experiments.rules.shape import group_faults
from experiments.sentences import Sentence
from experiments.study.schemes import plain_codes, scheme_of
from experiments.study_files.description import StudyDescription, StudyFileFaults, store_description
from experiments.study_files.part_tables import checked_parts, has_parts, plain_part
from experiments.study_files.parts import (
    FIELDS,
    checked_error_codes,
    checked_fields,
    checked_form,
    checked_plan,
    checked_procedure,
    checked_questions,
    checked_texts,
    markup_of,
    table_of,
    unknown_key_faults,
    unstorable_faults,
)
from experiments.study_files.recruitment import TABLES, checked_recruitment, parts_of_questions

FORMAT = "lectern-study"
FORMAT_VERSION = 1
DESCRIPTION = "study.json"
MATERIALS = "materials.csv"

MEDIA = "media/"

MAX_ARCHIVE_BYTES = MAX_UPLOAD_BYTES + 6 * 1024 * 1024
MAX_DESCRIPTION_BYTES = 2 * 1024 * 1024

# The materials of a part that is not the only task; so many members an archive has at most.
OF_A_PART = re.compile(r"materials-[a-z][a-z0-9-]{0,39}\.csv")
MOST_MEMBERS = 22

_WITH_PARTS = (
    "format", "format_version", "study", "parts", "groups", "order_sets", "procedure", "texts", "plan", "error_codes",
    "media", *TABLES,
)  # fmt: skip
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
    "media",
    *TABLES,
)


def study_archive(study: Study) -> bytes:
    """Return the archive of a study; the same study gives the same bytes."""
    if has_parts(study):
        return _archive_of_parts(study)
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
    files = files_of(study)
    description |= _named_media(files) | _recruitment(study)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, DESCRIPTION, json.dumps(description, ensure_ascii=False, indent=2) + "\n")
        if design.items:
            _write(archive, MATERIALS, materials_csv(design))
        for file in files:
            _write(archive, MEDIA + file.name, content_of(file), zipfile.ZIP_STORED)
    return buffer.getvalue()


def _recruitment(study: Study) -> dict[str, Any]:
    return {name: value for name in TABLES if (value := getattr(study, name))}


def _named_media(files: Sequence[MediaFile]) -> dict[str, Any]:
    named = [{"name": file.name, "sha256": file.content_hash, "licence": file.licence} for file in files]
    return {"media": named} if named else {}


def _archive_of_parts(study: Study) -> bytes:
    fields = [name for name in (*FIELDS, "version") if name != "paradigm"]
    description = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "study": {name: _plain(getattr(study, name)) for name in fields},
        "procedure": study.conduct,
        "groups": study.groups,
        "order_sets": study.order_sets,
        "parts": [plain_part(part) for part in study.ordered_parts],
        "plan": study.plan,
        "texts": {kind: text for kind in KINDS if kind != "instructions" and (text := _text(study, kind)) is not None},
        "error_codes": plain_codes(scheme_of(study)),
    }
    files = files_of(study)
    description |= _named_media(files) | _recruitment(study)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, DESCRIPTION, json.dumps(description, ensure_ascii=False, indent=2) + "\n")
        for task in study.tasks:
            design = design_of(task)
            if design.items:
                _write(archive, f"materials-{task.name}.csv", materials_csv(design))
        for file in files:
            _write(archive, MEDIA + file.name, content_of(file), zipfile.ZIP_STORED)
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
    faults = unknown_key_faults(given, _PARTS if "parts" not in given else _WITH_PARTS)
    if given.get("format") != FORMAT:
        raise StudyFileFaults([Fault(message=Sentence("The archive is no study of this platform."))])
    if given.get("format_version") != FORMAT_VERSION:
        message = Sentence(
            "The archive has the format {format}; this version reads {known}.",
            format=repr(given.get("format_version")),
            known=FORMAT_VERSION,
        )
        raise StudyFileFaults([Fault(message=message)])
    faults += unstorable_faults(given)
    plain = dict(table_of(given, "study", faults))
    version = plain.pop("version", 1)
    faults += unknown_key_faults(plain, tuple(FIELDS), path=["study"])
    plain["retention_until"] = _date(plain.get("retention_until"), faults)
    fields, paradigm, wrong = checked_fields(plain, has_parts="parts" in given)
    faults += wrong
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        faults.append(
            Fault(
                message=Sentence("'study.version' must be a whole number from 1, not {version}.", version=repr(version))
            )
        )
    if "parts" in given:
        return _described_by_parts(given, members, {**fields, "version": version}, faults)
    settings, procedure = table_of(given, "settings", faults), table_of(given, "procedure", faults)
    _values, wrong = checked_procedure(procedure)
    faults += wrong
    questions, wrong = checked_questions(given.get("questions", []))
    faults += wrong
    texts, wrong = checked_texts(
        table_of(given, "texts", faults), language=fields.get("language", "en"), may_be_empty=True
    )
    faults += wrong
    recruitment, wrong = checked_recruitment(
        given, parts_of_questions(given.get("questions")), language=fields.get("language", "en"), is_archive=True
    )
    faults += wrong
    design, plan, codes = None, table_of(given, "plan", faults), None
    if paradigm is not None:
        _values, wrong = checked_form(paradigm.settings_form, settings, path=["settings"])
        faults += wrong
        if not wrong:
            plan, wrong = checked_plan(plan, tasks={ONLY_TASK: (paradigm, settings)})
            faults += wrong
        codes, wrong = checked_error_codes(given.get("error_codes"), paradigm)
        faults += wrong
        design = _design(members.get(MATERIALS), given.get("factors", []), paradigm, faults)
    media = _media(members, given.get("media", []), faults)
    if faults:
        raise StudyFileFaults(faults)
    # Settings and procedure are kept as they were, so that what was not set stays open.
    return StudyDescription(
        {**fields, "version": version}, settings, procedure, questions, texts, design, plan, codes, media, **recruitment
    )


def _described_by_parts(
    given: dict[str, Any], members: dict[str, bytes], fields: dict[str, Any], faults: list[Fault]
) -> StudyDescription:
    def design(
        part: Mapping[str, Any], name: str, paradigm: Paradigm, item_sets: str
    ) -> tuple[Design | None, list[Fault]]:
        wrong: list[Fault] = []
        return _design(members.get(f"materials-{name}.csv"), part.get("factors", []), paradigm, wrong), wrong

    parts, wrong = checked_parts(given["parts"], read_design=design, is_complete=False)
    faults += wrong
    recruitment, wrong = checked_recruitment(
        given, [Part(**part.fields) for part in parts], language=fields.get("language", "en"), is_archive=True
    )
    faults += wrong
    groups, conduct = given.get("groups", []), table_of(given, "procedure", faults)
    faults += group_faults(groups)
    faults += checked_procedure(conduct)[1]
    language = fields.get("language", "en")
    texts, wrong = checked_texts(table_of(given, "texts", faults), language=language, may_be_empty=True)
    faults += wrong
    paradigms = [paradigm_named(part.fields["paradigm"]) for part in parts if part.fields.get("paradigm")]
    codes = None
    if paradigms:
        coded = next((one for one in paradigms if one.coded_measure), paradigms[0])
        codes, wrong = checked_error_codes(given.get("error_codes"), coded)
        faults += wrong
    plan, order_sets = table_of(given, "plan", faults), table_of(given, "order_sets", faults)
    media = _media(members, given.get("media", []), faults)
    if faults:
        raise StudyFileFaults(faults)
    return StudyDescription(
        fields,
        procedure=conduct,
        texts=texts,
        plan=plan,
        error_codes=codes,
        parts=parts,
        groups=groups,
        order_sets=order_sets,
        media=media,
        **recruitment,
    )


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.date) else value


def _text(study: Study, kind: str) -> dict[str, Any] | None:
    text = current_text(study, kind)
    if text is None:
        return None
    plain: dict[str, Any] = {"body": text.body, **markup_of(text)}
    if kind != "consent":
        return plain
    return {**plain, "required": text.required_boxes, "optional": text.optional_boxes}


def _write(archive: zipfile.ZipFile, name: str, content: str | bytes, how: int = zipfile.ZIP_DEFLATED) -> None:
    # A fixed date: the same study is the same archive.
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = how
    member.external_attr = 0o644 << 16
    archive.writestr(member, content.encode("utf-8") if isinstance(content, str) else content)


def _members(data: bytes) -> dict[str, bytes]:
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
                message = Sentence(
                    "A study archive holds {files}, files in 'media' and nothing else; this one is empty.",
                    files=listed([DESCRIPTION, MATERIALS]),
                )
                if names:
                    message = Sentence(
                        "A study archive holds {files}, files in 'media' and nothing else; this one holds {names}.",
                        files=listed([DESCRIPTION, MATERIALS]),
                        names=listed(strange or names),
                    )
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
        raise StudyFileFaults([Fault(message=Sentence("The file is no ZIP archive that can be read."))]) from error


def _is_media(name: str) -> bool:
    """Return whether a member is a file of the folder `media`, and not of one below or above it."""
    rest = name.removeprefix(MEDIA)
    return name.startswith(MEDIA) and rest not in ("", ".", "..") and "/" not in rest and "\\" not in rest


def _media(members: dict[str, bytes], said: Any, faults: list[Fault]) -> Sequence[CheckedFile]:
    """Return the pictures and sounds of an archive, with the licences that its description says."""
    given = [(name.removeprefix(MEDIA), data) for name, data in members.items() if name.startswith(MEDIA)]
    if not isinstance(said, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("licence", ""), str)
        for one in said
    ):
        faults.append(Fault(message=Sentence("'media' must be a list of names with their licences.")))
        return ()
    licences = {one["name"]: one.get("licence", "")[:300] for one in said}
    lacking = [name for name in licences if MEDIA + name not in members]
    faults += [
        Fault(message=Sentence("The archive names the file '{name}', which is not in it.", name=name))
        for name in lacking
    ]
    if not given:
        return ()
    checked = read_files(given)
    faults += checked.faults
    return [replace(file, licence=licences.get(file.name, "")) for file in checked.files]


def _json(data: bytes) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a number")

    try:
        given = json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise StudyFileFaults(
            [Fault(message=Sentence("'{file}' is not valid JSON: {error}.", file=DESCRIPTION, error=str(error)))]
        ) from error
    if not isinstance(given, dict):
        raise StudyFileFaults([Fault(message=Sentence("'{file}' must hold one object.", file=DESCRIPTION))])
    return given


def _date(value: Any, faults: list[Fault]) -> datetime.date | None:
    if value is None:
        return None
    try:
        return datetime.date.fromisoformat(value)
    except (TypeError, ValueError):
        faults.append(
            Fault(
                message=Sentence(
                    "'{name}' must be a date such as 2030-12-31, not {value}.",
                    name="study.retention_until",
                    value=repr(value),
                )
            )
        )
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
        faults.append(Fault(message=Sentence("'factors' must be a list of names with their levels.")))
        return None
    levels = {factor["name"]: factor["levels"] for factor in factors}
    try:
        return design_from(read_table(data, MATERIALS), paradigm, factors=levels)
    except MaterialsFaults as found:
        faults += [
            Fault(message=Sentence("{place}: {said}", place=MATERIALS, said=str(fault))) for fault in found.faults
        ]
        return None
