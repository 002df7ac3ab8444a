"""The lengths of texts on pages count words alone."""

from experiments.materials.preview import PreviewCell
from experiments.views.materials.matrix import _matrix_cell


def test_marks_between_regions_are_no_words():
    cell = PreviewCell(text="The dog | that barked | ran.", line=2)
    assert _matrix_cell(cell).words == 5
