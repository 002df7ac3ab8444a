"""Name the test that an analysis is, so that its measured error rate can be found by what was asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# A random term with nothing but an intercept.
BARE = re.compile(r"\(\s*1\s*\|\|?")
RANDOM = re.compile(r"\([^()|]*\|")
OVER_UNITS = ("rm-anova", "tukey", "friedman")


def test_of(method: str, params: Mapping[str, Any]) -> str:
    """Return the name under which error rates of an analysis are kept; empty where none could be.

    >>> test_of("rm-anova", {"dv": "z", "within": "marker", "unit": "item"})
    'rm-anova over items'
    >>> test_of("lmm", {"formula": "z ~ a + (1 + a || participant) + (1 | item)"})
    'lmm with slopes'
    >>> test_of("ordinal", {"formula": "z ~ a + (1 + a || p) + (1 + a || i)", "tests": "f"})
    'ordinal with slopes, tests=f'
    """
    given = {name: _text(value) for name, value in params.items() if value not in (None, "", (), [])}
    if method in OVER_UNITS:
        return f"{method} over {given.get('unit', 'participant')}s"
    if method in ("lmm", "glmm", "ordinal", "multinomial"):
        return _mixed(method, given)
    if method == "proportions":
        paired = "," in given.get("success", "") and "group" not in given
        return f"proportions of {'pairs' if paired else 'groups'}"
    if method == "preference":
        return f"preference, random={given.get('random', 'none').replace(' ', '')}"
    return method


def _mixed(method: str, given: Mapping[str, str]) -> str:
    formula = given.get("formula", "")
    terms = RANDOM.findall(formula)
    if not terms:
        return ""
    bare = len(BARE.findall(formula))
    slopes = "intercepts only" if bare == len(terms) else "slopes"
    parts = [f"{method} with {slopes}"]
    reduce = given.get("reduce", "none")
    if reduce != "none":
        return f"{method}, reduce={reduce}"
    if "||" not in formula and slopes == "slopes":
        parts.append("all correlations")
    if given.get("uncorrelated", "by-term") != "by-term":
        parts.append(f"by column, {given.get('contrasts', 'auto')}")
    if given.get("family", "binomial") != "binomial":
        parts.append(given["family"])
    if method != "lmm":
        parts.append(f"tests={given.get('tests', 'f' if method == 'multinomial' else 'wald')}")
    return ", ".join(parts)


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
