"""Power of designs in which an item exists in some of the cells: what is simulated is what was meant."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

from analysis.methods.power.layout import Layout
from analysis.methods.power.method import power
from analysis.methods.report import BadInput

DESIGN: dict[str, Any] = {
    "design": "marker=4",
    "effect": "marker=0,0,0,0.6",
    "sds": "participant=0.3; item=1; residual=0.6",
    "n_participants": "12",
    "n_items": "12",
    "simulations": 40,
}


def test_every_item_has_its_cells_and_every_list_every_item() -> None:
    layout = Layout.of("latin-square", participants=4, items=12, cells=4, cells_per_item=2)
    assert len(layout.cell) == 4 * 12
    seen = {(item, cell) for item, cell in zip(layout.item, layout.cell, strict=True)}
    assert set(Counter(item for item, _cell in seen).values()) == {2}
    of_people = Counter(zip(layout.participant.tolist(), layout.cell.tolist(), strict=True))
    assert set(of_people.values()) == {3}


def test_pairs_of_cells_tell_less_than_all_cells_and_nothing_where_nothing_is() -> None:
    found = {
        number: power(pd.DataFrame(), **DESIGN, method="lmm-intercepts", cells_per_item=number, null=number == 2).table(
            "power"
        )
        for number in (2, 4)
    }
    shares = {number: table.frame()["power"].tolist() for number, table in found.items()}
    # Two thirds of the precision of all cells.
    assert shares[4][0] - 0.5 < shares[2][0] < shares[4][0]
    assert shares[2][1] <= 0.15


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cells_per_item": 5}, "from 1 to 4"),
        ({"cells_per_item": 2, "method": "f1-and-f2"}, "give method=lmm"),
        ({"cells_per_item": 2, "assignment": "full"}, "leave cells_per_item out"),
    ],
)
def test_what_cannot_be_is_refused(given, said) -> None:
    with pytest.raises(BadInput, match=said):
        power(pd.DataFrame(), **{**DESIGN, "method": "lmm-intercepts", **given})
