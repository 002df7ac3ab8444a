"""What the code of methods imports is read from its statements; it is what a walk through every node finds."""

from __future__ import annotations

import ast

import pytest

from analysis.methods import registry, source


def every_import(module: str) -> int:
    nodes = ast.walk(ast.parse(source.path_of(module).read_bytes()))
    return sum(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes)


@pytest.mark.parametrize("slug", registry.slugs())
def test_no_import_of_a_method_is_overlooked(slug: str) -> None:
    root = registry.method_named(slug).function.__module__
    for module in source.closure(root, source.packages_of(root)):
        statements = source._statements(ast.parse(source.path_of(module).read_bytes()))
        found = sum(isinstance(node, (ast.Import, ast.ImportFrom)) for node in statements)
        assert found == every_import(module), module
