"""What a procedure says of the order of trials: which column makes blocks, chains, first and last trials, repetitions.

A rule names a column of the materials: an attribute of items, a factor, a column that the paradigm reads, or
`item_set`, `item`, `condition`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.design.orders.arranged import FIRST, GIVEN, LAST, Arrangement
from experiments.design.orders.randomised import OrderRules
from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.models import Part, Stimulus
from experiments.paradigms.base import ShownStimulus, TrialPlan
from experiments.paradigms.pieces.shared_pages import BREAK, PAGES
from experiments.procedure.texts import Page
from experiments.rules.procedure import DEFAULT_PROCEDURE, NAMING_COLUMNS, is_arranged
from experiments.sentences import Sentence

ARRANGED = "arranged"
"""The key of a trial's private part that says its block and repetition."""

MOST_REPETITIONS = 50


def complete_procedure(procedure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the procedure with the defaults of what it leaves out."""
    return {**DEFAULT_PROCEDURE, **procedure}


def order_rules(procedure: Mapping[str, Any]) -> OrderRules:
    """Return the rules of the order that a procedure sets."""
    complete = complete_procedure(procedure)
    return OrderRules(
        practice_first=complete["practice_first"],
        leading_fillers=complete["leading_fillers"],
        max_same_condition_run=complete["max_same_condition_run"],
        max_target_run=complete["max_target_run"],
        blocked=complete["blocked"],
    )


def arrangement_of(procedure: Mapping[str, Any], blocks: Sequence[str]) -> Arrangement:
    """Return how a procedure arranges trials; `blocks` are the names of its blocks in the order of the materials."""
    complete = complete_procedure(procedure)
    return Arrangement(
        rules=order_rules(procedure),
        is_as_given=complete["sequence"] == GIVEN,
        blocks=tuple(blocks) if complete["block_by"] else (),
        block_order=complete["block_order"],
        is_mixed_evenly=complete["mix_fillers"],
        min_distance=complete["min_distance"],
        in_rounds=complete["repetition_rounds"],
    )


def cell_of(stimulus: ShownStimulus, column: str) -> str:
    """Return what a text has in a column of the materials; empty if nothing.

    >>> cell_of(ShownStimulus(1, "Ann came.", attributes={"topic": "visits"}), "topic")
    'visits'
    """
    own = {"item": stimulus.item, "item_set": stimulus.item_set, "condition": stimulus.condition or ""}
    for known in (stimulus.levels, stimulus.attributes, stimulus.extra, own):
        if column in known:
            return str(known[column] or "").strip()
    return ""


def placed_by(stimuli: Sequence[ShownStimulus], procedure: Mapping[str, Any]) -> list[ShownStimulus]:
    """Return the stimuli with their block, chain, place at the start or end, and how often each is shown."""
    complete = complete_procedure(procedure)
    placed = []
    for stimulus in stimuli:
        block, chain, fixed, times = (
            cell_of(stimulus, complete[name]) if complete[name] else "" for name in NAMING_COLUMNS
        )
        fixed = fixed.casefold()
        is_once = stimulus.is_practice or fixed in (FIRST, LAST)
        repetitions = 1 if is_once else complete["repetitions"]
        if times.isdecimal() and not stimulus.is_practice:
            repetitions = min(max(1, int(times)), MOST_REPETITIONS)
        placed.append(replace(stimulus, block=block, chain=chain, fixed=fixed, repetitions=repetitions))
    return placed


def block_names(part: Part, column: str) -> list[str]:
    """Return the blocks that a column makes: the levels of a factor in their order, else as the materials have them."""
    if not column:
        return []
    for factor in part.factors:
        if factor["name"] == column:
            return [str(level) for level in factor["levels"]]
    return list(dict.fromkeys(cell for each in _all_texts(part) if (cell := cell_of(each, column))))


def _all_texts(part: Part) -> Iterator[ShownStimulus]:
    """Yield every text of a task, without its words, in the order of the materials."""
    names = [str(factor["name"]) for factor in part.factors]
    rows = Stimulus.objects.filter(item__part=part).order_by("item__position", "condition__position", "pk")
    columns = ("pk", "item__code", "item__item_set", "item__attributes", "extra", "condition__levels")
    kinds = ("item__is_filler", "item__is_practice")
    for pk, item, item_set, attributes, extra, levels, is_filler, is_practice in rows.values_list(
        *columns, *kinds
    ).iterator():
        yield ShownStimulus(
            pk,
            "",
            item=item,
            item_set=item_set,
            attributes=attributes,
            extra=extra,
            levels=levels or {},
            condition=":".join(str(levels[name]) for name in names if name in levels) if levels else None,
            is_filler=is_filler,
            is_practice=is_practice,
        )


def column_faults(part: Part, procedure: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with the columns that a procedure names, and with their cells."""
    complete = complete_procedure(procedure)
    if not is_arranged(procedure):
        return []
    texts = list(_all_texts(part))
    known = {"item", "item_set", "condition"}.union(*((*each.levels, *each.attributes, *each.extra) for each in texts))
    faults = []
    for name in NAMING_COLUMNS:
        column = complete[name]
        if column and column not in known:
            message = Sentence(
                "The setting '{name}' names the column '{column}', which the materials do not have.",
                column=column,
                name=name,
            )
            suggestion = did_you_mean(column, sorted(known)) or Sentence(
                "They have: {known}.", known=listed(sorted(known), shown=30)
            )
            faults.append(Fault(setting=name, message=message, suggestion=suggestion, step="procedure"))
    if faults:
        return faults
    asked: Sequence[tuple[str, Callable[[str], bool], Sentence]] = (
        ("fixed_by", lambda cell: cell.casefold() in ("", FIRST, LAST), Sentence("Write first, last or nothing.")),
        (
            "repetitions_by",
            lambda cell: not cell or (cell.isdecimal() and 1 <= int(cell) <= MOST_REPETITIONS),
            Sentence("Write a whole number from 1 to {most}, or nothing.", most=MOST_REPETITIONS),
        ),
    )
    for name, is_right, suggestion in asked:
        cells = {each.item: cell_of(each, complete[name]) for each in texts} if complete[name] else {}
        wrong = {item: cell for item, cell in cells.items() if not is_right(cell)}
        if wrong:
            message = Sentence(
                "The column '{column}' contains cells that are not possible there: {cells}.",
                column=complete[name],
                cells=listed([f"{item}: {cell}" for item, cell in wrong.items()]),
            )
            faults.append(Fault(setting=name, message=message, suggestion=suggestion, step="procedure"))
    blocks = block_names(part, complete["block_by"])
    unknown = [name for name in complete["block_instructions"] if name not in blocks]
    if unknown:
        faults.append(
            Fault(
                setting="block_instructions",
                message=Sentence(
                    "There are instructions for blocks that do not exist: {names}.", names=listed(unknown)
                ),
                suggestion=Sentence("The blocks are: {blocks}.", blocks=listed(blocks, shown=20)),
                step="procedure",
            )
        )
    return faults


def waiting(seconds: int | None) -> dict[str, int]:
    """Return the parameters of pages on which people wait so many seconds at least; none for 0.

    >>> waiting(20), waiting(0)
    ({'minimum_ms': 20000}, {})
    """
    return {"minimum_ms": 1_000 * seconds} if seconds else {}


def block_rows(part: Part, blocks: Sequence[str]) -> int:
    """Return over how many orders of its blocks a task is balanced; 1 if they are not balanced."""
    return arrangement_of(part.procedure, blocks).n_rows


def told_by_block(
    trials: Sequence[TrialPlan],
    ordered: Sequence[ShownStimulus],
    pages: Mapping[str, Sequence[Page]],
    *,
    has_breaks: bool,
    wait: Mapping[str, int],
) -> list[TrialPlan]:
    """Return the trials with what comes between blocks: a break, then the block's own instructions.

    The private part of each says its block, the number of the block in the session, and the how many-th time its text
    and its item come, from 1. Practice trials are not counted.
    """
    block_of = {stimulus.stimulus_id: stimulus for stimulus in ordered}
    told: list[TrialPlan] = []
    current, number = "", 0
    texts: dict[int, int] = {}
    items: dict[str, int] = {}
    done = total = 0
    for trial in trials:
        stimulus = None if trial.stimulus_id is None else block_of.get(trial.stimulus_id)
        if stimulus is None:
            told.append(trial)
            continue
        if stimulus.block and stimulus.block != current:
            if current and has_breaks:
                told.append(TrialPlan("break", BREAK, {"done": done, "total": total, "pages": []}))
            if stimulus.block in pages:
                params = {"pages": list(pages[stimulus.block]), "kind": "instructions", **wait}
                told.append(TrialPlan("instructions", PAGES, params))
            current, number = stimulus.block, number + 1
        facts: dict[str, Any] = {"block": stimulus.block, "block_number": number} if stimulus.block else {}
        if not stimulus.is_practice:
            done, total = int(trial.params.get("index", done + 1)), int(trial.params.get("total", len(ordered)))
            texts[stimulus.stimulus_id] = texts.get(stimulus.stimulus_id, 0) + 1
            items[stimulus.item] = items.get(stimulus.item, 0) + 1
            facts |= {"repetition": texts[stimulus.stimulus_id], "item_repetition": items[stimulus.item]}
        told.append(replace(trial, private={**trial.private, ARRANGED: facts}))
    return told
