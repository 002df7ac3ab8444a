"""What all operations share: values become a request, and the answer becomes a dict, rows or a file."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, final

from .files import Download, File, content_type_of, form_of, is_archive, opened
from .operations.table import SENT, Sent
from .problems import not_usable
from .sending import Answer, Connection, Request, path_of
from .tables import Rows

MOST_ETAGS = 1000
JSON = "application/json"


@final
class Unset:
    """What was not given, which is something else than None."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()
Values: TypeAlias = Mapping[str, Any]


class Asking:
    """Sends operations by their names. ETags of what was read are remembered and sent where it is changed."""

    _connection: Connection
    _etags: dict[str, str]

    def _json(self, name: str, path: Values, **given: Any) -> Any:
        request = self._request(name, path, **given)
        headers, value = self._connection.read(request)
        self._note(request, headers.get("ETag"))
        return value

    def _nothing(self, name: str, path: Values, **given: Any) -> None:
        self._json(name, path, **given)

    def _rows(self, name: str, path: Values, **given: Any) -> Rows[Any]:
        request = self._request(name, path, **given)

        def page_at(cursor: str) -> Any:
            at_cursor = Request(request.method, request.path, {**request.query, "cursor": cursor}, request.headers)
            return self._connection.read(at_cursor)[1]

        _headers, first = self._connection.read(request)
        self._note(request, None)
        return Rows(first, page_at)

    def _file(self, name: str, path: Values, **given: Any) -> Download:
        request = self._request(name, path, **given)

        def ask() -> Answer:
            answer: Answer = self._connection.opened(request)
            self._note(request, answer.headers.get("ETag"))
            return answer

        return Download(ask, self._connection.unreachable)

    def _request(
        self,
        name: str,
        path: Values,
        *,
        query: Values | None = None,
        body: Values | None = None,
        file: File | None = None,
        content_type: str | None = None,
        files: Mapping[str, File | None] | None = None,
        if_match: str | None = None,
        key: str | None = None,
    ) -> Request:
        sent = SENT[name]
        address = path_of(sent.path, path)
        asked = {name: value for name, value in (query or {}).items() if not isinstance(value, Unset)}
        values = {name: value for name, value in (body or {}).items() if not isinstance(value, Unset)}
        headers: dict[str, str] = {}
        data: Callable[[], tuple[Any, int]] | None = None
        if file is not None:
            further = {name: one for name, one in (files or {}).items() if one is not None}
            in_query, data, headers["Content-Type"] = _of_file(sent, file, content_type, further, values)
            asked |= in_query
        elif body is not None:
            if files and any(one is not None for one in files.values()):
                raise not_usable(f"{', '.join(files)} goes with a study file; give it as `file`.")
            data, headers["Content-Type"] = _constant(_written(values)), JSON
        elif sent.method == "POST":
            data = _constant(b"")
        if sent.is_guarded:
            headers["If-Match"] = if_match or self._etag_at(address, asked)
        if sent.creates:
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        for header, value in headers.items():
            if not value.isascii() or not value.isprintable():
                raise not_usable(f"{value!r} cannot be sent in the header {header}.")
        return Request(sent.method, address, asked, headers, data)

    def _etag_at(self, address: str, asked: Values) -> str:
        place = _place(address, asked)
        if place not in self._etags:
            part = {"part": asked["part"]} if "part" in asked else {}
            request = Request("GET", address, part, {})
            answer: Answer = self._connection.opened(request)
            answer.stream.close()
            self._note(request, answer.headers.get("ETag"))
        return self._etags.get(place, "*")

    def _note(self, request: Request, etag: str | None) -> None:
        """Remember an ETag. What this client changes in a study may change other ETags of it, so they are forgotten."""
        if request.method != "GET":
            study = "/".join(request.path.split("/")[:2]) + "/"
            for place in [place for place in self._etags if place.startswith(study)]:
                del self._etags[place]
        if etag and request.method != "DELETE":
            self._etags[_place(request.path, request.query)] = etag
            while len(self._etags) > MOST_ETAGS:
                del self._etags[next(iter(self._etags))]


def _place(address: str, asked: Values) -> str:
    return f"{address}?{asked.get('part', '')}"


def _constant(data: bytes) -> Callable[[], tuple[Any, int]]:
    return lambda: (data, len(data))


def _written(values: Values) -> bytes:
    try:
        return json.dumps(values, allow_nan=False).encode()
    except (TypeError, ValueError) as wrong:
        raise not_usable(f"The values cannot be written as JSON: {wrong}.") from None


def _of_file(
    sent: Sent, file: File, content_type: str | None, further: Mapping[str, File], values: Values
) -> tuple[Values, Callable[[], tuple[Any, int]], str]:
    """Return the query, the body and the media type with which a file is sent: as the body, or in a form."""
    if not sent.form_files:
        return {}, opened(file), content_type_of(file, content_type, sent.uploads)
    if strange := [name for name in values if name not in sent.form_texts]:
        raise not_usable(f"{', '.join(strange)} cannot be given with a file, which says it.")
    if is_archive(file) and not further:
        return values, opened(file), content_type_of(file, content_type, sent.uploads)
    data, kind = form_of(values, {"file": file, **further})
    return {}, _constant(data), kind
