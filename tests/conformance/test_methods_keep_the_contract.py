"""What every registered method promises, whoever wrote it. A new method joins by its line in the catalogue."""

from __future__ import annotations

import inspect
import json
import random
import re
import signal
import warnings as python_warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.exports.reports import table_csv
from analysis.methods import registry
from analysis.methods.columns import undeclared
from analysis.methods.declarations import Method
from analysis.methods.parameters import ROLES
from analysis.methods.report import BadInput, Cancelled, Report
from analysis.reports import figures
from tests.selection import EXHAUSTIVE

pytestmark = pytest.mark.slow

METHODS = list(registry.analyses().values())
WITH_EXAMPLE = [method for method in METHODS if method.example is not None]


def named(methods: list[Method]) -> pytest.MarkDecorator:
    """Run a test with every method; one worker takes all tests of a method, which share the report of its example."""
    given = [
        pytest.param(method, id=method.slug, marks=pytest.mark.xdist_group(f"method-{method.slug}"))
        for method in methods
    ]
    return pytest.mark.parametrize("method", given)


def example(method: Method) -> tuple[pd.DataFrame, dict[str, Any]]:
    assert method.example is not None
    return method.example()


@cache
def example_report(slug: str) -> Report:
    method = registry.method_named(slug)
    frame, parameters = example(method)
    return registry.run(method, frame, parameters)


def tables_as_text(report: Report) -> dict[str, bytes]:
    return {table.name: table_csv(table) for table in report.tables}


class TooLong(Exception):
    """A method took more processor time on a small frame than anybody waits for."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong inside after so many seconds of processor time of this process."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# Processor seconds that a method may take on its example, whatever its columns hold.
MOST_SECONDS = 20.0


def outcome(method: Method, frame: pd.DataFrame, parameters: dict[str, Any]) -> Report | BadInput:
    """Run a method on data that may be unfit; anything but BadInput is a fault, and so is a warning of NumPy, or that
    it takes too long.
    """
    with python_warnings.catch_warnings():
        python_warnings.simplefilter("error", RuntimeWarning)
        try:
            with limited(MOST_SECONDS):
                return registry.run(method, frame, parameters)
        except BadInput as refusal:
            return refusal


def assert_sound(method: Method, frame: pd.DataFrame, result: Report | BadInput) -> None:
    """A refusal is a sentence; a report is plain JSON and says why where a whole column became undefined."""
    if isinstance(result, BadInput):
        assert re.fullmatch(r"\S.*[.…]\s*", str(result), re.DOTALL), str(result)
        assert "nan" not in re.findall(r"[\w]+", str(result).casefold()), str(result)
        return
    json.dumps(result.as_dict(), allow_nan=False)
    assert not (method.tables and undeclared(method.tables, result.tables))
    own_words = {str(value) for value in pd.unique(frame.values.ravel())}
    for text in (*result.sentences, *result.notes, *result.warnings):
        assert not ({"nan", "inf", "None"} - own_words) & set(re.findall(r"\w+", text)), text
    for table in result.tables:
        usual = {t.name: t for t in example_report(method.slug).tables}.get(table.name)
        if usual is None or table.name == "scores":
            continue
        for position, column in enumerate(table.columns):
            if column.format == "text" or column.name not in {c.name for c in usual.columns}:
                continue
            known = [c.name for c in usual.columns].index(column.name)
            was_defined = any(row[known] is not None for row in usual.rows)
            is_undefined = all(row[position] is None for row in table.rows)
            if was_defined and is_undefined:
                said = result.warnings or result.notes
                assert said, f"{table.name}.{column.name} became undefined without a word"


@named(METHODS)
def test_every_method_has_an_example(method: Method) -> None:
    assert method.example is not None, f"{method.slug} has no example, so nothing below tests it"


@named(METHODS)
def test_declared_parameters_are_those_of_the_function(method: Method) -> None:
    signature = inspect.signature(method.function).parameters
    keywords = [name for name, given in signature.items() if given.kind is inspect.Parameter.KEYWORD_ONLY]
    assert sorted(parameter.name for parameter in method.parameters) == sorted(set(keywords) - {"progress"})
    assert "progress" in keywords
    for parameter in method.parameters:
        default = signature[parameter.name].default
        if parameter.required and parameter.default is None:
            assert default is inspect.Parameter.empty, f"{parameter.name} is required, yet the function has a default"
        elif parameter.kind not in ("column", "columns"):
            assert default == parameter.default, f"{parameter.name}: two different defaults"
        if parameter.kind == "choice":
            assert parameter.choices
            assert parameter.default is None or parameter.default in parameter.choices


@named(METHODS)
def test_every_method_and_parameter_is_described(method: Method) -> None:
    assert method.label
    assert method.summary.endswith(".")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", method.slug)
    taken = [name for parameter in method.parameters for name in (parameter.name, *parameter.also)]
    assert len(taken) == len(set(taken)), "two parameters may be given under one name"
    assert not {name for parameter in method.parameters for name in parameter.also} & set(ROLES)
    for parameter in method.parameters:
        assert parameter.label, parameter.name
        assert not parameter.help or parameter.help.endswith((".", ")", "?")), parameter.name


@named([method for method in WITH_EXAMPLE if method.tables])
def test_every_table_is_declared_with_exactly_its_columns(method: Method) -> None:
    assert undeclared(method.tables, example_report(method.slug).tables) == []
    names = [declaration.name for declaration in method.tables]
    assert len(names) == len(set(names))
    missing = set(names) - {table.name for table in example_report(method.slug).tables}
    assert missing == {table.name for table in method.tables if table.when} & missing, "say when they are there"


@named([method for method in METHODS if method.tables])
def test_every_declared_table_and_column_says_what_it_means(method: Method) -> None:
    for table in method.tables:
        assert table.meaning.endswith((".", ")")), table.name
        silent = [column.name for column in table.columns if not column.meaning.endswith((".", ")"))]
        assert not silent, f"{table.name}: a sentence that says what these columns mean is owed: {silent}"
        assert table.optional <= set(table.names())


@named([method for method in WITH_EXAMPLE if not method.tables])
def test_the_docstring_names_every_table_and_column(method: Method) -> None:
    frame, _ = example(method)
    text = inspect.getdoc(method.function) or ""
    own_names = {str(name) for name in frame.columns} | {str(value) for value in pd.unique(frame.values.ravel())}
    for table in example_report(method.slug).tables:
        assert f"`{table.name}`" in text, f"table {table.name} is not in the docstring"
        for column in table.columns:
            made_from_input = column.name in own_names or any(column.name.startswith(f"{n}_") for n in frame.columns)
            assert made_from_input or re.search(rf"\b{re.escape(column.name)}\b", text), f"{table.name}.{column.name}"


@named(WITH_EXAMPLE)
def test_a_report_is_plain_json_and_names_its_method(method: Method) -> None:
    report = example_report(method.slug)
    stored = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert stored["method"] == method.slug
    assert stored["versions"]
    assert set(stored["params"]) == {parameter.name for parameter in method.parameters}
    names = [table["name"] for table in stored["tables"]]
    assert len(names) == len(set(names))
    for table in stored["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    assert report.notes, "a report says what was done"


@named(WITH_EXAMPLE)
def test_figures_name_columns_that_exist_and_can_be_drawn(method: Method) -> None:
    report = example_report(method.slug)
    names = [figure.name for figure in report.figures]
    assert len(names) == len(set(names))
    for figure in report.figures:
        columns = {column.name for column in report.table(figure.table).columns}
        assert set(figure.encoding.values()) <= columns
        picture = figures.svg(report, figure)
        assert picture.startswith("<svg")
        assert "<script" not in picture


@named(WITH_EXAMPLE)
def test_the_same_data_give_the_same_report(method: Method) -> None:
    frame, parameters = example(method)
    before = frame.copy(deep=True)
    again = registry.run(method, frame, parameters)
    assert again.as_dict() == example_report(method.slug).as_dict()
    pd.testing.assert_frame_equal(frame, before)


@named(WITH_EXAMPLE)
def test_text_cells_as_from_a_file_give_the_same_tables(method: Method) -> None:
    frame, parameters = example(method)
    text = frame.map(lambda value: "" if pd.isna(value) else str(value)).astype("str")
    assert tables_as_text(registry.run(method, text, parameters)) == tables_as_text(example_report(method.slug))


@named([method for method in WITH_EXAMPLE if "keep" in {parameter.name for parameter in method.parameters}])
def test_excluded_rows_change_nothing_and_are_counted(method: Method) -> None:
    frame, parameters = example(method)
    marked = frame.astype("str").assign(excluded="false")
    spoilt = marked.iloc[[0]].assign(excluded="true")
    for column in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[column]):
            spoilt[column] = "not a number"
    report = registry.run(method, pd.concat([marked, spoilt], ignore_index=True), parameters)
    for table in example_report(method.slug).tables:
        if table.name != "scores":  # which lists the excluded row, without a score
            columns = [column.name for column in table.columns]
            pd.testing.assert_frame_equal(report.table(table.name).frame()[columns], table.frame())
    assert any("1 excluded row" in note for note in report.notes)


def assert_tables_of_the_example(method: Method, report: Report) -> None:
    for table in example_report(method.slug).tables:
        if table.name != "scores":  # which lists rows that got no score, too
            columns = [column.name for column in table.columns]
            pd.testing.assert_frame_equal(report.table(table.name).frame()[columns], table.frame())


@named([method for method in WITH_EXAMPLE if "keep" in {parameter.name for parameter in method.parameters}])
def test_excluded_rows_that_are_kept_are_analysed(method: Method) -> None:
    frame, parameters = example(method)
    marked = frame.astype("str").assign(excluded=["true", *["false"] * (len(frame) - 1)])
    report = registry.run(method, marked, {**parameters, "keep": "excluded"})
    assert_tables_of_the_example(method, report)
    assert any("1 excluded row was kept" in note or "1 excluded row were kept" in note for note in report.notes)


@named([method for method in WITH_EXAMPLE if "where" in {parameter.name for parameter in method.parameters}])
def test_rows_that_do_not_satisfy_the_conditions_change_nothing(method: Method) -> None:
    frame, parameters = example(method)
    marked = frame.astype("str").assign(half="first")
    spoilt = marked.iloc[[0]].assign(half="second")
    for column in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[column]):
            spoilt[column] = "not a number"
    conditions = " and ".join(filter(None, [str(parameters.get("where") or ""), "half=first"]))
    report = registry.run(method, pd.concat([marked, spoilt], ignore_index=True), {**parameters, "where": conditions})
    assert_tables_of_the_example(method, report)


@named([method for method in WITH_EXAMPLE if "keep" in {parameter.name for parameter in method.parameters}])
def test_a_factor_that_bears_the_name_of_a_rule_is_analysed(method: Method) -> None:
    frame, parameters = example(method)
    asked = {p.name: parameters.get(p.name) for p in method.parameters if p.role == "factor" and p.name in parameters}
    for name, value in asked.items():
        factors = [value] if isinstance(value, str) else list(value or ())
        for factor in factors:
            others = [str(given) for key, given in parameters.items() if key != name]
            levels = sorted(frame[factor].astype(str).unique())
            if len(levels) != 2 or any(factor in text or level in text for text in others for level in levels):
                continue  # conditions and formulas that name it would have to be written anew
            renamed = frame.rename(columns={factor: "is_filler"})
            renamed["is_filler"] = (renamed["is_filler"].astype(str) == levels[1]).map({False: "false", True: "true"})
            new = ["is_filler" if each == factor else each for each in factors]
            report = registry.run(method, renamed, {**parameters, name: new[0] if isinstance(value, str) else new})
            assert not any("left out were" in note for note in report.notes), factor
            for table in example_report(method.slug).tables:
                assert len(report.table(table.name).rows) == len(table.rows)


@named(WITH_EXAMPLE)
def test_a_cancelled_analysis_stops(method: Method) -> None:
    frame, parameters = example(method)

    def cancel(share: float, note: str) -> None:
        assert 0 <= share <= 1
        assert note
        raise Cancelled

    with pytest.raises(Cancelled):
        registry.run(method, frame, parameters, progress=cancel)


@named(WITH_EXAMPLE)
def test_an_unknown_parameter_is_refused_with_the_nearest_name(method: Method) -> None:
    frame, parameters = example(method)
    name = method.parameters[0].name
    with pytest.raises(BadInput, match=f"did you mean '{name}'"):
        registry.run(method, frame, {**parameters, f"{name}x": "1"})


@named(WITH_EXAMPLE)
def test_a_missing_column_is_refused_with_the_nearest_name(method: Method) -> None:
    frame, parameters = example(method)
    columns = {p.name for p in method.parameters if p.kind in ("column", "columns")}
    for name in columns & set(parameters):
        value = parameters[name]
        first = value if isinstance(value, str) else value[0]
        with pytest.raises(BadInput, match=re.escape(f"There is no column '{first}s'")):
            registry.run(method, frame, {**parameters, name: f"{first}s"})


EXAMPLES = 25 if EXHAUSTIVE else 4


def sampled(among: list[str], number: int, *of: str) -> list[str]:
    """Return as many of these, always the same ones of this method and fault; all where EXHAUSTIVE is set."""
    if EXHAUSTIVE or len(among) <= number:
        return among
    return random.Random(zlib.crc32("/".join(of).encode())).sample(among, number)


ODD = {
    "integer": ["-1", "0", "1"],
    "number": ["-1", "0", "1", "1e300", "1e-300"],
    "text": [",", ";", "=", "(", "~", "x", "-1", "a=b", "a:b:c", "(1 |", "%s", "{}"],
}


@named(WITH_EXAMPLE)
def test_an_odd_parameter_is_refused_or_explained(method: Method) -> None:
    """What somebody may type into a field, one field at a time."""
    frame, parameters = example(method)
    columns = {
        "column": [str(frame.columns[0]), str(frame.columns[-1])],
        "columns": [str(frame.columns[0]), ",".join(frame.columns), f"{frame.columns[0]},{frame.columns[0]}"],
    }
    for name in sampled([parameter.name for parameter in method.parameters], 6, method.slug):
        parameter = next(parameter for parameter in method.parameters if parameter.name == name)
        odd = [*parameter.choices, *(ODD | columns).get(parameter.kind, [])]
        for value in sampled(odd, 2, method.slug, parameter.name):
            assert_sound(method, frame, outcome(method, frame, {**parameters, parameter.name: value}))


@named([method for method in WITH_EXAMPLE if any(parameter.name == "seed" for parameter in method.parameters)])
def test_a_seed_below_zero_is_refused(method: Method) -> None:
    frame, parameters = example(method)
    with pytest.raises(BadInput, match="seed must be 0 or more, not -1"):
        registry.run(method, frame, {**parameters, "seed": -1})


SPOILS = {
    "constant": lambda column: [column.iloc[0]] * len(column),
    "empty": lambda column: [""] * len(column),
    "text": lambda column: ["x"] * len(column),
    "infinite": lambda column: ["inf", *column.iloc[1:].astype(str)],
    "half empty": lambda column: ["" if i % 2 else str(v) for i, v in enumerate(column)],
    "all different": lambda column: [f"{i}.5" for i in range(len(column))],
    "zero": lambda column: ["0"] * len(column),
    "missing": lambda column: [None] * len(column),
    "ids of 17 digits": lambda column: [str(20_240_000_000_000_000 + i % 5) for i in range(len(column))],
    "two zeros": lambda column: ["-0.0" if i % 2 else "0.0" for i in range(len(column))],
    "one letter in two ways": lambda column: ["caf\u00e9" if i % 2 else "cafe\u0301" for i in range(len(column))],
    "dates": lambda column: [f"2026-11-{1 + i % 28:02d}" for i in range(len(column))],
    "signs": lambda column: [("left: 1", "right, 2", "a=b", "(c)", '"d"')[i % 5] for i in range(len(column))],
}


@named(WITH_EXAMPLE)
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoilt_column_is_refused_or_explained(method: Method, spoil: str) -> None:
    frame, parameters = example(method)
    for column in sampled(list(frame.columns), 1, method.slug, spoil):
        spoilt = frame.copy()
        cells = [None if value is None else str(value) for value in SPOILS[spoil](frame[column])]
        spoilt[column] = pd.Series(cells, index=frame.index, dtype=object)
        assert_sound(method, spoilt, outcome(method, spoilt, parameters))


@named(WITH_EXAMPLE)
def test_a_column_whose_name_holds_signs_is_analysed_or_refused_with_how_to_write_it(method: Method) -> None:
    frame, parameters = example(method)
    kinds = {parameter.name: parameter.kind for parameter in method.parameters}
    for name in sampled(sorted(set(parameters) & set(kinds)), 1, method.slug, "signs"):
        given = parameters[name]
        if kinds[name] not in ("column", "columns") or not given:
            continue
        column = given if isinstance(given, str) else given[0]
        odd = f"{column} (left=1,right=2)"
        if column not in frame.columns or any(
            column in str(value) for other, value in parameters.items() if other != name
        ):
            continue
        renamed = frame.rename(columns={column: odd})
        new = odd if isinstance(given, str) else [odd, *given[1:]]
        assert_sound(method, renamed, outcome(method, renamed, {**parameters, name: new}))
        # As a command gives it: one text, in which a comma parts names.
        written = f'"{odd}"' if kinds[name] == "columns" else odd
        others = [] if isinstance(given, str) else list(given[1:])
        assert_sound(method, renamed, outcome(method, renamed, {**parameters, name: ",".join([written, *others])}))


def test_what_takes_too_long_is_stopped() -> None:
    def endless() -> None:
        with limited(0.05):
            while True:
                sum(range(1000))

    with pytest.raises(TooLong):
        endless()


@named(WITH_EXAMPLE)
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_too_few_rows_are_refused_or_explained(method: Method, rows: int) -> None:
    frame, parameters = example(method)
    assert_sound(method, frame, outcome(method, frame.iloc[:rows], parameters))


@named(WITH_EXAMPLE)
def test_rows_that_are_there_twice_are_no_accident(method: Method) -> None:
    frame, parameters = example(method)
    assert_sound(method, frame, outcome(method, pd.concat([frame, frame]), parameters))


@named(WITH_EXAMPLE)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(data=st.data())
def test_frames_with_random_cells_never_break_a_method(method: Method, data: st.DataObject) -> None:
    frame, parameters = example(method)
    spoilt = frame.astype("str").astype(object)
    cells = st.sampled_from(["", "0", "-1", "1e99", "NA", "x", "1,5", "  ", "true", "inf", "∞", "-0.0", "1e-300", None])
    for _ in range(data.draw(st.integers(1, 6))):
        row = data.draw(st.integers(0, len(frame) - 1))
        column = data.draw(st.integers(0, frame.shape[1] - 1))
        spoilt.iloc[row, column] = data.draw(cells)
    kept = data.draw(st.integers(1, len(frame)))
    assert_sound(method, spoilt, outcome(method, spoilt.iloc[:kept], parameters))


@named([method for method in WITH_EXAMPLE if "dv" in example(method)[1]])
def test_numbers_of_another_size_keep_tests_and_p(method: Method) -> None:
    """Scaling a measure by a power of two is exact in binary: no test statistic and no p may move."""
    frame, parameters = example(method)
    measure = parameters["dv"]
    # A bound is in the units of the measure.
    bounds: dict[str, float] = {
        name: float(parameters[name]) * 1024 for name in ("bound", "lower") if name in parameters
    }
    scaled = registry.run(method, frame.assign(**{measure: frame[measure] * 1024}), {**parameters, **bounds})
    for table in example_report(method.slug).tables:
        for column in table.columns:
            if column.format not in ("p", "statistic", "df"):
                continue
            before = [row[[c.name for c in table.columns].index(column.name)] for row in table.rows]
            after_table = scaled.table(table.name)
            after = [row[[c.name for c in after_table.columns].index(column.name)] for row in after_table.rows]
            for first, second in zip(before, after, strict=True):
                assert (first is None) == (second is None)
                if first is not None:
                    assert second == pytest.approx(first, rel=1e-3), f"{table.name}.{column.name}"


def test_there_are_methods() -> None:
    assert {"normalise", "rm-anova", "min-f", "tukey", "n-best", "correlation"} <= {m.slug for m in METHODS}
    assert np.unique([method.slug for method in METHODS]).size == len(METHODS)
