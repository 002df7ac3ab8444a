"""Archives for tests: what the documents of Zenodo (InvenioRDM), OSF and Dataverse say that they do, and faults.

Rules that they keep, from those documents: a request needs the token; a draft has a number that the archive gives; a
search shows what was made only some seconds later; a file is there as a whole or not at all, or, at Zenodo, begun and
not committed; a file of a name that is there cannot be begun again (Zenodo) or put again (OSF), and gets another name
(Dataverse); ZIP files are unpacked by a Dataverse; Zenodo takes a hundred files.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from analysis.deposits.reaching import FilePart, NotReached, Reply

TOKEN = "a-token-that-nobody-may-see"
LAG = 5.0


class Killed(BaseException):
    """The worker was killed: nothing after this is carried out."""


@dataclass
class Faults:
    """What goes wrong, by chance; `left` is how much still may, so that every test comes to an end."""

    chance: random.Random
    share: float = 0.0
    left: int = 0

    def before(self) -> Reply | None:
        """Return an answer that is given instead of doing anything, or raise; None where it is done."""
        kind = self._drawn(("busy", "limited", "down", "timeout", "killed"))
        if kind == "busy":
            return Reply(503, b"<html>Service Unavailable</html>")
        if kind == "limited":
            return Reply(429, b"{}", {"retry-after": str(self.chance.choice([1, 60, 5000]))})
        if kind == "down":
            return Reply(500, b"")
        if kind == "timeout":
            raise NotReached
        if kind == "killed":
            raise Killed
        return None

    def after(self) -> None:
        """Lose the answer to what was done."""
        kind = self._drawn(("lost", "killed", "killed"))
        if kind == "lost":
            raise NotReached
        if kind == "killed":
            raise Killed

    def cut(self, size: int) -> int:
        """Return how many bytes of a body arrive."""
        return self.chance.randrange(size) if size and self._drawn(("cut",)) else size

    def _drawn(self, kinds: tuple[str, ...]) -> str:
        if self.left and self.chance.random() < self.share:
            self.left -= 1
            return self.chance.choice(kinds)
        return ""


@dataclass
class Mock:
    """An archive in memory. `files` has the content of every whole file of every draft by name."""

    faults: Faults
    now: float = 0.0
    drafts: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    received: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    ever: int = 0

    def ask(self, method: str, address: str, *, headers: Mapping[str, str], body: bytes | FilePart = b"") -> Reply:
        """Answer as the archive would, with the faults that are due."""
        self.now += 0.1
        parts = urlsplit(address)
        self.asked.append((method, parts.path))
        if TOKEN not in " ".join(headers.values()):
            return Reply(401, b'{"message": "Who are you?"}')
        if (instead := self.faults.before()) is not None:
            return instead
        content = body if isinstance(body, bytes) else b"".join(body.pieces())
        assert isinstance(body, bytes) or len(content) == body.length
        arrived = self.faults.cut(len(content)) if isinstance(body, FilePart) else len(content)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        reply = self.answer(method, unquote(parts.path), query, content, arrived, dict(headers))
        if arrived < len(content):
            raise NotReached
        self.faults.after()
        return reply

    def answer(
        self, method: str, path: str, query: dict[str, str], body: bytes, arrived: int, headers: dict[str, str]
    ) -> Reply:
        raise NotImplementedError

    def contents(self) -> dict[str, bytes]:
        """Return the files of the only draft."""
        (files,) = self.files.values()
        return files

    def refused(self, status: int, why: str) -> Reply:
        self.problems.append(f"{status} {why}")
        return said({"message": why}, status)


def said(value: object, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value).encode())


def md5(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()


class ZenodoMock(Mock):
    """InvenioRDM: drafts of records, DOIs on demand, files that are begun, sent and committed."""

    has_parts = True
    begun: dict[str, dict[str, dict[str, Any]]]

    def answer(
        self, method: str, path: str, query: dict[str, str], body: bytes, arrived: int, headers: dict[str, str]
    ) -> Reply:
        if not hasattr(self, "begun"):
            self.begun = {}
        if (method, path) == ("POST", "/api/records"):
            self.ever += 1
            number = f"abc{self.ever}"
            self.drafts[number] = {**json.loads(body), "id": number, "pids": {}, "made": self.now}
            self.files[number], self.begun[number] = {}, {}
            return said(self.drafts[number], 201)
        if (method, path) == ("GET", "/api/user/records"):
            visible = [one for one in self.drafts.values() if one["made"] + LAG < self.now]
            return said({"hits": {"hits": visible}})
        matched = re.fullmatch(r"/api/records/(\w+)/draft(?:/(.*))?", path)
        if not matched or matched[1] not in self.drafts:
            return said({"message": "The persistent identifier does not exist."}, 404)
        number, rest = matched[1], matched[2] or ""
        draft = self.drafts[number]
        if not rest:
            if method == "PUT":
                draft.update({**json.loads(body), "pids": draft["pids"]})
            if method == "DELETE":
                del self.drafts[number], self.files[number]
                return Reply(204, b"")
            return said(draft)
        if rest == "pids/doi":
            if draft["pids"]:
                return said({"message": "A PID already exists for type doi."}, 400)
            draft["pids"] = {"doi": {"identifier": f"10.5072/zenodo.{number}", "provider": "datacite"}}
            return said(draft, 201)
        return self._file(number, method, rest.removeprefix("files").strip("/"), body, arrived)

    def _file(self, number: str, method: str, rest: str, body: bytes, arrived: int) -> Reply:
        whole, begun = self.files[number], self.begun[number]
        if not rest and method == "POST":
            for one in json.loads(body):
                if one["key"] in whole or one["key"] in begun:
                    return self.refused(400, f"File with key {one['key']} already exists.")
                if len(whole) + len(begun) >= 100:
                    return self.refused(400, "Too many files.")
                transfer = one.get("transfer") or {"type": "L"}
                if transfer["type"] == "M" and not self.has_parts:
                    return said({"message": "Unknown transfer."}, 400)
                begun[one["key"]] = {"transfer": transfer, "size": one.get("size"), "parts": {}, "content": None}
        if not rest:
            return said({"entries": [*map(self._whole, whole.items()), *map(self._begun, begun.items())]})
        name, _slash, action = rest.partition("/")
        if method == "DELETE":
            if name not in whole and name not in begun:
                return said({}, 404)
            whole.pop(name, None)
            begun.pop(name, None)
            return Reply(204, b"")
        if name not in begun:
            return self.refused(404 if name not in whole else 400, f"{action} of {name}, which is not begun")
        entry = begun[name]
        if action.startswith("content"):
            self.received[name] += arrived
            if arrived < len(body):
                return Reply(400, b"")
            if entry["transfer"]["type"] == "M":
                part = int(action.partition("/")[2])
                sizes = entry["transfer"]["part_size"]
                is_last = part == entry["transfer"]["parts"]
                if len(body) != (entry["size"] - sizes * (part - 1) if is_last else sizes):
                    return self.refused(400, f"part {part} of {name} has {len(body)} bytes")
                entry["parts"][part] = body
            else:
                entry["content"] = body
            return said({})
        if action == "commit":
            content = entry["content"]
            if entry["transfer"]["type"] == "M":
                if len(entry["parts"]) < entry["transfer"]["parts"]:
                    return self.refused(400, f"{name} lacks parts")
                content = b"".join(entry["parts"][part] for part in sorted(entry["parts"]))
            if content is None:
                return self.refused(400, f"{name} has no content")
            whole[name] = content
            del begun[name]
            return said({"key": name})
        return self.refused(404, rest)

    def _whole(self, of: tuple[str, bytes]) -> dict[str, Any]:
        name, content = of
        return {
            "key": name, "size": len(content), "checksum": f"md5:{md5(content)}", "status": "completed",
            "transfer": {"type": "L"},
        }  # fmt: skip

    def _begun(self, of: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        return {"key": of[0], "size": of[1]["size"], "status": "pending", "transfer": of[1]["transfer"]}


class PlainZenodoMock(ZenodoMock):
    """An InvenioRDM that knows of no parts."""

    has_parts = False


class OsfMock(Mock):
    """OSF: nodes with tags, and WaterButler's storage."""

    def answer(
        self, method: str, path: str, query: dict[str, str], body: bytes, arrived: int, headers: dict[str, str]
    ) -> Reply:
        if (method, path) == ("POST", "/v2/nodes/"):
            self.ever += 1
            number = f"xy{self.ever}z"
            self.drafts[number] = {**json.loads(body)["data"], "id": number, "made": self.now}
            self.files[number] = {}
            return said({"data": self.drafts[number]}, 201)
        if (method, path) == ("GET", "/v2/users/me/nodes/"):
            wanted = query["filter[tags]"]
            visible = [
                one
                for one in self.drafts.values()
                if one["made"] + LAG < self.now and wanted in one["attributes"]["tags"]
            ]
            return said({"data": visible})
        if matched := re.fullmatch(r"/v2/nodes/(\w+)/", path):
            if matched[1] not in self.drafts:
                return said({}, 404)
            if method == "PATCH":
                attributes = self.drafts[matched[1]]["attributes"]
                attributes.update(json.loads(body)["data"]["attributes"])
            if method == "DELETE":
                del self.drafts[matched[1]], self.files[matched[1]]
                return Reply(204, b"")
            return said({"data": self.drafts[matched[1]]})
        matched = re.fullmatch(r"/v1/resources/(\w+)/providers/osfstorage/(.*)", path)
        if not matched or matched[1] not in self.drafts:
            return said({}, 404)
        files = self.files[matched[1]]
        by_id = {f"id{place}x{md5(name.encode())}": name for place, name in enumerate([*files, ""]) if name}
        ids = {name: number.partition("x")[2] for number, name in by_id.items()}
        if not matched[2] and method == "GET":
            return said(
                {
                    "data": [
                        {
                            "attributes": {
                                "kind": "file", "name": name, "size": len(content), "path": f"/{ids[name]}",
                                "extra": {"hashes": {"md5": md5(content)}},
                            }
                        }
                        for name, content in files.items()
                    ]
                }
            )  # fmt: skip
        if not matched[2] and method == "PUT":
            if query["name"] in files:
                return said({"message": "exists"}, 409)
            self.received[query["name"]] += arrived
            if arrived == len(body):
                files[query["name"]] = body
            return said({}, 201)
        name = next((name for name, number in ids.items() if number == matched[2]), None)
        if name is None:
            return said({}, 404)
        if method == "DELETE":
            del files[name]
            return Reply(204, b"")
        if arrived == len(body):
            files[name] = body
        return said({})


class DataverseMock(Mock):
    """Dataverse: datasets with a DOI from the beginning, files in folders, ZIP files that are unpacked."""

    def answer(
        self, method: str, path: str, query: dict[str, str], body: bytes, arrived: int, headers: dict[str, str]
    ) -> Reply:
        if (method, path) == ("POST", "/api/dataverses/lab/datasets"):
            self.ever += 1
            number = f"doi:10.70122/FK2/{self.ever:06d}"
            self.drafts[number] = {"version": json.loads(body)["datasetVersion"], "made": self.now}
            self.files[number] = {}
            return said({"status": "OK", "data": {"persistentId": number}}, 201)
        if (method, path) == ("GET", "/api/search"):
            visible = [
                {"global_id": number}
                for number, one in self.drafts.items()
                if one["made"] + LAG < self.now and query["q"].strip('"') in json.dumps(one["version"])
            ]
            return said({"status": "OK", "data": {"items": visible}})
        if matched := re.fullmatch(r"/api/files/(\w+)", path):
            for files in self.files.values():
                for name in list(files):
                    if md5(name.encode()) == matched[1]:
                        del files[name]
                        return said({"status": "OK"})
            return said({}, 404)
        number = query.get("persistentId", "")
        if number not in self.drafts:
            return said({"status": "ERROR"}, 404)
        files, action = self.files[number], path.removeprefix("/api/datasets/:persistentId")
        if action == "/versions/:draft":
            if method == "PUT":
                self.drafts[number]["version"] = json.loads(body)
            if method == "DELETE":
                del self.drafts[number], self.files[number]
            return said({"status": "OK", "data": self.drafts.get(number)})
        if action == "/versions/:draft/files":
            return said({"status": "OK", "data": [self._listed(*one) for one in files.items()]})
        if action == "/add" and method == "POST":
            if arrived == len(body):
                self._added(files, body, headers["Content-Type"].partition("boundary=")[2].encode())
            return said({"status": "OK"})
        return self.refused(404, path)

    def _added(self, files: dict[str, bytes], body: bytes, boundary: bytes) -> None:
        found = {}
        for part in body.split(b"--" + boundary)[1:-1]:
            head, _blank, content = part.partition(b"\r\n\r\n")
            names = dict(re.findall(rb'(\w+)="([^"]*)"', head))
            found[names[b"name"].decode()] = (names.get(b"filename", b"").decode(), content.removesuffix(b"\r\n"))
        about = json.loads(found["jsonData"][1])
        assert about["tabIngest"] == "false"
        name, content = found["file"]
        folder = f"{about['directoryLabel']}/" if about.get("directoryLabel") else ""
        contents = {name: content}
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                contents = {one: archive.read(one) for one in archive.namelist()}
        for one, inside in contents.items():
            path, number = f"{folder}{one}", 1
            while path in files:
                self.problems.append(f"{path} is there already")
                path, number = f"{folder}{number}-{one}", number + 1
            files[path] = inside

    def _listed(self, name: str, content: bytes) -> dict[str, Any]:
        folder, _slash, label = name.rpartition("/")
        return {
            "label": label, **({"directoryLabel": folder} if folder else {}),
            "dataFile": {
                "id": md5(name.encode()), "filesize": len(content), "checksum": {"type": "MD5", "value": md5(content)},
            },
        }  # fmt: skip
