"""Count answers of several categories by condition: χ², exact test, residuals, pairs of conditions (`contingency`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.adjusted import add_holm
from analysis.methods.arrays import Floats
from analysis.methods.codes.exact_counts import DRAWN, Counts, drawn_p, exact_p
from analysis.methods.columns import declared_table, usual
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.error_rates.recorded import measured_in
from analysis.methods.proportion_intervals import with_wilson
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import coded, codes, joined, required
from analysis.methods.seeds import check_seed
from analysis.methods.wording import counted, listed, number_text, p_text, share_text

MOST = 30
SMALL, FEW = 5, 0.2
_OF_TEST = (
    usual("chi2", meaning="Pearson's χ², without a correction for continuity."),
    "df",
    usual("p", meaning="Of χ²."),
    Column("p_exact", "Exact p", "p", meaning="Of the test of Fisher, Freeman and Halton."),
)
TESTS = declared_table(
    "tests",
    "Tests of {answer} by {group}",
    "One row: whether the shares of the categories differ between the groups.",
    *_OF_TEST,
    Column("exact_by", "Exact p by", "text", meaning="enumeration, or so many tables drawn at random."),
    Column("n", "N", "integer", meaning="How many answers there are."),
    Column("cramers_v", "Cramér's V", "share", meaning="√(χ² / (N (min(groups, categories) − 1)))."),
    Column("smallest_expected", "Smallest expected count", meaning="Of all cells.", importance="detail"),
    key="chi2 df p p_exact",
)
COUNTS = declared_table(
    "counts",
    "Answers by {group}",
    "One row per group and category, with Wilson's 95 % intervals.",
    "group",
    Column("category", "Category", "text", meaning="The answer."),
    Column("n", "n", "integer", meaning="How many answers of the group are of the category."),
    Column("share", "Share", "share", meaning="n over all answers of the group."),
    Column("ci_low", "95 % CI from", "share", meaning="Lower end of its interval."),
    Column("ci_high", "95 % CI to", "share", meaning="Upper end of its interval."),
    Column("expected", "Expected", meaning="Count if the groups did not differ.", importance="detail"),
    Column("residual", "Adjusted residual", meaning="(n − expected) over its standard error (Haberman 1973); beyond ±2 "
           "a cell stands out."),
)  # fmt: skip
PAIRS = declared_table(
    "pairs",
    "Pairs of groups",
    "One row per two groups, p adjusted by Holm over all pairs.",
    "a b",
    *_OF_TEST,
    "p_holm",
    when="where there are more than two groups",
)


def contingency(
    frame: pd.DataFrame,
    *,
    answer: str,
    group: Sequence[str] = (),
    seed: int = 1,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Test whether answers of several categories differ between conditions.

    `answer` is a column of categories without an order, `group` one or more columns whose levels (joined by a colon)
    are the conditions. χ² = Σ (n − expected)² / expected with expected = row total · column total / N, df = (groups −
    1)(categories − 1), uncorrected (Pearson 1900). The exact test is that of Fisher, Freeman and Halton: the sum of
    the probabilities of all tables with these margins that are at most as probable as this one; where there are too
    many, 9,999 tables are drawn at random. Cramér's V = √(χ² / (N (k − 1))), k the smaller number of groups and
    categories. Residuals are Haberman's (1973, *Biometrics* 29, 205–220).

    All of them take every answer for independent of the others, which answers of one person or to one item are not;
    the report says so.

    Raises BadInput where there are fewer than two groups or categories, or more than thirty.

    >>> frame, parameters = contingency_example()
    >>> [round(value, 3) for value in contingency(frame, **parameters).table("tests").rows[0][:4]]
    [3.429, 2, 0.18, 0.237]
    """
    check_seed(seed)
    columns = [required(frame, answer, role="answer"), *group]
    if not group:
        raise BadInput("group: name the column of the conditions whose answers are compared, such as group=marker.")
    if answer in group:
        raise BadInput(f"group: '{answer}' is the answer itself; name the column of the conditions.")
    chosen = rows.select(frame, used=columns, measured=(answer,), where=where, keep=keep)
    used = chosen.frame
    by = ":".join(group)
    given, of_group = coded(used, answer), joined(used, group)
    table = np.zeros((len(of_group.levels), len(given.levels)), dtype=np.int64)
    known = (given.positions >= 0) & (of_group.positions >= 0)
    np.add.at(table, (of_group.positions[known], given.positions[known]), 1)
    # Rows without the one or the other may have been the only ones of a level.
    there, given_at_all = table.sum(axis=1) > 0, table.sum(axis=0) > 0
    groups = [name for name, has in zip(of_group.levels, there, strict=True) if has]
    categories = [name for name, has in zip(given.levels, given_at_all, strict=True) if has]
    table = table[there][:, given_at_all]
    _check(answer, categories, what="category", plural="categories")
    _check(by, groups, what="group", plural="groups")
    tests, expected = _tested(table, seed=seed)
    warnings = [*chosen.warnings, *_clusters(used.loc[known]), *_small(expected)]
    line = {**tests, "n": int(table.sum()), "smallest_expected": float(expected.min())}
    counts = _counts(table, expected, categories, groups)
    tables = [TESTS.of([line], answer=answer, group=by), COUNTS.of(counts, group=by)]
    pairs = _pairs(table, groups, seed=seed) if len(groups) > 2 else []
    if pairs:
        tables.append(PAIRS.of(pairs))
    exact = f"exact p{p_text(tests['p_exact']).removeprefix('p')}"
    sentences = [
        f"{answer} by {by}: χ²({tests['df']}, N = {line['n']:,}) = {number_text(tests['chi2'])}, "
        f"{p_text(tests['p'])} ({exact}), Cramér's V = {share_text(tests['cramers_v'])}.",
        *_shares(counts, groups),
        *(
            f"{one['a']} and {one['b']}: χ²({one['df']}) = {number_text(one['chi2'])}, "
            f"{p_text(one['p_holm'])} (Holm over {len(pairs)} pairs)."
            for one in pairs
        ),
    ]
    return Report(
        tables=tuple(tables),
        figures=(
            Figure(
                name="shares",
                title=f"Answers by {by}",
                kind="bars",
                table="counts",
                encoding={"x": "category", "y": "share", "low": "ci_low", "high": "ci_high", "colour": "group"},
                caption="Wilson's 95 % intervals.",
                y_label="Share",
            ),
        ),
        notes=(
            *chosen.notes,
            f"Pearson's χ² test without a correction for continuity; the exact test is that of Fisher, Freeman and "
            f"Halton, by {tests['exact_by']}. Both take every answer for independent of the others.",
        ),
        warnings=tuple(warnings),
        sentences=tuple(sentences),
    )


def _check(column: str, found: Sequence[str], *, what: str, plural: str) -> None:
    if len(found) < 2:
        only = f"one {what} only ('{found[0]}')" if found else f"no {what}"
        raise BadInput(f"'{column}' has {only} in the rows that can be analysed, so there is nothing to compare.")
    if len(found) > MOST:
        raise BadInput(
            f"'{column}' has {len(found)} {plural} ({listed(found, shown=4)}); at most {MOST} are counted. Merge rare "
            f"ones into one with derive, or name another column."
        )


def _tested(table: Counts, *, seed: int) -> tuple[dict[str, Any], Floats]:
    """Return the tests of a table without empty rows and columns, and its expected counts."""
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chi2 = float(((table - expected) ** 2 / expected).sum())
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    exact, how = exact_p(table), "enumeration"
    if exact is None:
        exact, how = drawn_p(table, seed=seed), f"{DRAWN:,} tables drawn at random"
    return {
        "chi2": chi2,
        "df": df,
        "p": float(scipy.stats.chi2.sf(chi2, df)),
        "p_exact": exact,
        "exact_by": how,
        "cramers_v": float(np.sqrt(chi2 / (table.sum() * (min(table.shape) - 1)))),
    }, expected


def _counts(table: Counts, expected: Floats, categories: Sequence[str], groups: Sequence[str]) -> list[dict[str, Any]]:
    total = table.sum()
    spread = np.outer(1 - table.sum(axis=1) / total, 1 - table.sum(axis=0) / total)
    residuals = (table - expected) / np.sqrt(expected * spread)
    return [
        {
            "group": name,
            "category": category,
            "n": int(table[at, place]),
            **with_wilson(int(table[at, place]), int(table[at].sum())),
            "expected": float(expected[at, place]),
            "residual": float(residuals[at, place]),
        }
        for at, name in enumerate(groups)
        for place, category in enumerate(categories)
    ]


def _pairs(table: Counts, groups: Sequence[str], *, seed: int) -> list[dict[str, Any]]:
    """Return the tests of every two groups; a pair that gave one answer only has none."""
    found = []
    for a, b in combinations(range(len(groups)), 2):
        own = table[[a, b]]
        own = own[:, own.sum(axis=0) > 0]
        tests = _tested(own, seed=seed)[0] if own.shape[1] > 1 else {"chi2": None, "df": None, "p": None}
        found.append({"a": groups[a], "b": groups[b], **tests})
    add_holm(found)
    return [one for one in found if one["p"] is not None]


def _shares(counts: Sequence[dict[str, Any]], groups: Sequence[str]) -> list[str]:
    said = []
    for name in groups:
        own = [line for line in counts if line["group"] == name]
        total = sum(line["n"] for line in own)
        shares = listed((f"{line['category']} {line['n']}/{total:,}" for line in own), shown=MOST)
        said.append(f"{name}: {shares}.")
    return said


def _clusters(frame: pd.DataFrame) -> list[str]:
    """Say that answers of one person, or to one item, are not independent, and how often the test errs then."""
    several = [
        f"{counted(number, noun)}"
        for column, noun in (("participant", "participant"), ("item", "item"))
        if column in frame.columns and 0 < (number := int(codes(frame, column).nunique())) < len(frame)
    ]
    if not several:
        return []
    measured = measured_in("contingency", {})
    return [
        f"The {len(frame):,} answers come from {listed(several)}. Answers of one person, and answers to one item, are "
        f"not independent, so χ² and the exact test find too much.{f' {measured}' if measured else ''} A multinomial "
        f"mixed model (multinomial) with random effects of participants and items respects that."
    ]


def _small(expected: Floats) -> list[str]:
    few = float((expected < SMALL).mean())
    if few <= FEW and expected.min() >= 1:
        return []
    return [
        f"{100 * few:.0f} % of the expected counts are below {SMALL}, the smallest is {number_text(expected.min())}; "
        f"χ² is a poor approximation then, so prefer the exact p."
    ]


def contingency_example() -> Example:
    """Return answers of eight people to six texts with one of two markers."""
    pattern = {"because": "nnnllr", "cause": "nllllr"}
    lines = [
        {"participant": f"P{person}", "item": f"I{item}", "marker": marker, "answer": answers[(person * item) % 6]}
        for person in range(1, 9)
        for item, (marker, answers) in enumerate([*pattern.items()] * 3, start=1)
    ]
    return pd.DataFrame(lines), {"answer": "answer", "group": ("marker",)}


METHOD = declared(
    "contingency",
    "Counts of categories",
    "Answers of several categories by condition: χ², the exact test of Fisher, Freeman and Halton, residuals.",
    contingency,
    Parameter("answer", "Answer", "column", role="measure", help="A column of categories without an order."),
    Parameter("group", "Conditions", "columns", role="factor", help="One or more factors.", also=("by", "within")),
    Parameter("seed", "Seed", "integer", help="For the tables that are drawn at random if there are too many of them."),
    group="compare",
    question=(
        "Is {measure} distributed differently by {factors}? Counts and χ²",
        "Do the counts of answers differ by condition? χ²",
    ),
    needs=("categories",),
    example=contingency_example,
    tables=(TESTS, COUNTS, PAIRS),
)
