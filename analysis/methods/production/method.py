"""Compute cloze probabilities, entropy and target agreement of responses per item (`production-norms`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import FromData, declared_table, shares, usual
from analysis.methods.conditions.cell_names import column_names
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.production.counting import BETWEEN, Norm, norm_of
from analysis.methods.production.example import example
from analysis.methods.production.folding import Responses, folds_asked, spellings_of
from analysis.methods.production.wording import method_note, of_cells, remarks, sentences, warned
from analysis.methods.proportion_intervals import with_wilson
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import coded, codes, joined, required
from analysis.methods.wording import counted, listed

MOST_BARS = 40

BY = FromData("by", "One column per column of `by`: its level.")
NORMS = declared_table(
    "norms",
    "Responses to the items",
    "One row per item and response, the most frequent first. Intervals are Wilson's, 95 %.",
    "item",
    BY,
    Column("response", "Response", "text", meaning="As most people wrote it."),
    usual("n", meaning="How often it was given."),
    usual("share", meaning="Of the responses to the item."),
    shares("ci_low ci_high"),
)
ITEMS = declared_table(
    "items",
    "The items",
    "One row per item. Intervals are Wilson's, 95 %.",
    "item",
    BY,
    Column("n", "Responses", "integer", meaning="How many responses, without empty ones."),
    Column("different", "Different", "integer", meaning="How many different responses."),
    Column("entropy", "Entropy (bits)", meaning="−Σ p log2 p."),
    Column("dominant", "Dominant", "text", meaning="The most frequent response; equally frequent ones with / between."),
    usual("share", meaning="Share of the dominant response."),
    shares("ci_low ci_high"),
    Column("empty", "No response", "integer", meaning="Rows without a response, which are not in n."),
    Column("entropy_corrected", "Entropy, corrected", meaning="+ (different − 1)/(2 n ln 2), in bits (Miller 1955)."),
    Column("target", "Target", "text", meaning="The response that was expected."),
    Column("target_n", "Target given", "integer", meaning="How often the target was given."),
    Column("target_share", "Share of the target", "share", meaning="Of the responses in rows with a target."),
    Column("target_low", "CI low of the target", "share", meaning="Lower end of its interval."),
    Column("target_high", "CI high of the target", "share", meaning="Upper end of its interval."),
    optional="target target_n target_share target_low target_high",
    key="dominant share",
    detail="empty entropy_corrected target target_n target_share target_low target_high",
)


def production_norms(
    frame: pd.DataFrame,
    *,
    response: str,
    item: str | None = "item",
    by: tuple[str, ...] = (),
    fold: str = "case,space",
    target: str | None = None,
    spellings: Any = None,
    participant: str | None = "participant",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Count responses to items: cloze probabilities, association norms, agreement on names.

    `fold` says which written forms are one response: case, space (runs of blanks), accents, punctuation (around the
    response), or none; `spellings` is a list of forms with what they mean. A response is shown as most people wrote it.

    Several accepted targets are separated by `|`.

    Raises BadInput where no row has an item and a response.

    >>> frame, parameters = example()
    >>> print(production_norms(frame, **parameters).sentences[0])
    3 items in 6 cells (item × version) with 120 responses: on average 3.3 different ones, entropy 1.33 bits, ...
    """
    folds = folds_asked(fold)
    listed_forms = spellings_of(spellings.text, folds) if spellings is not None else {}
    items = required(frame, item, role="item")
    used = (items, *by, response, *((target,) if target is not None else ()))
    twice = sorted({name for name in used if used.count(name) > 1})
    if twice:
        raise BadInput(f"{listed(twice)} has two roles; item, by, response and target are different columns.")
    chosen = rows.select(frame, used=used, measured=[response], units=[participant, items], where=where, keep=keep)
    notes, warnings = list(chosen.notes), list(chosen.warnings)
    data = chosen.frame
    cells = joined(data, (items, *by))
    if (cells.positions < 0).any():
        notes.append(f"{counted(int((cells.positions < 0).sum()), 'row')} without item or group left out.")
        data = data.loc[cells.positions >= 0]
    given = codes(data, response)
    if not given.notna().any():
        raise BadInput(f"No row has both an item in '{items}' and a response in '{response}'; check these columns.")
    cells = joined(data, (items, *by))
    answered = given.notna().to_numpy()
    responses = Responses([str(text) for text in given[answered]], folds, listed_forms)
    warnings += warned(data, response, participant, (items, *by))
    progress(0.5, "counting responses")
    labels = column_names((items, *by), (*NORMS.names(), *ITEMS.names()))
    # The item keeps the name that other tables join by.
    labels[items] = "item"
    places = np.flatnonzero(answered)
    hits = _hits(data, target, responses, places) if target is not None else None
    norm_rows: list[dict[str, Any]] = []
    item_rows: list[dict[str, Any]] = []
    read = {name: coded(data, name) for name in labels}
    keys = np.array(responses.keys, dtype=object)
    for cell in range(len(cells.levels)):
        inside = cells.positions == cell
        first = int(np.flatnonzero(inside)[0])
        name = {column: read[own].levels[read[own].positions[first]] for own, column in labels.items()}
        own = inside[places]
        norm = norm_of(responses.shown[key] for key in keys[own])
        norm_rows += [
            {**name, "response": response, "n": number, **with_wilson(number, norm.n)}
            for response, number in norm.counts
        ]
        line = {**name, **_summary(norm), "empty": int((inside & ~answered).sum())}
        if target is not None and hits is not None:
            line |= _agreement(data, target, inside, hits[own])
        item_rows.append(line)
    grouped = {name: labels[name] for name in by}
    notes.append(method_note(folds, listed_forms))
    return Report(
        tables=(NORMS.of(norm_rows, by=grouped), ITEMS.of(item_rows, by=grouped)),
        figures=_figures(item_rows, grouped=grouped),
        notes=tuple(notes),
        warnings=(*warnings, *remarks(item_rows, grouped=grouped)),
        sentences=sentences(item_rows, grouped=grouped),
    )


def _hits(data: pd.DataFrame, target: str, responses: Responses, places: Any) -> list[bool | None] | Any:
    """Return for every response whether it is the target of its row; None where the row has none."""
    aims = codes(data, target).to_numpy()[places]
    known = {
        aim: {responses.key(one.strip()) for one in str(aim).split("|") if one.strip()}
        for aim in dict.fromkeys(aims)
        if aim is not None
    }
    return np.array(
        [None if aim is None else key in known[aim] for aim, key in zip(aims, responses.keys, strict=True)],
        dtype=object,
    )


def _summary(norm: Norm) -> dict[str, Any]:
    if not norm.n:
        return {"n": 0, "different": 0}
    return {
        "n": norm.n,
        "different": len(norm.counts),
        "entropy": norm.entropy,
        "dominant": BETWEEN.join(norm.dominant),
        **with_wilson(norm.counts[0][1], norm.n),
        "entropy_corrected": norm.corrected,
    }


def _agreement(data: pd.DataFrame, target: str, inside: Any, hits: Any) -> dict[str, Any]:
    names = codes(data.loc[inside], target).dropna()
    known = [bool(hit) for hit in hits if hit is not None]
    found: dict[str, Any] = dict.fromkeys(("target_n", "target_share", "target_low", "target_high"))
    found["target"] = BETWEEN.join(dict.fromkeys(sorted(names))) or None
    if not known:
        return found
    return found | {
        "target_n": sum(known),
        **with_wilson(sum(known), len(known), "target_share target_low target_high"),
    }


def _figures(lines: Sequence[dict[str, Any]], *, grouped: Mapping[str, str]) -> tuple[Figure, ...]:
    cells = of_cells(grouped)
    found = [
        Figure(
            name="entropy",
            title=f"Entropy of the {f'cells{cells}' if grouped else 'items'}",
            kind="histogram",
            table="items",
            encoding={"x": "entropy"},
            caption="0 bits: everybody gave the same response.",
            x_label="Entropy (bits)",
            y_label=f"Cells{cells}" if grouped else "Items",
        )
    ]
    if not grouped and len(lines) <= MOST_BARS:
        found.append(
            Figure(
                name="dominant",
                title="Share of the dominant response",
                kind="intervals",
                table="items",
                encoding={"x": "share", "y": "item", "low": "ci_low", "high": "ci_high"},
                caption="With Wilson's 95 % intervals.",
                x_label="Share",
            )
        )
    return tuple(found)


METHOD = declared(
    "production-norms",
    "Production norms",
    "Shares of responses per item (cloze), entropy, the dominant response, agreement with a target.",
    production_norms,
    Parameter(
        "response",
        "Response",
        "column",
        help="The typed response.",
        default="response",
        role="measure",
        also=("answer",),
    ),
    Parameter("item", "Item", "column", help="What people responded to.", required=True, role="unit"),
    Parameter("by", "Separately by", "columns", help="Columns whose levels get separate norms.", role="factor"),
    Parameter(
        "fold",
        "Ignore differences in",
        "text",
        help="Any of case, space, accents, punctuation, separated by commas; or none.",
    ),
    Parameter("target", "Target", "column", help="The expected response; several accepted ones are separated by |."),
    Parameter("spellings", "Spellings", "file", help="One per line: as written, a comma, as meant."),
    quotes_answers=True,
    group="describe",
    question=("Which answers do people give to each item, by {factors}?", "Which answers do people give to each item?"),
    needs=("typed answers",),
    example=example,
    tables=(NORMS, ITEMS),
)
