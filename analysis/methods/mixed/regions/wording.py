"""Write the notes and sentences of the models of all regions."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.methods.report import Table
from analysis.methods.wording import counted, df_text, listed, number_text, p_text


def note(name: str, *, analysed: Sequence[str], wanted: int) -> str:
    """Say to which regions the model was fitted, and for how many of them p was adjusted."""
    fitted = f"was fitted to each of {counted(wanted, 'region')}"
    if len(analysed) < wanted:
        fitted = f"could be fitted to {len(analysed)} of {counted(wanted, 'region')}"
    adjusted = "Within every term p was adjusted for their number, by Holm and by Benjamini and Hochberg."
    alone = "With one region there is nothing to adjust p for."
    return f"The model {fitted} of '{name}': {listed(analysed)}. {adjusted if len(analysed) > 1 else alone}"


def left_out(missing: int) -> list[str]:
    """Say how many rows were in no region."""
    return (
        [f"{counted(missing, 'row')} without a region {'was' if missing == 1 else 'were'} left out."] if missing else []
    )


def sentences(tables: Sequence[Table], *, analysed: int, wanted: int) -> tuple[str, ...]:
    """Return the tests of every region, each with p adjusted for all regions that could be analysed."""
    over = "the number of regions"
    if analysed < wanted:
        over = f"the {analysed} regions that could be analysed, of {wanted},"
    anova = next((table for table in tables if table.name == "anova"), None)
    if anova is None:
        return ()
    return tuple(
        f"{line['effect']} at region {line['region']}: F({df_text(line['df1'])}, {df_text(line['df2'])}) = "
        f"{number_text(line['f'])}, {p_text(line['p'])}"
        + (
            f", adjusted for {over} {p_text(line['p_holm'])} (Holm), {p_text(line['p_bh'])} (Benjamini–Hochberg)."
            if analysed > 1
            else "."
        )
        for line in anova.lines()
        if line["p"] is not None
    )
