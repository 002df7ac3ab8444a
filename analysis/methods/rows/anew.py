"""Ids that begin anew in every group, list or type: person 1 of one group is then taken for person 1 of the other.

Everybody of a group sees all items, so pairs of participant and item repeat once per group. A design in which people
see every item at each level of a factor has the very same rows. What tells them apart, in this order:

1. Ids that are no small numbers (`p7`, `12`) begin nowhere anew.
2. A model that lets the effect vary by the unit, or a factor named as within it, says whose rows these are, and
   holds its level either way.
3. Trials that are numbered through over the levels are those of one person. So are attributes that are the same at
   every level, such as an age or the text that all versions of an item are made from.
4. Items are made in several conditions, and their versions may have little in common: of items only columns are asked
   whose names say that an item has one level (`type`, `block`).
5. The values: what a person has at one level tells of the other level (the units' mean square F over that of units ×
   levels is large), or does not, while people at one level differ (the mean square of their means over the residual is
   large). The likelihoods of both are compared; what makes no difference to the test is not asked.

So nothing is asserted: the remark says what was seen, which id to check, and what to write in either case.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.rows.columns import coded, repeated
from analysis.methods.rows.combined import combined, numbered
from analysis.methods.rows.design import PEOPLE, THINGS, Design, Unit, has_value
from analysis.methods.rows.factors import Coded, factor_of
from analysis.methods.rows.remarks import Importance, Remark
from analysis.methods.wording import listed, number_text

_OF_PEOPLE = """
group groups list version sample cohort class school site lab location country arm batch file questionnaire
gruppe liste klasse schule
"""
_OF_THINGS = "type category set item_set itemset block experiment subset corpus genre typ kategorie"
OF_PEOPLE, OF_THINGS = frozenset(_OF_PEOPLE.split()), frozenset(_OF_THINGS.split())
"""Columns of which people, and items, have one level each, whether the analysis names them or not."""
PERSON = re.compile(
    "participant|subj|sub$|rater|judge|person|people|speaker|reader|annotator|coder|worker|user|pupil|student|child"
    "|^(?:vp|pp|ppt|pid|id|s)$|teilnehm|proband"
)
NUMBERED_ID = re.compile(r"(?P<prefix>\D{0,12}?)0*(?P<number>\d{1,4})")
TRIALS = ("trial", "trial_number", "trial_index", "position")
FEWEST = 3
ATTRIBUTES = 4
"""An attribute has at least so many values."""
MOSTLY, HALF = 0.95, 0.5
MOST_SHOWN = 3
SURELY_SAME = 0.003
"""p of the test that what units have at one level says nothing of another: below it they are the same."""
STANDARDISED = 0.0001
"""p of the other tail: below it units have the same mean by construction, as z scores within them have."""
DIFFER = 0.2
SURELY_DIFFER = 0.001
FAVOUR = 1.0
"""So many times likelier than the same units ids that begin anew must be."""


@dataclass(frozen=True)
class Found:
    """A unit whose ids may begin anew at the levels of a factor; F and its df where there are values."""

    unit: Unit
    factor: str
    levels: tuple[str, ...]
    example: str
    f: tuple[float, int, int] | None
    favour: float
    trials: str


def begun_anew(
    frame: pd.DataFrame,
    design: Design,
    *,
    measure: str | None,
    within: Collection[tuple[str, str]] = (),
    in_formula: bool = False,
) -> list[str]:
    """Return a remark for every unit whose ids may begin anew, naming the column(s) to join them with.

    `within` are pairs of factor and unit (its `name`) that the analysis already treats as repeated. `in_formula` says
    that units are random terms of a formula; else they are parameters.

    >>> from analysis.methods.rows.design import read
    >>> rows = [(g, p, i) for g in "ab" for p in "123" for i in "xyz"]
    >>> frame = pd.DataFrame(rows, columns=["group", "participant", "item"])
    >>> design = read(frame, units={"participant": "participant", "item": "item"}, factors=())
    >>> print(begun_anew(frame, design, measure=None)[0])
    The same participants (1, 2 and 3) occur at every level of group: so it is where ids begin anew at each. Check one:
    if participant 1 of 'a' is another one than that of 'b', give participant=group:participant, as different ones are
    taken for one otherwise; if it is the same one, all is well.
    """
    remarks: list[str] = []
    found: dict[str, list[Found]] = {}
    named = [name for name in frame.columns if str(name).casefold() in OF_PEOPLE | OF_THINGS]
    for factor in dict.fromkeys((*design.factors, *map(str, named))):
        one = _at(frame, design, factor, measure=measure, within=within)
        if one is not None:
            found.setdefault(one.unit.name, []).append(one)
    for several in found.values():
        remarks.append(Remark(_said(several, in_formula=in_formula), Importance.UNITS))
    return remarks


def _at(
    frame: pd.DataFrame, design: Design, factor: str, *, measure: str | None, within: Collection[tuple[str, str]]
) -> Found | None:
    """Return the unit whose ids may begin anew at the levels of one factor."""
    units = [unit for unit in design.units if len(unit.columns) == 1]
    names = {name for unit in design.units for name in unit.columns}
    if factor in names or factor == measure or not units:
        return None
    levels = coded(frame, factor)
    if not 1 < len(levels.levels) <= max(2, len(frame) // 4):
        return None
    reads = {unit.name: coded(frame, unit.name) for unit in units}
    known = levels.positions >= 0
    for read in reads.values():
        known &= read.positions >= 0
    if measure is not None:
        known &= has_value(frame, measure)
    if not known.any():
        return None
    level = Coded(levels.positions[known], levels.levels)
    reads = {name: Coded(read.positions[known], read.levels) for name, read in reads.items()}
    suspects = []
    for unit in units:
        if (measure is None or not _is_person(unit)) and not _is_of(factor, unit):
            continue
        if (factor, unit.name) in within or not _are_numbered_at_every_level(reads[unit.name], level):
            continue
        others = [reads[other.name] for other in units if other is not unit]
        strict = _repeats(reads[unit.name], others, level)
        if strict is None or (strict and factor not in design.factors):
            continue
        trials = _numbering(frame, unit.name, factor)
        if trials is None:
            continue
        if measure is None:
            suspects.append(Found(unit, factor, level.levels, _first(reads[unit.name], level), None, 1.0, trials))
            continue
        cells, kinds = _beside(frame, design, factor, reads[unit.name], known)
        y = _without_means(_ranks(frame, measure, known), cells * len(level.levels) + level.positions)
        likely = _likelier(y, reads[unit.name], others, level, kinds=kinds, strict=strict)
        if likely is not None:
            favour, f = likely
            example = _first(reads[unit.name], level)
            suspects.append(Found(unit, factor, level.levels, example, f, favour, trials))
    suspects = [one for one in suspects if not _share_attributes(frame, design, one.unit, known)]
    return max(suspects, key=lambda one: (bool(one.trials), one.favour), default=None)


def _share_attributes(frame: pd.DataFrame, design: Design, unit: Unit, known: npt.NDArray[np.bool_]) -> bool:
    """Say whether another column tells units apart and is the same for an id wherever it occurs.

    What could follow from the number itself is none: other codes of the same ids, lists that are dealt in turn, halves.
    """
    ids = coded(frame, unit.name)
    who = ids.positions[known]
    taken = {unit.name, *design.factors, *(name for one in design.units for name in one.columns)}
    for name in frame.columns:
        factor = factor_of(frame[name])
        number = len(factor.values)
        if name in taken or not ATTRIBUTES <= number <= len(ids.levels):
            continue
        values = factor.unordered.positions[known]
        first = np.full(len(ids.levels), -1, dtype=np.intp)
        first[who] = values
        if not (first[who] == values).all() or (values < 0).any():
            continue
        in_turn = first[first >= 0]
        is_code = all(NUMBERED_ID.fullmatch(str(value).strip()) for value in factor.values)
        if len(np.unique(in_turn)) == len(in_turn) and is_code:
            continue
        if any((in_turn[step:] == in_turn[:-step]).all() for step in range(1, len(in_turn) // 2 + 1)):
            continue
        if len(np.unique(in_turn)) == 1 + int((np.diff(in_turn) != 0).sum()) < len(in_turn):
            continue
        return True
    return False


def _is_of(factor: str, unit: Unit) -> bool:
    """Say whether a column is one of which every unit of this kind has one level."""
    return factor.casefold() in (OF_PEOPLE if _is_person(unit) else OF_THINGS)


def _is_person(unit: Unit) -> bool:
    return unit.noun == PEOPLE or PERSON.search(unit.noun.casefold()) is not None


def _are_numbered_at_every_level(unit: Coded, level: Coded) -> bool:
    """Say whether ids are numbers, mostly the same ones at every level, that begin at 0 or 1 and run on."""
    matches = [NUMBERED_ID.fullmatch(name) for name in unit.levels]
    if len(matches) < FEWEST or not all(matches):
        return False
    prefixes = pd.factorize(np.array([match["prefix"] for match in matches if match], dtype=object))[0]
    ids = np.array([int(match["number"]) for match in matches if match])
    cells, _ = combined([(level.positions, len(level.levels)), (unit.positions, len(unit.levels))])
    present = np.unique(cells)
    at, who = np.divmod(present, len(unit.levels))
    shared = np.bincount(who, minlength=len(unit.levels))
    if (shared[np.unique(who)] > 1).mean() < HALF:
        return False
    if len(np.unique(prefixes)) > 1 or len(np.unique(at)) < len(level.levels):
        return False
    for one in np.unique(at):
        own = ids[who[at == one]]
        if len(own) < FEWEST or own.min() > 1 or own.max() > 2 * len(own) + 1:
            return False
    return True


def _repeats(unit: Coded, others: Sequence[Coded], level: Coded) -> bool | None:
    """Return whether values must speak clearly: where pairs do not repeat, as each item has one level.

    None where the rows show one design alone: pairs do not repeat although both kinds of unit have several levels.
    """
    if not others:
        return True
    parts = [(one.positions, len(one.levels)) for one in (unit, *others)]
    total, _ = combined(parts)
    first = pd.Series(level.positions).groupby(total, sort=False)
    varies = first.max() != first.min()
    if float(varies.mean()) >= HALF:
        return False
    is_constant = all(not _crosses(other, level) for other in others)
    return True if is_constant and not varies.any() else None


def _crosses(unit: Coded, level: Coded) -> bool:
    first = np.zeros(len(unit.levels), dtype=np.intp)
    first[unit.positions] = level.positions
    return bool((first[unit.positions] != level.positions).any())


def _numbering(frame: pd.DataFrame, unit: str, factor: str) -> str | None:
    """Return the column of trials that begins anew with the ids, or an empty text.

    None where trials are numbered through the levels, as those of one unit are.
    """
    for name in TRIALS:
        if name not in frame.columns or name in (unit, factor):
            continue
        alone = float(repeated(frame, [unit, name]).mean())
        together = float(repeated(frame, [unit, factor, name]).mean())
        if alone <= 1 - MOSTLY:
            return None
        if together <= 1 - MOSTLY and alone >= HALF:
            return name
    return ""


def _beside(
    frame: pd.DataFrame, design: Design, factor: str, unit: Coded, known: npt.NDArray[np.bool_]
) -> tuple[Integers, Integers]:
    """Return the combination of the other factors in every row, and of those among them that differ between units."""
    cells = kinds = np.zeros(int(known.sum()), dtype=np.intp)
    for name in design.factors:
        read = coded(frame, name)
        other = Coded(read.positions[known], read.levels)
        if name == factor or bool((other.positions < 0).any()):
            continue
        cells = _finer(cells, other, most=len(cells) // 20)
        if not _crosses(unit, other):
            kinds = _finer(kinds, other, most=len(unit.levels) // 4)
    return cells, kinds


def _finer(cells: Integers, other: Coded, *, most: int) -> Integers:
    """Return cells divided by the levels of a factor, where that makes no more than so many of them."""
    made, _ = combined([(cells, int(cells.max()) + 1), (other.positions, len(other.levels))])
    finer = np.asarray(pd.factorize(made)[0], dtype=np.intp)
    return finer if int(finer.max()) < most else cells


def _ranks(frame: pd.DataFrame, measure: str, known: npt.NDArray[np.bool_]) -> Floats:
    """Return the measure as ranks, so that no unit of it matters; words in the order of their levels."""
    factor = factor_of(frame[measure])
    values = factor.numbers
    if values is None:
        words = factor.unordered.levels
        values = np.array([float(words.index(code)) if code is not None else np.nan for code in factor.codes])
    return np.asarray(scipy.stats.rankdata(factor.each(values, float("nan"))[known]), dtype=np.float64)


def _likelier(
    y: Floats, unit: Coded, others: Sequence[Coded], level: Coded, *, kinds: Integers, strict: bool
) -> tuple[float, tuple[float, int, int]] | None:
    """Return how many times likelier ids that begin anew are, with the F that tells; None where they are not.

    With the means m of k units at L levels (of n rows each), F = MS(units) / MS(units × levels). It is 1 where units
    differ between levels as much as within them, and 1 + L (V − 1) where they are the same, V being MS(m) / MS(rest).
    What is common to a kind of units at a level, and to one of the others there, is taken out first.
    """
    size = len(level.levels)
    if len(others) == 1:
        aside, _ = combined([(others[0].positions, len(others[0].levels)), (level.positions, size)])
        aside = numbered(aside, len(others[0].levels) * size)[1]
    else:
        aside = level.positions
    y = _without_means(y, aside)
    groups = int(kinds.max()) + 1
    y = _without_means(y, kinds * size + level.positions)
    cells, _ = combined([(unit.positions, len(unit.levels)), (level.positions, size)])
    present, place = numbered(cells, len(unit.levels) * size)
    who = present // size
    counts = np.bincount(place).astype(np.float64)
    means = np.bincount(place, weights=y) / counts
    rest = len(y) - len(present) - int(aside.max()) - 1 + size
    if rest < 1:
        return None
    noise = float(((y - means[place]) ** 2).sum()) / rest
    of_units = np.bincount(who, weights=counts * means) / np.maximum(np.bincount(who, weights=counts), 1)
    number = len(np.unique(who))
    df1, df2 = number - groups, len(present) - number - groups * (size - 1)
    if df1 < 2 or df2 < 2 or noise <= 0:
        return None
    between = float((counts * of_units[who] ** 2).sum()) / df1
    across = float((counts * (means - of_units[who]) ** 2).sum()) / df2
    free = len(present) - groups * size
    differ = float((counts * means**2).sum()) / max(free, 1) / noise
    if across <= 0:
        return None
    f = between / across
    tested = scipy.stats.f(df1, df2)
    if tested.sf(f) < SURELY_SAME or tested.cdf(f) < STANDARDISED:
        return None
    if scipy.stats.f.sf(differ, free, rest) > (SURELY_DIFFER if strict else DIFFER):
        return None
    same = 1 + size * max(differ - 1, 0.0)
    favour = float(tested.pdf(f) / max(tested.pdf(f / same) / same, 1e-300))
    return (favour, (f, df1, df2)) if favour >= FAVOUR else None


def _without_means(y: Floats, groups: Integers) -> Floats:
    counts = np.bincount(groups)
    return np.asarray(y - (np.bincount(groups, weights=y) / np.maximum(counts, 1))[groups], dtype=np.float64)


def _first(unit: Coded, level: Coded) -> str:
    """Return an id that occurs at the first two levels."""
    both = set(unit.positions[level.positions == 0]) & set(unit.positions[level.positions == 1])
    return unit.levels[min(both)] if both else unit.levels[0]


def _said(several: Sequence[Found], *, in_formula: bool) -> str:
    first = several[0]
    unit, factors = first.unit, [one.factor for one in several]
    has_noun = unit.noun in (PEOPLE, THINGS)
    kind, those = (unit.noun, unit.plural) if has_noun else (unit.name, f"levels of {unit.name}")
    told = []
    if first.f is not None:
        f, df1, df2 = first.f
        told.append(
            f"what they have at one level of {first.factor} says nothing of another (F({df1}, {df2}) = "
            f"{number_text(f)})"
        )
    told += [f"{first.trials} begins anew at each"] if first.trials else []
    seen = f"The same {those} ({listed(unit.read.levels, shown=MOST_SHOWN)}) occur at every level of {listed(factors)}"
    seen += f", and {' and '.join(told)}" if told else ""
    a, b = first.levels[:2]
    check = (
        f"{seen}: so it is where ids begin anew at each. Check one: if {kind} {first.example} of '{a}' is another one "
        f"than that of '{b}',"
    )
    if in_formula:
        name = ":".join(map(_written, (*factors, unit.name)))
        slope = " * ".join(map(_written, factors))
        return (
            f"{check} write (1 | {name}) for (1 | {_written(unit.name)}), as standard errors are far too small "
            f"otherwise; if it is the same one, let the effect vary: (1 + {slope} | {_written(unit.name)})."
        )
    name = ":".join((*factors, unit.name))
    return (
        f"{check} give {kind}={name}, as different ones are taken for one otherwise; if it is the same one, all is "
        f"well."
    )


def _written(name: str) -> str:
    return name if re.fullmatch(r"[\w.]+", name) else f"`{name}`"
