"""Programs, packages and headers that benchmarks, drills and tests need, and how each is installed.

A benchmark or drill asks for what it needs before anything runs, so that a run of an hour does not end in the middle:
`or_exit(REDIS, LINUX)`. Names of packages are those of Debian.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
X11_PROGRAM = """\
#include <X11/XWDFile.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
int main(void) { return XTestFakeKeyEvent((Display *)0, 0, 0, 0); }
"""


@dataclass(frozen=True)
class Need:
    """Something that has to be there, and a sentence on how to get it."""

    what: str
    how: str
    is_there: Callable[[], bool]

    @property
    def sentence(self) -> str:
        """Say that it is missing and what to do.

        >>> REDIS.sentence
        'Redis (redis-server) is missing: apt-get install redis-server.'
        """
        return f"{self.what} is missing: {self.how}."


def program(name: str, *, package: str, what: str) -> Need:
    """Return the need for a program on the path, which a package of Debian brings."""
    return Need(f"{what} ({name})", f"apt-get install {package}", lambda: shutil.which(name) is not None)


def r_package(name: str) -> Need:
    """Return the need for a package of R.

    >>> r_package("lmerTest").sentence
    "R's package lmerTest is missing: apt-get install r-cran-lmertest."
    """
    return Need(f"R's package {name}", f"apt-get install r-cran-{name.lower()}", lambda: name in packages_of_r())


@cache
def packages_of_r() -> frozenset[str]:
    """Return the names of the installed packages of R; none where R is not installed."""
    if not R.is_there():
        return frozenset()
    listed = ["Rscript", "--vanilla", "-e", "cat(.packages(all.available = TRUE), sep = '\\n')"]
    return frozenset(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split())


@cache
def compiles_with_x11() -> bool:
    """Say whether a program that presses keys on an X server can be compiled here."""
    if shutil.which(compiler()) is None:
        return False
    command = [compiler(), "-x", "c", "-", "-o", os.devnull, "-lX11", "-lXtst"]
    return subprocess.run(command, input=X11_PROGRAM.encode(), capture_output=True, check=False).returncode == 0


def compiler() -> str:
    """Return the name of the C compiler."""
    return "cc" if shutil.which("cc") else "gcc"


def chromium() -> str | None:
    """Return the path of Chromium: the one that CHROMIUM names, else one on the path; None where there is none."""
    named = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    return next((path for name in named if (path := shutil.which(name))), None)


def postgresql() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


R = program("Rscript", package="r-base-core", what="R")
REDIS = program("redis-server", package="redis-server", what="Redis")
POSTGRESQL = Need("PostgreSQL (initdb)", "apt-get install postgresql", lambda: postgresql() is not None)
CHROMIUM = Need("Chromium", "apt-get install chromium, or name it in CHROMIUM", lambda: chromium() is not None)
FIREFOX = program("firefox-esr", package="firefox-esr", what="Firefox")
XVFB = program("Xvfb", package="xvfb", what="A screen in memory")
X11 = Need(
    "A C compiler with the headers of libX11 and libXtst",
    "apt-get install gcc libc6-dev libx11-dev libxtst-dev",
    compiles_with_x11,
)
NODE_MODULES = Need(
    "What builds the browser code (frontend/node_modules)",
    "make setup",
    lambda: (ROOT / "frontend" / "node_modules" / ".bin" / "vite").exists(),
)
FRONTEND = Need(
    "The built browser code (frontend/dist)",
    "make setup",
    lambda: (ROOT / "frontend" / "dist" / "manifest.json").exists(),
)
LINUX = Need("The list of processes (/proc)", "run it on Linux", lambda: Path("/proc/self/task").exists())

METHODS = (R, *map(r_package, ("afex", "emmeans", "psych")))
MIXED = (R, *map(r_package, ("lme4", "lmerTest", "ordinal")))
PUBLISHED = (R, *map(r_package, ("lme4", "jsonlite")))
PICTURES = (CHROMIUM, FRONTEND)
LOSS_BROWSERS = (CHROMIUM, FRONTEND, LINUX)
TIMING = (CHROMIUM, NODE_MODULES)
DISPLAYS = (CHROMIUM, NODE_MODULES, XVFB, X11)
PIXELS = (CHROMIUM, FIREFOX, NODE_MODULES, FRONTEND, XVFB, X11)


def missing(needs: Sequence[Need]) -> list[str]:
    """Return a sentence for each of these that is not there.

    >>> missing([Need("A lamp", "light one", lambda: False), Need("Air", "breathe", lambda: True)])
    ['A lamp is missing: light one.']
    """
    return [need.sentence for need in needs if not need.is_there()]


def or_exit(*needs: Need) -> None:
    """Go on where everything is there; else say what is missing and exit with code 2."""
    if sentences := missing(needs):
        print("\n".join(sentences), file=sys.stderr)
        sys.exit(2)
