"""Derived columns, on pages and in commands. Outside computation: `pandas.eval` with the engine of Python."""

from __future__ import annotations

import random
import time

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry, splitting
from analysis.methods.derived import with_derived
from analysis.methods.expressions import DEEPEST, FUNCTIONS, LONGEST, checked, in_words, parsed
from analysis.methods.report import BadInput

FRAME = pd.DataFrame(
    {
        "code_3": ["true", "false", "", "false"],
        "code_4": ["false", "false", "true", ""],
        "words": ["14", "9", "20", ""],
        "rt_ms": ["400", "0", "1000", "-5"],
        "marker": ["because", "cause (noun)", "because", ""],
        "order": ["a-b", "b-a", "b-a", "a-b"],
        "text type": ["news", "news", "fiction", "fiction"],
        "item": ["001", "1", "2", "3"],
    }
)


@pytest.mark.parametrize(
    ("expression", "cells"),
    [
        ("code_3 or code_4", ["true", "false", "true", ""]),
        ("code_3 and code_4", ["false", "false", "", "false"]),
        ("not code_3", ["false", "true", "", "true"]),
        ("words >= 14", ["true", "false", "true", ""]),
        ("words >= 14 and marker = because", ["true", "false", "true", ""]),
        ("marker = because or order = 'b-a'", ["true", "true", "true", ""]),
        ("marker in (because, 'cause (noun)')", ["true", "true", "true", ""]),
        ("marker != because", ["false", "true", "false", ""]),
        ("if(order = 'a-b', code_3, code_4)", ["true", "false", "true", "false"]),
        ("if(words > 10, 'long', 'short')", ["long", "short", "long", ""]),
        ("missing(words) or words < 10", ["false", "true", "false", "true"]),
        ("`text type` = news", ["true", "true", "false", "false"]),
        ("join(marker, order)", ["because:a-b", "cause (noun):b-a", "because:b-a", ""]),
        ("contains(marker, 'NOUN')", ["false", "true", "false", ""]),
        ("begins(marker, 'be')", ["true", "false", "true", ""]),
        ("item = '001'", ["true", "false", "false", "false"]),
        ("item = 1", ["true", "true", "false", "false"]),
        ("true", ["true"] * 4),
    ],
)
def test_truths_and_texts(expression, cells):
    assert with_derived(FRAME, f"made = {expression}").frame["made"].tolist() == cells


@pytest.mark.parametrize(
    ("expression", "cells"),
    [
        ("log(rt_ms)", [np.log(400), np.nan, np.log(1000), np.nan]),
        ("rt_ms / words", [400 / 14, 0, 50, np.nan]),
        ("words / rt_ms", [14 / 400, np.nan, 20 / 1000, np.nan]),
        ("sqrt(rt_ms)", [20, 0, np.sqrt(1000), np.nan]),
        ("-rt_ms ^ 2", [-160000, 0, -1e6, -25]),
        ("2 ^ -1 * words", [7, 4.5, 10, np.nan]),
        ("round(rt_ms / 300, 1)", [1.3, 0, 3.3, 0]),
        ("1000 - 100 - 10 - 1", [889] * 4),
        ("8 / 4 / 2", [1] * 4),
        ("2 + 3 * 4", [14] * 4),
        ("(2 + 3) * 4", [20] * 4),
        ("max(words, 10)", [14, 10, 20, 10]),
        ("min(words, rt_ms)", [14, 0, 20, -5]),
        ("mean(words, 10)", [12, 9.5, 15, 10]),
        ("count(code_3, code_4)", [1, 0, 1, 0]),
        ("number(code_3) + 1", [2, 1, np.nan, 1]),
        ("words(marker)", [1, 2, 1, np.nan]),
        ("length(marker)", [7, 12, 7, np.nan]),
        ("exp(rt_ms)", [np.exp(400), 1, np.nan, np.exp(-5)]),
        ("(-8) ^ 0.5", [np.nan] * 4),
    ],
)
def test_numbers(expression, cells):
    found = with_derived(FRAME, f"made = {expression}").frame["made"]
    assert found.tolist() == pytest.approx(cells, nan_ok=True, abs=0.05 if "round" in expression else 1e-12)


def test_a_column_may_use_those_before_it_and_lines_part_columns_as_semicolons_do():
    made = with_derived(FRAME, "garbled = code_3 or code_4\nlong = (words >= 14\n and garbled); n = count(long)")
    assert list(made.frame.columns[-3:]) == ["garbled", "long", "n"]
    assert made.frame["long"].tolist() == ["true", "false", "true", ""]
    assert made.notes[0] == "Derived column: garbled = code_3 or code_4; true in 2 of 4 rows; empty in 1 of 4 rows."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("code_3 or code_4", "does not begin with a name and ="),
        ("garbled = code_3 or", "ends too early"),
        ("garbled = code_3 or coed_4", "did you mean 'code_4'"),
        ("words = 3", "there is a column 'words' in the data already"),
        ("a = lgo(words)", "there is no function 'lgo'; did you mean 'log'?"),
        ("a = log(words, 2)", "log(…) takes 1 values"),
        ("a = (words", "a bracket is not closed"),
        ("a = words)", "')' stands where it cannot"),
        ("a = words < 3 < 4", "compares twice in a row"),
        ("a = words ~ 3", "cannot be read at '~ 3'"),
        ("a = __import__('os').system('ls')", "cannot be read at"),
        ("a = words; a = words", "a is made more than once"),
        ("a = marker + 1", "'+' needs numbers, and marker holds 'because'"),
        ("a = words or code_3", "joins what is true or false, and words is not"),
        ("a = marker = becuase", "'becuase' is neither a column nor a value of marker; did you mean 'because'?"),
        ("a = if(words > 3, 'x', 1)", "must give the same kind of value"),
        ("a = marker in because", "needs a list in brackets"),
        ("a = " + "(" * 60 + "1" + ")" * 60, f"more than {DEEPEST} deep"),
        ("a = " + "+".join(["1"] * 200), f"more than {DEEPEST} signs in a row"),
        ("a = " + "1" * LONGEST, "characters, and"),
        ("; ".join(f"a{n} = 1" for n in range(21)), "21 columns are made"),
        ("a = 3x", "cannot be read at"),
        ("and = 3", "does not begin with a name"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(text, said):
    with pytest.raises(BadInput) as refusal:
        with_derived(FRAME, text)
    assert str(refusal.value).startswith("derive: ")
    assert said in str(refusal.value)


def test_random_expressions_give_what_pandas_gives():
    draw = random.Random(8)
    frame = pd.DataFrame({name: [draw.uniform(-3, 3) for _ in range(20)] for name in ("x", "y", "z")})

    def number(depth: int) -> str:
        if depth == 0 or draw.random() < 0.2:
            return draw.choice(["x", "y", "z", "2", "0.5"])
        return f"({number(depth - 1)} {draw.choice('+-*')} {number(depth - 1)})"

    def truth(depth: int) -> str:
        if depth == 0 or draw.random() < 0.3:
            return f"({number(2)} {draw.choice(['<', '<=', '>', '>='])} {number(2)})"
        return f"({draw.choice(['', 'not '])}{truth(depth - 1)} {draw.choice(['and', 'or'])} {truth(depth - 1)})"

    for _ in range(40):
        written = number(4)
        made = with_derived(frame, f"made = {written}").frame["made"]
        assert made.tolist() == pytest.approx(
            np.broadcast_to(np.asarray(frame.eval(written, engine="python")), 20).tolist()
        )
    for _ in range(40):
        written = truth(3)
        found = with_derived(frame, f"made = {written}").frame["made"] == "true"
        wanted = np.asarray(frame.eval(written, engine="python"))
        assert found.tolist() == np.broadcast_to(wanted, 20).tolist(), written


def test_random_texts_are_read_or_refused_at_once():
    draw = random.Random(3)
    pieces = [
        "x",
        "(",
        ")",
        "and",
        "or",
        "not",
        "=",
        "<",
        "+",
        "-",
        "^",
        "1",
        "'a'",
        ",",
        ";",
        "log",
        "if",
        "in",
        "`",
        "\n",
        "é",
        "🙂",
    ]
    began = time.process_time()
    refused = 0
    for _ in range(1500):
        text = "a = " + " ".join(draw.choices(pieces, k=draw.randint(1, 12)))
        try:
            with_derived(FRAME.rename(columns={"words": "x"}), text)
        except BadInput as refusal:
            refused += str(refusal).startswith("derive: ") and str(refusal).endswith(".")
    assert refused > 1000
    assert time.process_time() - began < 20


def test_every_function_is_computed():
    frame = pd.DataFrame({"x": ["1", "2"], "t": ["a b", "c"], "yes": ["true", "false"]})
    one = {"contains": "t, 'a'", "begins": "t, 'a'", "ends": "t, 'a'", "if": "yes, 1, 2", "join": "t, t", "lower": "t",
           "length": "t", "words": "t", "count": "yes"}  # fmt: skip
    for name in FUNCTIONS:
        assert len(with_derived(frame, f"made = {name}({one.get(name, 'x')})").frame["made"]) == 2


def test_every_method_takes_derived_columns_and_its_report_says_them():
    frame = pd.DataFrame(
        {"code_3": ["1", "0"] * 20, "code_4": ["0", "0", "1", "1"] * 10, "marker": ["a"] * 20 + ["b"] * 20}
    )
    given = {"derive": "garbled = code_3 = 1 or code_4 = 1", "success": "garbled", "group": "marker"}
    report = registry.run(registry.method_named("proportions"), frame, given)
    assert report.params["derive"] == given["derive"]
    assert report.notes[0] == "Derived column: garbled = code_3 = 1 or code_4 = 1; true in 30 of 40 rows."
    assert report.table("groups").frame()["successes"].tolist() == [15, 15]
    again = registry.run(registry.method_named("proportions"), frame, report.params)
    assert again == report


def test_rows_are_left_out_as_without_derived_columns_and_where_may_name_them():
    frame = pd.DataFrame(
        {"x": ["1", "2", "3", "4", "5"], "y": ["2", "1", "4", "3", "9"], "excluded": ["false"] * 4 + ["true"]}
    )
    given = {"derive": "double = 2 * x; low = y < 4", "x": "double", "y": "y", "where": "low=true", "how": "pearson"}
    report = registry.run(registry.method_named("correlation"), frame, given)
    assert report.table("correlation").frame()["n"].tolist() == [3]


def test_a_method_in_parts_has_the_same_report():
    method = registry.method_named("power")
    assert method.example is not None
    frame, given = method.example()
    column = next(name for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name]))
    given = {**given, "derive": f"twice = 2 * {column}"}
    begun, parts = splitting.begin(method, frame, given)
    results = [splitting.compute(method, begun, part) for part in parts]
    assert splitting.finish(method, begun, results).as_dict() == registry.run(method, frame, given).as_dict()


def test_texts_of_plans_are_on_one_line():
    assert in_words("a = x > 2\n b = `text type` = 'n'") == "a = x > 2; b = `text type` = 'n'"
    assert in_words("nothing that\n can be read") == "nothing that can be read"
    assert [column.name for column in checked("a = x; b = a", ["x"])] == ["a", "b"]
    assert parsed("") == ()
