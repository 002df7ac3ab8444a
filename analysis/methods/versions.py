"""The versions of what took part in computing a number."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from analysis.methods.catalogue import offered
from analysis.methods.source import libraries_of

# Data are always held by these.
ALWAYS = ("numpy", "pandas")
WHERE_USED = ("scipy", "statsmodels", "pyphen", "sacrebleu", "wordfreq")


def versions(method: str) -> dict[str, str]:
    """Return the versions of what takes part in computing a method's numbers; the method is named by its module.

    Python, NumPy and pandas hold the data; other libraries are named where the method's code uses them, and the package
    that a method from outside came with.

    >>> "statsmodels" in versions("analysis.methods.codes.proportions")
    True
    >>> list(versions("analysis.methods.measures.normalise"))
    ['python', 'numpy', 'pandas', 'scipy']
    """
    used = libraries_of(method)
    names = [*ALWAYS, *(name for name in WHERE_USED if name in used)]
    top = method.partition(".")[0]
    own = [point.dist for point in offered() if point.dist is not None and point.module.partition(".")[0] == top]
    return {
        "python": platform.python_version(),
        **{name: _version(name) for name in names},
        **{package.name: package.version for package in own},
    }


# Reading the metadata of some packages takes longer than many an analysis.
_version = cache(version)
