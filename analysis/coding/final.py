"""Determine the final codes of a recall: adjudicated, else agreed, else single; unresolved if coders differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from analysis.coding.recalls import coded_responses, of_coders, of_task, state_of
from analysis.models import Adjudication, Coding
from experiments.models import Study

ADJUDICATED, AGREED, SINGLE, UNRESOLVED = "adjudicated", "agreed", "single", "unresolved"


@dataclass(frozen=True)
class Final:
    """The final codes of a recall; None where it is unresolved."""

    codes: tuple[str, ...] | None
    source: str


@dataclass(frozen=True)
class Counts:
    """How far the coding of a study is, in recalls. `total` are those to code; `uncoded` those that nobody coded."""

    total: int
    uncoded: int
    single: int
    agreed: int
    adjudicated: int
    unresolved: int


def final_of(codings: Sequence[Sequence[str]], *, adjudicated: Sequence[str] | None = None) -> Final | None:
    """Return the final codes from the coders' codes of one recall; None where nobody coded it.

    >>> final_of([["3"], ["3", "4"]])
    Final(codes=None, source='unresolved')
    >>> final_of([["3", "4"], ["4", "3"]]).source, final_of([["3"]]).source, final_of([])
    ('agreed', 'single', None)
    >>> final_of([["3"], ["4"]], adjudicated=["3", "4"])
    Final(codes=('3', '4'), source='adjudicated')
    """
    if adjudicated is not None:
        return Final(tuple(adjudicated), ADJUDICATED)
    if not codings:
        return None
    if len({frozenset(codes) for codes in codings}) > 1:
        return Final(None, UNRESOLVED)
    return Final(tuple(codings[0]), AGREED if len(codings) > 1 else SINGLE)


def finals(study: Study) -> dict[int, Final]:
    """Return the final codes of every response of a study that somebody coded."""
    of_study = of_task(study, "response__trial")
    given: dict[int, list[list[str]]] = defaultdict(list)
    codings = Coding.objects.filter(**of_study, **of_coders(study)).order_by("pk")
    for response, codes in codings.values_list("response_id", "codes"):
        given[response].append(codes)
    decided = dict(Adjudication.objects.filter(**of_study).values_list("response_id", "codes"))
    found = {}
    for response in dict.fromkeys([*given, *decided]):
        final = final_of(given[response], adjudicated=decided.get(response))
        if final is not None:
            found[response] = final
    return found


def counts(study: Study) -> Counts:
    """Return how far the coding of a study is."""
    to_code = coded_responses(study, state_of(study)).order_by()
    of_study = of_task(study, "response__trial")
    touched = Q(pk__in=Coding.objects.filter(**of_study).order_by().values("response")) | Q(
        pk__in=Adjudication.objects.filter(**of_study).order_by().values("response")
    )
    of, total = finals(study), to_code.count()
    # What nobody coded is counted and not read: a study may have half a million recalls.
    coded = to_code.filter(touched).values_list("pk", flat=True)
    sources = Counter(of[key].source for key in coded if key in of)
    return Counts(
        total=total,
        uncoded=total - sources.total(),
        single=sources[SINGLE],
        agreed=sources[AGREED],
        adjudicated=sources[ADJUDICATED],
        unresolved=sources[UNRESOLVED],
    )
