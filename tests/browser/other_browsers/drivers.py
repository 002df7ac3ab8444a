"""Firefox and WebKit by the commands of W3C WebDriver, as each of them takes those: nothing but Debian's packages.

Firefox takes them itself, over a socket (Marionette, which geckodriver translates to). WebKitGTK has a driver of its
own, which takes them over HTTP.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Protocol

from tests.browser.platform import free_port

STARTING_SECONDS = 60
ANSWER_SECONDS = 120


class Refused(Exception):
    """The browser did not carry out a command; what it said."""


class Driver(Protocol):
    """What a page needs of a browser."""

    def navigate(self, url: str) -> None:
        """Open an address and wait until it is loaded."""

    def run(self, script: str, arguments: list[Any]) -> Any:
        """Run the body of a function in the page and return what it returns."""

    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Carry out presses and movements, as WebDriver writes them, at the devices of a person."""

    def errors(self) -> list[str]:
        """Return the errors that the browser itself has written down about the pages so far."""

    def stop(self) -> None:
        """End the browser."""


def connected(port: int) -> socket.socket:
    """Connect to a port on which something is about to listen."""
    deadline = time.monotonic() + STARTING_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started here, and wait for it."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Firefox:
    """A Firefox without a window, with a profile of its own in `folder`."""

    PREFERENCES = {"devtools.console.stdout.content": True, "devtools.console.stdout.chrome": False}
    # Errors of pages; those of Firefox's own parts, which find no network, begin with a part's name.
    ERROR = re.compile(r"^(?:console\.error: (?!\w+: ).*|JavaScript error: http.*)", re.MULTILINE)

    def __init__(self, path: str, folder: Path) -> None:
        port = free_port()
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {**self.PREFERENCES, "marionette.port": port}.items()
        ]
        (folder / "user.js").write_text("".join(lines), encoding="utf-8")
        self.log = folder / "firefox.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [path, "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
                env={**os.environ, "HOME": str(folder)}, stdout=log, stderr=log,
            )  # fmt: skip
        self.socket = connected(port)
        self.stream = self.socket.makefile("rwb")
        self.read()  # its greeting
        self.n_commands = 0
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.command("WebDriver:SetWindowRect", width=1280, height=900)

    def read(self) -> Any:
        """Read one message: its length, a colon, and JSON."""
        length = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox has ended."
            length += byte
        return json.loads(self.stream.read(int(length)))

    def command(self, name: str, **parameters: Any) -> Any:
        """Send a command and return its answer."""
        self.n_commands += 1
        message = json.dumps([0, self.n_commands, name, parameters]).encode()
        self.stream.write(b"%d:%b" % (len(message), message))
        self.stream.flush()
        _, _, error, answer = self.read()
        if error:
            raise Refused(f"{error['error']}: {error['message']}")
        return answer

    def navigate(self, url: str) -> None:
        self.command("WebDriver:Navigate", url=url)

    def run(self, script: str, arguments: list[Any]) -> Any:
        # Without a sandbox of its own, so that what one script leaves on the window is there for the next.
        return self.command("WebDriver:ExecuteScript", script=script, args=arguments, sandbox=None)["value"]

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self.command("WebDriver:PerformActions", actions=actions)

    def errors(self) -> list[str]:
        return self.ERROR.findall(self.log.read_text(encoding="utf-8", errors="replace"))

    def stop(self) -> None:
        self.socket.close()
        end(self.process)


class WebKit:
    """The small browser of WebKitGTK on a screen that nobody sees. It writes no errors down: the page is asked."""

    def __init__(self, path: str, folder: Path) -> None:
        log = (folder / "webkit.log").open("wb")
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=log, stderr=log,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as numbers:
            display = numbers.readline().strip()
        assert display, "Xvfb has not started."
        port = free_port()
        # Without an accelerator, and without an address that only a desktop has.
        environment = {**os.environ, "DISPLAY": f":{display}", "HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
        environment["NO_AT_BRIDGE"] = "1"
        self.driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=environment, stdout=log, stderr=log, cwd=folder
        )
        connected(port).close()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": path, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self.command("POST", "", {"capabilities": wanted})["sessionId"]
        self.address += f"/{session}"

    def command(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a command and return its answer."""
        request = urllib.request.Request(
            self.address + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            said = json.load(error)["value"]
            raise Refused(f"{said['error']}: {said['message']}") from None

    def navigate(self, url: str) -> None:
        self.command("POST", "/url", {"url": url})

    def run(self, script: str, arguments: list[Any]) -> Any:
        return self.command("POST", "/execute/sync", {"script": script, "args": arguments})

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self.command("POST", "/actions", {"actions": actions})

    def errors(self) -> list[str]:
        return []

    def stop(self) -> None:
        try:
            self.command("DELETE", "")
        finally:
            end(self.driver)
            end(self.screen)


DRIVERS: dict[str, type[Firefox] | type[WebKit]] = {"firefox": Firefox, "webkit": WebKit}
