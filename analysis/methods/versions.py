"""The versions of what took part in computing a number."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version


def versions() -> dict[str, str]:
    """Return the versions of everything that takes part in computing a number."""
    return dict(_versions())


TEXT_LIBRARIES = ("pyphen", "sacrebleu", "wordfreq")


@cache
def text_versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of the libraries by which texts are measured, for the reports of methods that do so."""
    return tuple((name, version(name)) for name in TEXT_LIBRARIES)


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    # Reading the metadata of four packages takes longer than many an analysis.
    names = ("numpy", "scipy", "pandas", "statsmodels")
    return ("python", platform.python_version()), *((name, version(name)) for name in names)
