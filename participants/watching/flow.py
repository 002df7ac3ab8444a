"""Participant flow of a study: consent, parts reached, outcomes; by group and by source."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.rules.branching import rule_in_words
from participants.models import Session, Trial
from participants.session.assignment import criteria_counts_by_group, has_given_up, stale_after, valid_sessions
from participants.session.figures import kept_figures

ROWS_AT_ONCE = 1_000


@dataclass(frozen=True)
class FlowRow:
    """The counts of a row: in total, then for each column."""

    label: str
    numbers: list[int]
    is_outcome: bool = False


@dataclass(frozen=True)
class QuotaRow:
    """How much of a quota is taken by valid sessions, finished or running."""

    label: str
    taken: int
    quota: int

    @property
    def width(self) -> int:
        return min(100, round(100 * self.taken / self.quota))


@dataclass(frozen=True)
class Flow:
    """The flow of a study; `columns` are the headings after “All”."""

    columns: list[str] = field(default_factory=list)
    rows: list[FlowRow] = field(default_factory=list)
    quotas: list[QuotaRow] = field(default_factory=list)


def flow_of(study: Study, *, simulated: bool, now: datetime | None = None) -> Flow:
    """Return the flow of real or simulated participants through a study, in a few queries.

    People who only opened the link are not counted: opening it stores nothing. A part counts as reached with its first
    answer; a running session past the session timeout counts as dropped out.
    """
    now = now or timezone.now()
    silent_since = now - stale_after(study)
    sessions = {
        pk: (group, source, _outcome(status, outcome, last_seen_at, silent_since, given_up_at))
        for pk, group, source, status, outcome, last_seen_at, given_up_at in Session.objects.filter(
            study=study, is_simulated=simulated
        ).values_list("pk", "group", "source", "status", "outcome", "last_seen_at", "given_up_at")
    }
    reached = _reached(study, simulated=simulated)
    groups = [str(group["name"]) for group in study.groups]
    named = [str(source["name"]) for source in study.sources]
    # Who came by no named source is worth a column where there are such people.
    strangers = named and any(source not in named for _group, source, _ended in sessions.values())

    def row(label: Any, people: Iterable[int], *, is_outcome: bool = False) -> FlowRow:
        of = [sessions[pk] for pk in people if pk in sessions]
        by_group, by_source = Counter(one[0] for one in of), Counter(one[1] for one in of)
        others = [sum(number for name, number in by_source.items() if name not in named)] if strangers else []
        numbers = [*(by_group[name] for name in groups), *(by_source[name] for name in named), *others]
        return FlowRow(str(label), [len(of), *numbers], is_outcome)

    rows = [row(_("Agreed to take part"), sessions)]
    skipped = _skipped(study, simulated=simulated)
    for part in study.ordered_parts:
        rows.append(row(part.shown_name, reached[part.pk]))
        if part.shown_if:
            said = _("%(part)s: skipped by its rule (%(rule)s)")
            rows.append(row(said % {"part": part.shown_name, "rule": rule_in_words(part.shown_if)}, skipped[part.name]))
    for outcome, label in [*Session.Outcome.choices, ("", _("Running"))]:
        people = [pk for pk, (_group, _source, ended) in sessions.items() if ended == outcome]
        if people or outcome == Session.Outcome.COMPLETED:
            rows.append(row(label, people, is_outcome=True))
    return Flow(
        [*groups, *named, *([_("no named source")] if strangers else [])],
        rows,
        _quotas(study, simulated=simulated, now=now),
    )


def _skipped(study: Study, *, simulated: bool) -> dict[str, set[int]]:
    """Return part → sessions that do not have it by its rule."""
    skipped: dict[str, set[int]] = defaultdict(set)
    without = Session.objects.filter(study=study, is_simulated=simulated).exclude(skipped="")
    for session, names in without.order_by().values_list("pk", "skipped"):
        for name in names.split():
            skipped[name].add(session)
    return skipped


def _reached(study: Study, *, simulated: bool) -> dict[int, set[int]]:
    """Return part → sessions with an answer in it."""
    reached: dict[int, set[int]] = defaultdict(set)
    kept = kept_figures(study, simulated=simulated).order_by().values_list("session", "parts")
    for session, parts in kept.iterator(chunk_size=ROWS_AT_ONCE):
        for part in parts:
            reached[int(part)].add(session)
    unfinished = Session.objects.filter(study=study, is_simulated=simulated).exclude(status=Session.Status.COMPLETE)
    answered = Trial.objects.filter(session__in=unfinished, response__isnull=False)
    for session, part in answered.order_by().values_list("session", "part").distinct():
        reached[part].add(session)
    return reached


def _outcome(
    status: str, outcome: str, last_seen_at: datetime, silent_since: datetime, given_up_at: datetime | None
) -> str:
    if status == Session.Status.RUNNING:
        is_there = last_seen_at >= silent_since and not has_given_up(given_up_at, last_seen_at)
        return "" if is_there else Session.Outcome.DROPPED_OUT.value
    # Sessions from before outcomes were told apart.
    return outcome or (Session.Outcome.COMPLETED if status == Session.Status.COMPLETE else Session.Outcome.DROPPED_OUT)


def _quotas(study: Study, *, simulated: bool, now: datetime) -> list[QuotaRow]:
    limited = [group for group in study.groups if group.get("quota")]
    rows = []
    if limited:
        valid = valid_sessions(study, simulated=simulated, now=now)
        taken = Counter(valid.exclude(group="").values_list("group", flat=True))
        rows += [QuotaRow(str(group["name"]), taken[group["name"]], int(group["quota"])) for group in limited]
    if study.criteria:
        met = criteria_counts_by_group(study, simulated=simulated, now=now)
        groups = [str(group["name"]) for group in study.groups]
        for one in study.criteria:
            name, quota = str(one["name"]), int(one["quota"])
            if one.get("per_group") and groups:
                rows += [QuotaRow(f"{name}, {group}", met[name, group], quota) for group in groups]
            else:
                rows.append(QuotaRow(name, sum(n for (of, _group), n in met.items() if of == name), quota))
    return rows
