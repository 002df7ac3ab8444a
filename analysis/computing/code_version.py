"""Hash the code that computes a method's numbers, so that changes elsewhere do not outdate its reports."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings

from analysis.methods import catalogue, registry, source, versions


@cache
def code_version(method: str) -> str:
    """Return the version of everything that computes a number of that method.

    That is the platform's version, the source of the method with all that it imports of methods and measures of
    texts, and the libraries. The same data, parameters and code version give the same report, so a finished run can
    be used again. Raises BadInput where there is no such method.
    """
    root = _root(method)
    digest = hashlib.sha256()
    for module in sorted(source.closure(root, source.packages_of(root))):
        digest.update(module.encode() + b"\0" + source.path_of(module).read_bytes() + b"\0")
    digest.update(repr(sorted(versions.versions(root).items())).encode())
    return f"{settings.CODE_VERSION[:27]}+{digest.hexdigest()[:12]}"


def _root(method: str) -> str:
    if method in catalogue.MODULES:
        return f"analysis.methods.{catalogue.MODULES[method]}"
    return registry.method_named(method).function.__module__
