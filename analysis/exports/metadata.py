"""Write machine-readable metadata: Psych-DS (`dataset_description.json`) and Frictionless (`datapackage.json`).

Sources: Psych-DS rules and conventions (schema.org Dataset with `variableMeasured`), Data Package v1 with Table Schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.codebook.columns import ExportColumn
from analysis.exports.deposited import deposited
from experiments.media.storage import content_type_of, files_of
from experiments.models import Study
from experiments.paradigms import paradigm_named

_MEDIA_TYPES = {"image": "ImageObject", "audio": "AudioObject", "video": "VideoObject"}
FRICTIONLESS_TYPES = {
    "text": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "datetime": "datetime",
}


def dataset_description(study: Study, columns: Sequence[ExportColumn]) -> dict[str, Any]:
    """Return `dataset_description.json` for the columns of all data files."""
    # A study may have no task yet; `task` is then one of no paradigm.
    tasks = study.tasks or [study.task]
    paradigms = ", ".join(dict.fromkeys(str(paradigm_named(task.paradigm).label) for task in tasks))
    description: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title,
        "description": study.description.strip() or f"Data of the study “{study.title}” ({paradigms}).",
        "schemaVersion": "Psych-DS 1.0.0",
        "identifier": study.slug,
        "version": str(study.version),
        "inLanguage": (
            [study.said_in(tag).participants_language for tag in ("", *study.languages)]
            if study.languages
            else study.participants_language
        ),
        "measurementTechnique": paradigms,
        "variableMeasured": [_property(column) for column in columns],
    }
    if files := files_of(study):
        description["hasPart"] = [
            {
                "@type": _MEDIA_TYPES[file.kind],
                "name": file.name,
                "encodingFormat": content_type_of(file.extension),
                "sha256": file.content_hash,
                "contentSize": str(file.size),
                **({"license": file.licence} if file.licence else {}),
            }
            for file in files
        ]
    if study.responsible:
        description["creditText"] = study.responsible
    if found := deposited(study):
        description |= {"sameAs": f"https://doi.org/{found.doi}"} if found.doi else {}
        description |= {"license": found.licence} if found.licence else {}
        if found.creators:
            description["creator"] = [_creator(creator) for creator in found.creators]
    return description


def _creator(creator: Mapping[str, Any]) -> dict[str, Any]:
    orcid = {"@id": f"https://orcid.org/{creator['orcid']}"} if creator.get("orcid") else {}
    return {"@type": "Person", **orcid, "name": creator["name"]}


def _property(column: ExportColumn) -> dict[str, Any]:
    described: dict[str, Any] = {"@type": "PropertyValue", "name": column.name, "description": column.description}
    if column.unit:
        described["unitText"] = column.unit
    if column.type == "boolean":
        described["levels"] = ["true", "false"]
    elif column.values:
        described["levels"] = list(column.values)
    return described


def datapackage(
    study: Study,
    files: Mapping[str, tuple[str, str, Sequence[ExportColumn]]],
    of_parts: Mapping[str, tuple[str, Sequence[str]]],
) -> dict[str, Any]:
    """Return `datapackage.json` for files given as path, title and columns, by name.

    A file that is in `of_parts` holds some of several tasks: `table` says what analyses call it, `parts` which tasks.
    """
    return {
        "profile": "tabular-data-package",
        "name": study.slug,
        "title": study.title,
        "version": str(study.version),
        "resources": [
            {
                "profile": "tabular-data-resource",
                "name": path.rsplit("/", 1)[-1].removesuffix(".csv").lower(),
                "path": path,
                "title": title,
                **({"table": of_parts[name][0], "parts": list(of_parts[name][1])} if name in of_parts else {}),
                "format": "csv",
                "mediatype": "text/csv",
                "encoding": "utf-8",
                "dialect": {"delimiter": ",", "quoteChar": '"', "lineTerminator": "\r\n", "doubleQuote": True},
                "schema": {"fields": [_field(column) for column in columns], "missingValues": [""]},
            }
            for name, (path, title, columns) in files.items()
        ],
    }


def _field(column: ExportColumn) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name,
        "type": FRICTIONLESS_TYPES[column.type],
        "description": column.description,
    }
    if column.unit:
        field["unit"] = column.unit
    if column.type == "boolean":
        field["trueValues"] = ["true"]
        field["falseValues"] = ["false"]
    if column.values and column.type == "text":
        field["constraints"] = {"enum": list(column.values)}
    return field
