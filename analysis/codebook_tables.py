"""The columns of the tables beside `trials.csv` on which analyses can run: codings, long tables, pairs."""

from __future__ import annotations

from analysis.codebook import (
    EXCLUDED,
    PERSON,
    PLACE,
    POSITION,
    REASON,
    SHOWN,
    SIMULATED,
    STIMULUS,
    STUDY,
    ExportColumn,
    attribute_names,
    code_columns,
    distinct,
    measure_column,
)
from experiments.models import Study
from experiments.paradigms.base import LongTable

IS_FILLER = SHOWN[0]
LEFT_OUT = (SIMULATED, EXCLUDED, REASON)

RECALLED = (
    ExportColumn("recall_id", "text", "Opaque name of the recall, as coders know it.", role="unit"),
    ExportColumn("stimulus", "text", "The text that was shown."),
    ExportColumn("recall", "text", "What the participant wrote."),
    ExportColumn("words", "integer", "Words of the text that was shown.", "words", role="measure"),
)
GIVEN = (
    ExportColumn("coder", "text", "Pseudonym of the coder: coder-1, coder-2, …; final in the final rows.", role="unit"),
    ExportColumn(
        "role", "text", "Whether one coder gave the codes, or they are the final ones.", values=("coder", "final")
    ),
    ExportColumn(
        "source",
        "text",
        "Final rows: settled by adjudication, agreed by all coders, or of a single coder. There is no final row where "
        "coders differ and nothing is settled.",
        values=("adjudicated", "agreed", "single"),
    ),
    ExportColumn("codes", "text", "The codes, separated by semicolons.", role="measure"),
)
WORKED = (
    ExportColumn("score", "number", "Sum of the weights of the codes.", role="measure"),
    ExportColumn("note", "text", "Note of the coder, or of whoever settled the codes."),
    ExportColumn("seconds", "number", "Time that the coder had the recall on the screen, added up.", "s"),
    ExportColumn("coded_at", "datetime", "When the codes were last changed (UTC, ISO 8601)."),
)


def coding_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `codings.csv`: one row for each coding, and one for the final codes of each recall."""
    codes = code_columns(study, of="")
    fixed = (*PERSON, POSITION, *STIMULUS, IS_FILLER, *RECALLED, *GIVEN, *codes, *WORKED, *LEFT_OUT)
    taken = {column.name for column in fixed}
    factors = factor_columns(study, taken=taken)
    attributes = attribute_columns(study, taken=taken)
    before = (*PERSON, POSITION, *STIMULUS, *factors, IS_FILLER)
    return (*before, *RECALLED, *GIVEN, *codes, *WORKED, *LEFT_OUT, *attributes)


def long_columns(study: Study, table: LongTable) -> tuple[ExportColumn, ...]:
    """Return the columns of a long table: those that say which trial a row belongs to, then its own."""
    own = tuple(measure_column(measure) for measure in table.columns)
    taken = {column.name for column in (*PERSON, *PLACE, *STIMULUS, IS_FILLER, *own, *LEFT_OUT)}
    factors = factor_columns(study, taken=taken)
    attributes = attribute_columns(study, taken=taken)
    return (*PERSON, *PLACE, *STIMULUS, *factors, IS_FILLER, *own, *LEFT_OUT, *attributes)


def factor_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the factors, under names that are not taken."""
    return tuple(
        ExportColumn(
            distinct(str(factor["name"]), taken=taken, prefix="factor"),
            "text",
            f"Level of the factor {factor['name']}; empty for trials without a condition.",
            values=tuple(str(level) for level in factor.get("levels", ())),
            role="factor",
        )
        for factor in study.factors
    )


def attribute_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the items' attributes, under names that are not taken."""
    return tuple(
        ExportColumn(
            distinct(name, taken=taken, prefix="attribute"), "text", f"Attribute {name} of the item.", role="factor"
        )
        for name in attribute_names(study)
    )


PAIR_COLUMNS = (
    STUDY,
    ExportColumn("other_study", "text", "Short name of the study whose ratings are compared."),
    ExportColumn("item_set", "text", "Set of items that are rotated together."),
    ExportColumn("item", "text", "Code of the item.", role="unit"),
    ExportColumn("factor", "text", "The factor in which the two conditions differ.", role="factor"),
    ExportColumn("condition_a", "text", "The first condition, in the order of the design.", role="factor"),
    ExportColumn("condition_b", "text", "The second condition.", role="factor"),
    ExportColumn(
        "z_a", "number", "Mean rating_z of the item in the first condition, in the other study.", role="measure"
    ),
    ExportColumn("z_b", "number", "The same in the second condition.", role="measure"),
    ExportColumn("difference_z", "number", "z_a − z_b, rounded to 1e-9; empty where one is missing.", role="measure"),
    ExportColumn("score_a", "number", "Mean score of the item in the first condition, in this study.", role="measure"),
    ExportColumn("score_b", "number", "The same in the second condition.", role="measure"),
    ExportColumn(
        "difference_score", "number", "score_a − score_b, rounded to 1e-9; empty where one is missing.", role="measure"
    ),
    ExportColumn("words", "integer", "Words of the shorter of the two texts.", "words", role="measure"),
    ExportColumn("n_z_a", "integer", "Ratings behind z_a.", "trials"),
    ExportColumn("n_z_b", "integer", "Ratings behind z_b.", "trials"),
    ExportColumn("n_score_a", "integer", "Scores behind score_a.", "trials"),
    ExportColumn("n_score_b", "integer", "Scores behind score_b.", "trials"),
)
