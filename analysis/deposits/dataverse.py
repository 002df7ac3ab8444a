"""Dataverse: a dataset in version DRAFT, whose DOI exists from its beginning.

Source: the native API and the search API in the guides of Dataverse 6. A Dataverse unpacks ZIP files that it is sent,
so those are sent within another one; tables are kept as they are, without being ingested.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.deposits.archive import GIGABYTE, Archive, Draft, Local, Refused, Rules, Stored
from analysis.deposits.reaching import FilePart
from analysis.exports.deposited import LICENCES
from analysis.exports.packing import ZIP_TIME

BOUNDARY = "lectern-f2b8a6d4c19e"
PIECE = 1024**2
SUBJECTS = ("Social Sciences", "Arts and Humanities")


class Dataverse(Archive):
    """A dataset; `draft.number` is its persistent id, such as `doi:10.70122/FK2/ABC`."""

    rules = Rules(most_files=100, most_bytes_of_file=2 * GIGABYTE, most_bytes=20 * GIGABYTE, keeps_folders=True)

    @property
    def authorization(self) -> Mapping[str, str]:
        return {"X-Dataverse-key": self.token}

    def find(self, key: str) -> Draft | None:
        found = self.ask("GET", f"/api/search?q={quote(quoted(key))}&type=dataset&per_page=10").value
        for item in (found.get("data") or {}).get("items") or []:
            draft = self._draft(str(item.get("global_id") or ""))
            there = self.ask("GET", self._of(draft, "/versions/:draft"), allowed=(404,))
            if key.encode() in there.content:
                return draft
        return None

    def create(self, key: str, metadata: Mapping[str, Any]) -> Draft:
        body = json.dumps({"datasetVersion": version(key, metadata)}).encode()
        said = self.ask("POST", f"/api/dataverses/{quote(self.collection, safe='')}/datasets", body=body).value
        return self._draft(str((said.get("data") or {}).get("persistentId") or ""))

    def describe(self, draft: Draft, key: str, metadata: Mapping[str, Any]) -> None:
        self.ask("PUT", self._of(draft, "/versions/:draft"), body=json.dumps(version(key, metadata)).encode())

    def stored(self, draft: Draft) -> Sequence[Stored]:
        found = self.ask("GET", self._of(draft, "/versions/:draft/files")).value
        return [_stored(one) for one in found.get("data") or []]

    def upload(
        self, draft: Draft, local: Local, *, before: Stored | None, sent: int, tell: Callable[[int], None]
    ) -> None:
        folder, _slash, name = local.name.rpartition("/")
        about = {"tabIngest": "false", **({"directoryLabel": folder} if folder else {})}
        path, label = local.path, name
        if name.endswith(".zip"):
            path, label = packed(local), f"{name}.outer.zip"
        head = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="jsonData"\r\n\r\n{json.dumps(about)}\r\n'
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{label}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = FilePart(path, 0, path.stat().st_size, head.encode(), f"\r\n--{BOUNDARY}--\r\n".encode())
        self.ask("POST", self._of(draft, "/add"), body=body, kind=f"multipart/form-data; boundary={BOUNDARY}")
        tell(local.size)

    def remove(self, draft: Draft, stored: Stored) -> None:
        self.ask("DELETE", f"/api/files/{quote(stored.number, safe='')}", allowed=(404,))

    def discard(self, draft: Draft) -> None:
        self.ask("DELETE", self._of(draft, "/versions/:draft"), allowed=(404,))

    def _of(self, draft: Draft, path: str) -> str:
        return f"/api/datasets/:persistentId{path}?persistentId={quote(draft.number, safe=':/')}"

    def _draft(self, number: str) -> Draft:
        if not number.startswith(("doi:", "hdl:")) or not number.isprintable() or " " in number:
            raise Refused("The archive made a dataset without a persistent identifier.")
        address = f"{self.base}/dataset.xhtml?persistentId={quote(number, safe=':/')}&version=DRAFT"
        return Draft(number, number.removeprefix("doi:") if number.startswith("doi:") else "", address)


def quoted(key: str) -> str:
    """Return a key as the search takes it as one word."""
    return f'"{key}"'


def _stored(one: Mapping[str, Any]) -> Stored:
    of = one.get("dataFile") or {}
    folder = str(one.get("directoryLabel") or "")
    name = str(one.get("label") or of.get("filename") or "")
    checksum = of.get("checksum") or {}
    md5 = str(checksum.get("value") or "") if checksum.get("type") == "MD5" else str(of.get("md5") or "")
    return Stored(f"{folder}/{name}" if folder else name, int(of.get("filesize") or 0), md5, str(of.get("id") or ""))


def packed(local: Local) -> Path:
    """Return a ZIP file next to a file that holds it, made anew every time."""
    path = local.path.with_name(f"{local.path.name}.outer.zip")
    entry = zipfile.ZipInfo(local.name.rpartition("/")[2], date_time=ZIP_TIME)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive,
        local.path.open("rb") as given,
        archive.open(entry, "w", force_zip64=True) as made,
    ):
        while piece := given.read(PIECE):
            made.write(piece)
    return path


def version(key: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a Dataverse wants to know of a version of a dataset."""
    name, address = LICENCES[metadata["licence"]]
    fields = [
        _field("title", metadata["title"]),
        _several("author", [_author(one) for one in metadata["creators"]]),
        _several("datasetContact", [{"datasetContactEmail": _field("datasetContactEmail", metadata["contact"])}]),
        _several("dsDescription", [{"dsDescriptionValue": _field("dsDescriptionValue", metadata["description"])}]),
        {"typeName": "subject", "multiple": True, "typeClass": "controlledVocabulary", "value": list(SUBJECTS)},
        _several("keyword", [{"keywordValue": _field("keywordValue", word)} for word in metadata["keywords"]]),
        _several(
            "otherId",
            [{"otherIdAgency": _field("otherIdAgency", "Lectern"), "otherIdValue": _field("otherIdValue", key)}],
        ),
        _several(
            "publication",
            [{"publicationCitation": _field("publicationCitation", one)} for one in metadata["related"]],
        ),
    ]
    citation = {"displayName": "Citation Metadata", "fields": [one for one in fields if one["value"]]}
    return {"license": {"name": name, "uri": address}, "metadataBlocks": {"citation": citation}}


def _field(name: str, value: str) -> dict[str, Any]:
    return {"typeName": name, "multiple": False, "typeClass": "primitive", "value": value}


def _several(name: str, values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"typeName": name, "multiple": True, "typeClass": "compound", "value": list(values)}


def _author(creator: Mapping[str, str]) -> dict[str, Any]:
    found = {"authorName": _field("authorName", creator["name"])}
    if creator.get("affiliation"):
        found["authorAffiliation"] = _field("authorAffiliation", creator["affiliation"])
    if creator.get("orcid"):
        scheme = {**_field("authorIdentifierScheme", "ORCID"), "typeClass": "controlledVocabulary"}
        found |= {"authorIdentifierScheme": scheme}
        found |= {"authorIdentifier": _field("authorIdentifier", creator["orcid"])}
    return found
