"""The lengths of texts on pages count words alone."""

from experiments.materials.shapes import PreviewCell


def test_marks_between_regions_are_no_words():
    cell = PreviewCell(text="The dog | that barked | ran.", line=2)
    assert cell.words == 5
