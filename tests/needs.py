"""What a test needs and not every machine has, as marks that skip it and say how to have it run.

Every skip of the suite is made here, so that the reasons are few; `tests/skipped.py` counts them at the end.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
from typing import NoReturn

import pytest

from benchmarks.needs import LINUX, POSTGRESQL, REDIS, ROOT, Need, R, missing, program

SHARED = ROOT.parent / "shared"
ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


def mark(*needs: Need) -> pytest.MarkDecorator:
    """Return the mark of tests that need all of these; what is missing is the reason."""
    sentences = missing(needs)
    return pytest.mark.skipif(bool(sentences), reason=" ".join(sentences))


def skip(what: str, how: str) -> NoReturn:
    """Skip the test that runs, that has asked for the fixture that runs, or that stands in the module that is read."""
    pytest.skip(Need(what, how, lambda: False).sentence, allow_module_level=True)


def shared(path: str) -> pytest.MarkDecorator:
    """Return the mark of tests on data of others, which may not be part of the repository."""
    how = "data of others, which may not be part of the repository; put them beside it"
    return mark(Need(f"../shared/{path}", how, (SHARED / path).exists))


def python_package(name: str) -> pytest.MarkDecorator:
    """Return the mark of tests that compare with a package of Python that is not required."""
    return mark(Need(f"Python's package {name}", f"pip install {name}", lambda: is_importable(name)))


def is_importable(package: str) -> bool:
    """Say whether a package of Python is installed."""
    return importlib.util.find_spec(package) is not None


def has_latex() -> bool:
    """Say whether LaTeX is installed with the packages that papers use."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    styles = ["booktabs.sty", "natbib.sty", "graphicx.sty"]
    found = subprocess.run(["kpsewhich", *styles], capture_output=True, text=True, check=False).stdout.split()
    return len(found) == len(styles)


only_sqlite = mark(Need("SQLite as the database", "make test, without DATABASE_URL", lambda: not ON_POSTGRESQL))
only_postgresql = mark(Need("PostgreSQL as the database", "make test-services, as .ci/run does", lambda: ON_POSTGRESQL))
r = mark(R)
redis = mark(REDIS)
postgresql = mark(POSTGRESQL)
latex = mark(
    Need(
        "LaTeX with booktabs, natbib and graphicx",
        "apt-get install texlive-latex-base texlive-latex-recommended",
        has_latex,
    )
)
link_grammar = mark(program("link-parser", package="link-grammar", what="The parser link-grammar"))
processes = mark(LINUX)
process_groups = mark(Need("A system with process groups", "run it on Linux or macOS", lambda: os.name != "nt"))
held_connections = mark(
    Need("A system that holds back silent connections", "run it on Linux", lambda: hasattr(socket, "TCP_DEFER_ACCEPT"))
)
