"""Firefox and WebKit, as Debian has them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests import needs
from tests.browser.other_browsers.drivers import DRIVERS, Driver
from tests.browser.platform import ROOT

PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver xvfb"}


@pytest.fixture(scope="module", params=sorted(DRIVERS))
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    name = str(request.param)
    script = ["tests/browser/find_other_browser.sh", name]
    found = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        needs.skip(f"The browser {name}", f"apt-get install {PACKAGES[name]}")
    started = DRIVERS[name](found.stdout.strip(), tmp_path_factory.mktemp(name))
    yield started
    started.stop()
