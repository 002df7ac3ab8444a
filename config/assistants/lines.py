"""JSON-RPC 2.0 as lines: one message in a line, bounded, and an answer for every line that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

MOST_BYTES = 4 * 1024 * 1024
CHUNK = 64 * 1024
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
RESOURCE_NOT_FOUND = -32002


@dataclass
class Wrong(Exception):
    """A request is answered with an error: its code and a sentence."""

    code: int
    message: str


def lines(stream: BinaryIO, most: int = MOST_BYTES) -> Iterator[bytes | None]:
    """Yield the lines of a stream without their ends; None for one of more than `most` bytes, which is skipped.

    >>> import io
    >>> list(lines(io.BytesIO(b"short\\nmuch too long\\n\\nend"), most=6))
    [b'short', None, b'', b'end']
    """
    while line := stream.readline(most + 1):
        if len(line) <= most or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None


def read(line: bytes | None) -> Any:
    """Return what a line says. Raises Wrong."""
    if line is None:
        raise Wrong(PARSE_ERROR, f"The line has more than {MOST_BYTES} bytes and was skipped. Send less at once.")
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Wrong(PARSE_ERROR, f"The line is not valid JSON: {error}. Send one message in one line.") from error


def written(message: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> bytes:
    """Return a message as a line.

    >>> written({"jsonrpc": "2.0", "id": 1, "result": {"text": "two\\nlines"}})
    b'{"jsonrpc":"2.0","id":1,"result":{"text":"two\\\\nlines"}}\\n'
    """
    return orjson.dumps(message, default=str) + b"\n"


def result(of: Any, value: Any) -> dict[str, Any]:
    """Return the answer to the request with this id."""
    return {"jsonrpc": "2.0", "id": of, "result": value}


def error(of: Any, wrong: Wrong) -> dict[str, Any]:
    """Return the error that answers the request with this id; None where it could not be read."""
    return {"jsonrpc": "2.0", "id": of, "error": {"code": wrong.code, "message": wrong.message}}
