"""A level, person or item that is written in two ways counts twice in every method, so the report says it."""

from __future__ import annotations

import unicodedata

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.rows.read_as import levels_alike

SAID = "which count as different. If they are one, write them alike."


def told(*cells: str) -> list[str]:
    return levels_alike(pd.DataFrame({"marker": cells}), ["marker"])


@pytest.mark.parametrize(
    ("one", "other"),
    [("because", "Because"), ("1", "1.0"), ("1", "01"), ("two words", "two  words"), ("two words", "two\u00a0words")],
)
def test_what_differs_in_capitals_spaces_or_as_a_number_is_told(one: str, other: str) -> None:
    first, second = sorted([one, other])
    assert told(one, other, "since") == [f"Column 'marker' holds '{first}' and '{second}', {SAID}"]


def test_of_letters_that_look_the_same_it_is_said_that_they_do() -> None:
    composed, decomposed = "für", unicodedata.normalize("NFD", "für")
    (sentence,) = told(composed, decomposed)
    assert sentence.endswith(
        "Some look the same and are written with other characters, such as ü of one sign and of two."
    )


@pytest.mark.parametrize(
    "cells", [("a", "b"), ("1", "10"), ("1", "1.5"), ("-1", "1"), ("s1", "s01"), ("1e3", "1000"), ("", "NA"), ("a", "")]
)
def test_of_other_levels_nothing_is_said(cells: tuple[str, ...]) -> None:
    assert told(*cells) == []


def test_of_many_the_first_are_named() -> None:
    names = [f"{letter}word" for letter in "abcde"]
    (sentence,) = told(*names, *(name.upper() for name in names))
    assert "'AWORD' and 'aword'; 'BWORD' and 'bword'; 'CWORD' and 'cword'; and 2 more such groups, which" in sentence


def test_an_anova_says_it_of_its_factor_and_its_people_and_not_of_its_measure() -> None:
    measured = {"p1": ("1", "1.0"), "P1": ("2", "5"), "p2": ("4", "3"), "p3": ("6", "2")}
    rows = [(who, level, z) for who, both in measured.items() for level, z in zip(("plain", "bare"), both, strict=True)]
    frame = pd.DataFrame(rows, columns=["participant", "marker", "z"], dtype=str)
    given = {"dv": "z", "within": "marker"}
    report = registry.run(registry.method_named("rm-anova"), frame, given)
    assert f"Column 'participant' holds 'P1' and 'p1', {SAID}" in report.warnings
    assert not any("'z' holds" in warning for warning in report.warnings)


@pytest.mark.parametrize("slug", registry.slugs())
def test_examples_have_no_such_levels(slug: str) -> None:
    method = registry.method_named(slug)
    assert method.example is not None
    frame, given = method.example()
    assert not any(SAID in warning for warning in registry.run(method, frame, given).warnings)
