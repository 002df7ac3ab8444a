"""Write a study as an archive."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

from experiments.materials.store import design_of, materials_csv
from experiments.media.storage import content_of, files_of
from experiments.models import MediaFile, Study
from experiments.procedure.mentions import declared_for
from experiments.procedure.texts import KINDS, current_text
from experiments.study.schemes import plain_codes, scheme_of
from experiments.study_files.archive.members import DESCRIPTION, FORMAT, FORMAT_VERSION, MATERIALS, MEDIA
from experiments.study_files.languages import plain_languages
from experiments.study_files.part_tables import has_parts, plain_part, plain_reading
from experiments.study_files.parts import (
    FIELDS,
    markup_of,
    standing_of,
)
from experiments.study_files.recruitment import OF_LANGUAGES, TABLES
from experiments.study_files.words import member_of, plain_words, words_csv


def study_archive(study: Study) -> bytes:
    """Return the archive of a study; the same study gives the same bytes."""
    by_parts = has_parts(study)
    own: dict[str, Any]
    fields = [name for name in (*FIELDS, "version") if not (by_parts and name == "paradigm")]
    if by_parts:
        designs = {f"materials-{task.name}.csv": design_of(task) for task in study.tasks}
        own = {"procedure": study.conduct, "groups": study.groups, "order_sets": study.order_sets}
        own |= {"parts": [plain_part(part) for part in study.ordered_parts], "plan": study.plan}
        kinds = [kind for kind in KINDS if kind != "instructions"]
    else:
        designs = {MATERIALS: design_of(study)}
        own = {"settings": study.settings, "procedure": study.procedure, "questions": study.questions}
        factors = [{"name": factor.name, "levels": list(factor.levels)} for factor in designs[MATERIALS].factors]
        own |= {"plan": study.plan, "factors": factors, **plain_reading(study.task)}
        kinds = list(KINDS)
    files = files_of(study)
    words = {task: table for task in study.tasks if (table := words_csv(task))}
    description = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "study": {name: _plain(getattr(study, name)) for name in fields},
        **own,
        "texts": {kind: text for kind in kinds if (text := _text(study, kind)) is not None},
        "error_codes": plain_codes(scheme_of(study)),
        **_named_media(files),
        **({"word_scores": {task.name: plain_words(task) for task in words}} if words else {}),
        **{name: value for name in TABLES if name not in OF_LANGUAGES and (value := getattr(study, name))},
        **plain_languages(study),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, DESCRIPTION, json.dumps(description, ensure_ascii=False, indent=2) + "\n")
        for name, design in designs.items():
            if design.items:
                _write(archive, name, materials_csv(design))
        for task, table in words.items():
            _write(archive, member_of(task.name), table)
        for file in files:
            _write(archive, MEDIA + file.name, content_of(file), zipfile.ZIP_STORED)
    return buffer.getvalue()


def _named_media(files: Sequence[MediaFile]) -> dict[str, Any]:
    named = [{"name": file.name, "sha256": file.content_hash, "licence": file.licence} for file in files]
    return {"media": named} if named else {}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.date) else value


def _text(study: Study, kind: str) -> dict[str, Any] | None:
    text = current_text(study, kind)
    if text is None:
        return None
    plain: dict[str, Any] = {"body": text.body, **markup_of(text)}
    if not study.is_frozen:
        plain |= standing_of(text, declared_for(study, kind))
    if kind != "consent":
        return plain
    return {**plain, "required": text.required_boxes, "optional": text.optional_boxes}


def _write(archive: zipfile.ZipFile, name: str, content: str | bytes, how: int = zipfile.ZIP_DEFLATED) -> None:
    # A fixed date: the same study is the same archive.
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = how
    member.external_attr = 0o644 << 16
    archive.writestr(member, content.encode("utf-8") if isinstance(content, str) else content)
