"""The version of the code that computes a method's numbers: a change elsewhere leaves its reports as they are."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings

from analysis.methods import catalogue, registry, versions

# Numbers come from these packages, and from the package of a method that was added from outside.
PACKAGES = ("analysis.methods", "analysis.text")


@cache
def code_version(method: str) -> str:
    """Return the version of everything that computes a number of that method.

    That is the platform's version, the source of the method with all that it imports of methods and measures of
    texts, and the libraries. The same data, parameters and code version give the same report, so a finished run can
    be used again. Raises BadInput where there is no such method.
    """
    root = _root(method)
    packages = (*PACKAGES, root.partition(".")[0]) if root.partition(".")[0] != "analysis" else PACKAGES
    digest = hashlib.sha256()
    for module in sorted(_closure(root, packages)):
        digest.update(module.encode() + b"\0" + _path(module).read_bytes() + b"\0")
    digest.update(repr(sorted([*versions.versions().items(), *versions.text_versions()])).encode())
    return f"{settings.CODE_VERSION[:27]}+{digest.hexdigest()[:12]}"


def _root(method: str) -> str:
    if method in catalogue.MODULES:
        return f"analysis.methods.{catalogue.MODULES[method]}"
    return registry.method_named(method).function.__module__


def _closure(root: str, packages: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting = [root]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += [name for name in _imported(module) if _is_within(name, packages)]
    return found


def _is_within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@cache
def _imported(module: str) -> tuple[str, ...]:
    """Return the modules that a module imports, wherever in it: `from a import b` names a.b where that is a module."""
    names: list[str] = []
    for node in ast.walk(ast.parse(_path(module).read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = [f"{node.module}.{alias.name}" for alias in node.names if _is_package(node.module)]
            names += [node.module, *(name for name in inner if _exists(name))]
    return tuple(names)


def _is_package(module: str) -> bool:
    return _exists(module) and _path(module).name == "__init__.py"


@cache
def _exists(module: str) -> bool:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and spec.origin.endswith(".py")


@cache
def _path(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"The module {module} has no source.")
    return Path(spec.origin)
