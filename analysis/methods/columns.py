"""Declarations of tables, the columns that many tables have, and the one writer of a table from a frame.

A method lists its tables in `METHOD`; what a column is called, how it is shown and what it means stands there once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from analysis.methods.report import Column, Format, Importance, Table


def _usual(*columns: tuple[str, str, Format, Importance, str]) -> dict[str, Column]:
    return {
        name: Column(name, label, shown, meaning=meaning, importance=importance)
        for name, label, shown, importance, meaning in columns
    }


USUAL = _usual(
    ("participant", "Participant", "text", "main", "Who answered."),
    ("item", "Item", "text", "main", "What was answered to."),
    ("condition", "Condition", "text", "main", "The condition."),
    ("group", "Group", "text", "main", "The group."),
    ("factor", "Factor", "text", "main", "The factor."),
    ("level", "Level", "text", "main", "The level of the factor."),
    ("measure", "Measure", "text", "main", "What is measured."),
    ("effect", "Effect", "text", "main", "The effect; factors of an interaction are joined by a colon."),
    ("term", "Term", "text", "main", "The term of the model."),
    ("model", "Model", "text", "main", "The model."),
    ("metric", "Metric", "text", "main", "The metric."),
    ("system", "System", "text", "main", "The system."),
    ("text", "Text", "text", "main", "The text."),
    ("family", "Family", "text", "detail", "The tests that are adjusted together."),
    ("contrast", "Contrast", "text", "main", "The contrast."),
    ("a", "a", "text", "main", "The first of the two that are compared."),
    ("b", "b", "text", "main", "The second of the two that are compared."),
    ("n", "n", "integer", "main", "How many values there are."),
    ("mean", "Mean", "number", "main", "The mean."),
    ("sd", "SD", "number", "main", "The standard deviation."),
    ("se", "SE", "number", "main", "The standard error."),
    ("median", "Median", "number", "main", "The median."),
    ("value", "Value", "number", "main", "The value."),
    ("share", "Share", "share", "main", "The share, from 0 to 1."),
    ("estimate", "Estimate", "number", "main", "The estimate."),
    ("ci_low", "CI low", "number", "main", "Lower end of the confidence interval."),
    ("ci_high", "CI high", "number", "main", "Upper end of the confidence interval."),
    ("mean_a", "Mean of a", "number", "main", "The mean of `a`."),
    ("mean_b", "Mean of b", "number", "main", "The mean of `b`."),
    ("diff", "Difference", "number", "main", "The first less the second."),
    ("t", "t", "statistic", "main", "The statistic t."),
    ("z", "z", "statistic", "main", "The statistic z."),
    ("f", "F", "statistic", "main", "The statistic F; none where there is no error variance."),
    ("chi2", "χ²", "statistic", "main", "The statistic χ²."),
    ("statistic", "Statistic", "number", "main", "The statistic of the test."),
    ("df", "df", "df", "main", "Degrees of freedom."),
    ("df1", "df1", "df", "main", "Degrees of freedom of the effect."),
    ("df2", "df2", "df", "main", "Degrees of freedom of the error."),
    ("p", "p", "p", "main", "Two-sided where the test has two sides; not adjusted."),
    ("p_holm", "p (Holm)", "p", "main", "p adjusted by Holm (1979) among the tests of its family."),
    ("p_bonferroni", "p (Bonferroni)", "p", "detail", "p times the number of tests of its family, at most 1."),
    ("ss", "Sum of squares", "number", "detail", "Sum of squares of the effect."),
    ("ss_error", "Error SS", "number", "detail", "Sum of squares of the error."),
    ("eps_gg", "ε (Greenhouse–Geisser)", "share", "detail", "ε of Greenhouse and Geisser; 1 with a single contrast."),
    ("p_gg", "p (Greenhouse–Geisser)", "p", "main", "p with both df multiplied by ε of Greenhouse and Geisser."),
    ("ges", "Generalised η²", "share", "main", "SS / (SS + all error SS), for factors that are manipulated."),
    ("pes", "Partial η²", "share", "main", "SS / (SS + error SS)."),
    ("pes_low", "ηp² CI low (90 %)", "share", "detail", "Lower end of the 90 % interval of partial η²."),
    ("pes_high", "ηp² CI high (90 %)", "share", "detail", "Upper end of the 90 % interval of partial η²."),
    ("ges_low", "ηG² CI low (90 %)", "share", "detail", "Lower end of the 90 % interval of generalised η²."),
    ("ges_high", "ηG² CI high (90 %)", "share", "detail", "Upper end of the 90 % interval of generalised η²."),
    ("d_z", "dz", "number", "main", "The difference over the standard deviation of the differences."),
    ("d_z_low", "dz CI low", "number", "detail", "Lower end of the interval of dz, by the noncentral t."),
    ("d_z_high", "dz CI high", "number", "detail", "Upper end of the interval of dz, by the noncentral t."),
    ("d_av", "dav", "number", "detail", "The difference over the root of the mean variance of the two means."),
    ("d_av_low", "dav CI low", "number", "detail", "Lower end of the interval of dav, by the noncentral t."),
    ("d_av_high", "dav CI high", "number", "detail", "Upper end of the interval of dav, by the noncentral t."),
    ("comparison", "Comparison", "text", "main", "What is compared with what."),
    ("log_lik", "Log likelihood", "number", "detail", "The log likelihood of the model."),
    ("aic", "AIC", "number", "detail", "Akaike's criterion; smaller is better."),
    ("bic", "BIC", "number", "detail", "The Bayesian information criterion; smaller is better."),
    ("converged", "Converged", "boolean", "detail", "Whether the fit ended at an optimum."),
    ("singular", "Singular", "boolean", "detail", "Whether a variance is at 0 or a correlation at ±1."),
    ("reading", "Reading", "text", "main", "What the row says, in words."),
    ("verdict", "Verdict", "text", "main", "What the row says, in words."),
)


def usual(name: str, label: str = "", meaning: str = "") -> Column:
    """Return a usual column under another heading, or with a meaning of its own.

    >>> usual("se", "SE of difference").label
    'SE of difference'
    """
    known = USUAL[name]
    return replace(known, label=label or known.label, meaning=meaning or known.meaning)


def shares(names: str) -> list[Column]:
    """Return usual columns whose numbers are shares.

    >>> [column.format for column in shares("ci_low ci_high")]
    ['share', 'share']
    """
    return [replace(USUAL[name], format="share") for name in names.split()]


@dataclass(frozen=True)
class FromData:
    """Columns that depend on the data, such as one per factor; `of` is given them by this name.

    `detail` names those of that importance, separated by spaces.
    """

    name: str
    meaning: str
    format: Format = "text"
    detail: str = ""


FACTORS = FromData("factors", "One column per factor: its level.")


@dataclass(frozen=True)
class TableDeclaration:
    """A table that a method's report may hold.

    `title` and headings may hold words in braces, which the report fills. A column in `optional` is there only where
    the data or the parameters ask for it, and so is the whole table where `when` says when. `order` says by which
    columns rows are shown: `rank`, `-mean` (the greatest first), `level: system text` (these first); files keep the
    order in which rows were computed.
    """

    name: str
    title: str
    meaning: str
    columns: tuple[Column | FromData, ...]
    optional: frozenset[str] = frozenset()
    when: str = ""
    order: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """Return the names of the columns that do not depend on the data."""
        return [column.name for column in self.columns if isinstance(column, Column)]

    def importances(self) -> dict[str, Importance]:
        """Return the importance of every column, by its name; of those that depend on the data, of the details alone.

        >>> declared_table("tests", "Tests", "One row per test.", "effect df p", key="p", detail="df").importances()
        {'effect': 'main', 'df': 'detail', 'p': 'key'}
        """
        found: dict[str, Importance] = {}
        for column in self.columns:
            if isinstance(column, Column):
                found[column.name] = column.importance
            else:
                found.update(dict.fromkeys(column.detail.split(), "detail"))
        return found

    def of(self, rows: pd.DataFrame | Iterable[Mapping[str, Any]], **given: Any) -> Table:
        """Return the table of a frame, or of one mapping per row, whose columns are picked by name.

        `given` are the words of the title, and for each `FromData` its columns: either columns, or a mapping from
        what is printed to the name of the column. A column that the rows lack is empty, or left out where it is
        optional.

        >>> means = declared_table("cells", "Means of {dv}", "Over units.", FACTORS, "n mean")
        >>> table = means.of([{"word": "cat", "n": 2, "mean": 0.5}], dv="rt", factors={"word": "word"})
        >>> table.title, [column.label for column in table.columns], table.rows
        ('Means of rt', ['word', 'n', 'Mean'], (('cat', 2, 0.5),))
        """
        lines = None if isinstance(rows, pd.DataFrame) else list(rows)
        there = set(rows.columns) if isinstance(rows, pd.DataFrame) else {name for line in lines or () for name in line}
        columns: list[Column] = []
        for column in self.columns:
            if isinstance(column, FromData):
                columns += _from_data(given.pop(column.name), column.format)
            elif column.name in there or column.name not in self.optional:
                columns.append(replace(column, label=column.label.format(**given)))
        title = self.title.format(**given)
        if lines is not None:
            return Table.from_rows(self.name, title, columns, lines)
        return Table.from_frame(self.name, title, columns, rows)  # type: ignore[arg-type]

    def differs(self, table: Table) -> str:
        """Say in what a table is not as declared; an empty text where it is.

        >>> means = declared_table("cells", "Means", "Over units.", "n mean", optional="mean")
        >>> means.differs(means.of([{"n": 1}])), means.differs(Table("cells", "Means", (USUAL["sd"],), ()))
        ('', 'cells has sd and declares n [mean]')
        """
        if not _filled(self.title, table.title):
            return f"the title of {self.name} is '{table.title}' and declared is '{self.title}'"
        if _matches(self.columns, table.columns, self.optional):
            return ""
        own = " ".join(f"[{each.name}]" if each.name in self.optional else each.name for each in self.columns)
        return f"{self.name} has {' '.join(column.name for column in table.columns)} and declares {own}"


def declared_table(
    name: str,
    title: str,
    meaning: str,
    *columns: str | Column | FromData | Sequence[Column],
    optional: str = "",
    key: str = "",
    detail: str = "",
    order: Sequence[str] = (),
    when: str = "",
) -> TableDeclaration:
    """Declare a table; a text names usual columns, separated by spaces. `key` and `detail` name those of that
    importance: what the table is named after, which no page and no paper leaves out, and what is left out first.

    >>> declared_table("tests", "Tests", "One row per test.", "effect", Column("w", "W"), "df p").names()
    ['effect', 'w', 'df', 'p']
    """
    found: list[Column | FromData] = []
    for entry in columns:
        if isinstance(entry, str):
            found += [USUAL[each] for each in entry.split()]
        elif isinstance(entry, Column):
            found.append(_with_meaning(entry))
        elif isinstance(entry, FromData):
            found.append(entry)
        else:
            found += map(_with_meaning, entry)
    of_names: dict[str, Importance] = {**dict.fromkeys(detail.split(), "detail"), **dict.fromkeys(key.split(), "key")}
    for place, column in enumerate(found):
        if isinstance(column, Column) and column.name in of_names:
            found[place] = replace(column, importance=of_names[column.name])
    return TableDeclaration(name, title, meaning, tuple(found), frozenset(optional.split()), when, tuple(order))


def undeclared(declarations: Sequence[TableDeclaration], tables: Iterable[Table]) -> list[str]:
    """Return a sentence for every table that is not declared, or not as it is."""
    known = {declaration.name: declaration for declaration in declarations}
    return [
        said
        for table in tables
        if (said := known[table.name].differs(table) if table.name in known else f"{table.name} is not declared")
    ]


def _with_meaning(column: Column) -> Column:
    known = USUAL.get(column.name)
    return column if column.meaning or known is None else replace(column, meaning=known.meaning)


def _from_data(given: Mapping[str, str] | Iterable[Column], shown: Format) -> list[Column]:
    if isinstance(given, Mapping):
        return [Column(name, label, shown) for label, name in given.items()]
    return list(given)


def _matches(declared: Sequence[Column | FromData], there: Sequence[Column], optional: frozenset[str]) -> bool:
    if not declared:
        return not there
    first, rest = declared[0], declared[1:]
    if isinstance(first, FromData):
        return any(_matches(rest, there[taken:], optional) for taken in range(len(there) + 1))
    alike = there and replace(first, label=there[0].label) == there[0] and _filled(first.label, there[0].label)
    return bool(alike and _matches(rest, there[1:], optional)) or (
        first.name in optional and _matches(rest, there, optional)
    )


def _filled(text: str, said: str) -> bool:
    """Return whether a text with words in braces may have become what is said."""
    return bool(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)), said, re.DOTALL))
