"""Zenodo, by the API of InvenioRDM on which it runs.

Source: the REST API reference of InvenioRDM: drafts, reserved DOIs, files of drafts (begin, content or parts, commit).
Large files go up in parts where the server offers it, so that a connection that breaks costs one part.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from analysis.deposits.archive import GIGABYTE, Archive, Draft, Local, Refused, Rules, Stored
from analysis.deposits.reaching import FilePart

OCTETS = "application/octet-stream"
PART = 32 * 1024**2
MULTIPART, WHOLE = "M", "L"
# Codes of ISO 639-3 for the languages in which studies are.
THREE_LETTERS = {
    "ar": "ara", "cs": "ces", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "fr": "fra", "he": "heb", "hi": "hin",
    "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "nl": "nld", "pl": "pol", "pt": "por", "ru": "rus", "sv": "swe",
    "tr": "tur", "zh": "zho",
}  # fmt: skip


class Zenodo(Archive):
    """A draft of a record; `draft.number` is the id of the record."""

    rules = Rules(most_files=100, most_bytes_of_file=50 * GIGABYTE, most_bytes=50 * GIGABYTE, keeps_folders=False)

    def find(self, key: str) -> Draft | None:
        query = quote(f'metadata.identifiers.identifier:"{urn(key)}"')
        found = self.ask("GET", f"/api/user/records?q={query}&size=25&sort=newest").value
        for hit in (found.get("hits") or {}).get("hits") or []:
            named = (hit.get("metadata") or {}).get("identifiers") or []
            if any(one.get("identifier") == urn(key) for one in named) and not hit.get("is_published"):
                return self._draft(hit)
        return None

    def create(self, key: str, metadata: Mapping[str, Any]) -> Draft:
        return self._draft(self._sent("POST", "/api/records", described(key, metadata)))

    def reserve(self, draft: Draft) -> str:
        there = self.ask("GET", f"/api/records/{draft.number}/draft").value
        if not doi_of(there):
            # 400 where another attempt has reserved it meanwhile.
            self.ask("POST", f"/api/records/{draft.number}/draft/pids/doi", allowed=(400,))
            there = self.ask("GET", f"/api/records/{draft.number}/draft").value
        return doi_of(there)

    def describe(self, draft: Draft, key: str, metadata: Mapping[str, Any]) -> None:
        there = self.ask("GET", f"/api/records/{draft.number}/draft").value
        pids = {"pids": there.get("pids", {})}
        self._sent("PUT", f"/api/records/{draft.number}/draft", described(key, metadata) | pids)

    def stored(self, draft: Draft) -> Sequence[Stored]:
        found = self.ask("GET", f"/api/records/{draft.number}/draft/files").value
        return [
            Stored(
                name=str(one["key"]),
                size=int(one.get("size") or 0),
                md5=str(one.get("checksum") or "").removeprefix("md5:") if _is_md5(one) else "",
                number=str((one.get("transfer") or {}).get("type") or WHOLE),
                is_whole=one.get("status") == "completed",
            )
            for one in found.get("entries") or []
        ]

    def upload(
        self, draft: Draft, local: Local, *, before: Stored | None, sent: int, tell: Callable[[int], None]
    ) -> None:
        files = f"/api/records/{draft.number}/draft/files"
        file = f"{files}/{quote(local.name, safe='')}"
        in_parts = before is not None and before.number == MULTIPART and before.size == local.size
        if before is not None and not in_parts:
            self.remove(draft, before)
        if not in_parts:
            sent = 0
            in_parts = self._begun(files, local)
        if in_parts:
            for start in range(sent - sent % PART, local.size, PART):
                size = min(PART, local.size - start)
                part = FilePart(local.path, start, size)
                self.ask("PUT", f"{file}/content/{start // PART + 1}", body=part, kind=OCTETS)
                tell(start + size)
        else:
            self.ask("PUT", f"{file}/content", body=FilePart(local.path, 0, local.size), kind=OCTETS)
        self.ask("POST", f"{file}/commit")
        tell(local.size)

    def _begun(self, files: str, local: Local) -> bool:
        """Begin a file, and return whether it goes up in parts."""
        if local.size > PART:
            parts = -(-local.size // PART)
            transfer = {"type": MULTIPART, "parts": parts, "part_size": PART}
            asked = [{"key": local.name, "size": local.size, "transfer": transfer}]
            reply = self.ask("POST", files, body=json.dumps(asked).encode(), allowed=(400,))
            entries = reply.value.get("entries") or [] if reply.status != 400 else []
            if any((one.get("transfer") or {}).get("type") == MULTIPART for one in entries if one["key"] == local.name):
                return True
            if reply.status != 400:
                return False  # begun as a whole: the server knows of no parts
        self.ask("POST", files, body=json.dumps([{"key": local.name}]).encode())
        return False

    def remove(self, draft: Draft, stored: Stored) -> None:
        self.ask("DELETE", f"/api/records/{draft.number}/draft/files/{quote(stored.name, safe='')}", allowed=(404,))

    def discard(self, draft: Draft) -> None:
        self.ask("DELETE", f"/api/records/{draft.number}/draft", allowed=(404, 410))

    def _sent(self, method: str, path: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        said: Mapping[str, Any] = self.ask(method, path, body=json.dumps(values).encode()).value
        return said

    def _draft(self, said: Mapping[str, Any]) -> Draft:
        number = str(said.get("id") or "")
        if not number.isalnum():
            raise Refused("The archive made a draft without a number.")
        return Draft(number, doi_of(said), f"{self.base}/uploads/{number}")


def _is_md5(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("checksum") or "").startswith("md5:")


def doi_of(said: Mapping[str, Any]) -> str:
    """Return the DOI in what is said of a draft; empty where it has none."""
    return str(((said.get("pids") or {}).get("doi") or {}).get("identifier") or "")


def urn(key: str) -> str:
    """Return the identifier by which a draft is found again."""
    return f"urn:uuid:{key}"


def described(key: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what InvenioRDM wants to know of a draft."""
    return {
        "access": {"record": "public", "files": "public"},
        "files": {"enabled": True},
        "metadata": {
            "resource_type": {"id": "dataset"},
            "title": metadata["title"],
            "publication_date": metadata["day"],
            "creators": [_creator(one) for one in metadata["creators"]],
            "description": metadata["description"],
            "rights": [{"id": metadata["licence"]}],
            "subjects": [{"subject": word} for word in metadata["keywords"]],
            "languages": [{"id": code}] if (code := THREE_LETTERS.get(metadata["language"])) else [],
            "version": metadata["version"],
            "identifiers": [{"scheme": "urn", "identifier": urn(key)}],
            "related_identifiers": [
                {
                    "identifier": one,
                    "scheme": "url" if one.startswith("http") else "doi",
                    "relation_type": {"id": "issupplementto"},
                }
                for one in metadata["related"]
            ],
        },
    }


def _creator(creator: Mapping[str, str]) -> dict[str, Any]:
    family, _comma, given = creator["name"].partition(",")
    person: dict[str, Any] = {"type": "personal", "family_name": family.strip(), "given_name": given.strip()}
    if not given.strip():
        person = {"type": "organizational", "name": family.strip()}
    if creator.get("orcid"):
        person["identifiers"] = [{"scheme": "orcid", "identifier": creator["orcid"]}]
    of = [{"name": creator["affiliation"]}] if creator.get("affiliation") else []
    return {"person_or_org": person, "affiliations": of}
