"""Waiting for a server that was started, and for its worker; what others can read of a wheel."""

from __future__ import annotations

import socket
import subprocess
import time
import zipfile
from pathlib import Path

import requests

STARTING_SECONDS = 300  # an idle machine needs ten


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def first_answer(address: str, server: subprocess.Popen[bytes], output: Path) -> requests.Response:
    deadline = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            return requests.get(address, timeout=10)
        except requests.RequestException:
            time.sleep(0.2)
    raise AssertionError(output.read_text(encoding="utf-8"))


def held_by_a_worker(lock: Path, server: subprocess.Popen[bytes], output: Path) -> bool:
    """Wait until the embedded worker has written its number into its lock."""
    deadline = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        if lock.is_file() and lock.read_text(encoding="utf-8").strip().isdigit():
            return True
        time.sleep(0.2)
    raise AssertionError(output.read_text(encoding="utf-8"))


def unreadable(wheel: Path) -> list[str]:
    """Return the members of a wheel that others than its owner cannot read, or can change."""
    with zipfile.ZipFile(wheel) as archive:
        modes = {member.filename: member.external_attr >> 16 & 0o777 for member in archive.infolist()}
    return [f"{name}: {mode:o}" for name, mode in modes.items() if mode not in {0o644, 0o755}]
