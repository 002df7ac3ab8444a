"""The platform with an additional script on the session page; only for `benchmarks.pixels`.

The script keeps the main thread busy where the address asks for it, and says once where on the screen the stimulus is
and what the page's clock reads, while the first trial is there, which is never measured. The page is otherwise the one
that participants get.
"""

from __future__ import annotations

import json
import mimetypes
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from config.wsgi import application as platform

SCRIPT = (Path(__file__).parent / "page.js").read_bytes()
TAG = b'<script src="/benchmark.js"></script></head>'
Answer = Callable[..., Any]


def application(environ: dict[str, Any], start_response: Answer) -> Iterable[bytes]:
    """Answer the two addresses of the benchmark; put its script on the pages of sessions."""
    path = environ["PATH_INFO"]
    if path == "/benchmark.js":
        start_response("200 OK", [("Content-Type", "text/javascript"), ("Content-Length", str(len(SCRIPT)))])
        return [SCRIPT]
    if path == "/benchmark/":
        told = json.loads(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
        note(Path(os.environ["BENCHMARK_NOTES"]), told)
        start_response("204 No Content", [])
        return []
    if path == "/benchmark/go/":
        asked = dict(parse_qsl(environ["QUERY_STRING"]))
        start_response("302 Found", [("Set-Cookie", asked["cookie"]), ("Location", asked["to"])])
        return []
    if path.startswith("/benchmark/peer/"):
        return [peer_file(path.removeprefix("/benchmark/peer/") or "index.html", start_response)]
    if not path.endswith("/run/"):
        return platform(environ, start_response)
    begun: list[Any] = []
    pieces: list[bytes] = []

    def begin(*arguments: Any) -> Callable[[bytes], None]:
        begun.extend(arguments)
        return pieces.append

    pieces.extend(platform(environ, begin))
    status, headers = begun[0], [pair for pair in begun[1] if pair[0].lower() not in {"content-length", "etag"}]
    body = b"".join(pieces).replace(b"</head>", TAG, 1)
    start_response(status, [*headers, ("Content-Length", str(len(body)))])
    return [body]


def peer_file(name: str, start_response: Answer) -> bytes:
    """Serve a file of the peer's built page, isolated as the pages of sessions are."""
    path = Path(os.environ["BENCHMARK_PEER"]) / name
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    isolation = [("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp")]
    start_response("200 OK", [("Content-Type", kind), *isolation])
    return path.read_bytes()


def note(path: Path, told: dict[str, Any]) -> None:
    """Append what a page says, with the two clocks of this machine that tie its clock to the screen's."""
    clocks = {"real_ms": time.time_ns() / 1e6, "monotonic_ms": time.monotonic_ns() / 1e6}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**told, **clocks}) + "\n")
