"""Without any difference few studies are warned; longer sentences are never called matched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.null_matching import DESIGNS, Design, at_the_bound, compared, lengthened, materials, tables, warned

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "methods" / "matching-null-simulation.md"
SMALL = Design(12, (2, 2))


def documented(cells: int) -> dict[str, list[float]]:
    pattern = rf"^\| (\d+ items, [^|]+?) \|((?: [\d.]+ \|){{{cells}}})$"
    rows = re.findall(pattern, DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [float(number) for number in numbers.split("|")[:-1]] for name, numbers in rows}


def test_the_simulated_materials_are_a_latin_square_of_items_in_all_conditions():
    frame = materials(SMALL, seed=1)
    assert frame.groupby("item").size().unique().tolist() == [4]
    assert frame.groupby(["list", "f1", "f2"]).size().unique().tolist() == [3]


def test_the_tables_can_be_made_again():
    lines = list(tables(repetitions=2, designs=[SMALL], sizes=[8]))
    assert sum(line.startswith("| 12 items, 2 × 2 |") for line in lines) == 2
    assert sum("within items" in line for line in lines) == 2


@pytest.mark.full("warnings of matching that are too frequent, which many simulated studies show")
def test_a_dozen_matched_studies_are_warned_less_often_than_without_correction():
    found = warned(SMALL, repetitions=12)
    assert found["within lists, uncorrected"] > 30
    assert found["within lists"] <= 25, "three of twelve, where one in twenty is expected"


def test_two_words_more_in_every_sentence_of_one_level_are_never_matched():
    found = lengthened(Design(24, (2, 2)), repetitions=4)
    assert found["matched"] == found["alike but surely different"] == 0


def test_one_hundred_and_forty_four_items_in_eight_conditions_show_that_sentences_are_longer():
    overall = compared(Design(144, (2, 2, 2)), seed=1, added=2)["matching"]
    line = overall[(overall["factor"] == "f1") & (overall["measure"] == "words")].iloc[0]
    assert line["verdict"] == "different"
    assert 10 < line["percent"] < 15
    sentences = overall[(overall["factor"] == "f1") & (overall["measure"] == "words_per_sentence")].iloc[0]
    assert sentences["verdict"] == "different"


@pytest.mark.parametrize(("paired", "kind"), [(True, "percent"), (True, "d"), (False, "percent")])
def test_levels_that_differ_by_the_bound_are_seldom_called_alike(paired, kind):
    found = at_the_bound(n=72, paired=paired, kind=kind, repetitions=200)
    assert found["at the bound"] <= 10
    assert found["no difference"] >= found["at the bound"]


def test_the_document_has_every_design_and_no_rate_above_five_per_cent():
    rates = documented(4)
    assert {str(design) for design in DESIGNS} <= set(rates)
    text = DOCUMENT.read_text(encoding="utf-8")
    warned_of, lengthened_of = (part for part in text.split("| design |")[1:])
    for design in DESIGNS:
        row = next(line for line in warned_of.splitlines() if line.startswith(f"| {design} |"))
        uncorrected, within, conditions, _lists = (float(cell) for cell in row.split("|")[2:-1])
        assert uncorrected > 30
        assert within <= 5
        assert conditions <= 7
        row = next(line for line in lengthened_of.splitlines() if line.startswith(f"| {design} |"))
        assert [float(cell) for cell in row.split("|")[2:4]] == [0, 0]
