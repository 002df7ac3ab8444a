"""A rating study of many small pictures, each of another content, a proxy with a poor line, and who rates them."""

from __future__ import annotations

import asyncio
import io
import random
import threading
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.browser.platform import PATIENCE_MS
from tests.browser.waiting import wait_until

STUDY = """
slug = "{slug}"
title = "Pictures"
paradigm = "rating"
responsible = "Laboratory of Examples"
contact = "laboratory@example.org"
estimated_minutes = 5
data_protection_note = "On our server."

[settings]
break_every = 0

[[settings.questions]]
name = "pleasant"
text = "How pleasant is it?"
kind = "scale"
points = 3
labels = ["little", "much"]

[procedure]
completion_code = "PICTURES-DONE"

[materials]
file = "materials.csv"
media = "media"
"""


def write_picture_study(folder: Path, *, slug: str, pictures: int, bytes_each: int = 18_000) -> Path:
    """Write a study of so many pictures of noise, about `bytes_each` large; return its file."""
    (folder / "media").mkdir(parents=True)
    side = max(8, round((bytes_each / 3) ** 0.5))
    rows = ["item,image,alt"]
    for number in range(pictures):
        noise = random.Random(number).randbytes(3 * side * side)
        buffer = io.BytesIO()
        Image.frombytes("RGB", (side, side), noise).save(buffer, "PNG")
        (folder / "media" / f"{number:03}.png").write_bytes(buffer.getvalue())
        rows.append(f"item-{number:03},{number:03}.png,Noise {number}.")
    (folder / "materials.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(STUDY.format(slug=slug), encoding="utf-8")
    return path


class PoorLine:
    """A proxy that cuts a share of the requests for media half-way and sends so many bytes a second, all together."""

    def __init__(self, upstream: int, *, cut: float, bytes_per_second: int, seed: int = 1) -> None:
        self.upstream, self.cut, self.rate = upstream, cut, bytes_per_second
        self.rng = random.Random(seed)
        self.cuts = self.media = 0
        self.port = 0
        self._free_at = 0.0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, daemon=True).start()
        self._ready.wait()

    def stop(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**22))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            sent = [line for line in head[1:] if line and not line.lower().startswith("connection:")]
            length = next((int(line.split(":")[1]) for line in sent if line.lower().startswith("content-length:")), 0)
            body = await reader.readexactly(length)
            is_media = "/media/" in head[0]
            self.media += is_media
            is_cut = is_media and self.rng.random() < self.cut
            self.cuts += is_cut
            server, to_server = await asyncio.open_connection("127.0.0.1", self.upstream)
            to_server.write("\r\n".join([head[0], *sent, "Connection: close", "", ""]).encode("latin-1") + body)
            answer = await server.read(-1)
            to_server.close()
            await self._send(writer, answer[: len(answer) // 2] if is_cut else answer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter, answer: bytes) -> None:
        for begin in range(0, len(answer), 8_192):
            piece = answer[begin : begin + 8_192]
            now = time.monotonic()
            self._free_at = max(now, self._free_at) + len(piece) / self.rate
            await asyncio.sleep(self._free_at - now)
            writer.write(piece)
            await writer.drain()


def begin(page: Page, address: str) -> None:
    """Go from the landing page to the first page of the session."""
    page.goto(address)
    page.locator("#landing [data-next]").click()
    page.locator("#check [data-next]:enabled").click()
    for box in page.locator("#consent input[data-required]").all():
        box.check()
    page.locator("#agree").click()
    page.wait_for_url("**/run/")


def rate_all(page: Page, pictures: int, *, seconds_each: float) -> float:
    """Rate every picture with the digit 2, as quickly as somebody who does not look; return seconds to the first."""
    begun = time.monotonic()
    while not page.locator("img.picture").count():
        page.locator("button.primary:visible").first.click(timeout=PATIENCE_MS)
        page.wait_for_timeout(100)
    first = time.monotonic() - begun
    for _number in range(pictures):
        shown = page.locator("img.picture")
        shown.wait_for(timeout=PATIENCE_MS)
        assert shown.evaluate("image => image.complete && image.naturalWidth > 0")
        address = shown.get_attribute("src")
        page.wait_for_timeout(seconds_each * 1000)
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        wait_until(
            page, "address => document.querySelector('img.picture')?.getAttribute('src') !== address", arg=address
        )
    return first


def waits_of(page: Page) -> list[float]:
    """Return how long trials had to wait, in milliseconds, as far as the page said so."""
    waits: list[float] = page.evaluate(
        "performance.getEntriesByType('measure').filter(e => e.name === 'lectern-media-wait').map(e => e.duration)"
    )
    return waits
