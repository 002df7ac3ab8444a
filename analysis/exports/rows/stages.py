"""Count participants and trials at every stage, from started to analysed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from analysis.methods.rows.people import UNFINISHED, people_took_part
from experiments.sentences import Sentence

PLANNED = "planned rule: "


class Kind(NamedTuple):
    """Trials that are alike in all that the flow asks: whose they are, fillers or not, left out and why."""

    participant: str
    is_filler: bool
    is_simulated: bool
    is_excluded: bool
    reason: str


@dataclass(frozen=True)
class LeftOut:
    """What one reason left out: people with all their trials, or single trials."""

    reason: str
    people: int
    trials: int

    @property
    def is_planned(self) -> bool:
        """Whether a rule of the plan left it out, and not a decision afterwards."""
        return self.reason.startswith(PLANNED) or self.reason == UNFINISHED


@dataclass(frozen=True)
class Stage:
    """People and trials at one stage, and what was left out on the way to it."""

    label: str
    people: int
    trials: int
    left_out: tuple[LeftOut, ...] = ()


def flow_of(kinds: Iterable[Kind] | Mapping[Kind, int]) -> list[Stage]:
    """Return the stages of the answered trials of a main phase: started, finished, kept as people, kept as trials,
    targets.

    Simulated trials are left out as soon as people took part, as in every analysis. Somebody whose trials were left out
    one by one, for different reasons, is not somebody who was left out.

    >>> kept, fast = Kind("P1", False, False, False, ""), Kind("P1", False, False, True, "planned rule: too fast")
    >>> cut = Kind("P2", False, False, True, "session not finished")
    >>> [(stage.label, stage.people, stage.trials) for stage in flow_of([kept, fast, cut])][:2]
    [('Started', 2, 3), ('Finished', 1, 2)]
    """
    counted = Counter(kinds)
    if people_took_part((kind.is_simulated, kind.reason if kind.is_excluded else "") for kind in counted):
        counted = Counter({kind: n for kind, n in counted.items() if not kind.is_simulated})
    reasons: dict[str, set[str | None]] = defaultdict(set)
    for kind in counted:
        reasons[kind.participant].add(_reason(kind) if kind.is_excluded else None)
    # One reason for everything that a person answered is a reason to leave out the person.
    gone = {person: next(iter(all_of)) for person, all_of in reasons.items() if len(all_of) == 1}
    finished = {kind: n for kind, n in counted.items() if gone.get(kind.participant) != UNFINISHED}
    people = {kind: n for kind, n in finished.items() if gone.get(kind.participant) is None}
    kept = {kind: n for kind, n in people.items() if not kind.is_excluded}
    targets = {kind: n for kind, n in kept.items() if not kind.is_filler}
    return [
        _stage(Sentence("Started"), counted),
        _stage(Sentence("Finished"), finished, before=counted),
        _stage(Sentence("Analysed people"), people, before=finished),
        _stage(Sentence("Analysed trials"), kept, before=people, single=True),
        _stage(Sentence("Of these, targets"), targets),
    ]


def flow_rows(stages: Iterable[Stage]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the cells of `flow.csv`, in the order of `codebook.people.FLOW_COLUMNS`; a row without a reason is what
    remained.
    """
    for stage in stages:
        for left in stage.left_out:
            yield (str.__str__(stage.label), left.reason, left.people, left.trials)
        yield (str.__str__(stage.label), "", stage.people, stage.trials)


def _reason(kind: Kind) -> str:
    return kind.reason or "no reason given"


def _people(kinds: Iterable[Kind]) -> int:
    return len({kind.participant for kind in kinds})


def _stage(label: str, kinds: dict[Kind, int], *, before: dict[Kind, int] | None = None, single: bool = False) -> Stage:
    by_reason: dict[str, dict[Kind, int]] = defaultdict(dict)
    for kind, n in (before or {}).items():
        if kind not in kinds:
            by_reason[_reason(kind)][kind] = n
    left_out = [
        LeftOut(reason, people=0 if single else _people(gone), trials=sum(gone.values()))
        for reason, gone in by_reason.items()
    ]
    left_out.sort(key=lambda left: (-left.people, -left.trials, left.reason))
    return Stage(label, people=_people(kinds), trials=sum(kinds.values()), left_out=tuple(left_out))
