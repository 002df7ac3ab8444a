"""A table that was checked comes back from the form as it was, compressed where it is large."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from functools import cache

import pytest

from experiments.materials.shapes import MAX_BYTES, MaterialsFaults
from experiments.uploads import materials
from experiments.uploads.materials import FILES, PACKED, CheckedTable, checked

TABLE = "item,condition,text\n1,a,“Größe”, ja.\n".replace(", ja", " ja") + "1,b,Das\u00a0Haus.\n2,a,日本。\n2,b,Ende.\n"


def read(data: bytes, *, carried: bool = False, repaired: bool = False) -> CheckedTable:
    return checked(data, "items.csv", "self-paced-reading", {}, {}, carried, repaired)


@pytest.mark.parametrize("most", [10, 10_000])
def test_what_comes_back_is_what_was_checked(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(materials, "MAX_PLAIN", most)
    first = read(TABLE.encode())
    assert first.carried.startswith(FILES.decode()) == (most == 10)
    again = read(first.carried.encode(), carried=True)
    assert [item.stimuli[0].text for item in again.design.items] == ["“Größe” ja.", "日本。"]
    assert again.carried == first.carried
    assert (first.can_be_repaired, again.can_be_repaired) == (True, True)
    assert not read(first.carried.encode(), carried=True, repaired=True).can_be_repaired


@cache
def too_much() -> bytes:
    """Return what is unpacked to 40 times the bytes of the largest table."""
    return base64.b64encode(zlib.compress(b"a," * (20 * MAX_BYTES)))


@pytest.mark.parametrize(
    "data",
    [
        lambda: PACKED + too_much(),
        lambda: FILES + b'[["a", "' + too_much() + b'"]]',
        FILES + b"no list",
        FILES + b"[]",
        PACKED + b"no base64",
        PACKED + base64.b64encode(b"not compressed"),
        PACKED,
    ],
    ids=["too much", "files too large", "no list of files", "no file", "no letters", "not compressed", "nothing"],
)
def test_what_no_form_of_ours_carried_is_refused_in_a_sentence(data: bytes | Callable[[], bytes]) -> None:
    with pytest.raises(MaterialsFaults):
        read(data() if callable(data) else data, carried=True)
