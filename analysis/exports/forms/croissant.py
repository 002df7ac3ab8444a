"""Describe the files of an export for machine learning: Croissant, with the hash of every file.

Source: the Croissant format specification 1.0 of MLCommons: a schema.org Dataset with FileObjects and RecordSets.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.codebook.columns import ColumnType, ExportColumn
from analysis.exports.deposited import deposited
from analysis.exports.forms.words import authors_of
from experiments.models import Study
from experiments.paradigms import paradigm_named

CROISSANT = "croissant.json"
# Times are ISO 8601, which a table says as text; a whole number or truth value may be missing.
TYPES: Mapping[ColumnType, str] = {
    "text": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "datetime": "sc:DateTime",
}
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(
    study: Study,
    tables: Mapping[str, tuple[str, str, Sequence[ExportColumn]]],
    files: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the description of files, given as in the manifest; `tables` are path, title and columns by name."""
    found = deposited(study)
    paradigms = ", ".join(dict.fromkeys(str(paradigm_named(task.paradigm).label) for task in study.tasks))
    day = study.closed_at or study.opened_at or study.created_at
    address = f"https://doi.org/{found.doi}" if found and found.doi else found.address if found else ""
    authors = authors_of(study) or ["Authors to be named"]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": study.title,
        "alternateName": study.slug,
        "description": study.description.strip() or f"Data of the study “{study.title}” ({paradigms}).",
        "version": f"{study.version}.0.0",
        "datePublished": f"{day:%Y-%m-%d}",
        "inLanguage": study.participants_language,
        "creator": [{"@type": "Person", "name": name} for name in authors],
        "citeAs": f"{'; '.join(authors)} ({day:%Y}). {study.title} [Data set]." + (f" {address}" if address else ""),
        "license": found.licence if found and found.licence else "No licence is stated.",
        "url": address or f"urn:lectern:{study.slug}",
        "isLiveDataset": False,
        "distribution": [_file(file) for file in files],
        "recordSet": [_records(name, *table) for name, table in tables.items()],
    }


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    path = str(file["path"])
    kind = "text/csv" if path.endswith(".csv") else mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": kind,
        "sha256": file["sha256"],
    }


def _records(name: str, path: str, title: str, columns: Sequence[ExportColumn]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": str(title),
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column.name}",
                "name": column.name,
                "description": column.description + (f" Unit: {column.unit}." if column.unit else ""),
                "dataType": TYPES[column.type],
                "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
            }
            for column in columns
        ],
    }
