"""The version of the platform, which stands in pyproject.toml alone."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import version as version_of_package
from pathlib import Path


@cache
def version() -> str:
    """Return the version of this platform: that of its folder, else that of the package that was installed."""
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    return version_of_package("lectern")
