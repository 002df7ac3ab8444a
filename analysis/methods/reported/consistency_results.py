"""Parse reported test results from text or cells, each with the precision of its digits.

A printed 5.19 stands for anything between 5.185 and 5.195, a printed p = .017 for anything between .0165 and .0175.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

MOST_PLACES = 300
COMMA = "A number in it holds a comma; write decimals with a point and thousands without a comma."
P_FIRST = "A p stands before its statistic, and p is read after it; write the statistic first, then its p."
POWER = "A number in it has a power of ten that cannot be read; write 4.9e3 or the number itself."
REACH = 120
"""How many characters after a statistic its p may stand."""

# "3.1 × 10^-6" and "10^-5" are brought to 3.1e-6 and 1e-5 before anything is read.
_POWER = re.compile(
    r"(?:(?P<factor>\d+(?:\.\d*)?|\.\d+)\s*[×·⋅∙*xX]\s*)?(?<![\w.])10"
    r"(?:\s*(?:\^|\*\*)\s*[({]?\s*(?P<raised>[-+]?\s?\d{1,3})\s*[)}]?|(?P<above>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
    r"|(?P<minus>-\s?\d{1,3})(?![\d.]))(?!\w)"
)
_AFTER_P = re.compile(r"(?<![\w.])[pP]s?\s*(?:<=|>=|[=<>≤≥])\s*$")
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
# A product that is left is one of those that cannot be read: "3.1 × 106" lost its superscript.
_PRODUCT = re.compile(r"\s*[×·⋅∙*xX]\s*10")
_NUMBER = r"-?\s?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_SYMBOL = r"[mM]in\s?F\s?['′’´]?|F\s?[12]?|[tzZqr]|r_?s|[χΧX]\s?\^?[²2]|[Cc]hi(?:[ -]?square[d]?|\^?[²2])"
# With thousands in groups of three: 1,234 or 12,345.6; signs other than a comma are brought to one before.
_GROUPED = r"-?\s?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d]|,\d|\.\d)"
_INSIDE = r"(?=[^()\[\]]*\d)[-\d\s.,;eE+]*(?:[Nn]\s*=\s*[\d.,\s]+)?"
_TEST = re.compile(
    rf"""(?<![\w.])
    (?P<test>{_SYMBOL})\s*
    (?:[(\[](?P<inside>{_INSIDE})[)\]])?\s*
    (?P<relation>[=<>])\s*(?P<statistic>{_GROUPED}|{_NUMBER})(?P<comma>,\d+)?""",
    re.VERBOSE,
)
# What describes a result and is no test: a p after it still belongs to the statistic before.
_NO_TEST = (
    r"(?:[pP]s?|[NnMmgfkbB]|d(?:['’′]|z|s|av|rm)?|df|Ms|Mdn|MD|Mdiff|SDs?|SEM?|CI|CrI|HDI|MS[Ee]|Mse|BF\d*|R|OR|RR|IRR|AIC|BIC"
    r"|RTs?|[ηωε]²?\w?|φ|δ|Δ\w*|α|λ|[Aa]lpha|[Ee]ta|[Oo]mega|[Ee]psilon|[Pp]hi|[Mm]eans?|[Pp]ower|squared|size|ratio"
    r"|[Dd]iff(?:erence)?)(?:_?\^?[²2])?(?:_\w{1,5})?(?:\^?[²2])?(?:adj|[pG])?"
)
# A p after another test belongs to that, one of "all other ps" to those, one in the next sentence to something else.
_OTHER_RESULT = re.compile(
    rf"(?<![\w.])(?!{_NO_TEST}\s*(?:[(\[][^)\]]*[)\]])?\s*[=<>≤≥])"
    r"[^\W\d_]\w{0,9}\s?\^?²?['’′]?\s*(?:[(\[][^)\]]*[)\]])?\s*[=<>≤≥]"
    r"|(?i:\b(?:all\s+)?(?:other|others|remaining)\s+ps\b)"
    r"|(?<!\bvs)(?<!\bcf)[.!?]\s+(?![Pp]s?\s*[=<>≤≥])(?=[A-ZÄÖÜ])"
)
_P = re.compile(
    rf"(?<![\w.])[pP]s?\s*(?:(?P<relation><=|>=|[=<>≤≥])\s*(?P<value>{_NUMBER}))|(?<!\w)(?P<ns>n\.?\s?s\b\.?)"
)
# A p of its own right before a statistic, as in "p = .03, F(1, 49) = 5.19".
_P_BEFORE = re.compile(rf"(?<![\w.])[pP]\s*(?:<=|>=|[=<>≤≥])\s*{_NUMBER}\s*[,;:(\[]?\s*(?:for\s+|with\s+|\()?$")
_P_WITH_COMMA = re.compile(r"(?<![\w.])[pP]s?\s*(?:<=|>=|[=<>≤≥])\s*0?,\d")
_REPORTED = re.compile(rf"(?:[pP]\s*)?(?P<relation><=|>=|[=<>≤≥])?\s*(?P<value>{_NUMBER})\**|(?P<ns>n\.?\s?s\.?)")
_SIZE = re.compile(r"[,;]?\s*[Nn]\s*=\s*[\d.,\s]+$")
_HEAD, _TAIL = re.compile(r"-?\d{1,3}"), re.compile(r"\d{3}(?:\.\d+)?")
# Thin spaces and apostrophes part thousands too; 1.234,5 has the signs the other way round.
_PARTED = re.compile(r"(?<=\d)[\u00a0\u2009\u202f'’](?=\d{3}(?!\d))")
_CONTINENTAL = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d+(?![\d,.]*\d)")
_THREE = re.compile(r",\d{3}(?!\d)")
_EXCHANGED = str.maketrans(",.", ".,")
_IS_NUMBER = re.compile(rf"\s*{_NUMBER}\s*").fullmatch
MOST_READINGS = 16
_RELATIONS = {"<=": "<", "≤": "<", ">=": ">", "≥": ">"}
_SAME_SIGNS = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "₁": "1", "₂": "2"})


@dataclass(frozen=True)
class Printed:
    """A number as it was printed; `relation` is =, < or >; `half` is half a unit of its last place.

    >>> Printed.of("5.10"), Printed.of("4.9e3").half
    (Printed(value=5.1, half=0.005, relation='='), 50.0)
    """

    value: float
    half: float
    relation: str = "="

    @classmethod
    def of(cls, text: str, *, relation: str = "=") -> Printed:
        """Read a number with the places that it shows."""
        bare = text.replace(" ", "")
        exponent = Decimal(bare).as_tuple().exponent
        last = exponent if isinstance(exponent, int) else 0
        return cls(
            float(bare), 0.5 * 10.0 ** min(max(last, -MOST_PLACES), MOST_PLACES), _RELATIONS.get(relation, relation)
        )


@dataclass(frozen=True)
class Result:
    """One reported result. `test` as printed, `kind` one of F, t, z, r, q, χ² (None: not known); `n` people.

    `fault` says why it cannot be read, where it cannot. `otherwise` are other readings of its commas: 5,123 may be a
    number of four digits, or one with decimals.
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
    otherwise: tuple[Result, ...] = ()


def with_plain_signs(text: str) -> str:
    """Return a text with the minus, the spaces and the small digits of the keyboard in place of typographic ones.

    >>> with_plain_signs("−0.06")
    '-0.06'
    """
    return text.translate(_SAME_SIGNS)


def with_powers(text: str) -> str:
    """Return a text whose powers of ten are in the form that programs write.

    >>> with_powers("p = 3.1 × 10^-6, p < 10⁻⁵, p < 2 × 10-16")
    'p = 3.1e-6, p < 1e-5, p < 2e-16'
    """

    def written(match: re.Match[str]) -> str:
        if (
            match["minus"]
            and not match["factor"]
            and not _AFTER_P.search(text[max(0, match.start() - 12) : match.start()])
        ):
            return match[0]  # "10-16" may be a range
        raised = match["raised"] or match["minus"] or match["above"].translate(_SUPERSCRIPTS)
        return f"{match['factor'] or '1'}e{raised.replace(' ', '')}"

    return _POWER.sub(written, text)


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
    its N for information, so it is skipped. Thousands may be parted, as in F(1, 1,234) = 12,345.6; where a comma may as
    well be a decimal one, the result has both readings. A p belongs to the statistic before it, unless that is none of
    these or is in another sentence.

    >>> found = results_in("F1(1, 49) = 5.19, p = .017; t(23) = -2.10, p < .05", source="a", alpha=0.05)
    >>> [(result.test, result.df1, result.df2, result.p.value) for result in found]
    [('F1', 1.0, 49.0, 0.017), ('t', 23.0, None, 0.05)]
    """
    plain = with_powers(with_plain_signs(with_commas(text)))
    found: list[Result] = []
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
        if p is None and match["inside"] is None and p_first is None:
            continue
        test = _named(match["test"])
        kind = kind_of(test)
        readings = degrees_of(kind, match["inside"] or "")
        fault = "" if readings else COMMA
        dfs = readings or [(None, None)]
        if p_first is not None:
            found.append(Result(source, test, kind, *dfs[0], None, None, n, P_FIRST))
            continue
        if (match["comma"] and "." not in match["statistic"]) or _P_WITH_COMMA.search(after):
            fault = COMMA
        elif _PRODUCT.match(plain, match.end()) or (own and _PRODUCT.match(after, own.end())):
            fault = POWER
        statistics = [match["statistic"].replace(",", "")]
        if _could_be_decimal(match["statistic"]):
            statistics.append(match["statistic"].replace(",", "."))
        if len(statistics) > 1 and p is None:
            fault = COMMA  # nothing says what the comma is
        first, *others = [
            Result(
                source=source,
                test=test,
                kind=kind,
                df1=df1,
                df2=df2,
                statistic=None if fault else Printed.of(statistic, relation=match["relation"]),
                p=None if fault else p,
                n=n,
                fault=fault,
            )
            for statistic in statistics
            for df1, df2 in dfs
        ]
        found.append(first if fault else replace(first, otherwise=tuple(others)))
    return found


def with_commas(text: str) -> str:
    """Return a text whose thousands are parted by commas, whichever sign parted them, and decimals by points.

    >>> with_commas("F(1, 1\u202f234) = 12’345.6 and 1.234,5")
    'F(1, 1,234) = 12,345.6 and 1,234.5'
    """
    parted = _PARTED.sub(",", text)
    return _CONTINENTAL.sub(lambda match: match[0].translate(_EXCHANGED), parted)


def degrees_of(kind: str | None, inside: str) -> list[tuple[float | None, float | None]]:
    """Return what stands in the brackets of a test as degrees of freedom, in every way its commas can be read.

    An N is left out. Numbers of three digits after a comma without a space may be the end of a larger number; those
    readings count that give as many numbers as the test has. None where there is no such number of any size.

    >>> degrees_of("F", "1, 1,234"), degrees_of("F", "1,147"), degrees_of("t", "1,234")
    ([(1.0, 1234.0)], [(1.0, 147.0)], [(1234.0, None)])
    >>> degrees_of("χ²", "1, N = 1,234")
    [(1.0, None)]
    >>> degrees_of("F", "1,234,567"), degrees_of("F", "1,5, 23,4")
    ([(1.0, 234567.0), (1234.0, 567.0)], [])
    """
    bare = _SIZE.sub("", inside).strip()
    if not bare:
        return [(None, None)]
    needed = {"F": 2, "q": 2}.get(kind or "", 1)
    readings = [reading for reading in _read(bare) if len(reading) == needed]
    plain = [piece.strip() for piece in re.split(r"[,;]", bare)]
    if not readings and len(plain) <= 2 and _THREE.search(bare) is None:
        readings = [tuple(plain)]
    numbers = [[_float(piece) for piece in reading] for reading in readings if all(map(_IS_NUMBER, reading))]
    return [(reading[0], reading[1] if len(reading) > 1 else None) for reading in numbers]


def _read(text: str) -> list[tuple[str, ...]]:
    """Return the ways in which a text with commas is a row of numbers, those with more numbers first."""
    pieces = re.split(r"(\s*[,;]\s*)", text.strip())
    found: list[tuple[str, ...]] = [(pieces[0],)]
    for sign, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        made = []
        for reading in found:
            made.append((*reading, piece))
            last = reading[-1].split(",")
            if sign == "," and _TAIL.fullmatch(piece) and _HEAD.fullmatch(last[0]) and "." not in reading[-1]:
                made.append((*reading[:-1], f"{reading[-1]},{piece}"))
        found = made[:MOST_READINGS]
    return [tuple(number.replace(",", "") for number in reading) for reading in found]


def _could_be_decimal(statistic: str) -> bool:
    """Say whether a number with one comma may have decimals behind it."""
    return statistic.count(",") == 1 and "." not in statistic


def _named(test: str) -> str:
    """Return the symbol of a test without spaces, χ² in one spelling."""
    return "χ²" if kind_of(test) == "χ²" else re.sub(r"\s", "", test)


def reported_p(cell: str, *, alpha: float) -> Printed | None:
    """Read a cell that holds a p: `.027`, `= .027`, `p < .001`, `ns`. Returns None where it is nothing of that kind.

    >>> reported_p("< .001", alpha=0.05)
    Printed(value=0.001, half=0.0005, relation='<')
    >>> reported_p("ns", alpha=0.05).relation, reported_p("small", alpha=0.05)
    ('>', None)
    """
    match = _REPORTED.fullmatch(with_powers(with_plain_signs(cell)).strip())
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
