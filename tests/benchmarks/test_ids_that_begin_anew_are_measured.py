"""The measurement of ids that begin anew: the table of the document is whole, and a few data sets give what it says."""

from __future__ import annotations

from benchmarks import ids_begun_anew as measured


def test_the_document_has_a_row_for_every_case_within_the_band() -> None:
    text = measured.DOCUMENT.read_text(encoding="utf-8")
    table = text.partition(measured.BEGIN)[2].partition(measured.END)[0].strip().splitlines()[2:]
    assert len(table) == len(measured.CASES)
    for line, case in zip(table, measured.CASES, strict=True):
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        assert cells[0].startswith(f"{case.anew}s 1 to {case.units} in each {case.factor}")
        as_it_is, followed, told = (float(cells[place]) for place in (2, 3, 5))
        assert as_it_is > 20
        assert 3.5 <= followed <= 6.5
        assert told > 95


def test_files_are_told_and_honest_ones_are_not() -> None:
    case = measured.CASES[0]
    frame = case.frame()
    for number in range(1, 4):
        assert measured.is_told(case, frame.assign(y=case.values(number)))
        assert not measured.is_told(case, frame.assign(y=case.values(number, honest=True)))
