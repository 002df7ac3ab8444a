"""What the code of a method rests on, read from its source: modules of the platform, and libraries."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

# Numbers come from these packages, and from the package of a method that was added from outside.
PACKAGES = ("analysis.methods", "analysis.text")


def packages_of(root: str) -> tuple[str, ...]:
    """Return the packages whose modules count for the method that this module has."""
    top = root.partition(".")[0]
    return PACKAGES if top == "analysis" else (*PACKAGES, top)


@cache
def libraries_of(root: str) -> frozenset[str]:
    """Return the top-level names of everything else that a method's code imports."""
    packages = packages_of(root)
    names = {name for module in closure(root, packages) for name in imported(module)}
    return frozenset(name.partition(".")[0] for name in names if not _is_within(name, packages))


def closure(root: str, packages: Sequence[str]) -> set[str]:
    """Return the modules of these packages that a module rests on, itself among them, however they are imported."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += [name for name in imported(module) if _is_within(name, packages)]
    return found


def _is_within(module: str, packages: Sequence[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@cache
def imported(module: str) -> tuple[str, ...]:
    """Return the modules that a module imports, wherever in it: `from a import b` names a.b where that is a module."""
    names: list[str] = []
    for node in _statements(ast.parse(path_of(module).read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = [f"{node.module}.{alias.name}" for alias in node.names if _is_package(node.module)]
            names += [node.module, *(name for name in inner if _exists(name))]
    return tuple(names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement within, but none of the expressions in them: they are nine in ten of the nodes."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from _statements(inner)


def _is_package(module: str) -> bool:
    return _exists(module) and path_of(module).name == "__init__.py"


@cache
def _exists(module: str) -> bool:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and spec.origin.endswith(".py")


@cache
def path_of(module: str) -> Path:
    """Return the file with the source of a module. Raises FileNotFoundError where there is none."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"The module {module} has no source.")
    return Path(spec.origin)
