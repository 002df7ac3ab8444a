"""The versions of what took part in computing a number."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from analysis.methods.source import libraries_of


def versions(method: str) -> dict[str, str]:
    """Return the versions of what takes part in computing a method's numbers; the method is named by its module.

    Data are always held by pandas and numbers by NumPy and SciPy; statsmodels is named where the method's code uses it.

    >>> "statsmodels" in versions("analysis.methods.codes.proportions")
    True
    >>> "statsmodels" in versions("analysis.methods.measures.normalise")
    False
    """
    found = dict(_versions())
    if "statsmodels" not in libraries_of(method):
        del found["statsmodels"]
    return found


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
