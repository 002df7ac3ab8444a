"""`where`: parsed as a person writes it, never evaluated."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.methods.report import BadInput
from analysis.methods.rows.selection import matching

FRAME = pd.DataFrame(
    {
        "words": ["9", "14", "20", ""],
        "text type": ["a b", "c", "a b", "c"],
        "method": ["plainME", "RME", "plainME", ""],
        "participant": ["001", "1", "002", "003"],
    },
    dtype=str,
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("words>=14", [1, 2]),
        ("words > 14", [2]),
        ("words<14", [0]),
        ("words≤14", [0, 1]),
        ("words=14.0", [1]),
        ("words != 14", [0, 2, 3]),
        ("words=''", [3]),
        ("words!=''", [0, 1, 2]),
        ("method=plainME and words>=10", [2]),
        ("method==RME", [1]),
        ("text type=a b", [0, 2]),
        ("'text type' = \"a b\" and words<15", [0]),
        ("participant='002'", [2]),
    ],
)
def test_rows_are_chosen(text: str, kept: list[int]) -> None:
    assert matching(FRAME, text).nonzero()[0].tolist() == kept


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("word>=14", "did you mean 'words'"),
        ("words", "cannot be read"),
        ("words>=", "cannot be read"),
        (">=14", "cannot be read"),
        ("words>=14 or words<3", "joined by 'and'"),
        ("words>=many", "'many' is not a number"),
        ("method>3", "must hold numbers"),
        ("words>'", "cannot be read at"),
        ("and", "cannot be read"),
        ("words>3<4", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        matching(FRAME, text)


@given(st.text(max_size=40))
def test_no_text_does_anything_but_choose_or_refuse(text: str) -> None:
    try:
        chosen = matching(FRAME, text)
    except BadInput:
        return
    assert len(chosen) == len(FRAME)
