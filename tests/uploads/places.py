"""Find the regular expressions of the product in its source, with how they are used."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "analysis", "participants", "experiments")
ANCHORED = {"match", "fullmatch"}
ANYWHERE = {"search", "finditer", "findall", "sub", "subn", "split"}


@dataclass(frozen=True)
class Pattern:
    """A regular expression where it is written; `text` is None where it is not a constant."""

    place: str
    text: str | None
    flags: int
    searched: bool
    whole: bool = False


def patterns() -> list[Pattern]:
    """Return the regular expressions of all modules of the product."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8")) for app in APPS for path in sorted((ROOT / app).rglob("*.py"))
    }
    used: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ANCHORED | ANYWHERE:
                value: Any = node.value
                name = str(getattr(value, "id", getattr(value, "attr", "")))
                used[_key(path, name)].add(node.attr)
    return [found for path, tree in trees.items() for found in _of_module(path, tree, used)]


def _key(path: Path, name: str) -> str:
    """Return under which name the uses of a pattern are collected: other modules use no private ones."""
    return f"{path}:{name}" if name.startswith("_") else name


def _of_module(path: Path, tree: ast.Module, used: Mapping[str, set[str]]) -> Iterator[Pattern]:
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    named = {id(value): name for name, value in constants.items()}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        called = node.func
        if not (isinstance(called.value, ast.Name) and called.value.id == "re"):
            continue
        if called.attr not in {"compile", *ANCHORED, *ANYWHERE}:
            continue
        flags = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "flags")]
        # Where a compiled pattern has no name that is used, it may be used in any way.
        name = named.get(id(node), "")
        of_name = used.get(_key(path, name), ANYWHERE) if name else ANYWHERE
        uses = {called.attr} if called.attr != "compile" else of_name
        yield Pattern(
            f"{path.relative_to(ROOT)}:{node.lineno}",
            _text(node.args[0], constants),
            sum(map(_flags, flags)),
            searched=bool(uses & ANYWHERE),
            whole="fullmatch" in uses,
        )


def _text(node: ast.expr, constants: dict[str, ast.expr]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name) and node.id in constants:
        return _text(constants[node.id], constants)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_text(node.left, constants), _text(node.right, constants)]
    elif isinstance(node, ast.JoinedStr):
        parts = [
            _text(value.value if isinstance(value, ast.FormattedValue) else value, constants) for value in node.values
        ]
    else:
        return None
    return None if None in parts else "".join(filter(None, parts))


def _flags(node: ast.expr) -> int:
    """Return the flags in an argument of a function of `re`; 0 for any other argument."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _flags(node.left) | _flags(node.right)
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"):
        return 0
    return int(getattr(re, node.attr)) if node.attr.isupper() else 0
