"""The drawing of the rooms is that of the layers as import-linter keeps them now."""

from __future__ import annotations

from tests.architecture.drawing import DRAWING, drawing


def test_the_drawing_is_that_of_the_layers() -> None:
    assert DRAWING.read_text(encoding="utf-8") == drawing(), "draw it anew: python -m tests.architecture.drawing"
