"""The disk is full while results arrive: 503 and no acknowledgement, and when there is room again all gets through."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests import needs
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT, RemoteBrowser, Server, an_open_study, serving
from tests.participants.studies import REQUIRED

pytestmark = [
    pytest.mark.full("an acknowledgement without room on the disk"),
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    WITH_THE_EMBEDDED_DEFAULT,
]

SMALL_DISK = ("A small disk that can be full", "run it as root where a tmpfs may be mounted and has an end")
SIZE = 16 * 2**20
SLUG = "small-study"
LEFT = 40_000
PAGE = 4096


class Disk:
    """A small file system of its own, in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ballast = folder / "ballast"

    def has_an_end(self) -> bool:
        try:
            self.ballast.write_bytes(bytes(2 * SIZE))
        except OSError:
            return True
        finally:
            self.clear()
        return False

    def fill(self, left: int) -> None:
        """Leave this many bytes and no more."""
        room = os.statvfs(self.folder)
        with self.ballast.open("ab") as file:
            file.write(bytes(max(0, room.f_bavail * room.f_frsize - left)))

    def clear(self) -> None:
        self.ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        needs.skip(*SMALL_DISK)
    made = Disk(folder)
    try:
        if not made.has_an_end():
            needs.skip(*SMALL_DISK)
        yield made
    finally:
        # Lazily: a worker that was killed a moment ago may still hold its file.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def server(disk: Disk, tmp_path: Path) -> Iterator[Server]:
    database = f"sqlite:///{disk.folder / 'lectern.sqlite3'}"
    with serving(tmp_path, an_open_study(SLUG, items=32, fillers=8), DATABASE_URL=database) as made:
        yield made


def test_nothing_is_acknowledged_until_there_is_room_again(disk: Disk, server: Server) -> None:
    refused: list[dict[str, str]] = []

    def make_room_at_the_third_refusal() -> None:
        refused.append(stored(server))
        if len(refused) == 3:
            newcomer = requests.post(
                f"{server.address}/api/studies/{SLUG}/sessions/",
                json={
                    "start_key": "a-start-key-of-a-newcomer",
                    "consent": {"version": 1, "required": [True] * len(REQUIRED)},
                },
                timeout=30,
            )
            assert newcomer.status_code == 503, newcomer.text
            assert newcomer.json()["code"] == "database-trouble"
            disk.clear()

    browser = RemoteBrowser(SLUG, server.address, unanswered=make_room_at_the_third_refusal)
    browser.begin()
    browser.answer(browser.trials[0])
    left = LEFT
    for trial in browser.trials[1:]:
        if not refused:  # less room from answer to answer, so that one of them breaks off in the middle of its writes
            disk.fill(left)
            left = max(0, left - PAGE)
        browser.answer(trial)
    assert browser.refusals == len(refused) == 3, "the disk was never full"
    assert refused[0] == refused[1] == refused[2], "what was refused was stored all the same"
    browser.complete()
    assert stored(server) == {str(position): digest for position, digest in browser.acknowledged.items()}
    assert len(browser.acknowledged) == len(browser.trials)
    server.run("manage.py", "check_data", SLUG)


def stored(server: Server) -> dict[str, str]:
    """Return the hashes of what is stored by position."""
    code = (
        "import json; from participants.models import Response; "
        "print(json.dumps(dict(Response.objects.values_list('trial__position', 'content_hash'))))"
    )
    hashes: dict[str, str] = json.loads(server.ask(code))
    return hashes
