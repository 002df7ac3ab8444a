"""Notes, warnings and sentences of a report on production norms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.production.counting import BETWEEN
from analysis.methods.rows.columns import codes, repeated
from analysis.methods.wording import counted, listed, number_text, share_text

FEW = 20
"""Responses below which shares are rough and the entropy is far too low."""


def warned(data: pd.DataFrame, response: str, participant: str | None, cell: Sequence[str]) -> list[str]:
    """Warn of words that were read as no response, and of people who answered an item of a cell more than once."""
    said = []
    missing = codes(data, response).isna()
    words = data.loc[missing, response]
    named = sorted({str(word).strip() for word in words if isinstance(word, str) and word.strip()})
    if named:
        said.append(
            f"{listed(named)} in '{response}' was read as no response, as R and pandas write one; if somebody typed "
            f"it, write it in small letters."
        )
    if participant is not None and participant in data.columns:
        again = repeated(data.loc[~missing], [participant, *cell])
        if again.any():
            said.append(
                f"{counted(int(again.sum()), 'response')} are from somebody who answered the same item more than once; "
                f"shares count responses, and intervals take them as from different people."
            )
    return said


def method_note(folds: Sequence[str], spellings: dict[str, str]) -> str:
    """Say which responses are one, and what the numbers are."""
    how = f"Responses that differ only in {listed(folds)} are one" if folds else "Responses were counted as written"
    also = f"; {counted(len(spellings), 'spelling')} were corrected by the list that was given" if spellings else ""
    return (
        f"{how}{also}; they are shown as most people wrote them. Shares are of the responses to an item, entropy is "
        f"−Σ p log2 p in bits, intervals are Wilson's (95 %)."
    )


def of_cells(grouped: Mapping[str, str]) -> str:
    """Return ` (item × group)` where groups have their own norms, else nothing."""
    return f" ({' × '.join(['item', *grouped])})" if grouped else ""


def _name(line: Mapping[str, Any], grouped: Mapping[str, str]) -> str:
    """Return the name of an item, with its groups where these have norms of their own."""
    return f"{line['item']} ({', '.join(str(line[own]) for own in grouped.values())})" if grouped else str(line["item"])


def remarks(lines: Sequence[dict[str, Any]], *, grouped: Mapping[str, str]) -> list[str]:
    """Return what should be known of the items before their norms are used; `grouped` names the columns of `by`."""
    said = []
    cells = of_cells(grouped)
    one, several_ones = (f"cell{cells} has", f"cells{cells} have") if grouped else ("item has", "items have")
    sizes = [line["n"] for line in lines if line["n"]]
    nothing = [_name(line, grouped) for line in lines if not line["n"]]
    if nothing:
        said.append(f"{listed(dict.fromkeys(nothing))} got no response at all: empty in the table.")
    tied = [_name(line, grouped) for line in lines if BETWEEN in (line.get("dominant") or "")]
    if tied:
        said.append(
            f"{counted(len(tied), one, several_ones)} several responses that are equally frequent "
            f"({listed(dict.fromkeys(tied), shown=4)}): none of them dominates."
        )
    if min(sizes) < FEW:
        said.append(
            f"{counted(sum(n < FEW for n in sizes), one, several_ones)} fewer than {FEW} responses: intervals "
            f"are wide, and entropy is too low, since rare responses have not come yet (see entropy_corrected)."
        )
    elif max(sizes) > 1.5 * min(sizes):
        said.append(
            f"{f'Cells{cells}' if grouped else 'Items'} differ in their numbers of responses: entropy and the number "
            f"of different responses grow with it; compare by entropy_corrected or by shares."
        )
    several = [_name(line, grouped) for line in lines if BETWEEN in (line.get("target") or "")]
    if several:
        said.append(
            f"{listed(dict.fromkeys(several), shown=4)}: the target differs between rows, each of which is compared "
            f"with its own."
        )
    return said


def sentences(lines: Sequence[dict[str, Any]], *, grouped: Mapping[str, str]) -> tuple[str, ...]:
    """Return the norms on average over items, or over the cells of items and groups."""
    known = [line for line in lines if line["n"]]

    def mean(name: str) -> float:
        return float(np.mean([line[name] for line in known]))

    what = counted(len({line["item"] for line in known}), "item")
    over = "items"
    if grouped:
        over = f"cells{of_cells(grouped)}"
        what += f" in {counted(len(known), f'cell{of_cells(grouped)}', over)}"
    said = [
        f"{what} with {counted(sum(line['n'] for line in known), 'response')}: on average "
        f"{number_text(mean('different'), places=1)} different ones, entropy {number_text(mean('entropy'))} bits, "
        f"share of the dominant one {share_text(mean('share'))}."
    ]
    aimed = [line["target_share"] for line in lines if line.get("target_share") is not None]
    if aimed:
        said.append(f"The target was given in a share of {share_text(float(np.mean(aimed)))}, on average over {over}.")
    return tuple(said)
