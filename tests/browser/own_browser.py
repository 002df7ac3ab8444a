"""A browser of its own for a test that kills it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Playwright

from tests.browser.processes import main_processes, processes_of


class OwnBrowser:
    """A Chromium with a profile of its own, which survives the process as it does on a participant's computer."""

    def __init__(self, playwright: Playwright, options: dict[str, Any], profile: Path) -> None:
        self.playwright, self.options, self.profile = playwright, options, profile
        self.context: BrowserContext | None = None

    def open(self) -> BrowserContext:
        self.context = self.playwright.chromium.launch_persistent_context(str(self.profile), **self.options)
        return self.context

    def kill(self) -> None:
        """SIGKILL the browser's main process, having made sure that it is the one with this profile."""
        mine = main_processes(self.profile)
        assert len(mine) == 1, mine
        self._kill(mine)

    def kill_every_process(self) -> None:
        """SIGKILL the main process and everything that it started."""
        self._kill(processes_of(self.profile))

    def _kill(self, processes: list[int]) -> None:
        assert processes
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue  # went with the main process
        assert self.context is not None
        self.context = None
