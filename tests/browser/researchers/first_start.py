"""An empty platform, started as somebody starts it for the first time: by the command `run`, and nothing else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.browser.platform import ROOT, free_port, wait_until_ready

STARTING_SECONDS = 240


class FirstStart:
    """Starts `manage.py run` in an empty folder. `link` is what it printed; `stop` ends what was started."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        port = free_port()
        self.base_url = f"http://127.0.0.1:{port}"
        self.output = folder / "output.txt"
        kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}}
        self.server = subprocess.Popen(
            [sys.executable, "manage.py", "run", "--port", str(port)],
            cwd=ROOT,
            env={**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(folder), "LOG_LEVEL": "WARNING"},
            stdout=self.output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.link = self.printed(r"http://\S+/admin/account/invitation/\S+")
        wait_until_ready(f"{self.base_url}/readyz", seconds=STARTING_SECONDS)

    def printed(self, pattern: str) -> str:
        """Wait until the command has printed what the pattern describes, and return it."""
        deadline = time.monotonic() + STARTING_SECONDS
        while time.monotonic() < deadline and self.server.poll() is None:
            if found := re.search(pattern, self.output.read_text(encoding="utf-8")):
                return found[0]
            time.sleep(0.2)
        self.stop()
        raise AssertionError(self.output.read_text(encoding="utf-8"))

    def stop(self) -> None:
        """End the server, which takes its worker along."""
        if self.server.poll() is None:
            os.killpg(self.server.pid, signal.SIGTERM)
            self.server.wait(timeout=60)
