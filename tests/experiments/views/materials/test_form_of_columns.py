"""What a form asks of a column is what it reads of it: every use comes back as it was shown."""

from __future__ import annotations

import pytest

from experiments.materials.mapping import use_of
from experiments.materials.shapes import AskedColumn, AskedColumns
from experiments.views.materials.columns import ColumnsForm, factor_of, rows_of

USES = (
    "text",
    "item",
    "-",
    "list",
    "text, part",
    "text, part 3",
    "choices, part",
    "choices, right",
    "audio, item",
    "text, item",
    "item_set, kind",
    "soa, factor",
    "plausibility, attribute",
    "text, clause=subject",
    "text, clause=subject, length=long",
)


@pytest.mark.parametrize("said", USES)
def test_every_use_comes_back_from_the_form(said: str) -> None:
    asked = AskedColumns((AskedColumn("Col", ("a cell",), use_of(said)),), "", True)
    (row,) = rows_of(asked, ["audio"])
    data = {
        "column-0": "Col",
        "use-0": row.chosen,
        "called-0": row.called,
        "level-0": row.level,
        "factor": factor_of(asked),
    }
    assert use_of(ColumnsForm(data).said().columns["Col"]) == use_of(said)


@pytest.mark.parametrize(
    ("level", "place"), [("", 0), ("2", 2), ("99", 99), ("100", 0), ("-1", 0), ("two", 0), ("٣", 0)]
)
def test_a_place_is_a_number_from_1_to_99(level: str, place: int) -> None:
    data = {"column-0": "Col", "use-0": "part", "called-0": "", "level-0": level}
    assert use_of(ColumnsForm(data).said().columns["Col"]).place == place
