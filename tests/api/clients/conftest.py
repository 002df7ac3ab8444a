"""Where the clients are, a server that answers as it is told, and R where it is there with its packages."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchmarks.needs import R, missing, r_package
from tests import needs

ROOT = Path(__file__).resolve().parents[3]
CLIENT = ROOT / "config" / "packaging"
R_FILE = ROOT / "config" / "api" / "clients" / "lectern.R"
TOKEN = "lectern_pat_of_these_tests"


class Scripted:
    """A server that gives the answers in `answers` one after the other, then the last one again and again.

    An answer is (status, headers, body); a body is bytes, or what is written as JSON. With the header X-Broken it ends
    after half of what it promises. `of_study` has answers for single studies by their addresses. `asked` is what came:
    method, path, headers, body.
    """

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], Any]] = []
        self.of_study: dict[str, list[tuple[int, dict[str, str], Any]]] = {}
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.asked.append((self.command, self.path, dict(self.headers), sent))
                answers = outer.of_study.get("".join(self.path.split("/")[4:5]), outer.answers)
                status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
                if status == 0:  # no answer at all
                    self.close_connection = True
                    return
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if "X-Broken" in headers else content)
                self.close_connection = True

            def log_message(self, *_arguments: Any) -> None:
                pass

        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.answer)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def give(self, *answers: tuple[int, dict[str, str], Any]) -> None:
        self.answers[:] = answers
        self.asked.clear()


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    made = Scripted()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def rscript() -> str:
    """Rscript, whose packages curl and jsonlite are installed."""
    lacking = missing([R, r_package("curl"), r_package("jsonlite")])
    if lacking:
        needs.skip("R with curl and jsonlite", "apt-get install r-base-core r-cran-curl r-cran-jsonlite")
    return str(shutil.which("Rscript"))
