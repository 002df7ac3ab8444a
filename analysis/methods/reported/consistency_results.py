"""Reported test results: read from running text or from cells, each with the precision it was printed with.

A printed 5.19 stands for anything between 5.185 and 5.195, a printed p = .017 for anything between .0165 and .0175.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

MOST_PLACES = 300
COMMA = "A number in it holds a comma; write decimals with a point and thousands without a comma."
P_FIRST = "A p stands before its statistic, and p is read after it; write the statistic first, then its p."
REACH = 120
"""How many characters after a statistic its p may stand."""

_NUMBER = r"-?\s?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_SYMBOL = r"[mM]in\s?F\s?['′’´]?|F\s?[12]?|[tzqr]|r_?s|[χΧX]\s?\^?[²2]|[Cc]hi(?:[ -]?square[d]?|\^?[²2])"
_TEST = re.compile(
    rf"""(?<![\w.])
    (?P<test>{_SYMBOL})\s*
    (?:[(\[]\s*(?P<df1>{_NUMBER})\s*(?:[,;]\s*(?P<size>[Nn]\s*=\s*)?(?P<df2>{_NUMBER})\s*)?[)\]])?\s*
    (?P<relation>[=<>])\s*(?P<statistic>{_NUMBER})(?P<comma>,\d+)?""",
    re.VERBOSE,
)
# A p after one of these belongs to it, and one in the next sentence to something else.
_OTHER_RESULT = re.compile(
    r"(?<![\w.])[UWHQTVτκβ]\s*(?:[(\[][^)\]]*[)\]])?\s*[=<>]|(?<!\bvs)(?<!\bcf)[.!?]\s+(?![Pp]s?\s*[=<>≤≥])(?=[A-ZÄÖÜ])"
)
_P = re.compile(
    rf"(?<![\w.])[pP]s?\s*(?:(?P<relation><=|>=|[=<>≤≥])\s*(?P<value>{_NUMBER}))|(?<!\w)(?P<ns>n\.?\s?s\b\.?)"
)
# A p of its own right before a statistic, as in "p = .03, F(1, 49) = 5.19".
_P_BEFORE = re.compile(rf"(?<![\w.])[pP]\s*(?:<=|>=|[=<>≤≥])\s*{_NUMBER}\s*[,;:(\[]?\s*(?:for\s+|with\s+|\()?$")
_P_WITH_COMMA = re.compile(r"(?<![\w.])[pP]s?\s*(?:<=|>=|[=<>≤≥])\s*0?,\d")
_REPORTED = re.compile(rf"(?:[pP]\s*)?(?P<relation><=|>=|[=<>≤≥])?\s*(?P<value>{_NUMBER})\**|(?P<ns>n\.?\s?s\.?)")
# Degrees of freedom with a comma inside a number: F(1, 1,234), t(1,234), χ²(1, N = 1,234).
_DEGREES = re.compile(
    rf"(?<![\w.])(?P<test>{_SYMBOL})\s*[(\[](?P<inside>[^()\[\]=]*(?:[Nn]\s*=[^()\[\]=]*)?)[)\]]\s*[=<>]\s*"
    rf"{_NUMBER}(?:,\d+)*"
)
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")
_RELATIONS = {"<=": "<", "≤": "<", ">=": ">", "≥": ">"}
_SAME_SIGNS = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "₁": "1", "₂": "2"})


@dataclass(frozen=True)
class Printed:
    """A number as it was printed; `relation` is =, < or >; `half` is half a unit of its last place.

    >>> Printed.of("5.10")
    Printed(value=5.1, half=0.005, relation='=')
    """

    value: float
    half: float
    relation: str = "="

    @classmethod
    def of(cls, text: str, *, relation: str = "=") -> Printed:
        """Read a number with the places that it shows."""
        bare = text.replace(" ", "")
        exponent = Decimal(bare).as_tuple().exponent
        places = min(max(0, -exponent if isinstance(exponent, int) else 0), MOST_PLACES)
        return cls(float(bare), 0.5 * 10.0**-places, _RELATIONS.get(relation, relation))


@dataclass(frozen=True)
class Result:
    """One reported result. `test` as printed, `kind` one of F, t, z, r, q, χ² (None: not known); `n` people.

    `fault` says why it cannot be read, where it cannot.
    """

    source: str
    test: str
    kind: str | None
    df1: float | None
    df2: float | None
    statistic: Printed | None
    p: Printed | None
    n: int | None = None
    fault: str = ""


def with_plain_signs(text: str) -> str:
    """Return a text with the minus, the spaces and the small digits of the keyboard in place of typographic ones.

    >>> with_plain_signs("−0.06")
    '-0.06'
    """
    return text.translate(_SAME_SIGNS)


def kind_of(test: str) -> str | None:
    """Return which distribution a test belongs to, from its printed symbol, or None.

    >>> kind_of("F1"), kind_of("chi2"), kind_of("T"), kind_of("Mann–Whitney")
    ('F', 'χ²', 't', None)
    """
    bare = re.sub(r"[\s^_()\-]", "", with_plain_signs(test)).casefold()
    if re.fullmatch(r"f[12]?|minf['′’´]?", bare):
        return "F"
    if bare in ("t", "t1", "t2"):
        return "t"
    if bare in ("r", "rs", "ρ", "rho"):
        return "r"
    if bare in ("z", "q"):
        return bare
    if bare in ("χ²", "χ2", "x2", "x²", "chi2", "chi²", "chisq", "chisquare", "chisquared"):
        return "χ²"
    return None


def results_in(text: str, *, source: str, alpha: float, n: int | None = None) -> list[Result]:
    """Find the results in running text: F, t, χ², z, r and q with their degrees of freedom and p.

    A statistic without degrees of freedom counts only where a p follows; `n.s.` stands for p > α. χ²(2, N = 48) gives
    its N for information, so it is skipped. A p belongs to the statistic before it, unless that is none of these or
    stands in another sentence.

    >>> found = results_in("F1(1, 49) = 5.19, p = .017; t(23) = -2.10, p < .05", source="a", alpha=0.05)
    >>> [(result.test, result.df1, result.df2, result.p.value) for result in found]
    [('F1', 1.0, 49.0, 0.017), ('t', 23.0, None, 0.05)]
    """
    plain = with_plain_signs(text)
    found = [
        Result(source, _named(match["test"]), kind_of(match["test"]), None, None, None, None, n, COMMA)
        for match in _DEGREES.finditer(plain)
        if _has_thousands(match["test"], match["inside"])
    ]
    # What cannot be read is said once, and hides no other result.
    plain = _DEGREES.sub(
        lambda match: " " * len(match[0]) if _has_thousands(match["test"], match["inside"]) else match[0], plain
    )
    matches = list(_TEST.finditer(plain))
    before = 0
    for position, match in enumerate(matches):
        end = matches[position + 1].start() if position + 1 < len(matches) else len(plain)
        after = plain[match.end() : min(end, match.end() + REACH)]
        after = _OTHER_RESULT.split(after, maxsplit=1)[0]
        own = _P.search(after)
        p = _p_in(after, alpha=alpha)
        p_first = _P_BEFORE.search(plain, before, match.start())
        before = match.end() + (own.end() if own else 0)
        if p is None and match["df1"] is None and p_first is None:
            continue
        if p_first is not None:
            found.append(
                Result(
                    source,
                    _named(match["test"]),
                    kind_of(match["test"]),
                    _float(match["df1"]),
                    None if match["size"] else _float(match["df2"]),
                    None,
                    None,
                    n,
                    P_FIRST,
                )
            )
            continue
        comma = (match["comma"] and "." not in match["statistic"]) or _P_WITH_COMMA.search(after)
        test = _named(match["test"])
        kind = kind_of(test)
        df1, df2 = (_float(match[name]) for name in ("df1", "df2"))
        statistic = Printed.of(match["statistic"], relation=match["relation"])
        found.append(
            Result(
                source=source,
                test=test,
                kind=kind,
                df1=df1,
                df2=None if match["size"] else df2,
                statistic=None if comma else statistic,
                p=None if comma else p,
                n=n,
                fault=COMMA if comma else "",
            )
        )
    return found


def _named(test: str) -> str:
    """Return the symbol of a test without spaces, χ² in one spelling."""
    return "χ²" if kind_of(test) == "χ²" else re.sub(r"\s", "", test)


def _has_thousands(test: str, inside: str) -> bool:
    """Say whether degrees of freedom are more than the test has because a number is written with a comma.

    >>> _has_thousands("F", "1,147"), _has_thousands("F", "1, 1,234"), _has_thousands("t", "1,234")
    (False, True, True)
    """
    most = (2 if kind_of(test) in ("F", "q") else 1) + (1 if re.search(r"[Nn]\s*=", inside) else 0)
    return len(re.findall(r"\d[\d.]*", inside)) > most and _THOUSANDS.search(inside) is not None


def reported_p(cell: str, *, alpha: float) -> Printed | None:
    """Read a cell that holds a p: `.027`, `= .027`, `p < .001`, `ns`. Returns None where it is nothing of that kind.

    >>> reported_p("< .001", alpha=0.05)
    Printed(value=0.001, half=0.0005, relation='<')
    >>> reported_p("ns", alpha=0.05).relation, reported_p("small", alpha=0.05)
    ('>', None)
    """
    match = _REPORTED.fullmatch(with_plain_signs(cell).strip())
    if match is None:
        return None
    if match["ns"]:
        return Printed(alpha, 0.0, ">")
    return Printed.of(match["value"], relation=match["relation"] or "=")


def _p_in(text: str, *, alpha: float) -> Printed | None:
    match = _P.search(text)
    if match is None:
        return None
    if match["ns"]:
        return Printed(alpha, 0.0, ">")
    return Printed.of(match["value"], relation=match["relation"])


def _float(text: str | None) -> float | None:
    return None if text is None else float(text.replace(" ", ""))
