"""Notes, warnings, sentences and figure of a consistency check."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.methods.report import Figure
from analysis.methods.reported.consistency_checks import NO_P, Check, described, reported_text, swapped
from analysis.methods.wording import counted, listed, p_text

SHOWN = 12
MOST_DRAWN = 40


def verdict(check: Check) -> str:
    """Return the result of a check in a word or two."""
    if check.consistent is None:
        return "not checked"
    if check.consistent:
        return "consistent"
    return "other decision" if check.decision_error else "inconsistent"


def sentences(checks: Sequence[Check]) -> tuple[str, ...]:
    """Count the results that are consistent and quote those that are not."""
    known = [check for check in checks if check.consistent is not None]
    wrong = [check for check in known if not check.consistent]
    if not known:
        return (f"Not one of {counted(len(checks), 'result')} could be checked.",)
    errors = sum(bool(check.decision_error) for check in known)
    fits = len(known) - len(wrong)
    first = (
        f"Of {counted(len(known), 'reported result')} that could be checked, {fits:,} "
        f"{'is' if fits == 1 else 'are'} consistent with {'its' if fits == 1 else 'their'} degrees of freedom and "
        f"{len(wrong):,} {'is' if len(wrong) == 1 else 'are'} not"
    )
    decided = f"; {errors:,} would be decided otherwise" if wrong else ""
    return (f"{first}{decided}.", *(text for check in wrong[:SHOWN] for text in _contradiction(check)))


def _contradiction(check: Check) -> list[str]:
    reported, source = check.result.p, check.result.source
    if reported is None or check.p is None:
        return []
    ending = ", which turns the decision over" if check.decision_error else ""
    return [
        f"{source[:1].upper()}{source[1:]}: {described(check.result)} gives {p_text(check.p)}, reported is "
        f"{reported_text(reported)}{ending}."
    ]


def warnings(checks: Sequence[Check]) -> list[str]:
    """Return what contradicts itself, what was probably exchanged, and what else was remarked."""
    made: list[str] = []
    wrong = [check for check in checks if check.consistent is False]
    if wrong:
        errors = [check for check in wrong if check.decision_error]
        more = f" For {len(errors):,} the decision changes." if errors else ""
        made.append(
            f"The reported p does not follow from the statistic and its degrees of freedom for "
            f"{counted(len(wrong), 'result')}: {listed((described(check.result) for check in wrong), shown=SHOWN)}."
            f"{more} Compare with the original output: a typing slip, values in the wrong place, or another test."
        )
    sources = [check.result.source for check in checks]
    alone = len(set(sources)) == len(sources)
    for source in dict.fromkeys(sources):
        among = checks if alone else [check for check in checks if check.result.source == source]
        for first, second in swapped(among):
            p, other = first.result.p, second.result.p
            if p is not None and other is not None:
                place = "" if alone else f"{source[:1].upper()}{source[1:]}: "
                made.append(
                    f"{place}{described(first.result)} and {described(second.result)} are both consistent with their p "
                    f"values exchanged ({reported_text(p)} and {reported_text(other)}); were they printed the wrong "
                    f"way round?"
                )
        if alone:
            break
    remarks = dict.fromkeys(
        f"{described(check.result)}: {remark}"
        for check in checks
        if (remark := check.remark.removeprefix(NO_P).strip())
    )
    made += list(remarks)[:SHOWN]
    if len(remarks) > SHOWN:
        made.append(f"{len(remarks) - SHOWN:,} further remarks stand in the table.")
    return made


def notes(*, alpha: float, tails: str) -> list[str]:
    """Return how results were checked."""
    return [
        f"p was recomputed from every statistic and its degrees of freedom ({tails}-tailed for t, z and r) and "
        f"compared with the reported p as exactly as both are printed: a result is consistent where some value that "
        f"rounds to the printed statistic gives a p that rounds to the printed p (Nuijten et al. 2016).",
        f"A decision error is an inconsistent p on the other side of α = {alpha:g} than the recomputed one; p = "
        f"{alpha:g} counts as significant. Corrections of p (for several tests, for sphericity without corrected "
        f"degrees of freedom) look like inconsistencies.",
        "The precision of a number is that of its digits; final zeros that a spreadsheet took away are not known.",
    ]


def figures(checks: Sequence[Check]) -> tuple[Figure, ...]:
    """Return reported against recomputed p, where there is any pair of them."""
    if not any(check.p is not None and check.result.p is not None for check in checks):
        return ()
    encoding = {"x": "computed_p", "y": "reported_p", "colour": "verdict"}
    if len(checks) <= MOST_DRAWN:
        encoding["text"] = "result"
    return (
        Figure(
            name="reported",
            title="Reported and recomputed p",
            kind="points",
            table="consistency",
            encoding=encoding,
            caption="Every result that reports a p; consistent ones with an exact p lie on the diagonal.",
            x_label="Recomputed p",
            y_label="Reported p",
        ),
    )
