"""The formula syntax: what is read as what, and what is refused with which words."""

import pytest

from analysis.methods.mixed.design.formula import parse
from analysis.methods.mixed.design.terms import term_name
from analysis.methods.report import BadInput


def fixed(text, columns=()):
    part = parse(f"y ~ {text} + (1 | g)", columns).fixed
    return [*(["1"] if part.intercept else []), *(term_name(term) for term in part.terms)]


def random(text):
    return [
        (
            [*(["1"] if term.part.intercept else []), *(term_name(slope) for slope in term.part.terms)],
            ":".join(term.group),
            term.correlated,
        )
        for term in parse(f"y ~ 1 + {text}").random
    ]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a + b", ["1", "a", "b"]),
        ("a*b", ["1", "a", "b", "a:b"]),
        ("a*b*c", ["1", "a", "b", "c", "a:b", "a:c", "b:c", "a:b:c"]),
        ("a:b + a", ["1", "a", "a:b"]),
        ("b:a + a", ["1", "a", "b:a"]),
        ("(a + b)^2", ["1", "a", "b", "a:b"]),
        ("(a + b + c)^2 - a:c", ["1", "a", "b", "c", "a:b", "b:c"]),
        ("a/b", ["1", "a", "a:b"]),
        ("0 + a", ["a"]),
        ("a - 1", ["a"]),
        ("1 + a + a", ["1", "a"]),
        ("a*b - b", ["1", "a", "a:b"]),
        ("log(x) + I(x^2)", ["1", "log(x)", "I(x^2)"]),
        ("as.factor(x) + centre(x)", ["1", "factor(x)", "center(x)"]),
        ("`text type`*b", ["1", "text type", "b", "text type:b"]),
        ("-1 + a", ["a"]),
    ],
)
def test_terms_are_those_of_r(text, terms):
    assert fixed(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("(1 | g)", [(["1"], "g", True)]),
        ("(x | g)", [(["1", "x"], "g", True)]),
        ("(0 + x | g)", [(["x"], "g", True)]),
        ("(1 + a*b || g)", [(["1", "a", "b", "a:b"], "g", False)]),
        ("(1 | a/b)", [(["1"], "a", True), (["1"], "b:a", True)]),
        ("(1 | a:b)", [(["1"], "a:b", True)]),
        ("(1 | a/b/c)", [(["1"], "a", True), (["1"], "b:a", True), (["1"], "c:b:a", True)]),
        ("(1 | g) + (x - 1 | h)", [(["1"], "g", True), (["x"], "h", True)]),
        ("(1 | factor(g))", [(["1"], "g", True)]),
        ("a:b + (0 + b:a | g)", [(["b:a"], "g", True)]),
    ],
)
def test_random_terms_are_those_of_lme4(text, terms):
    assert random(text) == terms


def test_the_order_of_random_and_fixed_terms_does_not_matter():
    assert parse("y ~ (1 | g) + a").fixed == parse("y ~ a + (1 | g)").fixed
    assert parse("y ~ (b | g) + a*b").fixed == parse("y ~ a*b + (b | g)").fixed


def test_a_column_with_hyphens_needs_no_backticks_where_it_exists():
    assert parse("rating_log-ratio ~ a + (1 | g)", ["rating_log-ratio", "a", "g"]).response.column == "rating_log-ratio"
    assert fixed("right-bounded * a", ["right-bounded", "a"]) == ["1", "right-bounded", "a", "right-bounded:a"]
    assert fixed("b - a", ["b", "a"]) == ["1", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("rating", "must have one ~"),
        ("y ~ a ~ b", "must have one ~"),
        ("y ~ a + 1 | g", "stands in brackets"),
        ("y ~ a + (1 | g", r"'\)' was expected"),
        ("y ~ a * 1 + (1 | g)", "cannot be part of an interaction"),
        ("y ~ a + 2 + (1 | g)", "number 2 has no meaning"),
        ("y ~ sin(a) + (1 | g)", "no function 'sin'; known are log"),
        ("y ~ a @ b", "cannot be read at '@ b'.*backticks"),
        ("y + x ~ a + (1 | g)", "stands the measure alone"),
        ("y ~ a + (1 | g + h)", "one grouping factor"),
        ("y ~ a + (0 | g)", "nothing varies"),
        ("y ~ a - (1 | g)", "added to the others with"),
        ("y ~ a +", "name of a column was expected"),
        ("y ~ (a + b", r"'\)' was expected"),
        ("y ~ I(a) + (1 | g)", r"'\^' was expected"),
        ("y ~ a^x + (1 | g)", "whole number"),
        ("y ~ a + (1 | log(g))", "not a function of one"),
    ],
)
def test_what_is_no_formula_is_refused_with_the_place(text, words):
    with pytest.raises(BadInput, match=words):
        parse(text)
