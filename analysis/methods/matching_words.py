"""What is said of matched and unmatched conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.methods.matching import DIFFER, EQUAL, LIST, MATCHED, TOO_FEW, UNDECIDED
from analysis.methods.text_measures import MEASURES
from analysis.methods.wording import counted, listed, number_text, p_text, percent_text

MOST_PAIRS = 12
MOST_ITEMS = 3

Line = Mapping[str, Any]
Lines = Sequence[Line]


def matching_sentences(lines: Lines, *, bound: float, confidence: float) -> list[str]:
    """Say for every pair of levels, over all texts, in what they are matched and in what not."""
    level = f"{percent_text(1 - 2 * (1 - confidence))}"
    overall = [group for key, group in _by_pair(lines) if not key[0]]
    shown = overall
    if len(overall) > MOST_PAIRS:
        shown = [group for group in overall if any(line["verdict"] == DIFFER for line in group)][:MOST_PAIRS]
    return [_sentence(group, bound=bound, level=level) for group in shown]


def matching_warnings(lines: Lines, away: Lines) -> list[str]:
    """Warn of differences between conditions and lists, of too few items, and of tests that are not defined."""
    said: list[str] = []
    differing = [
        found
        for key, group in _by_pair(lines)
        if not key[0] and (found := [line for line in group if line["verdict"] == DIFFER])
    ]
    said += [_warning(found, away) for found in differing[:MOST_PAIRS]]
    if len(differing) > MOST_PAIRS:
        said.append(f"{len(differing) - MOST_PAIRS:,} more pairs differ; the table `matching` has them all.")
    if differing:
        said.append(
            "What people do differently in conditions that are not matched may come from that: change the texts, or "
            "enter the measure as a covariate."
        )
    within = [line for line in lines if line["list"] and line["verdict"] == DIFFER]
    if within:
        where = list(dict.fromkeys(f"list {line['list']} ({_names(line)})" for line in within))
        what = _measures(dict.fromkeys(line["measure"] for line in within))
        said.append(
            f"Within single lists conditions differ in {what}: {listed(where, shown=6)}. Participants of one list meet "
            f"that difference; over all lists it may cancel out."
        )
    open_ones = [line for line in lines if not line["list"] and line["verdict"] == UNDECIDED]
    if open_ones:
        number = len({(line["factor"], line["a"], line["b"]) for line in open_ones})
        said.append(
            f"For {counted(number, 'pair')} of levels some measures are neither shown to differ nor shown to be alike "
            f"({_measures(dict.fromkeys(line['measure'] for line in open_ones))}); more items, or a larger bound, "
            f"would decide."
        )
    few = [line for line in lines if line["verdict"] == TOO_FEW]
    if few:
        pairs = list(dict.fromkeys(_names(line) + (f" on list {line['list']}" if line["list"] else "") for line in few))
        said.append(
            f"Nothing can be tested where a level has fewer than two items or values: {listed(pairs, shown=4)}."
        )
    exact = [line for line in lines if line["verdict"] in (MATCHED, DIFFER) and line.get("p") is None]
    if exact:
        pairs = list(dict.fromkeys(f"{_names(line)} in {MEASURES[line['measure']]}" for line in exact))
        said.append(f"There is no test where all items differ by the same amount: {listed(pairs, shown=4)}.")
    return said


def equal_notes(lines: Lines) -> list[str]:
    """Say that there is nothing to test where levels are equal."""
    number = sum(1 for line in lines if line["verdict"] == EQUAL)
    if not number:
        return []
    return [f"In {counted(number, 'comparison')} no item differs at all, so there is neither error nor test."]


def _by_pair(lines: Lines) -> Iterable[tuple[tuple[str, str, str, str], list[Line]]]:
    groups: dict[tuple[str, str, str, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[(line["list"], line["factor"], line["a"], line["b"])].append(line)
    return groups.items()


def _sentence(group: Sequence[Line], *, bound: float, level: str) -> str:
    by_verdict: dict[str, list[Line]] = defaultdict(list)
    for line in group:
        by_verdict[line["verdict"]].append(line)
    parts = []
    alike = [*by_verdict[EQUAL], *by_verdict[MATCHED]]
    if alike:
        parts.append(f"are matched within ±{bound:g} sd in {_measures(line['measure'] for line in alike)}")
    if by_verdict[DIFFER]:
        parts.append(f"differ in {listed([_told(line, level) for line in by_verdict[DIFFER]])}")
    if by_verdict[UNDECIDED]:
        parts.append(f"are undecided in {listed([_told(line, level) for line in by_verdict[UNDECIDED]])}")
    if by_verdict[TOO_FEW]:
        parts.append(f"have too few items for {_measures(line['measure'] for line in by_verdict[TOO_FEW])}")
    return f"{_names(group[0])} {'; they '.join(parts)}."


def _told(line: Line, level: str) -> str:
    if line.get("d") is None:
        return f"{MEASURES[line['measure']]} ({number_text(line['mean_a'])} and {number_text(line['mean_b'])})"
    if line.get("p") is None:
        return f"{MEASURES[line['measure']]} (d = {number_text(line['d'])}, the same in all items)"
    return (
        f"{MEASURES[line['measure']]} (d = {number_text(line['d'])}, {level} CI [{number_text(line['d_low'])}, "
        f"{number_text(line['d_high'])}], {p_text(line['p'])})"
    )


def _warning(differing: Sequence[Line], away: Lines) -> str:
    first = differing[0]
    pair = (first["factor"], first["a"], first["b"])
    told = []
    for line in differing:
        items = [
            row["item"]
            for row in away
            if (row["factor"], row["a"], row["b"]) == pair and row["measure"] == line["measure"]
        ][:MOST_ITEMS]
        worst = f" (most in {listed(items)})" if items else ""
        told.append(
            f"{MEASURES[line['measure']]}, {number_text(line['mean_a'])} and {number_text(line['mean_b'])}{worst}"
        )
    return f"{_names(first)} are not matched in {'; in '.join(told)}."


def _names(line: Line) -> str:
    if line["factor"] == LIST:
        return f"List {line['a']} and list {line['b']}"
    return f"{line['a']} and {line['b']} ({line['factor']})"


def _measures(names: Iterable[str]) -> str:
    return listed([MEASURES[name] for name in names])
