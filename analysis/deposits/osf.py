"""OSF: a private project is the draft, and its storage holds the files.

Source: the OSF API 2 (nodes, tags) and the API of WaterButler 1 (files). OSF gives a DOI to public projects alone, so
none is reserved; the address of the project stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from analysis.deposits.archive import GIGABYTE, Archive, Draft, Local, Refused, Rules, Stored
from analysis.deposits.reaching import FilePart
from analysis.exports.deposited import LICENCES
from experiments.sentences import Sentence

JSON_API = "application/vnd.api+json"


class Osf(Archive):
    """A private project; `draft.number` is its id. `base` is the API, `files` the host of the files."""

    rules = Rules(most_files=100, most_bytes_of_file=5 * GIGABYTE, most_bytes=50 * GIGABYTE, keeps_folders=False)
    reserves_doi = False

    def __init__(self, base: str, token: str, *, files: str, pages: str) -> None:
        super().__init__(base, token)
        self.files, self.pages = files.rstrip("/"), pages.rstrip("/")

    def find(self, key: str) -> Draft | None:
        found = self.ask("GET", f"/v2/users/me/nodes/?filter[tags]={quote(tag(key))}").value
        for node in found.get("data") or []:
            if tag(key) in (node.get("attributes") or {}).get("tags", []):
                return self._draft(node)
        return None

    def create(self, key: str, metadata: Mapping[str, Any]) -> Draft:
        node = self._node(key, metadata)
        node["attributes"]["public"] = False
        return self._draft(self._sent("POST", "/v2/nodes/", node).get("data") or {})

    def describe(self, draft: Draft, key: str, metadata: Mapping[str, Any]) -> None:
        self._sent("PATCH", f"/v2/nodes/{draft.number}/", {**self._node(key, metadata), "id": draft.number})

    def stored(self, draft: Draft) -> Sequence[Stored]:
        found = self.ask("GET", f"{self._storage(draft)}?meta=", base=self.files).value
        return [
            Stored(
                name=str(of["name"]),
                size=int(of.get("size") or 0),
                md5=str(((of.get("extra") or {}).get("hashes") or {}).get("md5") or ""),
                number=str(of["path"]),
            )
            for one in found.get("data") or []
            if (of := one.get("attributes") or {}).get("kind") == "file"
        ]

    def upload(
        self, draft: Draft, local: Local, *, before: Stored | None, sent: int, tell: Callable[[int], None]
    ) -> None:
        body = FilePart(local.path, 0, local.size)
        address = f"{self._storage(draft)}?kind=file&name={quote(local.name, safe='')}"
        reply = self.ask("PUT", address, body=body, kind="application/octet-stream", base=self.files, allowed=(409,))
        if reply.status == 409:  # it is there since: another attempt's answer was lost
            for one in self.stored(draft):
                if one.name == local.name and not one.equals(local):
                    again = f"{self._storage(draft)}{quote(one.number.strip('/'), safe='')}?kind=file"
                    self.ask("PUT", again, body=body, kind="application/octet-stream", base=self.files)
        tell(local.size)

    def remove(self, draft: Draft, stored: Stored) -> None:
        path = f"{self._storage(draft)}{quote(stored.number.strip('/'), safe='')}"
        self.ask("DELETE", path, base=self.files, allowed=(404, 410))

    def discard(self, draft: Draft) -> None:
        reply = self.ask("GET", f"/v2/nodes/{draft.number}/", allowed=(404, 410))
        if reply.status in (404, 410):
            return
        there = reply.value.get("data") or {}
        if (there.get("attributes") or {}).get("public"):
            raise Refused(
                Sentence("The project is public, so it is not deleted from here. Delete it on the page of OSF.")
            )
        self.ask("DELETE", f"/v2/nodes/{draft.number}/", allowed=(404, 410))

    def _storage(self, draft: Draft) -> str:
        return f"/v1/resources/{draft.number}/providers/osfstorage/"

    def _sent(self, method: str, path: str, node: Mapping[str, Any]) -> Mapping[str, Any]:
        body = json.dumps({"data": node}).encode()
        said: Mapping[str, Any] = self.ask(method, path, body=body, kind=JSON_API).value
        return said

    def _node(self, key: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
        names = "; ".join(one["name"] for one in metadata["creators"])
        licence, address = LICENCES[metadata["licence"]]
        lines = [metadata["description"], f"Authors: {names}", f"Licence: {licence}, {address}"]
        lines += [f"Supplement to: {one}" for one in metadata["related"]]
        attributes = {
            "title": metadata["title"],
            "category": "data",
            "description": "\n\n".join(lines),
            "tags": [*metadata["keywords"], tag(key)],
        }
        return {"type": "nodes", "attributes": attributes}

    def _draft(self, node: Mapping[str, Any]) -> Draft:
        number = str(node.get("id") or "")
        if not number.isalnum():
            raise Refused("The archive made a project without a number.")
        return Draft(number, "", f"{self.pages}/{number}/")


def tag(key: str) -> str:
    """Return the tag by which a project is found again."""
    return f"lectern-{key}"
