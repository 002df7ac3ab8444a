"""Tests are skipped by the marks of `tests/needs.py` alone, whose reasons say how to have them run."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPING = {"skip", "skipif", "importorskip", "xfail"}


def skips_in(source: str) -> list[int]:
    """Return the lines that skip a test by pytest's own means."""
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and node.attr in SKIPPING
        and ast.unparse(node.value) in {"pytest", "pytest.mark"}
    )


def test_every_way_to_skip_is_found() -> None:
    assert skips_in("@pytest.mark.skipif(True, reason='')\ndef test(): pytest.skip('')\npytest.importorskip('a')") == [
        1, 2, 3,
    ]  # fmt: skip


def test_no_test_is_skipped_without_a_word_on_how_to_have_it_run() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in (ROOT / "tests").rglob("*.py")
        if path != ROOT / "tests" / "needs.py"
        for line in skips_in(path.read_text(encoding="utf-8"))
    }
    assert found == set()
