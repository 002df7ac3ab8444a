"""Proxy that drops requests, drops responses after the server has processed the request, or delays them.

Every connection carries one request. Only requests that send something (POST) meet a fault; pages and scripts get
through, so that what is measured is what becomes of answers.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter

LATE_SECONDS = (0.05, 0.5)
LONGEST = 60.0


class LossyProxy:
    """Runs in a thread of its own on a free port. Of the share `loss`, half loses the request and half the answer."""

    def __init__(self, upstream: int, *, loss: float, seed: int) -> None:
        self.upstream, self.loss = upstream, loss
        self.rng = random.Random(f"proxy {seed}")
        self.faults: Counter[str] = Counter()
        self.port = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        """End it, and whatever is still on its way with it."""
        asyncio.run_coroutine_threadsafe(self._cancel_all(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _cancel_all(self) -> None:
        others = [task for task in asyncio.all_tasks(self._loop) if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**22))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await asyncio.wait_for(self._one(reader, writer), LONGEST)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass  # either side has gone; the other one sees a connection that was cut
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        sent = [line for line in lines[1:] if line and not line.lower().startswith("connection:")]
        length = next((int(line.split(":")[1]) for line in sent if line.lower().startswith("content-length:")), 0)
        body = await reader.readexactly(length)
        fate = self._fate() if lines[0].startswith("POST") else ""
        if fate:
            self.faults[fate] += 1
        if fate == "request lost":
            return
        onward = "\r\n".join([lines[0], *sent, "Connection: close", "", ""]).encode("latin-1")
        answer = await self._asked(onward + body, until_answered=not lines[0].startswith("POST"))
        if fate == "answer lost" or not answer:
            return
        if fate == "answer late":
            await asyncio.sleep(self.rng.uniform(*LATE_SECONDS))
        writer.write(answer)
        await writer.drain()

    async def _asked(self, request: bytes, *, until_answered: bool) -> bytes:
        """Return what the server answers; a page or a script is asked for until a server is there to give it."""
        while True:
            answer = b""
            try:
                server, to_server = await asyncio.open_connection("127.0.0.1", self.upstream)
                try:
                    to_server.write(request)
                    await to_server.drain()
                    answer = await server.read(-1)
                finally:
                    to_server.close()
            except OSError:
                if not until_answered:
                    raise
            if answer or not until_answered:
                return answer
            await asyncio.sleep(LATE_SECONDS[0])

    def _fate(self) -> str:
        drawn = self.rng.random()
        if drawn < self.loss / 2:
            return "request lost"
        if drawn < self.loss:
            return "answer lost"
        return "answer late" if drawn < 2 * self.loss else ""
