"""Parameters: defaults, roles, kinds, and all faults at once."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.methods.declarations import Parameter
from analysis.methods.parameters import read
from analysis.methods.report import BadInput

COLUMNS = ["participant", "item", "marker", "order", "rating", "a, b"]
DECLARED = (
    Parameter("dv", "Measure", "column", required=True),
    Parameter("within", "Within", "columns"),
    Parameter("participant", "Participant", "column", default="participant"),
    Parameter("list", "List", "column", default="list"),
    Parameter("how", "How", "choice", default="z", choices=("z", "log-z")),
    Parameter("folds", "Folds", "integer", default=10),
    Parameter("share", "Share", "number", default=0.5),
    Parameter("reml", "REML", "boolean", default=True),
    Parameter("formula", "Formula", "text"),
)


def given(**values: Any) -> dict[str, Any]:
    return read(DECLARED, {"dv": "rating", **values}, COLUMNS)


def test_what_is_not_given_has_its_default() -> None:
    assert given() == {
        "dv": "rating",
        "within": (),
        "participant": "participant",
        "list": None,
        "how": "z",
        "folds": 10,
        "share": 0.5,
        "reml": True,
        "formula": None,
    }


def test_empty_text_counts_as_not_given() -> None:
    assert given(how=" ", folds="", within="") == given()
    assert given(within=",") == given(within='""') == given()


@pytest.mark.parametrize(
    ("name", "entry", "value"),
    [
        ("within", "marker, order", ("marker", "order")),
        ("within", ["marker"], ("marker",)),
        ("within", '"a, b",order', ("a, b", "order")),
        ("within", "marker\norder", ("marker", "order")),
        ("how", "LOG-Z", "log-z"),
        ("folds", "5", 5),
        ("folds", 5.0, 5),
        ("share", "1e-3", 0.001),
        ("reml", "false", False),
        ("reml", "yes", True),
        ("reml", False, False),
        ("formula", " z ~ a ", "z ~ a"),
    ],
)
def test_values_are_converted(name: str, entry: Any, value: Any) -> None:
    assert given(**{name: entry})[name] == value


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"dv": ""}, "dv is missing (Measure): name a column with dv=…"),
        ({"dv": "Rating "}, "did you mean 'rating'?"),
        ({"within": "marker,marker"}, "within: marker is named more than once"),
        ({"how": "logz"}, "'logz' is none of z and log-z. Did you mean 'log-z'?"),
        ({"folds": "2.5"}, "folds: '2.5' is not a whole number."),
        ({"share": "half"}, "'half' is not a number; write it with a decimal point."),
        ({"share": "inf"}, "'inf' is not a finite number."),
        ({"reml": "perhaps"}, "'perhaps' is neither true nor false."),
        ({"hwo": "z"}, "There is no parameter 'hwo'; did you mean 'how'?"),
        ({"item": "itm"}, "item: There is no column 'itm'; did you mean 'item'?"),
    ],
)
def test_faults_are_sentences(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refusal:
        given(**entry)
    assert words in str(refusal.value)


def test_all_faults_come_together() -> None:
    with pytest.raises(BadInput) as refusal:
        given(how="q", folds="x", zzz="1")
    assert all(name in str(refusal.value) for name in ("how:", "folds:", "'zzz'"))


def test_another_name_of_a_parameter_counts_as_its_own() -> None:
    declared = (Parameter("codes", "Codes", "columns", also=("columns", "code_columns")),)
    columns = ["a", "b"]
    assert read(declared, {"columns": "a,b"}, columns) == {"codes": ("a", "b")}
    assert read(declared, {"codes": "", "code_columns": "b"}, columns) == {"codes": ("b",)}
    assert read(declared, {"codes": "a", "columns": "a"}, columns) == {"codes": ("a",)}
    with pytest.raises(BadInput, match="codes was given twice, as codes and as columns"):
        read(declared, {"codes": "a", "columns": "b"}, columns)
    with pytest.raises(BadInput, match="codes was given twice, as another name and as columns"):
        read(declared, {"code_columns": "a", "columns": "b"}, columns)


def test_every_role_may_be_named_for_every_method() -> None:
    assert "item" not in given(item="item")
    assert given(participant="item")["participant"] == "item"
