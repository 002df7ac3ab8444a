"""Create a study from an archive; files in `media` are checked like uploads."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.design import design_from
from experiments.materials.mapping import sound_reading
from experiments.materials.shapes import Design, MaterialsFaults
from experiments.materials.table import read_table
from experiments.media.checking import CheckedFile, read_files
from experiments.models import Part, Study
from experiments.models.parts import ONLY_TASK
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.rules.shape import group_faults
from experiments.sentences import Sentence
from experiments.study_files.archive.members import (
    DESCRIPTION,
    FORMAT,
    FORMAT_VERSION,
    MATERIALS,
    MEDIA,
    members_of,
    object_in,
)
from experiments.study_files.description import StudyDescription, StudyFileFaults, store_description
from experiments.study_files.part_tables import checked_parts
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
from experiments.study_files.recruitment import TABLES, checked_recruitment, parts_of_questions
from experiments.study_files.words import words_in_archive

_WITH_PARTS = (
    "format", "format_version", "study", "parts", "groups", "order_sets", "procedure", "texts", "plan", "error_codes",
    "media", "word_scores", *TABLES,
)  # fmt: skip
_PARTS = (
    "format",
    "format_version",
    "study",
    "settings",
    "procedure",
    "questions",
    "factors",
    "text_attributes",
    "reading",
    "texts",
    "plan",
    "error_codes",
    "media",
    "word_scores",
    *TABLES,
)


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
    members = members_of(data)
    given = object_in(members[DESCRIPTION])
    faults = unknown_key_faults(given, _PARTS if "parts" not in given else _WITH_PARTS)
    if given.get("format") != FORMAT:
        raise StudyFileFaults([Fault(message=Sentence("The archive is not a study of this platform."))])
    if given.get("format_version") != FORMAT_VERSION:
        message = Sentence(
            "The archive has the format {format}, but this version reads {known}.",
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
                message=Sentence(
                    "'study.version' must be a whole number of 1 or more, not {version}.", version=repr(version)
                )
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
        design = _design(members.get(MATERIALS), given, paradigm, faults)
    media = _media(members, given.get("media", []), faults)
    words = words_in_archive(members, given.get("word_scores", {}), faults)
    if faults:
        raise StudyFileFaults(faults)
    # Settings and procedure are stored unchanged, without defaults for unset values.
    return StudyDescription(
        {**fields, "version": version},
        settings,
        procedure,
        questions,
        texts,
        design,
        plan,
        codes,
        media,
        words,
        **recruitment,
    )


def _described_by_parts(
    given: dict[str, Any], members: dict[str, bytes], fields: dict[str, Any], faults: list[Fault]
) -> StudyDescription:
    def design(
        part: Mapping[str, Any], name: str, paradigm: Paradigm, item_sets: str
    ) -> tuple[Design | None, list[Fault]]:
        wrong: list[Fault] = []
        return _design(members.get(f"materials-{name}.csv"), part, paradigm, wrong), wrong

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
    words = words_in_archive(members, given.get("word_scores", {}), faults)
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
        words=words,
        **recruitment,
    )


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
        Fault(message=Sentence("The archive names the file '{name}' but does not contain it.", name=name))
        for name in lacking
    ]
    if not given:
        return ()
    checked = read_files(given)
    faults += checked.faults
    return [replace(file, licence=licences.get(file.name, "")) for file in checked.files]


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


def _design(data: bytes | None, said: Mapping[str, Any], paradigm: Paradigm, faults: list[Fault]) -> Design | None:
    if data is None:
        return None
    factors, of_texts, reading = said.get("factors", []), said.get("text_attributes", []), said.get("reading", {})
    if not isinstance(of_texts, list) or not all(isinstance(name, str) for name in of_texts):
        faults.append(Fault(message=Sentence("'text_attributes' must be a list of column names.")))
        return None
    if (kept := sound_reading(reading)) is None:
        faults.append(
            Fault(message=Sentence("'reading' must say how the table was read, in the form that archives have."))
        )
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
        design = design_from(
            read_table(data, MATERIALS), paradigm, factors=levels, text_attributes=of_texts, incomplete=True
        )
        return replace(design, reading=kept)
    except MaterialsFaults as found:
        faults += [
            Fault(message=Sentence("{place}: {said}", place=MATERIALS, said=str(fault))) for fault in found.faults
        ]
        return None
