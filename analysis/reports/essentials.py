"""Select the essentials of a report: one table, and of wide tables the columns that a paper prints.

Everything else of a report is folded below, and every column is in the file. A method that is not named here begins
with its first table, and a table that is not named shows as many of its first columns as fit a sheet of paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from analysis.methods.report import Figure, Report, Table

# A table longer than this lists data rather than results.
ROWS_SHOWN = 60
# What a reader needs first fits two screens of 1,280 by 900 pixels: so many rows of the table to read first, so many
# sentences and warnings of together so many characters, and a figure that is drawn so high.
ROWS_FIRST = 12
SENTENCES_FIRST = 4
WARNINGS_FIRST = 3
CHARACTERS_FIRST = 450
TALLEST_FIRST = 480
# Heights in which `figure_marks` draws, in pixels: a label with its interval, all other kinds, the axis with its words.
HEIGHT_OF_LABEL, HEIGHT_OF_PICTURE, HEIGHT_OF_AXIS = 20, 320, 60
PANELS_BESIDE = 3

# The first of these tables that a report has and that has rows is the one to read first.
FIRST: Mapping[str, tuple[str, ...]] = {
    "normalise": ("rankings",),
    "lmm": ("anova", "fixed"),
    "glmm": ("anova", "fixed"),
    "ordinal": ("anova", "fixed"),
    "reading": ("conditions",),
    "signal-detection": ("cells",),
    "production-norms": ("items",),
    "text-profile": ("differences", "matching", "profile"),
    "perturb": ("summary",),
}

# Table → columns, in the order in which they are printed.
COLUMNS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("normalise", "rankings"): (
        "condition", "n", "mean_raw", "rank_raw", "mean_log", "rank_log", "mean_z", "rank_z",
    ),
    ("normalise", "participants"): ("participant", "n", "mean", "sd", "median", "min", "max", "flag"),
    ("rm-anova", "anova"): ("effect", "df1", "df2", "f", "p", "p_gg", "ges", "pes", "pes_low", "pes_high"),
    ("friedman", "friedman"): ("effect", "n", "k", "chi2", "df", "p", "w"),
    ("min-f", "minf"): ("effect", "f1", "f2", "minf", "df1", "df2", "p", "p1", "p2"),
    ("tukey", "comparisons"): ("by", "a", "b", "diff", "q", "p", "d_z", "d_z_low", "d_z_high"),
    ("equivalence", "equivalence"): (
        "contrast", "size", "ci_low", "ci_high", "low", "high", "df", "p", "p_difference", "verdict",
    ),
    ("bayes-factor", "t"): ("contrast", "estimate", "t", "df", "bf10", "bf01", "d_z", "reading"),
    ("lmm", "anova"): ("effect", "df1", "df2", "f", "p"),
    ("lmm", "fixed"): ("term", "estimate", "se", "df", "t", "p", "ci_low", "ci_high"),
    ("glmm", "fixed"): (
        "term", "estimate", "se", "z", "p", "odds_ratio", "or_low", "or_high", "rate_ratio", "rr_low", "rr_high",
        "mean_ratio", "mr_low", "mr_high",
    ),
    ("ordinal", "fixed"): ("term", "estimate", "se", "z", "p", "odds_ratio", "or_low", "or_high"),
    ("lmm", "comparisons"): (
        "factor", "by", "a", "b", "geometric_mean_diff", "geometric_mean_diff_low", "geometric_mean_diff_high",
        "ratio", "ratio_low", "ratio_high", "diff", "ci_low", "ci_high", "p", "d", "d_low", "d_high",
    ),
    ("glmm", "comparisons"): (
        "outcome", "factor", "by", "a", "b", "probability_diff", "probability_diff_low", "probability_diff_high",
        "expected_diff", "expected_diff_low", "expected_diff_high", "odds_ratio", "or_low", "or_high", "rate_ratio",
        "rr_low", "rr_high", "mean_ratio", "mr_low", "mr_high", "p",
    ),
    ("ordinal", "comparisons"): (
        "factor", "by", "a", "b", "points_diff", "points_diff_low", "points_diff_high", "odds_ratio", "or_low",
        "or_high", "p",
    ),
    **{(method, "units"): ("group", "unit", "term", "estimate", "se", "ci_low", "ci_high", "effect")
       for method in ("lmm", "glmm", "ordinal")},
    **{(method, "influence"): ("group", "unit", "term", "estimate", "without", "change", "change_se")
       for method in ("lmm", "glmm")},
    ("reading", "aoi"): ("participant", "text", "condition", "aoi", "first_pass", "go_past", "total_duration"),
    ("reading", "text"): ("participant", "text", "condition", "total_time", "visits", "transitions", "regressions"),
    ("proportions", "ztest"): ("a", "b", "p_a", "p_b", "diff", "ci_low", "ci_high", "z", "p"),
    ("production-norms", "items"): ("item", "n", "different", "entropy", "dominant", "share", "ci_low", "ci_high"),
    ("logistic", "blocks"): (
        "model", "block", "minus2ll", "step_chi2", "step_df", "step_p", "nagelkerke", "auc",
    ),
    ("logistic", "coefficients"): ("model", "block", "term", "b", "se", "wald", "p", "exp_b", "or_low", "or_high"),
    ("power", "power"): ("effect", "n_participants", "n_items", "power", "ci_low", "ci_high"),
    ("robustness", "robustness"): (
        "scale", "exclusion", "effect", "f1", "p1", "f2", "p2", "minf", "p_minf", "decision",
    ),
    ("consistency", "consistency"): ("test", "df1", "df2", "statistic", "reported_p", "computed_p", "verdict"),
    ("text-profile", "profile"): (
        "factor", "level", "n", "words_mean", "words_sd", "words_per_sentence", "fkgl", "zipf",
    ),
    ("text-profile", "matching"): ("pair", "measure", "mean_a", "mean_b", "percent", "d", "p_holm", "verdict"),
    ("overlap", "systems"): (
        "system", "n", "bleu", "bleu_low", "bleu_high", "sari", "sari_low", "sari_high", "chrf", "ter",
    ),
    ("overlap", "differences"): ("metric", "a", "b", "diff", "diff_low", "diff_high", "p_bootstrap", "p_holm"),
    ("perturb", "summary"): ("edit", "metric", "before", "after", "change", "change_low", "change_high", "rewarded"),
    ("metric-vs-human", "correlations"): ("level", "metric", "how", "n", "r", "p", "both_low", "both_high"),
    ("metric-vs-human", "comparisons"): ("level", "a", "b", "r_a", "r_b", "diff", "diff_low", "diff_high", "p_holm"),
    ("metric-vs-human", "accuracy"): ("level", "metric", "pairs", "accuracy", "accuracy_ties", "accuracy_calibrated"),
}  # fmt: skip


def is_listing(table: Table) -> bool:
    """Say whether a table lists data rather than results."""
    return len(table.rows) > ROWS_SHOWN


def first_table(report: Report) -> Table | None:
    """Return the table to read first, or None where the report has none: one with results where there is any."""
    by_name = {table.name: table for table in report.tables if table.rows and not is_listing(table)}
    named = (by_name[name] for name in FIRST.get(report.method, ()) if name in by_name)
    return next(named, None) or next(iter(by_name.values()), None) or next(iter(report.tables), None)


def first_figure(report: Report, table: Table | None) -> Figure | None:
    """Return the figure to see first, one of that table where there is any; None where all are taller than a screen."""
    low = [figure for figure in report.figures if height_of(report, figure) <= TALLEST_FIRST]
    of_table = [figure for figure in report.figures if table is not None and figure.table == table.name]
    return next((figure for figure in of_table if figure in low), None) or next(iter([] if of_table else low), None)


def height_of(report: Report, figure: Figure) -> int:
    """Return about how many pixels high a figure is drawn.

    >>> from analysis.methods.report import Column
    >>> rows = tuple((f"text {number}", number) for number in range(30))
    >>> table = Table("scores", "Scores", (Column("text", "Text", "text"), Column("score", "Score")), rows)
    >>> figure = Figure("scores", "Scores", "intervals", "scores", {"x": "score", "y": "text"})
    >>> height_of(Report("any", {}, (table,)), figure)
    660
    """
    levels = {
        channel: len({line[figure.encoding[channel]] for line in report.table(figure.table).lines()})
        if channel in figure.encoding
        else 1
        for channel in ("y", "colour", "panel")
    }
    one = HEIGHT_OF_LABEL * levels["y"] * levels["colour"] if figure.kind == "intervals" else HEIGHT_OF_PICTURE
    return ceil(levels["panel"] / PANELS_BESIDE) * (one + HEIGHT_OF_AXIS)


def parted(texts: Sequence[str], *, most: int) -> tuple[Sequence[str], Sequence[str]]:
    """Return the texts to read first, at least one and at most so many, and those that are folded.

    >>> parted(["a" * 300, "b" * 120, "c" * 90], most=4)[1] == ["c" * 90]
    True
    >>> parted(["a" * 900, "b"], most=4)[1]
    ['b']
    """
    count = 1
    while count < min(most, len(texts)) and sum(map(len, texts[: count + 1])) <= CHARACTERS_FIRST:
        count += 1
    return texts[:count], texts[count:]


def essential_columns(method: str, table: Table) -> Sequence[str]:
    """Return the names of the columns that a paper prints of a table; empty where the first ones that fit will do."""
    return COLUMNS.get((method, table.name), ())
