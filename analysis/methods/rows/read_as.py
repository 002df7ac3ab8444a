"""Cells that are read as something else than they may mean: a level called NA, digits for names, one level twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.report import BadInput, TooFew
from analysis.methods.rows.columns import NO_NUMBER, codes
from analysis.methods.rows.factors import NO_CODE, factor_of
from analysis.methods.wording import counted, listed

# So many different whole numbers may name conditions; more are a measure, such as an age or a position.
FEW_NUMBERS = 6
# So many groups of levels that may be one are named.
GROUPS_SHOWN = 3
HIDDEN = NO_CODE - {""}
# What is counted and timed is an amount, however few values of it occur.
AMOUNT = re.compile(
    r"(?:characters|words|syllables|sentences|zipf|length|frequency|log_frequency|position|trial|plays|edits|tries"
    r"|n_\w+|\w+_(?:ms|total|share|characters|words|zipf|length|frequency))(?:_before\d*|_\d)?"
)
PLAIN_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?")


def levels_read_as_missing(frame: pd.DataFrame, columns: Iterable[str]) -> list[str]:
    """Return a warning of cells of text columns that hold NA or the like, which every method takes for empty.

    Among numbers NA is how R and others write a missing value, and nothing is said of it.

    >>> levels_read_as_missing(pd.DataFrame({"region": ["EU", "NA", "NA"], "z": ["1", "NA", "2"]}), ["region", "z"])
    ["Column 'region' holds 'NA' in 2 rows, which is read as an empty cell. If it is a level, call it otherwise, such as
    'N.A.' or 'north america'; if the value is missing, nothing need be done."]
    """
    said = []
    for name in dict.fromkeys(columns):
        values = frame[name]
        if pd.api.types.is_numeric_dtype(values):
            continue
        factor = factor_of(values)
        if factor.plain_numbers is not None:
            continue
        cells = [cell.strip() if isinstance(cell, str) else "" for cell in factor.values]
        is_hidden = [cell in HIDDEN for cell in cells]
        if not any(is_hidden):
            continue
        others = pd.Series([cell for cell in cells if cell not in NO_CODE], dtype=object)
        if others.empty or bool(pd.to_numeric(others, errors="coerce").notna().all()):
            continue
        hidden = list(compress(cells, is_hidden))
        count = int(factor.each(is_hidden, missing=False).sum())
        signs = listed([f"'{one}'" for one in hidden])
        said.append(
            f"Column '{name}' holds {signs} in {counted(count, 'row')}, which is read as an empty cell. If it is a "
            f"level, call it otherwise, such as 'N.A.' or 'north america'; if the value is missing, nothing need be "
            f"done."
        )
    return said


def levels_alike(frame: pd.DataFrame, columns: Iterable[str], *, only_hidden: bool = False) -> list[str]:
    """Return a warning of levels, people or items of one column that count apart and may be one: they differ in
    capitals, in spaces, in how a number or an accented letter is written; with `only_hidden` those that look the same.

    >>> frame = pd.DataFrame({"marker": ["Plain", "plain", "bare"], "item": ["1", "1.0", "2"]})
    >>> levels_alike(frame, ["marker", "item"])
    ["Column 'marker' holds 'Plain' and 'plain', which count as different. If they are one, write them alike.",
    "Column 'item' holds '1' and '1.0', which count as different. If they are one, write them alike."]
    """
    said = []
    for name in dict.fromkeys(columns):
        if pd.api.types.is_numeric_dtype(frame[name]):
            continue
        alike: dict[str, list[str]] = {}
        for code in factor_of(frame[name]).unordered.levels:
            alike.setdefault(_likeness(code), []).append(code)
        groups = [sorted(group) for group in alike.values() if len(group) > 1]
        if only_hidden:
            groups = [group for group in groups if _looks_the_same(group)]
        if not groups:
            continue
        shown = "; ".join(
            listed([f"'{code}'{_spelling(code) if _looks_the_same(group) else ''}" for code in group])
            for group in groups[:GROUPS_SHOWN]
        )
        more = f"; and {len(groups) - GROUPS_SHOWN} more such groups" if len(groups) > GROUPS_SHOWN else ""
        hidden = any(map(_looks_the_same, groups))
        letters = " Some look the same and are written with other characters, such as ü of one sign and of two."
        said.append(
            f"Column '{name}' holds {shown}{more}, which count as different. If they are one, write them alike."
            f"{letters if hidden else ''}"
        )
    return said


def _spelling(code: str) -> str:
    """Return the characters of which letters beyond ASCII are made.

    >>> _spelling("caf\u00e9"), _spelling("cafe\u0301")
    (' (U+00E9)', ' (U+0065 U+0301)')
    """
    made: list[str] = []
    for place, sign in enumerate(code):
        following = code[place + 1 : place + 2]
        if not sign.isascii() or (following and unicodedata.combining(following)):
            made.append(f"U+{ord(sign):04X}")
    return f" ({' '.join(made)})" if made else ""


def _looks_the_same(group: Sequence[str]) -> bool:
    """Return whether some codes differ in nothing but how a letter is put together."""
    return len({unicodedata.normalize("NFC", code) for code in group}) < len(group)


def _likeness(code: str) -> str:
    """Return what two codes have in common that may be meant as one."""
    if PLAIN_NUMBER.fullmatch(code):
        # Longer numbers than a double can tell apart are ids, and −0.0 is another way to write 0.0 of no interest here.
        number = Decimal(code).normalize()
        return f"{number}" if number or not code.startswith("-") else code
    same = code if code.isascii() else unicodedata.normalize("NFKC", code)
    return " ".join(same.casefold().split())


def explained(fault: BadInput, frame: pd.DataFrame, given: Mapping[str, Any]) -> BadInput:
    """Return a refusal with what may have led to it: there is one participant only, levels of the columns under
    analysis are read as missing, or one letter is written in two ways.
    """
    if isinstance(fault, TooFew) and (alone := _only_participant(frame, given)):
        return TooFew(
            f"There are rows of one participant only ('{alone}'), and this analysis needs several. Run it when more "
            f"people have taken part."
        )
    asked = " ".join(str(value) for value in given.values())
    named = [str(name) for name in frame.columns if re.search(rf"(?<!\w){re.escape(str(name))}(?!\w)", asked)]
    said = [*levels_read_as_missing(frame, named), *levels_alike(frame, named, only_hidden=True)]
    said += _how_to_name(frame, given)
    return type(fault)(" ".join([str(fault), *said])) if said else fault


def _how_to_name(frame: pd.DataFrame, given: Mapping[str, Any]) -> list[str]:
    """Say how a column is named that holds signs and stands in a parameter without quotation marks."""
    texts = [str(value) for value in given.values() if isinstance(value, str)]
    for name in map(str, frame.columns):
        bare = re.compile(rf"(?<![`\"]){re.escape(name)}(?![`\"])")
        if not re.fullmatch(r"\w+", name) and any(bare.search(text) for text in texts if text != name):
            return [f'A name that holds signs or spaces is written `{name}` in a formula, and "{name}" elsewhere.']
    return []


def _only_participant(frame: pd.DataFrame, given: Mapping[str, Any]) -> str:
    """Return the only participant who is there, simulated ones not counted beside people; empty if there are others."""
    column = str(given.get("participant") or "participant")
    if column not in frame.columns:
        return ""
    people = codes(frame, column)
    if "simulated" in frame.columns:
        real = codes(frame, "simulated").str.casefold() != "true"
        people = people[real] if bool(real.any()) else people
    there = people.dropna().unique()
    return str(there[0]) if len(there) == 1 else ""


def is_amount(name: str) -> bool:
    """Say whether a column of the platform holds counts, lengths or times, whose few numbers name no conditions.

    >>> is_amount("characters"), is_amount("rt_ms"), is_amount("load")
    (True, True, False)
    """
    return AMOUNT.fullmatch(name) is not None


def digits_read_as_numbers(
    frame: pd.DataFrame, columns: Sequence[str], *, categorical: Collection[str], coded: bool = False
) -> list[str]:
    """Return a warning of predictors whose few whole numbers may be names of conditions, but count as numbers, and of
    "none" or the like among them, which may be one more condition but counts as missing.

    Counts, lengths and times by their names on the platform (`is_amount`) are amounts. With `coded`, 0 and 1 are no
    news: where every factor is coded so, the column is the factor.

    >>> frame = pd.DataFrame({"load": ["1", "2", "3"], "age": ["20", "31.5", "44"]})
    >>> digits_read_as_numbers(frame, ["load", "age"], categorical=())
    ["'load' (1, 2 and 3) is read as a number, with one slope, not as a factor. If its numbers are names of conditions,
    give categorical=load; if they are amounts, all is well."]
    """
    said, meant, lost = [], [], []
    for name in dict.fromkeys(columns):
        if (
            name in categorical
            or is_amount(name)
            or name not in frame.columns
            or pd.api.types.is_bool_dtype(frame[name])
        ):
            continue
        cells = pd.Series(factor_of(frame[name]).unordered.levels, dtype=object)
        is_missing = cells.str.casefold().isin(NO_NUMBER)
        found = pd.to_numeric(cells[~is_missing], errors="coerce")
        values = np.unique(found.to_numpy(dtype=np.float64))
        if not 2 <= len(values) <= FEW_NUMBERS or not np.isfinite(values).all() or (values % 1 != 0).any():
            continue
        if is_missing.any():
            lost.append(
                f"'{name}' holds {listed([repr(cell) for cell in cells[is_missing]])} beside numbers, which is read as "
                f"a missing value: those rows are left out. If it is a condition, give categorical={name}."
            )
        if (values < 0).any():
            continue  # −1 and 1 are a contrast that somebody coded
        if coded and values.tolist() == [0, 1]:
            continue
        said.append(f"'{name}' ({listed([format(value, 'g') for value in values])})")
        meant.append(name)
    if not said:
        return lost
    if len(said) == 1:
        read, whose = "is read as a number, with one slope, not as a factor", "its"
    else:
        read, whose = "are read as numbers, with one slope each, not as factors", "their"
    return [
        *lost,
        f"{listed(said)} {read}. If {whose} numbers are names of conditions, give categorical={','.join(meant)}; if "
        f"they are amounts, all is well.",
    ]
