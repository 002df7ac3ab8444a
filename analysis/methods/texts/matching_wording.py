"""Notes, warnings and sentences about matched and unmatched conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.methods.texts.matching import ALIKE, DIFFER, LIST, MATCHED, UNDECIDED
from analysis.methods.texts.measures import MEASURES
from analysis.methods.wording import counted, listed, number_text, p_text, percent_text

MOST_PAIRS = 12
MOST_ITEMS = 3

Line = Mapping[str, Any]
Lines = Sequence[Line]


def method_note(lines: Sequence[Any], bounds: str, *, confidence: float) -> list[str]:
    """Say how texts were compared, with which bounds, and what the verdicts mean."""
    if not lines:
        return []
    alpha = 1 - confidence
    return [
        f"Texts of one item were averaged within a level; levels that share items were compared within these, others "
        f"between items or texts by Welch's t. Intervals are the {percent_text(1 - 2 * alpha)} intervals that belong "
        f"to two one-sided tests against these bounds: {bounds}; d is in standard deviations of the differences where "
        f"items are compared with themselves, else of both groups pooled. Matched: shown to be within the bounds, and "
        f"no sure difference. Alike but surely different: within the bounds, and surely not the same. Different: "
        f"surely not the same, and not shown to be within the bounds. A difference is sure where p, adjusted by Holm "
        f"over all comparisons of conditions (over all lists for those within lists, over all pairs of lists for lists "
        f"with each other), is below α = {alpha:.3g}."
    ]


def matching_sentences(lines: Lines, *, confidence: float) -> list[str]:
    """Say for every pair of levels, over all texts, in what they are matched and in what not."""
    level = f"{percent_text(1 - 2 * (1 - confidence))}"
    overall = [group for key, group in _by_pair(lines) if not key[0]]
    shown = overall
    if len(overall) > MOST_PAIRS:
        shown = [group for group in overall if any(line["verdict"] == DIFFER for line in group)][:MOST_PAIRS]
    return [_sentence(group, level=level) for group in shown]


def matching_warnings(lines: Lines, away: Lines) -> list[str]:
    """Warn of differences between conditions and lists, and of what the texts are too few to tell."""
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
    within = [line for line in lines if line["list"] and line["verdict"] in (DIFFER, ALIKE)]
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
            f"For {counted(number, 'pair')} of levels there are not enough texts to tell about some measures whether "
            f"they are alike or different ({_measures(dict.fromkeys(line['measure'] for line in open_ones))}); look at "
            f"the intervals. More items, or a larger bound, would decide."
        )
    return said


def equal_notes(lines: Lines) -> list[str]:
    """Say where there is nothing to test, or no error to test against."""
    said = []
    number = sum(1 for line in lines if line["verdict"] == MATCHED and line.get("p") is None)
    if number:
        said.append(f"In {counted(number, 'comparison')} no item differs at all, so there is neither error nor test.")
    exact = [line for line in lines if line.get("p") is not None and line.get("t") is None]
    if exact:
        pairs = list(dict.fromkeys(f"{_names(line)} in {MEASURES[line['measure']]}" for line in exact))
        said.append(
            f"All items differ by the same amount between {listed(pairs, shown=4)}; p is then that of the signs of the "
            f"differences, or of parting the texts so."
        )
    return said


def size_text(line: Line) -> str:
    """Say how large a difference is: both means, and the difference in per cent.

    >>> size_text({"mean_a": 18.2, "mean_b": 16.2, "diff": 2.0, "percent": 11.63})
    '18.20 and 16.20, +11.6 %'
    """
    means = f"{number_text(line['mean_a'])} and {number_text(line['mean_b'])}"
    if line.get("percent") is None:
        return means
    sign = "+" if line["percent"] > 0 else ""
    return f"{means}, {sign}{number_text(line['percent'], places=1)} %"


def _by_pair(lines: Lines) -> Iterable[tuple[tuple[str, str, str, str], list[Line]]]:
    groups: dict[tuple[str, str, str, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[(line["list"], line["factor"], line["a"], line["b"])].append(line)
    return groups.items()


def _sentence(group: Sequence[Line], *, level: str) -> str:
    by_verdict: dict[str, list[Line]] = defaultdict(list)
    for line in group:
        by_verdict[line["verdict"]].append(line)
    parts = []
    if by_verdict[MATCHED]:
        parts.append(f"are matched in {_measures(line['measure'] for line in by_verdict[MATCHED])}")
    if by_verdict[ALIKE]:
        parts.append(f"are alike but surely different in {listed([_told(line, level) for line in by_verdict[ALIKE]])}")
    if by_verdict[DIFFER]:
        parts.append(f"are different in {listed([_told(line, level) for line in by_verdict[DIFFER]])}")
    if by_verdict[UNDECIDED]:
        told = listed([_told(line, level) for line in by_verdict[UNDECIDED]])
        parts.append(f"have not enough texts to tell about {told}")
    return f"{_names(group[0])} {'; they '.join(parts)}."


def _told(line: Line, level: str) -> str:
    name = MEASURES[line["measure"]]
    if line.get("diff") is None:
        return name
    if line.get("diff_low") is None:
        return f"{name} ({size_text(line)}, the same in all items)"
    unit, mark = ("percent", " %") if line.get("percent_low") is not None else ("diff", "")
    low, high = (number_text(line[f"{unit}_{end}"], places=1 if mark else 2) for end in ("low", "high"))
    return f"{name} ({size_text(line)}, {level} CI [{low}, {high}]{mark}, {p_text(line['p_holm'])} (Holm))"


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
        told.append(f"{MEASURES[line['measure']]}, {size_text(line)}{worst}")
    return f"{_names(first)} are not matched in {'; in '.join(told)}."


def _names(line: Line) -> str:
    if line["factor"] == LIST:
        return f"List {line['a']} and list {line['b']}"
    return f"{line['a']} and {line['b']} ({line['factor']})"


def _measures(names: Iterable[str]) -> str:
    return listed([MEASURES[name] for name in names])
