"""Virtual screen in memory, the program that watches it and presses keys, and the browsers on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks import needs

HERE = Path(__file__).resolve().parent
SIZE = (1280, 800)
ENTER, DIGIT = 36, 14

# Nothing of a browser's own may come between page and screen, or ask the network for something.
FIREFOX_PREFERENCES: dict[str, bool | int | str] = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.firstRunURL": "",
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.enabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.fullscreen.autohide": True,
    "full-screen-api.warning.timeout": 0,
    "extensions.getAddons.cache.enabled": False,
    "services.settings.server": "data:,",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
}


@dataclass(frozen=True)
class Change:
    """The screen changed between two looks, to something with so many pixels of ink."""

    before: float
    after: float
    ink: int

    @property
    def time(self) -> float:
        return (self.before + self.after) / 2


@dataclass
class Seen:
    """What the watching program has told: changes and presses of keys, in order."""

    changes: list[Change] = field(default_factory=list)
    keys: list[tuple[int, float]] = field(default_factory=list)
    longest_gap: float = 0.0

    def take(self, line: str) -> None:
        """Add one line of the program."""
        kind, *values = line.split()
        if kind == "C":
            self.changes.append(Change(float(values[0]), float(values[1]), int(values[2])))
        elif kind == "K":
            self.keys.append((int(values[0]), float(values[1])))
        elif kind == "G":
            self.longest_gap = float(values[0])


class Watcher:
    """The program that looks at one rectangle of the screen and presses keys."""

    def __init__(self, program: Path, frame_buffer: Path, display: str, *, seed: int) -> None:
        self.seen = Seen()
        self.process = subprocess.Popen(
            [str(program), str(frame_buffer), display, str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.seen.take(line)

    def tell(self, *command: Any) -> None:
        """Send one command to the program."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(str(part) for part in command) + "\n")
        self.process.stdin.flush()

    def stop(self) -> Seen:
        """End the program and return everything that it saw."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.reader.join(timeout=10)
        return self.seen


@dataclass(frozen=True)
class Screen:
    """A running X server with its frame buffer in a file."""

    display: str
    frame_buffer: Path
    program: Path

    def picture(self, path: Path) -> Path:
        """Write what is on the screen into a PNG file; return its path."""
        content = self.frame_buffer.read_bytes()
        # The header of the format xwd: 25 numbers of 32 bits; a colour takes 12 bytes.
        header = struct.unpack(">25I", content[:100])
        size, width, height, bytes_per_line, colours = (header[place] for place in (0, 4, 5, 12, 19))
        pixels = content[size + 12 * colours :][: bytes_per_line * height]
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX", bytes_per_line).save(path)
        return path

    @contextlib.contextmanager
    def pictured_on_timeout(self, path: Path) -> Iterator[None]:
        """Leave a picture of the screen where the block raises TimeoutError, whose sentence then names it."""
        try:
            yield
        except TimeoutError as error:
            raise TimeoutError(f"{error} What was on the screen then: {self.picture(path)}") from error

    def watcher(self, *, seed: int) -> Watcher:
        """Start to watch; nothing is watched nor pressed before it is told to."""
        return Watcher(self.program, self.frame_buffer, self.display, seed=seed)


@contextlib.contextmanager
def screen(folder: Path) -> Iterator[Screen]:
    """Compile the watching program and run an X server for as long as the block lasts."""
    program = folder / "screen"
    source = [str(HERE / "screen.c"), "-lX11", "-lXtst"]
    subprocess.run([needs.compiler(), "-O2", "-o", str(program), *source], check=True)
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", str(folder),
         "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as told:
            number = told.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start.")
        yield Screen(display=f":{number}", frame_buffer=folder / "Xvfb_screen0", program=program)
    finally:
        server.terminate()
        server.wait(timeout=20)


@contextlib.contextmanager
def browser(name: str, address: str, *, on: Screen, folder: Path) -> Iterator[None]:
    """Show an address in a browser that fills the screen, with a profile of its own, for as long as the block lasts."""
    profile = folder / "profile"
    shutil.rmtree(profile, ignore_errors=True)
    profile.mkdir(parents=True)
    process = subprocess.Popen(
        command_of(name, address, profile),
        env={**os.environ, "DISPLAY": on.display, "HOME": str(profile)},
        stdout=subprocess.DEVNULL,
        stderr=(folder / "browser.log").open("ab"),
        start_new_session=True,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=10)


def command_of(name: str, address: str, profile: Path) -> list[str]:
    """Return the command that starts a browser; it needs no driver, as keys and pages do everything."""
    if name == "firefox":
        lines = [f'user_pref("{key}", {_written(value)});' for key, value in FIREFOX_PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines) + "\n")
        return ["firefox-esr", "--no-remote", "--profile", str(profile), "--kiosk", address]
    return [
        str(needs.chromium()), f"--user-data-dir={profile}", "--no-sandbox", "--kiosk", "--no-first-run",
        "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-features=Translate,MediaRouter", "--password-store=basic", "--disable-dev-shm-usage",
        "--window-position=0,0", f"--window-size={SIZE[0]},{SIZE[1]}", address,
    ]  # fmt: skip


def _written(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
